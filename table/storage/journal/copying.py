"""The older copy of the file, made in a thread of its own: a big file takes seconds."""

import sqlite3
import threading
import time
from pathlib import Path

from table.storage.journal import files
from table.storage.journal.trouble import Trouble


class Copier:
    """Made and used by the journal's thread alone."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._brake = files.Brake()
        self._changed = self._copied = 0  # how often `changed` was called; and as of the copy

    def changed(self) -> None:
        """Names were changed, or anything by another program."""
        self._changed += 1

    @property
    def outdated(self) -> bool:
        """The copy, and the file without its log, may have a name that is not to be found any more."""
        return self._changed != self._copied

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, path: Path) -> None:
        self._thread = threading.Thread(target=self._copy, args=(path, self._changed), name="journal copy", daemon=True)
        self._thread.start()

    def end(self, until: float, braking: float) -> None:
        """Before the file is closed: whoever closes it last settles the log, and a copy reads it. Most are small and
        nearly done; one that is not is stopped while there is still time to close."""
        if self._thread:
            self._thread.join(max(0.0, until - time.monotonic()))
            self._brake.pull()
            self._thread.join(braking)

    def _copy(self, path: Path, changed: int) -> None:
        """Without room for it, it is tried again after the next game: each attempt fills the disk."""
        try:
            files.copy(path, self._brake)
        except (sqlite3.Error, OSError, Trouble):
            files.outdate(path)
        self._copied = changed
