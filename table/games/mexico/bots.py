"""The computer players of Mexico that follow rules of thumb, and the probabilities that `sharp` uses.

A turn is solved backwards from its last roll. The functions that solve it are told what stopping on each result is
worth.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from operator import mul, neg
from typing import Any, NamedTuple

from table.engine.asks import Option, View
from table.engine.chances import spread
from table.games.mexico.rules import MOST_ROLLS, RANKING, rank, score

LEVELS = ("easy", "classic", "sharp")

TOSS_UP = (53, 54, 61, 62, 63, 64, 65)  # on these scores, a leader of the level classic rolls again half the time

BEST = len(RANKING)  # the rank of a Mexico; the lowest rank is 1
WAYS = tuple(ways for _, ways in sorted(spread(2, rank).items()))  # how many of the 36 rolls have each rank, from 1 up
NEAR = 1e-12  # values this close count as equal


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Stops early and judges scores by their numeric value, so 11 and 22 seem low. One time in four, it ignores the
    score to beat."""
    read = score(view["dice"][view["seat"]])
    return _rolls_on(view, options, 0.75 if read < 40 else 0.5 if read < 50 else 0.125, 0.75)


def classic(view: View, options: Sequence[Option]) -> list[float]:
    """As the leader, it ends on any double and flips a coin on a good score. Otherwise it tries to beat the leader or,
    with several seats, the lowest score so far, because only the lowest loses."""
    read = score(view["dice"][view["seat"]])
    return _rolls_on(view, options, 0.0 if read % 11 == 0 else 0.5 if read in TOSS_UP else 1.0, 1.0)


def _rolls_on(view: View, options: Sequence[Option], again: float, minds: float) -> list[float]:
    """Rolls again with probability `again`. Once another seat has a score, it instead does the following with
    probability `minds`: it rolls again if its own score is below the lowest score so far, and ends if it is above."""
    mine, to_beat = rank(view["dice"][view["seat"]]), _lowest(view)
    if to_beat and mine != to_beat:
        again = (1 - minds) * again + minds * (mine < to_beat)
    return [again if option == "roll" else 1 - again for option in options]


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Minimizes the probability of losing this round, whatever the state of the game."""
    safe = odds(view)
    again = float(safe["roll"] > safe["end"] + NEAR)
    return [again if option == "roll" else 1 - again for option in options]


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Exact for two seats, by lives, rounds and who leads. With more seats, perfect plays each round like sharp."""
    return seats == 2


def odds(view: View) -> dict[str, float]:
    """The probability of not losing the round, for ending and for rolling again, if everyone tries not to lose it."""
    to_come = _still_to_roll(view) - 1
    done = [rank(divmod(read, 10)) for read in view["scores"] if read is not None]
    if done:
        safe = [1 - lost for lost in _losses(min(done), done.count(min(done)), to_come, view["limit"])]
        ends = [safe] * view["limit"]
    else:
        ends = [
            [1 - lowest(mine, 1, to_come, rolls if mine < BEST else MOST_ROLLS) for mine in range(1, BEST + 1)]
            for rolls in range(1, MOST_ROLLS + 1)
        ]
    return choice(view, ends)


def choice(view: View, ends: Sequence[Any]) -> dict[str, Any]:
    """The values of ending and of rolling again. `ends` has the value of ending on each rank after each roll."""
    rolls = view["rolls"]
    return {"end": ends[rolls - 1][rank(view["dice"][view["seat"]]) - 1], "roll": hopes(WAYS, ends)[rolls]}


def hopes(ways: Sequence[Any], ends: Sequence[Any], better: Callable[[Any, Any], Any] = max) -> list[Any]:
    """The value of each roll of a turn before it is made. `ends` has a list per roll: the value of ending on each
    result. The last result is a Mexico, which always ends the turn. `ways` is how many of the 36 rolls give each
    result. The values can be floats or Fractions. They can also be arrays, if `better` compares them entry by entry."""
    *middle, last = ends
    found = [sum(map(mul, ways, last)) / 36]
    for line in reversed(middle):
        best = [*(better(end, found[0]) for end in line[:-1]), line[-1]]
        found.insert(0, sum(map(mul, ways, best)) / 36)
    return found


@cache
def lowest(held: int, sharing: int, to_come: int, limit: int) -> float:
    """The probability of losing the round for a seat that holds the lowest rank so far, `held`. `sharing` is the number
    of seats with this rank, and `to_come` the number of seats that have not rolled yet. All try not to lose. A seat
    above the lowest rank is safe, so each seat rolls until it is safe."""
    if not to_come:
        return 1 / sharing
    below = _below(to_come - 1, limit)
    joined = lowest(held, sharing + 1, to_come - 1, limit)
    safe = (36 - _UP_TO[held]) * lowest(held, sharing, to_come - 1, limit)
    lost, again = 0.0, 1.0  # loss probability of the current lowest, and of the next seat if it rolls once more
    for _ in range(limit):
        poor = min(below.worse_than(again), held - 1)
        joins = WAYS[held - 1] if joined <= again else 0
        rolls_on = _UP_TO[poor] + WAYS[held - 1] - joins
        lost = (safe + joins * joined + rolls_on * lost) / 36
        again = (below.summed[held - 1] - below.summed[poor] + joins * joined + rolls_on * again) / 36
    return lost


class Below(NamedTuple):
    """For each rank from 1 up, the probability that a seat loses the round if this rank makes it the new lowest. The
    higher the rank, the lower this probability."""

    losses: list[float]
    summed: list[float]  # for each rank, the sum of the losses of all lower ranks, weighted by WAYS

    def worse_than(self, loss: float) -> int:
        """The highest rank with a loss probability above `loss`."""
        return bisect_left(self.losses, -loss, key=neg)


@cache
def _below(to_come: int, limit: int) -> Below:
    losses = [lowest(mine, 1, to_come, limit) for mine in range(1, BEST + 1)]
    return Below(losses, list(accumulate(map(mul, WAYS, losses), initial=0.0)))


_UP_TO = list(accumulate(WAYS, initial=0))  # by rank: how many of the 36 rolls have this rank or a lower one


def _losses(held: int, sharing: int, to_come: int, limit: int) -> list[float]:
    """For each rank, the probability that the next seat loses the round if it ends its turn on this rank. `to_come`
    seats roll after it."""
    joined = lowest(held, sharing + 1, to_come, limit)
    return [*_below(to_come, limit).losses[: held - 1], joined, *[0.0] * (BEST - held)]


def _lowest(view: View) -> int | None:
    return min((rank(divmod(read, 10)) for read in view["scores"] if read is not None), default=None)


def _still_to_roll(view: View) -> int:
    seats = zip(view["standing"], view["scores"], strict=True)
    return sum(lives != 0 and read is None for lives, read in seats)
