"""Dice that the camera is not sure of, one after the other: Roll goes to the next number, End takes it. The entry after
the six is to throw again.

Its one rule: what the camera is sure of stands, and nothing is taken that nobody has taken by hand.
"""

from typing import Literal

from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk.gestures import Gesture, Touched, Typed
from table.ui.kiosk.picker import Picker, place_in

AGAIN = 0  # the entry after the six faces


class Correcting:
    def __init__(self, saw: CameraSaw) -> None:
        self.saw = saw
        sure = [die for die in saw.dice if die.sure]
        self.sure = tuple(die.value for die in sure)
        doubtful: list[SeenDie | None] = [die for die in saw.dice if not die.sure]
        missing = saw.count - len(sure)
        self.open: tuple[SeenDie | None, ...] = tuple([*doubtful, *[None] * missing][: max(0, missing)])
        self.taken: tuple[int, ...] = ()
        # Where nothing is missing (there are too many, or something else lies there) they can only be thrown again.
        self.picker = Picker((1, 2, 3, 4, 5, 6, AGAIN) if self.open else (AGAIN,))
        self._point()

    @property
    def die(self) -> SeenDie | None:
        """The one that is asked about, if it is seen at all."""
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
        """The last die is open again; False if none was taken."""
        if not self.taken:
            return False
        self.taken = self.taken[:-1]
        self._point()
        return True

    def _take(self, value: int) -> None:
        self.taken = (*self.taken, value)
        self._point()

    def _point(self) -> None:
        """At what the camera would say; at throwing again, where it sees nothing."""
        self.picker.at = self.picker.entries.index(self.die.value if self.die else AGAIN)
