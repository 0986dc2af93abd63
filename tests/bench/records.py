"""`make bench-records`: the size of a journal of 100,000 finished games, and the time to open each page of it.

Computers play a few thousand games of all kinds; each is stored many times under different names and dates, so the
data is as varied and as large as after years of play. Each page is opened as on a table: connect, read all, close.
Ann, the table's owner, plays every game.
"""

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from table.analysis import luck
from table.engine import referee
from table.engine.asks import Choose, Over
from table.engine.referee import Referee
from table.games import GAMES, bots
from table.games import new as new_game
from table.storage.journal import files, store
from table.storage.journal.entries import Began, Finished
from table.storage.journal.folded import plain
from table.storage.journal.prune import used
from table.storage.records import games, read
from table.storage.records.pages import leaders, verdicts

MOST_MS, MOST_BYTES = 200, 2000
OWNER = "Ann"
PEOPLE = [f"{name} {mark}".strip() for mark in ("", "B.", "C.", "D.") for name in ("Bo", "Cleo", "Dmitri", "Élodie")]
SEATS = (2, 2, 2, 3, 3, 4, 4, 5, 6)  # as in typical games: most have two to four players
LEVELS = ("easy", "classic", "sharp")
OPENED = 15  # measurements per page


def play(chance: random.Random) -> Referee:
    game, seats = chance.choice(list(GAMES)), chance.choice(SEATS)
    options = {"mode": "elimination"} if game == "mexico" and seats > 2 else {}
    made = new_game(game, [f"P{seat}" for seat in range(seats)], options, chance.randrange(1 << 30))
    while not isinstance(made.ask, Over):
        if isinstance(made.ask, Choose):
            level = LEVELS[made.ask.seat % len(LEVELS)]
            made.answer(bots.choose(level, made, chance))
        else:
            made.answer(made.drawn(chance))
    return made


def kept(games: list[Referee], count: int, chance: random.Random) -> Iterator[tuple[Began, list[Any], Finished]]:
    """Entries for the journal. Three in four seats are taken by known people, the rest by guests and computers."""
    rows = [(game.save(), [referee.event_to_json(event) for event in referee.told(game)]) for game in games]
    day = 1_500_000_000.0
    for number in range(count):
        at = number % len(games)
        game, (saved, told) = games[at], rows[at]
        seats = len(game.players)
        names = [OWNER, *chance.sample(PEOPLE, seats - 1)]
        levels = [chance.choice(LEVELS) if seat and chance.random() < 0.15 else None for seat in range(seats)]
        guests = [seat for seat in range(1, seats) if levels[seat] is None and chance.random() < 0.1]
        day += chance.expovariate(1 / 3000)
        match = f"{number:032x}"
        began = Began(match, game.game.id, game.game.version, names, levels, guests, saved["options"], game.seed, day)
        source = chance.choice(("camera", "edice", "typed", "simulated"))
        answers = [
            (place, asked, plain(answer), source if asked[0] in "dh" else "choice", day)
            for place, (asked, answer) in enumerate(zip(saved["asks"], saved["answers"], strict=True))
        ]
        assert isinstance(game.ask, Over)
        yield began, answers, Finished(match, game.ask.winners, tuple(game.table.standing), told, day + 900)


def fill(folder: Path, count: int, distinct: int) -> float:
    """Write the journal, and return the bytes per game."""
    chance = random.Random(9)
    played = []
    for number in range(distinct):
        played.append(play(chance))
        _progress("playing", number + 1, distinct)
    path, _ = files.ready(folder, files.Brake())
    with closing(files.opened(path)) as connection:
        before = used(connection)
        connection.execute("BEGIN")
        for number, (began, answers, finished) in enumerate(kept(played, count, chance), 1):
            store.write(connection, began)
            (key,) = connection.execute("SELECT max(key) FROM matches").fetchone()
            # A real table writes these answers one by one during a game.
            connection.executemany(f"INSERT INTO answers VALUES ({key}, ?, ?, ?, ?, ?)", answers)
            store.write(connection, finished)
            if number % 1000 == 0 or number == count:
                connection.execute("COMMIT")
                files.settled(connection)
                connection.execute("BEGIN")
                _progress("keeping", number, count)
        connection.execute("COMMIT")
        grown = used(connection) - before
        files.settled(connection)
    return grown / count


def pages(count: int) -> dict[str, read.Question[Any]]:
    def whole_game(connection: Any) -> Any:
        return games.steps(games.played(read.game(connection, count - 7)))

    def lucky(connection: Any) -> Any:
        return luck.luck(games.played(read.game(connection, count - 7)))

    def board(connection: Any, game: str | None = None) -> Any:
        return leaders(read.players(connection), game)

    def judged(connection: Any) -> Any:
        return verdicts(read.dice(connection))

    return {
        "data read at the start": store.records,
        "leaderboard": board,
        "leaderboard of a game": partial(board, game="cacho"),
        "players": read.players,
        "a player in all games": partial(read.player, name=OWNER),
        "a player in some games": partial(read.player, name=PEOPLE[0]),
        "games, the first 50": read.games,
        "games, 50 from the middle": partial(read.games, after=count // 2),
        "games of a player": partial(read.games, player=OWNER),
        "cacho of a player": partial(read.games, player=PEOPLE[0], game="cacho"),
        "games of cacho": partial(read.games, game="cacho"),
        "a game": partial(read.game, number=count // 2),
        "a game, replayed": whole_game,
        "its luck": lucky,
        "dice with verdicts": judged,
    }


def times(folder: Path, question: read.Question[Any]) -> list[float]:
    found = []
    for _ in range(OPENED):
        begun = time.perf_counter()
        with read.opened(folder) as connection:
            question(connection)
        found.append(1000 * (time.perf_counter() - begun))
    return found


def _progress(what: str, done: int, wanted: int) -> None:
    if sys.stderr.isatty() and (done % 100 == 0 or done == wanted):
        print(f"\r{what} {done} of {wanted}", end="\n" if done == wanted else "", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None, show: Callable[[str], None] = print) -> int:
    parser = argparse.ArgumentParser(prog="make bench-records", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="games to store (%(default)s)")
    parser.add_argument("--distinct", type=int, default=2000, metavar="N", help="different games to play (%(default)s)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the journal in this folder")
    wanted = parser.parse_args(arguments)
    folder = Path(wanted.keep) if wanted.keep else Path(tempfile.mkdtemp(prefix="dicetable-bench-"))
    try:
        size = fill(folder, wanted.games, min(wanted.distinct, wanted.games))
        show(f"{wanted.games} finished games: {size:.0f} bytes per game (at most {MOST_BYTES})")
        slow = 0
        for name, question in pages(wanted.games).items():
            found = times(folder, question)
            slow += max(found) >= MOST_MS
            show(f"  {name:28} {statistics.median(found):7.1f} ms, the slowest of {OPENED} {max(found):7.1f}")
        show(f"(at most {MOST_MS} ms each)")
        return int(slow > 0 or size >= MOST_BYTES)
    finally:
        if not wanted.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
