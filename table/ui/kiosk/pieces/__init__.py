"""Pictures of everything on the table except the dice, drawn by code and cached.

Each picture is drawn at a given size in pixels. The pictures contain no text and do not depend on the rules of a game.
"""

from table.ui.kiosk.pieces.cups import cup
from table.ui.kiosk.pieces.emblems import badge, emblem
from table.ui.kiosk.pieces.people import avatar
from table.ui.kiosk.pieces.tokens import arrow, crown, sign, star
from table.ui.kiosk.pieces.wireless import code, no_waves

__all__ = ["arrow", "avatar", "badge", "code", "crown", "cup", "emblem", "no_waves", "sign", "star"]
