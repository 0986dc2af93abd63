"""What the two sides say to each other, each a frozen value.

Its one rule: the child tells what it sees and decides nothing; it is told what to look for.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.rolls import Rolled
from vision.strip import Lying
from vision.tray import Calibration

Size = tuple[int, int]


# To the child. That it shall end is said by closing the pipe.


@dataclass(frozen=True)
class Expect:
    """So many dice are asked for under that number; None: nobody waits for dice any more."""

    number: int | None
    count: int | None
    lifted: bool = False  # from under a cup


@dataclass(frozen=True)
class Calibrate:
    """What is known of this camera's tray from now on; None: nothing."""

    calibration: Calibration | None


@dataclass(frozen=True)
class Show:
    """Frames are wanted, no larger than that; None: nobody looks at them."""

    within: Size | None


Command = Expect | Calibrate | Show


# From the child


@dataclass(frozen=True)
class Opened:
    """The source gives frames of that size. `refused`: settings that the camera does not hold, once it was asked."""

    size: Size
    refused: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Gone:
    """There are no frames, in a sentence; it is tried again until there are."""

    why: str


@dataclass(frozen=True)
class Shows:
    """A frame that was wanted is in the shared memory."""

    number: int


@dataclass(frozen=True)
class Saw:
    """Another state than before: a word of vision.settle."""

    state: str


@dataclass(frozen=True)
class Told:
    """Dice were thrown since the ask; where they are not sure, with the frame as JPEG in which they were read."""

    rolled: Rolled
    size: Size  # of the frame
    photo: bytes


@dataclass(frozen=True)
class Fits:
    """How the pictures fit what is known of the tray, when that changes: "" (they do), "unknown" (nothing is known), or
    why not, a word of vision.fit."""

    why: str


@dataclass(frozen=True)
class Lies:
    """Nobody is asked to throw, and dice lie otherwise than before."""

    lying: Lying
    size: Size  # of the frame


@dataclass(frozen=True)
class Beat:
    """It is still there; said between the others."""


Report = Opened | Gone | Shows | Saw | Told | Lies | Fits | Beat
