"""The thread that carries finished games to the league, and the leaderboard back.

Its one rule: nobody at the table waits for it, and nothing of it is kept but by the journal. Whatever goes wrong is a
word, and is tried again.
"""

import socket
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

from table.config.addresses import database_where
from table.config.sections import LeagueSettings
from table.session.messages import League, Player, Post
from table.storage.journal.entries import Entry, Sent, Setting
from table.storage.league import waiting
from table.storage.league.waiting import Parcel
from table.text.catalogue import Catalogue

GLANCE = 3.0  # seconds between two looks whether something waits here, be it from this program or another
MINUTE = 60.0  # seconds between two looks at the leaderboard
SOONEST = 1.0  # seconds until what failed is tried again; twice as long each time it does,
MISSING, UNMARKED = "missing", "unmarked"  # what it takes to speak with it; and by our own disk, which says so itself
LATEST = {"away": 60.0, UNMARKED: 60.0, "refused": 600.0, "newer": 600.0, MISSING: 600.0}  # up to these
OWN_DISK = 5.0  # seconds for the journal to keep what it was given
LOOK = 0.02  # seconds between two looks whether it has
SHOWN = (MISSING, "refused", "newer")  # what somebody has to put right; a league that is away comes back


class Uploader:
    def __init__(
        self,
        settings: LeagueSettings,
        folder: Path,
        keep: Callable[[Entry], int],
        post: Post,
        say: Catalogue,
        complain: Callable[[str], None],
        after: float = 0.0,
    ) -> None:
        """`keep` is the journal's; `complain` is told a sentence whenever what is wrong has changed; `after`: seconds
        until it begins."""
        self._settings = settings
        self._folder = folder
        self._keep = keep
        self._post = post
        self._say = say
        self._complain = complain
        self._closed = threading.Event()
        self._told = League(())
        self._new_id = uuid.uuid4().hex  # if it has none; always the same, as a slow disk is given it several times
        self._thread = threading.Thread(target=self._run, args=(after,), name="league", daemon=True)
        self._thread.start()

    def close(self, timeout: float = 0.0) -> bool:
        """What is under way is cut off, or goes again another time. Whether the thread ended in so many seconds."""
        self._closed.set()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # In the thread

    def _run(self, after: float) -> None:
        self._closed.wait(after)
        due, pause = 0.0, SOONEST
        while not self._closed.is_set():
            rest = GLANCE
            if time.monotonic() >= due or waiting.anything(self._folder):
                failed = self._round()
                if failed:
                    due, rest, pause = 0.0, pause, min(2 * pause, LATEST[failed])
                else:
                    due, pause = time.monotonic() + MINUTE, SOONEST
            self._closed.wait(rest)

    def _round(self) -> str:
        """All that waits goes, and the leaderboard comes. A word of LATEST: what failed."""
        try:
            from table.storage.league import books
        except ImportError:  # of psycopg, or of the library that it speaks through
            self._tell((), MISSING)
            return MISSING
        try:
            with books.opened(self._settings.address) as league:
                marked = self._send(books.identity(league), partial(books.take, league))
                self._tell(books.players(league))
        except books.Trouble as why:
            self._tell(self._told.players, why.word, why.detail)
            return why.word
        return "" if marked else UNMARKED

    def _send(self, league: str, take: Callable[[str, str, Parcel], None]) -> bool:
        """Whether all that went was marked. What was not goes again: that does no harm, but has no end either."""
        # Both are on the disk before the league is told anything: a table with another id could not change what it has
        # sent, and the marks of another league would keep back what this one has not got.
        table = self._kept(waiting.TABLE, None, Setting(waiting.TABLE, self._new_id))
        if table is None or self._kept(waiting.LEAGUE, league, Sent(league, {})) is None:
            return not waiting.anything(self._folder)
        while not self._closed.is_set() and (parcel := waiting.packed(self._folder)):
            take(table, self._settings.name or socket.gethostname(), parcel)
            self._keep(Sent(league, parcel.names, parcel.told))
            if not self._until(partial(waiting.marked, self._folder, parcel)):
                return False
        return True

    def _kept(self, name: str, value: str | None, entry: Entry) -> str | None:
        """That setting, if need be after the entry that makes it that value, or any."""

        def right() -> bool:
            found = waiting.setting(self._folder, name)
            return found is not None and value in (None, found)

        if not right():
            self._keep(entry)
        return waiting.setting(self._folder, name) if self._until(right) else None

    def _until(self, true: Callable[[], bool]) -> bool:
        """Whether the journal has done what it was given, in the time that a disk takes."""
        end = time.monotonic() + OWN_DISK
        while not true():
            if time.monotonic() > end or self._closed.wait(LOOK):
                return False
        return True

    def _tell(self, players: tuple[Player, ...], trouble: str = "", detail: str = "") -> None:
        before, self._told = self._told, League(players, trouble, detail)
        if self._told != before:
            self._post(self._told)
        if trouble and (trouble, detail) != (before.trouble, before.detail):
            self._complain(sentence(self._told, self._settings, self._say))


def sentence(league: League, settings: LeagueSettings, say: Catalogue) -> str:
    """What is wrong, and what to do."""
    return say(f"league.{league.trouble}", where=database_where(settings.address), detail=league.detail)


def answers(settings: LeagueSettings) -> tuple[str, str]:
    """Whether the league lets this table in: nothing, or a word of league.* and its detail. Nothing is written."""
    try:
        from table.storage.league import books
    except ImportError:
        return MISSING, ""
    try:
        with books.opened(settings.address, make=False):
            return "", ""
    except books.Trouble as why:
        return why.word, why.detail
