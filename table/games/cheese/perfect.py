"""Perfect play of Pass the Cheese: every turn is played to maximize the probability of winning the game.

For two seats without extra rules, this probability comes from a table and is exact. Otherwise it is estimated from a
similar race in the table:
- with a bonus or cards: the same race, with distances in turns instead of points;
- with several other seats: the odds of losing to each of them are added up;
- with a goal beyond the table: a race to 10000. The lead is scaled by a square root, because luck grows with the
  square root of the distance.
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
HOPELESS = 1e-12  # lower probabilities are replaced by this one, so that odds stay finite


class Race(NamedTuple):
    """Everything that the winning probability depends on at the start of a turn."""

    mine: int
    others: tuple[int, ...]  # in playing order
    to_come: int  # how many of the other seats have another turn
    goal: int
    pass_bonus: int
    cards: bool
    last_turn: bool
    ending: bool  # the goal was reached, so this is the last turn


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
    """The winning probability if this turn ends with this total."""
    if race.ending or total >= race.goal:
        return _to_the_end(race, total) if race.last_turn else 1.0
    # Each other seat has one turn before this seat's next turn, as in a race between two seats.
    return 1 / (1 + sum(1 / max(_ahead(race, total, other), HOPELESS) - 1 for other in race.others))


def _to_the_end(race: Race, total: int) -> float:
    """The probability of staying in the lead while the others have a last turn. A tie counts as a shared win."""
    if total < max(race.others):
        return 0.0
    chasing = race.others[: race.to_come]
    share = 1 / (1 + sum(other == total for other in race.others))
    return share * prod(1 - _overtakes(total - other, race.pass_bonus, race.cards) for other in chasing)


def _overtakes(behind: int, pass_bonus: int, cards: bool) -> float:
    """The probability that a seat overtakes in its last turn from this far behind. A tie counts as half."""
    if not cards:
        return _with_bonus(behind, pass_bonus, False)
    chances = (
        count * _with_bonus(behind, pass_bonus + CARD_BONUS[card], card == "mustpass") for card, count in DECK.items()
    )
    return sum(chances) / sum(DECK.values())


def _with_bonus(behind: int, bonus: int, must_pass: bool) -> float:
    return _last_turn(bonus, must_pass).overtakes(behind) if behind <= MOST + bonus else 0.0


class LastTurn(NamedTuple):
    """The probability of taking the lead in a last turn, by how far behind the seat is. `chances` has a pair for each
    mark: for exactly this distance, and for a distance between this mark and the next."""

    marks: list[int]  # the possible gains of a turn
    chances: list[tuple[float, float]]

    def overtakes(self, behind: int) -> float:
        mark = bisect_right(self.marks, behind) - 1
        return self.chances[mark][behind > self.marks[mark]]


@lru_cache(maxsize=256)
def _last_turn(bonus: int, must_pass: bool) -> LastTurn:
    """Solves all distances at once, as an array."""
    gains = range(0, MOST + STEP, STEP)
    marks = sorted({*gains, *(points + bonus for points in gains)})
    behind: Any = np.array(marks)[:, None] + (0, 0.5)

    def end(points: int) -> Any:
        return (points > behind) + (points == behind) / 2

    best = partial(reduce, np.maximum)
    played = turn(end, lambda points: end(points + bonus), 0 * behind, must_pass=must_pass, best=best)
    return LastTurn(marks, [(at, beyond) for at, beyond in played.roll(0, DICE).tolist()])


def _ahead(race: Race, total: int, other: int) -> float:
    """The probability of reaching the goal before the seat that has `other` points and moves next."""
    pace = points_of_a_turn(0, False) / points_of_a_turn(race.pass_bonus, race.cards)
    mine, theirs = (max(1.0, ceil((race.goal - points) / STEP) * pace) for points in (total, other))
    return _from_the_table(race.last_turn, mine, theirs)


def _from_the_table(last_turn: bool, mine: float, other: float) -> float:
    """The winning probability of the seat that just finished its turn, by the steps that each seat still needs."""
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
