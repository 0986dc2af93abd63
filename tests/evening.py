"""An evening at a table with a camera: a simulated player rolls rendered dice, presses buttons and corrects readings.

Every roll is known, so that readings can be compared with it. Time advances by one camera frame per turn, and the
camera is watched in this process (see tests/near_camera.py), so that no test waits for real time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from table.config import DEFAULT
from table.engine.asks import Choose, Roll
from table.games import bots
from table.session.lineup import Seat
from table.ui.kiosk.camera_overlay import ASKS
from table.ui.kiosk.gestures import END, ROLL, Tap
from table.ui.kiosk.scenes.play import Play
from tests.near_camera import NearCamera
from tests.standin import Dice
from tests.tabletop import Tabletop

PATIENCE = 60.0  # seconds to wait for any event
STEP = 0.2  # seconds between frames, as from a slow camera
OVERLOOKED = 5.0  # seconds that people wait before they repeat a roll that a slow camera missed
SHORT = {"mexico": {"rounds": 2}, "bluff": {"rounds": 1}, "pocoloco": {"chips": 2}, "cheese": {"goal": 1000}}
TROUBLES = {
    "clean": 6,
    "cocked": 2,
    "stacked": 2,
    "out": 2,  # one die falls out of the tray
    "nudged": 2,  # a die is knocked over after the reading
    "hand": 2,  # a hand passes over the dice
    "flicker": 1,
    "lamp": 1,
}


class Evening:
    """A table with a camera, and a player who rolls, presses buttons and looks."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._held = ExitStack()
        self.chance = random.Random(seed)
        self.troubles = TROUBLES
        self.dice = self._camera(folder)
        config = replace(DEFAULT, dice=replace(DEFAULT.dice, source="camera", camera="csi"))
        self.table = self._held.enter_context(Tabletop(config=config, folder=folder))
        self._watch()
        self.rolls: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.ends = float("inf")  # no rolls after this time
        self._asked, self._thrown = -1, list[tuple[int, ...]]()  # the current ask, and all rolls for it

    # Overridden by an evening with a real clock

    def _camera(self, folder: Path) -> Dice:
        dice = NearCamera(folder)
        self._near = dice.near
        return dice

    def _watch(self) -> None:
        self.table.context.session.dice.devices["camera"].camera.watched = self._near.watched

    @property
    def now(self) -> float:
        return self._near.now

    def turn(self) -> None:
        """Advance to the next frame and run the table's loop once."""
        opening = self.table.context.session.dice.devices["camera"].camera._opening
        if opening:
            opening.join()
        self._near.step(STEP)
        self.table.now = self.now
        self.table.turn()

    def crash(self) -> None:
        """Kill the process that watches the camera; the table starts another one."""
        raise NotImplementedError

    # Shared by all evenings

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def state(self) -> str:
        session, saw = self.table.session, self.table.context.devices.saw
        return saw.state if saw and session.dice.awaited and saw.ticket == session.dice.awaited.ticket else ""

    @property
    def asked(self) -> int | None:
        """How many dice the camera is asked for, once all animations are done."""
        session, scene = self.table.session, self.table.scene
        shown = isinstance(scene, Play) and scene._show.done(self.table.now)
        return (
            session.dice.awaited.roll.count
            if shown and session.dice.awaited and session.dice.awaited.source == "camera"
            else None
        )

    @property
    def history(self) -> list[Any]:
        assert self.table.session.match
        return self.table.session.match.referee.history

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.turn()

    def until(self, done: Callable[[], Any], what: str) -> None:
        until = self.now + PATIENCE
        while not done():
            assert self.now < until, f"{what} did not happen: {self.state}, {self.table.context.devices.saw}"
            self.turn()

    def press(self, button: str) -> None:
        self.table.kiosk._do([Tap(button)], self.table.now)

    def sit(self, game: str) -> None:
        self.table.now = self.table.kiosk._touched = self.now  # else the table would seem to have been idle for years
        self.table.sit(game, [Seat("Ann"), Seat("Bo")], SHORT.get(game, {"dice": 2}))

    def go_on(self) -> bool:
        """Do one thing that the game needs; return False when the game is over."""
        session = self.table.session
        if not isinstance(self.table.scene, Play) or session.match is None:
            return False
        ask = session.match.referee.ask
        if not self.table.scene._show.done(self.table.now):
            self.press(ROLL)
        elif self.asked:
            self.throw(self.asked, self.chance.choices(list(self.troubles), list(self.troubles.values()))[0])
        elif session.turn == "person" and isinstance(ask, Roll):
            self.press(ROLL)
        elif session.turn == "person" and isinstance(ask, Choose):
            session.choose(bots.choose("classic", session.match.referee, self.chance))
        self.turn()
        return True

    def throw(self, count: int, trouble: str) -> None:
        """Roll this many dice with this trouble, wait until the table accepts them, and check the reading."""
        if self.now > self.ends:
            return None
        before, dice = len(self.history), self.dice
        self.until(lambda: self.state in ("empty", "settled", "unsure"), "the camera's rest")
        if trouble in ("hand", "nudged") and dice.lies.dice:
            dice.pass_over() if trouble == "hand" else dice.nudge()
            self.run(1.5)
        elif trouble in ("flicker", "lamp"):
            dice.flicker() if trouble == "flicker" else dice.light(self.chance.choice((0.75, 1.2)))
            self.run(1.0)
        elif trouble == "crash":
            self.crash()
            self.until(lambda: self.state in ("empty", "settled"), "the camera's return")
        if len(self.history) > before:
            self.wrong.append(f"{trouble}: {self.history[-1][1]} was taken before any roll")
            return None
        fault = trouble if trouble in ("cocked", "stacked") and count > 1 else None
        thrown = dice.throw(count - (trouble == "out" and count > 1), fault)
        self._thrown = [*(self._thrown if self._asked == before else ()), thrown]
        self._asked = before
        report = self.table.context.devices.saw  # the reading may still be one of the previous dice
        late = self.now + OVERLOOKED

        def overlooked() -> bool:
            return self.state == "settled" and self.now > late

        self.until(
            lambda: (
                len(self.history) > before
                or (self.state == "unsure" and self.table.context.devices.saw is not report)
                or overlooked()
            ),
            f"a reading of {trouble}",
        )
        if len(self.history) == before and overlooked():
            self.rolls["overlooked, rolled again"] += 1
            return self.throw(count, "clean")
        if len(self.history) == before:
            self.rolls[f"{trouble}: asked"] += 1
            return self._settle(thrown, count)
        self.rolls[f"{trouble}: taken"] += 1
        self._compare(thrown, trouble)
        if trouble == "nudged" and len(self.history) == before + 1:
            dice.nudge()
            self.run(1.0)
        return None

    def _settle(self, thrown: tuple[int, ...], count: int) -> None:
        """The table is not sure, so the player corrects the reading or rolls again."""
        before = len(self.history)
        correcting = self.table.scene._overlay.correcting
        # If no die can be entered, there are too many dice or other objects: rolling again is the only option.
        if correcting is None or not correcting.dice or len(thrown) != count or self.chance.random() < 0.5:
            return self.throw(count, "clean")
        self.run(ASKS)
        if correcting.confirming and tuple(sorted(die.value for die in correcting.dice)) == thrown:
            self.press(ROLL)
            self.until(lambda: len(self.history) > before, "a confirmation")
            self.rolls["confirmed"] += 1
            return self._compare(thrown, "confirmed")
        if correcting.confirming:
            self.press(END)
        left = list(thrown)
        for die in correcting.dice:
            if die and die.sure:
                if die.value not in left:
                    self.wrong.append(f"{die.value} was read as certain, but {thrown} were rolled")
                    return self.throw(count, "clean")
                left.remove(die.value)
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
            self.wrong.append(f"{trouble}: {self._thrown} rolled, {taken} taken")
        elif found != thrown:  # the previous roll was read after all, just before the dice were picked up again
            self.rolls["the previous roll: taken"] += 1

    def pull(self) -> None:
        """Unplug the camera, sometimes during a roll, and plug it in again."""
        before = list(self.history)
        if self.chance.random() < 0.3:
            self.dice.throw(self.asked or 1)
            self.run(0.1)
        self.dice.pull()
        self.until(lambda: self.state == "restarting" or len(self.history) > len(before), "the loss of the camera")
        self.dice.put_back()
        self.until(lambda: self.asked is None or self.state in ("empty", "settled", "unsure"), "the camera's return")
        assert self.history[: len(before)] == before, "answers were lost"
