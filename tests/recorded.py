"""Steps of a visit to the screens of the records: a folder of finished games, and the pages that are read from it.

Its one rule: the pages come from a real file, through the thread that reads for a table.
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
from table.storage.records.pages import DicePage, verdicts
from table.storage.records.reader import Reader
from table.ui.kiosk.gestures import END, Moved, Tap
from table.ui.kiosk.scenes.dice import all_dice
from table.ui.kiosk.scenes.game import game, to_game
from tests import past_games
from tests.tabletop import PATIENCE
from tests.visit import Step, Visit


@cache
def shelf(names: tuple[str, ...]) -> Path:
    """A folder with forty finished games of these people."""
    folder = Path(tempfile.mkdtemp(prefix="dicetable-gallery-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    past_games.filled(folder, 4, 2, names[6:8])  # whom the others never met
    past_games.filled(folder, 40, people=names[:6])
    return folder


def kept(visit: Visit) -> None:
    """The table has such a folder."""
    folder = shelf(made_good(visit.names))
    visit.context.storage.reader = Reader(folder, visit.table.mailbox.post)
    visit.table._held.callback(visit.context.storage.reader.close)
    with read.opened(folder) as connection:
        visit.context.history.players = tuple(read.players(connection))


def arrive(visit: Visit) -> None:
    """All pages that were asked for are there."""
    table = visit.table
    while visit.context.storage.busy:
        assert table.mailbox.wait(PATIENCE), "nobody reads"
        table.kiosk.hear(table.mailbox.take(), table.now)
        visit.show(visit.scene.tick(table.now))


def leader(visit: Visit) -> str:
    """Whoever has played most."""
    return str(max(visit.context.history.players, key=lambda one: sum(one.played.values())).name)


def of_game(kind: str, seats: int = 4) -> list[Step]:
    """The page of the last game of that kind with so many seats."""

    def page(visit: Visit) -> None:
        with read.opened(shelf(made_good(visit.names))) as connection:
            found = read.games(connection, kind).games
        number = next(line.number for line in found if len(line.seats) == seats)
        visit.show(to_game(visit.context, number, visit.scene, visit.table.now))

    return [kept, page, arrive]


def no_longer_kept(visit: Visit) -> None:
    """A game of which only the result is left."""
    with read.opened(shelf(made_good(visit.names))) as connection:
        page = read.game(connection, 20)
    gone = replace(page, line=replace(page.line, kept=False), saved=None)
    visit.show(game(visit.context, visit.scene, gone, visit.table.now))


def stepped(when: Callable[[Any], Any]) -> Step:
    """On in a replay, to the first such step."""

    def step(visit: Visit) -> None:
        visit.scene._at = next(at for at, shown in enumerate(visit.scene._frames) if when(shown))

    return step


def happens(kind: str, after: int = 0) -> Callable[[Any], bool]:
    """That, in a round after this one."""
    return lambda shown: shown.moment is not None and shown.moment.kind == kind and shown.view["round"] > after


def in_league(*trouble: str) -> Step:
    """There are others, and other tables."""

    def step(visit: Visit) -> None:
        played = {"bluff": 40, "cacho": 31}
        everybody = tuple(Player(name, played, {"bluff": 30 - 2 * at}) for at, name in enumerate(visit.names))
        visit.context.storage.league = League(everybody, *trouble)

    return step


def loaded(visit: Visit) -> None:
    """Dice of which some are not as they should be."""
    sources = {
        "camera": (3010, 3012, 2978, 2995, 3021, 3602),
        "edice": (60, 61, 58, 70, 66, 62),
        "typed": (0, 0, 1, 0, 0, 0),
    }
    page = DicePage(sources, {visit.names[0]: (90, 180, 175, 169, 190, 181)})
    visit.show(all_dice(visit.context, visit.scene, verdicts(page), visit.table.now))


def taken(visit: Visit) -> None:
    """The name of another is typed, and Done pressed."""
    visit.scene.text = next(one.name for one in visit.context.history.players if one.name != leader(visit))
    visit.scene._keys.to_done()
    visit.do(Tap(END))


def stranger(visit: Visit) -> None:
    """Somebody is chosen whom the first one never met."""
    visit.do(Moved(-1), Moved(-1), Tap(END))
    arrive(visit)


def unreadable(visit: Visit) -> None:
    """The folder is gone."""
    visit.context.storage.reader = Reader(Path("/nowhere/dicetable"), visit.table.mailbox.post)


def with_pin(visit: Visit) -> None:
    visit.context.guard = Guard("2468")
