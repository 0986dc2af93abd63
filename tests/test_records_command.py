"""The records commands, run on journals of real games, some of them while a table is writing."""

import csv
import io
import json
import random
import re
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from table import games
from table.app.arguments import PAGES
from table.engine.asks import Over
from table.storage.journal import files, integrity, store
from table.storage.journal.entries import Answered, Left
from table.storage.journal.lock import Lock
from table.ui.terminal import figures
from table.ui.terminal.draw import width_of
from tests import processes
from tests.past_games import filled, game
from tests.processes import environment, records
from tests.terminal_session import SEATS, SHORT, Sitting, random_answers, replies, sit
from tests.test_journal import (
    PLAYER,
    answers,
    began,
    child,
    evening,
    finished,
    new_game,
    opened,
    state_after,
    state_of,
)

GAMES = 12
ODD_NAMES = ("Zoë 🎲", "عمر", "Maximiliana Constanza de la Vega y Ruiz", "=1+1,\"'")


def dicetable(home: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    return processes.typed(*arguments, env=environment(home, **more))


def json_of(home: Path, *arguments: str) -> Any:
    done = dicetable(home, *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, ""), done
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def refused(done: "subprocess.CompletedProcess[str]", says: str, status: int = 2) -> None:
    """Check that the error is one line, that nothing else is printed, and that the exit status is this one."""
    assert says in done.stderr, done
    assert len(done.stderr.strip().splitlines()) == 1 and "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (status, "")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with finished games, shared by tests that only read it."""
    made = tmp_path_factory.mktemp("home")
    filled(records(made), GAMES)
    return made


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A home folder with the same games, which the test may change."""
    filled(records(tmp_path), GAMES)
    return tmp_path


SHOWN = [
    ["records"],
    ["records", "players"],
    ["records", "players", "--game", "cacho"],
    ["records", "player", "Ann"],
    ["records", "games"],
    ["records", "games", "--player", "Ann", "--most", "3"],
    ["records", "game", "4"],
    ["records", "game", "6"],
    ["records", "dice"],
    ["records", "dice", "--player", "Ann"],
    ["records", "dice", "--source", "camera"],
]


# Pages as text


@pytest.mark.parametrize("columns", [50, 28])
@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_no_page_is_wider_than_the_window(home, arguments, columns):
    done = dicetable(home, *arguments, COLUMNS=str(columns))
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(width_of, done.stdout.splitlines())) <= columns


@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_pages_are_readable_with_ascii_only_output(home, arguments):
    done = dicetable(home, *arguments, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii() and "?" not in done.stdout.replace(" play? ", "")


def test_the_first_page_shows_the_leaders_and_the_latest_games(home):
    told = dicetable(home, "records").stdout
    assert f"{GAMES} games: " in told and "━" in told
    facts = json_of(home, "records")
    assert [player["name"] for player in facts["players"]] == re.findall(r"^ *\d+  (Ann|Bo|Cleo) ", told, re.MULTILINE)
    assert [game["number"] for game in facts["last"]] == [12, 11, 10, 9, 8]
    assert sum(facts["games"].values()) == facts["finished"] == GAMES


def test_a_players_page_shows_games_rivals_moments_and_dice(home):
    told, facts = dicetable(home, "records", "player", "Ann").stdout, json_of(home, "records", "player", "Ann")
    assert f"Won: {facts['won']} of {facts['played']} (" in told
    dots = "".join("●" if won else "○" for won in facts["recent"])
    assert dots in told.splitlines()
    for rival in facts["rivals"]:
        figures = f"{rival['played']} games +{rival['won']} won +{rival['lost']} lost"
        assert re.search(rf"^{rival['name']} +{figures} ", told, re.MULTILINE)
    for moment in facts["moments"]:
        assert f"No. {moment['number']} " in told
    assert sum(map(sum, facts["faces"].values())) == facts["fairness"]["rolls"]


def test_player_names_are_case_insensitive(home):
    assert json_of(home, "records", "player", "aNN") == json_of(home, "records", "player", "Ann")
    refused(dicetable(home, "records", "player", "Anni"), 'No one called "Anni" has played here. Did you mean Ann?')


def test_the_after_option_continues_the_list_of_games(home):
    seen, after = [], []
    while True:
        found = json_of(home, "records", "games", "--most", "5", *after)
        seen += [game["number"] for game in found["games"]]
        if found["after"] is None:
            break
        after = ["--after", str(found["after"])]
    assert seen == list(range(GAMES, 0, -1)) and found["total"] == GAMES
    told = dicetable(home, "records", "games", "--most", "5", "--player", "Bo", "--game", "mexico").stdout
    assert "3 games\n" in told and "--after" not in told
    assert '--player "Bo" --game mexico --after' in dicetable(
        home, "records", "games", "--most", "1", "--player", "Bo", "--game", "mexico"
    ).stdout.replace("\n", " ")


def test_an_empty_list_of_games_says_why_it_is_empty(home, tmp_path):
    assert "There are no games before game 1." in dicetable(home, "records", "games", "--after", "1").stdout
    filled(records(tmp_path), 1)
    assert "No matching games have been finished" in dicetable(tmp_path, "records", "games", "--game", "cacho").stdout


def test_a_games_page_shows_the_result_the_luck_and_how_it_went(home):
    told, facts = dicetable(home, "records", "game", "4").stdout, json_of(home, "records", "game", "4")
    for at, seat in enumerate(facts["seats"]):
        name = f"{seat['name']}{' (Sharp)' if seat['level'] == 'sharp' else ''}"
        line = rf"^{'★' if seat['won'] else ' '}  {re.escape(name)} +{seat['standing']} points$"
        assert re.search(line, told, re.MULTILINE)
        assert facts["standings"][at][0] == 0 and facts["standings"][at][-1] == seat["standing"]
        assert 0 < facts["luck"][at]["luckier_than"] < 1
    assert told.count("of all possible results") >= 1


def test_unusual_names_are_shown(tmp_path):
    filled(records(tmp_path), 6, people=ODD_NAMES)
    for arguments in (["records"], ["records", "dice"], ["records", "game", "2"]):
        done = dicetable(tmp_path, *arguments, COLUMNS="50")
        assert done.returncode == 0 and max(map(width_of, done.stdout.splitlines())) <= 50
        assert done.stdout.count("عمر") == done.stdout.count("\u2068عمر\u2069")
    assert "\u2068عمر\u2069" in dicetable(tmp_path, "records").stdout
    assert dicetable(tmp_path, "records", "game", "2", PYTHONIOENCODING="ascii").returncode == 0
    rows = list(csv.reader(io.StringIO(dicetable(tmp_path, "records", "players", "--csv").stdout)))
    assert {row[1] for row in rows[1:]} <= {*ODD_NAMES} and len(rows) > 3


@pytest.mark.parametrize("arguments", [*SHOWN, ["records", "review", "4"], ["records", "replay", "4"]], ids=" ".join)
def test_pages_use_the_language_option_or_the_language_of_the_config(home, tmp_path, arguments):
    config = tmp_path / "table.toml"
    config.write_text('[screen]\nlanguage = "es"\n')
    english, asked, set_up = (
        dicetable(home, *arguments, *more) for more in ([], ["--language", "es"], ["--config", str(config)])
    )
    assert asked.returncode == 0 and asked.stdout == set_up.stdout != english.stdout
    for word in (" the ", " won", "Games", "rolls", "Round "):
        assert word not in asked.stdout, word


# Dice


def test_loaded_dice_are_reported_as_unfair_and_fair_dice_are_not(own):
    with closing(sqlite3.connect(records(own) / "table.db")) as file, file:
        file.execute("UPDATE faces SET sixes = sixes + 900 WHERE source = 'typed' AND name = ''")
        file.execute("INSERT OR IGNORE INTO faces VALUES ('', 'typed', 0, 0, 0, 0, 0, 900)")
    told, facts = dicetable(own, "records", "dice").stdout, json_of(own, "records", "dice")
    assert facts["sources"]["typed"]["level"] == "unfair" and facts["sources"]["typed"]["suspect"] == 6
    assert facts["sources"]["typed"]["one_in"] >= 100 and "Sixes came up too often" in told
    assert facts["sources"]["camera"]["level"] in ("few", "fair") and facts["sources"]["camera"]["suspect"] is None
    assert "however often you check" in told.replace("\n", " ")


def test_too_few_rolls_are_reported_as_few_and_not_as_fair(home, tmp_path):
    filled(records(tmp_path), 1)
    assert {one["level"] for one in json_of(tmp_path, "records", "dice")["players"].values()} == {"few"}
    told = dicetable(tmp_path, "records", "dice").stdout.replace("\n", " ")
    assert "too few rolls" in told and "nothing unusual" not in told


def test_an_unused_source_is_not_reported_as_unknown(tmp_path):
    filled(records(tmp_path), 1)
    done = dicetable(tmp_path, "records", "dice", "--source", "typed")
    refused(done, "No dice of the source typed were rolled in a finished game yet.")


def test_the_bias_option_shows_how_many_rolls_would_reveal_a_bias(home):
    needed = [json_of(home, "records", "dice", "--bias", bias)["bias"]["rolls"] for bias in ("18", "20%", "30", "10")]
    assert needed[0] > needed[1] > needed[2] > 0 and needed[3] > 0
    assert "18.0% of the time instead of 16.7%" in dicetable(home, "records", "dice", "--bias", "18").stdout
    for rubbish in ("often", "16.7", "-3", "101", "nan", "inf"):
        refused(dicetable(home, "records", "dice", f"--bias={rubbish}"), "percent")


def test_a_larger_bias_needs_fewer_rolls(home):
    for group in json_of(home, "records", "dice")["sources"].values():
        throws = [need["rolls"] for need in group["needed"]]
        assert throws == sorted(throws, reverse=True) and throws[0] > 1000


def test_dice_get_the_same_verdict_alone_and_together(home):
    """Otherwise checking one group after another would raise false alarms."""
    together = json_of(home, "records", "dice")
    for kind, option in (("sources", "--source"), ("players", "--player")):
        name, judged = next(iter(together[kind].items()))
        alone = json_of(home, "records", "dice", option, name)
        assert alone[kind] == {name: judged} and alone["groups"] == together["groups"]


# JSON and CSV

KEYS = {
    ("records",): {"finished", "games", "players", "last"},
    ("records", "players"): {"players"},
    ("records", "player", "Ann"): {
        "name", "first", "last", "played", "won", "by_game", "streak", "longest", "recent", "rivals", "moments",
        "faces", "fairness",
    },
    ("records", "games"): {"games", "total", "after"},
    ("records", "game", "1"): {
        "number", "game", "ended", "kept", "seats", "match", "began", "places", "options", "standings", "luck", "why",
    },
    ("records", "replay", "1"): {"number", "game", "ended", "kept", "seats", "steps"},
    ("records", "dice"): {"groups", "sources", "players"},
}  # fmt: skip


@pytest.mark.parametrize("arguments", KEYS, ids=" ".join)
def test_the_json_of_a_page_has_the_documented_keys(home, arguments):
    found = json_of(home, *arguments)
    assert set(found) == KEYS[arguments]
    documented = (processes.ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in documented for key in found)


def test_times_are_iso_8601_in_utc(home):
    facts = json_of(home, "records", "game", "1")
    assert (facts["began"], facts["ended"]) == ("2025-10-09T08:53:20Z", "2025-10-09T08:58:20Z")


def test_csv_has_the_same_figures_as_json(home):
    players = list(csv.DictReader(io.StringIO(dicetable(home, "records", "players", "--csv").stdout)))
    assert [(row["name"], int(row["played"]), int(row["won"]), int(row["cacho_won"])) for row in players] == [
        (one["name"], one["played"], one["won"], one["by_game"].get("cacho", {}).get("won", 0))
        for one in json_of(home, "records", "players")["players"]
    ]
    seats = list(csv.DictReader(io.StringIO(dicetable(home, "records", "games", "--csv").stdout)))
    assert [(int(row["number"]), row["name"], row["won"]) for row in seats] == [
        (game["number"], seat["name"], str(int(seat["won"])))
        for game in json_of(home, "records", "games")["games"]
        for seat in game["seats"]
    ]
    dice = list(csv.DictReader(io.StringIO(dicetable(home, "records", "dice", "--csv").stdout)))
    facts = json_of(home, "records", "dice")
    assert {row["name"]: (int(row["sixes"]), row["level"]) for row in dice if row["by"] == "player"} == {
        name: (judged["faces"][5], judged["level"]) for name, judged in facts["players"].items()
    }


# Invalid input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["records", "gamse"], 'no page "gamse". Did you mean game'),
        (["records", "players", "--fast"], "Try dicetable records players --help"),
        (["records", "--fast"], "--fast"),
        (["records", "player"], "NAME"),
        (["records", "player", "Zed"], 'No one called "Zed"'),
        (["records", "player", ""], "No one called"),
        (["records", "games", "--most", "0"], "from 1 to"),
        (["records", "games", "--most", "many"], "whole number"),
        (["records", "games", "--game", "chess"], 'no game called "chess". Did you mean cheese?'),
        (["records", "games", "--player", "Zed"], 'No one called "Zed"'),
        (["records", "game", "99"], "no finished game 99"),
        (["records", "game", "-1"], "takes the number of a game"),
        (["records", "game", "99999999999999999999"], "takes the number of a game"),
        (["records", "games", "--after", "99999999999999999999"], "takes the number of a game"),
        (["records", "game", "x"], "whole number"),
        (["records", "replay", "99"], "no finished game 99"),
        (["records", "review", "99"], "no finished game 99"),
        (["records", "review", "1", "--seat", "7"], "no seat 7"),
        (["records", "review", "1", "--seat", "Anne"], 'No one called "Anne" is in that game. Did you mean Ann?'),
        (["records", "export", "99"], "no finished game 99"),
        (["records", "game", "1", "--csv"], "Only players, games and dice"),
        (["records", "--csv"], "Only players, games and dice"),
        (["records", "games", "--csv", "--json"], "--json and --csv cannot be combined"),
        (["records", "--json", "rename", "Ann", "Zoe"], "rename supports neither --json nor --csv"),
        (["records", "--csv", "export", "1"], "export supports neither --json nor --csv"),
        (["records", "dice", "--csv", "--bias", "18"], "leave out --csv"),
        (["records", "dice", "--source", "cammera"], "Did you mean camera?"),
        (["records", "dice", "--player", "Ann", "--source", "camera"], "--player and --source cannot be combined"),
        (["records", "rename", "Zed", "Ann"], 'No one called "Zed"'),
        (["records", "rename", "Ann", "Bo"], "already a player called Bo"),
        (["records", "rename", "Ann", " "], "at least one letter"),
        (["records", "merge", "Ann", "Bo", "--yes"], "against each other, so they cannot be one person"),
        (["records", "merge", "Ann", "Ann", "--yes"], "given twice"),
        (["records", "delete", "Ann"], "add --yes"),
        (["records", "import"], "FILE"),
        (["records", "--config", "no-such-file.toml"], "no-such-file.toml"),
        (["records", "rename", "Ann", "x" * 41], "at most 40 letters"),
        (["backup"], "FILE|FOLDER"),
        (["backup", "/dev/null", "--force"], "/dev/null is not a file"),
        (["backup", "/nope/x.db"], "There is no folder /nope:"),
        (["backup", "stick-that-is-not-there/"], "There is no folder stick-that-is-not-there:"),
        (["restore", "no-such-file.db"], "is not a file"),
        (["restore", "README.md"], "is not a dicetable backup"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_invalid_input_gets_one_line_and_status_2(home, arguments, says):
    done = dicetable(home, *arguments)
    if "--json" in arguments:
        assert says in json.loads(done.stdout)["error"] and done.returncode == 2
    else:
        refused(done, says)


@pytest.mark.parametrize(
    "arguments",
    [["records"], ["records", "player", "Ann"], ["records", "delete", "Ann", "--yes"], ["backup", "x.db"]],
    ids=" ".join,
)
def test_without_records_the_commands_say_so_and_create_nothing(tmp_path, arguments):
    refused(dicetable(tmp_path, *arguments), "There are no records in")
    assert not records(tmp_path).exists()


def test_every_page_opens_before_any_game_is_finished(tmp_path):
    filled(records(tmp_path), 0)
    for arguments in (["records"], ["records", "players"], ["records", "games"], ["records", "dice"]):
        done = dicetable(tmp_path, *arguments)
        empty = "No named player has finished a game" if "players" in arguments else "No game has been finished"
        assert done.returncode == 0 and empty in done.stdout
    assert json_of(tmp_path, "records")["finished"] == 0


@pytest.mark.parametrize("arguments", [["records"], *(["records", page] for page in PAGES), ["backup"], ["restore"]])
def test_help_includes_examples(home, arguments):
    done = dicetable(home, *arguments, "--help")
    assert done.returncode == 0 and "Examples:\n  dicetable " in done.stdout


# Names


def test_a_player_is_renamed_in_every_game(own):
    before = json_of(own, "records", "player", "Ann")
    assert "now called Anna" in dicetable(own, "records", "rename", "ann", "Anna").stdout
    assert json_of(own, "records", "player", "Anna") == before | {"name": "Anna"}
    refused(dicetable(own, "records", "player", "Ann"), "Did you mean Anna?")


def test_two_names_of_one_person_are_merged(tmp_path):
    filled(records(tmp_path), 5, seed=1, people=("Ann", "Bo"))
    filled(records(tmp_path), 5, seed=2, people=("Annie", "Bo"))
    ann, annie = (json_of(tmp_path, "records", "player", name) for name in ("Ann", "Annie"))
    assert dicetable(tmp_path, "records", "merge", "Annie", "Ann", "--yes").returncode == 0
    both = json_of(tmp_path, "records", "player", "Ann")
    assert (both["played"], both["won"]) == (ann["played"] + annie["played"], ann["won"] + annie["won"])
    refused(dicetable(tmp_path, "records", "player", "Annie"), "No one called")


def test_deleting_a_player_keeps_their_games_without_the_name(own):
    before = json_of(own, "records", "games")
    assert "still there, without the name" in dicetable(own, "records", "delete", "Ann", "--yes").stdout
    after = json_of(own, "records", "games")
    assert after["total"] == before["total"] and '"Ann"' in json.dumps(before) and '"Ann"' not in json.dumps(after)
    assert b"Ann" not in b"".join(path.read_bytes() for path in records(own).glob("table*"))
    assert "Player " in dicetable(own, "records", "games").stdout
    for number in (1, 2, 3):
        assert "Ann" not in dicetable(own, "records", "export", str(number), "--text").stdout


@pytest.mark.parametrize(("typed", "gone"), [("y", True), ("", False), ("n", False)])
def test_deleting_a_player_in_a_terminal_asks_for_confirmation(own, typed, gone):
    sitting = sit("records", "delete", "Ann", answer=replies(typed), tty=True, **environment(own))
    assert "Delete Ann?" in sitting.public
    assert sitting[:2] == (0 if gone else 1, "")
    assert (dicetable(own, "records", "player", "Ann").returncode == 2) == gone


def test_renaming_works_even_if_the_output_cannot_show_the_name(own):
    done = dicetable(own, "records", "rename", "Ann", "Zoë", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout, done.stderr) == (
        0, "Ann is now called Zo?, in all recorded games.\n", "",
    )  # fmt: skip
    assert json_of(own, "records", "player", "Zoë")["played"]


def test_names_that_differ_only_in_case_must_be_typed_exactly(tmp_path):
    filled(records(tmp_path), 2, seed=1, people=("Ann", "Bo"))
    filled(records(tmp_path), 2, seed=2, people=("ANN", "Bo"))
    refused(dicetable(tmp_path, "records", "player", "ann"), "ANN and Ann have played here")
    assert json_of(tmp_path, "records", "player", "ANN")["name"] == "ANN"


@pytest.mark.parametrize(
    "change", [["rename", "Ann", "Anna"], ["merge", "Ann", "Cleo", "--yes"], ["delete", "Ann", "--yes"]]
)
def test_a_player_with_a_game_at_a_running_table_keeps_their_name(tmp_path, change):
    folder, chance = records(tmp_path), random.Random(6)
    filled(folder, 3, seed=2, people=("Cleo", "Bo"))
    playing = new_game(chance, "mexico", ("Ann", "Bo"))
    with Lock(folder), opened(folder) as context:
        context.keep(began("live", playing), *answers("live", playing, chance, most=5))
        refused(dicetable(tmp_path, "records", *change), "Ann has an unfinished game at the running table")
        assert dicetable(tmp_path, "records", "rename", "Cleo", "Clea").returncode == 0
        dicetable(tmp_path, "records", "rename", "Clea", "Cleo")
    assert dicetable(tmp_path, "records", *change).returncode == 0


# Replays and reviews


@pytest.mark.parametrize("number", range(1, 6))
def test_a_replay_shows_every_step_and_the_result(home, number):
    told, facts = (
        dicetable(home, "records", "replay", str(number)).stdout,
        json_of(home, "records", "replay", str(number)),
    )
    winners = [seat["name"] for seat in facts["seats"] if seat["won"]]
    assert winners[0] in told.split("\n\n")[-1]
    assert [seat["standing"] for seat in facts["seats"]] == facts["steps"][-1]["view"]["standing"]
    for step in facts["steps"]:
        assert all(die is not None for dice in step["view"]["dice"] for die in dice)


def test_hidden_dice_are_open_in_a_replay(home):
    (number,) = [g["number"] for g in json_of(home, "records", "games", "--game", "bluff", "--most", "1")["games"]]
    steps = json_of(home, "records", "replay", str(number))["steps"]
    hidden = [step for step in steps if any(None in event.get("dice", ()) for event in step["events"])]
    told = dicetable(home, "records", "replay", str(number)).stdout
    assert hidden and len(re.findall(r"shakes their cup: \d \d$", told, re.MULTILINE)) == len(hidden)
    assert all(len(step["answer"]) == 2 for step in hidden)


def test_in_a_terminal_enter_goes_forward_b_goes_back_and_q_quits(home):
    sitting = Sitting("records", "replay", "3", tty=True, **environment(home))
    seen = []
    for typed in ("", "", "b", "5", "x", "q"):
        assert sitting.until_question()
        seen.append(re.findall(r"Step (\d+) of 9", sitting.public)[-1])
        sitting.type(typed + "\n")
    assert sitting.until_question() is None and sitting.end() == (0, "")
    assert seen == ["1", "2", "3", "2", "5", "5"]


def test_in_a_terminal_the_last_step_shows_the_result_and_enter_quits(home):
    sitting = sit("records", "replay", "3", answer=lambda question: "", tty=True, **environment(home))
    assert sitting[:2] == (0, "") and sitting.public.count("★") == 1


@pytest.mark.ground
def test_a_review_covers_the_people_and_matches_that_of_the_exported_game(home, tmp_path):
    pytest.importorskip("numpy", reason="the perfect player needs numpy")
    exported = tmp_path / "game.json"
    exported.write_text(dicetable(home, "records", "export", "4").stdout)
    of_all = [json.loads(line) for line in dicetable(home, "review", str(exported), "--json").stdout.splitlines()]
    found = json_of(home, "records", "review", "4")
    assert found["reviews"] == of_all[:3] and len(of_all) == 4
    assert json_of(home, "records", "review", "4", "--seat", "3")["reviews"] == of_all[3:]
    told = dicetable(home, "records", "review", "4", "--seat", "0").stdout
    by_name = dicetable(home, "review", str(exported), "--seat", found["reviews"][0]["name"].upper()).stdout
    title, number, same = told.split("\n", 2)
    assert number.startswith("No. 4 · ") and by_name == f"{title}\n{same}" and "100%│" in told


@pytest.mark.ground
def test_a_review_can_list_every_decision(home):
    pytest.importorskip("numpy", reason="the perfect player needs numpy")
    (found,) = json_of(home, "records", "review", "4", "--seat", "0")["reviews"]
    told = dicetable(home, "records", "review", "4", "--seat", "0", "--all").stdout
    assert len(re.findall(r"Round \d+, ", told)) == len(found["decisions"])
    assert told.count("Better: ") == sum(each["chosen"] != each["best"] for each in found["decisions"])


# Export and import


def test_the_referee_loads_an_exported_game(home):
    for number in range(1, 6):
        line = dicetable(home, "records", "export", str(number)).stdout
        done = subprocess.run(
            [*processes.COMMAND, "referee"], input=line, capture_output=True, text=True, cwd=processes.ROOT, timeout=60
        )
        (answer,) = [json.loads(line) for line in done.stdout.splitlines()]
        seats = json_of(home, "records", "game", str(number))["seats"]
        assert answer["over"] and answer["winners"] == [at for at, seat in enumerate(seats) if seat["won"]]


def test_an_imported_game_has_the_same_pages_on_another_table(tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    filled(records(there), 5)
    files = [str(tmp_path / f"{number}.json") for number in range(1, 6)]
    for number, file in enumerate(files, 1):
        done = dicetable(there, "records", "export", str(number), file)
        assert (done.returncode, done.stderr) == (0, "")
    done = dicetable(here, "records", "import", *files)
    assert (done.returncode, done.stderr) == (0, "") and "5 of 5 games were imported" in done.stdout
    for page in (["records"], ["records", "player", "Ann"], ["records", "dice"], ["records", "game", "2"]):
        assert json_of(here, *page) == json_of(there, *page)
    again = dicetable(here, "records", "import", *files)
    assert again.returncode == 0 and "Already here: 5." in again.stdout
    assert "is already here, as game 3." in dicetable(here, "records", "import", files[2]).stdout
    assert json_of(here, "records")["finished"] == 5


def test_a_game_played_in_a_terminal_is_imported_with_its_computers(tmp_path):
    saved = tmp_path / "game.json"
    sitting = Sitting("play", "bluff", *SEATS, *SHORT["bluff"], "--seed", "3", "--save", str(saved))
    sitting.play(random_answers(3)).end()
    assert "as game 1" in dicetable(tmp_path, "records", "import", str(saved)).stdout
    facts = json_of(tmp_path, "records", "game", "1")
    assert [seat["level"] for seat in facts["seats"]] == [None, None, "classic", "random"]
    assert [one["name"] for one in json_of(tmp_path, "records", "players")["players"]] in (["Ann", "Bo"], ["Bo", "Ann"])
    dice = json_of(tmp_path, "records", "dice")
    assert set(dice["sources"]) == {"simulated"} and set(dice["players"]) == {"Ann", "Bo"}


@pytest.mark.parametrize(
    ("left", "says"), [(False, "still being played here"), (True, "was given up here")], ids=["unfinished", "given up"]
)
def test_importing_does_not_overwrite_a_game_that_did_not_finish_here(tmp_path, left, says):
    there, file = tmp_path / "there", tmp_path / "game.json"
    (match,) = filled(records(there), 1)
    file.write_text(dicetable(there, "records", "export", "1").stdout)
    with opened(records(tmp_path)) as context:
        context.keep(*list(game(match, 0))[:5], *([Left(match, 5.0)] if left else []))
        refused(dicetable(tmp_path, "records", "import", str(file)), says, status=1)


def test_a_file_that_cannot_be_imported_does_not_stop_the_others(home, tmp_path):
    good, rubbish, unfinished, changed = (tmp_path / name for name in ("good", "rubbish", "unfinished", "changed"))
    good.write_text(dicetable(home, "records", "export", "1").stdout)
    rubbish.write_text("[" * 5000)
    unfinished.write_text(json.dumps(games.new("mexico", ["Ann", "Bo"]).save()))
    changed.write_text(good.read_text().replace('"Bo"', '"Mo"'))
    done = dicetable(tmp_path, "records", "import", *map(str, (rubbish, unfinished, changed, "no-such-file", good)))
    assert done.returncode == 1 and "1 of 5 games were imported" in done.stdout
    files = (rubbish, unfinished, changed, "no-such-file")
    for file, line in zip(files, done.stderr.splitlines(), strict=True):
        assert line.startswith(f"dicetable: {file}")
    assert "Traceback" not in done.stderr and json_of(tmp_path, "records")["finished"] == 1


def test_an_import_error_names_the_file_once_and_says_what_is_expected(tmp_path):
    rubbish, nothing = tmp_path / "rubbish.json", tmp_path / "nothing.json"
    rubbish.write_text("no JSON")
    nothing.write_text("{}")
    for file in (rubbish, nothing, tmp_path / "missing.json"):
        told = dicetable(tmp_path, "records", "import", str(file)).stderr
        assert told.count(file.name) == 1 and "load takes" not in told
    told = subprocess.run(
        [*processes.COMMAND, "records", "import", "-"], input="{}", capture_output=True, text=True, cwd=processes.ROOT,
        timeout=60, env=environment(tmp_path),
    ).stderr  # fmt: skip
    assert told == (
        "dicetable: Standard input is not a saved game: dicetable play --save and dicetable records export write "
        "saved games.\n"
    )


def test_a_game_between_computers_is_reviewed_if_a_seat_is_given(own, tmp_path):
    saved = tmp_path / "game.json"
    command = ["play", "mexico", "--seat", "computer", "--seat", "computer:random", "--seed", "3", "--save", str(saved)]
    dicetable(own, *command)  # plays until the table asks whether to play another game
    assert dicetable(own, "records", "import", str(saved)).returncode == 0
    number = str(GAMES + 1)
    refused(dicetable(own, "records", "review", number), "Only computers")
    assert "made the best choice" in dicetable(own, "records", "review", number, "--seat", "1").stdout


def test_the_error_for_a_locked_file_suggests_trying_again(own, monkeypatch):
    monkeypatch.setattr(files, "_PATIENCE", 0.05)  # seconds before the lock is reported
    with closing(sqlite3.connect(records(own) / "table.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused(dicetable(own, "records", "rename", "Ann", "Zoe"), "(database is locked): try again.")
        other.execute("ROLLBACK")


def test_a_dash_exports_to_standard_output(home):
    assert dicetable(home, "records", "export", "1", "-").stdout == dicetable(home, "records", "export", "1").stdout


def test_a_name_is_found_in_any_unicode_normalization(own):
    assert dicetable(own, "records", "rename", "Ann", "Zoë").returncode == 0
    assert json_of(own, "records", "player", "zoe\u0308")["name"] == "Zoë"


def test_exporting_does_not_overwrite_a_file(home, tmp_path):
    there = tmp_path / "there.json"
    there.write_text("mine")
    refused(dicetable(home, "records", "export", "1", str(there)), "already exists")
    refused(dicetable(home, "records", "export", "1", str(tmp_path / "no" / "where.json")), "cannot be written")
    assert there.read_text() == "mine"


def test_the_text_of_a_game_lists_players_options_rounds_and_the_result(home, tmp_path):
    text = dicetable(home, "records", "export", "5", "--text").stdout
    facts = json_of(home, "records", "game", "5")
    assert text.startswith("Cacho\n  13 Oct 2025") and "Players: Cleo and Bo" in text and "Dice: 2" in text
    assert len(re.findall(r"^Round \d", text, re.MULTILINE)) == len(facts["standings"][0]) - 1
    assert text.rstrip().splitlines()[-3:] == ["Bo wins with 1 die left!", "  Bo: 1 die", "  Cleo: 0 dice"]
    written = tmp_path / "game.txt"
    dicetable(home, "records", "export", "5", str(written), "--text")
    assert written.read_text(encoding="utf-8") == text


def test_a_game_with_other_rules_is_shown_from_its_log(tmp_path):
    """After an update, for example, the logged questions may no longer match the rules."""
    path, _ = files.ready(records(tmp_path), files.Brake())
    with closing(files.opened(path)) as file:
        file.execute("BEGIN")
        for entry in game("old", 1):
            old = isinstance(entry, Answered) and entry.asked.startswith("hidden")
            store.write(file, replace(entry, asked=f"{entry.asked[:-1]}3") if old else entry)
        file.execute("COMMIT")
    text = dicetable(tmp_path, "records", "export", "1", "--text").stdout
    assert "can no longer be replayed" in text and re.search(r"\w+, rolled, dice \d \d\n", text)
    assert "None" not in text and "Cleo won" in text
    page = dicetable(tmp_path, "records", "game", "1")
    assert page.returncode == 0 and "can no longer be replayed" in page.stdout
    assert "ya no se puede ver" in dicetable(tmp_path, "records", "game", "1", "--language", "es").stdout
    assert "cannot be resumed with version" in json_of(tmp_path, "records", "game", "1")["why"]
    refused(dicetable(tmp_path, "records", "replay", "1"), "cannot be resumed with version")


def test_a_game_without_its_log_says_that_it_is_no_longer_kept(own):
    with closing(sqlite3.connect(records(own) / "table.db")) as file, file:
        file.execute("UPDATE matches SET log = NULL WHERE key = 2")
    facts = json_of(own, "records", "game", "2")
    assert not facts["kept"] and "no longer kept" in facts["why"] and len(facts["seats"]) == 4
    assert "can no longer be replayed" in dicetable(own, "records", "export", "2", "--text").stdout
    refused(dicetable(own, "records", "export", "2"), "no longer kept")


# Backups


def state(home: Path) -> dict[str, Any]:
    pages = [["records"], ["records", "player", "Ann"], ["records", "dice"], ["records", "games", "--most", "1000"]]
    return {" ".join(page): json_of(home, *page) for page in pages}


def test_a_backup_is_restored_elsewhere(home, tmp_path):
    copy = tmp_path / "copy.db"
    done = dicetable(home, "backup", str(copy))
    assert (done.returncode, done.stderr) == (0, "") and f"{GAMES} finished games" in done.stdout
    assert dicetable(tmp_path, "restore", str(copy)).returncode == 0
    assert state(tmp_path) == state(home)


def test_restoring_sets_the_current_data_aside(own, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    filled(records(other), 3, seed=9, people=("Dee", "Ede"))
    copy = other / "copy.db"
    dicetable(other, "backup", str(copy))
    before = state(own)
    aside = json_of(own, "restore", str(copy))["before"]
    assert json_of(own, "records")["finished"] == 3
    assert dicetable(own, "restore", aside).returncode == 0
    assert state(own) == before


def test_a_backup_overwrites_files_only_with_force_and_never_the_tables_own(own, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stick")
    first, second = (json_of(own, "backup", str(folder))["file"] for _ in range(2))
    assert first != second and re.search(r"dicetable-\d{4}-\d\d-\d\d\.db$", first)
    refused(dicetable(own, "backup", first), "already exists")
    assert dicetable(own, "backup", first, "--force").returncode == 0
    table = records(own) / "table.db"
    kept = table.read_bytes()
    refused(dicetable(own, "backup", str(table), "--force"), "one of the table's own files")
    refused(dicetable(own, "restore", str(table)), "one of the table's own files")
    (folder / "link.db").symlink_to(table)
    refused(dicetable(own, "restore", str(folder / "link.db")), "one of the table's own files")
    assert table.read_bytes() == kept
    refused(dicetable(own, "backup", str(folder / "no" / "where.db")), "There is no folder")


class Terminal(io.StringIO):
    """A standard error stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_slow_command_counts_the_seconds_and_wipes_them_at_the_end(monkeypatch):
    monkeypatch.setattr(figures, "BEAT", 0.01)
    monkeypatch.setattr("sys.stderr", seen := Terminal())
    with figures.busy("Writing"):
        end = time.monotonic() + processes.PATIENCE
        while "Writing: 0 s" not in seen.getvalue():
            assert time.monotonic() < end
            time.sleep(processes.LOOK)
    assert seen.getvalue().endswith(" \r")


def test_a_damaged_backup_is_refused_and_nothing_changes(own, tmp_path):
    copy = tmp_path / "copy.db"
    dicetable(own, "backup", str(copy))
    whole, before = copy.read_bytes(), state(own)
    chance = random.Random(4)
    for _ in range(3):
        torn = bytearray(whole[: len(whole) // 2 * 2])
        at = chance.randrange(4096, len(torn) - 4096)
        torn[at : at + 4096] = bytes(4096)
        copy.write_bytes(torn)
        done = dicetable(own, "restore", str(copy))
        refused(done, "damaged")
    assert state(own) == before


def test_a_backup_is_consistent_while_a_table_writes_and_after_it_is_killed(tmp_path):
    folder, copies = records(tmp_path), [tmp_path / f"copy-{number}.db" for number in range(4)]
    confirmed = 0
    at_least = []  # how many entries were confirmed before each copy
    with child(PLAYER, folder, "busy") as process:
        assert process.stdout
        for copy in copies[:3]:
            for _ in range(60):
                assert process.stdout.readline() == "kept\n"
                confirmed += 1
            at_least.append(confirmed)
            done = dicetable(tmp_path, "backup", str(copy))
            assert (done.returncode, done.stderr) == (0, "")
        process.kill()
        rest = process.stdout.readlines().count("kept\n")
    entries = list(islice(evening("busy"), confirmed + rest + 1))  # the last may have been written but not confirmed
    assert dicetable(tmp_path, "backup", str(copies[3])).returncode == 0
    for copy, least in zip(copies, [*at_least, confirmed], strict=True):
        with closing(files.reading(copy, alone=True)) as file:
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert integrity.contradiction(file, deep=True) is None
        kept = state_of(copy)
        assert any(kept == state_after(entries[:count]) for count in range(least, len(entries) + 1))
    other = tmp_path / "other"
    assert dicetable(other, "restore", str(copies[3])).returncode == 0
    finished_here = json_of(tmp_path, "records")["finished"]
    assert json_of(other, "records")["finished"] == finished_here
    with opened(records(other)) as context:  # a table can start with the restored records
        assert len(context.records.unfinished) <= 1


def test_a_game_continues_during_a_restore_and_is_counted_with_the_restored_ones(own, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    filled(records(other), 7, seed=5)
    dicetable(other, "backup", str(other / "copy.db"))
    want = json_of(other, "records", "player", "Ann")
    chance = random.Random(3)
    playing = new_game(chance, "cheese", ("Ann", "Zoe"))
    with Lock(records(own)), opened(records(own)) as context:
        context.keep(began("live", playing), *answers("live", playing, chance, most=9))
        assert dicetable(own, "restore", str(other / "copy.db")).returncode == 0
        kept = context.keep(*answers("live", playing, chance), finished("live", playing))
        assert {type(message).__name__ for message in kept} == {"Committed"}
    assert isinstance(playing.ask, Over)
    now = json_of(own, "records", "player", "Ann")
    assert json_of(own, "records")["finished"] == 8
    assert (now["played"], now["won"]) == (want["played"] + 1, want["won"] + (0 in playing.ask.winners))
    last = json_of(own, "records", "games", "--most", "1")["games"][0]
    assert last["game"] == "cheese" and [seat["name"] for seat in last["seats"]] == ["Ann", "Zoe"]
    exported = json.loads(dicetable(own, "records", "export", str(last["number"])).stdout)["load"]
    assert games.load(exported).history == playing.history


def test_players_are_renamed_and_games_imported_while_a_table_plays(own, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    filled(records(other), 1, seed=8)
    (other / "game.json").write_text(dicetable(other, "records", "export", "1").stdout)
    chance = random.Random(6)
    playing = new_game(chance, "mexico", ("Ann", "Bo"))
    with Lock(records(own)), opened(records(own)) as context:
        context.keep(began("live", playing), *answers("live", playing, chance, most=5))
        refused(dicetable(own, "records", "rename", "Ann", "Anna"), "has an unfinished game at the running table")
        assert dicetable(own, "records", "import", str(other / "game.json")).returncode == 0
        assert dicetable(own, "records", "rename", "Cleo", "Cleopatra").returncode == 0
        kept = context.keep(*answers("live", playing, chance), finished("live", playing))
        assert {type(message).__name__ for message in kept} == {"Committed"}
    assert json_of(own, "records")["finished"] == GAMES + 2
    known = {player["name"] for player in json_of(own, "records", "players")["players"]}
    assert {"Ann", "Cleopatra"} <= known and "Cleo" not in known
