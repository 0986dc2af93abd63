"""What the disk has refused so far, and when it is tried again."""

import time
from collections.abc import Sequence
from dataclasses import replace

from table.storage.journal.entries import Corrected, Entry
from table.storage.journal.inbox import Kept
from table.storage.journal.trouble import FAILED

_RETRY = 5.0  # seconds until the next attempt at a disk that refused; twice as long each time it does,
_LONGEST = 60.0  # up to this: looking at a big file may take a second
_MOST = 100_000  # entries, some 50 MB: weeks of play


class Owed:
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
