"""Choosing a mode that fits the number of players."""

from dataclasses import dataclass

import pytest

from table.engine.asks import Game
from table.engine.options import number, one_of
from table.games import GAMES
from table.session.match import fitting


@dataclass(frozen=True)
class Options:
    cards: str = one_of("small", "large", help="The deck.")
    teams: str = one_of("none", "pairs", "threes", help="Who plays together.")
    cost: int = number(1, 1, 5, help="What a card costs.", only=("teams", "none"))


LIMITS = {"none": (1, 3), "pairs": (4, 4), "threes": (5, 9)}
TEAMS = Game("teams", "Teams", "", (1, 9), 1, Options, None, seats_with=lambda options: LIMITS[options.teams])


@pytest.mark.parametrize(("seats", "chosen"), [(3, {}), (4, {"teams": "pairs"}), (6, {"teams": "threes"}), (10, {})])
def test_if_the_default_mode_does_not_fit_the_first_fitting_one_is_chosen(seats, chosen):
    for other in ({}, {"cards": "large"}, {"cost": 3}):  # options of other modes are kept, and dropped by the line-up
        assert fitting(TEAMS, seats, other) == {**other, **chosen}


def test_a_chosen_mode_is_kept_even_if_it_does_not_fit():
    assert fitting(TEAMS, 6, {"teams": "pairs"}) == {"teams": "pairs"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_can_be_played_by_every_allowed_number_without_choosing_options(game):
    for seats in range(game.seats[0], game.seats[1] + 1):
        assert fitting(game, seats, {}) == ({"mode": "elimination"} if game.id == "mexico" and seats > 2 else {})
