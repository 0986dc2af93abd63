"""Upgrades the schema of a database written by an older version.

The one rule: the upgrade is one transaction, so that a power cut leaves the file as it was. A game that cannot be read
keeps only its result, and does not affect the others.
"""

import json
import sqlite3
import zlib

from table.storage.journal import store, tables, tallies

# The earliest files of version 1 predate the camera, and have no corrections table.
_CHANGED = """
CREATE TABLE IF NOT EXISTS corrections (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    who TEXT NOT NULL,
    read TEXT NOT NULL,
    taken TEXT NOT NULL,
    why TEXT NOT NULL,
    photo BLOB NOT NULL,
    PRIMARY KEY (match, number)
);
ALTER TABLE matches RENAME COLUMN events TO log;
ALTER TABLE matches ADD COLUMN sent INTEGER;
"""


def upgrade(connection: sqlite3.Connection) -> None:
    """Upgrades from any older version. Call this within a transaction."""
    if tables.version(connection) == 1:
        _fold(connection)
    connection.execute("ALTER TABLE corrections ADD COLUMN sure TEXT NOT NULL DEFAULT '[]'")  # new in version 3
    connection.execute(f"PRAGMA user_version = {tables.VERSION}")


def _fold(connection: sqlite3.Connection) -> None:
    """Upgrades from version 1, in which every answer had its own row and there were no statistics."""
    for statement in (_CHANGED + tables.ADDED).split(";\n"):
        connection.execute(statement)
    begun = connection.execute(
        f"SELECT match, game, name FROM seats JOIN matches ON key = match WHERE {tables.KNOWN} ORDER BY match"
    ).fetchall()
    for key, game, name in begun:
        tallies.begun(connection, key, game, [name])
    ended = connection.execute("SELECT key, answers, log FROM matches WHERE ended IS NOT NULL").fetchall()
    for key, answers, told in ended:
        winners = None
        if answers is not None:
            won = connection.execute("SELECT seat FROM seats WHERE match = ? AND won", (key,))
            winners = [seat for (seat,) in won]
        connection.execute("SAVEPOINT game")
        try:
            store.close(connection, key, json.loads(zlib.decompress(told)) if told else [], winners)
        except Exception:  # one unreadable game must not stop the upgrade of the others
            connection.execute("ROLLBACK TO game")
            store.close_without_log(connection, key, winners)
        connection.execute("RELEASE game")
