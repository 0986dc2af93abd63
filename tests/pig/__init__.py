"""A game of another package that has rules and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint

from table import games
from table.engine.asks import Game


@contextmanager
def registered(name: str = "pig", package: str = __name__) -> Iterator[Game]:
    """As if that package were installed."""
    games.register([EntryPoint(name, package, games.GROUP)])
    try:
        yield games.GAMES[name]
    finally:
        del games.GAMES[name], games._PACKAGES[name]
