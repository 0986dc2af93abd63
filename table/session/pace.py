"""The pauses before computers' turns and before draws, and the threads in which computers think.

Its one rule: the table continues by itself, with or without a screen. A screen only reports when people have seen what
happened.
"""

import random
import threading
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from table.engine.asks import Answer, Choose, Draw, Over, Roll
from table.engine.errors import Refused
from table.session.match import Match
from table.session.messages import ComputerChose, Post


class Pause(NamedTuple):
    """How many seconds the table waits before it continues by itself."""

    unseen: float  # seconds since the ask appeared, if no screen shows what happened
    shown: float  # seconds since a screen has shown what happened


_TICKETS = count(1)  # for requests to computers; shared by all sessions, because they share a mailbox

PAUSES: dict[type, Pause] = {Draw: Pause(0.8, 0.25), Roll: Pause(1.0, 0.4), Choose: Pause(1.4, 0.9)}


class Pace:
    def __init__(self, factor: float = 1.0) -> None:
        self.due: float | None = None  # when the pause ends, as computed by `over`; None without a pause
        self._since: float | None = None  # when the ask appeared
        self._factor = factor

    def over(self, ask: Roll | Choose | Draw | Over, now: float, shown: float | None) -> bool:
        """Whether the pause before answering the ask is over. `shown` is the time by which a screen has shown what
        happened."""
        self._since = now if self._since is None else self._since
        pause = PAUSES[type(ask)]
        begun, seconds = (self._since, pause.unseen) if shown is None else (max(self._since, shown), pause.shown)
        self.due = begun + self._factor * seconds
        if now < self.due:
            return False
        self.stop()
        return True

    def stop(self) -> None:
        """Ends the pause, because the table has continued or is waiting for a person."""
        self.due = self._since = None


class Computers:
    """Asks computers for their choices, and passes them to `answer`."""

    def __init__(self, answer: Callable[[Match, Any, str], None], chance: random.Random, post: Post | None) -> None:
        """With `post`, computers think in threads and their choices are posted. Without it, each choice is made at
        once, in the caller's thread."""
        self._answer = answer
        self._chance = chance
        self._post = post
        self._ticket: int | None = None  # the ticket of the request that a computer is thinking about

    @property
    def thinking(self) -> bool:
        return self._ticket is not None

    def ask(self, match: Match) -> None:
        """Asks the computer whose turn it is."""
        if self._post:
            self._ticket = next(_TICKETS)
            _think(match.thinking(), self._ticket, self._post)
        else:
            self._answer(match, match.computers_choice(), "computer")

    def forget(self) -> None:
        """Discards the pending choice, because a move was taken back, the seat's player changed, or the table left the
        match."""
        self._ticket = None

    def take(self, match: Match, chose: ComputerChose) -> bool:
        """Answers with the computer's choice if it is still wanted. If the computer failed, answers with a random
        choice, so that the game continues."""
        if chose.ticket != self._ticket or not isinstance(ask := match.referee.ask, Choose):
            return False
        self._ticket = None
        try:
            self._answer(match, chose.option, "computer")
        except Refused:
            self._answer(match, self._chance.choice(ask.options), "computer")
        return True


def _think(choose: Callable[[], Answer], ticket: int, post: Post) -> None:
    """Computes a choice in a thread and posts it; posts None, with a traceback on stderr, if that fails."""

    def work() -> None:
        chosen = None
        try:
            chosen = choose()
        finally:
            post(ComputerChose(ticket, chosen))

    threading.Thread(target=work, name="computer", daemon=True).start()
