"""Changes to a line-up by phones: the result is a new line-up or a refusal."""

import pytest

from table.engine.errors import Refused
from table.games import GAMES
from table.session.lineup import Lineup, Seat
from table.ui.phone.lobby import dropped, moved, replaced, with_computer, with_game, with_option

ANN, BO, DOT = Seat("Ann", phone="p1"), Seat("Bo", phone="p2"), Seat("", "classic")
BLUFF = Lineup(GAMES["bluff"], (ANN, BO, DOT))


def test_seats_can_be_moved_removed_and_given_to_computers():
    assert moved(BLUFF, 2, 0).seats == (DOT, ANN, BO)
    assert dropped(BLUFF, 1).seats == (ANN, DOT)
    assert replaced(BLUFF, 0, "sharp").seats == (Seat("", "sharp"), BO, DOT)
    assert with_computer(BLUFF, "easy").seats == (ANN, BO, DOT, Seat("", "easy"))
    assert BLUFF.seats == (ANN, BO, DOT)


def test_another_game_keeps_as_many_people_as_it_allows_and_drops_the_options():
    many = Lineup(GAMES["bluff"], tuple(Seat(f"Player {n}") for n in range(GAMES["bluff"].seats[1])), {"rounds": 2})
    most = GAMES["mexico"].seats[1]
    assert with_game(many, "mexico") == Lineup(GAMES["mexico"], many.seats[:most])
    assert with_game(many, "bluff") == many


def test_a_game_option_can_be_set():
    assert with_option(BLUFF, "rounds", 2).options == {"rounds": 2}


REFUSED = [
    lambda: moved(BLUFF, -1, 0),
    lambda: moved(BLUFF, 0, 3),
    lambda: dropped(BLUFF, 3),
    lambda: replaced(BLUFF, -1, "easy"),
    lambda: replaced(BLUFF, 0, "godlike"),
    lambda: with_computer(BLUFF, ""),
    lambda: with_computer(Lineup(GAMES["bluff"], (DOT,) * GAMES["bluff"].seats[1]), "easy"),
    lambda: with_game(BLUFF, "chess"),
    lambda: with_option(BLUFF, "rounds", 10**8),
    lambda: with_option(BLUFF, "rounds", True),
    lambda: with_option(BLUFF, "rounds", "2"),
    lambda: with_option(BLUFF, "wins", ()),
    lambda: with_option(BLUFF, "no such", 1),
]


@pytest.mark.parametrize("change", REFUSED)
def test_invalid_changes_are_refused(change):
    with pytest.raises(Refused):
        change()
