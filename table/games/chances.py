"""The chances behind each game, as exact fractions, and the tables that are made of them (`dicetable odds`).

Its one rule: they are counted here and nowhere else, over every roll and with the scoring of the rules themselves.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

from table.engine.asks import Dice
from table.engine.errors import Refused
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco

ROLLS = (1, 2, 3)  # in a turn of Mexico and PocoLoco
TWO_HANDS = 2 * cacho.Options().dice
KINDS = {"poco": 4, "three": 3, "loco": 2, "points": 1}  # of hands in PocoLoco, with the chips that they cost
TYPICAL = (
    (4, 5, 6), (6, 6, 6), (1, 1, 1), (1, 2, 3), (1, 1, 6), (1, 6, 6), (1, 1, 5), (1, 6, 5), (6, 6, 5), (1, 5, 5),
    (1, 2, 2), (6, 5, 5), (6, 2, 2), (5, 5, 4), (3, 2, 2),
)  # fmt: skip
"""Hands of PocoLoco, from the best to the worst."""

Row = dict[str, Any]
"""A line of a table: what it is about, counts, and fractions."""


@cache
def rolls(dice: int) -> Mapping[Dice, int]:
    """Every roll of so many dice, as it lies in order, with the ways in which it can fall."""
    found = combinations_with_replacement(range(1, 7), dice)
    return {roll: factorial(dice) // prod(map(factorial, Counter(roll).values())) for roll in found}


@cache
def spread(dice: int, read: Callable[[Dice], Any]) -> Mapping[Any, int]:
    """In how many ways so many dice are read as each value."""
    found: Counter[Any] = Counter()
    for roll, ways in rolls(dice).items():
        found[read(roll)] += ways
    return found


def exactly(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return Fraction(spread(dice, read)[value], 6**dice)


def better(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return Fraction(sum(ways for other, ways in spread(dice, read).items() if other > value), 6**dice)


def at_least(value: Any, dice: int, read: Callable[[Dice], Any]) -> Fraction:
    return exactly(value, dice, read) + better(value, dice, read)


def within(once: Fraction, tries: int) -> Fraction:
    """The chance that it happens in one of so many tries."""
    return 1 - (1 - once) ** tries


def mexico_better(score: int) -> Fraction:
    return better(mexico.rank(divmod(score, 10)), 2, mexico.rank)


def mexico_at_least(score: int) -> Fraction:
    return at_least(mexico.rank(divmod(score, 10)), 2, mexico.rank)


def bluff_sum(total: int) -> Fraction:
    return exactly(total, 2, sum)


def pocoloco_kind(kind: str) -> Fraction:
    return exactly(KINDS[kind], 3, _chips)


def pocoloco_at_least(points: int) -> Fraction:
    return at_least(pocoloco.Rank(KINDS["points"], points), 3, pocoloco.rank)


def _chips(hand: Dice) -> int:
    return pocoloco.rank(hand).chips


@cache
def pocoloco_better(rank: pocoloco.Rank, left: int = 1, dice: Dice = ()) -> Fraction:
    """The chance of whoever wants nothing but to beat that hand: with these dice kept, in order, and so many rolls."""
    thrown = 3 - len(dice)
    found = sum(ways * pocoloco_better_from(rank, left - 1, dice + roll) for roll, ways in rolls(thrown).items())
    return Fraction(found, 6**thrown)


def pocoloco_better_from(rank: pocoloco.Rank, left: int, hand: Dice) -> Fraction | int:
    """The same of whoever has this hand already, by the dice that are best kept."""
    if pocoloco.rank(hand) > rank:
        return 1
    if not left:
        return 0
    return max(pocoloco_better(rank, left, dice) for dice in {kept(hand, again) for again in _REROLLED})


def kept(hand: Dice, again: Dice) -> Dice:
    """The dice, in order, that stay when those at these places are thrown again."""
    return tuple(sorted(die for place, die in enumerate(hand) if place not in again))


_REROLLED = [option[1] for option in pocoloco.REROLLS if isinstance(option, tuple) and isinstance(option[1], tuple)]


def cheese_cut(dice: int) -> Fraction:
    """Nothing scores."""
    return exactly((), dice, _reasons)


def cheese_all(dice: int) -> Fraction:
    """Every die scores."""
    return exactly((), dice, _unscored)


def cheese_points(dice: int) -> Fraction:
    """The average of a roll of which all is kept that scores."""
    return Fraction(sum(worth * ways for worth, ways in spread(dice, points).items()), 6**dice)


def _reasons(roll: Dice) -> tuple[cheese.Reason, ...]:
    return cheese.score(roll).reasons


def _unscored(roll: Dice) -> Dice:
    return cheese.score(roll).unscored


def points(roll: Dice) -> int:
    return cheese.score(roll).total


def cacho_one_in(face: int, single: bool) -> int:
    """A die supports a bid on that face one time in six; where aces are wild and it is another face, one in three."""
    return 6 if single or face == cacho.ACES else 3


@cache
def cacho_exactly(count: int, dice: int, one_in: int) -> Fraction:
    if not 0 <= count <= dice:  # fewer than none are wanted where too many are known already
        return Fraction(0)
    return Fraction(comb(dice, count) * (one_in - 1) ** (dice - count), one_in**dice)


@cache
def cacho_at_least(count: int, dice: int, one_in: int) -> Fraction:
    return sum((cacho_exactly(more, dice, one_in) for more in range(count, dice + 1)), Fraction(0))


def mexico_tables() -> dict[str, list[Row]]:
    """The 21 rolls; and how likely each score is beaten in a turn."""
    ways = spread(2, mexico.score)
    return {
        "rolls": [
            {"roll": roll, "ways": ways[roll], "chance": Fraction(ways[roll], 36), "at_least": mexico_at_least(roll)}
            for roll in mexico.RANKING
        ],
        "beaten": [
            {"score": score, **{f"in_{turn}": within(mexico_better(score), turn) for turn in ROLLS}}
            for score in mexico.RANKING
        ],
    }


def bluff_tables() -> dict[str, list[Row]]:
    """How often a claim is true, of whoever claims without having looked; and how often the dice are worth it."""
    ways = spread(2, sum)
    return {
        "claims": [
            {"claim": total, "ways": ways[total], "true": bluff_sum(total), "at_least": at_least(total, 2, sum)}
            for total in range(2, 13)
        ]
    }


def pocoloco_tables() -> dict[str, list[Row]]:
    """The kinds of hands; and how likely a hand is beaten in a turn by the best choice of dice."""
    ways = spread(3, _chips)
    return {
        "kinds": [
            {
                "kind": kind,
                "ways": ways[chips],
                "chance": pocoloco_kind(kind),
                "at_least": at_least(chips, 3, _chips),
            }
            for kind, chips in KINDS.items()
        ],
        "beaten": [
            {"hand": list(hand), **{f"in_{turn}": pocoloco_better(pocoloco.rank(hand), turn) for turn in ROLLS}}
            for hand in TYPICAL
        ],
    }


def cheese_tables() -> dict[str, list[Row]]:
    """What one roll of so many dice comes to."""
    return {
        "rolls": [
            {"dice": dice, "cut": cheese_cut(dice), "all": cheese_all(dice), "points": cheese_points(dice)}
            for dice in range(cheese.DICE, 0, -1)
        ]
    }


def cacho_tables(dice: int, single: bool) -> dict[str, list[Row]]:
    """How likely a bid holds, and is exact, for somebody who sees none of the dice in play."""
    aces, other = (cacho_one_in(face, single) for face in (cacho.ACES, cacho.ACES + 1))
    return {
        "bids": [
            {
                "count": count,
                "at_least": cacho_at_least(count, dice, other),
                "exactly": cacho_exactly(count, dice, other),
                "aces_at_least": cacho_at_least(count, dice, aces),
                "aces_exactly": cacho_exactly(count, dice, aces),
            }
            for count in range(1, dice + 1)
        ]
    }


def tables(game: str, dice: int | None, single: bool) -> tuple[dict[str, Any], dict[str, list[Row]]]:
    """The tables of a game by name, after what they go by: in Cacho the dice in play, and whether aces are wild."""
    if game != "cacho":
        if single or dice is not None:
            raise Refused(f"--dice and --single are about bids in cacho: leave them out for {game}.")
        return {}, TABLES[game]()
    dice = TWO_HANDS if dice is None else dice
    most = cacho.MOST_SEATS * cacho.MOST_DICE
    if not 1 <= dice <= most:
        raise Refused(f"From 1 to {most} dice can be in play, not {dice}.")
    return {"dice": dice, "single": single}, cacho_tables(dice, single)


TABLES = {"mexico": mexico_tables, "bluff": bluff_tables, "pocoloco": pocoloco_tables, "cheese": cheese_tables}


def as_json(tables: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    """Fractions as texts, "1/18"."""
    return {
        name: [
            {key: str(value) if isinstance(value, Fraction) else value for key, value in row.items()} for row in rows
        ]
        for name, rows in tables.items()
    }
