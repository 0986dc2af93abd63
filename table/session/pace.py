"""How long computers and draws wait before they go on, and computers that think in a thread.

Its one rule: the table goes on by itself whether there is a screen or not. A screen that shows the game only decides
when people have seen what happened.
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
    """Seconds before the table goes on by itself."""

    unseen: float  # after the ask came up: time to read what happened
    shown: float  # after a screen has shown what happened


_TICKETS = count(1)  # of what computers are asked, in all sessions together: they share a mailbox

PAUSES: dict[type, Pause] = {Draw: Pause(0.8, 0.25), Roll: Pause(1.0, 0.4), Choose: Pause(1.4, 0.9)}


class Pace:
    def __init__(self, factor: float = 1.0) -> None:
        self.due: float | None = None  # when it goes on, as `over` last found; None: it waits for a person
        self._since: float | None = None  # when the ask came up
        self._factor = factor

    def over(self, ask: Roll | Choose | Draw | Over, now: float, shown: float | None) -> bool:
        """Whether the pause before that ask is answered is over. `shown` is when a screen has shown what happened."""
        self._since = now if self._since is None else self._since
        pause = PAUSES[type(ask)]
        begun, seconds = (self._since, pause.unseen) if shown is None else (max(self._since, shown), pause.shown)
        self.due = begun + self._factor * seconds
        if now < self.due:
            return False
        self.stop()
        return True

    def stop(self) -> None:
        """Ends the pause: the table has gone on, or waits for a person."""
        self.due = self._since = None


class Computers:
    """Asks computers for their choices, and passes these to `answer`."""

    def __init__(self, answer: Callable[[Match, Any, str], None], chance: random.Random, post: Post | None) -> None:
        """With `post`, they think in threads, and what they choose is posted; without, they choose at once."""
        self._answer = answer
        self._chance = chance
        self._post = post
        self._ticket: int | None = None  # of the computer that is thinking

    @property
    def thinking(self) -> bool:
        return self._ticket is not None

    def ask(self, match: Match) -> None:
        """The computer whose turn it is chooses."""
        if self._post:
            self._ticket = next(_TICKETS)
            _think(match.thinking(), self._ticket, self._post)
        else:
            self._answer(match, match.computers_choice(), "computer")

    def forget(self) -> None:
        """Its choice is not wanted any more: it was taken back, somebody plays the seat, or the game is over."""
        self._ticket = None

    def take(self, match: Match, chose: ComputerChose) -> bool:
        """Answers with what it chose, if that is still wanted. If it failed, any choice is better than a game that
        stands still."""
        if chose.ticket != self._ticket or not isinstance(ask := match.referee.ask, Choose):
            return False
        self._ticket = None
        try:
            self._answer(match, chose.option, "computer")
        except Refused:
            self._answer(match, self._chance.choice(ask.options), "computer")
        return True


def _think(choose: Callable[[], Answer], ticket: int, post: Post) -> None:
    """Posts what a computer chooses, from a thread; None if it fails, with a traceback on stderr."""

    def work() -> None:
        chosen = None
        try:
            chosen = choose()
        finally:
            post(ComputerChose(ticket, chosen))

    threading.Thread(target=work, name="computer", daemon=True).start()
