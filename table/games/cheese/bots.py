"""The computer players of Pass the Cheese that follow rules of thumb or plain odds, and the mathematics of one turn.

`turn` can maximize either points or winning probabilities. The values can be floats, Fractions, or arrays with one
entry per position.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from table.engine.asks import Dice, Option, View
from table.engine.chances import exactly, rolls, spread
from table.games.cheese.rules import CARD_BONUS, DECK, DICE, Reason, score

LEVELS = ("easy", "classic", "sharp")

Worth = TypeVar("Worth", float, Fraction)

SOLVED_GOAL = 10_000
MOST = 2000  # the most points that a turn can score without a bonus: six ones

OVERLOOKS = 0.3  # the probability that easy overlooks some scoring dice
TEMPTING = 800  # easy rolls less often the more points are at risk; above about this many, LAST_TEMPTATION applies
LAST_TEMPTATION = 0.1  # below the goal, easy rolls with at least this probability


def cut_chance(dice: int) -> Fraction:
    """The probability that nothing scores in one roll."""
    return exactly((), dice, _reasons)


def pass_chance(dice: int) -> Fraction:
    """The probability that every die scores in one roll."""
    return exactly((), dice, _unscored)


def mean_points(dice: int) -> Fraction:
    """The average points of one roll if all dice that score are kept."""
    return Fraction(sum(worth * ways for worth, ways in spread(dice, points_of).items()), 6**dice)


def points_of(roll: Dice) -> int:
    return score(roll).total


def _reasons(roll: Dice) -> tuple[Reason, ...]:
    return score(roll).reasons


def _unscored(roll: Dice) -> Dice:
    return score(roll).unscored


class Roll(NamedTuple):
    """The statistics of one roll."""

    cut: float  # probability that nothing scores
    gain: float  # average points if all dice that score are kept
    passing: float  # probability that every die scores


@cache
def one_roll(dice: int) -> Roll:
    return Roll(float(cut_chance(dice)), float(mean_points(dice)), float(pass_chance(dice)))


class Keep(NamedTuple):
    points: int
    dice: int


@cache
def throws(dice: int) -> tuple[tuple[int, tuple[Keep, ...]], ...]:
    """All rolls of this many dice, grouped by the sets of dice that are worth keeping. Each group comes with its number
    of rolls.

    A set is worth keeping if no other set of as many dice has more points, because in a race to a goal fewer points
    never help.
    """
    most: dict[Dice, dict[int, int]] = {roll: {} for roll in rolls(dice)}
    for kept in range(1, dice + 1):
        for scoring, points in _scoring(kept):
            for rest in rolls(dice - kept):
                ways = most[tuple(sorted(scoring + rest))]
                ways[kept] = max(points, ways.get(kept, 0))
    found: Counter[tuple[Keep, ...]] = Counter()
    for roll, count in rolls(dice).items():
        found[tuple(Keep(points, kept) for kept, points in most[roll].items())] += count
    return tuple((count, ways) for ways, count in found.items())


@cache
def _scoring(dice: int) -> tuple[tuple[Dice, int], ...]:
    """The sets of this many dice in which every die scores, with their points."""
    return tuple((roll, score(roll).total) for roll in rolls(dice) if not score(roll).unscored)


class Turn(NamedTuple, Generic[Worth]):
    """The value of a turn that is played perfectly, given the points so far and the dice left."""

    end: Callable[[int], Worth]  # the value if the points are banked
    roll: Callable[[int, int], Worth]  # the value if the dice are rolled
    kept: Callable[[int, int], Worth]  # before that choice: the better of the two, or passing if no dice are left


def turn(
    end: Callable[[int], Worth],
    passed: Callable[[int], Worth],
    cut: Worth,
    *,
    must_pass: bool = False,
    best: Callable[[Iterable[Worth]], Worth] = max,
) -> Turn[Worth]:
    """Solves a turn, given the values of its three possible ends. If the values are arrays, `best` must take the
    maximum entry by entry."""

    @cache
    def kept(points: int, left: int) -> Worth:
        if not left:
            return passed(points)
        return roll(points, left) if must_pass else best((end(points), roll(points, left)))

    def roll(points: int, dice: int) -> Worth:
        worth = cut * 0
        for count, ways in throws(dice):
            worth += count * (best(kept(points + more, dice - used) for more, used in ways) if ways else cut)
        rolled: int = 6**dice
        return worth / rolled

    return Turn(end, roll, kept)


def weigh(view: View, options: Sequence[Option], turn: Turn[float]) -> list[float]:
    """The value of the turn after each option."""
    points, left = view["points"], view["left"]
    if "roll" in options:
        return [turn.roll(points, left) if option == "roll" else turn.end(points) for option in options]
    kept = (_worth(_dice(view, option)) for option in options)
    return [turn.kept(points + more, left - dice) for more, dice in kept]


def surest(options: Sequence[Option], worth: Sequence[float]) -> list[float]:
    """Always chooses the best option. If rolling and ending the turn are equally good, ends the turn."""
    best = max(range(len(options)), key=lambda place: (worth[place], options[place] == "end"))
    return [float(place == best) for place in range(len(options))]


def bonus(view: View) -> int:
    """The extra points for passing in this turn."""
    return int(view["options"]["pass_bonus"] + CARD_BONUS.get(view["card"], 0))


@lru_cache(maxsize=256)
def points_alone(bonus: int, must_pass: bool) -> float:
    """The average points of a turn in which every choice maximizes the points."""
    return turn(float, lambda points: float(points + bonus), 0.0, must_pass=must_pass).roll(0, DICE)


@lru_cache(maxsize=256)
def points_of_a_turn(pass_bonus: int, cards: bool) -> float:
    """The average points of a turn in which every choice maximizes the points. In a game with cards, this is the
    average over a full deck."""
    if not cards:
        return points_alone(pass_bonus, False)
    worth = (count * points_alone(pass_bonus + CARD_BONUS[card], card == "mustpass") for card, count in DECK.items())
    return sum(worth) / sum(DECK.values())


def solved(options: Mapping[str, Any], seats: int) -> bool:
    plain = not (options["pass_bonus"] or options["cards"] or options["last_turn"])
    return seats == 2 and options["goal"] <= SOLVED_GOAL and plain


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Keeps all dice that score, unless it overlooks some. Decides whether to roll by the points at risk, and ignores
    how many dice are left."""
    if "roll" in options:
        rolls = _easily_rolls(view)
        return [rolls if option == "roll" else 1 - rolls for option in options]
    most = max(range(len(options)), key=lambda place: _worth(_dice(view, options[place])))
    overlooked = OVERLOOKS / len(options)
    return [overlooked + (1 - OVERLOOKS) * (place == most) for place in range(len(options))]


def _easily_rolls(view: View) -> float:
    points: int = view["points"]
    total = view["standing"][view["seat"]] + points
    if view["finisher"] is not None:
        return float(total < max(view["standing"]))
    if total >= view["options"]["goal"]:
        return 0.0
    return max(1 - points / TEMPTING, LAST_TEMPTATION)


def classic(view: View, options: Sequence[Option]) -> list[float]:
    if "roll" in options:
        choice: Option = "roll" if _rolls_on(view) else "end"
    else:
        choice = max(options, key=lambda option: _worth(_dice(view, option)))
    return [float(option == choice) for option in options]


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Maximizes average points, up to the goal. In the last turn, maximizes the probability of taking the lead."""
    mine, worth, must_pass = view["standing"][view["seat"]], bonus(view), view["card"] == "mustpass"
    if view["finisher"] is not None:
        best = to_the_top(max(view["standing"]) - mine, worth, must_pass)
    else:
        most = MOST + worth
        wanted = most if view["options"]["last_turn"] else min(view["options"]["goal"] - mine, most)
        best = _for_points(wanted, worth, must_pass)
    return surest(options, weigh(view, options, best))


@lru_cache(maxsize=256)
def _for_points(wanted: int, bonus: int, must_pass: bool) -> Turn[float]:
    return turn(
        lambda points: float(min(points, wanted)),
        lambda points: float(min(points + bonus, wanted)),
        0.0,
        must_pass=must_pass,
    )


@lru_cache(maxsize=256)
def to_the_top(behind: int, bonus: int, must_pass: bool) -> Turn[float]:
    """Solves a turn for the probability of gaining more than `behind` points. Gaining exactly this many counts as
    half."""

    def end(points: int) -> float:
        return (points > behind) + (points == behind) / 2

    return turn(end, lambda points: end(points + bonus), 0.0, must_pass=must_pass)


def _dice(view: View, option: Any) -> list[int]:
    return [view["dice"][view["seat"]][place] for place in option[1]]


def _worth(dice: Sequence[int]) -> Keep:
    """A sort key for these dice: their points, then their number."""
    return Keep(score(dice).total, len(dice))


def _rolls_on(view: View) -> bool:
    options, seat, points = view["options"], view["seat"], view["points"]
    total = view["standing"][seat] + points
    if view["finisher"] is not None:  # in the last turn only the lead counts
        return bool(total < max(view["standing"]))
    if total >= options["goal"] and not options["last_turn"]:
        return False
    next_roll = one_roll(view["left"])
    return bool(next_roll.gain + next_roll.passing * bonus(view) > next_roll.cut * points)
