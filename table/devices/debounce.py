"""Turns the raw edges of one button into the presses and releases that a person meant.

Its one rule: it has no clock. Callers pass edges and times, and the same input always gives the same changes, however
often they call `due` in between.

Metal contacts bounce many times before they settle, and a long wire picks up interference. Therefore:

- A level counts once it has been stable for FIRM. A spike of 2 ms is never a press; a press is reported 3 ms after the
  contacts close, a delay that no one notices. Reacting to the first edge would be 3 ms faster, but then interference
  from a light switch could roll the dice.
- The first change after a quiet time is reported as soon as it counts. Further edges count as bouncing until none has
  arrived for the settle time. If the level is then different from the one reported, that change is reported too. So
  two presses are never closer together than the settle time, and the release of a shorter tap is reported slightly
  late.
- A line that never settles is broken or wet. The button is then reported as up, and ignored until the line has been
  stable and up; the same applies to a button that is down when the table starts. So holding down a button with a bad
  contact has no effect, but such a button does not run through the menus by itself either.
"""

from math import inf
from typing import NamedTuple

FIRM = 0.003  # seconds that a level has to be stable to count
LONGEST = 4  # interference can delay a change by at most this many settle times, because on some wires it never ends
PATIENCE = 0.5  # seconds that a line can stay unstable before it is distrusted; twenty settle times if that is longer


class Change(NamedTuple):
    down: bool
    at: float


class Debounce:
    """One button. Times are in seconds, from any monotonic clock."""

    def __init__(self, settle: float, down: bool = False) -> None:
        self.level = down  # the line's level after the last edge
        self.down = False  # whether the button is down, as last reported
        self._settle = settle
        self._patience = max(PATIENCE, 20 * settle)
        self._since = -inf  # time of the last edge
        self._firm = down  # the last stable level
        self._firm_at = -inf
        self._quiet_at = -inf  # when the bouncing ends, if no edge follows
        self._restless: float | None = None  # when the line became unstable
        self._believed = not down
        self._now = -inf

    def edge(self, down: bool, at: float) -> list[Change]:
        """Records an edge to this level and returns the changes due before it. An edge with an earlier time than the
        previous call counts as happening at the time of that call."""
        changes = self._advance(at, including=False)
        if down != self.level:
            if self._now < self._quiet_at:
                self._quiet_at = min(self._now + self._settle, self._firm_at + LONGEST * self._settle)
            if self._restless is None or self._at_rest(self._now):
                self._restless = self._now
            self.level, self._since = down, self._now
        return changes

    def due(self, at: float) -> list[Change]:
        """The changes that have fallen due by this time."""
        return self._advance(at, including=True)

    @property
    def next_due(self) -> float | None:
        """The latest time to call `due`, or None if it need not be called before the next edge."""
        moments = []
        if self.level != self._firm:
            moments.append(self._since + FIRM)
        if self._waiting:
            moments.append(self._quiet_at)
        if self._restless is not None:
            moments.append(self._restless + self._patience)
        return min(moments, default=None)

    @property
    def _waiting(self) -> bool:
        """Whether a change will be reported, or the button trusted again, once the line is quiet."""
        return self._firm != self.down if self._believed else not self._firm

    def _at_rest(self, at: float) -> bool:
        return self.level == self._firm == self.down and at >= self._since + FIRM and at >= self._quiet_at

    def _advance(self, to: float, including: bool) -> list[Change]:
        """All changes due before that time (or at it, if `including`), in order, each with the time when it was due."""
        changes: list[Change] = []
        while (moment := self.next_due) is not None and (moment < to or (including and moment == to)):
            self._now = max(self._now, moment)
            changes += self._step(self._now)
        self._now = max(self._now, to)
        return changes

    def _step(self, at: float) -> list[Change]:
        if self.level != self._firm and at >= self._since + FIRM:
            was_quiet = at >= self._quiet_at
            self._firm, self._firm_at, self._quiet_at = self.level, at, at + self._settle
            return self._say(self._firm, at) if was_quiet and self._believed else []
        if self._waiting and at >= self._quiet_at:
            if self._believed:
                return self._say(self._firm, at)
            self._believed = True
            return []
        calm, self._restless = self._at_rest(at), None
        if calm or not self._believed:
            return []
        self._believed = False
        return self._say(False, at)

    def _say(self, down: bool, at: float) -> list[Change]:
        if down == self.down:
            return []
        self.down = down
        return [Change(down, at)]
