"""Where the dice of a match come from: which source is in use, which one was asked, and whether it is lost.

Its one rule: at most one ask is open. Its ticket is new each time, so that an answer to an older one changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Literal

from table.devices import DiceSource
from table.engine.asks import Roll
from table.session.messages import DeviceFound, DeviceLost, DiceRead

Thrower = Literal["person", "phone", "computer"]
"""A person at the table, one with a phone, or a computer."""

_TICKETS = count(1)  # of all sessions together: they may share a source


@dataclass(frozen=True)
class Throw:
    """What a source is asked for. `lifted`: the dice lie under a cup."""

    roll: Roll
    thrower: Thrower
    lifted: bool


@dataclass(frozen=True)
class Awaited:
    """A throw that a source was asked for."""

    ticket: int
    source: str
    throw: Throw

    @property
    def roll(self) -> Roll:
        return self.throw.roll


class DiceInput:
    def __init__(
        self, devices: Mapping[str, DiceSource], source: str, expected: Callable[[], Throw | None] = lambda: None
    ) -> None:
        """`expected` is the throw that a person is to make now, if any."""
        self.devices = devices
        self.source = source  # the name of the one in use
        self.awaited: Awaited | None = None
        self.lost: DeviceLost | None = None  # the source that was asked is gone
        self._expected = expected

    @property
    def device(self) -> DiceSource:
        """The source in use."""
        return self.devices[self.source]

    @property
    def asked(self) -> DiceSource | None:
        """The source that was asked: not always the one in use."""
        return self.devices[self.awaited.source] if self.awaited else None

    @property
    def expected(self) -> DiceSource | None:
        """The source with which a person is to throw now."""
        throw = self._expected()
        return self._device_for(throw) if throw else None

    def throw(self) -> None:
        """Asks for the dice that a person is to throw now."""
        if throw := self._expected():
            self.ask(throw)

    def watch(self) -> None:
        """A source that watches is asked before anybody presses: people throw when it is their turn."""
        if self.expected and self.expected.watches:
            self.throw()

    def ask(self, throw: Throw) -> None:
        device = self._device_for(throw)
        self.awaited = Awaited(next(_TICKETS), device.name, throw)
        device.ask(self.awaited.ticket, throw.roll, throw.lifted)

    def _device_for(self, throw: Throw) -> DiceSource:
        """Computers throw simulated dice. A cup is lifted, not thrown: whoever can read it does. A hidden roll, and one
        by phone, goes to a source that nobody else at the table sees."""
        if throw.lifted:
            return next(one for one in (self.device, *self.devices.values()) if one.reads_cups)
        exposed = (throw.roll.hidden or throw.thrower == "phone") and not self.device.private(throw.roll.seat)
        if throw.thrower == "computer" or exposed:
            return next(one for one in self.devices.values() if one.instant)
        return self.device

    def enter(self, dice: Iterable[int]) -> None:
        """Dice as a person says that they are: typed in, or where the camera is not sure."""
        if self.asked:  # otherwise they were just read, or the throw was cancelled
            self.asked.enter(dice)

    def cancel(self) -> None:
        """Takes back the ask, if one is open."""
        if self.asked:
            self.asked.cancel()
        self.awaited = self.lost = None

    def retry(self) -> None:
        """Asks again, because the source was lost or another one is in use now."""
        if awaited := self.awaited:
            self.cancel()
            self.ask(awaited.throw)

    def use(self, source: str) -> None:
        """Switches to that source, also for an ask that is open."""
        before, self.source = self.device, source
        self.retry()
        if before is not self.device:
            before.rest()
            self.device.open()
        self.watch()

    def sit(self, players: Iterable[str]) -> None:
        for device in self.devices.values():
            device.sit(players)

    def rename(self, names: Mapping[str, str]) -> None:
        """The new names of players by the old ones."""
        for device in self.devices.values():
            if device.pairing:
                device.pairing.rename(names)

    def answers(self, read: DiceRead) -> bool:
        """Whether these are the awaited dice. If so, the ask is closed."""
        awaited = self.awaited
        if awaited is None or (read.source, read.ticket) != (awaited.source, awaited.ticket):
            return False  # the throw was cancelled, or another source was asked meanwhile
        self.awaited = self.lost = None
        return True

    def handle(self, message: DeviceLost | DeviceFound) -> bool:
        """Whether the message changed anything here."""
        match message:
            case DeviceLost(device) if self.awaited and self.awaited.source == device:
                self.lost = message
                return True
            case DeviceFound(device) if self.lost and self.lost.device == device:
                self.retry()
                return True
        return False
