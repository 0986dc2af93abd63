"""Text on the screen: fonts, fitting into a box, and a readable form of every character.

Text is drawn exactly as measured: as high as `line_height` and as wide as `width`, whatever its characters. A character
that is in no font is spelled out or drawn as a small badge with its name.
"""

import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pygame
from pygame import Surface

from table.ui.kiosk.paint import PictureCache, Sheet
from table.ui.kiosk.style import Colour, Face

LINES = PictureCache(24 * 2**20)  # pictures of lines; about ten times what a busy screen at 1080p needs
ELLIPSIS = "…"
SMALLEST = 6  # pixels; smaller text is unreadable

_FILES: dict[Face, tuple[str, str]] = {
    "body": ("font_manrope", "Manrope-SemiBold.ttf"),
    "bold": ("font_manrope", "Manrope-ExtraBold.ttf"),
    "display": ("font_fredoka_one", "FredokaOne-Regular.ttf"),
}
# The fonts have large margins above and below. These values, in ems, leave room for an accent on a capital and for a
# descender, and centre capitals in the line.
_ABOVE, _LINE = 0.99, 1.26

_ABSENT = "\uf8fe"  # a private-use character, which no font has, to see how missing characters are drawn
_JOINER = "\u200d"
_HOLDING = "\u00a0\u202f"  # non-breaking spaces
_FILLING = frozenset([
    "face", "with", "sign", "symbol", "the", "of", "and", "a", "for", "black", "white", "heavy", "large", "medium",
    "small", "mark", "letter", "digit", "number", "emoji", "component", "ideographic", "ideograph", "cjk",
    "unified", "presentation", "form", "variation",
])  # fmt: skip


class Piece(NamedTuple):  # a tuple for speed: there are many pieces and each is looked up often
    """Part of a line that is drawn at once: letters in one face, or the word of a badge."""

    text: str
    face: Face
    badge: bool = False


Letters = tuple[Piece, ...]  # one piece per user-perceived character


@dataclass(frozen=True)
class Line:
    """One line of a fitted text. `name` identifies the letters of the line, for fast lookup in a cache."""

    letters: Letters
    name: str


@dataclass(frozen=True)
class Fitted:
    """A text fitted into a box."""

    lines: tuple[Line, ...]
    size: int  # pixels
    cut: bool  # whether part of the text had to be left out


def get_ready() -> None:
    """Starts the font module. Drops fonts opened before the last pygame.quit(), because they are unusable."""
    if not pygame.font.get_init():
        font.cache_clear()
        pygame.font.init()


@lru_cache(maxsize=160)
def font(face: Face, size: int) -> pygame.font.Font:
    return pygame.font.Font(_path(face), size)


@lru_cache(maxsize=8)
def _path(face: Face) -> str:
    package, file = _FILES[face]
    spec = find_spec(package)  # located without importing: these packages list all their files on import
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise ModuleNotFoundError(f"The font package {package} is not installed.")
    return str(Path(places[0]) / "files" / file)


def line_height(size: int) -> int:
    return round(size * _LINE)


# characters


@lru_cache(maxsize=4096)
def _has(face: Face, character: str) -> bool:
    """Whether this face has the character. A face draws the same shape for all characters that it lacks."""
    if character == " ":
        return True
    large = font(face, 128)
    shape, absent = large.metrics(character), large.metrics(_ABSENT)
    return bool(shape) and shape[0] is not None and shape != absent


@lru_cache(maxsize=2048)
def letters(text: str, face: Face) -> Letters:
    """The text as drawable pieces, one per user-perceived character."""
    text = unicodedata.normalize("NFC", text)
    if face == "display" and any(not _has(face, c) and _has("bold", c) for c in text):
        face = "bold"  # mixing two faces in one text looks like a mistake
    drawn: list[Piece] = []
    after_joiner = False
    flag = ""
    for character in (*text, ""):  # the empty string ends an unfinished flag
        if "\U0001f1e6" <= character <= "\U0001f1ff":  # two regional indicators form a flag
            flag += chr(ord(character) - 0x1F1E6 + ord("A"))
            if len(flag) == 2:
                drawn.append(Piece(flag, "bold", badge=True))
                flag = ""
            continue
        if flag:
            drawn.append(Piece(flag, "bold", badge=True))
            flag = ""
        if character == _JOINER:
            after_joiner = bool(drawn) and drawn[-1].badge
            continue
        if not character or _unseen(character):
            continue
        piece = _piece(character, face)
        if not (after_joiner and piece.badge) and piece.text:  # of joined emoji, only the first is shown
            drawn.append(piece)
        after_joiner = False
    return tuple(drawn)


def _unseen(character: str) -> bool:
    """Whether the character is not drawn on its own, such as a variation selector, a skin tone, a tag, a direction mark
    or a soft hyphen."""
    kind = unicodedata.category(character)
    if kind == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    return kind in ("Mn", "Me") and not _has("body", character)


@lru_cache(maxsize=4096)
def _piece(character: str, face: Face) -> Piece:
    if character in _HOLDING and _has(face, _HOLDING[0]):
        return Piece(_HOLDING[0], face)  # keeps 12 345 on one line
    if unicodedata.category(character) in ("Cc", "Zs", "Zl", "Zp", "Cs"):
        return Piece(" ", face)
    for having in (face, "bold"):
        if _has(having, character):
            return Piece(character, having)
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
    for having in (face, "bold"):
        if plain and all(_has(having, c) for c in plain):
            return Piece(plain, having)
    return _spelt(character, face)


def _spelt(character: str, face: Face) -> Piece:
    """A character that is in no font, by its Unicode name: a letter is spelled out, anything else becomes a badge."""
    name = unicodedata.name(character, "").lower()
    if unicodedata.category(character)[0] == "L" and " " in name:
        for mark in (" letter ", " syllable "):
            if mark in name:
                spelt = name.partition(mark)[2].partition(" with ")[0].split()[-1][:6]
                return Piece(spelt if " small " in name or mark == " syllable " else spelt.capitalize(), face)
    words = [word for word in name.replace("-", " ").split() if word not in _FILLING]
    return Piece((words[0] if words else f"{ord(character):x}")[:8], "bold", badge=True)


# measuring


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Merges neighbours in the same face, so that they are kerned and drawn together."""
    runs: list[Piece] = []
    for (face, badge), same in groupby(pieces, key=itemgetter(1, 2)):
        found = list(same)
        runs += found if badge else [Piece("".join([piece.text for piece in found]), face)]
    return runs


@lru_cache(maxsize=8192)
def _width(pieces: Letters, size: int) -> int:
    return sum(_run_width(run, size) for run in _joined(pieces))


def _run_width(run: Piece, size: int) -> int:
    if run.badge:
        small = _badge_size(size)
        return font(run.face, small).size(run.text)[0] + small + 2 * _badge_gap(size)
    return font(run.face, size).size(run.text)[0]


def _badge_size(size: int) -> int:
    return max(SMALLEST, round(size * 0.62))


def _badge_gap(size: int) -> int:
    return max(1, size // 12)


def width(text: str, face: Face, size: int) -> int:
    """The width of the text on one line, in pixels."""
    return _width(letters(text, face), size)


# fitting


@lru_cache(maxsize=4096)
def fit(text: str, face: Face, size: int, box: tuple[int, int], lines: int = 1, shrink: float = 0.6) -> Fitted:
    """Fits the text into a box of this width and height: wraps it, then shrinks it, then breaks words, then cuts it."""
    whole = letters(text, face)
    smallest = max(SMALLEST, round(size * shrink))
    sizes = [s for s in range(size, smallest, -max(1, size // 24)) if line_height(s) <= box[1]] + [smallest]
    for s in sizes:
        wrapped = _wrap(whole, s, box[0], inside_words=False, most=_room(s, box[1], lines))
        if wrapped is not None:
            return Fitted(_named_lines(_balanced(whole, wrapped, s, box[0])), s, False)
    last = smallest
    while last > SMALLEST and line_height(last) > box[1]:
        last -= 1
    wrapped = _wrap(whole, last, box[0], inside_words=True) or ()
    room = _room(last, box[1], lines)
    if wrapped and len(wrapped) <= room:
        return Fitted(_named_lines(wrapped), last, False)
    return Fitted(_named_lines(_shortened(whole, wrapped[: max(0, room)], last, box[0])), last, bool(whole))


def one_line(text: str, face: Face) -> Line:
    """The whole text as one line, whatever its length."""
    return _named_lines((letters(text, face),))[0]


def _named_lines(lines: tuple[Letters, ...]) -> tuple[Line, ...]:
    return tuple(
        Line(line, "\0".join(f"{r.face}{'*' if r.badge else ':'}{r.text}" for r in _joined(line))) for line in lines
    )


def wrapped(text: str, face: Face, size: int, wide: int) -> list[str]:
    """The text at full size as lines no wider than this, for pages of any length."""
    lines = _wrap(letters(text, face), size, wide, inside_words=True) or ()
    return ["".join(piece.text for piece in line) for line in lines]


def _room(size: int, height: int, lines: int) -> int:
    return min(lines, height // line_height(size))


def _wrap(
    whole: Letters, size: int, wide: int, inside_words: bool, most: int = sys.maxsize
) -> tuple[Letters, ...] | None:
    """Lines no wider than this, broken between words. None if a word is too wide and must not be broken, or if there
    are more than `most` lines."""
    words = _words(whole)
    one = _in_one_line(words)
    if _width(one, size) <= wide:  # the common case, which is faster than measuring each word
        return ((one,) if one else ()) if most >= bool(one) else None
    lines: list[Letters] = []
    line: Letters = ()
    for word in words:
        longer = (*line, Piece(" ", word[0].face), *word) if line else word
        if _width(longer, size) <= wide:
            line = longer
            continue
        if line:
            lines.append(line)
        if len(lines) >= most:
            return None
        line = word
        while _width(line, size) > wide:
            here = _longest(line, size, wide)
            hyphen = next((i for i in range(here, 1, -1) if line[i - 1].text == "-"), 0)
            here = hyphen or (here if inside_words else 0)
            if not here:
                return None
            lines.append(line[:here])
            line = line[here:]
    lines += [line] if line else []
    return tuple(lines) if len(lines) <= most else None


def _balanced(whole: Letters, lines: tuple[Letters, ...], size: int, wide: int) -> tuple[Letters, ...]:
    """Wraps the text into the same number of lines, but of similar length, so that no word is left alone on the last
    line."""
    narrow = wide // 2 if len(lines) > 1 else wide
    while narrow < wide:
        middle = (narrow + wide) // 2
        tried = _wrap(whole, size, middle, inside_words=False, most=len(lines))
        if tried is not None:
            lines, wide = tried, middle
        else:
            narrow = middle + 1
    return lines


def _words(whole: Letters) -> list[Letters]:
    return [tuple(pieces) for space, pieces in groupby(whole, key=lambda piece: piece.text == " ") if not space]


def _in_one_line(words: Sequence[Letters]) -> Letters:
    line: list[Piece] = []
    for word in words:
        line += (Piece(" ", word[0].face), *word) if line else word
    return tuple(line)


def _longest(line: Letters, size: int, wide: int) -> int:
    """How many pieces of the line fit into this width."""
    return bisect_right(range(1, len(line) + 1), wide, key=lambda count: _width(line[:count], size))


def _shortened(whole: Letters, kept: tuple[Letters, ...], size: int, wide: int) -> tuple[Letters, ...]:
    """The lines that fit, the last one ending in an ellipsis. If not even the ellipsis fits, there is no last line."""
    if not kept:
        return ()
    before, last = kept[:-1], kept[-1]
    dots = Piece(ELLIPSIS, whole[0].face)
    while last and _width((*last, dots), size) > wide:
        last = last[:-1]
    while last and last[-1].text == " ":
        last = last[:-1]
    if not last and _width((dots,), size) > wide:
        return before
    return (*before, (*last, dots))


# drawing


def drawn(line: Line, size: int, colour: Colour) -> Surface:
    """One line as a picture, as wide as measured and as high as `line_height`."""
    return LINES.get((line.name, size, colour), lambda: _draw(line.letters, size, colour))


def _draw(line: Letters, size: int, colour: Colour) -> Surface:
    surface = Surface((max(1, _width(line, size)), line_height(size)), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    base = round(size * _ABOVE)
    x = 0
    for run in _joined(line):
        if run.badge:
            surface.blit(_badge(run, size, colour), (x, 0))
        elif run.text.strip() and _run_width(run, size):  # plain pygame cannot render text of zero width
            letter = font(run.face, size)
            surface.blit(letter.render(run.text, True, colour), (x, base - letter.get_ascent()))
        x += _run_width(run, size)
    return surface


def _badge(run: Piece, size: int, colour: Colour) -> Surface:
    """A name in a rounded frame, slightly taller than a capital."""
    small, gap = _badge_size(size), _badge_gap(size)
    wide, high = _run_width(run, size), line_height(size)
    sheet = Sheet(wide, high)
    k = 100 / wide
    frame = ((gap * k), high * 0.12 * k, (wide - 2 * gap) * k, high * 0.76 * k)
    radius = high * 0.3 * k
    sheet.box(frame, radius, colour, alpha=48)
    sheet.box(frame, radius, colour, alpha=190, width=max(1.0, size / 18) * k)
    letter = font(run.face, small)
    top = round(high / 2 + small * 0.365 - letter.get_ascent())
    sheet.surface.blit(letter.render(run.text, True, colour), (gap + small // 2, top))
    return sheet.surface
