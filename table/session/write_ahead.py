"""Write-ahead: an answer is checked, given to the journal, and held here until the journal confirms it.

Its one rule: the referee receives an answer only after the journal reports that the answer is on the disk or cannot be
written. If it cannot be written, the table continues without saving.
"""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

from table.engine.asks import Answer, Over
from table.engine.errors import RuleFailed
from table.engine.referee import outline, to_json
from table.session.match import Match, News, Rolled, public_news
from table.session.messages import DiceRead
from table.storage.journal.entries import Answered, Began, Corrected, Entry, Left, TookBack, finished

REMEMBERED = 8  # news items kept for viewers that have just connected

Fault = Literal["dice", "rules"]
"""Why an answer was rejected: impossible dice, or rules that failed on it."""


class Keeper(Protocol):
    """The part of the journal that is used here."""

    def keep(self, entry: Entry) -> int: ...


@dataclass(frozen=True)
class Pending:
    """An answer that the journal has not confirmed yet. An `answer` of None means that the last answer is being taken
    back."""

    ticket: int
    answer: Answer | None
    rolled: Rolled = ""


class NewsFeed:
    """The events of the match, for everything that shows it."""

    def __init__(self) -> None:
        self.taken_back = 0  # number of answers taken back; a change tells viewers that an earlier ask is current again
        self.clear()

    def clear(self) -> None:
        self.recent: deque[News] = deque(maxlen=REMEMBERED)
        self.last: News | None = None  # the news of an answer that can still be taken back
        self.fault: Fault | None = None  # why the last answer was rejected, until `take_fault` is called
        self._waiting: list[News] = []

    def tell(self, news: News) -> None:
        self._waiting.append(news)
        self.recent.append(news)

    def rename(self, names: Sequence[str]) -> None:
        """Puts the new names into all news that viewers can still get."""
        for news in (*self.recent, *self._waiting):
            for view in (news.before, news.after, *(event.table for event in news.events if event.table)):
                view["players"] = list(names)

    def take_back(self) -> None:
        self.taken_back += 1
        self.last = None
        if self.recent:
            self.recent.pop()

    def take(self) -> list[News]:
        """The news since the last call."""
        news, self._waiting = self._waiting, []
        return news

    def take_fault(self) -> Fault | None:
        fault, self.fault = self.fault, None
        return fault


class WriteAhead:
    def __init__(self, journal: Keeper, clock: Callable[[], float]) -> None:
        self.pending: Pending | None = None
        self.news = NewsFeed()
        self._journal = journal
        self._clock = clock

    def confirmed(self, ticket: int) -> Pending | None:
        """The pending answer with this ticket, if the session still waits for it."""
        pending = self.pending
        if pending is None or pending.ticket != ticket:
            return None
        self.pending = None
        return pending

    def take(self, match: Match, pending: Pending) -> bool:
        """Applies a confirmed entry. Returns whether the match advanced."""
        referee = match.referee
        if pending.answer is None:
            referee.undo()
            self.news.take_back()
            return False
        ask, number, before = referee.ask, len(referee.history), referee.view(None)
        assert not isinstance(ask, Over)
        try:
            events = referee.answer(pending.answer, partial(referee.view, None))
        except RuleFailed as failed:
            print(failed, file=sys.stderr)  # printed because the screen does not show where the rules failed
            self._journal.keep(TookBack(match.id, number))
            self.news.fault = "rules"
            return False
        news = public_news(number, ask, pending.answer, events, before, referee.view(None), pending.rolled)
        self.news.last = news
        self.news.tell(news)
        if isinstance(referee.ask, Over):
            self._journal.keep(finished(match.id, referee, self._clock()))
        return True

    def began(self, match: Match) -> None:
        referee = match.referee
        self._journal.keep(
            Began(
                match=match.id,
                game=match.game.id,
                rules=match.game.version,
                players=referee.players,
                levels=match.seating.levels,
                guests=match.guests,
                options=referee.save()["options"],
                seed=referee.seed,
                at=self._clock(),
            )
        )
        if referee.opening:
            view = referee.view(None)
            self.news.tell(public_news(-1, None, None, referee.opening, view, view))

    def answer(self, match: Match, answer: Any, source: str, rolled: Rolled = "") -> None:
        """Gives an answer to the journal. Raises Refused if the answer is not offered or its dice are impossible."""
        referee = match.referee
        checked, ask = referee.check(answer), referee.ask
        assert not isinstance(ask, Over)
        entry = Answered(match.id, len(referee.history), outline(ask), to_json(ask, checked), source)
        self.pending = Pending(self._journal.keep(entry), checked, rolled)

    def corrected(self, match: Match, read: DiceRead) -> None:
        """Records what the camera read, if somebody confirmed or corrected it."""
        if told := read.correction:
            number = len(match.referee.history)
            self._journal.keep(Corrected(match.id, number, told.read, read.dice, told.sure, told.why, told.photo))

    def take_back(self, match: Match) -> None:
        ticket = self._journal.keep(TookBack(match.id, len(match.referee.history) - 1))
        self.pending = Pending(ticket, None)

    def left(self, match: str) -> None:
        """Records that the match was given up for good."""
        self._journal.keep(Left(match, self._clock()))
