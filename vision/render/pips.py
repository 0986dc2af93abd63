"""The marks on a die's six sides, as an atlas of distances.

Its one rule: sides store the distance to the edge of the nearest pip, which gives sharp edges at any size.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.render import noise
from vision.render.scene import Array, Layout

CELLS = 36  # cells across a side; distances are smooth, so few cells are enough
FAR = 2.0
STAR = [((1.0, 0.42)[i % 2], i * math.pi / 5) for i in range(10)]
# Outlines of symbols on dice, within -1 to 1, y downwards.
FIGURES: dict[str, tuple[tuple[float, float], ...]] = {
    "heart": ((0, 1), (-0.9, 0), (-0.9, -0.5), (-0.5, -0.8), (0, -0.4), (0.5, -0.8), (0.9, -0.5), (0.9, 0)),
    "star": tuple((r * math.sin(a), -r * math.cos(a)) for r, a in STAR),
    "bolt": ((0.3, -1), (-0.6, 0.2), (-0.05, 0.2), (-0.3, 1), (0.6, -0.25), (0.05, -0.25)),
    "arrow": ((0, -1), (0.8, -0.1), (0.3, -0.1), (0.3, 1), (-0.3, 1), (-0.3, -0.1), (-0.8, -0.1)),
    "sword": ((0, -1), (0.2, -0.7), (0.2, 0.3), (0.7, 0.3), (0.7, 0.5), (0.2, 0.5), (0.2, 1), (-0.2, 1), (-0.2, 0.5),
              (-0.7, 0.5), (-0.7, 0.3), (-0.2, 0.3), (-0.2, -0.7)),
    "cross": ((-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3), (0.3, 1), (-0.3, 1), (-0.3, 0.3),
              (-1, 0.3), (-1, -0.3), (-0.3, -0.3)),
    "shield": ((-0.8, -0.9), (0.8, -0.9), (0.8, 0), (0.5, 0.6), (0, 1), (-0.5, 0.6), (-0.8, 0)),
    "moon": ((0.3, -1), (-0.4, -0.8), (-0.8, 0), (-0.4, 0.8), (0.3, 1), (-0.1, 0.5), (-0.2, 0), (-0.1, -0.5)),
}  # fmt: skip
# Marks: 0 to 6 are pips, 100 + 10a + b is a domino with a and b pips, 200 + i is the sign SIGNS[i], 300 + 10a + b is a
# grid of studs, and 400 + n on the first side means that a polyhedron's n sides carry the numbers 1 to n.
WORDS = ("YES", "NO", "GO", "HIT", "MAX", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "30", "00")
SIGNS: tuple[str, ...] = (*"ABCDEFGHKLMNPRSTVWXYZ0123456789?!+#&$%=", *WORDS, *FIGURES)


def pattern(value: int, layout: Layout) -> list[tuple[float, float, float]]:
    """The pips of a value: x, y and radius in half sizes, before the side is rotated."""
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
    first, second = divmod(mark % 100, 10)
    if mark >= 300:
        return [
            ((i + 0.5) / first * 2 - 1, (j + 0.5) / second * 2 - 1, 0.6 / max(first, second))
            for i in range(first)
            for j in range(second)
        ]
    # A domino's side is stretched to a square here; the solid's own proportions reverse that.
    return [
        (x * 0.5 + shift, y, r * 0.5)
        for value, shift in ((first, -0.5), (second, 0.5))
        for x, y, r in pattern(value, layout)
    ]


@lru_cache(maxsize=1024)
def lettered(sign: str, font: int = 0, bold: int = 12) -> Array:
    """The distance to the edge of the nearest stroke of a letter, number, word or symbol in the middle of a side."""
    fine = CELLS * 4
    page = np.full((fine, fine), 255, np.uint8)
    if sign in FIGURES:
        points = np.array(FIGURES[sign]) * 0.24 * fine + fine / 2
        cv2.fillPoly(page, [np.round(points * 16).astype(np.int32)], 0, cv2.LINE_AA, 4)
    else:
        thick, size = bold, 3.2
        (w, h), _ = cv2.getTextSize(sign, font, size, thick)
        if w > 0.8 * fine:
            size, thick = size * 0.8 * fine / w, max(1, round(bold * 0.8 * fine / w))
            (w, h), _ = cv2.getTextSize(sign, font, size, thick)
        cv2.putText(page, sign, ((fine - w) // 2, (fine + h) // 2), font, size, 0, thick, cv2.LINE_AA)
    far = cv2.distanceTransform(page, cv2.DIST_L2, 5) - cv2.distanceTransform(np.asarray(255 - page), cv2.DIST_L2, 5)
    return np.asarray(cv2.resize(far, (CELLS, CELLS), interpolation=cv2.INTER_AREA) * (2 / fine), np.float32)


def every(layout: Layout) -> tuple[tuple[int, int], ...]:
    """The mark of every side, and its quarter turns: of a polyhedron's, too."""
    count = layout.marks[0] - 400
    if count < 0:
        return tuple(zip(layout.marks, layout.turns, strict=True))
    rng = np.random.default_rng(layout.seed)
    return tuple((200 + SIGNS.index(str(1 + int(i))), int(rng.integers(4))) for i in rng.permutation(count))


@lru_cache(maxsize=64)
def atlas(layout: Layout) -> Array:
    """An array (sides * CELLS, CELLS, 3) with the distance to the edge of the nearest pip, and the offset from that
    pip's centre in pip radii."""
    rng = np.random.default_rng(layout.seed)
    axis = (np.arange(CELLS, dtype=np.float32) + 0.5) / CELLS * 2 - 1
    u, v = np.meshgrid(axis, axis)
    sides = []
    for i, (mark, turns) in enumerate(every(layout)):
        best = np.full((CELLS, CELLS), FAR, np.float32)
        dx, dy = np.zeros_like(best), np.zeros_like(best)
        domino = mark // 100 == 1
        if mark // 100 == 2:
            # Alternate sides of a box have mirrored axes, so flip the text on the others.
            own = lettered(SIGNS[mark - 200], *layout.letters)
            upright = own[:: 1 if i % 2 and layout.marks[0] < 400 else -1]
            sides.append(np.stack([np.rot90(upright, turns), dx, dy], -1))
            continue
        for pip in marks(mark, layout):
            x, y, r = pip
            for _ in range(0 if mark >= 100 else turns):
                x, y = -y, x
            jx, jy, jr = rng.normal(0, layout.jitter, 3) if layout.jitter else (0.0, 0.0, 0.0)
            ax, ay = u - np.float32(x + jx * r), v - np.float32(y + jy * r)
            if domino:
                ax = ax * 2
                r = r * 2
            elif mark >= 300:
                across, down = divmod(mark % 100, 10)
                ax, ay = ax * np.float32(across / max(across, down)), ay * np.float32(down / max(across, down))
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
            best = np.minimum(best, np.abs(u) * 2 - 0.09)
        sides.append(np.stack([best, dx, dy], -1))
    return np.ascontiguousarray(np.concatenate(sides), np.float32)


def look_up(layout: Layout, side: Array, u: Array, v: Array) -> tuple[Array, Array, Array]:
    """For each point on a side: the distance to the edge of the nearest pip, and the offset from that pip's centre."""
    x = np.clip((u + 1) * (CELLS / 2) - 0.5, 0, CELLS - 1).astype(np.float32)
    y = (np.clip((v + 1) * (CELLS / 2) - 0.5, 0, CELLS - 1) + side * CELLS).astype(np.float32)
    a, b, c = noise.remap_row(atlas(layout), x, y).T
    return a, b, c
