"""Runs the camera and the dice reader in a separate process, so that a crash or a hang only interrupts the picture.

Its one rule: the two processes share no objects. Frames go through shared memory, everything else through one pipe.

    messages.py        the messages in both directions
    frames.py          the newest frame, in shared memory
    child.py           the child process: opens the source, watches it and reports
    camera_process.py  the parent's side: starts the child, listens to it and restarts it
"""

from vision.rolls import Rolled
from vision.worker.camera_process import CameraProcess
from vision.worker.frames import Picture
from vision.worker.messages import Fits, Gone, Learned, Lies, Opened, Report, Saw, Shows, Told

__all__ = [
    "CameraProcess", "Fits", "Gone", "Learned", "Lies", "Opened", "Picture", "Report", "Rolled", "Saw", "Shows", "Told",
]  # fmt: skip
