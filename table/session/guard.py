"""The operator's PIN: whether what was typed is right, and how often it may be tried.

Its one rule: after five wrong ones nobody is heard for a minute, whoever tries, and a table that is started anew has
forgotten neither. The table's screen has one and phones have another, so that nobody at a phone can keep the operator
from the table.
"""

import hmac
from typing import Any

TRIES = 5
PAUSE = 60.0  # seconds


class Guard:
    """The clock is passed in. Without a PIN there is nothing to guard."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._wrong = 0
        self._until = 0.0  # it is locked
        self._left = 0.0  # seconds, as of before a restart

    @property
    def asks(self) -> bool:
        return bool(self._pin)

    def locked(self, now: float) -> float:
        """For how many seconds more."""
        if self._left:
            self._until, self._left = now + self._left, 0.0
        return max(0.0, self._until - now)

    def right(self, typed: str, now: float) -> bool:
        """A try. While it is locked, none is right, and none counts."""
        if self.locked(now):
            return False
        if hmac.compare_digest(typed.encode(), self._pin.encode()):
            self._wrong = 0
            return True
        self._wrong += 1
        if self._wrong == TRIES:
            self._wrong, self._until = 0, now + PAUSE
        return False

    def kept(self, now: float, clock: float) -> list[float]:
        """What a restart must not forget; `clock` is the time of day."""
        return [self._wrong, clock + self.locked(now)]

    def restore(self, kept: Any, clock: float) -> None:
        """What is not as it was kept is passed over; a clock that was put back locks nobody out for long."""
        match kept:
            case [int(wrong), float(until)] if 0 <= wrong < TRIES:
                self._wrong, self._left = wrong, min(max(0.0, until - clock), PAUSE)
