"""Small things that are counted or point somewhere: hearts, chips, stars, crowns, shields, cards, arrows.

Its one rule: full and empty, used and unused differ in shape, not in colour alone. No piece bears a word.
"""

from math import cos, pi, sin
from typing import Literal

from pygame import Surface

from table.ui.kiosk.paint import SPRITES, Paint, Point, Sheet, arc
from table.ui.kiosk.style import (
    BLUE,
    BRASS,
    BRASS_DARK,
    DARK,
    GOLD,
    INK,
    INK_FAINT,
    IVORY,
    IVORY_SHADE,
    NIGHT,
    ORANGE,
    SLATE,
    TEAL,
    Colour,
    mixed,
)
from table.ui.kiosk.text import drawn, one_line, width

Way = Literal["left", "right", "up", "down"]
CardKind = Literal["bonus300", "bonus400", "bonus500", "mustpass", "back"]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
_RED: Colour = (214, 62, 56)


def heart(size: int, full: bool = True) -> Surface:
    """A life; one that is lost is an empty outline."""
    return SPRITES.get(("heart", size, full), lambda: _heart(size, full))


def _heart(size: int, full: bool) -> Surface:
    sheet = Sheet(max(6, size))

    def outline(k: float, down: float = 0) -> list[Point]:
        turns = [2 * pi * i / 48 for i in range(48)]
        return [
            (
                50 + k * 16 * sin(a) ** 3,
                47 + down - k * (13 * cos(a) - 5 * cos(2 * a) - 2 * cos(3 * a) - cos(4 * a)),
            )
            for a in turns
        ]

    if full:
        sheet.polygon(outline(2.5, 4), BLACK, alpha=90, soft=3)
        sheet.polygon(outline(2.6), (mixed(_RED, BLACK, 0.1), mixed(_RED, BLACK, 0.5)))
        sheet.polygon(outline(2.35, -1), (mixed(_RED, WHITE, 0.25), mixed(_RED, BLACK, 0.18)))
        sheet.ellipse((33, 33), 9, 6, WHITE, alpha=150, soft=2.5)
    else:
        sheet.polygon(outline(2.4), NIGHT, alpha=150)
        sheet.stroke(outline(2.4), 5, INK_FAINT, closed=True)
    return sheet.surface


def chip(size: int, colour: Colour = BLUE) -> Surface:
    """A chip seen a little from above."""
    return SPRITES.get(("chip", size, colour), lambda: _chip(size, colour))


def _chip(size: int, colour: Colour) -> Surface:
    sheet = Sheet(max(6, size))
    paint_chip(sheet, (50, 46), 43, colour)
    return sheet.surface


def paint_chip(sheet: Sheet, at: Point, r: float, colour: Colour) -> None:
    """A chip with its edge, its inlays and its middle, onto a sheet."""
    x, y = at
    thick = r * 0.16
    sheet.circle((x, y + thick + r * 0.05), r, BLACK, alpha=130, soft=r * 0.06)
    sheet.circle((x, y + thick), r, (mixed(colour, BLACK, 0.35), mixed(colour, BLACK, 0.6)))
    sheet.circle(at, r, (mixed(colour, WHITE, 0.18), mixed(colour, BLACK, 0.12)))
    for i in range(6):
        a = 60 * i + 30
        inlay = arc(at, r * 0.99, a - 11, a + 11, 6) + arc(at, r * 0.74, a + 11, a - 11, 6)
        sheet.polygon(inlay, (IVORY, IVORY_SHADE))
    sheet.circle(at, r * 0.68, mixed(colour, BLACK, 0.35))
    sheet.circle((x, y + r * 0.02), r * 0.63, (mixed(colour, BLACK, 0.12), mixed(colour, WHITE, 0.16)))
    sheet.polygon(star_points(at, r * 0.36), (IVORY, IVORY_SHADE))


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
    for x, colour in ((30, TEAL), (50, _RED), (70, TEAL)):
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


def paint_shield(sheet: Sheet, at: Point, r: float, paint: Paint, alpha: int = 255) -> None:
    """A shield of this half height, onto a sheet."""
    x, y = at
    side = [(0.0, -1.0), (0.3, -0.86), (0.8, -0.76), (0.8, 0.05), (0.66, 0.46), (0.36, 0.8), (0.0, 1.0)]
    shape = [(x + a * r, y + b * r) for a, b in side] + [(x - a * r, y + b * r) for a, b in side[-2:0:-1]]
    sheet.polygon(shape, paint, alpha)
    sheet.stroke(shape, r * 0.1, paint, alpha, closed=True)


def shield(size: int, used: bool = False) -> Surface:
    """The immunity card, `size` high: a shield on ivory; turned over and struck through once it is used."""
    return SPRITES.get(("shield", size, used), lambda: _shield(size, used))


def _shield(size: int, used: bool) -> Surface:
    sheet, high = _blank(size, (SLATE, mixed(SLATE, BLACK, 0.4)) if used else (IVORY, IVORY_SHADE))
    middle = (50, high / 2 - 1)
    if used:
        paint_shield(sheet, middle, 36, mixed(SLATE, WHITE, 0.22))
        sheet.stroke([(20, high - 22), (80, 20)], 8, mixed(SLATE, WHITE, 0.55))
    else:
        paint_shield(sheet, middle, 40, mixed(BLUE, BLACK, 0.45))
        paint_shield(sheet, middle, 34, (mixed(BLUE, WHITE, 0.25), BLUE))
        sheet.polygon(star_points((50, middle[1] - 2), 17), (WHITE, IVORY))
    return sheet.surface


def _blank(size: int, paint: Paint) -> tuple[Sheet, float]:
    """A card of seven by five, and its height in the units of its sheet."""
    size = max(10, size)
    sheet = Sheet(max(7, round(size * 5 / 7)), size)
    high = size / sheet.scale
    sheet.box((6, 8, 88, high - 10), 12, BLACK, alpha=130, soft=3)
    sheet.box((4, 3, 92, high - 9), 12, mixed(DARK, BRASS_DARK, 0.4))
    sheet.box((5.5, 4.5, 89, high - 12), 11, paint)
    return sheet, high


def card(size: int, kind: CardKind) -> Surface:
    """A card `size` high: a bonus with its number, the one that makes its drawer pass, or the back of any."""
    return SPRITES.get(("card", size, kind), lambda: _card(size, kind))


def _card(size: int, kind: CardKind) -> Surface:
    if kind == "back":
        sheet, high = _blank(size, (mixed(TEAL, BLACK, 0.35), mixed(TEAL, BLACK, 0.6)))
        sheet.box((14, 13, 72, high - 29), 7, BRASS, width=3)
        paint = (mixed(BRASS, WHITE, 0.2), BRASS_DARK)
        sheet.polygon([(50, high / 2 - 32), (72, high / 2 - 1), (50, high / 2 + 30), (28, high / 2 - 1)], paint)
        return sheet.surface
    sheet, high = _blank(size, (IVORY, IVORY_SHADE))
    if kind == "mustpass":
        sheet.box((12, 11, 76, high - 25), 7, mixed(ORANGE, BLACK, 0.3), width=3)
        way = arc((47, high * 0.54), 21, 170, 350)
        sheet.stroke(way, 9, mixed(ORANGE, BLACK, 0.15))
        x, y = way[-1]
        sheet.polygon([(x - 14, y - 2), (x + 14, y - 2), (x, y + 17)], mixed(ORANGE, BLACK, 0.15))
        sheet.circle((47, high * 0.54 + 5), 7, DARK)
        return sheet.surface
    sheet.box((12, 11, 76, high - 25), 7, TEAL, width=3)
    sheet.polygon(star_points((50, high * 0.34), 24, 0.5), mixed(BRASS_DARK, BLACK, 0.2))
    sheet.polygon(star_points((50, high * 0.34), 20, 0.5), (GOLD, BRASS))
    number = kind.removeprefix("bonus")
    pixels = max(6, round(sheet.scale * 34))
    while pixels > 6 and width(number, "display", pixels) > sheet.scale * 66:
        pixels -= 1
    sheet.picture(drawn(one_line(number, "display"), pixels, mixed(TEAL, BLACK, 0.35)), (50, high * 0.68))
    return sheet.surface
