"""Keeps the journal to the size that the config gives it.

The one rule: what people would miss least goes first: photos of corrected dice, then how the oldest games went, move by
move. Who played, who won, and all that was counted stays.
"""

import sqlite3

_PHOTOS, _LOGS = 10, 100  # at once: an answer that waits for the disk waits no longer than for these


def used(connection: sqlite3.Connection) -> int:
    """Bytes of the file that hold something."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def slimmed(connection: sqlite3.Connection, most: int) -> bool:
    """A step towards that many bytes; whether there is more to be done."""
    if used(connection) <= most:
        return False
    changed = connection.execute(
        "UPDATE corrections SET photo = x'' WHERE rowid IN (SELECT corrections.rowid FROM corrections JOIN matches"
        " ON key = match WHERE length(photo) > 0 AND ended IS NOT NULL ORDER BY corrections.rowid LIMIT ?)",
        (_PHOTOS,),
    ).rowcount
    if not changed:
        changed = connection.execute(
            "UPDATE matches SET log = NULL WHERE key IN"
            " (SELECT key FROM matches WHERE log IS NOT NULL AND ended IS NOT NULL ORDER BY key LIMIT ?)",
            (_LOGS,),
        ).rowcount
    connection.execute("PRAGMA incremental_vacuum").fetchall()
    return bool(changed) and used(connection) > most
