"""The files of the journal: which one is ours and whole, setting a broken one aside, the older copy.

The one rule: a file gets its name only when it is whole and on the disk, and loses it only to a name that is free. So
after a power cut at any line of this module the next start finds all that there was.
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
_HEADER = 100  # bytes
_REST = 10.0  # seconds between two copies for each megabyte: a hundredth of the disk's time, be it big or small
_INCREMENTAL = 2  # as SQLite answers
_STEPS = 10_000  # of SQLite's machine between two looks whether to stop: about a millisecond
_PATIENCE = 1.0  # seconds, for somebody else who reads or copies the file


class Brake:
    """Lets another thread stop a long look at a file: a big one is read for seconds, and the table must end in two."""

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
        # An interrupt between two statements is lost: the next one would run to its end.
        connection.set_progress_handler(lambda: self._pulled, _STEPS)
        try:
            yield
        finally:
            connection.set_progress_handler(None, 0)
            with self._lock:
                self._working.discard(connection)


def ready(folder: Path, brake: Brake) -> tuple[Path, list[Trouble]]:
    """The file to keep in, whole; and what was wrong on the way to it. Trouble, or what SQLite and the system raise:
    there is none."""
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
            troubles.append(_mend(path, brake))
        return path, troubles
    raise AssertionError("names do not run out")


_DOOR = threading.Lock()
_HELD: dict[Path, Path] = {}
"""The file that a journal in this process writes, by its folder. Nobody here opens it but through SQLite: the system
lets go of all locks that a process has on a file as soon as that process closes any handle of it. Another program would
then take itself for the last one that uses it, and take away the log that is being written."""


def ours(folder: Path) -> Path | None:
    """The file that a table keeps in there, for somebody who only looks: nothing is made or mended."""
    with _DOOR:
        if held := _HELD.get(folder.resolve()):
            return held
        path = next(path for path in map(partial(_named, folder), count(1)) if kind(path) not in (FOREIGN, NEWER))
        return path if kind(path) == OURS else None


def held(path: Path) -> sqlite3.Connection:
    """To write, by the journal of this process, until it lets go of it."""
    with _DOOR:
        connection = opened(path)
        _HELD[path.parent.resolve()] = path
        return connection


def let_go(path: Path, connection: sqlite3.Connection) -> None:
    with _DOOR:
        connection.close()
        _HELD.pop(path.parent.resolve(), None)


def settings(folder: Path) -> dict[str, Any]:
    """What was chosen at the table, for somebody who only looks. What cannot be read is as good as not there."""
    try:
        path = ours(folder)
        if path is None:
            return {}
        # Without a log it is read alone: SQLite would leave an empty one behind.
        with closing(reading(path, alone=not unsettled(path))) as connection:
            return store.settings(connection)
    except (OSError, ValueError, sqlite3.Error):
        return {}


def _named(folder: Path, number: int) -> Path:
    """A file that is not ours keeps its name, and the next one is used."""
    return folder / ("table.db" if number == 1 else f"table-{number}.db")


def opened(path: Path) -> sqlite3.Connection:
    """To write. Every commit is on the disk before it returns."""
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS keeps what is synced in the disk's own cache otherwise
        # The main file changes only in `settled`, which empties the log at once: each of the two, cut off anywhere,
        # is then an older state by itself and never a mixture.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA secure_delete = ON")  # who is forgotten is not to be found between the pages
    except BaseException:
        connection.close()
        raise
    return connection


def reading(path: Path, alone: bool = False) -> sqlite3.Connection:
    """To read; nothing is written to the file or its log, not even when it is closed. Alone: as if it had no log."""
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
        return reading(path, alone=True)  # SQLite has no room for what readers share of a log; but there is no log
    except BaseException:
        connection.close()
        raise
    return connection


def unsettled(path: Path) -> int:
    """Bytes in the log that are not in the main file yet."""
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
    return not 0 <= time.time() - made < rest  # a clock that was put back makes no copy wait for years


def thrifty(connection: sqlite3.Connection) -> None:
    """Made so that it gives back what it no longer needs, which a file of before is not. Without room for that it stays
    as it is until the next start."""
    if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != _INCREMENTAL:
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")


def outdate(path: Path) -> None:
    """The next start makes the copy anew."""
    with suppress(OSError):
        os.utime(older(path), (0, 0))


def copy(path: Path, brake: Brake) -> None:
    """Makes the older copy anew; the last one is there until the new one is whole."""
    new = _unborn(older(path))
    try:
        with closing(reading(path)) as connection, brake.on(connection):
            connection.execute("VACUUM INTO ?", (str(new),))
        give_name(new, older(path))
    finally:
        new.unlink(missing_ok=True)


def kind(path: Path) -> str:
    """Told from the first bytes: SQLite itself would change or delete files that it does not understand."""
    if not path.exists():
        return MISSING
    if not path.is_file():
        return FOREIGN
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if not head:
        return MISSING
    if not any(head) or (len(head) < _HEADER and head.startswith(_MAGIC[: len(head)])):
        return CORRUPT  # wiped, or cut off so early that it could be anybody's
    if not head.startswith(_MAGIC) or int.from_bytes(head[68:72], "big") != tables.APPLICATION:
        return FOREIGN
    return NEWER if int.from_bytes(head[60:64], "big") > tables.VERSION else OURS


def _flaw(path: Path, brake: Brake, alone: bool = False) -> str | None:
    """What is broken in a file of ours."""
    _read_through(path, brake)
    try:
        with closing(reading(path, alone)) as connection, brake.on(connection):
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                return str(found)
            if tables.version(connection) < tables.VERSION:
                return None  # what it lacks is found when it is upgraded
            store.records(connection)
            short = _is_short(path)
            if alone or short or _size(log_of(path)):  # else it was closed, and all of it is there
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
    """From front to back, for the system to remember: after power-on SQLite's own order takes many times as long."""
    with suppress(OSError), path.open("rb", buffering=0) as file:
        while not brake.pulled and file.read(1 << 20):
            pass


def _is_short(path: Path) -> bool:
    """Fewer pages than the file's own header counts: cut off, unless the missing ones are still in the log."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    return _size(path) < page * int.from_bytes(head[28:32], "big")


def _mend(path: Path, brake: Brake) -> Trouble:
    """Puts something older in the place of a broken file: the copy, or the file without its log, or else nothing."""
    copied = older(path)
    for source in (copied, path):
        if kind(source) == OURS and _flaw(source, brake, alone=True) is None:
            new = _unborn(path)
            shutil.copyfile(source, new)
            aside = _set_aside(path)
            give_name(new, path)
            return Trouble(OLDER, str(aside or path))
    _set_aside(copied)
    aside = _set_aside(path)
    _create(path)
    return Trouble(CORRUPT, str(aside or path))


def _set_aside(path: Path) -> Path | None:
    """Under a name that nobody has, its log with it; None if there was nothing in either."""
    log = log_of(path)
    if not _size(path) and not _size(log):
        return None
    for number in count(1):
        aside = path.with_name(f"{path.stem}.broken-{number}.db")
        if not aside.exists() and not log_of(aside).exists():
            break
    if log.exists():  # first, so that it never stands beside another file: SQLite would write it into that one
        log.rename(log_of(aside))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # an index of the log, made anew when it is opened
    if path.exists():
        path.rename(aside)
    _sync_folder(path.parent)
    return aside


def _create(path: Path) -> None:
    new = _unborn(path)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.executescript(tables.TABLES)
    log_of(path).unlink(missing_ok=True)  # empty, or it would have been set aside
    give_name(new, path)


def _unborn(path: Path) -> Path:
    """Where a file is made before it gets its name. What lies there was never finished."""
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
    if os.name == "nt":  # where a folder cannot be synced, and need not be
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def log_of(path: Path) -> Path:
    """What was written last, until it is settled in the main file."""
    return path.with_name(f"{path.name}-wal")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
