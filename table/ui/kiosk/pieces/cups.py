"""The leather cups on the table. Cups are built from points so that they can be tilted."""

from math import cos, pi, sin

from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, arc, shelved
from table.ui.kiosk.style import BLACK, BRASS, BRASS_DARK, WHITE, Colour, mixed

_LEATHER: Colour = (132, 74, 46)


@shelved
def cup(size: int, lifted: bool = False) -> Surface:
    """A leather cup, upside down over its dice. A lifted cup is tilted so that its inside is visible."""
    sheet = Sheet(max(10, size))
    if lifted:
        paint_cup(sheet, (48, 46), 0.86, -32, mouth=True)
    else:
        sheet.ellipse((52, 88), 40, 9, BLACK, alpha=150, soft=3)
        paint_cup(sheet, (50, 49), 1.0, 0, mouth=False)
    return sheet.surface


def paint_cup(sheet: Sheet, at: Point, scale: float, tilt: float, mouth: bool) -> None:
    """A cup centred at this point and tilted by `tilt` degrees. With `mouth`, the dark inside of the cup is visible."""
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
    # Light falls from the left, so each vertical strip has its own shade.
    strips = 14
    for i in range(strips):
        a, b = 180 - 180 * i / strips, 180 - 180 * (i + 1) / strips
        across = cos((a + b) / 2 * pi / 180)
        shade = mixed(_LEATHER, WHITE, 0.24 * max(0.0, 1 - abs(across + 0.45) * 1.6))
        shade = mixed(shade, BLACK, 0.12 + 0.5 * max(0.0, across - 0.05) + 0.5 * max(0.0, -across - 0.8))
        wider = 1.5 if i < strips - 1 else 0
        upper = arc((0, top), half_width(top), a, b - wider, 4, 0.2)
        lower = arc((0, foot), half_width(foot), b - wider, a, 4, 0.2)
        sheet.polygon(place(upper + lower), shade)
    lid = place(arc((0, top), half_width(top), 0, 360, 40, 0.2))
    sheet.polygon(lid, (mixed(_LEATHER, WHITE, 0.3), mixed(_LEATHER, WHITE, 0.1)))
    sheet.stroke(lid, 1.6 * scale, mixed(_LEATHER, BLACK, 0.3), closed=True)
    for y in (-24.0, 22.0):
        sheet.stroke(place(arc((0, y), half_width(y), 180, 0, 24, 0.2)), 5.2 * scale, mixed(_LEATHER, BLACK, 0.5))
        seam = place(arc((0, y), half_width(y) - 0.5, 176, 4, 26, 0.2))
        for i in range(0, len(seam) - 1, 2):
            sheet.stroke(seam[i : i + 2], 1.8 * scale, BRASS)
    sheet.stroke(place(arc((0, foot), half_width(foot), 180, 0, 24, 0.2)), 4.5 * scale, (BRASS, BRASS_DARK))
    if mouth:
        inside = place(arc((0, foot), half_width(foot), 0, 360, 40, 0.2))
        sheet.polygon(inside, mixed(_LEATHER, BLACK, 0.82))
        sheet.stroke(inside, 3.5 * scale, (BRASS, BRASS_DARK), closed=True)
    shine = place([(-15.0, -26.0), (-17.0, 30.0)])
    sheet.stroke(shine, 5 * scale, WHITE, alpha=34, soft=2)
