"""Player names: any text that a person types is cleaned, never refused.

Cleaning removes whatever is invisible or would break the lines where the name is shown: control characters, line
breaks, marks that change the writing direction, and lone surrogates. The length is counted in characters as people see
them: a letter with its accent is one character, and so is a family emoji.
"""

import unicodedata
from collections.abc import Iterable

LONGEST = 40
_MOST_IN_ONE = 12  # code points in a character: the longest emoji sequences in use have ten; piles of accents are cut
_MOST_READ = 1000  # code points; reading more would take time, and the rest would be cut anyway

_NON_JOINER, _JOINER = "\u200c", "\u200d"  # Persian text needs the first, emoji the second
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters and symbols that are drawn as blanks


def made_good(names: Iterable[str]) -> tuple[str, ...]:
    """The names, cleaned and made unique: an empty one becomes "Player 2", and a repeated one "Ann 2"."""
    good: list[str] = []
    for seat, name in enumerate(names):
        base = clean(name) or f"Player {seat + 1}"
        unique, number = base, 1
        while unique in good:
            number += 1
            tail = f" {number}"
            unique = _cut(base, LONGEST - len(tail)).rstrip() + tail
        good.append(unique)
    return tuple(good)


def clean(name: str) -> str:
    """The name on one line, with at most 40 characters."""
    text = "".join(" " if char.isspace() else char for char in name[:_MOST_READ] if char.isspace() or _drawn(char))
    text = unicodedata.normalize("NFC", text)
    return _cut(" ".join(text.split()), LONGEST).strip(f" {_NON_JOINER}{_JOINER}")


def _drawn(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind == "Cf":
        return char in (_NON_JOINER, _JOINER) or _tag(char)
    return kind not in ("Cc", "Cs") and char not in _FILLERS


def _cut(text: str, most: int) -> str:
    return "".join(_characters(text)[:most])


def _characters(text: str) -> list[str]:
    """The text, split into characters as a reader sees them."""
    found: list[str] = []
    for char in text:
        if found and _belongs(char, found[-1]):
            if len(found[-1]) < _MOST_IN_ONE:
                found[-1] += char
        else:
            found.append(char)
    return found


def _belongs(char: str, before: str) -> bool:
    if char == _JOINER or before.endswith(_JOINER) or unicodedata.category(char) in ("Mn", "Mc", "Me"):
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # skin tones
        return True
    if _tag(char):
        return True
    return _regional(char) and len(before) == 1 and _regional(before)  # two letters make a flag


def _tag(char: str) -> bool:
    """Whether this is a tag character. The flags of England, Scotland and Wales are spelled with them."""
    return "\U000e0020" <= char <= "\U000e007f"


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
