"""The operator's PIN: whether what was typed is right, and how often it may be tried.

Its one rule: after five wrong ones nobody is heard for a minute, whoever tries. The table's screen has one and phones
have another, so that nobody at a phone can keep the operator from the table.
"""

import hmac

TRIES = 5
PAUSE = 60.0  # seconds


class Guard:
    """The clock is passed in. Without a PIN there is nothing to guard."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._wrong = 0
        self._until = 0.0  # it is locked

    @property
    def asks(self) -> bool:
        return bool(self._pin)

    def locked(self, now: float) -> float:
        """For how many seconds more."""
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
