"""What there is to know of a rendered table, without any learning: the tray is where it was drawn."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from vision.render import camera as lens
from vision.render.faults import pixels
from vision.render.fixed import LENGTH, SetUp, lying
from vision.tray import WIDEST, Calibration


def calibration(table: SetUp) -> Calibration:
    tray, camera = table.stage.tray, table.stage.camera
    assert tray is not None
    corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    if tray.round:
        corners = [(math.cos(k * math.pi / 12), math.sin(k * math.pi / 12)) for k in range(24)]
    c, s = math.cos(tray.angle), math.sin(tray.angle)
    flat = [(u * tray.reach[0], v * tray.reach[1]) for u, v in corners]
    world = np.array([(tray.centre[0] + u * c - v * s, tray.centre[1] + u * s + v * c, 0.0) for u, v in flat])
    seen = lens.project(camera, table.size, world.T.astype(np.float32)).T
    shots = list(islice(lying(np.random.default_rng(2), table, table.stage), 8))
    width, height = min(table.size[0], WIDEST), round(table.size[1] * min(1.0, WIDEST / table.size[0]))
    empty = np.mean([cv2.resize(s, (width, height), interpolation=cv2.INTER_AREA) for s in shots], axis=0)
    return Calibration(
        size=table.size,
        side=pixels(camera, replace(table.kit[0], centre=(0.0, 0.0, LENGTH)), table.size),
        tray=tuple((float(x), float(y)) for x, y in seen),
        keep=None,
        background=np.asarray(empty.round(), np.uint8),
        noise=1.0,
    )
