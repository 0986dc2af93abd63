"""Electronic dice on USB: found, asked, heard, and found again after they were pulled out, at any moment.

Its one rule: a roll is asked for under one word until it is answered. Whatever happens to a cable meanwhile, dice that
rolled under that word say the same again, and dice that did not roll now. Each port has a thread of its own; what is
said on it is understood by a `Link`, under one lock for all.
"""

import errno
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from table.devices.link import Asked, Link
from table.messages import DeviceFound, DeviceLost, DiceRead, EDicePaired, EDicePressed, EDiceState, Post
from table.rules.vocabulary import Dice, Roll

LOOK = 0.3  # seconds between two looks for ports
TAKES = 0.5  # seconds that a port may take to let something be written to it
TICK = 0.1  # seconds that a port is listened to at a time: what is due is not later than that
GRACE = 2.0  # seconds that dice may be away before it is said; a cable that was knocked out is back in less
LONGEST = 8.0  # seconds that a roll may take, however often it was asked for
REST = {"stalled": 1.0, "unplugged": 0.0}  # seconds until a port is tried again, by what was wrong with it,
LONG_REST = 5.0  # and for all else that was wrong
LAST = 2.0  # seconds that the threads have to end
PICO = 0x2E8A  # the USB id of Raspberry Pi, whose boards they are
COLOUR = "3c3c30"  # of the pips
QUIET = ("", "unplugged", "silent")  # what a port that was not named may be without a word about it


@dataclass(frozen=True)
class _Standing:
    ticket: int
    roll: Roll
    asked: Asked


@dataclass(frozen=True)
class Heard:
    """What is known of a port by now: the e-dice that said hello there, or a word for what is wrong; or neither yet."""

    trouble: str = ""
    id: str = ""
    dice: int = 0


class EDice:
    name = "edice"
    watches = False

    def __init__(self, post: Post, ports: str = "") -> None:
        """`ports` names them, with commas between; without, they are found by their USB id."""
        self._post = post
        self._named = [port.strip() for port in ports.split(",") if port.strip()]
        self._lock = threading.RLock()  # over all below: the main thread asks, the ports' threads tell
        self._threads: dict[str, threading.Thread] = {}
        self._links: dict[str, Link] = {}
        self._wakes: dict[str, Callable[[], Any]] = {}
        self._wrong: dict[str, tuple[str, float]] = {}  # by port: what, and until when it is left alone
        self._closed = threading.Event()
        self._finder: threading.Thread | None = None
        self._standing: _Standing | None = None
        self._last: _Standing | None = None  # it may have been cancelled, and may be asked for again,
        self._rolled: Dice | None = None  # and this is what fell
        self._asked_of = self._asked_boot = ""  # the id of those that are to roll, and their boot
        self._asked_at = 0.0
        self._rebooted = False  # since then
        self._since = 0.0  # when dice were asked for, or some that could roll went away
        self._lost = False
        self._state = EDiceState()
        self._players: tuple[str, ...] = ()
        self._paired: dict[str, str] = {}  # by a player's name, the id of an e-dice
        self._pairing: str | None = None
        self._pressed = ""  # the id of the last one
        self._shared: set[str] = set()  # ids that several boards have
        self._lit: int | None = None

    # As a source of dice

    def private(self, seat: int) -> bool:
        """Whoever sits there has dice of their own, which show what is hidden only while their button is held."""
        return self._player(seat) in self._paired

    def ask(self, ticket: int, roll: Roll) -> None:
        self.open()
        with self._lock:
            if self._last and self._last.roll is roll:
                self._standing = replace(self._last, ticket=ticket)
                if self._rolled:  # the answer crossed a second ask, as when it comes with the news that they are back
                    self._give(self._rolled)
                    return
            else:
                self._standing = _Standing(ticket, roll, Asked(secrets.token_hex(4), roll.count, roll.hidden))
                self._rolled, self._asked_of = None, ""
            self._last = self._standing
            now = time.monotonic()
            if self._overdue(now):
                self._asked_of = ""  # somebody wants to try again, maybe with others
            self._since, self._lost = now, False
            self._assign()
            if "" in self._wrong:
                self._post(DeviceLost(self.name, "pyserial"))

    def cancel(self) -> None:
        with self._lock:
            self._standing = None
            self._assign()

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            threads = [*self._threads.values(), *([self._finder] if self._finder else [])]
            self._wake()
        until = time.monotonic() + LAST
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    # As things with a button and a lamp

    def open(self) -> None:
        """Begins to look for them, in threads of its own."""
        with self._lock:
            if self._finder is None:
                self._finder = threading.Thread(target=self._find, name="edice", daemon=True)
                self._finder.start()

    def sit(self, players: Iterable[str]) -> None:
        """Who sits where from now on. A pair holds as long as the table runs; whoever was about to make one got up."""
        with self._lock:
            self._players, self._pairing = tuple(players), None
            self._light()

    @property
    def paired(self) -> dict[str, str]:
        """The id of the e-dice of each player who has one."""
        with self._lock:
            return dict(self._paired)

    @property
    def heard(self) -> dict[str, Heard]:
        """By port. Without pyserial there is none, and that is said of a port without a name."""
        with self._lock:
            ports = {port: Heard() for port in self._threads} | {p: Heard(why) for p, (why, _) in self._wrong.items()}
            return ports | {port: Heard(link.trouble, link.id, link.dice) for port, link in self._links.items()}

    @property
    def pairing(self) -> str | None:
        return self._pairing

    def pair(self, player: str | None) -> None:
        """The next e-dice whose button is pressed is that player's. None: nobody's."""
        self.open()
        with self._lock:
            self._pairing = player
            self._light()

    def part(self, player: str) -> None:
        with self._lock:
            self._paired.pop(player, None)
            self._light()

    def light(self, seat: int | None) -> None:
        """Lamps are lit where a press would throw for that seat."""
        with self._lock:
            if seat != self._lit:
                self._lit = seat
                self._light()

    # In threads of its own

    def _find(self) -> None:
        try:
            from serial.tools import list_ports  # type: ignore[import-untyped]
        except ImportError:
            self._wrong[""] = ("pyserial", 0.0)
            self._post(DeviceLost(self.name, "pyserial"))
            return
        ports = self._named
        while True:
            if not self._named:
                with suppress(Exception):  # pyserial trips over a device that goes while it looks; the next look sees
                    ports = [port.device for port in list_ports.comports() if port.vid == PICO]
            with self._lock:
                now = time.monotonic()
                for port in [port for port in self._wrong if port not in ports]:
                    del self._wrong[port]
                for port in ports:
                    rested = self._wrong.get(port, ("", 0.0))[1] <= now
                    if port not in self._threads and rested and not self._closed.is_set():
                        thread = threading.Thread(target=self._serve, args=(port,), name=f"edice {port}", daemon=True)
                        self._threads[port] = thread
                        thread.start()
                if self._standing:
                    self._assign()  # to others, once those that were asked have been away for too long
                self._tell(now)
            if self._closed.wait(LOOK):
                return

    def _serve(self, port: str) -> None:
        """A port from the moment that it is there until it is gone, or nothing good comes of it."""
        import serial  # type: ignore[import-untyped]

        link, wrong = None, "unplugged"
        try:
            with serial.Serial(port, 115200, timeout=TICK, write_timeout=TAKES, exclusive=True) as line:
                link = Link(time.monotonic())
                with self._lock:
                    self._links[port], self._wakes[port] = link, line.cancel_read
                try:
                    while not (self._closed.is_set() or link.over):
                        self._talk(port, line, link)
                finally:
                    with self._lock:
                        del self._wakes[port]  # before it is closed: its number may be another file's a moment later
        except serial.SerialTimeoutException:  # it takes nothing any more
            wrong = "stalled" if link and link.id else "silent"
        except (OSError, ValueError) as why:  # pyserial's own errors are OSErrors
            wrong = _why_not(why)
        except Exception:  # a port that is pulled out is closed under pyserial's feet, which says so in many ways
            wrong = "unplugged"
        with self._lock:
            if link:
                del self._links[port]
                wrong = link.trouble if link.over else wrong
            now = time.monotonic()
            self._wrong[port] = (wrong, now + REST.get(wrong, LONG_REST))
            del self._threads[port]
            if link and link.ready:
                self._since = now  # it may be back in a moment
            self._assign()
            self._tell(now)

    def _talk(self, port: str, line: Any, link: Link) -> None:
        data = line.read(1)
        if data:
            data += line.read(min(line.in_waiting, 4095))
        with self._lock:
            now, before = time.monotonic(), (link.ready, link.trouble)
            link.hear(data, now)
            if link.ready and not before[0]:
                self._tell_apart(link)
            link.due(now)
            for _ in range(link.presses):
                self._press(link)
            link.presses = 0
            if link.rolled:
                self._answer(link)
            if before != (link.ready, link.trouble):
                if link.ready:
                    self._wrong.pop(port, None)
                if before[0] and not link.over:
                    self._since = now  # it is greeted anew
                self._light()  # now it is known whose it is
                self._assign()
                self._tell(now)
            said = link.take_said()
        if said:
            line.write(said)

    # With the lock held

    def _player(self, seat: int) -> str:
        return self._players[seat] if seat < len(self._players) else ""

    def _tell_apart(self, link: Link) -> None:
        """Cheap boards may share an id. Once two of them were here together, their boot is part of it: else one would
        throw what the other's player is to hide. It costs a pair its e-dice when that one is switched off."""
        shared = link.id
        for twin in self._links.values():
            if twin.id == shared and twin.boot != link.boot:
                self._shared.add(shared)
                twin.id = f"{shared}/{twin.boot}"  # all that was known by the id was this one's
                new = {shared: twin.id}
                self._paired = {name: new.get(device, device) for name, device in self._paired.items()}
                self._asked_of = new.get(self._asked_of, self._asked_of)
                self._pressed = new.get(self._pressed, self._pressed)
        if shared in self._shared:
            link.id = f"{shared}/{link.boot}"

    def _chosen(self) -> Link | None:
        """Who is to roll: the player's own. Dice that all may see are rolled by those that were asked for them, if they
        are back in a moment; else by the last that were pressed, or any."""
        standing = self._standing
        if standing is None:
            return None
        able = [one for one in self._links.values() if one.ready and one.dice >= standing.roll.count and not _dead(one)]
        own = self._paired.get(self._player(standing.roll.seat))
        if own or standing.roll.hidden:
            return next((link for link in able if link.id == own), None)
        asked = next((link for link in able if link.id == self._asked_of), None)
        if asked or (self._asked_of and time.monotonic() - self._since < GRACE):
            return asked
        taken = set(self._paired.values())
        able.sort(key=lambda link: (link.id in taken, link.id != self._pressed, link.id))
        return next(iter(able), None)

    def _assign(self) -> None:
        """The roll that stands goes to the e-dice that is to make it, and to no other."""
        chosen, now = self._chosen(), time.monotonic()
        for link in self._links.values():
            link.ask(self._standing.asked if self._standing and link is chosen else None, now)
        if chosen:
            if chosen.id != self._asked_of:
                self._asked_of, self._asked_at, self._rebooted = chosen.id, now, False
            elif chosen.boot != self._asked_boot:
                self._rebooted = True
            self._asked_boot = chosen.boot
        if chosen and self._lost and not self._overdue(now):
            self._lost = False
            self._post(DeviceFound(self.name))
        self._wake()

    def _overdue(self, now: float) -> bool:
        """They were asked, and whatever else they say or however often they come back, no dice fall."""
        return self._asked_of != "" and now - self._asked_at >= LONGEST

    def _answer(self, link: Link) -> None:
        rolled, link.rolled = link.rolled, None
        if rolled and self._standing and rolled.ask == self._standing.asked.ask:
            self._give(rolled.dice)

    def _give(self, dice: Dice) -> None:
        assert self._standing
        self._post(DiceRead(self.name, self._standing.ticket, dice))
        self._standing, self._rolled = None, dice
        self._assign()

    def _press(self, link: Link) -> None:
        self._pressed = link.id
        if self._pairing:
            for name in [name for name, device in self._paired.items() if device == link.id]:
                del self._paired[name]
            self._paired[self._pairing] = link.id
            self._post(EDicePaired(self._pairing, link.id))
            self._pairing = None
            self._light()
        else:
            owner = next((name for name, device in self._paired.items() if device == link.id), None)
            self._post(EDicePressed(link.id, owner))

    def _light(self) -> None:
        seat = self._lit
        own = self._paired.get(self._player(seat)) if seat is not None else None
        others = set(self._paired.values())
        for link in self._links.values():
            mine = link.id == own if own else link.id not in others
            link.light(self._pairing is not None or (seat is not None and mine), COLOUR)
        self._wake()

    def _wake(self) -> None:
        for wake in self._wakes.values():
            with suppress(Exception):  # it is being closed
                wake()

    def _tell(self, now: float) -> None:
        """What is wrong, if that has changed; and after a while, that nobody is there to roll."""
        said = {port: why for port, (why, _) in self._wrong.items()}
        said |= {port: link.trouble for port, link in self._links.items() if link.ready or link.trouble}
        if self._standing and self._rebooted:
            said |= {port: "rebooted" for port, link in self._links.items() if link.ready and link.id == self._asked_of}
        quiet = ("", "unplugged") if self._named else QUIET
        wrong = [(port, why) for port, why in sorted(said.items()) if why not in quiet]
        ready = sum(link.ready for link in self._links.values())
        state = EDiceState(*(wrong[0] if wrong else ("", "")), ready)
        if state != self._state:
            self._state = state
            self._post(state)
        gone = not (self._chosen() or self._hope()) and now - self._since >= GRACE
        if self._standing and not self._lost and (gone or self._overdue(now)):
            self._lost = True
            self._post(DeviceLost(self.name, self._why(state)))
            if not state.trouble and not self._overdue(now):
                self._asked_of = ""  # it was pulled out for long: once it is back, it has all the time again

    def _hope(self) -> bool:
        """Whether something was plugged in that has not had time to say what it is."""
        return any(
            not link.ready and not link.over and self._wrong.get(port, ("", 0.0))[0] in ("", "unplugged")
            for port, link in self._links.items()
        )

    def _why(self, state: EDiceState) -> str:
        """Why no dice come."""
        standing, ready = self._standing, [link for link in self._links.values() if link.ready]
        assert standing
        if self._rebooted:
            return "rebooted"
        if self._chosen():
            return "idle"
        own = self._paired.get(self._player(standing.roll.seat))
        theirs = [link for link in ready if link.id == own or not (own or standing.roll.hidden)]
        if theirs:
            return next((link.trouble for link in theirs if link.trouble), "few")
        if own and own.partition("/")[0] in self._shared and ready:
            return "twin"
        return "own" if ready else state.trouble or ("unplugged" if self._asked_of else "absent")


def _dead(link: Link) -> bool:
    return link.trouble == "entropy"


def _why_not(why: Exception) -> str:
    """A port that could not be opened, or went away."""
    number = getattr(why, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return "denied"
    # On Windows pyserial names no number; a port is for one program only there.
    in_use = str(why).startswith("could not open port") and "PermissionError" in str(why)
    return "busy" if in_use or number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) else "unplugged"
