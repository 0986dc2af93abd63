"""Small symbols: stars, crowns, arrows, signs, and a blank card.

Different meanings have different shapes, not only different colours. No symbol contains text.
"""

from math import cos, pi, sin
from typing import Literal

from pygame import Surface

from table.ui.kiosk.paint import Paint, Point, Sheet, shelved
from table.ui.kiosk.style import BLACK, BRASS, BRASS_DARK, DARK, GOLD, INK_FAINT, RED, TEAL, WHITE, Colour, mixed


def star_points(at: Point, r: float, inner: float = 0.46) -> list[Point]:
    x, y = at
    radii = [r, r * inner] * 5
    return [(x + radius * sin(pi * i / 5), y - radius * cos(pi * i / 5)) for i, radius in enumerate(radii)]


@shelved
def star(size: int) -> Surface:
    """A star, which marks the leader."""
    sheet = Sheet(max(6, size))
    points = star_points((50, 52), 40, 0.5)
    sheet.stroke([(x, y + 5) for x, y in points], 8, BLACK, alpha=90, soft=3, closed=True)
    sheet.stroke(points, 9, mixed(BRASS_DARK, BLACK, 0.25), closed=True)
    sheet.polygon(points, mixed(BRASS_DARK, BLACK, 0.25))
    sheet.stroke(points, 4, (mixed(GOLD, WHITE, 0.4), BRASS), closed=True)
    sheet.polygon(points, (mixed(GOLD, WHITE, 0.4), BRASS))
    return sheet.surface


@shelved
def crown(size: int) -> Surface:
    """A crown, which marks the winner."""
    sheet = Sheet(max(6, size))
    shape = [(16, 78), (10, 34), (31, 52), (50, 20), (69, 52), (90, 34), (84, 78)]
    sheet.polygon([(x, y + 4) for x, y in shape], BLACK, alpha=120, soft=3)
    sheet.stroke(shape, 5, BRASS_DARK, closed=True)
    sheet.polygon(shape, (mixed(GOLD, WHITE, 0.35), BRASS))
    sheet.polygon([(50, 24), (66, 54), (50, 74)], BRASS_DARK, alpha=60)
    sheet.box((14, 70, 72, 13), 4, (GOLD, BRASS_DARK))
    for x, y in ((10, 32), (50, 17), (90, 32)):
        sheet.circle((x, y), 7, BRASS_DARK)
        sheet.circle((x, y - 0.5), 5.4, (mixed(GOLD, WHITE, 0.6), GOLD))
    for x, colour in ((30, TEAL), (50, RED), (70, TEAL)):
        sheet.circle((x, 76.5), 4, mixed(colour, WHITE, 0.15))
    return sheet.surface


@shelved
def arrow(size: int) -> Surface:
    """A plain arrowhead that points right."""
    sheet = Sheet(max(6, size))
    sheet.stroke([(38, 22), (66, 50), (38, 78)], 14, INK_FAINT)
    return sheet.surface


@shelved
def sign(kind: Literal["tick", "cross", "camera", "pencil"], size: int, colour: Colour) -> Surface:
    """A symbol in one colour."""
    sheet = Sheet(max(6, size))
    match kind:
        case "tick":
            sheet.stroke([(20, 52), (42, 74), (80, 28)], 15, colour)
        case "cross":
            sheet.stroke([(25, 25), (75, 75)], 15, colour)
            sheet.stroke([(75, 25), (25, 75)], 15, colour)
        case "camera":
            sheet.stroke([(34, 27), (66, 27)], 14, colour)
            sheet.box((8, 28, 84, 58), 14, colour, width=11)
            sheet.circle((50, 57), 13, colour)
        case "pencil":
            sheet.stroke([(38, 62), (74, 26)], 24, colour)
            sheet.polygon([(14, 86), (23, 58), (42, 77)], colour)
    return sheet.surface


def blank_card(size: int, paint: Paint) -> tuple[Sheet, float]:
    """A blank card with a height-to-width ratio of 7 to 5, and its height in sheet units."""
    size = max(10, size)
    sheet = Sheet(max(7, round(size * 5 / 7)), size)
    high = size / sheet.scale
    sheet.box((6, 8, 88, high - 10), 12, BLACK, alpha=130, soft=3)
    sheet.box((4, 3, 92, high - 9), 12, mixed(DARK, BRASS_DARK, 0.4))
    sheet.box((5.5, 4.5, 89, high - 12), 11, paint)
    return sheet, high
