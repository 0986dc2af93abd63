"""Solves one claim and its call as a zero-sum game, for any stakes.

The game depends only on what each claim is worth to the claimant if it is accepted, if it is called and true (hit), and
if it is called and false (missed). The caller's best calling probabilities are the solution of a linear program with a
single unknown: the value of a bluff.

In a real game, a missed claim is never worth more than an accepted one, nor an accepted claim more than a hit one.
"""

from typing import Any, NamedTuple

import numpy as np

from table.engine.chances import spread

Numbers = np.ndarray[Any, Any]
"""Floats, or Fractions for exact results."""

CLAIMS = np.arange(1, 13)
WAYS = np.array([spread(2, sum)[claim] for claim in CLAIMS.tolist()])  # how many of the 36 rolls make each sum
ALL = 36
SCALINGS = 50  # how many times rows and columns are scaled to their required sums


class Steps(NamedTuple):
    """The steps in which a caller makes bluffs worth less, starting from the best response to true claims. For each
    claim, the cheapest step comes first.

    There is one step for each sum of the caller's own dice. In most steps, the caller starts to call with that sum.
    With some sums, calling pays even against a true claim: then the caller calls from the start and stops in that step.
    """

    calls: Numbers  # for each sum, not step: whether the caller calls before the first step
    order: Numbers  # the sum that each step changes
    price: Numbers  # how much the truth gains in the step, per unit that a bluff loses
    above: Numbers  # the value of a bluff before the step
    below: Numbers  # the value of a bluff after the step
    cost: Numbers  # how much the truth gains in the step
    truth: Numbers  # the value of the truth before the first step
    even: Numbers  # the value at which a bluff and the truth are worth the same


class Equilibrium(NamedTuple):
    bluff: Numbers  # the value of the best bluff
    worth: Numbers  # the claimant's value with each sum from 1 to 12, although 1 never occurs
    call: Numbers  # the probability of a call, for each claim and each sum of the caller's own dice
    steps: Steps

    @property
    def value(self) -> Numbers:
        return average(self.worth)


class Mix(NamedTuple):
    """For each claim, how many of the 36 rolls should lead to it, so that the caller gains the same by calling and by
    accepting."""

    honest: Numbers  # rolls after which the claim is true
    bluffs: Numbers  # rolls after which the claim is false


def average(values: Numbers) -> Numbers:
    """The average over the sums of two dice, which form the last axis. If that axis has length one, the dice play no
    part."""
    ways = ways_of(values)
    return (values * ways).sum(-1) / ways.sum()  # type: ignore[no-any-return]


def ways_of(values: Numbers) -> Numbers:
    return WAYS if values.shape[-1] == len(WAYS) else np.ones(1, int)


def plain_stakes() -> tuple[Numbers, Numbers, Numbers]:
    """The points that the claimant gains on the caller, if scores are far above zero and there is no card."""
    claims = CLAIMS[:, None]
    return claims, claims * 3 // 2 + claims, -2 * claims


def settle(accepted: Numbers, hit: Numbers, missed: Numbers) -> Equilibrium:
    """Solves the caller's linear program: call each claim just often enough that no bluff is worth more than a bound.

    With each sum, the claimant then gets the bound or the value of the truth, whichever is larger. The average of these
    values is convex and piecewise linear in the bound. It bends at the caller's steps and where a true claim is
    worth exactly the bound. Its minimum is at one of these bends, and bisection finds it.
    """
    steps = steps_down(accepted, hit, missed)
    shape = steps.even.shape[:-1]
    bends = np.concatenate([steps.even, steps.above[..., 0], steps.below.reshape(*shape, -1)], -1)
    bends = np.sort(np.maximum(bends, steps.below[..., -1].max(-1, keepdims=True)), -1)
    low, high = np.zeros(shape, int), np.full(shape, bends.shape[-1] - 1)
    while (low < high).any():
        middle = (low + high) // 2
        rising = slope(steps, np.take_along_axis(bends, middle[..., None], -1)) >= 0
        low, high = np.where(rising, low, middle + 1), np.where(rising, middle, high)
    bluff = np.take_along_axis(bends, low[..., None], -1)
    width = steps.above - steps.below
    taken = np.clip((steps.above - bluff[..., None]) / np.where(width == 0, 1, width), 0, 1)
    worth = np.maximum(steps.truth + (taken * steps.cost).sum(-1), bluff)
    call = np.zeros_like(taken)
    np.put_along_axis(call, steps.order, taken, -1)
    call = np.where(steps.calls, 1 - call, call)
    call[..., 0, :] = (accepted >= missed)[..., 0, :]  # a claim of 1 is never true
    return Equilibrium(bluff[..., 0], worth, call, steps)


def steps_down(accepted: Numbers, hit: Numbers, missed: Numbers) -> Steps:
    ways = ways_of(accepted)
    gain, cost = (accepted - missed) * ways / ways.sum(), (hit - accepted) * ways / ways.sum()
    calls = cost < 0
    start = average(accepted)
    top, truth = start - np.where(calls, gain, 0).sum(-1), start + np.where(calls, cost, 0).sum(-1)
    useful = np.where(calls, gain < 0, gain > 0)
    gain, cost = np.where(useful, abs(gain), 0), np.where(useful, abs(cost), 0)
    price = np.where(useful, cost / np.where(useful, gain, 1), np.inf)
    order = price.argsort(-1, kind="stable")
    gain, cost, price = (np.take_along_axis(each, order, -1) for each in (gain, cost, price))
    below = top[..., None] - gain.cumsum(-1)
    above = np.concatenate([top[..., None], below[..., :-1]], -1)
    truths = truth[..., None] + cost.cumsum(-1)
    # The first step in which the truth becomes worth as much as a bluff. The truth can be worth more from the start.
    step = np.minimum((truths < below).sum(-1, keepdims=True), below.shape[-1] - 1)
    at_above, at_cost, at_gain = (np.take_along_axis(each, step, -1)[..., 0] for each in (above, cost, gain))
    behind = at_above - (np.take_along_axis(truths, step, -1)[..., 0] - at_cost)
    even = at_above - behind * at_gain / np.where(at_gain + at_cost == 0, 1, at_gain + at_cost)
    even = np.where(truth >= top, truth, np.where((truths < below)[..., -1], -np.inf, even))
    return Steps(calls, order, price, above, below, cost, truth, even)


def slope(steps: Steps, bluff: Numbers) -> Numbers:
    """How much the claimant's value changes when the bound for bluffs rises slightly."""
    price = _price(steps, (bluff[..., None] < steps.above).sum(-1))
    return (np.where(bluff >= steps.even, 1, -price) * WAYS).sum(-1)  # type: ignore[no-any-return]


def _price(steps: Steps, begun: Numbers) -> Numbers:
    """The price of the last of the `begun` steps, or 0 if there are none."""
    price = np.take_along_axis(steps.price, np.maximum(begun - 1, 0)[..., None], -1)[..., 0]
    return np.where(begun > 0, price, 0)


def mix(found: Equilibrium) -> Mix:
    """The claimant's side: for each claim that is sometimes called, enough bluffs to keep the caller indifferent.

    With some rolls, the truth and a bluff are worth the same. These rolls go first to bluffs that are always called but
    would be worth more uncalled: a claimant who would lose anyway can only hope. Then as many as needed go to true
    claims, and the rest to bluffs again.
    """
    steps, bluff = found.steps, found.bluff[..., None]
    begun, done = (bluff[..., None] < steps.above).sum(-1), (bluff[..., None] <= steps.below).sum(-1)
    unlimited = done == steps.price.shape[-1]
    fewest = _price(steps, begun)
    some = (bluff <= steps.above[..., 0]) & ~unlimited
    most = np.where(some, _price(steps, np.where(some, done + 1, 0)), 0)
    sure, perhaps = (np.where(each, WAYS, 0) for each in (bluff < steps.even, bluff <= steps.even))
    low, high = sure * fewest, np.where(unlimited & (begun > 0), ALL, sure * most)
    bluffs = low + (high - low) * _share(sure + low, sure + high)
    more = (perhaps - sure) * _share(sure + bluffs, sure + bluffs + (perhaps - sure) * (1 + fewest))
    honest, bluffs = sure + more, bluffs + more * fewest
    high = np.where(unlimited, ALL, honest * most)
    return Mix(honest, bluffs + (high - bluffs) * _share(honest + bluffs, honest + high))


def _share(low: Numbers, high: Numbers) -> Numbers:
    """The fraction of the way from low to high at which all 36 rolls are used."""
    room = (high - low).sum(-1, keepdims=True)
    return np.clip((ALL - low.sum(-1, keepdims=True)) / np.where(room == 0, 1, room), 0, 1)  # type: ignore[no-any-return]


def spoken(mixed: Mix) -> Numbers:
    """The probability of each claim for each sum. A bluff is never assigned to the sum that would make it true."""
    idle = WAYS - mixed.honest
    flow = np.outer(idle, mixed.bluffs) / (mixed.bluffs.sum() or 1)
    if flow.diagonal().any():
        np.fill_diagonal(flow, 0)
        for _ in range(SCALINGS):
            flow *= mixed.bluffs / np.where(flow.any(0), flow.sum(0), 1)
            flow *= (idle / np.where(flow.any(1), flow.sum(1), 1))[:, None]
    bluffs = flow.sum(1)
    ways = np.where(bluffs > 0, mixed.honest + bluffs, 1)
    return flow / ways[:, None] + np.diag(np.where(bluffs > 0, mixed.honest / ways, 1))  # type: ignore[no-any-return]
