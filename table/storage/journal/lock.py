"""One table per folder: a second table refuses to start.

The one rule: the lock is held by the operating system, not by a file's existence. So it is released when the process
ends, however it ends.
"""

import os
import sys
from pathlib import Path

from table.engine.errors import Refused

NAME = "table.lock"
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # a symlink in a shared folder must not make us open another file
LOOK = NOFOLLOW | (os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)  # Windows only locks writable handles


class Lock:
    """Holds the lock until `release`, or until the process ends. Raises Refused if another table holds it.

    If the lock file cannot be created, the journal cannot be written either, so the table runs without a lock.
    """

    def __init__(self, folder: Path) -> None:
        self._file: int | None = _opened(folder)
        if self._file is None:
            return
        if not _taken(self._file):
            by = os.pread(self._file, 20, 0).decode(errors="replace").strip() if hasattr(os, "pread") else ""
            self.release()
            process = f" (process {by})" if by.isdigit() else ""
            raise Refused(
                f"A table is already running in {folder}{process}. Use that one or stop it, or give the second "
                "table its own folder, under [journal] in its config."
            )
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{os.getpid()}\n".encode())
        except OSError:  # full or read-only disk: the lock still works, without the process id
            pass

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def running(folder: Path) -> str | None:
    """The process id of the table that runs in this folder ("" if unknown), or None if there is no such table. Creates
    no file."""
    try:
        file = os.open(folder / NAME, LOOK)
    except OSError:
        return None
    try:
        return None if _taken(file) else os.read(file, 20).decode("ascii", errors="replace").strip()
    finally:
        os.close(file)


def _opened(folder: Path) -> int | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / NAME, os.O_RDWR | os.O_CREAT | NOFOLLOW, 0o644)
    except OSError:
        try:
            return os.open(folder / NAME, os.O_RDONLY | NOFOLLOW)
        except OSError:
            return None


def _taken(file: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 1 << 20, os.SEEK_SET)  # past the end, because locks on Windows also block reading
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(file, 0, os.SEEK_SET)
        return True
    else:
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # the file system has no locks: run without one
            return True
        return True
