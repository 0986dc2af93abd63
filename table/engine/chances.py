"""Exact dice probabilities, found by counting all possible rolls.

`spread(2, sum)` counts how many rolls of two dice make each sum. The other functions turn these counts into fractions.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

from table.engine.asks import Dice


@cache
def rolls(dice: int) -> Mapping[Dice, int]:
    """Every roll of that many dice, as sorted values, with the number of ways to roll it."""
    found = combinations_with_replacement(range(1, 7), dice)
    return {roll: factorial(dice) // prod(map(factorial, Counter(roll).values())) for roll in found}


@cache
def spread(dice: int, read: Callable[[Dice], Any]) -> Mapping[Any, int]:
    """How many rolls of that many dice give each value of `read`."""
    found: Counter[Any] = Counter()
    for roll, ways in rolls(dice).items():
        found[read(roll)] += ways
    return found


def exactly(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return Fraction(spread(dice, read)[value], 6**dice)


def better(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return Fraction(sum(ways for other, ways in spread(dice, read).items() if other > value), 6**dice)


def at_least(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return exactly(value, dice, read) + better(value, dice, read)


def within(once: Fraction, tries: int) -> Fraction:
    """The probability of at least one success in that many tries."""
    return 1 - (1 - once) ** tries
