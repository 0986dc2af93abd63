"""Entry of dice by hand, one after the other: Roll moves to the next number, End selects it.

Used for real dice without a camera, and for dice that the camera is unsure of. With a camera, people can also ask to
roll again, and the dice that the camera is sure of cannot be changed. Entered dice can be undone one by one, until the
last die is entered.
"""

from typing import Literal

from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk.gestures import Gesture, Touched, Typed
from table.ui.kiosk.picker import Picker, place_in

AGAIN = 0  # the entry to roll again, which comes after the six faces


class Entering:
    def __init__(self, count: int, saw: CameraSaw | None = None) -> None:
        self.count = count
        self.saw = saw
        seen = saw.dice if saw else ()
        self.sure = tuple(die.value for die in seen if die.sure)
        missing = max(0, count - len(self.sure))
        doubtful: list[SeenDie | None] = [die for die in seen if not die.sure]
        self.open: tuple[SeenDie | None, ...] = tuple([*doubtful, *[None] * missing][:missing])
        self.taken: tuple[int, ...] = ()
        # If no die is missing (too many dice, or a foreign object in the tray), the only choice is to roll again.
        self.picker = Picker((*(range(1, 7) if self.open else ()), *((AGAIN,) if saw else ())))
        self._point()

    @property
    def die(self) -> SeenDie | None:
        """What the camera sees of the die that is entered next, if anything."""
        return self.open[len(self.taken)] if len(self.taken) < len(self.open) else None

    @property
    def dice(self) -> tuple[int, ...]:
        return (*self.sure, *self.taken)

    def handle(self, gesture: Gesture) -> Literal["done", "again"] | None:
        match gesture:
            case Typed(text) if text in set("123456") and self.open:
                self._take(int(text))
            case Typed("\b"):
                self.back()
            case Touched(spot) if place_in("entered", spot) is not None:
                self.back()
            case _:
                taken = self.picker.handle(gesture)
                if taken == AGAIN:
                    return "again"
                if taken is not None:
                    self._take(taken)
        return "done" if self.open and len(self.taken) == len(self.open) else None

    def back(self) -> bool:
        """Undoes the die that was entered last. Returns False if no die was entered."""
        if not self.taken:
            return False
        self.taken = self.taken[:-1]
        if self.saw:
            self._point()
        return True

    def _take(self, value: int) -> None:
        self.taken = (*self.taken, value)
        self._point()

    def _point(self) -> None:
        """Moves the cursor to the camera's guess or, without a guess, to "roll again". If neither is in the list, the
        cursor moves to the first face."""
        value, entries = self.die.value if self.die else AGAIN, self.picker.entries
        self.picker.at = entries.index(value) if value in entries else 0
