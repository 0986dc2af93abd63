"""The classic computer of PocoLoco: keeps ones and sixes, and stops at a good roll that is not the lowest."""

from collections.abc import Sequence

from table.rules.pocoloco import POINTS, Rank, rank
from table.rules.vocabulary import Option, View

GOOD_ENOUGH = Rank(1, 160)  # a one and a six


def classic(view: View, options: Sequence[Option]) -> list[float]:
    dice = view["dice"][view["seat"]]
    choice = _choice(dice, [Rank(*done) for done in view["ranks"] if done is not None])
    return [float(option == choice) for option in options]


def _choice(dice: Sequence[int], done: Sequence[Rank]) -> Option:
    safe = not done or rank(dice) > min(done)
    if safe and rank(dice) >= GOOD_ENOUGH:
        return "end"
    poor = tuple(place for place, die in enumerate(dice) if die not in (1, 6))
    if poor:
        return "reroll", poor
    return "reroll", (min(range(3), key=lambda place: POINTS[dice[place]]),)
