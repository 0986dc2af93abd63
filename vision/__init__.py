"""Reads dice from camera frames. Independent of the games and of the rest of the table's software.

Its one rule: never report a wrong value as sure. Whatever cannot be read is reported as unsure, with the reason.
"""

from vision.reader import read
from vision.reading import Box, Die, Reading
from vision.settle import Seen, Settle
from vision.tray import Calibration

__all__ = ["Box", "Calibration", "Die", "Reading", "Seen", "Settle", "read"]
