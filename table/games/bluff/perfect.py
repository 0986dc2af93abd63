"""Perfect play of Bluff: claims and calls maximize the probability of winning the game.

For two seats, the value of the game after a round comes from a table. For more seats it is estimated.

With the full rules, everyone rolls before the first claim, so the first caller already knows the dice for its own
later claim. In the last round, these dice influence the call, because so much depends on them. In earlier rounds they
do not, because the call would reveal something about them. What a call reveals in the last round is ignored, because
a view does not say whether a claim was called.

`claims` solves each claim and call. This module computes the stakes.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.games import tables
from table.games.bluff.claims import ALL, CLAIMS, WAYS, Mix, Numbers, average, mix, plain_stakes, settle, spoken

After = Callable[[Any, Any, Any, Any], Numbers]
"""The value of a position to a claimant, from its score, the caller's score, its own card and the caller's card."""

LOW = 24  # the lower score matters up to here; above that, only the difference does
FAR = 200  # the largest lead in the tables: no one makes up more in 20 rounds
SCALE = 65534  # tables are in units of 1/65534; one half is exact
EVEN = 1.702  # scales a logistic curve to approximate a normal one
# With several seats, a card is worth this many points for each round to come, except the last two. Measured with two
# seats.
PRICE = 0.5


class Stakes(NamedTuple):
    """The claimant's value after each claim, for each sum of the caller's own dice. The caller loses what the claimant
    gains."""

    accepted: Numbers
    hit: Numbers
    missed: Numbers  # if the claimant has the card, the better of `immune` and `conceded`
    immune: Numbers
    conceded: Numbers


def stakes(after: After, own: Any, other: Any, card: Any, against: Any) -> Stakes:
    """The arguments have a last axis of length one, which is expanded to all claims."""
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


def looked_up(table: Numbers) -> After:
    """A function that looks up positions in the table. The axes of the table are the seat's own card, the other seat's
    card, the lower score, the lead, and the other seat's dice."""

    def after(own: Any, other: Any, card: Any, against: Any) -> Numbers:
        lead = np.clip(own - other, -FAR, FAR) + FAR
        return table[card, against, np.minimum(np.minimum(own, other), LOW), lead]  # type: ignore[no-any-return]

    return after


def seen_from_the_other(after: After) -> After:
    return lambda own, other, card, against: 1 - after(other, own, against, card)


def other_claims_first(after: After, by_dice: bool) -> After:
    """The value of a position if the caller still has to claim in this round. With `by_dice`, there is one value for
    each sum of the caller's dice."""

    def before(own: Any, other: Any, card: Any, against: Any) -> Numbers:
        places = [each[..., None] for each in np.broadcast_arrays(other, own, against, card)]
        found = settle(*stakes(seen_from_the_other(after), *places)[:3])
        return 1 - (found.worth if by_dice else found.value[..., None])

    return before


def ended(ties: Numbers) -> Numbers:
    """The table after the last round, where the higher score has won. `ties` is the value of a tie."""
    lead = np.arange(-FAR, FAR + 1)
    return np.where(lead == 0, ties[..., None], np.where(lead > 0, 1.0, 0.0))[..., None]


def unpacked(differences: Numbers) -> Numbers:
    """Restores a table. The file stores only differences along the last two axes, because neighbouring numbers are
    similar."""
    return np.cumsum(np.cumsum(differences, -1, np.uint16), -2, np.uint16) / np.float64(SCALE)


@lru_cache(maxsize=256)
def table_after(kind: str, rounds: int, eliminations: int) -> Numbers:
    """The table of winning probabilities with this number of rounds to come. If there are none, `eliminations` is the
    index of the values of a tie. `solve.build` says which seat each kind of table is for."""
    kept = tables.load("bluff")
    if rounds:
        return unpacked(kept[kind][rounds - 1])[..., None]
    return ended(unpacked(kept[f"{kind}_ties"])[eliminations])


class Claim(NamedTuple):
    """The solution for one claim and for the decision to call it."""

    stakes: Stakes  # the claimant's winning probabilities
    both: float  # the sum of both players' winning probabilities
    call: Numbers
    mix: Mix
    chances: Numbers  # the probability of each claim for each sum


def solved_claim(after: After, own: int, other: int, card: bool, against: bool, both: float = 1.0) -> Claim:
    stake = stakes(after, *(np.array([int(each)]) for each in (own, other, card, against)))
    found = settle(*stake[:3])
    mixed = mix(found)
    return Claim(stake, both, found.call, mixed, spoken(mixed))


@lru_cache(maxsize=4096)
def claim_between_two(
    kind: str, first: bool, rounds: int, eliminations: int, more: bool, own: int, other: int, card: bool, against: bool
) -> Claim:
    """With `first`, the table is for the claimant's seat. With `more`, the caller claims next."""
    after = looked_up(table_after(kind, rounds, eliminations))
    after = after if first else seen_from_the_other(after)
    if more:
        after = other_claims_first(after, by_dice=kind != "simple" and not rounds)
    return solved_claim(after, own, other, card, against)


class Prospect(NamedTuple):
    """What a seat has, and how often it will claim and call after the current claim."""

    score: int
    card: bool
    claims: int
    calls: int


@lru_cache(maxsize=4096)
def claim_among_several(seats: tuple[Prospect, ...], rounds: int) -> Claim:
    """An estimate. The first seat claims and the second calls. They play for the difference between their winning
    probabilities."""
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
        above = -np.logaddexp(0, (ends[..., None, :] - ends[..., :, None]) * steep)  # log probability of ending ahead
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
    """The average gain from a claim and from a call, and the variance of each."""

    claim: float
    claim_spread: float
    call: float
    call_spread: float

    def of(self, seat: Prospect) -> tuple[float, float]:
        hope = seat.score + seat.claims * self.claim + seat.calls * self.call
        return hope, seat.claims * self.claim_spread + seat.calls * self.call_spread + 0.05  # never 0: it is a divisor


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
    """Which table to use for two seats, and whether its probabilities are those of `seat` (otherwise of `other`)."""
    wins = options["wins"]
    if options["rules"] == "simple":
        return "simple", seat < other
    return ("draw", True) if wins[seat] == wins[other] else ("wins", wins[seat] > wins[other])


def _prospects(view: View, rounds: int) -> list[Prospect]:
    circle = view["circle"]
    place = circle.index(view["claimant"])
    to_come = circle[place + 1 :]  # the circle begins with the seat that claims first
    called_on = [circle[(circle.index(seat) + 1) % len(circle)] for seat in to_come]
    return [
        Prospect(view["standing"][seat], view["cards"][seat], rounds + (seat in to_come), rounds + (seat in called_on))
        for seat in circle[place:] + circle[:place]
    ]


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    chances = _mixed(view, options)
    if chances is None:
        wins = win(view, options)
        best = options[wins.index(max(wins))]
        return [float(option == best) for option in options]
    return [chances[option] for option in options]


def _mixed(view: View, options: Sequence[Option]) -> dict[Option, float] | None:
    """The probability of each option in the equilibrium. None for the card, where one option is simply better, and for
    a choice that depends on the seat's own dice if the seat cannot see them."""
    if "immunity" in options:
        return None
    have, solved = _have(view), claim_of(view)
    if "call" in options:
        by_dice = solved.call[view["claim"] - 1]
        if have is None and len(by_dice) > 1:
            return None
        call = float(_own(view, by_dice))
        return {"call": call, "accept": 1 - call}
    if have is None:
        return None
    return {("claim", place + 1): float(chance) for place, chance in enumerate(solved.chances[have - 1])}


def win(view: View, options: Sequence[Option]) -> list[float]:
    solved = claim_of(view)
    stake = solved.stakes
    worth: dict[Option, float]
    if "call" in options:
        claim = view["claim"] - 1
        accepted, hit, missed = (float(_own(view, each[claim])) for each in stake[:3])
        honest, bluffs = (float(each[claim]) for each in solved.mix)
        # A claim that perfect never makes counts as true if two dice can make it.
        true = honest / (honest + bluffs) if honest + bluffs else float(claim > 0)
        worth = {"accept": solved.both - accepted, "call": solved.both - (true * hit + (1 - true) * missed)}
    elif "immunity" in options:
        claim = view["claim"] - 1
        worth = {"immunity": float(average(stake.immune[claim])), "concede": float(average(stake.conceded[claim]))}
    else:
        have = _have(view)
        hits = WAYS / ALL if have is None else np.equal(CLAIMS, have)
        called = stake.missed + hits[:, None] * (stake.hit - stake.missed)
        worths = average(stake.accepted + solved.call * (called - stake.accepted))
        worth = {("claim", place + 1): float(each) for place, each in enumerate(worths)}
    return [min(1.0, max(0.0, worth[option])) for option in options]


def _own(view: View, by_dice: Numbers) -> Numbers:
    """The value for this caller's own dice, or the average over all dice if the caller has not seen its own."""
    have = _have(view)
    if len(by_dice) == 1 or have is None:
        return average(by_dice)
    return by_dice[have - 1]  # type: ignore[no-any-return]


def _have(view: View) -> int | None:
    """The sum of this seat's dice. None if the seat has not rolled, or if its dice are under a real cup."""
    dice = view["dice"][view["seat"]]
    return None if not dice or None in dice else sum(dice)


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
