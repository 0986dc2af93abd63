"""Notifies systemd (sd_notify): ready, watchdog, status and stopping.

Its one rule: it must not affect the table. It never blocks, its errors never stop a game, and without the variables
that systemd sets (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID) it does nothing.
"""

import os
import socket
from collections.abc import Mapping

LEFT = 3  # exit status if people quit the table from its menu; the unit does not restart it after that


class Service:
    def __init__(self, given: Mapping[str, str] = os.environ) -> None:
        address = given.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every = _half(given)
        self._fed = float("-inf")
        self._doing = ""

    def ready(self) -> None:
        """Call when the first frame is on the screen."""
        self._say("READY=1")

    def alive(self, now: float) -> None:
        """Call in every iteration of the loop. Notifies the watchdog twice per timeout."""
        if self._every is not None and now >= self._fed + self._every and self._say("WATCHDOG=1"):
            self._fed = now

    def doing(self, what: str) -> None:
        """Sets the status line of `systemctl status`."""
        if what != self._doing and self._say(f"STATUS={what}"):
            self._doing = what

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def _say(self, line: str) -> bool:
        """Sends a notification. Returns False if it failed, for example because the queue is full; the caller
        retries."""
        if not self._address:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
                to.setblocking(False)
                to.sendto(line.encode(), self._address)
        except OSError:
            return False
        return True


def _half(given: Mapping[str, str]) -> float | None:
    """Half the watchdog's timeout in seconds. None if the watchdog is disabled, or meant for another process."""
    microseconds, watched = given.get("WATCHDOG_USEC", ""), given.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or watched not in ("", str(os.getpid())):
        return None
    return int(microseconds) / 2_000_000
