"""The operator's PIN: checks it and limits the attempts.

Its one rule: after five wrong PINs all attempts are refused for a minute, whoever makes them, and a restart resets
neither the count nor the lock. The table's screen and the phones have separate guards, so that no one with a phone can
lock the operator out at the table.
"""

import hmac
from typing import Any

TRIES = 5
PAUSE = 60.0  # seconds


class Guard:
    """Callers pass in the time. Without a PIN there is nothing to guard."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._wrong = 0
        self._until = 0.0  # when the lock ends
        self._left = 0.0  # seconds that remain of a lock from before a restart

    @property
    def asks(self) -> bool:
        return bool(self._pin)

    def locked(self, now: float) -> float:
        """Seconds until the lock ends, or 0."""
        if self._left:
            self._until, self._left = now + self._left, 0.0
        return max(0.0, self._until - now)

    def right(self, typed: str, now: float) -> bool:
        """Checks an attempt. While locked, every attempt fails and none is counted."""
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
        """The state to save across a restart; `clock` is the wall-clock time."""
        return [self._wrong, clock + self.locked(now)]

    def restore(self, kept: Any, clock: float) -> None:
        """Restores the saved state and ignores invalid data. A lock never lasts longer than PAUSE, even if the clock
        has been set back."""
        match kept:
            case [int(wrong), float(until)] if 0 <= wrong < TRIES:
                self._wrong, self._left = wrong, min(max(0.0, until - clock), PAUSE)
