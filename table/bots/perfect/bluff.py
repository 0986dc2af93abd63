"""The mathematics of Bluff: every claim-and-call is a zero-sum game, and what it is played for is the chance to win.

What the claimant has after a claim (accepted, called and hit, called and missed) is all that a claim-and-call depends
on. The caller's best chances to call are a linear program, and one number solves it: what a bluff is worth. For two
seats, what comes after a round is looked up in a table; for more it is estimated.

By the full rules who calls first and claims afterwards has rolled already. In the last round it calls by its own dice
too, so much depends on them; before that it does not, as its call would tell them. What it does tell is not read: a
view does not say whether a claim was called.

The one rule: accepted is never worth less than missed, nor more than hit. That holds for everything here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from table.bots.perfect import tables
from table.rules.vocabulary import Option, View

Numbers = np.ndarray[Any, Any]
"""Floats, or Fractions where somebody wants to know exactly."""
After = Callable[[Any, Any, Any, Any], Numbers]
"""What it is worth to a claimant to have that score, with the caller's score, its own card and the caller's."""

CLAIMS = np.arange(1, 13)
WAYS = 6 - abs(7 - CLAIMS)  # of 36; none makes 1
ALL = 36
LOW = 24  # the lower of two scores counts up to here; above it only the difference matters
FAR = 200  # and that only up to here: nobody makes it up in 20 rounds


SCALE = 65534  # tables are whole numbers of this; a half is one
EVENING = 50  # rounds of setting rows and columns right
EVEN = 1.702  # a logistic curve that much steeper is nearly the normal one
PRICE = 0.5  # of a card among several, in points for each round after the next two; measured between two


class Stakes(NamedTuple):
    """What the claimant has after each claim, by the caller's own dice. To the caller it is worth as much less."""

    accepted: Numbers
    hit: Numbers
    missed: Numbers  # with the card the better of the two below
    immune: Numbers
    conceded: Numbers


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


def stakes(after: After, own: Any, other: Any, card: Any, against: Any) -> Stakes:
    """All four have a last axis of one, along which the claims are laid."""
    conceded = after(np.maximum(own - CLAIMS, 0), other + CLAIMS, card, against)
    immune = after(own, other, 0 * card, against) + 0 * conceded
    spared = (np.asarray(card) > 0) & (average(immune) >= average(conceded))
    return Stakes(
        after(own + CLAIMS, other, card, against),
        after(own + CLAIMS * 3 // 2, np.maximum(other - CLAIMS, 0), card, against),
        np.where(spared[..., None], immune, conceded),
        immune,
        conceded,
    )


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


def looked_up(table: Numbers) -> After:
    """By own card, the other's card, the lower score and the lead; the last axis is for the other's dice."""

    def after(own: Any, other: Any, card: Any, against: Any) -> Numbers:
        lead = np.clip(own - other, -FAR, FAR) + FAR
        return table[card, against, np.minimum(np.minimum(own, other), LOW), lead]  # type: ignore[no-any-return]

    return after


def seen_from_the_other(after: After) -> After:
    return lambda own, other, card, against: 1 - after(other, own, against, card)


def other_claims_first(after: After, by_dice: bool) -> After:
    """What a position is worth when the caller has its claim still to make in this round; if wanted by its dice."""

    def before(own: Any, other: Any, card: Any, against: Any) -> Numbers:
        places = [each[..., None] for each in np.broadcast_arrays(other, own, against, card)]
        found = settle(*stakes(seen_from_the_other(after), *places)[:3])
        return 1 - (found.worth if by_dice else found.value[..., None])

    return before


def ended(ties: Numbers) -> Numbers:
    """The table after the last round, by what a tie is worth: the higher score has won."""
    lead = np.arange(-FAR, FAR + 1)
    return np.where(lead == 0, ties[..., None], np.where(lead > 0, 1.0, 0.0))[..., None]


def unpacked(differences: Numbers) -> Numbers:
    """Neighbouring numbers are nearly alike, so a file holds only by how much they differ: along both last axes."""
    return np.cumsum(np.cumsum(differences, -1, np.uint16), -2, np.uint16) / np.float64(SCALE)


@lru_cache(maxsize=256)
def table_after(kind: str, rounds: int, eliminations: int) -> Numbers:
    """The chances of whoever leads among equals, with so many rounds to come and then so many to break a tie."""
    kept = tables.load("bluff")
    if rounds:
        return unpacked(kept[kind][rounds - 1])[..., None]
    return ended(unpacked(kept[f"{kind}_ties"])[eliminations])


class Claim(NamedTuple):
    """A claim-and-call, solved."""

    stakes: Stakes  # the claimant's chance to win
    both: float  # the caller's is what it lacks of this
    call: Numbers
    mix: Mix
    chances: Numbers  # of the claims, for each sum


def solved_claim(after: After, own: int, other: int, card: bool, against: bool, both: float = 1.0) -> Claim:
    stake = stakes(after, *(np.array([int(each)]) for each in (own, other, card, against)))
    found = settle(*stake[:3])
    mixed = mix(found)
    return Claim(stake, both, found.call, mixed, spoken(mixed))


@lru_cache(maxsize=4096)
def claim_between_two(
    kind: str, first: bool, rounds: int, eliminations: int, more: bool, own: int, other: int, card: bool, against: bool
) -> Claim:
    """With `first` the claimant is the seat that the table is for; with `more` the caller claims next."""
    after = looked_up(table_after(kind, rounds, eliminations))
    after = after if first else seen_from_the_other(after)
    if more:
        after = other_claims_first(after, by_dice=kind != "simple" and not rounds)
    return solved_claim(after, own, other, card, against)


class Prospect(NamedTuple):
    """What a seat may still get, besides what is being claimed now."""

    score: int
    card: bool
    claims: int
    calls: int


@lru_cache(maxsize=4096)
def claim_among_several(seats: tuple[Prospect, ...], rounds: int) -> Claim:
    """An estimate. The first of the seats claims, the second calls; they play for the difference of their chances."""
    usual = usual_gains()
    hopes, spreads = np.array([usual.of(seat) for seat in seats]).T
    price = PRICE * max(0, rounds - 2)
    hopes += price * np.array([seat.card for seat in seats])
    steep = EVEN / np.sqrt(spreads[:, None] + spreads)

    def shares(own: Any, other: Any, card: Any, against: Any) -> Numbers:
        claimant, caller = seats[:2]
        gained = own - claimant.score + price * (card - claimant.card)
        against_gained = other - caller.score + price * (against - caller.card)
        gains = np.stack(np.broadcast_arrays(gained, against_gained, *[0.0] * (len(seats) - 2)), -1)
        ends = hopes + gains
        above = -np.logaddexp(0, (ends[..., None, :] - ends[..., :, None]) * steep)  # the logarithm of the chance
        chances = np.exp(above.sum(-1) - above.sum(-1).max(-1, keepdims=True))
        return chances / chances.sum(-1, keepdims=True)  # type: ignore[no-any-return]

    claimant, caller = seats[:2]
    now = shares(claimant.score + usual.claim, caller.score + usual.call, int(claimant.card), int(caller.card))
    both = float(now[0] + now[1])

    def after(*position: Any) -> Numbers:
        chances = shares(*position)
        return (both + chances[..., :1] - chances[..., 1:2]) / 2

    return solved_claim(after, claimant.score, caller.score, claimant.card, caller.card, both)


class Usual(NamedTuple):
    """What a claim-and-call brings on average, and how far that spreads (as a variance)."""

    claim: float
    claim_spread: float
    call: float
    call_spread: float

    def of(self, seat: Prospect) -> tuple[float, float]:
        hope = seat.score + seat.claims * self.claim + seat.calls * self.call
        return hope, seat.claims * self.claim_spread + seat.calls * self.call_spread + 0.05  # a tie stays one


def plain_stakes() -> tuple[Numbers, Numbers, Numbers]:
    """Played for points alone, far above zero and without a card: what the claimant gains on the caller."""
    claims = CLAIMS[:, None]
    return claims, claims * 3 // 2 + claims, -2 * claims


@lru_cache(maxsize=1)
def usual_gains() -> Usual:
    found = settle(*plain_stakes())
    honest, bluffs = mix(found)
    call = found.call[:, 0]
    ways = [(honest + bluffs) * (1 - call), honest * call, bluffs * call]
    changes = [(CLAIMS, 0 * CLAIMS), (CLAIMS * 3 // 2, -CLAIMS), (-CLAIMS, CLAIMS)]
    chances = np.concatenate(ways) / ALL
    figures = []
    for gains in (np.concatenate(each) for each in zip(*changes, strict=True)):
        mean = float(chances @ gains)
        figures += [mean, float(chances @ (gains - mean) ** 2)]
    return Usual(*figures)


def claim_of(view: View) -> Claim:
    claimant, caller, circle, options = view["claimant"], view["caller"], view["circle"], view["options"]
    rounds = view["last_round"] - view["round"]
    if len(circle) > 2:
        return claim_among_several(tuple(_prospects(view, rounds)), rounds)
    kind, first = _kind(options, claimant, caller)
    eliminations = -1 - max(0, view["round"] - options["rounds"])
    positions = [view[what][seat] for what in ("standing", "cards") for seat in (claimant, caller)]
    return claim_between_two(kind, first, rounds, eliminations, view["claims"][caller] is None, *positions)


def _kind(options: Mapping[str, Any], seat: int, other: int) -> tuple[str, bool]:
    """Which table tells the chances of those two, and whether it tells the first one's."""
    wins = options["wins"]
    if options["rules"] == "simple":
        return "simple", seat < other
    return ("draw", True) if wins[seat] == wins[other] else ("wins", wins[seat] > wins[other])


def _prospects(view: View, rounds: int) -> list[Prospect]:
    circle = view["circle"]
    place = circle.index(view["claimant"])
    to_come = circle[place + 1 :]  # the circle begins with the first to claim
    called_on = [circle[(circle.index(seat) + 1) % len(circle)] for seat in to_come]
    return [
        Prospect(view["standing"][seat], view["cards"][seat], rounds + (seat in to_come), rounds + (seat in called_on))
        for seat in circle[place:] + circle[:place]
    ]


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    if "call" in options:
        call = float(_own(view, claim_of(view).call[view["claim"] - 1]))
        return [call if option == "call" else 1 - call for option in options]
    dice = view["dice"][view["seat"]]
    if "immunity" in options or None in dice:
        chances = win(view, options)
        best = chances.index(max(chances))
        return [float(place == best) for place in range(len(options))]
    chances = claim_of(view).chances[sum(dice) - 1]
    claims: dict[Option, float] = {("claim", place + 1): float(chance) for place, chance in enumerate(chances)}
    return [claims[option] for option in options]


def win(view: View, options: Sequence[Option]) -> list[float]:
    solved = claim_of(view)
    stake = solved.stakes
    worth: dict[Option, float]
    if "call" in options:
        claim = view["claim"] - 1
        accepted, hit, missed = (float(_own(view, each[claim])) for each in stake[:3])
        honest, bluffs = (float(each[claim]) for each in solved.mix)
        # A claim that perfect never makes is believed where the dice can show it.
        true = honest / (honest + bluffs) if honest + bluffs else float(claim > 0)
        worth = {"accept": solved.both - accepted, "call": solved.both - (true * hit + (1 - true) * missed)}
    elif "immunity" in options:
        claim = view["claim"] - 1
        worth = {"immunity": float(average(stake.immune[claim])), "concede": float(average(stake.conceded[claim]))}
    else:
        dice = view["dice"][view["seat"]]
        hits = WAYS / ALL if None in dice else (sum(dice) == CLAIMS).astype(float)
        called = stake.missed + hits[:, None] * (stake.hit - stake.missed)
        worths = average(stake.accepted + solved.call * (called - stake.accepted))
        worth = {("claim", place + 1): float(each) for place, each in enumerate(worths)}
    return [min(1.0, max(0.0, worth[option])) for option in options]


def _own(view: View, by_dice: Numbers) -> Numbers:
    """What it is to this caller, who may have rolled and know its dice."""
    dice = view["dice"][view["seat"]]
    if len(by_dice) == 1 or not dice or None in dice:
        return average(by_dice)
    return by_dice[sum(dice) - 1]  # type: ignore[no-any-return]


def fair(view: View) -> float:
    seats = len(view["players"])
    if seats > 2:
        return 1 / seats
    seat, options = view["seat"], view["options"]
    kind, first = _kind(options, seat, 1 - seat)
    chances = table_after(kind, options["rounds"], -1)
    card, against = int(view["cards"][seat]), int(view["cards"][1 - seat])
    chance = float(chances[card, against, 0, FAR, 0])
    return chance if first else 1 - chance
