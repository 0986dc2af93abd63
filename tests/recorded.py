"""Setup for tests of the records screens: a folder of finished games, and the pages read from it.

The pages come from a real database file, through the table's reader thread.
"""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from table.engine.names import made_good
from table.session.guard import Guard
from table.session.messages import League, Player
from table.storage.records import read
from table.storage.records.pages import DicePage
from table.storage.records.reader import Reader
from table.ui.kiosk.gestures import END, Moved, Tap
from table.ui.kiosk.scenes.game import game, tell, to_game
from table.ui.kiosk.scenes.records import all_dice
from tests import past_games
from tests.tabletop import PATIENCE
from tests.visit import Step, Visit


@cache
def shelf(names: tuple[str, ...]) -> Path:
    """A folder with forty finished games of these people."""
    folder = Path(tempfile.mkdtemp(prefix="dicetable-gallery-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    past_games.filled(folder, 4, 2, names[6:8])  # players who have never met the others
    past_games.filled(folder, 40, people=names[:6])
    return folder


def kept(visit: Visit) -> None:
    """Give the table a folder of finished games."""
    folder = shelf(made_good(visit.names))
    visit.context.storage.reader = Reader(folder, visit.table.mailbox.post)
    visit.table._held.callback(visit.context.storage.reader.close)
    with read.opened(folder) as connection:
        visit.context.history.players = tuple(read.players(connection))


def arrive(visit: Visit) -> None:
    """Wait until all requested pages have arrived."""
    table = visit.table
    while visit.context.storage.busy:
        assert table.mailbox.wait(PATIENCE), "the reader did not answer"
        table.kiosk.hear(table.mailbox.take(), table.now)
        visit.show(visit.scene.tick(table.now))


def leader(visit: Visit) -> str:
    """The name of the player with the most games."""
    return str(max(visit.context.history.players, key=lambda one: sum(one.played.values())).name)


def of_game(kind: str, seats: int = 4) -> list[Step]:
    """Open the page of the last game of this kind with this many seats."""

    def page(visit: Visit) -> None:
        with read.opened(shelf(made_good(visit.names))) as connection:
            found = read.games(connection, kind).games
        number = next(line.number for line in found if len(line.seats) == seats)
        visit.show(to_game(visit.context, number, visit.scene, visit.table.now))

    return [kept, page, arrive]


def no_longer_kept(visit: Visit) -> None:
    """Open the page of a game of which only the result is kept."""
    with read.opened(shelf(made_good(visit.names))) as connection:
        page = read.game(connection, 20)
    gone = replace(page, line=replace(page.line, kept=False), saved=None)
    visit.show(game(visit.context, visit.scene, tell(gone, visit.context.say), visit.table.now))


def stepped(when: Callable[[Any], Any]) -> Step:
    """Go to the first matching step of a replay."""

    def step(visit: Visit) -> None:
        visit.scene._at = next(at for at, shown in enumerate(visit.scene._frames) if when(shown))

    return step


def happens(kind: str, after: int = 0) -> Callable[[Any], bool]:
    """Match a moment of this kind in a round after round `after`."""
    return lambda shown: shown.moment is not None and shown.moment.kind == kind and shown.view["round"] > after


def in_league(*trouble: str) -> Step:
    """Give the table the results of a league with other tables."""

    def step(visit: Visit) -> None:
        played = {"bluff": 40, "cacho": 31}
        everybody = tuple(Player(name, played, {"bluff": 30 - 2 * at}) for at, name in enumerate(visit.names))
        visit.context.storage.league = League(everybody, *trouble)

    return step


def loaded(visit: Visit) -> None:
    """Open the dice page with some loaded dice."""
    sources = {
        "camera": (3010, 3012, 2978, 2995, 3021, 3602),
        "edice": (60, 61, 58, 70, 66, 62),
        "typed": (0, 0, 1, 0, 0, 0),
    }
    page = DicePage(sources, {visit.names[0]: (90, 180, 175, 169, 190, 181)})
    visit.show(all_dice(visit.context, visit.scene, page, visit.table.now))


def taken(visit: Visit) -> None:
    """Type another player's name and press Done."""
    visit.scene.text = next(one.name for one in visit.context.history.players if one.name != leader(visit))
    visit.scene._keys.to_done()
    visit.do(Tap(END))


def stranger(visit: Visit) -> None:
    """Choose a player who has never met the first one."""
    visit.do(Moved(-1), Moved(-1), Tap(END))
    arrive(visit)


def unreadable(visit: Visit) -> None:
    """Point the table at a folder that does not exist."""
    visit.context.storage.reader = Reader(Path("/nowhere/dicetable"), visit.table.mailbox.post)


def with_pin(visit: Visit) -> None:
    visit.context.guard = Guard("2468")
