"""A finished game again, step by step.

Its one rule: the table is shown as it was, with every hand open: the game is over, and nobody has anything to hide.
"""

from collections.abc import Sequence

from table.engine.places import Places
from table.session.match import News
from table.text.catalogue import Catalogue
from table.ui.terminal import tell
from table.ui.terminal.choices import faces
from table.ui.terminal.draw import isolated, padded, width_of
from table.ui.terminal.screen import Screen

LONGEST = 9  # digits: no game has as many steps
ASK = "Enter: on; b: back; a number: that step; q: end"


def watch(screen: Screen, steps: Sequence[News], places: Places) -> None:
    """One step after the other, as somebody types."""
    at = 0
    while True:
        screen.line("")
        screen.line(f"Step {at + 1} of {len(steps)}", "dim")
        step(screen, steps[at], None)
        _hands(screen, steps[at])
        if at == len(steps) - 1:
            _end(screen, steps, places)
        text = screen.ask(ASK).casefold()
        if text in ("q", "quit") or (not text and at == len(steps) - 1):
            return
        if not text:
            at += 1
        elif text in ("b", "back"):
            at = max(0, at - 1)
        elif text.isdecimal() and len(text) < LONGEST and 1 <= int(text) <= len(steps):
            at = int(text) - 1
        else:
            screen.say(f"Type Enter, b, q or a number from 1 to {len(steps)}.")


def write(screen: Screen, steps: Sequence[News], places: Places) -> None:
    """All of them, one below the other."""
    last: News | None = None
    for news in steps:
        step(screen, news, last)
        last = news
    _end(screen, steps, places)


def step(screen: Screen, news: News, last: News | None) -> None:
    """How it stood, and what happened. After another step only what is new of that."""
    if last is None or _status(last) != _status(news):
        if last is not None:
            screen.line("")
        tell.show_status(screen, news.before, Catalogue())
    tell.show_news(screen, news, Catalogue())


def _status(news: News) -> tuple[object, ...]:
    return news.before["round"], news.before["standing"]


def _hands(screen: Screen, news: News) -> None:
    """All dice on the table."""
    hands = [(isolated(news.before["players"][seat]), dice) for seat, dice in enumerate(news.after["dice"]) if dice]
    if not hands:
        return
    screen.line("On the table:", "dim")
    broad = max(width_of(name) for name, _ in hands)
    for name, dice in hands:
        screen.line(f"  {padded(name, broad)}  {faces(dice)}", "dim")


def _end(screen: Screen, steps: Sequence[News], places: Places) -> None:
    view = steps[-1].after
    tell.show_end(screen, view, places, Catalogue())
