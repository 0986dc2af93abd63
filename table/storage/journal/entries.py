"""What can be kept: a game from its beginning to its end, answer by answer, the table's settings, and what becomes of a
name.

The one rule: an entry is a frozen value that JSON can write (but for a photo), so that nobody changes it while it waits
for the disk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.engine import referee
from table.engine.asks import Over
from table.engine.referee import Referee, event_to_json


@dataclass(frozen=True)
class Began:
    match: str  # an id that no other match has
    game: str
    rules: int  # version of the game's rules
    players: Sequence[str]  # as the referee made them good
    levels: Sequence[str | None]  # of the computer at each seat; None for a person
    guests: Sequence[int]  # seats whose people are not to be remembered
    options: Mapping[str, Any]
    seed: int
    at: float  # seconds of time.time(), here and below


@dataclass(frozen=True)
class Answered:
    """The next answer. One under a number that is taken already replaces it: whoever plays knows what was played."""

    match: str
    number: int  # from 0
    asked: str  # referee.outline(ask)
    answer: Any  # referee.to_json(ask, answer)
    source: str  # "simulated", "typed", "camera", "corrected", "choice", "table", ...


@dataclass(frozen=True)
class Corrected:
    """The dice of that answer were not sure to the camera, and somebody said what they are."""

    match: str
    number: int
    read: Sequence[int]  # by the camera
    taken: Sequence[int]
    why: str  # it was not sure
    photo: bytes  # JPEG


@dataclass(frozen=True)
class TookBack:
    """The last answer, which has that number, was taken back."""

    match: str
    number: int


@dataclass(frozen=True)
class Finished:
    match: str
    winners: Sequence[int]
    standing: Sequence[Any]
    events: Sequence[Any]  # JSON values
    at: float


def finished(match: str, game: Referee, at: float) -> Finished:
    """Of a game that is over, with all that was told of it, also what only some might hear then."""
    assert isinstance(game.ask, Over)
    told = [event_to_json(event) for event in referee.told(game)]
    return Finished(match, game.ask.winners, tuple(game.table.standing), told, at)


@dataclass(frozen=True)
class Left:
    """Given up for good."""

    match: str
    at: float


@dataclass(frozen=True)
class Setting:
    name: str
    value: Any


@dataclass(frozen=True)
class Renamed:
    """A player has another name from now on. Where somebody has it already, the two are one."""

    old: str
    new: str


@dataclass(frozen=True)
class Forgotten:
    """A player's name is gone from everything. The games stay."""

    name: str


@dataclass(frozen=True)
class Sent:
    """A league has these: finished games, by their ids, with the names that each went with; and what became of names up
    to that number. Whatever another league has been told is forgotten: this one has nothing but what is said here."""

    league: str  # its id
    matches: Mapping[str, Sequence[str]]
    changes: int = 0


Entry = Began | Answered | Corrected | TookBack | Finished | Left | Setting | Renamed | Forgotten | Sent
