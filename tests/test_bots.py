"""Computer players of all games: valid policies under all options, and levels in the right order."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Over
from table.engine.errors import NoTable, Refused
from table.games import GAMES, bots
from table.games import new as new_game
from table.session.match import Match, seated
from table.session.match import begin as begin_match
from tests.playing import at_random, by_luck, examples, feed, start, wins
from tests.test_laws import begin, games, play_on, settings_of

LEVELS = ("random", "easy", "classic", "sharp", "perfect")


@games
def test_every_shipped_game_has_five_levels_with_classic_as_the_default(game):
    assert bots.levels(game.id) == LEVELS and bots.usual(game.id) == "classic"


@games
@pytest.mark.parametrize("level", LEVELS)
@examples(0.3)
@given(st.data())
def test_a_policy_is_a_probability_distribution_under_all_game_options(game, level, data):
    match = begin(game, data.draw(settings_of(game)))
    chance = Random(data.draw(st.integers(0, 10**6)))
    # Any position will do, including those that this level would avoid.
    play_on(match, chance, most=data.draw(st.just(0) | st.integers(1, 150)))
    chosen = 0
    while not isinstance(match.ask, Over) and chosen < 25:
        if isinstance(match.ask, Choose):
            view, options = match.view(match.ask.seat), match.ask.options
            chances = bots.policy(level, view, options)
            assert len(chances) == len(options)
            assert all(0 <= each <= 1 for each in chances)
            assert sum(chances) == pytest.approx(1)
            if level == "perfect" and not chosen % 8:  # computing chances takes longer than choosing
                wins = bots.win(view, options)
                assert len(wins) == len(chances) and all(0 <= win <= 1 for win in wins)
            match.answer(chance.choices(options, chances)[0])
            chosen += 1
        else:
            match.answer(at_random(match, chance))


@games
@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_chooses_by_its_policy(game, level):
    match = begin(game, (2, {}))
    while not isinstance(match.ask, Choose):
        match.answer(match.drawn())
    view, options = match.view(match.ask.seat), match.ask.options
    chances = dict(zip(options, bots.policy(level, view, options), strict=True))
    found = [bots.choose(level, match, Random(seed)) for seed in range(40)]
    assert all(chances[option] > 0 for option in found)
    assert len(set(found)) > 1 or max(chances.values()) > 0.8
    assert found[0] == bots.choose(level, match, Random(0)) and bots.chances(level, match) == list(chances.values())


@pytest.mark.parametrize(
    ("game", "options", "played"),  # enough games for a significant result
    [
        ("mexico", {}, 200),
        ("mexico", {"mode": "elimination"}, 200),
        ("bluff", {}, 100),
        ("bluff", {"rules": "simple"}, 100),
        ("pocoloco", {}, 40),
        ("cheese", {"goal": 2000}, 50),
        ("cheese", {"goal": 2000, "cards": True, "last_turn": True}, 60),
        ("cacho", {}, 40),
        ("cacho", {"raise": "classic", "single": "once", "dice": 3}, 40),
    ],
)
def test_classic_beats_random(game, options, played):
    assert by_luck(wins(game, "classic", "random", played, **options), played) < 0.001


@games
def test_perfect_values_each_option_from_the_first_choice_on(game):
    match = new_game(game.id, ["A", "B"], {}, 5)
    while not isinstance(match.ask, Choose):
        match.answer(match.drawn())
    view = match.view(match.ask.seat)
    wins = bots.win(view, match.ask.options)
    assert len(wins) == len(match.ask.options) and all(0 <= win <= 1 for win in wins)
    chances = bots.policy("perfect", view, match.ask.options)
    assert all(max(wins) - win < 0.005 for win, chance in zip(wins, chances, strict=True) if chance > 0.01)
    assert 0.3 < bots.fair(view) < 0.7


@pytest.mark.parametrize("level", ["expert", "", None, 3, ["classic"]])
def test_an_unknown_level_is_refused_with_a_list_of_levels(level):
    with pytest.raises(Refused, match="random, easy, classic, sharp, perfect"):
        bots.policy(level, start("mexico").view(0), ("roll", "end"))


def mexico_chance_to_roll(*dice) -> float:
    """The chance that the classic level, leading with these dice, rolls again."""
    match = start("mexico")
    feed(match, [6], [1], dice)
    return bots.policy("classic", match.view(0), match.ask.options)[0]


@pytest.mark.parametrize("dice", [(face, face) for face in range(1, 7)])
def test_classic_mexico_stops_on_any_double(dice):
    assert mexico_chance_to_roll(*dice) == 0


@pytest.mark.parametrize("dice", [(5, 3), (4, 5), (6, 1), (6, 2), (3, 6), (6, 4), (5, 6)])
def test_classic_mexico_tosses_a_coin_on_a_good_number(dice):
    assert mexico_chance_to_roll(*dice) == 0.5


@pytest.mark.parametrize("dice", [(5, 2), (5, 1), (4, 3), (4, 2), (1, 4), (3, 2), (3, 1)])
def test_classic_mexico_rolls_again_on_anything_lower(dice):
    assert mexico_chance_to_roll(*dice) == 1


@pytest.mark.parametrize(
    ("led", "dice", "chance"),
    [
        ((6, 2), (6, 3), 0),  # a 63 beats the leader's 62
        ((3, 2), (4, 1), 0),  # a 41 beats a 32, however low both are
        ((6, 2), (6, 1), 1),  # a 61 is behind a 62
        ((6, 6), (5, 5), 1),
        ((2, 2), (2, 2), 0),  # on a tie, the player decides as a leader would
        ((6, 3), (6, 3), 0.5),
        ((3, 2), (3, 2), 1),
    ],
)
def test_classic_mexico_tries_to_beat_the_leader(led, dice, chance):
    match = start("mexico")
    feed(match, [6], [1], (4, 3), "roll", led, "end", dice)
    assert bots.policy("classic", match.view(1), match.ask.options)[0] == chance


def test_classic_mexico_among_several_players_only_avoids_being_lowest():
    match = start("mexico", seats=3, mode="elimination")
    feed(match, [6], [1], [1], (4, 3), "roll", (6, 5), "end", (4, 1), "roll", (3, 2), (5, 1))
    assert match.ask.seat == 2
    assert bots.policy("classic", match.view(2), match.ask.options)[0] == 0


def test_classic_bluff_mostly_claims_the_truth_and_otherwise_more():
    match = start("bluff", rules="simple")
    feed(match, (2, 3))
    chances = dict(zip(match.ask.options, bots.policy("classic", match.view(0), match.ask.options), strict=True))
    assert chances["claim", 5] == pytest.approx(0.7)
    assert all(chances["claim", less] == 0 for less in range(1, 5))
    assert chances["claim", 6] > 0


def test_classic_bluff_calls_higher_claims_more_often_and_always_calls_one():
    calls = {}
    for claim in range(1, 13):
        match = start("bluff", rules="simple")
        feed(match, (2, 3), ("claim", claim))
        calls[claim] = bots.policy("classic", match.view(1), match.ask.options)[1]
    assert calls.pop(1) == 1
    assert list(calls.values()) == sorted(calls.values())
    assert calls[6] == 0 < calls[12] < 1


def test_classic_cheese_banks_a_win_and_rolls_on_when_it_must():
    match = start("cheese", goal=500)
    feed(match, (5, 5, 5, 2, 3, 4), ("keep", (0, 1, 2)))
    assert bots.policy("classic", match.view(0), match.ask.options) == [0, 1]
    match = start("cheese", goal=500, last_turn=True)
    feed(match, (5, 5, 5, 2, 3, 4), ("keep", (0, 1, 2)), "end", (1, 2, 2, 3, 3, 4), ("keep", (0,)))
    assert bots.policy("classic", match.view(1), match.ask.options) == [1, 0]


def test_classic_cacho_doubts_impossible_bids_and_raises_on_its_own_dice():
    match = start("cacho", dice=2)
    feed(match, [6], [1], (3, 3), (5, 5), ("bid", (4, 6)))
    assert bots.policy("classic", match.view(1), match.ask.options)[match.ask.options.index("dudo")] == 1
    match = start("cacho", dice=2)
    feed(match, [6], [1], (3, 3), (5, 5), ("bid", (1, 5)))
    chances = dict(zip(match.ask.options, bots.policy("classic", match.view(1), match.ask.options), strict=True))
    best = max(chances, key=chances.get)
    assert best == ("bid", (2, 5))


def test_a_missing_or_corrupt_table_gives_one_sentence_and_does_not_end_a_game(tmp_path, monkeypatch):
    from table.games import tables

    tables.load.cache_clear()
    monkeypatch.setattr(tables, "folder", lambda game: tmp_path / game)
    (tmp_path / "pocoloco").mkdir()
    (tmp_path / "pocoloco" / "table.npz").write_bytes(b"PK\x03\x04 and not much more")
    for game in ("pocoloco", "bluff"):
        with pytest.raises(NoTable, match="missing or corrupt"):
            tables.load(game)
    seating = seated(["computer:perfect", "computer:perfect"], GAMES["pocoloco"])
    match = Match(begin_match(GAMES["pocoloco"], seating, {"chips": 1}, 1), seating)
    match.prepare()
    while not isinstance(ask := match.referee.ask, Over):
        match.referee.answer(match.computers_choice() if isinstance(ask, Choose) else match.referee.drawn())
    assert match.winners
