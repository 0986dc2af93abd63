"""The result of reading a frame: the dice, and whether the reading is sure.

Its one rule: a reading that is not ok says why.
"""

from __future__ import annotations

from dataclasses import dataclass

OK, UNSURE = "ok", "unsure"
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """The top face as a rotated rectangle in the frame's pixels; angle in degrees."""

    centre: Point
    size: tuple[float, float]
    angle: float


@dataclass(frozen=True)
class Die:
    value: int
    centre: Point
    box: Box
    confidence: float
    sure: bool = True  # whether this die is believed, even if the reading as a whole is not
    kept: bool = False  # whether the die lies in a calibrated tray's strip for kept dice


@dataclass(frozen=True)
class Doubt:
    """One reason not to trust a reading, as a fixed word for programs."""

    what: str  # one of DOUBTS
    at: Point | None = None


DOUBTS = (
    "few",  # fewer than expected
    "many",
    "edge",  # a die standing on edge
    "stacked",
    "unclear",
    "strange",  # an unknown object that is large enough to hide a die
    "hand",
    "dark",
    "glare",
    "blurred",
    "different",  # the whole picture differs from the calibration
    "wavers",  # reads differ from frame to frame
    "small",  # the picture is too small
)


@dataclass(frozen=True)
class Reading:
    dice: tuple[Die, ...]
    status: str
    why: str | None = None
    doubts: tuple[Doubt, ...] = ()

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(sorted(d.value for d in self.dice))
