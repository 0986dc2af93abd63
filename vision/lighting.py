"""Advice on light, camera and tray, for example if it is too dark or if dice and tray have the same colour.

Its one rule: each finding names one thing that people can change, and in good light there are no findings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import trouble
from vision.networks import Halves
from vision.reading import Die, Point
from vision.tray import Calibration, Floats, Image, Mask, colour_of

DARK, BURNT, GLARE, UNEVEN = "dark", "burnt", "glare", "uneven"
FLICKER, ALIKE, SMALL, BLURRED = "flicker", "alike", "small", "blurred"
SAYS = {
    DARK: "It is too dark: move a lamp closer.",
    BURNT: "It is too bright: turn the lamp down or away.",
    GLARE: "A lamp reflects in the tray: move the lamp, or put felt in the tray.",
    UNEVEN: "One side is much darker than the other: light the tray evenly.",
    FLICKER: "The light flickers: use another lamp, or daylight.",
    ALIKE: "A die looks too much like the tray: put something of another colour in the tray.",
    SMALL: "The dice are small in the picture: move the camera closer.",
    BLURRED: "The picture is blurred: focus the camera, or clean its lens.",
}

WIDE = 320  # width of the small picture used for the empty tray
DARKEST = 145.0  # minimum grey level of the brightest tenth of all pixels on dice; even dark dice have bright pips
BLANK = (0.1, 0.6)  # maximum shares of pixels burnt out in all channels and in any channel; with more, pips may be lost
WHITE = 250  # minimum value of a burnt-out channel
MOSTLY = 0.25  # if a larger share of the tray is burnt out, the light is too bright, and no reflection is reported
SPOT = 0.02  # minimum width of a reflected lamp, relative to the tray's width
ABOVE = 45  # grey levels by which a reflected lamp must be brighter than the tray
CELLS = 6  # the tray's light is compared on a grid of 6 x 6 cells
BLACK = 0.005  # share of full light that is added to every cell, because black cloth reflects too little to compare
STEADY = 0.02  # light that changes by a larger share from frame to frame is reported as flickering
EVEN = 0.3  # minimum light in the darkest part of the tray, as a share of the light in the brightest part
UNLIKE = 16.0  # minimum colour difference (in Lab) between a top face and the tray around it
LEAST = 24.0  # minimum side of a die in pixels


@dataclass(frozen=True)
class Finding:
    what: str
    at: Point | None = None  # position in the frame, if the finding concerns a single place

    @property
    def says(self) -> str:
        where = f" ({self.at[0]:.0f},{self.at[1]:.0f})" if self.at else ""
        return SAYS[self.what] + where


def of_empty(frames: Sequence[Image], tray: Sequence[Point]) -> list[Finding]:
    """Problems with the light on an empty tray, from a few consecutive frames."""
    height, width = frames[0].shape[:2]
    k = min(1.0, WIDE / width)
    size = (round(width * k), round(height * k))
    small = [np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8) for frame in frames]
    inside = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(inside, [np.round(np.array(tray) * k).astype(np.int32)], 255)
    if not inside.any():
        return []
    grey = np.asarray(cv2.cvtColor(small[0], cv2.COLOR_BGR2GRAY), np.uint8)
    found = []
    if trouble.dark(frames[0]):  # report only extreme darkness here, because a black tray is always dark
        found.append(Finding(DARK))
    burnt = _burnt(small[0], inside)
    spots = _spots(grey, burnt, inside)
    cells = [_cells(one, inside) for one in small]
    dim = _uneven(cells[0], inside)
    if np.count_nonzero(burnt) > MOSTLY * np.count_nonzero(inside):
        found.append(Finding(BURNT))
    elif spots:
        found += [Finding(GLARE, (x / k, y / k)) for x, y in spots]
    elif dim is not None:  # only if no lamp is reflected, because everything looks dim beside a reflected lamp
        found.append(Finding(UNEVEN, (dim[0] / k, dim[1] / k)))
    if _flickers(cells):
        found.append(Finding(FLICKER))
    return found


def of_dice(known: Calibration, frame: Image, dice: Sequence[Die]) -> list[Finding]:
    """Problems with how the dice in the tray look. `dice` holds the dice that the reader found."""
    found = []
    size = (known.background.shape[1], known.background.shape[0])
    new = cv2.erode(known.new(frame), np.ones((3, 3), np.uint8))
    lying = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA)[new > 0], np.uint8)
    sure = [die for die in dice if die.sure]
    halves = Halves(frame)
    if trouble.dark(frame) or (len(lying) and np.percentile(lying.max(1), 90) < DARKEST):
        found.append(Finding(DARK))
    elif dice and np.mean([trouble.blurred(halves, die.box) for die in dice]) > 0.5:
        found.append(Finding(BLURRED, dice[0].centre))
    elif len(lying) and len(sure) <= len(dice) / 2 and _blank(lying):
        found.append(Finding(BURNT))
    else:
        spots = [trouble.glare(frame, die.box) for die in dice if not die.sure]
        found += [Finding(GLARE, spot) for spot in spots if spot]
    if dice and float(np.median([_side(die) for die in dice])) < LEAST:
        found.append(Finding(SMALL))
    alike = min(sure, key=lambda die: _apart(frame, die, dice), default=None)
    if alike and Finding(DARK) not in found and _apart(frame, alike, dice) < UNLIKE:
        found.append(Finding(ALIKE, alike.centre))
    return found


def _burnt(small: Image, inside: Mask) -> Mask:
    return np.asarray((small.min(2) >= WHITE) & (inside > 0), np.uint8)


def _spots(grey: Image, burnt: Mask, inside: Mask) -> list[Point]:
    """The centres of burnt-out spots; none if the whole tray is almost as bright as a burnt-out spot."""
    if np.median(grey[inside > 0]) > 255 - ABOVE:
        return []
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
    large = SPOT**2 * np.count_nonzero(inside)
    return [(float(x), float(y)) for (x, y), own in list(zip(middles, stats, strict=True))[1:count] if own[4] >= large]


def _cells(small: Image, inside: Mask) -> Floats:
    """The linear light in each cell of a grid over the tray; NaN outside the tray."""
    x, y, width, height = cv2.boundingRect(inside)
    light = (np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32) / 255) ** 2.2
    cells = np.full((CELLS, CELLS), np.nan, np.float32)
    for row, column in np.ndindex(CELLS, CELLS):
        part = np.s_[
            y + height * row // CELLS : y + height * (row + 1) // CELLS,
            x + width * column // CELLS : x + width * (column + 1) // CELLS,
        ]
        here = light[part][inside[part] > 0]
        if here.size > 0.5 * light[part].size:
            cells[row, column] = here.mean() + BLACK
    return cells


def _uneven(cells: Floats, inside: Mask) -> Point | None:
    """The centre of the darkest part of the tray, if it is much darker than the brightest."""
    smooth = np.asarray(cv2.blur(np.nan_to_num(cells, nan=0.0), (3, 3)), np.float32)
    weight = np.asarray(cv2.blur(np.asarray(~np.isnan(cells), np.float32), (3, 3)), np.float32)
    level = np.where(np.isnan(cells), np.nan, smooth / np.maximum(weight, 1e-6))
    if np.isnan(level).all() or np.nanmin(level) >= EVEN * np.nanmax(level):
        return None
    row, column = np.unravel_index(int(np.nanargmin(level)), level.shape)
    x, y, width, height = cv2.boundingRect(inside)
    return x + (float(column) + 0.5) * width / CELLS, y + (float(row) + 0.5) * height / CELLS


def _flickers(cells: Sequence[Floats]) -> bool:
    usual = np.median(cells, axis=0)
    change = [np.nanmedian(np.abs(one / usual - 1)) for one in cells]
    return bool(np.max(change) > STEADY)


def _blank(lying: NDArray[np.uint8]) -> bool:
    """Whether the dice are so bright that pips may be lost. On a red die, only the red channel may be burnt out."""
    return bool(np.mean(lying.min(1) >= WHITE) > BLANK[0] or np.mean(lying.max(1) >= WHITE) > BLANK[1])


def _side(die: Die) -> float:
    return math.sqrt(die.box.size[0] * die.box.size[1])


def _apart(frame: Image, die: Die, dice: Sequence[Die]) -> float:
    """The colour difference (in Lab) between the die's top face and the tray around it."""
    beside = _around(frame, die, 1.5, 2.2, [other for other in dice if other is not die])
    if not len(beside):
        return math.inf
    floor = np.median(beside, axis=0).round().astype(np.uint8).reshape(1, 1, 3)
    lab = cv2.cvtColor(floor, cv2.COLOR_BGR2Lab)[0, 0]
    return math.dist(colour_of(frame, die.box), [float(v) for v in lab])


def _around(frame: Image, die: Die, inner: float, outer: float, others: Sequence[Die] = ()) -> NDArray[np.uint8]:
    """The pixels of a frame-shaped area around a die, except those close to other dice. The area's inner and outer
    edges are the die's box, enlarged by `inner` and `outer`."""
    reach = math.ceil(_side(die) * outer)
    left, top = max(0, round(die.centre[0]) - reach), max(0, round(die.centre[1]) - reach)
    part = frame[top : round(die.centre[1]) + reach + 1, left : round(die.centre[0]) + reach + 1]
    mask = np.zeros(part.shape[:2], np.uint8)
    for one, grown, colour in ((die, outer, 1), (die, inner, 0), *((other, 1.5, 0) for other in others)):
        size = (one.box.size[0] * grown, one.box.size[1] * grown)
        corners = cv2.boxPoints((one.box.centre, size, one.box.angle)) - np.array((left, top), np.float32)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), colour)
    return np.asarray(part[mask > 0], np.uint8)
