"""The classic computer of Cacho: bids what its own dice and the expected rest support, doubts what is unlikely."""

from collections.abc import Sequence
from functools import cache
from math import comb

from table.rules.cacho import ACES, CHALLENGES, Bid, count
from table.rules.vocabulary import Option, View

SURE = 0.85  # it opens with the highest count that holds this often
SUPPORTED = 0.55  # a raise that holds this often is a good one
DOUBTFUL = 0.35  # one that holds less often is doubted
EXACT = 0.4  # one that is exact this often is worth a calza
SECOND_THOUGHTS = 0.15  # how often it bids another face than its best, so that its bids do not give it away


def classic(view: View, options: Sequence[Option]) -> list[float]:
    standing: Bid | None = tuple(view["bid"]) if view["bid"] else None
    bids: dict[Bid, float] = {
        option[1]: holds(view, option[1])  # type: ignore[misc, arg-type]
        for option in options
        if option not in CHALLENGES
    }
    best = max(bids, key=lambda bid: _appeal(bid, bids[bid], opening=not standing), default=None)
    if standing:
        true, exact = holds(view, standing), exactly(view, standing)
        if exact >= EXACT and view["standing"][view["seat"]] < view["options"]["dice"]:
            return [float(option == "calza") for option in options]
        if best is None or true < DOUBTFUL or (bids[best] < SUPPORTED and 1 - true > bids[best]):
            return [float(option == "dudo") for option in options]
    assert best is not None  # a round can always be opened
    others = [bid for bid, chance in bids.items() if bid[1] != best[1] and chance >= SUPPORTED]
    second = max(others, key=lambda bid: _appeal(bid, bids[bid], opening=not standing), default=best)
    chances: dict[Option, float] = {("bid", best): 1.0}
    if second != best:
        chances = {("bid", best): 1 - SECOND_THOUGHTS, ("bid", second): SECOND_THOUGHTS}
    return [chances.get(option, 0.0) for option in options]


def _appeal(bid: Bid, chance: float, opening: bool) -> tuple[int, float]:
    """A raise should hold as often as possible. An opening should also leave the others little room below it."""
    return (bid[0] if opening and chance >= SURE else 0), chance


def holds(view: View, bid: Bid) -> float:
    """The chance that there are at least as many as bid, given what this seat may know."""
    missing, unseen, chance = _unknown(view, bid)
    return at_least(missing, unseen, chance)


def exactly(view: View, bid: Bid) -> float:
    missing, unseen, chance = _unknown(view, bid)
    return at_least(missing, unseen, chance) - at_least(missing + 1, unseen, chance)


def _unknown(view: View, bid: Bid) -> tuple[int, int, float]:
    """How many of the bid are still missing, among how many dice, each with which chance."""
    own = [die for die in view["dice"][view["seat"]] if die is not None]
    wild = not view["single"]
    chance = 1 / 3 if wild and bid[1] != ACES else 1 / 6
    return bid[0] - count(bid[1], [own], wild), view["in_play"] - len(own), chance


@cache
def at_least(wanted: int, dice: int, chance: float) -> float:
    """The chance of that many or more among so many dice."""
    if wanted <= 0:
        return 1.0
    return sum(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(wanted, dice + 1))
