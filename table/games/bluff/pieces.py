"""The immunity card of Bluff."""

from pygame import Surface

from table.ui.kiosk.paint import Paint, Point, Sheet, shelved
from table.ui.kiosk.pieces.tokens import blank_card, star_points
from table.ui.kiosk.style import BLACK, BLUE, IVORY, IVORY_SHADE, SLATE, WHITE, mixed


def paint_shield(sheet: Sheet, at: Point, r: float, paint: Paint) -> None:
    """Draws a shield onto a sheet. `r` is half its height."""
    x, y = at
    side = [(0.0, -1.0), (0.3, -0.86), (0.8, -0.76), (0.8, 0.05), (0.66, 0.46), (0.36, 0.8), (0.0, 1.0)]
    shape = [(x + a * r, y + b * r) for a, b in side] + [(x - a * r, y + b * r) for a, b in side[-2:0:-1]]
    sheet.polygon(shape, paint)
    sheet.stroke(shape, r * 0.1, paint, closed=True)


@shelved
def shield(size: int, used: bool = False) -> Surface:
    """The immunity card, `size` high: a shield on ivory. A used card is face down and crossed out."""
    sheet, high = blank_card(size, (SLATE, mixed(SLATE, BLACK, 0.4)) if used else (IVORY, IVORY_SHADE))
    middle = (50, high / 2 - 1)
    if used:
        paint_shield(sheet, middle, 36, mixed(SLATE, WHITE, 0.22))
        sheet.stroke([(20, high - 22), (80, 20)], 8, mixed(SLATE, WHITE, 0.55))
    else:
        paint_shield(sheet, middle, 40, mixed(BLUE, BLACK, 0.45))
        paint_shield(sheet, middle, 34, (mixed(BLUE, WHITE, 0.25), BLUE))
        sheet.polygon(star_points((50, middle[1] - 2), 17), (WHITE, IVORY))
    return sheet.surface
