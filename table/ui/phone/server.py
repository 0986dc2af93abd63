"""The phone port: serves the page, its texts, and a WebSocket per page, with an event loop in its own thread.

Its one rule: it trusts nothing. `gate.py` admits requests; messages are validated and rate-limited, and a page that
misbehaves is refused or disconnected. The server knows nothing about rooms: it only posts valid messages to the main
thread and sends messages to pages.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from table.engine.errors import Refused
from table.session.messages import PhoneLeft, PhonePort, PhoneSaid, Post
from table.text.catalogue import FIRST, languages, texts
from table.ui.phone import wire
from table.ui.phone.addresses import own_address
from table.ui.phone.gate import Bucket, Doors, Gate, Idle
from table.ui.phone.updates import Outgoing

PAGE = Path(__file__).parent / "page"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NEXT_PORTS = 10  # how many of the following ports to try if the configured port is in use
MOST_LINES, MOST_OF_ONE = 400, 130  # maximum number of open pages, in total and from one address
BURST, A_SECOND = 100, 50.0  # messages from a page: burst, and sustained rate
RUBBISH = 5  # a page is disconnected after this many invalid messages
GREETING = 10.0  # seconds for a page to say hello
BEAT = 4.0  # seconds between heartbeats, which tell a page that the connection works
SWEEP = 0.5  # seconds between two checks for idle connections
PING = 8.0  # seconds until a phone that does not answer is dropped
MOST_WAITING = 30  # maximum number of queued messages for a page that does not read them


class Page:
    """One open WebSocket, and the queue of messages for it."""

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
        """Sends queued messages until the socket is closed."""
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
    """Runs in its own thread; `send` and `end` are thread-safe."""

    def __init__(
        self,
        post: Post,
        doors: Doors,
        near: Callable[[str], Mapping[str, Any]] = lambda _: {"rooms": [], "positions": False},
    ) -> None:
        self.port = 0
        self._post = post
        self._doors = doors
        self._gate = Gate(doors)
        self._near = near
        self._loop = asyncio.new_event_loop()
        self._pages: dict[int, Page] = {}
        self._talking: set[object] = set()  # the connections that have a WebSocket
        self._from: dict[str, int] = {}  # number of open pages, by address
        self._numbers = itertools.count(1)
        self._ended = asyncio.Event()

    def send(self, out: list[Outgoing]) -> None:
        with suppress(RuntimeError):  # the loop has just been closed
            self._loop.call_soon_threadsafe(self._deliver, out)

    def end(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._ended.set)

    def address(self) -> str:
        """The table's address, as people type it on a phone."""
        if self._doors.public_url:
            return self._doors.public_url.rstrip("/")
        host = self._doors.host or own_address()
        shown = f"[{host}]" if ":" in host else host
        return f"{self._doors.scheme}://{shown}:{self.port}"

    def run(self) -> None:
        """Runs until `end` is called."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        app = web.Application(middlewares=[self._gate.guard], client_max_size=wire.LONGEST)
        app.add_routes(
            [
                web.get("/ws", self._talk),
                web.get("/near.json", self._nearby),
                web.get("/words/{language:[a-z]{2}}.json", _words),
                web.get("/page/{name:[a-z_-]+[.][a-z]+}", _file),
                web.get("/", _index),
                web.get("/table", _table),
                web.get("/table/{code:[A-Za-z]{4}}", _table),
                web.get("/{code:[A-Za-z]{4}}", _index),
            ]
        )
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)  # no access log: it would record addresses
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
            for transport in held:  # a client that does not read would delay closing
                transport.abort()
            await asyncio.sleep(0)  # let the closed transports finish

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

    async def _nearby(self, request: web.Request) -> web.Response:
        near = self._near(request.query.get("language", FIRST))
        return web.json_response({"rooms": [], "positions": False, **near})

    async def _talk(self, request: web.Request) -> web.StreamResponse:
        peer = self._gate.peer(request)
        if len(self._pages) >= MOST_LINES or self._from.get(peer, 0) >= MOST_OF_ONE:
            return web.Response(status=503, text="The table is full. Try again in a moment.\n")
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
                await _hang_up(page, "The page did not say hello in time.")
                return
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return  # closed, broken, or a message was too large
            if bucket.spill():
                await _hang_up(page, "Too many messages. Slow down.")
                return
            try:
                said = wire.heard(message.data)
                if not page.greeted and said["say"] != "hello":
                    raise Refused("The first message must be hello.")
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


async def _index(_: web.Request) -> web.Response:
    return _sent("index.html")


async def _table(_: web.Request) -> web.Response:
    return _sent("table.html")


async def _file(request: web.Request) -> web.Response:
    return _sent(request.match_info["name"])


async def _words(request: web.Request) -> web.Response:
    language = request.match_info["language"]
    found = texts(language if language in languages() else FIRST)
    own = {key.removeprefix("phone."): text for key, text in found.items() if key.startswith("phone.")}
    return web.json_response({key: text if isinstance(text, str) else dict(text) for key, text in own.items()})


def _sent(name: str) -> web.Response:
    path = PAGE / name
    if path.suffix not in KINDS or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=KINDS[path.suffix], charset="utf-8")
