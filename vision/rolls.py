"""Decides which readings show dice that were rolled since the request.

Its one rule: dice that lie where they lay before the request were not rolled, even if a hand passed over them, a lamp
was switched on or the camera was reconnected. Pushed dice may look like a roll, so a roll is sure only if the values
differ or the old dice were seen to be gone in between, at rest or while things moved (see vision/pickup.py). For a
single die close to its old place, a different value is not enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.places import same
from vision.reading import OK, Die, Reading
from vision.settle import EMPTY, HAND, MOVING, Seen

BESIDE = 1.5  # die widths: a single die this close to the place of an old single die may be that die, tipped over
COUNTS = ("few", "many")  # doubts that concern only the number of dice

Dice = tuple[Die, ...]


@dataclass(frozen=True)
class Rolled:
    """The dice that were rolled, as far as known."""

    number: int  # the number of the request
    reading: Reading
    stayed: tuple[Die, ...] = ()  # dice that did not move, or that may be left from an earlier roll

    @property
    def sure(self) -> bool:
        return self.reading.status == OK and not self.stayed


class Rolls:
    """Finds the roll that belongs to a request. Pass each request to `ask`, and everything that `Settle` reports to
    `see`."""

    def __init__(self) -> None:
        self.number: int | None = None  # the number of the current request
        self.lifted = False  # whether the dice are under a cup that will be lifted
        self.rested = False  # whether a still picture has been seen
        self._moved = False  # whether something has moved since the request
        self._dice: Dice | None = None  # the dice on the table, as far as known
        self._old: Dice | None = None  # dice at the request; after an unsure roll, those that perhaps were not rolled
        self._taken: set[Die] = set()  # those of `_old` and `_rolled` that were seen to be taken from the table
        self._rolled: Dice = ()  # after an unsure roll, the dice that were certainly rolled
        self._clear = False  # whether all loose dice are known to have left the tray since the request

    @property
    def bare(self) -> bool:
        """Whether no loose dice are known to lie on the table."""
        return not loose(self._dice or ())

    def ask(self, number: int | None, lifted: bool = False) -> None:
        """Starts a request. With `lifted`, another player's dice may still lie there, pushed aside, so a roll is sure
        only if the tray was seen without loose dice before it."""
        self.number, self.lifted = number, lifted
        self._moved = False
        self._start_over()

    def _start_over(self) -> None:
        self._old, self._rolled, self._taken = self._dice, (), set()
        self._clear = self._dice is not None and self.bare

    def see(self, seen: Seen) -> Rolled | None:
        """The dice that were rolled, if `seen` has a reading. Returns None if no roll was requested or nothing was
        rolled."""
        if seen.state in (MOVING, HAND):
            self._moved = self.rested  # ignore motion until the first still picture
            return None
        if seen.state == EMPTY:
            self._dice, self.rested, self._clear = (), True, True
        reading = seen.at_rest
        if reading is None:
            return None
        here, sure = loose(reading.dice), reading.status == OK
        self._dice, self.rested = lying(self._dice, reading), True
        if not self._moved:  # these dice were on the table before the request
            self._start_over()
            return None
        self._clear = self._clear or (sure and not here)
        self._take(seen.taken)
        if self.number is None or (not here and (self.lifted or sure)):
            return None  # there are only kept dice, or a cup still stands on the table
        remain = tuple(die for die in self._old or () if die not in self._taken)
        stayed = tuple(die for die in here if any(same(die, other) for other in remain))
        if here and len(stayed) == len(here):
            return None
        if self._clear:
            return Rolled(self.number, reading, stayed)
        if self.lifted:
            return Rolled(self.number, reading, here)
        if self._old is None or lone(remain, here) or (not stayed and self._pushed(here)):
            stayed = here
        if stayed and counted(reading):  # people may roll again, and then these dice count as old
            self._old, self._rolled = stayed, tuple(die for die in here if die not in stayed)
            self._taken = set()
        return Rolled(self.number, reading, stayed)

    def _pushed(self, here: Dice) -> bool:
        """Whether the dice at new places may just be the missing dice, pushed there: all their values are values that
        the missing dice had, and one of these was not seen to be taken. A die whose reading was unsure could have had
        any value."""
        assert self._old is not None
        gone = [die for die in (*loose(self._old), *self._rolled) if not any(same(die, other) for other in here)]
        new = [die for die in here if not any(same(die, other) for other in self._rolled)]
        others = Counter(die.value for die in new) - Counter(die.value for die in gone if die.sure)
        may_be_here = any(
            die not in self._taken and (not die.sure or any(other.value == die.value for other in new)) for die in gone
        )
        return bool(new) and may_be_here and others.total() <= sum(not die.sure for die in gone)

    def _take(self, taken: Dice) -> None:
        """Note which old dice were seen to be taken from the table: these are not pushed dice."""
        old = loose((*(self._old or ()), *self._rolled))
        self._taken |= {die for die in old if any(same(die, other) for other in taken)}
        self._clear = self._clear or (self._old is not None and bool(old) and self._taken.issuperset(old))


def lying(before: Dice | None, reading: Reading) -> Dice | None:
    """Work out which dice are on the table, from a reading and the dice known before. An unsure reading only adds dice:
    in the dark or under a hand, dice may be present without being seen."""
    if reading.status == OK:
        return reading.dice
    if before is None:
        return reading.dice if counted(reading) else None
    known = [die for die in before if die.sure or not any(same(die, other) for other in reading.dice)]
    return (*known, *(die for die in reading.dice if not die.sure or not any(same(die, other) for other in known)))


def counted(reading: Reading) -> bool:
    """Whether every die was read, even if there are more or fewer than expected."""
    return all(doubt.what in COUNTS for doubt in reading.doubts)


def lone(old: Dice, here: Dice) -> bool:
    """Whether there was exactly one die before and is exactly one now, close to the same place. A die that has moved so
    little may have been tipped over instead of rolled."""
    before = loose(old)
    if len(before) != 1 or len(here) != 1:
        return False
    return math.dist(before[0].centre, here[0].centre) < BESIDE * max(here[0].box.size)


def loose(dice: Iterable[Die]) -> tuple[Die, ...]:
    """The dice outside the strip for kept dice."""
    return tuple(die for die in dice if not die.kept)
