"""Access control of the phone port: source address, host name, and request rate.

Its one rule: it trusts nothing. Requests must come from an allowed network and use one of this table's addresses.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from table.ui.phone.addresses import hostname, near_by

OPENS, OPENS_A_SECOND = 160, 20.0  # requests from one address: burst, and sustained rate
LINGERING, MOST_IDLE = 15.0, 200  # limits for connections without a WebSocket: seconds, and number

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(self), accelerometer=(self), gyroscope=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def policy(host: str) -> str:
    """The Content-Security-Policy for this host. The WebSocket addresses are listed too, because not every browser
    includes them in 'self'."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@dataclass(frozen=True)
class Doors:
    """The networks and host names from which the table can be reached."""

    port: int = 8321
    reach: str = "lan"
    public_url: str = ""
    host: str = ""  # address to bind to; if empty, all addresses
    tls: ssl.SSLContext | None = None

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"


@dataclass
class Bucket:
    """A leaky bucket, which limits requests: `size` is the longest burst, and `rate` the sustained rate per second."""

    size: float
    rate: float
    level: float = 0.0
    at: float = field(default_factory=time.monotonic)

    def spill(self) -> bool:
        """Counts one request, and returns whether this request exceeds the limit."""
        now = time.monotonic()
        self.level = max(0.0, self.level - (now - self.at) * self.rate) + 1
        self.at = now
        return self.level > self.size


class Idle:
    """Keeps track of connections without a WebSocket. Requests are brief, so a connection that stays open serves no
    purpose."""

    def __init__(self) -> None:
        self._since: dict[Any, float] = {}

    def overdue(self, idle: Collection[Any], now: float) -> set[Any]:
        """The connections that are too old, and the oldest ones if there are too many."""
        self._since = {one: self._since.get(one, now) for one in idle}
        late = [one for one, begun in self._since.items() if now - begun > LINGERING]
        return {*late, *sorted(idle, key=self._since.__getitem__)[: max(0, len(idle) - MOST_IDLE)]}


class Gate:
    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self._opening: dict[str, Bucket] = {}  # the recent requests from each address

    @web.middleware
    async def guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Refuses requests from outside the network, for another host name, or over the rate limit."""
        peer = self.peer(request)
        bucket = self._opening.setdefault(peer, Bucket(OPENS, OPENS_A_SECOND))
        if len(self._opening) > 1000:
            self._opening = {peer: bucket}
        if bucket.spill():
            return web.Response(status=429, text="Too many requests. Wait a moment.\n", headers=HEADERS)
        own = request.transport.get_extra_info("sockname")[0] if request.transport else ""
        if self._doors.reach == "lan" and not near_by(peer, own):
            return web.Response(status=403, text="This table only accepts its own network.\n", headers=HEADERS)
        if not self._own_name(request.host) or not self._own_page(request):
            return web.Response(status=403, text="This is not an address of this table.\n", headers=HEADERS)
        try:
            response: web.StreamResponse = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.reason}.\n")
        if not response.prepared:
            response.headers.update(HEADERS | {"Content-Security-Policy": policy(request.host)})
        return response

    def peer(self, request: web.Request) -> str:
        """The client's address; behind a proxy on this machine, the address that the proxy reports."""
        if self._doors.reach == "machine" and (told := request.headers.get("X-Forwarded-For")):
            return told.rpartition(",")[2].strip()
        return request.remote or ""

    def _own_name(self, host: str) -> bool:
        """Whether the host name is the table's. Prevents DNS rebinding, where another page's host name resolves to the
        table."""
        name = hostname(f"//{host}")
        public = urlsplit(self._doors.public_url).hostname
        if name in ("localhost", public) or name.removesuffix(".local") == socket.gethostname().lower():
            return True
        with suppress(ValueError):
            ipaddress.ip_address(name)
            return True
        return False

    def _own_page(self, request: web.Request) -> bool:
        origin = request.headers.get("Origin")
        if origin is None:
            return request.path != "/ws"  # browsers always send an Origin for WebSockets
        if self._doors.public_url and origin == self._doors.public_url.rstrip("/"):
            return True
        return origin == f"{self._doors.scheme}://{request.host}"
