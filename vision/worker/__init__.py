"""Vision in a process of its own: it can crash, hang or grow, and whoever plays notices a moment without pictures.

The one rule of this room: only values cross the border. Frames go through shared memory, all else through one pipe.

    messages.py        what the two sides say to each other
    frames.py          the newest frame, in shared memory
    child.py           the process: opens the source, watches it, tells
    camera_process.py  the side of whoever plays: starts it, listens, and starts it again
"""

from vision.rolls import Rolled
from vision.worker.camera_process import CameraProcess
from vision.worker.frames import Picture
from vision.worker.messages import Fits, Gone, Lies, Opened, Report, Saw, Shows, Told

__all__ = ["CameraProcess", "Fits", "Gone", "Lies", "Opened", "Picture", "Report", "Rolled", "Saw", "Shows", "Told"]
