"""A player renamed, merged with another, forgotten: the same at the table and by a command.

Its one rule: it says beforehand whether it can be done, in a sentence. Whoever has the journal keeps the entry.
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
    lambda: "is the disk well?",
    {FULL: "make room on the disk.", READONLY: "may you write there?", LOCKED: "try again."},
)
"""What to do about a disk that refuses, by its word."""


def renamed(connection: sqlite3.Connection, old: str, new: str) -> Renamed:
    """Refused: nobody has the old name, or somebody else has the new one, in whatever capitals; a computer or a guest
    counts only where they met."""
    read.named(connection, old)
    typed, new = new, clean(new)
    if not new:
        raise Refused("A name needs at least one letter.")
    if len(" ".join(typed.split())) > LONGEST:
        raise Refused(f"A name has at most {LONGEST} letters: choose a shorter one.")
    if new == old:
        raise Refused(f"{new} is the name already: choose another one.")
    for other in (player.name for player in read.players(connection)):
        if other != old and other.casefold() == new.casefold():
            raise Refused(f"{other} is a player too: merge the two if they are one person, or choose another name.")
    _check_alone_with(connection, old, new)
    return Renamed(old, new)


def merged(connection: sqlite3.Connection, one: str, into: str) -> Renamed:
    """Refused: one of them is not known, or they have met, and so are two."""
    for name in (one, into):
        read.named(connection, name)
    if one == into:
        raise Refused(f"{shown(one)} is one player already.")
    if met := store.met(connection, one, into):
        times = "a game" if met == 1 else f"{met} games"
        raise Refused(f"{one} and {into} have played {times} against each other, so they are two people.")
    _check_alone_with(connection, one, into)
    return Renamed(one, into)


def forgotten(connection: sqlite3.Connection, name: str) -> Forgotten:
    read.named(connection, name)
    return Forgotten(name)


def change(folder: Path, entries: Sequence[Entry]) -> None:
    """Writes them beside a table that may be running, all or none. Refused: the file is held by somebody for too long,
    an entry does not fit, or somebody whose name it is has a game at that table."""
    path = files.ours(folder)
    assert path is not None  # they were made of what is in it
    with closing(files.opened(path)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            for entry in entries:
                _check_not_there(connection, entry, folder)
                store.write(connection, entry)
            connection.execute("COMMIT")
        except store.Misfit as why:
            raise Refused(f"That does not fit what is kept here: {why.__cause__ or why}.") from None
        except sqlite3.Error as why:
            raise Refused(f"The records could not be changed ({why}): {_CURE[trouble_of(why, folder).code]}") from None
        if lock.running(folder) is None and any(isinstance(entry, Renamed | Forgotten) for entry in entries):
            _clean(connection, path)  # a table that runs notices, and does it by itself


def _clean(connection: sqlite3.Connection, path: Path) -> None:
    """An old name is nowhere any more, neither in the log nor in the copy. Without room for a copy just now, the next
    start makes it."""
    try:
        files.settled(connection)
        files.copy(path, files.Brake())
    except (sqlite3.Error, OSError):
        files.outdate(path)


def _check_not_there(connection: sqlite3.Connection, entry: Entry, folder: Path) -> None:
    """A table that is running knows those who play, and those who have joined it with a phone, by the names that they
    came with."""
    name = entry.old if isinstance(entry, Renamed) else entry.name if isinstance(entry, Forgotten) else None
    if name is None or lock.running(folder) is None:
        return
    seat = f"SELECT 1 FROM matches JOIN seats ON match = key WHERE ended IS NULL AND name = ? AND {tables.KNOWN}"
    if connection.execute(seat, (name,)).fetchone():
        raise Refused(
            f"{name} has a game at the table that is running, and keeps the name until it is over: finish that game, "
            "give it up, or end the table first."
        )
    if name in store.in_rooms(connection):
        raise Refused(
            f"{name} has joined the table that is running with a phone: change the name there, or end the table first."
        )


def _check_alone_with(connection: sqlite3.Connection, name: str, new: str) -> None:
    """Computers and guests are no players, but two of one name in a game could not be told apart."""
    met = connection.execute(
        "SELECT DISTINCT other.name, other.guest FROM seats AS own JOIN seats AS other ON other.match = own.match"
        " WHERE own.name = ? AND own.level IS NULL AND NOT own.guest AND (other.level IS NOT NULL OR other.guest)",
        (name,),
    )
    for other, guest in met:
        if other.casefold() == new.casefold():
            who = "guest" if guest else "computer"
            raise Refused(f"{name} has played against a {who} called {other}: choose another name.")
