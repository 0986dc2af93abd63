"""A game in another package: Pig, written using only what the documentation says.

    with homemade(tmp_path) as game: ...                         # only rules
    with homemade(tmp_path, {"en.toml": "..."}) as game: ...     # with texts, words.py or any other part

It is registered by an entry point and removed afterwards.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

from table import games
from table.engine.asks import Game
from table.games import bots, search
from table.text import catalogue

PACKAGE = "homemade_pig"
RULES = '''
"""Pig: roll two dice again or bank the points. A 1 loses them all."""

from dataclasses import dataclass, field

from table.engine.asks import Choose, Game, Roll
from table.engine.customs import highest_die, roll_or_end
from table.engine.options import flag, number, one_of

STAKES = tuple(("stake", times) for times in (1, 2, 3))


@dataclass(frozen=True)
class Options:
    goal: int = number(30, 10, 500, help="Points that win.")
    pace: str = one_of("calm", "bold", help="Bold: each turn begins with a stake.")
    picky: bool = flag(False, help="Only some dice of each roll are kept.")


@dataclass
class Board:
    points: int = 0  # of this turn
    stake: int = 1
    hot: bool = False
    last: str = ""
    leader: int | None = None
    thrown: list[int] = field(default_factory=list)


def play(table, options):
    board = table.board = Board()
    table.standing = [0 for _ in table.seats]
    seat = board.leader = yield from highest_die(table, table.seats)
    turn = 0
    while True:
        table.round = turn // len(table.seats) + 1
        yield from take_turn(table, options, seat)
        if table.standing[seat] >= options.goal:
            return (seat,)
        seat, turn = (seat + 1) % len(table.seats), turn + 1


def take_turn(table, options, seat):
    board = table.board
    board.points, board.stake, board.hot = 0, 1, False
    table.hands.clear()
    if options.pace == "bold":
        _, board.stake = yield Choose(seat, STAKES)
    while True:
        dice = yield Roll(seat, 2)
        table.hands.lay(seat, dice)
        board.thrown = list(dice)
        if 1 in dice:
            table.tell("bust", seat=seat, points=board.points)
            board.last = "bust"
            return
        if options.picky:
            _, kept = yield Choose(seat, (("keep", (0,)), ("keep", (1,)), ("keep", (0, 1))))
            dice = [dice[place] for place in kept]
        board.points += board.stake * sum(dice)
        board.hot = board.points > 20
        if (yield roll_or_end(seat)) == "end":
            break
    table.standing[seat] += board.points
    board.last = "banked"
    table.tell("lost", seat=seat, points=board.points, total=table.standing[seat], others=others(table, seat))


def others(table, seat):
    return [other for other in table.seats if other != seat]


GAME = Game("pig", "Pig", "Roll on, or bank it.", (1, 4), 2, Options, play)
'''


@contextmanager
def homemade(folder: Path, files: Mapping[str, str] = {}) -> Iterator[Game]:
    package = folder / PACKAGE
    package.mkdir()
    for name, text in {"__init__.py": "", "rules.py": RULES, **files}.items():
        (package / name).write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        games.register([EntryPoint("pig", PACKAGE, games.GROUP)])
        assert "pig" in games.GAMES, str(games.BROKEN)
        _forget_what_is_cached()
        yield games.GAMES["pig"]
    finally:
        sys.path.remove(str(folder))
        for known in (games.GAMES, games._PACKAGES, games.BROKEN):
            known.pop("pig", None)
        for where in [where for where in games.DEFECTS if where.partition(":")[0] == "pig"]:
            del games.DEFECTS[where]
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        _forget_what_is_cached()


def _forget_what_is_cached() -> None:
    of_games = (games.part, games.own_part, bots.levels, search.hides_dice)
    for cached in (*of_games, catalogue.texts, catalogue._of_game):
        cached.cache_clear()
