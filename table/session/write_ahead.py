"""Write first, then change: an answer is checked and given to the journal, and waits here until that has confirmed it.

Its one rule: the referee takes an answer only once the journal says that it is on the disk, or that it cannot be: then
the table plays on without keeping.
"""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from table.engine.asks import Answer, Over
from table.engine.errors import RuleFailed
from table.engine.referee import outline, to_json
from table.session.match import Match, News, public_news
from table.session.messages import DiceRead
from table.storage.journal.entries import Answered, Began, Corrected, Entry, Left, TookBack, finished

REMEMBERED = 8  # news, for whoever has just come

Fault = Literal["dice", "rules"]
"""Why an answer was not taken: impossible dice, or rules that failed on it."""


class Keeper(Protocol):
    """What is needed of the journal."""

    def keep(self, entry: Entry) -> int: ...


@dataclass(frozen=True)
class Pending:
    """An answer, or (None) the taking back of the last one, that the journal has not confirmed yet."""

    ticket: int
    answer: Answer | None


class NewsFeed:
    """What happened, for whoever shows it."""

    def __init__(self) -> None:
        self.taken_back = 0  # how many answers: an ask that comes back counts as a new one
        self.clear()

    def clear(self) -> None:
        self.recent: deque[News] = deque(maxlen=REMEMBERED)
        self.last: News | None = None  # of an answer that can still be taken back
        self.fault: Fault | None = None  # until somebody takes it
        self._waiting: list[News] = []

    def tell(self, news: News) -> None:
        self._waiting.append(news)
        self.recent.append(news)

    def rename(self, names: Sequence[str]) -> None:
        """So that what was told before is told again under the new names."""
        for news in (*self.recent, *self._waiting):
            for view in (news.before, news.after):
                view["players"] = list(names)

    def take_back(self) -> None:
        self.taken_back += 1
        self.last = None
        if self.recent:
            self.recent.pop()

    def take(self) -> list[News]:
        """What has happened since this was last called."""
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
        """The pending answer of that ticket, if the session still waits for it."""
        pending = self.pending
        if pending is None or pending.ticket != ticket:
            return None
        self.pending = None
        return pending

    def take(self, match: Match, pending: Pending) -> bool:
        """Applies what the journal has confirmed. Returns whether the match has gone on."""
        referee = match.referee
        if pending.answer is None:
            referee.undo()
            self.news.take_back()
            return False
        ask, number, before = referee.ask, len(referee.history), referee.view(None)
        assert not isinstance(ask, Over)
        try:
            events = referee.answer(pending.answer)
        except RuleFailed as failed:
            print(failed, file=sys.stderr)  # the screen says nothing of where
            self._journal.keep(TookBack(match.id, number))
            self.news.fault = "rules"
            return False
        news = public_news(number, ask, pending.answer, events, before, referee.view(None))
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

    def answer(self, match: Match, answer: Any, source: str) -> None:
        """Gives an answer to the journal. Refused: it is not offered, or these dice are impossible."""
        referee = match.referee
        checked, ask = referee.check(answer), referee.ask
        assert not isinstance(ask, Over)
        entry = Answered(match.id, len(referee.history), outline(ask), to_json(ask, checked), source)
        self.pending = Pending(self._journal.keep(entry), checked)

    def corrected(self, match: Match, read: DiceRead) -> None:
        """Keeps what the camera had read, if people corrected the dice that are being written."""
        if told := read.correction:
            number = len(match.referee.history)
            self._journal.keep(Corrected(match.id, number, told.read, read.dice, told.why, told.photo))

    def take_back(self, match: Match) -> None:
        ticket = self._journal.keep(TookBack(match.id, len(match.referee.history) - 1))
        self.pending = Pending(ticket, None)

    def left(self, match: str) -> None:
        """It is given up for good."""
        self._journal.keep(Left(match, self._clock()))
