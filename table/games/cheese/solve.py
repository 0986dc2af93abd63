"""Solves Pass the Cheese for two seats: the winning probability for every pair of scores, by value iteration.

Only the distance to the goal matters, so one table serves all goals. Scores are solved backwards from the goal. Banking
leads to scores closer to the goal, which are solved already. A cut leaves both scores unchanged. So all pairs with the
same total distance are solved together, and each depends only on the pair with the seats swapped.

A turn is solved as in `bots`, but for many pairs of scores at a time.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from table.games.cheese.bots import MOST, SOLVED_GOAL, throws
from table.games.cheese.rules import DICE

STEP = 50  # points; every score is a multiple of this
FARTHEST = SOLVED_GOAL // STEP
BIGGEST = MOST // STEP  # the most that one turn can gain
EXACT = 1e-13  # the iteration stops when all changes are smaller than this

Array = np.ndarray[Any, Any]


def turns(bank: Array, cut: Array) -> Array:
    """The values of a turn in many positions at once. `bank` has a row for each gain and a column for each position."""
    kept: dict[int, Array] = {0: bank}  # for each number of dice left: a row for each gain that is possible by then
    for dice in range(1, DICE + 1):
        # The most points that the kept dice can score: 1000 for three ones, 100 for each one outside a triple.
        gains = most_kept(DICE - dice) + 1
        worth = np.zeros((gains, bank.shape[1]))
        for count, ways in throws(dice):
            best = None
            for points, used in ways:
                more = points // STEP
                reached = kept[dice - used][more : more + gains]
                best = reached if best is None else np.maximum(best, reached)
            worth += count * (cut if best is None else best)
        worth /= 6**dice
        kept[dice] = np.maximum(bank[:gains], worth)
    first: Array = worth[0]
    return first


def most_kept(dice: int) -> int:
    """The most points that this many kept dice can have scored, in units of STEP."""
    return (dice // 3 * 1000 + dice % 3 * 100) // STEP


def last_turns() -> Array:
    """The probability that a seat takes the lead in one last turn, by how many steps it is behind. A tie counts as
    half."""
    gain = np.arange(BIGGEST + 1)[:, None]
    behind = np.arange(BIGGEST + 2)[None, :]
    chances = turns((gain > behind) + (gain == behind) / 2, np.zeros(BIGGEST + 2))
    chances[-1] = 0
    return chances


def race(replies: Array, progress: Callable[[float], None], farthest: int = FARTHEST) -> Array:
    """The winning probability of the seat that just finished its turn, by the steps that it and the other seat still
    need. Index 0 is never used.

    `replies` is the other seat's probability of winning after this seat has reached the goal, by how far the other seat
    is behind."""
    chances = np.zeros((farthest + 1, farthest + 1))  # winning probabilities of the seat whose turn it is
    gain = np.arange(BIGGEST + 1)[:, None]
    for distance in range(2, 2 * farthest + 1):
        mine = np.arange(max(1, distance - farthest), min(farthest, distance - 1) + 1)
        other = distance - mine
        left = mine - gain
        ahead = np.clip(other - left, 0, len(replies) - 1)
        bank = 1 - np.where(left > 0, chances[other, np.maximum(left, 0)], replies[ahead])
        here = np.full(len(mine), 0.5)
        while True:
            # After a cut it is the other seat's turn. Reversing the diagonal swaps the seats.
            cut = 1 - here[::-1]
            bank[0] = cut
            before, here = here, turns(bank, cut)
            if np.abs(here - before).max() < EXACT:
                break
        chances[mine, other] = here
        progress(distance / farthest / 2)
    return 1 - chances.T


def build(progress: Callable[[float], None]) -> dict[str, Array]:
    plain = race(np.zeros(1), lambda share: progress(share / 2))
    last = race(last_turns(), lambda share: progress(0.5 + share / 2))
    return {"plain": plain.astype(np.float32), "last_turn": last.astype(np.float32)}
