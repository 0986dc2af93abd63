"""Reads from the table's database what the league has not received yet.

Its one rule: a parcel is read in one transaction, so that its games and its name changes are consistent.
"""

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from table.engine.errors import Refused
from table.storage.journal import store
from table.storage.journal.folded import plain, unfold
from table.storage.records import read

AT_ONCE = 100  # games per parcel; each parcel is one transaction in the league and one in the table's database
TABLE, LEAGUE = "table", "league"  # settings: this table's id in leagues, and the id of the last league
_UNSENT = "FROM matches WHERE answers IS NOT NULL AND sent IS NULL"


@dataclass(frozen=True)
class Seat:
    name: str
    level: str | None
    guest: bool
    won: bool
    standing: str  # JSON


@dataclass(frozen=True)
class Game:
    match: str
    game: str
    rules: int
    options: str
    seed: str
    began: float
    ended: float
    log: str | None  # asks, answers and sources, without names; None: the log was pruned or is damaged
    seats: Sequence[Seat]


@dataclass(frozen=True)
class Named:
    """The current name at a seat of a game that was sent earlier."""

    match: str
    seat: int
    name: str
    guest: bool


@dataclass(frozen=True)
class Parcel:
    changes: Sequence[tuple[int, str, str | None]]  # number, old name, new name (None: deleted)
    named: Sequence[Named]  # the current names at all seats that the changes may affect
    games: Sequence[Game]

    @property
    def told(self) -> int:
        return max((number for number, _, _ in self.changes), default=0)

    @property
    def names(self) -> Mapping[str, Sequence[str]]:
        return {game.match: [seat.name for seat in game.seats] for game in self.games}


def anything(folder: Path) -> bool:
    return _holds(folder, f"EXISTS (SELECT 1 {_UNSENT}) OR EXISTS (SELECT 1 FROM changes)")


def marked(folder: Path, parcel: Parcel) -> bool:
    """Whether the journal has marked the parcel as sent. If a name has changed meanwhile, its games are not marked."""
    matches = ", ".join("?" * len(parcel.games))
    unsent = f"EXISTS (SELECT 1 {_UNSENT} AND id IN ({matches}))"
    changed = "EXISTS (SELECT 1 FROM changes WHERE number <= ?)"
    return _holds(folder, f"NOT {unsent} AND NOT {changed}", *(game.match for game in parcel.games), parcel.told)


def setting(folder: Path, name: str) -> str | None:
    found = (_read(folder, store.settings) or {}).get(name)
    return found if isinstance(found, str) and found else None


def packed(folder: Path) -> Parcel | None:
    """The next parcel, or None."""
    parcel = _read(folder, _parcel)
    return parcel if parcel and (parcel.changes or parcel.games) else None


def _read(folder: Path, question: read.Question[read.Page]) -> read.Page | None:
    """Runs a query. Returns None if the database cannot be read: nothing is sent meanwhile, and the journal reports
    the trouble."""
    try:
        with read.opened(folder) as connection:
            return question(connection)
    except (Refused, sqlite3.Error, OSError, ValueError):
        return None


def _holds(folder: Path, condition: str, *facts: object) -> bool:
    return _read(folder, lambda connection: connection.execute(f"SELECT {condition}", facts).fetchone()[0]) == 1


def _parcel(connection: sqlite3.Connection) -> Parcel:
    changes = connection.execute("SELECT number, old, new FROM changes ORDER BY number").fetchall()
    return Parcel(changes, _named(connection, changes), _games(connection))


def _named(connection: sqlite3.Connection, changes: Sequence[tuple[int, str, str | None]]) -> list[Named]:
    if not changes:
        return []
    names = {name for _, *both in changes for name in both if name} | {""}
    rows = connection.execute(
        "SELECT id, seat, name, guest FROM seats JOIN matches ON key = match"
        f" WHERE sent AND level IS NULL AND name IN ({', '.join('?' * len(names))})",
        tuple(names),
    )
    return [Named(match, seat, name, bool(guest)) for match, seat, name, guest in rows]


def _games(connection: sqlite3.Connection) -> list[Game]:
    rows = connection.execute(
        f"SELECT key, id, game, rules, options, seed, began, ended, log {_UNSENT} ORDER BY key LIMIT ?", (AT_ONCE,)
    ).fetchall()
    return [
        Game(match, game, rules, options, seed, began, ended, _log(folded), _seats(connection, key))
        for key, match, game, rules, options, seed, began, ended, folded in rows
    ]


def _seats(connection: sqlite3.Connection, key: int) -> list[Seat]:
    rows = connection.execute(
        "SELECT name, level, guest, won, standing FROM seats WHERE match = ? ORDER BY seat", (key,)
    )
    return [Seat(name, level, bool(guest), bool(won), standing or "null") for name, level, guest, won, standing in rows]


def _log(folded: bytes | None) -> str | None:
    try:
        log = unfold(folded) if folded is not None else None
    except (ValueError, zlib.error):  # the log is damaged: send only the result
        return None
    return plain({"asks": log.asks, "answers": log.answers, "sources": log.sources}) if log else None
