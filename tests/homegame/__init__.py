"""A game from another package that has only rules. `with registered():` adds it to the games."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint

from table import games
from table.text import catalogue


@contextmanager
def registered() -> Iterator[None]:
    games.register([EntryPoint("ferry", __name__, games.GROUP)])
    assert games.BROKEN == {}
    _forget()
    try:
        yield
    finally:
        del games.GAMES["ferry"], games._PACKAGES["ferry"]
        _forget()


def _forget() -> None:
    for remembered in (games.part, games.own_part, catalogue.texts):
        remembered.cache_clear()
