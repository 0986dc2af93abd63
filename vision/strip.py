"""Watches the tray and the strip when no roll is requested: people set dice aside, and may roll the others.

Its one rule: pushing dice is not rolling. A change counts as a roll only if the strip stayed the same, every loose die
lies somewhere else, and either the values differ or the tray was seen without loose dice in between.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.places import same, unmoved
from vision.reading import OK, Die, Reading
from vision.rolls import lone, loose
from vision.settle import EMPTY, Seen

Dice = tuple[Die, ...]


@dataclass(frozen=True)
class Lying:
    reading: Reading
    thrown: bool  # whether all loose dice were rolled since the previous reading


class Strip:
    """Notices changes to the dice in the tray and the strip. Pass everything that `Settle` reports to `see`."""

    def __init__(self) -> None:
        self._last: Dice | None = None  # the last sure reading

    def see(self, seen: Seen, asked: bool = False) -> Lying | None:
        """Returns the dice if they have changed. An unsure reading never counts as a roll. `asked` means that
        a roll is requested, and that the dice belong to that roll."""
        reading = Reading((), OK) if seen.state == EMPTY and seen.changed else seen.at_rest
        if reading is None:
            return None
        if reading.status != OK:
            if asked:
                self._last = None  # people correct this reading, so a sure reading that follows is not another roll
            return Lying(reading, False)
        before, self._last = self._last, reading.dice
        if before is not None and unmoved(before, reading.dice):
            return None
        return Lying(reading, before is not None and thrown(before, reading.dice))


def thrown(before: Dice, now: Dice) -> bool:
    """Whether the loose dice were rolled while the strip stayed as it was."""
    kept, kept_before = (tuple(die for die in dice if die.kept) for dice in (now, before))
    here, here_before = loose(now), loose(before)
    if not here or not unmoved(kept_before, kept):
        return False
    if lone(here_before, here) or any(same(die, other) for die in here for other in here_before):
        return False
    return not here_before or sorted(die.value for die in here) != sorted(die.value for die in here_before)
