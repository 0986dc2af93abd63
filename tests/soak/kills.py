"""Kills a table in the middle of its games, opens the journal anew, and compares it with what the dead one had said.

Its one rule: when the kill comes is left to chance, and what is checked does not depend on it. All that was said to be
on the disk is there, at most the one answer that was under way is there too, and nothing else.
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

PATIENCE = 60.0  # seconds for what takes a fraction of one
ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Told:
    """What a match must be by all that was said of it."""

    game: dict[str, Any]
    levels: list[str | None]
    guests: list[int]
    answers: list[Any] = field(default_factory=list)
    seen: str = ""  # what stood on the table after the last answer, by the word of the one who played
    taking_back: bool = False
    states: set[str] = field(default_factory=lambda: {"[]"})  # all that it ever was
    over: bool | None = None  # None: it was taken up since it was last looked at

    def now(self, answers: list[Any]) -> None:
        self.over = None
        self.answers = answers
        self.states.add(json.dumps(answers))


@dataclass
class Ledger:
    """All matches of a folder, and what was met on the way."""

    matches: dict[str, Told] = field(default_factory=dict)
    kills: int = 0
    in_flight: int = 0  # kills after which an answer was found that nobody had spoken of yet
    cut: dict[str, int] = field(default_factory=dict)  # how cut copies opened: "whole", or what the journal said


def kill(folder: Path, ledger: Ledger, chance: random.Random) -> None:
    """One life of a table in that folder, from its start to a kill -9, and the check."""
    seed = 5 * chance.getrandbits(32) + ledger.kills  # each life begins with another kind of game
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
        told = ledger.matches.setdefault(match, Told(said["game"], said["levels"], said["guests"]))
        assert (told.game, told.levels, told.guests) == (said["game"], said["levels"], said["guests"])
        told.over = None
        return
    told = ledger.matches[match]
    if "back" in said:
        assert said["back"] == len(told.answers) - 1
        told.taking_back = True
        told.states.add(json.dumps(told.answers[:-1]))
        return
    if told.taking_back:
        told.taking_back = False
        assert said["answers"] == len(told.answers) - 1
        told.now(told.answers[:-1])
    else:
        assert said["answers"] == len(told.answers) + 1, "an answer is missing in what was said"
        told.now([*told.answers, said["last"]])
    told.seen = said["seen"]


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
    for match, told in ledger.matches.items():
        if match not in kept:  # it had only just begun
            assert told.answers == []
            continue
        more += _found_where_it_was(match, told, kept[match], unfinished.get(match))
    assert more <= 1, "more than one answer was under way"
    ledger.in_flight += more
    _check_players(records, ledger)


def _found_where_it_was(match: str, told: Told, kept: list[Any], unfinished: Any) -> int:
    """How many answers there are beyond those that were said to be there."""
    if told.taking_back and kept == told.answers[:-1]:
        told.now(kept)
        told.seen = ""
    told.taking_back = False
    known = len(told.answers)
    assert kept[:known] == told.answers, f"{match}: what was kept is not what was played"
    assert len(kept) <= known + 1, f"{match}: nobody gave that many answers"
    if told.over is not None:
        assert kept == told.answers and told.over == (unfinished is None), f"{match} changed, and nobody played it"
        return 0
    again = replayed(told.game, kept)
    over = isinstance(again.ask, Over)
    assert over == (unfinished is None), f"{match} was {'not ' * (not over)}over, and the journal thinks otherwise"
    if not over:
        assert (list(unfinished.levels), list(unfinished.guests)) == (told.levels, told.guests)
        resumed = games.load(dict(unfinished.saved))
        assert seen(resumed) == seen(again), f"{match}: other dice, or another ask"
    if len(kept) == known:
        assert told.seen in ("", seen(again)), f"{match}: not what the players had before them"
    told.now(kept)
    told.seen, told.over = seen(again), over
    return len(kept) - known


def replayed(game: dict[str, Any], answers: list[Any]) -> Referee:
    """The game from its beginning, by these answers alone."""
    again = games.new(game["game"], game["players"], game["options"], game["seed"])
    for answer in answers:
        again.answer(referee.from_json(again.ask, answer))
    return again


def _check_players(records: Records, ledger: Ledger) -> None:
    """Each game counts once for each who played it, and never for guests and computers."""
    played: dict[tuple[str, str], int] = {}
    for told in ledger.matches.values():
        for seat, name in enumerate(told.game["players"]):
            if told.over and told.levels[seat] is None and seat not in told.guests:
                played[name, told.game["game"]] = played.get((name, told.game["game"]), 0) + 1
    found = {(player.name, game): count for player in records.players for game, count in player.played.items()}
    assert found == played


def _cut_copies(folder: Path, ledger: Ledger, chance: random.Random) -> None:
    """A copy of what lies there, its database and its log cut off anywhere, opens as something that once was."""
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
    whole = (copy / "table.older.db").exists()  # else the table was killed before it could make its first copy
    records, troubles = opened(copy)
    codes = [trouble.trouble for trouble in troubles]
    assert set(codes) <= ({"older"} if whole else {"older", "corrupt"}), codes
    for one in records.unfinished:
        told = ledger.matches[one.match]
        assert {name: one.saved[name] for name in HEADER} == told.game
        answers = list(one.saved["answers"])
        # The one that was under way when the kill came is no state that anybody has told of.
        assert json.dumps(answers) in told.states or answers[:-1] == told.answers
        assert not isinstance(games.load(dict(one.saved)).ask, Over)
    how = codes[0] if codes else "whole"
    ledger.cut[how] = ledger.cut.get(how, 0) + 1
    shutil.rmtree(copy)


def opened(folder: Path) -> tuple[Records, list[Troubled]]:
    """What the journal in that folder says when it is opened, and that it can be written to."""
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
