"""A list driven by two buttons: Roll moves to the next entry, End selects the current one.

Touching an entry selects it immediately, so an action that cannot be undone has to ask for confirmation in another
list.
"""

from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from table.ui.kiosk.gestures import END, ROLL, Gesture, Moved, Run, Tap, Touched

E = TypeVar("E")


class Picker(Generic[E]):
    """A list of entries and the position of the cursor."""

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
                # While Roll is held, stop at the last entry instead of starting over, so that the last entry is easy to
                # reach.
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
    """The number in a spot of this kind (3 in "entry:3" for the kind "entry"), or None for spots of other kinds."""
    found, _, number = spot.partition(":")
    return int(number) if found == kind and number.isascii() and number.isdecimal() else None


def dial(dialled: str, text: str, numbers: Collection[int]) -> tuple[str, int | None]:
    """Adds `text` to the digits typed so far. Returns the digits and, if they form one of the numbers, that number. If
    no number begins with these digits, only the new digit is used."""
    if text.isascii() and text.isdecimal():
        for digits in (dialled + text, text):
            if any(str(number).startswith(digits) for number in numbers):
                return digits, int(digits) if int(digits) in numbers else None
    return "", None
