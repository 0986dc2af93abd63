"""Backup and restore, both possible while a table is running.

Its one rule: no data is lost. A backup gets its name only when it is complete. A restore sets the current records aside
first, and a game in progress continues.
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

_PATIENCE = 30  # seconds to wait for a table that is writing
_TABLES = ("tallies", "rivals", "faces", "moments")  # a restore replaces these tables as a whole
_OF_A_MATCH = ("seats", "answers", "corrections")
_OWN = "table"  # the setting with the table's id in a league: taken from a backup only if the table has none


def backup(folder: Path, into: Path, over: bool = False) -> int:
    """Writes a backup and returns its size in bytes. Raises Refused if there are no records, there is no room, or the
    file exists."""
    if into.exists() and not into.is_file():
        raise Refused(f"{into} is not a file. Give the path of another one.")
    if into.exists() and not over:
        raise Refused(f"{into} already exists and was not changed: name another file, or add --force.")
    try:
        with read.connected(folder) as connection, _copied(connection, into) as new:
            wrong = _flaw(new)
            if wrong:
                raise Refused(
                    f"The records in {folder} are damaged ({wrong}): start the table to repair them, then try again."
                )
    except (sqlite3.Error, OSError) as why:
        told = why.strerror if isinstance(why, OSError) else why
        raise Refused(f"{into} could not be written ({told}): check the folder and the free disk space.") from None
    return into.stat().st_size


@contextmanager
def _copied(connection: sqlite3.Connection, into: Path) -> Iterator[Path]:
    """Copies the database into a temporary file, which is renamed to `into` unless the `with` block raises."""
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
    """Replaces the records with a backup, except for games in progress. Returns the path of the replaced records."""
    if not source.is_file():
        raise Refused(f"{source} is not a file. Give the path of a backup.")
    if files.kind(source) != files.OURS:
        raise Refused(f"{source} is not a dicetable backup, or is from a newer version.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder) as alone, tempfile.TemporaryDirectory(dir=folder) as aside:
            copied = Path(aside) / "backup.db"
            _copy_closed(source.resolve(), copied)
            _check(copied, source)
            known = files.ours(folder) is not None
            if alone:  # repairs, upgrades or creates the records, as a starting table would
                _upgraded(files.ready(folder, files.Brake())[0])
            there = files.ours(folder)
            if there is None:
                raise Refused(f"The table running in {folder} has no records: see its screen, or stop it.")
            before = _set_aside(there) if known else None
            with closing(files.opened(there)) as connection:
                _replace(connection, copied, alone)
            return before
    except (sqlite3.Error, OSError, Trouble) as why:
        raise Refused(f"Nothing was restored ({why}): check the free disk space, and try again.") from None


def _copy_closed(source: Path, copied: Path) -> None:
    """Copies a closed database. If a power cut left a WAL, copies that too: SQLite applies it when the copy is
    opened."""
    if files.unsettled(source):
        if running(source.parent) is not None:
            raise Refused(f"A running table is writing {source}: copy it with dicetable backup first.")
        shutil.copyfile(files.log_of(source), files.log_of(copied))
    shutil.copyfile(source, copied)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Yields True if no table is running in the folder, and then lets none start there before the end of the block."""
    if running(folder) is not None:
        yield False
        return
    with Lock(folder):
        yield True


def _check(copied: Path, source: Path) -> None:
    """Upgrades and checks the copy of a backup. Raises Refused if it is damaged."""
    try:
        _upgraded(copied)
    except Exception:  # any error: the file can contain anything
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
    """Replaces the records in one transaction, so that a running table sees only the old or only the new records."""
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")
    connection.execute("ATTACH ? AS backup", (str(copied),))
    connection.execute("BEGIN IMMEDIATE")
    gone = "SELECT key FROM main.matches WHERE ended IS NOT NULL"
    over = "SELECT id FROM backup.matches WHERE ended IS NOT NULL"
    if alone:
        gone += f" OR id IN ({over})"
    elif connection.execute(f"SELECT 1 FROM main.matches WHERE ended IS NULL AND id IN ({over})").fetchone():
        raise Refused(
            "A game that is finished in this backup is still being played here: finish it, give it up, or stop the "
            "table, and try again."
        )
    for column, table in (*(("match", table) for table in _OF_A_MATCH), ("key", "matches")):
        connection.execute(f"DELETE FROM main.{table} WHERE {column} IN ({gone})")
    _renumber(connection)
    new = "SELECT key FROM backup.matches WHERE id NOT IN (SELECT id FROM main.matches)"
    for table in _OF_A_MATCH:
        _take(connection, table, f"WHERE match IN ({new})")
    _take(connection, "matches", f"WHERE key IN ({new})")
    connection.execute("UPDATE main.matches SET sent = NULL")  # the league might have newer names than the backup
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


def _renumber(connection: sqlite3.Connection) -> None:
    """Renumbers the games in progress so that they follow the backup's games. Numbers must stay unique, so all numbers
    are first changed to negative ones."""
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
