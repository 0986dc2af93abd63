"""The computer players of Cacho that use their own dice and the odds of the other dice. These players ignore what bids
reveal.

Probabilities are exact, given the dice that the seat can see.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Any

from table.engine.asks import Option, View
from table.games.cacho.rules import ACES, CHALLENGES, Bid, count

LEVELS = ("easy", "classic", "sharp")

SURE = 0.85  # classic opens with the highest count that holds at least this often
SUPPORTED = 0.55  # a good raise holds at least this often
DOUBTFUL = 0.35  # classic calls dudo on bids that hold less often than this
EXACT = 0.4  # classic calls calza on bids that are exact at least this often
SECOND_THOUGHTS = 0.15  # how often classic bids a face other than its best, so that its bids reveal less
TRUSTED = 0.15  # easy calls dudo on bids that hold less often than this
FORGETFUL = 0.35  # how often easy forgets that its aces are wild
HOPEFUL = 0.3  # how often easy bids one more than planned
OPENING = 0.9  # sharp opens with the highest count that holds at least this often
PATIENCE = 30  # after this many rounds, no level uses a free calza as a pass, because some games would never end


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """The game as a whole is never solved. Rounds with few dice are solved, but only for the die that is won or lost in
    the round."""
    return False


def classic(view: View, options: Sequence[Option]) -> list[float]:
    standing: Bid | None = tuple(view["bid"]) if view["bid"] else None
    bids = _bids(view, options)
    best = max(bids, key=lambda bid: _appeal(bid, bids[bid], opening=not standing), default=None)
    if standing:
        true, exact = holds(view, standing), exactly(view, standing)
        if exact >= EXACT and view["standing"][view["seat"]] < view["options"]["dice"]:
            return [float(option == "calza") for option in options]
        if best is None or true < DOUBTFUL or (bids[best] < SUPPORTED and 1 - true > bids[best]):
            return [float(option == "dudo") for option in options]
    assert best is not None  # there is always an opening bid
    others = [bid for bid, chance in bids.items() if bid[1] != best[1] and chance >= SUPPORTED]
    second = max(others, key=lambda bid: _appeal(bid, bids[bid], opening=not standing), default=best)
    chances: dict[Option, float] = {("bid", best): 1.0}
    if second != best:
        chances = {("bid", best): 1 - SECOND_THOUGHTS, ("bid", second): SECOND_THOUGHTS}
    return [chances.get(option, 0.0) for option in options]


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Goes by its own dice, raises slowly on its most common face, and doubts bids too late. Sometimes it forgets that
    aces are wild, or bids one more than planned."""
    chances = dict.fromkeys(options, 0.0)
    for wild, wild_chance in ((not view["single"], 1 - FORGETFUL), (False, FORGETFUL)):
        chosen = _creep(view, options, wild)
        word, bid = chosen if isinstance(chosen, tuple) else (chosen, None)
        hoped: Option = (word, (bid[0] + 1, bid[1])) if isinstance(bid, tuple) else chosen
        chances[hoped if hoped in chances else chosen] += wild_chance * HOPEFUL
        chances[chosen] += wild_chance * (1 - HOPEFUL)
    return list(chances.values())


def _creep(view: View, options: Sequence[Option], wild: bool) -> Option:
    """The option that the level `easy` picks, depending on whether it remembers that aces are wild."""
    own = [die for die in view["dice"][view["seat"]] if die is not None]
    bids: list[Bid] = [option[1] for option in options if option not in CHALLENGES]  # type: ignore[misc]
    if view["bid"] and (not bids or at_least(*_unknown(view, tuple(view["bid"]), wild)) < TRUSTED):
        return "dudo"
    return "bid", min(bids, key=lambda bid: (bid[0] - count(bid[1], [own], wild), bid))


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Goes by the plain odds, and picks whichever is most likely to be right: dudo, calza, or the safest raise."""
    bids = _bids(view, options)
    worth: dict[Option, tuple[float, ...]] = {("bid", bid): (chance, *bid) for bid, chance in bids.items()}
    if view["bid"]:
        standing: Bid = tuple(view["bid"])
        worth["dudo"] = (1 - holds(view, standing), 0)
        worth["calza"] = (calza_score(view, exactly(view, standing)), 0)
    else:
        sure = [bid for bid, chance in bids.items() if chance >= OPENING] or [max(bids, key=lambda bid: bids[bid])]
        highest = max(sure)[0]
        worth = {("bid", bid): (bids[bid],) for bid in sure if bid[0] == highest}
    best = max(worth, key=lambda option: worth[option])
    return [float(option == best) for option in options]


def calza_score(view: View, exact: float) -> float:
    """The value of calling calza on a bid that is exact with this probability. Regaining a die counts as 1, no change
    as 0.5, and losing a die as 0."""
    full = view["standing"][view["seat"]] >= view["options"]["dice"]
    costless = view["options"]["calza_miss"] == "nothing"
    if full and costless and view["round"] > PATIENCE:
        return 0.0
    return exact * (0.5 if full else 1.0) + (1 - exact) * (0.5 if costless else 0.0)


def _bids(view: View, options: Sequence[Option]) -> dict[Bid, float]:
    """Every possible bid, and the probability that it holds."""
    return {
        option[1]: holds(view, option[1])  # type: ignore[misc, arg-type]
        for option in options
        if option not in CHALLENGES
    }


def _appeal(bid: Bid, chance: float, opening: bool) -> tuple[int, float]:
    """The sort key of a bid. A raise should hold as often as possible. An opening should be as high as is safe."""
    return (bid[0] if opening and chance >= SURE else 0), chance


def holds(view: View, bid: Bid) -> float:
    """The probability that a bid holds, given what this seat can see."""
    return at_least(*_unknown(view, bid, not view["single"]))


def exactly(view: View, bid: Bid) -> float:
    missing, unseen, chance = _unknown(view, bid, not view["single"])
    return at_least(missing, unseen, chance) - at_least(missing + 1, unseen, chance)


def _unknown(view: View, bid: Bid, wild: bool) -> tuple[int, int, float]:
    """How many more supporting dice a bid needs, how many dice are unseen, and the probability that an unseen die
    supports the bid."""
    own = [die for die in view["dice"][view["seat"]] if die is not None]
    chance = 1 / 3 if wild and bid[1] != ACES else 1 / 6
    return bid[0] - count(bid[1], [own], wild), view["in_play"] - len(own), chance


@cache
def at_least(wanted: int, dice: int, chance: float) -> float:
    """The probability of at least this many successes."""
    if wanted <= 0:
        return 1.0
    return sum(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(wanted, dice + 1))
