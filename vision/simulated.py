"""The simulated camera: rendered dice that are rolled into a tray and picked up by a hand.

Its one rule: its frames go through the same reader as those of any camera. The simulated camera needs no calibration by
the user, because it knows where the tray was drawn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import islice

import cv2
import numpy as np

from vision.networks import Image
from vision.render import camera as lens
from vision.render import fixed
from vision.render.faults import pixels
from vision.render.scene import Point, Scene, Tray
from vision.tray import WIDEST, Calibration

SEED = 2  # white dice in a black tray on a white table
RATE = 30.0
FLIES = 10  # number of frames in which the rolled dice are in the air
LIES, EMPTY = 40, 10  # number of frames with dice and with an empty tray, as long as no roll has been requested
READY = 24  # frames of the tray before the first requested roll, so that the watcher sees it at rest
GRAINS = 6  # number of different frames of a still scene; they are repeated, because rendering is as slow as reading


class Rendered:
    """A source that rolls dice on request. Before the first request, dice are rolled over and over."""

    live = False

    def __init__(
        self,
        seed: int = SEED,
        size: tuple[int, int] = (640, 480),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.size = size
        self._clock, self._sleep = clock, sleep
        self._table, self.calibration, rng = _set_up(seed, size)
        self._rng = deepcopy(rng)
        self._asked: int | None = None  # number of dice to roll next
        self._lifted = False  # whether to show the empty tray before the dice, as if a cup were lifted
        self._by_itself = True
        self._due = 0.0

    def expect(self, count: int | None, lifted: bool = False) -> None:
        """Roll this many dice, and from now on roll only on request. With None or 0, stop rolling."""
        self._by_itself = False
        self._asked, self._lifted = count or None, lifted

    def frames(self) -> Iterator[tuple[Image, float]]:
        lying, least = self._table.stage, READY
        while True:
            for number, frame in enumerate(self._still(lying)):
                yield self._paced(frame)
                if self._by_itself and number >= (LIES if lying.dice else EMPTY):
                    break
                if self._asked and number >= least:
                    break
            least = 0
            count, self._asked = self._asked or int(self._rng.integers(1, 7)), None
            if lying.dice:
                for frame in fixed.taking(self._rng, self._table, lying):
                    yield self._paced(frame)
                if self._lifted:
                    for frame in islice(self._still(self._table.stage), READY):
                        yield self._paced(frame)
            lying = fixed.roll(self._rng, self._table, count).scene
            for frame in fixed.flying(self._rng, self._table, lying, FLIES):
                yield self._paced(frame)

    def _still(self, scene: Scene) -> Iterator[Image]:
        """Endless frames of a still scene."""
        shown = list(islice(fixed.lying(self._rng, self._table, scene), GRAINS))
        while True:
            yield from shown

    def _paced(self, frame: Image) -> tuple[Image, float]:
        now = self._clock()
        self._sleep(max(0.0, self._due - now))
        self._due = max(now, self._due) + 1 / RATE
        return frame, self._clock()

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing to close."""


@cache
def _set_up(seed: int, size: tuple[int, int]) -> tuple[fixed.SetUp, Calibration, np.random.Generator]:
    """The table, its calibration and the random generator. Cached, because a source that is reopened must show the same
    table."""
    rng = np.random.default_rng(seed)
    table = fixed.set_up(rng, size, unseen=False)
    return table, calibration(table), rng


def calibration(table: fixed.SetUp) -> Calibration:
    """The calibration of a rendered table. No frames with dice are needed, because it is known where the tray was
    drawn."""
    camera = table.stage.camera
    shots = list(islice(fixed.lying(np.random.default_rng(2), table, table.stage), 8))
    width, height = min(table.size[0], WIDEST), round(table.size[1] * min(1.0, WIDEST / table.size[0]))
    empty = np.mean([cv2.resize(shot, (width, height), interpolation=cv2.INTER_AREA) for shot in shots], axis=0)
    return Calibration(
        size=table.size,
        side=pixels(camera, replace(table.kit[0], centre=(0.0, 0.0, fixed.LENGTH)), table.size),
        tray=_outline(table, table.floor),
        keep=_outline(table, table.beside) if table.strip else None,
        background=np.asarray(empty.round(), np.uint8),
        noise=1.0,
    )


def _outline(table: fixed.SetUp, tray: Tray) -> tuple[Point, ...]:
    """The outline of the tray or strip in the camera's picture."""
    corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    if tray.round:
        corners = [(math.cos(k * math.pi / 12), math.sin(k * math.pi / 12)) for k in range(24)]
    c, s = math.cos(tray.angle), math.sin(tray.angle)
    flat = [(u * tray.reach[0], v * tray.reach[1]) for u, v in corners]
    world = np.array([(tray.centre[0] + u * c - v * s, tray.centre[1] + u * s + v * c, 0.0) for u, v in flat])
    seen = lens.project(table.stage.camera, table.size, world.T.astype(np.float32)).T
    return tuple((float(x), float(y)) for x, y in seen)
