"""A list that two buttons drive: Roll moves to the next entry, End takes the one shown.

Its one rule: it knows nothing of what its entries are. Touching an entry takes it at once, as people expect of a
screen; whatever could not be undone asks again by a list of its own.
"""

from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from table.ui.kiosk.gestures import END, ROLL, Gesture, Moved, Run, Tap, Touched

E = TypeVar("E")


class Picker(Generic[E]):
    """Entries, and which of them is shown."""

    def __init__(self, entries: Sequence[E], at: int = 0) -> None:
        self.entries = tuple(entries)
        self.at = at

    @property
    def entry(self) -> E:
        return self.entries[self.at]

    def handle(self, gesture: Gesture) -> E | None:
        """The entry that was taken by that gesture, if one was."""
        match gesture:
            case Tap(button) if button == END:
                return self.entry
            case Tap(button) if button == ROLL:
                self._move(1)
            case Run():
                # A run stops at the end: the last entry is found without counting, and nothing rushes past for ever.
                self.at = min(self.at + 1, len(self.entries) - 1)
            case Moved(step):
                self._move(step)
            case Touched(spot):
                place = place_in("entry", spot)
                if place is not None and place < len(self.entries):
                    self.at = place
                    return self.entry
        return None

    def _move(self, step: int) -> None:
        self.at = (self.at + step) % len(self.entries)


def place_in(kind: str, spot: str) -> int | None:
    """3 for "entry:3", if it is entries that are asked for."""
    found, _, number = spot.partition(":")
    return int(number) if found == kind and number.isascii() and number.isdecimal() else None


def dial(dialled: str, text: str, numbers: Collection[int]) -> tuple[str, int | None]:
    """What is dialled when that is typed too, and the number it stands for, if that is one of them. A digit that
    cannot go on from what was dialled begins anew."""
    if text.isascii() and text.isdecimal():
        for digits in (dialled + text, text):
            if any(str(number).startswith(digits) for number in numbers):
                return digits, int(digits) if int(digits) in numbers else None
    return "", None
