"""The pages of the records. Its one rule: a page is JSON-compatible, and holds everything needed to show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.analysis import fairness
from table.analysis.fairness import Verdict
from table.config import sections
from table.engine.places import Places
from table.session.messages import Player

SOURCES = tuple(dict.fromkeys(("camera", "edice", "typed", *sections.SOURCES)))
"""The sources of dice, in display order."""


@dataclass(frozen=True)
class Leader:
    """A line of the leaderboard."""

    place: int  # the same for players who are tied
    name: str
    played: int
    won: int

    @property
    def share(self) -> float:
        return self.won / self.played if self.played else 0.0


@dataclass(frozen=True)
class SeatLine:
    """A player in a game. The name is empty if it was deleted."""

    name: str
    level: str | None  # the computer's level; None: a person
    guest: bool
    won: bool
    standing: Any  # points, lives or whatever the game counts


@dataclass(frozen=True)
class GameLine:
    """A finished game in a list."""

    number: int  # identifies the game on this table
    game: str
    ended: float  # a time.time() value
    seats: tuple[SeatLine, ...]
    kept: bool  # False: the log was pruned, and only the result is left


@dataclass(frozen=True)
class GameList:
    games: tuple[GameLine, ...]  # newest first
    total: int  # number of all matching games
    after: int | None  # the `after` of the next page; None: this is the last page


@dataclass(frozen=True)
class GamePage:
    """A finished game, with everything needed to replay it."""

    line: GameLine
    match: str  # the game's id, which is the same on every table
    began: float
    saved: Mapping[str, Any] | None  # in the referee's format; None: the log was pruned
    sources: Sequence[str]  # where each answer came from
    events: Sequence[Mapping[str, Any]]
    places: Places  # empty if the log was pruned

    @property
    def order(self) -> Sequence[int]:
        """All seats, the best one first. If the places are unknown, the seats are in seating order."""
        return [seat for place in self.places for seat in place] or range(len(self.line.seats))


@dataclass(frozen=True)
class Rival:
    """An opponent of a player, with their results in the games that both played."""

    name: str
    played: int
    won: int
    lost: int  # games won by the rival


@dataclass(frozen=True)
class Moment:
    game: str
    kind: str  # the kind of moment, as the game's analysis calls it
    value: int
    number: int  # the game's number


@dataclass(frozen=True)
class PlayerPage:
    name: str
    first: float | None  # when their first finished game ended
    last: float | None  # when their last finished game ended
    played: Mapping[str, int]  # by game
    won: Mapping[str, int]
    streak: int  # current streak of wins; if negative, of losses
    longest: int  # longest streak of wins
    recent: tuple[bool, ...]  # whether each of the latest games was won, oldest first
    rivals: tuple[Rival, ...]  # most frequent first
    moments: tuple[Moment, ...]
    faces: Mapping[str, tuple[int, ...]]  # how often they rolled each face, by source


@dataclass(frozen=True)
class DicePage:
    """How often each face came up, by source and by player. Sources and players without any dice are omitted."""

    sources: Mapping[str, tuple[int, ...]]
    players: Mapping[str, tuple[int, ...]]


def verdicts(page: DicePage) -> dict[tuple[str, str], Verdict]:
    """The verdict on each group of dice, by ("source", word) and ("player", name). All groups are shown
    together, so the test is corrected for their number. Unused sources count as groups from the start, so that the
    correction does not change when they are first used."""
    nothing = (0,) * fairness.FACES
    groups = {
        ("source", source): page.sources.get(source, nothing) for source in {**dict.fromkeys(SOURCES), **page.sources}
    }
    return fairness.judged(groups | {("player", name): counts for name, counts in page.players.items()})


def leaders(players: Sequence[Player], game: str | None = None) -> tuple[Leader, ...]:
    """The leaderboard: most wins first, then fewest games. Players without a finished game are omitted."""
    counts = [
        (player.name, _of(player.played, game), _of(player.won, game)) for player in players if _of(player.played, game)
    ]
    ranked = sorted(counts, key=lambda line: (-line[2], line[1], line[0].casefold()))
    found: list[Leader] = []
    for at, (name, played, won) in enumerate(ranked, 1):
        level = found and (found[-1].won, found[-1].played) == (won, played)
        found.append(Leader(found[-1].place if level else at, name, played, won))
    return tuple(found)


def _of(counts: Mapping[str, int], game: str | None) -> int:
    return sum(counts.values()) if game is None else counts.get(game, 0)
