"""Solves the smallest rounds of Cacho, and uses them and the searching player to estimate the odds of a game between
two seats.

Each history of bids is a node, and all nodes at the same depth share one array. Both seats learn by counterfactual
regret minimization (CFR+) until the best responses gain almost nothing. To keep a seat's table small, that seat can be
limited to a few bids, while the other seat has all options. The limit costs that seat very little. The gain of a best
response against it is still exact, because it is computed over all histories.
"""

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from table.games.cacho.belief import Array, hands, support
from table.games.cacho.perfect import searched
from table.games.cacho.rules import CHALLENGES, FACES, MOST_DICE, Bid, count, opening_bids, replies
from table.games.cacho.search import mind, share
from table.games.cacho.tables import ROUNDS, WHOLE, Round, key, offered

SETTLED = 0.0004  # training ends when the best responses of both seats gain less than this in total
PACE = 100  # steps between two checks of that gain
STEPS = 6000  # the most training steps
SELDOM = 0.003  # choices with a lower probability are left out of the table
SAMPLE = 300  # rounds to play for each pair of dice counts
FREE = 99  # no limit on a seat's bids
FEW = 2
MORE = {(Round((2, 1), (True, False), False, "classic", False), 0): 3}
"""A seat's own limit of bids in rounds where FEW would cost it too much."""


class Level(NamedTuple):
    """All histories with the same number of bids."""

    bids: list[tuple[Bid, ...]]
    parent: Array  # index in the previous level
    raisable: Array  # the histories after which a raise is possible
    first: Array  # for each raisable history, the index of its first raise in the next level
    dudo: Array  # [history, mover's hand, other's hand]: the value to the mover
    calza: Array


Tree = list[Level]


def grow(rules: Round, most: tuple[int, int]) -> Tree:
    """All histories, with at most this many bids by each seat."""
    bids: list[tuple[Bid, ...]] = [()]
    parent = np.zeros(1, dtype=np.int64)
    tree: Tree = []
    while bids:
        mover = len(tree) % 2
        raises: list[list[tuple[Any, ...]]] = [
            [(*history, option[1]) for option in offered(rules, history) if option not in CHALLENGES]
            if not history or len(tree) // 2 < most[mover]
            else []
            for history in bids
        ]
        sizes = np.array([len(each) for each in raises])
        raisable = np.flatnonzero(sizes)
        first = (np.cumsum(sizes) - sizes)[raisable]
        tree.append(Level(bids, parent, raisable, first, *_payoffs(rules, mover, bids)))
        bids = [history for each in raises for history in each]
        parent = np.repeat(np.arange(len(sizes)), sizes)
    return tree


def _payoffs(rules: Round, mover: int, bids: Sequence[tuple[Bid, ...]]) -> tuple[Array, Array]:
    own, other = (support(rules.dice[seat], not rules.single) for seat in (mover, 1 - mover))
    if not bids[0]:
        nothing = np.zeros((1, len(own), len(other)))
        return nothing, nothing
    standing = np.array([history[-1] for history in bids])
    counts, faces = standing[:, 0], standing[:, 1] - 1
    over = own.T[faces][:, :, None] + other.T[faces][:, None, :] - counts[:, None, None]
    calza = np.where(over == 0, 0.0 if rules.full[mover] else 1.0, 0.0 if rules.costless else -1.0)
    return np.where(over < 0, 1.0, -1.0), calza


class Play(NamedTuple):
    """A level's strategy: bid[history of the next level, hand], call[dudo or calza, history, hand]."""

    bid: Array
    call: Array


Strategy = list[Play]


def zeros(tree: Tree, rules: Round) -> Strategy:
    size = [len(hands(dice)[1]) for dice in rules.dice]
    after = [len(level.bids) for level in tree[1:]] + [0]
    return [
        Play(np.zeros((below, size[depth % 2])), np.zeros((2, len(level.bids), size[depth % 2])))
        for depth, (level, below) in enumerate(zip(tree, after, strict=True))
    ]


def normalised(tree: Tree, amounts: Strategy) -> Strategy:
    """Probabilities proportional to the amounts, or equal if all amounts are zero."""
    chances = []
    for depth, (level, amount) in enumerate(zip(tree, amounts, strict=True)):
        calls = amount.call if depth else amount.call * 0
        total = calls.sum(axis=0)
        ways = np.full(len(level.bids), 2.0 if depth else 0.0)
        if len(level.raisable):
            total[level.raisable] += np.add.reduceat(amount.bid, level.first, axis=0)
            ways[level.raisable] += np.diff(np.append(level.first, len(amount.bid)))
        idle = total == 0
        scale = 1 / np.where(idle, 1, total)
        even = idle / ways[:, None]
        parent = tree[depth + 1].parent if depth + 1 < len(tree) else np.zeros(0, dtype=np.int64)
        bid = amount.bid * scale[parent] + even[parent]
        chances.append(Play(bid, calls * scale + even if depth else calls))
    return chances


def reaches(tree: Tree, rules: Round, chances: Strategy, seat: int) -> list[Array]:
    """For each level, the probability that the seat's own dice and choices lead there, by history and hand."""
    reached = [hands(rules.dice[seat])[1][None, :]]
    for depth, level in enumerate(tree[1:]):
        above = reached[-1][level.parent]
        reached.append(above * chances[depth].bid if depth % 2 == seat else above)
    return reached


def gains(level: Level, reached: Array) -> tuple[Array, Array]:
    """What dudo and calza are worth to the mover, weighted by the other seat's `reaches`: two arrays by history and
    mover's hand."""
    return np.einsum("nij,nj->ni", level.dudo, reached), np.einsum("nij,nj->ni", level.calza, reached)


def losses(level: Level, reached: Array, play: Play) -> Array:
    """What the mover's challenges are worth to the other seat, by history and the other seat's hand."""
    doubted = np.einsum("nij,ni->nj", level.dudo, reached * play.call[0])
    lost: Array = -doubted - np.einsum("nij,ni->nj", level.calza, reached * play.call[1])
    return lost


def best_response(tree: Tree, rules: Round, chances: Strategy, seat: int) -> float:
    """What the seat's best response to the other seat's strategy is worth."""
    reached = reaches(tree, rules, chances, 1 - seat)
    below: Array = np.zeros((0, 0))
    for depth in reversed(range(len(tree))):
        level = tree[depth]
        if depth % 2 == seat:
            value = np.maximum(*gains(level, reached[depth])) if depth else np.full((1, below.shape[1]), -np.inf)
            if len(level.raisable):
                raised = np.maximum.reduceat(below, level.first, axis=0)
                value[level.raisable] = np.maximum(value[level.raisable], raised)
        else:
            value = losses(level, reached[depth], chances[depth])
            if len(level.raisable):
                value[level.raisable] += np.add.reduceat(below, level.first, axis=0)
        below = value
    return float(below[0] @ hands(rules.dice[seat])[1])


def learn(tree: Tree, rules: Round, seat: int, regrets: Strategy, sums: Strategy, weight: float) -> None:
    """One step of CFR+ for one seat, in place."""
    chances = normalised(tree, regrets)
    reached = reaches(tree, rules, chances, 1 - seat)
    own = reaches(tree, rules, chances, seat)
    below: Array = np.zeros((0, 0))
    for depth in reversed(range(len(tree))):
        level, play = tree[depth], chances[depth]
        if depth % 2 == seat:
            regret, total = regrets[depth], sums[depth]
            value = np.zeros(own[depth].shape)
            if depth:
                called = gains(level, reached[depth])
                value = play.call[0] * called[0] + play.call[1] * called[1]
            if len(level.raisable):
                value[level.raisable] += np.add.reduceat(play.bid * below, level.first, axis=0)
                np.maximum(regret.bid + below - value[tree[depth + 1].parent], 0, out=regret.bid)
                total.bid[:] += weight * own[depth + 1]
            if depth:
                for word in (0, 1):
                    np.maximum(regret.call[word] + called[word] - value, 0, out=regret.call[word])
                    total.call[word] += weight * own[depth] * play.call[word]
        else:
            value = losses(level, reached[depth], play)
            if len(level.raisable):
                value[level.raisable] += np.add.reduceat(below, level.first, axis=0)
        below = value


def limits(rules: Round, seat: int) -> tuple[int, int]:
    """How many bids the tree for this seat's table allows each seat."""
    if rules.raising == "strict" or sum(rules.dice) == 2:
        return FREE, FREE
    few = MORE.get((rules, seat), FEW)
    return (few, FREE) if seat == 0 else (FREE, few)


def solve(rules: Round, most: tuple[int, int]) -> tuple[Tree, Strategy]:
    """Both seats' average strategies, after training until SETTLED or for STEPS."""
    tree = grow(rules, most)
    regrets, sums = zeros(tree, rules), zeros(tree, rules)
    average = sums
    for step in range(STEPS):
        for seat in (0, 1):
            learn(tree, rules, seat, regrets, sums, float(step + 1) ** 2)
        if step % PACE == PACE - 1:
            average = normalised(tree, sums)
            if sum(best_response(tree, rules, average, seat) for seat in (0, 1)) < SETTLED:
                break
    return tree, average


def kept(tree: Tree, rules: Round, chances: Strategy, seat: int) -> dict[int, Array]:
    """One seat's table: for each history's key, the probability of each choice with each hand, in units of 1/WHOLE. It
    contains only histories that the seat's own play can lead to."""
    rows: dict[int, Array] = {}
    reached = reaches(tree, rules, rounded(tree, chances), seat)
    chances = parts(chances)
    for depth in range(seat, len(tree), 2):
        level, play = tree[depth], chances[depth]
        raises = (
            dict(zip(level.raisable.tolist(), np.split(play.bid, level.first[1:]), strict=True))
            if len(level.raisable)
            else {}
        )
        for place in np.flatnonzero(reached[depth].any(axis=1)).tolist():
            calls = play.call[:, place] if depth else np.zeros((0, play.call.shape[2]))
            row = np.vstack([raises[place], calls]) if place in raises else calls
            rows[key(rules, level.bids[place])] = (row * (reached[depth][place] > 0)).astype(np.uint16)
    return rows


def parts(chances: Strategy) -> Strategy:
    """The probabilities as stored in a table, in units of 1/WHOLE."""

    def kept(exact: Array) -> Array:
        return np.where(exact < SELDOM, 0, np.round(exact * WHOLE))

    return [Play(kept(play.bid), kept(play.call)) for play in chances]


def rounded(tree: Tree, chances: Strategy) -> Strategy:
    """The probabilities as read from a table."""
    return normalised(tree, parts(chances))


def game(worth: Sequence[float]) -> Array:
    """win[own dice, other's dice, whether this seat starts]: the probability of winning a two-player game.

    Solved rounds use `worth`, the value of each round to the seat that starts it. Other rounds use smoothed results of
    the searching player against itself. A regained die counts as a die lost by the other seat, and both seats are
    equally likely to start the next round."""
    chance = random.Random(1)
    sizes = range(1, MOST_DICE + 1)
    pairs = list(product(sizes, sizes))
    played = [(sum(starter_wins(dice, chance) for _ in range(SAMPLE)) + 1) / (SAMPLE + 2) for dice in pairs]
    traits = np.array([[1, (a - b) / (a + b), ((a - b) / (a + b)) ** 3, a == 1, b == 1] for a, b in pairs], dtype=float)
    odds = np.log(np.array(played) / (1 - np.array(played)))
    evened = 1 / (1 + np.exp(-traits @ np.linalg.lstsq(traits, odds, rcond=None)[0]))
    starting = dict(zip(pairs, evened.tolist(), strict=True))
    for dice in pairs:
        rules = Round(dice, (False, False), False, "strict", True)
        if rules in ROUNDS:
            starting[dice] = (1 + worth[ROUNDS[rules]]) / 2
    win = np.zeros((MOST_DICE + 1, MOST_DICE + 1, 2))
    win[1:, 0] = 1
    for a, b in pairs:
        for first, better in ((1, starting[a, b]), (0, 1 - starting[b, a])):
            win[a, b, first] = better * win[a, b - 1].mean() + (1 - better) * win[a - 1, b].mean()
    return win


def starter_wins(dice: tuple[int, int], chance: random.Random) -> bool:
    """The searching player plays one round against itself, maximizing its share of the dice. Returns whether the
    starter comes out ahead."""
    thrown = [tuple(sorted(chance.choices(FACES, k=n))) for n in dice]
    single, bids = 1 in dice, list[tuple[int, Bid]]()
    while True:
        seat = len(bids) % 2
        view = {
            "seat": seat, "circle": [0, 1], "starter": 0, "round": 1, "standing": dice, "in_play": sum(dice),
            "single": single, "bids": bids, "bidder": bids[-1][0] if bids else None,
            "bid": bids[-1][1] if bids else None,
            "dice": [thrown[0] if seat == 0 else [None] * dice[0], thrown[1] if seat else [None] * dice[1]],
            "options": {
                "dice": MOST_DICE, "raise": "strict", "calza_miss": "lose", "starter": "challenger", "single": "any",
            },
        }  # fmt: skip
        options = opening_bids(sum(dice), True) if not bids else replies(bids[-1][1], sum(dice), "strict", single)
        chosen = chance.choices(options, searched(mind(view, share), options))[0]
        if isinstance(chosen, tuple):
            bids.append((seat, chosen[1]))  # type: ignore[arg-type]
            continue
        over = count(bids[-1][1][1], thrown, wild=not single) - bids[-1][1][0]
        better = over < 0 if chosen == "dudo" else over == 0
        return better == (seat == 0)


def build(progress: Callable[[float], None]) -> dict[str, Array]:
    """The tables of all rounds, each round's value to the starter, and how much a best response gains against the
    tables."""
    rows: dict[int, Array] = {}
    worth = np.zeros((len(ROUNDS), 2))
    for rules, number in ROUNDS.items():
        for seat in (0, 1):
            most = limits(rules, seat)
            if seat == 0 or most != (FREE, FREE):
                tree, chances = solve(rules, most)
            rows |= kept(tree, rules, chances, seat)
            worth[number, seat] = best_response(tree, rules, rounded(tree, chances), 1 - seat)
            progress((2 * number + seat + 1) / (2 * len(ROUNDS)))
    values = (worth[:, 1] - worth[:, 0]) / 2
    numbers = sorted(rows)
    sizes = [rows[each].size for each in numbers]
    return {
        "keys": np.array(numbers, dtype=np.int64),
        "starts": np.cumsum([0, *sizes]).astype(np.int64),
        "chances": np.concatenate([rows[each].ravel() for each in numbers]),
        "worth": values,
        "exploitability": worth.sum(axis=1) / 2,
        "win": game(values.tolist()),
    }
