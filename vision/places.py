"""Compares where dice lie.

Its one rule: a die within SAME of an old place, with the same value, is the old die. If either reading was unsure, the
value does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.reading import Die, Reading

SAME = 0.15  # die widths: a die this close to an old die may be that old die


def same(die: Die, other: Die) -> bool:
    near = math.dist(die.centre, other.centre) < SAME * max(die.box.size)
    return near and (die.value == other.value or not (die.sure and other.sure))


def unmoved(before: Sequence[Die], now: Sequence[Die]) -> bool:
    return len(before) == len(now) and all(any(same(die, other) for other in before) for die in now)


def agree(one: Reading, other: Reading) -> bool:
    """Whether both readings show the same values, at most a third of a die apart."""
    left = list(other.dice)
    for die in one.dice:
        for k in left:
            if k.value == die.value and math.dist(k.centre, die.centre) < sum(k.box.size) / 6:
                left.remove(k)
                break
        else:
            return False
    return not left
