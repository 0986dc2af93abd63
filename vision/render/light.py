"""Light on the table: the contribution of each lamp, and shadows.

Its one rule: shadows are outlines projected from several points of the lamp, so they are sharp near the solid and
soft further away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.render import camera as lens
from vision.render.scene import Array, Camera, Die, Lamp, Size, Vec
from vision.render.solids import outline, placed

SHIFT = 4  # fractional bits in the coordinates of cv2's polygons


def level(lamp: Lamp, x: Array, y: Array) -> Array | None:
    """The share of a lamp's light that reaches points of the table, ignoring dice; None if it is 1 everywhere."""
    out: Array | None = None
    if lamp.pool:
        px, py, far, floor = lamp.pool
        d = ((x - px) ** 2 + (y - py) ** 2) * np.float32(-1 / far**2)
        out = np.asarray(floor + (1 - floor) * np.exp(d), np.float32)
    for nx, ny, offset, soft in lamp.edges:
        d = np.clip((x * np.float32(nx) + y * np.float32(ny) - np.float32(offset)) * np.float32(1 / soft) + 0.5, 0, 1)
        part = d * d * (3 - 2 * d)
        out = part if out is None else out * part
    return out


def spots(lamp: Lamp) -> list[Array]:
    """Unit vectors towards several points of the lamp, more points for a larger lamp."""
    count = 1 if lamp.size < 0.015 else 3 if lamp.size < 0.06 else 5 if lamp.size < 0.2 else 7
    way = np.array(lamp.towards, np.float32)
    side = np.cross(way, (0.31, 0.95, 0.05))
    side /= np.linalg.norm(side)
    other = np.cross(way, side)
    found = []
    for i in range(count):
        r, a = lamp.size * math.sqrt((i + 0.5) / count), 2.39996 * i
        v = way + side * (r * math.cos(a)) + other * (r * math.sin(a))
        v[2] = max(v[2], 0.12)
        found.append(np.asarray(v / np.linalg.norm(v), np.float32))
    return found


def cast(shade: Array, camera: Camera, size: Size, dice: Sequence[Die], lamp: Lamp) -> None:
    """Darken `shade` (1 is full light) where solids block the lamp's light."""
    ways = spots(lamp)
    for die in dice:
        points = placed(die, outline(die.shape)[:, ::3])  # shadows have soft edges, so every third point is enough
        flat = np.concatenate([points - way[:, None] * (points[2] / way[2]) for way in ways], axis=1)
        hulls = np.split(lens.project(camera, size, flat), len(ways), axis=1)
        _fill(shade, hulls, 0.45 + 0.4 * min(1.0, lamp.size * 4))


def contact(shade: Array, camera: Camera, size: Size, die: Die, depth: float) -> None:
    """The contact shadow: the dark line where a solid touches the table."""
    points = placed(die, outline(die.shape))
    foot = points.copy()
    foot[2] = 0
    away = max(0.0, float(points[2].min()) / die.size)
    seen = lens.project(camera, size, foot)
    px = float(np.ptp(seen[0]))
    _fill(shade, [seen], max(0.6, px * (0.07 + 0.2 * away)), depth / (1 + 4 * away))


def mirrored(camera: Camera, size: Size, die: Die, shade: Array, strength: float) -> None:
    """The reflection of a solid in a glossy table: its mirrored outline, slightly blurred."""
    points = placed(die, outline(die.shape))
    points[2] *= -1
    seen = lens.project(camera, size, points)
    _fill(shade, [seen], max(0.6, float(np.ptp(seen[0])) * 0.05), strength)


def _fill(shade: Array, hulls: Sequence[Array], soft: float, strength: float = 1.0) -> None:
    """Darken `shade` where convex shapes lie: the mean of all shapes, blurred by `soft` pixels."""
    height, width = shade.shape
    margin = int(3 * soft) + 2
    every = np.concatenate(hulls, axis=1)
    left, top = (int(np.floor(np.clip(a.min(), -4000, 4000))) - margin for a in every)
    right, bottom = (int(np.ceil(np.clip(a.max(), -4000, 4000))) + margin for a in every)
    left, top, right, bottom = (
        max(left, -margin),
        max(top, -margin),
        min(right, width + margin),
        min(bottom, height + margin),
    )
    if left >= right or top >= bottom:
        return
    total = np.zeros((bottom - top, right - left), np.float32)
    one = np.zeros((bottom - top, right - left), np.uint8)
    for seen in hulls:
        hull = cv2.convexHull(np.ascontiguousarray(seen.T, np.float32))
        corners = np.round((np.clip(hull, -8000, 8000) - np.array((left, top), np.float32)) * (1 << SHIFT)).astype(
            np.int32
        )
        one[:] = 0
        cv2.fillConvexPoly(one, corners, 255, cv2.LINE_AA, SHIFT)
        cv2.accumulate(one, total)
    total = np.asarray(cv2.GaussianBlur(total, (0, 0), soft), np.float32) * np.float32(strength / 255 / len(hulls))
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if x0 < x1 and y0 < y1:
        shade[y0:y1, x0:x1] *= 1 - total[y0 - top : y1 - top, x0 - left : x1 - left]


def unit(v: Vec) -> Vec:
    n = math.sqrt(sum(a * a for a in v))
    return (v[0] / n, v[1] / n, v[2] / n)
