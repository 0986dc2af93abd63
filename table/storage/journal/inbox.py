"""The queue of entries for the journal's thread, and the entries that the disk has refused so far.

Its one rule: entries leave in the order of their tickets, and none is accepted after closing.
"""

import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from table.storage.journal.entries import Corrected, Entry
from table.storage.journal.trouble import FAILED

_RETRY = 5.0  # seconds before the first retry after a disk error; doubled after each failure
_LONGEST = 60.0  # the longest wait between retries, in seconds
_MOST = 100_000  # the most entries kept for a retry: about 50 MB, or weeks of play

Kept = tuple[int, Entry]
"""An entry and its ticket."""


class Inbox:
    def __init__(self) -> None:
        self._tickets = count(1)
        self._queue: queue.SimpleQueue[Kept | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # held while an entry gets its ticket and is queued, to keep the order
        self.deadline: float | None = None  # set by close: the time by which everything must be written

    @property
    def empty(self) -> bool:
        return self._queue.empty()

    def put(self, entry: Entry) -> tuple[int, bool]:
        """Returns the entry's ticket, and whether it was accepted."""
        with self._lock:
            ticket, taken = next(self._tickets), self.deadline is None
            if taken:
                self._queue.put((ticket, entry))
        return ticket, taken

    def close(self, deadline: float) -> bool:
        """Accepts no more entries. Returns whether the queue was empty."""
        with self._lock:
            if self.deadline is not None:
                return False
            self.deadline, empty = deadline, self._queue.empty()
            self._queue.put(None)
        return empty

    def take(self, timeout: float) -> tuple[list[Kept], bool]:
        """Returns all waiting entries (none if nothing arrives before the timeout), and whether the inbox is closed."""
        waiting: list[Kept] = []
        try:
            kept = self._queue.get(timeout=timeout)
            while kept is not None:
                waiting.append(kept)
                kept = self._queue.get_nowait()
        except queue.Empty:
            return waiting, False
        return waiting, True


class Owed:
    """The entries that the disk has refused so far, and the time of the next retry."""

    def __init__(self) -> None:
        self.entries: list[Kept] = []
        self.code = FAILED  # why the last attempt failed
        self.due = 0.0  # when the next attempt is due
        self._pause = _RETRY

    def add(self, waiting: Sequence[Kept]) -> None:
        self.entries = [*self.entries, *((ticket, _without_photo(entry)) for ticket, entry in waiting)][-_MOST:]

    def failed(self, code: str) -> None:
        self.code = code
        self.due = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, _LONGEST)

    def paid(self) -> None:
        self.entries = []
        self._pause = _RETRY


def _without_photo(entry: Entry) -> Entry:
    """Drops the photo of a correction: the disk can refuse entries for a long time, and photos would fill memory."""
    return replace(entry, photo=b"") if isinstance(entry, Corrected) else entry
