"""The terminal as people meet it: whole games over a pty and over pipes, typed by scripted people.

Its one rule: what everybody could read and what one person could read are looked at apart.
"""

import io
import json
import os
import random
import re
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table import games
from table.engine import customs
from table.engine.asks import Choose, Over, Roll
from table.engine.errors import Closed, Refused
from table.engine.referee import Referee
from table.games import GAMES, folder
from table.games.cheese import rules as cheese
from table.session.match import Match, begin, seated
from table.ui import terminal
from table.ui.terminal import Sitting as AtTerminal
from table.ui.terminal import choices, draw, tell
from table.ui.terminal.screen import Screen
from table.ui.terminal.setup import Left
from table.ui.terminal.words import Names
from tests.playing import at_random
from tests.sitting import APART, COMMAND, PAINT, PATIENCE, ROOT, SEATS, SHORT, Evening, Sitting, replies, sit, somebody


def lines_are_narrow(text: str) -> None:
    for line in text.split("\n"):
        assert draw.width_of(line.split(" > ")[0]) <= 80, line


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_two_computers_play_a_whole_game_on_a_terminal(game: str) -> None:
    evening = sit("play", game, *SEATS, *SHORT[game], "--seed", "3", answer=somebody(3), tty=True)
    assert evening[:2] == (0, "")
    assert re.search(r"★ .*(Ann|Bo|Dot|Pip).* won, in round \d+!", evening.public)
    assert "Round 1" in evening.public and "Traceback" not in evening.text
    lines_are_narrow(evening.public)


@pytest.mark.parametrize("game", GAMES)
def test_one_person_and_a_computer_play_a_whole_game_over_pipes(game: str) -> None:
    seats = ("--seat", "Ann", "--seat", "computer")
    evening = sit("play", game, *seats, *SHORT[game], "--seed", "5", answer=somebody(5))
    assert evening[:2] == (0, "")
    assert "won, in round" in evening.text and "\x1b" not in evening.text
    lines_are_narrow(evening.text)


@pytest.mark.parametrize("tty", [True, False], ids=["terminal", "pipes"])
def test_a_process_of_its_own_shows_the_same(tty: bool) -> None:
    arguments = ("play", "bluff", *SEATS, *SHORT["bluff"], "--seed", "3")
    sitting = Sitting(*arguments, tty=tty).play(somebody(3))
    assert Evening(*sitting.end(), sitting.text) == sit(*arguments, answer=somebody(3), tty=tty)


def test_the_same_seed_gives_the_same_evening() -> None:
    arguments = ("play", "cheese", "--seat", "Ann", "--option", "goal=500", "--seed", "8")
    first, second = (sit(*arguments, answer=somebody(1)) for _ in range(2))
    assert first == second and first[:2] == (0, "") and "★ Ann won" in first.text


def test_everything_that_is_not_given_is_asked_for_and_asked_again_if_it_was_wrong() -> None:
    typed = iter(
        [
            "chess",
            "",
            "?",
            "?mexico",
            "mex",
            "?",
            "Ann",
            "Ann, computer:genius",
            "Ann, Bo, computer",
            "?",
            "lives=99",
            "lifes=2",
            "lives",
            "mode=challenge",
            "lives=1 double=yes",
        ]
    )
    plays = somebody(2)

    def answer(question: str) -> str:
        reply = next(typed, None)
        return plays(question) if reply is None else reply

    sitting = sit("play", answer=answer)
    assert sitting[:2] == (0, "")
    for told in (
        'There is no game "chess".',
        "Type a number from 1 to 5",
        "Type ? with a number",
        "What beats what",
        "Mexico is for 2 to 10 players, not 1.",
        'There is no computer "genius"',
        "A computer can also be",
        "lives: 1 to 9 (usually 3).",
        "whole number from 1 to 9, not 99",
        "Did you mean lives?",
        "typed as name=value",
        "for exactly 2 players, not 3",
        "More than two play, so it is everybody for themselves",
        "Ann, Bo and Dot (computer, classic)",
    ):
        assert told in sitting.text.replace("\n", " "), told
    for game in GAMES.values():
        assert game.name in sitting.text


def test_enter_alone_seats_you_against_a_computer_and_the_same_again_starts_anew() -> None:
    script = {
        "Which game": iter(["1", "cheese"]),
        "Who plays": iter(["", ""]),
        "Options": iter(["rounds=1", "goal=500"]),
        "Play again": iter(["maybe", "", "n", "q"]),
    }

    def scripted(question: str) -> str:
        for words, typed in script.items():
            if words in question:
                return next(typed)
        return somebody(1)(question)

    sitting = sit("play", "--seed", "4", answer=scripted)
    assert sitting[:2] == (0, "")
    assert sitting.text.count("Mexico: You and Dot (computer, classic).") == 2
    assert "You are the challenger and have to survive 1 round against the house, Dot." in sitting.text
    assert (
        "Enter: the same players" in sitting.text
        and "Pass the Cheese: You and Dot (computer, classic)." in sitting.text
    )
    assert "Press Enter to play the same again" in sitting.text and sitting.text.endswith("Goodbye.\n")


def test_odds_are_shown_to_whoever_asks_and_how_they_played_afterwards(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    asked = iter(["o"])

    def curious(question: str) -> str:
        if "Play again" in question:
            return next(afterwards)
        if "Keep which" in question:
            return next(asked, "")
        return somebody(1)(question)

    afterwards = iter(["h", "q"])
    seats = ("--seat", "Ann", "--seat", "computer:perfect", "--option", "goal=500", "--seed", "4")
    sitting = sit("play", "cheese", *seats, "--save", str(kept), answer=curious)
    assert sitting[:2] == (0, "")
    assert "Dot (computer, perfect)" in sitting.text
    odds = sitting.text.partition("Chance to win after it, if all play perfectly:")[2].splitlines()[1]
    assert re.fullmatch(r"  keep [\d ]+?  +[\d.]+%  ━+ *  perfect does this", odds)
    assert "decisions as perfect would" in sitting.text and "100%│" in sitting.text
    told = sit("review", str(kept), "--seat", "0", answer=lambda question: "")
    assert told[:2] == (0, "")
    title, same = told.text.split("\n", 1)
    assert title == "Pass the Cheese" and same.strip() in sitting.text
    again = sit("play", "cheese", "--seat", "Ann", "--seat", "computer", "--save", str(kept), answer=replies())
    assert again.status == 2 and json.loads(kept.read_text())["game"] == "cheese"


def test_every_game_of_an_evening_is_kept_and_none_over_another_file(tmp_path: Path) -> None:
    kept, others = tmp_path / "game.json", tmp_path / "game-2.json"
    others.write_text("mine")
    afterwards = iter(["", "q"])

    def twice(question: str) -> str:
        return next(afterwards) if "Play again" in question else somebody(1)(question)

    arguments = ("play", "mexico", *SEATS, *SHORT["mexico"], "--seed", "4", "--save", str(kept))
    sitting = sit(*arguments, answer=twice)
    assert sitting[:2] == (0, "")
    assert {file.name for file in tmp_path.iterdir()} == {"game.json", "game-2.json", "game-3.json"}
    matches = {json.loads((tmp_path / name).read_text())["about"]["match"] for name in ("game.json", "game-3.json")}
    assert len(matches) == 2 and others.read_text() == "mine"
    told = "".join(sitting.text.split())
    assert f"Thegameisin{kept}," in told and f"Thegameisin{tmp_path / 'game-3.json'}," in told


def test_a_game_that_is_left_or_killed_leaves_no_file(tmp_path: Path) -> None:
    for killed in (False, True):
        sitting = Sitting("play", "mexico", *SEATS, "--save", str(tmp_path / "game.json"))
        assert sitting.until_question() is not None and not list(tmp_path.iterdir())
        if killed:
            sitting.process.kill()
        else:
            sitting.type("q\ny\n")
        sitting.end()
        assert not list(tmp_path.iterdir())


def test_a_game_that_could_not_be_kept_is_not_begun(tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("mine")
    for file, why in ((there, "exists already"), (tmp_path / "no" / "where.json", "cannot be written")):
        status, said, _ = sit("play", "mexico", *SEATS, "--save", str(file), answer=replies())
        assert status == 2 and why in said
    assert there.read_text() == "mine"


def test_the_odds_of_hidden_dice_are_for_their_player_alone() -> None:
    asked = iter(["o"])

    def curious(question: str) -> str:
        return next(asked, "7") if "What do you claim" in question else somebody(1)(question)

    sitting = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--option", "rounds=1", answer=curious, tty=True)
    apart = "".join(APART.findall(sitting.text))
    assert "Chance to win after it" in apart and "Chance to win after it" not in APART.sub("", sitting.text)


def test_without_its_table_perfect_says_as_what_it_plays() -> None:
    code = "import table.games.tables as t, pathlib; t.folder = lambda game: pathlib.Path('/nonexistent'); "
    arguments = ["play", "cheese", "--seat", "Ann", "--seat", "computer:perfect"]
    done = subprocess.run(
        [sys.executable, "-c", code + COMMAND, *arguments], input="o\nq\ny\n", capture_output=True, text=True,
        cwd=ROOT, timeout=60, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    words = " ".join(done.stdout.split())
    assert "is missing or broken" in words and "Until then it plays as sharp does." in words
    assert "There is nothing to choose now" in words and done.stderr == ""


def test_where_perfect_is_not_solved_that_is_said() -> None:
    arguments = ("play", "cheese", "--seat", "Ann", "--seat", "computer:perfect", "--option", "cards=yes")
    sitting = sit(*arguments, answer=replies("q", "y"))
    assert "This game is not solved as it is set up: perfect plays by its best estimate." in sitting.text


# What is hidden


def bluff_with_nothing_called(seed: int) -> Evening:
    options = ("--option", "rules=simple", "--option", "rounds=1", "--seed", str(seed))
    claims = iter(["l", "7", "9"])
    asked = somebody(0, Accept_it="a")

    def answer(question: str) -> str:
        return next(claims) if "claim" in question else asked(question)

    evening = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", *options, answer=answer, tty=True)
    assert evening[:2] == (0, "")
    return evening


def test_dice_that_nobody_called_change_nothing_that_everybody_sees() -> None:
    one, other = bluff_with_nothing_called(1), bluff_with_nothing_called(2)
    assert APART.findall(one.text) != APART.findall(other.text)
    assert one.public == other.public
    assert "Ann's dice" not in one.public and "╭" not in one.public


def test_a_private_look_shows_the_dice_of_its_player_alone() -> None:
    looks = [PAINT.sub("", look) for look in APART.findall(bluff_with_nothing_called(1).text)]
    assert [re.findall(r"only (\w+) may look", look) for look in looks] == [["Ann"], ["Ann"], ["Bo"]]
    assert [re.findall(r"(\w+)'s dice: (\d \d)", look)[0][0] for look in looks] == ["Ann", "Ann", "Bo"]
    assert all(look.count("╭") == 2 for look in looks)


def test_bids_are_made_without_a_word_about_the_dice_behind_them() -> None:
    starts: dict[Any, int] = {}
    for seed in range(1000):  # two seeds that differ in nothing but the hidden dice
        game = games.new("cacho", ["Ann", "Bo"], {}, seed)
        shown = tuple(game.answer(game.drawn())[0].facts["dice"] for _ in range(2))
        if shown[0] != shown[1] and shown in starts:
            break
        starts.setdefault(shown, seed)
    runs = []
    for number in (starts[shown], seed):
        bids = iter(["1 2", "2 2", "q"])
        asked = somebody(0, End_this_game="y")

        def answer(question: str, bids: Any = bids, asked: Any = asked) -> str:
            return next(bids) if "You open" in question or "Above" in question else asked(question)

        arguments = ("play", "cacho", "--seat", "Ann", "--seat", "Bo", "--seed", str(number))
        runs.append(sit(*arguments, answer=answer, tty=True))
        assert runs[-1][:2] == (0, "")
    assert runs[0].public == runs[1].public
    assert APART.findall(runs[0].text) != APART.findall(runs[1].text)


def test_a_person_alone_sees_their_own_dice_and_no_others() -> None:
    options = ("--option", "rules=simple", "--option", "rounds=3", "--seed", "1")
    arguments = ("play", "bluff", "--seat", "Ann", "--seat", "computer", *options)
    sitting = sit(*arguments, answer=somebody(0, Accept_it="a"))
    assert sitting[:2] == (0, "")
    called = sitting.text.count("Dot called the bluff")
    rolled_off = len(re.findall(r"(Ann|Dot) rolled \d \d:", sitting.text))
    looked = sitting.text.count("Only you can see this.")
    assert looked == 3 and "Dot's dice" not in sitting.text
    assert sitting.text.count("╭") == 2 * (looked + called + rolled_off)


def test_over_pipes_a_look_that_is_not_for_all_says_so() -> None:
    sitting = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--option", "rounds=1", answer=somebody(0))
    assert sitting[:2] == (0, "")
    look = r"\(only (\w+) may look\)\n\n(\w+)'s dice: .*?\(end of what only (\w+) may look at\)"
    looks = re.findall(look, sitting.text, re.DOTALL)
    assert {"Ann", "Bo"} <= {name for look in looks for name in look} and all(len(set(look)) == 1 for look in looks)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_who_has_a_real_cup_types_the_dice_when_it_is_lifted(game: str) -> None:
    short = {"bluff": "rounds=1", "cacho": "dice=1"}[game]
    seats = ("--seat", "Ann", "--seat", "Bo", "--option", "cups=Ann,bo", "--option", short)
    lifted = {"bluff": "6 6", "cacho": "6"}[game]
    answer = somebody(1, Accept_it="c", Above="d", Lift_the_cup=lifted, claim="7")
    sitting = sit("play", game, *seats, "--seed", "1", answer=answer)
    assert sitting[:2] == (0, "")
    assert "lifted the cup" in sitting.text and "may look" not in sitting.text
    assert {"bluff": "claimed 7, had 12.", "cacho": "lifted the cup: 6."}[game] in sitting.text


def test_a_computer_cannot_sit_at_a_cup() -> None:
    arguments = ("play", "cacho", "--seat", "Ann", "--seat", "computer", "--option", "cups=Dot")
    status, errors, _ = sit(*arguments, answer=replies())
    assert status == 2 and errors.count("\n") == 1 and "Dot is a computer and cannot lift a real cup" in errors


# What goes wrong


@pytest.mark.parametrize(
    "arguments", [("play",), ("play", "cacho"), ("play", "mexico", "--seat", "A", "--seat", "computer")]
)
def test_a_closed_terminal_gets_one_line_and_status_one(arguments: tuple[str, ...]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert run.returncode == 1
    assert run.stderr.decode().splitlines() == ["dicetable: The terminal was closed, so it ends here."]


def test_an_output_that_nobody_reads_any_more_ends_quietly() -> None:
    sitting = Sitting("play", "cheese", "--seat", "Ann")
    assert sitting.until_question()
    assert sitting.process.stdin and sitting.process.stdout
    sitting.process.stdout.close()
    sitting.type("\n" * 50)
    sitting.process.stdin.close()
    sitting.process.stdin = sitting.process.stdout = None
    status, errors = sitting.end()
    assert status == 1 and "Traceback" not in errors and "Exception" not in errors


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 1)])
def test_a_terminal_that_is_left_in_the_middle_of_a_look_is_itself_again(key: str, status: int) -> None:
    sitting = Sitting("play", "bluff", "--seat", "Ann", "--seat", "Bo", tty=True)
    assert sitting.until_question()
    sitting.type("\n")
    assert "Enter hides" in (sitting.until_question() or "")
    assert sitting.text.count("\x1b[?1049h") == 1 and "\x1b[?1049l" not in sitting.text
    sitting.type(key)
    assert sitting.until_question() is None
    assert sitting.text.count("\x1b[?1049l") == 1
    code, errors = sitting.end()
    assert code == status and "Traceback" not in errors


def test_a_running_game_is_only_quit_when_that_was_meant() -> None:
    typed = replies("q", "", "?", "", "q", "y")
    sitting = sit("play", "cheese", "--seat", "Ann", answer=typed, tty=True)
    assert sitting.public.count("End this game for everybody?") == 2 and "three of another face" in sitting.public
    assert "Goodbye." in sitting.public and sitting[:2] == (0, "")


def test_colour_is_only_for_terminals_that_want_it() -> None:
    wishes = (({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": "", "TERM": "dumb"}, False))
    for environment, painted in wishes:
        sitting = sit("play", answer=replies("q"), tty=True, **environment)
        assert ("\x1b[" in sitting.text) is painted and sitting[:2] == (0, "")


def test_where_unicode_cannot_be_shown_everything_is_ascii() -> None:
    arguments = ("play", "cacho", "--seat", "Zoë 🎲 دانا", "--seat", "computer", "--option", "dice=1")
    sitting = Sitting(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="1").play(somebody(1))
    assert sitting.end() == (0, "")
    assert sitting.text.isascii() and " +-------+\n" in sitting.text and "* " in sitting.text


def test_a_name_from_right_to_left_keeps_to_itself() -> None:
    sitting = sit("play", "cheese", "--seat", "دانا", "--option", "goal=500", answer=somebody(1))
    assert "\u2068دانا\u2069 rolled" in sitting.text and sitting[:2] == (0, "")
    assert not re.search("(?<!\u2068)دانا", sitting.text)


def test_bytes_that_are_no_text_are_answered_like_a_typing_error() -> None:
    rubbish = bytes(random.Random(1).randbytes(4000)) + b"\n1\n\xff\xfe\x00,\x1b[31m\n\n" + b"\x80\n" * 20
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, "play"], input=rubbish, capture_output=True, cwd=ROOT, timeout=PATIENCE
    )
    assert run.returncode == 1 and run.stderr.decode().count("\n") == 1
    assert b"Round 1" in run.stdout and b"\x1b" not in run.stdout


WORDS = ["", "1", "2", "5", "a", "c", "d", "e", "i", "l", "r", "n", "y", "?", "?4", "all", "1 2", "3x5"]
WORDS += ["", "155", "two fives", "Ann", "Ann, Bo", "Ann, computer", "computer:random, computer"]
WORDS += ["goal=500", "cups=all", "rounds=1", "q"]


@pytest.mark.parametrize("game", GAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=12), max_size=60), st.booleans(), st.integers(0, 9))
def test_whatever_is_typed_is_answered_in_words(
    monkeypatch: pytest.MonkeyPatch, game: str, typed: list[str], seated: bool, seed: int
) -> None:
    lines = [line for text in typed for line in (text.splitlines() or [""])]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        patch.setattr(sys, "stdout", io.StringIO())
        with suppress(Closed):
            terminal.play(game if seated else None, ["Ann", "Bo"] if seated else [], [], seed)


# What is typed


def typed_form(option: Any, view: dict[str, Any]) -> str:
    match option:
        case ("keep" | "reroll", places):
            return " ".join(str(face) for face in sorted(view["dice"][view["turn"]][place] for place in places))
        case (_, (count, face)):
            return f"{count} {face}"
        case (_, number):
            return str(number)
    return str(option)


@pytest.mark.parametrize("game", GAMES)
@given(st.randoms(use_true_random=False))
def test_every_option_can_be_typed_and_nothing_else_is_taken(game: str, chance: random.Random) -> None:
    match = games.new(game, ["Ann", "Bo"], {"raise": "classic"} if game == "cacho" else {}, 1)
    for _ in range(60):
        if isinstance(match.ask, Over):
            break
        if isinstance(match.ask, Choose):
            ask, view = match.ask, match.view(None)
            question = choices.question(ask, view, Names(match.players))
            option = chance.choice(ask.options)
            read = question.read(typed_form(option, view))
            assert read in ask.options and typed_form(read, view) == typed_form(option, view)
            with pytest.raises(Refused):
                question.read("neither this nor that")
        match.answer(at_random(match, chance))


def test_enter_keeps_the_dice_that_score_and_only_those() -> None:
    match = games.new("cheese", ["Ann"], {}, 1)
    match.answer((2, 5, 2, 1, 2, 2))
    assert isinstance(match.ask, Choose)
    read = choices.question(match.ask, match.view(None), Names(match.players)).read
    assert read("") == read("all") == ("keep", (0, 1, 2, 3, 4))
    assert read("1") == ("keep", (3,)) and read("222") == ("keep", (0, 2, 4))
    for wrong, why in {"2 2": "2 2 would not score", "3": "no 3 in", "5 5": "only one 5 in", "7": "like 1 5 5"}.items():
        with pytest.raises(Refused, match=why):
            read(wrong)
    assert cheese.score((2, 5, 2, 1, 2)).total == 350


def test_a_bid_can_be_typed_in_several_ways_and_an_impossible_one_is_explained_shortly() -> None:
    for text in ("3 5", "3x5", "3 x 5", "35", "three fives", "3 fives", "three 5s", "bid 3 5"):
        assert choices.typed_bid(text) == (3, 5), text
    assert choices.typed_bid("12 aces") == (12, 1) and choices.typed_bid("a six") == (1, 6)
    for text in ("", "3", "3 7", "0 5", "five", "3 5 5", "99999 5"):
        assert choices.typed_bid(text) is None, text
    match = games.new("cacho", ["Ann", "Bo"], {}, 1)
    for answer in ((6,), (1,), (1,) * 5, (2,) * 5, ("bid", (3, 4))):
        match.answer(answer)
    assert isinstance(match.ask, Choose)
    read = choices.question(match.ask, match.view(None), Names(match.players)).read
    with pytest.raises(Refused, match=r"not possible now. Possible: 4 to 10 fours, 3 fives, 3 sixes, or d or c\."):
        read("2 6")


def test_each_computer_has_a_name_that_nobody_else_has() -> None:
    seating = seated(["Dot", "computer", " Computer:random ", "pip", "", "Dot"], GAMES["cheese"])
    assert seating.names == ("Dot", "Cubo", "Domino", "pip", "Player 5", "Dot 2")
    assert seating.levels == (None, "classic", "random", None, None, None) and seating.people == [0, 3, 4, 5]
    assert len(set(seated(["computer"] * 10, GAMES["cheese"]).names)) == 10


def test_everything_that_the_rules_can_tell_is_put_into_words() -> None:
    modules = [*(import_module(f"table.games.{game}.rules") for game in GAMES), customs]
    sources = (Path(str(module.__file__)) for module in modules)
    told = {kind for source in sources for kind in re.findall(r'tell\("(\w+)"', source.read_text(encoding="utf-8"))}
    assert len(told) > 15 and {"rolled", "chose", "drew", "out", "dudo", "calza"} | told == set(tell.TELL)


# What is drawn


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_face_says(face: int) -> None:
    picture = draw.die(face)
    assert "".join(picture).count("●") == face and str(face) in picture[-1]
    assert {draw.width_of(row) for row in picture} == {9}


def test_dice_go_into_a_second_row_where_the_window_is_narrow() -> None:
    assert len(draw.dice([1, 2, 3, 4, 5, 6], 80)) == 5
    assert len(draw.dice([1, 2, 3, 4, 5, 6], 40)) == 10
    assert all(draw.width_of(line) <= 40 for line in draw.dice([1, 2, 3, 4, 5, 6], 40))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_of_rules_that_reads_well_in_a_terminal(game: str) -> None:
    text = (folder(game) / "en.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {GAMES[game].name}\n") and 20 <= text.count("\n") <= 45
    assert all(len(line) <= 80 for line in text.split("\n"))
    words = set(re.findall(r"[a-z_]+", text.lower()))
    sink = io.StringIO()
    Screen(io.StringIO(), sink).show_page(text)
    assert set(re.findall(r"[a-z_]+", sink.getvalue().lower())) == words and "#" not in sink.getvalue()


def test_a_person_with_a_cup_is_told_to_throw_and_why_to_lift():
    seats = ("--seat", "Ann", "--seat", "computer", "--option", "cups=Ann", "--option", "dice=2", "--seed", "5")
    sitting = Sitting("play", "cacho", *seats)
    answer = somebody(1, You_open="4 6", Above="d", Lift_the_cup="3 4", End_this_game="y")
    sitting.play(lambda question: "q" if "All dice:" in sitting.text and "End" not in question else answer(question))
    story = sitting.public
    assert story.index("throw 2 dice under the cup") < story.index("You open") < story.index("Dot said dudo")
    assert story.index("Dot said dudo") < story.index("Lift the cup") < story.index("All dice:")


def test_where_the_terminal_knows_no_sequences_a_look_is_pushed_out_of_sight():
    sitting = Sitting("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--seed", "1", tty=True, TERM="dumb")
    for _ in range(20):
        question = sitting.until_question()
        assert question is not None
        before = len(sitting.text)
        sitting.type("\n")
        if "Enter hides" in question:
            break
    sitting.until_question()
    assert "\x1b" not in sitting.text
    assert sitting.text[before:].count("\n") >= 24, "the dice would still be in the window"
    sitting.process.kill()
    sitting.end()


class Dealt(Referee):
    """A game whose first hidden hand of seat 0 is given, so that nothing else differs."""

    hand: tuple[int, ...]

    def drawn(self):
        if isinstance(self.ask, Roll) and self.ask.hidden and self.ask.seat == 0:
            return self.hand[: self.ask.count]
        return super().drawn()


@pytest.mark.parametrize("seed", [4, 5, 6, 7, 11])  # a computer begins
def test_computers_at_the_terminal_play_the_same_whatever_a_person_rolled(seed):
    told = []
    for hand in ((1, 1, 1, 1, 1), (6, 6, 6, 6, 6)):
        seating = seated(["Ann", "computer", "computer"], GAMES["cacho"])
        match = begin(GAMES["cacho"], seating, {}, seed)
        dealt = Dealt(match.game, match.players, match.options, match.seed)
        dealt.hand = hand
        typed = io.StringIO("\n" * 9 + "q\ny\n")
        out = io.StringIO()
        with pytest.raises(Left):
            AtTerminal(Screen(typed, out), Match(dealt, seating)).play()
        told.append([line for line in out.getvalue().splitlines() if " bid " in line or "said" in line])
    assert told[0]
    assert told[0] == told[1]
