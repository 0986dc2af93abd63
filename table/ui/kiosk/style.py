"""The look of the table: its colours and the few things that differ between tables.

Colour alone never carries meaning: a word, a symbol or a position says the same. The hues, based on those of Okabe and
Ito, can be told apart by people with red-green colour blindness.
"""

from dataclasses import dataclass
from typing import Literal

Colour = tuple[int, int, int]
Face = Literal["body", "bold", "display"]
Align = Literal["left", "center", "right"]
Valign = Literal["top", "middle", "bottom"]

BASE = (800, 480)  # the smallest screen; all sizes in units are pixels on a screen of this size
LARGER = 1.25  # how much larger large text is

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)

# felt and rail
FELT_LIGHT: Colour = (30, 96, 98)
FELT: Colour = (18, 66, 70)
FELT_DARK: Colour = (6, 26, 33)
NIGHT: Colour = (8, 22, 28)  # panels sunk into the felt
WOOD_LIGHT: Colour = (116, 72, 42)
WOOD: Colour = (82, 48, 28)
WOOD_DARK: Colour = (44, 25, 16)
BRASS: Colour = (214, 172, 92)
BRASS_DARK: Colour = (142, 104, 46)

# text on the felt
INK: Colour = (250, 244, 230)
INK_SOFT: Colour = (178, 200, 196)
INK_FAINT: Colour = (112, 142, 142)

# ivory cards and panels, and text on them
IVORY: Colour = (248, 240, 222)
IVORY_SHADE: Colour = (226, 212, 184)
DARK: Colour = (34, 40, 44)
DARK_SOFT: Colour = (98, 94, 84)

# hues
TEAL: Colour = (0, 140, 124)
ORANGE: Colour = (240, 146, 36)
SKY: Colour = (86, 180, 233)
BLUE: Colour = (0, 114, 178)
GOLD: Colour = (255, 206, 84)
VERMILION: Colour = (213, 94, 0)
PURPLE: Colour = (188, 100, 150)
GREEN: Colour = (0, 158, 115)
SLATE: Colour = (84, 100, 112)
RED: Colour = (214, 62, 56)  # hearts and jewels

GOOD = SKY  # a gain; never shown by colour alone, but with a word or a mark
BAD = VERMILION  # a loss

BUTTON_COLOURS: dict[str, Colour] = {
    "teal": TEAL,
    "orange": ORANGE,
    "blue": BLUE,
    "green": (0, 128, 84),
    "red": (196, 62, 40),
    "yellow": (240, 208, 60),
    "white": (236, 236, 232),
    "black": (40, 44, 48),
    "purple": (140, 70, 140),
}


@dataclass(frozen=True)
class Look:
    """Differences between tables: text size and the installed buttons."""

    large_text: bool = False
    roll_word: str = ""  # the names of the two buttons, in the current language
    end_word: str = ""
    roll_colour: str = "teal"  # names of BUTTON_COLOURS
    end_colour: str = "orange"


def mixed(a: Colour, b: Colour, part: float) -> Colour:
    """A mix of two colours: only a if `part` is 0, only b if `part` is 1."""
    return (
        round(a[0] + (b[0] - a[0]) * part),
        round(a[1] + (b[1] - a[1]) * part),
        round(a[2] + (b[2] - a[2]) * part),
    )


def written_on(colour: Colour) -> Colour:
    """A readable text colour for this background: dark or ivory."""
    brightness = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return DARK if brightness > 140 else INK
