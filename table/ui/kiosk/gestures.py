"""What two buttons mean: edges in, gestures out, the clock passed in.

Roll means something at the press: people expect the dice then. It waits for the length of a chord first, in case End
comes down with it. End means something at the release, because held for a second it means back.

Its one rule: a press means one thing only. Once both buttons were a chord, neither means anything until both are up;
whatever a button does, chatter, stick, or come up without having gone down, nothing is taken twice or for ever.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

ROLL = "roll"
END = "end"
ANYWHERE = ""
"""The spot that is touched where there is none."""

CHORD = 0.06  # presses nearer than this are one press of both; it is what a tap on Roll waits
RUN_AFTER = 0.45
RUN_EVERY = 0.14
ROLL_OVER = 0.2  # fingers that are fast overlap this long and still mean one button after the other
BOTH_AFTER = 0.6
BACK_AFTER = 1.0
STUCK_AFTER = 8.0  # a button that is down for so long is broken, or something lies on it: it counts as up
LONGEST_LOOK = 30.0
CHATTER = 0.03  # a button that has just come up does not go down again so soon


@dataclass(frozen=True)
class Tap:
    button: str


@dataclass(frozen=True)
class Run:
    """Roll is held: on to the next, and the next."""

    button: str


@dataclass(frozen=True)
class Held:
    """End was held: back."""

    button: str


@dataclass(frozen=True)
class Both:
    """The table menu."""


@dataclass(frozen=True)
class Look:
    """A private look begins or ends."""

    on: bool


@dataclass(frozen=True)
class Touched:
    """A finger or the mouse went down and came up on the same spot."""

    spot: str


@dataclass(frozen=True)
class Dragged:
    """A finger or the mouse went down on a handle and is now there, in pixels of the screen."""

    spot: str
    place: tuple[int, int]


@dataclass(frozen=True)
class Scrolled:
    """A finger or the mouse drags a list: by so many entries, on where it is more than 0."""

    step: int


@dataclass(frozen=True)
class Moved:
    step: int  # -1 or +1


@dataclass(frozen=True)
class Typed:
    """Text from a keyboard; "\\b" takes back a character."""

    text: str


Gesture = Tap | Run | Held | Both | Look | Touched | Dragged | Scrolled | Moved | Typed

Meaning = Literal["new", "runs", "looks", "spent"]
"""What a button that is down will still mean: all, running on, showing the dice, nothing."""


class Gestures:
    """The two buttons. `looking` says that the screen shown now has a private look, which Roll opens when held."""

    def __init__(self) -> None:
        self.looking = False
        self._now = -inf
        self._since: dict[str, float] = {}  # when each button that is down went down
        self._means: dict[str, Meaning] = {}
        self._stuck: set[str] = set()  # down, and taken out of _since
        self._rose: dict[str, float] = {}  # when each button last came up
        self._run_at = inf
        self._overlap: float | None = None  # since when both are down
        self._chord = False  # neither means anything until both are up
        self._both = False  # the chord was told
        self._told: list[Gesture] = []

    def down(self, button: str, at: float) -> None:
        at = self._advance(at)
        known = button in self._since or button in self._stuck
        if known or at < self._rose.get(button, -inf) + CHATTER:
            return
        self._since[button] = at
        self._means[button] = "spent" if self._chord else "new"
        if len(self._since) == 2:
            self._overlap = at
            if at < min(self._since.values()) + CHORD:
                self._begin_chord()
            elif self._means[ROLL] == "runs":
                self._means[ROLL] = "spent"

    def up(self, button: str, at: float) -> None:
        self._release(button, at, meant=True)

    def drop(self, button: str, at: float) -> None:
        """The button is up, and its press was not meant: a finger slid off it, or the window went away."""
        self._release(button, at, meant=False)

    def is_stuck(self, button: str) -> bool:
        """It has been down for so long that it counts as up."""
        return button in self._stuck

    def screen_changed(self, at: float) -> None:
        """What is held was pressed on another screen: it means nothing on this one, but both are still the menu."""
        self._advance(at)
        self._spend()

    def due(self, at: float) -> list[Gesture]:
        """All that the buttons have come to mean by then and that was not told yet."""
        self._advance(at)
        if not self.looking and self._means.get(ROLL) == "looks":
            self._spend()
        told, self._told = self._told, []
        return told

    @property
    def next_due(self) -> float | None:
        """When to ask again, if no button moves before."""
        if self._told:
            return self._now
        return min((when for when, _ in self._timers()), default=None)

    def _release(self, button: str, at: float, meant: bool) -> None:
        at = self._advance(at)
        self._rose[button] = at
        self._stuck.discard(button)
        if button not in self._since:
            return
        within_end = button == ROLL and self._overlap is not None
        meaning = self._means[button]
        self._lift(button)
        if meaning == "looks":
            self._told.append(Look(False))
        elif meaning == "new" and within_end:
            self._spend()  # Roll went down and up within a press of End: half a chord, better nothing
        elif meaning == "new" and meant and not (button == ROLL and self.looking):
            self._told.append(Tap(button))
        self._advance(at)  # Roll may have waited for End to come up

    def _lift(self, button: str) -> None:
        del self._since[button], self._means[button]
        self._overlap = None
        if not self._since:
            self._chord = self._both = False

    def _advance(self, at: float) -> float:
        """Time goes on to there, and never back."""
        self._now = max(self._now, at)
        while True:
            when, what = min(self._timers(), default=(inf, ""))
            if when > self._now:
                return self._now
            self._happen(when, what)

    def _timers(self) -> Iterator[tuple[float, str]]:
        for button, since in self._since.items():
            yield since + (LONGEST_LOOK if self._means[button] == "looks" else STUCK_AFTER), button
        if self._overlap is not None:
            if not self._chord:
                yield self._overlap + ROLL_OVER, "chord"
            elif not self._both:
                yield self._overlap + BOTH_AFTER, "both"
            return
        match self._means.get(ROLL):
            case "new":
                yield self._since[ROLL] + CHORD, "tap"
            case "runs":
                yield self._run_at, "run"
        if self._means.get(END) == "new":
            yield self._since[END] + BACK_AFTER, "back"

    def _happen(self, when: float, what: str) -> None:
        match what:
            case "tap" if self.looking:
                self._means[ROLL] = "looks"
                self._told.append(Look(True))
            case "tap":
                self._means[ROLL] = "runs"
                self._run_at = self._since[ROLL] + RUN_AFTER
                self._told.append(Tap(ROLL))
            case "run":
                # What nobody could see passing is not made up for: after a hiccup it goes on at its pace.
                late = self._now - when >= RUN_EVERY
                self._run_at = (self._now if late else when) + RUN_EVERY
                self._told.append(Run(ROLL))
            case "back":
                self._means[END] = "spent"
                self._told.append(Held(END))
            case "chord":
                self._begin_chord()
            case "both":
                self._both = True
                self._told.append(Both())
            case stuck:
                if self._means[stuck] == "looks":
                    self._told.append(Look(False))
                self._stuck.add(stuck)
                self._lift(stuck)

    def _begin_chord(self) -> None:
        self._chord = True
        self._spend()

    def _spend(self) -> None:
        """Nothing that is down means anything more by itself."""
        if self._means.get(ROLL) == "looks":
            self._told.append(Look(False))
        self._means = dict.fromkeys(self._means, "spent")
