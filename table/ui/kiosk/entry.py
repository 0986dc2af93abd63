"""Dice that people say by hand, one after the other: Roll goes to the next number, End takes it. They were thrown where
nothing reads them, or a camera is not sure of them: then the entry after the six is to throw again.

Its one rule: what the camera is sure of stands, and all others can be taken back one by one until the last one is in.
"""

from typing import Literal

from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk.gestures import Gesture, Touched, Typed
from table.ui.kiosk.picker import Picker, place_in

AGAIN = 0  # the entry after the six faces


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
        # Where nothing is missing (there are too many, or something else lies there) they can only be thrown again.
        self.picker = Picker((*(range(1, 7) if self.open else ()), *((AGAIN,) if saw else ())))
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
        if self.saw:
            self._point()
        return True

    def _take(self, value: int) -> None:
        self.taken = (*self.taken, value)
        self._point()

    def _point(self) -> None:
        """At what the camera would say; at throwing again, where it sees nothing; else at the one."""
        value, entries = self.die.value if self.die else AGAIN, self.picker.entries
        self.picker.at = entries.index(value) if value in entries else 0
