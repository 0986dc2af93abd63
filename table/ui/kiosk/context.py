"""What all scenes share: the session, the words, the settings, who is known here, and what is wrong.

Its one rule: it decides nothing. A setting that is changed holds at once and is kept by the journal.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from table.config import Config
from table.devices import SOURCES
from table.devices.calibrating import Calibrating
from table.devices.camera import CameraDice
from table.devices.edice import EDice
from table.devices.hotspot import Hotspot
from table.games import GAMES
from table.session.guard import Guard
from table.session.lineup import Lineup, again, counted
from table.session.match import Match
from table.session.messages import (
    CameraLies,
    CameraSaw,
    Committed,
    DeviceLost,
    EDiceState,
    Found,
    HotspotState,
    League,
    NotKept,
    Player,
    PowerRefused,
    Records,
    Troubled,
    Unfinished,
)
from table.session.session import Session
from table.storage.journal import Entry, Setting, store
from table.storage.league import SHOWN, sentence
from table.storage.mqtt import MqttPublisher
from table.storage.records import read
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue, languages
from table.text.narration import recorded
from table.ui.phone import words
from table.ui.phone.connections import Connections
from table.ui.phone.port import Port
from table.ui.phone.record_requests import Books
from table.ui.phone.room import PhoneRules, Room

PASSING = ("full", "readonly", "locked", "failed")
"""Troubles of the journal that are over once it has kept something."""


ROOM = "room"  # the setting under which the journal keeps who joined with a phone,
GUARD = "guard"  # and how often the PIN was tried


@dataclass(frozen=True)
class Settings:
    """What people change at the table itself; the config says how it begins."""

    language: str = "en"
    large_text: bool = False
    brightness: int = 100
    sound: bool = True
    volume: int = 70
    source: str = "simulated"
    odds: bool = False  # beside what is asked

    @staticmethod
    def of(config: Config) -> "Settings":
        return Settings(
            config.screen.language,
            config.screen.large_text,
            config.screen.brightness,
            config.sound.on,
            config.sound.volume,
            config.dice.source,
        )

    def with_kept(self, kept: dict[str, Any]) -> "Settings":
        """These, changed by what the journal kept; what this version does not know is passed over."""
        return replace(self, **{name: value for name, value in kept.items() if name in RIGHT and RIGHT[name](value)})


RIGHT: dict[str, Callable[[Any], bool]] = {
    "language": lambda value: value in languages(),
    "large_text": lambda value: type(value) is bool,
    "brightness": lambda value: type(value) is int and 0 <= value <= 100,
    "sound": lambda value: type(value) is bool,
    "volume": lambda value: type(value) is int and 0 <= value <= 100,
    "source": lambda value: value in SOURCES,
    "odds": lambda value: type(value) is bool,
}
"""What a setting may be, by its name."""


class Keeper(Protocol):
    def keep(self, entry: Entry) -> int: ...


class Ears(Protocol):
    """What scenes need of the sounds."""

    def play(self, name: str) -> None: ...
    def set(self, on: bool, volume: int) -> None: ...
    def close(self) -> object: ...


@dataclass
class KioskContext:
    session: Session
    journal: Keeper
    config: Config
    settings: Settings
    say: Catalogue
    sounds: Ears
    camera: CameraDice
    edice: EDice
    power: Callable[[str], None]  # asks the machine to "shut_down" or to "restart"
    service: bool = False  # the table is all that this machine is for: one restarts with the other
    edice_state: EDiceState = field(default_factory=EDiceState)
    misfit: str = ""  # why the camera's pictures do not fit what it learnt of its tray, if so
    unheld: tuple[str, ...] = ()  # settings that the camera goes on changing by itself
    saw: CameraSaw | None = None  # how it goes with the dice that the camera was last asked for
    lies: CameraLies | None = None  # what lies under the camera, set aside or thrown without an ask
    buttons_missing: str | None = None  # why there are no physical buttons, if so
    had_buttons: bool = False  # there were some since the start
    fixed: frozenset[str] = frozenset()  # settings that the command line or somebody here has decided
    records: Records | None = None  # None: the journal is still being read
    troubles: dict[str, str] = field(default_factory=dict)  # what is wrong with keeping, by its word
    ending: str | None = None  # "exit" or "restart", once somebody wants that
    refused: PowerRefused | None = None  # why the machine did not do what it was last asked for
    last: Lineup | None = None  # the party that played last
    calibrating: Callable[[], Calibrating] | None = None  # how the camera is calibrated, if there is one
    hotspot: Hotspot | None = None  # the table's own Wi-Fi, where there can be one
    hotspot_state: HotspotState | None = None  # None: nobody has asked yet
    room: Room = field(init=False)  # whoever joins with a phone
    _counted: str = field(default="", init=False)  # the match that was last counted as won
    port: Port | None = None  # by which they do, where that is wished for
    connections: Connections | None = None
    league: League | None = None  # what the league last said, where this table is in one
    publisher: MqttPublisher | None = None  # who tells the house, where there is one to be told
    reader: Reader | None = None  # who reads the records, where any are kept
    guard: Guard = field(init=False)  # of what only the operator may do
    _asked: dict[int, Callable[[Found], None]] = field(default_factory=dict, init=False)  # by their tickets
    _given: dict[int, Callable[[Committed | NotKept], None]] = field(default_factory=dict, init=False)
    demo: bool = False  # computers play all games in turn, for whoever watches

    def __post_init__(self) -> None:
        chance, phones = random.SystemRandom(), self.config.phones
        house = PhoneRules(phones.odds, phones.patience, False)
        name = phones.room or words.name(chance)
        self.room = Room(self.session, words.code(chance), name, house, lambda: self.players)
        self.guard = Guard(self.config.operator.typed)

    def connect(self, port: Port) -> None:
        """Phones may join from now on."""
        self.port = port
        books = Books(self.reader, self.journal.keep, lambda: self.league) if self.reader else None
        self.connections = Connections(port.send, port.of, self.room.house, self.config.operator.pin, books=books)
        if self.records:
            self.connections.open(self.room)

    @property
    def joining(self) -> str:
        """The address of the room; empty if phones cannot join."""
        return self.port.of(self.room.code) if self.port and self.port.address and self.records else ""

    def publish(self) -> None:
        """What has changed goes to all phones and to the house, and who is here to the disk."""
        if self.publisher:
            self.publisher.tell([self.session], self.say)
        if self.connections and self.port:
            self.room.tick()
            self.connections.publish()
            self.port.tell(self.connections)
        if self.room.kept_changed:
            self.room.kept_changed = False
            self.journal.keep(Setting(ROOM, self.room.kept()))

    def sit_down(self, party: Lineup) -> None:
        """Begins the game in the session; Refused says why it cannot."""
        self.room.sit_down(party)
        self.last = party

    def play_again(self, match: Match) -> None:
        """The same once more, phones in their seats; Refused says why it cannot be."""
        if self.session.match is None:
            self.sit_down(again(match))
        else:
            self.room.again()
            self.last = self.room.party

    @property
    def players(self) -> tuple[Player, ...]:
        return self.records.players if self.records else ()

    @property
    def board(self) -> tuple[str, tuple[Player, ...]]:
        """Who is on the leaderboard: everybody of the league, or of this table; and the text that says which."""
        return recorded.board(self.league, self.players, self.say)

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """Those that this version can go on with."""
        return tuple(one for one in self.records.unfinished if one.saved["game"] in GAMES) if self.records else ()

    def opened(self, records: Records) -> None:
        """The journal was read; what happened here meanwhile counts as well."""
        before = self.records or Records()
        known = {one.match for one in before.unfinished}, {player.name for player in before.players}
        self.records = replace(
            records,
            unfinished=(*before.unfinished, *(one for one in records.unfinished if one.match not in known[0])),
            players=(*before.players, *(player for player in records.players if player.name not in known[1])),
        )
        self.room.restore((records.settings or {}).get(ROOM) or {})
        self.room.name = self.config.phones.room or self.room.name
        if self.connections:
            self.connections.open(self.room)
        self.guard.restore((records.settings or {}).get(GUARD), time.time())
        kept = {name: value for name, value in (records.settings or {}).items() if name not in self.fixed}
        self._apply(self.settings.with_kept(kept))

    def change(self, name: str, value: Any) -> None:
        self._apply(replace(self.settings, **{name: value}))
        if name == "source" and self.session.source != value:  # another one had stood in for it
            self.session.use(value)
        self.fixed |= {name}  # whatever the journal may still have to say
        self.journal.keep(Setting(name, value))

    def keep_guard(self, now: float) -> None:
        """The PIN was tried."""
        self.journal.keep(Setting(GUARD, self.guard.kept(now, time.time())))

    def _apply(self, settings: Settings) -> None:
        if settings.language != self.settings.language:
            self.say = Catalogue(settings.language)
        if settings.source != self.settings.source:
            self.session.use(settings.source)
        if settings.source == "edice":
            self.edice.open()  # their buttons are heard before the first throw
        self.settings = settings
        self.sounds.set(settings.sound, settings.volume)

    def why(self, lost: DeviceLost) -> str:
        """What a device that was lost has to say for itself."""
        return self.say(f"edice.{lost.why}") if lost.device == "edice" else self.say("device.why", why=lost.why)

    def trouble(self, troubled: Troubled) -> None:
        self.troubles[troubled.trouble] = troubled.detail or self.troubles.get(troubled.trouble, "")

    def wrong(self) -> str:
        """A sentence on what is not as it should be; empty if everything is."""
        if self.troubles:
            code, detail = next(iter(self.troubles.items()))
            return self.say(f"trouble.{code}", detail=detail)
        if self.edice_state.trouble and self.session.source == "edice":
            what = self.say(f"edice.{self.edice_state.trouble}")
            return self.say("edice.at", port=self.edice_state.port, what=what)
        if self.buttons_missing and self.config.buttons.enabled == "on":
            return self.say("device.why", why=self.buttons_missing)
        if self.buttons_missing and self.had_buttons:
            return self.say("device.lost", device=self.say("device.buttons"))
        if self.league and self.league.trouble in SHOWN:
            return sentence(self.league, self.config.league, self.say)
        return self.publisher.wrong(self.say) if self.publisher else ""

    @property
    def keeps_nothing(self) -> bool:
        """What is played now would be lost."""
        return any(passing in self.troubles for passing in PASSING)

    def kept(self) -> None:
        """The disk takes again what it is given."""
        for passing in PASSING:
            self.troubles.pop(passing, None)

    def forget_unfinished(self, match: str) -> None:
        if self.records:
            left = tuple(one for one in self.records.unfinished if one.match != match)
            self.records = replace(self.records, unfinished=left)

    def won(self, match: Match) -> None:
        """A game is over: whoever played it is known from now on, with one more game, or won."""
        if match.id != self._counted:  # by whoever noticed first: the screen, or the loop
            self._counted = match.id
            records = self.records or Records()
            self.records = replace(records, players=counted(records.players, match))

    def ask(self, question: read.Question[Any], take: Callable[[Found], None]) -> None:
        """A page of the records, read by somebody else: it is given to `take` when it is there, or why it is not."""
        assert self.reader is not None
        self._asked[self.reader.ask(question)] = take

    def keep(self, entry: Entry, take: Callable[[Committed | NotKept], None]) -> None:
        """Gives that to the journal; what has become of it is given to `take`."""
        self._given[self.journal.keep(entry)] = take

    def answered(self, message: Found | Committed | NotKept) -> bool:
        """Something that was asked for here is there; whether somebody had."""
        if self.connections:
            self.connections.answered(message)
        if isinstance(message, Found):
            if asked := self._asked.pop(message.ticket, None):
                asked(message)
            return asked is not None
        if given := self._given.pop(message.ticket, None):
            given(message)
        return given is not None

    def recounted(self, players: tuple[Player, ...]) -> None:
        """Names have changed, or another program has changed the records: what is known here of them is read anew."""
        self.records = replace(self.records or Records(), players=players)
        known = {player.name for player in players}
        if self.last and any(not (seat.level or seat.guest or seat.name in known) for seat in self.last.seats):
            self.last = None
        if self.reader:
            before = self.records.unfinished
            self.ask(
                lambda connection: store.records(connection).unfinished,
                lambda found: self._took_unfinished(found, before),
            )

    def _took_unfinished(self, found: Found, before: tuple[Unfinished, ...]) -> None:
        """Unless one of them was taken up, or given up, while that was being read."""
        if found.page is not None and self.records and self.records.unfinished is before:
            playing = self.session.match.id if self.session.match else ""
            left = tuple(one for one in found.page if one.match != playing)
            self.records = replace(self.records, unfinished=left)

    def set_aside(self) -> None:
        """The game on the table can be gone on with later."""
        aside = self.session.set_aside()
        if aside:
            self.forget_unfinished(aside.match)
            records = self.records or Records()
            self.records = replace(records, unfinished=(aside, *records.unfinished))
