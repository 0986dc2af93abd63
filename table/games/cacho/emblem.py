"""The emblem of Cacho."""

from table.ui.kiosk.paint import Sheet
from table.ui.kiosk.pieces.cups import paint_cup
from table.ui.kiosk.pieces.emblems import paint_dice
from table.ui.kiosk.style import BLACK, GOLD, Colour, mixed


def colour(game: str) -> Colour:
    return mixed(GOLD, (90, 100, 40), 0.72)


def draw(sheet: Sheet, game: str) -> None:
    """A leather cup over dice."""
    sheet.ellipse((50, 77), 28, 6, BLACK, alpha=140, soft=2.5)
    paint_cup(sheet, (50, 42), 0.74, 0, mouth=False)
    paint_dice(sheet, (1, 26, 72, 23), (6, 74, 72, 23), (1, 50, 78, 22))
