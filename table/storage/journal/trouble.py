"""Disk errors as short codes, for which the screens have texts, and the exception that carries them.

The one rule: every SQLite or system error becomes one of these codes, so that none can stop the table.
"""

import errno
import sqlite3
from pathlib import Path

FULL, READONLY, LOCKED, FAILED = "full", "readonly", "locked", "failed"
CORRUPT = "corrupt"  # the file and its copy were damaged: the file was set aside, and a new one was created
OLDER = "older"  # the file was damaged and set aside; an older state of it took its place
FOREIGN = "foreign"  # the file is not ours: it is left alone, and another name is used
NEWER = "newer"  # like FOREIGN, but a newer dicetable wrote the file

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
_UNREADABLE = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)  # error codes of a damaged file
_PROBE = 256 * 1024  # bytes of the test file


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
        extended = getattr(error, "sqlite_errorcode", 0)  # missing if Python's sqlite3 module raised the error itself
        if extended in _UNREADABLE:
            return Trouble(CORRUPT, str(error))
        if extended & 0xFF in _SQLITE:
            return Trouble(_SQLITE[extended & 0xFF], str(error))
        if extended & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            return _probed(folder) or Trouble(FAILED, str(error))
    return Trouble(FAILED, f"{type(error).__name__}: {error}")


def _probed(folder: Path) -> Trouble | None:
    """Writes a test file to find the cause of SQLite's vague "disk I/O error", such as an exceeded quota or missing
    write permission."""
    probe = folder / "table.probe"
    try:
        try:
            probe.write_bytes(bytes(_PROBE))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return Trouble(_ERRNO.get(error.errno or 0, FAILED), str(error))
    return None
