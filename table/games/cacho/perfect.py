"""The perfect player of Cacho plays the last rounds between two seats from solved tables. Otherwise it searches, reads
the bids, and considers the next seat's reply.

The player's choices and the values that it reports come from the same numbers.
"""

from collections.abc import Sequence
from math import exp

from table.engine.asks import Option, View
from table.games.cacho import tables
from table.games.cacho.search import WIDER, Mind, doubted, mind, values

MIXING = 0.04  # an option that is worse than the best by this share of the stakes is chosen 1/e times as often
SELDOM = 0.05  # an option is never chosen if its weight, relative to the best option's, is lower than this


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    solved = tables.policy(view)
    return solved or searched(mind(view), options)


def searched(seen: Mind, options: Sequence[Option]) -> list[float]:
    """The best option by search, mixed with options that are almost as good, because fixed habits are easy to read."""
    worth = values(seen, options)
    best = max(worth.values())
    stakes = max(best - min(worth.values()), 1e-9)
    weights = {option: exp((value - best) / (MIXING * stakes)) for option, value in worth.items()}
    chosen = {option: weight for option, weight in weights.items() if weight >= SELDOM}
    return [chosen.get(option, 0.0) / sum(chosen.values()) for option in options]


def win(view: View, options: Sequence[Option]) -> list[float]:
    """The probability of winning the game after each option. In a solved round, the table's value, from -1 to 1, is
    converted to a probability: -1 becomes the probability of winning the game after losing a die, and 1 the probability
    after winning one. Otherwise the search estimates the probability. Bids that the search ignores are valued as if the
    next seat called dudo."""
    seen = mind(view)
    solved = tables.worth(view)
    if solved is not None:
        low, high = seen.theirs.right, seen.theirs.wrong
        return [low + (high - low) * (value + 1) / 2 for value in solved]
    best = max(values(seen, options).values())
    worth = values(seen, options, WIDER)
    return [
        min(best, worth[option] if option in worth else doubted(seen, option[1]))  # type: ignore[arg-type]
        for option in options
    ]
