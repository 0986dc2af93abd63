"""PocoLoco, rule by rule: the ranking, the turn and its rerolls, who wins and who loses a round, the chips, the end."""

import json
import random
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Draw, Over, Roll
from table.engine.errors import Refused
from table.ui.protocol import Dialogue
from tests.playing import at_random, feed, start

REROLLS = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
TURN = ("end", *(("reroll", positions) for positions in REROLLS))
ROLLS = list(product(range(1, 7), repeat=3))


def digits(number):
    return tuple(map(int, str(number)))


def play(game, *answers):
    """Give the answers in order. A number stands for dice: 456 is (4, 5, 6). Other answers are given as they are."""
    feed(game, *(digits(answer) if isinstance(answer, int) else answer for answer in answers))
    return game


def play_round(game, rolls, order=None):
    """Play a round of one roll each. `rolls` are listed by seat, and `order` defaults to seat order."""
    first, *others = order = order or tuple(range(len(rolls)))
    return play(game, order, rolls[first], "end", *(rolls[seat] for seat in others))


def rounds(seats, *played, **options):
    """Play rounds of one roll each, in seat order, without ties for the best or the lowest roll."""
    game = start("pocoloco", seats, **options)
    for rolls in played:
        play_round(game, rolls)
    return game


def chips(game):
    return game.table.standing


def worth(dice):
    """A rank by which rolls can be sorted: the class, which is also the cost in chips, then the value within it."""
    match sorted(dice):
        case [4, 5, 6]:
            return 4, 0
        case [a, b, c] if a == b == c:
            return 3, a
        case [1, 2, 3]:
            return 2, 0
    return 1, sum({1: 100, 6: 60}.get(die, die) for die in dice)


# The ranking


def beats(first, second):
    """The chips that the first roll's seat gives away: positive if it wins, negative if it loses, 0 for a tie."""
    game = start("pocoloco", chips=100)
    feed(game, (0, 1), first, "end", second)
    if game.ask == Draw("pick", (0, 1)):
        return 0
    left = chips(game)
    assert left[0] + left[1] == 200
    return 100 - left[0]


def test_the_special_rolls_rank_as_the_rules_list_them():
    listed = [456, 666, 555, 444, 333, 222, 111, 123, 116]  # 1-1-6 has the most points that a roll can have, 260
    cost = [4, 3, 3, 3, 3, 3, 3, 2]
    for place, better in enumerate(listed[:-1]):
        for worse in listed[place + 1 :]:
            assert beats(digits(better), digits(worse)) == cost[place]


def test_points_are_100_for_a_1_and_60_for_a_6_and_the_face_for_the_others():
    points = {116: 260, 166: 220, 115: 205, 112: 202, 146: 164, 126: 162, 665: 125, 662: 122, 155: 110}
    points |= {145: 109, 144: 108, 135: 108, 125: 107, 134: 107, 122: 104, 655: 70, 622: 64, 554: 14, 223: 7}
    for first, second in product(points, repeat=2):
        expected = (points[first] > points[second]) - (points[first] < points[second])
        assert beats(digits(first), digits(second)) == expected, (first, second)


def test_every_one_of_the_216_rolls_has_its_place():
    by_worth = {}
    for roll in ROLLS:
        by_worth.setdefault(worth(roll), []).append(roll)
    ladder = sorted(by_worth)
    for alike in by_worth.values():  # the same dice in another order, or other dice with as many points
        assert all(beats(alike[0], other) == 0 for other in alike)
    for lower, higher in pairwise(ladder):
        for roll in by_worth[higher]:
            assert beats(roll, by_worth[lower][0]) == higher[0]
            assert beats(by_worth[lower][0], roll) == -higher[0]


@given(st.sampled_from(ROLLS), st.sampled_from(ROLLS))
def test_any_two_rolls_compare_by_class_and_then_by_value(first, second):
    better = max(worth(first), worth(second))
    expected = 0 if worth(first) == worth(second) else better[0] if worth(first) == better else -better[0]
    assert beats(first, second) == expected


# A round's turns


def test_everybody_starts_with_the_chips_and_the_order_is_drawn():
    game = start("pocoloco", 4)
    assert (game.ask, chips(game), game.table.round) == (Draw("order", (0, 1, 2, 3)), [10] * 4, 1)
    assert start("pocoloco", chips=7).table.standing == [7, 7]


def test_the_seats_roll_three_dice_in_the_order_drawn():
    game = play(start("pocoloco", 3), (2, 0, 1))
    for seat, dice in [(2, 456), (0, 116), (1, 224)]:
        assert game.ask == Roll(seat, 3, hidden=False)
        play(game, dice, *(["end"] if seat == 2 else []))
    assert chips(game) == [9 - 3, 18, 9 - 3]


def test_the_order_is_drawn_again_in_every_round_from_all_seats():
    game = play_round(start("pocoloco", 3), [116, 115, 114], (2, 1, 0))
    assert (game.ask, game.table.round) == (Draw("order", (0, 1, 2)), 2)
    assert play(game, (1, 2, 0)).ask == Roll(1, 3)


@pytest.mark.parametrize("roll", [456, 666, 123, 223])
def test_after_any_roll_but_the_last_a_seat_may_end_or_reroll_any_of_its_dice(roll):
    assert play(start("pocoloco"), (0, 1), roll).ask == Choose(0, TURN)


@pytest.mark.parametrize("positions", REROLLS)
def test_a_reroll_asks_for_the_chosen_dice_and_replaces_them_in_order(positions):
    game = play(start("pocoloco"), (0, 1), 456, ("reroll", positions))
    assert game.ask == Roll(0, len(positions))
    new = iter((1, 2, 3))
    expected = [next(new) if place in positions else die for place, die in enumerate((4, 5, 6))]
    feed(game, (1, 2, 3)[: len(positions)])
    assert game.view(None)["dice"][0] == expected


def test_the_dice_after_the_last_roll_count():
    game = play(start("pocoloco"), (0, 1), 446, ("reroll", (0, 2)), 55, ("reroll", (0,)), 6)  # 4-4-6, 5-4-5, 6-4-5
    play(game, 456, ("reroll", (1,)), 4, "end")  # 4-5-6, 4-4-6
    assert chips(game) == [6, 14]


def test_the_first_seat_may_roll_three_times_and_the_third_roll_ends_the_turn():
    game = play(start("pocoloco"), (1, 0), 224)
    assert game.ask == Choose(1, TURN)
    assert play(game, ("reroll", (0,)), 2).ask == Choose(1, TURN)
    assert play(game, ("reroll", (0,)), 2).ask == Roll(0, 3)


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_a_later_seat_may_roll_as_often_as_the_one_before_it(rolls):
    again = [("reroll", (0,)), 2]
    game = play(start("pocoloco", 3), (0, 1, 2), 224, *again * (rolls - 1), *(["end"] if rolls < 3 else []))
    play(game, 225)
    for _ in range(rolls - 1):
        assert game.ask == Choose(1, TURN)
        play(game, *again)
    assert game.ask == Roll(2, 3)


def test_the_limit_is_set_by_the_previous_seat_and_not_by_the_first():
    game = play(start("pocoloco", 4), (0, 1, 2, 3), 224, ("reroll", (0,)), 2, ("reroll", (0,)), 2)
    play(game, 225, ("reroll", (0,)), 2, "end")  # seat 1 may roll three times, but rolls twice
    assert play(game, 235).ask == Choose(2, TURN)
    assert play(game, "end").ask == Roll(3, 3)
    assert play(game, 245).table.round == 2  # seat 3 has only one roll, so its turn and the round are over


# Winner and loser of a round


def test_everybody_else_gives_the_lowest_roll_a_chip():
    assert chips(rounds(4, [116, 224, 335, 115])) == [9, 13, 9, 9]


def test_a_winner_is_drawn_from_equal_best_rolls_in_the_rounds_order():
    game = play_round(start("pocoloco", 4), [116, 224, 161, 611], (2, 3, 1, 0))
    assert game.ask == Draw("pick", (2, 3, 0))
    play(game, (3,))
    assert (chips(game), game.table.round) == ([9, 13, 9, 9], 2)


def test_different_dice_with_equal_points_tie():
    game = play_round(start("pocoloco", 3), [125, 134, 224], (1, 0, 2))
    assert game.ask == Draw("pick", (1, 0))


def test_a_loser_is_drawn_from_equal_lowest_rolls_in_the_rounds_order():
    game = play_round(start("pocoloco", 4), [234, 116, 324, 225], (3, 2, 1, 0))
    assert game.ask == Draw("pick", (3, 2, 0))
    assert chips(play(game, (2,))) == [9, 9, 13, 9]


def test_best_and_lowest_can_both_be_shared():
    game = play_round(start("pocoloco", 4), [116, 224, 116, 224])
    assert game.ask == Draw("pick", (0, 2))
    assert play(game, (0,)).ask == Draw("pick", (1, 3))
    assert chips(play(game, (3,))) == [9, 9, 9, 13]


def test_if_all_tie_the_loser_is_drawn_from_the_seats_that_did_not_win():
    game = play_round(start("pocoloco", 4), [555] * 4, (2, 0, 3, 1))
    assert game.ask == Draw("pick", (2, 0, 3, 1))
    assert play(game, (0,)).ask == Draw("pick", (2, 3, 1))
    assert chips(play(game, (1,))) == [7, 19, 7, 7]


def test_if_two_tie_the_winner_is_drawn_and_the_other_loses():
    game = play_round(start("pocoloco"), [224, 224], (1, 0))
    assert game.ask == Draw("pick", (1, 0))
    play(game, (1,))
    assert (game.ask, chips(game)) == (Draw("order", (0, 1)), [11, 9])


# Chips


@pytest.mark.parametrize(("cost", "best"), [(1, (116, 225)), (2, (123, 312)), (3, (111, 666)), (4, (456, 645))])
def test_everybody_gives_the_loser_chips_by_the_winners_roll(cost, best):
    for roll in best:
        assert chips(rounds(4, [223, roll, 224, 224], chips=20)) == [20 + 3 * cost, *[20 - cost] * 3]


def test_a_seat_with_fewer_chips_gives_all_it_has():
    game = rounds(3, [116, 225, 224], chips=3)
    assert chips(game) == [2, 2, 5]
    play_round(game, [224, 225, 456])
    assert chips(game) == [2 + 2 + 4, 0, 1]
    assert (game.ask.winners, game.table.round) == ((1,), 2)


def test_chips_carry_over_from_round_to_round():
    game = rounds(3, [116, 225, 224], [224, 123, 225], [225, 224, 666])
    assert (chips(game), game.table.round) == ([10 - 1 + 4 - 3, 10 - 1 - 2 + 6, 10 + 2 - 2 - 3], 4)


# The end


def test_a_seat_without_chips_wins_and_no_further_round_is_played():
    game = rounds(2, [116, 224], [116, 224], chips=2)
    assert (game.ask.winners, chips(game), game.table.round) == ((0,), [0, 4], 2)


def test_among_seats_without_chips_the_winner_of_the_round_wins():
    game = rounds(3, [115, 116, 224], chips=1)
    assert (game.ask.winners, chips(game)) == ((1,), [0, 0, 3])


def test_among_seats_without_chips_a_drawn_winner_of_the_round_wins():
    game = play_round(start("pocoloco", 3, chips=1), [116, 116, 224])
    assert play(game, (1,)).ask.winners == (1,)


def poor():
    """Seats 0 to 2 have 1 chip each and seat 3 has 5."""
    game = rounds(4, [116, 225, 235, 224], chips=2)
    assert chips(game) == [1, 1, 1, 5]
    return game


def test_among_seats_without_chips_the_best_roll_wins_if_the_rounds_winner_has_chips_left():
    game = play_round(poor(), [225, 235, 224, 116])  # seat 3 wins the round and keeps chips; seat 2 loses it
    assert (game.ask, chips(game), game.table.round) == (Over(((1,), (0,), (2, 3))), [0, 0, 4, 4], 2)


def test_among_seats_without_chips_and_equal_best_rolls_one_is_drawn_in_the_rounds_order():
    game = play_round(poor(), [235, 325, 224, 116], (1, 2, 0, 3))
    assert (game.ask, game.table.round, chips(game)) == (Draw("pick", (1, 0)), 2, [0, 0, 4, 4])
    assert play(game, (0,)).ask.winners == (0,)
    assert game.table.round == 2


def test_a_seat_without_chips_wins_alone_even_if_it_did_not_win_the_round():
    game = play_round(rounds(3, [116, 225, 224], [225, 224, 116], chips=3), [225, 224, 116])
    assert (game.ask, chips(game), game.table.round) == (Over(((0,), (2,), (1,))), [0, 6, 3], 3)


# Options, the protocol and random games


@pytest.mark.parametrize("number", [0, 101, 10.0, "10", True])
def test_chips_are_a_whole_number_from_1_to_100(number):
    with pytest.raises(Refused):
        start("pocoloco", chips=number)


def test_pocoloco_is_for_two_to_ten_players():
    assert start("pocoloco", 10, chips=100).table.standing == [100] * 10
    for seats in (1, 11):
        with pytest.raises(Refused):
            start("pocoloco", seats)


def test_the_protocol_lists_the_options_as_documented():
    session = Dialogue()
    session.reply(b'{"new": "pocoloco", "players": ["Ann", "Bo"]}')
    session.reply(b'{"draw": [1, 0]}')
    ask = session.reply(b'{"dice": [4, 5, 5]}')[-1]
    listed = ["end", *({"reroll": list(positions)} for positions in REROLLS)]
    assert ask == {"ask": "choice", "seat": 1, "options": listed, "round": 1, "standing": [10, 10]}
    assert "error" in session.reply(json.dumps({"choose": {"reroll": [1, 0]}}).encode())[-1]
    ask = session.reply(json.dumps({"choose": {"reroll": [0, 2]}}).encode())[-1]
    assert ask == {"ask": "dice", "seat": 1, "count": 2, "hidden": False, "round": 1, "standing": [10, 10]}


def reference(seats, start_chips, moves):
    """A second implementation of the rules. From the answers alone, it computes the chips after every round, and
    the winner."""
    left, after = [start_chips] * seats, []
    while True:
        order, limit, lying = next(moves), 3, {}
        for seat in order:
            lying[seat], rolled = list(next(moves)), 1
            while rolled < limit and (choice := next(moves)) != "end":
                for place, die in zip(choice[1], next(moves), strict=True):
                    lying[seat][place] = die
                rolled += 1
            limit = rolled
        value = {seat: worth(lying[seat]) for seat in order}

        def one_of(candidates):
            return candidates[0] if len(candidates) == 1 else next(moves)[0]

        winner = one_of([seat for seat in order if value[seat] == max(value.values())])
        loser = one_of([seat for seat in order if value[seat] == min(value.values()) and seat != winner])
        for seat in order:
            given_up = 0 if seat == loser else min(left[seat], value[winner][0])
            left[seat] -= given_up
            left[loser] += given_up
        after.append(list(left))
        broke = [seat for seat in order if not left[seat]]
        if winner in broke:
            return after, winner
        if broke:
            return after, one_of([seat for seat in broke if value[seat] == max(value[other] for other in broke)])


@given(st.integers(), st.integers(2, 6), st.integers(1, 12), st.sampled_from([(1, 2, 3, 4, 5, 6), (2, 3, 4), (4, 5)]))
def test_random_games_match_a_second_implementation_of_the_rules(seed, seats, first, faces):
    chance = random.Random(seed)
    game = start("pocoloco", seats, chips=first)
    after, number = [], 1
    while not isinstance(game.ask, Over):
        answer = at_random(game, chance)
        if isinstance(game.ask, Roll):
            answer = tuple(chance.choices(faces, k=game.ask.count))
        feed(game, answer)
        if game.table.round > number:
            after.append(list(chips(game)))
            number += 1
    moves = iter([answer for _, answer in game.history])
    expected, winner = reference(seats, first, moves)
    assert ([*after, list(chips(game))], game.ask.winners) == (expected, (winner,))
    assert (next(moves, None), game.table.round) == (None, len(expected))
