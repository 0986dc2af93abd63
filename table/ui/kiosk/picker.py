"""A list driven by two buttons: Roll moves to the next entry, End selects the current one.

It knows nothing about its entries. Touching an entry selects it immediately; anything that cannot be undone asks for
confirmation in a list of its own.
"""

from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from table.ui.kiosk.gestures import END, ROLL, Gesture, Moved, Run, Tap, Touched

E = TypeVar("E")


class Picker(Generic[E]):
    """The entries and the current position."""

    def __init__(self, entries: Sequence[E], at: int = 0) -> None:
        self.entries = tuple(entries)
        self.at = at

    @property
    def entry(self) -> E:
        return self.entries[self.at]

    def handle(self, gesture: Gesture) -> E | None:
        """The entry selected by the gesture, if any."""
        match gesture:
            case Tap(button) if button == END:
                return self.entry
            case Tap(button) if button == ROLL:
                self._move(1)
            case Run():
                # Holding Roll stops at the end: the last entry is easy to reach and the list does not cycle.
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
    """3 for "entry:3" if `kind` is "entry"; None for any other kind."""
    found, _, number = spot.partition(":")
    return int(number) if found == kind and number.isascii() and number.isdecimal() else None


def dial(dialled: str, text: str, numbers: Collection[int]) -> tuple[str, int | None]:
    """The digits dialled so far including `text`, and the number they select, if it is in the list. A digit that does
    not continue any number starts over."""
    if text.isascii() and text.isdecimal():
        for digits in (dialled + text, text):
            if any(str(number).startswith(digits) for number in numbers):
                return digits, int(digits) if int(digits) in numbers else None
    return "", None
