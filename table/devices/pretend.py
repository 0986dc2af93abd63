"""A pretend board of e-dice: the firmware's own logic at the other end of a pty, for tests and for people
who have no real one.

Its one rule: it makes no decisions about dice. It emulates the hardware (port, button, entropy, clock) on Linux or
macOS; everything else is `firmware.die`.
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

TURN = 0.02  # seconds to wait for input in each turn
HUNG_UP = 129  # exit status that shells use for SIGHUP
PRESS = 60  # milliseconds for which Enter holds the button, and minimum pause afterwards


class Pretend:
    """A pretend board that stays plugged in until it is closed. The table opens `port` to reach it."""

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
        """Waits briefly for input and runs one step of the firmware, with the button down or not. Returns the
        clock time of the step in milliseconds."""
        came, _, _ = select.select([self._ours], [], [], TURN)
        data, now = os.read(self._ours, 4096) if came else b"", _now()
        self._write(self.die.turn(now, data, down))
        return now

    def _write(self, said: bytes) -> None:
        if said:
            with suppress(BlockingIOError):  # no one reads, and a real board would not wait either
                os.write(self._ours, said)

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        for number in (self._ours, self._theirs, self._lock):
            os.close(number)


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


def _name(port: str) -> tuple[int, Path, int]:
    """Returns the board's number, a symlink to the port, and the lock that reserves both. Only another pretend board
    can reuse the symlink's name. The pty's own name will not do: it could be reused for someone's terminal, and a table
    would send its hello there."""
    import fcntl

    folder = paths.passing()
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        path = folder / ("edice" if number == 1 else f"edice-{number}")
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)  # another pretend board uses this number
            continue
        path.unlink(missing_ok=True)  # left behind by a pretend board that was killed
        path.symlink_to(port)
        return number, path, lock
    raise AssertionError


def run(dice: int, say: Callable[[str], None]) -> None:
    """Runs a pretend board until interrupted, and prints its port and its rolls. Enter presses its button."""
    if not 1 <= dice <= MOST:
        raise Refused(f"A set of e-dice has 1 to {MOST} dice, not {dice}.")
    try:
        pretend = Pretend(dice)
    except ImportError:
        raise Refused(
            "A pretend e-dice needs a pty, which only Linux and macOS have. Plug in a real one instead."
        ) from None
    try:
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(HUNG_UP))  # also remove the symlink if the terminal closes
        _live(pretend, say)
    finally:
        pretend.close()


def _live(pretend: Pretend, say: Callable[[str], None]) -> None:
    die, rolled, shown = pretend.die, list[int](), list[int]()
    port = shlex.quote(pretend.port)
    say(f"E-dice with {die.dice} dice on {port}. Start the table with: dicetable --edice {port}")
    say("Enter presses its button; Ctrl-C unplugs it.")
    down, changes, listening = False, False, sys.stdin is not None
    since = 0  # when the board first saw the button's state; each state is held a moment, or the board could miss it
    while True:
        now = pretend.turn(down)
        if changes:
            since, changes = now, False
        if die.rolled is not rolled:
            rolled = die.rolled
            if rolled and not die.shows():
                say("Rolled, but hidden: press Enter to peek.")
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
