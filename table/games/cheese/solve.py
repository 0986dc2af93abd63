"""Pass the Cheese for two: the chance to win for every pair of scores, by value iteration.

Only how far it is to the goal matters, so one table serves every goal. Scores are solved from the goal backwards: a
turn that banks leads to scores nearer to it, which are known; only cutting leaves both where they were. So all pairs
with the same distance together are solved at once, and each waits for nothing but the pair with its places changed.

The one rule: the turn itself is that of table.bots.cheese, here for many pairs of scores at a time.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from table.games.cheese.bots import MOST, SOLVED_GOAL, throws
from table.games.cheese.rules import DICE

STEP = 50  # every score is a multiple of it
FARTHEST = SOLVED_GOAL // STEP
BIGGEST = MOST // STEP  # gain of a turn
EXACT = 1e-13  # changes less than this are none

Array = np.ndarray[Any, Any]


def turns(bank: Array, cut: Array) -> Array:
    """What a turn is worth in many places at once. `bank`: a row for each gain, a column for each place."""
    kept: dict[int, Array] = {0: bank}  # by dice left, as far as that many steps can have been gained
    for dice in range(1, DICE + 1):
        # With so many dice left, at most this was kept: 1000 for three ones, 100 for each one more.
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
    """Steps gained with so many dice kept."""
    return (dice // 3 * 1000 + dice % 3 * 100) // STEP


def last_turns() -> Array:
    """By how many steps it is behind, the chance of a seat to get to the top in one last turn; a tie is half of it."""
    gain = np.arange(BIGGEST + 1)[:, None]
    behind = np.arange(BIGGEST + 2)[None, :]
    chances = turns((gain > behind) + (gain == behind) / 2, np.zeros(BIGGEST + 2))
    chances[-1] = 0
    return chances


def race(replies: Array, progress: Callable[[float], None], farthest: int = FARTHEST) -> Array:
    """The chance of the seat whose turn is over, by the steps that it and the other lack (0 is never looked up).

    `replies`: the other's chance to win yet when the goal was reached, by how far it is behind then."""
    chances = np.zeros((farthest + 1, farthest + 1))  # of the seat whose turn it is
    gain = np.arange(BIGGEST + 1)[:, None]
    for distance in range(2, 2 * farthest + 1):
        mine = np.arange(max(1, distance - farthest), min(farthest, distance - 1) + 1)
        other = distance - mine
        left = mine - gain
        ahead = np.clip(other - left, 0, len(replies) - 1)
        bank = 1 - np.where(left > 0, chances[other, np.maximum(left, 0)], replies[ahead])
        here = np.full(len(mine), 0.5)
        while True:
            # Reversed along the diagonal, the places are changed: the other's turn after a cut.
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
