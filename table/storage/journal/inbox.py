"""What the journal is given to keep, until its thread takes it.

Its one rule: entries come out in the order of their tickets, and none goes in after it was closed.
"""

import queue
import threading
from itertools import count

from table.storage.journal.entries import Entry

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
