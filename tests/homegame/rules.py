"""Ferry: roll again, or stop and keep the sum. A 1 sinks the ferry, and a player who sinks three times is out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle

from table.engine.asks import Game, Roll, Steps, Table
from table.engine.customs import roll_or_end
from table.engine.options import flag, number

MOST_SUNK = 3


@dataclass(frozen=True)
class Options:
    dice: int = number(3, 1, 8, help="Dice in each roll.")
    goal: int = number(100, 20, 500, help="Points that win.")
    secret: bool = flag(False, help="Dice are rolled under a cup, and shown when their player stops.")


@dataclass
class Board:
    on_board: int = 0  # points of this turn
    rolls: int = 0
    best_turn: int = 0
    sunk: list[int] = field(default_factory=list)  # how many times each seat has sunk
    out: list[int] = field(default_factory=list)  # the seats that are out


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    board = table.board = Board(sunk=[0] * len(table.seats))
    table.standing = [0] * len(table.seats)
    for seat in cycle(table.seats):
        table.round += seat == 0 and any(table.standing)
        if seat not in board.out:
            yield from take_turn(table, options, seat)
        left = [seat for seat in table.seats if seat not in board.out]
        if table.standing[seat] >= options.goal or len(left) == 1 < len(table.seats) or not left:
            return (max(left or [seat], key=table.standing.__getitem__),)
    raise AssertionError("the seats never end")


def take_turn(table: Table, options: Options, seat: int) -> Steps[None]:
    board: Board = table.board
    board.on_board = board.rolls = 0
    table.hands.lay(seat, ())
    while True:
        dice = yield Roll(seat, options.dice, hidden=options.secret)
        table.hands.lay(seat, dice, hidden=options.secret)
        board.rolls += 1
        if not options.secret and not loaded(table, seat, dice):
            return
        if (yield roll_or_end(seat)) == "end":
            break
    table.hands.reveal(seat)
    if options.secret and not loaded(table, seat, table.hands[seat]):
        return
    table.standing[seat] += board.on_board
    board.best_turn = max(board.best_turn, board.on_board)
    table.tell("landed", seat=seat, points=board.on_board)


def loaded(table: Table, seat: int, dice: Sequence[int]) -> bool:
    """Add the dice to the ferry's load, or sink the ferry if one is a 1. Returns whether it still floats."""
    board: Board = table.board
    if 1 not in dice:
        board.on_board += sum(dice)
        return True
    board.on_board = 0
    board.sunk[seat] += 1
    table.tell("sunk", seat=seat, times=board.sunk[seat])
    if board.sunk[seat] == MOST_SUNK:
        board.out.append(seat)
        table.out(seat)
    return False


GAME = Game(
    id="ferry",
    name="Ferry",
    summary="Roll again, or stop and keep the sum. A 1 sinks the ferry.",
    seats=(1, 10),
    dice=3,
    options=Options,
    play=play,
)
