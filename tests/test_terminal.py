"""The terminal from the player's side: whole games over a pty and over pipes, with scripted input.

Public output and private looks are always checked separately.
"""

import io
import json
import os
import random
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table import games
from table.engine.asks import Choose, Event, Game, Over, Roll
from table.engine.errors import Closed, Refused
from table.engine.referee import Referee
from table.games import GAMES, folder
from table.games.cheese import rules as cheese
from table.session.match import Match, News, begin, seated
from table.text import narration
from table.text.catalogue import Catalogue, languages, texts
from table.text.choices import Choice, Entry, label, lists
from table.ui import terminal
from table.ui.terminal import Sitting as AtTerminal
from table.ui.terminal import choices, draw, setup
from table.ui.terminal.screen import Screen
from table.ui.terminal.setup import Left
from table.ui.terminal.tell import show_news
from tests.homemade import homemade
from tests.playing import at_random
from tests.terminal_session import (
    APART,
    COMMAND,
    PAINT,
    PATIENCE,
    ROOT,
    SEATS,
    SHORT,
    Run,
    Sitting,
    constant,
    random_answers,
    replies,
    sit,
)

SAY = Catalogue()


def words(text: str) -> str:
    """The text with all line breaks removed."""
    return " ".join(text.split())


def lines_are_narrow(text: str) -> None:
    for line in text.split("\n"):
        assert draw.width_of(line.split(" > ")[0]) <= 80, line


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_two_computers_play_a_whole_game_on_a_terminal(game: str) -> None:
    run = sit("play", game, *SEATS, *SHORT[game], "--seed", "3", answer=random_answers(3), tty=True)
    assert run[:2] == (0, "")
    assert re.search(r"★ .*(Ann|Bo|Dot|Pip)", run.public)
    assert SAY("round.plain", round=1) in run.public and "Traceback" not in run.text
    lines_are_narrow(run.public)


def english_only() -> set[str]:
    """The fixed parts of the English texts that occur in no Spanish text."""
    spanish = " ".join(str(text) for text in texts("es").values())
    parts = (part.strip(" :;,.!?()") for text in texts("en").values() for part in re.split(r"\{\w+\}", str(text)))
    return {part for part in parts if len(part) > 9 and part not in spanish}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_in_spanish_contains_no_english(game: str) -> None:
    plays, seen = random_answers(3, "es"), set()
    afterwards = iter("hxq")

    def answer(question: str) -> str:
        if constant(texts("es")["terminal.again.ask"]) in question:
            return next(afterwards)
        kind = question.partition("(")[2]
        if kind not in seen and len(seen) < 9:
            seen.add(kind)
            return "?lo"[len(seen) % 3]
        return plays(question)

    seats = ("--seat", "Ann", "--seat", "Bo", "--seat", "computer:perfect", *SHORT[game])
    run = sit("play", game, *seats, "--seed", "3", "--language", "es", answer=answer)
    assert run[:2] == (0, "") and next(afterwards, None) is None
    told = words(run.text)
    assert "★" in told and Catalogue("es")(f"{game}.name") in told
    assert [part for part in english_only() if part in told] == []
    lines_are_narrow(run.public)


def test_the_setup_is_in_spanish_if_the_config_says_so(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[screen]\nlanguage = "es"\n')
    typed = ["ajedrez", "?", "", "?mex", "mex", "?", "Ana", "Ana, computadora:lista", "", "?", "vidas", "lives=99", "q"]
    run = sit("play", answer=replies(*typed), DICETABLE_CONFIG=str(config))
    assert run[:2] == (0, "") and run.text.endswith("¡Hasta pronto!\n")
    assert [part for part in english_only() if part in words(run.text)] == []
    english = sit("play", "--language", "en", answer=replies("q"), DICETABLE_CONFIG=str(config))
    assert english.text.endswith("Goodbye!\n")


@pytest.mark.parametrize("game", GAMES)
def test_one_person_and_a_computer_play_a_whole_game_over_pipes(game: str) -> None:
    seats = ("--seat", "Ann", "--seat", "computer")
    run = sit("play", game, *seats, *SHORT[game], "--seed", "5", answer=random_answers(5))
    assert run[:2] == (0, "")
    assert "★" in run.text and "\x1b" not in run.text
    lines_are_narrow(run.text)


@pytest.mark.parametrize("tty", [True, False], ids=["terminal", "pipes"])
def test_a_separate_process_shows_the_same_as_an_in_process_run(tty: bool) -> None:
    arguments = ("play", "bluff", *SEATS, *SHORT["bluff"], "--seed", "3")
    sitting = Sitting(*arguments, tty=tty).play(random_answers(3))
    assert Run(*sitting.end(), sitting.text) == sit(*arguments, answer=random_answers(3), tty=tty)


def test_the_same_seed_gives_the_same_game() -> None:
    arguments = ("play", "cheese", "--seat", "Ann", "--option", "goal=500", "--seed", "8")
    first, second = (sit(*arguments, answer=random_answers(1)) for _ in range(2))
    assert first == second and first[:2] == (0, "") and "★ Ann" in first.text


def test_missing_arguments_are_asked_for_until_they_are_valid() -> None:
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
    plays = random_answers(2)

    def answer(question: str) -> str:
        reply = next(typed, None)
        return plays(question) if reply is None else reply

    sitting = sit("play", answer=answer)
    assert sitting[:2] == (0, "")
    for key, facts in (
        ("terminal.game.unknown", {"text": '"chess"', "near": "cheese"}),
        ("terminal.game.nothing", {"count": 5}),
        ("terminal.game.rules", {}),
        ("terminal.unfit.seats", {"game": "Mexico", "limits": "2 to 10 players", "players": 1}),
        ("terminal.options.unknown", {"name": "lifes", "near": "lives"}),
        ("terminal.options.form", {"like": "lives=3", "text": '"lives"'}),
        ("terminal.unfit.seats_with", {"game": "Mexico", "limits": "2 players", "players": 3}),
        ("records.options", {"options": "Mode: Elimination, Lives: 1, Double loss: Yes"}),
        ("terminal.introduced", {"game": "Mexico", "names": "Ann, Bo and Dot (Classic)"}),
    ):
        assert SAY(key, **facts) in words(sitting.text), key
    for told in ("What beats what", 'no computer level "genius"', "lives: a number from 1 to 9 (default: 3)."):
        assert told in words(sitting.text)
    assert SAY("mexico.option.lives.help") in words(sitting.text) and 'not "99"' in words(sitting.text)
    for game in GAMES.values():
        assert game.name in sitting.text


@pytest.mark.parametrize(("language", "word"), [("en", "computer"), ("es", "computadora")])
def test_the_hint_at_the_seats_names_a_level_that_the_game_has(language: str, word: str, tmp_path: Path) -> None:
    say = Catalogue(language)

    def hinted(game: Game) -> str | None:
        """The level of the computer that is seated by typing the hint's example."""
        with suppress(Closed):
            setup.ask_seats(Screen(io.StringIO(), asked := io.StringIO()), say, game, None)
        found = re.search(f"{word}:[^;]+", asked.getvalue())
        assert found
        typed = io.StringIO(f"Ann, {' '.join(found[0].split())}\n")
        _, seating = setup.ask_seats(Screen(typed, io.StringIO()), say, game, None)
        return seating.levels[1]

    assert hinted(GAMES["mexico"]) == "sharp"
    with homemade(tmp_path) as pig:
        assert hinted(pig) == "random"


def test_enter_seats_a_guest_against_a_computer_and_starts_another_game(tmp_path: Path) -> None:
    script = {
        "terminal.game.ask": iter(["1", "cheese"]),
        "terminal.seats.ask": iter(["", ""]),
        "terminal.options.ask": iter(["rounds=1", "goal=500"]),
        "terminal.again.ask": iter(["maybe", "", "n", "q"]),
    }

    def scripted(question: str) -> str:
        for key, typed in script.items():
            if constant(texts("en")[key]) in question:
                return next(typed)
        return random_answers(1)(question)

    kept = tmp_path / "game.json"
    sitting = sit("play", "--seed", "4", "--save", str(kept), answer=scripted)
    assert sitting[:2] == (0, "") and json.loads(kept.read_text())["about"]["guests"] == [0]
    assert sitting.text.count("Mexico: Guest and Dot (Classic).") == 2
    assert sitting.text.count("Options: Rounds: 1\n") == 2
    assert "Pass the Cheese: Guest and Dot (Classic)." in sitting.text and SAY("terminal.seats.same") in sitting.text
    assert '"maybe" is not possible here' in sitting.text and sitting.text.endswith(f"{SAY('terminal.goodbye')}\n")


def test_seats_that_do_not_fit_the_chosen_game_are_asked_for_again() -> None:
    run = sit("play", "--seat", "Ana", "--language", "es", answer=replies("mex", "q"))
    assert "México es para 2 a 10 jugadores, no para 1." in run.text and run[:2] == (0, "")


def test_odds_are_shown_on_request_and_a_review_after_the_game(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    asked = iter(["o"])

    def curious(question: str) -> str:
        if "Play again" in question:
            return next(afterwards)
        if "which dice will you keep" in question:
            return next(asked, "")
        return random_answers(1)(question)

    afterwards = iter(["h", "q"])
    seats = ("--seat", "Ann", "--seat", "computer:perfect", "--option", "goal=500", "--seed", "4")
    sitting = sit("play", "cheese", *seats, "--save", str(kept), answer=curious)
    assert sitting[:2] == (0, "")
    assert "Dot (Perfect)" in sitting.text
    odds = sitting.text.partition(SAY("terminal.odds.solved"))[2].splitlines()[1]
    assert re.fullmatch(rf"  keep [\d ]+?  +[\d.]+%  ━+ *  {SAY('terminal.odds.always')}", odds)
    assert "made the best choice" in sitting.text and "100%│" in sitting.text
    told = sit("review", str(kept), "--seat", "0", answer=lambda question: "")
    assert told[:2] == (0, "")
    title, same = told.text.split("\n", 1)
    assert title == "Pass the Cheese" and same.strip() in sitting.text
    again = sit("play", "cheese", "--seat", "Ann", "--seat", "computer", "--save", str(kept), answer=replies())
    assert again.status == 2 and json.loads(kept.read_text())["game"] == "cheese"


def test_every_game_is_saved_and_none_overwrites_another_file(tmp_path: Path) -> None:
    kept, others = tmp_path / "game.json", tmp_path / "game-2.json"
    others.write_text("mine")
    afterwards = iter(["", "q"])

    def twice(question: str) -> str:
        return next(afterwards) if "Play again" in question else random_answers(1)(question)

    arguments = ("play", "mexico", *SEATS, *SHORT["mexico"], "--seed", "4", "--save", str(kept))
    sitting = sit(*arguments, answer=twice)
    assert sitting[:2] == (0, "")
    assert {file.name for file in tmp_path.iterdir()} == {"game.json", "game-2.json", "game-3.json"}
    matches = {json.loads((tmp_path / name).read_text())["about"]["match"] for name in ("game.json", "game-3.json")}
    assert len(matches) == 2 and others.read_text() == "mine"
    told = "".join(sitting.text.split())
    assert f"Thegameissavedin{kept}." in told and f"Thegameissavedin{tmp_path / 'game-3.json'}." in told


def test_a_game_that_is_quit_or_killed_leaves_no_file(tmp_path: Path) -> None:
    for killed in (False, True):
        sitting = Sitting("play", "mexico", *SEATS, "--save", str(tmp_path / "game.json"))
        assert sitting.until_question() is not None and not list(tmp_path.iterdir())
        if killed:
            sitting.process.kill()
        else:
            sitting.type("q\ny\n")
        sitting.end()
        assert not list(tmp_path.iterdir())


def test_a_game_does_not_start_if_it_cannot_be_saved(tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("mine")
    for file, why in ((there, "already exists"), (tmp_path / "no" / "where.json", "cannot be written")):
        status, said, _ = sit("play", "mexico", *SEATS, "--save", str(file), answer=replies())
        assert status == 2 and why in said
    assert there.read_text() == "mine"


def test_the_odds_of_hidden_dice_are_shown_only_to_their_player() -> None:
    asked = iter(["o"])

    def curious(question: str) -> str:
        return next(asked, "7") if "what do you claim" in question else random_answers(1)(question)

    sitting = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--option", "rounds=1", answer=curious, tty=True)
    apart, odds = "".join(APART.findall(sitting.text)), SAY("terminal.odds.estimated").partition(",")[0]
    assert odds in apart and odds not in APART.sub("", sitting.text)


def test_without_its_table_the_perfect_level_says_which_level_it_plays_instead() -> None:
    code = "import table.games.tables as t, pathlib; t.folder = lambda game: pathlib.Path('/nonexistent'); "
    arguments = ["play", "cheese", "--seat", "Ann", "--seat", "computer:perfect"]
    done = subprocess.run(
        [sys.executable, "-c", code + COMMAND, *arguments], input="o\nq\ny\n", capture_output=True, text=True,
        cwd=ROOT, timeout=60, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert SAY("terminal.no_table", level="Sharp") in words(done.stdout)
    assert SAY("terminal.odds.nothing") in words(done.stdout) and done.stderr == ""


def test_the_perfect_level_says_so_when_a_variant_is_not_solved() -> None:
    arguments = ("play", "cheese", "--seat", "Ann", "--seat", "computer:perfect", "--option", "cards=yes")
    sitting = sit(*arguments, answer=replies("q", "y"))
    assert SAY("level.unsolved") in words(sitting.text)


# Hidden dice


def bluff_with_nothing_called(seed: int) -> Run:
    options = ("--option", "rules=simple", "--option", "rounds=1", "--seed", str(seed))
    claims = iter(["l", "7", "9"])
    asked = random_answers(0, do_you_believe="b")

    def answer(question: str) -> str:
        return next(claims) if "do you claim" in question else asked(question)

    run = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", *options, answer=answer, tty=True)
    assert run[:2] == (0, "")
    return run


def test_hidden_dice_behind_an_uncalled_claim_change_nothing_in_the_public_output() -> None:
    one, other = bluff_with_nothing_called(1), bluff_with_nothing_called(2)
    assert APART.findall(one.text) != APART.findall(other.text)
    assert one.public == other.public
    assert "Total:" not in one.public and "╭" not in one.public


def test_a_private_look_shows_only_that_players_dice() -> None:
    looks = [PAINT.sub("", look) for look in APART.findall(bluff_with_nothing_called(1).text)]
    assert [re.findall(r"for (\w+) only\)", look) for look in looks] == [["Ann"], ["Ann"], ["Bo"]]
    assert [re.findall(r"(\w+): (\d \d) \(Total: \d+\)", look)[0][0] for look in looks] == ["Ann", "Ann", "Bo"]
    assert all(look.count("╭") == 2 for look in looks)


def test_bids_reveal_nothing_about_hidden_dice() -> None:
    starts: dict[Any, int] = {}
    for seed in range(1000):  # find two seeds that differ only in the hidden dice
        game = games.new("cacho", ["Ann", "Bo"], {}, seed)
        shown = tuple(game.answer(game.drawn())[0].facts["dice"] for _ in range(2))
        if shown[0] != shown[1] and shown in starts:
            break
        starts.setdefault(shown, seed)
    runs = []
    for number in (starts[shown], seed):
        bids = iter(["1 2", "2 2", "q"])
        asked = random_answers(0, End_this_game="y")

        def answer(question: str, bids: Any = bids, asked: Any = asked) -> str:
            return next(bids) if "what do you bid" in question or "raise" in question else asked(question)

        arguments = ("play", "cacho", "--seat", "Ann", "--seat", "Bo", "--seed", str(number))
        runs.append(sit(*arguments, answer=answer, tty=True))
        assert runs[-1][:2] == (0, "")
    assert runs[0].public == runs[1].public
    assert APART.findall(runs[0].text) != APART.findall(runs[1].text)


def test_a_person_among_computers_sees_only_their_own_dice() -> None:
    options = ("--option", "rules=simple", "--option", "rounds=3", "--seed", "1")
    arguments = ("play", "bluff", "--seat", "Ann", "--seat", "computer", *options)
    sitting = sit(*arguments, answer=random_answers(0, do_you_believe="b"))
    assert sitting[:2] == (0, "")
    called = sitting.text.count("Dot calls the bluff")
    rolled_off = len(re.findall(r"(Ann|Dot) rolled \d", sitting.text))
    looked = sitting.text.count("Ann shakes their cup")
    assert looked == 3 and not re.search(r"Dot: \d \d", sitting.text)
    assert sitting.text.count("╭") == 2 * (looked + called + rolled_off)


def test_over_pipes_a_private_look_is_labelled() -> None:
    sitting = sit("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--option", "rounds=1", answer=random_answers(0))
    assert sitting[:2] == (0, "")
    look = r"\(for (\w+) only\)\n\n(\w+): \d \d .*?\(end of (\w+)'s private part\)"
    looks = re.findall(look, sitting.text, re.DOTALL)
    assert {"Ann", "Bo"} <= {name for look in looks for name in look} and all(len(set(look)) == 1 for look in looks)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_a_player_with_a_real_cup_types_the_dice_when_the_cup_is_lifted(game: str) -> None:
    short = {"bluff": "rounds=1", "cacho": "dice=1"}[game]
    seats = ("--seat", "Ann", "--seat", "Bo", "--option", "cups=Ann,bo", "--option", short)
    lifted = {"bluff": "6 6", "cacho": "6"}[game]
    answer = random_answers(1, do_you_believe="c", lift_your_cup=lifted, claim="7", **{"raise": "d"})
    sitting = sit("play", game, *seats, "--seed", "1", answer=answer)
    assert sitting[:2] == (0, "")
    assert re.search("(Ann|Bo) lifts the cup\n", sitting.text) and " only)" not in sitting.text
    assert {"bluff": "claimed 7 but had 12", "cacho": "───6───"}[game] in sitting.text


def test_a_computer_cannot_have_a_real_cup() -> None:
    arguments = ("play", "cacho", "--seat", "Ann", "--seat", "computer", "--option", "cups=Dot")
    status, errors, _ = sit(*arguments, answer=replies())
    assert status == 2 and errors.count("\n") == 1 and "Dot is a computer and cannot lift a real cup" in errors


# Errors and interruptions


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("chess", 'No hay ningún juego que se llame "chess".'),
        ("mexico --seat Ana", "México es para 2 a 10 jugadores, no para 1."),
        ("mexico --seat Ana --seat computadora:genio", 'No hay ningún nivel de computadora "genio". Los niveles son'),
        ("mexico --seat Ana --seat Beto --option vidas=1", "No hay ninguna opción que se llame vidas."),
        ("mexico --seat Ana --seat Beto --option lives=99", 'La opción lives admite un número de 1 a 9, no "99".'),
        ("mexico --seat Ana --seat Beto --option double=si", "La opción double es solo para mode=Eliminación."),
        (
            "mexico --seat Ana --seat Beto --seat Caro --option mode=challenge",
            "Con estas opciones, México es para 2 jugadores, no para 3.",
        ),
        (
            "bluff --seat Ana --seat computadora --option cups=todos",
            "Dot es una computadora y no puede levantar un vaso de verdad.",
        ),
        ("bluff --seat Ana --seat Beto --option cups=Ana,Ana", "La opción cups admite nombres separados por comas"),
        ("bluff --seat Ana --seat Beto --option wins=1,2,3", "La opción wins admite números de 0 a 1000000 separados"),
        (f"mexico --save {__file__}", "ya existe y no se cambió. Elige otro archivo."),
        ("mexico --save no/where.json", "No se puede escribir no/where.json ("),
    ],
)
def test_wrong_arguments_are_refused_in_the_language_of_the_player(arguments: str, error: str) -> None:
    status, errors, _ = sit("play", *arguments.split(), "--language", "es", answer=replies())
    assert status == 2 and errors.count("\n") == 1 and error in errors


def test_a_computer_and_its_level_can_be_named_in_the_language_of_the_player() -> None:
    arguments = ("play", "mexico", "--seat", "Ana", "--seat", "computadora:fácil", "--language", "es")
    assert "México: Ana y Dot (Fácil)." in sit(*arguments, answer=replies("q", "s")).text


@pytest.mark.parametrize(
    "arguments",
    [
        ("play",),
        ("play", "cacho"),
        ("play", "mexico", "--seat", "A", "--seat", "computer"),
        ("play", "--language", "es"),
    ],
)
def test_a_closed_terminal_ends_with_one_line_and_status_one(arguments: tuple[str, ...]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE,
    )
    assert run.returncode == 1
    ended = "La terminal se cerró y dicetable terminó."
    if "es" not in arguments:
        ended = "The terminal was closed, so dicetable has ended."
    assert run.stderr.decode("utf-8").splitlines() == [f"dicetable: {ended}"]


def test_a_broken_output_pipe_ends_the_game_quietly() -> None:
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
def test_the_terminal_is_restored_when_a_private_look_is_interrupted(key: str, status: int) -> None:
    sitting = Sitting("play", "bluff", "--seat", "Ann", "--seat", "Bo", tty=True)
    assert sitting.until_question()
    sitting.type("\n")
    assert SAY("terminal.hide") in (sitting.until_question() or "")
    assert sitting.text.count("\x1b[?1049h") == 1 and "\x1b[?1049l" not in sitting.text
    sitting.type(key)
    assert sitting.until_question() is None
    assert sitting.text.count("\x1b[?1049l") == 1
    code, errors = sitting.end()
    assert code == status and "Traceback" not in errors


def test_quitting_a_running_game_asks_for_confirmation() -> None:
    typed = replies("q", "", "?", "", "", "", "q", "y")
    sitting = sit("play", "cheese", "--seat", "Ann", answer=typed, tty=True)
    assert sitting.public.count("End this game for everyone?") == 2 and "three of a kind" in sitting.public
    assert "Goodbye!" in sitting.public and sitting[:2] == (0, "")


def test_colour_is_used_only_where_the_terminal_wants_it() -> None:
    wishes = (({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": "", "TERM": "dumb"}, False))
    for environment, painted in wishes:
        sitting = sit("play", answer=replies("q"), tty=True, **environment)
        assert ("\x1b[" in sitting.text) is painted and sitting[:2] == (0, "")


def test_output_is_ascii_where_unicode_cannot_be_shown() -> None:
    arguments = ("play", "cacho", "--seat", "Zoë 🎲 دانا", "--seat", "computer", "--option", "dice=1")
    sitting = Sitting(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="1").play(random_answers(1))
    assert sitting.end() == (0, "")
    assert sitting.text.isascii() and " +-------+\n" in sitting.text and "* " in sitting.text


def test_letters_that_the_encoding_lacks_lose_their_accents() -> None:
    run = sit("play", "--language", "es", answer=replies("mex", "q"), PYTHONIOENCODING="ascii")
    assert "Quien juega? (como Ana, Beto" in run.text and "A que jugamos?" in run.text


def test_a_right_to_left_name_is_isolated_from_the_text_around_it() -> None:
    sitting = sit("play", "cheese", "--seat", "دانا", "--option", "goal=500", answer=random_answers(1))
    assert "\u2068دانا\u2069 rolled" in sitting.text and sitting[:2] == (0, "")
    assert "\u2068دانا\u2069, roll 6 dice" in sitting.text
    assert not re.search("(?<!\u2068)دانا", sitting.text)


def test_invalid_bytes_are_treated_like_a_typing_error() -> None:
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
def test_any_input_gets_an_answer_and_never_a_crash(
    monkeypatch: pytest.MonkeyPatch, game: str, typed: list[str], seated: bool, seed: int
) -> None:
    lines = [line for text in typed for line in (text.splitlines() or [""])]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        patch.setattr(sys, "stdout", io.StringIO())
        with suppress(Closed):
            terminal.play(game if seated else None, ["Ann", "Bo"] if seated else [], [], seed)


# Typed answers


def typed_form(option: Any, choice: Choice) -> str:
    """How to type an option: its faces, a count and a face, a number, or its name in the rules."""
    match option:
        case (_, tuple(places)) if choice.kind == "dice":
            return " ".join(str(face) for face in sorted(choice.dice[place] for place in places))
        case (_, (count, face)):
            return f"{count} {face}"
        case (_, number):
            return str(number)
    return str(option)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_every_option_can_be_typed_and_others_are_refused(game: str, language: str, chance: random.Random) -> None:
    match, say = games.new(game, ["Ann", "Bo"], {"raise": "classic"} if game == "cacho" else {}, 1), Catalogue(language)
    for _ in range(60):
        if isinstance(match.ask, Over):
            break
        if isinstance(match.ask, Choose):
            ask, view = match.ask, match.view(None)
            choice, asked = lists(ask, view), choices.question(ask, view, say)
            option = chance.choice(ask.options)
            read = asked.read(typed_form(option, choice))
            assert read in ask.options and typed_form(read, choice) == typed_form(option, choice)
            with pytest.raises(Refused):
                asked.read("neither this nor that")
        match.answer(at_random(match, chance))


@pytest.mark.parametrize("language", languages())
def test_a_list_entry_can_be_typed_by_its_label_or_its_number(language: str) -> None:
    match, say = games.new("bluff", ["Ann", "Bo"], {"rules": "simple"}, 1), Catalogue(language)
    while not (isinstance(match.ask, Choose) and "call" in match.ask.options):
        match.answer(at_random(match, random.Random(1)))
    choice, asked = lists(match.ask, match.view(None)), choices.question(match.ask, match.view(None), say)
    for number, entry in enumerate(choice.entries, 1):
        words = label(entry, say)
        assert asked.read(str(number)) == asked.read(words.upper()) == asked.read(words[0]) == entry.option
        assert f"{number}  {words}" in asked.lines[number - 1]
    for wrong in ("", "0", "3", "yes"):
        with pytest.raises(Refused) as why:
            asked.read(wrong)
        assert asked.hint in str(why.value)


@pytest.mark.parametrize("language", languages())
def test_enter_rolls_and_the_first_letter_of_end_ends_the_turn(language: str) -> None:
    match, say = games.new("mexico", ["Ann", "Bo"], {}, 1), Catalogue(language)
    for answer in ((6,), (1,), (3, 1)):
        match.answer(answer)
    assert isinstance(match.ask, Choose)
    read = choices.question(match.ask, match.view(None), say).read
    assert read("") == read(say("button.roll")) == read("roll") == "roll"
    assert read(say("button.end")[0].lower()) == read(say("button.end")) == read("e") == "end"


def test_a_list_of_numbers_is_not_printed_and_words_beside_it_can_be_abbreviated() -> None:
    claims = Choice("list", tuple(Entry(("claim", n), "choice.claim", {"claim": n}, n) for n in range(1, 13)))
    asked = choices.one_of_a_list(claims, SAY)
    assert asked.lines == [] and asked.hint == SAY("terminal.hint.numbers", least=1, most=12)
    mixed = choices.one_of_a_list(Choice("list", (*claims.entries, Entry("dudo", "choice.dudo"))), SAY)
    assert len(mixed.lines) == 13 and mixed.read("12") == ("claim", 12) and mixed.read("du") == "dudo"


def test_numbers_with_different_words_are_listed() -> None:
    entries = [Entry((word, number), f"choice.{word}", number=number) for word, number in (("climb", 2), ("rest", 0))]
    asked = choices.one_of_a_list(Choice("list", tuple(entries)), SAY)
    assert asked.lines == ["  1  Climb 2", "  2  Rest 0"]
    assert [asked.read(typed) for typed in ("1", "2", "rest")] == [("climb", 2), ("rest", 0), ("rest", 0)]


def test_options_with_the_same_number_are_chosen_by_position() -> None:
    options = [("claim", 0), ("claim", 3), ("raise", 3)]
    entries = tuple(Entry(option, "choice.claim", {"claim": option[1]}, option[1]) for option in options)
    asked = choices.one_of_a_list(Choice("list", entries), SAY)
    assert [asked.read(str(place)) for place in (1, 2, 3)] == options
    assert choices.one_of_a_list(Choice("list", entries[:2]), SAY).read("0") == ("claim", 0)


def test_an_option_that_is_a_prefix_of_another_can_be_typed() -> None:
    entries = tuple(Entry(word, f"none.choice.{word}") for word in ("fold", "fold_all", "raise"))
    asked = choices.one_of_a_list(Choice("list", entries), SAY)
    assert [asked.read(text) for text in ("fold", "fold a", "r")] == ["fold", "fold_all", "raise"]
    with pytest.raises(Refused):
        asked.read("f")


def test_a_game_without_options_refuses_every_option() -> None:
    game = replace(games.GAMES["bluff"], options=make_dataclass("Options", (), frozen=True))
    assert setup.parse_options([], game, ["Ann"], SAY) == setup.parse_options([""], game, ["Ann"], SAY) == {}
    for typed in ("goal=3", "goal"):
        with pytest.raises(Refused, match="has no options"):
            setup.parse_options([typed], game, ["Ann"], SAY)


@pytest.mark.parametrize(
    ("dice", "pictures"),
    [([3, None], 2), ([[1, 2], [], [6]], 3), (2, 0), ([7, 8], 0), ([["a"]], 0), (None, 0), ([], 0)],
)
def test_only_valid_faces_are_drawn_as_dice(dice: Any, pictures: int) -> None:
    view = games.new("bluff", ["Ann", "Bo", "Cy"], {}, 1).view(None)
    sink = io.StringIO()
    event = Event("begins", {"seat": 0, "dice": dice})
    show_news(Screen(io.StringIO(), sink), News(0, None, None, (event,), view, view), SAY)
    assert sink.getvalue().count("╭") == pictures and "Ann" in sink.getvalue()


@pytest.mark.parametrize("kind", [tuple, list])
def test_an_event_that_repeats_the_dice_of_a_roll_does_not_draw_them_again(kind: type) -> None:
    view = games.new("mexico", ["Ann", "Bo"], {}, 1).view(None)
    sink, after = io.StringIO(), view | {"dice": [[3, 4], []]}
    events = (Event("rolled", {"seat": 0, "dice": (3, 4)}), Event("scored", {"seat": 0, "dice": kind((3, 4))}))
    show_news(Screen(io.StringIO(), sink), News(0, Roll(0, 2), (3, 4), events, view, after), SAY)
    assert sink.getvalue().count("╭") == 2


@pytest.mark.parametrize("kind", [tuple, list])
def test_dice_of_a_lifted_cup_are_drawn_once_by_the_event_that_tells_them(kind: type) -> None:
    view = games.new("bluff", ["Ann", "Bo"], {}, 1).view(None)
    before, after = view | {"dice": [[None, None], []]}, view | {"dice": [[3, 4], []]}
    facts = {"claimant": 0, "caller": 1, "claim": 7, "dice": kind((3, 4)), "hit": True}
    events = (Event("rolled", {"seat": 0, "dice": (3, 4)}), Event("called", facts))
    sink = io.StringIO()
    show_news(Screen(io.StringIO(), sink), News(9, Roll(0, 2), (3, 4), events, before, after), SAY)
    assert sink.getvalue().count("╭") == 2


def test_enter_keeps_the_dice_that_score_and_only_those() -> None:
    match = games.new("cheese", ["Ann"], {}, 1)
    match.answer((2, 5, 2, 1, 2, 2))
    assert isinstance(match.ask, Choose)
    asked = choices.question(match.ask, match.view(None), SAY)
    read = asked.read
    assert read("") == read("all") == ("keep", (0, 1, 2, 3, 4))
    assert read("1") == ("keep", (3,)) and read("222") == ("keep", (0, 2, 4))
    assert asked.lines[0] == "  1 2 2 2 5  Keep 5 dice: 350" and len(asked.lines) == choices.MOST_SETS
    for wrong, why in {
        "2 2": SAY("terminal.no_set", dice="2 2"),
        "3": SAY("terminal.not_there", wanted="3", dice="2 5 2 1 2 2"),
        "5 5": SAY("terminal.not_there", wanted="5 5", dice="2 5 2 1 2 2"),
        "7": SAY("terminal.not_offered", text='"7"', hint=asked.hint),
    }.items():
        with pytest.raises(Refused) as refused:
            read(wrong)
        assert str(refused.value) == why
    assert cheese.score((2, 5, 2, 1, 2)).total == 350


def test_dice_to_reroll_are_typed_by_face_and_e_keeps_all() -> None:
    match = games.new("pocoloco", ["Ann", "Bo"], {}, 1)
    match.answer((0, 1))
    match.answer((6, 2, 2))
    assert isinstance(match.ask, Choose)
    read = choices.question(match.ask, match.view(None), SAY).read
    assert read("22") == ("reroll", (1, 2)) and read("2") == ("reroll", (1,)) and read("6, 2") == ("reroll", (0, 1))
    assert read("all") == read("6 2 2") == ("reroll", (0, 1, 2))
    assert read("e") == read("Keep all") == "end"
    assert read("") == lists(match.ask, match.view(None)).entries[0].option


def test_a_bid_can_be_typed_in_several_ways_and_an_impossible_bid_is_explained() -> None:
    for text in ("3 5", "3x5", "3 x 5", "3X5", "35", "3, 5"):
        assert choices.typed_bid(text) == (3, 5), text
    assert choices.typed_bid("12 1") == choices.typed_bid("121") == (12, 1)
    for text in ("", "3", "3 7", "0 5", "five", "3 5 5", "99999 5"):
        assert choices.typed_bid(text) is None, text
    match = games.new("cacho", ["Ann", "Bo"], {}, 1)
    for answer in ((6,), (1,), (1,) * 5, (2,) * 5, ("bid", (3, 4))):
        match.answer(answer)
    assert isinstance(match.ask, Choose)
    question = choices.question(match.ask, match.view(None), SAY)
    read, example = question.read, re.match(r"like (\d+)x(\d)", question.hint)
    assert example and example[1] != example[2]  # so that people can tell the count from the face
    assert read("d") == read("dudo") == "dudo" and read("c") == "calza"
    with pytest.raises(Refused, match=r"Two sixes can't be bid now\. Possible bids: 4 to 10 fours, three fives, th"):
        read("2 6")


def test_a_game_can_be_set_up_in_the_players_language() -> None:
    say = Catalogue("es")
    for game in GAMES.values():
        assert setup.find_game(say(f"{game.id}.name"), say) is game
    given = setup.parse_options(["raise=clásico, shuffle=sí cups=todos"], GAMES["cacho"], ["Ana", "Bo"], say)
    assert given == {"raise": "classic", "shuffle": True, "cups": [0, 1]}
    typed = io.StringIO("Ana, computadora:genio\nAna, computadora:fácil, Computadora\n")
    _, seating = setup.ask_seats(Screen(typed, io.StringIO()), say, GAMES["mexico"], None)
    assert seating.names[0] == "Ana" and seating.levels == (None, "easy", "classic")


def test_each_computer_gets_a_unique_name() -> None:
    seating = seated(["Dot", "computer", " Computer:random ", "pip", "", "Dot"], GAMES["cheese"])
    assert seating.names == ("Dot", "Cubo", "Domino", "pip", "Player 5", "Dot 2")
    assert seating.levels == (None, "classic", "random", None, None, None) and seating.people == [0, 3, 4, 5]
    assert len(set(seated(["computer"] * 10, GAMES["cheese"]).names)) == 10


# Drawing


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_face_says(face: int) -> None:
    picture = draw.die(face)
    assert "".join(picture).count("●") == face and str(face) in picture[-1]
    assert {draw.width_of(row) for row in picture} == {9}


@pytest.mark.parametrize(("single", "lit"), [(False, {1, 4}), (True, {4})])
def test_the_dice_that_support_the_bid_light_up(single: bool, lit: set[int]) -> None:
    news = News(0, None, None, (), {"game": "cacho", "single": single}, {})
    counts = narration.counting(Event("dudo", {"bid": (3, 4)}), news)
    assert {face for face in range(1, 7) if counts(face)} == lit


def test_dice_wrap_into_a_second_row_in_a_narrow_window() -> None:
    assert len(draw.dice([1, 2, 3, 4, 5, 6], 80)) == 5
    assert len(draw.dice([1, 2, 3, 4, 5, 6], 40)) == 10
    assert all(draw.width_of(line) <= 40 for line in draw.dice([1, 2, 3, 4, 5, 6], 40))


@pytest.mark.parametrize("game", GAMES)
def test_every_games_rules_fit_a_terminal_page(game: str) -> None:
    text = (folder(game) / "en.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {GAMES[game].name}\n") and 30 <= text.count("\n") <= 85
    assert all(len(line) <= 80 for line in text.split("\n"))
    words = set(re.findall(r"[a-z_]+", text.lower()))
    sink = io.StringIO()
    Screen(io.StringIO(), sink).show_page(text, "")
    assert set(re.findall(r"[a-z_]+", sink.getvalue().lower())) == words and "#" not in sink.getvalue()


def test_a_person_with_a_cup_is_told_to_roll_and_why_to_lift():
    seats = ("--seat", "Ann", "--seat", "computer", "--option", "cups=Ann", "--option", "dice=2", "--seed", "5")
    sitting = Sitting("play", "cacho", *seats)
    answer = random_answers(1, what_do_you_bid="4 6", lift_your_cup="3 4", End_this_game="y", **{"raise": "d"})
    lifted = "Ann lifts the cup"
    sitting.play(lambda question: "q" if lifted in sitting.text and "End" not in question else answer(question))
    story = sitting.public
    assert story.index("roll 2 dice under the cup") < story.index("what do you bid") < story.index("Dudo! Dot")
    assert story.index("Dudo! Dot") < story.index("lift your cup") < story.index(lifted) < story.index("call!")


def test_without_escape_sequences_a_private_look_is_scrolled_out_of_sight():
    sitting = Sitting("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--seed", "1", tty=True, TERM="dumb")
    for _ in range(20):
        question = sitting.until_question()
        assert question is not None
        before = len(sitting.text)
        sitting.type("\n")
        if SAY("terminal.hide") in question:
            break
    sitting.until_question()
    assert "\x1b" not in sitting.text
    assert sitting.text[before:].count("\n") >= 24, "the dice are still in the window"
    sitting.process.kill()
    sitting.end()


class Dealt(Referee):
    """A referee that gives seat 0 a fixed hidden hand, so that two games can differ in this hand alone."""

    hand: tuple[int, ...]

    def drawn(self):
        if isinstance(self.ask, Roll) and self.ask.hidden and self.ask.seat == 0:
            return self.hand[: self.ask.count]
        return super().drawn()


@pytest.mark.parametrize("seed", [4, 5, 6, 7, 11])  # seeds with which a computer begins
def test_computers_in_the_terminal_do_not_depend_on_a_persons_hidden_dice(seed):
    told = []
    for hand in ((1, 1, 1, 1, 1), (6, 6, 6, 6, 6)):
        seating = seated(["Ann", "computer", "computer"], GAMES["cacho"])
        match = begin(GAMES["cacho"], seating, {}, seed)
        dealt = Dealt(match.game, match.players, match.options, match.seed)
        dealt.hand = hand
        typed = io.StringIO("\n" * 9 + "q\ny\n")
        out = io.StringIO()
        with pytest.raises(Left):
            AtTerminal(Screen(typed, out), Match(dealt, seating), SAY).play()
        told.append(re.findall("^(?:.* bids|Dudo!|Calza!) .*", out.getvalue(), re.MULTILINE))
    assert told[0]
    assert told[0] == told[1]
