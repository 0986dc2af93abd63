"""Detects frames that no longer fit their calibration, because the camera was moved or the tray was replaced.

Its one rule: it compares only the position and direction of edges, because neither light nor dice change those.
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
EDGES = 0.04  # share of pixels that count as edges: those where the brightness changes most
STEEP = 2.0  # grey levels; edges with less contrast are ignored
FEWEST, MOST = 60, 500  # edge pixels: with fewer, no decision is possible; more do not improve the result
PARTS = 4  # the picture is divided into 4 x 4 parts that vote, so that a hand over a few parts cannot change the result
REACH = 8  # search range for a moved camera, in pixels of the small picture
TURNS = (-10.0, -6.0, -3.0, -1.5, 1.5, 3.0, 6.0, 10.0)  # degrees of rotation that are tried
STILL = 1.5  # a shift of up to this many pixels does not count as movement
ALIKE = 0.6  # minimum score of edges that count as unchanged
BETTER = 0.02  # the camera has moved if the edges fit this much better elsewhere


def fits(known: Calibration, frame: Image) -> str:
    """Why the frame no longer fits: "size", "moved" or "other" (another tray, or a rotated one); "" if it fits.

    Takes a few hundredths of a second. Call `fits` now and then while nothing moves, and trust a misfit only if it is
    the third in a row: a hand held over the tray for a while can look like another tray."""
    if (frame.shape[1], frame.shape[0]) != known.size:
        return SIZE
    if trouble.dark(frame):
        return FITS  # too dark to decide
    here, elsewhere = scores(known, frame)
    if elsewhere > here + BETTER:
        return MOVED
    return FITS if here >= ALIKE else OTHER


def scores(known: Calibration, frame: Image) -> tuple[float, float]:
    """Two scores, at most 1: how well the frame's edges match those of the empty table in place, and how well they
    match at best after a shift or rotation."""
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
        # Ignore the sign of the slope: a lamp on the other side may swap the bright and the dark side of an edge.
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
    """The strongest edge points of the empty table: their positions, their directions, and which part of the picture
    each one is in."""
    dx, dy = _slopes(known.background)
    height, width = dx.shape
    steep = np.hypot(dx, dy)
    least = max(STEEP, float(np.quantile(steep, 1 - EDGES)))
    y, x = np.nonzero(steep > least)
    few = slice(None, None, max(1, len(x) // MOST))
    y, x = y[few], x[few]
    ways = np.stack([dx[y, x], dy[y, x]]) / steep[y, x]
    return x, y, np.asarray(ways, np.float32), (y * PARTS // height) * PARTS + x * PARTS // width
