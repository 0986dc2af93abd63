"""PocoLoco, solved exactly round by round. With two seats, play maximizes the probability of winning. With more, it
maximizes the chips given away in the round.

The value of a finished turn depends on five things only: how low its rank is, how many seats share that rank, the best
kind of hand so far, how many seats are to come, and their roll limit. The tables contain all these cases, and the
current turn is computed from them.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import exp, log, log2
from typing import Any

import numpy as np

from table.engine.asks import Option, View
from table.games.pocoloco import bots as pocoloco
from table.games.pocoloco.bots import HANDS, KEEPS, OUTCOMES, best, left_lying, worths
from table.games.pocoloco.rules import MOST_ROLLS, Rank, rank
from table.games.tables import load

Array = np.ndarray[Any, Any]

RANKS = sorted({rank(hand) for hand in HANDS})
CHIPS = np.array([each.chips for each in RANKS])  # the chips that everyone gives if this rank wins
MOST_CHIPS = int(CHIPS.max())
RANK_OF = np.array([RANKS.index(rank(hand)) for hand in HANDS])

DIGITS = 11  # decimals of probabilities and chips; smaller differences are ignored

_CHANCES = np.zeros((len(KEEPS), len(HANDS)))  # the probability of each hand, by the kept dice
for _keep, _rolled in enumerate(OUTCOMES):
    for _hand, _chance in _rolled:
        _CHANCES[_keep, _hand] = _chance
_MAY_KEEP = np.array(
    [
        [KEEPS.index(left_lying(hand, again)) for count in (1, 2, 3) for again in combinations(range(3), count)]
        for hand in HANDS
    ]
)


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    return best(options, worths(view, options, _ends(view)))


def win(view: View, options: Sequence[Option]) -> list[float]:
    """With two seats, the exact probability; with more, an estimate from the seat's expected chips."""
    worth = worths(view, options, _ends(view))
    if pocoloco.solved(view["options"], len(view["players"])):
        return worth
    return [_share(view["standing"], view["seat"], given) for given in worth]


def _ends(view: View) -> list[list[float]]:
    """For each roll of the turn and each hand, the value of stopping there: with two seats, the probability of winning;
    with more, the chips given away."""
    standing, seat = view["standing"], view["seat"]
    done = sorted(RANKS.index(Rank(*other)) for other in view["ranks"] if other is not None)
    if len(standing) > 2:
        lines = _among(len(standing), len(standing) - len(done) - 1, *summed_up(done))
    elif done:
        lines = [_second(standing[1 - seat], standing[seat], done[0])] * MOST_ROLLS
    else:
        lines = _first(standing[seat], standing[1 - seat])
    return lines[: view["limit"]]


# A turn


def turn(ends: Sequence[Array]) -> list[Array]:
    """The values of each roll of a turn before it is made. `ends` has an array per roll, with hands on the first axis.
    On the last axis the first entry is the value that the player maximizes, followed by other results of the turn.

    Of equally good options, the first is chosen. Which one it is can matter to the other players, so the choice must be
    the same on every processor. The last digits of sums can vary, so they are rounded off before comparing."""
    now = ends[-1]
    found = [np.tensordot(_CHANCES[0], now, 1)]
    for end in ends[-2::-1]:
        again = np.tensordot(_CHANCES, now, 1)
        choices = again[..., 0].round(DIGITS)[_MAY_KEEP]
        keep = np.choose(choices.argmax(axis=1), np.moveaxis(_MAY_KEEP, 1, 0)[(..., *[None] * (end.ndim - 2))])
        rolled = np.take_along_axis(again, keep[..., None], axis=0)
        now = np.where(end[..., :1].round(DIGITS) >= rolled[..., :1].round(DIGITS), end, rolled)
        found.insert(0, np.tensordot(_CHANCES[0], now, 1))
    return found


# Two seats: a round has eight results, because either seat can win it, with one of four kinds of hand


def _fall(first: int, second: int) -> Array:
    """The probability of each result of a round with these ranks. A tie is decided by lot."""
    kind = CHIPS[max(first, second)] - 1
    ways = np.zeros(2 * MOST_CHIPS)
    ways[kind], ways[MOST_CHIPS + kind] = (1 + np.sign(first - second)) / 2, (1 + np.sign(second - first)) / 2
    return ways


# [the second seat's hand, the first seat's rank]: the probability of each result of the round
FALLS = np.array([[_fall(first, second) for first in range(len(RANKS))] for second in RANK_OF])


def second_ends(stakes: Array) -> Array:
    """What ending on each hand is worth to the second seat, by hand, rank to beat and row of `stakes`."""
    return 1 - np.tensordot(FALLS, stakes, (2, 1))


def first_ends(second: Sequence[Array]) -> list[Array]:
    """What ending on each hand after each roll is worth to the first seat. `second` has the values of the second seat's
    rolls, because that seat gets as many rolls as the first seat has used. On the last axis, only the first entry is a
    value; the others stay unchanged."""
    return [np.concatenate([1 - hope[..., :1], hope[..., 1:]], axis=-1)[RANK_OF] for hope in reversed(second)]


def stakes_of(chance: Array) -> Array:
    """The first seat's probability of winning the game after each result of a round, with a row for each number of
    chips that it can have. `chance` is the probability of winning for each number of chips that a seat can have."""
    total = len(chance) - 1
    mine, each = np.arange(1, total)[:, None], np.arange(1, MOST_CHIPS + 1)
    after: Array = np.concatenate([np.maximum(mine - each, 0), np.minimum(mine + each, total)], axis=1)
    has: Array = chance[after]
    return has


def chance_of(chips: int) -> Array:
    """The probability of winning for each number of chips that a seat can have, in a game that started with `chips`
    each."""
    kept: Array = load("pocoloco")["two"]
    return kept[chips**2 - 1 : (chips + 1) ** 2 - 1]  # the tables of all smaller games come first


def _stakes(first: int, second: int) -> Array:
    return stakes_of(chance_of((first + second) // 2))[first - 1 : first]


@lru_cache(maxsize=1000)
def _first(mine: int, others: int) -> list[list[float]]:
    second = turn([second_ends(_stakes(mine, others))[..., None]] * MOST_ROLLS)
    return [line[:, 0, 0].tolist() for line in first_ends(second)]


@lru_cache(maxsize=1000)
def _second(others: int, mine: int, to_beat: int) -> list[float]:
    line: list[float] = second_ends(_stakes(others, mine))[:, to_beat, 0].tolist()
    return line


# More seats: tables of chips, by the best kind so far, the lowest rank so far, and how many seats share it


NOBODY = (0, len(RANKS), 0)
"""Before the first turn: no best kind, and a lowest rank above all others."""


def summed_up(done: Sequence[int]) -> tuple[int, int, int]:
    """Everything that matters about the finished turns. `done` is sorted from the lowest rank up."""
    return (int(CHIPS[done[-1]]) - 1, done[0], done.count(done[0])) if done else NOBODY


def no_more_turns(seats: int) -> Array:
    """The chips that a seat can expect to give away after everyone has rolled: if it is among the lowest, and if it is
    not. The loser is drawn from the lowest seats and receives the chips."""
    each = np.arange(1, MOST_CHIPS + 1)[:, None, None]
    sharing = np.maximum(np.arange(seats + 1), 1)
    shape = (MOST_CHIPS, len(RANKS), seats + 1)
    return np.stack([np.broadcast_to(give, shape) for give in (each * (1 - seats / sharing), each)], axis=-1)


def after_turn(then: Array, kind: Array, lowest: Array, sharing: Array) -> Array:
    """From the table with one seat fewer to come: what a turn that ends on each hand gives to its own seat, to the
    seats that were lowest, and to the other seats."""
    mine = RANK_OF.reshape(-1, *[1] * np.ndim(lowest))
    sharing = np.where(mine > lowest, sharing, np.where(mine == lowest, sharing + 1, 1))
    after = then[np.maximum(kind, CHIPS[mine] - 1), np.minimum(lowest, mine), sharing]
    own = np.where(mine > lowest, after[..., 1], after[..., 0])
    lost = np.where(mine < lowest, after[..., 1], after[..., 0])
    return np.stack([own, lost, after[..., 1]], axis=-1)


@lru_cache(maxsize=1000)
def _among(seats: int, to_come: int, kind: int, lowest: int, sharing: int) -> list[list[float]]:
    at = np.array(kind), np.array(lowest), np.array(sharing)
    return [after_turn(then, *at)[:, 0].tolist() for then in _tables(seats)[to_come]]


@cache
def _tables(seats: int) -> list[list[Array]]:
    """The tables, by the number of seats to come and then by the next seat's roll limit."""
    return [[no_more_turns(seats)] * MOST_ROLLS, *load("pocoloco")[f"among{seats}"]]


def _share(standing: Sequence[int], seat: int, given: float) -> float:
    """The probability of winning, estimated from each seat's expected chips: the fewer chips, the larger the seat's
    share. With two seats, a share is nearly proportional to 1/chips, and with more seats it falls more steeply. This
    was fitted to games between perfect players."""
    others = given / (len(standing) - 1)
    left = [chips - given if each == seat else chips + others for each, chips in enumerate(standing)]
    shares = [exp(-log2(len(standing)) * _log(chips)) for chips in left]
    return shares[seat] / sum(shares)


def _log(chips: float) -> float:
    """The logarithm, but below 1 a straight line, because the expected number of chips left can be zero or negative."""
    return log(chips) if chips > 1 else chips - 1
