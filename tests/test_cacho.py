"""Cacho, rule by rule: who starts, which bids are allowed, what a challenge costs, single-die rounds, real cups."""

from itertools import cycle
from math import ceil
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.engine.asks import Choose, Draw, Over, Roll
from table.engine.errors import Refused
from tests.playing import feed, start

WORDS = {
    "raise": ("strict", "classic"),
    "single": ("any", "once"),
    "calza_miss": ("lose", "nothing"),
    "starter": ("challenger", "loser"),
}
DEFAULTS = {"dice": 5, **{name: values[0] for name, values in WORDS.items()}, "shuffle": False, "cups": []}


def bid(count, face):
    return "bid", (count, face)


def begin(seats=2, first=0, **options):
    """A game in which this seat has won the roll for who starts."""
    game = start("cacho", seats, **options)
    feed(game, *[(6,) if seat == first else (1,) for seat in range(seats)])
    return game


def deal(game, hands=None):
    """Answer every hidden roll with the seat's dice from `hands`, or with twos if `hands` is not given."""
    while isinstance(game.ask, Roll) and game.ask.hidden:
        feed(game, tuple(hands[game.ask.seat]) if hands else (2,) * game.ask.count)
    return game


def lose(game, *seats):
    """For each of these seats, play a round in which it doubts a true bid and loses a die."""
    for seat in seats:
        deal(game)
        count = 1
        while game.ask.seat != seat or count == 1:
            feed(game, bid(count, 2))
            count += 1
        feed(game, "dudo")
    return game


def answer_all(game, hands, order, hidden):
    """Check that the seats are asked to roll in this order, and answer each with its dice from `hands`."""
    for seat in order:
        assert game.ask == Roll(seat, len(hands[seat]), hidden)
        feed(game, hands[seat])


def standing(game):
    return list(game.table.standing)


def offered(game):
    assert isinstance(game.ask, Choose)
    return game.ask.options


def is_single(game):
    """Whether the next round is a single-die round. If so, no other face may be bid after an opening bid on twos."""
    answers = len(game.history)
    deal(game)
    feed(game, bid(1, 2))
    found = bid(1, 3) not in offered(game)
    while len(game.history) > answers:
        game.undo()
    return found


def higher(old, total, rule):
    """All higher bids, written out rule by rule as an independent check."""
    count, face = old
    more, above = range(count + 1, total + 1), range(face + 1, 7)
    if rule == "single":
        found = {(n, face) for n in more}
    elif rule == "strict":
        found = {(n, face) for n in more} | {(count, f) for f in above}
    elif face == 1:
        found = {(n, 1) for n in more} | {(n, f) for n in range(2 * count + 1, total + 1) for f in range(2, 7)}
    else:
        found = {(n, f) for n in more for f in range(2, 7)} | {(count, f) for f in above}
        found |= {(n, 1) for n in range(ceil(count / 2), total + 1)}
    return sorted(found)


def test_the_options_have_the_defaults_and_limits_in_the_docs():
    assert start("cacho").view(None)["options"] == DEFAULTS
    assert (standing(start("cacho", 10, dice=6)), standing(start("cacho", 2, dice=1))) == ([6] * 10, [1, 1])
    for cups in ([], [1], [1, 0]):
        start("cacho", 2, cups=cups)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("dice", [0, 7, 2.0, True, "2", None]),
        ("shuffle", [0, 1, "true", None]),
        ("cups", [[2], [-1], [0, 0], [True], [0.0], ["0"], [None], 0, "0", {}, None]),
        *[(name, ["", "any more", values[0].upper(), True, 0, None, list(values)]) for name, values in WORDS.items()],
    ],
)
def test_any_other_value_of_an_option_is_refused(name, values):
    for value in values:
        with pytest.raises(Refused):
            start("cacho", 2, **{name: value})


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_fewer_than_two_or_more_than_ten_seats_are_refused(seats):
    with pytest.raises(Refused):
        start("cacho", seats)


def test_each_seat_rolls_one_open_die_and_the_highest_starts():
    game = start("cacho", 3)
    for seat, die in enumerate((3, 5, 4)):
        assert game.ask == Roll(seat, 1, hidden=False)
        feed(game, (die,))
    assert game.ask == Roll(1, 5, hidden=True)


def test_seats_tied_for_highest_roll_again_until_one_is_left():
    game = start("cacho", 4)
    feed(game, (4,), (6,), (6,), (6,))
    for seat, die in ((1, 2), (2, 5), (3, 5), (2, 1), (3, 1), (2, 3), (3, 4)):
        assert game.ask == Roll(seat, 1, hidden=False)
        feed(game, (die,))
    assert game.ask == Roll(3, 5, hidden=True)


def test_with_shuffle_the_seats_sit_in_the_drawn_order_from_then_on():
    game = start("cacho", 4, shuffle=True, dice=1)
    assert game.ask == Draw("order", (0, 1, 2, 3))
    feed(game, (2, 0, 3, 1))
    asked = []
    for die in (1, 6, 6, 1, 2, 5, 4, 4, 4, 4):  # seats 0 and 3 tie; 3 starts
        asked.append(game.ask)
        feed(game, (die,))
    assert asked == [*[Roll(seat, 1) for seat in (2, 0, 3, 1, 0, 3)], *[Roll(seat, 1, True) for seat in (3, 1, 2, 0)]]
    for seat in (3, 1, 2):
        assert game.ask.seat == seat
        feed(game, bid([3, 1, 2].index(seat) + 1, 4))
    feed(game, "dudo")  # there are three fours: seat 0 is out, and seat 3 sits next to it
    assert [game.ask, feed(game, (2,)), game.ask][::2] == [Roll(3, 1, True), Roll(1, 1, True)]


def test_in_every_round_the_seats_with_dice_roll_in_turn_from_the_starter():
    game = lose(begin(4, first=2, dice=2), 0, 0)
    assert (standing(game), game.table.round) == ([0, 2, 2, 2], 3)
    for seat in (1, 2, 3):
        assert game.ask == Roll(seat, 2, hidden=True)
        feed(game, (2, 2))
    for count, seat in enumerate((1, 2, 3, 1, 2), 1):
        assert game.ask.seat == seat
        feed(game, bid(count, 2))


@pytest.mark.parametrize(("seats", "dice"), [(2, 1), (2, 2), (3, 2), (2, 6), (10, 6)])
def test_a_strict_round_can_open_with_any_bid_and_lists_them_in_ascending_order(seats, dice):
    game = deal(begin(seats, dice=dice))
    assert game.ask == Choose(0, tuple(bid(n, face) for n in range(1, seats * dice + 1) for face in range(1, 7)))


@pytest.mark.parametrize(("single", "faces"), [("once", range(2, 7)), ("any", range(1, 7))])
def test_a_classic_opening_bid_can_be_on_aces_only_in_a_single_die_round(single, faces):
    game = deal(begin(3, dice=1, raise_="classic", single=single))
    assert offered(game) == tuple(bid(n, face) for n in range(1, 4) for face in faces)


TABLES = [(2, 1), (3, 1), (2, 2), (5, 1), (2, 3), (7, 1), (2, 4), (3, 3), (2, 5), (2, 6)]  # seats, dice per seat


@pytest.mark.parametrize(
    ("seats", "dice", "rule"),
    [(*table, rule) for rule in ("strict", "classic") for table in TABLES]
    + [(seats, 1, "single") for seats in range(2, 11)],
)
def test_higher_bids_are_offered_in_ascending_order_followed_by_the_challenges(seats, dice, rule):
    total = seats * dice
    for raising in ("strict", "classic") if rule == "single" else (rule,):
        game = deal(begin(seats, dice=dice, raise_=raising, single="any" if rule == "single" else "once"))
        for old in [(n, face) for n in range(1, total + 1) for face in range(1, 7)]:
            path = [bid(1, 2), ("bid", old)] if rule == "classic" and old[1] == 1 else [("bid", old)]
            feed(game, *path)
            expected = (*[("bid", new) for new in higher(old, total, rule)], "dudo", "calza")
            assert game.ask == Choose(len(path) % seats, expected), old
            for _ in path:
                game.undo()


@pytest.mark.parametrize("raising", ["strict", "classic"])
def test_with_no_higher_bid_left_only_dudo_and_calza_are_offered(raising):
    game = deal(begin(2, raise_=raising))
    feed(game, bid(10, 6))
    assert offered(game)[-2:] == ("dudo", "calza")
    assert raising == "classic" or len(offered(game)) == 2
    feed(game, *([bid(10, 1)] if raising == "classic" else []))
    assert offered(game) == ("dudo", "calza")


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize(
    ("hands", "face", "with_aces", "without"),
    [
        ([(1,), (1,), (4,)], 4, 3, 1),
        ([(1,), (1,), (4,)], 1, 2, 2),
        ([(1,), (1,), (1,)], 6, 3, 0),
        ([(2,), (2,), (3,)], 2, 2, 2),
        ([(2,), (2,), (3,)], 5, 0, 0),
    ],
)
def test_aces_are_wild_except_in_a_single_die_round(hands, face, with_aces, without, wild):
    there = with_aces if wild else without
    for count in (1, 2, 3):
        game = deal(begin(3, dice=1, single="once" if wild else "any"), hands)
        feed(game, bid(count, face), "dudo")
        assert standing(game) == ([0, 1, 1] if there < count else [1, 0, 1])


@given(st.lists(st.lists(st.integers(1, 6), min_size=5, max_size=5), min_size=2, max_size=5), st.data())
def test_dudo_and_calza_are_settled_by_the_count_of_all_dice(hands, data):
    count, face = data.draw(st.integers(1, 5 * len(hands))), data.draw(st.integers(1, 6))
    there = len([die for hand in hands for die in hand if die in (face, 1)])
    full = [5] * len(hands)
    for word, loser in (("dudo", 0 if there < count else 1), ("calza", None if there == count else 1)):
        game = deal(begin(len(hands)), hands)
        feed(game, bid(count, face), word)
        assert standing(game) == [left - (seat == loser) for seat, left in enumerate(full)]


def test_an_exact_calza_wins_back_a_lost_die_but_never_exceeds_the_starting_number():
    game = lose(begin(3, dice=3), 1)
    for before in ([3, 2, 3], [3, 3, 3]):
        assert standing(deal(game)) == before
        feed(game, bid(1, 2), bid(2, 2), bid(sum(before), 2), "calza")
        assert standing(game) == [3, 3, 3]


@pytest.mark.parametrize("count", [1, 3, 5, 6])  # the hands hold four twos
@pytest.mark.parametrize(("miss", "left"), [("lose", [3, 2]), ("nothing", [3, 3])])
def test_a_missed_calza_costs_a_die_or_nothing(count, miss, left):
    game = deal(begin(2, dice=3, calza_miss=miss), [(2, 2, 2), (2, 3, 3)])
    feed(game, bid(count, 2), "calza")
    assert (standing(game), game.ask) == (left, Roll(1, left[1], hidden=True))


def test_a_missed_calza_can_eliminate_its_seat():
    game = deal(begin(3, dice=1))
    feed(game, bid(1, 2), "calza")
    assert (standing(game), game.ask) == ([1, 0, 1], Roll(2, 1, hidden=True))


# Everyone's hand, seat 0's bid, seat 1's challenge, and the seat that starts next under "challenger" and under "loser".
STARTS = [
    ((3, 3), bid(1, 2), "dudo", 1, 0),  # the bidder loses
    ((2, 2), bid(1, 2), "dudo", 1, 1),
    ((2, 2), bid(6, 2), "calza", 1, 1),  # nobody loses
    ((2, 2), bid(5, 2), "calza", 1, 1),
]


@pytest.mark.parametrize(("hand", "opening", "word", "challenger", "loser"), STARTS)
@pytest.mark.parametrize("miss", ["lose", "nothing"])
def test_the_next_round_starts_with_the_challenger_or_with_the_seat_that_lost_a_die(
    hand, opening, word, challenger, loser, miss
):
    for starter, expected in (("challenger", challenger), ("loser", loser)):
        game = deal(begin(3, dice=2, starter=starter, calza_miss=miss), [hand] * 3)
        feed(game, opening, word)
        assert isinstance(game.ask, Roll)
        assert game.ask.seat == expected
        assert game.table.round == 2


@pytest.mark.parametrize("starter", ["challenger", "loser"])
def test_if_the_starting_seat_is_out_the_next_seat_with_dice_starts(starter):
    game = lose(begin(5, dice=1, starter=starter), 2)
    assert game.ask == Roll(3, 1, hidden=True)
    lose(game, 4)
    assert game.ask == Roll(0, 1, hidden=True)
    lose(game, 1)  # seat 2, the next one, is out
    assert (game.ask, standing(game)) == (Roll(3, 1, hidden=True), [1, 0, 0, 1, 0])


def test_if_the_bidder_is_eliminated_the_next_seat_with_dice_starts():
    for starter in ("challenger", "loser"):
        game = lose(begin(4, dice=1, starter=starter), 1)
        deal(game)
        feed(game, bid(3, 5), "dudo")
        assert (standing(game), game.ask) == ([1, 0, 0, 1], Roll(3, 1, hidden=True))


def test_with_single_any_every_round_with_a_seat_on_one_die_is_a_single_die_round():
    game = begin(3, dice=3)
    found = []
    for seat in (0, 0, 1, 0, 1, 1):
        found.append((standing(game), is_single(game)))
        lose(game, seat)
    assert found == [
        ([3, 3, 3], False), ([2, 3, 3], False), ([1, 3, 3], True), ([1, 2, 3], True), ([0, 2, 3], False),
        ([0, 1, 3], True),
    ]  # fmt: skip


def test_with_single_once_only_the_round_after_a_seat_first_falls_to_one_die_is_a_single_die_round():
    game = begin(3, dice=3, single="once")
    found = []
    for seat in (0, 0, 1, 1, 2, 0, 2):
        found.append((standing(game), is_single(game)))
        lose(game, seat)
    assert found == [
        ([3, 3, 3], False), ([2, 3, 3], False), ([1, 3, 3], True), ([1, 2, 3], False), ([1, 1, 3], True),
        ([1, 1, 2], False), ([0, 1, 2], False),
    ]  # fmt: skip
    assert standing(game) == [0, 1, 1]
    assert is_single(game)


@pytest.mark.parametrize(("single", "again"), [("any", True), ("once", False)])
def test_with_single_once_falling_to_one_die_again_makes_no_second_single_die_round(single, again):
    game = lose(begin(2, dice=2, single=single), 1)
    assert is_single(game)
    deal(game)  # seat 1 wins its die back with a calza on three twos
    feed(game, bid(1, 2), bid(3, 2), "calza")
    assert standing(game) == [2, 2]
    assert not is_single(game)
    assert standing(lose(game, 1)) == [2, 1]
    assert is_single(game) is again
    assert standing(lose(game, 0)) == [1, 1]
    assert is_single(game)


def test_falling_to_one_die_by_a_missed_calza_makes_a_single_die_round():
    game = deal(begin(2, dice=2, single="once"))
    feed(game, bid(1, 2), "calza")
    assert standing(game) == [2, 1]
    assert is_single(game)


@pytest.mark.parametrize(("single", "found"), [("any", True), ("once", False)])
def test_starting_with_one_die_does_not_count_as_falling_to_one(single, found):
    game = begin(3, dice=1, single=single)
    assert is_single(game) is found
    assert is_single(lose(game, 1)) is found


def test_a_seat_without_dice_is_out_and_the_last_one_with_dice_wins():
    game = lose(begin(3, dice=2), 0, 2, 2)
    assert standing(game) == [1, 2, 0]
    assert isinstance(game.ask, Roll)
    assert game.table.round == 4
    lose(game, 0)
    assert (game.ask, standing(game), game.table.round) == (Over(((1,), (0,), (2,))), [0, 2, 0], 4)


def test_seats_with_real_cups_are_asked_for_their_dice_only_after_the_challenge():
    for word in ("dudo", "calza"):
        game = begin(4, first=1, dice=2, cups=[0, 2, 3])
        assert game.ask == Roll(1, 2, hidden=True)
        deal(game)
        assert (offered(game)[-1], game.ask.seat) == (bid(8, 6), 1)
        feed(game, bid(7, 2), word)
        for seat, dice in ((2, (2, 1)), (3, (2, 2)), (0, (2, 5))):
            assert (game.ask, standing(game)) == (Roll(seat, 2, hidden=False), [2] * 4)
            feed(game, dice)
        assert (standing(game), game.ask) == ([2, 2, 1, 2] if word == "dudo" else [2, 2, 2, 2], Roll(1, 2, True))


def test_cups_of_eliminated_seats_are_not_lifted():
    game = begin(3, dice=1, cups=[0, 1, 2])
    feed(game, bid(1, 2), "dudo", (2,), (2,), (2,))
    assert (standing(game), game.ask.seat) == ([1, 0, 1], 2)
    feed(game, bid(1, 3), "dudo")
    assert game.ask == Roll(2, 1, hidden=False)
    feed(game, (3,))
    assert game.ask == Roll(0, 1, hidden=False)
    feed(game, (2,))
    assert game.ask.winners == (2,)


def test_only_its_seat_sees_a_hand_until_the_challenge_reveals_all():
    game = deal(begin(3, dice=1, cups=[2]), [(2,), (3,), ()])
    views = [game.view(seat)["dice"] for seat in (None, 0, 1, 2)]
    assert views == [[[None]] * 3, [[2], [None], [None]], [[None], [3], [None]], [[None]] * 3]
    events = feed(game, bid(3, 6), "dudo", (5,))
    assert [event.facts["dice"] for event in events if event.kind == "dudo" and event.to is None] == [[[2], [3], [5]]]


def test_the_last_dice_are_visible_to_all_at_the_end():
    game = deal(begin(2, dice=1), [(4,), (3,)])
    feed(game, bid(1, 4), "dudo")
    assert (game.ask.winners, game.view(None)["dice"]) == ((0,), [[4], [3]])


def test_only_its_seat_sees_a_hidden_roll_in_the_events():
    game = begin(2, dice=2)
    events = feed(game, (3, 4))
    told = [(event.to, list(event.facts["dice"])) for event in events if "dice" in event.facts]
    assert sorted(told, key=repr) == [((0,), [3, 4]), (None, [None, None])]


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(1, 4))
def test_random_games_follow_the_rules_in_the_docs(seed, seats, dice):
    chance = Random(seed)
    chosen = {name: chance.choice(values) for name, values in WORDS.items()}
    cups = chance.sample(range(seats), chance.randint(0, seats))
    game = start("cacho", seats, dice=dice, shuffle=True, cups=cups, **chosen)
    circle = chance.sample(range(seats), seats)
    feed(game, circle)
    tied, left, came_down, fresh = circle, [dice] * seats, set(), False
    while len(tied) > 1:
        rolled = {seat: chance.randint(1, 6) for seat in tied}
        for seat in tied:
            assert game.ask == Roll(seat, 1)
            feed(game, (rolled[seat],))
        tied = [seat for seat in tied if rolled[seat] == max(rolled.values())]
    starter = tied[0]
    while sum(map(bool, left)) > 1:
        order = [seat for seat in circle[circle.index(starter) :] + circle[: circle.index(starter)] if left[seat]]
        single = 1 in left if chosen["single"] == "any" else fresh
        hands = {seat: tuple(chance.choices(range(1, 7), k=left[seat])) for seat in order}
        answer_all(game, hands, [seat for seat in order if seat not in cups], hidden=True)
        turns, faces = cycle(order), range(1 if single or chosen["raise"] == "strict" else 2, 7)
        seat, pick, count, face = next(turns), None, 0, 0
        choices = tuple(bid(n, f) for n in range(1, sum(left) + 1) for f in faces)
        while pick not in ("dudo", "calza"):
            assert (game.ask, standing(game)) == (Choose(seat, choices), left)
            pick = chance.choice(choices[:8] + choices[-2:])
            feed(game, pick)
            if isinstance(pick, tuple):
                bidder, seat, (count, face) = seat, next(turns), pick[1]
                above = higher((count, face), sum(left), "single" if single else chosen["raise"])
                choices = (*[("bid", new) for new in above], "dudo", "calza")
        answer_all(game, hands, [seat for seat in order if seat in cups], hidden=False)
        there = [die == face or (die == 1 and not single) for hand in hands.values() for die in hand].count(True)
        if face == 1:
            there = sum(hand.count(1) for hand in hands.values())
        loser = bidder if pick == "dudo" and there < count else seat
        if pick == "calza" and there == count:
            left[seat], loser = min(left[seat] + 1, dice), None
        elif pick == "calza" and chosen["calza_miss"] == "nothing":
            loser = None
        if loser is not None:
            left[loser] -= 1
        fresh = loser is not None and left[loser] == 1 and loser not in came_down
        came_down |= {loser} if fresh else set()
        starter = loser if chosen["starter"] == "loser" and loser is not None else seat
        while not left[starter]:
            starter = circle[(circle.index(starter) + 1) % seats]
        assert standing(game) == left
    assert game.ask.winners == (starter,)
