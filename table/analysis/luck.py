"""How lucky each seat was with its rolls. Each roll is compared with everything the same dice could have shown.

Rolls are valued as the rules score them. What the seat did with its dice does not count.

Each roll gets a percentile: 0.9 means that it is better than nine in ten of the rolls that the same dice could have
shown beside the same kept dice. A tie counts as half. The expected percentile is 0.5 and its distribution is known, so
the sum over a game can be compared with chance. `luckier_than` is the probability that the same number of random rolls
would be less lucky. This probability is exact for a few rolls, and taken from the normal distribution for many. Players
who roll again only after bad rolls end on a good roll more often than not, so in a game with few rolls the comparison
favours them slightly.

Each game defines what a good roll is, in the function `judged` of its analysis. These are not counted:
- dice that only decide who starts (a die that breaks a tie counts, because losing the tie has a cost);
- dice that are all worth the same;
- dice under a real cup that become known only through a call, because some claims are called more than others;
- hidden rolls while a game is in progress, because luck must not reveal them.
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

FEW = 20  # with more rolls, exact counting is slow, and the normal distribution is accurate to 0.03
STEPS = 72  # percentiles are rounded to 1/72: exact for one or two dice, accurate to 0.01 for more

Read = Callable[[Dice], Any]
"""The value of a roll; higher is better."""
Judged = tuple[Dice, Read] | None
"""The kept dice, and how to value the rolled dice together with them; None if the roll cannot be judged."""


@dataclass(frozen=True)
class Throw:
    answer: int  # index among the game's answers
    round: int
    dice: Dice  # the kept dice, then the rolled dice
    better: float  # the percentile of the roll
    ladder: "Ladder"  # the percentiles of all possible rolls


@dataclass(frozen=True)
class SeatLuck:
    seat: int
    throws: int
    better: float  # the mean percentile of the seat's rolls; 0.5 is expected
    deviation: float  # how far the sum of the percentiles is from its expected value, in standard deviations
    luckier_than: float  # the probability that the same number of random rolls would be less lucky
    best: Throw | None  # the first of several equally good rolls; None if there was nothing to judge
    worst: Throw | None


def luck(game: Referee) -> tuple[SeatLuck, ...]:
    """The luck of each seat."""
    found: list[list[Throw]] = [[] for _ in game.players]
    for seat, throw in throws(game):
        found[seat].append(throw)
    return tuple(_seat_luck(seat, each) for seat, each in enumerate(found))


def throws(game: Referee) -> Iterator[tuple[int, Throw]]:
    """Each roll that can be judged, with the seat that rolled."""
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
    """The probability that the same number of random rolls would be less lucky, with ties counted as half."""
    if len(found) == 1:
        return found[0].better
    sums = [1.0]  # the probability of each sum of percentiles; the index is the sum in units of 1/STEPS
    for throw in found:
        before, sums = sums, [0.0] * (len(sums) + STEPS)
        for step, chance in throw.ladder.steps.items():
            for at, likely in enumerate(before, step):
                sums[at] += chance * likely
    own = sum(round(throw.better * STEPS) for throw in found)
    return sum(sums[:own]) + sums[own] / 2


@dataclass(frozen=True)
class Ladder:
    places: Mapping[Any, float]  # the percentile of each value, from 0 to 1
    variance: float  # the variance of the percentile
    steps: Mapping[int, float]  # the probability of each percentile; the keys are in units of 1/STEPS


@cache
def ladder(dice: int, read: Read) -> Ladder:
    """The percentiles of all rolls of this many dice."""
    ways = spread(dice, read)
    places, below = {}, 0
    steps: dict[int, float] = {}
    for value in sorted(ways):
        places[value] = (2 * below + ways[value]) / (2 * 6**dice)
        step = round(places[value] * STEPS)
        steps[step] = steps.get(step, 0.0) + ways[value] / 6**dice
        below += ways[value]
    # The variance of a uniform number from 0 to 1 is 1/12. Rolls with equal values reduce it: a value with
    # probability p subtracts p**3 / 12.
    return Ladder(places, (1 - sum((of_it / 6**dice) ** 3 for of_it in ways.values())) / 12, steps)
