"""All messages in the table's queue.

Its one rule: a message is a frozen value. Other threads (for buttons, dice or the journal) can only post messages.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.engine.asks import Answer, Dice


class Message:
    """Base class of everything the queue can hold. Dataclasses that do not inherit from this class are parts of
    messages."""


@dataclass(frozen=True)
class Pressed(Message):
    """A physical button went down, after debouncing."""

    button: str  # "roll" or "end"
    at: float  # seconds of time.monotonic()


@dataclass(frozen=True)
class Released(Message):
    button: str
    at: float


@dataclass(frozen=True)
class Correction:
    """An unsure camera reading that people confirmed or corrected. Its dice are in the order of the entered ones; dice
    that the camera did not see come last and are missing here."""

    read: Dice
    sure: tuple[bool, ...]  # whether the camera was sure of each die that it read
    why: str  # why the reading was unsure
    photo: bytes  # JPEG


@dataclass(frozen=True)
class DiceRead(Message):
    """A dice source's answer to the ask with this ticket."""

    source: str
    ticket: int
    dice: Dice
    confidence: float = 1.0
    correction: Correction | None = None

    @property
    def confirmed(self) -> bool:
        """Whether people confirmed an unsure reading as it was."""
        return self.correction is not None and self.correction.read == self.dice


@dataclass(frozen=True)
class ComputerChose(Message):
    """The choice of the computer that was asked with this ticket; None if it failed."""

    ticket: int
    option: Answer | None


@dataclass(frozen=True)
class SeenDie:
    """A die as the camera sees it; its corners are fractions of the picture's width and height."""

    value: int
    corners: tuple[tuple[float, float], ...]
    sure: bool


@dataclass(frozen=True)
class CameraSaw(Message):
    """The camera's progress with the roll that was requested with this ticket.

    `state` is "" (not known yet), "empty", "moving", "hand", "still", "settled" (the dice on the tray have not
    been rolled since the ask), "read", "unsure" or "restarting". "read" and "unsure" come with the dice. Each doubt is
    one of DOUBTS in vision.reading, or "stayed" for dice that did not move."""

    ticket: int
    state: str
    count: int  # number of dice requested
    dice: tuple[SeenDie, ...] = ()
    doubts: tuple[str, ...] = ()
    places: tuple[tuple[float, float], ...] = ()  # where there is a doubt but no die, in fractions of the picture


@dataclass(frozen=True, eq=False)
class CameraLies(Message):
    """The values that the camera reads while no roll is requested. `strip` is empty if the tray has no strip for kept
    dice.

    `thrown`: the loose dice were rolled without an ask, and the strip did not change meanwhile. If not `sure`, only the
    number of dice in the strip is reliable."""

    strip: Dice
    before: Dice  # the dice in the strip when dice were last read
    loose: Dice
    thrown: bool
    sure: bool = True


@dataclass(frozen=True)
class CameraShows(Message):
    """The camera has a new picture."""

    number: int


@dataclass(frozen=True)
class CameraFits(Message):
    """Whether the camera's pictures match its calibration: "" (they do), "unknown" (no calibration), "size", "moved" or
    "other"."""

    why: str


@dataclass(frozen=True)
class CameraHolds(Message):
    """The camera was told to lock its settings. `refused` lists the settings that it did not lock: "exposure", "gain",
    "white balance", "focus"."""

    refused: tuple[str, ...]


@dataclass(frozen=True)
class SourceState(Message):
    """The state of a dice source with several devices. `trouble` is the problem at `port`, as a word whose text is
    `<source>.<word>` in the language files, or "" if there is none."""

    source: str
    port: str = ""
    trouble: str = ""
    ready: int = 0  # number of connected devices that respond


@dataclass(frozen=True)
class SourcePressed(Message):
    """The button of one device of a dice source was pressed. `player` is the owner of the device, if any."""

    source: str
    device: str
    player: str | None


@dataclass(frozen=True)
class SourcePaired(Message):
    """A device of a dice source now belongs to this player."""

    source: str
    player: str
    device: str


@dataclass(frozen=True)
class DeviceLost(Message):
    """A device is lost. `device` is a dice source's name, or "buttons"; `why` is a word whose text is `<device>.<word>`
    in the language files, or a message from the system."""

    device: str
    why: str


@dataclass(frozen=True)
class DeviceFound(Message):
    device: str


@dataclass(frozen=True)
class HotspotState(Message):
    """The state of the table's hotspot. `trouble` is a word whose text is `hotspot.trouble.<word>` in the language
    files."""

    on: bool = False
    name: str = ""
    password: str = ""
    address: str = ""  # the table's address on the hotspot's network
    network: str = ""  # while the hotspot is off: the Wi-Fi network that the table would leave to start it
    trouble: str = ""
    detail: str = ""  # the system's error message


@dataclass(frozen=True)
class Player:
    """A person known to the journal, with games played and won by game id."""

    name: str
    played: Mapping[str, int]
    won: Mapping[str, int]


@dataclass(frozen=True)
class Unfinished:
    """A game that can be resumed. `saved` is the referee's full state, including hidden dice: never send it to a
    screen."""

    match: str
    saved: Mapping[str, Any]
    levels: tuple[str | None, ...]  # the computer's level at each seat; None for a person
    guests: tuple[int, ...]  # seats of people whose names are not kept in the records
    at: float  # when it was last played, in seconds of time.time()


@dataclass(frozen=True)
class Records:
    """The journal's contents when it was opened. The most recent player and the most recently saved game come first."""

    players: tuple[Player, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    settings: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Opened(Message):
    """The journal was read."""

    records: Records


@dataclass(frozen=True)
class Recounted(Message):
    """The known players changed, but not through a game at this table: a new name, an import, a restored backup."""

    players: tuple[Player, ...]
    names: tuple[tuple[str, str | None], ...] = ()  # old and new names, if changed at this table; None if removed


@dataclass(frozen=True)
class League(Message):
    """All players of the league, from every table. `trouble` is a word whose text is `league.<word>` in the language
    files. While there is trouble, the players are the last known ones."""

    players: tuple[Player, ...]
    trouble: str = ""
    detail: str = ""  # the server's or the system's error message


@dataclass(frozen=True)
class Found(Message):
    """The requested page of the records. If the page is not available, `page` is None and `why` gives the reason."""

    ticket: int
    page: Any
    why: str = ""


@dataclass(frozen=True)
class Committed(Message):
    """The journal entry with this ticket is on the disk."""

    ticket: int


@dataclass(frozen=True)
class NotKept(Message):
    """The entry could not be written. `trouble` is a word whose text is `trouble.<word>` in the language files."""

    ticket: int
    trouble: str


@dataclass(frozen=True)
class Troubled(Message):
    """The journal has a problem, but the table continues. `detail` is a file name or a message from the system."""

    trouble: str
    detail: str


@dataclass(frozen=True)
class PhoneSaid(Message):
    """A message from the page at the other end of this connection, checked by `phone.wire`."""

    line: int
    said: Mapping[str, Any]


@dataclass(frozen=True)
class PhoneLeft(Message):
    """The connection was closed."""

    line: int


@dataclass(frozen=True)
class PhonePort(Message):
    """The address at which the phone port is open. If the address is empty, the port is closed and `why` gives the
    reason."""

    address: str
    why: str = ""


@dataclass(frozen=True)
class PowerRefused(Message):
    """The machine refused to shut down or restart. `wish` is "shut_down" or "restart", and `why` is the system's error
    message."""

    wish: str
    why: str


Post = Callable[[Message], None]
"""Can be called from any thread."""
