"""One decision of a person at the table: selecting from a list or selecting dice, after an optional peek.

A new object is created for each ask, so an unfinished selection is discarded.
"""

from table.engine.asks import Choose, Option
from table.session.match import Match
from table.text.choices import label, lists
from table.ui.kiosk import frame, private_look
from table.ui.kiosk.choosing import Choosing
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, Gesture, Tap, Touched
from table.ui.kiosk.set_aside import ByHand


class Decision:
    def __init__(self, context: KioskContext, match: Match, by_hand: ByHand) -> None:
        ask = match.referee.ask
        assert isinstance(ask, Choose)
        self._context = context
        self._match = match
        self._by_hand = by_hand
        by_hand.forget()
        self.choosing = Choosing(lists(ask, match.referee.view(None)))
        self._may_look = private_look.allowed(match, context.session.phones)
        self.passing = self._may_look  # the screen is being passed to the player, who can peek first
        self.looking = False

    def handle(self, gesture: Gesture) -> None:
        choosing, sounds = self.choosing, self._context.sounds
        if self.passing:
            if gesture in (Tap(END), Touched("go on")):
                self.passing = self.looking = False
            return
        before = (choosing.entries, choosing.at, choosing.places)
        option = choosing.handle(gesture)
        if choosing.allowed:
            self._by_hand.forget()
        if option is not None:
            sounds.play("take")
            self._context.session.choose(option)
        elif gesture == Tap(END) and not choosing.allowed:
            sounds.play("refuse")
        elif before != (choosing.entries, choosing.at, choosing.places):
            sounds.play("tick")

    def see(self) -> None:
        """Lets the dice under the camera change the selection or complete the choice."""
        option = self._by_hand.see(self.choosing, self._match)
        if option is not None:
            self._context.session.choose(option)

    def back(self) -> bool:
        """Goes one step back in the list, or to the peek. Returns False at the start."""
        if self.passing:
            return False
        if self.choosing.back():
            return True
        self.passing = self._may_look
        return self.passing

    @property
    def wrong(self) -> str:
        """Why the dice kept under the camera cannot be accepted."""
        return self._by_hand.words

    @property
    def listed(self) -> bool:
        """Whether a list is shown. The choice to roll or end needs no list."""
        return self.choosing.choice.kind != "roll_or_end" and not self.passing

    @property
    def marks(self) -> frozenset[int] | None:
        """The dice that the current entry would keep; None if this choice is not about dice."""
        return frozenset(self.choosing.places) if self.choosing.choice.kind == "dice" else None

    @property
    def shown(self) -> Option | None:
        """The option that keeps the selected dice, if it is allowed."""
        return self.choosing.choice.keeping.get(frozenset(self.choosing.places))

    def caps(self) -> Caps:
        say, choosing = self._context.say, self.choosing
        if self.passing:
            return Caps(Cap(say("cap.hold_to_look")), Cap(say("cap.go_on")))
        if choosing.choice.kind == "roll_or_end":
            roll, end = choosing.entries
            return Caps(Cap(label(roll, say)), Cap(label(end, say)))
        more = frame.following(say("cap.next"), choosing.entries)
        if not choosing.allowed:  # the Next button returns from touched dice to the list
            more = Cap(say("cap.next"))
        return Caps(more, Cap(say("play.take_or_look" if self._may_look else "cap.take"), lit=choosing.allowed))
