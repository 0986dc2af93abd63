"""A fake Pi camera: dice that a test rolls in a rendered tray, and a command that writes frames like rpicam-vid.

Only the camera is fake; every other part of the table is real. Every roll is known, so that readings can be checked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from vision import simulated, tray
from vision.render import fixed, placing
from vision.render.scene import Die, Image, Scene

SIZE = (640, 480)
STILL = 4  # the last frames of a film, which repeat to show a still scene
COMMAND = f"""#!{sys.executable}
import os, sys, time
here = os.path.dirname(os.path.abspath(sys.argv[0]))
asked = dict(zip(sys.argv, sys.argv[1:]))
count = int(asked["--width"]) * int(asked["--height"]) * 3 // 2
if "--metadata" in asked:
    with open(asked["--metadata"], "w") as told:
        told.write("ExposureTime=9998\\nAnalogueGain=2.5\\nColourGains=[ 1.9, 1.6 ]\\n\\n")
due, shown = time.monotonic(), None
while not os.path.exists(os.path.join(here, "pulled")):
    with open(os.path.join(here, "now")) as file:
        now = file.read()
    if now != shown:
        shown, number = now, 0
        with open(os.path.join(here, now), "rb") as file:
            data = file.read()
        frames = [data[k : k + count] for k in range(0, len(data), count)]
    try:
        sys.stdout.buffer.write(frames[number])
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(0)
    number = number + 1 if number + 1 < len(frames) else max(0, len(frames) - {STILL})
    due = max(time.monotonic(), due + 1 / 30)
    time.sleep(max(0.0, due - time.monotonic()))
sys.stderr.write("ERROR: *** no cameras available ***" + chr(10))
sys.exit(1)
"""


@cache
def set_up(seed: int) -> fixed.SetUp:
    return replace(fixed.set_up(np.random.default_rng(seed), SIZE, unseen=False), strip=1.5 * fixed.LENGTH)


@cache
def known(seed: int) -> tray.Calibration:
    return simulated.calibration(set_up(seed))


class Dice:
    """Dice in a rendered tray that a test can roll and move. `folder` is the table's data folder; the tray's
    calibration is saved there, as on a table that has been set up."""

    # How many pictures show a roll, how many show a hand, and whether each is shown for two frames.
    flies, takes, twice = 2, 3, False
    still = 2  # a still scene repeats this many pictures

    def __init__(self, folder: Path, seed: int = simulated.SEED) -> None:
        self._table = set_up(seed)
        self._rng = np.random.default_rng(seed)  # random numbers for the dice
        self._grain = np.random.default_rng(seed)  # random numbers for the film's noise
        self.lies = self._table.stage  # the current scene
        self.thrown: tuple[int, ...] = ()
        self.kept: tuple[Die, ...] = ()  # dice set aside in the strip, not dice that rolled there
        (folder / "cameras").mkdir()
        tray.save(known(seed), folder / "cameras" / "csi.json")
        self._play(())

    def pull(self) -> None:
        """Unplug the camera."""
        raise NotImplementedError

    def put_back(self) -> None:
        raise NotImplementedError

    def show(self, frames: list[Image]) -> None:
        """Show these frames, then repeat the last few, which show a still scene."""
        raise NotImplementedError

    def throw(self, count: int, fault: str | None = None, faces: Sequence[int] = ()) -> tuple[int, ...]:
        """Clear the tray by hand, then roll this many dice or dice with these faces. Returns the sorted values."""
        before = self._taking(self.kept) if len(self.lies.dice) > len(self.kept) else []
        rest = replace(self._table, kit=self._table.kit[len(self.kept) :])  # all dice in a kit look alike
        if faces:
            self.lies, self.thrown = self._lying_with(rest, faces), tuple(sorted(faces))
        else:
            rolled = fixed.roll(self._rng, rest, count, fault, self.kept)
            self.lies, self.thrown = rolled.scene, rolled.values
        self._play([*before, *self._film(fixed.flying(self._grain, self._table, self.lies, self.flies))])
        return self.thrown

    def set_aside(self, *faces: int, turned: bool = False) -> None:
        """A hand moves dice with these faces from the tray into the strip."""
        places: list[int] = []
        for face in faces:
            loose = [k for k, die in enumerate(self.lies.dice) if die not in self.kept and k not in places]
            places.append(next(k for k in loose if self.lies.dice[k].value == face))
        left = len(self.lies.dice) - len(self.kept) - len(places)  # dice that remain in the tray
        moved = fixed.set_aside(self._rng, self._table, self.lies, places, turned)
        frames = self._taking(moved.dice)
        self.lies, self.kept = moved, moved.dice[left:]
        self._play(frames)

    def take(self, strip: bool = False) -> None:
        """A hand takes the dice out of the tray and, with `strip`, out of the strip too."""
        self.kept = () if strip else self.kept
        frames = self._taking(self.kept)
        self.lies = replace(self.lies, dice=self.kept)
        self._play(frames)

    def push(self, least: int = 4) -> bool:
        """A hand pushes all dice in the tray by the same distance, at least `least` steps, without turning any.

        Returns False if there is no room for that."""
        loose = [die for die in self.lies.dice if die not in self.kept]
        ways = [(x * 4.0, y * 4.0) for x in range(-5, 6) for y in range(-5, 6) if abs(x) + abs(y) >= least]
        ways.sort(key=lambda way: abs(way[0]) + abs(way[1]))
        for x, y in ways:
            there = [replace(die, centre=(die.centre[0] + x, die.centre[1] + y, die.centre[2])) for die in loose]
            pushed = replace(self.lies, dice=(*there, *self.kept))
            if all(placing.in_tray(self._table.floor, die) for die in there) and all(
                fixed.legible(self._table, pushed)
            ):
                frames = self._taking(pushed.dice)
                self.lies = pushed
                self._play(frames)
                return True
        return False

    def _taking(self, left: tuple[Die, ...]) -> list[Image]:
        return self._film(fixed.taking(self._grain, self._table, self.lies, self.takes, left))

    def _lying_with(self, table: fixed.SetUp, faces: Sequence[int]) -> Scene:
        """A scene with these faces in the tray, all of them legible."""
        while True:
            there = fixed.laid(self._rng, table, len(faces))
            shown = [self._showing(die, face) for die, face in zip(there, faces, strict=False)]
            scene = replace(table.stage, dice=(*shown, *self.kept))
            if len(there) == len(faces) and all(fixed.legible(table, scene)):
                return scene

    def _showing(self, die: Die, face: int) -> Die:
        while die.value != face:
            die = placing.on_ground(replace(die, turn=placing.as_turn(placing.lying(self._rng, placing.yaw_of(die)))))
        return die

    def nudge(self) -> None:
        """Knock one die over, so that it shows another face."""
        self.lies = fixed.knocked_over(self._rng, self._table, self.lies)
        self._play(())

    def pass_over(self) -> None:
        """A hand passes over the dice without touching them."""
        frames = list(islice(fixed.taking(self._grain, self._table, self.lies), 3))
        self._play([*frames, *reversed(frames)])

    def light(self, much: float) -> None:
        """Switch a lamp on or off: multiply the brightness by `much` from now on."""
        self._play((), much)

    def flicker(self) -> None:
        frames = self._lying(self.lies, 8)
        self._play([_brighter(frame, 1 + 0.08 * (-1) ** k) for k, frame in enumerate(frames)])

    def _film(self, frames: Iterable[Image]) -> list[Image]:
        return [frame for one in frames for frame in ((one, one) if self.twice else (one,))]

    def _lying(self, scene: Scene, count: int) -> list[Image]:
        return list(islice(fixed.lying(self._grain, self._table, scene), count))

    def _play(self, frames: Iterable[Image], much: float = 1.0) -> None:
        """Play these frames, then the current scene."""
        every = [*frames, *(_brighter(frame, much) for frame in self._lying(self.lies, self.still))]
        self.show(every)


class StandIn(Dice):
    """Dice filmed by a command that behaves like rpicam-vid, at 30 frames a second."""

    flies, takes, twice = 5, 5, True
    still = STILL

    def __init__(self, folder: Path, seed: int = simulated.SEED) -> None:
        self._here = folder / "stand-in"
        self._here.mkdir()
        self._films = 0
        command = self._here / "rpicam-vid"
        command.write_text(COMMAND)
        command.chmod(0o755)
        super().__init__(folder, seed)

    @property
    def path(self) -> str:
        """A PATH on which the fake rpicam-vid comes first."""
        return os.pathsep.join((str(self._here), os.environ["PATH"]))

    def pull(self) -> None:
        (self._here / "pulled").touch()

    def put_back(self) -> None:
        (self._here / "pulled").unlink()

    def show(self, frames: list[Image]) -> None:
        self._films += 1
        name = f"film-{self._films}"
        (self._here / name).write_bytes(b"".join(cv2.cvtColor(f, cv2.COLOR_BGR2YUV_I420).tobytes() for f in frames))
        (self._here / f"film-{self._films - 3}").unlink(missing_ok=True)
        (self._here / "next").write_text(name)
        (self._here / "next").replace(self._here / "now")


def _brighter(frame: Image, much: float) -> Image:
    return frame if much == 1 else np.asarray(cv2.convertScaleAbs(frame, alpha=much), np.uint8)
