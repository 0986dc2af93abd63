"""Players' names: any text a person types is made good, never refused.

What is taken out is what would break a line for everybody else: control characters, line breaks, marks that turn the
writing direction round, halves of characters. What is counted is what a person would count: an accent on its letter
and a family of emoji are one character each.
"""

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 40
_MOST_IN_ONE = 12  # code points: the longest emoji sequences in use have ten; piles of accents end here

_BREAKING = re.compile(r"[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_JOINER = "\u200d"


def made_good(names: Iterable[str]) -> tuple[str, ...]:
    """Each name cleaned; an empty one becomes "Player 2", a repeated one "Ann 2"."""
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
    """The name in one line and at most 40 characters."""
    text = unicodedata.normalize("NFC", _BREAKING.sub("", name))
    text = "".join(" " if char.isspace() else char for char in text)
    text = "".join(char for char in text if unicodedata.category(char) not in ("Cc", "Cs", "Cn"))
    return _cut(" ".join(text.split()), LONGEST).strip()


def _cut(text: str, most: int) -> str:
    return "".join(_characters(text)[:most])


def _characters(text: str) -> list[str]:
    """The text in what a reader takes for single characters."""
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
    if "\U000e0020" <= char <= "\U000e007f":  # tags: the flags of England, Scotland and Wales
        return True
    return _regional(char) and len(before) == 1 and _regional(before)  # two letters make a flag


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
