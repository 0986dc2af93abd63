"""Pass the Cheese: the chance to win after every turn, from the table of two who race, and the best turn for it.

The one rule: whatever is played, a turn is judged by the chance to win that it leaves. For two seats without extras
that chance is exact. Otherwise it is the nearest race that the table knows:
- a bonus or cards: the same race with distances in turns, not in points;
- several others: the odds of losing to each of them are added up;
- a goal beyond the table: the race from 10000 in which the same lead weighs as much against luck.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache, partial, reduce
from math import ceil, floor, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.games.cheese.bots import MOST, SOLVED_GOAL, Turn, bonus, points_of_a_turn, sharp, surest, turn, weigh
from table.games.cheese.rules import CARD_BONUS, DECK, DICE
from table.games.tables import load

STEP = 50
FARTHEST = SOLVED_GOAL // STEP
HOPELESS = 1e-12  # no chance is taken to be smaller, so that its odds have an end


class Race(NamedTuple):
    """What the chance to win depends on when a turn begins."""

    mine: int
    others: tuple[int, ...]  # in the order in which they follow
    to_come: int  # how many of them have a turn after this one
    goal: int
    pass_bonus: int
    cards: bool
    last_turn: bool
    ending: bool  # somebody has reached the goal: this is the last turn


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    if len(view["players"]) == 1:
        return sharp(view, options)
    return surest(options, win(view, options))


def win(view: View, options: Sequence[Option]) -> list[float]:
    if len(view["players"]) == 1:
        return [1.0] * len(options)
    return weigh(view, options, _turn(_race(view, view["seat"]), bonus(view), view["card"] == "mustpass"))


def fair(view: View) -> float:
    seats = len(view["players"])
    if seats == 1:
        return 1.0
    race = _race(view, 0)
    first = 1 - _ahead(race, 0, 0)
    odds = [1 / (1 + (seats - 1 - seat) * (1 - first) / first + seat * first / (1 - first)) for seat in range(seats)]
    return odds[view["seat"]] / sum(odds)


def _race(view: View, seat: int) -> Race:
    options, standing, finisher = view["options"], view["standing"], view["finisher"]
    others = (*standing[seat + 1 :], *standing[:seat])
    to_come = len(others) if finisher is None else (finisher - seat - 1) % len(standing)
    return Race(
        standing[seat],
        others,
        to_come,
        options["goal"],
        options["pass_bonus"],
        options["cards"],
        options["last_turn"],
        finisher is not None,
    )


@lru_cache(maxsize=256)
def _turn(race: Race, bonus: int, must_pass: bool) -> Turn[float]:
    @cache
    def end(points: int) -> float:
        return _banked(race, race.mine + points)

    return turn(end, lambda points: end(points + bonus), end(0), must_pass=must_pass)


def _banked(race: Race, total: int) -> float:
    """The chance to win with so many points when this turn is over."""
    if race.ending or total >= race.goal:
        return _to_the_end(race, total) if race.last_turn else 1.0
    # Each of the others has one turn before the next of this seat, so against each it is the race of two.
    return 1 / (1 + sum(1 / max(_ahead(race, total, other), HOPELESS) - 1 for other in race.others))


def _to_the_end(race: Race, total: int) -> float:
    """The chance to stay at the top, while the others have a last turn; of a tie, a share."""
    if total < max(race.others):
        return 0.0
    chasing = race.others[: race.to_come]
    share = 1 / (1 + sum(other == total for other in race.others))
    return share * prod(1 - _overtakes(total - other, race.pass_bonus, race.cards) for other in chasing)


def _overtakes(behind: int, pass_bonus: int, cards: bool) -> float:
    """The chance of a seat that is so far behind to get further in its last turn; as far is half of it."""
    if not cards:
        return _with_bonus(behind, pass_bonus, False)
    chances = (
        count * _with_bonus(behind, pass_bonus + CARD_BONUS[card], card == "mustpass") for card, count in DECK.items()
    )
    return sum(chances) / sum(DECK.values())


def _with_bonus(behind: int, bonus: int, must_pass: bool) -> float:
    return _last_turn(bonus, must_pass).overtakes(behind) if behind <= MOST + bonus else 0.0


class LastTurn(NamedTuple):
    """The chance to get to the top by how far it is: at each mark, and between it and the next."""

    marks: list[int]  # what a turn can bring
    chances: list[tuple[float, float]]

    def overtakes(self, behind: int) -> float:
        mark = bisect_right(self.marks, behind) - 1
        return self.chances[mark][behind > self.marks[mark]]


@lru_cache(maxsize=256)
def _last_turn(bonus: int, must_pass: bool) -> LastTurn:
    """All distances in one: the turn is played for an array of them."""
    gains = range(0, MOST + STEP, STEP)
    marks = sorted({*gains, *(points + bonus for points in gains)})
    behind: Any = np.array(marks)[:, None] + (0, 0.5)

    def end(points: int) -> Any:
        return (points > behind) + (points == behind) / 2

    best = partial(reduce, np.maximum)
    played = turn(end, lambda points: end(points + bonus), 0 * behind, must_pass=must_pass, best=best)
    return LastTurn(marks, [(at, beyond) for at, beyond in played.roll(0, DICE).tolist()])


def _ahead(race: Race, total: int, other: int) -> float:
    """The chance to get to the goal before that other, whose turn it is."""
    pace = points_of_a_turn(0, False) / points_of_a_turn(race.pass_bonus, race.cards)
    mine, theirs = (max(1.0, ceil((race.goal - points) / STEP) * pace) for points in (total, other))
    return _from_the_table(race.last_turn, mine, theirs)


def _from_the_table(last_turn: bool, mine: float, other: float) -> float:
    """The chance of the seat whose turn is over, by the steps that it and the other lack."""
    table = _table("last_turn" if last_turn else "plain")
    far = max(mine, other)
    if far > FARTHEST:
        lead = (other - mine) * sqrt(FARTHEST / far)
        shrunk = FARTHEST / far
        mine, other = max(FARTHEST - max(lead, 0), mine * shrunk, 1), max(FARTHEST + min(lead, 0), other * shrunk, 1)
    row, column = min(floor(mine), FARTHEST - 1), min(floor(other), FARTHEST - 1)
    down, right = mine - row, other - column
    above, below = table[row], table[row + 1]
    return (1 - down) * ((1 - right) * above[column] + right * above[column + 1]) + down * (
        (1 - right) * below[column] + right * below[column + 1]
    )


@cache
def _table(name: str) -> list[list[float]]:
    chances: list[list[float]] = load("cheese")[name].tolist()
    return chances
