"""Round pictures of the players.

A name gets the same picture on every table. Computers have a face, and people have their initial.
"""

from zlib import crc32

import pygame
from pygame import Surface

from table.ui.kiosk.paint import Sheet, arc, shelved
from table.ui.kiosk.style import (
    BLACK,
    BLUE,
    BRASS,
    BRASS_DARK,
    DARK,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    SLATE,
    VERMILION,
    WHITE,
    Colour,
    mixed,
    written_on,
)
from table.ui.kiosk.text import drawn, letters, one_line

_HUES: tuple[Colour, ...] = (BLUE, ORANGE, GREEN, PURPLE, VERMILION, SKY, (196, 164, 40), (110, 96, 170))


def colour_of(name: str) -> Colour:
    """A colour derived from the name."""
    return _HUES[crc32(name.encode("utf-8", "replace")) % len(_HUES)]


@shelved
def avatar(name: str, size: int, computer: bool = False, out: bool = False) -> Surface:
    """A player's picture. Players who are out are grey and crossed out."""
    sheet = Sheet(max(12, size))
    colour = SLATE if out else colour_of(name)
    sheet.circle((50, 53), 45, BLACK, alpha=120, soft=3)
    sheet.circle((50, 49), 46, (mixed(SLATE, WHITE, 0.2), SLATE) if out else (mixed(BRASS, WHITE, 0.25), BRASS_DARK))
    sheet.circle((50, 49), 41.5, (mixed(colour, WHITE, 0.16), mixed(colour, BLACK, 0.22)))
    if computer:
        _robot(sheet, colour)
    else:
        ink = written_on(colour)
        initial = _initial(name)
        if initial:
            sheet.picture(drawn(one_line(initial, "display"), max(6, round(sheet.scale * 52)), ink), (50, 49))
    if out:
        sheet.stroke([(20, 80), (80, 18)], 7, DARK)
        sheet.stroke([(20, 80), (80, 18)], 3.4, INK)
        sheet.surface.fill((255, 255, 255, 190), special_flags=pygame.BLEND_RGBA_MULT)
    return sheet.surface


def _initial(name: str) -> str:
    """The first letter of the name. If the first character can only be drawn as a word, such as the name of an emoji,
    the first letter of that word."""
    first = next((piece.text for piece in letters(name, "display") if piece.text.strip()), "")
    return first[:1].upper()


def _robot(sheet: Sheet, colour: Colour) -> None:
    """A friendly robot head: antenna, ears, a dark visor with two eyes, a smile."""
    steel = ((244, 246, 246), (190, 202, 206))
    sheet.stroke([(50, 28), (50, 17)], 4, steel)
    sheet.circle((50, 16), 4.6, (255, 220, 120))
    sheet.box((17, 44, 10, 18), 4, steel[1])
    sheet.box((73, 44, 10, 18), 4, steel[1])
    sheet.box((23, 27, 54, 48), 15, mixed(colour, BLACK, 0.5), alpha=140, soft=2)
    sheet.box((23, 26, 54, 48), 15, steel)
    sheet.box((29, 35, 42, 20), 9, (30, 40, 50))
    for x in (40, 60):
        sheet.circle((x, 45), 5.4, (130, 232, 240))
        sheet.circle((x - 1.2, 43.6), 1.8, WHITE)
    sheet.stroke(arc((50, 58), 9, 25, 155, 12), 3.6, (60, 74, 84))
