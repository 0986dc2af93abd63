"""Solves PocoLoco: the winning probability by chips for two seats, and the expected chips per turn for three to ten."""

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

MOST_TO_BEGIN = 100  # chips at the start
MOST_SEATS = 10
SETTLED = 1e-10
GRAIN = 2.0**-14  # fraction of a chip to which tables are rounded, so that they compress well


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
    """The probability of winning for each number of chips that a seat can have, in a game between two that started with
    `chips` each."""
    found = np.linspace(1, 0, 2 * chips + 1)
    while True:
        better = _played(found, how_rounds_fall(stakes_of(found)))
        moved = np.abs(better - found).max()
        found = better
        if moved < SETTLED:
            return found


def how_rounds_fall(stakes: Array) -> Array:
    """For each row of `stakes`, the probability of each result of a round that both seats play perfectly."""
    worth = second_ends(stakes)[..., None]
    falls = np.broadcast_to(FALLS[:, :, None], (*worth.shape[:-1], FALLS.shape[-1]))
    first = first_ends(turn([np.concatenate([worth, falls], axis=-1)] * MOST_ROLLS))
    return turn(first)[0][:, 1:]


def _played(found: Array, falls: Array) -> Array:
    """The winning probability for each number of chips that a seat can have. `falls` has the probability of each result
    of a round, and each seat goes first half the time.

    Each equation says that the probability before a round is the average of the probabilities after it."""
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
    """The chips that a seat can expect to give away: if it is among the lowest now, and if it is not. The indices are
    the number of seats to come (from 1), the next seat's roll limit, the best kind so far, the lowest rank so far, and
    how many seats share it."""
    kind, lowest, sharing = np.indices((MOST_CHIPS, len(RANKS), seats))
    then = [no_more_turns(seats)] * MOST_ROLLS
    tables = np.zeros((seats - 1, MOST_ROLLS, MOST_CHIPS, len(RANKS), seats + 1, 2))
    for to_come in range(1, seats):
        done = seats - to_come
        # Only possible states: no lowest rank is above the best kind, and at most `done` seats share the lowest rank.
        real = (CHIPS[lowest] - 1 <= kind) & (sharing >= 1) & (sharing <= done)
        states = kind[real], lowest[real], sharing[real]
        ends = [after_turn(table, *states) for table in then]
        for limit in range(1, MOST_ROLLS + 1):
            tables[to_come - 1, limit - 1][states] = turn(ends[:limit])[0][:, 1:]
        then = list(tables[to_come - 1])
    return tables
