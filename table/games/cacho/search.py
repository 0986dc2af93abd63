"""How the searching player of Cacho values its options: by what it believes about the others' dice, and by the next
seat's likely reply.

The value of an option is this seat's probability of winning the game after it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.games.cacho.belief import Array, belief, reply, silent, spread, support, tail, turn_of
from table.games.cacho.bots import PATIENCE
from table.games.cacho.rules import ACES, FACES, Bid, count
from table.games.tables import load

WIDTH = 10  # how many bids to evaluate with two seats
NARROW = 5  # how many bids to evaluate with more than two seats
WIDER = 40  # how many bids to evaluate if the values of all options are wanted
OPENING = 0.85  # openings that hold about this often are evaluated first
CERTAIN = 0.999
AHEAD = 0.5  # if the next seat raises, this is the weight of the case that another seat loses a die

Chance = Callable[[Sequence[int], int, int], float]
"""Returns the probability of winning, given the number of dice of every seat, the seat, and the seat that starts."""


class Ends(NamedTuple):
    """What each result of a challenge is worth to this seat."""

    right: float  # after dudo, if the bid was too high
    wrong: float
    exact: float  # after calza, if the bid was exact
    missed: float  # after calza, if the bid was not exact


class Mind(NamedTuple):
    """What this seat knows, believes and wants."""

    view: View
    own: list[int]  # how many of the seat's dice count as each face (index: face - 1)
    after: int  # the next seat
    weights: Array  # the probability of each hand of the next seat
    others: list[Array]  # [face - 1]: the probability that all seats but these two have at least 0, 1, 2... such dice
    everyone: list[Array]  # [face - 1]: the same probability for all dice that this seat cannot see
    mine: Ends  # the results if this seat challenges
    theirs: Ends  # the results if the next seat challenges
    elsewhere: float  # with more than two seats: the value if the next seat raises
    duel: bool  # only two seats are left


def chance_to_win(standing: Sequence[int], seat: int, starter: int) -> float:
    """The probability of winning with the remaining dice. With two seats, the probability comes from a table. With more
    seats, it is the seat's share of the dice."""
    if not standing[seat]:
        return 0.0
    rivals = [dice for other, dice in enumerate(standing) if dice and other != seat]
    if len(rivals) == 1:
        return float(load("cacho")["win"][standing[seat], rivals[0], int(starter == seat)])
    return share(standing, seat, starter)


def share(standing: Sequence[int], seat: int, starter: int) -> float:
    """The seat's share of the dice, which does not depend on who starts."""
    return standing[seat] / sum(standing)


def after_challenge(view: View, change: dict[int, int], challenger: int, chance: Chance) -> float:
    """The probability of winning after these changes in the number of dice."""
    most = view["options"]["dice"]
    standing = [min(dice + change.get(seat, 0), most) for seat, dice in enumerate(view["standing"])]
    losers = [seat for seat, by in change.items() if by < 0]
    starter = losers[0] if losers and view["options"]["starter"] == "loser" else challenger
    if not standing[starter]:
        circle = view["circle"]
        place = circle.index(starter)
        starter = next(seat for seat in circle[place:] + circle[:place] if standing[seat])
    return chance(standing, view["seat"], starter)


def ends(view: View, challenger: int, bidder: int, chance: Chance) -> Ends:
    costless = view["options"]["calza_miss"] == "nothing"
    return Ends(
        after_challenge(view, {bidder: -1}, challenger, chance),
        after_challenge(view, {challenger: -1}, challenger, chance),
        after_challenge(view, {challenger: 1}, challenger, chance),
        after_challenge(view, {} if costless else {challenger: -1}, challenger, chance),
    )


def mind(view: View, chance: Chance = chance_to_win) -> Mind:
    me, wild = view["seat"], not view["single"]
    dice = [die for die in view["dice"][me] if die is not None]
    own = [count(face, [dice], wild) for face in FACES]
    circle = [seat for seat in view["circle"] if view["standing"][seat]]
    place = circle.index(me)
    after, *later = circle[place + 1 :] + circle[:place]
    telling = [seat for seat in later if not silent(view, seat)]
    beliefs = {seat: belief(view, seat) for seat in (after, *telling)}
    unread = view["in_play"] - sum(view["standing"][seat] for seat in beliefs) - len(dice)  # also dice under real cups
    others, everyone = [], []
    for face in FACES:
        each = 1 / 3 if wild and face != ACES else 1 / 6
        chances = -np.diff(tail(unread, each))
        for seat in telling:
            chances = np.convolve(chances, spread(view, seat, beliefs[seat], face))
        others.append(_at_least(chances))
        everyone.append(_at_least(np.convolve(chances, spread(view, after, beliefs[after], face))))
    even = view["standing"][me] / view["in_play"]
    theirs = ends(view, after, me, chance)
    elsewhere = even + AHEAD * (theirs.wrong - even)
    mine = ends(view, me, after if view["bidder"] is None else view["bidder"], chance)
    return Mind(view, own, after, beliefs[after], others, everyone, mine, theirs, elsewhere, not later)


def values(seen: Mind, options: Sequence[Option], width: int = 0) -> dict[Option, float]:
    """The values of the options worth considering."""
    view = seen.view
    width = width or (WIDTH if seen.duel else NARROW)
    worth: dict[Option, float] = {}
    bids: list[Bid] = [option[1] for option in options if isinstance(option, tuple)]  # type: ignore[misc]
    holds = {bid: holding(seen, bid) for bid in bids}
    if view["bid"]:
        n, face = view["bid"]
        true = holding(seen, (n, face))
        exact = true - holding(seen, (n + 1, face))
        worth["dudo"] = (1 - true) * seen.mine.right + true * seen.mine.wrong
        passing = seen.mine.exact == seen.mine.missed and view["round"] > PATIENCE
        worth["calza"] = seen.mine.wrong if passing else exact * seen.mine.exact + (1 - exact) * seen.mine.missed
        bids.sort(key=lambda bid: (-holds[bid], -bid[0]))
    else:
        bids = [bid for bid in bids if holds[bid] < CERTAIN] or bids
        bids.sort(key=lambda bid: abs(holds[bid] - OPENING))
    for bid in bids[:width]:
        worth["bid", bid] = raised(seen, bid)
    return worth


def doubted(seen: Mind, bid: Bid) -> float:
    """The value of a bid if the next seat calls dudo."""
    true = holding(seen, bid)
    return true * seen.theirs.wrong + (1 - true) * seen.theirs.right


def holding(seen: Mind, bid: Bid) -> float:
    """The probability that the bid holds."""
    n, face = bid
    return float(seen.everyone[face - 1].take(n - seen.own[face - 1], mode="clip"))


def raised(seen: Mind, bid: Bid) -> float:
    """The value of making this bid. The next seat calls dudo, calls calza, or raises. With only two seats, this seat
    answers a raise with the better of the two challenges."""
    n, face = bid
    turn = turn_of(seen.view, seen.after, bid)
    told, weights = reply(turn), seen.weights
    missing = n - seen.own[face - 1] - support(turn.dice, not turn.single)[:, face - 1]
    true = seen.others[face - 1].take(missing, mode="clip")
    exact = true - seen.others[face - 1].take(missing + 1, mode="clip")
    dudo, calza = weights * told.chances[:, -2], weights * told.chances[:, -1]
    mine, theirs = seen.mine, seen.theirs
    value = dudo @ (theirs.right + true * (theirs.wrong - theirs.right))
    value += calza @ (theirs.missed + exact * (theirs.exact - theirs.missed))
    going_on = weights @ told.chances[:, :-2]
    if not seen.duel:
        return float(value + going_on.sum() * seen.elsewhere)
    held = np.array(seen.own)[told.faces - 1]
    fails = weights @ (told.chances[:, :-2] * (told.missing > held))
    exactly = weights @ (told.chances[:, :-2] * (told.missing == held))
    doubting = fails * mine.right + (going_on - fails) * mine.wrong
    calling = exactly * mine.exact + (going_on - exactly) * mine.missed
    return float(value + np.maximum(doubting, calling).sum())


def _at_least(chances: Array) -> Array:
    """Turns the probabilities of exactly 0, 1, 2... into the probabilities of at least 0, 1, 2..., with a 0 at the
    end."""
    return np.append(chances[::-1].cumsum()[::-1], 0.0)
