"""The chances that everybody at the table may know: from the public view alone, exact.

Its one rule: no hidden die comes in here, so a chance on the shared screen gives nobody's hand away.
"""

from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

from table.rules import cacho, cheese, mexico, pocoloco
from table.rules.vocabulary import View


class Odds(NamedTuple):
    """One line: what might happen (a word, with its facts) and how likely it is."""

    what: str
    facts: dict[str, int]
    chance: float


def odds(view: View) -> list[Odds]:
    return ODDS[view["game"]](view)


def of_mexico(view: View) -> list[Odds]:
    """How good one throw may be, and how likely the throws that are left beat the best score of this round."""
    lines = [Odds("mexico", {}, 2 / 36), Odds("double", {}, 6 / 36)]
    lines += [Odds("score", {"score": score}, _mexico_at_least(score)) for score in (61, 51, 41)]
    scores = [score for score in view["scores"] if score is not None]
    if scores:
        best = min(scores, key=mexico.RANKING.index)  # the best stands first
        lines += _beating(best, _mexico_better(best), view)
    return lines


def _beating(score: int, once: float, view: View) -> list[Odds]:
    left = max(1, view["limit"] - view["rolls"])
    return [Odds("beat", {"score": score, "count": rolls}, 1 - (1 - once) ** rolls) for rolls in range(1, left + 1)]


def _mexico_at_least(score: int) -> float:
    place = mexico.RANKING.index(score)
    return sum(1 if better % 11 == 0 else 2 for better in mexico.RANKING[: place + 1]) / 36


def _mexico_better(score: int) -> float:
    place = mexico.RANKING.index(score)
    return sum(1 if better % 11 == 0 else 2 for better in mexico.RANKING[:place]) / 36


def of_bluff(view: View) -> list[Odds]:
    """How often two dice make each sum."""
    return [Odds("sum", {"sum": total}, (6 - abs(7 - total)) / 36) for total in range(2, 13)]


def of_pocoloco(view: View) -> list[Odds]:
    """How often three dice make each kind of hand, and beat the best of this round."""
    rolls = _pocoloco_rolls()
    lines = [
        Odds(what, {}, sum(rank.chips == chips for rank in rolls) / len(rolls))
        for what, chips in (("poco", 4), ("three", 3), ("loco", 2))
    ]
    lines += [
        Odds("points", {"points": points}, sum(rank >= pocoloco.Rank(1, points) for rank in rolls) / len(rolls))
        for points in (200, 160, 100)
    ]
    ranks = [pocoloco.Rank(*rank) for rank in view["ranks"] if rank is not None]
    if ranks:
        best = max(ranks)
        lines.append(Odds("best", {}, sum(rank > best for rank in rolls) / len(rolls)))
    return lines


@cache
def _pocoloco_rolls() -> list[pocoloco.Rank]:
    return [pocoloco.rank(roll) for roll in product(range(1, 7), repeat=3)]


def of_cheese(view: View) -> list[Odds]:
    """How often so many dice score nothing at all."""
    return [Odds("cut", {"count": dice}, _cut(dice)) for dice in range(6, 0, -1)]


@cache
def _cut(dice: int) -> float:
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(not cheese.score(roll).reasons for roll in rolls) / len(rolls)


def of_cacho(view: View) -> list[Odds]:
    """How likely so many of a face are among all the dice in play, for somebody who sees none of them."""
    bid, dice = view["bid"], view["in_play"]
    if not dice:
        return []
    face = bid[1] if bid else cacho.ACES + 1
    one = 1 / 6 if view["single"] or face == cacho.ACES else 1 / 3
    middle = bid[0] if bid else max(1, round(dice * one))
    least = max(1, min(middle - 2, dice - 5))
    return [
        Odds("bid", {"count": count, "face": face}, _at_least(count, dice, one))
        for count in range(least, min(dice, least + 5) + 1)
    ]


def _at_least(count: int, dice: int, one: float) -> float:
    return sum(comb(dice, k) * one**k * (1 - one) ** (dice - k) for k in range(count, dice + 1))


ODDS = {"mexico": of_mexico, "bluff": of_bluff, "pocoloco": of_pocoloco, "cheese": of_cheese, "cacho": of_cacho}
