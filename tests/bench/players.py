"""The part of `make bench` about computer players: how long their decisions take in whole games of every kind, and how
long their tables take to load."""

import subprocess
import sys
import time
from typing import Any

from table import games
from table.engine.asks import Choose, Over
from table.games import bots
from tests.bench.screen import row

DECISIONS = 400  # at least this many per level and kind of game
AVERAGE, P99, LOADING = 5.0, 100.0, 200.0  # limits in milliseconds

KINDS: list[tuple[str, int, dict[str, Any]]] = [
    ("mexico", 2, {}),
    ("mexico", 2, {"goal": "win", "rounds": 20}),
    ("mexico", 6, {"mode": "elimination", "double": True}),
    ("bluff", 2, {}),
    ("bluff", 2, {"rules": "simple", "rounds": 20}),
    ("bluff", 6, {}),
    ("pocoloco", 2, {}),
    ("pocoloco", 2, {"chips": 100}),
    ("pocoloco", 10, {}),
    ("cheese", 2, {}),
    ("cheese", 2, {"goal": 10000}),
    ("cheese", 4, {"cards": True, "last_turn": True}),
    ("cheese", 10, {"cards": True, "last_turn": True, "goal": 20000, "pass_bonus": 1}),
    ("cacho", 2, {}),
    ("cacho", 2, {"dice": 2, "single": "once", "raise": "classic"}),
    ("cacho", 6, {"raise": "classic"}),
    ("cacho", 10, {"dice": 6}),
]


def thinking(level: str, game: str, seats: int, options: dict[str, Any]) -> list[float]:
    """The milliseconds of each decision in whole games between players of this level."""
    taken: list[float] = []
    seed = 0
    while len(taken) < DECISIONS:
        match = games.new(game, [f"P{seat}" for seat in range(seats)], options, seed)
        seed += 1
        while not isinstance(ask := match.ask, Over):
            if isinstance(ask, Choose):
                begun = time.perf_counter()
                answer: Any = bots.choose(level, match)
                taken.append(1000 * (time.perf_counter() - begun))
            else:
                answer = match.drawn()
            match.answer(answer)
    return taken


LOAD = """
import sys, time
from table.games import bots
import numpy
begun = time.perf_counter()
from table.games import GAMES
for game in GAMES:
    bots.prepare(game)
print(1000 * (time.perf_counter() - begun))
"""


def loading() -> float:
    """The milliseconds to load all tables in a new process."""
    return float(subprocess.run([sys.executable, "-c", LOAD], capture_output=True, check=True, text=True).stdout)


def main() -> None:
    print(f"\n{'Computer players, whole games':48} {'measured':>10} {'at most':>10} {'share':>7}")
    for level in ("sharp", "perfect"):
        everything: list[float] = []
        for game, seats, options in KINDS:
            taken = sorted(thinking(level, game, seats, options))
            everything += taken
            told = "".join(f", {name} {value}".lower() for name, value in options.items())
            name = f"{level}, {game}, {seats} seats{told}"[:46]
            row(f"{name}, p99", taken[len(taken) * 99 // 100], P99, "ms")
        row(f"{level}: average per decision", sum(everything) / len(everything), AVERAGE, "ms")
        row(f"{level}: a decision, p99", sorted(everything)[len(everything) * 99 // 100], P99, "ms")
        row(f"{level}: the slowest of {len(everything):,}", max(everything), None, "ms")
    row("Loading all tables", min(loading() for _ in range(3)), LOADING, "ms")


if __name__ == "__main__":
    main()
