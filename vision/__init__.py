"""From a camera frame to the dice on the table. Knows nothing of games, and nothing of the table's software.

Its one rule: it is never wrong and sure; what it cannot read it says so, and why.
"""

from vision.reader import read
from vision.reading import Box, Die, Reading
from vision.settle import Seen, Settle
from vision.tray import Calibration

__all__ = ["Box", "Calibration", "Die", "Reading", "Seen", "Settle", "read"]
