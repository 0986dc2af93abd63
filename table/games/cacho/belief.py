"""What bids reveal: the probability of each hand that another seat could have, given the bids that this seat has made
in the round.

A seat is modelled as a player who goes by the odds, with occasional mistakes. So every bid is evidence, and no bid is
proof.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from table.engine.asks import View
from table.engine.chances import rolls
from table.games.cacho.bots import DOUBTFUL, EXACT, OPENING, SUPPORTED, SURE, at_least
from table.games.cacho.rules import ACES, CHALLENGES, FACES, Bid, opening_bids, replies

Array = np.ndarray[Any, Any]

PLAIN, THUMB, LOOSE, WILD = 0.3, 0.3, 0.32, 0.08
"""How often a seat is assumed to play by the plain odds, by a rule of thumb, roughly by the odds, and at random."""
HEAT = 0.12  # in rough play, a choice whose probability of being right is lower by this much is made 1/e times as often
LEAST, MOST = 0.1, 0.998  # a bid whose chance to hold is outside this range, whatever the hand, is ignored


class Turn(NamedTuple):
    """Everything that a choice depends on, except the dice."""

    bid: Bid | None  # the current bid
    dice: int  # how many dice the choosing seat has
    total: int  # the number of dice in play
    raising: str
    single: bool
    full: bool  # the seat has all its dice, so it cannot regain one
    costless: bool  # a missed calza costs nothing


class Reply(NamedTuple):
    """How often a seat makes each choice with each hand: chances[hand, choice]. The bids come first, then dudo and
    calza."""

    chances: Array
    column: dict[Bid, int]
    faces: Array  # the face of each bid
    missing: Array  # [hand, bid]: how many supporting dice the bid needs from other seats


@cache
def hands(dice: int) -> tuple[Array, Array]:
    """Every hand of this many dice, as a count of each face, and its probability."""
    found = rolls(dice)
    counts = np.array([[hand.count(face) for face in FACES] for hand in found], dtype=np.int64)
    return counts, np.array(list(found.values())) / len(FACES) ** dice


@cache
def support(dice: int, wild: bool) -> Array:
    """For each hand of this many dice, how many of them support a bid on each face."""
    counts, _ = hands(dice)
    return counts + counts[:, :1] * (np.arange(len(FACES)) > 0) if wild else counts


@cache
def tail(dice: int, chance: float) -> Array:
    """The probabilities of at least 0, 1, 2... successes among this many dice, with a 0 at the end."""
    return np.array([at_least(wanted, dice, chance) for wanted in range(dice + 2)])


@lru_cache(maxsize=512)
def reply(turn: Turn) -> Reply:
    """How often a seat is expected to make each choice on this turn, for every hand that it could have."""
    wild = not turn.single
    held, unseen = support(turn.dice, wild), turn.total - turn.dice
    if turn.bid is None:
        options = opening_bids(turn.total, turn.raising == "strict" or turn.single)
    else:
        options = replies(turn.bid, turn.total, turn.raising, turn.single)[: -len(CHALLENGES)]
    listed = np.array([option[1] for option in options], dtype=np.int64).reshape(-1, 2)
    worst, best = _hold(listed, np.array([[0], [turn.dice]]).repeat(len(FACES), axis=1), unseen, wild)
    listed = listed[(best >= LEAST) & (worst <= MOST)]
    hold = _hold(listed, held, unseen, wild)
    if turn.bid is None:
        score = hold
        plain = np.where(hold >= OPENING, listed[:, 0] + hold, hold)
        thumb = np.where(hold >= SURE, listed[:, 0] + hold, hold)
    else:
        standing = np.array([turn.bid])
        true = _hold(standing, held, unseen, wild)
        exact = true - _hold(standing + np.array([1, 0]), held, unseen, wild)
        calza = exact * (0.5 if turn.full else 1.0) + (1 - exact) * (0.5 if turn.costless else 0.0)
        score = np.hstack([hold, 1 - true, calza])
        # Of bids that are equally likely to hold, plain play makes the highest, and the rule of thumb the lowest.
        plain = score + np.append(listed[:, 0] * 1e-5 + listed[:, 1] * 1e-6, [0, 0])
        likely = hold.max(axis=1, initial=0.0, keepdims=True)
        doubts = (true < DOUBTFUL) | ((likely < SUPPORTED) & (1 - true > likely))
        thumb = np.hstack([hold, np.where(doubts, 2.0, -1.0), np.where((exact >= EXACT) & (not turn.full), 3.0, -1.0)])
    rough = np.exp((score - score.max(axis=1, keepdims=True)) / HEAT)
    rough *= LOOSE / rough.sum(axis=1, keepdims=True)
    chances = rough + WILD / score.shape[1]
    every = np.arange(len(score))
    chances[every, plain.argmax(axis=1)] += PLAIN
    chances[every, thumb.argmax(axis=1)] += THUMB
    column = {(count, face): place for place, (count, face) in enumerate(listed.tolist())}
    return Reply(chances, column, listed[:, 1], listed[:, 0] - held[:, listed[:, 1] - 1])


def _hold(bids: Array, held: Array, unseen: int, wild: bool) -> Array:
    """For each hand of a seat, the probability that each bid holds."""
    tails = np.concatenate([tail(unseen, 1 / 6), tail(unseen, 1 / 3)]).astype(np.float32)
    kind = (bids[:, 1] != ACES) * (unseen + 2) if wild else 0
    missing = np.minimum(np.maximum(bids[:, 0] - held[:, bids[:, 1] - 1], 0), unseen + 1)
    found: Array = tails.take(missing + kind)
    return found


def turn_of(view: View, seat: int, bid: Bid | None) -> Turn:
    """The seat's turn when it has to answer this bid."""
    options, dice = view["options"], view["standing"][seat]
    return Turn(
        bid,
        dice,
        view["in_play"],
        options["raise"],
        view["single"],
        dice >= options["dice"],
        options["calza_miss"] == "nothing",
    )


def silent(view: View, seat: int) -> bool:
    """Whether the seat has not bid in this round."""
    return all(bidder != seat for bidder, _ in view["bids"])


def belief(view: View, seat: int) -> Array:
    """The probability of each hand of the seat."""
    chances: Array = hands(view["standing"][seat])[1]
    standing: Bid | None = None
    for bidder, (count, face) in view["bids"]:
        if bidder == seat:
            told = reply(turn_of(view, seat, standing))
            if (column := told.column.get((count, face))) is not None:
                chances = chances * told.chances[:, column]
        standing = (count, face)
    found: Array = chances / chances.sum()
    return found


def spread(view: View, seat: int, weights: Array, face: int) -> Array:
    """The probability that the seat has 0, 1, 2... dice that count for this face."""
    dice = view["standing"][seat]
    found: Array = np.bincount(support(dice, not view["single"])[:, face - 1], weights, dice + 1)
    return found
