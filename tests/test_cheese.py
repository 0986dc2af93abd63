"""Pass the Cheese, rule by rule: what dice score, what may be kept, turns, the goal and the cards."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Draw, Over, Roll
from table.engine.errors import Refused
from table.games.cheese.rules import score
from tests.playing import feed, start

ALL = ("keep", (0, 1, 2, 3, 4, 5))
STRAIGHT = (1, 2, 3, 4, 5, 6)  # scores 1500 if all are kept
NOTHING = (2, 3, 4, 6, 2, 3)
ONE = (1, 3, 4, 6, 2, 3)  # only the first die scores: 100
DECK = ["bonus300"] * 12 + ["bonus400"] * 10 + ["bonus500"] * 8 + ["mustpass"] * 6
WORTH = {(1, 2, 3, 4, 5, 6): 1500, (1, 1, 1): 1000, (1,): 100, (5,): 50} | {(n,) * 3: 100 * n for n in range(2, 7)}

rolls = st.lists(st.integers(1, 6), min_size=6, max_size=6).map(tuple)


@cache
def best(dice):
    """The most points that the sorted dice can score, and the dice left over. All combinations are tried."""
    found = (0, dice)
    for taken, points in WORTH.items():
        if not Counter(taken) - Counter(dice):
            more, left = best(tuple(sorted((Counter(dice) - Counter(taken)).elements())))
            found = max(found, (points + more, left), key=lambda way: way[0])
    return found


def every_keep(roll):
    """All sets of positions in which every die scores, by exhaustive search."""
    sets = [kept for size in range(1, len(roll) + 1) for kept in combinations(range(len(roll)), size)]
    return tuple(("keep", kept) for kept in sorted(sets) if not best(tuple(sorted(roll[at] for at in kept)))[1])


def kinds(events):
    return [event.kind for event in events]


def bank(game, hundreds):
    """Play a turn worth this many hundreds: 0 (no die scores), 1 to 6, or 15 (a straight, which passes the cheese)."""
    match hundreds:
        case 0:
            feed(game, NOTHING)
        case 1:
            feed(game, ONE, ("keep", (0,)), "end")
        case 15:
            feed(game, STRAIGHT, ALL)
        case face:
            feed(game, (face, face, face, *((4, 3, 3) if face == 2 else (2, 2, 3))), ("keep", (0, 1, 2)), "end")


@pytest.mark.parametrize("size", range(1, 7))
def test_every_set_of_dice_scores_its_best_combinations(size):
    for dice in combinations_with_replacement(range(1, 7), size):
        total, unscored, _ = score(dice)
        assert (total, tuple(sorted(unscored))) == best(dice), dice


@pytest.mark.parametrize("size", range(1, 7))
def test_the_reasons_account_for_every_scoring_die_once_and_for_all_points(size):
    for dice in combinations_with_replacement(range(1, 7), size):
        total, unscored, reasons = score(dice)
        assert sorted([*unscored, *(die for reason in reasons for die in reason.dice)]) == list(dice)
        assert sum(reason.points for reason in reasons) == total
        for name, own, points in reasons:
            match name:
                case "Straight":
                    assert (own, points) == (STRAIGHT, 1500)
                case "Three of a kind":
                    assert (len(own), points) == (3, WORTH[own])
                case "Single 1s" | "Single 5s":
                    face = int(name[7])
                    assert own == (face,) * len(own)
                    assert points == WORTH[face,] * len(own) > 0
                case _:
                    raise AssertionError(name)


@pytest.mark.parametrize(
    ("dice", "total", "unscored", "names"),
    [
        ((1,), 100, [], ["Single 1s"]),
        ((5,), 50, [], ["Single 5s"]),
        ((3,), 0, [3], []),
        ((1, 1), 200, [], ["Single 1s"]),
        ((1, 1, 1), 1000, [], ["Three of a kind"]),
        ((2, 2, 2), 200, [], ["Three of a kind"]),
        ((6, 6, 6), 600, [], ["Three of a kind"]),
        ((5, 5, 5, 5), 550, [], ["Single 5s", "Three of a kind"]),
        ((4, 4, 4, 4), 400, [4], ["Three of a kind"]),
        ((1, 1, 1, 1, 1, 1), 2000, [], ["Three of a kind", "Three of a kind"]),
        ((6, 6, 6, 6, 6, 6), 1200, [], ["Three of a kind", "Three of a kind"]),
        ((2, 2, 2, 3, 3, 3), 500, [], ["Three of a kind", "Three of a kind"]),
        ((1, 2, 3, 4, 5, 6), 1500, [], ["Straight"]),
        ((1, 2, 3, 4, 5), 150, [2, 3, 4], ["Single 1s", "Single 5s"]),
        ((2, 2, 3, 3, 4, 4), 0, [2, 2, 3, 3, 4, 4], []),
    ],
)
def test_a_score_has_a_total_unscored_dice_and_reasons(dice, total, unscored, names):
    found = score(dice)
    assert (found.total, sorted(found.unscored)) == (total, unscored)
    assert sorted(reason.name for reason in found.reasons) == names


def test_the_order_of_the_dice_does_not_matter_to_the_score():
    assert {score(dice) for dice in permutations((1, 1, 5, 1, 3, 5))} == {score((1, 1, 1, 3, 5, 5))}


@pytest.mark.parametrize("dice", [(), (1,) * 7, (0,), (7,), (-1, 1), (1, 2, 3, 4, 5, 60), (1, 1, 1, 8)])
def test_zero_dice_too_many_dice_and_invalid_faces_are_refused(dice):
    with pytest.raises(Refused):
        score(dice)


@pytest.mark.parametrize("die", [True, 1.0, "1", None])
def test_values_equal_to_a_face_but_of_another_type_are_refused_despite_the_cache(die):
    assert score([1]).total == 100
    with pytest.raises(Refused):
        score([die])


@given(rolls)
def test_exactly_the_sets_in_which_every_die_scores_are_offered_in_ascending_order(roll):
    game = start("cheese", seats=2)
    feed(game, roll)
    assert game.ask == (Choose(0, every_keep(roll)) if best(tuple(sorted(roll)))[0] else Roll(1, 6))


@given(rolls, st.data())
def test_a_later_roll_offers_only_positions_of_its_own_dice(roll, data):
    game = start("cheese", seats=2, goal=100_000)
    feed(game, roll)
    while isinstance(game.ask, Choose):
        option = data.draw(st.sampled_from(every_keep(roll)))
        feed(game, option)
        if len(option[1]) == len(roll):
            break
        feed(game, "roll")
        assert game.ask == Roll(0, len(roll) - len(option[1]))
        roll = data.draw(st.tuples(*[st.integers(1, 6)] * game.ask.count))
        feed(game, roll)
        if every_keep(roll):
            assert game.ask == Choose(0, every_keep(roll))
    assert game.ask == Roll(1, 6)


@pytest.mark.parametrize(
    ("roll", "sets"),
    [
        ((1, 2, 3, 4, 5, 6), [(0,), (0, 1, 2, 3, 4, 5), (0, 4), (4,)]),
        ((2, 3, 2, 4, 2, 6), [(0, 2, 4)]),
        ((2, 2, 2, 2, 3, 4), [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        ((3, 5, 4, 1, 6, 6), [(1,), (1, 3), (3,)]),
        ((5, 5, 2, 3, 2, 3), [(0,), (0, 1), (1,)]),
    ],
)
def test_the_keeps_of_a_roll_are_listed_in_order(roll, sets):
    game = start("cheese")
    feed(game, roll)
    assert game.ask == Choose(0, tuple(("keep", kept) for kept in sets))


@pytest.mark.parametrize("keep", [(), (1,), (0, 1), (0, 0), (4, 0), (6,), (-6,), "end", "roll"])
def test_a_set_that_was_not_offered_is_refused_and_the_choice_remains(keep):
    game = start("cheese")
    feed(game, STRAIGHT)
    ask = game.ask
    with pytest.raises(Refused):
        feed(game, keep if isinstance(keep, str) else ("keep", keep))
    assert game.ask == ask


def test_a_turn_starts_with_six_visible_dice():
    game = start("cheese")
    assert game.ask == Roll(0, 6, hidden=False)
    feed(game, STRAIGHT)
    assert game.view(None)["dice"] == [[1, 2, 3, 4, 5, 6], []]


def test_a_first_roll_that_scores_nothing_cuts_the_cheese_and_ends_the_turn():
    game = start("cheese")
    events = feed(game, NOTHING)
    assert "cut" in kinds(events)
    assert game.ask == Roll(1, 6)
    assert game.table.standing == [0, 0]


def test_a_later_cut_loses_the_points_of_the_turn_but_none_banked_before():
    game = start("cheese", seats=1)
    bank(game, 3)
    events = feed(game, ONE, ("keep", (0,)), "roll", (2, 2, 3, 4, 6))
    assert "cut" in kinds(events)
    assert game.ask == Roll(0, 6)
    assert game.table.standing == [300]


def test_after_keeping_dice_a_seat_can_roll_the_rest_or_end():
    game = start("cheese")
    feed(game, (1, 5, 3, 3, 2, 2), ("keep", (0, 1)))
    assert game.ask == Choose(0, ("roll", "end"))
    feed(game, "roll")
    assert game.ask == Roll(0, 4)


def test_ending_banks_only_the_dice_that_were_kept():
    game = start("cheese")
    feed(game, (1, 1, 5, 3, 2, 2), ("keep", (1,)))
    assert game.table.standing == [0, 0]
    feed(game, "end")
    assert (game.table.standing, game.ask) == ([100, 0], Roll(1, 6))


def test_points_of_all_rolls_are_banked_but_dice_of_different_rolls_do_not_combine():
    game = start("cheese")
    feed(game, (1, 1, 2, 3, 4, 6), ("keep", (0, 1)), "roll", (1, 2, 3, 4), ("keep", (0,)), "end")
    assert game.table.standing == [300, 0]


@pytest.mark.parametrize("bonus", [0, 700, 5000])
def test_using_all_dice_passes_the_cheese_and_banks_points_and_bonus(bonus):
    game = start("cheese", pass_bonus=bonus, goal=100_000)
    feed(game, (1, 1, 1, 2, 2, 2), ("keep", (0, 1, 2)), "roll", (2, 5, 6), ("keep", (1,)), "roll", (1, 5))
    feed(game, ("keep", (0, 1)))
    assert (game.ask, game.table.standing) == (Roll(1, 6), [1200 + bonus, 0])


def test_ending_earns_no_pass_bonus():
    game = start("cheese", pass_bonus=700)
    bank(game, 6)
    assert game.table.standing == [600, 0]


def test_a_round_is_one_turn_for_every_seat_in_order():
    game = start("cheese", seats=3)
    turns = []
    for hundreds in (0, 2, 15, 3, 0, 1, 0):
        turns.append((game.ask.seat, game.table.round))
        bank(game, hundreds)
    assert turns == [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3)]
    assert game.table.standing == [300, 200, 1600]


def test_the_first_seat_at_the_goal_wins_at_once():
    game = start("cheese", seats=3, goal=500)
    bank(game, 4)
    bank(game, 5)
    assert (game.ask.winners, game.table.standing, game.table.round) == ((1,), [400, 500, 0], 1)


def test_points_that_are_not_banked_do_not_win():
    game = start("cheese", goal=500)
    feed(game, (6, 6, 6, 2, 3, 3), ("keep", (0, 1, 2)))
    assert game.ask == Choose(0, ("roll", "end"))
    feed(game, "roll", (2, 3, 3))
    assert (game.ask, game.table.standing) == (Roll(1, 6), [0, 0])


@pytest.mark.parametrize(("bonus", "over"), [(499, False), (500, True)])
def test_the_bonus_counts_towards_the_goal(bonus, over):
    game = start("cheese", goal=2000, pass_bonus=bonus)
    bank(game, 15)
    assert game.table.standing == [1500 + bonus, 0]
    assert game.ask == (Over(((0,), (1,))) if over else Roll(1, 6))


@pytest.mark.parametrize(
    ("turns", "order", "winners", "rounds"),
    [
        ([5, 0, 0], [0, 1, 2], (0,), 1),
        ([5, 6, 0], [0, 1, 2], (1,), 1),
        ([5, 5, 4], [0, 1, 2], (0, 1), 1),
        ([5, 6, 6], [0, 1, 2], (1, 2), 1),
        ([4, 5, 0, 1], [0, 1, 2, 0], (0, 1), 2),
        ([4, 5, 0, 2], [0, 1, 2, 0], (0,), 2),
        ([0, 0, 5, 0, 0], [0, 1, 2, 0, 1], (2,), 2),
        ([0, 0, 5, 6, 15], [0, 1, 2, 0, 1], (1,), 2),
        ([3, 3, 3, 3, 2, 2], [0, 1, 2, 0, 1, 2], (0,), 2),
    ],
)
def test_with_last_turn_every_other_seat_gets_one_more_turn_and_the_highest_score_wins(turns, order, winners, rounds):
    game = start("cheese", seats=3, goal=500, last_turn=True)
    seats = []
    for number, hundreds in enumerate(turns):
        assert isinstance(game.ask, Roll)
        assert game.table.round == number // 3 + 1
        seats.append(game.ask.seat)
        bank(game, hundreds)
    assert (seats, game.ask.winners, game.table.round) == (order, winners, rounds)


@pytest.mark.parametrize("last_turn", [False, True])
def test_a_single_player_plays_until_the_goal(last_turn):
    game = start("cheese", seats=1, goal=500, last_turn=last_turn)
    bank(game, 4)
    assert (game.ask, game.table.round) == (Roll(0, 6), 2)
    bank(game, 1)
    assert (game.ask.winners, game.table.round, game.table.standing) == ((0,), 2, [500])


def test_without_cards_nothing_is_drawn():
    assert start("cheese").ask == Roll(0, 6)


def test_with_cards_each_turn_starts_by_drawing_one_of_the_remaining_cards():
    game = start("cheese", cards=True)
    left = list(DECK)
    for turn, card in enumerate(["mustpass", "bonus300", "bonus500", "bonus400"]):
        assert game.ask == Draw("pick", tuple(left))
        feed(game, (card,))
        left.remove(card)
        assert game.ask == Roll(turn % 2, 6)
        bank(game, 0)


@pytest.mark.parametrize("answer", [[], ["bonus300", "bonus300"], ["bonus3"], ["joker"], "mustpass", [0], [None], None])
def test_an_answer_that_is_not_one_card_of_the_deck_is_refused(answer):
    game = start("cheese", cards=True)
    with pytest.raises(Refused):
        feed(game, answer)
    assert game.ask == Draw("pick", tuple(DECK))


def test_a_card_that_is_used_up_can_no_longer_be_drawn():
    game = start("cheese", cards=True)
    for _ in range(6):
        feed(game, ("mustpass",), NOTHING)
    assert game.ask == Draw("pick", tuple(DECK[:30]))
    with pytest.raises(Refused):
        feed(game, ("mustpass",))


def test_after_the_last_card_the_deck_is_complete_again():
    game = start("cheese", seats=3, cards=True)
    for card in DECK[:-1]:
        feed(game, (card,), NOTHING)
    assert (game.ask, game.table.round) == (Draw("pick", ("mustpass",)), 12)
    feed(game, ("mustpass",), NOTHING)
    assert (game.ask, game.table.round) == (Draw("pick", tuple(DECK)), 13)


@pytest.mark.parametrize(
    ("card", "worth"), [("bonus300", 300), ("bonus400", 400), ("bonus500", 500), ("mustpass", 1000)]
)
@pytest.mark.parametrize("pass_bonus", [0, 250])
def test_passing_with_a_card_earns_its_points_in_addition_to_the_bonus(card, worth, pass_bonus):
    game = start("cheese", cards=True, pass_bonus=pass_bonus)
    feed(game, (card,), STRAIGHT, ALL)
    assert game.table.standing == [1500 + worth + pass_bonus, 0]


@pytest.mark.parametrize("card", ["bonus300", "bonus400", "bonus500"])
def test_a_bonus_card_leaves_the_choice_and_earns_nothing_without_passing(card):
    game = start("cheese", cards=True)
    feed(game, (card,), ONE, ("keep", (0,)))
    assert game.ask == Choose(0, ("roll", "end"))
    feed(game, "end")
    assert game.table.standing == [100, 0]


def test_a_mustpass_card_rolls_on_without_a_choice_until_it_passes():
    game = start("cheese", cards=True)
    feed(game, ("mustpass",), ONE, ("keep", (0,)))
    assert game.ask == Roll(0, 5)
    feed(game, (1, 5, 2, 2, 2), ("keep", (1,)))
    assert game.ask == Roll(0, 4)
    feed(game, (1, 1, 1, 5), ("keep", (0, 1, 2, 3)))
    assert game.table.standing == [100 + 50 + 1050 + 1000, 0]
    assert isinstance(game.ask, Draw)


def test_a_cut_with_a_mustpass_card_loses_the_turn_and_the_next_turn_draws_a_new_card():
    game = start("cheese", cards=True)
    feed(game, ("mustpass",), ONE, ("keep", (0,)), (2, 2, 3, 3, 4))
    assert game.table.standing == [0, 0]
    assert isinstance(game.ask, Draw)
    feed(game, ("bonus300",), ONE, ("keep", (0,)))
    assert game.ask == Choose(1, ("roll", "end"))


@pytest.mark.parametrize("seats", [0, 11])
def test_fewer_than_one_or_more_than_ten_seats_are_refused(seats):
    with pytest.raises(Refused):
        start("cheese", seats=seats)
    assert start("cheese", seats=10).table.standing == [0] * 10


def test_the_options_have_the_defaults_and_limits_in_the_docs():
    assert start("cheese").view(None)["options"] == {"goal": 5000, "pass_bonus": 0, "cards": False, "last_turn": False}
    for option in ({"goal": 500}, {"goal": 100_000}, {"pass_bonus": 0}, {"pass_bonus": 5000}):
        start("cheese", **option)
    for option in ({"goal": 499}, {"goal": 100_001}, {"pass_bonus": -1}, {"pass_bonus": 5001}, {"cards": 1}):
        with pytest.raises(Refused):
            start("cheese", **option)
