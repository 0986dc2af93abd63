"""Statistics per player: games played and won, rivals, faces of dice, best moments.

The one rule: a count changes in the same transaction as the game that it counts. So counts never have to be rebuilt,
and the first page of the records is as fast after 100,000 games as after ten.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from table.analysis.moments import moments
from table.config import sections
from table.games import GAMES
from table.storage.journal.folded import Log

SOURCES = {"confirmed": "camera", "corrected": "camera"} | {source: source for source in sections.SOURCES}
"""For each source of answers, the source under which its dice are counted. Any other source, as in imported games,
counts as unknown."""
UNKNOWN = "unknown"
NOBODY = ""
"""The name under which the dice of guests, computers and deleted players are counted."""

TABLES = """
CREATE TABLE tallies (          -- recorded players
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    played INTEGER NOT NULL DEFAULT 0,
    won INTEGER NOT NULL DEFAULT 0,
    last INTEGER NOT NULL,      -- the last match that they began
    since REAL,                 -- when their first finished match ended
    until REAL,                 -- when their last finished match ended
    PRIMARY KEY (name, game)
) WITHOUT ROWID;
CREATE TABLE rivals (           -- recorded players; each pair has two rows
    name TEXT NOT NULL,
    rival TEXT NOT NULL,
    played INTEGER NOT NULL,
    won INTEGER NOT NULL,       -- by name
    lost INTEGER NOT NULL,      -- won by rival
    PRIMARY KEY (name, rival)
) WITHOUT ROWID;
CREATE TABLE faces (            -- all dice rolled in finished or abandoned games
name TEXT NOT NULL,         -- empty: guests, computers and deleted players
    source TEXT NOT NULL,       -- camera, edice, simulated, typed, unknown
    ones INTEGER NOT NULL, twos INTEGER NOT NULL, threes INTEGER NOT NULL,
    fours INTEGER NOT NULL, fives INTEGER NOT NULL, sixes INTEGER NOT NULL,
    PRIMARY KEY (name, source)
) WITHOUT ROWID;
CREATE TABLE moments (          -- the best moment of each kind
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,
    value INTEGER NOT NULL,
    match INTEGER NOT NULL REFERENCES matches,
    PRIMARY KEY (name, game, kind)
) WITHOUT ROWID;
"""

_ADD_TALLY = (
    " ON CONFLICT (name, game) DO UPDATE SET played = played + excluded.played, won = won + excluded.won,"
    " last = max(last, excluded.last),"
    " since = coalesce(min(since, excluded.since), since, excluded.since),"
    " until = coalesce(max(until, excluded.until), until, excluded.until)"
)
_ADD_RIVAL = (
    " ON CONFLICT (name, rival) DO UPDATE SET played = played + excluded.played, won = won + excluded.won,"
    " lost = lost + excluded.lost"
)
_ADD_FACES = (
    " ON CONFLICT (name, source) DO UPDATE SET ones = ones + excluded.ones, twos = twos + excluded.twos,"
    " threes = threes + excluded.threes, fours = fours + excluded.fours, fives = fives + excluded.fives,"
    " sixes = sixes + excluded.sixes"
)
_MOVE_FACES = (
    "INSERT INTO faces SELECT ?, source, ones, twos, threes, fours, fives, sixes FROM faces WHERE name = ?" + _ADD_FACES
)
_BETTER = (
    " ON CONFLICT (name, game, kind) DO UPDATE SET value = excluded.value, match = excluded.match"
    " WHERE excluded.value > value"
)


def begun(connection: sqlite3.Connection, key: int, game: str, people: Sequence[str]) -> None:
    """Records that these people have begun a match, which also makes new players known."""
    rows = [(name, game, key) for name in people]
    connection.executemany("INSERT INTO tallies (name, game, last) VALUES (?, ?, ?)" + _ADD_TALLY, rows)


def finished(
    connection: sqlite3.Connection,
    key: int,
    game: str,
    people: Mapping[int, str],
    winners: Sequence[int],
    events: Sequence[Any],
    at: float,
) -> None:
    """Counts a finished game. `people` maps the recorded players' seats to their names."""
    rows = [(name, game, 1, int(seat in winners), key, at, at) for seat, name in people.items()]
    connection.executemany("INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?)" + _ADD_TALLY, rows)
    met = [
        (name, rival, 1, int(seat in winners), int(other in winners))
        for seat, name in people.items()
        for other, rival in people.items()
        if other != seat
    ]
    connection.executemany("INSERT INTO rivals VALUES (?, ?, ?, ?, ?)" + _ADD_RIVAL, met)
    if game in GAMES:
        found = moments(game, events).items()
        best = [(people[seat], game, kind, value, key) for (seat, kind), value in found if seat in people]
        connection.executemany("INSERT INTO moments VALUES (?, ?, ?, ?, ?)" + _BETTER, best)


def thrown(connection: sqlite3.Connection, people: Mapping[int, str], left_out: Sequence[int], log: Log) -> None:
    """Counts the dice of a finished or abandoned game, except for those of the seats in `left_out`."""
    found: dict[tuple[str, str], Counter[int]] = {}
    for asked, answer, source in zip(log.asks, log.answers, log.sources, strict=True):
        word, seat = asked.split()[:2]
        if word not in ("dice", "hidden") or int(seat) in left_out:
            continue
        where = people.get(int(seat), NOBODY), SOURCES.get(source, UNKNOWN)
        found.setdefault(where, Counter()).update(answer)
    rows = [(*where, *(counted[face] for face in range(1, 7))) for where, counted in found.items()]
    connection.executemany("INSERT INTO faces VALUES (?, ?, ?, ?, ?, ?, ?, ?)" + _ADD_FACES, rows)


def renamed(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Adds the counts of `old` to those of `new`."""
    for move in (
        "INSERT INTO tallies SELECT ?, game, played, won, last, since, until FROM tallies WHERE name = ?" + _ADD_TALLY,
        "INSERT INTO rivals SELECT ?, rival, played, won, lost FROM rivals WHERE name = ?" + _ADD_RIVAL,
        "INSERT INTO rivals SELECT name, ?, played, won, lost FROM rivals WHERE rival = ?" + _ADD_RIVAL,
        _MOVE_FACES,
        "INSERT INTO moments SELECT ?, game, kind, value, match FROM moments WHERE name = ?" + _BETTER,
    ):
        connection.execute(move, (new, old))
    _drop(connection, old)


def forgotten(connection: sqlite3.Connection, name: str) -> None:
    """Deletes a player's counts. Their dice are still counted, without the name, so that the
    statistics by source do not change."""
    connection.execute(_MOVE_FACES, (NOBODY, name))
    _drop(connection, name)


def _drop(connection: sqlite3.Connection, name: str) -> None:
    for table in ("tallies", "rivals", "faces", "moments"):
        connection.execute(f"DELETE FROM {table} WHERE name = ?", (name,))
    connection.execute("DELETE FROM rivals WHERE rival = ?", (name,))
