"""The tables of the file, and the version of them.

The one rule: what is here changes with the version, and upgrade.py makes it of what was before.
"""

import sqlite3

from table.storage.journal import tallies

APPLICATION = 0x64696345  # "dicE", in the file's header: whose file it is
VERSION = 2  # of the tables below, in the header too

# Without the counts of tallies.py, and without what a file has to be before it has tables.
KNOWN = "level IS NULL AND NOT guest"  # of a seat: whoever sits there is remembered
ADDED = f"""
CREATE INDEX finished ON matches (game, key) WHERE answers IS NOT NULL;
CREATE INDEX unsent ON matches (key) WHERE answers IS NOT NULL AND sent IS NULL;
CREATE INDEX known ON seats (name, match, won, level, guest) WHERE {KNOWN};
CREATE TABLE changes (          -- of names that the league has, until it has been told
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    old TEXT NOT NULL,
    new TEXT                    -- NULL: forgotten
);
{tallies.TABLES}
"""
TABLES = f"""
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE matches (
    key INTEGER PRIMARY KEY,   -- counts matches in the order in which they began, whatever the clock said
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    options TEXT NOT NULL,     -- JSON, like every TEXT below but names, words and ids
    seed TEXT NOT NULL,        -- of any size, so as digits
    began REAL NOT NULL,
    looked_at INTEGER,         -- how many answers there were when it was last found not to be over
    ended REAL,                -- finished or left
    answers INTEGER,           -- how many, once it is finished; NULL if it was left
    log BLOB,                  -- all of it, once it has ended (folded.py); NULL again if there was no room for it
    sent INTEGER               -- 1 once the league has it
);
CREATE INDEX going_on ON matches (key) WHERE ended IS NULL;
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    level TEXT,                -- of a computer, as a word
    guest INTEGER NOT NULL,
    won INTEGER,
    standing TEXT,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE answers (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    asked TEXT NOT NULL,       -- as the referee outlines it, in words
    answer TEXT NOT NULL,
    source TEXT NOT NULL,      -- a word
    at REAL NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE corrections (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,   -- of the answer
    who TEXT NOT NULL,
    read TEXT NOT NULL,        -- by the camera
    taken TEXT NOT NULL,
    why TEXT NOT NULL,         -- it was not sure, in words
    photo BLOB NOT NULL,       -- JPEG; of many corrections, only the last ones have any
    PRIMARY KEY (match, number)
);
{ADDED}
"""


def touch(connection: sqlite3.Connection) -> None:
    """A write that changes nothing: a disk that is full or may only be read is noticed before a game begins."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def version(connection: sqlite3.Connection) -> int:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)
