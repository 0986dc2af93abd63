"""All that can arrive at the table: the one queue holds these and nothing else.

Its one rule: a message is a frozen value. Whoever is not the main thread (buttons, dice, the journal) can post one and
do nothing more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.rules.vocabulary import Dice


@dataclass(frozen=True)
class Pressed:
    """A physical button went down, its bouncing taken out."""

    button: str  # "roll" or "end"
    at: float  # seconds of time.monotonic()


@dataclass(frozen=True)
class Released:
    button: str
    at: float


@dataclass(frozen=True)
class DiceRead:
    """The answer of a dice source to what it was asked under that ticket."""

    source: str
    ticket: int
    dice: Dice
    confidence: float = 1.0


@dataclass(frozen=True)
class DeviceLost:
    """A device is gone. `device` is a dice source's name, or "buttons"."""

    device: str
    why: str


@dataclass(frozen=True)
class DeviceFound:
    device: str


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
class Opened:
    """The journal was read."""

    records: Records


@dataclass(frozen=True)
class Committed:
    """What was given to the journal under that ticket is on the disk."""

    ticket: int


@dataclass(frozen=True)
class NotKept:
    """It could not be written; `trouble` is a word of table.journal's list."""

    ticket: int
    trouble: str


@dataclass(frozen=True)
class Troubled:
    """Something is wrong with the journal, and the table plays on. `detail` is a file, or the system's own words."""

    trouble: str
    detail: str


Message = Pressed | Released | DiceRead | DeviceLost | DeviceFound | Opened | Committed | NotKept | Troubled
Post = Callable[[Message], None]
"""Safe from any thread."""
