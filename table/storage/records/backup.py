"""A copy of everything that is kept, and everything from such a copy, both while a table may be playing.

Its one rule: nothing is lost by it. A copy gets its name once it is whole; what is replaced is set aside first; and a
game that is being played goes on.
"""

import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

from table.engine.errors import Refused
from table.storage.journal import files, integrity, store, tables, tallies
from table.storage.journal.lock import Lock, running
from table.storage.journal.trouble import Trouble
from table.storage.journal.upgrade import upgrade
from table.storage.records import read

_PATIENCE = 30  # seconds, for a table that is writing
_TABLES = ("tallies", "rivals", "faces", "moments")  # that are taken as they are
_OF_A_MATCH = ("seats", "answers", "corrections")
_OWN = "table"  # another: by which id a league knows the table, from a backup only where there is none


def backup(folder: Path, into: Path, over: bool = False) -> int:
    """The bytes that were written. Refused: there is nothing, or no room, or the file exists."""
    if into.exists() and not into.is_file():
        raise Refused(f"{into} is no file: name another one.")
    if into.exists() and not over:
        raise Refused(f"{into} exists already and was left as it is: name another file, or say --force.")
    try:
        with read.connected(folder) as connection, _copied(connection, into) as new:
            wrong = _flaw(new)
            if wrong:
                raise Refused(
                    f"What is kept in {folder} is damaged ({wrong}): start the table, which mends it, and try again."
                )
    except (sqlite3.Error, OSError) as why:
        told = why.strerror if isinstance(why, OSError) else why
        raise Refused(f"{into} could not be written ({told}): check the folder, and how much room there is.") from None
    return into.stat().st_size


@contextmanager
def _copied(connection: sqlite3.Connection, into: Path) -> Iterator[Path]:
    """All of it in a new file, which gets its name afterwards, unless something was wrong with it."""
    handle, name = tempfile.mkstemp(prefix=f"{into.name}.", suffix=".new", dir=into.parent)
    os.close(handle)
    new = Path(name)
    try:
        connection.execute("VACUUM INTO ?", (name,))
        yield new
        files.give_name(new, into)
    finally:
        new.unlink(missing_ok=True)


def restore(folder: Path, source: Path) -> Path | None:
    """Everything from a backup, but for games that are being played. Returns where what was there before is now."""
    if not source.is_file():
        raise Refused(f"{source} is no file: name a backup.")
    if files.kind(source) != files.OURS:
        raise Refused(f"{source} is no backup of a dicetable, or one of a newer version.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder) as alone, tempfile.TemporaryDirectory(dir=folder) as aside:
            copied = Path(aside) / "backup.db"
            _copy_closed(source.resolve(), copied)
            _check(copied, source)
            known = files.ours(folder) is not None
            if alone:  # what is damaged is mended, what is of before upgraded, and what is missing made
                _upgraded(files.ready(folder, files.Brake())[0])
            there = files.ours(folder)
            if there is None:
                raise Refused(f"The table that runs in {folder} keeps nothing: see what its screen says, or end it.")
            before = _set_aside(there) if known else None
            with closing(files.opened(there)) as connection:
                _replace(connection, copied, alone)
            return before
    except (sqlite3.Error, OSError, Trouble) as why:
        raise Refused(f"Nothing was restored ({why}): check how much room there is, and try again.") from None


def _copy_closed(source: Path, copied: Path) -> None:
    """With what was not settled when its table lost power: SQLite does that when the copy is opened."""
    if files.unsettled(source):
        if running(source.parent) is not None:
            raise Refused(f"A table is writing {source}: dicetable backup makes a copy of it that is whole.")
        shutil.copyfile(files.log_of(source), files.log_of(copied))
    shutil.copyfile(source, copied)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no table runs there; then none can start until this is over."""
    if running(folder) is not None:
        yield False
        return
    with Lock(folder):
        yield True


def _check(copied: Path, source: Path) -> None:
    """A backup, whole and of today."""
    try:
        _upgraded(copied)
    except Exception:  # of whatever kind: it is a file from anywhere
        raise Refused(f"{source} is damaged: use another backup.") from None
    if wrong := _flaw(copied):
        raise Refused(f"{source} is damaged ({wrong}): use another backup.")


def _upgraded(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if tables.version(connection) < tables.VERSION:
            connection.execute("BEGIN IMMEDIATE")
            upgrade(connection)
            connection.execute("COMMIT")


def _flaw(path: Path) -> str | None:
    with closing(files.reading(path, alone=True)) as connection:
        try:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            return str(found).splitlines()[-1] if found != "ok" else integrity.contradiction(connection, deep=True)
        except (sqlite3.DatabaseError, ValueError, zlib.error) as why:
            return str(why)


def _set_aside(path: Path) -> Path:
    aside = next(
        named
        for number in count(1)
        if not (named := path.with_name(f"{path.stem}.before-restore-{number}.db")).exists()
    )
    with closing(files.reading(path)) as connection, _copied(connection, aside):
        return aside


def _replace(connection: sqlite3.Connection, copied: Path, alone: bool) -> None:
    """In one transaction: whoever reads or plays meanwhile sees all of the old, or all of the new."""
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")
    connection.execute("ATTACH ? AS backup", (str(copied),))
    connection.execute("BEGIN IMMEDIATE")
    gone = "SELECT key FROM main.matches WHERE ended IS NOT NULL"
    over = "SELECT id FROM backup.matches WHERE ended IS NOT NULL"
    if alone:
        gone += f" OR id IN ({over})"
    elif connection.execute(f"SELECT 1 FROM main.matches WHERE ended IS NULL AND id IN ({over})").fetchone():
        raise Refused(
            "A game that is over in this backup is still going on here: finish or leave it, or end the table, and try "
            "again."
        )
    for column, table in (*(("match", table) for table in _OF_A_MATCH), ("key", "matches")):
        connection.execute(f"DELETE FROM main.{table} WHERE {column} IN ({gone})")
    _behind(connection)
    new = "SELECT key FROM backup.matches WHERE id NOT IN (SELECT id FROM main.matches)"
    for table in _OF_A_MATCH:
        _take(connection, table, f"WHERE match IN ({new})")
    _take(connection, "matches", f"WHERE key IN ({new})")
    connection.execute("UPDATE main.matches SET sent = NULL")  # a league may have been told of other names since
    for table in _TABLES:
        connection.execute(f"DELETE FROM main.{table}")
        _take(connection, table, "")
    kept = ", ".join(f"'{name}'" for name in store.ROOMS)
    connection.execute(f"DELETE FROM main.settings WHERE name NOT IN ({kept}, '{_OWN}')")
    _take(connection, "settings", f"WHERE name NOT IN ({kept}) AND name NOT IN (SELECT name FROM main.settings)")
    playing = f"FROM main.seats JOIN main.matches ON key = match WHERE ended IS NULL AND {tables.KNOWN}"
    for key, game, name in connection.execute(f"SELECT match, game, name {playing}").fetchall():
        tallies.begun(connection, key, game, [name])
    connection.execute("COMMIT")
    connection.execute("DETACH backup")


def _behind(connection: sqlite3.Connection) -> None:
    """What is being played is numbered behind all that comes. In two steps, as numbers must not meet."""
    (last,) = connection.execute("SELECT coalesce(max(key), 0) FROM backup.matches").fetchone()
    kept = connection.execute("SELECT key FROM main.matches ORDER BY key").fetchall()
    columns = (("key", "matches"), *(("match", table) for table in _OF_A_MATCH))
    for number, (key,) in enumerate(kept, last + 1):
        for column, table in columns:
            connection.execute(f"UPDATE main.{table} SET {column} = ? WHERE {column} = ?", (-number, key))
    for column, table in columns:
        connection.execute(f"UPDATE main.{table} SET {column} = -{column}")


def _take(connection: sqlite3.Connection, table: str, where: str) -> None:
    columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
    connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM backup.{table} {where}")
