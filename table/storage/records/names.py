"""Renaming, merging and deleting players, for the table and for the commands.

Its one rule: check first, and refuse with a sentence that says why. These functions only return the entry; the caller
gives it to the journal.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from table.engine.errors import Refused, shown
from table.engine.names import LONGEST, clean
from table.storage.journal import files, lock, store, tables
from table.storage.journal.entries import Entry, Forgotten, Renamed
from table.storage.journal.trouble import FULL, LOCKED, READONLY, trouble_of
from table.storage.records import read

_CURE = defaultdict(
    lambda: "check the disk.",
    {FULL: "make room on the disk.", READONLY: "check your permissions.", LOCKED: "try again."},
)
"""What to do about each kind of disk error."""


def renamed(connection: sqlite3.Connection, old: str, new: str) -> Renamed:
    """Raises Refused if there is no player `old`, or if another player has the new name, ignoring case. A computer or
    guest with the new name is a problem only if it played in a game with this player."""
    read.named(connection, old)
    typed, new = new, clean(new)
    if not new:
        raise Refused("A name needs at least one letter.")
    if len(" ".join(typed.split())) > LONGEST:
        raise Refused(f"A name has at most {LONGEST} letters: choose a shorter one.")
    if new == old:
        raise Refused(f"The name is already {new}: choose another one.")
    for other in (player.name for player in read.players(connection)):
        if other != old and other.casefold() == new.casefold():
            raise Refused(f"There is already a player called {other}: merge the two, or choose another name.")
    _check_confusable(connection, old, new)
    return Renamed(old, new)


def merged(connection: sqlite3.Connection, one: str, into: str) -> Renamed:
    """Raises Refused if either player is unknown, or if both played in the same game."""
    for name in (one, into):
        read.named(connection, name)
    if one == into:
        raise Refused(f"{shown(one)} is given twice: name two different players.")
    if met := store.met(connection, one, into):
        times = "a game" if met == 1 else f"{met} games"
        raise Refused(f"{one} and {into} have played {times} against each other, so they cannot be one person.")
    _check_confusable(connection, one, into)
    return Renamed(one, into)


def forgotten(connection: sqlite3.Connection, name: str) -> Forgotten:
    read.named(connection, name)
    return Forgotten(name)


def change(folder: Path, entries: Sequence[Entry]) -> None:
    """Writes all entries or none, even while a table is running. Raises Refused if the database stays locked for too
    long, an entry does not fit, or the running table is using the name."""
    path = files.ours(folder)
    assert path is not None  # the entries were made from this database
    with closing(files.opened(path)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            for entry in entries:
                _check_not_in_use(connection, entry, folder)
                store.write(connection, entry)
            connection.execute("COMMIT")
        except store.Misfit as why:
            raise Refused(f"This does not fit the records: {why.__cause__ or why}.") from None
        except sqlite3.Error as why:
            raise Refused(f"The records could not be changed ({why}): {_CURE[trouble_of(why, folder).code]}") from None
        if lock.running(folder) is None and any(isinstance(entry, Renamed | Forgotten) for entry in entries):
            _clean(connection, path)  # a running table would do this itself


def _clean(connection: sqlite3.Connection, path: Path) -> None:
    """Removes the old name from the WAL and from the backup copy too. If there is no room for a new copy now, it is
    made at the next start."""
    try:
        files.settled(connection)
        files.copy(path, files.Brake())
    except (sqlite3.Error, OSError):
        files.outdate(path)


def _check_not_in_use(connection: sqlite3.Connection, entry: Entry, folder: Path) -> None:
    """Refuses if a running table is using the name: for a game in progress, or for a phone that has joined."""
    name = entry.old if isinstance(entry, Renamed) else entry.name if isinstance(entry, Forgotten) else None
    if name is None or lock.running(folder) is None:
        return
    seat = f"SELECT 1 FROM matches JOIN seats ON match = key WHERE ended IS NULL AND name = ? AND {tables.KNOWN}"
    if connection.execute(seat, (name,)).fetchone():
        raise Refused(
            f"{name} has an unfinished game at the running table: finish that game, give it up, or stop the table "
            "first."
        )
    if name in store.in_rooms(connection):
        raise Refused(
            f"{name} has joined the running table with a phone: change the name there, or stop the table first."
        )


def _check_confusable(connection: sqlite3.Connection, name: str, new: str) -> None:
    """Refuses the name of a computer or guest that this player has met, because the two could not be told apart."""
    met = connection.execute(
        "SELECT DISTINCT other.name, other.guest FROM seats AS own JOIN seats AS other ON other.match = own.match"
        " WHERE own.name = ? AND own.level IS NULL AND NOT own.guest AND (other.level IS NOT NULL OR other.guest)",
        (name,),
    )
    for other, guest in met:
        if other.casefold() == new.casefold():
            who = "guest" if guest else "computer"
            raise Refused(f"{name} has played against a {who} called {other}: choose another name.")
