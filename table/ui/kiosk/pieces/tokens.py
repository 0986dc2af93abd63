"""Small things that are counted or point somewhere: stars, crowns, arrows, signs, and the blank of a card.

Its one rule: full and empty, used and unused differ in shape, not in colour alone. No piece bears a word.
"""

from math import cos, pi, sin
from typing import Literal

from pygame import Surface

from table.ui.kiosk.paint import SPRITES, Paint, Point, Sheet, arc
from table.ui.kiosk.style import BLACK, BRASS, BRASS_DARK, DARK, GOLD, INK, INK_FAINT, RED, TEAL, WHITE, Colour, mixed

Way = Literal["left", "right", "up", "down"]


def star_points(at: Point, r: float, inner: float = 0.46, points: int = 5) -> list[Point]:
    x, y = at
    return [
        (
            x + r * (1 if i % 2 == 0 else inner) * sin(pi * i / points),
            y - r * (1 if i % 2 == 0 else inner) * cos(pi * i / points),
        )
        for i in range(2 * points)
    ]


def star(size: int, full: bool = True) -> Surface:
    """A game won, a bonus; an empty one is an outline."""
    return SPRITES.get(("star", size, full), lambda: _star(size, full))


def _star(size: int, full: bool) -> Surface:
    sheet = Sheet(max(6, size))
    points = star_points((50, 52), 40, 0.5)
    if full:
        sheet.stroke([(x, y + 5) for x, y in points], 8, BLACK, alpha=90, soft=3, closed=True)
        sheet.stroke(points, 9, mixed(BRASS_DARK, BLACK, 0.25), closed=True)
        sheet.polygon(points, mixed(BRASS_DARK, BLACK, 0.25))
        sheet.stroke(points, 4, (mixed(GOLD, WHITE, 0.4), BRASS), closed=True)
        sheet.polygon(points, (mixed(GOLD, WHITE, 0.4), BRASS))
    else:
        sheet.stroke(points, 5.5, INK_FAINT, closed=True)
    return sheet.surface


def crown(size: int) -> Surface:
    """The winner's."""
    return SPRITES.get(("crown", size), lambda: _crown(size))


def _crown(size: int) -> Surface:
    sheet = Sheet(max(6, size))
    shape = [(16, 78), (10, 34), (31, 52), (50, 20), (69, 52), (90, 34), (84, 78)]
    sheet.polygon([(x, y + 4) for x, y in shape], BLACK, alpha=120, soft=3)
    sheet.stroke(shape, 5, BRASS_DARK, closed=True)
    sheet.polygon(shape, (mixed(GOLD, WHITE, 0.35), BRASS))
    sheet.polygon([(50, 24), (66, 54), (50, 74)], BRASS_DARK, alpha=60)
    sheet.box((14, 70, 72, 13), 4, (GOLD, BRASS_DARK))
    for x, y in ((10, 32), (50, 17), (90, 32)):
        sheet.circle((x, y), 7, BRASS_DARK)
        sheet.circle((x, y - 0.5), 5.4, (mixed(GOLD, WHITE, 0.6), GOLD))
    for x, colour in ((30, TEAL), (50, RED), (70, TEAL)):
        sheet.circle((x, 76.5), 4, mixed(colour, WHITE, 0.15))
    return sheet.surface


def arrow(size: int, way: Way = "right", colour: Colour = INK) -> Surface:
    """A plain arrowhead."""
    return SPRITES.get(("arrow", size, way, colour), lambda: _arrow(size, way, colour))


def _arrow(size: int, way: Way, colour: Colour) -> Surface:
    sheet = Sheet(max(6, size))
    points: list[Point] = [(38, 22), (66, 50), (38, 78)]
    if way == "left":
        points = [(100 - x, y) for x, y in points]
    elif way == "down":
        points = [(y, x) for x, y in points]
    elif way == "up":
        points = [(y, 100 - x) for x, y in points]
    sheet.stroke(points, 14, colour)
    return sheet.surface


Sign = Literal["tick", "cross", "eye", "hidden", "lock", "turn"]


def sign(kind: Sign, size: int, colour: Colour = INK) -> Surface:
    """A mark in one colour: done, wrong, seen, hidden, kept, whose turn it is."""
    return SPRITES.get(("sign", kind, size, colour), lambda: _sign(kind, size, colour))


def _sign(kind: Sign, size: int, colour: Colour) -> Surface:
    sheet = Sheet(max(6, size))
    if kind == "tick":
        sheet.stroke([(20, 52), (42, 74), (80, 28)], 15, colour)
    elif kind == "cross":
        sheet.stroke([(25, 25), (75, 75)], 15, colour)
        sheet.stroke([(75, 25), (25, 75)], 15, colour)
    elif kind in ("eye", "hidden"):
        lid = arc((50, 84), 54, 218, 322) + arc((50, 16), 54, 38, 142)
        sheet.stroke(lid, 8, colour, closed=True)
        sheet.circle((50, 50), 14, colour)
        if kind == "hidden":
            sheet.stroke([(20, 82), (80, 18)], 9, colour)
    elif kind == "lock":
        sheet.circle((50, 38), 22, colour, width=9)
        sheet.box((22, 42, 56, 42), 9, colour)
    else:
        sheet.polygon([(26, 16), (82, 50), (26, 84)], colour)
        sheet.stroke([(26, 16), (82, 50), (26, 84)], 10, colour, closed=True)
    return sheet.surface


def blank_card(size: int, paint: Paint) -> tuple[Sheet, float]:
    """A card of seven by five, and its height in the units of its sheet."""
    size = max(10, size)
    sheet = Sheet(max(7, round(size * 5 / 7)), size)
    high = size / sheet.scale
    sheet.box((6, 8, 88, high - 10), 12, BLACK, alpha=130, soft=3)
    sheet.box((4, 3, 92, high - 9), 12, mixed(DARK, BRASS_DARK, 0.4))
    sheet.box((5.5, 4.5, 89, high - 12), 11, paint)
    return sheet, high
