"""The journal's thread: entries come through a queue, are committed in order, and are confirmed by a message.

Its one rule: `keep` never waits, and every ticket is answered. What the disk refuses is owed: it is tried again, in its
order, as long as the table runs, and confirmed late if the disk takes it after all.
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

_LOG = 4 * 1024 * 1024  # bytes: hundreds of answers, so that settling them meets far fewer than one in a hundred
_BRAKING = 0.3  # seconds of those for closing that it takes to stop a long look at a file
_GLANCE = 3.0  # seconds between two looks whether another program has changed the records

MOST = 1_000_000_000  # bytes of the file and its copy together, if the config says nothing else


class _Told:
    """Posts the records once, as what is played from then on is known to whoever was told; and each trouble once, as it
    is met again at every attempt."""

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


class Journal:
    def __init__(self, folder: Path, post: Post, most: int = MOST, league: bool = True) -> None:
        """`league`: this table may be in one, which has to be told of its games and names."""
        self._folder = folder
        self._post = post
        self._most = most // 2
        self._league = league
        self._inbox = Inbox()
        self._brake = files.Brake()
        self._looked = threading.Event()  # at the files, for the first time
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        # The rest belongs to the thread.
        self._path: Path | None = None
        self._connection: sqlite3.Connection | None = None
        self._seen = 0  # the state of the file, as far as others change it
        self._told = _Told(post)
        self._owed = Owed()
        self._copier = Copier()

    def start(self) -> None:
        """Opens the files in a thread of its own and posts what it found: `Troubled` for each thing that is wrong,
        then `Opened`, with empty records if there is nothing to read. If they can be read later, `Opened` again."""
        self._thread.start()

    def keep(self, entry: Entry) -> int:
        """The ticket under which `Committed` or `NotKept` will come. After `NotKept`, `Committed` may still come."""
        ticket, taken = self._inbox.put(entry)
        if not taken:
            self._post(NotKept(ticket, FAILED))
        return ticket

    def close(self, timeout: float = 1.5) -> bool:
        """Everything queued is committed and the files are closed. False: not all of it, or not in so many seconds."""
        if self._inbox.close(time.monotonic() + timeout) and not self._looked.is_set():
            self._brake.pull()  # nothing was given to be kept: no need to read to the end
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
                retries = self._owed.entries or not self._connection
                pause = max(0.0, self._owed.due - time.monotonic()) if retries else _GLANCE
                waiting, closing_time = self._inbox.take(pause)
                self._write(waiting, at_once=closing_time)
                if not closing_time:
                    entries = [entry for _, entry in waiting]
                    self._recount(entries)
                    self._tidy(any(isinstance(entry, Finished | Corrected) for entry in entries))
        finally:
            self._copier.end((self._inbox.deadline or 0.0) - 2 * _BRAKING, _BRAKING)
            if self._copier.outdated and self._path:
                files.outdate(self._path)
            self._shut()

    def _open(self) -> None:
        try:
            self._path, troubles = files.ready(self._folder, self._brake)
            for trouble in troubles:
                self._told.trouble(trouble)
            self._connection = files.held(self._path)
            with self._brake.on(self._connection):
                self._connection.execute("BEGIN IMMEDIATE")
                if tables.version(self._connection) < tables.VERSION:
                    upgrade(self._connection)
                tables.touch(self._connection)
                store.finish_what_is_over(self._connection)
                if not self._league and store.owe_nothing(self._connection):
                    self._copier.changed()
                self._connection.execute("COMMIT")
                files.thrifty(self._connection)
                self._told.opened(store.records(self._connection))
                self._seen = _state(self._connection)
        except Exception as error:  # of whatever kind: without a journal there is still a table
            trouble = trouble_of(error, self._folder)
            self._failed(trouble)
            if not self._brake.pulled:
                self._told.trouble(trouble)
                self._tell_what_can_be_read()
        self._tidy(True)

    def _recount(self, entries: Sequence[Entry]) -> None:
        """Whoever shows players is told when they have changed otherwise than by a game here."""
        if not self._connection:
            return
        with suppress(sqlite3.Error):  # the next entry meets it as well
            before, self._seen = self._seen, _state(self._connection)
            names = tuple(pair for entry in entries for pair in _names(entry))
            if self._seen != before or names:
                self._copier.changed()
                self._post(Recounted(store.players(self._connection), names))
            elif any(isinstance(entry, Sent) and entry.changes for entry in entries):
                self._copier.changed()  # old names have waited to be told, also in the copy

    def _tell_what_can_be_read(self) -> None:
        try:
            if self._path and not self._told.records:
                with closing(files.reading(self._path)) as connection:
                    self._told.opened(store.records(connection))
        except Exception:  # what is wrong with it was said already
            pass
        if not self._told.records and not self._looked.is_set():
            self._post(Opened(Records(settings={})))

    def _write(self, waiting: Sequence[Kept], at_once: bool) -> None:
        if (self._owed.entries or not self._connection) and not at_once and time.monotonic() < self._owed.due:
            return self._owe(waiting)
        if not self._connection:
            self._open()
        kept = [*self._owed.entries, *waiting]
        if not kept or not self._connection:
            return self._owe(waiting)
        try:
            misfits = _commit(self._connection, kept)
        except Exception as error:  # of whatever kind: the thread must live to answer the next one
            self._failed(trouble_of(error, self._folder))
            return self._owe(waiting)
        refused = misfits - {ticket for ticket, _ in self._owed.entries}  # of those it was said before
        self._owed.paid()
        for ticket, _ in kept:
            if ticket in refused:
                self._post(NotKept(ticket, FAILED))
            elif ticket not in misfits:
                self._post(Committed(ticket))
        return None

    def _owe(self, waiting: Sequence[Kept]) -> None:
        self._owed.add(waiting)
        for ticket, _ in waiting:
            self._post(NotKept(ticket, self._owed.code))

    def _failed(self, trouble: Trouble) -> None:
        """A connection stays where the next attempt may be better with it; else that one looks at the files anew."""
        self._owed.failed(trouble.code)
        try:
            if self._connection and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._shut()
        if trouble.code not in (FULL, LOCKED):
            self._shut()

    def _shut(self) -> None:
        connection, self._connection = self._connection, None
        if connection and self._path:
            files.let_go(self._path, connection)

    def _tidy(self, grown: bool) -> None:
        """What no answer has to wait for. Trouble with it is none: everything is kept without it."""
        if not self._connection or not self._path or self._copier.busy:
            return
        try:
            while grown and slimmed(self._connection, self._most) and self._inbox.empty:
                pass
            log = files.unsettled(self._path)
            if (log > _LOG and (self._inbox.empty or log > 4 * _LOG)) or (log and self._copier.outdated):
                files.settled(self._connection)
            if self._copier.outdated or (grown and files.copy_is_due(self._path)):
                self._copier.start(self._path)
        except (sqlite3.Error, OSError):
            pass


def _state(connection: sqlite3.Connection) -> int:
    """Changes whenever somebody else has written."""
    (found,) = connection.execute("PRAGMA data_version").fetchone()
    return int(found)


def _names(entry: Entry) -> Iterator[tuple[str, str | None]]:
    match entry:
        case Renamed(old, new):
            yield old, new
        case Forgotten(name):
            yield name, None


def _commit(connection: sqlite3.Connection, kept: Sequence[Kept]) -> set[int]:
    """All in one transaction; the tickets of those that cannot be written whatever the disk does."""
    misfits: set[int] = set()
    connection.execute("BEGIN IMMEDIATE")
    for ticket, entry in kept:
        try:
            store.write(connection, entry)
        except store.Misfit:
            misfits.add(ticket)
    connection.execute("COMMIT")
    return misfits
