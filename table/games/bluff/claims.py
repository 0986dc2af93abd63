"""One claim and its call, solved: a zero-sum game, whatever it is played for.

What the claimant has after each claim (accepted, called and hit, called and missed) is all that it depends on. The
caller's best chances to call are a linear program, and one number solves it: what a bluff is worth.

The one rule: accepted is never worth less than missed, nor more than hit. That holds for everything that is played for.
"""

from typing import Any, NamedTuple

import numpy as np

from table.engine.chances import spread

Numbers = np.ndarray[Any, Any]
"""Floats, or Fractions where somebody wants to know exactly."""

CLAIMS = np.arange(1, 13)
WAYS = np.array([spread(2, sum)[claim] for claim in CLAIMS.tolist()])  # of 36; none makes 1
ALL = 36
EVENING = 50  # rounds of setting rows and columns right


class Steps(NamedTuple):
    """How a caller gets a bluff down, from what is best against the truth: by claim, then the cheapest step first.

    Each of the caller's sums is a step. Most begin to call; some, that rather lose to the truth, cease to.
    """

    calls: Numbers  # which of the caller's sums call before any step is taken, in their own order
    order: Numbers  # which sum each step is
    price: Numbers  # what it gives to the truth, for each that it takes from a bluff
    above: Numbers  # what a bluff is worth before it
    below: Numbers  # and after it
    cost: Numbers
    truth: Numbers  # what the truth is worth before any step
    even: Numbers  # where a bluff and the truth are worth the same


class Equilibrium(NamedTuple):
    bluff: Numbers  # what a bluff is worth at best
    worth: Numbers  # what each sum is worth to a claimant that has it; none has 1
    call: Numbers  # the chance to call each claim, by the caller's own dice
    steps: Steps

    @property
    def value(self) -> Numbers:
        return average(self.worth)


class Mix(NamedTuple):
    """How a claimant makes the caller indifferent, in ways of the dice: 36 in all."""

    honest: Numbers  # what is claimed of each sum by those who have it
    bluffs: Numbers  # and by those who do not


def average(values: Numbers) -> Numbers:
    """Over the sums of two dice; or over nothing, where the last axis has one place because dice play no part."""
    ways = ways_of(values)
    return (values * ways).sum(-1) / ways.sum()  # type: ignore[no-any-return]


def ways_of(values: Numbers) -> Numbers:
    return WAYS if values.shape[-1] == len(WAYS) else np.ones(1, int)


def plain_stakes() -> tuple[Numbers, Numbers, Numbers]:
    """Played for points alone, far above zero and without a card: what the claimant gains on the caller."""
    claims = CLAIMS[:, None]
    return claims, claims * 3 // 2 + claims, -2 * claims


def settle(accepted: Numbers, hit: Numbers, missed: Numbers) -> Equilibrium:
    """The linear program of the caller: call each claim just so often that no bluff is worth more than one number.

    The claimant then has, for each sum, the better of that number and the truth. That is convex in the number and bends
    only between two steps of the caller and where a truth is worth the number: so the best is there, found by halving.
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
    call[..., 0, :] = (accepted >= missed)[..., 0, :]  # nobody has it
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
    # The first step within which the truth comes up to the bluff; before any step, a truth may be worth more already.
    step = np.minimum((truths < below).sum(-1, keepdims=True), below.shape[-1] - 1)
    at_above, at_cost, at_gain = (np.take_along_axis(each, step, -1)[..., 0] for each in (above, cost, gain))
    behind = at_above - (np.take_along_axis(truths, step, -1)[..., 0] - at_cost)
    even = at_above - behind * at_gain / np.where(at_gain + at_cost == 0, 1, at_gain + at_cost)
    even = np.where(truth >= top, truth, np.where((truths < below)[..., -1], -np.inf, even))
    return Steps(calls, order, price, above, below, cost, truth, even)


def slope(steps: Steps, bluff: Numbers) -> Numbers:
    """How much more the claimant has when bluffs may be worth a little more than that."""
    price = _price(steps, (bluff[..., None] < steps.above).sum(-1))
    return (np.where(bluff >= steps.even, 1, -price) * WAYS).sum(-1)  # type: ignore[no-any-return]


def _price(steps: Steps, begun: Numbers) -> Numbers:
    """The price of the last of so many steps; of none, nothing."""
    price = np.take_along_axis(steps.price, np.maximum(begun - 1, 0)[..., None], -1)[..., 0]
    return np.where(begun > 0, price, 0)


def mix(found: Equilibrium) -> Mix:
    """The claimant's side: on a claim that is called now and then, so many bluffs that whoever wavers may waver.

    Whoever has as much by the truth as by a bluff bluffs where any number may, if a bluff would be worth more than that
    uncalled (who loses anyway can but hope); else it is honest as far as there is need; then bluffs fill the rest.
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
    """How far to go from low to high to have all ways of the dice."""
    room = (high - low).sum(-1, keepdims=True)
    return np.clip((ALL - low.sum(-1, keepdims=True)) / np.where(room == 0, 1, room), 0, 1)  # type: ignore[no-any-return]


def spoken(mixed: Mix) -> Numbers:
    """The chances of each claim for each sum. Nobody bluffs with what it has, so such a bluff is left to the others."""
    idle = WAYS - mixed.honest
    flow = np.outer(idle, mixed.bluffs) / (mixed.bluffs.sum() or 1)
    if flow.diagonal().any():
        np.fill_diagonal(flow, 0)
        for _ in range(EVENING):
            flow *= mixed.bluffs / np.where(flow.any(0), flow.sum(0), 1)
            flow *= (idle / np.where(flow.any(1), flow.sum(1), 1))[:, None]
    bluffs = flow.sum(1)
    ways = np.where(bluffs > 0, mixed.honest + bluffs, 1)
    return flow / ways[:, None] + np.diag(np.where(bluffs > 0, mixed.honest / ways, 1))  # type: ignore[no-any-return]
