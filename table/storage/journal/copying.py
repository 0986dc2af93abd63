"""Makes the backup copy of the database in its own thread, because a big file takes seconds."""

import sqlite3
import threading
import time
from pathlib import Path

from table.storage.journal import files
from table.storage.journal.trouble import Trouble


class Copier:
    """Used only by the journal's thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._brake = files.Brake()
        self._changed = self._copied = 0  # calls to `changed`: all so far, and those that the last copy includes

    def changed(self) -> None:
        """Call this after a name was changed or deleted, or after another program changed the database."""
        self._changed += 1

    @property
    def outdated(self) -> bool:
        """Whether the copy, or the main file without its WAL, might still contain a deleted name."""
        return self._changed != self._copied

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, path: Path) -> None:
        self._thread = threading.Thread(target=self._copy, args=(path, self._changed), name="journal copy", daemon=True)
        self._thread.start()

    def end(self, until: float, braking: float) -> None:
        """Call this before closing the database. The last connection to close checkpoints the WAL, and it must not be
        the copier's connection. Waits until the time `until` for the copy to finish, then interrupts it and waits at
        most `braking` seconds more."""
        if self._thread:
            self._thread.join(max(0.0, until - time.monotonic()))
            self._brake.pull()
            self._thread.join(braking)

    def _copy(self, path: Path, changed: int) -> None:
        """Copies the file. If there is no room, the next attempt is made after the next game, because each attempt
        fills the disk for a while."""
        try:
            files.copy(path, self._brake)
        except (sqlite3.Error, OSError, Trouble):
            files.outdate(path)
        self._copied = changed
