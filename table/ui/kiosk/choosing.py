"""The state of a choice made with buttons, touch or keys.

This module knows the lists of `table.text.choices` and nothing about the game.
"""

from table.engine.asks import Option
from table.text.choices import COUNTS_AT_ONCE, Choice, Entry, Places, pages_of, values
from table.ui.kiosk.gestures import END, ROLL, Gesture, Moved, Run, Tap, Touched, Typed
from table.ui.kiosk.picker import Picker, dial, place_in


class Choosing:
    """The list being shown, and the lists before it.

    Dice can be touched one by one ("die:2") or kept under a camera. These dice are then selected, and End accepts the
    selection if the rules allow it.
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self._lists = [Picker(choice.entries, choice.start)]
        self._dialled = ""
        self._touched: Places | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._lists[-1].entries

    @property
    def at(self) -> int:
        return self._lists[-1].at

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the dice that would be kept."""
        return tuple(sorted(self._touched)) if self._touched is not None else self._lists[-1].entry.places or ()

    @property
    def allowed(self) -> bool:
        """Whether End can accept the selection. Only dice touched one by one can form an invalid set."""
        return self._touched is None or self._touched in self.choice.keeping

    def handle(self, gesture: Gesture) -> Option | None:
        """Handles a gesture, and returns the option that it chooses, if any."""
        if self.choice.kind == "roll_or_end":
            return self._press(gesture)
        if isinstance(gesture, Typed):
            self._dial(gesture.text)
            return None
        self._dialled = ""
        match gesture:
            case Touched(spot):
                self._touch(place_in("die", spot))
            case Tap(button) if button == END and self._touched is not None:
                return self.choice.keeping.get(self._touched)
            case Tap() | Run() | Moved():
                self._touched = None
        taken = self._lists[-1].handle(gesture)
        if taken is not None and taken.then:
            self._lists.append(Picker(taken.then))
            return None
        return taken.option if taken else None

    def back(self) -> bool:
        """Deselects touched dice or, if there are none, goes back to the previous list. Returns False at the start."""
        self._dialled = ""
        if self._touched is not None:
            self._touched = None
            return True
        if len(self._lists) > 1:
            self._lists.pop()
            return True
        return False

    def _press(self, gesture: Gesture) -> Option | None:
        match gesture:
            case Tap(button):
                return {ROLL: "roll", END: "end"}.get(button)
            case Touched():
                taken = self._lists[0].handle(gesture)
                return taken.option if taken else None
        return None

    def _touch(self, place: int | None) -> None:
        if place is not None and place < len(self.choice.dice):
            self.lay_aside(frozenset(self.places) ^ {place})

    def lay_aside(self, places: Places) -> None:
        """Selects the dice in these places, as if they had been touched."""
        self._touched = places
        faces = values(self.choice.dice, places)
        for index, entry in enumerate(self.entries):
            if entry.places is not None and values(self.choice.dice, entry.places) == faces:
                self._lists[-1].at = index

    def _dial(self, text: str) -> None:
        """Finds the entry that the typed digits select, on any page of the list, and shows that page."""
        base, turned = 0, pages_of(self.choice.entries)
        if self.entries not in turned:
            base, turned = len(self._lists) - 1, [self.entries]
        found = {entry.number: (page, at) for page, entries in enumerate(turned) for at, entry in enumerate(entries)}
        self._dialled, number = dial(self._dialled, text, [number for number in found if number is not None])
        if number is not None:
            last, at = found[number]
            # Put the cursor of each earlier page on the entry for the next page, as if someone had paged here.
            passed = [Picker(entries, COUNTS_AT_ONCE - 1) for entries in turned[:last]]
            self._lists[base:] = [*passed, Picker(turned[last], at)]
