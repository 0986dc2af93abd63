"""What the journal is given to keep, until its thread takes it; and what the disk has refused, until it takes that.

Its one rule: entries come out in the order of their tickets, and none goes in after it was closed.
"""

import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from table.storage.journal.entries import Corrected, Entry
from table.storage.journal.trouble import FAILED

_RETRY = 5.0  # seconds until the next attempt at a disk that refused; twice as long each time it does,
_LONGEST = 60.0  # up to this: looking at a big file may take a second
_MOST = 100_000  # entries, some 50 MB: weeks of play

Kept = tuple[int, Entry]
"""An entry and its ticket."""


class Inbox:
    def __init__(self) -> None:
        self._tickets = count(1)
        self._queue: queue.SimpleQueue[Kept | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # from the ticket until it is in the queue
        self.deadline: float | None = None  # by when all of it has to be written, once it was closed

    @property
    def empty(self) -> bool:
        return self._queue.empty()

    def put(self, entry: Entry) -> tuple[int, bool]:
        """Its ticket, and whether it was taken."""
        with self._lock:
            ticket, taken = next(self._tickets), self.deadline is None
            if taken:
                self._queue.put((ticket, entry))
        return ticket, taken

    def close(self, deadline: float) -> bool:
        """Whether nothing was left to take."""
        with self._lock:
            if self.deadline is not None:
                return False
            self.deadline, empty = deadline, self._queue.empty()
            self._queue.put(None)
        return empty

    def take(self, timeout: float) -> tuple[list[Kept], bool]:
        """All that waits, or nothing if nothing came in so many seconds; and whether it was the last."""
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
    """What the disk has refused so far, and when it is tried again."""

    def __init__(self) -> None:
        self.entries: list[Kept] = []
        self.code = FAILED  # why the last attempt failed
        self.due = 0.0  # when the next is due
        self._pause = _RETRY

    def add(self, waiting: Sequence[Kept]) -> None:
        self.entries = [*self.entries, *((ticket, _light(entry)) for ticket, entry in waiting)][-_MOST:]

    def failed(self, code: str) -> None:
        self.code = code
        self.due = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, _LONGEST)

    def paid(self) -> None:
        self.entries = []
        self._pause = _RETRY


def _light(entry: Entry) -> Entry:
    """Without its photo: nobody knows how long it is owed, and how many will be."""
    return replace(entry, photo=b"") if isinstance(entry, Corrected) else entry
