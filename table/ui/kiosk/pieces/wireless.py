"""What joins phones to a table: codes that they read, and the sign of Wi-Fi."""

from pygame import Rect, Surface

from table.ui import qr
from table.ui.kiosk.paint import Sheet, arc, shelved
from table.ui.kiosk.style import DARK, INK_FAINT, IVORY, NIGHT


@shelved
def code(text: str, size: int) -> Surface:
    """A QR code on ivory, its border too, at most so large: its squares are of whole pixels."""
    rows = qr.squares(text)
    side = max(1, size // len(rows))
    picture = Surface((side * len(rows), side * len(rows)))
    picture.fill(IVORY)
    for down, row in enumerate(rows):
        for across, dark in enumerate(row):
            if dark:
                picture.fill(DARK, Rect(across * side, down * side, side, side))
    return picture


@shelved
def no_waves(size: int) -> Surface:
    """Wi-Fi that is not there: its waves, struck out."""
    sheet = Sheet(max(16, size))
    sheet.circle((50, 74), 7, INK_FAINT)
    for radius in (22, 40, 58):
        sheet.stroke(arc((50, 74), radius, 227, 313), 9, INK_FAINT)
    for width, colour in ((19, NIGHT), (8, INK_FAINT)):
        sheet.stroke([(20, 14), (80, 84)], width, colour)
    return sheet.surface
