"""The classic computer of Pass the Cheese: keeps all that scores, and rolls on while one more roll should gain."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from table.rules.cheese import CARD_BONUS, score
from table.rules.vocabulary import Option, View


class Roll(NamedTuple):
    """What one roll of some dice brings."""

    cut: float  # chance that nothing scores
    gain: float  # points on average, keeping all that scores
    passing: float  # chance that every die scores


@cache
def one_roll(dice: int) -> Roll:
    rolls = [score(roll) for roll in product(range(1, 7), repeat=dice)]
    cuts = sum(not roll.reasons for roll in rolls)
    passes = sum(not roll.unscored for roll in rolls)
    return Roll(cuts / len(rolls), sum(roll.total for roll in rolls) / len(rolls), passes / len(rolls))


def classic(view: View, options: Sequence[Option]) -> list[float]:
    if "roll" in options:
        choice: Option = "roll" if _rolls_on(view) else "end"
    else:
        roll = view["dice"][view["seat"]]
        choice = max(options, key=lambda option: _worth(roll, option[1]))
    return [float(option == choice) for option in options]


def _worth(roll: Sequence[int], places: Any) -> tuple[int, int]:
    """The most points; among equals, the most dice."""
    return score([roll[place] for place in places]).total, len(places)


def _rolls_on(view: View) -> bool:
    options, seat, points = view["options"], view["seat"], view["points"]
    total = view["standing"][seat] + points
    if view["finisher"] is not None:  # the last turn: only the top counts
        return bool(total < max(view["standing"]))
    if total >= options["goal"] and not options["last_turn"]:
        return False
    bonus = options["pass_bonus"] + CARD_BONUS.get(view["card"], 0)
    next_roll = one_roll(view["left"])
    return bool(next_roll.gain + next_roll.passing * bonus > next_roll.cut * points)
