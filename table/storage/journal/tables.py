"""The database schema and its version.

The one rule: every change here gets a new version number and a step in upgrade.py.
"""

import sqlite3

from table.storage.journal import tallies

APPLICATION = 0x64696345  # "dicE": SQLite's application_id, which marks the file as ours
VERSION = 3  # the schema's version: SQLite's user_version

KNOWN = "level IS NULL AND NOT guest"  # a seat whose player is recorded: neither a computer nor a guest
# The part of the schema that upgrade.py adds to a version 1 file.
ADDED = f"""
CREATE INDEX finished ON matches (game, key) WHERE answers IS NOT NULL;
CREATE INDEX unsent ON matches (key) WHERE answers IS NOT NULL AND sent IS NULL;
CREATE INDEX known ON seats (name, match, won, level, guest) WHERE {KNOWN};
CREATE TABLE changes (          -- changed names that the league has not received yet
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    old TEXT NOT NULL,
    new TEXT                    -- NULL: deleted
);
{tallies.TABLES}
"""
TABLES = f"""
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE matches (
    key INTEGER PRIMARY KEY,   -- numbers matches in the order in which they began, even if the clock was wrong
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    options TEXT NOT NULL,     -- JSON, like every TEXT below except names, words and ids
    seed TEXT NOT NULL,        -- decimal digits, because it may exceed 64 bits
    began REAL NOT NULL,
    looked_at INTEGER,         -- number of answers when the match was last replayed and found unfinished
    ended REAL,                -- when it was finished or abandoned
    answers INTEGER,           -- number of answers of a finished match; NULL: unfinished or abandoned
    log BLOB,                  -- the whole match, once it has ended (folded.py); NULL if it was pruned
    sent INTEGER               -- 1: the league has received it
);
CREATE INDEX going_on ON matches (key) WHERE ended IS NULL;
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    level TEXT,                -- a computer's level; NULL: a person
    guest INTEGER NOT NULL,
    won INTEGER,
    standing TEXT,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE answers (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    asked TEXT NOT NULL,       -- the ask, as the referee outlines it
    answer TEXT NOT NULL,
    source TEXT NOT NULL,      -- where the answer came from
    at REAL NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE corrections (     -- readings that people corrected, or confirmed: then `read` and `taken` are the same
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,   -- the answer's number
    who TEXT NOT NULL,
    read TEXT NOT NULL,        -- the dice that the camera read, in the order of `taken`
    taken TEXT NOT NULL,       -- the dice that count; those that the camera did not see come last
    why TEXT NOT NULL,         -- why the camera was unsure
    photo BLOB NOT NULL,       -- JPEG; empty for all but the newest corrections
    sure TEXT NOT NULL DEFAULT '[]',  -- whether the camera was sure of each die; empty if not known
    PRIMARY KEY (match, number)
);
{ADDED}
"""


def touch(connection: sqlite3.Connection) -> None:
    """Writes without changing anything, to notice a full or read-only disk before a game begins."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def version(connection: sqlite3.Connection) -> int:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)
