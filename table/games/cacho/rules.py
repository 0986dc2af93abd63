"""Cacho (Dudo): players roll in secret, bid higher and higher on all dice together, and doubt each other's bids.
Whoever has lost all dice is out."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import cycle, product

from table.engine.asks import Choose, Draw, Game, Option, Roll, Steps, Table
from table.engine.customs import highest_die, round_from
from table.engine.options import flag, number, one_of, seat_list

ACES = 1
FACES = range(1, 7)
MOST_DICE = 6
MOST_SEATS = 10
CHALLENGES: tuple[Option, ...] = ("dudo", "calza")

Bid = tuple[int, int]
"""A count and a face: (3, 5) is three fives."""


def count(face: int, hands: Iterable[Sequence[int]], wild: bool = True) -> int:
    """How many dice support a bid on this face. Wild aces support every face."""
    also_aces = wild and face != ACES
    return sum(hand.count(face) + (hand.count(ACES) if also_aces else 0) for hand in hands)


@cache
def opening_bids(total: int, aces: bool) -> tuple[Option, ...]:
    """All opening bids for this number of dice in play. `aces`: whether a round can open with aces."""
    return tuple(("bid", (n, face)) for n in range(1, total + 1) for face in FACES if aces or face != ACES)


@lru_cache(maxsize=4096)
def replies(bid: Bid, total: int, raising: str, single: bool) -> tuple[Option, ...]:
    """All bids above this one for this number of dice in play, followed by the two challenges."""
    bids = higher_bids(bid, raising, single)
    possible = bisect_right(bids, ("bid", (total, max(FACES))))
    return bids[:possible] + CHALLENGES


@cache
def higher_bids(bid: Bid, raising: str, single: bool) -> tuple[tuple[str, Bid], ...]:
    """All bids above this one in ascending order, for any number of dice."""
    higher = single_higher if single else classic_higher if raising == "classic" else strict_higher
    counts = range(1, MOST_SEATS * MOST_DICE + 1)
    return tuple(("bid", new) for new in product(counts, FACES) if higher(bid, new))


def strict_higher(old: Bid, new: Bid) -> bool:
    """The strict rule for a raise: more of the same face, or the same count of a higher face."""
    return (new[1] == old[1] and new[0] > old[0]) or (new[0] == old[0] and new[1] > old[1])


def classic_higher(old: Bid, new: Bid) -> bool:
    """The classic rule for a raise: a higher count of any face, or the same count of a higher face. A bid that changes
    to aces needs at least half the count, rounded up. A bid that changes from aces needs at least twice the count plus
    one."""
    if old[1] != ACES and new[1] == ACES:
        return new[0] >= (old[0] + 1) // 2
    if old[1] == ACES and new[1] != ACES:
        return new[0] >= 2 * old[0] + 1
    return new[0] > old[0] or (new[0] == old[0] and new[1] > old[1])


def single_higher(old: Bid, new: Bid) -> bool:
    """In a single-die round only the count can rise."""
    return new[1] == old[1] and new[0] > old[0]


@dataclass(frozen=True)
class Options:
    dice: int = number(5, 1, MOST_DICE, help="Dice that each player starts with.")
    raise_: str = one_of("strict", "classic", help="Strict: same face or same count. Classic: any greater count.")
    single: str = one_of("any", "once", help="Single-die rounds: while anyone has one die, or once for each player.")
    calza_miss: str = one_of("lose", "nothing", help="The cost of a calza that is not exact.")
    starter: str = one_of("challenger", "loser", help="Who starts the next round.")
    shuffle: bool = flag(False, help="Draw the playing order before the game.")
    cups: tuple[int, ...] = seat_list(MOST_SEATS, help="Seats that roll real dice under a real cup.")


@dataclass
class Board:
    circle: list[int]  # the playing order
    starter: int | None = None
    in_play: int = 0  # dice in all hands together
    single: bool = False  # a single-die round: aces are not wild, and the face of a bid cannot change
    bid: Bid | None = None
    bidder: int | None = None
    bids: list[tuple[int, Bid]] = field(default_factory=list)  # this round's bids, with their seats


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    board = table.board = Board(list(table.seats))
    table.standing = [options.dice] * len(table.seats)
    came_down: set[int] = set()  # seats that have come down to one die before
    if options.shuffle:
        board.circle = list((yield Draw("order", tuple(table.seats))))
    starter = yield from highest_die(table, board.circle)
    fresh = False  # whether a seat has just come down to one die for the first time
    while True:
        board.starter = starter
        board.single = 1 in table.standing if options.single == "any" else fresh
        order = [seat for seat in round_from(starter, board.circle) if table.standing[seat]]
        yield from roll_in_secret(table, options, order)
        challenger, word = yield from bid_up(table, options, order)
        loser = yield from settle(table, options, order, challenger, word)

        fresh = loser is not None and table.standing[loser] == 1 and loser not in came_down
        if loser is not None and fresh:
            came_down.add(loser)
        if loser is not None and not table.standing[loser]:
            table.out(loser)
        alive = [seat for seat in board.circle if table.standing[seat]]
        if len(alive) == 1:
            return (alive[0],)
        starts = loser if options.starter == "loser" and loser is not None else challenger
        starter = next(seat for seat in round_from(starts, board.circle) if seat in alive)
        table.round += 1


def roll_in_secret(table: Table, options: Options, order: Sequence[int]) -> Steps[None]:
    """Each seat rolls all its remaining dice, hidden from the others."""
    board: Board = table.board
    board.in_play = sum(table.standing)
    board.bid = board.bidder = None
    board.bids = []
    table.hands.clear()
    for seat in order:
        count = table.standing[seat]
        if seat in options.cups:
            table.hands.lay(seat, [None] * count, hidden=True)
            table.tell("cup", seat=seat, count=count)
        else:
            dice = yield Roll(seat, count, hidden=True)
            table.hands.lay(seat, dice, hidden=True)


def bid_up(table: Table, options: Options, order: Sequence[int]) -> Steps[tuple[int, str]]:
    """Bids go around the table until someone challenges. Returns the challenger and the challenge."""
    board: Board = table.board
    aces_open = options.raise_ == "strict" or board.single
    offered = opening_bids(board.in_play, aces_open)
    turns = cycle(order)
    while True:
        seat = next(turns)
        choice = yield Choose(seat, offered)
        if choice in CHALLENGES:
            return seat, choice
        _, board.bid = choice
        board.bidder = seat
        board.bids.append((seat, board.bid))
        offered = replies(board.bid, board.in_play, options.raise_, board.single)


def settle(table: Table, options: Options, order: Sequence[int], challenger: int, word: str) -> Steps[int | None]:
    """All dice are revealed and counted, and a seat loses or regains a die. Returns the loser, if there is one."""
    board: Board = table.board
    assert board.bid and board.bidder is not None
    for seat in order:
        table.hands.reveal(seat)
    for seat in order:
        if seat in options.cups:
            table.hands.lay(seat, (yield Roll(seat, table.standing[seat])))
    bid, face = board.bid
    counted = count(face, [table.hands[seat] for seat in order], wild=not board.single)
    shown = table.hands.seen_by(None)
    table.tell(word, seat=challenger, bidder=board.bidder, bid=[bid, face], count=counted, dice=shown)

    loser: int | None = challenger
    if word == "dudo" and counted < bid:
        loser = board.bidder
    elif word == "calza" and counted == bid:
        loser = None
        if table.standing[challenger] < options.dice:
            table.standing[challenger] += 1
            table.tell("regained", seat=challenger, left=table.standing[challenger])
    elif word == "calza" and options.calza_miss == "nothing":
        loser = None
    if loser is not None:
        table.standing[loser] -= 1
        table.tell("lost", seat=loser, left=table.standing[loser])
    return loser


GAME = Game(
    id="cacho",
    name="Cacho",
    summary="Hidden dice, and bids that keep rising. Raise, or call Dudo!",
    seats=(2, MOST_SEATS),
    dice=MOST_DICE,
    options=Options,
    play=play,
)
