"""What can be wrong with a disk, in one word that a screen can look up, and `Trouble` to carry it.

The one rule: whatever SQLite or the system raises becomes one of these words; nothing escapes to stop the table.
"""

import errno
import sqlite3
from pathlib import Path

FULL, READONLY, LOCKED, FAILED = "full", "readonly", "locked", "failed"
CORRUPT = "corrupt"  # nothing whole was found: the broken file was set aside and a new one begun
OLDER = "older"  # the file was broken and set aside; the older copy took its place
FOREIGN = "foreign"  # a file that is not ours has our name: it stays as it is, and another name is used
NEWER = "newer"  # as foreign, but a newer dicetable wrote it

_ERRNO = {
    **dict.fromkeys((errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)), FULL),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), READONLY),
}
_SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READONLY,
    sqlite3.SQLITE_PERM: READONLY,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_CORRUPT: CORRUPT,
    sqlite3.SQLITE_NOTADB: CORRUPT,
}
_UNREADABLE = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)  # as good as corrupt: set aside and go on
_PROBE = 256 * 1024  # bytes


class Trouble(Exception):
    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def trouble_of(error: Exception, folder: Path) -> Trouble:
    if isinstance(error, Trouble):
        return error
    if isinstance(error, OSError):
        return Trouble(_ERRNO.get(error.errno or 0, FAILED), str(error))
    if isinstance(error, sqlite3.Error):
        extended = getattr(error, "sqlite_errorcode", 0)  # missing where Python's own module complains
        if extended in _UNREADABLE:
            return Trouble(CORRUPT, str(error))
        if extended & 0xFF in _SQLITE:
            return Trouble(_SQLITE[extended & 0xFF], str(error))
        if extended & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            return _asked_of_the_system(folder) or Trouble(FAILED, str(error))
    return Trouble(FAILED, f"{type(error).__name__}: {error}")


def _asked_of_the_system(folder: Path) -> Trouble | None:
    """SQLite says "disk I/O error" of a used-up quota and of a folder that may not be written: a try shows which."""
    probe = folder / "table.probe"
    try:
        try:
            probe.write_bytes(bytes(_PROBE))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return Trouble(_ERRNO.get(error.errno or 0, FAILED), str(error))
    return None
