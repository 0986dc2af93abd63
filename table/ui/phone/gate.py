"""Who may ask anything of the phone port: from where, under which name, and how often.

Its one rule: it trusts nothing. Whoever asks has to come from where the table lets people come from, and by the address
that the table has.
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

OPENS, OPENS_A_SECOND = 160, 20.0  # requests from one address at once, and for long
LINGERING, MOST_IDLE = 15.0, 200  # seconds and number of connections that are no page

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(self), accelerometer=(self), gyroscope=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def policy(host: str) -> str:
    """What a page of this host may load. Not every browser takes 'self' for its WebSocket too."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@dataclass(frozen=True)
class Doors:
    """Where people may come from, and under which names."""

    port: int = 8321
    reach: str = "lan"
    public_url: str = ""
    host: str = ""  # to listen at; empty: on every network
    tls: ssl.SSLContext | None = None

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"


@dataclass
class Bucket:
    """So many at once, so many a second."""

    size: float
    rate: float
    level: float = 0.0
    at: float = field(default_factory=time.monotonic)

    def spill(self) -> bool:
        """Counts one more. Returns whether that is too much."""
        now = time.monotonic()
        self.level = max(0.0, self.level - (now - self.at) * self.rate) + 1
        self.at = now
        return self.level > self.size


class Idle:
    """Connections that are no page. A request takes a moment, so one that stays is only held open."""

    def __init__(self) -> None:
        self._since: dict[Any, float] = {}

    def overdue(self, idle: Collection[Any], now: float) -> set[Any]:
        """Those of them that have been here for too long, and the oldest if there are too many."""
        self._since = {one: self._since.get(one, now) for one in idle}
        late = [one for one, begun in self._since.items() if now - begun > LINGERING]
        return {*late, *sorted(idle, key=self._since.__getitem__)[: max(0, len(idle) - MOST_IDLE)]}


class Gate:
    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self._opening: dict[str, Bucket] = {}  # requests, by address

    @web.middleware
    async def guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Refuses requests from outside the network, for another host name, or too many of them."""
        peer = self.peer(request)
        bucket = self._opening.setdefault(peer, Bucket(OPENS, OPENS_A_SECOND))
        if len(self._opening) > 1000:
            self._opening = {peer: bucket}
        if bucket.spill():
            return web.Response(status=429, text="Too many requests: wait a moment.\n", headers=HEADERS)
        own = request.transport.get_extra_info("sockname")[0] if request.transport else ""
        if self._doors.reach == "lan" and not near_by(peer, own):
            return web.Response(status=403, text="This table is for the people beside it.\n", headers=HEADERS)
        if not self._own_name(request.host) or not self._own_page(request):
            return web.Response(status=403, text="This is not an address of the table.\n", headers=HEADERS)
        try:
            response: web.StreamResponse = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.reason}.\n")
        if not response.prepared:
            response.headers.update(HEADERS | {"Content-Security-Policy": policy(request.host)})
        return response

    def peer(self, request: web.Request) -> str:
        """Who asks. On a port that only this machine reaches, that is whom its proxy asks for."""
        if self._doors.reach == "machine" and (told := request.headers.get("X-Forwarded-For")):
            return told.rpartition(",")[2].strip()
        return request.remote or ""

    def _own_name(self, host: str) -> bool:
        """Under no other name: else any page that somebody here looks at could let its own name point to the table."""
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
            return request.path != "/ws"  # browsers always say where a WebSocket comes from
        if self._doors.public_url and origin == self._doors.public_url.rstrip("/"):
            return True
        return origin == f"{self._doors.scheme}://{request.host}"
