"""Arrows on the table: from a player's plate to the middle, and from one player to the next to show the order of
play."""

from typing import Literal

from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, shelved
from table.ui.kiosk.style import BRASS, DARK, GOLD, INK_FAINT

Side = Literal["left", "top", "right", "bottom"]

_TURNS: dict[Side, int] = {"right": 0, "bottom": 1, "left": 2, "top": 3}


def _turned(points: list[Point], side: Side) -> list[Point]:
    """Rotates points around the centre of a sheet, so that the sheet's right side becomes `side`."""
    for _ in range(_TURNS[side]):
        points = [(100 - y, x) for x, y in points]
    return points


@shelved
def pointer(size: int, side: Side) -> Surface:
    """A brass arrowhead that points from a plate on this side of the table to the middle."""
    sheet = Sheet(size)
    sheet.polygon(_turned([(78, 8), (4, 50), (78, 92)], side), DARK)
    sheet.polygon(_turned([(70.8, 20.6), (17.5, 50), (70.8, 79.4)], side), BRASS)
    return sheet.surface


@shelved
def onward(size: int, side: Side) -> Surface:
    """The arrow that shows who plays next, on a golden disc."""
    sheet = Sheet(size)
    sheet.circle((50, 50), 49, DARK)
    sheet.circle((50, 50), 43, GOLD)
    sheet.stroke(_turned([(26, 50), (70, 50)], side), 12, DARK)
    sheet.stroke(_turned([(52, 28), (74, 50), (52, 72)], side), 12, DARK)
    return sheet.surface


@shelved
def hint(size: int, side: Side) -> Surface:
    """A faint arrow that shows the order of play."""
    sheet = Sheet(size)
    sheet.stroke(_turned([(38, 20), (68, 50), (38, 80)], side), 16, INK_FAINT, alpha=170)
    return sheet.surface
