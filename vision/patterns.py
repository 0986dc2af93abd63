"""How well each of the six patterns of pips fits an upright top face: an opinion that was never learnt.

Its one rule: it knows nothing but where makers put pips. What it is worth beside the networks the fitted rules say; its
errors are others than theirs, which makes it worth most where a die looks like none that they learnt from.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sight import AROUND, FACE, Floats, Image

SIDE = 20  # pixels of a face: fewer blur small pips, more cost time
INNER = 0.82  # of the face's half side: beyond it edges and what is beside the die disturb
SHIFTS = tuple(product((-1, 0, 1), repeat=2))  # pixels, as nothing is aimed perfectly
# Pips may differ from the body by light or by colour alone: each of these is looked at, and the clearest counts.
COLOURS = np.array(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1 / 3, 1 / 3, 1 / 3), (-1, 0, 1), (-0.5, 1, -0.5)), np.float32)
FLAT = 3.0  # grey levels: what varies less than that shows no pips
SOFT = 0.15  # half sides over which the edge of a pip fades

# In half sides how large pips are and how far out the four's; how much nearer the two's, how wide and long the six.
RADII, SPREADS, CLOSE = (0.13, 0.18, 0.24), (0.42, 0.51, 0.60), (0.5, 0.62, 0.8, 1.0)
SIXES = ((0.6, 1.0), (0.8, 1.0), (1.05, 1.0), (1.0, 0.75))
ACE = 1.7  # times as large as the others, on some dice

Spot = tuple[float, float]


class Patterns(NamedTuple):
    drawn: Floats  # a row each, of mean 0 and length 1
    values: NDArray[np.intp]
    inside: NDArray[np.bool_]  # the pixels of a face that the rows are of


def fits(crops: list[Image]) -> Floats:
    """For each upright crop, as the judge is shown it, how well it fits one to six: (n, 6), 1 is perfectly."""
    drawn, values, inside = _patterns()
    side = round(AROUND * SIDE / FACE)
    edge = (side - SIDE) // 2
    out = np.zeros((len(crops), 6), np.float32)
    for said, crop in zip(out, crops, strict=True):
        small = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
        seen = small.astype(np.float32) @ COLOURS.T
        faces = np.concatenate([seen[edge + y :, edge + x :][:SIDE, :SIDE][inside].T for x, y in SHIFTS])
        faces -= faces.mean(1, keepdims=True)
        faces /= np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), FLAT * np.sqrt(faces.shape[1]))
        np.maximum.at(said, values - 1, np.abs(faces @ drawn.T).max(0))
    return out


@cache
def _patterns() -> Patterns:
    axis = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1
    x, y = np.meshgrid(axis, axis)
    inside = np.maximum(np.abs(x), np.abs(y)) < INNER
    rows, values = [], []
    for value, radius, spots in _layouts():
        far = np.min([np.hypot(x - u, y - v) for u, v in spots], axis=0)[inside]
        row = np.clip(0.5 - (far - radius) / SOFT, 0, 1)
        row -= row.mean()
        rows.append(row / np.linalg.norm(row))
        values.append(value)
    return Patterns(np.array(rows, np.float32), np.array(values), inside)


def _layouts() -> list[tuple[int, float, list[Spot]]]:
    """Value, radius and places of the pips, of all makers. None where pips would run into each other."""
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
    """By a quarter."""
    return [(-y, x) for x, y in spots]
