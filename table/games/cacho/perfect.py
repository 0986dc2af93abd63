"""Perfect Cacho: the tables where a round of two is solved, and before that a player who reads the bids and thinks of
what the next seat would do.

Its one rule: what it would choose and what it says an option is worth come from the same numbers.
"""

from collections.abc import Sequence
from math import exp

from table.engine.asks import Option, View
from table.games.cacho import tables
from table.games.cacho.search import WIDER, Mind, doubted, mind, values

MIXING = 0.04  # of what is at stake: an option so much worse than the best is chosen 1/e times as often
SELDOM = 0.05  # what would be chosen less often than this, beside the best, is not chosen


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    solved = tables.policy(view)
    return solved or searched(mind(view), options)


def searched(seen: Mind, options: Sequence[Option]) -> list[float]:
    """The best by search, and beside it what is nearly as good: who always does the same is soon read."""
    worth = values(seen, options)
    best = max(worth.values())
    stakes = max(best - min(worth.values()), 1e-9)
    weights = {option: exp((value - best) / (MIXING * stakes)) for option, value in worth.items()}
    chosen = {option: weight for option, weight in weights.items() if weight >= SELDOM}
    return [chosen.get(option, 0.0) / sum(chosen.values()) for option in options]


def win(view: View, options: Sequence[Option]) -> list[float]:
    """In a solved round what the round is then worth, between losing a die and the other's losing one. Elsewhere what
    the search says, and of bids that it would not think of, what they would be worth if they were doubted."""
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
