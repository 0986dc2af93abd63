"""`python -m tests.soak.camera`: whole games with a simulated camera and all kinds of trouble.

Dice are cocked, stacked, nudged or off the table, and hands pass over them. The light flickers, and a lamp is switched.
The camera process crashes, and the camera is unplugged and plugged in again.

Its one rule: the true rolls are known. A roll that the table accepts without asking has to match them exactly.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from table.devices.camera import CameraDice
from table.games import GAMES
from table.ui.kiosk.paint import SPRITES
from tests.evening import PATIENCE, TROUBLES, Evening
from tests.standin import Dice, StandIn
from vision.worker import CameraProcess

GROWS = 1.15  # the factor by which memory may grow after the first tenth of the time


class Real(Evening):
    """An evening with a real clock, a real camera command, and a separate camera process, which can crash."""

    def _camera(self, folder: Path) -> Dice:
        stand_in = StandIn(folder)
        self._held.callback(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] = stand_in.path
        self.troubles = {**TROUBLES, "crash": 1}
        return stand_in

    def _watch(self) -> None:
        """Nothing to do: the table starts its own camera process."""

    @property
    def now(self) -> float:
        return time.monotonic()

    def turn(self) -> None:
        table = self.table
        table.now = self.now
        table.kiosk.turn(table.mailbox.take(), [], table.now)
        table.mailbox.wait(0.01)

    def crash(self) -> None:
        eye = self._process()
        assert eye and eye.pid
        before = eye.pid
        os.kill(before, signal.SIGKILL)
        self.until(lambda: eye.pid not in (None, before), "another process")
        self.turn()  # handle the message about the crash, which was posted before the new process started

    def _process(self) -> CameraProcess | None:
        device = self.table.context.session.dice.devices["camera"]
        assert isinstance(device, CameraDice)
        return device.camera.process

    def memory(self) -> tuple[int, int]:
        """The table's and the camera process's memory in bytes. The sprite cache does not count, because it may
        grow for hours, up to its own limit."""
        eye = self._process()
        return _resident(os.getpid()) - SPRITES.bytes, _resident(eye.pid) if eye and eye.pid else 0


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def play(evening: Evening, seconds: float, enough: float = float("inf")) -> None:
    """Play all games in turn for `seconds`, or until there have been `enough` rolls."""
    begun = evening.now
    evening.ends = begun + seconds

    def goes_on() -> bool:
        return evening.now - begun < seconds and evening.rolls.total() < enough

    while goes_on():
        for game in GAMES:
            evening.sit(game)
            while evening.go_on() and goes_on():
                pass
            evening.table.context.set_aside()


def watch_memory(evening: Real, seconds: float) -> None:
    """Play for `seconds`, and check that memory does not grow after the first tenth of that time."""
    play(evening, seconds / 10)
    first = evening.memory()
    play(evening, 0.9 * seconds)
    last = evening.memory()
    print(f"The sprite cache uses {SPRITES.bytes / 1e6:.0f} MB of {SPRITES.most_bytes / 1e6:.0f}")
    for what, then, now in zip(("The table", "The camera process"), first, last, strict=True):
        print(f"{what} used {then / 1e6:.0f} MB at first and {now / 1e6:.0f} MB at the end")
        if seconds > 300 and now > GROWS * then:
            evening.wrong.append(f"{what} grew from {then} to {now} bytes")


def pulls(evening: Evening, count: int) -> None:
    """Unplug the camera and plug it in again `count` times during games."""
    evening.sit("cheese")
    done, last = 0, evening.now
    evening.ends = last + 4 * count  # after that time, nothing is rolled and the camera is only unplugged
    while done < count:
        assert evening.now < last + 2 * PATIENCE, f"no roll was asked for while the screen showed {evening.table.words}"
        if not evening.go_on():
            evening.sit("cheese")
        if evening.asked:
            for _ in range(min(10, count - done)):
                if evening.asked:
                    evening.pull()
                    done, last = done + 1, evening.now
    evening.rolls["pulled"] = done


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.camera", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="minutes of play (%(default)s)")
    parser.add_argument("--pulls", type=int, default=100, help="times to unplug the camera (%(default)s)")
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    print(f"{asked.minutes:g} minutes and {asked.pulls} pulls with seed {seed}", flush=True)
    faults: list[str] = []
    for number in range(2):
        with tempfile.TemporaryDirectory() as folder, Real(Path(folder), seed) as evening:
            if number == 0:
                watch_memory(evening, 60 * asked.minutes)
            else:
                pulls(evening, asked.pulls)
        print(", ".join(f"{count} {what}" for what, count in sorted(evening.rolls.items())))
        faults += evening.wrong
    print(*(faults or ["No wrong roll was accepted, and nothing was lost."]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
