"""The serial ports by name: which are open, what their boards reported, and which must not be retried yet.

Its one rule: a port that is open is not opened again, and a port in trouble only after its retry delay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from table.devices.link import Link

REST = {"stalled": 1.0, "unplugged": 0.0}  # seconds until a port is retried, by trouble
LONG_REST = 5.0  # seconds until a port is retried after any other trouble


@dataclass(frozen=True)
class Heard:
    """State of a port: the board that said hello, or a trouble word. Both are empty until one of them is known."""

    trouble: str = ""
    id: str = ""
    dice: int = 0


class Ports:
    def __init__(self) -> None:
        self.links: dict[str, Link] = {}  # the link at each open port
        self.wrong: dict[str, tuple[str, float]] = {}  # trouble, and when the port can be retried
        self._held: set[str] = set()  # ports that are open or being opened

    @property
    def known(self) -> dict[str, Heard]:
        ports = {port: Heard() for port in self._held} | {port: Heard(why) for port, (why, _) in self.wrong.items()}
        return ports | {port: Heard(link.trouble, link.id, link.dice) for port, link in self.links.items()}

    @property
    def ready(self) -> list[Link]:
        return [link for link in self.links.values() if link.ready]

    @property
    def troubles(self) -> dict[str, str]:
        """The trouble word of each port; empty if it is fine."""
        said = {port: why for port, (why, _) in self.wrong.items()}
        return said | {port: link.trouble for port, link in self.links.items() if link.ready or link.trouble}

    @property
    def hope(self) -> bool:
        """Whether some connected device could still say hello, because it has not had enough time yet."""
        return any(
            not link.ready and not link.over and self.wrong.get(port, ("", 0.0))[0] in ("", "unplugged")
            for port, link in self.links.items()
        )

    def look(self, ports: Sequence[str], now: float) -> list[str]:
        """Takes the available ports and returns those to open now."""
        self.wrong = {port: wrong for port, wrong in self.wrong.items() if port in ports}
        to_open = [port for port in ports if port not in self._held and self.wrong.get(port, ("", 0.0))[1] <= now]
        self._held.update(to_open)
        return to_open

    def closed(self, port: str, why: str, now: float) -> Link | None:
        """The link that was closed, if the port was open."""
        link = self.links.pop(port, None)
        if link and link.over:
            why = link.trouble
        elif why == "stalled" and not (link and link.id):
            why = "silent"  # the device accepts no data and has never said hello
        self.wrong[port] = (why, now + REST.get(why, LONG_REST))
        self._held.remove(port)
        return link
