"""One table a folder: a second start is told so.

The one rule: the system holds the lock, not a file's existence, so it is gone when the process is, however it ended.
"""

import os
import sys
from pathlib import Path

from table.engine.errors import Refused

NAME = "table.lock"
STRAIGHT = getattr(os, "O_NOFOLLOW", 0)  # whoever may write there must not lead anybody else to another file
LOOK = STRAIGHT | (os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)  # Windows locks what may be written only


class Lock:
    """Held from here on until `release`, or until the process ends. Refused: another table has it.

    Where not even a lock can be written there is no journal to protect: the table plays without.
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
                f"A table is already running here{process}, and keeps its games in {folder}. Use that one or end it; "
                "a second table needs a folder of its own, named in its config under [journal]."
            )
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{os.getpid()}\n".encode())
        except OSError:  # a full or read-only disk: the lock holds all the same, only the number is missing
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
    """The process of the table that has this folder, as far as it told; None if there is no such table. Whoever asks
    leaves nothing behind."""
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
        return os.open(folder / NAME, os.O_RDWR | os.O_CREAT | STRAIGHT, 0o644)
    except OSError:
        try:
            return os.open(folder / NAME, os.O_RDONLY | STRAIGHT)
        except OSError:
            return None


def _taken(file: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 1 << 20, os.SEEK_SET)  # a lock on bytes that are in use would keep others from reading them
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
        except OSError:  # a file system without locks: better a table than none
            return True
        return True
