"""What the league has: its tables, a parcel taken in, the leaderboard.

Its one rule: a parcel is taken in as a whole, and once more changes nothing. Names stand at seats and nowhere else, so
that one who is forgotten is gone.
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
_PATIENCE = 10  # seconds until it is given up to connect
_LONGEST = "60s"  # that a statement may take, and that a table which was switched off in the middle holds others up
_PASSING = ("08", "40", "53", "55", "57", "58")  # classes of SQLSTATE: what is wrong will be over, or may be
_BUSY = ("starting up", "shutting down", "recovery", "too many", "connection slots")  # the same, of one that refused us
_LOCK = 0x64696345  # "dicE": whoever makes the tables holds it, and the others wait

_TABLES = f"""
CREATE TABLE dicetable.meta (
    version integer NOT NULL,
    id text NOT NULL  -- by which a table notices that it is another league than before
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
    game text NOT NULL,  -- that of the game: the leaderboard is read from one index, and no game is looked at
    name text NOT NULL,  -- empty: a guest, or a player who was forgotten
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
    """Why nothing can be told to the league now, as a word of league.* in the language files; the detail is in the
    server's own words or the system's."""

    def __init__(self, word: str, detail: str = "") -> None:
        super().__init__(word, detail)
        self.word = word
        self.detail = detail


@contextmanager
def opened(address: str, make: bool = True) -> Iterator[League]:
    """Connected, with its tables there and of our version; they are made where there are none, if that is wished for.
    Trouble: whatever goes wrong then or later."""
    try:
        with psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_PATIENCE,
            application_name="dicetable",
            # A server that was switched off says nothing: by these its silence is noticed.
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
    except UnicodeError:  # Python looks the host up for libpq
        raise Trouble(REFUSED, "no host can be called that") from None


def _passes(why: psycopg.Error) -> bool:
    if why.sqlstate is not None:
        return why.sqlstate[:2] in _PASSING
    if isinstance(why, psycopg.ProgrammingError):  # the address has a setting that there is not
        return False
    # Until it is connected libpq has words only, and its ping would hold up all threads. Those of the server begin so
    # in nearly every language; in others it is asked more often than need be.
    return "FATAL:" not in str(why) or any(words in str(why) for words in _BUSY)


def _detail(why: psycopg.Error) -> str:
    """The first line, without what is said of the host anyway, and as far as somebody wants to read it."""
    text = str(why).strip() or type(why).__name__
    first = text.splitlines()[0].rpartition(" failed: ")[2].removeprefix("connection is bad: ").removeprefix("FATAL:")
    return " ".join(first.split())[:120].rstrip(" .:")


def _check(league: League, make: bool) -> None:
    encoding = league.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Trouble(REFUSED, f"its encoding is {encoding}, not UTF8")
    version = _version(league)
    if version is None and make:
        with league.transaction():
            league.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            (schema, tables) = _row(league, "SELECT to_regnamespace('dicetable'), to_regclass('dicetable.meta')")
            if schema is None:  # whoever may not make one may still be given one
                league.execute("CREATE SCHEMA dicetable")
            if tables is None:  # and nobody made them while we waited
                league.execute(_TABLES)
        version = _version(league)
    elif version is None and not _row(league, _MAY_MAKE)[0]:
        raise Trouble(REFUSED, "it has no tables yet, and this user may not make them")
    if version not in (VERSION, None):
        raise Trouble(NEWER)


def _version(league: League) -> int | None:
    try:
        (found,) = _row(league, "SELECT max(version) FROM dicetable.meta")
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return None
    if found is None:
        raise Trouble(AWAY, "it is being made, or put back")
    return int(str(found))


def _row(league: League, question: str) -> tuple[object, ...]:
    found = league.execute(question).fetchone()
    assert found is not None  # none of these questions can be without an answer
    return found


def identity(league: League) -> str:
    (found,) = _row(league, "SELECT max(id) FROM dicetable.meta")
    return str(found)


def take(league: League, table: str, name: str, parcel: Parcel) -> None:
    """All of it or nothing."""
    with league.transaction(), league.cursor() as cursor:
        if _version(league) != VERSION:  # since it was opened
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
    """Guests are not to be remembered, so their names stay at the table."""
    return "" if seat.guest else seat.name


def _clean(text: str) -> str:
    """Without the one character that PostgreSQL cannot keep: a game from elsewhere may have it anywhere, and would hold
    up all that come after it."""
    return text.replace("\0", "\ufffd").replace("\\u0000", "\\ufffd")


def players(league: League) -> tuple[Player, ...]:
    """Everybody at all tables. With 100,000 games it takes the server less than a tenth of a second."""
    rows = sorted(league.execute(_BOARD), key=str)
    return by_name((str(name), str(game), int(str(played)), int(str(won))) for name, game, played, won in rows)
