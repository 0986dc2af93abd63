"""A rendered table under a camera that is being calibrated, for tests and for the gallery.

Its one rule: nothing of ours is replaced but the camera: each look gives the next rendered frame, a fifteenth of a
second later, and what would be done in a thread is done at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from math import atan2, degrees, hypot

import numpy as np

from table.devices.calibrating import Calibrating
from vision.reading import Box, Die
from vision.render import fixed
from vision.render.scene import Image, Scene, Truth
from vision.tray import Calibration

MOST = 60  # looks in which anything is ready
GRAINS = 6  # frames of what lies still, shown in turn: each has noise of its own, and drawing one is dear


class Filmed:
    def __init__(self, seed: int = 0, size: tuple[int, int] = (640, 480)) -> None:
        self.rng = np.random.default_rng([555, seed])
        self.table = fixed.set_up(self.rng, size)
        self.taken: list[Calibration] = []
        self.thrown: tuple[Truth, ...] = ()
        self.now = 0.0
        self._frames: Iterator[Image] = iter(())
        self.show(self.table.stage)
        self.work = Calibrating(self.newest, self.taken.append, lambda: self.now, lambda work: work())

    def show(self, scene: Scene) -> None:
        """What lies under the camera from now on."""
        self._frames = cycle(list(islice(fixed.lying(self.rng, self.table, scene), GRAINS)))

    def throw(self, count: int) -> fixed.Roll:
        roll = fixed.roll(self.rng, self.table, count)
        self.show(roll.scene)
        self.thrown = self.table.truth(roll.scene)
        return roll

    def newest(self) -> Image | None:
        self.now += 1 / 15
        return next(self._frames)

    def look(self) -> None:
        """Until it can go on, or until it plainly cannot."""
        for _ in range(MOST):
            self.work.look()
            if self.work.shown is not None and self.work.shown.ready and not self.work.busy:
                return

    def accept(self, outline: tuple[tuple[float, float], ...] | None = None) -> None:
        self.work.accept(outline)
        self.work.look()


@cache
def at(step: str) -> Calibrating:
    """Somebody who has come that far, and then all stands still. Dice are marked where they were thrown: where exactly
    they are read differs between processors, and these pictures are kept."""
    film = Filmed(4, (640, 360))
    if step == "dice":
        film.throw(3)
    film.look()
    for then in ("edge", "strip", "first", "more", "verdict"):
        if step in ("dice", "empty"):
            break
        film.accept()
        if then in ("first", "more"):
            film.throw(1 if then == "first" else 5)
            film.look()
        if then == step:
            break
    if step == "verdict":
        for _ in range(30):
            film.work.look()
    still = Calibrating(lambda: None, film.taken.append, aside=lambda work: None)
    shown = film.work.shown
    assert film.work.frame is not None and shown is not None
    drawn = tuple(_as_drawn(shown.dice, truth) for truth in film.thrown) if shown.dice else ()
    still.frame, still.shown = film.work.frame, replace(shown, dice=drawn)
    return still


def _as_drawn(read: tuple[Die, ...], truth: Truth) -> Die:
    """The die that is read there, with its true top face."""
    die = min(read, key=lambda die: hypot(die.centre[0] - truth.centre[0], die.centre[1] - truth.centre[1]))
    (ax, ay), (bx, by), (cx, cy), _ = truth.corners
    size = hypot(bx - ax, by - ay), hypot(cx - bx, cy - by)
    return replace(die, centre=truth.centre, box=Box(truth.centre, size, degrees(atan2(by - ay, bx - ax))))
