"""Writes entries into the tables, and reads the records from them.

The one rule: a match is stored as its beginning and its answers, numbered without gaps. Everything else is derived from
these, or is written when the match ends and is folded into one blob. An entry that does not fit is refused as a whole.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Over
from table.session.messages import Player, Records, Unfinished
from table.storage.journal import tallies
from table.storage.journal.entries import (
    Answered,
    Began,
    Corrected,
    Entry,
    Finished,
    Forgotten,
    Left,
    Renamed,
    Sent,
    Setting,
    TookBack,
    finished,
)
from table.storage.journal.folded import Log, fold, plain
from table.storage.journal.tables import KNOWN

MOST_PHOTOS = 500  # the most photos of corrected dice to keep: about 50 MB
ROOMS = ("room", "rooms")  # settings that list who has joined with a phone; "rooms": at a table without a screen


class Misfit(ValueError):
    """An entry that does not fit the stored data: its match is unknown or over, or an answer is missing."""


def write(connection: sqlite3.Connection, entry: Entry) -> None:
    """Writes an entry within the open transaction. If this raises Misfit, no part of the entry was written."""
    connection.execute("SAVEPOINT entry")
    try:
        _WRITE[type(entry)](connection, entry)
    except (ValueError, TypeError, KeyError, OverflowError, sqlite3.IntegrityError) as why:
        connection.execute("ROLLBACK TO entry")
        raise Misfit(f"{type(entry).__name__}: {why}") from why
    finally:
        # After a disk error, SQLite has rolled back the whole transaction, including the savepoint.
        if connection.in_transaction:
            connection.execute("RELEASE entry")


def _write_began(connection: sqlite3.Connection, entry: Began) -> None:
    if not entry.players:
        raise Misfit("the match has no players")
    row = (entry.match, entry.game, entry.rules, plain(entry.options), str(entry.seed), entry.at)
    cursor = connection.execute(
        "INSERT INTO matches (id, game, rules, options, seed, began) VALUES (?, ?, ?, ?, ?, ?)", row
    )
    connection.executemany(
        "INSERT INTO seats (match, seat, name, level, guest) VALUES (?, ?, ?, ?, ?)",
        [
            (cursor.lastrowid, seat, name, level, seat in entry.guests)
            for seat, (name, level) in enumerate(zip(entry.players, entry.levels, strict=True))
        ],
    )
    assert cursor.lastrowid is not None
    tallies.begun(connection, cursor.lastrowid, entry.game, list(_known(connection, cursor.lastrowid).values()))


def _write_answered(connection: sqlite3.Connection, entry: Answered) -> None:
    key, answers = _going_on(connection, entry.match)
    if not 0 <= entry.number <= answers:
        raise Misfit(f"answer {entry.number} cannot follow {answers} answers")
    if entry.number < answers:
        _drop_answers(connection, key, entry.number)
    connection.execute(
        "INSERT INTO answers (match, number, asked, answer, source, at) VALUES (?, ?, ?, ?, ?, ?)",
        (key, entry.number, entry.asked, plain(entry.answer), entry.source, time.time()),
    )


def _write_corrected(connection: sqlite3.Connection, entry: Corrected) -> None:
    key, answers = _going_on(connection, entry.match)
    if not 0 <= entry.number < answers:
        raise Misfit(f"there is no answer {entry.number} to correct")
    (asked,) = connection.execute(
        "SELECT asked FROM answers WHERE match = ? AND number = ?", (key, entry.number)
    ).fetchone()
    (who,) = connection.execute(
        "SELECT name FROM seats WHERE match = ? AND seat = ?", (key, int(asked.split()[1]))
    ).fetchone()
    read, taken, sure = (plain(list(values)) for values in (entry.read, entry.taken, entry.sure))
    row = (key, entry.number, who, read, taken, entry.why, entry.photo, sure)
    connection.execute("INSERT OR REPLACE INTO corrections VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    _drop_photos(connection, key)


def _drop_photos(connection: sqlite3.Connection, playing: int) -> None:
    """Drops the oldest photos beyond MOST_PHOTOS, except those of the match that is being played."""
    (kept,) = connection.execute("SELECT count(*) FROM corrections WHERE length(photo) > 0").fetchone()
    connection.execute(
        "UPDATE corrections SET photo = x'' WHERE rowid IN"
        " (SELECT rowid FROM corrections WHERE length(photo) > 0 AND match <> ? ORDER BY rowid LIMIT ?)",
        (playing, max(0, kept - MOST_PHOTOS)),
    )


def _write_took_back(connection: sqlite3.Connection, entry: TookBack) -> None:
    key, answers = _going_on(connection, entry.match)
    if entry.number != answers - 1:
        raise Misfit(f"answer {entry.number} is not the last of {answers}")
    _drop_answers(connection, key, entry.number)


def _drop_answers(connection: sqlite3.Connection, key: int, first: int) -> None:
    """Deletes all answers from `first` on. Also resets looked_at: with other answers, the match may be over when it has
    the same number of them again."""
    for table in ("answers", "corrections"):
        connection.execute(f"DELETE FROM {table} WHERE match = ? AND number >= ?", (key, first))
    connection.execute("UPDATE matches SET looked_at = NULL WHERE key = ?", (key,))


def _write_finished(connection: sqlite3.Connection, entry: Finished) -> None:
    key, answers = _going_on(connection, entry.match)
    connection.execute("UPDATE matches SET ended = ?, answers = ? WHERE key = ?", (entry.at, answers, key))
    connection.executemany(
        "UPDATE seats SET won = ?, standing = ? WHERE match = ? AND seat = ?",
        [(seat in entry.winners, plain(standing), key, seat) for seat, standing in enumerate(entry.standing)],
    )
    close(connection, key, list(entry.events), entry.winners)


def _write_left(connection: sqlite3.Connection, entry: Left) -> None:
    key, _ = _going_on(connection, entry.match)
    connection.execute("UPDATE matches SET ended = ? WHERE key = ?", (entry.at, key))
    close(connection, key, [], None)


def close(connection: sqlite3.Connection, key: int, events: Sequence[Any], winners: Sequence[int] | None) -> None:
    """Folds the answers of an ended match into one blob, and adds the match to the statistics. `winners` is None if
    the match was abandoned."""
    rows = connection.execute("SELECT asked, answer, source FROM answers WHERE match = ? ORDER BY number", (key,))
    asks, answers, sources = [list(column) for column in zip(*rows, strict=True)] or ([], [], [])
    _close(connection, key, Log(asks, [json.loads(answer) for answer in answers], sources, events), winners)


def close_without_log(connection: sqlite3.Connection, key: int, winners: Sequence[int] | None) -> None:
    """Closes an ended match that cannot be read: only its players and winners are kept."""
    _close(connection, key, None, winners)


def _close(connection: sqlite3.Connection, key: int, log: Log | None, winners: Sequence[int] | None) -> None:
    connection.execute("UPDATE matches SET log = ? WHERE key = ?", (log and fold(log), key))
    connection.execute("DELETE FROM answers WHERE match = ?", (key,))
    game, options, at = connection.execute("SELECT game, options, ended FROM matches WHERE key = ?", (key,)).fetchone()
    people = _known(connection, key)
    if log:
        left_out = games.part(game, "analysis").left_out(json.loads(options)) if game in games.GAMES else ()
        tallies.thrown(connection, people, left_out, log)
    if winners is not None:
        tallies.finished(connection, key, game, people, winners, log.events if log else (), at)


def _write_renamed(connection: sqlite3.Connection, entry: Renamed) -> None:
    if not entry.old or not entry.new or entry.old == entry.new:
        raise Misfit("a name is missing, or both are the same")
    if met(connection, entry.old, entry.new):
        raise Misfit(f"{entry.old} and {entry.new} have played in the same game")
    _tell_the_league(connection, entry.old, entry.new)
    connection.execute(f"UPDATE seats SET name = ? WHERE name = ? AND {KNOWN}", (entry.new, entry.old))
    connection.execute("UPDATE corrections SET who = ? WHERE who = ?", (entry.new, entry.old))
    tallies.renamed(connection, entry.old, entry.new)
    _rename_in_rooms(connection, entry.old, entry.new)


def met(connection: sqlite3.Connection, one: str, other: str) -> int:
    """The number of games in which both names played. If there are any, the names belong to two people and cannot be
    merged."""
    theirs = f"(SELECT match FROM seats WHERE name = ? AND {KNOWN})"
    (found,) = connection.execute(f"SELECT count(*) FROM {theirs} JOIN {theirs} USING (match)", (one, other)).fetchone()
    return int(found)


def _write_forgotten(connection: sqlite3.Connection, entry: Forgotten) -> None:
    if not entry.name:
        raise Misfit("the name is missing")
    _tell_the_league(connection, entry.name, None)
    connection.execute(f"UPDATE seats SET name = '', guest = 1 WHERE name = ? AND {KNOWN}", (entry.name,))
    connection.execute("UPDATE corrections SET who = '' WHERE who = ?", (entry.name,))
    tallies.forgotten(connection, entry.name)
    _rename_in_rooms(connection, entry.name, None)


def in_rooms(connection: sqlite3.Connection) -> set[str]:
    """The names of all people who have joined with a phone."""
    return {person["name"] for _, rooms in _rooms(connection) for room in rooms for person in room["people"]}


def _rename_in_rooms(connection: sqlite3.Connection, old: str, new: str | None) -> None:
    """Renames a person in the stored rooms, or removes them if `new` is None. The phone of a removed person can join
    again only as a new person."""
    for name, rooms in _rooms(connection):
        for room in rooms:
            room["people"] = [
                person | {"name": new} if person["name"] == old else person
                for person in room["people"]
                if new or person["name"] != old
            ]
        _write_setting(connection, Setting(name, rooms if name == "rooms" else rooms[0]))


def _rooms(connection: sqlite3.Connection) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The stored rooms, by the setting's name. Settings that do not have this version's structure are skipped."""
    kept = settings(connection)
    for name in ROOMS:
        rooms = kept.get(name)
        rooms = rooms if isinstance(rooms, list) else [rooms]
        with suppress(KeyError, TypeError):
            if rooms and all(isinstance(person["name"], str) for room in rooms for person in room["people"]):
                yield name, rooms


def _tell_the_league(connection: sqlite3.Connection, old: str, new: str | None) -> None:
    """Notes a changed name for the league, if games with the old name were sent or are about to be."""
    known = connection.execute(
        f"SELECT 1 FROM seats JOIN matches ON key = match WHERE name = ? AND {KNOWN} AND sent LIMIT 1", (old,)
    ).fetchone()
    if known or connection.execute("SELECT 1 FROM changes WHERE new = ?", (old,)).fetchone():
        connection.execute("INSERT INTO changes (old, new) VALUES (?, ?)", (old, new))


def _write_sent(connection: sqlite3.Connection, entry: Sent) -> None:
    """Marks games as sent, except those whose names have changed meanwhile: they are sent again with the new names."""
    if settings(connection).get("league") != entry.league:
        connection.execute("UPDATE matches SET sent = NULL WHERE sent")
        connection.execute("DELETE FROM changes")
        _write_setting(connection, Setting("league", entry.league))
    seats = "SELECT name FROM seats JOIN matches ON key = match WHERE id = ? ORDER BY seat"
    for match, names in entry.matches.items():
        if [name for (name,) in connection.execute(seats, (match,))] == list(names):
            connection.execute("UPDATE matches SET sent = 1 WHERE id = ?", (match,))
    connection.execute("DELETE FROM changes WHERE number <= ?", (entry.changes,))


def owe_nothing(connection: sqlite3.Connection) -> bool:
    """Forgets the league, so that no old names are kept for it. If the table joins a league later, even the same one,
    it sends everything again, under the names of that time. Returns whether the table was in a league."""
    if not settings(connection).get("league"):
        return False
    _write_sent(connection, Sent("", {}))
    return True


def _write_setting(connection: sqlite3.Connection, entry: Setting) -> None:
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (entry.name, plain(entry.value)))


_WRITE: dict[type, Callable[[sqlite3.Connection, Any], None]] = {
    Began: _write_began,
    Answered: _write_answered,
    Corrected: _write_corrected,
    TookBack: _write_took_back,
    Finished: _write_finished,
    Left: _write_left,
    Setting: _write_setting,
    Renamed: _write_renamed,
    Forgotten: _write_forgotten,
    Sent: _write_sent,
}


def _going_on(connection: sqlite3.Connection, match: str) -> tuple[int, int]:
    """Returns the key of an unfinished match, and its number of answers."""
    row = connection.execute(
        "SELECT key, (SELECT coalesce(max(number) + 1, 0) FROM answers WHERE match = key)"
        " FROM matches WHERE id = ? AND ended IS NULL",
        (match,),
    ).fetchone()
    if row is None:
        raise Misfit(f"match {match} is unknown or over")
    return row[0], row[1]


def records(connection: sqlite3.Connection) -> Records:
    unfinished = sorted((match for _, match, _ in _unfinished(connection)), key=lambda match: match.at, reverse=True)
    return Records(players(connection), tuple(unfinished), settings(connection))


def settings(connection: sqlite3.Connection) -> dict[str, Any]:
    return {name: json.loads(value) for name, value in connection.execute("SELECT name, value FROM settings")}


def _known(connection: sqlite3.Connection, key: int) -> dict[int, str]:
    """The names of a match's recorded players, by seat."""
    return dict(connection.execute(f"SELECT seat, name FROM seats WHERE match = ? AND {KNOWN}", (key,)))


def players(connection: sqlite3.Connection) -> tuple[Player, ...]:
    """All recorded players, most recently active first."""
    return by_name(connection.execute("SELECT name, game, played, won FROM tallies ORDER BY last DESC"))


def by_name(rows: Iterable[tuple[str, str, int, int]]) -> tuple[Player, ...]:
    """Groups rows of (name, game, played, won) by player, in the order of the rows."""
    counts: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for name, game, played, won in rows:
        by_game = counts.setdefault(name, ({}, {}))
        if played:
            by_game[0][game] = played
        if won:
            by_game[1][game] = won
    return tuple(Player(name, played, won) for name, (played, won) in counts.items())


def _unfinished(connection: sqlite3.Connection) -> Iterator[tuple[int, Unfinished, int | None]]:
    """Yields the key, the match and the value of looked_at for each unfinished match."""
    matches = connection.execute("SELECT key, id, began, looked_at FROM matches WHERE ended IS NULL").fetchall()
    for key, match, began, looked_at in matches:
        rows = connection.execute(
            "SELECT asked, answer, at FROM answers WHERE match = ? ORDER BY number", (key,)
        ).fetchall()
        log = Log([asked for asked, _, _ in rows], [json.loads(answer) for _, answer, _ in rows], [], [])
        seats = connection.execute("SELECT level, guest FROM seats WHERE match = ? ORDER BY seat", (key,)).fetchall()
        guests = tuple(seat for seat, (_, guest) in enumerate(seats) if guest)
        at = rows[-1][2] if rows else began
        yield (
            key,
            Unfinished(match, saved(connection, key, log), tuple(level for level, _ in seats), guests, at),
            looked_at,
        )


def saved(connection: sqlite3.Connection, key: int, log: Log) -> dict[str, Any]:
    """A match in the format that the referee loads."""
    game, rules, options, seed = connection.execute(
        "SELECT game, rules, options, seed FROM matches WHERE key = ?", (key,)
    ).fetchone()
    names = connection.execute("SELECT name FROM seats WHERE match = ? ORDER BY seat", (key,))
    found = {
        "dicetable": referee.FORMAT,
        "game": game,
        "rules": rules,
        "players": [name for (name,) in names],
        "options": json.loads(options),
        "seed": int(seed),
        "asks": list(log.asks),
        "answers": list(log.answers),
    }
    return found | {"digest": referee.digest(found)}


def finish_what_is_over(connection: sqlite3.Connection) -> None:
    """Adds the missing Finished entry to matches that are over, if the table stopped just before writing it.

    Replaying hundreds of matches takes seconds, so a match is replayed only if it has changed since the last time. A
    match from an older version of the rules is always replayed, because the current rules may consider it over.
    """
    for key, match, looked_at in _unfinished(connection):
        answers = len(match.saved["answers"])
        game = games.GAMES.get(match.saved["game"])
        if answers == looked_at and game and game.version == match.saved["rules"]:
            continue
        if over := _finished(match):
            write(connection, over)
        else:
            connection.execute("UPDATE matches SET looked_at = ? WHERE key = ?", (answers, key))


def _finished(match: Unfinished) -> Finished | None:
    try:
        game = games.load(match.saved)
    except Exception:  # the current rules refuse the match or fail: it stays unfinished, and resuming it reports why
        return None
    return finished(match.match, game, match.at) if isinstance(game.ask, Over) else None
