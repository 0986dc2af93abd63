"""`make solve`: every table that computer players play by, built anew."""

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from table.games.bots import TABLED
from table.games.tables import path as path_of

BAR = 40

Arrays = dict[str, np.ndarray[Any, Any]]
Build = Callable[[Callable[[float], None]], dict[str, Arrays]]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="make solve",
        description="Build the tables of the computer players anew, from nothing but the rules.",
        epilog='examples: make solve    make solve ARGS="cheese bluff"    make solve ARGS="cheese --into /tmp"',
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"only these of {', '.join(TABLED)}")
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="write GAME.npz into this folder, and leave the games' own tables"
    )
    given = parser.parse_args(arguments)
    for game in given.games:
        if game not in TABLED:
            parser.error(f"there is no table of {game}: the games with tables are {', '.join(TABLED)}")
    if given.into:
        given.into.mkdir(parents=True, exist_ok=True)
    for game in given.games or TABLED:
        build: Build = import_module(f"table.games.{game}.solve").build
        began = time.monotonic()
        built = build(lambda share, game=game: _show(game, share))  # type: ignore[misc]
        _show(game, 1.0)
        for name, arrays in built.items():
            path = given.into / f"{name}.npz" if given.into else path_of(name)
            np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
            print(f"\r{name}: {path.stat().st_size / 1000:.0f} kB", end="  ")
        print(f"in {time.monotonic() - began:.0f} s".ljust(BAR))
    return 0


def _show(game: str, share: float) -> None:
    if sys.stderr.isatty():
        done = round(BAR * share)
        print(f"\r{game:<9} {'#' * done}{'.' * (BAR - done)} {share:4.0%} ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
