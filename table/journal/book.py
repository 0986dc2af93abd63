"""What is in the file: its tables, an entry written into them, and the records read from them.

The one rule: a match is its beginning and its answers, numbered without a gap; all else is read from these or written
once, at its end. What does not fit is refused, and nothing of it is written.
"""

import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from table import referee
from table.journal.entries import Answered, Began, Corrected, Entry, Finished, Left, Setting, TookBack
from table.messages import Player, Records, Unfinished
from table.rules.vocabulary import Over

APPLICATION = 0x64696345  # "dicE", in the file's header: whose file it is
VERSION = 1  # of the tables below, in the header too
MOST_PHOTOS = 500  # of corrected dice: some 50 MB

# Files that were made before there were cameras get it when they are opened; whoever does not know it passes it over.
CORRECTIONS = """
CREATE TABLE IF NOT EXISTS corrections (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,   -- of the answer
    who TEXT NOT NULL,
    read TEXT NOT NULL,        -- by the camera
    taken TEXT NOT NULL,
    why TEXT NOT NULL,         -- it was not sure, in words
    photo BLOB NOT NULL,       -- JPEG; of many corrections, only the last ones have any
    PRIMARY KEY (match, number)
);
"""
TABLES = f"""
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
    events BLOB                -- JSON, compressed by zlib: a tenth of the size, and its damage is noticed
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
{CORRECTIONS}
"""


class Misfit(ValueError):
    """An entry that does not go on from what is written: its match is unknown or over, or an answer is missing."""


def touch(connection: sqlite3.Connection) -> None:
    """A write that changes nothing: a disk that is full or may only be read is noticed before a game begins."""
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute(CORRECTIONS)


def write(connection: sqlite3.Connection, entry: Entry) -> None:
    """Within the transaction that is open. Misfit, TypeError or ValueError: nothing of it was written."""
    connection.execute("SAVEPOINT entry")
    try:
        _WRITE[type(entry)](connection, entry)
    except (ValueError, TypeError, KeyError, OverflowError, sqlite3.IntegrityError) as why:
        connection.execute("ROLLBACK TO entry")
        raise Misfit(f"{type(entry).__name__}: {why}") from why
    finally:
        # A failed disk has ended the whole transaction already, and the savepoint with it.
        if connection.in_transaction:
            connection.execute("RELEASE entry")


def _write_began(connection: sqlite3.Connection, entry: Began) -> None:
    if not entry.players:
        raise Misfit("nobody plays")
    row = (entry.match, entry.game, entry.rules, _json(entry.options), str(entry.seed), entry.at)
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


def _write_answered(connection: sqlite3.Connection, entry: Answered) -> None:
    key, answers = _going_on(connection, entry.match)
    if not 0 <= entry.number <= answers:
        raise Misfit(f"answer {entry.number} cannot follow on {answers} answers")
    if entry.number < answers:
        _drop_answers(connection, key, entry.number)
    connection.execute(
        "INSERT INTO answers (match, number, asked, answer, source, at) VALUES (?, ?, ?, ?, ?, ?)",
        (key, entry.number, entry.asked, _json(entry.answer), entry.source, time.time()),
    )


def _write_corrected(connection: sqlite3.Connection, entry: Corrected) -> None:
    key, answers = _going_on(connection, entry.match)
    if not 0 <= entry.number < answers:
        raise Misfit(f"there is no answer {entry.number} that could be corrected")
    row = (key, entry.number, entry.who, _json(list(entry.read)), _json(list(entry.taken)), entry.why, entry.photo)
    connection.execute("INSERT OR REPLACE INTO corrections VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    _drop_photos(connection, key)


def _drop_photos(connection: sqlite3.Connection, playing: int) -> None:
    """The oldest of those that are too many, but none of the game that is being played."""
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
    """All from that one on. As many answers may come to be there again, and be the end of the game."""
    for table in ("answers", "corrections"):
        connection.execute(f"DELETE FROM {table} WHERE match = ? AND number >= ?", (key, first))
    connection.execute("UPDATE matches SET looked_at = NULL WHERE key = ?", (key,))


def _write_finished(connection: sqlite3.Connection, entry: Finished) -> None:
    key, answers = _going_on(connection, entry.match)
    events = zlib.compress(_json(list(entry.events)).encode())
    connection.execute(
        "UPDATE matches SET ended = ?, answers = ?, events = ? WHERE key = ?", (entry.at, answers, events, key)
    )
    connection.executemany(
        "UPDATE seats SET won = ?, standing = ? WHERE match = ? AND seat = ?",
        [(seat in entry.winners, _json(standing), key, seat) for seat, standing in enumerate(entry.standing)],
    )


def _write_left(connection: sqlite3.Connection, entry: Left) -> None:
    key, _ = _going_on(connection, entry.match)
    connection.execute("UPDATE matches SET ended = ? WHERE key = ?", (entry.at, key))


def _write_setting(connection: sqlite3.Connection, entry: Setting) -> None:
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (entry.name, _json(entry.value)))


_WRITE: dict[type, Callable[[sqlite3.Connection, Any], None]] = {
    Began: _write_began,
    Answered: _write_answered,
    Corrected: _write_corrected,
    TookBack: _write_took_back,
    Finished: _write_finished,
    Left: _write_left,
    Setting: _write_setting,
}


def _going_on(connection: sqlite3.Connection, match: str) -> tuple[int, int]:
    """The match's key and how many answers it has."""
    row = connection.execute(
        "SELECT key, (SELECT coalesce(max(number) + 1, 0) FROM answers WHERE match = key)"
        " FROM matches WHERE id = ? AND ended IS NULL",
        (match,),
    ).fetchone()
    if row is None:
        raise Misfit(f"no match {match} is being played")
    return row[0], row[1]


def records(connection: sqlite3.Connection) -> Records:
    unfinished = sorted((match for _, match, _ in _unfinished(connection)), key=lambda match: match.at, reverse=True)
    return Records(tuple(_players(connection)), tuple(unfinished), settings(connection))


def settings(connection: sqlite3.Connection) -> dict[str, Any]:
    return {name: json.loads(value) for name, value in connection.execute("SELECT name, value FROM settings")}


def _players(connection: sqlite3.Connection) -> Iterator[Player]:
    counts: dict[str, tuple[dict[str, int], dict[str, int]]] = {}  # the last to play comes first
    for name, game, played, won in connection.execute(
        "SELECT name, game, count(answers), coalesce(sum(won), 0) FROM seats JOIN matches ON key = match"
        " WHERE level IS NULL AND NOT guest GROUP BY name, game ORDER BY max(key) DESC"
    ):
        by_game = counts.setdefault(name, ({}, {}))
        if played:
            by_game[0][game] = played
        if won:
            by_game[1][game] = won
    return (Player(name, played, won) for name, (played, won) in counts.items())


def _unfinished(connection: sqlite3.Connection) -> Iterator[tuple[int, Unfinished, int | None]]:
    """With its key, and how many answers it had when it was last found not to be over."""
    matches = connection.execute(
        "SELECT key, id, game, rules, options, seed, began, looked_at FROM matches WHERE ended IS NULL"
    ).fetchall()
    for key, match, game, rules, options, seed, began, looked_at in matches:
        seats = connection.execute("SELECT name, level, guest FROM seats WHERE match = ? ORDER BY seat", (key,))
        players, levels, guests = zip(*seats, strict=True)
        answers = connection.execute(
            "SELECT asked, answer, at FROM answers WHERE match = ? ORDER BY number", (key,)
        ).fetchall()
        saved = {
            "dicetable": referee.FORMAT,
            "game": game,
            "rules": rules,
            "players": list(players),
            "options": json.loads(options),
            "seed": int(seed),
            "asks": [asked for asked, _, _ in answers],
            "answers": [json.loads(answer) for _, answer, _ in answers],
        }
        saved["digest"] = referee.digest(saved)
        at = answers[-1][2] if answers else began
        not_remembered = tuple(seat for seat, guest in enumerate(guests) if guest)
        yield key, Unfinished(match, saved, tuple(levels), not_remembered, at), looked_at


def finish_what_is_over(connection: sqlite3.Connection) -> None:
    """The table may have been cut off between the last answer of a game and the entry that it is finished.

    Each match is looked at once for each time it was played: running hundreds of old games again takes seconds.
    """
    for key, match, looked_at in _unfinished(connection):
        answers = len(match.saved["answers"])
        if answers == looked_at:
            continue
        finished = _finished(match)
        if finished:
            write(connection, finished)
        else:
            connection.execute("UPDATE matches SET looked_at = ? WHERE key = ?", (answers, key))


def _finished(match: Unfinished) -> Finished | None:
    try:
        game = referee.load(match.saved)
    except Exception:  # Refused, or whatever other rules by now make of it: it stays unfinished, and whoever wants
        return None  # to go on with it is told why not
    if not isinstance(game.ask, Over):
        return None
    told = [referee.event_to_json(event) for event in referee.told(game)]
    return Finished(match.match, game.ask.winners, tuple(game.table.standing), told, match.at)


def contradiction(connection: sqlite3.Connection, deep: bool) -> str | None:
    """What SQLite's own check cannot notice: answers that are missing, and (deep) text that became zeros."""
    gap = connection.execute(
        "SELECT 1 FROM (SELECT match, count(*) AS found, max(number) + 1 AS numbered FROM answers GROUP BY match)"
        " LEFT JOIN matches ON key = match WHERE key IS NULL OR found <> numbered OR found <> answers"
        " UNION ALL SELECT 1 FROM matches WHERE answers > 0 AND NOT EXISTS (SELECT 1 FROM answers WHERE match = key)"
        " UNION ALL SELECT 1 FROM matches WHERE NOT EXISTS (SELECT 1 FROM seats WHERE match = key) LIMIT 1"
    ).fetchone()
    if gap:
        return "answers or players are missing"
    if deep:
        for options, events in connection.execute("SELECT options, events FROM matches"):
            json.loads(options)
            if events is not None:
                zlib.decompress(events)
        for (value,) in connection.execute("SELECT value FROM settings"):
            json.loads(value)
        for table, columns in (("answers", "asked || answer || source"), ("seats", "name || coalesce(standing, '')")):
            if connection.execute(f"SELECT 1 FROM {table} WHERE instr({columns}, char(0)) LIMIT 1").fetchone():
                return f"text is missing in {table}"
    return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
