"""The journal on real files: no entry is lost if the process dies, the disk is full or a file is damaged."""

import json
import os
import queue
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from table import games
from table.engine import referee
from table.engine.asks import Over, Roll
from table.engine.errors import Refused
from table.engine.referee import Referee
from table.games import GAMES
from table.session.messages import Committed, NotKept, Opened, Player, Records, Recounted, Troubled
from table.storage.journal import files, store, tables, writer
from table.storage.journal.entries import (
    Answered,
    Began,
    Corrected,
    Finished,
    Forgotten,
    Left,
    Renamed,
    Sent,
    Setting,
    TookBack,
)
from table.storage.journal.folded import unfold
from table.storage.journal.lock import Lock
from table.storage.journal.trouble import Trouble
from table.storage.journal.upgrade import upgrade
from table.storage.journal.writer import MOST, Journal
from tests.playing import at_random

CLONE = Path(__file__).parent.parent
PATIENCE = 60.0  # seconds; only a failing test waits this long


class Desk:
    """An open journal and every message it has posted."""

    def __init__(self, folder: Path, most: int = MOST, league: bool = True) -> None:
        self._posted: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.seen: list[Any] = []
        self.journal = Journal(folder, self._posted.put, most, league)
        self.journal.start()
        self.records: Records = self.wait(Opened).records

    @property
    def troubles(self) -> list[str]:
        return [message.trouble for message in self.seen if isinstance(message, Troubled)]

    def wait(self, kind: type, ticket: int | None = None) -> Any:
        for message in self.seen:
            if isinstance(message, kind) and ticket in (None, getattr(message, "ticket", None)):
                return message
        while True:
            message = self._posted.get(timeout=PATIENCE)
            self.seen.append(message)
            if isinstance(message, kind) and ticket in (None, getattr(message, "ticket", None)):
                return message

    def answered(self, ticket: int) -> Any:
        return self.wait((Committed, NotKept), ticket)  # type: ignore[arg-type]

    def keep(self, *entries: Any) -> list[Any]:
        """Queue all entries at once, because sharing a commit saves time on slow disks. Returns one reply per entry."""
        return [self.answered(ticket) for ticket in [self.journal.keep(entry) for entry in entries]]

    def close(self) -> None:
        self.journal.close(PATIENCE)
        while not self._posted.empty():
            self.seen.append(self._posted.get())


@contextmanager
def opened(folder: Path, most: int = MOST, league: bool = True) -> Iterator[Desk]:
    desk = Desk(folder, most, league)
    try:
        yield desk
    finally:
        desk.close()


def records_in(folder: Path) -> Records:
    with opened(folder) as desk:
        return desk.records


def began(match: str, game: Referee, **other: Any) -> Began:
    levels = (None,) * len(game.players)
    facts = {"levels": levels, "guests": (), "options": game.save()["options"], "at": time.time()} | other
    return Began(match, game.game.id, game.game.version, game.players, seed=game.seed, **facts)


def answers(match: str, game: Referee, chance: random.Random, most: int = 1000) -> Iterator[Answered]:
    """Continues the game at random and yields an entry for each answer."""
    for _ in range(most):
        if isinstance(game.ask, Over):
            return
        ask, answer = game.ask, at_random(game, chance)
        number = len(game.history)
        game.answer(answer)
        yield Answered(match, number, referee.outline(ask), referee.to_json(ask, answer), "simulated")


def finished(match: str, game: Referee) -> Finished:
    assert isinstance(game.ask, Over)
    return Finished(match, game.ask.winners, tuple(game.table.standing), [{"event": "over"}], time.time())


def new_game(chance: random.Random, game: str = "mexico", players: tuple[str, ...] = ("Ann", "Bo")) -> Referee:
    return games.new(game, players, seed=chance.randrange(1000))


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


# What the journal keeps


def test_a_missing_folder_is_created_without_players(tmp_path):
    assert records_in(tmp_path / "a" / "b") == Records((), (), {})


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_resumes_at_the_same_ask_with_the_same_answers(tmp_path, game_id):
    chance = random.Random(game_id)
    game = new_game(chance, game_id, ("Ann", "Zoë 🎲"))
    with opened(tmp_path) as desk:
        kept = desk.keep(began("m", game, levels=("classic", None), guests=(1,)), *answers("m", game, chance, most=9))
    assert all(isinstance(message, Committed) for message in kept)
    (unfinished,) = records_in(tmp_path).unfinished
    assert unfinished.saved == game.save()
    assert games.load(unfinished.saved).ask == game.ask
    assert (unfinished.match, unfinished.levels, unfinished.guests) == ("m", ("classic", None), (1,))
    assert abs(unfinished.at - time.time()) < PATIENCE * 10


def test_an_answer_that_is_taken_back_is_deleted(tmp_path):
    game = new_game(random.Random(1), "cheese")
    first, second, third = answers("m", game, random.Random(1), most=3)
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), first, second, third, TookBack("m", 2))
    game.undo()
    (unfinished,) = records_in(tmp_path).unfinished
    assert unfinished.saved == game.save()


def test_an_answer_with_a_number_in_use_replaces_the_old_answer(tmp_path):
    game = new_game(random.Random(1), "cheese")
    first, second, third = answers("m", game, random.Random(1), most=3)
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), first, second, third)
        game.undo()
        game.undo()
        (again,) = answers("m", game, random.Random(2), most=1)
        assert isinstance(desk.keep(again)[0], Committed)
    (unfinished,) = records_in(tmp_path).unfinished
    assert unfinished.saved == game.save()


def test_invalid_entries_are_refused_and_change_nothing(tmp_path):
    game = new_game(random.Random(1))
    first, second = answers("m", game, random.Random(1), most=2)
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), first, second)
        kept = desk.keep(
            began("m", game),
            Answered("m", 3, "dice 0 2", [1, 2], "typed"),
            Answered("m", -1, "dice 0 2", [1, 2], "typed"),
            Answered("m", 2, "dice 0 2", object(), "typed"),
            Answered("nobody", 0, "dice 0 2", [1, 2], "typed"),
            TookBack("m", 0),
            Left("nobody", 1.0),
            Began("empty", "mexico", 1, (), (), (), {}, 1, 1.0),
            Began("odd", "mexico", 1, ("Ann", "Bo"), (None,), (), {}, 1, 1.0),
            Setting("half a character", "\ud800"),
        )
        assert kept == [NotKept(ticket, "failed") for ticket in range(4, 14)]
        assert isinstance(desk.keep(Setting("volume", 3))[0], Committed)
    assert records_in(tmp_path).unfinished[0].saved == game.save()


def test_a_finished_game_counts_for_its_people_but_not_for_guests_and_computers(tmp_path):
    chance = random.Random(5)
    won = {"Ann": 0, "Bo": 0}
    with opened(tmp_path) as desk:
        for number in range(4):
            game = new_game(chance, "pocoloco", ("Ann", "Bo", "Guest", "Robo"))
            desk.keep(began(f"m{number}", game, levels=(None, None, None, "classic"), guests=(2,)))
            desk.keep(*answers(f"m{number}", game, chance), finished(f"m{number}", game))
            assert isinstance(game.ask, Over)
            for name in won:
                won[name] += game.players.index(name) in game.ask.winners
        desk.keep(began("last", new_game(chance, "bluff", ("Bo", "Cleo"))))
    players = {player.name: player for player in records_in(tmp_path).players}
    assert list(players)[2] == "Ann"  # most recent players first; Ann played one game fewer than Bo
    assert set(players) == {"Ann", "Bo", "Cleo"}
    assert players["Cleo"] == Player("Cleo", {}, {})
    assert players["Ann"].played == players["Bo"].played == {"pocoloco": 4}
    assert {name: players[name].won.get("pocoloco", 0) for name in won} == won


def test_a_finished_or_abandoned_game_is_not_offered_but_keeps_its_answers(tmp_path):
    chance = random.Random(6)
    game = new_game(chance)
    with opened(tmp_path) as desk:
        desk.keep(began("played", game), *answers("played", game, chance), finished("played", game))
        other = new_game(chance)
        desk.keep(began("left", other), *answers("left", other, chance, most=4), Left("left", 9.0))
        assert isinstance(desk.keep(TookBack("left", 3))[0], NotKept)
    records = records_in(tmp_path)
    assert records.unfinished == ()
    assert records.players[0].played == {"mexico": 1}
    kept = {match: unfold(log) for match, log in rows(tmp_path / "table.db", "SELECT id, log FROM matches")}
    assert kept["played"].answers == [referee.to_json(ask, answer) for ask, answer in game.history]
    assert kept["played"].asks == game.save()["asks"]
    assert kept["played"].sources == ["simulated"] * len(game.history)
    assert kept["played"].events == [{"event": "over"}]
    assert len(kept["left"].answers) == 4
    assert rows(tmp_path / "table.db", "SELECT count(*) FROM answers") == [(0,)]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_interrupted_after_its_last_answer_is_finished_at_the_next_start(tmp_path, game_id):
    chance = random.Random(7)
    game = new_game(chance, game_id)
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), *answers("m", game, chance))
    assert isinstance(game.ask, Over)
    for _ in range(2):  # the second start must not count the game again
        records = records_in(tmp_path)
        assert records.unfinished == ()
        assert {player.name: player.won for player in records.players} == {
            name: {game_id: 1} if seat in game.ask.winners else {} for seat, name in enumerate(game.players)
        }
        assert [player.played for player in records.players] == [{game_id: 1}] * 2
    standing = rows(tmp_path / "table.db", "SELECT standing FROM seats ORDER BY seat")
    assert [json.loads(value) for (value,) in standing] == list(game.table.standing)


def test_a_game_that_can_no_longer_be_loaded_is_still_offered(tmp_path):
    game = new_game(random.Random(8))
    with opened(tmp_path) as desk:
        desk.keep(began("old", game), Answered("old", 0, "an ask of old rules", [9], "typed"))
    for _ in range(2):
        (unfinished,) = records_in(tmp_path).unfinished
        with pytest.raises(Refused, match="cannot be resumed"):
            games.load(unfinished.saved)


def test_the_most_recently_played_game_is_offered_first(tmp_path):
    chance = random.Random(9)
    games = {match: new_game(chance) for match in ("a", "b", "c")}
    with opened(tmp_path) as desk:
        desk.keep(*(began(match, game, at=1000.0) for match, game in games.items()))
        for match in ("c", "a"):
            desk.keep(*answers(match, games[match], chance, most=1))
    assert [unfinished.match for unfinished in records_in(tmp_path).unfinished] == ["a", "c", "b"]


def test_settings_are_kept_and_the_last_value_counts(tmp_path):
    with opened(tmp_path) as desk:
        desk.keep(Setting("volume", 70), Setting("language", "es"), Setting("volume", None))
    assert records_in(tmp_path).settings == {"volume": None, "language": "es"}


def test_a_seed_of_any_size_is_kept(tmp_path):
    game = games.new("mexico", ["Ann", "Bo"], seed=-(10**30))
    with opened(tmp_path) as desk:
        desk.keep(began("m", game))
    assert records_in(tmp_path).unfinished[0].saved == game.save()


# The thread


def test_tickets_count_from_one_and_are_answered_in_order(tmp_path):
    with opened(tmp_path) as desk:
        tickets = [desk.journal.keep(Setting("a", number)) for number in range(300)]
        desk.answered(300)
    assert tickets == list(range(1, 301))
    assert [message for message in desk.seen if isinstance(message, Committed)] == [Committed(t) for t in tickets]


def test_several_threads_can_keep_entries_at_once(tmp_path):
    with opened(tmp_path) as desk:

        def keep_some(name: str) -> None:
            for number in range(50):
                desk.journal.keep(Setting(name, number))

        threads = [threading.Thread(target=keep_some, args=(str(name),)) for name in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        desk.answered(400)
    assert records_in(tmp_path).settings == {str(name): 49 for name in range(8)}


def test_entries_from_before_the_start_until_closing_are_committed(tmp_path):
    posted: queue.SimpleQueue[Any] = queue.SimpleQueue()
    journal = Journal(tmp_path, posted.put)
    for number in range(100):
        journal.keep(Setting("before", number))
    journal.start()
    for number in range(100):
        journal.keep(Setting("after", number))
    assert journal.close(PATIENCE)
    assert journal.close(PATIENCE)
    assert journal.keep(Setting("too late", 1)) == 201
    messages = [posted.get_nowait() for _ in range(posted.qsize())]
    assert messages[-1] == NotKept(201, "failed")
    assert sum(isinstance(message, Committed) for message in messages) == 200
    assert records_in(tmp_path).settings == {"before": 99, "after": 99}


def test_a_journal_that_was_never_started_can_be_closed(tmp_path):
    assert Journal(tmp_path, lambda message: None).close(PATIENCE)
    assert list(tmp_path.iterdir()) == []


# One table per folder

HOLDER = "import sys; from pathlib import Path; from table.storage.journal.lock import Lock\n"
HOLDER += "lock = Lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


@contextmanager
def child(script: str, *arguments: Any, **pipes: Any) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE} | pipes
    with subprocess.Popen(command, cwd=CLONE, text=True, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_second_table_is_refused_while_the_first_one_runs(tmp_path):
    with child(HOLDER, tmp_path / "new") as process:
        assert process.stdout and process.stdout.readline() == "held\n"
        with pytest.raises(Refused, match=rf"already running in .* \(process {process.pid}\)"):
            Lock(tmp_path / "new")
        with Lock(tmp_path / "other"):
            pass
        process.kill()
        process.wait()
        with Lock(tmp_path / "new"), pytest.raises(Refused, match="already running"):
            Lock(tmp_path / "new")
        Lock(tmp_path / "new").release()


def test_without_a_writable_lock_file_the_table_runs_unlocked(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with Lock(tmp_path / "file"):
        pass
    with Lock(tmp_path / "file" / "below"):
        pass


# The process dies

PLAYER = """
    import sys
    from pathlib import Path
    from tests.test_journal import Desk, evening
    desk = Desk(Path(sys.argv[1]))
    for entry in evening(sys.argv[2]):
        desk.keep(entry)
        print("kept", flush=True)
"""


def evening(seed: str) -> Iterator[Any]:
    """The entries of many random games; the same seed gives the same entries."""
    chance = random.Random(seed)
    for number in range(1000):
        game, match = new_game(chance, chance.choice(list(GAMES))), f"{seed} {number}"
        yield began(match, game)
        for entry in answers(match, game, chance):
            yield entry
            if chance.random() < 0.1 and not isinstance(game.ask, Over):
                game.undo()
                yield TookBack(match, entry.number)
        yield finished(match, game)


def state_after(entries: Iterable[Any]) -> dict[str, list[Any]]:
    state: dict[str, list[Any]] = {}
    for entry in entries:
        match entry:
            case Began(match):
                state[match] = []
            case Answered(match, _, _, answer):
                state[match].append(answer)
            case TookBack(match):
                state[match].pop()
    return state


def test_a_table_killed_at_any_moment_loses_and_repeats_nothing(tmp_path):
    chance = random.Random(10)
    before: dict[str, list[Any]] = {}
    for seed in ("a", "b", "c", "d", "e"):
        with child(PLAYER, tmp_path, seed) as process:
            assert process.stdout
            said = [process.stdout.readline() for _ in range(chance.randrange(120))]
            process.kill()
            said += process.stdout.readlines()  # lines that it printed before it was killed
        confirmed = said.count("kept\n")
        entries = list(islice(evening(seed), confirmed + 1))
        with opened(tmp_path) as desk:
            assert desk.troubles == []
            for unfinished in desk.records.unfinished:
                games.load(unfinished.saved)
        now = state_of(tmp_path / "table.db")
        assert now in (before | state_after(entries[:-1]), before | state_after(entries))
        before = now


# Damaged files


class Played:
    """Two sessions, the first in the main file and the second in the log. `states` has the state after each entry."""

    def __init__(self, folder: Path) -> None:
        chance = random.Random(11)
        self.states: list[dict[str, list[Any]]] = [{}]
        self.folder = folder / "played"
        with opened(self.folder) as desk:
            self._play(desk, chance, 3)
        with opened(self.folder) as desk:
            self._play(desk, chance, 3)
            self.main = (self.folder / "table.db").read_bytes()
            self.log = (self.folder / "table.db-wal").read_bytes()
        self.settled = (self.folder / "table.db").read_bytes()
        with closing(sqlite3.connect(self.folder / "table.db")) as connection:
            connection.execute("VACUUM INTO ?", (str(folder / "older.db"),))
        self.older = (folder / "older.db").read_bytes()

    def _play(self, desk: Desk, chance: random.Random, games: int) -> None:
        for _ in range(games):
            match = f"match {len(self.states)}"
            game = new_game(chance, chance.choice(["mexico", "pocoloco", "cheese"]), ("Ann" * 12, "Zoë 🎲"))
            self._keep(desk, began(match, game), {match: []})
            for entry in answers(match, game, chance, most=chance.choice((20, 40, 120))):
                self._keep(desk, entry, {match: [*self.states[-1][match], entry.answer]})
            if isinstance(game.ask, Over):
                events = [{"event": "noise", "text": chance.randbytes(500).hex()} for _ in range(20)]
                end = Finished(match, game.ask.winners, tuple(game.table.standing), events, time.time())
                self._keep(desk, end, {})

    def _keep(self, desk: Desk, entry: Any, change: dict[str, list[Any]]) -> None:
        assert isinstance(desk.keep(entry)[0], Committed)
        self.states.append(self.states[-1] | change)

    def again(self, folder: Path, main: bytes, log: bytes | None, older: bytes | None) -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "table.db").write_bytes(main)
        if log is not None:
            (folder / "table.db-wal").write_bytes(log)
        if older is not None:
            (folder / "table.older.db").write_bytes(older)
        return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("journal"))


def state_of(path: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {match: [] for (match,) in rows(path, "SELECT id FROM matches")}
    for match, answer in rows(path, "SELECT id, answer FROM answers JOIN matches ON key = match ORDER BY key, number"):
        found[match].append(json.loads(answer))
    for match, log in rows(path, "SELECT id, log FROM matches WHERE log IS NOT NULL"):
        assert not found[match]
        found[match] = list(unfold(log).answers)
    return found


def contents(folder: Path) -> set[bytes]:
    return {path.read_bytes() for path in folder.iterdir()}


def cut(length: int, chance: random.Random) -> int:
    """A random length at which to cut a file, often the end of a page."""
    places = (0, length, chance.randrange(length), chance.randrange(length), chance.randrange(length) // 4096 * 4096)
    return chance.choice(places)


@pytest.mark.parametrize("copied", [True, False], ids=["with an older copy", "without an older copy"])
@pytest.mark.parametrize("settled", [False, True], ids=["log not settled", "log half settled"])
def test_truncated_files_open_as_an_older_state_and_are_never_destroyed(tmp_path, played, copied, settled):
    chance = random.Random(12)
    set_aside = opened_as_is = 0
    for _ in range(40):
        whole = played.settled if settled else played.main
        main, log = whole[: cut(len(whole), chance)], played.log[: cut(len(played.log), chance)]
        folder = played.again(tmp_path / "cut", main, log, played.older if copied else None)
        with opened(folder) as desk:
            assert set(desk.troubles) <= ({"older"} if copied else {"older", "corrupt"})
            for unfinished in desk.records.unfinished:
                games.load(unfinished.saved)
            assert isinstance(desk.keep(Setting("works", True))[0], Committed)
        assert state_of(folder / "table.db") in played.states
        if desk.troubles:
            set_aside += 1
            assert {main, log} - {b""} <= contents(folder)
        else:
            opened_as_is += 1
    assert set_aside > 5 and opened_as_is > 1


def test_a_corrupt_page_is_noticed_or_harmless(tmp_path, played):
    chance = random.Random(13)
    for _ in range(30):
        main = bytearray(played.main)
        start = chance.randrange(100, len(main) - 4096)
        main[start : start + 4096] = chance.choice((bytes(4096), chance.randbytes(4096)))
        folder = played.again(tmp_path / "rot", bytes(main), None, played.older)
        with opened(folder) as desk:
            assert desk.troubles in ([], ["older"])
            assert isinstance(desk.keep(Setting("works", True))[0], Committed)
        if desk.troubles:
            assert bytes(main) in contents(folder)
            assert state_of(folder / "table.db") == played.states[-1]


@pytest.mark.parametrize("rot", [b"\xff\xff", b"\x00\x00", b"{{"], ids=["not UTF-8", "zeros", "not JSON"])
def test_corrupt_text_in_an_otherwise_intact_file_is_noticed(tmp_path, rot):
    folder = tmp_path / "rot"
    with opened(folder) as desk:
        desk.keep(Setting("a", 1))
        wait_until((folder / "table.older.db").exists)
    with opened(folder) as desk:
        desk.keep(Setting("b", ["something long enough to find"]))
    main = (folder / "table.db").read_bytes().replace(b'["something', rot + b"something")
    (folder / "table.db").write_bytes(main)
    os.utime(folder / "table.older.db")
    with opened(folder) as desk:
        assert desk.troubles == ["older"]
    assert main in contents(folder)


@pytest.mark.parametrize("main", [b"", b"SQLite f", bytes(5000)])
def test_without_an_older_copy_a_broken_file_is_set_aside_and_a_new_one_created(tmp_path, played, main):
    folder = played.again(tmp_path / "broken", main, played.log, None)
    for round_ in (1, 2):
        (folder / "table.db").write_bytes(main)
        (folder / "table.db-wal").write_bytes(played.log)
        for name in ("table.older.db", "table.db-shm"):
            (folder / name).unlink(missing_ok=True)
        with opened(folder) as desk:
            assert desk.troubles == ["corrupt"]
            assert desk.records == Records((), (), {})
            assert isinstance(desk.keep(Setting("works", True))[0], Committed)
        assert (folder / f"table.broken-{round_}.db-wal").read_bytes() == played.log  # nothing was overwritten
        if main:
            assert (folder / f"table.broken-{round_}.db").read_bytes() == main
        assert records_in(folder).settings == {"works": True}


def test_a_broken_older_copy_is_set_aside_too(tmp_path, played):
    folder = played.again(tmp_path / "broken", played.main[:9000], None, played.older[:9000])
    with opened(folder) as desk:
        assert desk.troubles == ["corrupt"]
    assert {played.main[:9000], played.older[:9000]} <= contents(folder)


def test_an_intact_file_replaces_its_broken_older_copy(tmp_path, played):
    folder = played.again(tmp_path / "copy", played.main, played.log, b"nonsense")
    os.utime(folder / "table.older.db", (1.0, 1.0))
    with opened(folder) as desk:
        assert desk.troubles == []
        wait_until(lambda: (folder / "table.older.db").read_bytes() != b"nonsense")
    assert state_of(folder / "table.older.db") == played.states[-1]


def test_the_older_copy_is_made_on_opening_and_replaces_a_lost_file(tmp_path, played):
    folder = played.again(tmp_path / "lost", played.main, played.log, None)
    with opened(folder):
        wait_until((folder / "table.older.db").exists)
    (folder / "table.db").unlink()
    with opened(folder) as desk:
        assert desk.troubles == ["older"]
    assert state_of(folder / "table.db") == played.states[-1]


def foreign_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE matches (mine)")
        connection.commit()


def newer(path: Path) -> None:
    records_in(path.parent)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.write_text("Dear diary"), "foreign"),
        (lambda path: path.write_bytes(os.urandom(10_000)), "foreign"),
        (foreign_sqlite, "foreign"),
        (newer, "newer"),
    ],
    ids=["text", "noise", "another program's database", "newer dicetable's database"],
)
def test_a_foreign_file_is_never_touched_and_another_name_is_used(tmp_path, make, code):
    path = tmp_path / "table.db"
    make(path)
    before = path.read_bytes()
    for value in (None, 1, 2):
        with opened(tmp_path) as desk:
            assert desk.troubles == [code]
            assert desk.seen[0].detail == str(path)
            assert desk.records.settings == ({} if value is None else {"works": value})
            assert isinstance(desk.keep(Setting("works", (value or 0) + 1))[0], Committed)
    assert path.read_bytes() == before


def test_a_folder_with_the_name_of_the_journal_file_counts_as_foreign(tmp_path):
    (tmp_path / "table.db").mkdir()
    with opened(tmp_path) as desk:
        assert desk.troubles == ["foreign"]
        assert isinstance(desk.keep(Setting("works", True))[0], Committed)


# The disk refuses to write


def test_if_the_folder_is_a_file_nothing_is_kept_and_the_table_is_told(tmp_path):
    path = tmp_path / "file"
    path.write_text("not a folder")
    with opened(path) as desk:
        assert desk.troubles == ["failed"]
        assert desk.records == Records((), (), {})
        assert desk.keep(Setting("a", 1), Setting("a", 2)) == [NotKept(1, "failed"), NotKept(2, "failed")]
        assert not desk.journal.close(PATIENCE)
    assert path.read_text() == "not a folder"


def test_refused_entries_are_kept_once_the_disk_accepts_them(tmp_path):
    path = tmp_path / "file"
    path.write_text("not a folder")
    with opened(path) as desk:
        desk.keep(Setting("a", 1))
        path.unlink()
    assert desk.seen[-2:] == [Opened(Records((), (), {})), Committed(1)]
    assert records_in(path).settings == {"a": 1}


def test_entries_wait_while_another_program_locks_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_PATIENCE", 0.05)  # seconds until "locked" is reported
    with opened(tmp_path) as desk, closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert desk.keep(Setting("a", 1)) == [NotKept(1, "locked")]
        other.execute("ROLLBACK")
    assert desk.seen[-1] == Committed(1)
    assert records_in(tmp_path).settings == {"a": 1}


def test_a_correction_that_had_to_wait_is_kept_without_its_photo(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_PATIENCE", 0.05)
    chance = random.Random(1)
    game = new_game(chance)
    with opened(tmp_path) as desk, closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
        desk.keep(began("m", game), *answers("m", game, chance, most=1))
        other.execute("BEGIN IMMEDIATE")
        desk.keep(Corrected("m", 0, (1,), (2,), (False,), "blurred", b"jpeg"))
        other.execute("ROLLBACK")
    with closing(sqlite3.connect(tmp_path / "table.db")) as records:
        assert records.execute("SELECT why, photo FROM corrections").fetchall() == [("blurred", b"")]


def test_the_oldest_photos_are_deleted_first_but_none_of_the_current_game(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "MOST_PHOTOS", 3)
    chance = random.Random(1)
    with opened(tmp_path) as desk, closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as records:
        for match in "AB":
            game = new_game(chance)
            desk.keep(began(match, game), *answers(match, game, chance, most=8))

        def photos_after(*corrected: str) -> list[str]:
            """The photos kept after these corrections; "A1" is answer 1 of match A."""
            for one in corrected:
                desk.keep(Corrected(one[0], int(one[1]), (1,), (2,), (False,), "blurred", b"jpeg"))
            found = "SELECT id || number FROM corrections JOIN matches ON key = match WHERE photo <> x'' ORDER BY 1"
            return [name for (name,) in records.execute(found)]

        assert photos_after("A0", "A1", "B0", "B1") == ["A1", "B0", "B1"]
        assert photos_after("A2") == ["A1", "A2", "B1"]
        assert photos_after("B2", "B3", "B4") == ["B1", "B2", "B3", "B4"]
        assert records.execute("SELECT count(*) FROM corrections WHERE why = 'blurred'").fetchone() == (8,)


FULL_DISK = """
    import random, resource, sys
    from pathlib import Path
    from tests.test_journal import Desk, answers, began, new_game
    from table.session.messages import Committed, NotKept
    chance = random.Random(1)
    desk, game = Desk(Path(sys.argv[1])), new_game(chance)
    assert isinstance(desk.keep(began("m", game))[0], Committed)
    desk.keep(*answers("m", game, chance, most=3))
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))
    for message in desk.keep(*answers("m", game, chance, most=5)):
        assert message == NotKept(message.ticket, "full"), message
    if sys.argv[2] == "freed":
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    desk.close()
    print([message.ticket for message in desk.seen if isinstance(message, Committed)])
"""


@pytest.mark.parametrize(("freed", "committed"), [("freed", range(1, 10)), ("full", range(1, 5))])
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX file size limits")
def test_a_full_disk_loses_nothing_that_was_kept_and_the_rest_follows_once_there_is_room(tmp_path, freed, committed):
    with child(FULL_DISK, tmp_path, freed, stdin=None) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert json.loads(output) == list(committed)
    with opened(tmp_path) as desk:
        assert desk.troubles == []
        (unfinished,) = desk.records.unfinished
    assert len(games.load(unfinished.saved).history) == len(committed) - 1


FULL_FROM_THE_START = """
    import resource, sys
    from pathlib import Path
    from tests.test_journal import Desk, Setting
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))
    desk = Desk(Path(sys.argv[1]))
    kept = desk.keep(Setting("a", 2), Setting("a", 3))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    desk.close()
    print(desk.troubles, dict(desk.records.settings), [message.trouble for message in kept], *desk.seen[-2:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX file size limits")
def test_records_are_read_from_a_disk_that_is_full_from_the_start(tmp_path):
    with opened(tmp_path) as desk:
        desk.keep(Setting("a", 1))
    with child(FULL_FROM_THE_START, tmp_path, stdin=None) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert output == "['full'] {'a': 1} ['full', 'full'] Committed(ticket=1) Committed(ticket=2)\n"
    assert records_in(tmp_path).settings == {"a": 3}


READ_ONLY = """
    import os, sys, tempfile
    from pathlib import Path
    from tests.test_journal import Desk, Setting
    from table.storage.journal.lock import Lock
    with tempfile.TemporaryDirectory() as other:  # import every module while it is still readable
        Desk(Path(other)).close()
    if os.geteuid() == 0:  # root ignores permissions
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    folder = Path(sys.argv[1])
    with Lock(folder):
        desk = Desk(folder)
        kept = desk.keep(Setting("a", 2), Setting("a", 3))
        desk.close()
    print(desk.troubles, dict(desk.records.settings), [message.trouble for message in kept])
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can enter, unlike pytest's `tmp_path`."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        try:
            yield Path(folder)
        finally:
            os.chmod(folder, 0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions")
@pytest.mark.parametrize("closed", ["folder and files", "files only"])
def test_a_read_only_folder_is_read_and_the_table_is_told(open_folder, closed):
    with opened(open_folder) as desk:
        desk.keep(Setting("a", 1))
    before = {path.name: path.read_bytes() for path in open_folder.iterdir()}
    for path in open_folder.iterdir():
        path.chmod(0o444)
    open_folder.chmod(0o555 if closed == "folder and files" else 0o777)
    with child(READ_ONLY, open_folder, stdin=None) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert output == "['readonly'] {'a': 1} ['readonly', 'readonly']\n"
    assert {name: (open_folder / name).read_bytes() for name in before} == before


# Long queries can be interrupted


def counting(rows: int) -> str:
    return f"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT {rows})"


@pytest.fixture
def reader() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


def test_a_statement_started_after_the_brake_was_pulled_is_interrupted(reader):
    brake = files.Brake()
    with brake.on(reader):
        brake.pull()
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            reader.execute(f"{counting(1_000_000)} SELECT count(*) FROM n").fetchall()


def test_pulling_the_brake_interrupts_the_running_statement(reader):
    """The statement would finish before SQLite checks the brake again, so only the interrupt can stop it."""
    brake = files.Brake()
    reader.create_function("pull", 0, brake.pull)
    with brake.on(reader), pytest.raises(sqlite3.OperationalError, match="interrupted"):
        reader.execute(f"{counting(10)} SELECT count(pull()) FROM n").fetchall()


def test_the_brake_has_no_effect_after_its_block(reader):
    brake = files.Brake()
    with brake.on(reader):
        pass
    brake.pull()
    assert reader.execute(f"{counting(100_000)} SELECT count(*) FROM n").fetchall() == [(100_000,)]


@pytest.mark.parametrize("begin", [files._flaw, files.copy], ids=["flaw", "copy"])
def test_nothing_is_read_or_copied_after_the_brake_was_pulled(tmp_path, begin):
    path, _ = files.ready(tmp_path, files.Brake())
    brake = files.Brake()
    brake.pull()
    with pytest.raises(Trouble, match="being closed"):
        begin(path, brake)
    assert [one.name for one in tmp_path.iterdir() if not one.name.startswith("table.db")] == []


ENDLESS = 10**9  # so many rows that reading them takes minutes


def test_closing_does_not_wait_until_a_big_file_is_read(tmp_path, monkeypatch):
    """The query is interrupted, the thread ends, and the file is unchanged."""
    path, _ = files.ready(tmp_path, files.Brake())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE settings")
        connection.execute(
            f"CREATE VIEW settings AS {counting(ENDLESS)} SELECT x AS name, x AS value FROM n WHERE x < 0"
        )
    reading, records = threading.Event(), store.records

    def slow_records(connection: sqlite3.Connection) -> Records:
        reading.set()
        return records(connection)

    monkeypatch.setattr(store, "records", slow_records)
    posted: list[Any] = []
    journal = Journal(tmp_path, posted.append)
    journal.start()
    assert reading.wait(PATIENCE)
    assert journal.close(PATIENCE)
    assert posted == []
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert not list(tmp_path.glob("*broken*"))


# Counts, and name changes


@pytest.fixture
def quick_checks(monkeypatch) -> None:
    """The journal checks for changes by other programs every 20 ms instead of every few seconds."""
    monkeypatch.setattr(writer, "_GLANCE", 0.02)


def play_out(desk: Desk, match: str, game: Referee, chance: random.Random, **other: Any) -> Referee:
    """Plays a whole game and records it as the session does."""
    told = desk.keep(began(match, game, **other), *answers(match, game, chance))
    assert all(isinstance(each, Committed) for each in told)
    assert isinstance(game.ask, Over)
    events = [referee.event_to_json(event) for event in referee.told(game)]
    desk.keep(Finished(match, game.ask.winners, tuple(game.table.standing), events, time.time()))
    return game


def counted_faces(games: Iterable[Referee], seats: Iterable[int]) -> list[int]:
    found = [0] * 6
    for game in games:
        for ask, answer in game.history:
            if isinstance(ask, Roll) and ask.seat in seats:
                for die in answer:
                    found[die - 1] += 1
    return found


FACES = "ones, twos, threes, fours, fives, sixes"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_die_of_a_finished_game_counts_for_the_player_who_rolled_it(tmp_path, game_id):
    chance = random.Random(21)
    with opened(tmp_path) as desk:
        game = play_out(desk, "m", new_game(chance, game_id), chance)
    for seat, name in enumerate(game.players):
        (row,) = rows(tmp_path / "table.db", f"SELECT source, {FACES} FROM faces WHERE name = '{name}'")
        assert row == ("simulated", *counted_faces([game], [seat]))


def test_dice_of_guests_and_computers_count_for_no_player_even_in_abandoned_games(tmp_path):
    chance = random.Random(22)
    with opened(tmp_path) as desk:
        played = play_out(desk, "m", new_game(chance), chance, levels=(None, "classic"), guests=(0,))
        left = new_game(chance)
        desk.keep(began("left", left, guests=(0, 1)), *answers("left", left, chance, most=9), Left("left", 9.0))
    ((_, *faces),) = rows(tmp_path / "table.db", f"SELECT name, {FACES} FROM faces")
    assert faces == counted_faces([played, left], [0, 1])


def test_corrected_dice_count_as_camera_dice(tmp_path):
    chance = random.Random(23)
    game = new_game(chance)
    first, *_ = answers("m", game, chance, most=1)
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), replace(first, source="corrected"), Left("m", 9.0))
    assert rows(tmp_path / "table.db", "SELECT source FROM faces") == [("camera",)]


def test_dice_under_a_cup_that_is_only_lifted_for_a_call_are_not_counted(tmp_path):
    chance = random.Random(24)
    game = games.new("bluff", ("Ann", "Bo"), {"cups": [0], "rules": "simple"}, 1)
    with opened(tmp_path) as desk:
        play_out(desk, "m", game, chance)
    assert rows(tmp_path / "table.db", "SELECT DISTINCT name FROM faces") == [("Bo",)]


def test_a_players_best_moment_is_linked_to_its_game(tmp_path):
    chance = random.Random(25)
    with opened(tmp_path) as desk:
        games = [play_out(desk, f"m{n}", new_game(chance, "cheese"), chance) for n in range(4)]
    turns = [
        max(e.facts["points"] for e in referee.told(game) if e.kind == "banked" and e.facts["seat"] == 0)
        for game in games
    ]
    found = rows(
        tmp_path / "table.db",
        "SELECT value, id FROM moments JOIN matches ON key = match WHERE name = 'Ann' AND kind = 'turn'",
    )
    assert found == [(max(turns), f"m{turns.index(max(turns))}")]


def evening_of(desk: Desk, chance: random.Random, count: int = 4) -> list[Referee]:
    """Games of Ann and Bo, alternating with games of Annie and Bo."""
    names = [("Ann", "Bo"), ("Annie", "Bo")]
    return [play_out(desk, f"m{n}", new_game(chance, "mexico", names[n % 2]), chance) for n in range(count)]


def test_a_renamed_player_keeps_all_counts(tmp_path):
    chance = random.Random(26)
    with opened(tmp_path) as desk:
        evening_of(desk, chance)
        assert isinstance(desk.keep(Renamed("Ann", "Zoë"))[0], Committed)
        players = {player.name: player for player in desk.wait(Recounted).players}
    assert set(players) == {"Zoë", "Annie", "Bo"}
    assert players["Zoë"].played == {"mexico": 2}
    assert {player.name for player in records_in(tmp_path).players} == set(players)


def test_merging_two_names_adds_their_counts(tmp_path):
    chance = random.Random(27)
    with opened(tmp_path) as desk:
        games = evening_of(desk, chance)
        desk.keep(Renamed("Annie", "Ann"))
    players = {player.name: player for player in records_in(tmp_path).players}
    won = sum(0 in game.ask.winners for game in games if isinstance(game.ask, Over))
    assert set(players) == {"Ann", "Bo"}
    assert players["Ann"].played == {"mexico": 4} and players["Ann"].won.get("mexico", 0) == won
    (row,) = rows(tmp_path / "table.db", f"SELECT {FACES} FROM faces WHERE name = 'Ann'")
    assert list(row) == counted_faces(games, [0])


def test_a_forgotten_player_is_erased_from_the_files_but_the_games_stay(tmp_path):
    chance, name = random.Random(28), "Wilhelmina"
    with opened(tmp_path) as desk:
        for n in range(3):
            play_out(desk, f"m{n}", new_game(chance, "mexico", (name, "Bo")), chance)
        desk.keep(Corrected("m2", 0, (1, 2), (1, 3), (True, False), "edge", b"jpeg"))  # refused: the game is over
        game = new_game(chance, "mexico", (name, "Bo"))
        desk.keep(began("on", game), *answers("on", game, chance, most=3))
        desk.keep(Corrected("on", 0, (1, 2), (1, 3), (True, False), "edge", b"jpeg"))
        desk.keep(Forgotten(name))
    assert {player.name for player in records_in(tmp_path).players} == {"Bo"}
    with closing(files.opened(tmp_path / "table.db")) as connection:
        files.settled(connection)
    for file in tmp_path.glob("*.db*"):
        assert name.encode() not in file.read_bytes(), file.name
    assert rows(tmp_path / "table.db", "SELECT count(*) FROM matches") == [(4,)]
    assert rows(tmp_path / "table.db", "SELECT DISTINCT guest FROM seats WHERE name = ''") == [(1,)]


@pytest.mark.usefixtures("quick_checks")
def test_a_change_by_another_program_is_noticed(tmp_path):
    chance = random.Random(29)
    with opened(tmp_path) as desk:
        play_out(desk, "m", new_game(chance), chance)
        with closing(files.opened(tmp_path / "table.db")) as other:
            store.write(other, Renamed("Ann", "Zoë"))
        assert "Zoë" in {player.name for player in desk.wait(Recounted).players}


def test_a_rename_is_queued_for_the_league_only_if_the_league_has_the_name(tmp_path):
    chance = random.Random(30)
    with opened(tmp_path) as desk:
        evening_of(desk, chance, 2)
        sent = Sent("league", {"m0": ("Ann", "Bo")})
        desk.keep(sent, Renamed("Ann", "Zoë"), Renamed("Annie", "Una"), Forgotten("Zoë"))
        assert rows(tmp_path / "table.db", "SELECT old, new FROM changes") == [("Ann", "Zoë"), ("Zoë", None)]
        desk.keep(Sent("league", {}, 1))
        assert rows(tmp_path / "table.db", "SELECT old, new FROM changes") == [("Zoë", None)]


def test_a_game_renamed_while_it_was_being_sent_is_not_marked_as_sent(tmp_path):
    chance = random.Random(30)
    with opened(tmp_path) as desk:
        evening_of(desk, chance, 2)
        desk.keep(Renamed("Ann", "Zoë"), Sent("league", {"m0": ("Ann", "Bo"), "m1": ("Annie", "Bo")}))
    assert rows(tmp_path / "table.db", "SELECT id, sent FROM matches") == [("m0", None), ("m1", 1)]


def test_a_rename_sent_to_one_league_is_not_queued_for_another(tmp_path):
    chance = random.Random(30)
    with opened(tmp_path) as desk:
        evening_of(desk, chance, 2)
        desk.keep(Sent("one", {"m0": ("Ann", "Bo")}), Renamed("Ann", "Zoë"), Sent("other", {"m1": ("Annie", "Bo")}))
    assert rows(tmp_path / "table.db", "SELECT id, sent FROM matches") == [("m0", None), ("m1", 1)]
    assert rows(tmp_path / "table.db", "SELECT old, new FROM changes") == []


# Files from older versions


FIRST = """
PRAGMA application_id = 1684628293;
PRAGMA user_version = 1;
CREATE TABLE matches (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, rules INTEGER NOT NULL,
    options TEXT NOT NULL, seed TEXT NOT NULL, began REAL NOT NULL, looked_at INTEGER, ended REAL, answers INTEGER,
    events BLOB);
CREATE INDEX going_on ON matches (key) WHERE ended IS NULL;
CREATE TABLE seats (match INTEGER NOT NULL REFERENCES matches, seat INTEGER NOT NULL, name TEXT NOT NULL, level TEXT,
    guest INTEGER NOT NULL, won INTEGER, standing TEXT, PRIMARY KEY (match, seat)) WITHOUT ROWID;
CREATE TABLE answers (match INTEGER NOT NULL REFERENCES matches, number INTEGER NOT NULL, asked TEXT NOT NULL,
    answer TEXT NOT NULL, source TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (match, number)) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def first_version(path: Path, games: list[Referee]) -> None:
    """Writes these games to a file in the format of the first version. Games that are not over are stored as
    unfinished."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(FIRST)
        for key, game in enumerate(games, 1):
            saved, over = game.save(), isinstance(game.ask, Over)
            events = zlib.compress(json.dumps([referee.event_to_json(e) for e in referee.told(game)]).encode())
            connection.execute(
                "INSERT INTO matches VALUES (?, ?, ?, 1, ?, ?, ?, NULL, ?, ?, ?)",
                (key, f"m{key}", game.game.id, json.dumps(saved["options"]), str(game.seed), 100.0 * key)
                + ((100.0 * key + 50, len(game.history), events) if over else (None, None, None)),
            )
            for seat, name in enumerate(game.players):
                won = seat in game.ask.winners if isinstance(game.ask, Over) else None
                connection.execute(
                    "INSERT INTO seats VALUES (?, ?, ?, NULL, 0, ?, ?)",
                    (key, seat, name, won, json.dumps(game.table.standing[seat])),
                )
            for number, (asked, answer) in enumerate(zip(saved["asks"], saved["answers"], strict=True)):
                source = "simulated"
                connection.execute(
                    "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)",
                    (key, number, asked, json.dumps(answer), source, 100.0 * key + number),
                )
        connection.execute("""INSERT INTO settings VALUES ('volume', '40')""")


def test_upgrading_a_file_of_the_first_version_keeps_and_counts_every_game(tmp_path):
    chance = random.Random(31)
    games = [new_game(chance, game) for game in GAMES]
    for game in games:
        list(answers("m", game, chance))
    unfinished_game = new_game(chance)
    list(answers("m", unfinished_game, chance, most=5))
    first_version(tmp_path / "table.db", [*games, unfinished_game])
    with opened(tmp_path) as desk:
        assert desk.troubles == []
        (unfinished,) = desk.records.unfinished
        assert unfinished.saved["answers"] == unfinished_game.save()["answers"]
        assert desk.records.settings == {"volume": 40}
        assert {player.name: player.played for player in desk.records.players}["Ann"] == dict.fromkeys(GAMES, 1)
    logs = [unfold(log) for (log,) in rows(tmp_path / "table.db", "SELECT log FROM matches WHERE log IS NOT NULL")]
    assert [log.answers for log in logs] == [game.save()["answers"] for game in games]
    (row,) = rows(tmp_path / "table.db", f"SELECT {FACES} FROM faces WHERE name = 'Ann'")
    assert list(row) == counted_faces(games, [0])
    assert rows(tmp_path / "table.db", "PRAGMA user_version") == [(tables.VERSION,)]
    with opened(tmp_path) as desk:  # opening the file again changes nothing
        assert desk.troubles == [] and len(desk.records.unfinished) == 1


def test_an_interrupted_upgrade_leaves_the_file_unchanged(tmp_path, monkeypatch):
    chance = random.Random(32)
    game = new_game(chance)
    list(answers("m", game, chance))
    first_version(tmp_path / "table.db", [game])
    with closing(files.opened(tmp_path / "table.db")) as connection:
        connection.execute("BEGIN IMMEDIATE")
        upgrade(connection)
    assert rows(tmp_path / "table.db", "PRAGMA user_version") == [(1,)]
    assert rows(tmp_path / "table.db", "SELECT count(*) FROM answers") == [(len(game.history),)]
    assert records_in(tmp_path).players[0].played == {"mexico": 1}


# The size limit


def test_the_size_limit_deletes_photos_first_and_then_the_logs_of_the_oldest_games(tmp_path):
    chance = random.Random(33)
    whole = 2 * 600_000
    with opened(tmp_path, whole) as desk:
        for n in range(12):
            game = new_game(chance)
            desk.keep(began(f"m{n}", game), *answers(f"m{n}", game, chance))
            desk.keep(Corrected(f"m{n}", 0, (1, 2), (1, 3), (True, False), "edge", chance.randbytes(100_000)))
            desk.keep(finished(f"m{n}", game))
            assert (tmp_path / "table.db").stat().st_size < whole
    photos = rows(tmp_path / "table.db", "SELECT length(photo) > 0 FROM corrections ORDER BY match")
    assert 0 < sum(there for (there,) in photos) < 8
    assert [there for (there,) in photos] == sorted(there for (there,) in photos)  # only the oldest were deleted
    assert rows(tmp_path / "table.db", "SELECT count(*) FROM matches WHERE log IS NULL") == [(0,)]
    with opened(tmp_path, whole) as desk:
        for n in range(20, 40):
            game = new_game(chance)
            desk.keep(began(f"m{n}", game), *answers(f"m{n}", game, chance))
            noise = [{"event": "noise", "text": chance.randbytes(40_000).hex()}]
            desk.keep(replace(finished(f"m{n}", game), events=noise))
    gone = rows(tmp_path / "table.db", "SELECT log IS NULL FROM matches ORDER BY key")
    assert 0 < sum(empty for (empty,) in gone) < 32
    assert [empty for (empty,) in gone] == sorted((empty for (empty,) in gone), reverse=True)
    assert (tmp_path / "table.db").stat().st_size < whole
    players = {player.name: player.played for player in records_in(tmp_path).players}
    assert players["Ann"] == {"mexico": 32}


ODD = {
    "corrupt events": "UPDATE matches SET events = x'0102' WHERE key = 2",
    "an ask of one word": "UPDATE answers SET asked = 'dice' WHERE match = 2 AND number = 0",
    "an answer that is not JSON": "UPDATE answers SET answer = '{' WHERE match = 2 AND number = 0",
    "options that are not an object": "UPDATE matches SET options = '[]', game = 'bluff' WHERE key = 2",
    "a game that no longer exists": "UPDATE matches SET game = 'hazard' WHERE key = 2",
}


@pytest.mark.parametrize("odd", ODD)
def test_one_broken_game_does_not_stop_the_upgrade_of_the_others(tmp_path, odd):
    chance = random.Random(34)
    games = [new_game(chance, "mexico") for _ in range(3)]
    for game in games:
        list(answers("m", game, chance))
    first_version(tmp_path / "table.db", games)
    with closing(sqlite3.connect(tmp_path / "table.db")) as connection:
        connection.execute(ODD[odd])
        connection.commit()
    with opened(tmp_path) as desk:
        assert desk.troubles == []
        played = {player.name: sum(player.played.values()) for player in desk.records.players}
    assert played == {"Ann": 3, "Bo": 3}
    kept = rows(tmp_path / "table.db", "SELECT log IS NOT NULL FROM matches")
    assert kept in ([(1,), (0,), (1,)], [(1,), (1,), (1,)])
    assert records_in(tmp_path).players[0].played  # the next start can read the file


def found_in(folder: Path, name: str) -> list[str]:
    """The database files that contain the name. Temporary files may disappear during the search."""
    found = []
    for file in folder.glob("*.db*"):
        with suppress(FileNotFoundError):
            if name.encode() in file.read_bytes():
                found.append(file.name)
    return found


@pytest.mark.usefixtures("quick_checks")
def test_a_forgotten_name_is_erased_from_the_files_while_the_table_runs(tmp_path):
    chance, name = random.Random(35), "Wilhelmina"
    with opened(tmp_path) as desk:
        play_out(desk, "m", new_game(chance, "mexico", (name, "Bo")), chance)
        desk.keep(Forgotten(name))
        wait_until(lambda: not found_in(tmp_path, name))
        assert desk.wait(Recounted).names == ((name, None),)


@pytest.mark.usefixtures("quick_checks")
def test_a_name_forgotten_by_another_program_is_erased_from_the_copy_too(tmp_path):
    chance, name = random.Random(36), "Wilhelmina"
    with opened(tmp_path) as desk:
        play_out(desk, "m", new_game(chance, "mexico", (name, "Bo")), chance)
        wait_until((tmp_path / "table.older.db").exists)
        with closing(files.opened(tmp_path / "table.db")) as other:
            store.write(other, Forgotten(name))
        wait_until(lambda: not found_in(tmp_path, name))


def test_a_correction_does_not_bring_back_a_forgotten_name(tmp_path):
    chance, name = random.Random(37), "Wilhelmina"
    game = new_game(chance, "mexico", (name, "Bo"))
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), *answers("m", game, chance, most=2), Forgotten(name))
        desk.keep(Corrected("m", 0, (1,), (2,), (False,), "blurred", b"jpeg"))
    assert rows(tmp_path / "table.db", "SELECT who FROM corrections") == [("",)]


def test_dice_of_all_unknown_sources_are_counted_together(tmp_path):
    chance = random.Random(38)
    game = new_game(chance)
    entries = [replace(entry, source=f"source {entry.number}") for entry in answers("m", game, chance, most=8)]
    with opened(tmp_path) as desk:
        desk.keep(began("m", game), *entries, Left("m", 9.0))
    assert rows(tmp_path / "table.db", "SELECT DISTINCT source FROM faces") == [("unknown",)]
