"""What a reading is: the dice seen, and whether that is sure.

Its one rule: a reading that is not ok says why in words.
"""

from __future__ import annotations

from dataclasses import dataclass

OK, UNSURE = "ok", "unsure"
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rotated rectangle in the frame's pixels: the top face; angle in degrees."""

    centre: Point
    size: tuple[float, float]
    angle: float


@dataclass(frozen=True)
class Die:
    value: int
    centre: Point
    box: Box
    confidence: float
    sure: bool = True  # whether that is enough to be believed, by itself
    kept: bool = False  # in the strip of a calibrated tray where kept dice lie


@dataclass(frozen=True)
class Doubt:
    """One reason not to believe a reading, as a word that a program can tell apart."""

    what: str  # one of DOUBTS
    at: Point | None = None


DOUBTS = (
    "few",  # of the dice that were thrown
    "many",
    "edge",  # a die stands on it
    "stacked",
    "unclear",
    "strange",  # something large enough to hide a die
    "hand",
    "dark",
    "glare",
    "blurred",
    "different",  # the whole table
    "wavers",  # from frame to frame
    "small",  # the whole picture
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
