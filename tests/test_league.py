"""Several tables send their games to one real PostgreSQL database. Each game ends up there exactly once, with the names
used at its table, even if the table, the server or the connection fails."""

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
def postgres(running_server: Server) -> Iterator[Server]:
    """The server, restarted after a test that stopped it."""
    yield running_server
    if not running_server.runs:
        running_server.start()


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens every interval of the uploader and the journal."""
    for name, seconds in QUICK.items():
        monkeypatch.setattr(uploader, name, seconds)
    monkeypatch.setattr(writer, "_GLANCE", 0.05)


QUICK = {
    "GLANCE": 0.05,
    "MINUTE": 0.3,
    "SOONEST": 0.05,
    "LATEST": dict.fromkeys(uploader.LATEST, 0.2),
    "OWN_DISK": 0.2,  # seconds to wait for the journal; if it takes longer, the uploader tries again
}


class Table:
    """A journal and an uploader, with everything that the uploader posts and reports."""

    def __init__(self, folder: Path, address: str, name: str = "Den", keep: Any = None, begin: bool = True) -> None:
        self.folder = folder
        self.desk = Desk(folder)
        self.heard: list[League] = []
        self.complaints: list[str] = []
        self.settings = LeagueSettings(address, name)
        self._keep = keep or self.desk.journal.keep
        self.uploader: Uploader | None = None
        if begin:
            self.begin()

    def begin(self) -> None:
        self.uploader = Uploader(self.settings, self.folder, self._keep, self.heard.append, SAY, self.complaints.append)

    def play(self, *numbers: int, people: tuple[str, ...] = ("Ann", "Bo", "Cleo")) -> list[str]:
        """Plays whole games; returns their ids."""
        matches = [f"{self.folder.name} {number}" for number in numbers]
        for match, number in zip(matches, numbers, strict=True):
            for entry in past_games.game(match, number, people=people):
                ticket = self.desk.journal.keep(entry)
        self.desk.answered(ticket)
        return matches

    def board(self) -> tuple[Player, ...]:
        """This table's own leaderboard, in the league's order."""
        with read.opened(self.folder) as connection:
            return tuple(sorted((one for one in read.players(connection) if one.played), key=lambda one: one.name))

    def shows(self, board: tuple[Player, ...]) -> bool:
        return self.last == League(board)

    def until_sent(self) -> None:
        until("all games are sent and marked", lambda: not unsent(self.folder))

    @property
    def last(self) -> League | None:
        return self.heard[-1] if self.heard else None

    def close(self) -> None:
        if self.uploader:
            assert self.uploader.close(PATIENCE)
        self.desk.close()


@contextmanager
def table(folder: Path, address: str, *more: Any, **other: Any) -> Iterator[Table]:
    made = Table(folder, address, *more, **other)
    try:
        yield made
    finally:
        made.close()


def unsent(folder: Path) -> bool:
    with read.opened(folder) as connection:
        asked = "SELECT count(*) FROM matches WHERE answers IS NOT NULL AND sent IS NULL"
        return any(connection.execute(question).fetchone()[0] for question in (asked, "SELECT count(*) FROM changes"))


def sent(postgres: Server, database: str) -> list[str]:
    try:
        return [match for (match,) in postgres.ask(database, "SELECT id FROM dicetable.games ORDER BY id")]
    except psycopg.errors.UndefinedTable:
        return []


def league_names(postgres: Server, database: str) -> dict[str, list[str]]:
    """Each game's names by seat, with "" for guests and forgotten players."""
    found: dict[str, list[str]] = {}
    for match, name in postgres.ask(database, "SELECT game_id, name FROM dicetable.seats ORDER BY game_id, seat"):
        found.setdefault(match, []).append(name)
    return found


def table_names(*folders: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in folders:
        with read.opened(folder) as connection:
            for match, name, guest in connection.execute(
                "SELECT id, name, guest FROM seats JOIN matches ON key = match WHERE answers IS NOT NULL ORDER BY seat"
            ):
                found.setdefault(match, []).append("" if guest else name)
    return found


def added(*boards: tuple[Player, ...]) -> tuple[Player, ...]:
    """The sum of several leaderboards."""
    found: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for player in (player for board in boards for player in board):
        played, won = found.setdefault(player.name, (Counter(), Counter()))
        played.update(player.played)
        won.update(player.won)
    return tuple(Player(name, dict(played), dict(won)) for name, (played, won) in sorted(found.items()))


# One leaderboard for all tables


def test_two_tables_share_one_leaderboard(postgres, tmp_path):
    database = postgres.empty()
    with (
        table(tmp_path / "one", postgres.address(database), "Den") as one,
        table(tmp_path / "other", postgres.address(database), "Pub") as other,
    ):
        matches = one.play(*range(6)) + other.play(*range(6, 15), people=("Ann", "Bo", "Zoë 🎲"))
        both = added(one.board(), other.board())
        for each in (one, other):
            until("the board of both", partial(each.shows, both))
        assert {"Cleo", "Zoë 🎲"} <= {leader.name for leader in leaders(both)}
        assert sent(postgres, database) == sorted(matches)
        assert league_names(postgres, database) == table_names(one.folder, other.folder)
        assert postgres.ask(database, "SELECT name FROM dicetable.tables ORDER BY name") == [("Den",), ("Pub",)]
        assert one.complaints == other.complaints == []


def test_a_game_can_be_replayed_from_the_league(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(*range(5))
        one.until_sent()
        for number in range(1, 6):
            with read.opened(one.folder) as connection:
                page = read.game(connection, number)
            (game, rules, options, seed, began, ended, log) = postgres.ask(
                database,
                "SELECT game, rules, options, seed, extract(epoch FROM began), extract(epoch FROM ended), log"
                " FROM dicetable.games WHERE id = %s",
                [page.match],
            )[0]
            seats = postgres.ask(
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


def test_guests_names_and_unfinished_games_are_never_sent(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(*range(6))
        for entry in past_games.game("going on", 6):
            if not isinstance(entry, Finished):
                one.desk.keep(entry)
        one.until_sent()
        assert len(sent(postgres, database)) == 6 and "going on" not in sent(postgres, database)
    dumped = postgres.dump(database)
    assert "Cleo" in dumped and past_games.GUEST not in dumped


def test_a_game_sent_by_two_tables_counts_once_and_belongs_to_the_first(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database), "Den") as one:
        one.play(0)
        one.until_sent()
        with read.opened(one.folder) as connection:
            copied = games.exported(read.game(connection, 1))
    here = table_names(one.folder)
    first, second, *_ = here["one 0"]
    with table(tmp_path / "other", postgres.address(database), "Pub", begin=False) as other:
        other.desk.keep(*games.taken_in(copied), Renamed(first, "Xenia"))
        other.begin()
        other.until_sent()
        assert league_names(postgres, database) == here
        other.desk.keep(Renamed(second, "Xaver"))
        other.until_sent()
    assert league_names(postgres, database) == here != table_names(other.folder)


def test_games_with_nul_characters_or_without_a_log_are_sent_like_any_other(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database), begin=False) as one:
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
        without = postgres.ask(database, "SELECT id FROM dicetable.games WHERE log IS NULL ORDER BY id")
        assert without == [("one 2",), ("one 3",)]
        assert sent(postgres, database) == ["a\ufffdb", "one 2", "one 3", "one 4"]
        # The leaderboard is fetched once the last game is marked as sent.
        until("the board", lambda: one.shows(one.board()))


# The server is down


def test_games_that_end_while_the_server_is_stopped_arrive_once_when_it_is_back(postgres, tmp_path):
    database = postgres.empty()
    with (
        table(tmp_path / "one", postgres.address(database)) as one,
        table(tmp_path / "other", postgres.address(database)) as other,
    ):
        matches = one.play(*range(4)) + other.play(*range(4))
        for each in (one, other):
            each.until_sent()
        board = added(one.board(), other.board())
        until("the board of both", lambda: one.last == League(board))
        for stopped in range(2):
            postgres.stop()
            first = 4 + 3 * stopped
            matches += one.play(*range(first, first + 3)) + other.play(*range(first, first + 3))
            until("the server is missed", lambda: one.last and one.last.trouble == "away")
            assert one.last and one.last.players == board and unsent(one.folder) and unsent(other.folder)
            postgres.start()
            board = added(one.board(), other.board())
            for each in (one, other):
                until("everything has arrived", partial(each.shows, board))
        assert sent(postgres, database) == sorted(matches)
        assert league_names(postgres, database) == table_names(one.folder, other.folder)
        assert not unsent(one.folder) and not unsent(other.folder)
    for said in one.complaints:
        assert f"127.0.0.1:{postgres.port}/{database} cannot be reached" in said
        assert PASSWORD not in said and ESCAPED not in said and "Traceback" not in said


def test_a_server_that_is_restarted_during_an_upload_gets_each_game_once(postgres, tmp_path, monkeypatch):
    monkeypatch.setattr("table.storage.league.waiting.AT_ONCE", 4)
    database = postgres.empty()
    matches = past_games.filled(tmp_path / "one", 60)
    with table(tmp_path / "one", postgres.address(database)) as one:
        for goal in (0, 1, 12, 30):
            until("some are sent", lambda goal=goal: len(sent(postgres, database)) >= goal)
            postgres.stop()
            postgres.start()
        one.until_sent()
    assert sent(postgres, database) == sorted(matches)
    assert league_names(postgres, database) == table_names(one.folder)


def test_a_server_that_never_answers_does_not_block_the_table(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with table(tmp_path / "one", f"postgresql://127.0.0.1:{silent.getsockname()[1]}/x") as one:
            for _ in range(2):  # the server hangs up twice
                silent.accept()[0].close()
            waited_for, _ = silent.accept()
            one.play(1)
            ending, one.uploader = one.uploader, None  # the uploader's thread ends once the connection is closed
            assert ending is not None and not ending.close()
            waited_for.close()
            assert ending.close(PATIENCE)


def test_a_recreated_league_gets_every_game_again(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        matches = one.play(*range(4))
        one.until_sent()
    postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        until("every game is there again", lambda: sent(postgres, database) == sorted(matches))
        one.until_sent()
        assert league_names(postgres, database) == table_names(one.folder)


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
    """Runs a table in another process, and kills it after the league has committed the parcel with this number.
    `when` says whether that is before the table marks the games as sent, or while it does so."""
    script = re.sub("^    ", "", SENDER, flags=re.MULTILINE)
    command = [sys.executable, "-c", script, str(folder), address, when, str(parcel)]
    assert subprocess.run(command, cwd=CLONE, timeout=PATIENCE).returncode == -signal.SIGKILL


def test_a_table_that_is_killed_while_sending_loses_and_repeats_no_game(postgres, tmp_path):
    database = postgres.empty()
    matches = past_games.filled(tmp_path / "one", 60)
    for when, parcel in (("during", 1), ("before", 3), ("during", 2)):
        killed(tmp_path / "one", postgres.address(database), when, parcel)
    assert 0 < len(sent(postgres, database)) < len(matches)
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.until_sent()
        until("the board", lambda: one.shows(one.board()))
    assert sent(postgres, database) == sorted(matches)
    assert league_names(postgres, database) == table_names(one.folder)


def test_games_sent_but_not_marked_are_sent_again_and_counted_once(postgres, tmp_path):
    database = postgres.empty()
    matches = past_games.filled(tmp_path / "one", 12)
    killed(tmp_path / "one", postgres.address(database))
    assert sent(postgres, database) == matches[:5] and unsent(tmp_path / "one")
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.until_sent()
    assert sent(postgres, database) == sorted(matches)
    assert league_names(postgres, database) == table_names(one.folder)


def test_swapped_names_are_right_even_if_the_changes_are_sent_twice(postgres, tmp_path):
    """Applied twice, the swap would undo itself."""
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(*range(6))
        one.until_sent()
    with table(tmp_path / "one", postgres.address(database), begin=False) as one:
        one.desk.keep(Renamed("Ann", "Nobody yet"), Renamed("Bo", "Ann"), Renamed("Nobody yet", "Bo"))
        one.play(6, 7)
    killed(tmp_path / "one", postgres.address(database))
    assert league_names(postgres, database) == table_names(tmp_path / "one") and unsent(tmp_path / "one")
    with table(tmp_path / "one", postgres.address(database), begin=False) as one:
        one.desk.keep(Forgotten("Ann"))
        one.begin()
        one.until_sent()
    there = league_names(postgres, database)
    assert there == table_names(tmp_path / "one")
    assert {name for names in there.values() for name in names} >= {"Bo", "Cleo", ""}


# Names


def test_renaming_merging_and_forgetting_change_only_this_tables_games_in_the_league(postgres, tmp_path):
    database = postgres.empty()
    with (
        table(tmp_path / "one", postgres.address(database)) as one,
        table(tmp_path / "other", postgres.address(database)) as other,
    ):
        one.play(*range(6), people=("Ann", "Bo", "Cleo", "Wilhelmina"))
        other.play(*range(6), people=("Ann", "Bo", "Cleo", "Dora"))
        for each in (one, other):
            each.until_sent()
        there = table_names(other.folder)
        one.desk.keep(Renamed("Ann", "Zoë"), Renamed("Bo", "Cleo"), Forgotten("Wilhelmina"))
        one.until_sent()
        here = table_names(one.folder)
        assert league_names(postgres, database) == here | there
        named = {name for names in here.values() for name in names}
        assert {"Zoë", "Cleo", ""} <= named and not {"Ann", "Bo", "Wilhelmina"} & named
        until("the new names", lambda: one.last == League(added(one.board(), other.board())))
    assert "Zoë" in postgres.dump(database) and "Wilhelmina" not in postgres.dump(database)


def test_a_forgotten_name_is_erased_from_the_table_once_the_league_has_been_told(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(*range(4), people=("Wilhelmina", "Bo"))
        one.until_sent()
        one.desk.keep(Forgotten("Wilhelmina"))
        one.until_sent()
        until("the name is erased", lambda: not found_in(one.folder, "Wilhelmina"))


def test_a_table_that_left_its_league_erases_old_names_and_sends_everything_when_it_rejoins(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        matches = one.play(*range(4), people=("Wilhelmina", "Bo"))
        one.until_sent()
    with table(tmp_path / "one", postgres.address(database), begin=False) as one:  # nothing is uploaded
        one.desk.keep(Forgotten("Wilhelmina"), Renamed("Bo", "Beatrix"))
        assert unsent(one.folder)
    assert found_in(tmp_path / "one", "Wilhelmina")
    with opened(tmp_path / "one", league=False) as desk:
        until("the name is erased", lambda: not found_in(tmp_path / "one", "Wilhelmina"))
        desk.keep(Renamed("Beatrix", "Bea"))
    assert "Wilhelmina" in postgres.dump(database)
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.until_sent()
        assert sent(postgres, database) == sorted(matches)
        assert league_names(postgres, database) == table_names(one.folder)
    assert "Bea" in postgres.dump(database) and "Wilhelmina" not in postgres.dump(database)


@pytest.mark.parametrize("change", [Renamed("Ann", "Zoë"), Forgotten("Ann")], ids=["renamed", "forgotten"])
def test_a_name_that_changes_between_sending_and_marking_is_sent_too(postgres, tmp_path, change):
    database = postgres.empty()
    changed: list[Entry] = []

    def keep(entry: Entry) -> int:
        """Changes the player's name just before the first games are marked as sent."""
        if isinstance(entry, Sent) and entry.matches and not changed:
            changed.append(change)
            assert "Ann" in {name for names in league_names(postgres, database).values() for name in names}
            one.desk.journal.keep(change)
        return one.desk.journal.keep(entry)

    with table(tmp_path / "one", postgres.address(database), keep=keep, begin=False) as one:
        one.play(*range(4), people=("Ann", "Cleo"))
        one.begin()
        until("everything is sent", lambda: not unsent(one.folder))
        assert league_names(postgres, database) == table_names(one.folder)
        assert "Ann" not in {name for names in table_names(one.folder).values() for name in names}


def test_restoring_a_backup_restores_names_in_the_league_and_keeps_the_tables_id(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(*range(4))
        one.until_sent()
        backup.backup(one.folder, tmp_path / "copy.db")
        one.desk.keep(Renamed("Ann", "Zoë"))
        one.until_sent()
        backup.restore(one.folder, tmp_path / "copy.db")
        one.until_sent()
        assert league_names(postgres, database) == table_names(one.folder)
        assert len(postgres.ask(database, "SELECT id FROM dicetable.tables")) == 1
    with table(tmp_path / "other", postgres.address(database)) as other:
        other.play(9)
        other.until_sent()
        backup.restore(other.folder, tmp_path / "copy.db")
        other.until_sent()
        other.play(10)
        other.until_sent()
    assert len(postgres.ask(database, "SELECT DISTINCT table_id FROM dicetable.games")) == 2
    assert league_names(postgres, database).keys() == {*table_names(one.folder), "other 9", "other 10"}


# Access


def test_a_wrong_password_is_reported_once_without_showing_it_and_fixing_it_is_enough(postgres, tmp_path, monkeypatch):
    database, attempts, attempt = postgres.empty(), [], books.opened
    monkeypatch.setattr(books, "opened", lambda *address: (attempts.append(address), attempt(*address))[1])
    postgres.do(database, "CREATE ROLE late LOGIN SUPERUSER PASSWORD 'other'")
    with table(tmp_path / "one", postgres.address(database, "late", "hush")) as one:
        matches = one.play(1, 2)
        until("the login is refused", lambda: one.last and one.last.trouble == "refused")
        until("it tried a few more times", lambda: len(attempts) > 4)
        assert len(one.complaints) == 1 and one.complaints == [sentence(one.last, one.settings, SAY)]
        assert f"127.0.0.1:{postgres.port}/{database} refused the connection" in one.complaints[0]
        assert "hush" not in one.complaints[0] and "hush" not in str(one.heard)
        postgres.do(database, "ALTER ROLE late PASSWORD 'hush'")
        until("the login works", lambda: one.shows(one.board()))
        assert sent(postgres, database) == sorted(matches)


@pytest.mark.parametrize(
    ("address", "word", "detail"),
    [
        ("postgresql://den:six@127.0.0.1:{port}/postgres", "refused", 'password authentication failed for user "den"'),
        ("postgresql://watcher@127.0.0.1:{port}/nowhere", "refused", 'database "nowhere" does not exist'),
        ("postgresql://watcher@127.0.0.1:{port}/postgres?bogus=1", "refused", 'invalid URI query parameter: "bogus"'),
        ("postgresql://no..host/postgres", "refused", "the host name is invalid"),
        ("postgresql://127.0.0.1:1/postgres", "away", "Connection refused"),
        ("postgresql://%2Fnowhere/postgres", "away", "No such file or directory"),
        ("postgresql://watcher@127.0.0.1:{port}/postgres", "", ""),
    ],
)
def test_a_failed_connection_is_described_by_a_word_and_the_servers_own_message(postgres, address, word, detail):
    assert league.answers(LeagueSettings(address.format(port=postgres.port))) == (word, detail)


def test_a_league_of_a_newer_version_is_not_written_to(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(1)
        one.until_sent()
        postgres.do(database, "UPDATE dicetable.meta SET version = 99")
        one.play(2)
        until("the trouble is noticed", lambda: one.last and one.last.trouble == "newer")
        assert "has a newer version" in one.complaints[-1]
    assert sent(postgres, database) == ["one 1"] and unsent(one.folder)


def test_a_league_upgraded_while_a_table_is_connected_is_not_written_to(postgres):
    database = postgres.empty()
    with books.opened(postgres.address(database)) as connected:
        postgres.do(database, "UPDATE dicetable.meta SET version = 99")
        with pytest.raises(books.Trouble, match="newer"):
            books.take(connected, "id", "Den", waiting.Parcel([], [], []))
    assert postgres.ask(database, "SELECT * FROM dicetable.tables") == []


def test_a_database_that_is_not_utf8_is_refused_before_anything_is_created(postgres, tmp_path):
    database = "latin"
    postgres.do("postgres", f"CREATE DATABASE {database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with table(tmp_path / "one", postgres.address(database)) as one:
        until("the trouble is noticed", lambda: one.last and one.last.trouble == "refused")
        assert "LATIN1" in one.complaints[0]
    assert postgres.ask(database, "SELECT to_regnamespace('dicetable')") == [(None,)]


def test_several_tables_that_start_at_once_create_one_league(postgres, tmp_path):
    database = postgres.empty()
    made = [Table(tmp_path / f"t{number}", postgres.address(database), begin=False) for number in range(4)]
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
    assert sent(postgres, database) == sorted(matches)
    assert postgres.ask(database, "SELECT version FROM dicetable.meta") == [(1,)]


def statements(title: str) -> list[str]:
    """The first SQL block after this line of docs/league.md."""
    text = (CLONE / "docs" / "league.md").read_text(encoding="utf-8")
    block = re.search(rf"{re.escape(title)}.*?```sql\n(.*?)```", text, re.DOTALL)
    assert block is not None
    return [statement for statement in block[1].split(";\n") if statement.strip()]


def test_the_documented_privileges_are_sufficient_and_minimal(postgres, tmp_path):
    postgres.do("postgres", "CREATE DATABASE dicetable")
    postgres.do("dicetable", *statements("### 1. The database"))
    owner = postgres.address("dicetable", "dicetable", "choose-a-password")
    with table(tmp_path / "one", owner) as one:
        one.play(0, 1)
        one.until_sent()
        assert one.complaints == []
        postgres.do("dicetable", *statements("**Fewer rights.**"))
        less = postgres.address("dicetable", "pub", "choose-another")
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


def test_a_user_without_permission_to_create_the_missing_tables_is_reported(postgres):
    database = postgres.empty()
    postgres.do(database, "DROP ROLE IF EXISTS nobody", "CREATE ROLE nobody LOGIN PASSWORD 'hush'")
    nobody = LeagueSettings(postgres.address(database, "nobody", "hush"))
    assert league.answers(nobody) == ("refused", "it has no tables yet, and this user may not create them")
    postgres.do(database, "CREATE SCHEMA dicetable AUTHORIZATION nobody")
    assert league.answers(nobody) == ("", "")
    postgres.do(database, "DROP SCHEMA dicetable", "DROP ROLE nobody")


def test_a_table_waits_while_the_league_is_being_restored(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database)) as one:
        one.play(0)
        one.until_sent()
        ((version, name),) = postgres.ask(database, "SELECT version, id FROM dicetable.meta")
        postgres.do(database, "DELETE FROM dicetable.meta")
        one.play(1)
        until("the trouble is noticed", lambda: one.last and one.last.trouble == "away")
        assert league.answers(one.settings)[0] == "away"
        postgres.do(database, f"INSERT INTO dicetable.meta VALUES ({version}, '{name}')")
        one.until_sent()
        assert len(sent(postgres, database)) == 2


def test_the_documented_statements_delete_a_tables_games(postgres, tmp_path):
    database = postgres.empty()
    with table(tmp_path / "one", postgres.address(database), "The Red Lion") as one:
        one.play(0, 1)
        one.until_sent()
    postgres.do(database, *statements("To delete all"))
    assert sent(postgres, database) == [] and league_names(postgres, database) == {}


def test_without_psycopg_the_table_runs_and_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "table.storage.league.books", raising=False)
    monkeypatch.delattr(league, "books", raising=False)
    with table(tmp_path / "one", "postgresql://127.0.0.1/x") as one:
        until("the complaint", lambda: one.complaints)
        one.play(1)
        assert one.last == League((), "missing") and len(one.complaints) == 1
        assert 'pip install "dicetable[league]"' in one.complaints[0]
        assert unsent(one.folder)


# The address


@given(user=st.text(min_size=1), password=st.text(), name=st.text("abcdef-_.", min_size=1), port=st.integers(1, 65535))
def test_any_user_and_password_can_be_quoted_and_are_not_shown(user, password, name, port):
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
def test_parts_of_an_address_are_optional_and_libpq_accepts_that_too(address, shown):
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
def test_an_invalid_address_is_refused_without_showing_the_password(address):
    with pytest.raises(Refused, match="postgresql://user:password@db") as refused:
        check_database(address)
    assert "hu" not in str(refused.value)


@given(st.from_regex(r"postgres(ql)?://[ -~]{0,60}", fullmatch=True))
def test_libpq_accepts_every_address_that_is_accepted_here(address):
    try:
        check_database(address)
    except Refused:
        return
    with suppress(psycopg.ProgrammingError):
        psycopg.conninfo.conninfo_to_dict(address.partition("?")[0])
        return
    raise AssertionError("libpq would quote the address in its error")


# The whole table


def config(folder: Path, address: str) -> str:
    path = folder / "table.toml"
    lines = ["[screen]", 'window = "800x480"', "[phones]", 'reach = "machine"', "[league]", f'address = "{address}"']
    path.write_text("\n".join([*lines, 'name = "Den"', ""]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", [("serve",), ("--simulate",)], ids=["serve", "table"])
def test_a_table_sends_the_games_from_before_it_joined_the_league(postgres, tmp_path, command):
    database = postgres.empty()
    matches = past_games.filled(records(tmp_path), 5)
    given = config(tmp_path, postgres.address(database))
    with running(*command, "--config", given, env=unseen(tmp_path), code=AT_ONCE) as process:
        until("the games are in the league", lambda: sent(postgres, database) == sorted(matches), process)
        until("the games are marked as sent", lambda: not unsent(records(tmp_path)), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert process.stderr and process.stderr.read() == ""


def test_a_refused_table_says_so_on_stderr_and_keeps_running(postgres, tmp_path):
    given = config(tmp_path, postgres.address("nowhere"))
    with running("serve", "--config", given, env=environment(tmp_path)) as process:
        assert process.stderr
        said = process.stderr.readline()
        assert '"nowhere" does not exist' in said and "Traceback" not in said and ESCAPED not in said
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_kiosk_gets_the_leaderboard_and_the_first_screen_shows_what_needs_fixing(language):
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


def test_the_doctor_checks_the_league(postgres, tmp_path):
    database = postgres.empty()
    good = examined(tmp_path, postgres.address(database))
    assert postgres.ask(database, "SELECT to_regnamespace('dicetable')") == [(None,)]
    assert good.state == OK and f"127.0.0.1:{postgres.port}/{database} answers" in good.said
    wrong = examined(tmp_path, postgres.address(database, "ann", "hush"))
    assert wrong.state == BROKEN and "refuses" in wrong.said and "hush" not in wrong.said + wrong.fix
    postgres.do(database, "CREATE SCHEMA dicetable", "CREATE TABLE dicetable.meta AS SELECT 2 AS version")
    assert "newer" in examined(tmp_path, postgres.address(database)).said
    away = examined(tmp_path, "postgresql://127.0.0.1:1/x")
    assert away.state == BROKEN and "cannot be reached" in away.said
    assert examined(tmp_path, "").state == OK
