"""Mexico, rule by rule: the ranking, the turn, the challenge against the house, the elimination."""

import json
import random
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Over, Roll
from table.engine.errors import Refused
from table.ui.protocol import Dialogue
from tests.playing import at_random, feed, start

RANKING = (21, 66, 55, 44, 33, 22, 11, 65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31)  # best first
TURN = ("roll", "end")
ROLLS = list(product(range(1, 7), repeat=2))


def play(game, *answers):
    """Feeds answers. Dice are written as a number: 54 is (5, 4), and 3 is one die."""
    feed(game, *(tuple(map(int, str(answer))) if isinstance(answer, int) else answer for answer in answers))
    return game


def challenge(*answers, **options):
    """A challenge in which seat 0 leads round 1."""
    return play(start("mexico", **options), 6, 1, *answers)


def elimination(seats, *answers, **options):
    """An elimination game in which seat 0 leads round 1."""
    return play(start("mexico", seats, mode="elimination", **options), 6, *[1] * (seats - 1), *answers)


def read(dice):
    return max(dice) * 10 + min(dice)


@cache
def round_won(first, second):
    """The winner of a round with one roll each, inferred from the next ask: 0, 1, or None for a tie."""
    game = challenge(lives=9)
    for dice in (first, second):
        feed(game, dice)
        if isinstance(game.ask, Choose):
            feed(game, "end")
    assert game.table.round == 2
    winner = {Roll(0, 1): None, Roll(0, 2): 1, Roll(1, 2): 0}[game.ask]  # the loser leads the next round
    assert game.table.standing == [8 if winner == 1 else 9, None]
    return winner


# The ranking


def test_every_roll_beats_exactly_the_rolls_below_it_in_the_ranking():
    for first, second in product(ROLLS, repeat=2):
        places = RANKING.index(read(first)), RANKING.index(read(second))
        better = None if places[0] == places[1] else places.index(min(places))
        assert round_won(first, second) == better, (first, second)


def test_a_double_can_be_rolled_in_one_way_and_other_results_in_two():
    ways = {read(roll): sum(round_won(roll, other) is None for other in ROLLS) for roll in ROLLS}
    assert ways == {result: 1 if result % 11 == 0 else 2 for result in RANKING}
    assert len(ways) == 21


# Who leads


def test_each_seat_rolls_one_die_until_they_differ_and_the_higher_die_leads():
    for *ties, first, second in [(6, 1), (2, 1), (1, 2), (4, 4, 5, 6), (4, 4, 2, 2, 2, 1)]:
        game = start("mexico")
        for turn, die in enumerate([*ties, first, second]):
            assert (game.ask, game.table.round) == (Roll(turn % 2, 1), 1)
            play(game, die)
        assert (game.ask, game.table.round) == (Roll(0 if first > second else 1, 2), 1)


# A turn


def test_after_a_roll_that_is_not_mexico_the_leader_may_roll_or_end():
    for result in RANKING[1:]:
        assert challenge(result).ask == challenge(31, "roll", result).ask == Choose(0, TURN)


@pytest.mark.parametrize("turn", [[21], [12], [31, "roll", 21], [31, "roll", 66, "roll", 12]])
def test_a_mexico_ends_the_turn_at_once(turn):
    assert challenge(*turn).ask == Roll(1, 2)


def test_the_third_roll_ends_the_turn_without_a_choice():
    assert challenge(66, "roll", 66, "roll", 31).ask == Roll(1, 2)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        ([66, "roll", 31, "end", 41, "end"], 2),
        ([31, "roll", 66, "end", 65, "end"], 3),
        ([54, "roll", 54, "end", 66, "end"], 2),
        ([54, "roll", 54, "end", 66, "roll", 31], 3),
        ([54, "roll", 54, "end", 31, "roll", 66], 2),
    ],
)
def test_only_the_last_roll_of_a_turn_counts(turns, left):
    assert challenge(*turns).table.standing == [left, None]


LEADS = {1: [41, "end"], 2: [41, "roll", 41, "end"], 3: [41, "roll", 41, "roll", 41]}


@pytest.mark.parametrize("rolls", LEADS)
def test_the_second_roller_has_as_many_rolls_as_the_leader_took(rolls):
    game = challenge(*LEADS[rolls])
    for _ in range(rolls - 1):
        assert game.ask == Roll(1, 2)
        assert play(game, 31).ask == Choose(1, TURN)
        play(game, "roll")
    assert game.ask == Roll(1, 2)
    assert play(game, 31).ask == Roll(1, 2)
    assert game.table.round == 2


@pytest.mark.parametrize("turn", [[21], [31, "roll", 21], [31, "roll", 31, "roll", 21]])
def test_a_mexico_by_the_leader_gives_the_second_roller_three_rolls(turn):
    game = challenge(*turn)
    assert play(game, 66).ask == Choose(1, TURN)
    assert play(game, "roll", 66).ask == Choose(1, TURN)
    assert play(game, "roll", 66).ask == Roll(1, 2)
    assert game.table.round == 2


@pytest.mark.parametrize("answer", [[21], [31, "roll", 12]])
def test_a_mexico_by_the_second_roller_ends_the_turn_at_once(answer):
    game = challenge(31, "roll", 31, "roll", 31, *answer)
    assert (game.table.round, game.table.standing, game.ask) == (2, [2, None], Roll(0, 2))


# Challenge


@pytest.mark.parametrize(
    ("scores", "left", "leader"), [((31, 32), 2, 0), ((32, 31), 3, 1), ((66, 21), 2, 0), ((66, 65), 3, 1)]
)
def test_losing_to_the_house_costs_a_life_and_the_loser_leads_the_next_round(scores, left, leader):
    game = challenge(scores[0], "end", scores[1])
    assert (game.table.standing, game.table.round, game.ask) == ([left, None], 2, Roll(leader, 2))


@pytest.mark.parametrize("tie", [(54, "end", 45), (33, "end", 33), (21, 12)])
def test_after_a_tie_no_one_loses_a_life_and_the_order_is_rolled_again(tie):
    game = challenge(*tie)
    for asked, die in [(0, 3), (1, 3), (0, 2), (1, 5)]:
        assert (game.ask, game.table.round, game.table.standing) == (Roll(asked, 1), 2, [3, None])
        play(game, die)
    assert (game.ask, game.table.round) == (Roll(1, 2), 2)


@pytest.mark.parametrize("lives", [1, 3, 9])
def test_a_challenger_without_lives_has_lost(lives):
    game = challenge(lives=lives, rounds=20)
    for gone in range(1, lives + 1):
        assert game.table.round == gone
        play(game, 31, "end", 32)
        assert game.table.standing == [lives - gone, None]
    assert (game.ask.winners, game.table.round) == ((1,), lives)


@pytest.mark.parametrize("rounds", [1, 5, 20])
def test_a_challenger_with_a_life_left_after_the_last_round_has_won(rounds):
    game = challenge(rounds=rounds)
    for number in range(1, rounds + 1):
        assert (game.table.round, type(game.ask)) == (number, Roll)
        play(game, *((65, "end", 64) if number == 1 else (64, "end", 65)))
    assert (game.ask.winners, game.table.round, game.table.standing) == ((0,), rounds, [3, None])


def test_the_last_life_lost_in_the_last_round_is_a_loss():
    assert challenge(31, "end", 32, 31, "end", 32, lives=2, rounds=2).ask.winners == (1,)


def test_tied_rounds_count_for_survival():
    game = challenge(54, "end", 54, 6, 1, 31, "end", 32, 54, "end", 54, rounds=3, lives=2)
    assert (game.ask.winners, game.table.round, game.table.standing) == ((0,), 3, [1, None])


LOST, TIED = [31, "end", 32], [54, "end", 54, 6, 1]


def test_with_goal_win_only_the_rounds_the_challenger_won_count():
    game = challenge(*TIED, *LOST, 54, "end", 31, goal="win", rounds=2, lives=2)  # the challenger won the last round
    assert (game.table.round, game.table.standing, game.ask) == (4, [1, None], Roll(1, 2))
    play(game, 31, "end", 54)
    assert (game.ask.winners, game.table.round, game.table.standing) == ((0,), 4, [1, None])


@pytest.mark.parametrize(("lives", "rounds"), [(2, 5), (3, 1)])
def test_with_goal_win_a_challenger_without_lives_has_lost(lives, rounds):
    game = challenge(*TIED, goal="win", rounds=rounds, lives=lives)
    for left in range(lives, 0, -1):
        assert (game.ask, game.table.standing) == (Roll(0, 2), [left, None])
        play(game, *LOST)
    assert (game.ask.winners, game.table.standing) == ((1,), [0, None])


# Options and seats


@pytest.mark.parametrize(
    ("mode", "valid", "invalid"), [("challenge", [2], [1, 3, 10]), ("elimination", [2, 10], [1, 11])]
)
def test_a_challenge_is_for_exactly_two_and_an_elimination_for_two_to_ten(mode, valid, invalid):
    for seats in valid:
        start("mexico", seats, mode=mode)
    for seats in invalid:
        with pytest.raises(Refused):
            start("mexico", seats, mode=mode)


def test_each_mode_has_its_own_options_with_the_documented_defaults():
    challenge, elimination = start("mexico"), start("mexico", 3, mode="elimination")
    assert challenge.view(None)["options"] == {"mode": "challenge", "lives": 3, "rounds": 5, "goal": "survive"}
    assert elimination.view(None)["options"] == {"mode": "elimination", "lives": 3, "double": False}
    assert (challenge.table.standing, elimination.table.standing) == ([3, None], [3, 3, 3])


@pytest.mark.parametrize(
    ("mode", "wrong"),
    [
        ("challenge", {"double": False, "goal": "draw", "lives": 0, "rounds": 0}),
        ("challenge", {"double": True, "goal": 1, "lives": 10, "rounds": 21}),
        ("challenge", {"lives": 3.0, "rounds": True, "chips": 3}),
        ("elimination", {"rounds": 5, "goal": "survive", "lives": 0, "double": 1}),
        ("duel", {"lives": 3}),
    ],
)
def test_options_out_of_range_or_of_the_other_mode_are_refused(mode, wrong):
    for name, value in wrong.items():
        with pytest.raises(Refused):
            start("mexico", mode=mode, **{name: value})


# Elimination


def test_each_seat_rolls_a_die_and_those_tied_for_highest_roll_again():
    game = start("mexico", 4, mode="elimination")
    for asked, die in [(0, 3), (1, 5), (2, 5), (3, 5), (1, 2), (2, 6), (3, 6), (2, 1), (3, 1), (2, 1), (3, 4)]:
        assert (game.ask, game.table.round) == (Roll(asked, 1), 1)
        play(game, die)
    assert game.ask == Roll(3, 2)


def test_the_others_follow_in_order_with_the_limit_set_by_the_leader():
    game = play(start("mexico", 3, mode="elimination"), 1, 6, 1, 54, "roll", 54, "end")
    assert (game.ask, play(game, 65).ask) == (Roll(2, 2), Choose(2, TURN))
    assert play(game, "end").ask == Roll(0, 2)
    assert play(game, 61).ask == Choose(0, TURN)  # seat 2 rolled once, but the leader's limit of two still holds
    assert play(game, "roll", 62).table.standing == [3, 2, 3]


def test_a_mexico_by_a_follower_does_not_change_the_limit():
    assert elimination(3, 54, "end", 21).ask == Roll(2, 2)
    assert elimination(3, 54, "end", 21, 65).table.round == 2


def test_a_mexico_by_the_leader_gives_everyone_three_rolls():
    game = elimination(3, 21)
    for seat in 1, 2:
        assert (play(game, 31).ask, play(game, "roll", 31).ask) == (Choose(seat, TURN), Choose(seat, TURN))
        play(game, "roll", 40 + seat)
    assert game.table.standing == [3, 2, 3]


def test_the_lowest_score_loses_a_life_and_leads_the_next_round():
    game = elimination(3, 54, "end", 65, 31)
    assert (game.table.standing, game.table.round, game.ask) == ([3, 3, 2], 2, Roll(2, 2))


def test_players_tied_for_lowest_roll_a_die_in_playing_order_until_one_is_lowest():
    game = play(start("mexico", 4, mode="elimination"), 1, 1, 6, 1)
    play(game, 31, "end", 65, 31, 31)  # the turns of seats 2, 3, 0, 1
    for asked, die in [(2, 4), (0, 2), (1, 2), (0, 5), (1, 5), (0, 3), (1, 1)]:
        assert (game.ask, game.table.standing, game.table.round) == (Roll(asked, 1), [3] * 4, 1)
        play(game, die)
    assert (game.table.standing, game.table.round, game.ask) == ([3, 2, 3, 3], 2, Roll(1, 2))


def test_a_seat_that_is_out_is_skipped_and_the_next_one_leads():
    game = elimination(4, 54, "end", 31, 54, 54, lives=1)
    assert (game.table.standing, game.table.round, game.ask) == ([1, 0, 1, 1], 2, Roll(2, 2))
    assert play(game, 54, "end").ask == Roll(3, 2)
    assert play(game, 54).ask == Roll(0, 2)
    play(game, 31)  # seat 0 is out too, and 1 already was, so 2 leads
    assert (game.table.standing, game.table.round, game.ask) == ([0, 0, 1, 1], 3, Roll(2, 2))
    play(game, 54, "end", 31)
    assert (game.ask, game.table.round) == (Over(((2,), (3,), (0,), (1,))), 3), (
        "seats that went out later are placed higher"
    )
    assert game.table.standing == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("double", "lives", "scores", "left"),
    [
        (False, 3, [21, 31, "end", 54, "end"], [3, 2, 3]),
        (True, 3, [21, 31, "end", 54, "end"], [3, 1, 3]),
        (True, 3, [54, "end", 31, 21], [3, 1, 3]),
        (True, 3, [54, "end", 31, 65], [3, 2, 3]),
        (True, 3, [66, "roll", 54, "end", 31, "end", 65, "end"], [3, 2, 3]),
        (True, 1, [54, "end", 31, 21], [1, 0, 1]),
        (True, 3, [21, 21, 21, 5, 1, 5], [3, 1, 3]),
    ],
)
def test_with_double_a_round_with_a_mexico_costs_two_lives_or_the_last_one(double, lives, scores, left):
    assert elimination(3, *scores, double=double, lives=lives).table.standing == left


@given(st.integers(), st.integers(2, 5), st.integers(1, 3), st.booleans())
def test_random_eliminations_follow_the_rules(seed, seats, lives, double):
    chance = random.Random(seed)
    game = start("mexico", seats, mode="elimination", lives=lives, double=double)
    left, number, scores = [lives] * seats, 1, {}
    while not isinstance(game.ask, Over):
        ask, answer = game.ask, at_random(game, chance)
        feed(game, answer)
        if isinstance(ask, Roll) and ask.count == 2:
            scores[ask.seat] = read(answer)
        if game.table.standing == left:
            assert game.table.round == number
            continue
        (loser,) = (seat for seat in range(seats) if game.table.standing[seat] != left[seat])
        assert set(scores) == {seat for seat in range(seats) if left[seat]}
        assert scores[loser] == max(scores.values(), key=RANKING.index)
        left[loser] = max(0, left[loser] - (2 if double and 21 in scores.values() else 1))
        assert game.table.standing == left
        alive = [seat % seats for seat in range(loser, loser + seats) if left[seat % seats]]
        if len(alive) > 1:
            number, scores = number + 1, {}
            assert game.ask == Roll(alive[0], 2)
        assert game.table.round == number
    assert game.ask.winners == tuple(seat for seat in range(seats) if left[seat])


# The protocol


def last_reply(session, **request):
    return session.reply(json.dumps(request).encode())[-1]


def test_the_protocol_replies_as_documented():
    session = Dialogue()
    ask = last_reply(session, new="mexico", players=["Ann", "Bo"], options={"rounds": 1})
    assert ask == {"ask": "dice", "seat": 0, "count": 1, "hidden": False, "round": 1, "standing": [3, None]}
    last_reply(session, dice=[6])
    last_reply(session, dice=[1])
    ask = last_reply(session, dice=[5, 4])
    assert ask == {"ask": "choice", "seat": 0, "options": ["roll", "end"], "round": 1, "standing": [3, None]}
    last_reply(session, choose="end")
    over = last_reply(session, dice=[6, 5])
    assert over == {"over": True, "winners": [0], "places": [[0], [1]], "round": 1, "standing": [2, None]}
