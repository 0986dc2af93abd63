"""Which dice count when all hands are shown. Its one rule: it is asked of a public event."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from table.engine.asks import Event
from table.games.cacho import rules as cacho

if TYPE_CHECKING:
    from table.session.match import News


def counting(event: Event, news: "News") -> Callable[[int], bool]:
    """Whether a die of that face counts for what was called."""
    if news.before["game"] != "cacho":
        return lambda die: True
    _, face = event.facts["bid"]
    return lambda die: bool(cacho.count(face, [[die]], not news.before["single"]))
