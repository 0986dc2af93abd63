"""The chances that everybody at the table may know: those of the moment, from the public view alone.

Its one rule: no hidden die comes in here, so a chance on the shared screen gives nobody's hand away.
"""

from fractions import Fraction
from typing import NamedTuple

from table import chances
from table.rules import cacho, cheese, mexico, pocoloco
from table.rules.vocabulary import View


class Odds(NamedTuple):
    """One line: what might happen (a word, with its facts) and how likely it is."""

    what: str
    facts: dict[str, int]
    chance: float


Exact = tuple[str, dict[str, int], Fraction]


def odds(view: View) -> list[Odds]:
    return [Odds(what, facts, float(chance)) for what, facts, chance in ODDS[view["game"]](view)]


def of_mexico(view: View) -> list[Exact]:
    """How good one throw may be, and how likely the throws that are left beat the best score of this round."""
    mexicos = chances.mexico_at_least(mexico.MEXICO)
    lines: list[Exact] = [("mexico", {}, mexicos), ("double", {}, chances.mexico_at_least(11) - mexicos)]
    lines += [("score", {"score": score}, chances.mexico_at_least(score)) for score in (61, 51, 41)]
    scores = [score for score in view["scores"] if score is not None]
    if scores:
        best = min(scores, key=mexico.RANKING.index)  # the best stands first
        once, left = chances.mexico_better(best), max(1, view["limit"] - view["rolls"])
        lines += [
            ("beat", {"score": best, "count": rolls}, chances.within(once, rolls)) for rolls in range(1, left + 1)
        ]
    return lines


def of_bluff(view: View) -> list[Exact]:
    """How often two dice make each sum."""
    return [("sum", {"sum": total}, chances.bluff_sum(total)) for total in range(2, 13)]


def of_pocoloco(view: View) -> list[Exact]:
    """How often three dice make each kind of hand, and beat the best of this round."""
    lines: list[Exact] = [(kind, {}, chances.pocoloco_kind(kind)) for kind in ("poco", "three", "loco")]
    lines += [("points", {"points": points}, chances.pocoloco_at_least(points)) for points in (200, 160, 100)]
    ranks = [pocoloco.Rank(*rank) for rank in view["ranks"] if rank is not None]
    if ranks:
        lines.append(("best", {}, chances.pocoloco_better(max(ranks))))
    return lines


def of_cheese(view: View) -> list[Exact]:
    """How often so many dice score nothing at all."""
    return [("cut", {"count": dice}, chances.cheese_cut(dice)) for dice in range(cheese.DICE, 0, -1)]


def of_cacho(view: View) -> list[Exact]:
    """How likely so many of a face are among all the dice in play, for somebody who sees none of them."""
    bid, dice = view["bid"], view["in_play"]
    if not dice:
        return []
    face = bid[1] if bid else cacho.ACES + 1
    one_in = chances.cacho_one_in(face, view["single"])
    middle = bid[0] if bid else max(1, round(dice / one_in))
    least = max(1, min(middle - 2, dice - 5))
    return [
        ("bid", {"count": count, "face": face}, chances.cacho_at_least(count, dice, one_in))
        for count in range(least, min(dice, least + 5) + 1)
    ]


ODDS = {"mexico": of_mexico, "bluff": of_bluff, "pocoloco": of_pocoloco, "cheese": of_cheese, "cacho": of_cacho}
