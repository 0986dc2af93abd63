"""The chips of PocoLoco."""

from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, arc, shelved
from table.ui.kiosk.pieces.tokens import star_points
from table.ui.kiosk.style import BLACK, BLUE, IVORY, IVORY_SHADE, WHITE, Colour, mixed


@shelved
def chip(size: int) -> Surface:
    """A chip, seen slightly from above."""
    sheet = Sheet(max(6, size))
    paint_chip(sheet, (50, 46), 43, BLUE)
    return sheet.surface


def paint_chip(sheet: Sheet, at: Point, r: float, colour: Colour) -> None:
    """Draws a chip onto a sheet, with its edge, inlays and centre."""
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
