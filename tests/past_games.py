"""Create a folder with finished games of all kinds, for tests of the records.

All games are played by the referee, with people, guests and computers and with dice from all sources. The same seed
gives the same games.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Choose, Over, Roll
from table.engine.referee import Referee
from table.games import GAMES, bots
from table.session.match import named
from table.storage.journal import files, store
from table.storage.journal.entries import Answered, Began, Entry, Finished

FIRST = 1_760_000_000.0  # when the first game began: 9 October 2025
EVENING = 86_400.0  # seconds from one game to the next
GUEST = "Guest 1"
SOURCES = ("camera", "edice", "typed", "simulated")
LEVELS = ("easy", "classic", "sharp")
SHORT: dict[str, dict[str, Any]] = {
    "mexico": {"lives": 2},
    "bluff": {"rounds": 3},
    "pocoloco": {"chips": 3},
    "cheese": {"goal": 1500},
    "cacho": {"dice": 2},
}


def filled(folder: Path, games: int = 12, seed: int = 1, people: Sequence[str] = ("Ann", "Bo", "Cleo")) -> list[str]:
    """Write this many finished games, cycling through the five kinds, and return their ids in order."""
    matches = []
    path, _ = files.ready(folder, files.Brake())
    with closing(files.opened(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for number in range(games):
            match = f"{seed:04x}{number:028x}"
            for entry in game(match, number, seed, people):
                store.write(connection, entry)
            matches.append(match)
        connection.execute("COMMIT")
        files.settled(connection)
    return matches


def game(match: str, number: int, seed: int = 1, people: Sequence[str] = ("Ann", "Bo", "Cleo")) -> Iterator[Entry]:
    """The entries of one game of two or three people. Every second game has a computer, every third a guest."""
    chance = random.Random(f"{seed} {number}")
    kind = list(GAMES)[number % len(GAMES)]
    seats: list[str] = chance.sample(people, min(len(people), 2 + number % 2))
    levels: list[str | None] = [None] * len(seats)
    guests: tuple[int, ...] = ()
    if number % 3 == 2:
        guests = (len(seats),)
        seats.append(GUEST)
        levels.append(None)
    if number % 2:
        seats.append("")
        levels.append(chance.choice(LEVELS))
    options = dict(SHORT[kind]) | ({"mode": "elimination"} if kind == "mexico" and len(seats) > 2 else {})
    playing = games.new(kind, named(seats, levels).names, options, chance.randrange(10**6))
    began = FIRST + number * EVENING
    saved = playing.save()
    yield Began(match, kind, saved["rules"], playing.players, levels, guests, saved["options"], playing.seed, began)
    yield from _answers(match, playing, levels, SOURCES[number % len(SOURCES)], chance)
    assert isinstance(playing.ask, Over)
    told = [referee.event_to_json(event) for event in referee.told(playing)]
    yield Finished(match, playing.ask.winners, tuple(playing.table.standing), told, began + 60 * (5 + number % 40))


def _answers(
    match: str, playing: Referee, levels: Sequence[str | None], source: str, chance: random.Random
) -> Iterator[Answered]:
    """People roll dice from `source` and choose as an easy computer does. A computer's dice are simulated."""
    while not isinstance(ask := playing.ask, Over):
        if isinstance(ask, Choose):
            level = levels[ask.seat]
            word = "choice" if level is None else "computer"
            answer = bots.choose(level or "easy", playing, chance)
        else:
            answer = playing.drawn(chance)
            word = "table" if not isinstance(ask, Roll) else source if levels[ask.seat] is None else "simulated"
        number = len(playing.history)
        playing.answer(answer)
        yield Answered(match, number, referee.outline(ask), referee.to_json(ask, answer), word)
