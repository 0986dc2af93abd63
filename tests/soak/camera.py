"""`python -m tests.soak.camera`: games under a stand-in camera, with dice that cock, stack, fall out and get nudged,
with hands, flicker, lamps and crashes; and a camera that is pulled and put back.

Its one rule: what was thrown is known. A roll that the table took without asking has to be exactly that.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from table import bots
from table.config import DEFAULT
from table.kiosk.gestures import END, ROLL, Tap
from table.kiosk.paint import SPRITES
from table.kiosk.scenes.play import Play
from table.party import Seat
from table.rules import GAMES
from table.rules.vocabulary import Choose, Roll
from tests.standin import StandIn
from tests.tabletop import Tabletop

PATIENCE = 30.0  # seconds for anything that has to happen
OVERLOOKED = 5.0  # seconds that people wait before they throw again what a starved camera did not see fall
SHORT = {"mexico": {"rounds": 2}, "bluff": {"rounds": 1}, "pocoloco": {"chips": 2}, "cheese": {"goal": 1000}}
TROUBLES = {
    "clean": 6,
    "cocked": 2,
    "stacked": 2,
    "out": 2,  # one falls out of the tray
    "nudged": 2,  # after the reading
    "hand": 2,  # passes over dice that lie there
    "flicker": 1,
    "lamp": 1,
    "crash": 1,
}
GROWS = 1.15  # times: what memory may grow by, from a tenth of the time on


class Evening:
    """A table with a stand-in camera and a real clock, and somebody who throws, presses and looks."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._held = ExitStack()
        self.chance = random.Random(seed)
        self.stand_in = StandIn(folder)
        before = os.environ["PATH"]
        self._held.callback(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = self.stand_in.path
        config = replace(DEFAULT, dice=replace(DEFAULT.dice, source="camera", camera="csi"))
        self.table = self._held.enter_context(Tabletop(config=config, folder=folder))
        self.rolls: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.ends = float("inf")  # when nothing more is thrown
        self._asked, self._thrown = -1, list[tuple[int, ...]]()  # all that was thrown for the ask that stands

    def __enter__(self) -> Evening:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def state(self) -> str:
        hall, saw = self.table.hall, self.table.desk.saw
        return saw.state if saw and hall.awaited and saw.ticket == hall.awaited.ticket else ""

    @property
    def asked(self) -> int | None:
        """How many dice the camera is asked for, once what happened before was shown."""
        hall, scene = self.table.hall, self.table.scene
        shown = isinstance(scene, Play) and scene._show.done(self.table.now)
        return hall.awaited.roll.count if shown and hall.awaited and hall.awaited.source == "camera" else None

    @property
    def history(self) -> list[Any]:
        assert self.table.hall.match
        return self.table.hall.match.referee.history

    def turn(self) -> None:
        table = self.table
        table.now = time.monotonic()
        table.kiosk.turn(table.mailbox.take(), [], table.now)
        table.mailbox.wait(0.01)

    def run(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.turn()

    def until(self, done: Callable[[], Any], what: str) -> None:
        until = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < until, f"{what} did not happen: {self.state}, {self.table.desk.saw}"
            self.turn()

    def press(self, button: str) -> None:
        self.table.kiosk._do([Tap(button)], self.table.now)

    def sit(self, game: str) -> None:
        self.table.now = self.table.kiosk._touched = time.monotonic()  # the table has not been left for years
        self.table.sit(game, [Seat("Ann"), Seat("Bo")], SHORT.get(game, {"dice": 2}))

    def go_on(self) -> bool:
        """One thing that has to be done; False: the game is over."""
        hall = self.table.hall
        if not isinstance(self.table.scene, Play) or hall.match is None:
            return False
        ask = hall.match.referee.ask
        if not self.table.scene._show.done(self.table.now):
            self.press(ROLL)
        elif self.asked:
            self.throw(self.asked, self.chance.choices(list(TROUBLES), list(TROUBLES.values()))[0])
        elif hall.turn == "person" and isinstance(ask, Roll):
            self.press(ROLL)
        elif hall.turn == "person" and isinstance(ask, Choose):
            view = hall.match.referee.view(ask.seat)
            hall.choose(bots.choose("classic", view, ask.options, self.chance))
        self.turn()
        return True

    def throw(self, count: int, trouble: str) -> None:
        """The dice that are asked for, with that trouble, until they are taken; it is compared with what was thrown."""
        if time.monotonic() > self.ends:
            return None
        before, stand_in = len(self.history), self.stand_in
        self.until(lambda: self.state in ("empty", "settled", "unsure"), "the camera's rest")
        if trouble in ("hand", "nudged") and stand_in.lies.dice:
            stand_in.pass_over() if trouble == "hand" else stand_in.nudge()
            self.run(1.5)
        elif trouble in ("flicker", "lamp"):
            stand_in.flicker() if trouble == "flicker" else stand_in.light(self.chance.choice((0.75, 1.2)))
            self.run(1.0)
        elif trouble == "crash":
            eye = self.table.desk.camera._eye
            assert eye and eye.pid
            os.kill(eye.pid, signal.SIGKILL)
            self.until(lambda: self.state == "restarting", "a restart")
            self.until(lambda: self.state in ("empty", "settled"), "the camera's return")
        if len(self.history) > before:
            self.wrong.append(f"{trouble}: {self.history[-1][1]} was taken before anything was thrown")
            return None
        fault = trouble if trouble in ("cocked", "stacked") and count > 1 else None
        thrown = stand_in.throw(count - (trouble == "out" and count > 1), fault)
        self._thrown = [*(self._thrown if self._asked == before else ()), thrown]
        self._asked = before
        said, late = self.table.desk.saw, time.monotonic() + OVERLOOKED  # what was said is maybe of the dice before

        def overlooked() -> bool:
            return self.state == "settled" and time.monotonic() > late

        self.until(
            lambda: (
                len(self.history) > before
                or (self.state == "unsure" and self.table.desk.saw is not said)
                or overlooked()
            ),
            f"a reading of {trouble}",
        )
        if len(self.history) == before and overlooked():
            self.rolls["overlooked, thrown again"] += 1
            return self.throw(count, "clean")
        if len(self.history) == before:
            self.rolls[f"{trouble}: asked"] += 1
            return self._settle(thrown, count)
        self.rolls[f"{trouble}: taken"] += 1
        self._compare(thrown, trouble)
        if trouble == "nudged" and len(self.history) == before + 1:
            stand_in.nudge()
            self.run(1.0)
        return None

    def _settle(self, thrown: tuple[int, ...], count: int) -> None:
        """The table is not sure: people say what it is, or throw again."""
        before = len(self.history)
        correcting = self.table.scene._lens.correcting
        # Where nothing is open, there are too many or something else lies there: they can only be thrown again.
        if correcting is None or not correcting.open or len(thrown) != count or self.chance.random() < 0.5:
            return self.throw(count, "clean")
        left = list(thrown)
        for value in correcting.sure:
            if value not in left:
                self.wrong.append(f"{correcting.sure} were sure, and {thrown} thrown")
                return self.throw(count, "clean")
            left.remove(value)
        for value in left:
            steps = correcting.picker.entries.index(value) - correcting.picker.at
            for _ in range(steps % len(correcting.picker.entries)):
                self.press(ROLL)
            assert correcting.picker.entry == value, f"Roll does not lead to {value}: {self.table.words}"
            self.press(END)
        self.until(lambda: len(self.history) > before, "a correction")
        self.rolls["corrected"] += 1
        self._compare(thrown, "corrected")
        return None

    def _compare(self, thrown: tuple[int, ...], trouble: str) -> None:
        taken = next(answer for ask, answer in reversed(self.history) if isinstance(ask, Roll) and not ask.hidden)
        found = tuple(sorted(taken))
        if found not in (thrown, *self._thrown):
            self.wrong.append(f"{trouble}: {self._thrown} thrown, {taken} taken")
        elif found != thrown:  # what lay there was read after all, while somebody reached for it to throw again
            self.rolls["the throw before: taken"] += 1

    def pull(self) -> None:
        """The camera's cable, in the middle of a throw or not; and back again."""
        before = list(self.history)
        if self.chance.random() < 0.3:
            self.stand_in.throw(self.asked or 1)
            self.run(0.1)
        self.stand_in.pull()
        self.until(lambda: self.state == "restarting" or len(self.history) > len(before), "a camera that is gone")
        self.stand_in.put_back()
        self.until(lambda: self.asked is None or self.state in ("empty", "settled", "unsure"), "the camera's return")
        assert self.history[: len(before)] == before, "something was lost"

    def memory(self) -> tuple[int, int]:
        """Bytes that the table takes, but for the pictures on its shelf, which may fill for hours up to its own limit;
        and the process that watches."""
        eye = self.table.desk.camera._eye
        return _resident(os.getpid()) - SPRITES.bytes, _resident(eye.pid) if eye and eye.pid else 0


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def play(seconds: float, seed: int, enough: float = float("inf")) -> tuple[Counter[str], list[str]]:
    """All games in turn for so long, or until there were enough rolls."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Evening(Path(folder), seed) as evening:
        evening.ends = begun + seconds
        first: tuple[int, int] | None = None

        def goes_on() -> bool:
            return time.monotonic() - begun < seconds and evening.rolls.total() < enough

        while goes_on():
            for game in GAMES:
                evening.sit(game)
                while evening.go_on() and goes_on():
                    pass
                evening.table.desk.set_aside()
                if first is None and time.monotonic() - begun > seconds / 10:
                    first = evening.memory()
        last = evening.memory()
        print(f"Pictures on the shelf take {SPRITES.bytes / 1e6:.0f} MB of {SPRITES.most_bytes / 1e6:.0f}")
        for what, then, now in zip(("The table", "Its eye"), first or last, last, strict=True):
            print(f"{what} took {then / 1e6:.0f} MB and now takes {now / 1e6:.0f} MB")
            if seconds > 300 and now > GROWS * then:
                evening.wrong.append(f"{what} grew from {then} to {now} bytes")
        return evening.rolls, evening.wrong


def pulls(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """In a running game the camera is pulled and put back so many times."""
    with tempfile.TemporaryDirectory() as folder, Evening(Path(folder), seed) as evening:
        evening.sit("cheese")
        done, last = 0, time.monotonic()
        evening.ends = last + 4 * count  # from then on it is only pulled
        while done < count:
            assert time.monotonic() < last + 2 * PATIENCE, f"no dice are asked for: {evening.table.words}"
            if not evening.go_on():
                evening.sit("cheese")
            if evening.asked:
                for _ in range(min(10, count - done)):
                    if evening.asked:
                        evening.pull()
                        done, last = done + 1, time.monotonic()
        evening.rolls["pulled"] = done
        return evening.rolls, evening.wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.camera", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="that games are played (%(default)s)")
    parser.add_argument("--pulls", type=int, default=100, help="times that the camera is pulled (%(default)s)")
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    print(f"{asked.minutes:g} minutes and {asked.pulls} pulls with seed {seed}", flush=True)
    faults: list[str] = []
    for rolls, wrong in (play(60 * asked.minutes, seed), pulls(asked.pulls, seed)):
        print(", ".join(f"{count} {what}" for what, count in sorted(rolls.items())))
        faults += wrong
    print(*(faults or ["Not one wrong roll was taken, and nothing was lost."]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
