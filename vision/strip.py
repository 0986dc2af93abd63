"""What lies in the tray and in the strip while nobody is asked to throw: dice are set aside by hand, and maybe the
rest, or all of them, is thrown.

Its one rule: dice that were only pushed were not thrown. Nobody throws without the strip lying as it lay, and every
loose die somewhere else; and either their values are others, or the tray was seen without them.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.reading import OK, Die, Reading
from vision.rolls import lone, loose, same
from vision.settle import EMPTY, Seen

Dice = tuple[Die, ...]


@dataclass(frozen=True)
class Lying:
    reading: Reading
    thrown: bool  # all that is loose, since the reading before


class Strip:
    """Told of all that is seen."""

    def __init__(self) -> None:
        self._lies: Dice | None = None  # as last surely read

    def see(self, seen: Seen, asked: bool = False) -> Lying | None:
        """What lies there, if that is not as it was; nothing was surely thrown, and nothing lies surely, where the
        reading is unsure. With `asked`, what is seen is of dice that somebody was asked to throw."""
        reading = Reading((), OK) if seen.state == EMPTY and seen.changed else seen.reading
        if reading is None:
            return None
        if reading.status != OK:
            if asked:
                self._lies = None  # people say what these are: they are not thrown once more by being read after all
            return Lying(reading, False)
        before, self._lies = self._lies, reading.dice
        if before is not None and unmoved(before, reading.dice):
            return None
        return Lying(reading, before is not None and thrown(before, reading.dice))


def thrown(before: Dice, now: Dice) -> bool:
    """Whether the loose dice were thrown, and the strip with what was set aside was not touched meanwhile."""
    kept, kept_before = (tuple(die for die in dice if die.kept) for dice in (now, before))
    here, here_before = loose(now), loose(before)
    if not here or not unmoved(kept_before, kept):
        return False
    if lone(here_before, here) or any(same(die, other) for die in here for other in here_before):
        return False
    return not here_before or sorted(die.value for die in here) != sorted(die.value for die in here_before)


def unmoved(before: Dice, now: Dice) -> bool:
    return len(before) == len(now) and all(any(same(die, other) for other in before) for die in now)
