"""A server without a screen: phones open rooms, each with its own session (`dicetable serve`).

Its one rule: one thread owns all rooms, and waits only for the next message or a computer's next move.
"""

import random
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from table.config import Config
from table.devices.simulated import SimulatedDice
from table.engine.errors import Closed, Refused
from table.engine.names import made_good
from table.session.mailbox import Mailbox
from table.session.messages import Message, Opened, PhonePort, Post, Troubled, Unfinished
from table.session.session import Session
from table.storage.journal.entries import Setting
from table.storage.journal.lock import Lock
from table.storage.journal.writer import Journal
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue
from table.ui.phone import words
from table.ui.phone.connections import Connections
from table.ui.phone.port import Port
from table.ui.phone.room import Room
from table.ui.phone.seats import PhoneRules
from table.ui.phone.updates import Send
from table.ui.shared.dispatch import dispatch, tick
from table.ui.shared.history import History
from table.ui.shared.storage import Keeper, Storage, complain

MOST_ROOMS = 12
EMPTY, UNUSED = 30 * 60.0, 60.0  # seconds after which an empty room is closed: with a game, without one
LONGEST = 0.25  # maximum seconds between two iterations of the loop
CLOSING = 2.0  # seconds for the journal to close
KEPT = "rooms"  # name of the setting that holds the rooms in the journal


def run(
    config: Config,
    folder: Path,
    tls: ssl.SSLContext | None,
    opened: Callable[[str], None],
    ended: Callable[[], bool],
) -> None:
    """Runs the rooms until `ended`. `opened` receives the address. Raises Closed if no port can be opened. Problems
    with the journal, the league and MQTT are printed on stderr."""
    settings, say = config.phones, Catalogue(config.screen.language)
    with ExitStack() as held:
        held.enter_context(Lock(folder))
        mailbox = Mailbox()
        size, league = config.journal.megabytes * 1_000_000, bool(config.league.address)
        journal = Journal(folder, mailbox.post, size, league)
        held.callback(journal.close, CLOSING)
        port = Port(mailbox.post, settings, tls)
        held.callback(port.close)
        reader = Reader(folder, mailbox.post)
        held.callback(reader.close)
        phone_rules = PhoneRules(settings.odds, settings.patience, settings.create)
        host = Host(journal, mailbox.post, port.send, port.of, phone_rules, config.operator.pin, reader=reader)
        host.storage.open_services(held, config, folder, mailbox.post, say)
        journal.start()
        while not ended():
            messages = mailbox.take()
            for message in messages:
                if isinstance(message, PhonePort):
                    port.opened(message)
                    if not message.address:
                        raise Closed(f"No port from {settings.port} up can be opened: {message.why}.")
                    opened(message.address)
                elif isinstance(message, Troubled):
                    complain(say(f"trouble.{message.trouble}", detail=message.detail))
            now = time.monotonic()
            host.turn(messages, now)
            port.tell(host.connections)
            if publisher := host.storage.publisher:
                publisher.tell([room.session for room in host.connections.rooms.values()], say)
            mailbox.wait(max(0.0, host.due(now) - now))


class Host:
    """All rooms of this machine."""

    def __init__(
        self,
        journal: Keeper,
        post: Post,
        send: Send,
        address: Callable[[str], str],
        phone_rules: PhoneRules,
        pin: str = "",
        pace: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        reader: Reader | None = None,
    ) -> None:
        self.history = History()
        self.storage = Storage(journal, reader)
        self.connections = Connections(send, address, phone_rules, pin, self._create, clock, self.storage)
        self._post = post
        self._pace = pace
        self._clock = clock
        self._chance = random.SystemRandom()
        self._empty: dict[str, float] = {}  # since when each room has been empty

    def turn(self, messages: Sequence[Message], now: float) -> None:
        rooms = self.connections.rooms
        for message in messages:
            dispatch(message, self.history, self.storage, self.connections, rooms.values())
            if isinstance(message, Opened):
                self._restore((message.records.settings or {}).get(KEPT), message.records.unfinished)
        tick(now, None, self.history, rooms.values())
        for room in list(rooms.values()):
            self._look_after(room, now)
        self.connections.publish()
        if any(room.kept_changed for room in rooms.values()):
            self._keep()

    def due(self, now: float) -> float:
        dues = [room.session.pace.due for room in self.connections.rooms.values()]
        return min([now + LONGEST, self.connections.due, *(due for due in dues if due is not None)])

    def _look_after(self, room: Room, now: float) -> None:
        """Updates the room, and closes it if it has been empty for too long."""
        room.session.news.take()  # discard the news: phones receive the whole state
        if fault := room.session.news.take_fault():
            room.notice = f"play.fault_{fault}"
        room.tick()
        if any(person.here for person in room.people.values()):
            self._empty.pop(room.code, None)
        elif now - self._empty.setdefault(room.code, now) > (EMPTY if room.session.match else UNUSED):
            room.session.set_aside()
            self.connections.close(room)
            self._empty.pop(room.code, None)
            self._keep()

    def _create(self, name: str) -> Room:
        if len(self.connections.rooms) >= MOST_ROOMS:
            raise Refused("refused.no_more_rooms")
        taken = [room.name for room in self.connections.rooms.values()]
        name = made_good([*taken, name])[-1] if name else words.name(self._chance, taken)
        return self._room(words.code(self._chance, self.connections.rooms), name)

    def _room(self, code: str, name: str) -> Room:
        dice = SimulatedDice(self._post)
        session = Session(self.storage.journal, {dice.name: dice}, dice.name, post=self._post, pace=self._pace)
        phone_rules = self.connections.phone_rules
        return Room(session, code, name, phone_rules, lambda: self.history.players, screen=False, clock=self._clock)

    def _keep(self) -> None:
        rooms = []
        for room in self.connections.rooms.values():
            room.kept_changed = False
            rooms.append(room.kept())
        self.storage.journal.keep(Setting(KEPT, rooms))

    def _restore(self, kept: Any, unfinished: Sequence[Unfinished]) -> None:
        """Restores the rooms and their games after a restart."""
        games = {one.match: one for one in unfinished}
        for one in kept if isinstance(kept, list) else []:
            code = one.get("code") if isinstance(one, dict) else None
            if not isinstance(code, str) or code in self.connections.rooms:
                continue
            room = self._room(code, "")
            room.restore(one)
            self.connections.open(room)
            game = games.get(str(one.get("match")))
            if game:
                try:
                    room.session.go_on(game)
                except Refused:
                    continue  # the rules have changed or are faulty: the game stays in the journal
                room.resumed()
