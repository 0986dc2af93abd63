"""The solved rounds of Cacho: two seats with at most three dice in total, or at most six in a single-die round.

A seat's table contains the histories that its own play can lead to, whatever the other seat does. The table has no
entry for other histories, which occur if someone else played for the seat earlier in the round.
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
SINGLE = ((1, 3), (3, 1), (1, 4), (4, 1), (1, 5), (5, 1))  # only in single-die rounds, where faces cannot change
WHOLE = 4095  # stands for a probability of 1 in the table
HISTORIES = 1 << 50  # exceeds the number of histories of any round


class Round(NamedTuple):
    """The rules of one round between two seats. The starting seat is first."""

    dice: tuple[int, int]
    full: tuple[bool, bool]  # the seat has all its dice, so it cannot regain one
    costless: bool  # a missed calza costs nothing
    raising: str
    single: bool


def rounds() -> tuple[Round, ...]:
    """All solved rounds. In a single-die round, strict and classic raising are the same."""
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
    """A unique number for each history of each round."""
    number = 0
    for count, face in history:
        number = number * (len(FACES) * sum(rules.dice) + 1) + (count - 1) * len(FACES) + face
    return ROUNDS[rules] * HISTORIES + number


def offered(rules: Round, history: Sequence[Bid]) -> tuple[Option, ...]:
    """The options after these bids."""
    if not history:
        return opening_bids(sum(rules.dice), rules.raising == "strict" or rules.single)
    return replies(history[-1], sum(rules.dice), rules.raising, rules.single)


def round_of(view: View) -> Round | None:
    """The current round, or None if it is not solved."""
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
    """[option, hand]: how often the seat whose turn it is chooses each option with each hand. A hand has only zeros if
    the seat's own solved play never leads here with it. None if the table does not contain this history."""
    kept = load("cacho")
    at = np.searchsorted(kept["keys"], number := key(rules, history))
    if at == len(kept["keys"]) or kept["keys"][at] != number:
        return None
    size = len(hands(rules.dice[len(history) % 2])[1])
    amounts = kept["chances"][kept["starts"][at] : kept["starts"][at + 1]].reshape(-1, size).astype(float)
    missing = len(offered(rules, history)) - len(amounts)  # raises beyond the solver's limit are not stored
    amounts = np.vstack([np.zeros((missing, size)), amounts])
    total = amounts.sum(axis=0)
    found: Array = amounts / np.where(total, total, 1)
    return found


def policy(view: View) -> list[float] | None:
    """The solved probability of each option. None if the round is not solved, or if this seat's own solved play
    never leads here."""
    rules = round_of(view)
    if rules is None:
        return None
    if view["round"] > PATIENCE and rules.costless and rules.full[len(view["bids"]) % 2]:
        return None  # this calza is a free pass, and two perfect players would pass forever
    table = chances(rules, bids_of(view))
    if table is None:
        return None
    found: list[float] = table[:, hand_number(view)].tolist()
    return found if sum(found) else None


def worth(view: View) -> list[float] | None:
    """The value of each option in a solved round, from -1 (lose a die) to 1 (win a die), if both play perfectly
    from there."""
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
    """The value to `seat` if the mover makes this choice. `weights` has the probability of each hand of the other seat.
    If the other seat is the mover, each probability is multiplied by how often that hand makes this choice."""
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
    if mover != seat:  # this seat moves next
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
    """The index of this seat's hand among all hands of its size."""
    dice = view["dice"][view["seat"]]
    counts, _ = hands(len(dice))
    return int(np.flatnonzero((counts == [dice.count(face) for face in FACES]).all(axis=1))[0])
