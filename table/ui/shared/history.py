"""What was played at this table before: by whom, what can be gone on with, and what was played last.

Its one rule: it is read from the journal once, and then follows what happens here, so that nobody waits for the disk.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from table.games import GAMES
from table.session.lineup import Lineup, counted
from table.session.match import Match
from table.session.messages import Player, Records, Unfinished

COUNTED = 100  # more than there are rooms: matches that are over are still on their tables


@dataclass
class History:
    players: tuple[Player, ...] = ()  # whoever played last comes first
    unfinished: tuple[Unfinished, ...] = ()  # games that this version can go on with, the last one first
    last: Lineup | None = None  # who played what last, since the start
    read: bool = False  # the journal was read
    _counted: deque[str] = field(default_factory=lambda: deque(maxlen=COUNTED))  # ids of matches

    def opened(self, records: Records) -> None:
        """The journal was read; what happened here meanwhile comes first."""
        matches, names = {one.match for one in self.unfinished}, {player.name for player in self.players}
        self.unfinished += tuple(one for one in playable(records.unfinished) if one.match not in matches)
        self.players += tuple(player for player in records.players if player.name not in names)
        self.read = True

    def renamed(self, players: tuple[Player, ...]) -> None:
        """Somebody has another name, or none any more."""
        self.players = players
        known = {player.name for player in players}
        if self.last and any(not (seat.level or seat.guest or seat.name in known) for seat in self.last.seats):
            self.last = None

    def count(self, match: Match) -> None:
        """A match is over: one more game, or win, for each who played it. May be called repeatedly."""
        if match.id not in self._counted:
            self._counted.append(match.id)
            self.players = counted(self.players, match)

    def put_aside(self, one: Unfinished) -> None:
        self.forget(one.match)
        self.unfinished = (one, *self.unfinished)

    def forget(self, match: str) -> None:
        """That match goes on, or was given up."""
        self.unfinished = tuple(one for one in self.unfinished if one.match != match)


def playable(unfinished: Iterable[Unfinished]) -> tuple[Unfinished, ...]:
    """Those that this version can go on with."""
    return tuple(one for one in unfinished if one.saved["game"] in GAMES)
