"""The emblem of Bluff."""

from table.ui.kiosk.paint import Point, Sheet, arc
from table.ui.kiosk.pieces.emblems import paint_dice
from table.ui.kiosk.style import BLACK, BRASS, NIGHT, PURPLE, WHITE, Colour, mixed


def colour(game: str) -> Colour:
    return PURPLE


def draw(sheet: Sheet, game: str) -> None:
    """A covered die and an open one behind a mask."""
    paint_dice(sheet, (None, 36, 66, 32), (6, 64, 66, 32))
    upper: list[Point] = [(11, 24), (31, 22), (50, 29)]
    lower: list[Point] = [(17, 45), (28, 54), (41, 52), (50, 43)]
    shape = [*upper, *_mirrored(upper[::-1]), *_mirrored(lower), *lower[::-1]]
    sheet.polygon([(x, y + 3) for x, y in shape], BLACK, alpha=130, soft=2.5)
    sheet.stroke(shape, 5, (mixed(NIGHT, WHITE, 0.1), NIGHT), closed=True)
    sheet.polygon(shape, (mixed(NIGHT, WHITE, 0.22), NIGHT))
    sheet.stroke(shape, 1.6, BRASS, closed=True)
    for x in (33, 67):
        eye = arc((x, 48), 14, 222, 318, 12) + arc((x, 30), 14, 42, 138, 12)
        sheet.polygon(eye, (255, 250, 236))
        sheet.circle((x + 2.5, 39), 4.2, NIGHT)


def _mirrored(points: list[Point]) -> list[Point]:
    return [(100 - x, y) for x, y in points]
