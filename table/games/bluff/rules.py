"""Bluff: roll two hidden dice and claim their sum. The next player believes the claim or calls the bluff."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from table.engine.asks import Choose, Draw, Game, Option, Roll, Steps, Table
from table.engine.customs import pick, round_from
from table.engine.options import flag, number, one_of, per_seat, seat_list

CLAIMS: tuple[Option, ...] = tuple(("claim", claim) for claim in range(1, 13))
CALLS: tuple[Option, ...] = ("accept", "call")
CARD: tuple[Option, ...] = ("immunity", "concede")
MOST_ELIMINATION_ROUNDS = 5


@dataclass(frozen=True)
class Options:
    rules: str = one_of("full", "simple", help="Full: a new circle every round, and immunity cards. Simple: neither.")
    rounds: int = number(5, 1, 20, help="Rounds, before a play-off if first place is tied.")
    immunity: bool = flag(True, help="Everyone has a card that cancels one called bluff (full rules only).")
    wins: tuple[int, ...] = per_seat(1_000_000, help="Games that each seat has won before. They decide who leads.")
    cups: tuple[int, ...] = seat_list(10, help="Seats that roll real dice under a real cup.")


@dataclass
class Board:
    cards: list[bool]  # which seats still have the immunity card
    circle: list[int] = field(default_factory=list)  # the playing order of this round
    leader: int | None = None
    claimant: int | None = None
    caller: int | None = None
    claim: int | None = None
    claims: list[int | None] = field(default_factory=list)  # each seat's claim in this round
    last_round: int = 0  # the last round that is certain to be played


def changes(claim: int, called: bool, hit: bool, immune: bool = False) -> tuple[int, int]:
    """The points that the claimant and the next player gain."""
    if not called:
        return claim, 0
    if hit:
        return claim * 3 // 2, -claim
    if immune:
        return 0, 0
    return -claim, claim


def play(table: Table, options: Options) -> Steps[tuple[int, ...]]:
    seats = len(table.seats)
    full = options.rules == "full"
    table.standing = [0] * seats
    table.board = Board([full and options.immunity] * seats, last_round=options.rounds)
    for table.round in range(1, options.rounds + 1):
        yield from (full_round if full else simple_round)(table, options, table.seats)
    tied = highest(table, table.seats)
    if len(tied) == 1:
        return (tied[0],)
    table.tell("tied", seats=tied)
    return ((yield from (eliminate if full else roll_off)(table, options, tied)),)


def full_round(table: Table, options: Options, seats: Sequence[int]) -> Steps[None]:
    board: Board = table.board
    drawn = yield Draw("order", tuple(seats))
    leader = yield from find_leader(table, options, seats)
    circle = round_from(leader, drawn)
    open_round(table, circle)
    board.leader = leader
    for seat in circle:
        yield from roll_in_secret(table, options, seat)
    for claimant, caller in zip(circle, round_from(circle[1], circle), strict=True):
        yield from claim_and_call(table, options, claimant, caller)


def simple_round(table: Table, options: Options, seats: Sequence[int]) -> Steps[None]:
    open_round(table, seats)
    for claimant, caller in zip(seats, round_from(1, seats), strict=True):
        yield from roll_in_secret(table, options, claimant)
        yield from claim_and_call(table, options, claimant, caller)


def open_round(table: Table, circle: Sequence[int]) -> None:
    board: Board = table.board
    board.circle = list(circle)
    board.claimant = board.caller = board.claim = None
    board.claims = [None] * len(table.seats)
    table.hands.clear()


def find_leader(table: Table, options: Options, seats: Sequence[int]) -> Steps[int]:
    """The seat with the highest score leads. Of tied seats, the seat with the most earlier wins leads; if that is a tie
    too, the leader is drawn by lot."""
    candidates = highest(table, seats)
    most_wins = max(options.wins[seat] for seat in candidates)
    return (yield from pick([seat for seat in candidates if options.wins[seat] == most_wins]))


def roll_in_secret(table: Table, options: Options, seat: int) -> Steps[None]:
    if seat in options.cups:
        table.hands.lay(seat, (None, None), hidden=True)
        table.tell("cup", seat=seat, count=2)
    else:
        dice = yield Roll(seat, 2, hidden=True)
        table.hands.lay(seat, dice, hidden=True)


def claim_and_call(table: Table, options: Options, claimant: int, caller: int) -> Steps[None]:
    board: Board = table.board
    board.claimant, board.caller, board.claim = claimant, caller, None
    _, claim = yield Choose(claimant, CLAIMS)
    board.claim = board.claims[claimant] = claim
    called = (yield Choose(caller, CALLS)) == "call"
    hit = immune = False
    if called:
        if claimant in options.cups:
            table.hands.lay(claimant, (yield Roll(claimant, 2)))
        table.hands.reveal(claimant)
        dice = table.hands[claimant]
        hit = sum(dice) == claim
        table.tell("called", claimant=claimant, caller=caller, claim=claim, dice=list(dice), hit=hit)
        if not hit and board.cards[claimant]:
            immune = (yield Choose(claimant, CARD)) == "immunity"
            board.cards[claimant] = not immune
    gains = changes(claim, called, hit, immune)
    for seat, gain in zip((claimant, caller), gains, strict=True):
        table.standing[seat] = max(0, table.standing[seat] + gain)
    table.tell("scored", claimant=claimant, caller=caller, claim=claim, called=called, gains=list(gains))


def highest(table: Table, seats: Sequence[int]) -> list[int]:
    top = max(table.standing[seat] for seat in seats)
    return [seat for seat in seats if table.standing[seat] == top]


def eliminate(table: Table, options: Options, tied: Sequence[int]) -> Steps[int]:
    """The seats tied for first play on alone, round by round. If there is still a tie after five such rounds, the
    winner is drawn by lot."""
    for _ in range(MOST_ELIMINATION_ROUNDS):
        table.round += 1
        table.board.last_round = table.round
        yield from full_round(table, options, tied)
        tied = highest(table, tied)
        if len(tied) == 1:
            break
    return (yield from pick(tied))


def roll_off(table: Table, options: Options, tied: Sequence[int]) -> Steps[int]:
    """The tied seats roll two dice each, and the highest total wins. If the highest total is tied, everyone in the
    roll-off rolls again."""
    while True:
        table.hands.clear()
        sums = {}
        for seat in tied:
            dice = yield Roll(seat, 2)
            table.hands.lay(seat, dice)
            sums[seat] = sum(dice)
        best = [seat for seat in tied if sums[seat] == max(sums.values())]
        if len(best) == 1:
            return best[0]
        table.tell("void", seats=list(tied))


GAME = Game(
    id="bluff",
    name="Bluff",
    summary="Two hidden dice and a claim. Believe it, or call the bluff!",
    seats=(2, 10),
    dice=2,
    options=Options,
    play=play,
)
