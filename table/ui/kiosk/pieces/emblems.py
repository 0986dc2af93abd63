"""The round emblem of each game, and matching badges for some record pages.

A game paints its emblem in its `emblem` module: `colour` is the background colour, and `draw` paints the picture on
that background. A game without this module has its first letter as its emblem.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

from pygame import Surface

from table.games import GAMES, part
from table.ui.kiosk.dice import die
from table.ui.kiosk.paint import Sheet, arc, shelved
from table.ui.kiosk.style import (
    BLACK,
    BLUE,
    BRASS,
    BRASS_DARK,
    IVORY,
    NIGHT,
    SKY,
    TEAL,
    VERMILION,
    WHITE,
    Colour,
    mixed,
)


@shelved
def emblem(game: str, size: int) -> Surface:
    """The round emblem of a game. Also works for a game that was played here but is no longer installed."""
    from table.games.default import emblem as default  # imported here, because that module imports this one

    made = part(game, "emblem") if game in GAMES else default
    red, green, blue = (min(255, max(0, light)) for light in made.colour(game))
    return _emblem(size, (red, green, blue), partial(made.draw, game=game))


@shelved
def badge(page: Literal["players", "games"], size: int) -> Surface:
    """The round badge of a record page."""
    return _emblem(size, *_PAGES[page])


def _emblem(size: int, colour: Colour, motif: Callable[[Sheet], None]) -> Surface:
    sheet = Sheet(max(16, size))
    sheet.circle((50, 52.5), 46, BLACK, alpha=130, soft=2.5)
    sheet.circle((50, 49), 48, (mixed(BRASS, WHITE, 0.35), BRASS_DARK))
    sheet.circle((50, 49), 45, mixed(BRASS_DARK, BLACK, 0.45))
    ground = (mixed(colour, WHITE, 0.1), mixed(colour, NIGHT, 0.62))
    sheet.circle((50, 49), 43.6, ground)
    inside = Sheet(max(16, size))
    inside.circle((50, 49), 43.6, WHITE)
    sheet.within(inside)
    sheet.ellipse((50, 20), 36, 22, WHITE, alpha=34, soft=8)
    sheet.within(None)
    motif(sheet)
    return sheet.surface


def paint_dice(sheet: Sheet, *placed: tuple[int | None, float, float, float]) -> None:
    """Paints dice on the sheet, each given by its value, the coordinates of its centre and its size, in sheet units."""
    for value, x, y, side in placed:
        sheet.picture(die(value, round(side * sheet.scale)), (x, y))


def _company(sheet: Sheet) -> None:
    """Two players, one behind the other."""
    for x, y, scale, colour in ((64, 36, 0.82, mixed(SKY, NIGHT, 0.3)), (39, 42, 1.0, IVORY)):
        paint = (mixed(colour, WHITE, 0.3), mixed(colour, BLACK, 0.18))
        low, wide = y + 38 * scale, 23 * scale
        body = arc((x, low), wide, 180, 360, 24, 0.95)
        sheet.stroke(body, 4, mixed(BLUE, NIGHT, 0.6), closed=True)
        sheet.circle((x, y), 13.5 * scale + 2, mixed(BLUE, NIGHT, 0.6))
        sheet.polygon(body, paint)
        sheet.circle((x, y), 13.5 * scale, paint)


def _score_sheet(sheet: Sheet) -> None:
    """A score sheet with one line per game, one of them marked."""
    sheet.box((29, 20, 44, 60), 4, BLACK, alpha=120, soft=2.5)
    sheet.box((28, 17, 44, 60), 4, (IVORY, mixed(IVORY, BLACK, 0.14)))
    for y in (29, 41, 53, 65):
        sheet.stroke([(45, y), (65, y)], 4, mixed(IVORY, BLACK, 0.5))
        sheet.circle((36.5, y), 3.2, VERMILION if y == 29 else mixed(IVORY, BLACK, 0.5))
    paint_dice(sheet, (6, 70, 69, 26))


_PAGES: dict[str, tuple[Colour, Callable[[Sheet], None]]] = {
    "players": (BLUE, _company),
    "games": (mixed(TEAL, NIGHT, 0.2), _score_sheet),
}
