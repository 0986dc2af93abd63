"""Players' best moments, computed from their games' events."""

import random

import pytest

from table.analysis.moments import moments
from table.engine import referee
from table.engine.asks import Choose, Over, Roll
from table.games import GAMES
from tests.playing import at_random, feed, start

KINDS = {
    "mexico": ("mexicos",),
    "bluff": ("lie", "true_claim"),
    "pocoloco": ("poco", "chips"),
    "cheese": ("turn", "passed"),
    "cacho": ("calza", "dudo"),
}
"""Each game's kinds of moments, best first."""


def events_of(game: referee.Referee) -> list[dict]:
    return [referee.event_to_json(event) for event in referee.told(game)]


def test_every_game_has_moments():
    assert list(KINDS) == list(GAMES)


@pytest.mark.parametrize("game_id", GAMES)
def test_random_games_have_only_moments_of_known_kinds_and_seats(game_id):
    chance, found = random.Random(3), set()
    for _ in range(30):
        game = start(game_id, 3, **({"mode": "elimination"} if game_id == "mexico" else {}))
        while not isinstance(game.ask, Over):
            game.answer(at_random(game, chance))
        for (seat, kind), number in moments(game_id, events_of(game)).items():
            assert seat in (0, 1, 2) and number > 0
            found.add(kind)
    assert found <= set(KINDS[game_id]) and KINDS[game_id][0] in found


def test_mexicos_are_counted():
    events = [{"event": "mexico", "seat": 1}, {"event": "mexico", "seat": 1}, {"event": "mexico", "seat": 0}]
    assert moments("mexico", events) == {(1, "mexicos"): 2, (0, "mexicos"): 1}


def test_a_believed_lie_counts_by_its_distance_from_the_dice():
    game = start("bluff", 2, rules="simple")
    hands = []
    while not isinstance(game.ask, Over):
        match game.ask:
            case Roll(seat, _, True):
                hands.append((seat, 2))
                feed(game, (1, 1))
            case Choose(_, options) if ("claim", 9) in options:
                feed(game, ("claim", 9))
            case Choose():
                feed(game, "accept" if len(hands) < 3 else "call")
            case _:
                game.answer(game.drawn())
    found = moments("bluff", events_of(game))
    assert max(number for (_, kind), number in found.items() if kind == "lie") == 7
    assert not [kind for _, kind in found if kind == "true_claim"]


def test_a_claim_about_a_real_cup_is_not_a_lie():
    events = [
        {"event": "rolled", "seat": 0, "dice": [1, 1]},
        {"event": "cup", "seat": 0, "count": 2},
        {"event": "scored", "claimant": 0, "caller": 1, "claim": 12, "called": False, "gains": [12, 0]},
    ]
    assert moments("bluff", events) == {}


def test_a_true_claim_that_is_called_counts_by_its_value():
    events = [
        {"event": "called", "claimant": 1, "caller": 0, "claim": claim, "dice": [3, 3], "hit": hit}
        for claim, hit in ((6, True), (9, True), (12, False))
    ]
    assert moments("bluff", events) == {(1, "true_claim"): 9}


def test_chips_given_at_once_and_rounds_won_with_four_five_six_count():
    events = [
        {"event": "chips", "winner": 0, "loser": 1, "each": 4, "given": [4, 0, 4]},
        {"event": "chips", "winner": 2, "loser": 0, "each": 1, "given": [0, 1, 1]},
    ]
    assert moments("pocoloco", events) == {(0, "poco"): 1, (0, "chips"): 4, (1, "chips"): 1, (2, "chips"): 4}


def test_the_largest_turn_of_cheese_and_the_number_of_passes_count():
    events = [
        {"event": "banked", "seat": 0, "points": 450, "total": 450},
        {"event": "banked", "seat": 0, "points": 1200, "total": 1650},
        {"event": "passed", "seat": 0, "bonus": 0},
    ]
    assert moments("cheese", events) == {(0, "turn"): 1200, (0, "passed"): 1}


def test_correct_calzas_and_doubts_are_counted():
    events = [
        {"event": word, "seat": 0, "bidder": 1, "bid": [3, 5], "count": count, "dice": []}
        for word, count in (("calza", 3), ("calza", 4), ("dudo", 2), ("dudo", 3))
    ]
    assert moments("cacho", events) == {(0, "calza"): 1, (0, "dudo"): 1}
