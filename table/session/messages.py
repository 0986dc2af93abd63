"""All that can arrive at the table: the one queue holds these and nothing else.

Its one rule: a message is a frozen value. Whoever is not the main thread (buttons, dice, the journal) can post one and
do nothing more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.engine.asks import Answer, Dice


class Message:
    """What the queue can hold. The values below that are none come inside of others."""


@dataclass(frozen=True)
class Pressed(Message):
    """A physical button went down, its bouncing taken out."""

    button: str  # "roll" or "end"
    at: float  # seconds of time.monotonic()


@dataclass(frozen=True)
class Released(Message):
    button: str
    at: float


@dataclass(frozen=True)
class Correction:
    """What a camera had read where it was not sure, and people said what it is."""

    read: Dice
    why: str
    photo: bytes  # JPEG


@dataclass(frozen=True)
class DiceRead(Message):
    """The answer of a dice source to what it was asked under that ticket."""

    source: str
    ticket: int
    dice: Dice
    confidence: float = 1.0
    correction: Correction | None = None


@dataclass(frozen=True)
class ComputerChose(Message):
    """What a computer chose that was asked under that ticket; None if it failed."""

    ticket: int
    option: Answer | None


@dataclass(frozen=True)
class SeenDie:
    """A die as the camera sees it; its corners are in shares of the picture's width and height."""

    value: int
    corners: tuple[tuple[float, float], ...]
    sure: bool


@dataclass(frozen=True)
class CameraSaw(Message):
    """How it goes with the dice that were asked for under that ticket.

    `state` is "" (not known yet), "empty", "moving", "hand", "still", "settled" (what lies there was not thrown since),
    "read", "unsure" or "restarting"; with "read" and "unsure" come the dice, and words of vision's for the doubts, or
    "stayed" for dice that nobody threw."""

    ticket: int
    state: str
    count: int  # that was asked for
    dice: tuple[SeenDie, ...] = ()
    doubts: tuple[str, ...] = ()
    places: tuple[tuple[float, float], ...] = ()  # of doubts where no die is seen, in shares of the picture


@dataclass(frozen=True, eq=False)
class CameraLies(Message):
    """What lies under the camera while nobody is asked to throw, by its values; without a strip for kept dice, none is.

    `thrown`: somebody has thrown the loose ones all the same, and the strip was not touched meanwhile. Where it is not
    `sure`, only how many lie in the strip says anything."""

    strip: Dice
    before: Dice  # what lay in the strip when dice were last read
    loose: Dice
    thrown: bool
    sure: bool = True


@dataclass(frozen=True)
class CameraShows(Message):
    """There is a new picture of the camera's."""

    number: int


@dataclass(frozen=True)
class CameraFits(Message):
    """How the camera's pictures fit what it has learnt of its tray: "" (they do), "unknown" (it has learnt nothing),
    "size", "moved" or "other"."""

    why: str


@dataclass(frozen=True)
class CameraHolds(Message):
    """The camera was made to hold its settings; it did not hold these: "exposure", "gain", "white balance", "focus"."""

    refused: tuple[str, ...]


@dataclass(frozen=True)
class SourceState(Message):
    """How a dice source with several devices is. `trouble` is what is wrong at that port: a word whose text is
    `<source>.<word>` in the language files; "": nothing is."""

    source: str
    port: str = ""
    trouble: str = ""
    ready: int = 0  # devices that are plugged in and answer


@dataclass(frozen=True)
class SourcePressed(Message):
    """The button of one device of a dice source, and whose it is, if somebody's."""

    source: str
    device: str
    player: str | None


@dataclass(frozen=True)
class SourcePaired(Message):
    """A device of a dice source is somebody's own from now on."""

    source: str
    player: str
    device: str


@dataclass(frozen=True)
class DeviceLost(Message):
    """A device is gone. `device` is a dice source's name, or "buttons"; `why` is a word whose text is `<device>.<word>`
    in the language files, or the system's own words."""

    device: str
    why: str


@dataclass(frozen=True)
class DeviceFound(Message):
    device: str


@dataclass(frozen=True)
class HotspotState(Message):
    """How the table's own Wi-Fi stands. What is wrong is a word of `hotspot.trouble.*` in the language files."""

    on: bool = False
    name: str = ""
    password: str = ""
    address: str = ""  # of the table in it
    network: str = ""  # while it is off: the Wi-Fi that the table would leave for it
    trouble: str = ""
    detail: str = ""  # in the system's own words


@dataclass(frozen=True)
class Player:
    """A person whom the journal knows, with games played and won by the id of the game."""

    name: str
    played: Mapping[str, int]
    won: Mapping[str, int]


@dataclass(frozen=True)
class Unfinished:
    """A game that can be gone on with. `saved` is what the referee loads, hidden dice and all: never for a screen."""

    match: str
    saved: Mapping[str, Any]
    levels: tuple[str | None, ...]  # of the computer at each seat; None for a person
    guests: tuple[int, ...]  # seats whose people are not to be remembered
    at: float  # when it was last played, in seconds of time.time()


@dataclass(frozen=True)
class Records:
    """What the journal knows when it was opened: the last to play and the last game put aside come first."""

    players: tuple[Player, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    settings: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Opened(Message):
    """The journal was read."""

    records: Records


@dataclass(frozen=True)
class Recounted(Message):
    """What is known of the players has changed otherwise than by a game here: a name, an import, a restored backup."""

    players: tuple[Player, ...]
    names: tuple[tuple[str, str | None], ...] = ()  # those that this table changed: the old, and the new or (None) none


@dataclass(frozen=True)
class League(Message):
    """Everybody who has played at any table of the league. What is wrong with it is a word of `league.*` in the
    language files; the players are then those of before."""

    players: tuple[Player, ...]
    trouble: str = ""
    detail: str = ""  # in the server's own words, or the system's


@dataclass(frozen=True)
class Found(Message):
    """The page of the records that was asked for under that ticket; None: it cannot be had, and `why`."""

    ticket: int
    page: Any
    why: str = ""


@dataclass(frozen=True)
class Committed(Message):
    """What was given to the journal under that ticket is on the disk."""

    ticket: int


@dataclass(frozen=True)
class NotKept(Message):
    """It could not be written; `trouble` is a word of `trouble.*` in the language files."""

    ticket: int
    trouble: str


@dataclass(frozen=True)
class Troubled(Message):
    """Something is wrong with the journal, and the table plays on. `detail` is a file, or the system's own words."""

    trouble: str
    detail: str


@dataclass(frozen=True)
class PhoneSaid(Message):
    """What the page at that line said, checked by `phone.wire`."""

    line: int
    said: Mapping[str, Any]


@dataclass(frozen=True)
class PhoneLeft(Message):
    """The line is closed."""

    line: int


@dataclass(frozen=True)
class PhonePort(Message):
    """The phone port is open under that address, or (empty) is not, and why."""

    address: str
    why: str = ""


@dataclass(frozen=True)
class PowerRefused(Message):
    """The machine goes on as it is. `wish` is "shut_down" or "restart", `why` the system's own words."""

    wish: str
    why: str


Post = Callable[[Message], None]
"""Safe from any thread."""
