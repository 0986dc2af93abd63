"""The messages between the two processes, each a frozen value.

Its one rule: the child reports what it sees and decides nothing; the parent tells it what to look for.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.own_dice import Face, OwnDice
from vision.rolls import Rolled
from vision.strip import Lying
from vision.tray import Calibration

Size = tuple[int, int]


# Messages to the child. Closing the pipe tells the child to exit.


@dataclass(frozen=True)
class Expect:
    """Wait for `count` dice. `number` is the number of the request. If `number` and `count` are None, no dice are
    expected."""

    number: int | None
    count: int | None
    lifted: bool = False  # the dice are uncovered by lifting a cup


@dataclass(frozen=True)
class Calibrate:
    """Use this calibration from now on. None stands for no calibration."""

    calibration: Calibration | None


@dataclass(frozen=True)
class Show:
    """Send frames scaled to fit this size. None stands for no frames."""

    within: Size | None


@dataclass(frozen=True)
class Remember:
    """Use what has been learned about the table's own dice from now on."""

    own: OwnDice


@dataclass(frozen=True)
class Learn:
    """People said what the dice of this unsure roll show: each die's centre in the frame, and its value."""

    rolled: Rolled
    shown: tuple[tuple[float, float, int], ...]


Command = Expect | Calibrate | Show | Remember | Learn


# Messages from the child


@dataclass(frozen=True)
class Opened:
    """The source delivers frames of this size. `refused` lists the settings that the camera did not keep. Until the
    settings have been fixed, `refused` is None."""

    size: Size
    refused: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Gone:
    """The source gives no frames, and `why` is a sentence that says why. The source is reopened until it works."""

    why: str


@dataclass(frozen=True)
class Shows:
    """A requested frame is in the shared memory."""

    number: int


@dataclass(frozen=True)
class Saw:
    """The state has changed. `state` is one of those in vision.settle."""

    state: str


@dataclass(frozen=True)
class Told:
    """Dice were rolled since the request. If the reading is not sure, `photo` is the frame as a JPEG."""

    rolled: Rolled
    size: Size  # the frame's size
    photo: bytes


@dataclass(frozen=True)
class Fits:
    """Reports a change in how the frames fit the calibration: "" (they fit), "unknown" (no calibration), or one of the
    reasons in vision.fit."""

    why: str


@dataclass(frozen=True)
class Lies:
    """No roll was requested, but the dice on the table have changed."""

    lying: Lying
    size: Size  # the frame's size


@dataclass(frozen=True)
class Learned:
    """The looks of the dice whose values people said. The parent adds them to what it remembers."""

    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Beat:
    """A sign of life when there is nothing else to report."""


Report = Opened | Gone | Shows | Saw | Told | Lies | Fits | Learned | Beat
