"""The part of `make bench` about phones: how soon a tap shows on every screen, and how much bad clients slow the table.

Its one rule: the table is the real one with its real port, and its clients run in another process.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.screen import FRAMES, HEADLESS, SIZE, frames, row

SEATS, SPECTATORS = 10, 100
FIRST, TAPS = 40, 150  # the first taps are not measured, because their rolls fill the sprite cache
TAP_EVERY = 0.1  # seconds between taps: ten people rarely tap more often
SOON = 50  # milliseconds within which a tap must show
MORE = 1.5  # a frame may take at most this many times as long as an undisturbed one
FLOODERS, CROWD = 4, 500


def main() -> None:
    os.environ.update(HEADLESS)
    taps = sorted(load())
    print(f"\n{'Phones, ten seats and a hundred spectators':48} {'measured':>10} {'at most':>10} {'share':>7}")
    row("From a tap to every screen, p50", 1000 * taps[len(taps) // 2], None, "ms")
    row("From a tap to every screen, p99", 1000 * taps[len(taps) * 99 // 100], SOON, "ms")
    quiet = sorted(passed for passed, _ in frames(undisturbed))
    loud = sorted(passed for passed, _ in frames(attacked))
    calm, troubled = (1000 * seconds[FRAMES * 99 // 100] for seconds in (quiet, loud))
    row("A frame with the port open, p99", calm, None, "ms")
    row("A frame under floods and 500 connections, p99", troubled, MORE * calm, "ms")


@contextmanager
def opened(table: Any) -> Iterator[str]:
    """The table's own port, on loopback."""
    from table.config.sections import PhoneSettings
    from table.ui.phone.port import Port

    port = Port(table.mailbox.post, PhoneSettings(port=0, reach="machine"))
    table.context.connect(port)
    try:
        while not port.address:
            table.turn()
            time.sleep(0.01)
        yield port.address
    finally:
        port.close()


@contextmanager
def undisturbed(table: Any) -> Iterator[None]:
    with opened(table):
        yield


@contextmanager
def attacked(table: Any) -> Iterator[None]:
    with opened(table) as address, _process("attack", address):
        time.sleep(1.0)
        yield


@contextmanager
def _process(*what: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.bench.phones", *what]
    process = subprocess.Popen(command)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def load() -> list[float]:
    """Seconds from each tap until each page has the result, while the table runs its own loop and screen."""
    from table.machine.service import Service
    from table.ui.kiosk.loop import run
    from tests.tabletop import Tabletop

    with Tabletop(SIZE) as table, opened(table) as address, tempfile.NamedTemporaryFile("r") as told:
        with _process("clients", address, table.context.room.code, told.name) as clients:
            run(table.kiosk, table.mailbox, time.monotonic, lambda: clients.poll() is not None, Service())
        found: list[float] = json.load(told)
    return found


class Watcher:
    """A spectator's page that only looks for the current ask, so that the measurement itself stays fast."""

    def __init__(self) -> None:
        self.at = ""
        self.came = 0.0

    async def open(self, address: str, session: Any, code: str) -> "Watcher":
        socket = await session.ws_connect(f"{address.replace('http', 'ws', 1)}/ws", origin=address)
        await socket.send_json({"say": "hello", "room": code, "token": "", "language": "en", "watch": True})
        self.reading = asyncio.create_task(self._read(socket))
        return self

    async def _read(self, socket: Any) -> None:
        async for message in socket:
            at = message.data.partition('"at": "')[2][:40].partition('"')[0]
            if at and at != self.at:
                self.at, self.came = at, time.perf_counter()


async def clients(address: str, code: str) -> list[float]:
    """Ten people play Cacho and a hundred watch. Returns the seconds from each tap to each screen."""
    import aiohttp

    from tests.phones import Phone, touch

    chance, found = random.Random(1), list[float]()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        people = []
        for number in range(SEATS):
            phone = await Phone(address, session).open(code)
            await phone.say("join", name=f"Player {number}")
            await phone.sees(lambda state: state["you"])
            people.append(phone)
        every = [await Watcher().open(address, session, code) for _ in range(SPECTATORS)]
        host = people[0]
        await host.say("game", game="cacho")
        for phone in people[1:]:
            await phone.say("ready", ready=True)
        await host.sees(lambda state: state["lobby"]["game"] == "cacho" and state["lobby"]["start"])
        await host.say("start")
        taps = 0
        while taps < FIRST + TAPS:
            await asyncio.sleep(TAP_EVERY)
            if host.state["phase"] == "over":
                await host.say("again")
                await host.sees(lambda state: state["phase"] == "playing")
            asked = next((phone for phone in people if phone.state.get("ask")), None)
            if asked is None:
                continue
            said = touch(asked.state, chance)
            assert said is not None
            before, begun = said["at"], time.perf_counter()
            await asked.raw(json.dumps(said))

            def moved(state: Any, at: str = before) -> bool:
                return bool(state["at"] != at)

            for phone in people:
                await phone.sees(moved)
            seats = time.perf_counter()
            while any(watcher.at == before for watcher in every):
                await asyncio.sleep(0.001)
            taps += 1
            if taps > FIRST:
                found += [watcher.came - begun for watcher in every] + [seats - begun] * SEATS
        return found


async def attack(address: str) -> None:
    """Flood the port, send invalid messages, and open far too many connections, until killed."""
    import aiohttp

    from tests.phones import Phone

    async def flood(session: aiohttp.ClientSession, text: str) -> None:
        while True:
            try:
                phone = Phone(address, session)
                await phone.open()
                while phone.hung_up is None:
                    for _ in range(100):
                        await phone.raw(text)
                    await asyncio.sleep(0.01)  # at most ten thousand messages a second
            except (aiohttp.ClientError, ConnectionError, RuntimeError):
                await asyncio.sleep(0.05)

    async def crowd(session: aiohttp.ClientSession) -> None:
        held: list[Any] = []
        while True:
            try:
                held.append(await session.ws_connect(f"{address.replace('http', 'ws', 1)}/ws", origin=address))
            except (aiohttp.ClientError, ConnectionError):
                await asyncio.sleep(0.5)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        texts = ['{"say": "ready", "ready": true}', "rubbish", '{"say": 5}', "x" * 5000]
        floods = [flood(session, texts[number % len(texts)]) for number in range(FLOODERS)]
        await asyncio.gather(*floods, *(crowd(session) for _ in range(CROWD)))


if __name__ == "__main__":
    if sys.argv[1] == "clients":
        Path(sys.argv[4]).write_text(json.dumps(asyncio.run(clients(*sys.argv[2:4]))))
    else:
        asyncio.run(attack(*sys.argv[2:]))
