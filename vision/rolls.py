"""Which readings are of dice that were thrown since somebody asked for them.

Its one rule: dice that lie where they lay before the ask were not thrown. A hand that passes over them, a lamp that is
switched on, a camera that comes back: none of that is a roll. Dice that were pushed may look like a roll, so that one
is sure only if it shows other values, or the tray was seen without dice in between; of a single die that lies near
only the latter tells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.reading import OK, Die, Reading
from vision.settle import EMPTY, HAND, MOVING, Seen

SAME = 0.15  # of a die: nearer to where one lay, a die with the same value is that one
BESIDE = 1.5  # dice: a single one that lies nearer to where a single one lay may have been knocked over
COUNTS = ("few", "many")  # doubts that leave no die unread

Dice = tuple[Die, ...]


@dataclass(frozen=True)
class Rolled:
    """What was thrown, as far as it is known."""

    number: int  # of the ask
    reading: Reading
    stayed: tuple[Die, ...] = ()  # dice among them that lie where they lay before, or may be of somebody before

    @property
    def sure(self) -> bool:
        return self.reading.status == OK and not self.stayed


class Rolls:
    """Told of every ask, and of all that is seen."""

    def __init__(self) -> None:
        self.number: int | None = None  # of the ask that stands
        self.lifted = False  # what is asked for comes from under a cup
        self.rested = False  # something was seen that lay still
        self._moved = False  # since the ask
        self._lies: Dice | None = None  # now, as far as it is known
        self._lay: Dice | None = None  # at the ask; of these, from a doubt on, those that may not have been thrown
        self._fell: Dice = ()  # since the ask, beside those in doubt
        self._clear = False  # the tray was seen without loose dice since the ask

    @property
    def bare(self) -> bool:
        """Nothing is known to lie there, but kept dice maybe."""
        return not loose(self._lies or ())

    def ask(self, number: int | None, lifted: bool = False) -> None:
        """With `lifted`, dice that somebody else has shown before are no others for being pushed aside: only those are
        sure that appear in a tray where none was."""
        self.number, self.lifted = number, lifted
        self._moved = False
        self._nothing_fell()

    def _nothing_fell(self) -> None:
        self._lay, self._fell = self._lies, ()
        self._clear = self._lies is not None and self.bare

    def see(self, seen: Seen) -> Rolled | None:
        """What was thrown, once for each reading; nothing if nobody asked, or nothing was thrown."""
        if seen.state in (MOVING, HAND):
            self._moved = self.rested  # what moves in the first frames is only what is seen for the first time
            return None
        if seen.state == EMPTY:
            self._lies, self.rested, self._clear = (), True, True
        reading = seen.reading
        if reading is None:
            return None
        here, sure = loose(reading.dice), reading.status == OK
        self._lies, self.rested = lying(self._lies, reading), True
        if not self._moved:  # these lay there at the ask
            self._nothing_fell()
            return None
        self._clear = self._clear or (sure and not here)
        if self.number is None or (not here and (self.lifted or sure)):
            return None  # nothing but kept dice, or a cup that stands there
        stayed = tuple(die for die in here if any(same(die, other) for other in self._lay or ()))
        if here and len(stayed) == len(here):
            return None
        if self._clear:
            return Rolled(self.number, reading, stayed)
        if self.lifted:
            return Rolled(self.number, reading, here)
        if self._lay is None or lone(self._lay, here) or (not stayed and pushed(self._lay, self._fell, here)):
            stayed = here
        if stayed and counted(reading):  # whatever falls next falls among these
            self._lay, self._fell = stayed, tuple(die for die in here if die not in stayed)
        return Rolled(self.number, reading, stayed)


def lying(before: Dice | None, reading: Reading) -> Dice | None:
    """What lies there, by a reading and what was known before. In the dark or under a hand dice are not gone because
    they are not seen: what is not sure only adds some."""
    if reading.status == OK:
        return reading.dice
    if before is None:
        return reading.dice if counted(reading) else None
    known = [die for die in before if die.sure or not any(same(die, other) for other in reading.dice)]
    return (*known, *(die for die in reading.dice if not die.sure or not any(same(die, other) for other in known)))


def counted(reading: Reading) -> bool:
    """Whether every die that lies there is read, be they as many as were asked for or not."""
    return all(doubt.what in COUNTS for doubt in reading.doubts)


def lone(lay: Dice, here: Dice) -> bool:
    """A single die beside the place of a single one: it may have been knocked over."""
    before = loose(lay)
    if len(before) != 1 or len(here) != 1:
        return False
    return math.dist(before[0].centre, here[0].centre) < BESIDE * max(here[0].box.size)


def pushed(lay: Dice, fell: Dice, here: Dice) -> bool:
    """Whether those of these that lie elsewhere than any before show nothing that did not lie there: they may have been
    pushed, all together. A die that was not surely read may have been any."""
    gone = [die for die in (*loose(lay), *fell) if not any(same(die, other) for other in here)]
    new = [die for die in here if not any(same(die, other) for other in fell)]
    others = Counter(die.value for die in new) - Counter(die.value for die in gone if die.sure)
    return bool(gone and new) and others.total() <= sum(not die.sure for die in gone)


def loose(dice: Iterable[Die]) -> tuple[Die, ...]:
    """Those that do not lie in the strip for kept ones."""
    return tuple(die for die in dice if not die.kept)


def same(die: Die, other: Die) -> bool:
    near = math.dist(die.centre, other.centre) < SAME * max(die.box.size)
    return near and (die.value == other.value or not (die.sure and other.sure))
