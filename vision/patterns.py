"""How well the pip patterns of one to six match an upright top face. Nothing here is learned.

Its one rule: it only knows where manufacturers put pips. The fitted rules weigh the votes of the pip patterns against
those of the networks. The patterns make different errors from the networks, so they help most with dice unlike those in
training.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.networks import AROUND, FACE, Floats, Image

WINDOW, SEEN = 32, 23  # width of a crop's middle before and after scaling, in pixels; a bit wider than the face
SIDE = round(FACE * SEEN / WINDOW)  # pixels across a face: fewer would blur small pips, more would take longer
INSIDE = 16  # width in pixels of the part of a face that is compared, which excludes the face's edges
SHIFTS = slice((SEEN - INSIDE) // 2 - 1, (SEEN - INSIDE) // 2 + 2)  # shifts by a pixel, because the finder is inexact
# Pips may differ from the body in brightness or only in colour. Each of these combinations of blue, green and red is
# tried, and the best match counts.
COLOURS = np.array(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1 / 3, 1 / 3, 1 / 3), (-1, 0, 1), (-0.5, 1, -0.5)), np.float32)
FLAT = 3.0  # grey levels; with less variation, a face shows no pips
FEW = 16  # patterns per matrix product; with more, numpy wakes a thread on every core, which then spins for 20 ms
SOFT = 0.15  # width of a pip's soft edge, relative to half the side of a die

# Relative to half the side of a die: the radius of pips, and how far a four's pips are from the middle along each axis.
# CLOSE and SIXES are factors of this distance: CLOSE for twos and threes, SIXES for the width and length of sixes.
RADII, SPREADS, CLOSE = (0.13, 0.18, 0.24), (0.42, 0.51, 0.60), (0.5, 0.62, 0.8, 1.0)
SIXES = ((0.6, 1.0), (0.8, 1.0), (1.05, 1.0), (1.0, 0.75))
ACE = 1.7  # on some dice, the pip of a one is larger by this factor

Spot = tuple[float, float]


class Patterns(NamedTuple):
    drawn: list[Floats]  # patterns as normalized rows (mean 0, length 1), sorted by value, in batches
    starts: NDArray[np.intp]  # index of the first row of each value


def fits(crops: list[Image]) -> Floats:
    """For each upright crop of a die, how well it matches each value from one to six. Returns an array (n, 6), in which
    1 is perfect."""
    drawn, starts = _patterns()
    first = (AROUND - WINDOW) // 2
    out = np.zeros((len(crops), 6), np.float32)
    for said, crop in zip(out, crops, strict=True):
        middle = crop[first:-first, first:-first]
        small = cv2.resize(middle, (SEEN, SEEN), interpolation=cv2.INTER_AREA)
        seen = small.astype(np.float32) @ COLOURS.T
        faces = sliding_window_view(seen, (INSIDE, INSIDE), (0, 1))[SHIFTS, SHIFTS].reshape(-1, INSIDE**2)
        faces -= faces.mean(1, keepdims=True)
        faces /= np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), FLAT * INSIDE)
        alike = np.concatenate([np.abs(faces @ some.T).max(0) for some in drawn])
        np.maximum.reduceat(alike, starts, out=said)
    return out


@cache
def _patterns() -> Patterns:
    axis = (np.arange(INSIDE, dtype=np.float32) - (INSIDE - 1) / 2) / SIDE * 2
    x, y = np.meshgrid(axis, axis)
    rows, values = [], []
    for value, radius, spots in sorted(_layouts(), key=lambda layout: layout[0]):
        far = np.min([np.hypot(x - u, y - v) for u, v in spots], axis=0).ravel()
        row = np.clip(0.5 - (far - radius) / SOFT, 0, 1)
        row -= row.mean()
        rows.append(row / np.linalg.norm(row))
        values.append(value)
    drawn = np.array(rows, np.float32)
    return Patterns([drawn[k : k + FEW] for k in range(0, len(drawn), FEW)], np.searchsorted(values, range(1, 7)))


def _layouts() -> list[tuple[int, float, list[Spot]]]:
    """Value, radius and pip positions of all known designs, except those whose pips would overlap."""
    found: list[tuple[int, float, list[Spot]]] = []
    for radius in RADII:
        found += [(1, radius, [(0, 0)]), (1, ACE * radius, [(0, 0)])]
        for spread in SPREADS:
            four = [(-spread, -spread), (spread, -spread), (-spread, spread), (spread, spread)]
            found += [(4, radius, four), (5, radius, [*four, (0, 0)])]
            for near, across in product(CLOSE, (True, False)):
                far = spread * near
                two = [(-far, -far), (far, far)] if across else [(-far, 0.0), (far, 0.0)]
                apart = np.hypot(*two[0])
                found += [(2, radius, spots) for spots in (two, _turned(two)) if apart > radius]
                found += [(3, radius, [*spots, (0, 0)]) for spots in (two, _turned(two)) if apart > 1.9 * radius]
            for wide, long in SIXES:
                six = [(x * wide * spread, y * long * spread) for x in (-1, 1) for y in (-1, 0, 1)]
                if long * spread > 1.9 * radius and wide * spread > radius:
                    found += [(6, radius, six), (6, radius, _turned(six))]
    return found


def _turned(spots: list[Spot]) -> list[Spot]:
    """The spots rotated by a quarter turn."""
    return [(-y, x) for x, y in spots]
