"""Tables on the same network: this one is made known, and the others are listened for, through zeroconf.

Its one rule: it says no more than the join page says to anybody who opens it, and what others say is only ever shown.
"""

import json
import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from table.names import clean

KIND = "_dicetable._tcp.local."
MOST_TABLES, MOST_ROOMS = 30, 12
LONGEST = 250  # bytes of a room in what is told to others
LOOK_AGAIN = 20.0  # seconds between two looks for a network
ANSWER = 1500  # milliseconds that a table has to tell of itself


class Nearby:
    """Opens in a thread of its own, as a network may take its time; without one, nobody is near."""

    def __init__(self, address: str, position: str = "", interfaces: Sequence[str] | None = None) -> None:
        """`interfaces`: addresses of this machine to be heard at; None: all."""
        self._address = address
        self._position = placed(position)
        self._interfaces = interfaces
        self._rooms: list[Mapping[str, Any]] = []  # of this table
        self._others: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="near", daemon=True)
        self._thread.start()

    def tell(self, address: str, rooms: list[Mapping[str, Any]]) -> None:
        """Where the table is, and the rooms that are open here, as everybody may know them."""
        with self._lock:
            if (address, rooms) == (self._address, self._rooms):
                return
            self._address, self._rooms = address, rooms
        self._changed.set()

    def listed(self) -> dict[str, Any]:
        """For the join page: this table's rooms first, then those of the others."""
        with self._lock:
            own = [{**room, "address": f"{self._address}/{room['code']}", "here": True} for room in self._rooms]
            others = [room for rooms in self._others.values() for room in rooms]
        if self._position:
            own = [{**room, **self._position} for room in own]
        found = [*own, *others]
        return {"rooms": found, "positions": any("lat" in room for room in found)}

    def close(self) -> None:
        self._ended.set()
        self._changed.set()
        self._thread.join(2.0)

    def _run(self) -> None:
        from zeroconf import Zeroconf

        while not self._ended.is_set():
            try:
                network = Zeroconf(interfaces=list(self._interfaces)) if self._interfaces else Zeroconf()
            except OSError:  # there is no network yet
                self._ended.wait(LOOK_AGAIN)
                continue
            self._take_part(network)

    def _take_part(self, network: Any) -> None:
        from zeroconf import Error, ServiceBrowser

        own = self._info(f"{clean(socket.gethostname())[:40] or 'table'}-{urlsplit(self._address).port or 0}.{KIND}")
        try:
            with suppress(Error, OSError):
                network.register_service(own, allow_name_change=True)  # and then it has the name that was free
            ServiceBrowser(network, KIND, handlers=[self._heard])
            while not self._ended.is_set():
                self._changed.wait()
                self._changed.clear()
                if not self._ended.is_set():
                    with suppress(Error, OSError, KeyError):  # the last: nobody took its name
                        network.update_service(self._info(own.name))
        finally:
            with suppress(Error, OSError):
                network.close()

    def _info(self, name: str) -> Any:
        from zeroconf import ServiceInfo

        with self._lock:
            split, rooms = urlsplit(self._address), [dict(room) for room in self._rooms][:MOST_ROOMS]
        told: dict[str | bytes, str | bytes | None] = {"a": self._address.encode()}
        for place, room in enumerate(rooms):
            text = json.dumps(room, ensure_ascii=False).encode()
            if len(text) <= LONGEST:  # of one that is longer the others hear nothing
                told[f"r{place}"] = text
        if self._position:
            told["p"] = json.dumps(self._position).encode()
        addresses = []
        with suppress(OSError, TypeError):
            addresses = [socket.inet_aton(split.hostname or "")]
        server = f"{socket.gethostname()}.local."
        return ServiceInfo(KIND, name, addresses=addresses, port=split.port or 80, properties=told, server=server)

    def _heard(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        if state_change.name == "Removed":
            with self._lock:
                self._others.pop(name, None)
            return
        # A lost packet is not sent again by itself, and a table that is silent now may be heard in a moment.
        info = next(filter(None, (zeroconf.get_service_info(service_type, name, ANSWER) for _ in range(3))), None)
        rooms = understood(info.properties if info else {}, self._address)
        with self._lock:
            if len(self._others) < MOST_TABLES or name in self._others:
                self._others[name] = rooms


def placed(position: str) -> dict[str, float] | None:
    """52.37,4.89 as a place on Earth; nothing if it is none."""
    try:
        lat, lon = (float(part) for part in position.split(","))
    except ValueError:
        return None
    return {"lat": lat, "lon": lon} if abs(lat) <= 90 and abs(lon) <= 180 else None


def understood(properties: Mapping[bytes, bytes | None], own: str) -> list[dict[str, Any]]:
    """The rooms that another table tells of. It may be anybody: only what is as it should be is shown."""
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
        "players": players,
        "playing": room.get("playing") is True,
        "address": f"{address}/{code.upper()}",
        "here": False,
    }
