"""Phones for tests: real WebSockets on loopback, connected to a table without a screen."""

import asyncio
import json
import random
import threading
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from table.config.sections import PhoneSettings
from table.engine.referee import Referee
from table.session.mailbox import Mailbox
from table.session.messages import PhonePort
from table.storage.journal.writer import Journal
from table.storage.records.reader import Reader
from table.ui.phone.port import Port
from table.ui.phone.seats import PhoneRules
from table.ui.serve import LONGEST, Host

Heard = dict[Any, list[str]]  # the texts sent to each seat
SHORT = {"bluff": {"rounds": 2}, "cacho": {"dice": 3}}
SLOW = 30.0  # seconds, enough for a busy machine


class Rooms:
    """`dicetable serve` in a thread of this process, with the real host, journal, server and sockets. Its clock stands
    still until a test calls `later`. With `skips` it jumps straight to the next time when something is due.
    """

    def __init__(
        self,
        folder: Path,
        pace: float = 0.0,
        phone_rules: PhoneRules | None = None,
        pin: str = "",
        tls: Any = None,
        skips: bool = False,
        **settings: Any,
    ) -> None:
        self.phone_rules = phone_rules or PhoneRules()
        self.mailbox = Mailbox()
        self.journal = Journal(folder, self.mailbox.post)
        self.port = Port(self.mailbox.post, PhoneSettings(port=0, reach="machine", **settings), tls)
        self.reader = Reader(folder, self.mailbox.post)
        self.now = 1000.0
        self._skips = skips
        self.host = Host(
            self.journal,
            self.mailbox.post,
            self.port.send,
            self.port.of,
            self.phone_rules,
            pin,
            pace,
            clock=lambda: self.now,
            reader=self.reader,
        )
        self._opened, self._ended = threading.Event(), threading.Event()
        self.failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._opened.wait(SLOW), "the port did not open"

    def _run(self) -> None:
        self.journal.start()
        try:
            while not self._ended.is_set():
                messages = self.mailbox.take()
                for message in messages:
                    if isinstance(message, PhonePort):
                        self.port.opened(message)
                        self._opened.set()
                self.host.turn(messages, self.now)
                due = self.host.due(self.now)
                if self._skips and due < self.now + LONGEST:
                    self.now = max(self.now, due)
                self.mailbox.wait(SLOW if due > self.now else 0.0)
        except BaseException as why:
            self.failed = why
            raise

    @property
    def address(self) -> str:
        return self.port.address

    def later(self, seconds: float) -> None:
        """Advance the clock by this much."""
        self.now += seconds
        self.mailbox._bell.set()

    def close(self) -> None:
        self._ended.set()
        self.mailbox._bell.set()
        self._thread.join(SLOW)
        self.port.close()
        self.reader.close()
        self.journal.close(SLOW)
        assert self.failed is None


@contextmanager
def rooms(folder: Path, **how: Any):
    opened = Rooms(folder, **how)
    try:
        yield opened
    finally:
        opened.close()


class Phone:
    """One phone's page. Every text that it receives is kept in `heard`."""

    def __init__(self, address: str, session: aiohttp.ClientSession, name: str = "") -> None:
        self.address = address
        self.name = name
        self.token = ""
        self.room = ""
        self.state: dict[str, Any] = {}
        self.heard: list[str] = []
        self.hung_up: int | None = None  # the close code, once the table has closed the connection
        self._session = session
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._bell = asyncio.Event()

    async def open(self, room: str = "", watch: bool = False, language: str = "en") -> "Phone":
        await self.connect()
        self.room = room or self.room
        await self.say("hello", room=self.room, token=self.token, language=language, watch=watch)
        return self

    async def connect(self, **headers: str) -> None:
        self.hung_up, self.state, self._said = None, {}, asyncio.Queue()
        self._socket = await self._session.ws_connect(
            f"{self.address.replace('http', 'ws', 1)}/ws", headers={"Origin": self.address, **headers}
        )
        self._reader = asyncio.create_task(self._read(self._socket))

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            assert message.type == aiohttp.WSMsgType.TEXT
            self.heard.append(message.data)
            said = json.loads(message.data)
            if said["is"] == "state":
                self.state = said
            elif said["is"] == "yours":
                self.token, self.room = said["token"], said["room"]
            if said["is"] != "beat":
                self._said.put_nowait(said)
            self._bell.set()
        self.hung_up = socket.close_code
        self._bell.set()

    async def say(self, word: str, **fields: Any) -> None:
        await self.raw(json.dumps({"say": word, **fields}))

    async def raw(self, text: str | bytes) -> None:
        assert self._socket is not None
        await (self._socket.send_bytes(text) if isinstance(text, bytes) else self._socket.send_str(text))

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait for the next message that matches, and discard those before it."""
        async with asyncio.timeout(SLOW):
            while True:
                said = await self._said.get()
                if wanted(said):
                    return said

    async def sees(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until the state matches, and return it."""
        await self.notices(lambda: self.state and wanted(self.state))
        return self.state

    async def notices(self, wanted: Callable[[], Any]) -> None:
        async with asyncio.timeout(SLOW):
            while not wanted():
                await self.hears()

    def hears(self) -> Coroutine[Any, Any, bool]:
        """Wait for the next message or the end of the connection."""
        self._bell.clear()
        return self._bell.wait()

    async def close(self) -> None:
        if self._socket and self._reader:
            await self._socket.close()
            await self._reader


def touch(state: dict[str, Any], chance: random.Random) -> dict[str, Any] | None:
    """A random action among those the page offers, or None."""
    ask = state["ask"]
    if ask is None:
        return None
    if ask["kind"] == "roll":
        return {"say": "roll", "at": ask["at"]}
    picks = [option["pick"] for option in ask.get("options", ())]
    picks += [one["pick"] for one in ask.get("sets", ())]
    picks += [face["pick"] for count in ask.get("counts", ())[:3] for face in count["faces"]]
    # Words (dudo, accept, call) are as likely as all numbers together, because a game with nothing but raises would
    # take too long.
    words = [option["pick"] for option in ask.get("options", ())]
    pick = chance.choice(words) if words and chance.random() < 0.5 else chance.choice(picks)
    return {"say": "pick", "at": ask["at"], "pick": pick}


async def play_out(phone: Phone, chance: random.Random) -> None:
    """Choose at random until the game is over."""
    while True:
        await phone.sees(lambda state: state["phase"] == "over" or state["ask"])
        said = touch(phone.state, chance)
        if said is None:
            return
        await phone.raw(json.dumps(said))
        await phone.sees(lambda state, at=said["at"]: state["at"] != at)


async def seat(
    address: str, session: aiohttp.ClientSession, names: list[str], game: str, **options: Any
) -> list[Phone]:
    """Open a room with these people, all ready; the first one is the host."""
    host = await Phone(address, session, names[0]).open()
    await host.until(lambda said: said["is"] == "rooms")
    await host.say("create", name="", player=names[0])
    await host.sees(lambda state: state["you"])
    people = [host]
    for name in names[1:]:
        phone = await Phone(address, session, name).open(host.room)
        await phone.say("join", name=name)
        await phone.sees(lambda state: state["you"])
        people.append(phone)
    await host.say("game", game=game)
    for phone in people[1:]:
        await phone.say("ready", ready=True)
    await host.sees(lambda state: state["lobby"]["game"] == game and state["lobby"]["start"])
    for name, value in options.items():
        await host.say("option", name=name, value=value)
    return people


async def whole_game(table: Rooms, session: aiohttp.ClientSession, game: str, seed: int) -> tuple[Any, Heard]:
    """Play a game on three phones, with a spectator and a public table.

    Returns the referee at the end and every text that was sent, by seat (None for those without a seat)."""
    people = await seat(table.address, session, ["Ann", "Bo", "Carla"], game, **SHORT[game])
    watcher = await Phone(table.address, session, "watcher").open(people[0].room)
    public = await Phone(table.address, session, "table").open(people[0].room, watch=True, language="es")
    await people[0].say("start")
    for phone in (*people, watcher, public):
        await phone.sees(lambda state: state["phase"] == "playing")
    await asyncio.gather(*(play_out(phone, random.Random(f"{seed} {n}")) for n, phone in enumerate(people)))
    room = table.host.connections.rooms[people[0].room]
    heard: Heard = {phone.state["you"]["seat"]: phone.heard for phone in people}
    heard[None] = watcher.heard + public.heard
    for phone in (*people, watcher, public):
        await phone.sees(lambda state: state["phase"] == "over")
        await phone.close()
    return room.session.match.referee, heard


def leaks(played: Any, heard: Heard) -> tuple[int, list[str]]:
    """Look for hidden hands in everything that was sent. Returns how many hands were checked, and a
    sentence for each mistake.

    The hidden hands are found by replaying the game's answers, because its views may be wrong."""
    again = Referee(played.game, played.players, played.options, played.seed)
    hidden = [_hidden(again)]
    for _, answer in played.history:
        again.answer(answer)
        hidden.append(_hidden(again))
    looked, found = 0, []
    for listener, texts in heard.items():
        for text in texts:
            state = json.loads(text)
            if state["is"] != "state" or not state["at"]:
                continue
            secret = hidden[int(state["at"].split(":")[1])]
            for shown in state["table"]["seats"]:
                dice = secret.get(shown["seat"])
                if dice is None:
                    continue
                looked += 1
                if any(die is not None for die in shown["dice"]) and shown["seat"] != listener:
                    found.append(f"{listener} saw {shown}")
            own = secret.get(listener) if state["phase"] == "playing" else None
            if (state["hand"] or {"dice": None})["dice"] != (list(own) if own else None):
                found.append(f"{listener} had {own} and was sent {state['hand']}")
    return looked, found


def _hidden(game: Any) -> dict[int, tuple[int, ...]]:
    hands = game.table.hands
    return {seat: hands._dice[seat] for seat, covered in enumerate(hands._hidden) if covered and hands._dice[seat]}
