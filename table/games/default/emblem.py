"""The default emblem: the first letter of the game's id over two dice, in a colour derived from the id.

So a game's emblem is the same on every table.
"""

from zlib import crc32

from table.ui.kiosk.paint import Sheet
from table.ui.kiosk.pieces.emblems import paint_dice
from table.ui.kiosk.pieces.people import colour_of
from table.ui.kiosk.style import BLACK, IVORY, Colour
from table.ui.kiosk.text import drawn, one_line


def colour(game: str) -> Colour:
    """The colour of the background: red, green and blue, from 0 to 255."""
    return colour_of(game)


def draw(sheet: Sheet, game: str) -> None:
    """Paints the emblem on the round background. The sheet is 100 units wide and high, and the circle fills it."""
    left, right = divmod(crc32(game.encode()) // 8 % 36, 6)
    letter = one_line(game[:1].upper(), "display")
    pixels = max(6, round(sheet.scale * 56))
    paint_dice(sheet, (left + 1, 37.5, 73, 22), (right + 1, 62.5, 73, 22))
    for paint, down in ((BLACK, 2.5), (IVORY, 0.0)):
        sheet.picture(drawn(letter, pixels, paint), (50, 38 + down))
