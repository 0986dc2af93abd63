"""Entry of dice by hand, one after the other: Roll moves to the next number, End selects it.

Used for real dice without a camera, and for dice that the camera is unsure of. If the camera saw a value for every die,
it asks first whether all values are right: Roll confirms them, and End leads to the entry. People enter only the dice
that the camera is unsure of, unless they ask for another die. To change a die that the camera is sure of, they have to
say so twice. They can also ask to roll again. Entered dice can be undone one by one, until the last die is entered.
"""

from typing import Literal

from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk.gestures import END, ROLL, Gesture, Tap, Touched, Typed
from table.ui.kiosk.picker import Picker, place_in

FACES = range(1, 7)
OTHER, AGAIN = 7, 0  # the entries after the six faces: change a die that the camera is sure of, and roll again


class Entering:
    def __init__(self, count: int, saw: CameraSaw | None = None) -> None:
        self.count = count
        self.saw = saw
        self.dice = _counted(count, saw.dice if saw else ())
        self.taken: tuple[int, ...] = ()  # the values entered so far
        self.change: int | None = None  # the new value of a die that the camera is sure of, until it is confirmed
        self._confirmable = saw is not None and len(self.dice) == len(saw.dice) > 0
        self.confirming = self._confirmable
        self._order = self._doubtful
        self._point()

    @property
    def _doubtful(self) -> tuple[int, ...]:
        """The places in `dice` of the dice to enter: those that the camera is unsure of, or else all of them."""
        unsure = [place for place, die in enumerate(self.dice) if die is None or not die.sure]
        return tuple(unsure or range(len(self.dice)))

    @property
    def place(self) -> int | None:
        """The place in `dice` of the die that is entered next."""
        left = self._order[len(self.taken) :]
        return None if self.confirming or not left else left[0]

    @property
    def die(self) -> SeenDie | None:
        """What the camera sees of the die that is entered next, if anything."""
        return None if self.place is None else self.dice[self.place]

    @property
    def listed(self) -> bool:
        """Whether the entries are listed. Otherwise, each of the two buttons gives one of two answers."""
        return not self.confirming and self.change is None

    @property
    def asked(self) -> tuple[SeenDie, ...]:
        """The dice in question, as far as the camera sees them."""
        if self.confirming:
            return tuple(die for die in self.dice if die and not die.sure)
        return (self.die,) if self.die else ()

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values of `dice`: entered, or else read by the camera. None: not known yet."""
        entered = dict(zip(self._order, self.taken, strict=False))
        return tuple(
            entered.get(place, die.value if die and (die.sure or self.confirming) else None)
            for place, die in enumerate(self.dice)
        )

    @property
    def entered(self) -> dict[SeenDie | None, int]:
        """The entered values of the dice that the camera sees."""
        return {self.dice[place]: value for place, value in zip(self._order, self.taken, strict=False)}

    def handle(self, gesture: Gesture) -> Literal["done", "again"] | None:
        match gesture:
            case Tap(button) if self.confirming and button == ROLL:
                return "done"
            case Tap(button) if self.confirming and button == END:
                self._begin()
            case Tap(button) if self.change is not None and self.die:
                self._take(self.die.value if button == ROLL else self.change)
            case Typed("\b"):
                self.back()
            case Typed(text) if text in set("123456") and self.dice and self.change is None:
                self._begin()
                self._choose(int(text))
            case Touched(spot) if (place := self._touched(spot)) is not None:
                self._turn_to(place)
            case Touched(spot) if place_in("entered", spot) is not None:
                self.back()
            case _ if self.listed:
                chosen = self.picker.handle(gesture)
                if chosen == AGAIN:
                    return "again"
                if chosen is not None:
                    self._choose(chosen)
        return "done" if self.dice and not self.confirming and self.place is None else None

    def back(self) -> bool:
        """Goes one step back: to the die that was entered last, or to the question whether all values are right.
        Returns False at the first step."""
        if self.change is not None:
            self.change = None
        elif self.taken:
            self.taken = self.taken[:-1]
            if self.saw:
                self._point()
        elif self._confirmable and not self.confirming:
            self.confirming, self._order = True, self._doubtful
        else:
            return False
        return True

    def _begin(self) -> None:
        """Ends the question whether all values are right, and begins the entry."""
        if self.confirming:
            self.confirming = False
            self._point()

    def _touched(self, spot: str) -> int | None:
        """The place in `dice` of a touched die that can be entered next, or None."""
        seen = place_in("die", spot)
        if seen is not None and self.saw and seen < len(self.saw.dice) and self.saw.dice[seen] in self.dice:
            place: int | None = self.dice.index(self.saw.dice[seen])
        else:
            place = place_in("entered", spot) if self.saw else None
        return None if place is None or place in self._order[: len(self.taken)] else place

    def _turn_to(self, *places: int) -> None:
        """Enters these dice next."""
        done, left = self._order[: len(self.taken)], self._order[len(self.taken) :]
        self._order = (*done, *places, *(place for place in left if place not in places))
        self.confirming, self.change = False, None
        self._point()

    def _choose(self, value: int) -> None:
        if value == OTHER:
            self._turn_to(*(place for place in range(len(self.dice)) if place not in self._order))
        elif self.die and self.die.sure and value != self.die.value:
            self.change = value
        else:
            self._take(value)

    def _take(self, value: int) -> None:
        self.taken, self.change = (*self.taken, value), None
        self._point()

    def _point(self) -> None:
        """Lists the entries for the next die, and moves the cursor to the camera's guess or, without a guess, to "roll
        again". If neither is in the list, the cursor moves to the first face."""
        others = self.saw is not None and len(self._order) < len(self.dice)
        # If too many dice are seen, people cannot say which of them count, so they can only roll again.
        faces = (*FACES, *([OTHER] if others else [])) if self.dice else ()
        entries = (*faces, *([AGAIN] if self.saw else []))
        value = self.die.value if self.die else AGAIN
        self.picker = Picker(entries, entries.index(value) if value in entries else 0)


def _counted(count: int, seen: tuple[SeenDie, ...]) -> tuple[SeenDie | None, ...]:
    """The dice of the roll: first those that the camera sees, in its order, then a None for each that it does not see.
    Empty if it sees too many."""
    missing = count - sum(die.sure for die in seen)
    if missing < 0 or (missing == 0 and len(seen) > count):
        return ()
    counted: list[SeenDie | None] = []
    for die in seen:
        if die.sure or missing > 0:
            counted.append(die)
            missing -= not die.sure
    return (*counted, *[None] * missing)
