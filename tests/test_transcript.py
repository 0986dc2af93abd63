"""The transcript of a finished game is complete in every language, for every game and option."""

import re

import pytest

from table.engine.asks import Over
from table.engine.referee import Referee
from table.games import GAMES
from table.storage.records import games
from table.storage.records.pages import GameLine, GamePage, SeatLine
from table.text.catalogue import Catalogue, languages
from table.text.narration import transcript
from tests.playing import played

ODD = {
    "mexico": {"mode": "challenge", "goal": "win", "rounds": 2},
    "bluff": {"rounds": 2, "cups": [0], "wins": [0, 3]},
    "pocoloco": {"chips": 3},
    "cheese": {"goal": 1000, "cards": True, "last_turn": True},
    "cacho": {"dice": 2, "cups": [1], "shuffle": True},
}


def page(game: Referee) -> GamePage:
    assert isinstance(game.ask, Over)
    seats = tuple(
        SeatLine(name, None, False, seat in game.ask.winners, standing)
        for seat, (name, standing) in enumerate(zip(game.players, game.table.standing, strict=True))
    )
    line = GameLine(1, game.game.id, 1_760_000_000.0, seats, True)
    return GamePage(line, "id", 1_759_999_000.0, game.save(), ("simulated",) * len(game.history), (), game.ask.places)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_narrated_in_every_language(game, language):
    say = Catalogue(language)
    for seed in range(5):
        match = played(game, ("random", "easy"), seed, **ODD[game])
        told = transcript.text(page(match), say)
        for news in games.steps(match):
            assert all(f"  {sentence}\n" in f"{told}\n" for sentence in transcript.sentences(news, say))
        assert not re.search(r"None|\[|\{", told)


@pytest.mark.parametrize("game", GAMES)
def test_the_rounds_are_consecutive_and_contain_every_step(game):
    match = played(game, ("random", "classic"), 2, **ODD[game])
    found = transcript.rounds(games.steps(match))
    assert [news for told in found for news in told] == games.steps(match)
    assert [max(1, told[0].before["round"]) for told in found] == list(range(1, match.table.round + 1))


@pytest.mark.parametrize("game", GAMES)
def test_the_standings_run_from_the_start_to_the_result(game):
    match = played(game, ("random", "classic"), 4, **ODD[game])
    found = transcript.standings(games.steps(match))
    view = match.view(None)
    ended = view["standing"] if any(figure is not None for figure in view["standing"]) else view["won"]
    assert [seat[-1] for seat in found] == ended
    assert {len(seat) for seat in found} == {match.table.round + 1}


def test_a_transcript_contains_hidden_dice_but_not_dice_under_real_cups():
    match = played("bluff", ("random", "easy"), 1, rounds=1, cups=[0])
    shaken = [line.strip() for line in transcript.text(page(match), Catalogue()).splitlines() if "shakes" in line]
    assert shaken and all(re.fullmatch(r"P1 shakes their cup: \d \d", line) for line in shaken)


def test_a_transcript_can_list_just_the_unusual_options():
    match = played("bluff", ("random", "easy"), 1, rounds=2, cups=[1])
    told = transcript.options(match.save(), ("Ann", "Bo"), Catalogue(), unusual=True)
    assert told == ["Rounds: 2", "Real cups: Bo"]
    assert len(transcript.options(match.save(), ("Ann", "Bo"), Catalogue())) > 2
