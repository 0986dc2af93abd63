"""What a page of the records holds. Its one rule: values that JSON can write, and nothing that has to be asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.analysis import fairness
from table.analysis.fairness import Verdict
from table.engine.places import Places
from table.session.messages import Player

SOURCES = ("camera", "edice", "typed", "simulated")
"""Of dice, in the order in which they are shown."""


@dataclass(frozen=True)
class Leader:
    """A line of the leaderboard."""

    place: int  # several who are level have the same
    name: str
    played: int
    won: int

    @property
    def share(self) -> float:
        return self.won / self.played if self.played else 0.0


@dataclass(frozen=True)
class SeatLine:
    """Somebody who sat at a game. Without a name: a player who was forgotten."""

    name: str
    level: str | None  # of a computer
    guest: bool
    won: bool
    standing: Any  # the number that the game is about


@dataclass(frozen=True)
class GameLine:
    """A finished game in a list."""

    number: int  # by which it is asked for
    game: str
    ended: float  # seconds of time.time()
    seats: tuple[SeatLine, ...]
    kept: bool  # how it went is still there


@dataclass(frozen=True)
class GameList:
    games: tuple[GameLine, ...]  # the last one first
    total: int  # of all that fit, shown here or not
    after: int | None  # the number to go on from, if there are more


@dataclass(frozen=True)
class GamePage:
    """A finished game, with all that is needed to play it again."""

    line: GameLine
    match: str  # its id, the same on every table
    began: float
    saved: Mapping[str, Any] | None  # what the referee loads; None: how it went is gone
    sources: Sequence[str]  # of the answers, a word each
    events: Sequence[Mapping[str, Any]]
    places: Places  # empty where how it went is gone

    @property
    def order(self) -> Sequence[int]:
        """All seats, the best first; as they sat where their places are not known."""
        return [seat for place in self.places for seat in place] or range(len(self.line.seats))


@dataclass(frozen=True)
class Rival:
    """Somebody whom a player met, with how often each of them won of these games."""

    name: str
    played: int
    won: int
    lost: int  # games that the rival won


@dataclass(frozen=True)
class Moment:
    game: str
    kind: str  # a word of its analysis
    value: int
    number: int  # of the game it was in


@dataclass(frozen=True)
class PlayerPage:
    name: str
    first: float | None  # when their first and last finished games ended
    last: float | None
    played: Mapping[str, int]  # by game
    won: Mapping[str, int]
    streak: int  # games won in a row up to now; negative: lost
    longest: int  # the most games won in a row
    recent: tuple[bool, ...]  # whether each of the last games was won, the oldest first
    rivals: tuple[Rival, ...]  # whom they met most comes first
    moments: tuple[Moment, ...]
    faces: Mapping[str, tuple[int, ...]]  # of their dice, by source


@dataclass(frozen=True)
class DicePage:
    """How often each face came up, by source and by player. Sources and players without dice are left out."""

    sources: Mapping[str, tuple[int, ...]]
    players: Mapping[str, tuple[int, ...]]


def verdicts(page: DicePage) -> dict[tuple[str, str], Verdict]:
    """What there is to say of each group, by ("source", word) and ("player", name). They are looked at together, so
    they are judged together; a source that nobody has used yet takes its share from the beginning."""
    nothing = (0,) * fairness.FACES
    groups = {
        ("source", source): page.sources.get(source, nothing) for source in {**dict.fromkeys(SOURCES), **page.sources}
    }
    return fairness.judged(groups | {("player", name): counts for name, counts in page.players.items()})


def leaders(players: Sequence[Player], game: str | None = None) -> tuple[Leader, ...]:
    """Who won most comes first; of equals, who needed fewer games. Who has not finished any is not among them."""
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
