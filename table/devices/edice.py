"""Electronic dice on USB: found, asked, heard, and found again after they were pulled out, at any moment.

Its one rule: nothing is decided here. A thread looks for ports, each port has a thread of its own, and all of them tell
`Boards` what happens, under one lock, and write what it answers.
"""

import errno
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from table.devices.boards import NAME, Boards
from table.devices.ports import Heard
from table.devices.source import DiceSource, Pairing
from table.engine.asks import Roll
from table.session.messages import Post

LOOK = 0.3  # seconds between two looks for ports
TAKES = 0.5  # seconds that a port may take to let something be written to it
TICK = 0.1  # seconds that a port is listened to at a time: what is due is not later than that
LAST = 2.0  # seconds that the threads have to end
PICO = 0x2E8A  # the USB id of Raspberry Pi, whose boards they are


class EDice(DiceSource):
    name = NAME

    def __init__(
        self, post: Post, ports: str = "", clock: Callable[[], float] = time.monotonic, threads: bool = True
    ) -> None:
        """`ports` names them, with commas between; without, they are found by their USB id.

        Tests pass a clock, and `threads=False` to tell `boards` themselves what happens at the ports."""
        self.named = [port.strip() for port in ports.split(",") if port.strip()]
        self.pairing: Pairing = self
        self.boards = Boards(post, named=bool(self.named))
        self._clock = clock
        self._lock = threading.RLock()  # over the boards and all below: the main thread asks, the ports' threads tell
        self._threads: dict[str, threading.Thread] = {}
        self._wakes: dict[str, Callable[[], Any]] = {}
        self._closed = threading.Event()
        self._finder = threading.Thread(target=self._find, name="edice", daemon=True) if threads else None
        self.looked = threading.Event()  # for ports, at least once

    # As a source of dice

    def private(self, seat: int) -> bool:
        """Whoever sits there has dice of their own, which show what is hidden only while their button is held."""
        return self.boards.pairs.own(seat) is not None

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self.open()
        with self._locked() as now:
            self.boards.ask(ticket, roll, now)

    def cancel(self) -> None:
        with self._locked() as now:
            self.boards.cancel(now)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            threads = [*self._threads.values(), *([self._finder] if self._finder and self._finder.ident else [])]
            self._wake(self._wakes)
        until = time.monotonic() + LAST
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    # As things with a button and a lamp

    def open(self) -> None:
        """Begins to look for them, in threads of its own."""
        with self._lock:
            if self._finder and not self._finder.ident:
                self._finder.start()

    def sit(self, players: Iterable[str]) -> None:
        with self._locked():
            self.boards.pairs.sit(players)
            self.boards.light()

    @property
    def paired(self) -> dict[str, str]:
        """The id of the e-dice of each player who has one."""
        with self._lock:
            return dict(self.boards.pairs.paired)

    @property
    def heard(self) -> dict[str, Heard]:
        """By port. Without pyserial there is none, and that is said of a port without a name."""
        with self._lock:
            return self.boards.ports.known

    @property
    def waiting(self) -> str | None:
        return self.boards.pairs.waiting

    def pair(self, player: str | None) -> None:
        """The next e-dice whose button is pressed is that player's. None: nobody's."""
        self.open()
        with self._locked():
            self.boards.pairs.waiting = player
            self.boards.light()

    def part(self, player: str) -> None:
        with self._locked():
            self.boards.pairs.part(player)
            self.boards.light()

    def rename(self, names: Mapping[str, str]) -> None:
        with self._locked():
            self.boards.pairs.rename(names)

    def light(self, seat: int | None) -> None:
        """Lamps are lit where a press would throw for that seat."""
        if seat != self.boards.pairs.lit:
            with self._locked():
                self.boards.pairs.lit = seat
                self.boards.light()

    @contextmanager
    def _locked(self) -> Iterator[float]:
        """With the time. A port whose board is to be told something is woken afterwards."""
        with self._lock:
            yield self._clock()
            self._wake(port for port in self._wakes if self.boards.waiting(port))

    def _wake(self, ports: Iterable[str]) -> None:
        for port in ports:
            with suppress(Exception):  # it is being closed
                self._wakes[port]()

    # In threads of its own

    def _find(self) -> None:
        try:
            from serial.tools import list_ports  # type: ignore[import-untyped]
        except ImportError:
            with self._lock:
                self.boards.without_pyserial()
            self.looked.set()
            return
        ports, listed = self.named, bool(self.named)
        while True:
            if not self.named:
                with suppress(Exception):  # pyserial trips over a device that goes while it looks; the next look sees
                    ports = [port.device for port in list_ports.comports() if port.vid == PICO]
                    listed = True
            with self._locked() as now:
                if self._closed.is_set():
                    return
                for port in self.boards.look(ports, now):
                    thread = threading.Thread(target=self._serve, args=(port,), name=f"edice {port}", daemon=True)
                    self._threads[port] = thread
                    thread.start()
            if listed:
                self.looked.set()
            if self._closed.wait(LOOK):
                return

    def _serve(self, port: str) -> None:
        """A port from the moment that it is there until it is gone, or nothing good comes of it."""
        import serial  # type: ignore[import-untyped]

        why = "unplugged"
        try:
            with serial.Serial(port, 115200, timeout=TICK, write_timeout=TAKES, exclusive=True) as line:
                with self._locked() as now:
                    self.boards.opened(port, now)
                    self._wakes[port] = line.cancel_read
                try:
                    while not self._closed.is_set() and self._talk(port, line):
                        pass
                finally:
                    with self._lock:
                        del self._wakes[port]  # before it is closed: its number may be another file's a moment later
        except serial.SerialTimeoutException:  # it takes nothing any more
            why = "stalled"
        except (OSError, ValueError) as error:  # pyserial's own errors are OSErrors
            why = _why_not(error)
        except Exception:  # a port that is pulled out is closed under pyserial's feet, which says so in many ways
            why = "unplugged"
        with self._locked() as now:
            del self._threads[port]
            self.boards.closed(port, why, now)

    def _talk(self, port: str, line: Any) -> bool:
        """Whether there is more to say."""
        data = line.read(1)
        if data:
            data += line.read(min(line.in_waiting, 4095))
        with self._locked() as now:
            said, over = self.boards.hear(port, data, now), self.boards.over(port)
        if said:
            line.write(said)
        return not over


def _why_not(why: Exception) -> str:
    """A port that could not be opened, or went away."""
    number = getattr(why, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return "denied"
    # On Windows pyserial names no number; a port is for one program only there.
    in_use = str(why).startswith("could not open port") and "PermissionError" in str(why)
    return "busy" if in_use or number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) else "unplugged"
