"""Pass the Cheese: roll six dice, set aside dice that score, and roll the rest. Stop before a roll scores nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import NamedTuple

from table.engine.asks import Choose, Draw, Game, Option, Roll, Steps, Table
from table.engine.customs import roll_or_end
from table.engine.errors import Refused
from table.engine.options import flag, number

DICE = 6
STRAIGHT = (1, 2, 3, 4, 5, 6)
STRAIGHT_POINTS = 1500
THREE_POINTS = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
SINGLE_POINTS = {1: 100, 5: 50}

DECK = {"bonus300": 12, "bonus400": 10, "bonus500": 8, "mustpass": 6}
CARD_BONUS = {"bonus300": 300, "bonus400": 400, "bonus500": 500, "mustpass": 1000}


class Reason(NamedTuple):
    """One scoring combination."""

    name: str
    dice: tuple[int, ...]
    points: int


class Score(NamedTuple):
    """The value of a set of dice: the total, the dice that did not score, and the combinations that did."""

    total: int
    unscored: tuple[int, ...]
    reasons: tuple[Reason, ...]


def score(dice: Sequence[int]) -> Score:
    """The best total for one to six dice. Each die counts once."""
    if not 1 <= len(dice) <= DICE or not all(type(die) is int and die in STRAIGHT for die in dice):
        raise Refused("A Cheese score needs one to six dice, each from 1 to 6.")
    return _score(tuple(sorted(dice)))


@cache
def _score(dice: tuple[int, ...]) -> Score:
    if dice == STRAIGHT:
        return Score(STRAIGHT_POINTS, (), (Reason("Straight", dice, STRAIGHT_POINTS),))
    reasons: list[Reason] = []
    unscored: list[int] = []
    for face, count in sorted(Counter(dice).items()):
        threes, singles = divmod(count, 3)
        reasons += [Reason("Three of a kind", (face,) * 3, THREE_POINTS[face])] * threes
        if singles and face in SINGLE_POINTS:
            reasons.append(Reason(f"Single {face}s", (face,) * singles, SINGLE_POINTS[face] * singles))
        else:
            unscored += [face] * singles
    return Score(sum(reason.points for reason in reasons), tuple(unscored), tuple(reasons))


def keeps(roll: Sequence[int]) -> tuple[Option, ...]:
    """Every non-empty set of positions in which all dice score, in ascending order."""
    # Dice that cannot score are replaced by 0, so that only a few different rolls have to be cached.
    if len(set(roll)) < DICE:
        roll = [die if die in SINGLE_POINTS or roll.count(die) >= 3 else 0 for die in roll]
    return _keeps(tuple(roll))


@cache
def _keeps(roll: tuple[int, ...]) -> tuple[Option, ...]:
    places = [place for place, die in enumerate(roll) if die]
    sets = [places_kept for size in range(1, len(places) + 1) for places_kept in combinations(places, size)]
    whole = [places_kept for places_kept in sets if not score([roll[place] for place in places_kept]).unscored]
    return tuple(("keep", places_kept) for places_kept in sorted(whole))


@dataclass(frozen=True)
class Options:
    goal: int = number(5000, 500, 100_000, help="Points needed to win.")
    pass_bonus: int = number(0, 0, 5000, help="Extra points for passing the cheese: scoring with all six dice.")
    cards: bool = flag(False, help="Draw a card each turn: a bonus for passing the cheese, or you must pass it.")
    last_turn: bool = flag(False, help="When someone reaches the goal, everyone else gets one more turn.")


@dataclass
class Board:
    points: int = 0  # points of this turn, not banked yet
    kept: list[int] = field(default_factory=list)  # dice set aside in this turn
    left: int = DICE  # dice left to roll
    card: str | None = None
    deck: dict[str, int] = field(default_factory=dict)  # how many cards of each kind are left
    finisher: int | None = None  # the first seat to reach the goal


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    seats = len(table.seats)
    board = table.board = Board(deck=dict(DECK) if options.cards else {})
    table.standing = [0] * seats
    turn = last = 0
    while board.finisher is None or turn < last:
        seat = turn % seats
        table.round = turn // seats + 1
        yield from take_turn(table, options, seat)
        turn += 1
        if board.finisher is None and table.standing[seat] >= options.goal:
            board.finisher = seat
            last = turn + seats - 1 if options.last_turn else turn
            if turn < last:
                table.tell("last_turns", seat=seat, points=table.standing[seat])
    best = max(table.standing)
    return tuple(seat for seat in table.seats if table.standing[seat] == best)


def take_turn(table: Table, options: Options, seat: int) -> Steps[None]:
    board: Board = table.board
    board.points, board.kept, board.left = 0, [], DICE
    table.hands.clear()
    bonus = options.pass_bonus
    if options.cards:
        board.card = yield from draw_card(board)
        bonus += CARD_BONUS[board.card]
    while True:
        roll: tuple[int, ...] = yield Roll(seat, board.left)
        table.hands.lay(seat, roll)
        sets = keeps(roll)
        if not sets:
            table.tell("cut", seat=seat, points=board.points)
            board.points = 0
            return
        _, kept = yield Choose(seat, sets)
        dice = [roll[place] for place in kept]
        board.points += _score(tuple(sorted(dice))).total
        board.kept += dice
        board.left -= len(dice)
        table.hands.lay(seat, [die for place, die in enumerate(roll) if place not in kept])
        if not board.left:
            table.tell("passed", seat=seat, bonus=bonus)
            board.points += bonus
            break
        if board.card != "mustpass" and (yield roll_or_end(seat)) == "end":
            break
    table.standing[seat] += board.points
    table.tell("banked", seat=seat, points=board.points, total=table.standing[seat])
    board.points = 0


def draw_card(board: Board) -> Steps[str]:
    """Draws a card. An empty deck is reshuffled first."""
    if not any(board.deck.values()):
        board.deck = dict(DECK)
    (card,) = yield Draw("pick", tuple(kind for kind, left in board.deck.items() for _ in range(left)))
    board.deck[card] -= 1
    return str(card)


GAME = Game(
    id="cheese",
    name="Pass the Cheese",
    summary="Six dice. Set aside what scores, then bank it or risk it all on another roll.",
    seats=(1, 10),
    dice=DICE,
    options=Options,
    play=play,
)
