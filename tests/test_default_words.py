"""A game from another package, with or without its own texts, can be narrated completely in every language."""

import importlib
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from inspect import isfunction
from random import Random
from typing import Any

import pytest

from table import games
from table.engine.asks import Choose, Over
from table.engine.errors import Refused
from table.engine.referee import Referee
from table.games import bots
from table.games.kinds import fits
from table.session.match import Match, News, begin, seated
from table.storage.records.pages import GameLine, GameList, GamePage, Moment, PlayerPage, SeatLine
from table.text import game_texts, narration
from table.text.catalogue import Catalogue, languages, texts
from table.text.choices import beside, label, lists
from table.text.narration import prompt, reviewed, round_line, standing, tell, transcript
from table.text.records import pages, words
from table.text.records.blocks import Text
from tests.homemade import RULES, homemade
from tests.playing import at_random
from tests.terminal_session import replies
from tests.terminal_session import sit as sit_down
from tests.test_narration import PEOPLE, check, news_of

EN = """
name = "Pig"
unit = { one = "{count} point", other = "{count} points" }
round = "Round {round}, first to {goal}"

[tell]
bust = { one = "{name} loses a single point", other = "{name} loses {points} points" }
lost = "{name} banks {points}, to the grief of {others}"
stake = "{name} plays for {stake} times the dice"

[prompt]
stake = "{name}: what is your stake?"
end = "{name}: bank {points}?"

[choice]
end = "Bank {points}"
stake = { one = "Once", other = "{stake} times" }

[fact]
points = "At risk"

[review]
end = "bank {points}"
stake = "play for {stake}"
"""
ES = """
name = "Cerdo"
unit = { one = "{count} punto", other = "{count} puntos" }
round = "Ronda {round}, hasta {goal}"
result = "{name} llega a {figure}"

[tell]
bust = "{name} pierde {points}"
"""
WORDS = """
from table.games.default import words as default


def tell(event, news, say):
    return "Oink!" if event.kind == "bust" else default.tell(event, news, say)


def standing(view, seat, say):
    return default.standing(view, seat, say) + "!"
"""
FILES: list[dict[str, str]] = [{}, {"en.toml": EN}, {"en.toml": EN, "es.toml": ES}, {"words.py": WORDS}]
BOLD = {"pace": "bold", "picky": True}


def sit(seats: int = 3, **options: Any) -> Referee:
    match = games.new("pig", PEOPLE[:seats], options, seed=1)
    if seats > 1:
        for die in range(6, 6 - seats, -1):
            match.answer((die,))
    return match


def narrated(match: Referee, *answers: Any, say: Catalogue) -> list[str]:
    news = [news_of(match, answer) for answer in answers][-1]
    return [tell(event, news, say) for event in news.events]


def labels(match: Referee, say: Catalogue) -> list[str]:
    assert isinstance(match.ask, Choose)
    return [label(entry, say) for entry in lists(match.ask, match.view(None)).entries]


def play_through(options: dict[str, Any], seats: int, chance: Random) -> Iterator[tuple[Referee, News | None]]:
    """Play a random game. Yields the game before the first answer, and the game and its news after each answer."""
    match = games.new("pig", PEOPLE[:seats], options, seed=1)
    yield match, None
    while not isinstance(match.ask, Over):
        yield match, news_of(match, at_random(match, chance))


@pytest.mark.parametrize("files", FILES, ids=["rules only", "English", "English and Spanish", "words.py"])
@pytest.mark.parametrize("options", [{}, BOLD], ids=["calm", "bold"])
def test_every_ask_of_a_game_can_be_narrated_in_every_language(tmp_path, files, options):
    with homemade(tmp_path, files):
        says = [Catalogue(language) for language in languages()]
        for seats in (1, 2, 4):
            for match, news in play_through(options, seats, Random(seats)):
                for say in says:
                    check_all_texts(match, news, say)


def check_all_texts(match: Referee, news: News | None, say: Catalogue) -> None:
    view = match.view(None)
    check(prompt(match.ask, view, say))
    check(round_line(view, say))
    for seat in match.table.seats:
        check(standing(view, seat, say))
        assert narration.note(view, seat, say) == "" and narration.marks(view, seat, say) == []
        assert not narration.out(view, seat) and list(narration.kept(view, seat)) == []
    assert list(narration.order(view)) == list(match.table.seats)
    for name, value in narration.facts(view, say):
        check(name)
        check(value)
    if isinstance(match.ask, Choose):
        choice = lists(match.ask, view)
        shown = [label(entry, say) for entry in choice.entries]
        assert len(set(shown)) == len(shown)
        for words in (*shown, *(beside(entry, say) for entry in choice.entries if entry.shows)):
            check(words)
        for option in match.ask.options:
            check(reviewed.phrase(match.view(match.ask.seat), option, say))
            check(reviewed.place(match.view(match.ask.seat), option, say))
    if news:
        for sentence in transcript.sentences(news, say):
            check(sentence)


def test_without_texts_the_names_in_the_rules_are_used(tmp_path):
    with homemade(tmp_path):
        en, es = Catalogue("en"), Catalogue("es")
        match = sit()
        view = match.view(None)
        assert prompt(match.ask, view, en) == "Ann, roll 2 dice" and round_line(view, en) == "Round 1"
        assert narrated(match, (4, 6), say=en) == ["Ann rolled 4 6"]
        assert prompt(match.ask, match.view(None), en) == "Ann, roll again or stop?"
        assert prompt(match.ask, match.view(None), es) == "Ann, ¿tiras o te plantas?"
        assert (labels(match, en), labels(match, es)) == (["Roll", "End"], ["Tirar", "Fin"])
        assert narrated(match, "roll", say=en) == ["Ann rolls"]
        assert narrated(match, (1, 2), say=en) == ["Ann rolled 1 2", "Ann: bust, points 10"]
        assert narrated(match, (4, 2), "end", say=en) == [
            "Bo stops",
            "Bo: lost, points 6, total 6, others Ann and Cleo",
        ]
        assert standing(match.view(None), 1, en) == "6"
        assert narration.facts(match.view(None), es) == [
            ("Points", "0"),
            ("Stake", "1"),
            ("Hot", "No"),
            ("Last", "banked"),
            ("Leader", "Ann"),
        ]


def test_the_result_includes_the_score_if_it_has_a_unit(tmp_path):
    with homemade(tmp_path / "", {}):
        match = sit(goal=10)
        narrated(match, (6, 6), "end", say=Catalogue("en"))
        assert prompt(match.ask, match.view(None), Catalogue("en")) == "Ann wins!"
    (tmp_path / "more").mkdir()
    with homemade(tmp_path / "more", {"en.toml": EN, "es.toml": ES}):
        match = sit(goal=10)
        narrated(match, (6, 6), "end", say=Catalogue("en"))
        assert prompt(match.ask, match.view(None), Catalogue("en")) == "Ann wins with 12 points!"
        assert prompt(match.ask, match.view(None), Catalogue("es")) == "Ann llega a 12 puntos"


def test_text_files_without_words_py_are_enough(tmp_path):
    with homemade(tmp_path, {"en.toml": EN, "es.toml": ES}):
        en, es = Catalogue("en"), Catalogue("es")
        match = sit(pace="bold")
        assert round_line(match.view(None), es) == "Ronda 1, hasta 30"
        assert prompt(match.ask, match.view(None), en) == "Ann: what is your stake?"
        assert labels(match, en) == ["Once", "2 times", "3 times"]
        assert narrated(match, ("stake", 2), say=en) == ["Ann plays for 2 times the dice"]
        narrated(match, (4, 6), say=en)
        assert prompt(match.ask, match.view(None), en) == "Ann: bank 20?"
        assert labels(match, en) == ["Roll", "Bank 20"]
        assert narration.facts(match.view(None), en)[0] == ("At risk", "20")
        assert reviewed.phrase(match.view(0), "end", en) == "bank 20"
        assert narrated(match, "end", say=en) == ["Ann stops", "Ann banks 20, to the grief of Bo and Cleo"]
        assert standing(match.view(None), 0, es) == "20 puntos"
        narrated(match, ("stake", 1), (4, 6), "roll", say=en)
        match.undo()
        assert narrated(match, "roll", (1, 1), say=es)[1:] == ["Bo pierde 10"]


def test_a_game_without_texts_in_a_language_uses_english(tmp_path):
    with homemade(tmp_path, {"en.toml": EN}):
        assert round_line(sit().view(None), Catalogue("es")) == "Round 1, first to 30"


def test_a_text_with_an_unknown_fact_is_ignored_and_named_on_stderr(tmp_path, capsys):
    with homemade(tmp_path, {"en.toml": '[tell]\nbust = "{name} loses {wits}"\n'}):
        match = sit()
        assert narrated(match, (1, 2), say=Catalogue("en"))[1:] == ["Ann: bust, points 0"]
    why = "this text uses the fact 'wits', which is not available here"
    assert capsys.readouterr().err == f"pig: tell.bust: {why}\n"


def test_an_event_that_another_game_also_has_uses_this_games_text(tmp_path):
    with homemade(tmp_path, {"en.toml": EN}):
        match = sit(2)
        lost = narrated(match, (4, 2), "end", say=Catalogue("en"))[1]
        assert lost == "Ann banks 6, to the grief of Bo"


@pytest.mark.parametrize("event", ["cup", "won", "scored", "banked", "tie", "lost"])
def test_the_name_of_an_event_means_nothing_outside_its_own_game(tmp_path, event):
    with homemade(tmp_path, {"rules.py": RULES.replace('tell("bust"', f'tell("{event}"')}):
        assert narrated(sit(), (1, 2), say=Catalogue("en"))[1] == f"Ann: {event}, points 0"


def test_the_events_of_the_engine_have_a_text_in_every_game(tmp_path):
    rules = RULES.replace('table.tell("bust", seat=seat, points=board.points)', "table.out(seat)")
    with homemade(tmp_path, {"rules.py": rules}):
        match = games.new("pig", PEOPLE[:2], {}, seed=1)
        assert narrated(match, (5,), (4,), say=Catalogue("en")) == ["Bo rolled 4", "Ann starts"]
        assert narrated(match, (1, 2), say=Catalogue("en")) == ["Ann rolled 1 2", "Ann is out"]


def test_functions_in_words_py_override_the_defaults_one_by_one(tmp_path):
    with homemade(tmp_path, {"words.py": WORDS}):
        say = Catalogue("en")
        match = sit()
        assert narrated(match, (1, 2), say=say) == ["Ann rolled 1 2", "Oink!"]
        assert standing(match.view(None), 0, say) == "0!"


def test_sets_of_dice_are_named_by_their_faces(tmp_path):
    with homemade(tmp_path):
        say = Catalogue("en")
        match = sit(picky=True)
        narrated(match, (5, 3), say=say)
        choice = lists(match.ask, match.view(None))
        assert choice.kind == "dice" and set(choice.keeping.values()) == set(match.ask.options)
        assert labels(match, say) == ["Keep 5", "Keep 3", "Keep 3 5"]
        assert [beside(entry, say) for entry in choice.entries] == ["Keep"] * 3
        assert prompt(match.ask, match.view(None), say) == "Ann, which dice will you keep?"
        assert reviewed.phrase(match.view(0), ("keep", (0, 1)), say) == "Keep 5 3"
        assert narrated(match, ("keep", (1,)), say=say) == ["Ann keeps 3"]


def test_nothing_is_left_of_a_game_after_it_is_unregistered(tmp_path):
    before = dict(games.GAMES)
    with homemade(tmp_path, {"en.toml": EN, "words.py": "1 / 0"}):
        sit()
        assert narration.standing(sit().view(None), 0, Catalogue("en")) == "0 points"
        assert "ZeroDivisionError" in games.DEFECTS["pig: words"]
        assert "pig.unit" in texts("en")
    assert before == games.GAMES and "pig.unit" not in texts("en") and not games.DEFECTS


@pytest.mark.parametrize(
    "text", ["x = = ", 'name = "Pig {"', "name = 3", '[tell]\nbust = "{0}"', '[tell]\nbust = "{points:x}"']
)
def test_an_invalid_text_file_is_reported_and_not_used(tmp_path, text):
    with homemade(tmp_path, {"en.toml": text}):
        say = Catalogue("en")
        assert "pig: en.toml" in games.DEFECTS and not any(key.startswith("pig.") for key in texts("en"))
        assert game_texts.name("pig", say) == "Pig" and narrated(sit(), (1, 2), say=say)[1:] == ["Ann: bust, points 0"]


def test_a_name_or_unit_with_an_unknown_fact_is_ignored(tmp_path):
    with homemade(tmp_path, {"en.toml": 'name = "{who}"\nunit = "{points} points"\n[fact]\npoints = "{x}"\n'}):
        say, view = Catalogue("en"), sit().view(None)
        assert game_texts.name("pig", say) == "Pig" and standing(view, 0, say) == "0"
        assert narration.facts(view, say)[0] == ("Points", "0")
        assert games.DEFECTS["pig: name"] == "this text uses the fact 'who', which is not available here"


def test_a_failing_function_is_replaced_by_the_default_and_reported_once(tmp_path, capsys):
    with homemade(tmp_path, {"words.py": "def standing(view, seat, say):\n    return view['pints']"}):
        view = sit().view(None)
        assert [standing(view, seat, Catalogue("en")) for seat in (0, 1)] == ["0", "0"]
        assert games.DEFECTS["pig: words.standing"] == "KeyError: 'pints' in words.py, line 2"
        assert capsys.readouterr().err == "pig: words.standing: KeyError: 'pints' in words.py, line 2\n"


RESULTS = ("tell", "prompt", "round_line", "standing", "note", "result")


def all_words(match: Referee, news: News, say: Catalogue) -> list[str]:
    """The texts that the functions named in RESULTS return."""
    view, event = match.view(None), news.events[0]
    return [
        tell(event, news, say),
        prompt(match.ask, view, say),
        round_line(view, say),
        standing(view, 0, say),
        narration.note(view, 0, say),
        narration.result(view, ((0,), (1,)), say).sentence,
    ]


@pytest.mark.parametrize("wrong", ["None", "7", "['Oink']"])
def test_a_function_that_returns_the_wrong_type_is_replaced_by_the_default_and_reported(tmp_path, wrong):
    say = Catalogue("en")
    (tmp_path / "plain").mkdir()
    with homemade(tmp_path / "plain"):
        match = sit(2)
        usual = all_words(match, news_of(match, (4, 5)), say)
    words = "".join(f"def {name}(*_):\n    return {wrong}\n" for name in RESULTS)
    with homemade(tmp_path, {"words.py": words}):
        match = sit(2)
        assert all_words(match, news_of(match, (4, 5)), say) == usual
        kind = {"None": "NoneType", "7": "int"}.get(wrong, "list")
        assert {f"pig: words.{name}": f"str is needed, not {kind}" for name in RESULTS} == games.DEFECTS


def test_the_values_of_facts_can_be_numbers(tmp_path):
    words = "def facts(view, say):\n    return (('At risk', 7), ['Share', 0.5], ('Last', 'bust'))"
    with homemade(tmp_path, {"words.py": words}):
        shown = narration.facts(sit().view(None), Catalogue("en"))
        assert shown == [("At risk", "7"), ("Share", "0.5"), ("Last", "bust")] and not games.DEFECTS


@pytest.mark.parametrize(
    "wrong", ["None", "{'At risk': 7}", "[('At risk', None)]", "['ab']", "[('At', 'risk', 7)]", "7"]
)
def test_wrong_facts_are_replaced_by_those_of_the_board(tmp_path, wrong):
    with homemade(tmp_path, {"words.py": f"def facts(view, say):\n    return {wrong}"}):
        assert narration.facts(sit().view(None), Catalogue("en"))[0] == ("Points", "0")
        assert "pig: words.facts" in games.DEFECTS


def test_constants_of_the_wrong_type_are_replaced_and_reported(tmp_path):
    with homemade(tmp_path, {"bots.py": "LEVELS = 3"}):
        assert bots.levels("pig") == ("random", "search")
        assert games.DEFECTS == {"pig: bots.LEVELS": "tuple[str, ...] is needed, not int"}


def test_a_failing_function_that_ends_python_is_replaced_too(tmp_path):
    with homemade(tmp_path, {"words.py": "def standing(*_):\n    raise SystemExit(1)"}):
        assert standing(sit().view(None), 0, Catalogue("en")) == "0"
        assert games.DEFECTS == {"pig: words.standing": "SystemExit: 1 in words.py, line 2"}


def test_a_call_that_a_function_cannot_take_is_reported_without_the_tables_own_files(tmp_path):
    with homemade(tmp_path, {"words.py": "def standing():\n    return ''"}):
        assert standing(sit().view(None), 0, Catalogue("en")) == "0"
        assert ".py" not in games.DEFECTS["pig: words.standing"]


@pytest.mark.ground
@pytest.mark.parametrize("name", games.PARTS)
def test_every_default_declares_what_it_returns(name):
    pytest.importorskip("pygame", reason="the parts for the screen import pygame")
    default = importlib.import_module(f"table.games.default.{name}")
    found = [value for value in vars(default).values() if isfunction(value) and value.__module__ == default.__name__]
    assert found
    for function in found:
        fits(object(), function.__annotations__["return"])


@pytest.mark.parametrize("rules", ["raise SystemExit(3)", "raise GeneratorExit", "import sys; sys.exit('bye')"])
def test_a_game_that_ends_python_on_import_is_reported_and_the_others_are_played(tmp_path, rules):
    before = dict(games.GAMES)
    with pytest.raises(AssertionError, match=r"Exit.* in rules\.py, line 1"), homemade(tmp_path, {"rules.py": rules}):
        raise ValueError("the game was registered")
    assert before == games.GAMES


def test_a_part_that_ends_python_on_import_is_reported_and_not_used(tmp_path):
    with homemade(tmp_path, {"words.py": "raise SystemExit"}):
        assert standing(sit().view(None), 0, Catalogue("en")) == "0"
        assert games.DEFECTS == {"pig: words": "SystemExit in words.py, line 1"}


@pytest.mark.parametrize(
    ("package", "why"),
    [
        ("no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("tests.homegame", "its GAME must"),
    ],
)
def test_a_game_that_cannot_be_imported_is_reported_without_the_tables_own_files(package, why):
    games.register([EntryPoint("gone", package, games.GROUP)])
    told = games.BROKEN.pop("gone")
    assert why in told and ".py" not in told


def test_rules_that_give_the_engine_a_wrong_value_are_named_by_their_own_line(tmp_path):
    rules = RULES.replace("table.hands.lay(seat, dice)", "table.hands.lay(99, dice)")
    with homemade(tmp_path, {"rules.py": rules}):
        line = 1 + next(number for number, text in enumerate(rules.splitlines()) if "lay(99" in text)
        with pytest.raises(Refused, match=rf"IndexError in rules\.py, line {line}\)"):
            sit(2).answer((4, 5))


def test_a_failing_computer_player_is_replaced_by_a_weaker_one(tmp_path):
    broken = "LEVELS = ('random_walk', 'gone')\ndef random_walk(view, options):\n    return []"
    with homemade(tmp_path, {"bots.py": broken}) as game:
        match = Match(
            begin(game, seated(["computer:gone", "computer:random_walk"], game), {}),
            seated(["computer:gone"] * 2, game),
        )
        while not isinstance(match.referee.ask, Choose):
            match.referee.answer(match.referee.drawn())
        for level in ("gone", "random_walk"):
            with pytest.raises(Refused, match=f"The level {level} of Pig failed"):
                bots.choose(level, match.referee)
        assert match.computers_choice() in match.referee.ask.options


def test_undeclared_options_prevent_registration(tmp_path):
    rules = RULES.replace('number(30, 10, 500, help="Points that win.")', "30")
    with pytest.raises(AssertionError, match="KeyError"), homemade(tmp_path, {"rules.py": rules}):
        raise ValueError("the game was registered")


def test_the_records_of_an_uninstalled_game_remain_readable(tmp_path):
    say = Catalogue("en")
    with homemade(tmp_path):
        match = sit(2)
        narrated(match, (4, 6), "end", say=say)
    line = GameLine(1, "pig", 0.0, tuple(SeatLine(name, None, False, name == "Ann", 10) for name in PEOPLE[:2]), True)
    page = GamePage(line, "id", 0.0, match.save(), (), [{"event": "bust", "seat": 0}], ((0,), (1,)))
    assert "Pig" in transcript.text(page, say) and say("refused.game_gone") in transcript.text(page, say)
    assert pages.game(page, None, "gone", say).title == "Pig"
    assert Text("1 game") in pages.overview([], {}, GameList((line,), 1, None), say).blocks
    best = Moment("pig", "largest_turn", 9, 1)
    player = PlayerPage("Ann", 0.0, 0.0, {"pig": 2}, {"pig": 1}, 1, 1, (True, False), (), (best,), {})
    (row,) = pages.by_game(player, say).rows
    assert row.label == "Pig" and words.moment(best, say) == "Largest turn: 9"


def test_the_boards_kept_dice_are_shown_for_the_seat_whose_turn_it_is(tmp_path):
    rules = RULES.replace(
        "    thrown: list[int]", "    kept: list[int] = field(default_factory=lambda: [6, 5])\n    thrown: list[int]"
    )
    with homemade(tmp_path, {"rules.py": rules}):
        match = sit()
        assert [list(narration.kept(match.view(None), seat)) for seat in (0, 1)] == [[6, 5], []]


def test_the_terminal_lists_the_facts_of_a_board_that_it_cannot_draw(tmp_path):
    seats = ("--seat", "Ann", "--seat", "computer:random", "--option", "goal=10", "--seed", "1")
    with homemade(tmp_path):
        evening = sit_down("play", "pig", *seats, answer=lambda question: None if "roll again" in question else "")
    assert re.search(r"^Points: \d+   Stake: 1   Hot: ", evening.public, re.MULTILINE)


def test_the_terminal_shows_the_dice_set_aside_before_the_next_roll(tmp_path):
    rules = RULES.replace(
        "    thrown: list[int]", "    kept: list[int] = field(default_factory=lambda: [6, 5])\n    thrown: list[int]"
    )
    seats = ("--seat", "Ann", "--seat", "Bo", "--seed", "1")
    with homemade(tmp_path, {"rules.py": rules}):
        evening = sit_down("play", "pig", *seats, answer=lambda question: None if "2 dice" in question else "")
    assert evening.public.splitlines()[-2].endswith("Kept: 6 5")


def test_a_game_that_cannot_be_imported_is_reported_where_games_are_chosen(monkeypatch):
    monkeypatch.setitem(games.BROKEN, "yacht", "KeyError: 'sails' in rules.py, line 3")
    evening = sit_down("play", answer=replies("yacht", "q"))
    assert evening.public.count("be played: KeyError: 'sails' in rules.py, line 3") == 2
    with pytest.raises(Refused, match="The game yacht cannot be played"):
        games.new("yacht", ("Ann",))
