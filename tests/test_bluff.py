"""Bluff, rule by rule: what a claim earns, the circle and its leader, immunity, ties, the simple rules, real cups."""

import json
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Draw, Over, Roll
from table.engine.errors import Refused
from table.ui.protocol import Dialogue
from tests.playing import at_random, feed, start

CLAIMS = tuple(("claim", x) for x in range(1, 13))
CALL, CARD = ("accept", "call"), ("immunity", "concede")


def play(game, *answers):
    """Give these answers in order. The dice (5, 4) are written as 54."""
    feed(game, *(tuple(map(int, str(answer))) if isinstance(answer, int) else answer for answer in answers))
    return game


def deal(game, dice=11):
    """Play on to the next choice. Everybody rolls `dice`, circles are in seat order, and the first candidate leads."""
    while not isinstance(game.ask, Choose):
        match game.ask:
            case Roll(_, 2, True):
                play(game, dice)
            case Draw(kind, candidates):
                play(game, candidates if kind == "order" else candidates[:1])
            case end:
                pytest.fail(f"no more turns: {end}")
    return game


def turns(game, *played, dice=11):
    """Play turns, each a claim and the answers to it, such as (7, "call", "concede")."""
    for x, *answers in played:
        play(deal(game, dice), ("claim", x), *answers)
    return game


def bluff(seats, *played, dice=11, **options):
    return turns(start("bluff", seats, **options), *played, dice=dice)


def scores(game):
    return game.table.standing


# What a claim earns


def settled(rules, level, x, hit, *answers):
    """The scores after both seats reach `level` points, 0 or 12, then seat 0 claims `x`, and these answers follow."""
    low = min(6, x - 1)
    dice = low * 10 + x - low if hit else 66 if x == 2 else 11
    game = turns(bluff(2, *[(12, "accept")] * (level // 6), rules=rules), (x, *answers), dice=dice)
    assert game.ask != Choose(0, CARD)
    return scores(game)


RULES = pytest.mark.parametrize("rules", ["full", "simple"])
LEVEL = pytest.mark.parametrize("level", [0, 12])


@RULES
@LEVEL
def test_an_accepted_claim_earns_its_number_whether_true_or_not(rules, level):
    for x, hit in [(1, False), *product(range(2, 13), (False, True))]:
        assert settled(rules, level, x, hit, "accept") == [level + x, level]


@RULES
@LEVEL
def test_a_true_claim_that_is_called_earns_half_as_much_again_and_costs_the_caller_that_number(rules, level):
    for x, gain in zip(range(2, 13), (3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18), strict=True):
        assert settled(rules, level, x, True, "call") == [level + gain, max(0, level - x)]


@RULES
@LEVEL
def test_a_false_claim_that_is_called_moves_its_number_from_claimant_to_caller(rules, level):
    for x in range(1, 13):
        after = settled(rules, level, x, False, "call", *(["concede"] if rules == "full" else []))
        assert after == [max(0, level - x), level + x]


@LEVEL
def test_immunity_leaves_both_scores_unchanged(level):
    for x in range(1, 13):
        assert settled("full", level, x, False, "call", "immunity") == [level, level]


# The full rules: circle, leader, turns


def test_all_start_at_zero_and_the_first_ask_draws_the_circle():
    game = start("bluff", 4)
    assert (game.ask, scores(game), game.table.round) == (Draw("order", (0, 1, 2, 3)), [0] * 4, 1)


@pytest.mark.parametrize(
    ("wins", "candidates"),
    [([], (0, 1, 2)), ([0, 0, 0], (0, 1, 2)), ([4, 1, 4], (0, 2)), ([0, 9, 3], (1,)), ([2, 7, 7], (1, 2))],
)
def test_equal_scores_are_decided_by_wins_and_equal_wins_by_a_draw(wins, candidates):
    game = play(start("bluff", 3, wins=wins), (2, 1, 0))
    if len(candidates) == 1:
        assert game.ask == Roll(candidates[0], 2, True)
    else:
        assert game.ask == Draw("pick", candidates)
        assert play(game, (candidates[-1],)).ask == Roll(candidates[-1], 2, True)


def test_the_highest_score_leads_regardless_of_wins():
    game = bluff(3, (1, "accept"), (3, "accept"), (2, "accept"), wins=[9, 0, 0])
    assert (game.ask, game.table.round) == (Draw("order", (0, 1, 2)), 2)
    assert play(game, (0, 1, 2)).ask == Roll(1, 2, True)


def test_wins_decide_only_between_seats_with_the_highest_score():
    game = bluff(3, (1, "accept"), (3, "accept"), (3, "accept"), wins=[9, 2, 2])
    assert play(game, (0, 2, 1)).ask == Draw("pick", (1, 2))


@pytest.mark.parametrize(
    ("order", "leader", "circle"), [((2, 0, 1), 0, (0, 1, 2)), ((1, 0, 2), 0, (0, 2, 1)), ((0, 2, 1), 1, (1, 0, 2))]
)
def test_all_roll_in_circle_order_from_the_leader_and_then_each_claims_once_to_the_next(order, leader, circle):
    game = play(start("bluff", 3), order, (leader,))
    for seat in circle:
        assert game.ask == Roll(seat, 2, hidden=True)
        play(game, 34)
    for claimant, caller in zip(circle, circle[1:] + circle[:1], strict=True):
        assert game.ask == Choose(claimant, CLAIMS)
        assert play(game, ("claim", 7)).ask == Choose(caller, CALL)
        play(game, "accept")
    assert (game.ask, game.table.round) == (Draw("order", (0, 1, 2)), 2)


def test_a_claim_is_an_integer_from_1_to_12_and_the_protocol_lists_them():
    session = Dialogue()
    session.reply(b'{"new": "bluff", "players": ["Ann", "Bo"], "options": {"rules": "simple"}}')
    ask = session.reply(b'{"dice": [3, 4]}')[-1]
    listed = [{"claim": x} for x in range(1, 13)]
    assert ask == {"ask": "choice", "seat": 0, "options": listed, "round": 1, "standing": [0, 0]}
    for x in (0, 13, -7, True, 7.0, "7", None, [7]):
        assert "error" in session.reply(json.dumps({"choose": {"claim": x}}).encode())[-1]
    ask = {"ask": "choice", "seat": 1, "options": ["accept", "call"], "round": 1, "standing": [0, 0]}
    assert session.reply(b'{"choose": {"claim": 7}}')[-1] == ask


# Immunity


def test_immunity_is_offered_to_a_claimant_whose_false_claim_was_called():
    assert bluff(2, (7, "call")).ask == Choose(0, CARD)
    assert bluff(2, (7, "accept")).ask == Choose(1, CLAIMS)
    assert bluff(2, (7, "call"), dice=34).ask == Choose(1, CLAIMS)


def test_each_seat_can_use_immunity_once_a_game():
    game = bluff(2, (7, "call", "immunity"), (7, "call"))
    assert game.ask == Choose(1, CARD)
    turns(play(game, "immunity"), (7, "call"))
    assert (game.ask, scores(game)) == (Choose(1, CLAIMS), [0, 7])
    assert scores(turns(game, (7, "call"))) == [7, 0]


def test_a_seat_that_concedes_keeps_its_card():
    game = bluff(2, (7, "call", "concede"), (7, "accept"), (1, "accept"), (7, "call"))  # claims of seats 0, 1, 1, 0
    assert (game.ask, scores(game)) == (Choose(0, CARD), [0, 15])


def test_used_immunity_does_not_return_in_the_elimination_rounds():
    game = bluff(2, (7, "call", "immunity"), (7, "call", "immunity"), (7, "call"), rounds=1)
    assert (game.ask, game.table.round) == (Choose(1, CLAIMS), 2)


def test_without_the_option_immunity_is_never_offered():
    game = bluff(2, (7, "call"), immunity=False)
    assert (game.ask, scores(game)) == (Choose(1, CLAIMS), [0, 7])


# The end of the full rules


def test_after_the_rounds_the_highest_score_wins():
    game = bluff(3, (5, "accept"), (6, "accept"), (4, "accept"), rounds=2)
    turns(game, (1, "accept"), (1, "accept"), (4, "accept"))  # claims of seats 1, 2, 0
    assert (game.ask.winners, game.table.round, scores(game)) == ((0,), 2, [9, 7, 5])


def test_only_seats_tied_at_the_top_play_elimination_rounds_and_keep_their_scores():
    game = bluff(4, (7, "accept"), (2, "accept"), (7, "accept"), (7, "accept"), rounds=1)
    assert (game.ask, game.table.round) == (Draw("order", (0, 2, 3)), 2)
    assert play(game, (3, 0, 2)).ask == Draw("pick", (0, 2, 3))
    play(game, (2,))
    for seat in (2, 3, 0):
        assert game.ask == Roll(seat, 2, True)
        play(game, 11)
    for claimant, caller, x in [(2, 3, 4), (3, 0, 3), (0, 2, 4)]:
        assert game.ask == Choose(claimant, CLAIMS)
        assert play(game, ("claim", x)).ask == Choose(caller, CALL)
        play(game, "accept")
    assert (game.ask, game.table.round) == (Draw("order", (0, 2)), 3)  # seat 3 fell behind
    turns(game, (1, "accept"), (2, "accept"))
    assert (game.ask, game.table.round, scores(game)) == (Over(((2,), (0,), (3,), (1,))), 3, [12, 2, 13, 10])


def test_wins_choose_the_leader_of_an_elimination_round_too():
    game = bluff(3, (1, "accept"), (7, "accept"), (7, "accept"), wins=[1, 3, 2], rounds=1)  # claims of seats 1, 2, 0
    assert game.ask == Draw("order", (0, 2))
    assert play(game, (0, 2)).ask == Roll(2, 2, True)


def test_after_five_elimination_rounds_a_draw_picks_one_of_the_tied_seats():
    game = bluff(3, (7, "accept"), (2, "accept"), (7, "accept"), rounds=1)
    for number in range(2, 7):
        assert (game.ask, game.table.round) == (Draw("order", (0, 2)), number)
        turns(game, (5, "accept"), (5, "accept"))
    assert (game.ask, game.table.round) == (Draw("pick", (0, 2)), 6)
    play(game, (2,))
    assert (game.ask, game.table.round, scores(game)) == (Over(((2,), (0,), (1,))), 6, [32, 2, 32])


def test_the_fifth_elimination_round_can_still_be_won():
    game = bluff(2, *[(5, "accept")] * 11, (6, "accept"), rounds=1)
    assert (game.ask.winners, game.table.round) == ((1,), 6)


# The simple rules


def test_simple_rounds_go_in_seat_order_and_each_seat_rolls_just_before_its_claim():
    game = start("bluff", 3, rules="simple", rounds=2, wins=[0, 5, 0])
    for number in (1, 2):
        for seat in range(3):
            assert (game.ask, game.table.round) == (Roll(seat, 2, hidden=True), number)
            assert play(game, 11).ask == Choose(seat, CLAIMS)
            assert play(game, ("claim", 3 + seat)).ask == Choose((seat + 1) % 3, CALL)
            play(game, "accept")
    assert (game.ask.winners, game.table.round, scores(game)) == ((2,), 2, [6, 8, 10])


def test_the_simple_rules_have_no_immunity():
    game = bluff(2, (7, "call"), rules="simple")
    assert (game.ask, scores(game)) == (Roll(1, 2, True), [0, 7])


def test_a_simple_tie_is_decided_by_an_open_roll_off():
    game = bluff(3, (7, "accept"), (2, "accept"), (7, "accept"), rules="simple", rounds=1)
    assert (game.ask, game.table.round) == (Roll(0, 2, hidden=False), 1)
    assert play(game, 61).ask == Roll(2, 2, hidden=False)
    play(game, 44)
    assert (game.ask.winners, game.table.round, scores(game)) == ((2,), 1, [7, 2, 7])


def test_a_tied_roll_off_is_void_and_every_tied_seat_rolls_again():
    game = bluff(4, (7, "accept"), (7, "accept"), (2, "accept"), (7, "accept"), rules="simple", rounds=1)
    for dice in [(61, 43, 11), (11, 65, 56), (22, 31, 13), (54, 21, 53)]:
        for seat, roll in zip((0, 1, 3), dice, strict=True):
            assert game.ask == Roll(seat, 2)
            play(game, roll)
    assert (game.ask.winners, game.table.round) == ((0,), 1)


# Public and hidden dice


@RULES
def test_the_claimants_dice_become_public_only_after_a_call(rules):
    game = bluff(2, (7,), dice=52, rules=rules)
    assert [game.view(seat)["dice"][0] for seat in (None, 0, 1)] == [[None, None], [5, 2], [None, None]]
    play(game, "call")
    assert [game.view(seat)["dice"][0] for seat in (None, 0, 1)] == [[5, 2]] * 3


@RULES
def test_the_dice_of_a_claim_that_was_not_called_stay_hidden_to_the_end(rules):
    game = bluff(2, (7, "accept"), (1, "accept"), dice=52, rules=rules, rounds=1)
    assert game.ask.winners == (0,)
    assert [game.view(seat)["dice"][0] for seat in (None, 1)] == [[None, None]] * 2


@RULES
def test_only_its_seat_sees_hidden_dice_in_the_events(rules):
    game = start("bluff", 3, rules=rules)
    if rules == "full":
        play(game, (0, 1, 2), (0,))
    events = feed(game, (5, 2))
    told = {seat: [event.facts["dice"] for event in events if event.visible_to(seat)] for seat in (None, 0, 1, 2)}
    assert [(5, 2) in told[seat] for seat in (None, 0, 1, 2)] == [False, True, False, False]


def test_every_player_can_see_the_wins():
    game = start("bluff", 3, wins=[1, 0, 4])
    assert [game.view(seat)["options"]["wins"] for seat in (None, 0, 1, 2)] == [[1, 0, 4]] * 4
    assert start("bluff", 3).view(0)["options"]["wins"] == [0, 0, 0]


# Real cups


def test_a_seat_with_a_cup_is_not_asked_for_dice_before_its_claim():
    game = play(start("bluff", 3, cups=[1]), (0, 1, 2), (1,))
    assert game.ask == Roll(2, 2, True)
    assert play(game, 11).ask == Roll(0, 2, True)
    assert play(game, 11).ask == Choose(1, CLAIMS)
    assert play(start("bluff", cups=[0, 1]), (0, 1), (1,)).ask == Choose(1, CLAIMS)
    assert start("bluff", cups=[0], rules="simple").ask == Choose(0, CLAIMS)


@RULES
@pytest.mark.parametrize(("dice", "after"), [(52, [10, 0]), (53, [0, 7])])
def test_a_cup_is_lifted_after_the_call(rules, dice, after):
    game = bluff(2, (7, "call"), rules=rules, cups=[0])
    assert (game.ask, scores(game)) == (Roll(0, 2, hidden=False), [0, 0])
    play(game, dice)
    assert [game.view(seat)["dice"][0] for seat in (None, 0, 1)] == [[dice // 10, dice % 10]] * 3
    if rules == "full" and dice == 53:
        assert game.ask == Choose(0, CARD)
        play(game, "concede")
    assert scores(game) == after


def known(game, seat):
    return {die for viewer in (None, *game.table.seats) for die in game.view(viewer)["dice"][seat]} - {None}


@RULES
def test_dice_under_a_cup_are_never_known_if_the_claim_was_not_called(rules):
    game = bluff(2, (7,), rules=rules, cups=[0], rounds=2)
    assert known(game, 0) == set()
    turns(play(game, "call", 52), (1, "accept"), (7,))  # the next round has new dice under the cup
    assert (known(game, 0), game.table.round) == (set(), 2)
    turns(play(game, "accept"), (1, "accept"))
    assert (known(game, 0), game.ask.winners) == (set(), (0,))


def test_a_simple_roll_off_is_open_for_seats_with_cups_too():
    game = bluff(2, (7, "accept"), (7, "accept"), rules="simple", rounds=1, cups=[0, 1])
    assert game.ask == Roll(0, 2, hidden=False)
    assert play(game, 11, 12).ask.winners == (1,)


# Options, and random games


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rules", ["short", 1]),
        ("rounds", [0, 21, 5.0, True]),
        ("immunity", [1, "true"]),
        ("wins", [[1], [0, -1], [0, True], [0, 0, 0], 3]),
        ("cups", [[2], [-1], [True], 0]),
    ],
)
def test_options_out_of_range_are_refused(name, values):
    for value in values:
        with pytest.raises(Refused):
            start("bluff", **{name: value})


def test_bluff_takes_two_to_ten_players_and_defaults_to_five_rounds_of_full_rules():
    for seats in (1, 11):
        with pytest.raises(Refused):
            start("bluff", seats)
    options = start("bluff", 10).view(None)["options"]
    assert options == {"rules": "full", "rounds": 5, "immunity": True, "wins": [0] * 10, "cups": []}


class Ledger:
    """An independent score sheet, which applies the docs' table of scores to the asks and answers."""

    def __init__(self, seats, cups, cards):
        self.scores, self.cups, self.cards, self.dice, self.called = [0] * seats, cups, set(cards), {}, False

    def note(self, ask, answer):
        match ask, answer:
            case Roll(seat, _, hidden), _:
                self.dice[seat] = sum(answer)
                if not hidden and self.called:
                    self.settle()
            case Choose(seat), ("claim", x):
                self.claimant, self.x, self.called = seat, x, False
            case _, "accept":
                self.change(self.claimant, self.x)
            case Choose(seat), "call":
                self.caller, self.called = seat, True
                if self.claimant not in self.cups:
                    self.settle()
            case Choose(seat), "immunity":
                self.cards.remove(seat)
            case _, "concede":
                self.miss()

    def settle(self):
        self.called = False
        if self.dice[self.claimant] == self.x:
            self.change(self.claimant, self.x + self.x // 2)
            self.change(self.caller, -self.x)
        elif self.claimant not in self.cards:
            self.miss()

    def miss(self):
        self.change(self.claimant, -self.x)
        self.change(self.caller, self.x)

    def change(self, seat, points):
        self.scores[seat] = max(0, self.scores[seat] + points)


@given(st.integers(), st.integers(2, 5), st.sampled_from(["full", "simple"]), st.sets(st.integers(0, 1)))
def test_random_games_score_as_in_the_docs(seed, seats, rules, cups):
    chance = random.Random(seed)
    game = start("bluff", seats, rules=rules, rounds=3, cups=sorted(cups))
    ledger = Ledger(seats, cups, range(seats) if rules == "full" else ())
    while not isinstance(game.ask, Over):
        ask, answer = game.ask, at_random(game, chance)
        if isinstance(ask, Roll):
            answer = tuple(chance.choices((3, 4), k=2))
        elif answer in CLAIMS:
            answer = ("claim", chance.choice((1, 6, 7, 7, 8, 12)))
        feed(game, answer)
        ledger.note(ask, answer)
        assert scores(game) == ledger.scores
    (winner,) = game.ask.winners
    assert scores(game)[winner] == max(scores(game))
    assert game.table.round == 3 or (rules == "full" and 3 < game.table.round <= 8)
