"""Who answers what pages ask of the records, and has names changed there.

Its one rule: the file is read by somebody else, for one page at a time, and each has its turn. Of what a page asks
while it waits only the last is answered, so a page that asks without end costs hardly more than one that asks.
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

PAUSE = 0.15  # seconds from one question of a page to its next


@dataclass(frozen=True)
class _Asking:
    line: int
    asked: Asked
    say: Catalogue
    question: Question[Any]


class RecordRequests:
    """Made and used by the main thread alone."""

    def __init__(self, storage: Storage, answer: Callable[[int, Json], None], clock: Callable[[], float]) -> None:
        assert storage.reader is not None
        self._storage = storage
        self._reader = storage.reader  # of pages: an answer to the storage's own questions is drawn at the table too
        self._answer = answer
        self._clock = clock
        self._waiting: dict[int, _Asking] = {}  # the last of each line, in their turn
        self._rests: dict[int, float] = {}  # lines that have just asked, and until when they wait
        self._ticket = 0  # of what is being read, if anything is
        self._asking: _Asking | None = None  # whose that is; None: theirs who are gone
        self._keeping: dict[int, tuple[int, Catalogue, Renamed | Forgotten]] = {}  # changes, by the journal's ticket

    def ask(self, line: int, asked: Asked, say: Catalogue) -> None:
        """The page comes when it is there; Refused says why it never will."""
        asked = replace(asked, league=self._storage.league)
        self._waiting.pop(line, None)
        self._waiting[line] = _Asking(line, asked, say, records.question(asked, say))
        self.go_on()

    def change(self, line: int, said: Mapping[str, Any], say: Catalogue) -> None:
        """A name, for somebody who may: it is read first whether that can be."""
        question = records.change(said["say"], said["name"], said.get("to", ""))
        self._storage.ask(question, partial(self._write, line, say))

    def gone(self, line: int) -> None:
        self._waiting.pop(line, None)
        self._rests.pop(line, None)
        if self._asking and self._asking.line == line:
            self._asking = None

    def go_on(self) -> None:
        """The next page has its turn, if it is time."""
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
        """When the next page that waits has rested."""
        if self._ticket:
            return inf  # whatever is being read comes first
        return min((self._rests.get(line, 0.0) for line in self._waiting), default=inf)

    def found(self, message: Found) -> None:
        """What the reader has read, for whoever asked."""
        if message.ticket == self._ticket:
            asking, self._ticket, self._asking = self._asking, 0, None
            if asking and asking.line not in self._waiting:
                self._tell(asking, message)
            self.go_on()

    def _tell(self, asking: _Asking, message: Found) -> None:
        page = message.page
        if page is None:
            page = {"why": why(message.why, asking.say)}
        elif "thinking" in page:  # and the rest of it after the others
            self._waiting[asking.line] = asking
            self._rests.pop(asking.line, None)
        self._answer(asking.line, {"is": "records", **asking.asked.said, **page})

    def _write(self, line: int, say: Catalogue, found: Found) -> None:
        if found.page is None:
            self._answer(line, {"is": "refused", "why": why(found.why, say)})
        else:
            self._keeping[self._storage.journal.keep(found.page)] = line, say, found.page

    def kept(self, message: Committed | NotKept) -> None:
        """A change is on the disk now, or is not yet, if this is of one."""
        if message.ticket not in self._keeping:
            return
        line, say, entry = self._keeping[message.ticket]
        if isinstance(message, NotKept):
            self._answer(line, {"is": "refused", "why": say("sight.not_kept")})
            return
        del self._keeping[message.ticket]
        name = entry.new if isinstance(entry, Renamed) else ""
        self._answer(line, {"is": "records", "page": "changed", "name": name, "number": 0, "at": 0})
