"""Whether a picture still fits its calibration: after a bump or with another tray not; dice and lamps change nothing.

Its one rule: only where edges are and which way they run is compared, for that is what neither light nor dice change.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import trouble
from vision.tray import Calibration, Image

Floats = NDArray[np.float32]

FITS, SIZE, MOVED, OTHER = "", "size", "moved", "other"
EDGES = 0.04  # of the picture: so much of it, where it is steepest, are the edges that are looked for
STEEP = 2.0  # grey levels: what rises less is no edge
FEWEST, MOST = 60, 500  # pixels of edges: with fewer nothing can be told, and more of them tell no more
PARTS = 4  # the picture is so many parts wide and high, each with a say: a hand covers a few of them
REACH = 8  # pixels of the small picture within which it is looked for where a moved camera sees them
TURNS = (-10.0, -6.0, -3.0, -1.5, 1.5, 3.0, 6.0, 10.0)  # degrees by which it may be turned
STILL = 1.5  # pixels that all may seem to move by
ALIKE = 0.6  # how well edges fit that are the same
BETTER = 0.02  # by so much better they fit elsewhere, if the camera was moved


def fits(known: Calibration, frame: Image) -> str:
    """Why the frame does not fit any more: "size", "moved" or "other" (another tray, or turned); nothing if it does.

    It takes some hundredths of a second. Whoever asks does so once in a while when nothing moves, and believes it the
    third time: a hand that is held over the tray for long may look like another one."""
    if (frame.shape[1], frame.shape[0]) != known.size:
        return SIZE
    if trouble.dark(frame):
        return FITS  # nothing can be told
    here, elsewhere = scores(known, frame)
    if elsewhere > here + BETTER:
        return MOVED
    return FITS if here >= ALIKE else OTHER


def scores(known: Calibration, frame: Image) -> tuple[float, float]:
    """How well the edges of the empty table fit where they were, and how well at best elsewhere; 1 is perfectly."""
    height, width = known.background.shape[:2]
    x, y, along, part = _edges(known)
    if len(x) < FEWEST:
        return 1.0, 0.0
    across, down = _slopes(np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
    steep = np.hypot(across, down) + np.float32(STEEP)
    across, down = across / steep, down / steep
    counts = np.bincount(part, minlength=PARTS**2)
    told = counts >= FEWEST / 6

    def fit(turn: float, right: float, low: float) -> float:
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        u, v = x - width / 2, y - height / 2
        column = np.clip(np.round(u * c - v * s + width / 2 + right), 0, width - 1).astype(np.int32)
        row = np.clip(np.round(u * s + v * c + height / 2 + low), 0, height - 1).astype(np.int32)
        # Only which way: a lamp on the other side may make the bright side of an edge the dark one.
        same = np.abs(
            across[row, column] * (along[0] * c - along[1] * s) + down[row, column] * (along[0] * s + along[1] * c)
        )
        return float(np.median((np.bincount(part, same, PARTS**2) / np.maximum(counts, 1))[told]))

    steps = range(-REACH, REACH + 1)
    moved = {(i, j): fit(0.0, i, j) for i in steps for j in steps}
    here = max(score for (i, j), score in moved.items() if math.hypot(i, j) <= STILL)
    away = [score for (i, j), score in moved.items() if math.hypot(i, j) > STILL]
    turned = [fit(turn, i, j) for turn in TURNS for i in (-2, 0, 2) for j in (-2, 0, 2)]
    return here, max(*away, *turned)


def _slopes(small: Image) -> tuple[Floats, Floats]:
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.2).astype(np.float32)
    return (
        np.asarray(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25), np.float32),
        np.asarray(cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25), np.float32),
    )


def _edges(known: Calibration) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, NDArray[np.int64]]:
    """The steepest places of the empty table: where, which way they rise, and in which part of the picture."""
    dx, dy = _slopes(known.background)
    height, width = dx.shape
    steep = np.hypot(dx, dy)
    least = max(STEEP, float(np.quantile(steep, 1 - EDGES)))
    y, x = np.nonzero(steep > least)
    few = slice(None, None, max(1, len(x) // MOST))
    y, x = y[few], x[few]
    ways = np.stack([dx[y, x], dy[y, x]]) / steep[y, x]
    return x, y, np.asarray(ways, np.float32), (y * PARTS // height) * PARTS + x * PARTS // width
