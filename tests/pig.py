"""Pig: roll as often as you dare. A 1 loses the turn's points; the first to bank the goal wins."""

from dataclasses import dataclass

from table.engine.asks import Game, Roll, Steps, Table
from table.engine.customs import roll_or_end, round_from
from table.engine.options import number


@dataclass(frozen=True)
class Options:
    goal: int = number(100, 10, 1000, help="Points to win.")


@dataclass
class Board:
    points: int = 0  # points of this turn


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    board = table.board = Board()
    table.standing = [0 for _ in table.seats]
    while True:
        for seat in round_from(0, table.seats):
            board.points = 0
            choice = "roll"
            while choice == "roll":
                (die,) = yield Roll(seat, 1)
                table.hands.lay(seat, (die,))
                if die == 1:
                    board.points = 0
                    table.tell("lost", seat=seat)
                    break
                board.points += die
                choice = yield roll_or_end(seat)
            table.standing[seat] += board.points
            table.tell("banked", seat=seat, points=board.points)
            if table.standing[seat] >= options.goal:
                return (seat,)
        table.round += 1


GAME = Game("pig", "Pig", "Roll as often as you dare; a 1 loses the turn.", (2, 10), 1, Options, play)
