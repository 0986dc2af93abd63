"""The state that all scenes share: session, catalogue, settings, devices, known players and connected phones.

The context makes no decisions. A changed setting takes effect immediately and is saved in the journal.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from table.config import Config
from table.session.guard import Guard
from table.session.lineup import Lineup, again, in_language
from table.session.match import Match
from table.session.messages import Found, Player, PowerRefused, Records, Unfinished
from table.session.session import Session, rename
from table.storage.journal import store
from table.storage.journal.entries import Setting
from table.text import guests
from table.text.catalogue import Catalogue
from table.text.records.words import board
from table.ui.kiosk.devices import Devices
from table.ui.kiosk.settings import Settings
from table.ui.phone import words
from table.ui.phone.connections import Connections
from table.ui.phone.port import Port
from table.ui.phone.room import Room
from table.ui.phone.seats import PhoneRules
from table.ui.shared.history import History, playable
from table.ui.shared.storage import Storage

ROOM = "room"  # journal setting with the people who joined by phone
GUARD = "guard"  # journal setting with the failed PIN attempts
UNASKED = "unasked"  # journal setting with the number of rolls in a row that the camera has read without asking


class SoundPlayer(Protocol):
    """The part of the sound player that scenes use."""

    def play(self, name: str) -> None: ...
    def set(self, on: bool, volume: int) -> None: ...
    def close(self) -> object: ...


@dataclass
class Run:
    """How this run of the table was started, and how it ends."""

    power: Callable[[str], None]  # asks the machine to "shut_down" or "restart"
    service: bool = False  # whether this is a system service on a dedicated machine: table and machine restart together
    demo: bool = False  # computers play every game in turn
    ending: str | None = None  # "exit" or "restart", once requested
    refused: PowerRefused | None = None  # why the machine refused the last power request


@dataclass(frozen=True)
class Phones:
    """The port for phones and the phones connected through it."""

    port: Port
    connections: Connections


@dataclass(slots=True)
class KioskContext:
    session: Session
    config: Config
    settings: Settings
    say: Catalogue
    sounds: SoundPlayer
    devices: Devices
    storage: Storage
    run: Run
    history: History = field(default_factory=History)
    room: Room = field(init=False)  # people who joined by phone, and the line-up of the next game
    phones: Phones | None = None  # None if the config disables phones
    guard: Guard = field(init=False)  # protects actions reserved for the operator

    def __post_init__(self) -> None:
        chance, phones = random.SystemRandom(), self.config.phones
        phone_rules = PhoneRules(phones.odds, phones.patience, False)
        name = phones.room or words.name(chance)
        self.room = Room(self.session, words.code(chance), name, phone_rules, lambda: self.history.players)
        self.guard = Guard(self.config.operator.typed)

    def change(self, name: str, value: Any) -> None:
        self._apply(self.settings.changed(name, value))
        # `_apply` ignores an unchanged setting, but a substitute for this source might be in use.
        if name == "source" and self.session.dice.source != value:
            self.session.dice.use(value)
        self.storage.journal.keep(Setting(name, value))

    def _apply(self, settings: Settings) -> None:
        if settings.language != self.settings.language:
            self.say = Catalogue(settings.language)
            self.name_guests()
        if settings.source != self.settings.source:
            self.session.dice.use(settings.source)
        self.settings = settings
        self.sounds.set(settings.sound, settings.volume)

    def name_guests(self) -> None:
        """Gives guests their names in the current language, in the running game and in the line-ups."""
        lobby, match = self.room.lobby, self.session.match
        lobby.lineup = in_language(lobby.lineup, self.say)
        self.history.last = self.history.last and in_language(self.history.last, self.say)
        if match:
            rename(self.session, guests.in_language(match.referee.players, match.guests, self.say))
        self.room.touch()

    def keep_guard(self, now: float) -> None:
        """Saves the PIN attempts in the journal."""
        self.storage.journal.keep(Setting(GUARD, self.guard.kept(now, time.time())))

    def count_unasked(self, unasked: int) -> None:
        """Saves how many rolls in a row the camera has read without asking."""
        if unasked != self.devices.unasked:
            self.devices.unasked = unasked
            self.storage.journal.keep(Setting(UNASKED, unasked))

    def wrong(self) -> str:
        """A sentence about the first problem found, or an empty string."""
        need_buttons = self.config.buttons.enabled == "on"
        return (
            self.storage.not_kept(self.say)
            or self.devices.wrong(self.session.dice.source, need_buttons, self.say)
            or self.storage.not_sent(self.config.league, self.say)
        )

    # Phones

    def connect(self, port: Port) -> None:
        """Lets phones join from now on."""
        pin = self.config.operator.pin
        connections = Connections(port.send, port.of, self.room.phone_rules, pin, storage=self.storage)
        self.phones = Phones(port, connections)
        if self.history.read:
            connections.open(self.room)

    @property
    def joining(self) -> str:
        """The address where phones join; empty if they cannot."""
        port = self.phones and self.phones.port
        return port.of(self.room.code) if port and port.address and self.history.read else ""

    def publish(self) -> None:
        """Sends changes to all phones and over MQTT, and saves who is in the room."""
        if self.storage.publisher:
            self.storage.publisher.tell([self.session], self.say)
        if self.phones:
            self.room.tick()
            self.phones.connections.publish()
            self.phones.port.tell(self.phones.connections)
        if self.room.kept_changed:
            self.room.kept_changed = False
            self.storage.journal.keep(Setting(ROOM, self.room.kept()))

    # Games

    def sit_down(self, lineup: Lineup) -> None:
        """Starts a game with this line-up. Raises Refused if the game cannot start."""
        lineup = in_language(lineup, self.say)
        self.room.sit_down(lineup)
        self.history.last = lineup

    def play_again(self, match: Match) -> None:
        """Starts the same game again. Phones keep their seats. Raises Refused if the game cannot start."""
        if self.session.match is None:
            self.sit_down(again(match))
        else:
            self.room.again()
            self.history.last = self.room.lobby.lineup

    def set_aside(self) -> None:
        """Sets the current game aside so that it can be resumed later."""
        if aside := self.session.set_aside():
            self.history.put_aside(aside)

    # Records

    @property
    def board(self) -> tuple[str, tuple[Player, ...]]:
        """The title and players of the leaderboard: the league's, or else this table's."""
        return board(self.storage.league, self.history.players, self.say)

    def opened(self, records: Records) -> None:
        """Restores the room, the PIN attempts and the settings from the journal."""
        kept = records.settings or {}
        self.room.restore(kept.get(ROOM) or {})
        self.room.name = self.config.phones.room or self.room.name
        if self.phones:
            self.phones.connections.open(self.room)
        self.guard.restore(kept.get(GUARD), time.time())
        unasked = kept.get(UNASKED)
        self.devices.unasked = unasked if type(unasked) is int and unasked > 0 else 0
        self._apply(self.settings.with_kept(kept))

    def recounted(self) -> None:
        """Reads the unfinished games again, because names or records have changed."""
        if self.storage.reader:
            before = self.history.unfinished
            self.storage.ask(
                lambda connection: store.records(connection).unfinished, partial(self._took_unfinished, before)
            )

    def _took_unfinished(self, before: tuple[Unfinished, ...], found: Found) -> None:
        """Stores the unfinished games that were read, unless one of them was resumed or discarded in the meantime."""
        if found.page is not None and self.history.unfinished is before:
            self.history.unfinished = playable(found.page)
            if self.session.match:
                self.history.forget(self.session.match.id)
