"""The larger things on the table: leather cups and cheese.

Its one rule: they are built from points, so that they can be tilted and cut.
"""

from math import cos, pi, sin

from pygame import Surface

from table.ui.kiosk.paint import SPRITES, Point, Sheet, arc
from table.ui.kiosk.style import BRASS, BRASS_DARK, Colour, mixed

_WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (0, 0, 0)
_LEATHER: Colour = (132, 74, 46)
_CHEESE: Colour = (250, 200, 78)
_RIND: Colour = (206, 134, 34)


def cup(size: int, lifted: bool = False) -> Surface:
    """A leather cup, mouth down over its dice; lifted, it is tilted and one looks into it."""
    return SPRITES.get(("cup", size, lifted), lambda: _cup(size, lifted))


def _cup(size: int, lifted: bool) -> Surface:
    sheet = Sheet(max(10, size))
    if lifted:
        paint_cup(sheet, (48, 46), 0.86, -32, mouth=True)
    else:
        sheet.ellipse((52, 88), 40, 9, _BLACK, alpha=150, soft=3)
        paint_cup(sheet, (50, 49), 1.0, 0, mouth=False)
    return sheet.surface


def paint_cup(sheet: Sheet, at: Point, scale: float, tilt: float, mouth: bool) -> None:
    """A cup around this middle, tilted by so many degrees; with its mouth one sees the dark inside."""
    c, s = cos(tilt * pi / 180), sin(tilt * pi / 180)

    def place(points: list[Point]) -> list[Point]:
        return [(at[0] + scale * (x * c - y * s), at[1] + scale * (x * s + y * c)) for x, y in points]

    def band(y: float, half: float, thick: float) -> list[Point]:
        upper = arc((0, y), half, 180, 0, 20, 0.2)
        lower = arc((0, y + thick), half + thick * 0.13, 0, 180, 20, 0.2)
        return place(upper + lower)

    def half_width(y: float) -> float:
        return 27 + (y + 38) * 0.14

    top, foot = -37.0, 36.0
    # Light falls from the left: strips from one side to the other, each with its own shade.
    strips = 14
    for i in range(strips):
        a, b = 180 - 180 * i / strips, 180 - 180 * (i + 1) / strips
        across = cos((a + b) / 2 * pi / 180)
        shade = mixed(_LEATHER, _WHITE, 0.24 * max(0.0, 1 - abs(across + 0.45) * 1.6))
        shade = mixed(shade, _BLACK, 0.12 + 0.5 * max(0.0, across - 0.05) + 0.5 * max(0.0, -across - 0.8))
        wider = 1.5 if i < strips - 1 else 0
        upper = arc((0, top), half_width(top), a, b - wider, 4, 0.2)
        lower = arc((0, foot), half_width(foot), b - wider, a, 4, 0.2)
        sheet.polygon(place(upper + lower), shade)
    lid = place(arc((0, top), half_width(top), 0, 360, 40, 0.2))
    sheet.polygon(lid, (mixed(_LEATHER, _WHITE, 0.3), mixed(_LEATHER, _WHITE, 0.1)))
    sheet.stroke(lid, 1.6 * scale, mixed(_LEATHER, _BLACK, 0.3), closed=True)
    for y in (-24.0, 22.0):
        sheet.stroke(place(arc((0, y), half_width(y), 180, 0, 24, 0.2)), 5.2 * scale, mixed(_LEATHER, _BLACK, 0.5))
        seam = place(arc((0, y), half_width(y) - 0.5, 176, 4, 26, 0.2))
        for i in range(0, len(seam) - 1, 2):
            sheet.stroke(seam[i : i + 2], 1.8 * scale, BRASS)
    sheet.stroke(place(arc((0, foot), half_width(foot), 180, 0, 24, 0.2)), 4.5 * scale, (BRASS, BRASS_DARK))
    if mouth:
        inside = place(arc((0, foot), half_width(foot), 0, 360, 40, 0.2))
        sheet.polygon(inside, mixed(_LEATHER, _BLACK, 0.82))
        sheet.stroke(inside, 3.5 * scale, (BRASS, BRASS_DARK), closed=True)
    shine = place([(-15.0, -26.0), (-17.0, 30.0)])
    sheet.stroke(shine, 5 * scale, _WHITE, alpha=34, soft=2)


def cheese(size: int, cut: bool = False) -> Surface:
    """A wheel of cheese; cut, a piece of it is drawn away."""
    return SPRITES.get(("cheese", size, cut), lambda: _cheese(size, cut))


def _cheese(size: int, cut: bool) -> Surface:
    sheet = Sheet(max(10, size))
    sheet.ellipse((50, 83), 41, 11, _BLACK, alpha=140, soft=3)
    paint_cheese(sheet, (46, 41) if cut else (50, 43), 40 if cut else 43, cut)
    return sheet.surface


def paint_cheese(sheet: Sheet, at: Point, r: float, cut: bool) -> None:
    """A wheel with this middle of its top, onto a sheet."""
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
    sheet.polygon(front + [(a, b + thick) for a, b in reversed(front)], (_RIND, mixed(_RIND, _BLACK, 0.35)))
    if not whole:
        for angle in (start, end):
            a, b = arc(at, r, angle, angle, 1, flat)[0]
            face = [(x, y), (a, b), (a, b + thick), (x, y + thick)]
            if (angle == end) == (cos(angle * pi / 180) < 0) or angle % 360 < 90:
                shade = 0.1 if angle == end else 0.2
                sheet.polygon(face, (mixed(_CHEESE, _BLACK, shade), mixed(_CHEESE, _BLACK, shade + 0.12)))
                for part, down, hole in ((0.35, 0.4, 0.055), (0.62, 0.62, 0.08), (0.8, 0.3, 0.04)):
                    middle = (x + (a - x) * part, y + (b - y) * part + thick * down)
                    sheet.ellipse(middle, r * hole * 0.8, r * hole, mixed(_CHEESE, (120, 70, 0), 0.5))
    top = rim if whole else [at, *rim]
    sheet.polygon(top, (mixed(_CHEESE, _WHITE, 0.4), _CHEESE))
    sheet.stroke(rim, r * 0.05, mixed(_RIND, _WHITE, 0.15), closed=whole)
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
