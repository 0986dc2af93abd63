"""The thread that sends finished games to the league, and fetches the leaderboard.

Its one rule: nothing at the table waits for this thread, and only the journal stores its state. The thread retries
after every error, and reports each error as a key of league.* in the language files.
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

GLANCE = 3.0  # seconds between checks for unsent games, which another program may have added
MINUTE = 60.0  # seconds between updates of the leaderboard
SOONEST = 1.0  # seconds before the first retry; doubled after each failure
MISSING = "missing"  # psycopg is not installed
UNMARKED = "unmarked"  # the journal could not mark the games as sent; the journal reports why
# The longest wait before a retry, in seconds, by error.
LATEST = {"away": 60.0, UNMARKED: 60.0, "refused": 600.0, "newer": 600.0, MISSING: 600.0}
OWN_DISK = 5.0  # seconds to wait for the journal to write an entry
LOOK = 0.02  # seconds between checks of whether the entry has been written
SHOWN = (MISSING, "refused", "newer")  # errors that somebody has to fix; "away" usually passes


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
        """`keep`: the journal's `keep` method. `complain`: called with a sentence whenever the error changes. `after`:
        seconds to wait before the start."""
        self._settings = settings
        self._folder = folder
        self._keep = keep
        self._post = post
        self._say = say
        self._complain = complain
        self._closed = threading.Event()
        self._told = League(())
        self._new_id = uuid.uuid4().hex  # for a table that has no id yet
        self._thread = threading.Thread(target=self._run, args=(after,), name="league", daemon=True)
        self._thread.start()

    def close(self, timeout: float = 0.0) -> bool:
        """Stops the thread, and returns whether it ended before the timeout. An interrupted parcel is sent again at the
        next start."""
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
        """Sends everything and fetches the leaderboard. Returns "", or the error as a key of LATEST."""
        try:
            from table.storage.league import books
        except ImportError:  # psycopg or libpq is missing
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
        """Sends all parcels. Stops and returns False if the journal does not mark a parcel as sent, because otherwise
        the same parcel would be sent for ever."""
        # Both settings must be on the disk before anything is sent. Without its id, the table could not change the
        # games that it has sent. Without the league's id, games that were sent to another league would count as sent to
        # this one.
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
        """Returns the setting `name`. If the setting is missing, or differs from `value`, first writes `entry`. Returns
        None if writing fails."""

        def right() -> bool:
            found = waiting.setting(self._folder, name)
            return found is not None and value in (None, found)

        if not right():
            self._keep(entry)
        return waiting.setting(self._folder, name) if self._until(right) else None

    def _until(self, true: Callable[[], bool]) -> bool:
        """Waits until the journal has written an entry, so that `true()` holds. Returns False on timeout or close."""
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
    """The error and what to do about it, as a sentence."""
    return say(f"league.{league.trouble}", where=database_where(settings.address), detail=league.detail)


def answers(settings: LeagueSettings) -> tuple[str, str]:
    """Checks whether the league accepts this table. Returns ("", ""), or a key of league.* with the detail. Writes
    nothing."""
    try:
        from table.storage.league import books
    except ImportError:
        return MISSING, ""
    try:
        with books.opened(settings.address, make=False):
            return "", ""
    except books.Trouble as why:
        return why.word, why.detail
