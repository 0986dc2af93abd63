"""`make bench`: the speed of the referee, compared with OpenSpiel if it is installed, then of everything else.

The referee is measured in this process's CPU time, so other work on the machine does not count. A processor's speed
still varies, so each row is measured several times, alternating with all the others.
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Choose, Over, Roll
from tests.bench import cacho, camera, phones, players, screen

ROUNDS = 7
SECONDS = 0.5  # time to measure each row in each round
PRE_DRAWN = 1 << 16

ROWS: list[tuple[str, int, dict[str, Any]]] = [
    ("mexico", 2, {}),
    ("mexico", 4, {"mode": "elimination"}),
    ("bluff", 4, {}),
    ("bluff", 4, {"rules": "simple"}),
    ("pocoloco", 4, {}),
    ("cheese", 4, {}),
    ("cheese", 4, {"cards": True}),
    ("cacho", 4, {}),
    ("cacho", 10, {"raise": "classic", "dice": 6}),
]

_chance = random.Random(1)
_FACES = tuple(_chance.choices(range(1, 7), k=PRE_DRAWN + 6))
_SHARES = tuple(_chance.random() for _ in range(PRE_DRAWN))


def playout(game: str, seats: int, options: dict[str, Any]) -> int:
    """Play one game of random answers through the referee with all its checks, and return the number of answers. The
    random numbers are drawn beforehand, so that only the referee is measured."""
    match = games.new(game, [f"P{seat}" for seat in range(seats)], options, 1)
    at = _chance.randrange(PRE_DRAWN)
    taken = 0
    answer: Any
    while not isinstance(ask := match.ask, Over):
        at = (at + 7) % PRE_DRAWN
        if isinstance(ask, Choose):
            answer = ask.options[int(_SHARES[at] * len(ask.options))]
        elif isinstance(ask, Roll):
            answer = _FACES[at : at + ask.count]
        elif ask.kind == "pick":
            answer = (ask.candidates[int(_SHARES[at] * len(ask.candidates))],)
        else:
            turn = int(_SHARES[at] * len(ask.candidates))
            answer = ask.candidates[turn:] + ask.candidates[:turn]
        match.answer(answer)
        taken += 1
    return taken


def open_spiel_playout(game: Any) -> int:
    """Do the same through OpenSpiel's Python API, choosing from the list of legal actions."""
    state = game.new_initial_state()
    at = _chance.randrange(PRE_DRAWN)
    taken = 0
    while not state.is_terminal():
        at = (at + 7) % PRE_DRAWN
        actions = state.legal_actions()
        state.apply_action(actions[int(_SHARES[at] * len(actions))])
        taken += 1
    return taken


def rate(play: Callable[[], int]) -> float:
    """Asks answered per second, measured over about SECONDS."""
    play()  # warm up the caches
    taken = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        taken += play()
    return taken / spent


def resume_ms() -> float:
    """Milliseconds to load a saved game of 2,000 answers."""
    match = games.new("cacho", [f"P{seat}" for seat in range(10)], {"dice": 6, "calza_miss": "nothing"}, 1)
    while len(match.history) < 2000:
        match.answer(_never_ending(match))
    saved = match.save()
    begun = time.perf_counter()
    games.load(saved)
    return (time.perf_counter() - begun) * 1000


def _never_ending(match: referee.Referee) -> Any:
    """Answer with a calza whenever that is possible. A wrong calza costs nothing here, so the game never ends."""
    ask = match.ask
    if isinstance(ask, Choose):
        if "calza" not in ask.options:
            return ask.options[-1]
        return "calza"
    assert not isinstance(ask, Over)
    return match.drawn()


def main() -> None:
    plays: dict[str, Callable[[], int]] = {
        f"{game}, {seats} seats{_listed(options)}": lambda row=(game, seats, options): playout(*row)  # type: ignore[misc]
        for game, seats, options in ROWS
    }
    try:
        import pyspiel  # type: ignore[import-not-found]

        for name in ("liars_dice(numdice=5)", "pig"):
            game = pyspiel.load_game(name)
            plays[f"OpenSpiel {name}"] = lambda game=game: open_spiel_playout(game)  # type: ignore[misc]
    except ImportError:
        print("OpenSpiel is not installed, so there is no comparison.")
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for done in range(ROUNDS):
        for name, play in plays.items():
            rates[name].append(rate(play))
        print(f"\rround {done + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{'Asks answered per second, one core':48} {'best':>10} {'median':>10}")
    for name, seen in rates.items():
        print(f"{name:48} {max(seen):10,.0f} {sorted(seen)[len(seen) // 2]:10,.0f}")
    print(f"{'Loading a saved game of 2,000 answers':48} {min(resume_ms() for _ in range(ROUNDS)):7.1f} ms")
    screen.main()
    camera.main()
    phones.main()
    players.main()
    cacho.main([])


def _listed(options: dict[str, Any]) -> str:
    return "".join(f", {name} {value}".lower() for name, value in options.items())


if __name__ == "__main__":
    main()
