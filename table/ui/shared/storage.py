"""The journal, the reader of its pages, the league and the MQTT publisher, as a table uses them.

Its one rule: nothing here waits. Whoever asks for a page, or has something written, is called back with the answer.
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
"""Troubles of the journal that end when it writes again."""


def complain(sentence: str) -> None:
    print(f"dicetable: {sentence}", file=sys.stderr, flush=True)


class Keeper(Protocol):
    def keep(self, entry: Entry) -> int: ...


@dataclass
class Storage:
    journal: Keeper
    reader: Reader | None = None  # None: nothing is kept
    league: League | None = None  # its last report, if this table is in one
    publisher: "MqttPublisher | None" = None
    troubles: dict[str, str] = field(default_factory=dict)  # of the journal: a word of `trouble.*`, and its detail
    _asked: dict[int, Callable[[Found], None]] = field(default_factory=dict)  # by ticket of the reader
    _given: dict[int, Callable[[Committed | NotKept], None]] = field(default_factory=dict)  # by ticket of the journal

    def open_services(
        self, held: ExitStack, config: Config, folder: Path, post: Post, say: Catalogue, after: float = 0.0
    ) -> None:
        """The broker that tells the house, and the league, where the config names them. `after`: seconds until they
        open. What is wrong with them is told on stderr too."""
        if config.mqtt.address:
            from table.storage.mqtt import MqttPublisher

            self.publisher = MqttPublisher(config.mqtt, folder, say, complain, after)
            held.callback(self.publisher.close)
        if config.league.address:
            from table.storage.league import Uploader

            uploader = Uploader(config.league, folder, self.journal.keep, post, say, complain, after)
            held.callback(uploader.close)

    def ask(self, question: Question[Any], take: Callable[[Found], None]) -> None:
        """Has a page of the records read; `take` is given the page, or why there is none."""
        assert self.reader is not None
        self._asked[self.reader.ask(question)] = take

    def keep(self, entry: Entry, take: Callable[[Committed | NotKept], None]) -> None:
        """Gives the entry to the journal; `take` is told whether it was written."""
        self._given[self.journal.keep(entry)] = take

    def answered(self, message: Found | Committed | NotKept) -> bool:
        """Passes an answer on to whoever asked, and notes what it says about the disk. False if nothing came of it."""
        if isinstance(message, Found):
            if asked := self._asked.pop(message.ticket, None):
                asked(message)
            return asked is not None
        before = dict(self.troubles)
        if isinstance(message, Committed):
            self.troubles = {word: detail for word, detail in before.items() if word not in PASSING}
        elif message.trouble in PASSING:  # the others come with a `Troubled` of their own
            self.failed(Troubled(message.trouble, ""))
        if given := self._given.pop(message.ticket, None):
            given(message)
        return given is not None or self.troubles != before

    @property
    def busy(self) -> bool:
        """Somebody waits for an answer."""
        return bool(self._asked or self._given)

    def failed(self, troubled: Troubled) -> None:
        self.troubles[troubled.trouble] = troubled.detail or self.troubles.get(troubled.trouble, "")

    @property
    def loses(self) -> bool:
        """What is played now is not written."""
        return any(word in self.troubles for word in PASSING)

    def not_kept(self, say: Catalogue) -> str:
        """A sentence on what is wrong with the journal; empty if nothing is."""
        return next((say(f"trouble.{word}", detail=detail) for word, detail in self.troubles.items()), "")

    def not_sent(self, settings: LeagueSettings, say: Catalogue) -> str:
        """A sentence on what somebody has to put right so that the league and MQTT work; empty if nothing."""
        if self.league and self.league.trouble:
            from table.storage.league import SHOWN, sentence

            if self.league.trouble in SHOWN:
                return sentence(self.league, settings, say)
        return self.publisher.wrong(say) if self.publisher else ""
