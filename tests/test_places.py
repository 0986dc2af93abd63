"""The final places of a game, which the referee, the records and every screen share."""

import json
import random

import pytest

from table import games
from table.engine.asks import Over
from table.engine.places import places
from table.ui.protocol import Dialogue
from tests.playing import at_random


def test_after_the_winners_the_standing_decides_and_ties_share_a_place():
    assert places([2], [10, 40, 50, 40, 20], []) == ((2,), (1, 3), (4,), (0,))
    assert places([0, 2], [50, 30, 50], []) == ((0, 2), (1,))
    assert places([0], [5000], []) == ((0,),)


def test_if_the_fewest_points_are_best_the_order_is_reversed():
    assert places([3], [7, 2, 0, 0], [], fewest_first=True) == ((3,), (2,), (1,), (0,))


def test_a_winner_by_lot_comes_before_seats_with_an_equal_or_better_standing():
    assert places([1], [40, 30, 30], []) == ((1,), (0,), (2,))


def test_eliminated_seats_come_last_with_the_latest_elimination_first():
    assert places([3], [0, 0, 0, 2], [1, 2, 0]) == ((3,), (0,), (2,), (1,))
    assert places([3], [0, 0, 0, 2, -5], [1, 0]) == ((3,), (2,), (4,), (0,), (1,))


def test_a_seat_without_a_standing_has_a_place():
    assert places([0], [2, None], []) == ((0,), (1,))
    assert places([1], [0, None], []) == ((1,), (0,))


@pytest.mark.parametrize(("game", "options"), [("mexico", {"mode": "elimination"}), ("cacho", {"dice": 2})])
@pytest.mark.parametrize("seed", range(5))
def test_eliminated_seats_are_placed_by_the_answer_that_eliminated_them(game, options, seed):
    match = games.new(game, [""] * 5, options, seed)
    chance = random.Random(seed)
    last = {}  # by seat: the number of the answer that took its last life or die
    while not isinstance(match.ask, Over):
        match.answer(at_random(match, chance))
        for seat, left in enumerate(match.table.standing):
            if not left:
                last.setdefault(seat, len(match.history))
    (winner,) = set(range(5)) - set(last)
    assert match.ask.places == ((winner,), *((seat,) for seat in sorted(last, key=last.get, reverse=True)))


def test_the_protocol_reports_the_places_and_reports_them_again_after_undo():
    session = Dialogue()

    def closing(**request):
        return session.reply(json.dumps(request).encode())[-1]

    over = closing(new="mexico", players=[""] * 3, options={"mode": "elimination", "lives": 1}, seed=4)
    while "over" not in over:
        over = closing(choose="end") if over["ask"] == "choice" else closing(auto=True)
    assert over["places"][0] == over["winners"]
    assert sorted(over["places"]) == [[0], [1], [2]]
    before = closing(undo=True)
    assert before["ask"] == "dice" and closing(auto=True) == over
