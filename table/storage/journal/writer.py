"""The journal's thread: it takes entries from a queue, commits them in order, and confirms each with a message.

Its one rule: `keep` never blocks, and every ticket gets an answer. Entries that the disk refuses are retried in order
for as long as the table runs, and confirmed late if a retry succeeds.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from table.session.messages import Committed, NotKept, Opened, Post, Records, Recounted, Troubled
from table.storage.journal import files, store, tables
from table.storage.journal.copying import Copier
from table.storage.journal.entries import Corrected, Entry, Finished, Forgotten, Renamed, Sent
from table.storage.journal.inbox import Inbox, Kept, Owed
from table.storage.journal.prune import slimmed
from table.storage.journal.trouble import FAILED, FULL, LOCKED, Trouble, trouble_of
from table.storage.journal.upgrade import upgrade

_LOG = 4 * 1024 * 1024  # bytes in the WAL before a checkpoint; few answers have to wait for one
_BRAKING = 0.3  # seconds of the closing time reserved for interrupting a long query
_GLANCE = 3.0  # seconds between checks for changes by another program

MOST = 1_000_000_000  # default limit for the file and its copy together, in bytes


class _Told:
    """Posts the records only once, because the table updates its own copy afterwards. Posts each distinct trouble only
    once, because every retry encounters it again."""

    def __init__(self, post: Post) -> None:
        self.records = False
        self._post = post
        self._troubles: set[tuple[str, str]] = set()

    def opened(self, records: Records) -> None:
        if not self.records:
            self.records = True
            self._post(Opened(records))

    def trouble(self, trouble: Trouble) -> None:
        if (trouble.code, trouble.detail) not in self._troubles:
            self._troubles.add((trouble.code, trouble.detail))
            self._post(Troubled(trouble.code, trouble.detail))


class _Database:
    """The file, and the connection that writes to it."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.connection: sqlite3.Connection | None = None
        self._version = 0  # SQLite's data_version, which changes when another connection writes

    def changed(self) -> bool:
        """Whether another connection has written since the last call."""
        assert self.connection is not None
        before = self._version
        (self._version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return self._version != before

    def roll_back(self) -> None:
        try:
            if self.connection and self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error:
            self.close()

    def close(self) -> None:
        connection, self.connection = self.connection, None
        if connection and self.path:
            files.let_go(self.path, connection)


class Journal:
    def __init__(self, folder: Path, post: Post, most: int = MOST, league: bool = True) -> None:
        """`most`: the size limit in bytes. `league`: whether games and changed names are marked for sending to a
        league."""
        self._folder = folder
        self._post = post
        self._most = most // 2
        self._league = league
        self._inbox = Inbox()
        self._brake = files.Brake()
        self._looked = threading.Event()  # set once the files have been checked for the first time
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        # Everything below is used only by the journal's thread.
        self._database = _Database()
        self._told = _Told(post)
        self._owed = Owed()
        self._copier = Copier()

    def start(self) -> None:
        """Starts the thread. It opens the files and posts `Troubled` for each problem, then `Opened`. If the records
        cannot be read, `Opened` is empty, and is posted again once they can be read."""
        self._thread.start()

    def keep(self, entry: Entry) -> int:
        """Queues an entry. Returns its ticket, which `Committed` or `NotKept` will carry. After `NotKept`,
        a retry may still succeed and post `Committed`."""
        ticket, taken = self._inbox.put(entry)
        if not taken:
            self._post(NotKept(ticket, FAILED))
        return ticket

    def close(self, timeout: float = 1.5) -> bool:
        """Commits everything queued and closes the files. Returns False if something could not be written in time."""
        if self._inbox.close(time.monotonic() + timeout) and not self._looked.is_set():
            self._brake.pull()  # nothing to write, so the check of the files can be cut short
        if self._thread.ident is None:
            return True
        self._thread.join(max(0.0, timeout - _BRAKING))
        if self._thread.is_alive():
            self._brake.pull()
            self._thread.join(min(timeout, _BRAKING))
        return not self._thread.is_alive() and not self._owed.entries

    # In the thread

    def _run(self) -> None:
        try:
            self._open()
            self._looked.set()
            closing_time = False
            while not closing_time:
                retries = self._owed.entries or not self._database.connection
                pause = max(0.0, self._owed.due - time.monotonic()) if retries else _GLANCE
                waiting, closing_time = self._inbox.take(pause)
                self._write(waiting, at_once=closing_time)
                if not closing_time:
                    entries = [entry for _, entry in waiting]
                    self._recount(entries)
                    self._tidy(any(isinstance(entry, Finished | Corrected) for entry in entries))
        finally:
            self._copier.end((self._inbox.deadline or 0.0) - 2 * _BRAKING, _BRAKING)
            if self._copier.outdated and self._database.path:
                files.outdate(self._database.path)
            self._database.close()

    def _open(self) -> None:
        try:
            self._database.path, troubles = files.ready(self._folder, self._brake)
            for trouble in troubles:
                self._told.trouble(trouble)
            connection = self._database.connection = files.held(self._database.path)
            with self._brake.on(connection):
                connection.execute("BEGIN IMMEDIATE")
                if tables.version(connection) < tables.VERSION:
                    upgrade(connection)
                tables.touch(connection)
                store.finish_what_is_over(connection)
                if not self._league and store.owe_nothing(connection):
                    self._copier.changed()
                connection.execute("COMMIT")
                files.thrifty(connection)
                self._told.opened(store.records(connection))
                self._database.changed()  # ignore all changes made so far
        except Exception as error:  # any error: the table must work without a journal
            trouble = trouble_of(error, self._folder)
            self._failed(trouble)
            if not self._brake.pulled:
                self._told.trouble(trouble)
                self._post_readable_records()
        self._tidy(True)

    def _recount(self, entries: Sequence[Entry]) -> None:
        """Posts `Recounted` if names were changed, or if another program changed the records."""
        if not self._database.connection:
            return
        with suppress(sqlite3.Error):  # if the disk fails, writing the next entry will report it
            changed = self._database.changed()
            names = tuple(pair for entry in entries for pair in _names(entry))
            if changed or names:
                self._copier.changed()
                self._post(Recounted(store.players(self._database.connection), names))
            elif any(isinstance(entry, Sent) and entry.changes for entry in entries):
                self._copier.changed()  # the database has dropped the old names in these changes, but the copy has not

    def _post_readable_records(self) -> None:
        try:
            if self._database.path and not self._told.records:
                with closing(files.reading(self._database.path)) as connection:
                    self._told.opened(store.records(connection))
        except Exception:  # `_open` has already reported the trouble
            pass
        if not self._told.records and not self._looked.is_set():
            self._post(Opened(Records(settings={})))

    def _write(self, waiting: Sequence[Kept], at_once: bool) -> None:
        if (self._owed.entries or not self._database.connection) and not at_once and time.monotonic() < self._owed.due:
            return self._postpone(waiting)
        if not self._database.connection:
            self._open()
        kept = [*self._owed.entries, *waiting]
        if not kept or not self._database.connection:
            return self._postpone(waiting)
        try:
            misfits = _commit(self._database.connection, kept)
        except Exception as error:  # any error: the thread must survive
            self._failed(trouble_of(error, self._folder))
            return self._postpone(waiting)
        refused = misfits - {ticket for ticket, _ in self._owed.entries}  # retried entries already got a NotKept
        self._owed.paid()
        for ticket, _ in kept:
            if ticket in refused:
                self._post(NotKept(ticket, FAILED))
            elif ticket not in misfits:
                self._post(Committed(ticket))
        return None

    def _postpone(self, waiting: Sequence[Kept]) -> None:
        self._owed.add(waiting)
        for ticket, _ in waiting:
            self._post(NotKept(ticket, self._owed.code))

    def _failed(self, trouble: Trouble) -> None:
        """Schedules a retry. If the disk is full or the file locked, the connection can be reused; otherwise the retry
        checks the files again."""
        self._owed.failed(trouble.code)
        self._database.roll_back()
        if trouble.code not in (FULL, LOCKED):
            self._database.close()

    def _tidy(self, grown: bool) -> None:
        """Housekeeping: pruning, checkpoints and the backup copy. It runs after the waiting entries have been
        written, and its errors are ignored, because no data depends on it."""
        connection, path = self._database.connection, self._database.path
        if not connection or not path or self._copier.busy:
            return
        try:
            while grown and slimmed(connection, self._most) and self._inbox.empty:
                pass
            log = files.unsettled(path)
            if (log > _LOG and (self._inbox.empty or log > 4 * _LOG)) or (log and self._copier.outdated):
                files.settled(connection)
            if self._copier.outdated or (grown and files.copy_is_due(path)):
                self._copier.start(path)
        except (sqlite3.Error, OSError):
            pass


def _names(entry: Entry) -> Iterator[tuple[str, str | None]]:
    match entry:
        case Renamed(old, new):
            yield old, new
        case Forgotten(name):
            yield name, None


def _commit(connection: sqlite3.Connection, kept: Sequence[Kept]) -> set[int]:
    """Writes all entries in one transaction. Returns the tickets of invalid entries, which can never be written."""
    misfits: set[int] = set()
    connection.execute("BEGIN IMMEDIATE")
    for ticket, entry in kept:
        try:
            store.write(connection, entry)
        except store.Misfit:
            misfits.add(ticket)
    connection.execute("COMMIT")
    return misfits
