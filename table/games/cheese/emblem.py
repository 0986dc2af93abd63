"""The emblem of Pass the Cheese."""

from table.games.cheese.pieces import paint_cheese
from table.ui.kiosk.paint import Sheet
from table.ui.kiosk.style import BLACK, ORANGE, VERMILION, Colour, mixed


def colour(game: str) -> Colour:
    return mixed(ORANGE, VERMILION, 0.5)


def draw(sheet: Sheet, game: str) -> None:
    """A wheel of cheese with a piece cut out."""
    sheet.ellipse((50, 71), 30, 9, BLACK, alpha=130, soft=3)
    paint_cheese(sheet, (47, 44), 31, cut=True)
