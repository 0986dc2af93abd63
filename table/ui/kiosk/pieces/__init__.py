"""Everything on the table except dice, drawn by code and cached.

A piece contains no rules and no text: it is a picture of a given size in pixels.
"""

from table.ui.kiosk.pieces.cups import cup
from table.ui.kiosk.pieces.emblems import badge, emblem
from table.ui.kiosk.pieces.people import avatar
from table.ui.kiosk.pieces.tokens import arrow, crown, sign, star
from table.ui.kiosk.pieces.wireless import code, no_waves

__all__ = ["arrow", "avatar", "badge", "code", "crown", "cup", "emblem", "no_waves", "sign", "star"]
