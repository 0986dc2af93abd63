"""A pretend e-dice: the firmware's own logic at the other end of a pty, for whoever has no board, and for tests.

Its one rule: it decides nothing about dice. What a board has (a port, a button, entropy, a clock) is made of what a
Linux or macOS machine has; all else is `firmware.die`.
"""

import itertools
import os
import select
import shlex
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware.die import MOST, Die
from table.config import paths
from table.engine.errors import Refused

TURN = 0.02  # seconds
HUNG_UP = 129  # as shells say it
PRESS = 60  # milliseconds that Enter holds the button, and leaves it alone then


class Pretend:
    """An e-dice that is plugged in as long as it is not closed. `port` is what a table has to be told."""

    def __init__(self, dice: int) -> None:
        import pty
        import tty

        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        number, self._path, self._lock = _name(os.ttyname(self._theirs))
        self.port = str(self._path)
        self.die = Die(f"{number:016}", dice, os.urandom, _now())
        self._write(self.die.greeting())

    def turn(self, down: bool) -> int:
        """Waits a moment for something to come, and does what is due, with its button down or not. Returns the
        millisecond at which it did."""
        came, _, _ = select.select([self._ours], [], [], TURN)
        data, now = os.read(self._ours, 4096) if came else b"", _now()
        self._write(self.die.turn(now, data, down))
        return now

    def _write(self, said: bytes) -> None:
        if said:
            with suppress(BlockingIOError):  # nobody reads, and a board would not wait either
                os.write(self._ours, said)

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        for number in (self._ours, self._theirs, self._lock):
            os.close(number)


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


def _name(port: str) -> tuple[int, Path, int]:
    """A number, a name that goes with it and comes again with the next one, and a lock on both. The pty's own name is
    given to whatever is opened next, somebody's terminal for one, and a table would say hello to that."""
    import fcntl

    folder = paths.passing()
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        path = folder / ("edice" if number == 1 else f"edice-{number}")
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)  # another one has it
            continue
        path.unlink(missing_ok=True)  # of one that was killed
        path.symlink_to(port)
        return number, path, lock
    raise AssertionError


def run(dice: int, say: Callable[[str], None]) -> None:
    """Until it is interrupted: tells where it is, and shows what it rolls. Enter presses its button."""
    if not 1 <= dice <= MOST:
        raise Refused(f"An e-dice has from 1 to {MOST} dice, not {dice}.")
    try:
        pretend = Pretend(dice)
    except ImportError:
        raise Refused(
            "A pretend e-dice needs a pty, which only Linux and macOS have: plug in a real one here."
        ) from None
    try:
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(HUNG_UP))  # its terminal is closed: its name is to go with it
        _live(pretend, say)
    finally:
        pretend.close()


def _live(pretend: Pretend, say: Callable[[str], None]) -> None:
    die, rolled, shown = pretend.die, list[int](), list[int]()
    port = shlex.quote(pretend.port)
    say(f"An e-dice with {die.dice} dice is at {port}. Start the table with: dicetable --edice {port}")
    say("Enter presses its button; Ctrl-C pulls it out.")
    down, changes, listening = False, False, sys.stdin is not None
    since = 0  # the millisecond at which the board first saw its button so: it does not see all that happens between
    while True:
        now = pretend.turn(down)
        if changes:
            since, changes = now, False
        if die.rolled is not rolled:
            rolled = die.rolled
            if rolled and not die.shows():
                say("It has rolled, and stays dark: Enter holds its button, and shows it.")
        if die.shows() != shown:
            shown = die.shows()
            if shown:
                say(f"It shows {' '.join(map(str, shown))}.")
        if now - since < PRESS:
            continue
        if down:
            down, changes = False, True
        elif listening and select.select([sys.stdin], [], [], 0)[0]:
            listening = bool(sys.stdin.readline())
            down = changes = listening
