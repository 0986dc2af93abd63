"""Dice that people enter by hand, one after the other: Roll goes to the next number, End takes it.

Its one rule: what was entered can be taken back die by die until the last one is in.
"""

from table.ui.kiosk.gestures import Gesture, Touched, Typed
from table.ui.kiosk.picker import Picker, place_in


class Entering:
    def __init__(self, count: int) -> None:
        self.count = count
        self.dice: tuple[int, ...] = ()
        self.picker = Picker(range(1, 7))

    def handle(self, gesture: Gesture) -> bool:
        """Whether all dice are in now."""
        match gesture:
            case Typed(text) if text in set("123456"):
                self._add(int(text))
            case Typed("\b"):
                self.back()
            case Touched(spot) if place_in("entered", spot) is not None:
                self.back()
            case _:
                taken = self.picker.handle(gesture)
                if taken is not None:
                    self._add(taken)
        return len(self.dice) == self.count

    def back(self) -> bool:
        """The last die is out again; False if there was none."""
        if not self.dice:
            return False
        self.dice = self.dice[:-1]
        return True

    def _add(self, die: int) -> None:
        if len(self.dice) < self.count:
            self.dice = (*self.dice, die)
            self.picker.at = 0
