"""The connection to one board of e-dice: what it reported, what it was asked, and what is wrong with it.

Its one rule: a roll is accepted only if it has the boot id of the hello, the current ask id and the requested number of
dice, and its top and bottom faces match. Any other roll is ignored, and the link asks again until a roll
is accepted. This module opens no port and has no clock.
"""

import secrets
from collections import deque
from dataclasses import dataclass

from firmware import wire

GREETS, ASKS, PINGS = 0.4, 0.5, 1.0  # seconds before repeating a hello or a roll, and between two pings
PATIENCE = 3.0  # seconds of silence until a board counts as stalled, or a device as something other than e-dice
FLOOD = 8_000  # bytes per second: a hundred times what a board sends
FOREIGN = 5  # a device that sends this many invalid lines before its hello does not count as e-dice


@dataclass(frozen=True)
class Rolled:
    ask: str
    dice: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A roll request. Its id never changes, so dice that have already rolled for it repeat their result."""

    ask: str
    count: int
    hidden: bool


class Line:
    """Converts bytes to messages and back, and checks whether the sender can be a board of e-dice at all."""

    def __init__(self, now: float) -> None:
        self._lines = wire.Lines()
        self._unsent: list[bytes] = []
        self._number = 0  # the number of the last line sent
        self._accepted = 0  # the number of the last line accepted
        self.accepted_at = now  # when the last accepted line arrived
        self._came: deque[tuple[float, int]] = deque()  # time and size of the chunks received in the last second
        self._bytes = 0  # the number of bytes received in the last second

    @property
    def silent(self) -> bool:
        """Whether nothing has been received yet."""
        return not self._came

    @property
    def foreign(self) -> bool:
        """Whether the sender has sent too many invalid lines to be a board of e-dice."""
        return self._lines.refused >= FOREIGN

    @property
    def flooded(self) -> bool:
        return self._bytes > FLOOD

    @property
    def waiting(self) -> bool:
        """Whether there is data to send."""
        return bool(self._unsent)

    def feed(self, data: bytes, now: float) -> list[tuple[str, int, dict[str, str]]]:
        self._came.append((now, len(data)))
        self._bytes += len(data)
        while self._came[0][0] < now - 1:
            self._bytes -= self._came.popleft()[1]
        return self._lines.feed(data)

    def repeated(self, number: int) -> bool:
        return number <= self._accepted

    def accept(self, number: int, now: float) -> None:
        self._accepted, self.accepted_at = number, now

    def send(self, verb: str, *fields: str) -> None:
        self._number += 1
        self._unsent.append(wire.encode(verb, self._number, *fields))

    def take_unsent(self) -> bytes:
        unsent, self._unsent = b"".join(self._unsent), []
        return unsent


class Link:
    """One open port. `hear` and `due` are called with the time; `line` collects the output."""

    def __init__(self, now: float) -> None:
        self.id = self.boot = ""
        self.dice = 0
        self.ready = False  # whether the board has said hello with our protocol version
        self.trouble = ""  # a word for what is wrong, as in edice.* in assets/language
        self.presses = 0  # button presses that `Boards` has not taken yet
        self.rolled: Rolled | None = None  # the answer to the ask, if `Boards` has not taken it yet
        self.line = Line(now)
        self._asked: Asked | None = None
        self._lit: tuple[bool, str] | None = None
        self._due: dict[str, float] = {}  # messages to repeat, and when
        self._word = ""  # our token for this hello
        self._greet(now)

    @property
    def over(self) -> bool:
        """Whether the port has to be closed, because its device cannot be used as e-dice."""
        return self.trouble in ("flood", "foreign", "silent", "stalled", "version")

    def ask(self, asked: Asked | None, now: float) -> None:
        """Sets the current roll request. None cancels it."""
        if asked != self._asked:
            self._asked, self.rolled = asked, None
            if self.ready:
                self._roll(now)

    def light(self, lit: bool, colour: str) -> None:
        if self._lit != (lit, colour):
            self._lit = (lit, colour)
            if self.ready:
                self._lamps()

    def hear(self, data: bytes, now: float) -> None:
        if data and not self.over:
            lines = self.line.feed(data, now)
            if self.line.flooded:
                self.trouble, self.ready = "flood", False
            for verb, number, fields in lines:
                self._hear(verb, number, fields, now)
            if not self.id and self.line.foreign:
                self.trouble = "foreign"

    def due(self, now: float) -> None:
        """Repeats unanswered messages, and detects a board that has been silent for too long."""
        if self.over:
            return
        if now - self.line.accepted_at >= PATIENCE:
            self.trouble = "stalled" if self.id else "silent" if self.line.silent else "foreign"
            self.ready = False
            return
        for what, at in list(self._due.items()):
            if now >= at:
                del self._due[what]
                {"greet": self._greet, "roll": self._roll, "ping": self._ping}[what](now)

    def _hear(self, verb: str, number: int, fields: dict[str, str], now: float) -> None:
        if self.over:
            return
        if verb == "hello" and fields.get("table") == self._word and not self.ready:
            self._hello(number, fields, now)
        elif not self.ready:
            return
        elif fields.get("boot", self.boot) != self.boot:
            self.trouble = ""
            self._greet(now)
        elif not self.line.repeated(number) and fields.get("boot"):
            self.line.accept(number, now)
            self._take(verb, fields)

    def _hello(self, number: int, fields: dict[str, str], now: float) -> None:
        self.line.accept(number, now)
        if fields.get("v") != str(wire.VERSION):
            self.trouble = "version"
            return
        dice = fields.get("dice", "")
        if not (fields.get("id") and fields.get("boot") and dice in list("123456")):
            self.trouble = "foreign"
            return
        self.id, self.boot, self.dice = fields["id"], fields["boot"], int(dice)
        self.ready = True
        self._due = {"ping": now + PINGS}
        self._roll(now)
        self._lamps()

    def _take(self, verb: str, fields: dict[str, str]) -> None:
        if verb == "pressed":
            self.presses += 1
        elif verb == "error" and fields.get("what") == "entropy":
            self.trouble = "entropy"
        elif verb == "rolled" and self._asked and fields.get("ask") == self._asked.ask:
            dice, under = fields.get("dice", ""), fields.get("under", "")
            twice = len(under) == len(dice) and all(a + b in PAIRS for a, b in zip(dice, under, strict=True))
            if twice and len(dice) == self._asked.count:
                self.rolled = Rolled(self._asked.ask, tuple(map(int, dice)))
                self._asked = None
                self._due.pop("roll", None)

    def _greet(self, now: float) -> None:
        if self.ready or not self._word:
            self._word = secrets.token_hex(4)
        self.ready = False
        self._due = {"greet": now + GREETS}
        self.line.send("hello", f"v={wire.VERSION}", f"table={self._word}")

    def _roll(self, now: float) -> None:
        if self._asked:
            self._due["roll"] = now + ASKS
            hidden = ["hidden=1"] if self._asked.hidden else []
            self.line.send("roll", f"boot={self.boot}", f"ask={self._asked.ask}", f"count={self._asked.count}", *hidden)

    def _ping(self, now: float) -> None:
        self._due["ping"] = now + PINGS
        self.line.send("ping", f"boot={self.boot}")
        self._lamps()  # repeated, because the previous lamps line might have been lost

    def _lamps(self) -> None:
        if self._lit:
            self.line.send("lamps", f"boot={self.boot}", f"lit={int(self._lit[0])}", f"colour={self._lit[1]}")


PAIRS = {f"{face}{7 - face}" for face in range(1, 7)}  # top and bottom faces
