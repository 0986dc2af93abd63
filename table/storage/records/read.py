"""Reads the pages from the database.

Its one rule: each page takes a few indexed queries, however many games there are.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from table.engine.errors import Refused, did_you_mean, shown
from table.engine.places import Places, places
from table.games import GAMES
from table.session.messages import Player
from table.storage.journal import files, store, tables
from table.storage.journal.folded import unfold
from table.storage.records.pages import (
    SOURCES,
    DicePage,
    GameLine,
    GameList,
    GamePage,
    Moment,
    PlayerPage,
    Rival,
    SeatLine,
)

AT_ONCE = 50  # games per page of a list
RECENT = 30  # the latest games, shown as a row of marks
RIVALS = 8
FACES = "sum(ones), sum(twos), sum(threes), sum(fours), sum(fives), sum(sixes)"

Page = TypeVar("Page")
Question = Callable[[sqlite3.Connection], Page]


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the records of a folder in one read transaction, even while a table is writing. Raises Refused if
    there are no records."""
    with connected(folder) as connection:
        connection.execute("BEGIN")
        yield connection


@contextmanager
def connected(folder: Path) -> Iterator[sqlite3.Connection]:
    """Like `opened`, but without a transaction: each query sees the latest data."""
    path = files.ours(folder) if folder.is_dir() else None
    if path is None:
        raise Refused(
            f"There are no records in {folder} yet: play a game at the table, import one with dicetable records "
            "import, or name the table's config with --config."
        )
    with closing(files.reading(path)) as connection:
        if tables.version(connection) < tables.VERSION:
            raise Refused("These records were written by an older dicetable: start the table once to upgrade them.")
        yield connection


players = store.players


def named(connection: sqlite3.Connection, name: str) -> Player:
    """Raises Refused if there is no such player."""
    known = {one.name: one for one in players(connection)}
    if name not in known:
        raise Refused(f"No one called {shown(name)} has played here.{did_you_mean(name, known)}")
    return known[name]


def player(connection: sqlite3.Connection, name: str) -> PlayerPage:
    known = named(connection, name)
    results = connection.execute(_THEIR_RESULTS, (name,)).fetchone()[0] or ""
    now = len(results) - len(results.rstrip(results[-1:]))
    first, last = connection.execute(_THEIR_DAYS, (name,)).fetchone()
    return PlayerPage(
        name,
        first,
        last,
        known.played,
        known.won,
        now if results.endswith("1") else -now,
        max(map(len, results.split("0"))),
        tuple(result == "1" for result in results[-RECENT:]),
        tuple(Rival(*row) for row in connection.execute(_THEIR_RIVALS, (name, RIVALS))),
        tuple(sorted((Moment(*row) for row in connection.execute(_THEIR_MOMENTS, (name,))), key=_in_menu_order)),
        {row[0]: tuple(row[1:]) for row in connection.execute(_THEIR_FACES, (name,))},
    )


def _in_menu_order(moment: Moment) -> int:
    return list(GAMES).index(moment.game)


_THEIR = f"name = ? AND {tables.KNOWN} AND won IS NOT NULL"
# All results in one string, 0 for lost and 1 for won: one row per game would take ten times as long.
_THEIR_RESULTS = f"SELECT group_concat(won, '') FROM (SELECT won FROM seats WHERE {_THEIR} ORDER BY match)"
_THEIR_DAYS = "SELECT min(since), max(until) FROM tallies WHERE name = ?"
_THEIR_RIVALS = "SELECT rival, played, won, lost FROM rivals WHERE name = ? ORDER BY played DESC, rival LIMIT ?"
_THEIR_MOMENTS = "SELECT game, kind, value, match FROM moments WHERE name = ? ORDER BY game, kind"
_THEIR_FACES = "SELECT source, ones, twos, threes, fours, fives, sixes FROM faces WHERE name = ?"


def games(
    connection: sqlite3.Connection,
    game: str | None = None,
    player: str | None = None,
    after: int | None = None,
    most: int = AT_ONCE,
) -> GameList:
    """One page of finished games, newest first. `game` and `player` limit the list to one kind of game or one player.
    `after` limits it to games older than the one with this number."""
    fitting, facts = _fitting(game, player)
    keys = connection.execute(
        f"{fitting} AND key < ? ORDER BY key DESC LIMIT ?", (*facts, 1 << 62 if after is None else after, most + 1)
    ).fetchall()
    lines = tuple(line(connection, key) for (key,) in keys[:most])
    return GameList(lines, _count(connection, game, player), keys[most - 1][0] if len(keys) > most else None)


def _fitting(game: str | None, player: str | None) -> tuple[str, tuple[str, ...]]:
    """The query for the numbers of the matching games. Subqueries and CROSS JOIN force SQLite to follow the order of
    the index; otherwise it would first read all games of a player."""
    of_game, facts = (" AND game = ?", (game,)) if game else ("", ())
    if player is None:
        return "SELECT key FROM matches WHERE answers IS NOT NULL" + of_game, facts
    theirs = f"(SELECT match AS key FROM seats WHERE {_THEIR} ORDER BY match DESC)"
    if game is None:
        return f"SELECT key FROM {theirs} WHERE true", (player,)
    return f"SELECT key FROM {theirs} CROSS JOIN matches USING (key) WHERE true" + of_game, (player, *facts)


def _count(connection: sqlite3.Connection, game: str | None, player: str | None) -> int:
    if player is None:
        fitting, facts = _fitting(game, None)
        (total,) = connection.execute(f"SELECT count(*) FROM ({fitting})", facts).fetchone()
        return int(total)
    played = next((one.played for one in store.players(connection) if one.name == player), {})
    return played.get(game, 0) if game else sum(played.values())


def line(connection: sqlite3.Connection, number: int) -> GameLine:
    row = connection.execute(
        "SELECT game, ended, log IS NOT NULL FROM matches WHERE key = ? AND answers IS NOT NULL", (number,)
    ).fetchone()
    if row is None:
        raise Refused(f"There is no finished game {number}: dicetable records games lists all games.")
    seats = connection.execute(
        "SELECT name, level, guest, won, standing FROM seats WHERE match = ? ORDER BY seat", (number,)
    )
    return GameLine(
        number,
        row[0],
        row[1],
        tuple(
            SeatLine(name, level, bool(guest), bool(won), json.loads(standing or "null"))
            for name, level, guest, won, standing in seats
        ),
        bool(row[2]),
    )


def number_of(connection: sqlite3.Connection, match: str) -> int:
    """Looks up the number of a finished game by its id."""
    row = connection.execute("SELECT key FROM matches WHERE id = ? AND answers IS NOT NULL", (match,)).fetchone()
    if row is None:
        raise Refused("This game is not finished, or not recorded here: dicetable records games lists all games.")
    return int(row[0])


def game(connection: sqlite3.Connection, number: int) -> GamePage:
    found = line(connection, number)
    match, began, folded = connection.execute("SELECT id, began, log FROM matches WHERE key = ?", (number,)).fetchone()
    if folded is None:
        return GamePage(found, match, began, None, (), (), ())
    log = unfold(folded)
    saved = store.saved(connection, number, log)
    return GamePage(found, match, began, saved, tuple(log.sources), tuple(log.events), _places(found, log.events))


def _places(line: GameLine, events: Sequence[Mapping[str, Any]]) -> Places:
    """The places according to the stored events. They stay the same when the rules change."""
    winners = [at for at, seat in enumerate(line.seats) if seat.won]
    out = [event["seat"] for event in events if event["event"] == "out"]
    fewest_first = line.game in GAMES and GAMES[line.game].fewest_first
    return places(winners, [seat.standing for seat in line.seats], out, fewest_first)


def dice(connection: sqlite3.Connection) -> DicePage:
    by_source = {
        row[0]: tuple(row[1:]) for row in connection.execute(f"SELECT source, {FACES} FROM faces GROUP BY source")
    }
    by_name = connection.execute(f"SELECT name, {FACES} FROM faces WHERE name <> '' GROUP BY name")
    ordered = [source for source in SOURCES if source in by_source]
    return DicePage(
        {source: by_source[source] for source in [*ordered, *(set(by_source) - set(ordered))]},
        {row[0]: tuple(row[1:]) for row in sorted(by_name, key=lambda row: -sum(row[1:]))},
    )
