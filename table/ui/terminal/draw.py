"""Drawing in a terminal: dice with pips, the banner, text that fits the window.

Its one rule: everything is drawn in Unicode. `ASCII` replaces the characters that the output cannot show.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import zip_longest

from table.text.pages import column_widths

WIDEST = 80
SIGNS = {"╭": "+", "─": "-", "╮": "+", "│": "|", "╰": "+", "╯": "+", "━": "=", "●": "o", "·": "-", "★": "*"}
SIGNS |= {"▸": ">", "…": "...", "█": "#", "▄": ".", "▾": "v", "\u2068": "", "\u2069": ""}
SIGNS |= {"¿": "", "¡": "", "“": '"', "”": '"', "«": '"', "»": '"', "−": "-"}
SIGNS |= {"▁": "_", "▂": ".", "▃": ":", "▅": "=", "▆": "+", "▇": "*", "○": ".", "\u202f": " ", "\u00a0": " "}
ASCII = str.maketrans(SIGNS)

GAP = "  "  # between two columns
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[^\x00-\x7f]|[ '-](?=[\u0590-\u08ff]))*")
_PAINT = re.compile(r"\x1b\[[0-9;]*m")
_ITEM = re.compile(r"- |\d+\. ")
_ALONE = re.compile(r" {4}|#|\? |- |\d+\. ")  # the beginnings of lines that do not continue a paragraph
_DIE_WIDTH = 10  # including the gap before it

_ONE, _TWO, _LEFT, _RIGHT, _NONE = "   ●   ", " ●   ● ", " ●     ", "     ● ", "       "
_PIPS: dict[int | None, tuple[str, str, str]] = {
    1: (_NONE, _ONE, _NONE),
    2: (_LEFT, _NONE, _RIGHT),
    3: (_LEFT, _ONE, _RIGHT),
    4: (_TWO, _NONE, _TWO),
    5: (_TWO, _ONE, _TWO),
    6: (_TWO, _TWO, _TWO),
    None: (_NONE, "   ?   ", _NONE),
}

BANNER = """\
   ╭───╮ ╭───╮ ╭───╮ ╭───╮
   │ D │ │ I │ │ C │ │ E │
   ╰───╯ ╰───╯ ╰───╯ ╰───╯
  ━━━━━━━ T A B L E ━━━━━━━"""


def die(face: int | None) -> tuple[str, ...]:
    """One die in five lines, with its value in the bottom edge."""
    pips = (f"│{row}│" for row in _PIPS[face])
    return ("╭───────╮", *pips, f"╰───{face or '─'}───╯")


def dice(
    faces: Sequence[int | None], width: int, paint: Callable[[int, str], str] = lambda place, row: row
) -> list[str]:
    """Dice side by side, in as many rows as the width requires. `paint` receives each die's position and lines."""
    abreast = max(1, (width - 1) // _DIE_WIDTH)
    lines: list[str] = []
    for start in range(0, len(faces), abreast):
        places = range(start, min(start + abreast, len(faces)))
        drawn = [[paint(place, row) for row in die(faces[place])] for place in places]
        lines += [" " + " ".join(rows) for rows in zip(*drawn, strict=True)]
    return lines


def width_of(text: str) -> int:
    """The columns that a terminal uses for the text: two for an emoji, none for accents or colour codes."""
    columns = 0
    for char in _PAINT.sub("", text):
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return columns


def cut(text: str, most: int) -> str:
    if width_of(text) <= most:
        return text
    while text and width_of(text) > most - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - width_of(text))


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Wraps the text to this many columns, if its words are short enough; continuation lines are indented."""
    first, *rest = text.lstrip(" ").split(" ")
    lines = [" " * (len(text) - len(text.lstrip(" "))) + first]
    for word in rest:
        if width_of(lines[-1]) + 1 + width_of(word) > width:
            lines.append(indent + word)
        else:
            lines[-1] += " " + word
    return lines


def isolated(name: str) -> str:
    """Isolates a right-to-left name, so that it does not reorder the rest of its line."""
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in name):
        return f"\u2068{name}\u2069"
    return name


def isolated_in(text: str) -> str:
    """Isolates all right-to-left names in a text."""
    return _RIGHT_TO_LEFT.sub(lambda found: f"\u2068{found[0]}\u2069", text)


def columns(lines: Sequence[Sequence[str]], just: Callable[[str, int], str]) -> list[str]:
    """Cells side by side, each column as wide as its widest cell."""
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    return [
        GAP.join(just(cell, width - width_of(cell) + len(cell)) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]


def with_names(text: str, names: Sequence[str], paint: Callable[[str], str]) -> str:
    """Isolates and paints each of these names. Longer names come first, because one can be part of another."""
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", lambda found: paint(isolated(found[0])), text)


def page(markdown: str, width: int) -> list[tuple[str, bool]]:
    """A rules page as lines, each with a flag for headings. Lines indented by four spaces are not wrapped."""
    lines: list[tuple[str, bool]] = []
    for block in re.split(r"\n{2,}", markdown.strip("\n").replace("`", "")):
        if lines:
            lines.append(("", False))
        if block.startswith("|"):
            lines += _table(block, width)
            continue
        paragraph = ""
        for line in [*block.split("\n"), ""]:
            if not line or _ALONE.match(line):
                lines += _paragraph(paragraph, width)
                paragraph = ""
            if line.startswith("#"):
                lines.append((line.lstrip("# "), True))
            elif line.startswith("? "):
                lines += [(row, True) for row in wrapped(line[2:], width)]
            elif line.startswith(" " * 4):
                lines.append((line[1:], False))
            elif line:
                paragraph = f"{paragraph} {line.strip()}" if paragraph else line
    return lines


def _paragraph(text: str, width: int) -> list[tuple[str, bool]]:
    """A paragraph, a bullet or a step as lines; the later lines of a bullet or step are indented."""
    item = _ITEM.match(text)
    return [(row, False) for row in wrapped(text, width, " " * len(item[0]) if item else "") if row]


def _table(block: str, width: int) -> list[tuple[str, bool]]:
    """A table, with its header in bold. Cells that are too wide are wrapped."""
    rows = [line[2:-2].split(" | ") for line in block.split("\n")]
    natural = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    widths = column_widths(natural, width - len(GAP) * len(natural))
    lines: list[tuple[str, bool]] = []
    for number, row in enumerate(rows):
        cells = [wrapped(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (part + " " * (wide - width_of(part)) for part, wide in zip(parts, widths, strict=True))
            lines.append((f" {GAP.join(padded)}".rstrip(), number == 0))
    return lines
