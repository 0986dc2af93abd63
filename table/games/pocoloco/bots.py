"""The computer players of PocoLoco that follow rules of thumb, and the odds of a turn that `sharp` uses.

A turn is solved backwards from its last roll. The functions that solve it are told what stopping on each hand is worth.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from table.engine.asks import Dice, Option, View
from table.engine.chances import rolls as all_rolls
from table.games.pocoloco.rules import POINTS, Rank, rank

LEVELS = ("easy", "classic", "sharp")

GOOD_ENOUGH = Rank(1, 160)  # a one and a six: classic ends on this or more
PLENTY = 13  # easy ends on this many pips or more
NEAR = 1e-9  # values this close count as equal

HANDS = tuple(all_rolls(3))
KEEPS = tuple(kept for count in range(3) for kept in all_rolls(count))  # sets of dice that can be kept


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Three times in four, it stops with many pips or a hand worth more than one chip, rolls one die again for three of
    a kind or PoCo, and otherwise keeps fives and sixes. One time in four, it plays like classic."""
    by_pips = _by_pips(view["dice"][view["seat"]])
    chances = [chance / 4 for chance in classic(view, options)]
    chances[options.index(by_pips)] += 3 / 4
    return chances


def _by_pips(dice: Sequence[int]) -> Option:
    if rank(dice).chips > 1 or sum(dice) >= PLENTY:
        return "end"
    for place in range(3):
        others = {die for other, die in enumerate(dice) if other != place}
        if len(others) == 1 or others < {4, 5, 6}:
            return "reroll", (place,)
    return "reroll", tuple(place for place, die in enumerate(dice) if die < 5)


def classic(view: View, options: Sequence[Option]) -> list[float]:
    """Keeps ones and sixes, and stops on a good roll that is not the lowest."""
    dice = view["dice"][view["seat"]]
    choice = _choice(dice, [Rank(*done) for done in view["ranks"] if done is not None])
    return [float(option == choice) for option in options]


def _choice(dice: Sequence[int], done: Sequence[Rank]) -> Option:
    safe = not done or rank(dice) > min(done)
    if safe and rank(dice) >= GOOD_ENOUGH:
        return "end"
    return "reroll", _poor(dice)


def _poor(dice: Sequence[int]) -> tuple[int, ...]:
    """What classic rolls again: all dice except ones and sixes, or else the lowest die."""
    poor = tuple(place for place, die in enumerate(dice) if die not in (1, 6))
    return poor or (min(range(3), key=lambda place: POINTS[dice[place]]),)


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Gives away as many chips as possible in this round, assuming that the seats to come play like classic."""
    done = tuple(Rank(*done) for done in view["ranks"] if done is not None)
    return best(options, worths(view, options, _ends(done, len(view["players"]) - len(done) - 1, view["limit"])))


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Exact for two seats, where perfect maximizes the probability of winning. With more, it is exact only within a
    round, where it maximizes the chips given away."""
    return seats == 2


def worths(view: View, options: Sequence[Option], ends: Sequence[Sequence[float]]) -> list[float]:
    """The value of each option. `ends` has the value of ending on each hand after each roll of the turn."""
    dice, rolls = view["dice"][view["seat"]], view["rolls"]
    end, kept = ends[rolls - 1][_HAND[tuple(sorted(dice))]], hopes(ends[rolls - 1 :])
    return [end if option == "end" else kept[_KEEP[left_lying(dice, cast(Dice, option[1]))]] for option in options]


def best(options: Sequence[Option], worth: Sequence[float]) -> list[float]:
    """The first of the best options, so that no dice are rolled without a benefit."""
    most = next(at for at, each in enumerate(worth) if each > max(worth) - NEAR)
    return [float(at == most) for at in range(len(options))]


def hopes(ends: Sequence[Sequence[float]]) -> list[float]:
    """The value of keeping each of the KEEPS and rolling the rest. `ends` has the values of ending on each of the
    HANDS, a list per roll, beginning with the roll just made."""
    *middle, then = ends[1:]
    for line in reversed(middle):
        kept = _roll(then)
        then = [max(end, *(kept[keep] for keep in keeps)) for end, keeps in zip(line, _CAN_KEEP, strict=True)]
    return _roll(then)


def left_lying(dice: Sequence[int], again: Sequence[int]) -> Dice:
    return tuple(sorted(die for place, die in enumerate(dice) if place not in again))


def _roll(then: Sequence[float]) -> list[float]:
    return [sum(chance * then[hand] for hand, chance in rolled) for rolled in OUTCOMES]


@lru_cache(maxsize=256)
def _ends(done: tuple[Rank, ...], to_come: int, limit: int) -> list[list[float]]:
    """The value of ending on each hand after each roll of a turn, given the seats that are done and how many are to
    come. Cached for the decisions of one turn."""
    return [[_gives(mine, rolls, done, to_come) for mine in _RANKS] for rolls in range(1, limit + 1)]


def _gives(mine: Rank, rolls: int, done: Sequence[Rank], to_come: int) -> float:
    """The chips that a seat can expect to give away if it ends its turn on this rank after this many rolls."""
    each = max(mine, *done).chips if done else mine.chips
    if done and mine > min(done):
        return each
    worse, equal = _classic_after(mine, rolls)
    loses = (1 - worse - equal / 2) ** to_come / (1 + done.count(mine))
    return each * (1 - (len(done) + 1 + to_come) * loses)


@cache
def _classic_after(lowest: Rank, limit: int) -> tuple[float, float]:
    """How often classic, with this many rolls, ends below the lowest rank so far, and how often it ties with it."""
    below = level = 0.0
    at = dict(OUTCOMES[0])
    for rolls in range(1, limit + 1):
        going_on = dict.fromkeys(range(len(HANDS)), 0.0)
        for hand, chance in at.items():
            if rolls < limit and not (_RANKS[hand] > lowest and _RANKS[hand] >= GOOD_ENOUGH):
                for then, share in OUTCOMES[_CLASSIC_KEEPS[hand]]:
                    going_on[then] += chance * share
            elif _RANKS[hand] < lowest:
                below += chance
            elif _RANKS[hand] == lowest:
                level += chance
        at = going_on
    return below, level


def _outcomes(kept: Dice) -> list[tuple[int, float]]:
    """The hands that can result from rolling the other dice, with the probability of each."""
    found: dict[int, float] = {}
    again = all_rolls(3 - len(kept))
    for rolled, ways in again.items():
        hand = _HAND[tuple(sorted(kept + rolled))]
        found[hand] = found.get(hand, 0) + ways
    return [(hand, ways / sum(again.values())) for hand, ways in sorted(found.items())]


_RANKS = tuple(rank(hand) for hand in HANDS)
_HAND = {hand: at for at, hand in enumerate(HANDS)}
_KEEP = {kept: at for at, kept in enumerate(KEEPS)}
OUTCOMES = tuple(_outcomes(kept) for kept in KEEPS)
_CAN_KEEP = tuple(
    sorted({_KEEP[()], *(_KEEP[(die,)] for die in hand), *(_KEEP[hand[:at] + hand[at + 1 :]] for at in range(3))})
    for hand in HANDS
)
_CLASSIC_KEEPS = tuple(_KEEP[left_lying(hand, _poor(hand))] for hand in HANDS)
