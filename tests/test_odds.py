"""The chances on the shared screen are right, counted out by hand or by going through every throw."""

import random
from itertools import product

import pytest

from table import odds, referee
from table.rules import GAMES, cheese, mexico
from table.rules.vocabulary import Choose, Over


def view_of(game, **changes):
    return {**referee.new(game, ["Ann", "Bo"], seed=1).view(None), **changes}


def chances(view):
    return {(line.what, *line.facts.values()): line.chance for line in odds.odds(view)}


def test_mexico_comes_two_times_in_thirty_six_and_a_double_six_times():
    found = chances(view_of("mexico"))
    assert (found["mexico",], found["double",]) == (pytest.approx(2 / 36), pytest.approx(6 / 36))


@pytest.mark.parametrize("score", [61, 51, 41])
def test_a_mexico_score_or_better_is_as_likely_as_all_throws_say(score):
    rolls = list(product(range(1, 7), repeat=2))
    better = sum(mexico.rank(roll) >= mexico.rank(divmod(score, 10)) for roll in rolls)
    assert chances(view_of("mexico"))["score", score] == pytest.approx(better / 36)


def test_the_leaders_score_is_beaten_with_any_of_the_throws_left():
    found = chances(view_of("mexico", scores=[65, None], rolls=1, limit=3))
    once = sum(mexico.rank(roll) > mexico.rank((6, 5)) for roll in product(range(1, 7), repeat=2)) / 36
    assert found["beat", 65, 1] == pytest.approx(once)
    assert found["beat", 65, 2] == pytest.approx(1 - (1 - once) ** 2)


def test_the_sums_of_bluff_add_up_to_one():
    found = odds.odds(view_of("bluff"))
    assert sum(line.chance for line in found) == pytest.approx(1)
    assert max(found, key=lambda line: line.chance).facts == {"sum": 7}


def test_one_die_cuts_the_cheese_two_times_in_three():
    found = chances(view_of("cheese"))
    assert found["cut", 1] == pytest.approx(4 / 6)
    assert found["cut", 2] == pytest.approx(
        sum(not cheese.score(roll).reasons for roll in product(range(1, 7), repeat=2)) / 36
    )


def test_a_bid_on_wild_faces_counts_the_aces():
    found = chances(view_of("cacho", in_play=2, bid=[1, 5], single=False))
    assert found["bid", 1, 5] == pytest.approx(1 - (2 / 3) ** 2)
    found = chances(view_of("cacho", in_play=2, bid=[1, 5], single=True))
    assert found["bid", 1, 5] == pytest.approx(1 - (5 / 6) ** 2)
    assert chances(view_of("cacho", in_play=2, bid=[2, 1], single=False))["bid", 2, 1] == pytest.approx(1 / 36)


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_game_has_odds_between_0_and_1(game):
    match, chance = referee.new(game, ["Ann", "Bo", "Cy"][: 2 if game == "mexico" else 3], seed=3), random.Random(3)
    for _ in range(300):
        if isinstance(match.ask, Over):
            break
        assert all(0 <= line.chance <= 1 for line in odds.odds(match.view(None)))
        match.answer(chance.choice(match.ask.options) if isinstance(match.ask, Choose) else match.drawn())
