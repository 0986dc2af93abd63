"""Drives the match on this machine: passes each ask to whoever must answer it, and each answer to the referee.

Its one rule: write-ahead. An answer is checked and given to the journal. It is applied to the match only when the
journal reports that the answer is on the disk or cannot be written. If it cannot be written, the table continues
without saving. The session never blocks: the results of slow work arrive as messages.

The main loop calls `handle` for each message and `tick` in each iteration, and never sleeps past `pace.due`. So
computers keep playing whatever the screen shows, and even without a screen.
"""

import random
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from table.devices import DiceSource
from table.engine.asks import Choose, Draw, Over, Roll, View
from table.engine.errors import Refused
from table.session.dice import DiceInput, Throw
from table.session.match import Match, News, Rolled, resumed
from table.session.messages import (
    Committed,
    ComputerChose,
    DeviceFound,
    DeviceLost,
    DiceRead,
    Message,
    NotKept,
    Post,
    Unfinished,
)
from table.session.pace import Computers, Pace
from table.session.write_ahead import Keeper, WriteAhead

Turn = Literal["none", "person", "phone", "table", "busy", "over"]
"""Whom or what the match waits for: a person at the table, a person with a phone, the table itself (`tick`), or an
operation in progress (`busy`)."""

PEOPLE = ("person", "phone")


class Session:
    """The match being played here, if any. Created and used only by the main thread."""

    def __init__(
        self,
        journal: Keeper,
        sources: Mapping[str, DiceSource],
        source: str,
        chance: random.Random | None = None,
        clock: Callable[[], float] = time.time,
        post: Post | None = None,
        pace: float = 1.0,
    ) -> None:
        """With `post`, computers think in threads and their choices are posted. Without it, each choice is made at
        once, in the caller's thread. `pace` scales the computers' pauses; 0 means none."""
        self.match: Match | None = None
        self.phones: frozenset[int] = frozenset()  # seats of people who play with a phone
        self.dice = DiceInput(sources, source, self._expected)
        self.pace = Pace(pace)
        self.stuck = False  # whether the rules failed at a draw or a computer's turn; False again once a person retries
        self._writes = WriteAhead(journal, clock)
        self.news = self._writes.news
        self._chance = chance or random.SystemRandom()
        self._clock = clock
        self._computers = Computers(self._writes.answer, self._chance, post)

    # Actions of people, and of scenes on their behalf

    def begin(self, match: Match, phones: Collection[int] = ()) -> None:
        self._sit_down(match)
        self.phones = frozenset(phones)
        self._writes.began(match)
        self.dice.watch()

    def go_on(self, unfinished: Unfinished) -> None:
        """Resumes a saved game. Raises Refused if that is not possible."""
        self._sit_down(resumed(unfinished.saved, unfinished.levels, unfinished.guests, unfinished.match))
        self.dice.watch()

    def set_aside(self) -> Unfinished | None:
        """Leaves the match and returns it, so that it can be resumed later."""
        match, pending = self.match, self._writes.pending
        if match and pending and pending.answer is None:
            match.referee.undo()  # the journal already has the entry that takes the last answer back
        self.dice.cancel()
        self.dice.sit(())
        self.pace.stop()
        self._computers.forget()
        self.match = self._writes.pending = None
        self.stuck = False
        self.phones = frozenset()
        self.news.clear()
        if match is None or isinstance(match.referee.ask, Over):
            return None
        # Stand-ins are not saved: a resumed game starts with the people in their seats.
        levels = tuple(None if seat in match.sat_down else level for seat, level in enumerate(match.seating.levels))
        return Unfinished(match.id, match.referee.save(), levels, match.guests, self._clock())

    def leave(self, aside: Unfinished | None = None) -> None:
        """Gives up the current game, or a saved one, for good."""
        if aside := aside or self.set_aside():
            self._writes.left(aside.match)

    @property
    def turn(self) -> Turn:
        match = self.match
        if match is None:
            return "none"
        if self.writing or self.dice.awaited:
            return "busy"
        ask = match.referee.ask
        if isinstance(ask, Over):
            return "over"
        if isinstance(ask, Draw) or match.level is not None:
            return "table"
        return "phone" if ask.seat in self.phones else "person"

    @property
    def writing(self) -> bool:
        """Whether an answer is being written to the disk."""
        return self._writes.pending is not None

    def choose(self, option: Any) -> None:
        """Answers the pending choice. Raises Refused if the option is not offered."""
        if self.turn in PEOPLE and self.match and isinstance(self.match.referee.ask, Choose):
            self._writes.answer(self.match, option, "choice")

    @property
    def can_take_back(self) -> bool:
        match, last, waits = self.match, self.news.last, self.turn in (*PEOPLE, "table")
        return waits and match is not None and last is not None and _reversible(match, last, self.phones)

    def take_back(self) -> None:
        if self.can_take_back and self.match:
            self._computers.forget()
            self._writes.take_back(self.match)

    def play_with_phone(self, seat: int, phone: bool) -> None:
        """Sets whether the seat's person plays with a phone or at the table."""
        self.phones = self.phones | {seat} if phone else self.phones - {seat}
        self._ask_anew(seat)

    def stand_in(self, seat: int, level: str | None) -> None:
        """Lets a computer of this level play for the seat. If the level is None, the person plays again."""
        if self.match is None:
            return
        seating = self.match.seating
        levels = tuple(level if at == seat else old for at, old in enumerate(seating.levels))
        self.match = replace(self.match, seating=replace(seating, levels=levels))
        self._ask_anew(seat)

    # Automatic actions

    def tick(self, now: float, shown: float | None = None) -> None:
        """Carries out the next automatic action, once its pause is over.

        `shown` is the time by which people will have seen on the screen what happened. The table does not continue
        before then. If `shown` is None, because there is no screen or it shows something else, the table keeps its own
        pace. If the rules fail, the table waits until a person tries again, because otherwise they could fail for ever.
        """
        if self.turn != "table" or self._computers.thinking or self.match is None or self.stuck:
            self.pace.stop()
        elif self.pace.over(self.match.referee.ask, now, shown):
            self.step()

    def step(self) -> None:
        """Carries out the next automatic action now: a draw, or a computer's turn."""
        if self.turn != "table" or self._computers.thinking or self.match is None:
            return
        match self.match.referee.ask:
            case Draw():
                self._writes.answer(self.match, self.match.referee.drawn(self._chance), "table")
            case Roll() as roll:
                self.dice.ask(Throw(roll, "computer", False))
            case Choose():
                self._computers.ask(self.match)

    def handle(self, message: Message) -> bool:
        """Returns whether the message changed anything in the session."""
        match message:
            case DiceRead():
                return self._read(message)
            case ComputerChose():
                return self.match is not None and self._computers.take(self.match, message)
            case Committed(ticket) | NotKept(ticket, _):
                return self._written(ticket)
            case DeviceLost() | DeviceFound():
                return self.dice.handle(message)
        return False

    # Internals

    def _ask_anew(self, seat: int) -> None:
        """Restarts the pending request after the seat's player changed."""
        self._computers.forget()
        self.stuck = False
        if self.dice.awaited and self.dice.awaited.roll.seat == seat:
            self.dice.cancel()
        self.dice.watch()

    def _sit_down(self, match: Match) -> None:
        self.set_aside()
        self.match = match
        self.dice.sit(match.referee.players)
        threading.Thread(target=match.prepare, daemon=True).start()

    def _expected(self) -> Throw | None:
        """The roll that a person has to make now."""
        turn = self.turn
        if self.match is None or not (turn == "person" or turn == "phone"):
            return None
        roll = self.match.referee.ask
        return Throw(roll, turn, self.match.under_cup(roll)) if isinstance(roll, Roll) else None

    def _read(self, read: DiceRead) -> bool:
        if not self.dice.answers(read) or self.match is None:
            return False
        rolled = _rolled(read, self.dice.devices[read.source])
        source = rolled if read.correction else read.source
        try:
            self._writes.answer(self.match, read.dice, source, rolled)
        except Refused:  # the player rolls again
            self.news.fault = "dice"
            self.dice.watch()
        else:
            self._writes.corrected(self.match, read)
        return True

    def _written(self, ticket: int) -> bool:
        pending = self._writes.confirmed(ticket)
        if pending is None or self.match is None:
            return False
        advanced = self._writes.take(self.match, pending)
        self.stuck = not advanced and pending.answer is not None and self.turn == "table"
        if advanced:
            ask = self.match.referee.ask
            if isinstance(ask, Roll) and self.match.thrown_already(ask):
                self.dice.throw()
            else:
                self.dice.watch()
        return True


def _rolled(read: DiceRead, device: DiceSource) -> Rolled:
    if read.correction:
        return "confirmed" if read.confirmed else "corrected"
    if device.instant:
        return ""
    return "camera" if device.camera else "real"


def rename(session: Session, names: Sequence[str]) -> None:
    """Gives the players new names, because guests' names follow the table's language."""
    match = session.match
    if match is None or tuple(names) == match.referee.players:
        return
    new = dict(zip(match.referee.players, names, strict=True))
    match.referee.players = tuple(names)
    session.match = replace(match, seating=replace(match.seating, names=tuple(names)))
    session.news.rename(names)
    session.dice.rename(new)


def _reversible(match: Match, last: News, phones: Collection[int]) -> bool:
    """Only a person's choice can be taken back, only if nothing has happened since, and never after dice were
    revealed."""
    if not isinstance(last.ask, Choose) or last.number != len(match.referee.history) - 1:
        return False
    if match.seating.levels[last.ask.seat] is not None or last.ask.seat in phones:  # choices made on a phone are final
        return False
    ask = match.referee.ask
    if isinstance(ask, Roll) and match.thrown_already(ask):  # real dice might have been rolled already
        return False
    return not any("dice" in event.facts for event in last.events) and not _uncovered(last.before, last.after)


def _uncovered(before: View, after: View) -> bool:
    """Whether hidden dice became visible. In Cacho, this can happen before all real cups are lifted."""
    hands = zip(before["dice"], after["dice"], strict=True)
    return any(None in old and any(die is not None for die in new) for old, new in hands)
