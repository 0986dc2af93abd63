"""The marks of a die's six sides as one atlas of distances.

Its one rule: a side is stored as the distance to the nearest pip's edge, so it is sharp at any size.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.render import noise
from vision.render.scene import Array, Layout

CELLS = 36  # of one side; distances are smooth, so few are enough
FAR = 2.0


def pattern(value: int, layout: Layout) -> list[tuple[float, float, float]]:
    """The pips of one value: x, y and radius in half sizes, before the side is turned."""
    s, c, r = layout.spread, layout.spread * layout.close, layout.pip
    wide, long = layout.six
    two = [(0.0, -c), (0.0, c)] if layout.straight else [(-c, -c), (c, c)]
    four = [(-s, -s), (-s, s), (s, -s), (s, s)]
    places = {
        0: [],
        1: [(0.0, 0.0)],
        2: two,
        3: [*two, (0.0, 0.0)],
        4: four,
        5: [*four, (0.0, 0.0)],
        6: [(x * wide * s, y * long * s) for x in (-1, 1) for y in (-1, 0, 1)],
    }[value]
    return [(x, y, r * (layout.ace if value == 1 else 1.0)) for x, y in places]


def marks(mark: int, layout: Layout) -> list[tuple[float, float, float]]:
    if mark < 100:
        return pattern(mark, layout)
    first, second = divmod(mark - 100, 10)
    # A domino's side is stretched to a square here and drawn back by the solid's own half sides.
    return [
        (x * 0.5 + shift, y, r * 0.5)
        for value, shift in ((first, -0.5), (second, 0.5))
        for x, y, r in pattern(value, layout)
    ]


@lru_cache(maxsize=64)
def atlas(layout: Layout) -> Array:
    """(6 * CELLS, CELLS, 3): distance to the nearest pip's edge, and the way from its centre in pip radii."""
    rng = np.random.default_rng(layout.seed)
    axis = (np.arange(CELLS, dtype=np.float32) + 0.5) / CELLS * 2 - 1
    u, v = np.meshgrid(axis, axis)
    sides = []
    for mark, turns in zip(layout.marks, layout.turns, strict=True):
        best = np.full((CELLS, CELLS), FAR, np.float32)
        dx, dy = np.zeros_like(best), np.zeros_like(best)
        domino = mark >= 100
        for pip in marks(mark, layout):
            x, y, r = pip
            for _ in range(0 if domino else turns):
                x, y = -y, x
            jx, jy, jr = rng.normal(0, layout.jitter, 3) if layout.jitter else (0.0, 0.0, 0.0)
            ax, ay = u - np.float32(x + jx * r), v - np.float32(y + jy * r)
            if domino:
                ax = ax * 2
                r = r * 2
            radius = np.float32(r * (1 + jr))
            round_ = np.sqrt(ax * ax + ay * ay)
            if layout.square:
                edge = np.maximum(np.abs(ax), np.abs(ay)) * 1.1
                round_ = round_ * (1 - layout.square) + edge * layout.square
            d = round_ - radius
            nearer = d < best
            best = np.where(nearer, d, best)
            dx, dy = np.where(nearer, ax / radius, dx), np.where(nearer, ay / radius, dy)
        if domino:
            best = np.minimum(best, np.abs(u) * 2 - 0.03)
        sides.append(np.stack([best, dx, dy], -1))
    return np.ascontiguousarray(np.concatenate(sides), np.float32)


def look_up(layout: Layout, side: Array, u: Array, v: Array) -> tuple[Array, Array, Array]:
    """Distance and way from the pip's centre at these places of these sides."""
    x = np.clip((u + 1) * (CELLS / 2) - 0.5, 0, CELLS - 1).astype(np.float32)
    y = (np.clip((v + 1) * (CELLS / 2) - 0.5, 0, CELLS - 1) + side * CELLS).astype(np.float32)
    a, b, c = noise.remap_row(atlas(layout), x, y).T
    return a, b, c
