"""The emblem of PocoLoco."""

from table.games.pocoloco.pieces import paint_chip
from table.ui.kiosk.paint import Sheet
from table.ui.kiosk.style import BLUE, VERMILION, Colour


def colour(game: str) -> Colour:
    return (40, 90, 130)


def draw(sheet: Sheet, game: str) -> None:
    """Two piles of chips."""
    for x, y, high, colour in ((33, 62, 3, BLUE), (61, 64, 5, VERMILION)):
        for i in range(high):
            paint_chip(sheet, (x, y - i * 6.5), 20, colour)
