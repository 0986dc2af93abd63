"""The computers of Mexico that go by a rule of thumb, and the odds of a round that `sharp` goes by.

The one rule of the odds: a turn is worked out from its last roll back, for whatever it is worth to end on each result.
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

TOSS_UP = (53, 54, 61, 62, 63, 64, 65)  # as leader it rolls again half of the time

BEST = len(RANKING)  # the rank of a Mexico; the lowest is 1
WAYS = tuple(ways for _, ways in sorted(spread(2, rank).items()))  # of 36, by rank from 1 up
NEAR = 1e-12  # worths that are no further apart are the same


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Likes to stop, goes by how high a number looks (to which 11 and 22 are low), and one time in four does not mind
    what there is to beat."""
    read = score(view["dice"][view["seat"]])
    return _rolls_on(view, options, 0.75 if read < 40 else 0.5 if read < 50 else 0.125, 0.75)


def classic(view: View, options: Sequence[Option]) -> list[float]:
    """As leader it ends on any double and tosses a coin on a good number; after that it wants to beat the leader, or
    with several seats the lowest score so far, because only the lowest loses."""
    read = score(view["dice"][view["seat"]])
    return _rolls_on(view, options, 0.0 if read % 11 == 0 else 0.5 if read in TOSS_UP else 1.0, 1.0)


def _rolls_on(view: View, options: Sequence[Option], again: float, minds: float) -> list[float]:
    """With the chance `again` by its own dice; so often as it `minds`, by the lowest score that there is to beat."""
    mine, to_beat = rank(view["dice"][view["seat"]]), _lowest(view)
    if to_beat and mine != to_beat:
        again = (1 - minds) * again + minds * (mine < to_beat)
    return [again if option == "roll" else 1 - again for option in options]


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Is as seldom the loser of this round as can be, whatever the game stands at."""
    safe = odds(view)
    again = float(safe["roll"] > safe["end"] + NEAR)
    return [again if option == "roll" else 1 - again for option in options]


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Two seats: by lives, rounds and who leads. With more, perfect plays each round as sharp does."""
    return seats == 2


def odds(view: View) -> dict[str, float]:
    """The chance not to lose the round after ending and after rolling again, if all want just that."""
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
    """What ending and rolling again are worth, from what ending on each rank is worth after each roll of the turn."""
    rolls = view["rolls"]
    return {"end": ends[rolls - 1][rank(view["dice"][view["seat"]]) - 1], "roll": hopes(WAYS, ends)[rolls]}


def hopes(ways: Sequence[Any], ends: Sequence[Any], better: Callable[[Any, Any], Any] = max) -> list[Any]:
    """What each roll of a turn is worth before it is made. `ends` has a line a roll: what it is worth to end on each
    result, of which the last is a Mexico, that ends the turn anyway; `ways` is how many of 36 rolls give it. A worth is
    a float, a Fraction, or with a `better` for them an array of either."""
    *middle, last = ends
    found = [sum(map(mul, ways, last)) / 36]
    for line in reversed(middle):
        best = [*(better(end, found[0]) for end in line[:-1]), line[-1]]
        found.insert(0, sum(map(mul, ways, best)) / 36)
    return found


@cache
def lowest(held: int, sharing: int, to_come: int, limit: int) -> float:
    """The chance of losing the round with the lowest rank so far, shared by so many, with so many seats to come that
    want the same: a seat above the lowest cannot lose any more, so each rolls until it is."""
    if not to_come:
        return 1 / sharing
    below = _below(to_come - 1, limit)
    joined = lowest(held, sharing + 1, to_come - 1, limit)
    safe = (36 - _UP_TO[held]) * lowest(held, sharing, to_come - 1, limit)
    lost, again = 0.0, 1.0  # the chances of those who hold it and of the next seat, should that roll once more
    for _ in range(limit):
        poor = min(below.worse_than(again), held - 1)
        joins = WAYS[held - 1] if joined <= again else 0
        rolls_on = _UP_TO[poor] + WAYS[held - 1] - joins
        lost = (safe + joins * joined + rolls_on * lost) / 36
        again = (below.summed[held - 1] - below.summed[poor] + joins * joined + rolls_on * again) / 36
    return lost


class Below(NamedTuple):
    """What it means to be the new lowest, by rank from 1 up: the higher the rank, the less often it loses."""

    losses: list[float]
    summed: list[float]  # over the ways to have less than that rank

    def worse_than(self, loss: float) -> int:
        """Up to which rank it loses oftener."""
        return bisect_left(self.losses, -loss, key=neg)


@cache
def _below(to_come: int, limit: int) -> Below:
    losses = [lowest(mine, 1, to_come, limit) for mine in range(1, BEST + 1)]
    return Below(losses, list(accumulate(map(mul, WAYS, losses), initial=0.0)))


_UP_TO = list(accumulate(WAYS, initial=0))  # the ways to have that rank or less


def _losses(held: int, sharing: int, to_come: int, limit: int) -> list[float]:
    """By the rank that the next seat ends on: its chance of losing the round, so many seats being still to come."""
    joined = lowest(held, sharing + 1, to_come, limit)
    return [*_below(to_come, limit).losses[: held - 1], joined, *[0.0] * (BEST - held)]


def _lowest(view: View) -> int | None:
    return min((rank(divmod(read, 10)) for read in view["scores"] if read is not None), default=None)


def _still_to_roll(view: View) -> int:
    seats = zip(view["standing"], view["scores"], strict=True)
    return sum(lives != 0 and read is None for lives, read in seats)
