"""The classic computer of Mexico: as it stands in the rule book."""

from collections.abc import Sequence

from table.rules.mexico import rank, score
from table.rules.vocabulary import Option, View

TOSS_UP = (53, 54, 61, 62, 63, 64, 65)  # as leader it rolls again half of the time


def classic(view: View, options: Sequence[Option]) -> list[float]:
    """As leader it ends on any double and tosses a coin on a good number; after that it wants to beat the leader, or
    with several seats the lowest score so far, because only the lowest loses."""
    dice = view["dice"][view["seat"]]
    again = _again_as_leader(score(dice))
    to_beat = [rank(divmod(read, 10)) for read in view["scores"] if read is not None]
    if to_beat and rank(dice) != min(to_beat):
        again = 0.0 if rank(dice) > min(to_beat) else 1.0
    return [again if option == "roll" else 1 - again for option in options]


def _again_as_leader(read: int) -> float:
    if read % 11 == 0:
        return 0.0
    return 0.5 if read in TOSS_UP else 1.0
