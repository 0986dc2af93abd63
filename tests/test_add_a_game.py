"""docs/add-a-game.md is correct: its files, installed as a package, make a playable game."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from inspect import isfunction, signature
from pathlib import Path

import pytest

from table.engine import customs
from table.engine.asks import Roll, Steps, Table
from table.games import GAMES
from table.games.default import words

CLONE = Path(__file__).parent.parent
PAGE = (CLONE / "docs" / "add-a-game.md").read_text(encoding="utf-8")
BLOCK = r"\n\n```\w+\n(.*?)^```$"
FILES = dict(re.findall(r"^`([\w/.]+)`" + BLOCK, PAGE, re.MULTILINE | re.DOTALL))
EXTRA = dict(re.findall(r"^(?:In|At the top of) `([\w/.]+)`:" + BLOCK, PAGE, re.MULTILINE | re.DOTALL))
RULES = "dicetable_pig/rules.py"
TEXTS = "dicetable_pig/en.toml"


def installed(folder: Path, files: dict[str, str]) -> Path:
    """Install a package with these files, and return the folder to put on the path."""
    for name, text in files.items():
        path = folder / "pig" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--target", site, folder / "pig"], check=True, timeout=120)
    return site


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return installed(tmp_path_factory.mktemp("whole"), FILES)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The package with its rules but without its texts."""
    files = {name: text for name, text in FILES.items() if name in (RULES, "pyproject.toml")}
    return installed(tmp_path_factory.mktemp("bare"), files)


def python(site: Path, *arguments: str, input: str = "", folder: Path = CLONE) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{CLONE}", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", *arguments]
    ends = {"input": input, "capture_output": True, "text": True, "encoding": "utf-8"}
    return subprocess.run(command, env=env, cwd=folder, timeout=120, **ends)


def run(site: Path, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    return python(site, "table", *arguments, input=input)


def dicetable(site: Path, *arguments: str, input: str = "") -> str:
    done = run(site, *arguments, input=input)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def with_rules(folder: Path, changed: str) -> Path:
    """Install Pig with these rules instead of its own, and return the folder to put on the path."""
    return installed(folder, {**FILES, RULES: changed})


def test_the_page_has_four_files_with_at_most_120_lines_in_all():
    assert set(FILES) == {RULES, "pyproject.toml", TEXTS, "dicetable_pig/es.toml"}
    assert sum(len(text.splitlines()) for text in FILES.values()) <= 120
    assert "pig" not in GAMES, "pig must come from the page only"


@pytest.mark.parametrize("site", ["bare", "whole"])
def test_the_game_can_be_played_to_the_end_over_the_protocol(site, request):
    requests = ['{"games": true}', '{"new": "pig", "players": ["Ann", "Bo"], "options": {"goal": 20}, "seed": 7}']
    requests += ['{"auto": true}', '{"bot": "search"}'] * 400
    replies = [
        json.loads(line)
        for line in dicetable(request.getfixturevalue(site), "referee", input="\n".join(requests)).splitlines()
    ]
    (listed,) = (game for game in replies[0]["games"] if game["id"] == "pig")
    assert listed["levels"] == ["random", "search"]
    assert any(reply.get("event") == "bust" for reply in replies)
    over = next(reply for reply in replies if "over" in reply)
    assert over["winners"] == over["places"][0] and max(over["standing"]) >= 20


def test_without_texts_the_terminal_uses_the_names_from_the_rules(bare):
    narrated = played(bare, "en")
    assert "rolled" in narrated and re.search(r"bust, points \d+", narrated)


@pytest.mark.parametrize(("language", "words"), [("en", ["A one!", "banks"]), ("es", ["¡Un uno!", "guarda"])])
def test_with_texts_the_terminal_narrates_the_game_in_every_language(whole, language, words):
    narrated = played(whole, language)
    assert all(word in narrated for word in words)


GAME = ("play", "pig", *2 * ("--seat", "computer:random"), "--option", "goal=60", "--seed", "3")


def played(site: Path, language: str) -> str:
    return dicetable(site, *GAME, "--language", language, input="q\n")


def test_computers_can_play_the_game_against_each_other(bare):
    found = json.loads(dicetable(bare, "arena", "pig", "search", "random", "--games", "6", "--seed", "1", "--json"))
    assert found["games"] == 6


def test_the_pages_own_test_passes(whole, tmp_path):
    (test,) = (name for name in EXTRA if name.startswith("tests/"))
    (tmp_path / "test_pig.py").write_text(EXTRA[test], encoding="utf-8")
    done = python(whole, "pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)
    assert "2 passed" in done.stdout, done.stdout


def test_the_pages_protocol_lines_answer_every_ask(whole):
    (command,) = re.findall(r"^printf (.*?) \| dicetable referee$", PAGE, re.MULTILINE | re.DOTALL)
    requests = re.findall(r"'(\{.*?\})'", command)
    replies = [json.loads(line) for line in dicetable(whole, "referee", input="\n".join(requests)).splitlines()]
    assert not any("error" in reply for reply in replies)
    assert {"event": "banked", "seat": 0, "points": 6, "total": 6} in replies
    assert len([reply for reply in replies if "ask" in reply]) == len(requests) == 4


def test_the_pages_own_words_change_the_line_at_the_top(tmp_path):
    files = {**FILES, "dicetable_pig/words.py": EXTRA["dicetable_pig/words.py"], TEXTS: EXTRA[TEXTS] + FILES[TEXTS]}
    told = dicetable(installed(tmp_path, files), *GAME, input="q\n")
    assert "Round 1, first to 60" in told and re.search(r"Only \d+ to go!", told)


def test_in_the_pages_example_dice_set_aside_are_kept_and_the_others_are_rolled_again():
    (code,) = re.findall(r"^```python\n(@dataclass\nclass Board:\n    kept.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    known = {"dataclass": dataclass, "field": field, "Table": Table, "Steps": Steps, "Roll": Roll}
    exec(code, known)
    table = Table(1)
    table.board, table.standing = known["Board"](), [0]
    steps = known["take_turn"](table, 0)
    assert next(steps) == Roll(0, 5)
    assert steps.send((6, 1, 6, 2, 3)) == Roll(0, 3)
    assert (table.board.kept, table.hands[0]) == ([6, 6], (1, 2, 3))
    assert steps.send((6, 5, 5)) == Roll(0, 2)
    with pytest.raises(StopIteration):
        steps.send((4, 6))
    assert (table.board.kept, table.hands[0], table.standing) == ([6, 6, 6, 6], (4,), [4])


def test_the_page_names_every_custom_and_no_other():
    public = {name for name, value in vars(customs).items() if isfunction(value)}
    (listed,) = re.findall(r"^Common steps are.*?^###", PAGE, re.MULTILINE | re.DOTALL)
    assert public == set(re.findall(r"(\w+)\(", listed))


def test_the_functions_for_words_that_the_page_lists_exist_with_the_same_parameters():
    listed = re.findall(r"^\| `(\w+)\(([\w, ]+, say)\)` \|", PAGE, re.MULTILINE)
    assert len(listed) == 7
    for name, parameters in listed:
        assert list(signature(getattr(words, name)).parameters) == parameters.split(", "), name


def test_if_the_game_cannot_be_imported_the_reason_is_named_and_the_other_games_still_work(tmp_path):
    site = with_rules(tmp_path, "import nonsense\n" + FILES[RULES])
    (listed,) = [json.loads(line) for line in dicetable(site, "referee", input='{"games": true}\n').splitlines()]
    assert {"mexico", "bluff"} <= {game["id"] for game in listed["games"]}
    refused = run(site, "play", "pig", "--seat", "Ann", "--seat", "computer")
    why = "No module named 'nonsense' in rules.py, line 1"
    assert why in refused.stderr and "Traceback" not in refused.stderr
    doctor = run(site, "doctor", "--json")
    (found,) = [finding for finding in json.loads(doctor.stdout)["findings"] if finding["what"] == "games"]
    assert found["state"] == "broken" and "pig cannot be played" in found["said"] and why in found["said"]


def test_rules_that_fail_at_the_start_are_named_with_their_line_by_every_command(tmp_path):
    line = next(at for at, text in enumerate(FILES[RULES].splitlines(), 1) if "table.board = Board()" in text)
    site = with_rules(tmp_path, FILES[RULES].replace("table.board = Board()", "table.board = 0 / 0"))
    why = f"The rules of Pig failed (ZeroDivisionError in rules.py, line {line})."
    for command in (
        ["play", "pig", "--seat", "Ann", "--seat", "computer"],
        ["arena", "pig", "random", "random", "--games", "4"],
    ):
        done = run(site, *command)
        assert why in done.stderr and len(done.stderr.splitlines()) == 1 and done.returncode == 2, command
    asked = run(site, "play", input="pig\nAnn, Bo\n\n")
    assert why in asked.stderr and "Traceback" not in asked.stderr
    reply = json.loads(dicetable(site, "referee", input='{"new": "pig", "players": ["Ann", "Bo"]}\n'))
    assert why in reply["error"]


def test_a_text_with_an_unknown_fact_is_named_on_stderr_and_the_default_is_used(tmp_path):
    en = FILES[TEXTS].replace("{name} banks {points}:", "{name} banks {pints}:")
    done = run(installed(tmp_path, {**FILES, TEXTS: en}), *GAME, input="q\n")
    why = "this text uses the fact 'pints', which is not available here"
    assert done.stderr == f"pig: tell.banked: {why}\n"
    assert re.search(r"banked, at risk \d+", done.stdout)
