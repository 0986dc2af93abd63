"""The level `search`, which needs nothing but a game's rules, and what else works for games that have only rules."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from table.analysis import arena, luck, moments, odds, review, sheets
from table.engine.asks import Choose, Game, Over, Roll
from table.engine.errors import NoTable, Refused
from table.games import bots, search, solve
from table.session.lineup import Lineup, Seat, seats_in, usual
from table.session.match import Match, begin, seated
from table.text import game_texts
from table.text.catalogue import Catalogue, languages
from table.text.narration import reviewed
from table.ui.protocol import Dialogue
from tests import pig as pig_rules
from tests.homemade import PACKAGE, homemade
from tests.playing import at_random, by_luck, feed, played, start, wins
from tests.terminal_session import ROOT

NO_HIDDEN = ("mexico", "pocoloco", "cheese")


@pytest.fixture(autouse=True)
def pig(tmp_path, monkeypatch) -> Iterator[Game]:
    """Pig with a tenth of the usual search budget, because the tests play whole games."""
    monkeypatch.setattr(search, "BUDGET", search.BUDGET // 10)
    with homemade(tmp_path, {"rules.py": Path(pig_rules.__file__).read_text(encoding="utf-8")}) as game:
        yield game


def test_search_beats_random_at_pig_significantly():
    assert by_luck(wins("pig", "search", "random", 40, goal=50), 40) < 0.01


def test_search_takes_a_certain_win_and_rolls_when_it_must():
    match = start("pig", goal=10)
    feed(match, (6,), "roll", (6,))
    assert bots.chances("search", match) == [0, 1]
    match = start("pig", goal=10)
    feed(match, (2,), "end", (6,), "roll", (3,), "end", (2,))
    assert bots.chances("search", match) == [1, 0], "the opponent will probably win on the next turn"


def test_the_same_game_gives_the_same_choices():
    first, second = (played("pig", ("search", "random"), 4, goal=20).history for _ in range(2))
    assert first == second


def test_a_decision_answers_no_more_asks_than_its_budget_plus_one_playout(monkeypatch):
    """The budget also holds when there are many options."""
    spent = []

    def counted(*arguments):
        share, asks = search_playout(*arguments)
        spent.append(asks)
        return share, asks

    search_playout = search.playout
    monkeypatch.setattr(search, "playout", counted)
    monkeypatch.setattr(search, "BUDGET", 3000)
    match = start("cheese")
    while not (isinstance(match.ask, Choose) and len(match.ask.options) > 4):
        match.answer(at_random(match, Random(len(match.history))))
    assert sum(search.weighing(match)()) == 1
    assert 3000 <= sum(spent) < 3000 + max(spent)


def test_a_forced_choice_needs_no_playouts(monkeypatch):
    monkeypatch.setattr(search, "playout", None)
    match = start("pig")
    feed(match, (3,))
    match.ask = Choose(0, ("roll",))
    assert bots.choose("search", match) == "roll"


def test_ten_seats_and_a_game_of_one_decision_are_searched():
    match = start("pig", 10, goal=20)
    feed(match, (5,))
    assert bots.choose("search", match) in match.ask.options
    assert played("pig", ["search"] + ["random"] * 9, 3, goal=10).ask.winners
    match = start("pig", goal=10)
    feed(match, (6,), "roll", (5,))
    assert bots.choose("search", match) == "end"
    match.answer("end")
    assert isinstance(match.ask, Over)


def test_playouts_that_do_not_end_are_draws(monkeypatch):
    monkeypatch.setattr(search, "LONGEST", 5)
    match = start("pig", 4, goal=1000)
    assert search.playout(match.game, match.options, 4, [(3,), "roll"], 0, 1) == (0.25, 7)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_search_refuses_a_game_with_hidden_rolls(game):
    assert search.hides_dice(game)
    match = start(game)
    while not isinstance(match.ask, Choose):
        match.answer(match.drawn())
    with pytest.raises(Refused, match="hidden dice"):
        search.weighing(match)


def test_dice_under_real_cups_are_hidden_too():
    match = start("bluff", rules="simple", cups=[0, 1])
    assert isinstance(match.ask, Choose) and not any(isinstance(ask, Roll) for ask, _ in match.history)
    with pytest.raises(Refused, match="hidden dice"):
        search.weighing(match)


@pytest.mark.parametrize("game", [*NO_HIDDEN, "pig"])
def test_games_without_hidden_dice_are_recognised(game):
    assert not search.hides_dice(game)


def test_rules_alone_have_two_levels():
    assert bots.levels("pig") == ("random", "search") and bots.usual("pig") == "search"


def test_rules_alone_that_hide_dice_have_one_level(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(search, "hides_dice", lambda game: True)
        assert bots.levels("pig") == ("random",) and bots.usual("pig") == "random"


def test_a_level_that_cannot_play_is_replaced_by_the_next_weaker_one(monkeypatch, pig):
    seating = seated(["computer", "computer:random"], pig)
    assert seating.levels == ("search", "random")
    match = Match(begin(pig, seating, {"goal": 10}, 1), seating)

    def hidden(referee):
        raise Refused("hidden dice")

    monkeypatch.setattr(search, "weighing", hidden)
    feed(match.referee, (3,))
    assert match.computers_choice() in ("roll", "end")


def test_perfect_play_that_cannot_be_imported_says_why(pig, tmp_path):
    (tmp_path / PACKAGE / "perfect.py").write_text("import no_such_package\n", encoding="utf-8")
    match, chance = start(pig.id, 2), Random(1)
    while not isinstance(match.ask, Choose):
        feed(match, at_random(match, chance))
    with pytest.raises(NoTable, match="No module named 'no_such_package'"):
        bots.choose("perfect", match)


def test_a_table_whose_code_cannot_be_imported_is_not_built_and_the_reason_is_printed(pig, tmp_path, capsys):
    (tmp_path / PACKAGE / "solve.py").write_text("import no_such_package\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        solve.main([pig.id, "--into", str(tmp_path)])
    assert "No module named 'no_such_package'" in capsys.readouterr().err


def test_computers_from_another_game_get_a_level_that_this_game_has(pig):
    before = Lineup(pig, (Seat("Ann"), Seat("", "sharp"), Seat("", "random")))
    assert [seat.level for seat in seats_in(pig, before.seats)] == [None, "search", "random"]
    assert [seat.level for seat in usual(before, pig, Catalogue()).seats] == [None, "search", "random"]
    assert usual(None, pig, Catalogue()).seats[1].level == "search"


def test_a_contest_with_unknown_levels_is_refused_with_a_list_of_levels(pig):
    with pytest.raises(Refused, match="The levels are random, search"):
        arena.contest(pig, ["sharp", "random"], {}, 10, 1)
    contest = arena.contest(pig, ["search", "random"], {"goal": 10}, 4, 1)
    assert Counter(arena.winners(contest, number) for number in range(4)).total() == 4


def test_the_referee_lists_the_levels_and_gives_the_policy_of_search():
    dialogue = Dialogue()

    def ask(line: bytes):
        return dialogue.reply(line)[-1]

    games = ask(b'{"games": true}')["games"]
    assert games[-1]["id"] == "pig" and games[-1]["levels"] == ["random", "search"]
    ask(b'{"new": "pig", "players": ["Ann", "Bo"], "options": {"goal": 10}, "seed": 1}')
    for line in (b'{"dice": [6]}', b'{"choose": "roll"}', b'{"dice": [6]}'):
        ask(line)
    assert ask(b'{"policy": "search"}') == {"policy": [0, 1]}
    assert "over" in ask(b'{"bot": "search"}')


def test_a_level_without_a_text_is_shown_by_its_id():
    assert game_texts.level_name("very_careful", Catalogue(), "pig") == "very_careful"
    assert game_texts.level_help("very_careful", Catalogue(), "pig") == ""


@pytest.mark.parametrize("language", languages())
def test_a_review_without_perfect_play_says_so(language):
    match = played("pig", ("random", "random"), 2, goal=20)
    found = review.review(match, 0)
    assert not found.decisions and found.start == 0.5 and found.result in (0, 1)
    say = Catalogue(language)
    assert reviewed.without(found, "Ann", say) == say("review.no_perfect")


def test_rules_alone_have_no_odds_no_luck_and_no_moments():
    match = played("pig", ("random", "random"), 2, goal=20)
    view = match.view(None)
    assert not odds.has_odds("pig") and odds.odds(view) == odds.own(view) == []
    assert odds.now(view, Roll(0, 1)) == []
    assert [each.throws for each in luck.luck(match)] == [0, 0]
    assert moments.moments("pig", [{"event": "lost", "seat": 0}]) == {}
    with pytest.raises(Refused, match="only for mexico, bluff, pocoloco, cheese, cacho"):
        sheets.sheets("pig", {})


def test_the_rules_of_all_games_are_found_without_numpy_and_without_any_analysis():
    code = (
        "import sys, table.games, table.games.bots\n"
        "loaded = [name for name in sys.modules if name == 'numpy' or name.startswith('table.analysis')]\n"
        "loaded += [name for name in sys.modules if name.endswith(('.analysis', '.perfect', '.board'))]\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
