"""How the searching player of Cacho values what it can do: by what it believes of the others' dice, and by what the
next seat would then do.

Its one rule: a value is this seat's chance to win the game.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.games.cacho.belief import Array, belief, reply, silent, spread, support, tail, turn_of
from table.games.cacho.bots import PATIENCE
from table.games.cacho.rules import ACES, FACES, Bid, count
from table.games.tables import load

WIDTH = 10  # bids that are thought through between two
NARROW = 5  # and among several
WIDER = 40  # for whoever wants to know about all of them
OPENING = 0.85  # openings that hold about so often are thought of first
CERTAIN = 0.999
AHEAD = 0.5  # how much of another seat's loss is to come where the others go on among themselves

Chance = Callable[[Sequence[int], int, int], float]
"""The chance to win, by the dice that every seat has left, for a seat, and who starts."""


class Ends(NamedTuple):
    """What the ends of a challenge are worth to this seat."""

    right: float  # the bid was too high
    wrong: float
    exact: float  # calza
    missed: float


class Mind(NamedTuple):
    """What this seat knows, believes and wants."""

    view: View
    own: list[int]  # by face - 1: how many of its dice count
    after: int  # the seat that is next
    weights: Array  # how likely each of that seat's hands is
    others: list[Array]  # by face - 1: the chance of at least 0, 1, 2... among the dice of all but these two
    everyone: list[Array]  # among all dice that it does not see
    mine: Ends  # if it challenges
    theirs: Ends  # if the next seat does
    elsewhere: float  # the others go on
    duel: bool  # there are just these two


def chance_to_win(standing: Sequence[int], seat: int, starter: int) -> float:
    """By the dice that are left: two seats by the table, more of them by their share of the dice."""
    if not standing[seat]:
        return 0.0
    rivals = [dice for other, dice in enumerate(standing) if dice and other != seat]
    if len(rivals) == 1:
        return float(load("cacho")["win"][standing[seat], rivals[0], int(starter == seat)])
    return share(standing, seat, starter)


def share(standing: Sequence[int], seat: int, starter: int) -> float:
    """The seat's share of the dice, whoever starts."""
    return standing[seat] / sum(standing)


def after_challenge(view: View, change: dict[int, int], challenger: int, chance: Chance) -> float:
    """The chance to win once somebody has lost a die or taken one back."""
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
    unread = view["in_play"] - sum(view["standing"][seat] for seat in beliefs) - len(dice)  # some under real cups
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
    """What each option is worth that is worth a thought."""
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
    """What a bid would be worth that is doubted at once."""
    true = holding(seen, bid)
    return true * seen.theirs.wrong + (1 - true) * seen.theirs.right


def holding(seen: Mind, bid: Bid) -> float:
    """The chance that the bid holds."""
    n, face = bid
    return float(seen.everyone[face - 1].take(n - seen.own[face - 1], mode="clip"))


def raised(seen: Mind, bid: Bid) -> float:
    """What it is worth to have made that bid: the next seat doubts it, calls it exact, or bids on, and between two this
    seat then does the better of doubting and calling."""
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
    """From the chances of exactly 0, 1, 2... those of at least so many; the last is one too many."""
    return np.append(chances[::-1].cumsum()[::-1], 0.0)
