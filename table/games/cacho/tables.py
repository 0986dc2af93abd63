"""Cacho's rounds that are solved: two seats, three dice or fewer between them, or in a single-die round up to six.

A seat's table knows the histories that its own play can come to, whatever the other seat does there. Elsewhere
(somebody else has played for it so far) it knows nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.games.cacho.belief import Array, hands, support
from table.games.cacho.bots import PATIENCE
from table.games.cacho.rules import CHALLENGES, FACES, Bid, opening_bids, replies
from table.games.tables import load

SMALL = ((1, 1), (1, 2), (2, 1))
SINGLE = ((1, 3), (3, 1), (1, 4), (4, 1), (1, 5), (5, 1))  # in single-die rounds, where faces do not change, too
WHOLE = 4095  # a chance of 1, as it is kept
HISTORIES = 1 << 50  # more than any round has


class Round(NamedTuple):
    """The rules of one round of two seats; the one that starts comes first."""

    dice: tuple[int, int]
    full: tuple[bool, bool]  # the seat can take no die back
    costless: bool  # a calza that misses costs nothing
    raising: str
    single: bool


def rounds() -> tuple[Round, ...]:
    """Every round that is solved. In a single-die round both ways of raising are the same."""
    return tuple(
        Round(dice, full, costless, raising, single)
        for dice in SMALL + SINGLE
        for full in ((dice[0] >= dice[1], dice[1] >= dice[0]), (False, False))
        for costless in (False, True)
        for raising, single in (("strict", True), ("strict", False), ("classic", False))
        if single or dice in SMALL
    )


ROUNDS = {rules: number for number, rules in enumerate(rounds())}


def key(rules: Round, history: Sequence[Bid]) -> int:
    """A number for each history of each round."""
    number = 0
    for count, face in history:
        number = number * (len(FACES) * sum(rules.dice) + 1) + (count - 1) * len(FACES) + face
    return ROUNDS[rules] * HISTORIES + number


def offered(rules: Round, history: Sequence[Bid]) -> tuple[Option, ...]:
    """What can be chosen after those bids."""
    if not history:
        return opening_bids(sum(rules.dice), rules.raising == "strict" or rules.single)
    return replies(history[-1], sum(rules.dice), rules.raising, rules.single)


def round_of(view: View) -> Round | None:
    """The round that is being played, if it is one that is solved."""
    playing = [seat for seat in view["circle"] if view["standing"][seat]]
    if len(playing) != 2 or None in view["dice"][view["seat"]]:
        return None
    options, first = view["options"], view["starter"]
    order = (first, *(seat for seat in playing if seat != first))
    dice = tuple(view["standing"][seat] for seat in order)
    full = tuple(n >= options["dice"] for n in dice)
    raising = "strict" if view["single"] else options["raise"]
    found = Round(dice, full, options["calza_miss"] == "nothing", raising, view["single"])
    return found if found in ROUNDS else None


def chances(rules: Round, history: tuple[Bid, ...]) -> Array | None:
    """What the seat whose turn it is does with each hand: [option, hand], zeros for a hand that would not have come
    here; None where no hand would."""
    kept = load("cacho")
    at = np.searchsorted(kept["keys"], number := key(rules, history))
    if at == len(kept["keys"]) or kept["keys"][at] != number:
        return None
    size = len(hands(rules.dice[len(history) % 2])[1])
    amounts = kept["chances"][kept["starts"][at] : kept["starts"][at + 1]].reshape(-1, size).astype(float)
    missing = len(offered(rules, history)) - len(amounts)  # it would not bid any more
    amounts = np.vstack([np.zeros((missing, size)), amounts])
    total = amounts.sum(axis=0)
    found: Array = amounts / np.where(total, total, 1)
    return found


def policy(view: View) -> list[float] | None:
    """The solved chances of each option, if the round is solved and this seat would have come here."""
    rules = round_of(view)
    if rules is None:
        return None
    if view["round"] > PATIENCE and rules.costless and rules.full[len(view["bids"]) % 2]:
        return None  # a calza that can neither win nor lose is a pass, and two who know it would pass for ever
    table = chances(rules, bids_of(view))
    if table is None:
        return None
    found: list[float] = table[:, hand_number(view)].tolist()
    return found if sum(found) else None


def worth(view: View) -> list[float] | None:
    """What each option is worth in a solved round, from -1 (a die lost) to 1 (one won), if both go on by the table."""
    rules = round_of(view)
    if rules is None:
        return None
    history, seat = bids_of(view), len(view["bids"]) % 2
    weights = hands(rules.dice[1 - seat])[1]
    for place in range(1 - seat, len(history), 2):
        table = chances(rules, history[:place])
        if table is not None:
            told = table[offered(rules, history[:place]).index(("bid", history[place]))]
            weights = weights * told if (weights * told).any() else weights
    held = support(rules.dice[seat], not rules.single)[hand_number(view)]
    return [_after(rules, history, option, seat, held, weights / weights.sum()) for option in offered(rules, history)]


def _after(rules: Round, history: tuple[Bid, ...], option: Option, seat: int, held: Array, weights: Array) -> float:
    """What it is worth to that seat that whoever's turn it is chooses so; `weights` are the chances of the other's
    hands, or those of them that choose so."""
    mover = len(history) % 2
    sign = 1 if mover == seat else -1
    if not isinstance(option, tuple):
        n, face = history[-1]
        over = held[face - 1] + support(rules.dice[1 - seat], not rules.single)[:, face - 1] - n
        if option == "dudo":
            return sign * float(weights @ np.where(over < 0, 1, -1))
        exact, missed = float(not rules.full[mover]), 0.0 if rules.costless else -1.0
        return sign * float(weights @ np.where(over == 0, exact, missed))
    history = (*history, option[1])  # type: ignore[arg-type]
    table, options = chances(rules, history), offered(rules, history)
    if mover != seat:  # so it is this seat's turn
        return max(
            _after(rules, history, each, seat, held, weights)
            for place, each in enumerate(options)
            if each in CHALLENGES or (table is not None and table[place].any())
        )
    if table is None:
        table = np.zeros((len(options), len(weights)))
    unknown = table.sum(axis=0) == 0
    table[-len(CHALLENGES) :, unknown] = 1 / len(CHALLENGES)
    return sum(
        _after(rules, history, each, seat, held, weights * told)
        for each, told in zip(options, table, strict=True)
        if (weights * told).any()
    )


def bids_of(view: View) -> tuple[Bid, ...]:
    return tuple((count, face) for _, (count, face) in view["bids"])


def hand_number(view: View) -> int:
    """The place of this seat's hand among all of its size."""
    dice = view["dice"][view["seat"]]
    counts, _ = hands(len(dice))
    return int(np.flatnonzero((counts == [dice.count(face) for face in FACES]).all(axis=1))[0])
