"""`make bench`: how fast the referee is, beside OpenSpiel in the same run where that is installed, and then the screen.

Seconds are those of this process on its core: a shared machine's other work is not counted. Its speed wanders all the
same, so every row is measured several times, in turn with all the others.
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
SECONDS = 0.5  # a row in each round
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
    """One game of random answers through the referee, fully checked; how many it took. Chance is drawn beforehand:
    the referee is measured, not the generator."""
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
    """The same through OpenSpiel's Python API: every action from the list of legal ones."""
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
    """Asks answered a second, for about SECONDS."""
    play()  # what is remembered between games is there from the second one on
    taken = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        taken += play()
    return taken / spent


def resume_ms() -> float:
    """How long loading a saved game of 2,000 answers takes."""
    match = games.new("cacho", [f"P{seat}" for seat in range(10)], {"dice": 6, "calza_miss": "nothing"}, 1)
    while len(match.history) < 2000:
        match.answer(_never_ending(match))
    saved = match.save()
    begun = time.perf_counter()
    games.load(saved)
    return (time.perf_counter() - begun) * 1000


def _never_ending(match: referee.Referee) -> Any:
    """In Cacho a calza that misses costs nothing, so a game of nothing else goes on for ever."""
    ask = match.ask
    if isinstance(ask, Choose):
        if "calza" not in ask.options:
            return ask.options[-1]
        return "calza"
    assert not isinstance(ask, Over)
    return match.drawn()


def main() -> None:
    plays: dict[str, Callable[[], int]] = {
        f"{game}, {seats} seats{_told(options)}": lambda row=(game, seats, options): playout(*row)  # type: ignore[misc]
        for game, seats, options in ROWS
    }
    try:
        import pyspiel  # type: ignore[import-not-found]

        for name in ("liars_dice(numdice=5)", "pig"):
            game = pyspiel.load_game(name)
            plays[f"OpenSpiel {name}"] = lambda game=game: open_spiel_playout(game)  # type: ignore[misc]
    except ImportError:
        print("OpenSpiel is not installed here, so there is nothing to compare with.")
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for done in range(ROUNDS):
        for name, play in plays.items():
            rates[name].append(rate(play))
        print(f"\rround {done + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{'Asks answered a second, one core':48} {'best':>10} {'median':>10}")
    for name, seen in rates.items():
        print(f"{name:48} {max(seen):10,.0f} {sorted(seen)[len(seen) // 2]:10,.0f}")
    print(f"{'Loading a saved game of 2,000 answers':48} {min(resume_ms() for _ in range(ROUNDS)):7.1f} ms")
    screen.main()
    camera.main()
    phones.main()
    players.main()
    cacho.main([])


def _told(options: dict[str, Any]) -> str:
    return "".join(f", {name} {value}".lower() for name, value in options.items())


if __name__ == "__main__":
    main()
