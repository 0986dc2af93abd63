"""Turns presses and releases of the two buttons into gestures. Callers supply the time.

Roll acts when it is pressed, because that is when people expect the dice to roll. Roll still waits for a moment, in
case End is pressed at the same time. End acts when it is released, because holding End for a second means back.

When both buttons have been pressed together (a chord), neither acts until both are up. A button that chatters triggers
only once, and a button that is stuck soon stops triggering.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

ROLL = "roll"
END = "end"
ANYWHERE = ""
"""The spot reported for a touch outside all named spots."""

CHORD = 0.06  # presses closer together than this are a chord, so a tap on Roll waits this long
RUN_AFTER = 0.45
RUN_EVERY = 0.14
ROLL_OVER = 0.2  # presses can overlap this long and still mean one button after the other
BOTH_AFTER = 0.6
BACK_AFTER = 1.0
STUCK_AFTER = 8.0  # a button held this long is broken or has something lying on it, so it counts as up
LONGEST_LOOK = 30.0
CHATTER = 0.03  # minimum time between a release and the next press of the same button


@dataclass(frozen=True)
class Tap:
    button: str


@dataclass(frozen=True)
class Run:
    """Roll is still held: move on by one more entry."""

    button: str


@dataclass(frozen=True)
class Held:
    """End was held: go back."""

    button: str


@dataclass(frozen=True)
class Both:
    """Both buttons were held: open the table menu."""


@dataclass(frozen=True)
class Look:
    """A peek at hidden dice begins or ends."""

    on: bool


@dataclass(frozen=True)
class Touched:
    """A finger or the mouse went down and came up on the same spot."""

    spot: str


@dataclass(frozen=True)
class Dragged:
    """A finger or the mouse went down on a handle and is now at `place`, in screen pixels."""

    spot: str
    place: tuple[int, int]


@dataclass(frozen=True)
class Scrolled:
    """A finger or the mouse drags a list by this many entries; positive is forward."""

    step: int


@dataclass(frozen=True)
class Moved:
    step: int  # -1 or +1


@dataclass(frozen=True)
class Typed:
    """Text from a keyboard; "\\b" deletes a character."""

    text: str


Gesture = Tap | Run | Held | Both | Look | Touched | Dragged | Scrolled | Moved | Typed

Meaning = Literal["new", "runs", "looks", "spent"]
"""What a held button can still mean: anything, repeating, a peek, or nothing."""


class Gestures:
    """State machine of the two buttons. `looking` means that holding Roll on the current screen shows hidden dice."""

    def __init__(self) -> None:
        self.looking = False
        self._now = -inf
        self._since: dict[str, float] = {}  # when each held button went down
        self._means: dict[str, Meaning] = {}
        self._stuck: set[str] = set()  # buttons that were held too long; no longer in _since
        self._rose: dict[str, float] = {}  # when each button last came up
        self._run_at = inf
        self._overlap: float | None = None  # when the second button went down, while both are down
        self._chord = False  # neither button acts until both are up
        self._both = False  # whether the chord was reported
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
        """Releases the button without a gesture, because a finger slid off it or the window lost focus."""
        self._release(button, at, meant=False)

    def is_stuck(self, button: str) -> bool:
        """Whether the button was held so long that it counts as up."""
        return button in self._stuck

    def screen_changed(self, at: float) -> None:
        """Buttons that are still held do nothing on the new screen, except that holding both opens the menu."""
        self._advance(at)
        self._spend()

    def due(self, at: float) -> list[Gesture]:
        """The gestures that were recognised by this time but have not been reported yet."""
        self._advance(at)
        if not self.looking and self._means.get(ROLL) == "looks":
            self._spend()
        told, self._told = self._told, []
        return told

    @property
    def next_due(self) -> float | None:
        """When to call `due` again if no button changes."""
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
            self._spend()  # Roll went down and up while End was held: an incomplete chord, so do nothing
        elif meaning == "new" and meant and not (button == ROLL and self.looking):
            self._told.append(Tap(button))
        self._advance(at)  # if End has just come up, a tap on Roll can be due now

    def _lift(self, button: str) -> None:
        del self._since[button], self._means[button]
        self._overlap = None
        if not self._since:
            self._chord = self._both = False

    def _advance(self, at: float) -> float:
        """Sets the clock to this time, but never back, and handles everything that was due by then."""
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
                # Do not catch up on missed repeats: after a delay, continue at the normal pace.
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
        """From now on, the buttons that are down do nothing, unless both are held."""
        if self._means.get(ROLL) == "looks":
            self._told.append(Look(False))
        self._means = dict.fromkeys(self._means, "spent")
