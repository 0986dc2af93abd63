"""Customs that several games share: how a seat is found to begin, and the way round the table."""

from collections.abc import Sequence

from table.engine.asks import Choose, Draw, Option, Roll, Steps, Table

ROLL_OR_END: tuple[Option, ...] = ("roll", "end")


def roll_or_end(seat: int) -> Choose:
    return Choose(seat, ROLL_OR_END)


def highest_die(table: Table, seats: Sequence[int]) -> Steps[int]:
    """Each seat rolls one die and the highest begins; those tied for highest roll again."""
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
    """One of the seats, drawn by the table; with one candidate nothing is drawn."""
    if len(candidates) == 1:
        return candidates[0]
    (picked,) = yield Draw("pick", tuple(candidates))
    return int(picked)


def round_from(start: int, circle: Sequence[int]) -> list[int]:
    """The circle as it is walked from that seat."""
    at = circle.index(start)
    return [*circle[at:], *circle[:at]]
