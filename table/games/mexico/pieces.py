"""The hearts that show the lives in Mexico."""

from math import cos, pi, sin

from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, shelved
from table.ui.kiosk.style import BLACK, INK_FAINT, NIGHT, RED, WHITE, mixed


@shelved
def heart(size: int, full: bool = True) -> Surface:
    """A life. A lost life is an empty outline."""
    sheet = Sheet(max(6, size))

    def outline(k: float, down: float = 0) -> list[Point]:
        turns = [2 * pi * i / 48 for i in range(48)]
        return [
            (
                50 + k * 16 * sin(a) ** 3,
                47 + down - k * (13 * cos(a) - 5 * cos(2 * a) - 2 * cos(3 * a) - cos(4 * a)),
            )
            for a in turns
        ]

    if full:
        sheet.polygon(outline(2.5, 4), BLACK, alpha=90, soft=3)
        sheet.polygon(outline(2.6), (mixed(RED, BLACK, 0.1), mixed(RED, BLACK, 0.5)))
        sheet.polygon(outline(2.35, -1), (mixed(RED, WHITE, 0.25), mixed(RED, BLACK, 0.18)))
        sheet.ellipse((33, 33), 9, 6, WHITE, alpha=150, soft=2.5)
    else:
        sheet.polygon(outline(2.4), NIGHT, alpha=150)
        sheet.stroke(outline(2.4), 5, INK_FAINT, closed=True)
    return sheet.surface
