"""The serial ports by name: which are open, what is known of the e-dice there, and which are left alone for now.

Its one rule: a port is opened once, and after trouble not again before it has had its rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from table.devices.link import Link

REST = {"stalled": 1.0, "unplugged": 0.0}  # seconds until a port is tried again, by what was wrong with it,
LONG_REST = 5.0  # and for all else that was wrong


@dataclass(frozen=True)
class Heard:
    """What is known of a port by now: the e-dice that said hello there, or a word for what is wrong; or neither yet."""

    trouble: str = ""
    id: str = ""
    dice: int = 0


class Ports:
    def __init__(self) -> None:
        self.links: dict[str, Link] = {}  # of those that are open
        self.wrong: dict[str, tuple[str, float]] = {}  # what, and until when the port is left alone
        self._held: set[str] = set()  # they are open, or being opened

    @property
    def known(self) -> dict[str, Heard]:
        ports = {port: Heard() for port in self._held} | {port: Heard(why) for port, (why, _) in self.wrong.items()}
        return ports | {port: Heard(link.trouble, link.id, link.dice) for port, link in self.links.items()}

    @property
    def ready(self) -> list[Link]:
        return [link for link in self.links.values() if link.ready]

    @property
    def troubles(self) -> dict[str, str]:
        """What is wrong; an empty word where nothing is."""
        said = {port: why for port, (why, _) in self.wrong.items()}
        return said | {port: link.trouble for port, link in self.links.items() if link.ready or link.trouble}

    @property
    def hope(self) -> bool:
        """Something was plugged in that has not had time to say what it is."""
        return any(
            not link.ready and not link.over and self.wrong.get(port, ("", 0.0))[0] in ("", "unplugged")
            for port, link in self.links.items()
        )

    def look(self, ports: Sequence[str], now: float) -> list[str]:
        """Of the ports that are there, those to open now."""
        self.wrong = {port: wrong for port, wrong in self.wrong.items() if port in ports}
        to_open = [port for port in ports if port not in self._held and self.wrong.get(port, ("", 0.0))[1] <= now]
        self._held.update(to_open)
        return to_open

    def closed(self, port: str, why: str, now: float) -> Link | None:
        """What was there, if it was open."""
        link = self.links.pop(port, None)
        if link and link.over:
            why = link.trouble
        elif why == "stalled" and not (link and link.id):
            why = "silent"  # it takes nothing any more, and never said a word
        self.wrong[port] = (why, now + REST.get(why, LONG_REST))
        self._held.remove(port)
        return link
