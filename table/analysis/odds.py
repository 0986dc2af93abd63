"""The chances of the moment: all of a game, those that matter now, and those that one seat alone can reckon with.

Its one rule: they come from a view. From the public one they give nobody's hand away; what comes from a seat's own
(`own`) is for that seat's eyes.
"""

from fractions import Fraction
from typing import NamedTuple

from table.engine.asks import Ask, Choose, Option, Over, Roll, View
from table.games import chances
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco


class Odds(NamedTuple):
    """One line: what might happen (a word, with its facts) and how likely it is."""

    what: str
    facts: dict[str, int]
    chance: float


Exact = tuple[str, dict[str, int], Fraction | int]


def odds(view: View) -> list[Odds]:
    """All that a game has of them."""
    return _rounded(ODDS[view["game"]](view))


def now(view: View, ask: Ask | Over, option: Option | None = None) -> list[Odds]:
    """The one or two that whoever is asked weighs up; where that makes a difference, of the option looked at."""
    return _rounded(NOW[view["game"]](view, ask, option)) if isinstance(ask, (Roll, Choose)) else []


def own(view: View) -> list[Odds]:
    """What its own dice tell a seat of the bid. In Bluff they tell nothing: those of whoever claims are other dice."""
    knows = view["game"] == "cacho" and any(map(any, view["dice"]))  # not those under its own real cup
    return _rounded(of_standing_bid(view)) if knows else []


def _rounded(lines: list[Exact]) -> list[Odds]:
    return [Odds(what, facts, float(chance)) for what, facts, chance in lines]


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


def mexico_now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """To beat the best of this round with the rolls left, and to be better than the lowest, who loses; first of all
    to do better with the next roll."""
    scores = sorted({score for score in view["scores"] if score is not None}, key=mexico.RANKING.index)
    dice, left = view["dice"][ask.seat], view["limit"] - view["rolls"]
    if isinstance(ask, Choose) and not scores:
        score = mexico.score(dice)
        return [("next", {"score": score}, chances.mexico_better(score))]
    if isinstance(ask, Roll) and ask.count == 1:  # for who begins, or who loses
        return []

    def better(score: int) -> Fraction | int:
        has = isinstance(ask, Choose) and mexico.rank(dice) > mexico.rank(divmod(score, 10))
        return 1 if has else chances.within(chances.mexico_better(score), left)

    lines: list[Exact] = [("lowest", {"score": scores[-1]}, better(scores[-1]))] if len(scores) > 1 else []
    return lines + [("beats", {"score": score}, better(score)) for score in scores[:1]]


def bluff_now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """That a claim is true, for somebody who goes by the dice alone."""
    asked = isinstance(ask, Choose) and ask.options[0] == "accept"
    return [("sum", {"sum": view["claim"]}, chances.bluff_sum(view["claim"]))] if asked else []


def pocoloco_now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """To beat the best of this round with the rolls left, first of all the own hand; with the dice that are looked at
    thrown again, else with those that are best."""
    ranks = [pocoloco.Rank(*rank) for rank in view["ranks"] if rank is not None]
    hand, left = tuple(view["dice"][ask.seat]), view["limit"] - view["rolls"]
    if isinstance(ask, Roll):
        if not ranks or ask.count < pocoloco.GAME.dice:  # which dice stay is not in the view
            return []
        return [("best", {}, chances.pocoloco_better(max(ranks), left if hand else view["limit"]))]
    rank = max(ranks, default=pocoloco.rank(hand))
    chance = chances.pocoloco_better_from(rank, 0 if option == "end" else left, hand)
    if isinstance(option, tuple) and isinstance(option[1], tuple):
        chance = chances.pocoloco_better(rank, left, chances.kept(hand, option[1]))
    return [("best" if ranks else "this", {}, chance)]


def cheese_now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """To cut the cheese with the next roll, and to pass it where that is worth something; while dice are kept, with
    those that would be left: of the set that is looked at, else of the smallest and of the largest."""
    offered = () if isinstance(ask, Roll) else (option,) if option else ask.options
    kept = [len(each[1]) for each in offered if isinstance(each[1], tuple)] or [0]
    counts = [view["left"] - size for size in sorted({min(kept), max(kept)}) if size < view["left"]]
    lines: list[Exact] = [("cut", {"count": count}, chances.cheese_cut(count)) for count in counts]
    if len(counts) == 1 and (view["card"] or view["options"]["pass_bonus"]):
        lines.append(("pass", {"count": counts[0]}, chances.cheese_all(counts[0])))
    return lines


def cacho_now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    return of_standing_bid(view) if isinstance(ask, Choose) else []


def of_standing_bid(view: View) -> list[Exact]:
    """That it holds, and that it is exact: the dice in the view are counted, all others may be anything."""
    if not view["bid"]:
        return []
    count, face = view["bid"]
    known = [die for dice in view["dice"] for die in dice if die]
    missing = count - cacho.count(face, [known], wild=not view["single"])
    others = view["in_play"] - len(known), chances.cacho_one_in(face, view["single"])
    facts = {"count": count, "face": face}
    return [
        ("bid", facts, chances.cacho_at_least(missing, *others)),
        ("exact", facts, chances.cacho_exactly(missing, *others)),
    ]


ODDS = {"mexico": of_mexico, "bluff": of_bluff, "pocoloco": of_pocoloco, "cheese": of_cheese, "cacho": of_cacho}
NOW = {
    "mexico": mexico_now,
    "bluff": bluff_now,
    "pocoloco": pocoloco_now,
    "cheese": cheese_now,
    "cacho": cacho_now,
}
