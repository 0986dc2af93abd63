"""What the table tells systemd that started it: that it is there, that it is alive, that it ends, and what it is doing.

Its one rule: it costs the table nothing. Nothing is waited for, nothing that goes wrong here stops a game, and without
the variables that systemd sets (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID) nothing is said at all.
"""

import os
import socket
from collections.abc import Mapping

LEFT = 3  # the exit status of a table that was left by its menu: the one after which its unit does not start it again


class Service:
    def __init__(self, given: Mapping[str, str] = os.environ) -> None:
        address = given.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every = _half(given)
        self._fed = float("-inf")
        self._doing = ""

    def ready(self) -> None:
        """The first picture is on the screen."""
        self._say("READY=1")

    def alive(self, now: float) -> None:
        """Said by the loop each time round, and passed on twice in the time that systemd is ready to wait."""
        if self._every is not None and now >= self._fed + self._every and self._say("WATCHDOG=1"):
            self._fed = now

    def doing(self, what: str) -> None:
        """A sentence for `systemctl status`."""
        if what != self._doing and self._say(f"STATUS={what}"):
            self._doing = what

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def _say(self, line: str) -> bool:
        """Whether it was taken: a queue that is full is tried again by whoever says it anew."""
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
    """Half the seconds after which systemd takes this process for hung; None if it watches none, or another one."""
    microseconds, watched = given.get("WATCHDOG_USEC", ""), given.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or watched not in ("", str(os.getpid())):
        return None
    return int(microseconds) / 2_000_000
