"""The sign of each game, as it hangs over the table, and of some pages of the records in the same style.

Its one rule: a game without a sign of its own still has one, so that a new game can be played before it is drawn.
"""

from collections.abc import Callable
from typing import Literal

from pygame import Surface

from table.ui.kiosk.dice import die
from table.ui.kiosk.paint import SPRITES, Point, Sheet, arc
from table.ui.kiosk.pieces.things import paint_cheese, paint_cup
from table.ui.kiosk.pieces.tokens import paint_chip
from table.ui.kiosk.style import (
    BLUE,
    BRASS,
    BRASS_DARK,
    GOLD,
    IVORY,
    NIGHT,
    ORANGE,
    PURPLE,
    SKY,
    TEAL,
    VERMILION,
    Colour,
    mixed,
)

_WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (0, 0, 0)
_STRAW: Colour = (238, 190, 96)


def emblem(game: str, size: int) -> Surface:
    """The round sign of a game."""
    return SPRITES.get(("emblem", game, size), lambda: _emblem(size, *_SIGNS.get(game, (TEAL, _any))))


def badge(page: Literal["players", "games"], size: int) -> Surface:
    """The round sign of a page of the records."""
    return SPRITES.get(("badge", page, size), lambda: _emblem(size, *_PAGES[page]))


def _emblem(size: int, colour: Colour, motif: Callable[[Sheet], None]) -> Surface:
    sheet = Sheet(max(16, size))
    sheet.circle((50, 52.5), 46, _BLACK, alpha=130, soft=2.5)
    sheet.circle((50, 49), 48, (mixed(BRASS, _WHITE, 0.35), BRASS_DARK))
    sheet.circle((50, 49), 45, mixed(BRASS_DARK, _BLACK, 0.45))
    ground = (mixed(colour, _WHITE, 0.1), mixed(colour, NIGHT, 0.62))
    sheet.circle((50, 49), 43.6, ground)
    inside = Sheet(max(16, size))
    inside.circle((50, 49), 43.6, _WHITE)
    sheet.within(inside)
    sheet.ellipse((50, 20), 36, 22, _WHITE, alpha=34, soft=8)
    sheet.within(None)
    motif(sheet)
    return sheet.surface


def _dice(sheet: Sheet, *placed: tuple[int | None, float, float, float]) -> None:
    """Dice onto the sheet: value, middle, and size in its units."""
    for value, x, y, side in placed:
        sheet.picture(die(value, round(side * sheet.scale)), (x, y))


def _sombrero(sheet: Sheet) -> None:
    """A hat over a two and a one: the best throw there is."""
    _dice(sheet, (2, 36.5, 67, 29), (1, 63.5, 67, 29))
    sheet.ellipse((50, 49), 36, 10, _BLACK, alpha=110, soft=2)
    sheet.ellipse((50, 46), 39, 11.5, (mixed(_STRAW, _BLACK, 0.1), mixed(_STRAW, _BLACK, 0.45)))
    sheet.ellipse((50, 43.5), 39, 10.5, (mixed(_STRAW, _WHITE, 0.25), _STRAW))
    sheet.ellipse((50, 43), 31, 7.4, (mixed(_STRAW, _BLACK, 0.28), mixed(_STRAW, _BLACK, 0.1)))
    crown = [(34, 43), (37, 28), (42, 17), (50, 14), (58, 17), (63, 28), (66, 43), *arc((50, 43), 16, 0, 180, 16, 0.3)]
    sheet.polygon(crown, (mixed(_STRAW, _WHITE, 0.35), mixed(_STRAW, _BLACK, 0.12)))
    sheet.stroke(
        arc((50, 38.5), 15.4, 168, 12, 20, 0.34), 5.5, (mixed(VERMILION, _WHITE, 0.05), mixed(VERMILION, _BLACK, 0.25))
    )
    for i, (x, y) in enumerate(arc((50, 44.5), 35, 170, 10, 8, 0.25)):
        sheet.circle((x, y), 2.1, TEAL if i % 2 else VERMILION)


def _mask(sheet: Sheet) -> None:
    """A covered die and an open one behind a mask."""
    _dice(sheet, (None, 36, 66, 32), (6, 64, 66, 32))
    upper: list[Point] = [(11, 24), (31, 22), (50, 29)]
    lower: list[Point] = [(17, 45), (28, 54), (41, 52), (50, 43)]
    shape = [*upper, *_mirrored(upper[::-1]), *_mirrored(lower), *lower[::-1]]
    sheet.polygon([(x, y + 3) for x, y in shape], _BLACK, alpha=130, soft=2.5)
    sheet.stroke(shape, 5, (mixed(NIGHT, _WHITE, 0.1), NIGHT), closed=True)
    sheet.polygon(shape, (mixed(NIGHT, _WHITE, 0.22), NIGHT))
    sheet.stroke(shape, 1.6, BRASS, closed=True)
    for x in (33, 67):
        eye = arc((x, 48), 14, 222, 318, 12) + arc((x, 30), 14, 42, 138, 12)
        sheet.polygon(eye, (255, 250, 236))
        sheet.circle((x + 2.5, 39), 4.2, NIGHT)


def _mirrored(points: list[Point]) -> list[Point]:
    return [(100 - x, y) for x, y in points]


def _chips(sheet: Sheet) -> None:
    """Two piles of chips."""
    for x, y, high, colour in ((33, 62, 3, BLUE), (61, 64, 5, VERMILION)):
        for i in range(high):
            paint_chip(sheet, (x, y - i * 6.5), 20, colour)


def _wheel(sheet: Sheet) -> None:
    sheet.ellipse((50, 71), 30, 9, _BLACK, alpha=130, soft=3)
    paint_cheese(sheet, (47, 44), 31, cut=True)


def _leather(sheet: Sheet) -> None:
    sheet.ellipse((50, 77), 28, 6, _BLACK, alpha=140, soft=2.5)
    paint_cup(sheet, (50, 42), 0.74, 0, mouth=False)
    _dice(sheet, (1, 26, 72, 23), (6, 74, 72, 23), (1, 50, 78, 22))


def _any(sheet: Sheet) -> None:
    _dice(sheet, (5, 38, 54, 40), (2, 66, 46, 32))


def _company(sheet: Sheet) -> None:
    """Two who play, one behind the other."""
    for x, y, scale, colour in ((64, 36, 0.82, mixed(SKY, NIGHT, 0.3)), (39, 42, 1.0, IVORY)):
        paint = (mixed(colour, _WHITE, 0.3), mixed(colour, _BLACK, 0.18))
        low, wide = y + 38 * scale, 23 * scale
        body = arc((x, low), wide, 180, 360, 24, 0.95)
        sheet.stroke(body, 4, mixed(BLUE, NIGHT, 0.6), closed=True)
        sheet.circle((x, y), 13.5 * scale + 2, mixed(BLUE, NIGHT, 0.6))
        sheet.polygon(body, paint)
        sheet.circle((x, y), 13.5 * scale, paint)


def _score_sheet(sheet: Sheet) -> None:
    """A sheet with a line a game, and one of them ticked."""
    sheet.box((29, 20, 44, 60), 4, _BLACK, alpha=120, soft=2.5)
    sheet.box((28, 17, 44, 60), 4, (IVORY, mixed(IVORY, _BLACK, 0.14)))
    for y in (29, 41, 53, 65):
        sheet.stroke([(45, y), (65, y)], 4, mixed(IVORY, _BLACK, 0.5))
        sheet.circle((36.5, y), 3.2, VERMILION if y == 29 else mixed(IVORY, _BLACK, 0.5))
    _dice(sheet, (6, 70, 69, 26))


_PAGES: dict[str, tuple[Colour, Callable[[Sheet], None]]] = {
    "players": (BLUE, _company),
    "games": (mixed(TEAL, NIGHT, 0.2), _score_sheet),
}
_SIGNS: dict[str, tuple[Colour, Callable[[Sheet], None]]] = {
    "mexico": (TEAL, _sombrero),
    "bluff": (PURPLE, _mask),
    "pocoloco": ((40, 90, 130), _chips),
    "cheese": (mixed(ORANGE, VERMILION, 0.5), _wheel),
    "cacho": (mixed(GOLD, (90, 100, 40), 0.72), _leather),
}
