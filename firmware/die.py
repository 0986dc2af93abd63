"""The behaviour of the electronic dice without the hardware: bytes and button state in, bytes and colours out.

Its one rule: the dice roll only once for each ask. If the table repeats an ask, the dice repeat the result, so a lost
or duplicated line never causes another roll. The caller passes in the time and the entropy. Runs on MicroPython and
CPython.
"""

from firmware import wire

MOST = 6  # maximum number of dice on a board
TUMBLING = 700  # milliseconds that the dice tumble
FIRM = 20  # milliseconds that the button must be stable to count as pressed
KEPT = 8  # results kept in case the table asks again; no table asks for an older one
ALONE_ASK = "-"  # takes the place of the ask id in a roll without a table
ALONE = 3000  # milliseconds; if no line has come from the table for this long, the button rolls the dice without it

LEDS = 7  # per die: three on the left from top to bottom, one in the middle, three on the right
PIPS = ((), (3,), (0, 6), (0, 3, 6), (0, 2, 4, 6), (0, 2, 3, 4, 6), (0, 1, 2, 4, 5, 6))
WHITE, RED, DARK = (60, 60, 48), (90, 0, 0), (0, 0, 0)  # dim, because one USB port has to power as many as 36 LEDs
TESTED = 1024  # bytes of entropy tested before the first roll
BLOCK = 16
FEWEST = 4  # minimum number of different bytes in a block; random data has fewer once in 10**24 blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Entropy = Callable[[int], bytes]
    Colour = tuple[int, int, int]
    Fields = dict[str, str]


class Stuck(Exception):
    """The source of entropy repeats itself and must not be used."""


def test(entropy: "Entropy") -> None:
    """Raises Stuck if the source is obviously not random, judging by a thousand bytes. A good source fails once in a
    billion starts."""
    data = b"".join([entropy(BLOCK) for _ in range(TESTED // BLOCK)])
    if len(data) != TESTED:
        raise Stuck("too few bytes")
    blocks = [data[at : at + BLOCK] for at in range(0, TESTED, BLOCK)]
    if len(set(blocks)) != len(blocks):
        raise Stuck("repeated blocks")
    for bit in range(8):
        ones = sum(byte >> bit & 1 for byte in data)
        if abs(ones - TESTED // 2) > 112:  # seven standard deviations
            raise Stuck("a biased bit")
    if max(data.count(bytes([value])) for value in set(data)) > 24:  # random data has each byte 4 times on average
        raise Stuck("a byte is too frequent")


class Fair:
    """Turns bytes into numbers from one to six, all equally likely."""

    def __init__(self, entropy: "Entropy") -> None:
        self._entropy = entropy
        self._last = b""

    def roll(self, count: int) -> "list[int]":
        """The values of `count` dice. Raises Stuck if the source has failed since it was tested."""
        dice: list[int] = []
        while len(dice) < count:
            block = self._entropy(BLOCK)
            if block == self._last or len(block) != BLOCK or len(set(block)) < FEWEST:
                raise Stuck("repeated bytes")
            self._last = block
            # 252 is a multiple of six. Discard bytes of 252 and above, because they would favour one to four.
            dice += [byte % 6 + 1 for byte in block if byte < 252]
        return dice[:count]


class Die:
    """One board with its dice. Call `turn` continually; times are in milliseconds and never decrease."""

    def __init__(self, name: str, dice: int, entropy: "Entropy", now: int = 0) -> None:
        self.dice = dice
        self.lamp = True  # whether the button's lamp is on
        self.rolled: list[int] = []  # the values last rolled, even if hidden
        self._name = name
        self._fair = Fair(entropy)
        self._lines = wire.Lines()
        self._sent = 0
        self._table = ""  # the table's token for this connection
        self._heard = 0  # the number of the table's last line
        self._heard_at = now - ALONE  # when the table's last line arrived
        self._ask = ""
        self._rolls: list[tuple[str, list[int]]] = []  # recent results, each with its ask id
        self._count = 0
        self._hidden = False
        self._done_at = -1  # when the dice stop tumbling; -1 if they are not tumbling
        self._colour = WHITE
        self._level, self._level_at, self._down = False, now, False
        self.broken = ""
        try:
            test(entropy)
        except Stuck as why:
            self.broken = str(why)
        self.boot = "".join([f"{byte:02x}" for byte in entropy(4)])

    def greeting(self) -> bytes:
        """The line that the board sends at power-on."""
        return self._hello("-")

    def turn(self, now: int, data: bytes, down: bool) -> bytes:
        """Process the table's bytes and the state of the button. Returns the bytes to send."""
        said = b""
        for verb, number, fields in self._lines.feed(data):
            said += self._hear(verb, number, fields, now)
        if down != self._level:
            self._level, self._level_at = down, now
        elif down != self._down and now - self._level_at >= FIRM:
            self._down = down
            if down:
                said += self._pressed(now)
        if 0 <= self._done_at <= now:
            said += self._rest()
        return said

    def shows(self) -> "list[int]":
        """The dice to show. Hidden dice are shown only while the button is down."""
        return [] if self._hidden and not self._down else self.rolled

    def lights(self, now: int) -> "list[Colour]":
        """The colours of all LEDs, one die after another."""
        if self.broken:
            faces, colour = [1] * self.dice, RED
        elif self._done_at >= 0:
            faces, colour = [(now // 80 * 5 + 3 * at) % 6 + 1 for at in range(self._count)], self._colour
        else:
            faces, colour = self.shows(), self._colour
        found = []
        for at in range(self.dice):
            pips = PIPS[faces[at]] if at < len(faces) else ()
            found += [colour if led in pips else DARK for led in range(LEDS)]
        return found

    def _hear(self, verb: str, number: int, fields: "Fields", now: int) -> bytes:
        if verb == "hello":
            table = fields.get("table", "-")[:16]
            if table != self._table:
                self._table, self._heard = table, number
            self._heard_at = now
            return self._hello(table)
        if fields.get("boot") != self.boot:
            return self._say("error", "what=boot", f"re={number}")
        if number <= self._heard:
            return b""  # a duplicate, or out of order
        self._heard, self._heard_at = number, now
        if verb == "roll":
            return self._roll(number, fields, now)
        elif verb == "ping":
            return self._say("pong", f"re={number}")
        elif verb == "lamps":
            return self._light(number, fields)
        return self._say("error", "what=verb", f"re={number}")

    def _roll(self, number: int, fields: "Fields", now: int) -> bytes:
        ask, count = fields.get("ask", ""), fields.get("count", "")
        if not ask or count not in ("1", "2", "3", "4", "5", "6") or int(count) > self.dice:
            return self._say("error", "what=count", f"re={number}")
        if self.broken:
            return self._say("error", "what=entropy", f"re={number}")
        for before, dice in self._rolls:
            if before == ask:
                return self._told(ask, dice)
        if ask == self._ask and self._done_at >= 0:
            return self._say("rolling", "ask=" + ask)
        return self._begin(ask, int(count), fields.get("hidden") == "1", now)

    def _begin(self, ask: str, count: int, hidden: bool, now: int) -> bytes:
        self._ask, self._count, self._hidden = ask, count, hidden
        self.rolled, self._done_at = [], now + TUMBLING
        return self._say("rolling", "ask=" + ask)

    def _rest(self) -> bytes:
        self._done_at = -1
        try:
            self.rolled = self._fair.roll(self._count)
        except Stuck as why:
            self.broken = str(why)
            return self._say("error", "what=entropy")
        if self._ask != ALONE_ASK:
            self._rolls = (self._rolls + [(self._ask, self.rolled)])[-KEPT:]  # noqa: RUF005  # MicroPython has no *
        return self._told(self._ask, self.rolled)

    def _told(self, ask: str, dice: "list[int]") -> bytes:
        """The result line contains the result twice (top and bottom faces) with the ask in between, so that parts of
        two different lines cannot combine into a valid one."""
        top = "".join([str(die) for die in dice])
        under = "".join([str(7 - die) for die in dice])
        return self._say("rolled", "dice=" + top, "ask=" + ask, "under=" + under)

    def _pressed(self, now: int) -> bytes:
        said = self._say("pressed")
        if now - self._heard_at >= ALONE and self._done_at < 0 and not self.broken:
            said += self._begin(ALONE_ASK, self.dice, False, now)
        return said

    def _light(self, number: int, fields: "Fields") -> bytes:
        try:
            colour = bytes.fromhex(fields.get("colour", "3c3c30"))
        except ValueError:
            colour = b""
        if len(colour) != 3:
            return self._say("error", "what=colour", f"re={number}")
        self.lamp, self._colour = fields.get("lit") == "1", (colour[0], colour[1], colour[2])
        return b""

    def _hello(self, table: str) -> bytes:
        return self._say("hello", f"v={wire.VERSION}", "table=" + table, "id=" + self._name, f"dice={self.dice}")

    def _say(self, verb: str, *fields: str) -> bytes:
        self._sent += 1
        return wire.encode(verb, self._sent, "boot=" + self.boot, *fields)
