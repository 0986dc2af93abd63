"""What happened, a sentence an event. Its one rule: it is told as somebody at the table would say it, and short."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from table.engine.asks import Event
from table.games import part
from table.text.catalogue import Catalogue

if TYPE_CHECKING:  # a terminal says the same things without a session and its devices
    from table.session.match import News


def tell(event: Event, news: "News", say: Catalogue) -> str:
    """The sentence for one public event of the news."""
    assert event.visible_to(None)
    said: str = part(news.before["game"], "words").tell(event, news, say)
    return said


def counting(event: Event, news: "News") -> Callable[[int], bool]:
    """Of an event that shows all hands: whether a die of that face counts for what was called."""
    counts: Callable[[int], bool] = part(news.before["game"], "words").counting(event, news)
    return counts


def told_by_another(event: Event, news: "News") -> bool:
    """Whether another event of the same news tells it as well, so that a transcript leaves it out."""
    found: bool = part(news.before["game"], "words").told_by_another(event, news)
    return found
