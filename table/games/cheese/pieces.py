"""The cheese and the cards of Pass the Cheese."""

from math import cos, pi
from typing import Literal

from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, arc, shelved
from table.ui.kiosk.pieces.tokens import blank_card, star_points
from table.ui.kiosk.style import (
    BLACK,
    BRASS,
    BRASS_DARK,
    DARK,
    GOLD,
    IVORY,
    IVORY_SHADE,
    ORANGE,
    TEAL,
    WHITE,
    Colour,
    mixed,
)
from table.ui.kiosk.text import drawn, one_line, width

CardKind = Literal["bonus300", "bonus400", "bonus500", "mustpass", "back"]

_CHEESE: Colour = (250, 200, 78)
_RIND: Colour = (206, 134, 34)


@shelved
def cheese(size: int, cut: bool = False) -> Surface:
    """A wheel of cheese. If cut, with a piece pulled out."""
    sheet = Sheet(max(10, size))
    sheet.ellipse((50, 83), 41, 11, BLACK, alpha=140, soft=3)
    paint_cheese(sheet, (46, 41) if cut else (50, 43), 40 if cut else 43, cut)
    return sheet.surface


def paint_cheese(sheet: Sheet, at: Point, r: float, cut: bool) -> None:
    """Draws a wheel onto a sheet. `at` is the centre of its top."""
    thick, flat = r * 0.56, 0.62
    if cut:
        _slab(sheet, at, r, 82, 368, thick, flat)
        _slab(sheet, (at[0] + r * 0.16, at[1] + r * 0.2), r, 14, 76, thick, flat)
    else:
        _slab(sheet, at, r, 0, 360, thick, flat)


def _slab(sheet: Sheet, at: Point, r: float, start: float, end: float, thick: float, flat: float) -> None:
    """The part of a wheel between two angles: rind, cut faces, top, holes."""
    whole = end - start >= 360
    rim = arc(at, r, start, end, 48, flat)
    x, y = at
    front = [(a, b) for a, b in arc(at, r, max(0, start), min(180, end), 32, flat)]
    sheet.polygon(front + [(a, b + thick) for a, b in reversed(front)], (_RIND, mixed(_RIND, BLACK, 0.35)))
    if not whole:
        for angle in (start, end):
            a, b = arc(at, r, angle, angle, 1, flat)[0]
            face = [(x, y), (a, b), (a, b + thick), (x, y + thick)]
            if (angle == end) == (cos(angle * pi / 180) < 0) or angle % 360 < 90:
                shade = 0.1 if angle == end else 0.2
                sheet.polygon(face, (mixed(_CHEESE, BLACK, shade), mixed(_CHEESE, BLACK, shade + 0.12)))
                for part, down, hole in ((0.35, 0.4, 0.055), (0.62, 0.62, 0.08), (0.8, 0.3, 0.04)):
                    middle = (x + (a - x) * part, y + (b - y) * part + thick * down)
                    sheet.ellipse(middle, r * hole * 0.8, r * hole, mixed(_CHEESE, (120, 70, 0), 0.5))
    top = rim if whole else [at, *rim]
    sheet.polygon(top, (mixed(_CHEESE, WHITE, 0.4), _CHEESE))
    sheet.stroke(rim, r * 0.05, mixed(_RIND, WHITE, 0.15), closed=whole)
    for angle, part, hole in (
        (200, 0.55, 0.13),
        (250, 0.42, 0.09),
        (305, 0.62, 0.12),
        (140, 0.5, 0.1),
        (45, 0.55, 0.1),
    ):
        if start <= angle <= end:
            middle = arc(at, r * part, angle, angle, 1, flat)[0]
            sheet.ellipse(middle, r * hole, r * hole * flat, mixed(_CHEESE, (130, 76, 0), 0.55))
            sheet.ellipse(
                (middle[0], middle[1] + r * 0.016), r * hole * 0.84, r * hole * flat * 0.8, mixed(_CHEESE, _RIND, 0.6)
            )


@shelved
def card(size: int, kind: CardKind) -> Surface:
    """A card, `size` high: a bonus with its number, the "must pass" card, or the back."""
    if kind == "back":
        sheet, high = blank_card(size, (mixed(TEAL, BLACK, 0.35), mixed(TEAL, BLACK, 0.6)))
        sheet.box((14, 13, 72, high - 29), 7, BRASS, width=3)
        paint = (mixed(BRASS, WHITE, 0.2), BRASS_DARK)
        sheet.polygon([(50, high / 2 - 32), (72, high / 2 - 1), (50, high / 2 + 30), (28, high / 2 - 1)], paint)
        return sheet.surface
    sheet, high = blank_card(size, (IVORY, IVORY_SHADE))
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
