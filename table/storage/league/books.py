"""The league's database: schema, writing a parcel, and the leaderboard.

Its one rule: a parcel is written as a whole, and writing it twice changes nothing. Names are stored only at seats, so
that a deleted name is gone completely.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from table.session.messages import Player
from table.storage.journal.store import by_name
from table.storage.journal.tables import KNOWN
from table.storage.league.waiting import Game, Named, Parcel, Seat

VERSION = 1
AWAY, REFUSED, NEWER = "away", "refused", "newer"
_PATIENCE = 10  # seconds to connect
_LONGEST = "60s"  # timeout per statement; a table that loses power can block the others no longer than this
_PASSING = ("08", "40", "53", "55", "57", "58")  # transient SQLSTATE classes
_BUSY = ("starting up", "shutting down", "recovery", "too many", "connection slots")  # transient refusals to connect
_LOCK = 0x64696345  # "dicE": the advisory lock held while creating the tables

_TABLES = f"""
CREATE TABLE dicetable.meta (
    version integer NOT NULL,
    id text NOT NULL  -- lets a table notice that it is now connected to a different league
);
CREATE TABLE dicetable.tables (
    id text PRIMARY KEY,
    name text NOT NULL
);
CREATE TABLE dicetable.games (
    id text PRIMARY KEY,
    table_id text NOT NULL REFERENCES dicetable.tables,
    game text NOT NULL,
    rules bigint NOT NULL,
    options jsonb NOT NULL,
    seed text NOT NULL,
    began timestamptz NOT NULL,
    ended timestamptz NOT NULL,
    log jsonb
);
CREATE TABLE dicetable.seats (
    game_id text NOT NULL REFERENCES dicetable.games ON DELETE CASCADE,
    seat smallint NOT NULL,
    game text NOT NULL,  -- copied from games, so that the leaderboard needs only an index of this table
    name text NOT NULL,  -- empty: a guest or a deleted player
    level text,
    guest boolean NOT NULL,
    won boolean NOT NULL,
    standing jsonb NOT NULL,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX known ON dicetable.seats (name, game, won) WHERE {KNOWN};
INSERT INTO dicetable.meta VALUES ({VERSION}, md5(random()::text || clock_timestamp()::text));
"""

_MAY_MAKE = (
    "SELECT CASE WHEN to_regnamespace('dicetable') IS NULL THEN has_database_privilege(current_database(), 'CREATE')"
    " ELSE has_schema_privilege('dicetable', 'CREATE') END"
)
_INTRODUCE = (
    "INSERT INTO dicetable.tables (id, name) VALUES (%s, %s)"
    " ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE tables.name <> excluded.name"
)
_OURS = "FROM dicetable.games WHERE games.id = game_id AND table_id = %s"
_RENAME = f"UPDATE dicetable.seats SET name = %s {_OURS} AND name = %s AND {KNOWN}"
_FORGET = f"UPDATE dicetable.seats SET name = '', guest = true {_OURS} AND name = %s AND {KNOWN}"
_NAME = (
    "UPDATE dicetable.seats SET name = told.name, guest = told.guest FROM dicetable.games,"
    " unnest(%s::text[], %s::smallint[], %s::text[], %s::boolean[]) AS told (id, seat, name, guest)"
    " WHERE games.id = game_id AND table_id = %s AND told.id = game_id AND told.seat = seats.seat"
    " AND (seats.name, seats.guest) <> (told.name, told.guest)"
)
_GAME = (
    "INSERT INTO dicetable.games (id, table_id, game, rules, options, seed, began, ended, log)"
    " VALUES (%s, %s, %s, %s, %s::jsonb, %s, to_timestamp(%s), to_timestamp(%s), %s::jsonb) ON CONFLICT (id) DO NOTHING"
)
_SEAT = (
    "INSERT INTO dicetable.seats (game_id, seat, game, name, level, guest, won, standing)"
    " SELECT id, %s, game, %s, %s, %s, %s, %s::jsonb FROM dicetable.games WHERE id = %s AND table_id = %s"
    " ON CONFLICT (game_id, seat) DO UPDATE SET name = excluded.name, guest = excluded.guest"
    " WHERE (seats.name, seats.guest) <> (excluded.name, excluded.guest)"
)
_BOARD = (
    f"SELECT name, game, count(*), count(*) FILTER (WHERE won) FROM dicetable.seats WHERE {KNOWN} GROUP BY name, game"
)

League = psycopg.Connection[tuple[object, ...]]


class Trouble(Exception):
    """Why the league cannot be used now: the key of a league.* text in the language files, with the server's or the
    system's error message as the detail."""

    def __init__(self, word: str, detail: str = "") -> None:
        super().__init__(word, detail)
        self.word = word
        self.detail = detail


@contextmanager
def opened(address: str, make: bool = True) -> Iterator[League]:
    """Connects, and checks that the tables exist and have our version. With `make`, missing tables are created. All
    errors, including those raised in the `with` block, become Trouble."""
    try:
        with psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_PATIENCE,
            application_name="dicetable",
            # Without these limits, the table would not notice that the server has been switched off.
            keepalives_idle=20,
            keepalives_interval=5,
            keepalives_count=4,
            tcp_user_timeout=40_000,
        ) as league:
            for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
                league.execute(f"SET {limit} = '{_LONGEST}'")
            _check(league, make)
            yield league
    except psycopg.Error as why:
        raise Trouble(AWAY if _passes(why) else REFUSED, _detail(why)) from None
    except UnicodeError:  # psycopg resolves the host in Python, whose IDNA codec rejects some names
        raise Trouble(REFUSED, "the host name is invalid") from None


def _passes(why: psycopg.Error) -> bool:
    if why.sqlstate is not None:
        return why.sqlstate[:2] in _PASSING
    if isinstance(why, psycopg.ProgrammingError):  # the address has an unknown setting
        return False
    # Errors during connecting have no SQLSTATE, only a text. Texts from the server contain "FATAL:" in nearly every
    # language; in the few others, the table tries again more often than necessary.
    return "FATAL:" not in str(why) or any(words in str(why) for words in _BUSY)


def _detail(why: psycopg.Error) -> str:
    """The first line of the message, shortened and without the parts about the host."""
    text = str(why).strip() or type(why).__name__
    first = text.splitlines()[0].rpartition(" failed: ")[2].removeprefix("connection is bad: ").removeprefix("FATAL:")
    return " ".join(first.split())[:120].rstrip(" .:")


def _check(league: League, make: bool) -> None:
    encoding = league.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Trouble(REFUSED, f"its encoding is {encoding}, but must be UTF8")
    version = _version(league)
    if version is None and make:
        with league.transaction():
            league.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            (schema, tables) = _row(league, "SELECT to_regnamespace('dicetable'), to_regclass('dicetable.meta')")
            if schema is None:  # an existing schema may belong to a user who is not allowed to create one
                league.execute("CREATE SCHEMA dicetable")
            if tables is None:  # no one created the tables during the wait for the lock
                league.execute(_TABLES)
        version = _version(league)
    elif version is None and not _row(league, _MAY_MAKE)[0]:
        raise Trouble(REFUSED, "it has no tables yet, and this user may not create them")
    if version not in (VERSION, None):
        raise Trouble(NEWER)


def _version(league: League) -> int | None:
    try:
        (found,) = _row(league, "SELECT max(version) FROM dicetable.meta")
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return None
    if found is None:
        raise Trouble(AWAY, "it is being created or restored")
    return int(str(found))


def _row(league: League, question: str) -> tuple[object, ...]:
    found = league.execute(question).fetchone()
    assert found is not None  # each of these queries returns exactly one row
    return found


def identity(league: League) -> str:
    (found,) = _row(league, "SELECT max(id) FROM dicetable.meta")
    return str(found)


def take(league: League, table: str, name: str, parcel: Parcel) -> None:
    """Writes a parcel, in one transaction."""
    with league.transaction(), league.cursor() as cursor:
        if _version(league) != VERSION:  # the league's tables have been upgraded since we connected
            raise Trouble(NEWER)
        cursor.execute(_INTRODUCE, (table, name))
        for _, old, new in parcel.changes:
            if new is None:
                cursor.execute(_FORGET, (table, old))
            else:
                cursor.execute(_RENAME, (new, table, old))
        if parcel.named:
            rows = [(_clean(one.match), one.seat, _shown(one), one.guest) for one in parcel.named]
            cursor.execute(_NAME, (*(list(column) for column in zip(*rows, strict=True)), table))
        cursor.executemany(_GAME, [_game(game, table) for game in parcel.games])
        cursor.executemany(_SEAT, [row for game in parcel.games for row in _seats(game, table)])


def _game(game: Game, table: str) -> tuple[object, ...]:
    log = None if game.log is None else _clean(game.log)
    facts = (game.game, game.rules, game.options, game.seed, game.began, game.ended)
    return _clean(game.match), table, *facts, log


def _seats(game: Game, table: str) -> Iterator[tuple[object, ...]]:
    for number, seat in enumerate(game.seats):
        level = None if seat.level is None else _clean(seat.level)
        yield number, _shown(seat), level, seat.guest, seat.won, seat.standing, _clean(game.match), table


def _shown(seat: Seat | Named) -> str:
    """The name for the league: empty for guests, who are not recorded."""
    return "" if seat.guest else seat.name


def _clean(text: str) -> str:
    """Replaces NUL, the one character that PostgreSQL cannot store. An imported game may contain it, and would
    otherwise block all games after it."""
    return text.replace("\0", "\ufffd").replace("\\u0000", "\\ufffd")


def players(league: League) -> tuple[Player, ...]:
    """The players of all tables. With 100,000 games, the query takes less than 0.1 seconds."""
    rows = sorted(league.execute(_BOARD), key=str)
    return by_name((str(name), str(game), int(str(played)), int(str(won))) for name, game, played, won in rows)
