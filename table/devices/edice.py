"""Electronic dice on USB: finds them, talks to them, and finds them again whenever they are unplugged and plugged back
in.

Its one rule: it decides nothing. One thread looks for ports and each port has its own thread; all of them report events
to `Boards` under one lock, and write what it returns.
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

LOOK = 0.3  # seconds between two scans for ports
TAKES = 0.5  # write timeout of a port, in seconds
TICK = 0.1  # read timeout of a port, in seconds: due actions are at most this late
LAST = 2.0  # seconds to wait for the threads to end
PICO = 0x2E8A  # USB vendor id of Raspberry Pi, which makes the boards


class EDice(DiceSource):
    name = NAME

    def __init__(
        self, post: Post, ports: str = "", clock: Callable[[], float] = time.monotonic, threads: bool = True
    ) -> None:
        """`ports` lists port names, separated by commas; if it is empty, boards are found by their USB vendor id.

        Tests pass a clock. With `threads=False`, tests report the events at the ports to `boards` themselves."""
        self.named = [port.strip() for port in ports.split(",") if port.strip()]
        self.pairing: Pairing = self
        self.boards = Boards(post, named=bool(self.named))
        self._clock = clock
        self._lock = threading.RLock()  # guards all fields below: the main thread asks, the ports' threads report
        self._threads: dict[str, threading.Thread] = {}
        self._wakes: dict[str, Callable[[], Any]] = {}
        self._closed = threading.Event()
        self._finder = threading.Thread(target=self._find, name="edice", daemon=True) if threads else None
        self.looked = threading.Event()  # set once the ports have been scanned

    # The dice source

    def private(self, seat: int) -> bool:
        """True for players with their own board, which shows hidden dice only while its button is held down."""
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

    # Buttons and lamps

    def open(self) -> None:
        """Starts looking for e-dice, in separate threads."""
        with self._lock:
            if self._finder and not self._finder.ident:
                self._finder.start()

    def sit(self, players: Iterable[str]) -> None:
        with self._locked():
            self.boards.pairs.sit(players)
            self.boards.light()

    @property
    def paired(self) -> dict[str, str]:
        """The board ids of the players who have their own board, by player name."""
        with self._lock:
            return dict(self.boards.pairs.paired)

    @property
    def heard(self) -> dict[str, Heard]:
        """The state of each port. If pyserial is missing, that is reported under an empty port name."""
        with self._lock:
            return self.boards.ports.known

    @property
    def waiting(self) -> str | None:
        return self.boards.pairs.waiting

    def pair(self, player: str | None) -> None:
        """Pairs the player with the next board whose button is pressed. None cancels a pairing that is still
        waiting."""
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
        """Lights the lamps of the boards on which a press would roll for that seat."""
        if seat != self.boards.pairs.lit:
            with self._locked():
                self.boards.pairs.lit = seat
                self.boards.light()

    @contextmanager
    def _locked(self) -> Iterator[float]:
        """Holds the lock and yields the time. Afterwards wakes the ports that have data to write."""
        with self._lock:
            yield self._clock()
            self._wake(port for port in self._wakes if self.boards.waiting(port))

    def _wake(self, ports: Iterable[str]) -> None:
        for port in ports:
            with suppress(Exception):  # the port is being closed
                self._wakes[port]()

    # In its own threads

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
                with suppress(Exception):  # pyserial fails if a device disappears during the scan; scan again
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
        """Serves a port from when it appears until it disappears or proves unusable."""
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
                        del self._wakes[port]  # before the port closes: its file descriptor could be reused at once
        except serial.SerialTimeoutException:  # the device accepts no more data
            why = "stalled"
        except (OSError, ValueError) as error:  # pyserial's own errors are OSErrors
            why = _why_not(error)
        except Exception:  # when the device is unplugged, pyserial can raise many kinds of errors
            why = "unplugged"
        with self._locked() as now:
            del self._threads[port]
            self.boards.closed(port, why, now)

    def _talk(self, port: str, line: Any) -> bool:
        """Reads and writes once. Returns whether to continue."""
        data = line.read(1)
        if data:
            data += line.read(min(line.in_waiting, 4095))
        with self._locked() as now:
            said, over = self.boards.hear(port, data, now), self.boards.over(port)
        if said:
            line.write(said)
        return not over


def _why_not(why: Exception) -> str:
    """The trouble word for a port that disappeared or could not be opened."""
    number = getattr(why, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return "denied"
    # On Windows, pyserial gives no errno. There, a PermissionError means that another program has opened the port.
    in_use = str(why).startswith("could not open port") and "PermissionError" in str(why)
    return "busy" if in_use or number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) else "unplugged"
