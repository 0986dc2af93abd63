"""Answers pages' requests for records, and changes names in the records.

Its one rule: the reader thread handles one request at a time, and pages take turns. Only the last waiting request of
each page is answered, so a page that sends many requests hardly delays the other pages.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from table.session.messages import Committed, Found, NotKept
from table.storage.journal.entries import Forgotten, Renamed
from table.storage.records.read import Question
from table.text.catalogue import Catalogue
from table.text.records.words import why
from table.ui.phone import records
from table.ui.phone.replayed import Asked, Json
from table.ui.shared.storage import Storage

PAUSE = 0.15  # minimum seconds between two requests of a page


@dataclass(frozen=True)
class _Asking:
    line: int
    asked: Asked
    say: Catalogue
    question: Question[Any]


class RecordRequests:
    """The pages' requests for records. Created and used only by the main thread."""

    def __init__(self, storage: Storage, answer: Callable[[int, Json], None], clock: Callable[[], float]) -> None:
        assert storage.reader is not None
        self._storage = storage
        self._reader = storage.reader  # not through the storage, because that would also redraw the screen
        self._answer = answer
        self._clock = clock
        self._waiting: dict[int, _Asking] = {}  # the last request from each page, in order of arrival
        self._rests: dict[int, float] = {}  # for pages that asked recently: when the next request can start
        self._ticket = 0  # ticket of the request being read, or 0
        self._asking: _Asking | None = None  # the request being read; None if the page is gone
        self._keeping: dict[int, tuple[int, Catalogue, Renamed | Forgotten]] = {}  # name changes, by journal ticket

    def ask(self, line: int, asked: Asked, say: Catalogue) -> None:
        """Queues a request. Raises Refused if there is no such page."""
        asked = replace(asked, league=self._storage.league)
        self._waiting.pop(line, None)
        self._waiting[line] = _Asking(line, asked, say, records.question(asked, say))
        self.go_on()

    def change(self, line: int, said: Mapping[str, Any], say: Catalogue) -> None:
        """Changes a name, after the reader has checked that this is possible."""
        question = records.change(said["say"], said["name"], said.get("to", ""))
        self._storage.ask(question, partial(self._write, line, say))

    def gone(self, line: int) -> None:
        self._waiting.pop(line, None)
        self._rests.pop(line, None)
        if self._asking and self._asking.line == line:
            self._asking = None

    def go_on(self) -> None:
        """Starts the next request if one can start now."""
        if self._ticket:
            return
        now = self._clock()
        ready = next((one for one in self._waiting.values() if self._rests.get(one.line, now) <= now), None)
        if ready:
            del self._waiting[ready.line]
            self._rests[ready.line] = now + PAUSE
            self._asking, self._ticket = ready, self._reader.ask(ready.question)

    @property
    def due(self) -> float:
        """When the next waiting request can start."""
        if self._ticket:
            return inf  # the current request comes first
        return min((self._rests.get(line, 0.0) for line in self._waiting), default=inf)

    def found(self, message: Found) -> None:
        """Passes the reader's result to the page that asked for it."""
        if message.ticket == self._ticket:
            asking, self._ticket, self._asking = self._asking, 0, None
            if asking and asking.line not in self._waiting:
                self._tell(asking, message)
            self.go_on()

    def _tell(self, asking: _Asking, message: Found) -> None:
        page = message.page
        if page is None:
            page = {"why": why(message.why, asking.say)}
        elif "thinking" in page:  # an unfinished review goes on after the other pages' turns
            self._waiting[asking.line] = asking
            self._rests.pop(asking.line, None)
        self._answer(asking.line, {"is": "records", **asking.asked.said, **page})

    def _write(self, line: int, say: Catalogue, found: Found) -> None:
        if found.page is None:
            self._answer(line, {"is": "refused", "why": why(found.why, say)})
        else:
            self._keeping[self._storage.journal.keep(found.page)] = line, say, found.page

    def kept(self, message: Committed | NotKept) -> None:
        """Reports whether a name change was written, if the message is about one."""
        if message.ticket not in self._keeping:
            return
        line, say, entry = self._keeping[message.ticket]
        if isinstance(message, NotKept):
            self._answer(line, {"is": "refused", "why": say("refused.not_kept")})
            return
        del self._keeping[message.ticket]
        name = entry.new if isinstance(entry, Renamed) else ""
        self._answer(line, {"is": "records", "page": "changed", "name": name, "number": 0, "at": 0})
