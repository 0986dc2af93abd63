"""The phone port: the page, its words, and a WebSocket for each page, in a thread with a loop of its own.

Its one rule: it trusts nothing. Whoever asks has to come from where the table lets people come from and by the address
that it has; what is said is checked, counted and, if it is too much or makes no sense, told so or hung up on. It knows
no room: what was said well is posted, and what it is given to send is sent.
"""

import asyncio
import ipaddress
import itertools
import json
import socket
import ssl
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

from table.engine.errors import Refused
from table.session.messages import PhoneLeft, PhonePort, PhoneSaid, Post
from table.text.catalogue import FIRST, languages, texts
from table.ui.phone import wire
from table.ui.phone.addresses import hostname, near_by, own_address
from table.ui.phone.updates import Outgoing

PAGE = Path(__file__).parent / "page"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NEXT_PORTS = 10  # tried after one that another program has
MOST_LINES, MOST_OF_ONE = 400, 130  # pages at once, of everybody and from one address
BURST, A_SECOND = 100, 50.0  # messages that a page may say at once, and for long
RUBBISH = 5  # messages that make no sense, until a page is hung up on
OPENS, OPENS_A_SECOND = 160, 20.0  # requests from one address, likewise
GREETING = 10.0  # seconds until a page has to have said hello
BEAT = 4.0  # seconds between two signs of life, by which a page notices that it hears nothing
LINGERING, MOST_IDLE = 15.0, 200  # seconds and number of connections that are no page
SWEEP = 0.5  # seconds between two looks for such
PING = 8.0  # seconds until a phone that answers nothing is given up
MOST_WAITING = 30  # messages for a phone that does not take them

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
        """One more; whether it is too much."""
        now = time.monotonic()
        self.level = max(0.0, self.level - (now - self.at) * self.rate) + 1
        self.at = now
        return self.level > self.size


class Idle:
    """Connections that are no page: they have done all they came for in a moment, or are only held open."""

    def __init__(self) -> None:
        self._since: dict[Any, float] = {}

    def overdue(self, idle: Collection[Any], now: float) -> set[Any]:
        """Those of them that have been here for too long, and the oldest if there are too many."""
        self._since = {one: self._since.get(one, now) for one in idle}
        late = [one for one, begun in self._since.items() if now - begun > LINGERING]
        return {*late, *sorted(idle, key=self._since.__getitem__)[: max(0, len(idle) - MOST_IDLE)]}


class Page:
    """One open WebSocket, and what waits to be sent over it."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.greeted = False
        self._waiting: list[Outgoing] = []
        self._bell = asyncio.Event()

    def give(self, out: Outgoing) -> None:
        if out.state:
            self._waiting = [other for other in self._waiting if not other.state]
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(out)
        self._bell.set()

    async def write(self) -> None:
        """All that it is given, until it is closed."""
        while not self.socket.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), BEAT)
            self._bell.clear()
            given, self._waiting = self._waiting, []
            for out in given or [Outgoing(0, '{"is": "beat"}')]:
                await self.socket.send_str(out.text)
                if out.last:
                    await self.socket.close()


class Server:
    """Runs in a thread of its own; `send` and `end` are safe from any."""

    def __init__(
        self,
        post: Post,
        doors: Doors,
        near: Callable[[], Mapping[str, Any]] = lambda: {"rooms": [], "positions": False},
    ) -> None:
        self.port = 0
        self._post = post
        self._doors = doors
        self._near = near
        self._loop = asyncio.new_event_loop()
        self._pages: dict[int, Page] = {}
        self._talking: set[object] = set()  # connections that are pages
        self._from: dict[str, int] = {}  # open pages by address
        self._opening: dict[str, Bucket] = {}
        self._numbers = itertools.count(1)
        self._ended = asyncio.Event()

    def send(self, out: list[Outgoing]) -> None:
        with suppress(RuntimeError):  # it has just been closed
            self._loop.call_soon_threadsafe(self._deliver, out)

    def end(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._ended.set)

    def address(self) -> str:
        """Of the table, as a phone beside it types it."""
        if self._doors.public_url:
            return self._doors.public_url.rstrip("/")
        host = self._doors.host or own_address()
        shown = f"[{host}]" if ":" in host else host
        return f"{self._doors.scheme}://{shown}:{self.port}"

    def run(self) -> None:
        """Until it is told to end; in a thread of its own."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        app = web.Application(middlewares=[self._guard], client_max_size=wire.LONGEST)
        app.add_routes(
            [
                web.get("/ws", self._talk),
                web.get("/near.json", self._nearby),
                web.get("/words/{language:[a-z]{2}}.json", self._words),
                web.get("/page/{name:[a-z_-]+[.][a-z]+}", self._file),
                web.get("/", self._index),
                web.get("/table", self._table),
                web.get("/table/{code:[A-Za-z]{4}}", self._table),
                web.get("/{code:[A-Za-z]{4}}", self._index),
            ]
        )
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)  # a log would keep who came from where
        await runner.setup()
        sweeper = asyncio.create_task(self._sweep(runner))
        try:
            if not await self._listen(runner):
                return
            await self._ended.wait()
        finally:
            sweeper.cancel()
            for page in list(self._pages.values()):
                with suppress(Exception):
                    await asyncio.wait_for(page.socket.close(code=WSCloseCode.GOING_AWAY), 0.3)
            held = [one.transport for one in runner.server.connections if one.transport] if runner.server else []
            await runner.cleanup()
            for transport in held:  # whoever does not take what was sent would be waited for
                transport.abort()
            await asyncio.sleep(0)  # and all that is closed says so once more

    async def _sweep(self, runner: web.AppRunner) -> None:
        idle = Idle()
        while runner.server:
            no_page = [one for one in runner.server.connections if one not in self._talking]
            for one in idle.overdue(no_page, time.monotonic()):
                one.force_close()
                if one.transport:
                    one.transport.close()
            await asyncio.sleep(SWEEP)

    async def _listen(self, runner: web.AppRunner) -> bool:
        why = ""
        last = min(self._doors.port + NEXT_PORTS, 65535)
        for port in range(self._doors.port, last + 1) if self._doors.port else (0,):
            site = web.TCPSite(runner, self._doors.host or None, port, ssl_context=self._doors.tls)
            try:
                await site.start()
            except OSError as error:
                why = error.strerror or str(error)
                continue
            self.port = runner.addresses[0][1]
            self._post(PhonePort(self.address()))
            return True
        self._post(PhonePort("", why))
        return False

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Whoever comes from where nobody may, under another name, or too often, gets no further."""
        peer = self._peer(request)
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

    def _peer(self, request: web.Request) -> str:
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

    async def _index(self, _: web.Request) -> web.Response:
        return _sent("index.html")

    async def _table(self, _: web.Request) -> web.Response:
        return _sent("table.html")

    async def _file(self, request: web.Request) -> web.Response:
        return _sent(request.match_info["name"])

    async def _words(self, request: web.Request) -> web.Response:
        language = request.match_info["language"]
        found = texts(language if language in languages() else FIRST)
        own = {key.removeprefix("phone."): text for key, text in found.items() if key.startswith("phone.")}
        return web.json_response({key: text if isinstance(text, str) else dict(text) for key, text in own.items()})

    async def _nearby(self, _: web.Request) -> web.Response:
        return web.json_response({"rooms": [], "positions": False, **self._near()})

    async def _talk(self, request: web.Request) -> web.StreamResponse:
        peer = self._peer(request)
        if len(self._pages) >= MOST_LINES or self._from.get(peer, 0) >= MOST_OF_ONE:
            return web.Response(status=503, text="The table is full: come back in a moment.\n")
        self._from[peer] = self._from.get(peer, 0) + 1
        try:
            return await self._converse(request)
        finally:
            self._from[peer] -= 1
            if not self._from[peer]:
                del self._from[peer]

    async def _converse(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=wire.LONGEST, heartbeat=PING, timeout=1.0, compress=False)
        await socket.prepare(request)
        number, page = next(self._numbers), Page(socket)
        self._pages[number] = page
        self._talking.add(request.protocol)
        writer = asyncio.create_task(_until_gone(page))
        try:
            await self._listen_to(number, page)
        finally:
            del self._pages[number]
            self._talking.discard(request.protocol)
            if page.greeted:
                self._post(PhoneLeft(number))
            writer.cancel()
        return socket

    async def _listen_to(self, number: int, page: Page) -> None:
        bucket, rubbish = Bucket(BURST, A_SECOND), 0
        while True:
            wait = None if page.greeted else GREETING
            try:
                message = await page.socket.receive(wait)
            except TimeoutError:
                await _hang_up(page, "Nobody said hello.")
                return
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return  # closed, broken, or too large for a message
            if bucket.spill():
                await _hang_up(page, "Too fast: slow down.")
                return
            try:
                said = wire.heard(message.data)
                if not page.greeted and said["say"] != "hello":
                    raise Refused("The first word is hello.")
            except Refused as why:
                rubbish += 1
                if rubbish >= RUBBISH:
                    await _hang_up(page, str(why))
                    return
                page.give(Outgoing(number, json.dumps({"is": "refused", "why": str(why)})))
                continue
            page.greeted = True
            self._post(PhoneSaid(number, said))

    def _deliver(self, out: Iterable[Outgoing]) -> None:
        for one in out:
            if page := self._pages.get(one.line):
                page.give(one)


async def _until_gone(page: Page) -> None:
    with suppress(ConnectionError, RuntimeError):
        await page.write()


async def _hang_up(page: Page, why: str) -> None:
    with suppress(ConnectionError, RuntimeError):
        await page.socket.send_str(json.dumps({"is": "refused", "why": why}))
        await page.socket.close(code=WSCloseCode.POLICY_VIOLATION)


def _sent(name: str) -> web.Response:
    path = PAGE / name
    if path.suffix not in KINDS or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=KINDS[path.suffix], charset="utf-8")
