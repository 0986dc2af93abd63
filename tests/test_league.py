"""The games of several tables in one database: each exactly once, with the names that it has at its table, whatever
happens to the table, to the server and to what is between them. The server is a real PostgreSQL."""

import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.ground
pytest.importorskip("psycopg", reason="psycopg talks to PostgreSQL")
pytest.importorskip("pygame", reason="pygame draws the table")

import psycopg  # noqa: E402

from table.config import DEFAULT  # noqa: E402
from table.config.addresses import check_database, database_where  # noqa: E402
from table.config.sections import LeagueSettings  # noqa: E402
from table.engine import referee  # noqa: E402
from table.engine.asks import Over  # noqa: E402
from table.engine.errors import Refused  # noqa: E402
from table.games import load as load_game  # noqa: E402
from table.machine.doctor import checks as doctor  # noqa: E402
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient  # noqa: E402
from table.session.messages import League, Player  # noqa: E402
from table.storage import league  # noqa: E402
from table.storage.journal import writer  # noqa: E402
from table.storage.journal.entries import Entry, Finished, Forgotten, Renamed, Sent  # noqa: E402
from table.storage.league import Uploader, books, sentence, uploader, waiting  # noqa: E402
from table.storage.records import backup, games, read  # noqa: E402
from table.storage.records.pages import leaders  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from tests import past_games  # noqa: E402
from tests.postgres import ESCAPED, PASSWORD, Server, server  # noqa: E402
from tests.processes import AT_ONCE, environment, records, running, unseen, until  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_journal import CLONE, PATIENCE, Desk, found_in, opened  # noqa: E402

SAY = Catalogue()


@pytest.fixture(scope="module")
def running_server() -> Iterator[Server]:
    with server() as made:
        yield made


@pytest.fixture
def house(running_server: Server) -> Iterator[Server]:
    """The server, which runs again whatever a test did to it."""
    yield running_server
    if not running_server.runs:
        running_server.start()


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute is a moment."""
    for name, seconds in QUICK.items():
        monkeypatch.setattr(uploader, name, seconds)
    monkeypatch.setattr(writer, "_GLANCE", 0.05)


QUICK = {
    "GLANCE": 0.05,
    "MINUTE": 0.3,
    "SOONEST": 0.05,
    "LATEST": dict.fromkeys(uploader.LATEST, 0.2),
    "OWN_DISK": 0.2,  # a slower disk is waited for again, as long as it needs
}


class Table:
    """A journal with a courier, and all that people at that table would hear of the league."""

    def __init__(self, folder: Path, address: str, name: str = "Den", keep: Any = None, begin: bool = True) -> None:
        self.folder = folder
        self.desk = Desk(folder)
        self.heard: list[League] = []
        self.complaints: list[str] = []
        self.settings = LeagueSettings(address, name)
        self._keep = keep or self.desk.journal.keep
        self.courier: Uploader | None = None
        if begin:
            self.begin()

    def begin(self) -> None:
        self.courier = Uploader(self.settings, self.folder, self._keep, self.heard.append, SAY, self.complaints.append)

    def play(self, *numbers: int, people: tuple[str, ...] = ("Ann", "Bo", "Cleo")) -> list[str]:
        """Real games to their end; their ids."""
        matches = [f"{self.folder.name} {number}" for number in numbers]
        for match, number in zip(matches, numbers, strict=True):
            for entry in past_games.game(match, number, people=people):
                ticket = self.desk.journal.keep(entry)
        self.desk.answered(ticket)
        return matches

    def board(self) -> tuple[Player, ...]:
        """What it knows by itself, in the league's order."""
        with read.opened(self.folder) as connection:
            return tuple(sorted((one for one in read.players(connection) if one.played), key=lambda one: one.name))

    def shows(self, board: tuple[Player, ...]) -> bool:
        return self.last == League(board)

    def until_sent(self) -> None:
        until("all is sent and marked", lambda: not waits(self.folder))

    @property
    def last(self) -> League | None:
        return self.heard[-1] if self.heard else None

    def close(self) -> None:
        if self.courier:
            assert self.courier.close(PATIENCE)
        self.desk.close()


@contextmanager
def table(folder: Path, address: str, *more: Any, **other: Any) -> Iterator[Table]:
    made = Table(folder, address, *more, **other)
    try:
        yield made
    finally:
        made.close()


def waits(folder: Path) -> bool:
    with read.opened(folder) as connection:
        asked = "SELECT count(*) FROM matches WHERE answers IS NOT NULL AND sent IS NULL"
        return any(connection.execute(question).fetchone()[0] for question in (asked, "SELECT count(*) FROM changes"))


def sent(house: Server, database: str) -> list[str]:
    try:
        return [match for (match,) in house.ask(database, "SELECT id FROM dicetable.games ORDER BY id")]
    except psycopg.errors.UndefinedTable:
        return []


def names_there(house: Server, database: str) -> dict[str, list[str]]:
    """By game, seat after seat; guests and those who were forgotten have none."""
    found: dict[str, list[str]] = {}
    for match, name in house.ask(database, "SELECT game_id, name FROM dicetable.seats ORDER BY game_id, seat"):
        found.setdefault(match, []).append(name)
    return found


def names_here(*folders: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in folders:
        with read.opened(folder) as connection:
            for match, name, guest in connection.execute(
                "SELECT id, name, guest FROM seats JOIN matches ON key = match WHERE answers IS NOT NULL ORDER BY seat"
            ):
                found.setdefault(match, []).append("" if guest else name)
    return found


def added(*boards: tuple[Player, ...]) -> tuple[Player, ...]:
    """Several boards as one."""
    found: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for player in (player for board in boards for player in board):
        played, won = found.setdefault(player.name, (Counter(), Counter()))
        played.update(player.played)
        won.update(player.won)
    return tuple(Player(name, dict(played), dict(won)) for name, (played, won) in sorted(found.items()))


# Everybody's


def test_the_leaderboard_of_two_tables_is_everybodys(house, tmp_path):
    database = house.empty()
    with (
        table(tmp_path / "one", house.address(database), "Den") as one,
        table(tmp_path / "other", house.address(database), "Pub") as other,
    ):
        matches = one.play(*range(6)) + other.play(*range(6, 15), people=("Ann", "Bo", "Zoë 🎲"))
        both = added(one.board(), other.board())
        for each in (one, other):
            until("the board of both", partial(each.shows, both))
        assert {"Cleo", "Zoë 🎲"} <= {leader.name for leader in leaders(both)}
        assert sent(house, database) == sorted(matches)
        assert names_there(house, database) == names_here(one.folder, other.folder)
        assert house.ask(database, "SELECT name FROM dicetable.tables ORDER BY name") == [("Den",), ("Pub",)]
        assert one.complaints == other.complaints == []


def test_a_game_that_was_sent_can_be_played_again_from_what_is_there(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(*range(5))
        one.until_sent()
        for number in range(1, 6):
            with read.opened(one.folder) as connection:
                page = read.game(connection, number)
            (game, rules, options, seed, began, ended, log) = house.ask(
                database,
                "SELECT game, rules, options, seed, extract(epoch FROM began), extract(epoch FROM ended), log"
                " FROM dicetable.games WHERE id = %s",
                [page.match],
            )[0]
            seats = house.ask(
                database,
                "SELECT won, standing, level FROM dicetable.seats WHERE game_id = %s ORDER BY seat",
                [page.match],
            )
            assert page.saved is not None
            saved = {key: page.saved[key] for key in ("dicetable", "players")}
            saved |= {"game": game, "rules": rules, "options": options, "seed": int(seed)}
            saved |= {"asks": log["asks"], "answers": log["answers"]}
            again = load_game(saved | {"digest": referee.digest(saved)})
            assert isinstance(again.ask, Over)
            assert [won for won, _, _ in seats] == [seat in again.ask.winners for seat in range(len(seats))]
            assert [standing for _, standing, _ in seats] == list(again.table.standing)
            assert [level for _, _, level in seats] == [seat.level for seat in page.line.seats]
            assert log["sources"] == list(page.sources)
            assert (float(began), float(ended)) == (page.began, page.line.ended)


def test_no_guests_name_and_no_game_that_goes_on_is_ever_there(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(*range(6))
        for entry in past_games.game("going on", 6):
            if not isinstance(entry, Finished):
                one.desk.keep(entry)
        one.until_sent()
        assert len(sent(house, database)) == 6 and "going on" not in sent(house, database)
    dumped = house.dump(database)
    assert "Cleo" in dumped and past_games.GUEST not in dumped


def test_a_game_that_two_tables_have_is_counted_once_and_stays_the_firsts(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database), "Den") as one:
        one.play(0)
        one.until_sent()
        with read.opened(one.folder) as connection:
            copied = games.exported(read.game(connection, 1))
    here = names_here(one.folder)
    first, second, *_ = here["one 0"]
    with table(tmp_path / "other", house.address(database), "Pub", begin=False) as other:
        other.desk.keep(*games.taken_in(copied), Renamed(first, "Xenia"))
        other.begin()
        other.until_sent()
        assert names_there(house, database) == here
        other.desk.keep(Renamed(second, "Xaver"))
        other.until_sent()
    assert names_there(house, database) == here != names_here(other.folder)


def test_a_game_with_what_postgresql_cannot_keep_or_of_which_little_is_left_holds_no_other_up(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database), begin=False) as one:
        strange = [replace(entry, match="a\0b") for entry in past_games.game("x", 1)]
        strange[0] = replace(strange[0], levels=[level and "\0" for level in strange[0].levels])
        strange[1] = replace(strange[1], source="\0")
        one.desk.keep(*strange)
        one.play(2, 3, 4)
        with closing(sqlite3.connect(one.folder / "table.db")) as connection:
            connection.execute("UPDATE matches SET log = NULL WHERE id = 'one 2'")
            connection.execute("UPDATE matches SET log = x'00' WHERE id = 'one 3'")
            connection.commit()
        one.begin()
        one.until_sent()
        without = house.ask(database, "SELECT id FROM dicetable.games WHERE log IS NULL ORDER BY id")
        assert without == [("one 2",), ("one 3",)]
        assert sent(house, database) == ["a\ufffdb", "one 2", "one 3", "one 4"]
        until("the board", lambda: one.shows(one.board()))  # it is fetched once everything is marked


# The server is away


def test_games_that_end_while_the_server_is_stopped_arrive_once_when_it_is_back(house, tmp_path):
    database = house.empty()
    with (
        table(tmp_path / "one", house.address(database)) as one,
        table(tmp_path / "other", house.address(database)) as other,
    ):
        matches = one.play(*range(4)) + other.play(*range(4))
        for each in (one, other):
            each.until_sent()
        board = added(one.board(), other.board())
        until("the board of both", lambda: one.last == League(board))
        for stopped in range(2):
            house.stop()
            first = 4 + 3 * stopped
            matches += one.play(*range(first, first + 3)) + other.play(*range(first, first + 3))
            until("it is missed", lambda: one.last and one.last.trouble == "away")
            assert one.last and one.last.players == board and waits(one.folder) and waits(other.folder)
            house.start()
            board = added(one.board(), other.board())
            for each in (one, other):
                until("all of it", partial(each.shows, board))
        assert sent(house, database) == sorted(matches)
        assert names_there(house, database) == names_here(one.folder, other.folder)
        assert not waits(one.folder) and not waits(other.folder)
    for said in one.complaints:
        assert f"127.0.0.1:{house.port}/{database} cannot be reached" in said
        assert PASSWORD not in said and ESCAPED not in said and "Traceback" not in said


def test_a_server_that_stops_again_and_again_while_games_are_sent_gets_each_once(house, tmp_path, monkeypatch):
    monkeypatch.setattr("table.storage.league.waiting.AT_ONCE", 4)
    database = house.empty()
    matches = past_games.filled(tmp_path / "one", 60)
    with table(tmp_path / "one", house.address(database)) as one:
        for goal in (0, 1, 12, 30):
            until("some are sent", lambda goal=goal: len(sent(house, database)) >= goal)
            house.stop()
            house.start()
        one.until_sent()
    assert sent(house, database) == sorted(matches)
    assert names_there(house, database) == names_here(one.folder)


def test_a_server_that_never_answers_holds_nobody_up(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with table(tmp_path / "one", f"postgresql://127.0.0.1:{silent.getsockname()[1]}/x") as one:
            for _ in range(2):  # it hangs up, and the next time too
                silent.accept()[0].close()
            waited_for, _ = silent.accept()
            one.play(1)
            ending, one.courier = one.courier, None  # its thread ends once it is hung up
            assert ending is not None and not ending.close()
            waited_for.close()
            assert ending.close(PATIENCE)


def test_a_league_that_was_made_anew_gets_everything_again(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        matches = one.play(*range(4))
        one.until_sent()
    house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        until("all is there again", lambda: sent(house, database) == sorted(matches))
        one.until_sent()
        assert names_there(house, database) == names_here(one.folder)


# The table is killed

SENDER = """
    import os, signal, sys, time
    from pathlib import Path
    from table.text.catalogue import Catalogue
    from table.config.sections import LeagueSettings
    from table.storage.journal.entries import Sent
    from table.storage.journal.writer import Journal
    from table.storage.league import Uploader, uploader, waiting
    folder, address, when, left = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    uploader.GLANCE, uploader.SOONEST, waiting.AT_ONCE = 0.02, 0.02, 5
    journal = Journal(folder, lambda message: None)
    journal.start()
    def keep(entry):
        global left
        left -= isinstance(entry, Sent) and bool(entry.matches or entry.changes)
        if left == 0 and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        ticket = journal.keep(entry)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return ticket
    Uploader(LeagueSettings(address, "Den"), folder, keep, lambda message: None, Catalogue(), print)
    time.sleep(600)
"""


def killed(folder: Path, address: str, when: str = "before", parcel: int = 1) -> None:
    """A table in a process of its own, which dies after the league has committed that parcel: before it marks what it
    sent, or while it does."""
    script = re.sub("^    ", "", SENDER, flags=re.MULTILINE)
    command = [sys.executable, "-c", script, str(folder), address, when, str(parcel)]
    assert subprocess.run(command, cwd=CLONE, timeout=PATIENCE).returncode == -signal.SIGKILL


def test_a_table_that_is_killed_at_any_moment_has_sent_no_game_twice_and_loses_none(house, tmp_path):
    database = house.empty()
    matches = past_games.filled(tmp_path / "one", 60)
    for when, parcel in (("during", 1), ("before", 3), ("during", 2)):
        killed(tmp_path / "one", house.address(database), when, parcel)
    assert 0 < len(sent(house, database)) < len(matches)
    with table(tmp_path / "one", house.address(database)) as one:
        one.until_sent()
        until("the board", lambda: one.shows(one.board()))
    assert sent(house, database) == sorted(matches)
    assert names_there(house, database) == names_here(one.folder)


def test_what_was_sent_and_not_marked_when_the_table_was_killed_is_sent_again_and_there_once(house, tmp_path):
    database = house.empty()
    matches = past_games.filled(tmp_path / "one", 12)
    killed(tmp_path / "one", house.address(database))
    assert sent(house, database) == matches[:5] and waits(tmp_path / "one")
    with table(tmp_path / "one", house.address(database)) as one:
        one.until_sent()
    assert sent(house, database) == sorted(matches)
    assert names_there(house, database) == names_here(one.folder)


def test_names_that_were_swapped_are_right_however_often_the_league_is_told(house, tmp_path):
    """Told twice, it would swap them back."""
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(*range(6))
        one.until_sent()
    with table(tmp_path / "one", house.address(database), begin=False) as one:
        one.desk.keep(Renamed("Ann", "Nobody yet"), Renamed("Bo", "Ann"), Renamed("Nobody yet", "Bo"))
        one.play(6, 7)
    killed(tmp_path / "one", house.address(database))
    assert names_there(house, database) == names_here(tmp_path / "one") and waits(tmp_path / "one")
    with table(tmp_path / "one", house.address(database), begin=False) as one:
        one.desk.keep(Forgotten("Ann"))
        one.begin()
        one.until_sent()
    there = names_there(house, database)
    assert there == names_here(tmp_path / "one")
    assert {name for names in there.values() for name in names} >= {"Bo", "Cleo", ""}


# Names


def test_a_name_that_is_changed_merged_or_forgotten_is_so_in_the_league_for_this_tables_games_only(house, tmp_path):
    database = house.empty()
    with (
        table(tmp_path / "one", house.address(database)) as one,
        table(tmp_path / "other", house.address(database)) as other,
    ):
        one.play(*range(6), people=("Ann", "Bo", "Cleo", "Wilhelmina"))
        other.play(*range(6), people=("Ann", "Bo", "Cleo", "Dora"))
        for each in (one, other):
            each.until_sent()
        there = names_here(other.folder)
        one.desk.keep(Renamed("Ann", "Zoë"), Renamed("Bo", "Cleo"), Forgotten("Wilhelmina"))
        one.until_sent()
        here = names_here(one.folder)
        assert names_there(house, database) == here | there
        named = {name for names in here.values() for name in names}
        assert {"Zoë", "Cleo", ""} <= named and not {"Ann", "Bo", "Wilhelmina"} & named
        until("the new names", lambda: one.last == League(added(one.board(), other.board())))
    assert "Zoë" in house.dump(database) and "Wilhelmina" not in house.dump(database)


def test_a_forgotten_name_is_nowhere_at_the_table_either_once_the_league_was_told(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(*range(4), people=("Wilhelmina", "Bo"))
        one.until_sent()
        one.desk.keep(Forgotten("Wilhelmina"))
        one.until_sent()
        until("the name is nowhere", lambda: not found_in(one.folder, "Wilhelmina"))


def test_a_table_that_has_left_its_league_keeps_no_old_name_for_it_and_brings_everything_when_it_is_back(
    house, tmp_path
):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        matches = one.play(*range(4), people=("Wilhelmina", "Bo"))
        one.until_sent()
    with table(tmp_path / "one", house.address(database), begin=False) as one:  # it cannot be told
        one.desk.keep(Forgotten("Wilhelmina"), Renamed("Bo", "Beatrix"))
        assert waits(one.folder)
    assert found_in(tmp_path / "one", "Wilhelmina")
    with opened(tmp_path / "one", league=False) as desk:
        until("the name is nowhere", lambda: not found_in(tmp_path / "one", "Wilhelmina"))
        desk.keep(Renamed("Beatrix", "Bea"))
    assert "Wilhelmina" in house.dump(database)
    with table(tmp_path / "one", house.address(database)) as one:
        one.until_sent()
        assert sent(house, database) == sorted(matches)
        assert names_there(house, database) == names_here(one.folder)
    assert "Bea" in house.dump(database) and "Wilhelmina" not in house.dump(database)


@pytest.mark.parametrize("change", [Renamed("Ann", "Zoë"), Forgotten("Ann")], ids=["renamed", "forgotten"])
def test_a_name_that_changes_between_the_sending_and_the_mark_is_told_as_well(house, tmp_path, change):
    database = house.empty()
    changed: list[Entry] = []

    def keep(entry: Entry) -> int:
        """The journal gets the change just before the mark; only the first time, as people would."""
        if isinstance(entry, Sent) and entry.matches and not changed:
            changed.append(change)
            assert "Ann" in {name for names in names_there(house, database).values() for name in names}
            one.desk.journal.keep(change)
        return one.desk.journal.keep(entry)

    with table(tmp_path / "one", house.address(database), keep=keep, begin=False) as one:
        one.play(*range(4), people=("Ann", "Cleo"))
        one.begin()
        until("it is right", lambda: not waits(one.folder))
        assert names_there(house, database) == names_here(one.folder)
        assert "Ann" not in {name for names in names_here(one.folder).values() for name in names}


def test_after_a_backup_was_restored_the_league_has_the_names_of_the_backup_and_the_table_its_id(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(*range(4))
        one.until_sent()
        backup.backup(one.folder, tmp_path / "copy.db")
        one.desk.keep(Renamed("Ann", "Zoë"))
        one.until_sent()
        backup.restore(one.folder, tmp_path / "copy.db")
        one.until_sent()
        assert names_there(house, database) == names_here(one.folder)
        assert len(house.ask(database, "SELECT id FROM dicetable.tables")) == 1
    with table(tmp_path / "other", house.address(database)) as other:
        other.play(9)
        other.until_sent()
        backup.restore(other.folder, tmp_path / "copy.db")
        other.until_sent()
        other.play(10)
        other.until_sent()
    assert len(house.ask(database, "SELECT DISTINCT table_id FROM dicetable.games")) == 2
    assert names_there(house, database).keys() == {*names_here(one.folder), "other 9", "other 10"}


# Who may come in


def test_a_wrong_password_is_one_sentence_without_it_and_games_arrive_once_it_is_right(house, tmp_path, monkeypatch):
    database, attempts, attempt = house.empty(), [], books.opened
    monkeypatch.setattr(books, "opened", lambda *address: (attempts.append(address), attempt(*address))[1])
    house.do(database, "CREATE ROLE late LOGIN SUPERUSER PASSWORD 'other'")
    with table(tmp_path / "one", house.address(database, "late", "hush")) as one:
        matches = one.play(1, 2)
        until("it is refused", lambda: one.last and one.last.trouble == "refused")
        until("it tried a few more times", lambda: len(attempts) > 4)
        assert len(one.complaints) == 1 and one.complaints == [sentence(one.last, one.settings, SAY)]
        assert f"127.0.0.1:{house.port}/{database} refused the connection" in one.complaints[0]
        assert "hush" not in one.complaints[0] and "hush" not in str(one.heard)
        house.do(database, "ALTER ROLE late PASSWORD 'hush'")
        until("it is in", lambda: one.shows(one.board()))
        assert sent(house, database) == sorted(matches)


@pytest.mark.parametrize(
    ("address", "word", "detail"),
    [
        ("postgresql://den:six@127.0.0.1:{port}/postgres", "refused", 'password authentication failed for user "den"'),
        ("postgresql://watcher@127.0.0.1:{port}/nowhere", "refused", 'database "nowhere" does not exist'),
        ("postgresql://watcher@127.0.0.1:{port}/postgres?bogus=1", "refused", 'invalid URI query parameter: "bogus"'),
        ("postgresql://no..host/postgres", "refused", "no host can be called that"),
        ("postgresql://127.0.0.1:1/postgres", "away", "Connection refused"),
        ("postgresql://%2Fnowhere/postgres", "away", "No such file or directory"),
        ("postgresql://watcher@127.0.0.1:{port}/postgres", "", ""),
    ],
)
def test_what_is_wrong_is_a_word_and_the_servers_own(house, address, word, detail):
    assert league.answers(LeagueSettings(address.format(port=house.port))) == (word, detail)


def test_a_league_of_a_newer_version_is_left_alone(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(1)
        one.until_sent()
        house.do(database, "UPDATE dicetable.meta SET version = 99")
        one.play(2)
        until("it is noticed", lambda: one.last and one.last.trouble == "newer")
        assert "has a newer version" in one.complaints[-1]
    assert sent(house, database) == ["one 1"] and waits(one.folder)


def test_a_league_that_is_updated_while_a_table_is_connected_is_left_alone(house):
    database = house.empty()
    with books.opened(house.address(database)) as connected:
        house.do(database, "UPDATE dicetable.meta SET version = 99")
        with pytest.raises(books.Trouble, match="newer"):
            books.take(connected, "id", "Den", waiting.Parcel([], [], []))
    assert house.ask(database, "SELECT * FROM dicetable.tables") == []


def test_a_database_that_cannot_write_every_name_is_refused_before_anything_is_made(house, tmp_path):
    database = "latin"
    house.do("postgres", f"CREATE DATABASE {database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with table(tmp_path / "one", house.address(database)) as one:
        until("it is noticed", lambda: one.last and one.last.trouble == "refused")
        assert "LATIN1" in one.complaints[0]
    assert house.ask(database, "SELECT to_regnamespace('dicetable')") == [(None,)]


def test_many_tables_that_start_at_once_make_one_league(house, tmp_path):
    database = house.empty()
    made = [Table(tmp_path / f"t{number}", house.address(database), begin=False) for number in range(4)]
    try:
        matches = [match for number, each in enumerate(made) for match in each.play(number, number + 10)]
        for each in made:
            each.begin()
        for each in made:
            each.until_sent()
        board = added(*(each.board() for each in made))
        for each in made:
            until("the board of all", partial(each.shows, board))
            assert each.complaints == []
    finally:
        for each in made:
            each.close()
    assert sent(house, database) == sorted(matches)
    assert house.ask(database, "SELECT version FROM dicetable.meta") == [(1,)]


def statements(title: str) -> list[str]:
    """The first SQL block after this line of docs/league.md."""
    text = (CLONE / "docs" / "league.md").read_text(encoding="utf-8")
    block = re.search(rf"{re.escape(title)}.*?```sql\n(.*?)```", text, re.DOTALL)
    assert block is not None
    return [statement for statement in block[1].split(";\n") if statement.strip()]


def test_the_rights_that_the_page_gives_are_enough_and_no_more(house, tmp_path):
    house.do("postgres", "CREATE DATABASE dicetable")
    house.do("dicetable", *statements("### 1. The database"))
    owner = house.address("dicetable", "dicetable", "choose-a-password")
    with table(tmp_path / "one", owner) as one:
        one.play(0, 1)
        one.until_sent()
        assert one.complaints == []
        house.do("dicetable", *statements("**Fewer rights.**"))
        less = house.address("dicetable", "pub", "choose-another")
        with table(tmp_path / "other", less) as other:
            other.play(2, 3)
            other.until_sent()
            other.desk.keep(Renamed("Ann", "Zoë"), Forgotten("Bo"))
            other.until_sent()
            until("the board of both", lambda: other.last == League(added(one.board(), other.board())))
            assert other.complaints == []
    for wrong in (
        "DELETE FROM dicetable.games",
        "UPDATE dicetable.seats SET won = true",
        "CREATE TABLE public.mine ()",
    ):
        with psycopg.connect(less) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(wrong)
    for address in (less, owner):
        with psycopg.connect(address) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE SCHEMA mine")


def test_the_doctor_says_it_if_a_user_may_not_make_the_tables_that_are_missing(house):
    database = house.empty()
    house.do(database, "DROP ROLE IF EXISTS nobody", "CREATE ROLE nobody LOGIN PASSWORD 'hush'")
    nobody = LeagueSettings(house.address(database, "nobody", "hush"))
    assert league.answers(nobody) == ("refused", "it has no tables yet, and this user may not make them")
    house.do(database, "CREATE SCHEMA dicetable AUTHORIZATION nobody")
    assert league.answers(nobody) == ("", "")
    house.do(database, "DROP SCHEMA dicetable", "DROP ROLE nobody")


def test_a_league_that_is_being_put_back_is_waited_for(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database)) as one:
        one.play(0)
        one.until_sent()
        ((version, name),) = house.ask(database, "SELECT version, id FROM dicetable.meta")
        house.do(database, "DELETE FROM dicetable.meta")
        one.play(1)
        until("it is noticed", lambda: one.last and one.last.trouble == "away")
        assert league.answers(one.settings)[0] == "away"
        house.do(database, f"INSERT INTO dicetable.meta VALUES ({version}, '{name}')")
        one.until_sent()
        assert len(sent(house, database)) == 2


def test_what_the_page_says_on_deleting_deletes(house, tmp_path):
    database = house.empty()
    with table(tmp_path / "one", house.address(database), "The Red Lion") as one:
        one.play(0, 1)
        one.until_sent()
    house.do(database, *statements("To delete all games of one table"))
    assert sent(house, database) == [] and names_there(house, database) == {}


def test_without_psycopg_the_table_plays_on_and_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "table.storage.league.books", raising=False)
    monkeypatch.delattr(league, "books", raising=False)
    with table(tmp_path / "one", "postgresql://127.0.0.1/x") as one:
        until("it is said", lambda: one.complaints)
        one.play(1)
        assert one.last == League((), "missing") and len(one.complaints) == 1
        assert 'pip install "dicetable[league]"' in one.complaints[0]
        assert waits(one.folder)


# The address


@given(user=st.text(min_size=1), password=st.text(), name=st.text("abcdef-_.", min_size=1), port=st.integers(1, 65535))
def test_any_user_and_password_can_be_written_and_are_not_shown(user, password, name, port):
    for text in (user, password):
        try:
            text.encode()
        except UnicodeEncodeError:
            return
        if "\0" in text:
            return
    address = f"postgresql://{quote(user, safe='')}:{quote(password, safe='')}@db.example.org:{port}/{name}"
    check_database(address)
    assert database_where(address) == f"db.example.org:{port}/{name}"
    found = psycopg.conninfo.conninfo_to_dict(address)
    assert (found["user"], found.get("password", ""), found["dbname"]) == (user, password, name)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://db.example.org", "db.example.org"),
        ("postgres://dicetable@db/league", "db/league"),
        (
            "postgresql://ann:se:cret@[::1]:5433/league?sslmode=verify-full&sslrootcert=/etc/root.crt",
            "[::1]:5433/league",
        ),
        ("postgresql://ann@one:5432,two:5432/league", "one:5432,two:5432/league"),
        ("postgresql:///league", "league"),
        ("postgresql://%2Frun%2Fpostgresql/league", "%2Frun%2Fpostgresql/league"),
        ("postgresql://", "this machine"),
    ],
)
def test_the_rest_of_an_address_may_be_left_out_and_libpq_reads_it_too(address, shown):
    check_database(address)
    psycopg.conninfo.conninfo_to_dict(address)
    assert database_where(address) == shown


@pytest.mark.parametrize(
    "address",
    [
        "mysql://ann:hush@db/league",
        "db.example.org/hush",
        "postgresql://ann:hush%@db/league",
        "postgresql://ann:hu%00sh@db/league",
        "postgresql://ann:hu/sh@db/league",
        "postgresql://ann:hu@sh@db/league",
        "postgresql://ann:hu sh@db/league",
        "postgresql://ann:hush@db:port/league",
        "postgresql://db/league?password=hush",
        "postgresql://db/league?sslmode=require&password=hush",
        "postgresql://db/league?hush",
        "postgresql://ann:hush@db/league\n",
    ],
)
def test_an_address_that_is_none_is_a_sentence_without_the_password(address):
    with pytest.raises(Refused, match="postgresql://user:password@db") as refused:
        check_database(address)
    assert "hu" not in str(refused.value)


@given(st.from_regex(r"postgres(ql)?://[ -~]{0,60}", fullmatch=True))
def test_what_is_taken_for_an_address_libpq_takes_too(address):
    try:
        check_database(address)
    except Refused:
        return
    with suppress(psycopg.ProgrammingError):
        psycopg.conninfo.conninfo_to_dict(address.partition("?")[0])
        return
    raise AssertionError("libpq would quote it")


# The whole table


def config(folder: Path, address: str) -> str:
    path = folder / "table.toml"
    lines = ["[screen]", 'window = "800x480"', "[phones]", 'reach = "machine"', "[league]", f'address = "{address}"']
    path.write_text("\n".join([*lines, 'name = "Den"', ""]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", [("serve",), ("--simulate",)], ids=["serve", "table"])
def test_a_table_sends_what_it_has_kept_before_it_was_in_a_league(house, tmp_path, command):
    database = house.empty()
    matches = past_games.filled(records(tmp_path), 5)
    given = config(tmp_path, house.address(database))
    with running(*command, "--config", given, env=unseen(tmp_path), code=AT_ONCE) as process:
        until("they are there", lambda: sent(house, database) == sorted(matches), process)
        until("they are marked", lambda: not waits(records(tmp_path)), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert process.stderr and process.stderr.read() == ""


def test_a_table_whose_league_refuses_it_says_so_where_it_was_started_and_plays_on(house, tmp_path):
    given = config(tmp_path, house.address("nowhere"))
    with running("serve", "--config", given, env=environment(tmp_path)) as process:
        assert process.stderr
        said = process.stderr.readline()
        assert '"nowhere" does not exist' in said and "Traceback" not in said and ESCAPED not in said
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_desk_has_the_board_of_all_and_the_first_screen_says_what_somebody_has_to_put_right(language):
    with Tabletop(
        config=replace(DEFAULT, league=LeagueSettings("postgresql://ann:hush@db/x")), language=language
    ) as it:
        board = (Player("Ann", {"mexico": 3}, {"mexico": 2}),)
        it.mailbox.post(League(board))
        it.run(0.2)
        assert it.context.storage.league == League(board) and it.context.wrong() == ""
        it.mailbox.post(League(board, "away", "timed out"))
        it.run(0.2)
        assert it.context.wrong() == "" and it.context.storage.league and it.context.storage.league.players == board
        for word in league.SHOWN:
            it.mailbox.post(League(board, word, "the reason"))
            it.run(0.2)
            said = it.context.wrong()
            assert said == sentence(League(board, word, "the reason"), it.context.config.league, Catalogue(language))
            assert "hush" not in said and ("the reason" in said) == (word == "refused")


# The doctor


def examined(folder: Path, address: str) -> Finding:
    checks = [check for check in doctor.CHECKS if check.what == "league"]
    patient = Patient(replace(DEFAULT, league=LeagueSettings(address)), folder)
    (finding,) = doctor.examined(patient, checks=checks)
    return finding


def test_the_doctor_says_how_it_stands_with_the_league(house, tmp_path):
    database = house.empty()
    good = examined(tmp_path, house.address(database))
    assert house.ask(database, "SELECT to_regnamespace('dicetable')") == [(None,)]
    assert good.state == OK and f"127.0.0.1:{house.port}/{database} answers" in good.said
    wrong = examined(tmp_path, house.address(database, "ann", "hush"))
    assert wrong.state == BROKEN and "refuses" in wrong.said and "hush" not in wrong.said + wrong.fix
    house.do(database, "CREATE SCHEMA dicetable", "CREATE TABLE dicetable.meta AS SELECT 2 AS version")
    assert "newer" in examined(tmp_path, house.address(database)).said
    away = examined(tmp_path, "postgresql://127.0.0.1:1/x")
    assert away.state == BROKEN and "cannot be reached" in away.said
    assert examined(tmp_path, "").state == OK
