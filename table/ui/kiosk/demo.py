"""Demo mode: computers play every game in turn. Nothing is saved."""

from contextlib import suppress

from table.engine.asks import Game
from table.engine.errors import Refused
from table.engine.options import check
from table.games import GAMES, bots, part
from table.session.lineup import Lineup, Seat
from table.session.messages import Committed, Opened, Post, Records
from table.storage.journal.entries import Entry
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.play import Play

MOST_SEATS = 4  # keeps the rounds short


class Forgetful:
    """Replaces the journal: confirms every write immediately and stores nothing."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._tickets = 0

    def start(self) -> None:
        self._post(Opened(Records()))

    def keep(self, entry: Entry) -> int:
        self._tickets += 1
        self._post(Committed(self._tickets))
        return self._tickets

    def close(self, timeout: float) -> bool:
        return True


def next_game(context: KioskContext, now: float) -> Scene:
    """Starts the game that follows the last one played. Skips games that cannot start."""
    games = list(GAMES.values())
    first = games.index(context.history.last.game) + 1 if context.history.last else 0
    for game in (*games[first:], *games[:first]):
        with suppress(Refused):
            _sit_down(context, game)
            break
    return Play(context, now)


def _sit_down(context: KioskContext, game: Game) -> None:
    short = part(game.id, "beats").DEMO
    least, most = game.seat_limits(check(game.options, short, game.seats[0]))
    seats = (Seat("", bots.usual(game.id)),) * max(least, min(most, MOST_SEATS))
    context.sit_down(Lineup(game, seats, short))
