"""The session drives the match on this machine: each ask goes to whoever has to answer it, each answer to the referee.

Its one rule: write first, then change. An answer is checked, given to the journal, and taken by the match only when the
journal says that it is on the disk (or that it cannot be: then the table plays on without keeping). It waits for
nothing: whatever takes time comes back as a message.
"""

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal, Protocol

from table.devices import DiceSource
from table.devices.camera import CameraDice
from table.devices.edice import EDice
from table.devices.typed import TypedDice
from table.engine.asks import Answer, Choose, Draw, Event, Over, Roll, View
from table.engine.errors import Refused, RuleFailed
from table.engine.referee import outline, to_json
from table.session.match import Match, News, resumed
from table.session.messages import Committed, DeviceFound, DeviceLost, DiceRead, Message, NotKept, Unfinished
from table.storage.journal import Answered, Began, Corrected, Entry, Finished, Left, TookBack

Turn = Literal["none", "person", "phone", "table", "busy", "over"]
"""Whom the match waits for: a person at the table, one with a phone, the table itself (`step`), or something under way
(`busy`)."""

PEOPLE = ("person", "phone")

Fault = Literal["dice", "rules"]
"""What could not be taken: dice that there are not, or an answer on which the rules failed, which is our mistake."""

REMEMBERED = 8  # news, for whoever has just come

_TICKETS = count(1)  # of all halls together: they may share a source

SHOWING = {"rolled", "called", "dudo", "calza"}
"""Events that show dice: what led to one is never taken back."""


class Keeper(Protocol):
    """What the session needs of the journal."""

    def keep(self, entry: Entry) -> int: ...


@dataclass(frozen=True)
class Awaited:
    """Dice that a source was asked for."""

    ticket: int
    source: str
    roll: Roll


@dataclass(frozen=True)
class _Writing:
    """An answer, or (None) the taking back of the last one, that the journal has not confirmed yet."""

    ticket: int
    answer: Answer | None


class Session:
    """The match that is played here, if any. Made and used by the main thread alone."""

    def __init__(
        self,
        journal: Keeper,
        sources: Mapping[str, DiceSource],
        source: str,
        chance: random.Random | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.match: Match | None = None
        self.phones: frozenset[int] = frozenset()  # seats whose people play with a phone
        self.taken_back = 0  # answers, since it is open: an ask that stands again is another one
        self.recent: deque[News] = deque(maxlen=REMEMBERED)
        self.source = source
        self.awaited: Awaited | None = None
        self.lost: DeviceLost | None = None  # the source that was asked is gone
        self.fault: Fault | None = None  # said once, to whoever takes it
        self._journal = journal
        self._sources = sources
        self._chance = chance or random.SystemRandom()
        self._clock = clock
        self._writing: _Writing | None = None
        self._news: list[News] = []
        self._last: News | None = None

    # What people, and scenes for them, do

    def begin(self, match: Match, phones: Collection[int] = ()) -> None:
        self._sit_down(match)
        self.phones = frozenset(phones)
        referee, seating = match.referee, match.seating
        saved = referee.save()
        self._journal.keep(
            Began(
                match=match.id,
                game=match.game.id,
                rules=match.game.version,
                players=referee.players,
                levels=seating.levels,
                guests=match.guests,
                options=saved["options"],
                seed=referee.seed,
                at=self._clock(),
            )
        )
        if referee.opening:
            view = referee.view(None)
            self._tell(News(-1, None, None, _public(referee.opening), view, view))
        self.watch()

    def go_on(self, unfinished: Unfinished) -> None:
        """Takes up a game where it was left; Refused says why it cannot go on."""
        self._sit_down(resumed(unfinished.saved, unfinished.levels, unfinished.guests, unfinished.match))
        self.watch()

    def set_aside(self) -> Unfinished | None:
        """Leaves the table; the game can be gone on with."""
        match = self.match
        if match and self._writing and self._writing.answer is None:
            match.referee.undo()  # the journal has it already, or will in a moment
        self._get_up()
        if match is None or isinstance(match.referee.ask, Over):
            return None
        levels = tuple(
            None if seat in match.sat_down else level for seat, level in enumerate(match.seating.levels)
        )  # nobody stands in for ever
        return Unfinished(match.id, match.referee.save(), levels, match.guests, self._clock())

    def leave(self) -> None:
        """Gives the game up for good."""
        match = self.match
        self._get_up()
        if match is not None and not isinstance(match.referee.ask, Over):
            self._journal.keep(Left(match.id, self._clock()))

    def give_up(self, unfinished: Unfinished) -> None:
        """Gives up for good a game that was put aside."""
        self._journal.keep(Left(unfinished.match, self._clock()))

    @property
    def turn(self) -> Turn:
        match = self.match
        if match is None:
            return "none"
        if self._writing or self.awaited:
            return "busy"
        ask = match.referee.ask
        if isinstance(ask, Over):
            return "over"
        if isinstance(ask, Draw) or match.level is not None:
            return "table"
        return "phone" if ask.seat in self.phones else "person"

    @property
    def passing(self) -> bool:
        """Something is under way that is over in a moment: nothing to tell anybody of."""
        return self._writing is not None or (self.awaited is not None and self.awaited.source == "simulated")

    @property
    def writing(self) -> bool:
        """An answer is on its way to the disk."""
        return self._writing is not None

    def throw(self) -> None:
        """The person who is asked for dice throws, or arms the source that reads what is thrown."""
        if self.turn in PEOPLE and self.match and isinstance(self.match.referee.ask, Roll):
            self._ask_for_dice(self.match.referee.ask)

    def choose(self, option: Any) -> None:
        """Refused: it is not offered."""
        if self.turn in PEOPLE and self.match and isinstance(self.match.referee.ask, Choose):
            self._write(option, "choice")

    def enter(self, dice: tuple[int, ...]) -> None:
        """Dice as a person says that they are: typed in, or where the camera is not sure."""
        if self.awaited is None:
            return  # they were read a moment before, or nobody throws any more
        source = self._sources[self.awaited.source]
        assert isinstance(source, TypedDice | CameraDice)
        source.enter(dice)

    def cancel(self) -> None:
        """Whoever was to throw does not, for now."""
        if self.awaited:
            self._sources[self.awaited.source].cancel()
            self.awaited = self.lost = None

    def use(self, source: str) -> None:
        """Throws with that source from now on, also what is being thrown."""
        before, self.source = self._sources[self.source], source
        if self.awaited:
            roll = self.awaited.roll
            self.cancel()
            self._ask_for_dice(roll)
        self.watch()
        if isinstance(before, CameraDice) and source != before.name:
            before.rest()

    def retry(self) -> None:
        """Asks the source that was lost once more."""
        if self.awaited:
            roll = self.awaited.roll
            self.cancel()
            self._ask_for_dice(roll)

    def watch(self) -> None:
        """A source that watches is asked before anybody presses: people throw when it is their turn."""
        ask = self.match.referee.ask if self.match else None
        if self.turn in PEOPLE and isinstance(ask, Roll) and self._sources[self.source_for(ask)].watches:
            self._ask_for_dice(ask)

    @property
    def can_take_back(self) -> bool:
        """Only a person's choice, only as the last thing that happened, and never after dice were shown."""
        last = self._last
        if (
            self.turn not in ("person", "phone", "table")
            or self.match is None
            or last is None
            or not isinstance(last.ask, Choose)
        ):
            return False
        if last.number != len(self.match.referee.history) - 1 or self.match.seating.levels[last.ask.seat] is not None:
            return False
        if last.ask.seat in self.phones:  # what was touched there is not taken back here
            return False
        ask = self.match.referee.ask
        if isinstance(ask, Roll) and self.match.thrown_already(ask):  # real dice may lie there already
            return False
        return not any(event.kind in SHOWING for event in last.events) and not _uncovered(last.before, last.after)

    def take_back(self) -> None:
        if self.can_take_back and self.match:
            number = len(self.match.referee.history) - 1
            self._writing = _Writing(self._journal.keep(TookBack(self.match.id, number)), None)

    def play_with_phone(self, seat: int, phone: bool) -> None:
        """Whether that seat's person plays with a phone, or at the table, from now on."""
        self.phones = self.phones | {seat} if phone else self.phones - {seat}
        self._ask_anew(seat)

    def stand_in(self, seat: int, level: str | None) -> None:
        """A computer of that level plays for the seat, or (None) its person again."""
        if self.match is None:
            return
        seating = self.match.seating
        levels = tuple(level if at == seat else old for at, old in enumerate(seating.levels))
        self.match = replace(self.match, seating=replace(seating, levels=levels))
        self._ask_anew(seat)

    # What the table does by itself

    def step(self) -> None:
        """The next thing that waits for nobody: a draw, or what a computer does."""
        if self.turn != "table" or self.match is None:
            return
        match self.match.referee.ask:
            case Draw():
                self._write(self.match.referee.drawn(self._chance), "table")
            case Roll() as roll:
                self._ask_for_dice(roll)
            case Choose():
                self._write(self.match.computers_choice(), "computer")

    def handle(self, message: Message) -> bool:
        """Whether the message changed anything here."""
        match message:
            case DiceRead():
                return self._read(message)
            case Committed(ticket) | NotKept(ticket, _):
                return self._written(ticket)
            case DeviceLost(device) if self.awaited and self.awaited.source == device:
                self.lost = message
                return True
            case DeviceFound(device) if self.lost and self.lost.device == device:
                self.retry()
                return True
        return False

    def take_news(self) -> list[News]:
        news, self._news = self._news, []
        return news

    def take_fault(self) -> Fault | None:
        fault, self.fault = self.fault, None
        return fault

    # Inside

    def _ask_anew(self, seat: int) -> None:
        """Somebody else throws for that seat now."""
        if self.awaited and self.awaited.roll.seat == seat:
            self.cancel()
        self.watch()

    def _tell(self, news: News) -> None:
        self._news.append(news)
        self.recent.append(news)

    def _sit_down(self, match: Match) -> None:
        self._get_up()
        self.match = match
        self._seat(match.referee.players)
        threading.Thread(target=match.prepare, daemon=True).start()

    def _seat(self, players: tuple[str, ...]) -> None:
        edice = self._sources.get("edice")
        if isinstance(edice, EDice):
            edice.sit(players)

    def _get_up(self) -> None:
        self.cancel()
        self._seat(())
        self.match = self._writing = self._last = self.fault = None
        self.phones = frozenset()
        self._news = []
        self.recent.clear()

    def source_for(self, roll: Roll) -> str:
        """A hidden roll goes to a private source only; computers throw simulated dice, and so do phones without an
        e-dice of their own; a cup is lifted, not thrown."""
        assert self.match is not None
        if self.match.seating.levels[roll.seat] is not None:
            return "simulated"
        if self.match.under_cup(roll):
            return "camera" if self.source == "camera" else "typed"
        if roll.seat in self.phones and not (self.source == "edice" and self._sources["edice"].private(roll.seat)):
            return "simulated"
        return self.source if self._sources[self.source].private(roll.seat) or not roll.hidden else "simulated"

    def _ask_for_dice(self, roll: Roll) -> None:
        self.awaited = Awaited(next(_TICKETS), self.source_for(roll), roll)
        source = self._sources[self.awaited.source]
        if isinstance(source, CameraDice):
            source.ask(self.awaited.ticket, roll, lifted=self.match is not None and self.match.under_cup(roll))
        else:
            source.ask(self.awaited.ticket, roll)

    def _read(self, read: DiceRead) -> bool:
        awaited = self.awaited
        if awaited is None or (read.source, read.ticket) != (awaited.source, awaited.ticket):
            return False  # of a throw that was cancelled, or asked for of another source meanwhile
        self.awaited = self.lost = None
        try:
            self._write(read.dice, "corrected" if read.correction else read.source)
        except Refused:  # whoever threw throws again
            self.fault = "dice"
            self.watch()
            return True
        if read.correction and self.match:
            number, told = len(self.match.referee.history), read.correction
            self._journal.keep(Corrected(self.match.id, number, told.read, read.dice, told.why, told.photo))
        return True

    def _write(self, answer: Any, source: str) -> None:
        assert self.match is not None
        referee = self.match.referee
        checked, ask = referee.check(answer), referee.ask
        assert not isinstance(ask, Over)
        entry = Answered(self.match.id, len(referee.history), outline(ask), to_json(ask, checked), source)
        self._writing = _Writing(self._journal.keep(entry), checked)

    def _written(self, ticket: int) -> bool:
        writing = self._writing
        if writing is None or writing.ticket != ticket or self.match is None:
            return False
        self._writing = None
        if writing.answer is None:
            self.match.referee.undo()
            self._last = None
            self.taken_back += 1
            if self.recent:
                self.recent.pop()
        else:
            self._take(self.match, writing.answer)
        return True

    def _take(self, match: Match, answer: Answer) -> None:
        referee = match.referee
        ask, number, before = referee.ask, len(referee.history), referee.view(None)
        assert not isinstance(ask, Over)
        try:
            events = referee.answer(answer)
        except RuleFailed:
            self._journal.keep(TookBack(match.id, number))
            self.fault = "rules"
            return
        hidden = isinstance(ask, Roll) and ask.hidden
        self._last = News(number, ask, None if hidden else answer, _public(events), before, referee.view(None))
        self._tell(self._last)
        if isinstance(referee.ask, Over):
            self._finish(match, referee.ask)
        elif isinstance(referee.ask, Roll) and match.level is None and match.thrown_already(referee.ask):
            self._ask_for_dice(referee.ask)
        else:
            self.watch()

    def _finish(self, match: Match, over: Over) -> None:
        standing = tuple(match.referee.table.standing)
        self._journal.keep(Finished(match.id, over.winners, standing, match.told(), self._clock()))


def _uncovered(before: View, after: View) -> bool:
    """Whether dice can be seen that could not: Cacho's, while somebody's cup has still to be lifted."""
    hands = zip(before["dice"], after["dice"], strict=True)
    return any(None in old and any(die is not None for die in new) for old, new in hands)


def _public(events: list[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if event.visible_to(None))
