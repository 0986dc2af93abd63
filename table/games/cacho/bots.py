"""The computers of Cacho that go by their own dice and by the odds of all others; what is bid tells them nothing.

Their one rule: a chance is the exact one, given the dice that the seat sees.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Any

from table.engine.asks import Option, View
from table.games.cacho.rules import ACES, CHALLENGES, Bid, count

LEVELS = ("easy", "classic", "sharp")

SURE = 0.85  # it opens with the highest count that holds this often
SUPPORTED = 0.55  # a raise that holds this often is a good one
DOUBTFUL = 0.35  # one that holds less often is doubted
EXACT = 0.4  # one that is exact this often is worth a calza
SECOND_THOUGHTS = 0.15  # how often it bids another face than its best, so that its bids do not give it away
TRUSTED = 0.15  # easy believes a bid until it holds less often than this
FORGETFUL = 0.35  # how often easy forgets that its aces count for what is bid
HOPEFUL = 0.3  # how often easy bids one more than it meant to
OPENING = 0.9  # sharp opens with the highest count that holds this often
PATIENCE = 30  # rounds after which nobody passes any more: some games would never end


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Never the whole game: a round is solved for the die that it is about, and only where few dice are left."""
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
    assert best is not None  # a round can always be opened
    others = [bid for bid, chance in bids.items() if bid[1] != best[1] and chance >= SUPPORTED]
    second = max(others, key=lambda bid: _appeal(bid, bids[bid], opening=not standing), default=best)
    chances: dict[Option, float] = {("bid", best): 1.0}
    if second != best:
        chances = {("bid", best): 1 - SECOND_THOUGHTS, ("bid", second): SECOND_THOUGHTS}
    return [chances.get(option, 0.0) for option in options]


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Looks at its own dice, creeps up on the face that it has most of, and believes the others for too long. Now and
    then it forgets that aces are wild, or hopes for one more than it has."""
    chances = dict.fromkeys(options, 0.0)
    for wild, wild_chance in ((not view["single"], 1 - FORGETFUL), (False, FORGETFUL)):
        chosen = _creep(view, options, wild)
        word, bid = chosen if isinstance(chosen, tuple) else (chosen, None)
        hoped: Option = (word, (bid[0] + 1, bid[1])) if isinstance(bid, tuple) else chosen
        chances[hoped if hoped in chances else chosen] += wild_chance * HOPEFUL
        chances[chosen] += wild_chance * (1 - HOPEFUL)
    return list(chances.values())


def _creep(view: View, options: Sequence[Option], wild: bool) -> Option:
    """What easy does, given whether it thinks that aces are wild."""
    own = [die for die in view["dice"][view["seat"]] if die is not None]
    bids: list[Bid] = [option[1] for option in options if option not in CHALLENGES]  # type: ignore[misc]
    if view["bid"] and (not bids or at_least(*_unknown(view, tuple(view["bid"]), wild)) < TRUSTED):
        return "dudo"
    return "bid", min(bids, key=lambda bid: (bid[0] - count(bid[1], [own], wild), bid))


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """The plain odds: whatever is likeliest to be right, a doubt, a calza, or the raise that holds most often."""
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
    """What a calza is worth that is exact so often: 1 for taking a die back, a half where nothing changes, 0 for
    losing one."""
    full = view["standing"][view["seat"]] >= view["options"]["dice"]
    costless = view["options"]["calza_miss"] == "nothing"
    if full and costless and view["round"] > PATIENCE:
        return 0.0
    return exact * (0.5 if full else 1.0) + (1 - exact) * (0.5 if costless else 0.0)


def _bids(view: View, options: Sequence[Option]) -> dict[Bid, float]:
    """Every bid that is offered, and how often it holds."""
    return {
        option[1]: holds(view, option[1])  # type: ignore[misc, arg-type]
        for option in options
        if option not in CHALLENGES
    }


def _appeal(bid: Bid, chance: float, opening: bool) -> tuple[int, float]:
    """A raise should hold as often as possible. An opening should also leave the others little room below it."""
    return (bid[0] if opening and chance >= SURE else 0), chance


def holds(view: View, bid: Bid) -> float:
    """The chance that there are at least as many as bid, given what this seat may know."""
    return at_least(*_unknown(view, bid, not view["single"]))


def exactly(view: View, bid: Bid) -> float:
    missing, unseen, chance = _unknown(view, bid, not view["single"])
    return at_least(missing, unseen, chance) - at_least(missing + 1, unseen, chance)


def _unknown(view: View, bid: Bid, wild: bool) -> tuple[int, int, float]:
    """How many of the bid are still missing, among how many dice, each with which chance."""
    own = [die for die in view["dice"][view["seat"]] if die is not None]
    chance = 1 / 3 if wild and bid[1] != ACES else 1 / 6
    return bid[0] - count(bid[1], [own], wild), view["in_play"] - len(own), chance


@cache
def at_least(wanted: int, dice: int, chance: float) -> float:
    """The chance of that many or more among so many dice."""
    if wanted <= 0:
        return 1.0
    return sum(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(wanted, dice + 1))
