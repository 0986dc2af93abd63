"""Saved games and a journal written by an older dicetable, and the program that wrote them.

tests/fixtures/rules1 was written when the rules of every game were at version 1 and the journal's tables at version 2.
Never regenerate it: it shows that later versions can resume games from that time. For current fixtures, run `python -m
tests.old_games FOLDER` with a new folder.

All games were played by the referee, and the program is deterministic.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Choose, Over, Roll
from table.engine.referee import Referee
from table.games import bots
from table.session.match import Seating
from table.storage.journal import files, store
from table.storage.journal.entries import Answered, Began, Entry, Finished, Setting

RULES1 = Path(__file__).parent / "fixtures" / "rules1"
POINTS = {"early": 0.1, "middle": 0.5, "late": 0.9, "over": 1.0}
"""The part of a game that had been played when it was saved."""
BEGAN = 1_760_000_000.0  # when the first game began: 9 October 2025
EVENING = 86_400.0  # seconds from one game to the next


@dataclass(frozen=True)
class Setup:
    """One kind of game and its players: their names, and the levels of the computers."""

    name: str
    game: str
    players: dict[str, str | None]
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    guests: tuple[int, ...] = ()

    @property
    def seating(self) -> Seating:
        return Seating(tuple(self.players), tuple(self.players.values()))


TWO = {"Ann": None, "Dot": "classic"}
FOUR = {"Ann": None, "Bo": None, "Dot": "sharp", "Cleo": None}
SETUPS = (
    Setup("challenge", "mexico", TWO),
    Setup("challenge, long", "mexico", TWO, {"lives": 5, "rounds": 9}, 2),
    Setup("win", "mexico", TWO, {"goal": "win"}, 10),
    # The house wins three rounds before the challenger wins five. In version 2 this ends the game.
    Setup("win, out of lives", "mexico", TWO, {"goal": "win"}, 2),
    # The house wins two rounds. In version 2 the challenger still has lives then.
    Setup("win, lives left", "mexico", TWO, {"goal": "win", "rounds": 2, "lives": 9}, 7),
    Setup("elimination", "mexico", {**FOUR, "Visitor": None}, {"mode": "elimination"}, guests=(4,)),
    Setup("elimination, double", "mexico", FOUR, {"mode": "elimination", "double": True, "lives": 4}),
    Setup("full", "bluff", FOUR, {"rounds": 3}),
    Setup("full, real cups", "bluff", FOUR, {"rounds": 2, "immunity": False, "wins": [2, 0, 1, 0], "cups": [0, 1]}),
    Setup("simple", "bluff", {"Ann": None, "Bo": None, "Dot": "easy"}, {"rules": "simple", "rounds": 3}),
    Setup("plain", "pocoloco", {**FOUR, "Visitor": None}, {"chips": 5}, guests=(4,)),
    Setup("alone", "cheese", {"Ann": None}, {"goal": 3000}),
    Setup(
        "cards", "cheese", {"Ann": None, "Bo": None, "Dot": "classic"},
        {"goal": 4000, "cards": True, "last_turn": True, "pass_bonus": 500},
    ),
    Setup("strict", "cacho", FOUR, {"dice": 3}),
    Setup(
        "classic", "cacho", FOUR,
        {"dice": 3, "raise": "classic", "single": "once", "calza_miss": "nothing", "starter": "loser", "shuffle": True},
    ),
    Setup("real cups", "cacho", {"Ann": None, "Bo": None, "Dot": "classic"}, {"dice": 2, "cups": [0, 1]}),
)  # fmt: skip


def play(game: Referee, levels: tuple[str | None, ...], most: int | None = None) -> Iterator[tuple[str, Any, str]]:
    """Play to the end, or until there are `most` answers. Yields each ask and answer with its source."""
    while not isinstance(ask := game.ask, Over) and len(game.history) != most:
        source = "table"
        if isinstance(ask, Choose):
            level = levels[ask.seat]
            answer = bots.choose(level or "classic", game)
            source = "computer" if level else "choice"
        else:
            answer = game.drawn()
            if isinstance(ask, Roll):
                source = "simulated" if levels[ask.seat] else "camera"
        game.answer(answer)
        yield referee.outline(ask), referee.to_json(ask, answer), source


def at(setup: Setup, part: float) -> tuple[Referee, list[tuple[str, Any, str]]]:
    """The game when this fraction of its answers has been given, and the answers so far."""
    game = games.new(setup.game, list(setup.players), setup.options, setup.seed)
    whole = list(play(game, setup.seating.levels))
    game = games.new(setup.game, list(setup.players), setup.options, setup.seed)
    return game, list(play(game, setup.seating.levels, max(1, int(part * len(whole)))))


def entries(setup: Setup, point: str, began: float) -> Iterator[Entry]:
    match = f"{setup.game} {setup.name}, {point}"
    game, answers = at(setup, POINTS[point])
    saved = game.save()
    levels = setup.seating.levels
    yield Began(
        match, setup.game, saved["rules"], game.players, levels, setup.guests, saved["options"], game.seed, began
    )
    for number, (asked, answer, source) in enumerate(answers):
        yield Answered(match, number, asked, answer, source)
    if isinstance(game.ask, Over):
        told = [referee.event_to_json(event) for event in referee.told(game)]
        yield Finished(match, game.ask.winners, tuple(game.table.standing), told, began + 600)


def write(folder: Path) -> None:
    """Write a saved game for every setup and point, and a journal that has each game both finished and half played."""
    folder.mkdir(parents=True)
    with (folder / "saved.jsonl").open("w", encoding="utf-8") as sink:
        for setup in SETUPS:
            for point, part in POINTS.items():
                line = {"name": f"{setup.game} {setup.name}, {point}", "saved": at(setup, part)[0].save()}
                sink.write(json.dumps(line, separators=(",", ":")) + "\n")
    path, _ = files.ready(folder / "journal", files.Brake())
    with closing(files.opened(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        store.write(connection, Setting("language", "en"))
        for number, (setup, point) in enumerate((setup, point) for point in ("over", "middle") for setup in SETUPS):
            for entry in entries(setup, point, BEGAN + number * EVENING):
                store.write(connection, entry)
        connection.execute("COMMIT")
        files.settled(connection)


@cache
def saved() -> dict[str, Any]:
    """The saved games of version 1 by name."""
    lines = (RULES1 / "saved.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["name"]: line["saved"] for line in map(json.loads, lines)}


if __name__ == "__main__":
    write(Path(sys.argv[1]))
