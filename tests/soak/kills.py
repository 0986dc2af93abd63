"""Kills a table in the middle of its games, reopens the journal, and compares it with what the table had reported.

Its one rule: the moment of the kill is random, and the checks do not depend on it. Everything that was reported as
stored is there, plus at most one further answer, and nothing else.
"""

import json
import queue
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Over
from table.engine.referee import Referee
from table.session.messages import Committed, Message, Opened, Records, Troubled
from table.storage.journal.entries import Setting
from table.storage.journal.folded import unfold
from table.storage.journal.writer import Journal
from tests.soak.player import HEADER, seen

PATIENCE = 60.0  # seconds for operations that normally take a fraction of a second
ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Report:
    """What the killed table reported about a match."""

    game: dict[str, Any]
    levels: list[str | None]
    guests: list[int]
    answers: list[Any] = field(default_factory=list)
    seen: str = ""  # the digest of the state after the last answer
    taking_back: bool = False
    states: set[str] = field(default_factory=lambda: {"[]"})  # all lists of answers that the match ever had
    over: bool | None = None  # whether the match is over; None if it was played since the last check

    def now(self, answers: list[Any]) -> None:
        self.over = None
        self.answers = answers
        self.states.add(json.dumps(answers))


@dataclass
class Ledger:
    """All matches of a folder, and counts of what happened."""

    matches: dict[str, Report] = field(default_factory=dict)
    kills: int = 0
    in_flight: int = 0  # kills after which an unreported answer was found
    # How often opening a truncated copy gave each result: "whole", or the reported trouble.
    cut: dict[str, int] = field(default_factory=dict)


def kill(folder: Path, ledger: Ledger, chance: random.Random) -> None:
    """Start a table in the folder, kill it with SIGKILL, and check its journal."""
    seed = 5 * chance.getrandbits(32) + ledger.kills  # each run starts with a different kind of game
    command = [sys.executable, "-m", "tests.soak.player", str(folder), str(seed)]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        try:
            assert process.stdout
            lines = chance.choice((0, 1, chance.randint(1, 20), chance.randint(1, 400)))
            heard = [process.stdout.readline() for _ in range(lines)]
            time.sleep(chance.choice((0, 0.004, 0.02)) * chance.random())
            ended = process.poll()
        finally:
            process.kill()
        heard += process.stdout.readlines()
        process.wait(PATIENCE)
        errors.seek(0)
        assert ended is None, f"it ended by itself: {errors.read().decode()}"
    for line in heard:
        _hear(json.loads(line), ledger)
    ledger.kills += 1
    _cut_copies(folder, ledger, chance)
    _check(folder, ledger)


def _hear(said: dict[str, Any], ledger: Ledger) -> None:
    assert "lost" not in said, said
    match = said["match"]
    if "game" in said:
        report = ledger.matches.setdefault(match, Report(said["game"], said["levels"], said["guests"]))
        assert (report.game, report.levels, report.guests) == (said["game"], said["levels"], said["guests"])
        report.over = None
        return
    report = ledger.matches[match]
    if "back" in said:
        assert said["back"] == len(report.answers) - 1
        report.taking_back = True
        report.states.add(json.dumps(report.answers[:-1]))
        return
    if report.taking_back:
        report.taking_back = False
        assert said["answers"] == len(report.answers) - 1
        report.now(report.answers[:-1])
    else:
        assert said["answers"] == len(report.answers) + 1, "an answer is missing in the reports"
        report.now([*report.answers, said["last"]])
    report.seen = said["seen"]


def _check(folder: Path, ledger: Ledger) -> None:
    records, troubles = opened(folder)
    assert troubles == []
    unfinished = {one.match: one for one in records.unfinished}
    with closing(sqlite3.connect(f"{(folder / 'table.db').as_uri()}?mode=ro", uri=True)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ids = [match for (match,) in file.execute("SELECT id FROM matches ORDER BY key")]
        kept: dict[str, list[Any]] = {match: [] for match in ids}
        for match, answer in file.execute(
            "SELECT id, answer FROM answers JOIN matches ON key = match ORDER BY match, number"
        ):
            kept[match].append(json.loads(answer))
        for match, log in file.execute("SELECT id, log FROM matches WHERE log IS NOT NULL"):
            kept[match] = list(unfold(log).answers)
    assert len(ids) == len(set(ids)) and set(ids) <= set(ledger.matches)
    more = 0
    for match, report in ledger.matches.items():
        if match not in kept:  # the match had only just started
            assert report.answers == []
            continue
        more += _check_match(match, report, kept[match], unfinished.get(match))
    assert more <= 1, "more than one unreported answer was stored"
    ledger.in_flight += more
    _check_players(records, ledger)


def _check_match(match: str, report: Report, kept: list[Any], unfinished: Any) -> int:
    """Check a match, and return the number of stored answers that were not reported."""
    if report.taking_back and kept == report.answers[:-1]:
        report.now(kept)
        report.seen = ""
    report.taking_back = False
    known = len(report.answers)
    assert kept[:known] == report.answers, f"{match}: the stored answers are not those that were played"
    assert len(kept) <= known + 1, f"{match}: too many answers are stored"
    if report.over is not None:
        assert kept == report.answers and report.over == (unfinished is None), f"{match} changed without being played"
        return 0
    again = replayed(report.game, kept)
    over = isinstance(again.ask, Over)
    assert over == (unfinished is None), (
        f"{match} is {'not ' * (not over)}over when replayed, but the journal disagrees"
    )
    if not over:
        assert (list(unfinished.levels), list(unfinished.guests)) == (report.levels, report.guests)
        resumed = games.load(dict(unfinished.saved))
        assert seen(resumed) == seen(again), f"{match}: it was resumed with other dice or another ask"
    if len(kept) == known:
        assert report.seen in ("", seen(again)), f"{match}: the state is not the one that the players saw"
    report.now(kept)
    report.seen, report.over = seen(again), over
    return len(kept) - known


def replayed(game: dict[str, Any], answers: list[Any]) -> Referee:
    """The game replayed from the start with these answers."""
    again = games.new(game["game"], game["players"], game["options"], game["seed"])
    for answer in answers:
        again.answer(referee.from_json(again.ask, answer))
    return again


def _check_players(records: Records, ledger: Ledger) -> None:
    """Check that each finished game counts once for each of its players, but not for guests or computers."""
    played: dict[tuple[str, str], int] = {}
    for report in ledger.matches.values():
        for seat, name in enumerate(report.game["players"]):
            if report.over and report.levels[seat] is None and seat not in report.guests:
                played[name, report.game["game"]] = played.get((name, report.game["game"]), 0) + 1
    found = {(player.name, game): count for player in records.players for game, count in player.played.items()}
    assert found == played


def _cut_copies(folder: Path, ledger: Ledger, chance: random.Random) -> None:
    """Truncate a copy of the database and log at random, and check that it opens in a state the journal once had."""
    copy = folder / "cut"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name in ("table.db", "table.db-wal", "table.older.db"):
        if (folder / name).exists():
            shutil.copy(folder / name, copy)
    for name in ("table.db", "table.db-wal"):
        path = copy / name
        if path.exists() and chance.random() < 0.7:
            with path.open("r+b") as file:
                file.truncate(chance.choice((0, chance.randint(0, path.stat().st_size))))
    whole = (copy / "table.older.db").exists()  # otherwise the table was killed before its first backup
    records, troubles = opened(copy)
    codes = [trouble.trouble for trouble in troubles]
    assert set(codes) <= ({"older"} if whole else {"older", "corrupt"}), codes
    for one in records.unfinished:
        report = ledger.matches[one.match]
        assert {name: one.saved[name] for name in HEADER} == report.game
        answers = list(one.saved["answers"])
        # The last answer before the kill may have been stored without being reported.
        assert json.dumps(answers) in report.states or answers[:-1] == report.answers
        assert not isinstance(games.load(dict(one.saved)).ask, Over)
    how = codes[0] if codes else "whole"
    ledger.cut[how] = ledger.cut.get(how, 0) + 1
    shutil.rmtree(copy)


def opened(folder: Path) -> tuple[Records, list[Troubled]]:
    """Open the journal in a folder, check that it can be written to, and return its records and troubles."""
    inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
    journal = Journal(folder, inbox.put)
    journal.start()
    try:
        troubles: list[Troubled] = []
        while not isinstance(message := inbox.get(timeout=PATIENCE), Opened):
            assert isinstance(message, Troubled), message
            troubles.append(message)
        ticket = journal.keep(Setting("soak", len(troubles)))
        assert inbox.get(timeout=PATIENCE) == Committed(ticket)
    finally:
        assert journal.close(PATIENCE)
    return message.records, troubles
