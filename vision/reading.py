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
class Reading:
    dice: tuple[Die, ...]
    status: str
    why: str | None = None

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(sorted(d.value for d in self.dice))
