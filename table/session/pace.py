"""How long computers and draws wait before they go on, and computers that think in a thread.

Its one rule: the table goes on by itself whether there is a screen or not. A screen that shows the game only decides
when people have seen what happened.
"""

import threading
from collections.abc import Callable
from typing import NamedTuple

from table.engine.asks import Answer, Choose, Draw, Over, Roll
from table.session.messages import ComputerChose, Post


class Pause(NamedTuple):
    """Seconds before the table goes on by itself."""

    unseen: float  # after the ask came up: time to read what happened
    shown: float  # after a screen has shown what happened


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


def think(choose: Callable[[], Answer], ticket: int, post: Post) -> None:
    """Posts what a computer chooses, from a thread; None if it fails, with a traceback on stderr."""

    def work() -> None:
        chosen = None
        try:
            chosen = choose()
        finally:
            post(ComputerChose(ticket, chosen))

    threading.Thread(target=work, name="computer", daemon=True).start()
