"""Keeps the journal below its configured size.

The one rule: the data that people will miss least goes first. Photos of corrected dice are removed, then the
move-by-move logs of the oldest games, but never players, winners or statistics.
"""

import sqlite3

_PHOTOS, _LOGS = 10, 100  # removed per step: few, so that no answer waits long for the disk


def used(connection: sqlite3.Connection) -> int:
    """Bytes in use, without free pages."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def slimmed(connection: sqlite3.Connection, most: int) -> bool:
    """Takes one step towards a size of at most `most` bytes. Returns whether more steps are needed."""
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
