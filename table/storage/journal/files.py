"""The journal's files: finding and checking the database, setting a damaged one aside, and the backup copy.

The one rule: a new file gets its final name only when it is complete and synced, and a damaged file is renamed to an
unused name. So nothing is lost, even if the power fails at any line of this module.
"""

import os
import shutil
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from table.storage.journal import integrity, store, tables
from table.storage.journal.trouble import CORRUPT, FAILED, FOREIGN, FULL, NEWER, OLDER, READONLY, Trouble, trouble_of

OURS, MISSING = "ours", "missing"
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100  # bytes in the header of an SQLite file
_REST = 10.0  # seconds between copies, per megabyte of the file, so that copying takes about 1% of the disk's time
_INCREMENTAL = 2  # SQLite's value for auto_vacuum = INCREMENTAL
_STEPS = 10_000  # SQLite VM instructions between checks of the brake; they take about a millisecond
_PATIENCE = 1.0  # seconds to wait for another process that has locked the file


class Brake:
    """Lets another thread interrupt a long query: checking a big file takes several seconds, but the table must close
    within two."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working: set[sqlite3.Connection] = set()
        self._pulled = False

    @property
    def pulled(self) -> bool:
        return self._pulled

    def pull(self) -> None:
        with self._lock:
            self._pulled = True
            for connection in self._working:
                connection.interrupt()

    @contextmanager
    def on(self, connection: sqlite3.Connection) -> Iterator[None]:
        with self._lock:
            if self._pulled:
                raise Trouble(FAILED, "The table is being closed.")
            self._working.add(connection)
        # interrupt() has no effect between two statements, so the progress handler stops the next statement.
        connection.set_progress_handler(lambda: self._pulled, _STEPS)
        try:
            yield
        finally:
            connection.set_progress_handler(None, 0)
            with self._lock:
                self._working.discard(connection)


def ready(folder: Path, brake: Brake) -> tuple[Path, list[Trouble]]:
    """Finds, repairs or creates the database. Returns its path and the problems found on the way. Raises Trouble, or an
    SQLite or system error, if there is no usable file."""
    folder.mkdir(parents=True, exist_ok=True)
    troubles: list[Trouble] = []
    for number in count(1):
        path = _named(folder, number)
        found = kind(path)
        if found in (FOREIGN, NEWER):
            troubles.append(Trouble(found, str(path)))
            continue
        if found == OURS and _flaw(path, brake) is None:
            return path, troubles
        if found == MISSING and not _size(log_of(path)) and not older(path).exists():
            _create(path)
        else:
            troubles.append(_repair(path, brake))
        return path, troubles
    raise AssertionError("unreachable")


_DOOR = threading.Lock()
_HELD: dict[Path, Path] = {}
"""The database that a journal in this process is writing, by folder. While it is listed here, this process must open it
only through SQLite: POSIX drops all of a process's locks on a file when the process closes any handle to that file.
Another program could then believe that it is the last user, and delete the WAL that is being written."""


def ours(folder: Path) -> Path | None:
    """The path of the database in a folder, for reading. Nothing is created or repaired."""
    with _DOOR:
        if held := _HELD.get(folder.resolve()):
            return held
        path = next(path for path in map(partial(_named, folder), count(1)) if kind(path) not in (FOREIGN, NEWER))
        return path if kind(path) == OURS else None


def held(path: Path) -> sqlite3.Connection:
    """Opens the database for this process's journal, which must later call `let_go`."""
    with _DOOR:
        connection = opened(path)
        _HELD[path.parent.resolve()] = path
        return connection


def let_go(path: Path, connection: sqlite3.Connection) -> None:
    with _DOOR:
        connection.close()
        _HELD.pop(path.parent.resolve(), None)


def settings(folder: Path) -> dict[str, Any]:
    """The settings chosen at the table, read without changing any file. Empty if they cannot be read."""
    try:
        path = ours(folder)
        if path is None:
            return {}
        # If there is no WAL, open the database as immutable: otherwise SQLite would create an empty WAL.
        with closing(reading(path, alone=not unsettled(path))) as connection:
            return store.settings(connection)
    except (OSError, ValueError, sqlite3.Error):
        return {}


def _named(folder: Path, number: int) -> Path:
    """The nth path to try for the database. A file there that is not ours is left alone, and the next path is tried."""
    return folder / ("table.db" if number == 1 else f"table-{number}.db")


def opened(path: Path) -> sqlite3.Connection:
    """Opens the database for writing. Every commit is synced to the disk before it returns."""
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: flush the disk's own cache too
        # Only `settled` writes the WAL into the main file, and then it empties the WAL. So if the WAL is truncated or
        # lost, the rest is a consistent older state of the database.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted names
    except BaseException:
        connection.close()
        raise
    return connection


def reading(path: Path, alone: bool = False) -> sqlite3.Connection:
    """Opens the database for reading. Neither the file nor its WAL is changed, not even on closing. With `alone`, the
    WAL is ignored."""
    where = path.resolve().as_uri()
    if alone:
        return sqlite3.connect(f"{where}?immutable=1", isolation_level=None, uri=True)
    connection = sqlite3.connect(f"{where}?mode=ro", timeout=_PATIENCE, isolation_level=None, uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        held_here = path in _HELD.values()
        if held_here or _size(log_of(path)) or trouble_of(error, path.parent).code not in (FULL, READONLY):
            raise
        return reading(path, alone=True)  # SQLite could not create its -shm file, which is not needed without a WAL
    except BaseException:
        connection.close()
        raise
    return connection


def unsettled(path: Path) -> int:
    """Bytes in the WAL that are not yet in the main file."""
    return _size(log_of(path))


def settled(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def older(path: Path) -> Path:
    return path.with_suffix(".older.db")


def copy_is_due(path: Path) -> bool:
    try:
        made = older(path).stat().st_mtime
    except FileNotFoundError:
        return True
    rest = _REST * _size(path) / 1e6
    return not 0 <= time.time() - made < rest  # a copy from the future means that the clock was set back


def thrifty(connection: sqlite3.Connection) -> None:
    """Switches an older file to incremental auto-vacuum, so that it can shrink. If there is no room for that, the
    next start tries again."""
    if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != _INCREMENTAL:
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")


def outdate(path: Path) -> None:
    """Marks the copy as outdated, so that it is renewed at the next start."""
    with suppress(OSError):
        os.utime(older(path), (0, 0))


def copy(path: Path, brake: Brake) -> None:
    """Renews the backup copy. The old one stays until the new one is complete."""
    new = _temporary(older(path))
    try:
        with closing(reading(path)) as connection, brake.on(connection):
            connection.execute("VACUUM INTO ?", (str(new),))
        give_name(new, older(path))
    finally:
        new.unlink(missing_ok=True)


def kind(path: Path) -> str:
    """Classifies a file by its header, because SQLite itself might change or delete files that it does not
    understand."""
    if not path.exists():
        return MISSING
    if not path.is_file():
        return FOREIGN
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if not head:
        return MISSING
    if not any(head) or (len(head) < _HEADER and head.startswith(_MAGIC[: len(head)])):
        return CORRUPT  # zeroed, or too short to tell whose it is
    if not head.startswith(_MAGIC) or int.from_bytes(head[68:72], "big") != tables.APPLICATION:
        return FOREIGN
    return NEWER if int.from_bytes(head[60:64], "big") > tables.VERSION else OURS


def _flaw(path: Path, brake: Brake, alone: bool = False) -> str | None:
    """Describes what is damaged in a database of ours, or returns None."""
    _read_through(path, brake)
    try:
        with closing(reading(path, alone)) as connection, brake.on(connection):
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                return str(found)
            if tables.version(connection) < tables.VERSION:
                return None  # the upgrade checks the rest
            store.records(connection)
            short = _is_short(path)
            if alone or short or _size(log_of(path)):  # else the file was closed cleanly: skip the slow check
                return integrity.contradiction(connection, deep=short)
            return None
    except (ValueError, zlib.error) as error:
        return str(error)
    except sqlite3.Error as error:
        wrong_inside = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR
        if wrong_inside or trouble_of(error, path.parent).code == CORRUPT:
            return str(error)
        raise


def _read_through(path: Path, brake: Brake) -> None:
    """Reads the file sequentially into the system's cache. After a cold boot, SQLite's random access would take many
    times longer."""
    with suppress(OSError), path.open("rb", buffering=0) as file:
        while not brake.pulled and file.read(1 << 20):
            pass


def _is_short(path: Path) -> bool:
    """Whether the file has fewer pages than its header says, because it was truncated or because the WAL
    has the missing pages."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    return _size(path) < page * int.from_bytes(head[28:32], "big")


def _repair(path: Path, brake: Brake) -> Trouble:
    """Replaces a damaged file with its backup copy. If the copy is damaged too, uses the file without its WAL. If that
    does not help either, creates an empty database."""
    copied = older(path)
    for source in (copied, path):
        if kind(source) == OURS and _flaw(source, brake, alone=True) is None:
            new = _temporary(path)
            shutil.copyfile(source, new)
            aside = _set_aside(path)
            give_name(new, path)
            return Trouble(OLDER, str(aside or path))
    _set_aside(copied)
    aside = _set_aside(path)
    _create(path)
    return Trouble(CORRUPT, str(aside or path))


def _set_aside(path: Path) -> Path | None:
    """Renames the file and its WAL to an unused name, and returns that name. Returns None if both were empty."""
    log = log_of(path)
    if not _size(path) and not _size(log):
        return None
    for number in count(1):
        aside = path.with_name(f"{path.stem}.broken-{number}.db")
        if not aside.exists() and not log_of(aside).exists():
            break
    if log.exists():  # rename the WAL first, so that SQLite never applies it to another file of the same name
        log.rename(log_of(aside))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # the WAL's index, which SQLite rebuilds
    if path.exists():
        path.rename(aside)
    _sync_folder(path.parent)
    return aside


def _create(path: Path) -> None:
    new = _temporary(path)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.executescript(tables.TABLES)
    log_of(path).unlink(missing_ok=True)  # this WAL is empty: any other was set aside
    give_name(new, path)


def _temporary(path: Path) -> Path:
    """The temporary name for writing `path`. Removes what an interrupted attempt left behind."""
    new = path.with_name(f"{path.name}.new")
    for leftover in (new, new.with_name(f"{new.name}-journal")):
        leftover.unlink(missing_ok=True)
    return new


def give_name(new: Path, path: Path) -> None:
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    new.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot sync folders and does not need to
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def log_of(path: Path) -> Path:
    """The path of the WAL, which has the latest writes until they are checkpointed into the main file."""
    return path.with_name(f"{path.name}-wal")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
