"""Customs that several games share, such as who starts and the order around the table."""

from collections.abc import Sequence

from table.engine.asks import Choose, Draw, Option, Roll, Steps, Table

ROLL_OR_END: tuple[Option, ...] = ("roll", "end")


def roll_or_end(seat: int) -> Choose:
    return Choose(seat, ROLL_OR_END)


def highest_die(table: Table, seats: Sequence[int]) -> Steps[int]:
    """Each seat rolls one die and the highest starts. Seats tied for highest roll again."""
    while len(seats) > 1:
        table.hands.clear()
        dice = yield from one_die_each(table, seats)
        highest = max(dice.values())
        seats = [seat for seat in seats if dice[seat] == highest]
    table.tell("begins", seat=seats[0])
    return seats[0]


def one_die_each(table: Table, seats: Sequence[int]) -> Steps[dict[int, int]]:
    dice: dict[int, int] = {}
    for seat in seats:
        rolled = yield Roll(seat, 1)
        table.hands.lay(seat, rolled)
        (dice[seat],) = rolled
    return dice


def pick(candidates: Sequence[int]) -> Steps[int]:
    """One of the seats, drawn by the table. A single candidate needs no draw."""
    if len(candidates) == 1:
        return candidates[0]
    (picked,) = yield Draw("pick", tuple(candidates))
    return int(picked)


def round_from(start: int, circle: Sequence[int]) -> list[int]:
    """The seats in playing order, beginning with `start`."""
    at = circle.index(start)
    return [*circle[at:], *circle[:at]]
