"""Pictures for joining by phone: QR codes and the crossed-out Wi-Fi symbol."""

from pygame import Rect, Surface

from table.ui import qr
from table.ui.kiosk.paint import Sheet, arc, shelved
from table.ui.kiosk.style import DARK, INK_FAINT, IVORY, NIGHT


@shelved
def code(text: str, size: int) -> Surface:
    """A QR code on ivory, at most `size` pixels wide including its border. Each square is a whole number of pixels."""
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
    """A crossed-out Wi-Fi symbol."""
    sheet = Sheet(max(16, size))
    sheet.circle((50, 74), 7, INK_FAINT)
    for radius in (22, 40, 58):
        sheet.stroke(arc((50, 74), radius, 227, 313), 9, INK_FAINT)
    for width, colour in ((19, NIGHT), (8, INK_FAINT)):
        sheet.stroke([(20, 14), (80, 84)], width, colour)
    return sheet.surface
