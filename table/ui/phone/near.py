"""Tables on the same network: announces this one and discovers others through zeroconf.

Its one rule: it publishes only what the join page shows to anyone, and data from other tables is only displayed.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import Any
from urllib.parse import urlsplit

from table.engine.names import clean
from table.games import GAMES
from table.text import game_texts
from table.text.catalogue import FIRST, Catalogue

KIND = "_dicetable._tcp.local."
MOST_TABLES, MOST_ROOMS = 30, 12
LONGEST = 250  # maximum size of a published room, in bytes
LOOK_AGAIN = 20.0  # seconds between two attempts to open the network
ANSWER = 1500  # milliseconds to wait for another table's answer
RESTS = (1.0, 2.0, 5.0, 15.0, 60.0)  # seconds before each retry; the last pause repeats
LAST = 2.0  # seconds for leaving the network


class Nearby:
    """Announces and discovers tables with an event loop in its own thread, because the network can be slow. Without a
    network, no other tables are listed."""

    def __init__(
        self,
        address: str,
        position: str = "",
        interfaces: Sequence[str] | None = None,
        answer: int = ANSWER,
        rests: Sequence[float] = RESTS,
    ) -> None:
        """`interfaces` are the addresses of this machine to use; None means all addresses."""
        self._address = address
        self._position = placed(position)
        self._interfaces = interfaces
        self._answer, self._rests = answer, rests
        self._rooms: list[Mapping[str, Any]] = []  # this table's rooms
        self._others: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()  # guards the address and rooms of this table, and those of the others
        self._loop = asyncio.new_event_loop()
        self._ended, self._changed = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="near", daemon=True)
        self._thread.start()

    def tell(self, address: str, rooms: list[Mapping[str, Any]]) -> None:
        """Sets the address and the public descriptions of the rooms."""
        with self._lock:
            if (address, rooms) == (self._address, self._rooms):
                return
            self._address, self._rooms = address, rooms
        self._soon(self._changed.set)

    def listed(self, language: str = FIRST) -> dict[str, Any]:
        """The rooms for the join page: first the rooms of this table, then those of other tables. Games that this table
        knows are named in `language`."""
        with self._lock:
            own = [{**room, "address": f"{self._address}/{room['code']}", "here": True} for room in self._rooms]
            others = [room for rooms in self._others.values() for room in rooms]
        if self._position:
            own = [{**room, **self._position} for room in own]
        say = Catalogue(language)
        found = [_named(room, say) for room in (*own, *others)]
        return {"rooms": found, "positions": any("lat" in room for room in found)}

    def close(self) -> None:
        self._soon(self._ended.set)
        self._thread.join(LAST)

    def _soon(self, call: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(call)

    # In the event loop

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._until_closed())

    async def _until_closed(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            taking_part = tasks.create_task(self._take_part())
            await self._ended.wait()
            taking_part.cancel()

    async def _take_part(self) -> None:
        from zeroconf import Error
        from zeroconf.asyncio import AsyncServiceBrowser

        network = await self._network()
        own = self._info(f"{clean(socket.gethostname())[:40] or 'table'}-{urlsplit(self._address).port or 0}.{KIND}")
        try:
            async with asyncio.TaskGroup() as tasks:
                asking: dict[str, asyncio.Task[None]] = {}

                def hear(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
                    if name in asking:
                        asking.pop(name).cancel()
                    if state_change.name == "Removed":
                        self._forget(name)
                    elif len(asking) < MOST_TABLES:
                        asking[name] = tasks.create_task(self._learn(zeroconf, name))

                async with AsyncServiceBrowser(network.zeroconf, KIND, handlers=[hear]):
                    with suppress(Error, OSError):
                        # allow_name_change makes zeroconf select a free name. That takes a second.
                        await (await network.async_register_service(own, allow_name_change=True))
                    while True:
                        await self._changed.wait()
                        self._changed.clear()
                        with suppress(Error, OSError, KeyError):  # KeyError: this table could not register its name
                            await (await network.async_update_service(self._info(own.name)))
        finally:
            with suppress(Error, OSError):
                await network.async_close()

    async def _network(self) -> Any:
        from zeroconf import InterfaceChoice
        from zeroconf.asyncio import AsyncZeroconf

        while True:
            try:
                return AsyncZeroconf(list(self._interfaces) if self._interfaces else InterfaceChoice.All)
            except OSError:  # no network yet
                await asyncio.sleep(LOOK_AGAIN)

    async def _learn(self, zeroconf: Any, name: str) -> None:
        """Asks another table for its rooms, again and again until it answers, because packets can be lost."""
        from zeroconf import Error
        from zeroconf.asyncio import AsyncServiceInfo

        for rest in chain(self._rests, repeat(self._rests[-1])):
            with suppress(Error, OSError):
                told = AsyncServiceInfo(KIND, name)
                if await told.async_request(zeroconf, self._answer):
                    with self._lock:
                        self._others[name] = understood(told.properties, self._address)
                    return
            await asyncio.sleep(rest)

    def _forget(self, name: str) -> None:
        with self._lock:
            self._others.pop(name, None)

    def _info(self, name: str) -> Any:
        from zeroconf import ServiceInfo

        with self._lock:
            split, rooms = urlsplit(self._address), [dict(room) for room in self._rooms][:MOST_ROOMS]
        told: dict[str | bytes, str | bytes | None] = {"a": self._address.encode()}
        for place, room in enumerate(rooms):
            without_id = {key: value for key, value in room.items() if key != "game_id"}
            text = next((text for text in map(_written, (room, without_id)) if len(text) <= LONGEST), None)
            if text:  # if even the shorter text is too long, the room is not published
                told[f"r{place}"] = text
        if self._position:
            told["p"] = json.dumps(self._position).encode()
        addresses = []
        with suppress(OSError, TypeError):
            addresses = [socket.inet_aton(split.hostname or "")]
        server = f"{socket.gethostname()}.local."
        return ServiceInfo(KIND, name, addresses=addresses, port=split.port or 80, properties=told, server=server)


def _written(room: Mapping[str, Any]) -> bytes:
    return json.dumps(room, ensure_ascii=False, separators=(",", ":")).encode()


def _named(room: Mapping[str, Any], say: Catalogue) -> dict[str, Any]:
    """The room with the game's name in this language. If this table does not know the game, or an older version
    announced the room without an id, the name stays as announced."""
    id = room.get("game_id", "")
    return {**room, "game": game_texts.name(id, say) if id in GAMES else room["game"]}


def placed(position: str) -> dict[str, float] | None:
    """Parses a position such as 52.37,4.89; None if it is invalid."""
    try:
        lat, lon = (float(part) for part in position.split(","))
    except ValueError:
        return None
    return {"lat": lat, "lon": lon} if abs(lat) <= 90 and abs(lon) <= 180 else None


def understood(properties: Mapping[bytes, bytes | None], own: str) -> list[dict[str, Any]]:
    """The rooms announced by another table. The data is untrusted, so everything invalid is dropped."""
    address = (properties.get(b"a") or b"").decode("utf-8", "replace")
    try:
        split, place = urlsplit(address), json.loads(properties.get(b"p") or b"{}")
    except ValueError:
        return []
    if split.scheme not in ("http", "https") or not split.hostname or len(address) > 100 or address == own:
        return []
    position = placed(f"{place.get('lat')},{place.get('lon')}") if isinstance(place, dict) else None
    rooms = [_room(properties.get(f"r{number}".encode()), address) for number in range(MOST_ROOMS)]
    return [{**room, **(position or {})} for room in rooms if room]


def _room(told: bytes | None, address: str) -> dict[str, Any] | None:
    try:
        room = json.loads(told or b"null")
    except ValueError:
        return None
    if not isinstance(room, dict):
        return None
    code, players = room.get("code"), room.get("players")
    if not (isinstance(code, str) and code.isalpha() and len(code) == 4 and type(players) is int):
        return None
    return {
        "name": clean(str(room.get("name", ""))),
        "code": code.upper(),
        "game": clean(str(room.get("game", ""))),
        "game_id": clean(str(room.get("game_id", ""))),
        "players": players,
        "playing": room.get("playing") is True,
        "address": f"{address}/{code.upper()}",
        "here": False,
    }
