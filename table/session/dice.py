"""A match's dice: which source is in use, which source was asked, and whether that source is lost.

Its one rule: at most one ask is open. Each ask has a new ticket, so a late answer to an older ask has no effect.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from table.devices import DiceSource
from table.engine.asks import Roll
from table.session.messages import DeviceFound, DeviceLost, DiceRead, SeenDie

Thrower = Literal["person", "phone", "computer"]
"""A person at the table, a person with a phone, or a computer."""

_TICKETS = count(1)  # shared by all sessions, because they can share a source


@dataclass(frozen=True)
class Throw:
    """A request to a source. If `lifted`, the dice are not rolled, but read once their cup is lifted."""

    roll: Roll
    thrower: Thrower
    lifted: bool


@dataclass(frozen=True)
class Awaited:
    """A request that a source has not answered yet."""

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
        """`expected` returns the roll that a person has to make now, if any."""
        self.devices = devices
        self.source = source  # the name of the source in use
        self.awaited: Awaited | None = None
        self.lost: DeviceLost | None = None  # set while the source that was asked is lost
        self._expected = expected

    @property
    def device(self) -> DiceSource:
        """The source in use."""
        return self.devices[self.source]

    @property
    def asked(self) -> DiceSource | None:
        """The source that was asked, which is not always the one in use."""
        return self.devices[self.awaited.source] if self.awaited else None

    @property
    def expected(self) -> DiceSource | None:
        """The source for the roll that a person has to make now."""
        throw = self._expected()
        return self._device_for(throw) if throw else None

    def throw(self) -> None:
        """Requests the roll that a person has to make now."""
        if throw := self._expected():
            self.ask(throw)

    def watch(self) -> None:
        """If the source watches the dice, requests the roll from it before anyone presses a button, so that people can
        roll as soon as it is their turn."""
        if self.expected and self.expected.watches:
            self.throw()

    def ask(self, throw: Throw) -> None:
        device = self._device_for(throw)
        self.awaited = Awaited(next(_TICKETS), device.name, throw)
        device.ask(self.awaited.ticket, throw.roll, throw.lifted)

    def _device_for(self, throw: Throw) -> DiceSource:
        """Computers use simulated dice. So do hidden rolls and rolls on a phone, if others could see the dice of the
        source in use. Dice under a lifted cup are read by a source that can read cups."""
        if throw.lifted:
            return next(one for one in (self.device, *self.devices.values()) if one.reads_cups)
        exposed = (throw.roll.hidden or throw.thrower == "phone") and not self.device.private(throw.roll.seat)
        if throw.thrower == "computer" or exposed:
            return next(one for one in self.devices.values() if one.instant)
        return self.device

    def enter(self, dice: Iterable[int], seen: Sequence[SeenDie | None] = ()) -> None:
        """Passes on the values that a person entered: typed dice, or a correction of the camera's reading. `seen`: what
        the camera sees of each of these dice."""
        if self.asked:  # None if the dice have just been read or the roll was cancelled
            self.asked.enter(dice, seen)

    def cancel(self) -> None:
        """Cancels the open ask, if any."""
        if self.asked:
            self.asked.cancel()
        self.awaited = self.lost = None

    def retry(self) -> None:
        """Asks again, because the source was lost or replaced."""
        if awaited := self.awaited:
            self.cancel()
            self.ask(awaited.throw)

    def use(self, source: str) -> None:
        """Switches to this source, and passes an open ask on to it."""
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
        """Renames players. `names` maps old names to new ones."""
        for device in self.devices.values():
            if device.pairing:
                device.pairing.rename(names)

    def answers(self, read: DiceRead) -> bool:
        """Whether these are the awaited dice. If so, closes the ask."""
        awaited = self.awaited
        if awaited is None or (read.source, read.ticket) != (awaited.source, awaited.ticket):
            return False  # the roll was cancelled, or another source has been asked since
        self.awaited = self.lost = None
        return True

    def handle(self, message: DeviceLost | DeviceFound) -> bool:
        """Returns whether the message changed anything here."""
        match message:
            case DeviceLost(device) if self.awaited and self.awaited.source == device:
                self.lost = message
                return True
            case DeviceFound(device) if self.lost and self.lost.device == device:
                self.retry()
                return True
        return False
