"""Vision in a process of its own: it can crash, hang or grow, and whoever plays notices a moment without pictures.

The one rule of this room: only values cross the border. Frames go through shared memory, all else through one pipe.

    said.py    what the two sides say to each other
    slots.py   the newest frame, in shared memory
    child.py   the process: opens the source, watches it, tells
    eye.py     the side of whoever plays: starts it, listens, and starts it again
"""

from vision.apart.eye import Eye
from vision.apart.said import Fits, Gone, Lies, Opened, Report, Saw, Shows, Told
from vision.apart.slots import Picture
from vision.rolls import Rolled

__all__ = ["Eye", "Fits", "Gone", "Lies", "Opened", "Picture", "Report", "Rolled", "Saw", "Shows", "Told"]
