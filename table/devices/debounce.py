"""From the raw edges of one button to presses and releases that a person meant.

Its one rule: no clock of its own. Edges and moments are told to it, and the same ones always give the same changes, no
matter how often it is asked in between.

Two metal contacts meet and part many times before they rest, and a long wire picks up sparks. So:

- A level counts once it has stayed for FIRM. A spark of 2 ms is never a press; a press is felt 3 ms after the contacts
  hold, which nobody notices. To answer the very first edge would be 3 ms quicker, and a light switch would throw dice.
- A change after a quiet time is said at once. What follows is bouncing until there was no edge for the settle time; if
  the level is another one by then, that is said. So two presses are never closer than the settle time, and a tap
  that is shorter ends a little late.
- A line that finds no rest is broken or wet. What was said to be down is then said to be up, and the button is not
  believed until it has been up in peace; the same for one that is down when the table starts. It costs a person at a
  bad contact the holding of a button, and saves everybody else a table that runs through its menus alone.
"""

from math import inf
from typing import NamedTuple

FIRM = 0.003  # seconds that a level has to stay to count
LONGEST = 4  # settle times that sparks can keep a level waiting, for in some wires they never end
PATIENCE = 0.5  # seconds that a line may bounce, at least; a slow button may take twenty times its settle time


class Change(NamedTuple):
    down: bool
    at: float


class Debounce:
    """One button. Times are seconds of any clock that does not go back."""

    def __init__(self, settle: float, down: bool = False) -> None:
        self.level = down  # of the line, as the last edge left it
        self.down = False  # of the button, as was said last
        self._settle = settle
        self._patience = max(PATIENCE, 20 * settle)
        self._since = -inf  # the last edge
        self._firm = down  # the last level that stayed
        self._firm_at = -inf
        self._quiet_at = -inf  # when its bouncing is over, if no edge comes
        self._restless: float | None = None  # since when the line has not been at rest
        self._believed = not down
        self._now = -inf

    def edge(self, down: bool, at: float) -> list[Change]:
        """The line went to a level; the changes that came of all before it. One that comes late counts as of now."""
        changes = self._advance(at, including=False)
        if down != self.level:
            if self._now < self._quiet_at:
                self._quiet_at = min(self._now + self._settle, self._firm_at + LONGEST * self._settle)
            if self._restless is None or self._at_rest(self._now):
                self._restless = self._now
            self.level, self._since = down, self._now
        return changes

    def due(self, at: float) -> list[Change]:
        """The changes that time alone has brought."""
        return self._advance(at, including=True)

    @property
    def next_due(self) -> float | None:
        """When `due` has to be asked at the latest; None: not before the next edge."""
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
        """Something will be said, or believed, once the line is quiet."""
        return self._firm != self.down if self._believed else not self._firm

    def _at_rest(self, at: float) -> bool:
        return self.level == self._firm == self.down and at >= self._since + FIRM and at >= self._quiet_at

    def _advance(self, to: float, including: bool) -> list[Change]:
        """All that falls due before that moment, in its order, each said for the moment when it fell due."""
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
