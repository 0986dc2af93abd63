"""The table's history: known players, saved games, and the last line-up.

Its one rule: it is read from the journal once and then updated in memory, so no one waits for the disk.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from table.games import GAMES
from table.session.lineup import Lineup, counted
from table.session.match import Match
from table.session.messages import Player, Records, Unfinished

COUNTED = 100  # counted matches to remember, so that none is counted twice: more than there can be rooms


@dataclass
class History:
    players: tuple[Player, ...] = ()  # most recently active first
    unfinished: tuple[Unfinished, ...] = ()  # games this version can resume, most recent first
    last: Lineup | None = None  # the last line-up since the start
    read: bool = False  # whether the journal has been read
    _counted: deque[str] = field(default_factory=lambda: deque(maxlen=COUNTED))  # ids of counted matches

    def opened(self, records: Records) -> None:
        """Adds the players and saved games in the journal after those added since the start."""
        matches, names = {one.match for one in self.unfinished}, {player.name for player in self.players}
        self.unfinished += tuple(one for one in playable(records.unfinished) if one.match not in matches)
        self.players += tuple(player for player in records.players if player.name not in names)
        self.read = True

    def renamed(self, players: tuple[Player, ...]) -> None:
        """Updates the players after a name was changed or removed."""
        self.players = players
        known = {player.name for player in players}
        if self.last and any(not (seat.level or seat.guest or seat.name in known) for seat in self.last.seats):
            self.last = None

    def count(self, match: Match) -> None:
        """Counts a finished match for its players: one game each, and the wins. Idempotent."""
        if match.id not in self._counted:
            self._counted.append(match.id)
            self.players = counted(self.players, match)

    def put_aside(self, one: Unfinished) -> None:
        self.forget(one.match)
        self.unfinished = (one, *self.unfinished)

    def forget(self, match: str) -> None:
        """Removes a saved game, because it was resumed or given up."""
        self.unfinished = tuple(one for one in self.unfinished if one.match != match)


def playable(unfinished: Iterable[Unfinished]) -> tuple[Unfinished, ...]:
    """The saved games that this version can resume."""
    return tuple(one for one in unfinished if one.saved["game"] in GAMES)
