"""The journal, the records reader, the league and the MQTT publisher, as a table uses them.

Its one rule: nothing here blocks. Callbacks receive the pages that were requested, and whether entries were written.
"""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from table.config import Config
from table.config.sections import LeagueSettings
from table.session.messages import Committed, Found, League, NotKept, Post, Troubled
from table.storage.journal.entries import Entry
from table.storage.records.read import Question
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue

if TYPE_CHECKING:
    from table.storage.mqtt import MqttPublisher

PASSING = ("full", "readonly", "locked", "failed")
"""Troubles of the journal that end with the next successful write."""


def complain(sentence: str) -> None:
    print(f"dicetable: {sentence}", file=sys.stderr, flush=True)


class Keeper(Protocol):
    def keep(self, entry: Entry) -> int: ...


@dataclass
class Storage:
    journal: Keeper
    reader: Reader | None = None  # None if nothing is saved
    league: League | None = None  # the last report about the league, if this table is in one
    publisher: "MqttPublisher | None" = None
    # The journal's problems: catalogue keys without their prefix `trouble.`, and details.
    troubles: dict[str, str] = field(default_factory=dict)
    # Callbacks by the reader's ticket, and by the journal's.
    _asked: dict[int, Callable[[Found], None]] = field(default_factory=dict)
    _given: dict[int, Callable[[Committed | NotKept], None]] = field(default_factory=dict)

    def open_services(
        self, held: ExitStack, config: Config, folder: Path, post: Post, say: Catalogue, after: float = 0.0
    ) -> None:
        """Opens the MQTT publisher and the league uploader if they are configured. Both start after `after`
        seconds, and also print their problems on stderr."""
        if config.mqtt.address:
            from table.storage.mqtt import MqttPublisher

            self.publisher = MqttPublisher(config.mqtt, folder, say, complain, after)
            held.callback(self.publisher.close)
        if config.league.address:
            from table.storage.league import Uploader

            uploader = Uploader(config.league, folder, self.journal.keep, post, say, complain, after)
            held.callback(uploader.close)

    def ask(self, question: Question[Any], take: Callable[[Found], None]) -> None:
        """Requests a page of the records; `take` receives the page, or the reason why there is none."""
        assert self.reader is not None
        self._asked[self.reader.ask(question)] = take

    def keep(self, entry: Entry, take: Callable[[Committed | NotKept], None]) -> None:
        """Gives the entry to the journal; `take` is told whether it was written."""
        self._given[self.journal.keep(entry)] = take

    def answered(self, message: Found | Committed | NotKept) -> bool:
        """Passes an answer to its callback, and updates the troubles. Returns whether anything changed."""
        if isinstance(message, Found):
            if asked := self._asked.pop(message.ticket, None):
                asked(message)
            return asked is not None
        before = dict(self.troubles)
        if isinstance(message, Committed):
            self.troubles = {word: detail for word, detail in before.items() if word not in PASSING}
        elif message.trouble in PASSING:  # other troubles arrive as separate `Troubled` messages
            self.failed(Troubled(message.trouble, ""))
        if given := self._given.pop(message.ticket, None):
            given(message)
        return given is not None or self.troubles != before

    @property
    def busy(self) -> bool:
        """Whether an answer is pending."""
        return bool(self._asked or self._given)

    def failed(self, troubled: Troubled) -> None:
        self.troubles[troubled.trouble] = troubled.detail or self.troubles.get(troubled.trouble, "")

    @property
    def loses(self) -> bool:
        """Whether the current game is not being saved."""
        return any(word in self.troubles for word in PASSING)

    def not_kept(self, say: Catalogue) -> str:
        """A sentence about the journal's trouble; empty if there is none."""
        return next((say(f"trouble.{word}", detail=detail) for word, detail in self.troubles.items()), "")

    def not_sent(self, settings: LeagueSettings, say: Catalogue) -> str:
        """A sentence about a problem with the league or MQTT that somebody has to fix; empty if there is none."""
        if self.league and self.league.trouble:
            from table.storage.league import SHOWN, sentence

            if self.league.trouble in SHOWN:
                return sentence(self.league, settings, say)
        return self.publisher.wrong(say) if self.publisher else ""
