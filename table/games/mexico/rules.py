"""Mexico: two dice, higher die first. 21 beats everything, then come the doubles, then the other scores by number."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from table.engine.asks import Game, Roll, Steps, Table
from table.engine.customs import highest_die, one_die_each, roll_or_end, round_from
from table.engine.errors import Refused
from table.engine.options import flag, number, one_of

MEXICO = 21
RANKING = (MEXICO, 66, 55, 44, 33, 22, 11, 65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31)
MOST_ROLLS = 3

_RANK = {score: len(RANKING) - place for place, score in enumerate(RANKING)}


def score(dice: Sequence[int]) -> int:
    """The score of two dice, read with the higher die first: 4 and 5 is 54."""
    if len(dice) == 2:
        one, other = dice
        if type(one) is type(other) is int and 1 <= one <= 6 and 1 <= other <= 6:
            return 10 * one + other if one > other else 10 * other + one
    raise Refused("A Mexico score needs two dice, each from 1 to 6.")


def rank(dice: Sequence[int]) -> int:
    """The rank of two dice, from 21 for a Mexico down to 1 for 31. Equal ranks tie."""
    return _RANK[score(dice)]


@dataclass(frozen=True)
class Options:
    mode: str = one_of("challenge", "elimination", help="One challenger against the house, or everyone for themselves.")
    lives: int = number(3, 1, 9, help="The challenger's lives. In elimination, everyone has this many.")
    rounds: int = number(5, 1, 20, help="Rounds to survive; with goal win, rounds to win.", only=("mode", "challenge"))
    goal: str = one_of("survive", "win", help="Survive that many rounds, or win that many.", only=("mode", "challenge"))
    double: bool = flag(False, help="A round with a Mexico costs two lives.", only=("mode", "elimination"))


@dataclass
class Board:
    leader: int | None = None  # the seat that sets the number of rolls
    rolls: int = 0  # rolls made in this turn
    limit: int = MOST_ROLLS  # rolls allowed in this turn
    scores: list[int | None] = field(default_factory=list)  # each seat's score this round; None until it is final
    won: list[int] = field(default_factory=list)  # rounds won, by seat


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    seats = len(table.seats)
    table.board = Board(scores=[None] * seats, won=[0] * seats)
    if options.mode == "challenge":
        return (yield from challenge(table, options))
    return (yield from elimination(table, options))


def challenge(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    challenger, house = 0, 1
    board: Board = table.board
    table.standing[challenger] = options.lives
    leader = yield from highest_die(table, table.seats)
    while True:
        ranks = yield from play_round(table, leader, table.seats)
        tied = ranks[challenger] == ranks[house]
        if tied:
            table.tell("tie", score=board.scores[challenger])
        else:
            winner, loser = (challenger, house) if ranks[challenger] > ranks[house] else (house, challenger)
            board.won[winner] += 1
            table.tell("won", seat=winner, scores=list(board.scores))
            if winner == house:
                lose_lives(table, challenger, 1)
            leader = loser

        if table.standing[challenger] == 0:
            return (house,)
        if options.rounds == (table.round if options.goal == "survive" else board.won[challenger]):
            return (challenger,)

        table.round += 1
        if tied:
            board.leader = None
            leader = yield from highest_die(table, table.seats)


def elimination(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    board: Board = table.board
    table.standing = [options.lives] * len(table.seats)
    leader = yield from highest_die(table, table.seats)
    while True:
        alive = [seat for seat in table.seats if table.standing[seat] > 0]
        order = round_from(leader, alive)
        ranks = yield from play_round(table, leader, order)
        lowest = min(ranks.values())
        loser = yield from lowest_die(table, [seat for seat in order if ranks[seat] == lowest])
        lose_lives(table, loser, 2 if options.double and MEXICO in board.scores else 1)
        if table.standing[loser] == 0:
            table.out(loser)
            alive.remove(loser)
            if len(alive) == 1:
                return (alive[0],)
        # The loser leads the next round. If the loser is out, the next seat still in the game leads.
        leader = next(seat for seat in round_from(loser, table.seats) if seat in alive)
        table.round += 1


def play_round(table: Table, leader: int, seats: Sequence[int]) -> Steps[dict[int, int]]:
    """Each seat takes a turn, starting with the leader, who sets the number of rolls. Returns the ranks."""
    board: Board = table.board
    board.leader = leader
    board.limit = MOST_ROLLS
    board.scores = [None] * len(table.seats)
    table.hands.clear()
    ranks = {}
    for seat in round_from(leader, seats):
        read = board.scores[seat] = yield from take_turn(table, seat)
        ranks[seat] = _RANK[read]
        if seat == leader and read != MEXICO:
            board.limit = board.rolls
    return ranks


def take_turn(table: Table, seat: int) -> Steps[int]:
    """The seat can roll until it reaches the roll limit. Only its last roll counts. A Mexico ends the turn at once.
    Returns the score."""
    board: Board = table.board
    board.rolls = 0
    while True:
        dice = yield Roll(seat, 2)
        table.hands.lay(seat, dice)
        board.rolls += 1
        read = score(dice)
        if read == MEXICO:
            table.tell("mexico", seat=seat)
            return read
        if board.rolls == board.limit or (yield roll_or_end(seat)) == "end":
            return read


def lowest_die(table: Table, seats: Sequence[int]) -> Steps[int]:
    """The seats tied for lowest roll one die each, and the lowest loses. Any seats that tie again
    roll once more."""
    while len(seats) > 1:
        dice = yield from one_die_each(table, seats)
        lowest = min(dice.values())
        seats = [seat for seat in seats if dice[seat] == lowest]
    return seats[0]


def lose_lives(table: Table, seat: int, lives: int) -> None:
    lost = min(lives, table.standing[seat])
    table.standing[seat] -= lost
    table.tell("lost", seat=seat, lives=lost, left=table.standing[seat])


GAME = Game(
    id="mexico",
    name="Mexico",
    summary="Two dice, up to three rolls. 21 beats everything. Don't run out of lives!",
    seats=(2, 10),
    dice=2,
    options=Options,
    play=play,
    version=2,  # in version 1, a challenge with goal win had no lives
    seats_with=lambda options: (2, 2) if options.mode == "challenge" else (2, 10),
)
