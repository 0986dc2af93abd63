"""`make solve`: builds all tables of the computer players.

A game has a table if its folder has a solve.py, whose `build(progress)` returns the arrays for the game's `table.npz`.
For a game of another package, `python -m table.games.solve GAME` writes the table into that package's folder.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from table.games import BUILT_IN, DEFECTS, GAMES, has_part, own_part
from table.games.tables import path as path_of

BAR = 40

Arrays = dict[str, np.ndarray[Any, Any]]
Build = Callable[[Callable[[float], None]], Arrays]


def main(arguments: list[str] | None = None) -> int:
    solvable = [game for game in GAMES if has_part(game, "solve")]
    parser = argparse.ArgumentParser(
        prog="make solve",
        description="Build the tables of the computer players from the rules alone.",
        epilog=f'examples: make solve    make solve ARGS="{" ".join(solvable[:2])}"    make solve ARGS="--into /tmp"',
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"build only these: {', '.join(solvable)}")
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="write GAME.npz into this folder instead of the game's own"
    )
    given = parser.parse_args(arguments)
    for game in given.games:
        if game not in solvable:
            parser.error(f"{game} has no table. The games with tables are {', '.join(solvable)}.")
    if given.into:
        given.into.mkdir(parents=True, exist_ok=True)
    for game in given.games or [game for game in solvable if game in BUILT_IN]:
        solve = own_part(game, "solve")
        if solve is None:
            parser.error(f"the table of {game} cannot be built: {DEFECTS[f'{game}: solve']}")
        build: Build = solve.build
        began = time.monotonic()
        arrays = build(lambda share, game=game: _show(game, share))  # type: ignore[misc]
        _show(game, 1.0)
        path = given.into / f"{game}.npz" if given.into else path_of(game)
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
        print(f"\r{game}: {path.stat().st_size / 1000:.0f} kB  in {time.monotonic() - began:.0f} s".ljust(BAR))
    return 0


def _show(game: str, share: float) -> None:
    if sys.stderr.isatty():
        done = round(BAR * share)
        print(f"\r{game:<9} {'#' * done}{'.' * (BAR - done)} {share:4.0%} ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
