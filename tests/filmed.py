"""Calibrating a camera over a rendered table, for tests and for the gallery.

Only the camera is fake: each look returns the next rendered frame, 1/15 of a second later. Work that a real table does
in a thread is done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from math import atan2, degrees, hypot

import numpy as np

from table.devices.calibrating import Calibrating
from vision import guide
from vision.own_dice import Face
from vision.reading import Box, Die
from vision.render import fixed
from vision.render.scene import Image, Scene, Truth
from vision.tray import Calibration

MOST = 60  # a step should be ready after at most this many looks
GRAINS = 6  # frames of a still scene, shown in turn; they differ only in noise, and rendering one is expensive


@cache
def _set_up(seed: int, size: tuple[int, int]) -> tuple[fixed.SetUp, list[Image], np.random.Generator]:
    """A table, frames of its empty tray, and the random number generator that made them. Cached, since many films use
    the same table."""
    rng = np.random.default_rng([555, seed])
    table = fixed.set_up(rng, size)
    return table, _still(rng, table, table.stage), rng


def _still(rng: np.random.Generator, table: fixed.SetUp, scene: Scene) -> list[Image]:
    return list(islice(fixed.lying(rng, table, scene), GRAINS))


class Filmed:
    """A film and its calibration. `lens` transforms each frame; `led` is a guide that is partway through the setup."""

    def __init__(
        self,
        seed: int = 0,
        size: tuple[int, int] = (640, 480),
        lens: Callable[[Image], Image] = lambda frame: frame,
        led: guide.Guide | None = None,
    ) -> None:
        self.table, still, rng = _set_up(seed, size)
        self.rng = deepcopy(rng)
        self.taken: list[Calibration] = []
        self.faces: tuple[Face, ...] = ()  # the dice shown during the last calibration that was finished
        self.now = 0.0
        self.lens = lens
        self._play(still)
        self.work = Calibrating(self.newest, self.take, lambda: self.now, lambda work: work())
        self.work.guide = led

    def take(self, calibration: Calibration, faces: tuple[Face, ...]) -> None:
        self.taken.append(calibration)
        self.faces = faces

    def show(self, scene: Scene) -> None:
        """Show this scene from now on."""
        self._play(_still(self.rng, self.table, scene))

    def _play(self, frames: list[Image]) -> None:
        self._frames: Iterator[Image | None] = cycle([self.lens(frame) for frame in frames])

    def throw(self, count: int) -> fixed.Roll:
        roll = fixed.roll(self.rng, self.table, count)
        self.show(roll.scene)
        return roll

    def newest(self) -> Image | None:
        self.now += 1 / 15
        return next(self._frames)

    def look(self) -> None:
        """Look until the step is ready, but at most MOST times."""
        for _ in range(MOST):
            self.work.look()
            if self.work.shown is not None and self.work.shown.ready and not self.work.busy:
                return

    def accept(self, outline: tuple[tuple[float, float], ...] | None = None) -> None:
        self.work.accept(outline)
        self.work.look()


@cache
def _at_edge() -> guide.Guide:
    film = Filmed()
    film.look()
    film.accept()
    assert film.work.guide is not None and film.work.guide.shown.step == guide.EDGE
    return film.work.guide


def at_edge() -> Filmed:
    """A film at the edge step: the empty tray was seen and its edge found."""
    return Filmed(led=deepcopy(_at_edge()))


THROWN = {"dice": 3, "first": 1, "more": 5, "verdict": 5}  # the number of dice in the tray at each step
LOOK = (4, (640, 360))  # seed and size of the film in the reference pictures


@cache
def _led() -> list[tuple[Image | None, guide.Shown | None]]:
    """For the steps empty, edge and strip: the camera's frame, and what the screen shows with it."""
    film = Filmed(*LOOK)
    film.look()
    steps = [(film.work.frame, film.work.shown)]
    for _ in ("edge", "strip"):
        film.accept()
        steps.append((film.work.frame, film.work.shown))
    return steps


@cache
def at(step: str) -> Calibrating:
    """A calibration frozen at this step. The dice are those of the rendered scene. If they were read from it,
    the confidence would differ between processors, and so would the reference pictures."""
    film = Filmed(*LOOK)
    still = Calibrating(lambda: None, film.take, aside=lambda work: None)
    still.frame, still.shown = _led()[{"dice": 0, "empty": 0, "edge": 1}.get(step, 2)]
    if step in THROWN:
        roll = film.throw(THROWN[step])
        learnt = still.shown
        assert learnt is not None
        waits = {"step": guide.EMPTY, "waits": guide.DICE} if step == "dice" else {"step": step, "waits": guide.READY}
        dice = tuple(_as_drawn(truth) for truth in film.table.truth(roll.scene))
        still.frame, still.shown = film.newest(), replace(learnt, **waits, dice=dice)
    return still


def _as_drawn(truth: Truth) -> Die:
    (ax, ay), (bx, by), (cx, cy), _ = truth.corners
    size = hypot(bx - ax, by - ay), hypot(cx - bx, cy - by)
    return Die(truth.value, truth.centre, Box(truth.centre, size, degrees(atan2(by - ay, bx - ax))), 1.0)
