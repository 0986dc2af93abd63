"""PocoLoco: three dice, up to three rolls. The loser of each round gets chips, and the first player without chips
wins."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from table.engine.asks import Choose, Draw, Game, Option, Roll, Steps, Table
from table.engine.customs import pick
from table.engine.errors import Refused
from table.engine.options import number

MOST_ROLLS = 3
REROLLS: tuple[Option, ...] = (
    "end",
    *(("reroll", where) for where in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))),
)
POINTS = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}


class Rank(NamedTuple):
    """How good three dice are; higher is better. The first part is also the number of chips that everyone gives the
    loser."""

    chips: int  # 4 for PoCo, 3 for three of a kind, 2 for Loco, 1 for points
    value: int  # decides between ranks of the same kind: the face of the three, or the points


def rank(dice: Sequence[int]) -> Rank:
    """PoCo (4-5-6), then three of a kind from 666 down, Loco (1-2-3), and all other rolls by points (1-4-6 is 164)."""
    if len(dice) != 3 or not all(type(die) is int and die in POINTS for die in dice):
        raise Refused("A PocoLoco rank needs three dice, each from 1 to 6.")
    low, middle, high = sorted(dice)
    if (low, middle, high) == (4, 5, 6):
        return Rank(4, 0)
    if low == high:
        return Rank(3, low)
    if (low, middle, high) == (1, 2, 3):
        return Rank(2, 0)
    return Rank(1, POINTS[low] + POINTS[middle] + POINTS[high])


@dataclass(frozen=True)
class Options:
    chips: int = number(10, 1, 100, help="Chips that each player starts with.")


@dataclass
class Board:
    order: list[int] = field(default_factory=list)  # the playing order of this round
    rolls: int = 0  # rolls made in this turn
    limit: int = MOST_ROLLS  # rolls allowed in this turn
    ranks: list[Rank | None] = field(default_factory=list)  # each seat's rank in this round, or None before it is final


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    board = table.board = Board(ranks=[None] * len(table.seats))
    table.standing = [options.chips] * len(table.seats)
    while True:
        order = yield Draw("order", tuple(table.seats))
        board.order = list(order)
        board.limit = MOST_ROLLS
        board.ranks = [None] * len(table.seats)
        table.hands.clear()
        ranks: dict[int, Rank] = {}
        for seat in order:
            ranks[seat] = board.ranks[seat] = yield from take_turn(table, seat)
            board.limit = board.rolls

        winner = yield from pick([seat for seat in order if ranks[seat] == max(ranks.values())])
        lowest = [seat for seat in order if ranks[seat] == min(ranks.values())]
        loser = yield from pick([seat for seat in lowest if seat != winner])
        give_chips(table, winner, loser, ranks[winner].chips)

        rid = [seat for seat in order if table.standing[seat] == 0]
        if winner in rid:
            return (winner,)
        if rid:
            best = max(ranks[seat] for seat in rid)
            return ((yield from pick([seat for seat in rid if ranks[seat] == best])),)
        table.round += 1


def take_turn(table: Table, seat: int) -> Steps[Rank]:
    """Rolls three dice. Any of them can be rolled again, up to the roll limit."""
    board: Board = table.board
    dice = list((yield Roll(seat, 3)))
    board.rolls = 1
    table.hands.lay(seat, dice)
    while board.rolls < board.limit:
        choice = yield Choose(seat, REROLLS)
        if choice == "end":
            break
        _, where = choice
        rolled = yield Roll(seat, len(where))
        for position, die in zip(where, rolled, strict=True):
            dice[position] = die
        board.rolls += 1
        table.hands.lay(seat, dice)
    return rank(dice)


def give_chips(table: Table, winner: int, loser: int, each: int) -> None:
    """Everyone else gives the loser this many chips, or all they have."""
    given = [0 if seat == loser else min(each, table.standing[seat]) for seat in table.seats]
    for seat in table.seats:
        table.standing[seat] -= given[seat]
    table.standing[loser] += sum(given)
    table.tell("chips", winner=winner, loser=loser, each=each, given=given)


GAME = Game(
    id="pocoloco",
    name="PocoLoco",
    summary="The lowest roll takes chips. The first player with none left wins.",
    seats=(2, 10),
    dice=3,
    options=Options,
    play=play,
    fewest_first=True,
)
