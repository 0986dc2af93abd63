"""The default emblem: the first letter of the id over two dice, in a colour derived from the id."""

from collections.abc import Callable
from zlib import crc32

from table.ui.kiosk.paint import Sheet
from table.ui.kiosk.pieces.emblems import paint_dice
from table.ui.kiosk.pieces.people import colour_of
from table.ui.kiosk.style import BLACK, IVORY, Colour
from table.ui.kiosk.text import drawn, one_line


def sign(game: str) -> tuple[Colour, Callable[[Sheet], None]]:
    """The background colour and the drawing. Both depend only on the id, so they are the same on every table."""
    left, right = divmod(crc32(game.encode()) // 8 % 36, 6)

    def draw(sheet: Sheet) -> None:
        letter = one_line(game[:1].upper(), "display")
        pixels = max(6, round(sheet.scale * 56))
        paint_dice(sheet, (left + 1, 37.5, 73, 22), (right + 1, 62.5, 73, 22))
        for colour, down in ((BLACK, 2.5), (IVORY, 0.0)):
            sheet.picture(drawn(letter, pixels, colour), (50, 38 + down))

    return colour_of(game), draw
