"""The odds of Cacho: how likely a bid is to hold among all the dice in play."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from table.analysis.luck import Judged
from table.analysis.moments import Events, Moments
from table.analysis.odds import Exact
from table.analysis.sheets import Column, Sheet
from table.engine.asks import Answer, Choose, Dice, Option, Roll, Table, View
from table.engine.options import flag, number
from table.games.cacho import rules
from table.games.cacho.rules import ACES, FACES, MOST_DICE, MOST_SEATS


@dataclass(frozen=True)
class Parameters:
    dice: int = number(2 * rules.Options().dice, 1, MOST_SEATS * MOST_DICE, help="Dice in play, in all hands.")
    single: bool = flag(False, help="A single-die round, where aces are not wild.")


def one_in(face: int, single: bool) -> int:
    """One die in this many supports a bid on average: 3 if aces are wild and the bid is on another face, else 6."""
    return 6 if single or face == ACES else 3


@cache
def exactly(count: int, dice: int, one_in: int) -> Fraction:
    if not 0 <= count <= dice:  # `count` is negative if the visible dice already exceed the bid
        return Fraction(0)
    return Fraction(comb(dice, count) * (one_in - 1) ** (dice - count), one_in**dice)


@cache
def at_least(count: int, dice: int, one_in: int) -> Fraction:
    return sum((exactly(more, dice, one_in) for more in range(count, dice + 1)), Fraction(0))


def odds(view: View) -> list[Exact]:
    """How likely bids are to hold, for someone who sees none of the dice."""
    bid, dice = view["bid"], view["in_play"]
    if not dice:
        return []
    face = bid[1] if bid else ACES + 1
    often = one_in(face, view["single"])
    middle = bid[0] if bid else max(1, round(dice / often))
    least = max(1, min(middle - 2, dice - 5))
    return [
        ("bid", {"count": count, "face": face}, at_least(count, dice, often))
        for count in range(least, min(dice, least + 5) + 1)
    ]


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    return _of_standing_bid(view) if isinstance(ask, Choose) else []


def own(view: View) -> list[Exact]:
    """The odds of the current bid for a seat that sees its own dice. Empty if these dice are under a real cup."""
    return _of_standing_bid(view) if any(map(any, view["dice"])) else []


def _of_standing_bid(view: View) -> list[Exact]:
    """The probabilities that the current bid holds and that it is exact, given the dice that can be seen."""
    if not view["bid"]:
        return []
    count, face = view["bid"]
    known = [die for dice in view["dice"] for die in dice if die]
    missing = count - rules.count(face, [known], wild=not view["single"])
    others = view["in_play"] - len(known), one_in(face, view["single"])
    facts = {"count": count, "face": face}
    return [("bid", facts, at_least(missing, *others)), ("exact", facts, exactly(missing, *others))]


def tables(given: Parameters) -> dict[str, Sheet]:
    """How likely bids are to hold, and to be exact, for someone who sees none of the dice."""
    aces, other = (one_in(face, given.single) for face in (ACES, ACES + 1))
    title = (
        f"How often {given.dice} unseen dice include at least that many of a face (the bid holds), and exactly that "
        "many (for a calza)"
    )
    columns = Column("bid", "count", str), Column("holds", "at_least"), Column("exact", "exactly")
    of_aces = Column("aces hold", "aces_at_least"), Column("exact", "aces_exactly")
    return {
        "bids": Sheet(
            f"{title}. Aces are not wild in a single-die round:" if given.single else f"{title}:",
            columns if given.single else columns + of_aces,
            "at_least",
            [
                {
                    "count": count,
                    "at_least": at_least(count, given.dice, other),
                    "exactly": exactly(count, given.dice, other),
                    "aces_at_least": at_least(count, given.dice, aces),
                    "aces_exactly": exactly(count, given.dice, aces),
                }
                for count in range(1, given.dice + 1)
            ],
        )
    }


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """A roll is judged by how many of its dice support the same face. Dice under real cups count too, because all cups
    are lifted in the end."""
    if table.board.starter is None:
        return None
    return (), most_alike if table.board.single else most_with_aces


def most_alike(dice: Dice) -> int:
    return max(rules.count(face, [dice], wild=False) for face in FACES)


def most_with_aces(dice: Dice) -> int:
    return max(rules.count(face, [dice]) for face in FACES)


def moments(events: Events) -> Moments:
    """How many calzas, and how many dudos, of each seat were right."""
    found: Moments = Counter()
    for event in events:
        if event["event"] == "calza" and event["count"] == event["bid"][0]:
            found[event["seat"], "calza"] += 1
        elif event["event"] == "dudo" and event["count"] < event["bid"][0]:
            found[event["seat"], "dudo"] += 1
    return found
