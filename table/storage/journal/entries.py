"""The journal's entries: the course of a game, settings, name changes, and what was sent to the league.

The one rule: an entry is a frozen, JSON-compatible value (except for photos), so that it cannot change while it waits
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
    match: str  # a unique id
    game: str
    rules: int  # version of the game's rules
    players: Sequence[str]  # names, as normalised by the referee
    levels: Sequence[str | None]  # the computer's level at each seat; None: a person
    guests: Sequence[int]  # seats of people who are not recorded
    options: Mapping[str, Any]
    seed: int
    at: float  # a time.time() value, like every `at` below


@dataclass(frozen=True)
class Answered:
    """The next answer. If the match already has an answer with this number, this one replaces it, and all later answers
    are dropped, because the running match takes precedence over the stored one."""

    match: str
    number: int  # counted from 0
    asked: str  # referee.outline(ask)
    answer: Any  # referee.to_json(ask, answer)
    source: str  # "simulated", "typed", "camera", "confirmed", "corrected", "choice", "table", ...


@dataclass(frozen=True)
class Corrected:
    """The camera was unsure about the dice of an answer, and somebody confirmed or corrected them."""

    match: str
    number: int
    read: Sequence[int]  # the values that the camera read, in the order of `taken`, without dice that it did not see
    taken: Sequence[int]
    sure: Sequence[bool]  # whether the camera was sure of each die that it read
    why: str  # why the camera was unsure
    photo: bytes  # JPEG


@dataclass(frozen=True)
class TookBack:
    """The last answer was taken back."""

    match: str
    number: int  # the number of the answer taken back


@dataclass(frozen=True)
class Finished:
    match: str
    winners: Sequence[int]
    standing: Sequence[Any]
    events: Sequence[Any]  # JSON values
    at: float


def finished(match: str, game: Referee, at: float) -> Finished:
    """The entry for a game that is over. It includes all events, even those that were private during the game."""
    assert isinstance(game.ask, Over)
    told = [event_to_json(event) for event in referee.told(game)]
    return Finished(match, game.ask.winners, tuple(game.table.standing), told, at)


@dataclass(frozen=True)
class Left:
    """The match was abandoned."""

    match: str
    at: float


@dataclass(frozen=True)
class Setting:
    name: str
    value: Any


@dataclass(frozen=True)
class Renamed:
    """A player was renamed. If the new name exists already, the two players are merged."""

    old: str
    new: str


@dataclass(frozen=True)
class Forgotten:
    """A player's name was deleted from all records. The games stay."""

    name: str


@dataclass(frozen=True)
class Sent:
    """A league has received these games, and the name changes up to number `changes`.

    `matches` maps match ids to the names that were sent. If the previous `Sent` entry was for another league, all games
    that this entry does not list count as unsent again.
    """

    league: str  # the league's id
    matches: Mapping[str, Sequence[str]]
    changes: int = 0


Entry = Began | Answered | Corrected | TookBack | Finished | Left | Setting | Renamed | Forgotten | Sent
