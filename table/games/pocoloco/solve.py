"""PocoLoco: the chance to win a game of two by chips, and what a finished turn gives in chips among three to ten."""

from collections.abc import Callable

import numpy as np

from table.games.pocoloco.perfect import (
    CHIPS,
    FALLS,
    MOST_CHIPS,
    RANKS,
    Array,
    after_turn,
    first_ends,
    no_more_turns,
    second_ends,
    stakes_of,
    turn,
)
from table.games.pocoloco.rules import MOST_ROLLS

MOST_TO_BEGIN = 100  # chips
MOST_SEATS = 10
SETTLED = 1e-10
GRAIN = 2.0**-14  # of a chip: what the tables are rounded to, so that they pack well


def build(progress: Callable[[float], None]) -> dict[str, Array]:
    two = []
    for chips in range(1, MOST_TO_BEGIN + 1):
        two.append(chance(chips))
        progress(0.9 * (chips / MOST_TO_BEGIN) ** 2)
    tables = {"two": np.concatenate(two)}
    for seats in range(3, MOST_SEATS + 1):
        tables[f"among{seats}"] = (np.round(among(seats) / GRAIN) * GRAIN).astype(np.float32)
        progress(0.9 + 0.1 * (seats / MOST_SEATS) ** 2)
    return tables


def chance(chips: int) -> Array:
    """The chance to win by one's own chips, in a game of two that began with so many each."""
    found = np.linspace(1, 0, 2 * chips + 1)
    while True:
        better = _played(found, how_rounds_fall(stakes_of(found)))
        moved = np.abs(better - found).max()
        found = better
        if moved < SETTLED:
            return found


def how_rounds_fall(stakes: Array) -> Array:
    """For each line of stakes, the chance of each way that a round falls if both play for them as well as can be."""
    worth = second_ends(stakes)[..., None]
    falls = np.broadcast_to(FALLS[:, :, None], (*worth.shape[:-1], FALLS.shape[-1]))
    first = first_ends(turn([np.concatenate([worth, falls], axis=-1)] * MOST_ROLLS))
    return turn(first)[0][:, 1:]


def _played(found: Array, falls: Array) -> Array:
    """The chance to win if every round falls like that, for the first by its chips, and half of the time one is first.

    A line of the equations says that one's chance is what the round leaves of it, first or second."""
    total = len(found) - 1
    to = stakes_of(np.arange(total + 1))
    first = np.zeros((total - 1, total + 1))
    for way in range(2 * MOST_CHIPS):
        first[np.arange(total - 1), to[:, way]] += falls[:, way]
    second = first[::-1, ::-1]
    over = np.array([1.0, 0.0])
    both = (first + second) / 2
    inside = np.linalg.solve(np.eye(total - 1) - both[:, 1:-1], both[:, [0, -1]] @ over)
    return np.concatenate([over[:1], inside, over[1:]])


def among(seats: int) -> Array:
    """By how many seats are to come (from one up), how often the next may roll, the best kind so far, the lowest rank
    so far, and how many share it: the chips that a seat will give if it is lowest now, and if it is not."""
    kind, lowest, sharing = np.indices((MOST_CHIPS, len(RANKS), seats))
    then = [no_more_turns(seats)] * MOST_ROLLS
    tables = np.zeros((seats - 1, MOST_ROLLS, MOST_CHIPS, len(RANKS), seats + 1, 2))
    for to_come in range(1, seats):
        done = seats - to_come
        # The best is at least as good as the lowest, and no more can share it than have rolled.
        real = (CHIPS[lowest] - 1 <= kind) & (sharing >= 1) & (sharing <= done)
        states = kind[real], lowest[real], sharing[real]
        ends = [after_turn(table, *states) for table in then]
        for limit in range(1, MOST_ROLLS + 1):
            tables[to_come - 1, limit - 1][states] = turn(ends[:limit])[0][:, 1:]
        then = list(tables[to_come - 1])
    return tables
