"""The phone port: the server, its public address, and the discovery of other tables.

Its one rule: a port that cannot be opened is reported, and the rest of the table is not affected.
"""

import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from table.config.sections import PhoneSettings
from table.session.messages import PhonePort, Post
from table.text.catalogue import Catalogue
from table.ui.phone.connections import Connections, about
from table.ui.phone.near import Nearby
from table.ui.phone.updates import Outgoing

if TYPE_CHECKING:
    import ssl

    from table.ui.phone.server import Server

LOOPBACK = "127.0.0.1"
LOOK_AGAIN = 5.0  # seconds between two checks of the address
LAST = 2.0  # seconds to wait for the thread to end


class Port:
    """The port opens in its own thread, because its packages take long to import. A PhonePort message reports the
    result."""

    def __init__(
        self, post: Post, settings: PhoneSettings, tls: "ssl.SSLContext | None" = None, after: float = 0.0
    ) -> None:
        """`after`: seconds to wait before opening."""
        self.why = ""  # why the port is not open
        self._address = ""
        self._looked = 0.0  # when the address was last checked
        self._post = post
        self._settings = settings
        self._tls = tls
        self._nearby: Nearby | None = None
        self._server: Server | None = None
        self._closed = threading.Event()
        self._after = after
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._closed.wait(self._after):
            return
        from table.ui.phone.gate import Doors
        from table.ui.phone.server import Server

        settings = self._settings
        host = LOOPBACK if settings.reach == "machine" else ""
        doors = Doors(settings.port, settings.reach, settings.public_url, host, self._tls)
        self._server = Server(self._post, doors, self._listed)
        if not self._closed.is_set():
            try:
                self._server.run()
            except Exception as why:
                self._post(PhonePort("", f"{type(why).__name__}: {why}"))
                raise

    def send(self, out: list[Outgoing]) -> None:
        if self._server:  # without a server, no one is connected
            self._server.send(out)

    def opened(self, message: PhonePort) -> None:
        self._address, self.why, self._looked = message.address, message.why, time.monotonic()
        if self._address and self._settings.reach != "machine" and self._nearby is None:
            self._nearby = Nearby(self.address, self._settings.position)

    @property
    def address(self) -> str:
        """The table's address; empty until the port is open. The address is checked again regularly, because networks
        can change while a table runs."""
        now = time.monotonic()
        if self._address and self._server and now - self._looked > LOOK_AGAIN:
            self._address, self._looked = self._server.address(), now
        return self._address

    def of(self, code: str) -> str:
        """The address of a room, which is short because people type it."""
        return f"{self.address}/{code}"

    def tell(self, connections: Connections) -> None:
        if self._nearby:
            say = Catalogue()  # the names are for tables that do not know the game; other tables use the game's id
            rooms = connections.rooms.values()
            self._nearby.tell(
                self.address, [about(room, say) | {"game_id": room.lobby.lineup.game.id} for room in rooms]
            )

    def _listed(self, language: str) -> Mapping[str, Any]:
        return self._nearby.listed(language) if self._nearby else {}

    def close(self) -> None:
        self._closed.set()
        if self._server:
            self._server.end()
        if self._nearby:
            self._nearby.close()
        self._thread.join(LAST)
