"""How lucky each seat was with its throws: each compared with all that the same dice could have shown.

Its one rule: only the dice count, by the rules' own scoring, and whatever the seat then did with them does not.

A throw gets its place among all throws of as many dice, given the dice that were kept: 0.9 is one that nine in ten are
worse than, half of its equals counted as worse. Any throw can expect 0.5, and how that place is spread is known, so
their sum over a game can be held against chance: the deviation is in standard deviations, and in how large a part of
evenings as many throws would have been worse is counted for a few throws, and taken from the bell curve for many. Who
rolls again only after bad throws ends on a good one more often than not: in a game of a few throws the comparison is a
little kind to that seat.

What is good, each game says in `judged` of its analysis. Not counted are
- a die that only decides who begins. One that settles a tie costs something, and counts;
- dice that are all worth the same;
- dice under a real cup that are known only if somebody calls, which depends on what was claimed of them;
- while a game goes on, what was thrown in secret: luck must not give it away.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import Any

from table.engine.asks import Answer, Dice, Over, Roll
from table.engine.chances import spread
from table.engine.referee import Referee
from table.games import part

FEW = 20  # throws: with more, counting takes long, and the bell curve is right to three points in a hundred
STEPS = 72  # from 0 to 1: places of one and two dice are exact on them, and others are right to a point in a hundred

Read = Callable[[Dice], Any]
"""What a throw is worth; the greater is the better."""
Judged = tuple[Dice, Read] | None
"""The dice that were kept, and what the thrown ones are worth beside them; None if that cannot be judged."""


@dataclass(frozen=True)
class Throw:
    answer: int  # its place among the answers of the game
    round: int
    dice: Dice  # as they were judged: after those that were kept
    better: float  # than so large a part of what could have been thrown
    ladder: "Ladder"  # of all that could have been


@dataclass(frozen=True)
class SeatLuck:
    seat: int
    throws: int
    better: float  # the mean of its throws; 0.5 is to be expected
    deviation: float  # of their sum from what was to be expected, in standard deviations
    luckier_than: float  # the part of evenings in which as many throws would have been worse
    best: Throw | None  # the first of them; None if there was nothing to judge
    worst: Throw | None


def luck(game: Referee) -> tuple[SeatLuck, ...]:
    """The luck of every seat."""
    found: list[list[Throw]] = [[] for _ in game.players]
    for seat, throw in throws(game):
        found[seat].append(throw)
    return tuple(_seat_luck(seat, each) for seat, each in enumerate(found))


def throws(game: Referee) -> Iterator[tuple[int, Throw]]:
    """Each throw that can be judged, with its seat."""
    over = isinstance(game.ask, Over)
    again = Referee(game.game, game.players, game.options, game.seed)
    last: Answer = ()
    for place, (ask, answer) in enumerate(game.history):
        if isinstance(ask, Roll) and (over or not ask.hidden):
            judged = part(game.game.id, "analysis").judged(again.table, ask, last)
            if judged is not None:
                kept, read = judged
                rungs = ladder(ask.count, read)
                if rungs.variance:
                    dice: Dice = answer  # type: ignore[assignment]  # it was a roll
                    yield ask.seat, Throw(place, again.table.round, kept + dice, rungs.places[read(dice)], rungs)
        again.answer(answer)
        last = answer


def _seat_luck(seat: int, found: Sequence[Throw]) -> SeatLuck:
    if not found:
        return SeatLuck(seat, 0, 0.5, 0.0, 0.5, None, None)
    ahead = sum(throw.better - 0.5 for throw in found)
    deviation = ahead / sqrt(sum(throw.ladder.variance for throw in found))
    return SeatLuck(
        seat,
        len(found),
        0.5 + ahead / len(found),
        deviation,
        _counted(found) if len(found) <= FEW else NormalDist().cdf(deviation),
        max(found, key=lambda throw: throw.better),
        min(found, key=lambda throw: throw.better),
    )


def _counted(found: Sequence[Throw]) -> float:
    """The part of all that as many throws could have been which is worse than these, and half of what is equal."""
    if len(found) == 1:
        return found[0].better
    sums = [1.0]  # how likely each sum of places is, in steps
    for throw in found:
        before, sums = sums, [0.0] * (len(sums) + STEPS)
        for step, chance in throw.ladder.steps.items():
            for at, likely in enumerate(before, step):
                sums[at] += chance * likely
    own = sum(round(throw.better * STEPS) for throw in found)
    return sum(sums[:own]) + sums[own] / 2


@dataclass(frozen=True)
class Ladder:
    places: Mapping[Any, float]  # of each value among all throws, from 0 to 1
    variance: float  # of that place
    steps: Mapping[int, float]  # how likely each is, as a number of steps


@cache
def ladder(dice: int, read: Read) -> Ladder:
    """Of all throws of so many dice."""
    ways = spread(dice, read)
    places, below = {}, 0
    steps: dict[int, float] = {}
    for value in sorted(ways):
        places[value] = (2 * below + ways[value]) / (2 * 6**dice)
        step = round(places[value] * STEPS)
        steps[step] = steps.get(step, 0.0) + ways[value] / 6**dice
        below += ways[value]
    # Without equals it would be that of any number from 0 to 1, a twelfth; each group of equals takes its cube from it.
    return Ladder(places, (1 - sum((of_it / 6**dice) ** 3 for of_it in ways.values())) / 12, steps)
