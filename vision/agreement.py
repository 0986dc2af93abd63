"""Decides from several reads of the same dice at rest what the reading is.

Its one rule: a reading is sure only if at least two frames agree on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from vision import reader
from vision.networks import Image
from vision.reading import OK, UNSURE, Die, Doubt, Reading

if TYPE_CHECKING:
    from vision.tray import Calibration

PATIENCE = 1.0  # seconds for which reads can disagree before the reading is reported as unsure
WAVERS = "the reading changes from frame to frame"


def look(frame: Image, calibration: Calibration | None, expect: int | None) -> Reading:
    """Read once. Before a roll, there may be only kept dice: this is not reported as too few dice."""
    reading = reader.read(frame, calibration, expect)
    if expect and all(die.kept for die in reading.dice):
        nothing = look(frame, calibration, None)
        return nothing if all(die.kept for die in nothing.dice) else reading
    return reading


def verdict(reads: Sequence[tuple[float, Reading]]) -> Reading | None:
    """The reading on which the last reads agree. While the reads disagree, None is returned; after PATIENCE, an unsure
    reading.

    Two reads must agree, or three if sure readings have disagreed before."""
    sure = [reading for _, reading in reads if reading.status == OK]
    enough = 2 if all(agree(a, b) for a, b in pairwise(sure)) else 3
    last = [reading for _, reading in reads[-enough:]]
    if len(last) == enough and all(r.status == OK for r in last) and all(agree(a, b) for a, b in pairwise(last)):
        return last[-1]
    if len(reads) < 3 or reads[-1][0] - reads[0][0] < PATIENCE:
        return None
    unsure = [reading for _, reading in reads if reading.status != OK]
    wavers = (Doubt("wavers"),)
    told = unsure[-1] if unsure else replace(last[-1], status=UNSURE, why=WAVERS, doubts=wavers)
    # Dice that other reads contradict are marked unsure too, so that people who correct the reading check them.
    steady = (replace(die, sure=die.sure and all(bears_out(r, die) for _, r in reads)) for die in told.dice)
    return replace(told, dice=tuple(steady))


def bears_out(reading: Reading, die: Die) -> bool:
    """Whether the reading supports this die: it shows no other value at the die's place, and if it is sure, it shows
    the die."""
    values = {k.value for k in reading.dice if k.sure and near(k, die)}
    return values == {die.value} or (not values and reading.status != OK)


def near(one: Die, other: Die) -> bool:
    """Whether the two dice are less than a third of a die apart."""
    return math.dist(one.centre, other.centre) < sum(other.box.size) / 6


def agree(one: Reading, other: Reading) -> bool:
    """Whether both readings show the same values at the same places."""
    left = list(other.dice)
    for die in one.dice:
        for k in left:
            if k.value == die.value and near(k, die):
                left.remove(k)
                break
        else:
            return False
    return not left
