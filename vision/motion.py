"""Compares small grey pictures from one camera, and finds what moved between them.

Theory. Let a still scene be seen twice, the second time in other light and by a camera that has swayed by (dx, dy). For
shifts below a pixel of the small picture,

    now = gain * before + offset - dx * before_x - dy * before_y,

where before_x and before_y are the slopes of the earlier picture. Lamps on mains power and a rolling shutter also make
soft horizontal bands, so the gain depends on the row: it is a constant plus a few waves. All this is linear in the
unknowns, so one least-squares fit finds light and sway together. Pixels that fit badly, such as a hand or rolling dice,
are left out and the fit is repeated. Whatever is left after that has moved.

Its one rule: only small shifts of the whole picture are sway. A few moving dice on a plain table also fit a shift, so
the shift is pulled towards zero, and is limited.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np

from vision.networks import Floats, Image

SMALL = 160  # approximate length in pixels of the long side of the small picture
SWAY = 2.5  # largest sway in pixels of the frame
STEADY = 3000.0  # strength of the pull towards no sway: the squared slopes of all samples that outweigh it
SHARP = 10.0  # grey levels per pixel; steeper edges do not count more, so that one die does not outweigh the table
FITS = 3  # number of times that the fit is made, each time without the pixels that fitted badly
MISFIT = 3.0  # pixels that differ by more than this many times the usual misfit are left out
LEAST_MISFIT = 1.0  # grey levels; cameras differ at least by this much from frame to frame
BAND = 0.1  # largest relative change in brightness that a row can have compared with the whole picture
WAVES = 6  # pairs of waves that describe the bands; the last pair has three periods over the picture's height
CLIPPED = 235.0  # grey levels; brighter pixels may be over-exposed, and then do not follow the light
SLACK, SWAYING = 0.05, 0.25  # part of a pixel by which edges may be off, and the share of the sway that is added
BLACK = 20.0  # grey levels; the noise of darker pixels hides how the light has changed
FEW = 50  # minimum number of samples that are neither black nor over-exposed
STEP = 3  # pixels of the small picture between two samples of the fit
SLICE = 900  # samples that are multiplied at a time


class Small:
    """A small grey picture, with what is needed to compare later pictures with it."""

    def __init__(self, grey: Floats, colour: Image, step: int) -> None:
        self.grey = grey
        self.colour = colour
        self.step = step  # pixels of the frame per pixel of the small picture

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """The change from pixel to pixel, to the right and downwards."""
        across = cv2.Sobel(self.grey, cv2.CV_32F, 1, 0, ksize=1, scale=0.5)
        down = cv2.Sobel(self.grey, cv2.CV_32F, 0, 1, ksize=1, scale=0.5)
        return np.asarray(across, np.float32), np.asarray(down, np.float32)

    @cached_property
    def steep(self) -> Floats:
        """How steep the picture is at each pixel or beside it."""
        across, down = self.slopes
        return np.asarray(cv2.dilate(cv2.magnitude(across, down), np.ones((3, 3), np.uint8)), np.float32)

    @cached_property
    def samples(self) -> tuple[Floats, Floats, Floats]:
        """For every sample: the columns of the fit, its steepness, and its weight."""
        across, down = (slope[::STEP, ::STEP].ravel() for slope in self.slopes)
        level = self.grey[::STEP, ::STEP].ravel()
        rows = np.repeat(waves(len(self.grey))[::STEP], -(-self.grey.shape[1] // STEP), axis=0)
        plain = np.stack([level, np.ones_like(level), -across, -down], axis=1)
        columns = np.concatenate([plain, level[:, None] * rows], axis=1)
        steep = np.hypot(across, down)
        weight = 1 / np.maximum(1, steep / SHARP) ** 2 * (level < CLIPPED)
        return np.ascontiguousarray(columns, np.float32), steep, np.asarray(weight, np.float32)

    def mixed(self, other: Small, share: float) -> Small:
        """This picture with a share of a later one."""
        grey = cv2.addWeighted(self.grey, 1 - share, other.grey, share, 0)
        return Small(np.asarray(grey, np.float32), other.colour, self.step)


@dataclass(frozen=True)
class Change:
    """What differs between two pictures."""

    light: float  # the overall change in brightness, as a factor
    sway: tuple[float, float]  # the shift of the whole picture, in pixels of the small picture
    amount: Floats  # what else has changed at each pixel, in grey levels (3x3 mean)
    expected: Floats  # the earlier picture in the light of the later one, and swayed
    slack: Floats  # the change at each pixel that sway and over-exposure may still cause

    def spots(self, level: float) -> Image:
        """A mask: 1 where more than this many grey levels have changed, else 0."""
        return np.asarray(self.amount > self.slack + np.float32(level), np.uint8)


def shrink(frame: Image) -> Small:
    """A small grey copy of the frame. Averaging blocks of pixels is fast and reduces noise. It is slightly blurred,
    so that sway changes its edges evenly."""
    step = max(1, round(max(frame.shape[:2]) / SMALL))
    height, width = max(1, frame.shape[0] // step), max(1, frame.shape[1] // step)
    rows = 2 if step > 3 else 1  # every other row is enough and halves the cost
    small = cv2.resize(frame[: height * step : rows, : width * step], (width, height), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    return Small(np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32), np.asarray(small, np.uint8), step)


@cache
def waves(height: int) -> Floats:
    """The waves that describe the bands, one per column, for each row of a picture."""
    angles = np.pi * (np.arange(height)[:, None] + 0.5) / height * np.arange(1, WAVES + 1)
    return np.asarray(np.hstack([np.cos(angles), np.sin(angles)]), np.float32)


def compare(now: Small, before: Small) -> Change:
    """What has changed, apart from light and sway."""
    light = brightness(now.grey[::STEP, ::STEP], before.grey[::STEP, ::STEP])
    gain, offset, dx, dy, *bands = _fit(now, before, light).tolist()
    across, down = before.slopes
    rows = gain + np.clip(waves(len(now.grey)) @ np.array(bands, np.float32), -BAND, BAND)[:, None]
    expected = rows * before.grey + np.float32(offset) - np.float32(dx) * across - np.float32(dy) * down
    expected = np.minimum(expected, np.float32(255))  # an over-exposed die does not get brighter
    amount = cv2.blur(cv2.absdiff(now.grey, expected), (3, 3))
    slack = before.steep * np.float32(SLACK + SWAYING * float(np.hypot(dx, dy)))
    brightest = cv2.dilate(cv2.max(now.grey, before.grey), np.ones((5, 5), np.uint8))
    slack += np.float32(255 * min(abs(light - 1), BAND) + 2) * (brightest > CLIPPED)
    return Change(light, (dx, dy), np.asarray(amount, np.float32), expected, np.asarray(slack, np.float32))


def brightness(now: Floats, before: Floats) -> float:
    """The overall change in brightness as a factor. Black and over-exposed pixels say little about it."""
    told = (before > BLACK) & (before < CLIPPED)
    if np.count_nonzero(told) < FEW:
        told = np.ones_like(told)
    return float(np.median((now[told] + 1) / (before[told] + 1)))


def _fit(now: Small, before: Small, light: float) -> Floats:
    """Gain, offset, shift and bands from `before` to `now`."""
    columns, steep, weight = before.samples
    levels = now.grey[::STEP, ::STEP].ravel()
    most = SWAY / before.step
    weight = weight * (levels < CLIPPED)
    start = np.zeros(columns.shape[1], np.float32)
    start[0] = light
    goal = np.concatenate([columns, (levels - columns[:, 0] * start[0])[:, None]], axis=1)
    # The slopes of a plain picture tell nothing about its shift, and its level nothing about gain and offset apart.
    pull = np.diag(np.array([100.0, 1.0, STEADY, STEADY, *[100.0] * (2 * WAVES)], np.float32))
    found = start
    reach = most  # shift that a pixel which fits may still have
    for _ in range(FITS):
        misfit = np.abs(levels - np.einsum("ij,j->i", columns, found))
        usual = max(LEAST_MISFIT, 1.5 * float(np.median(misfit)))
        fitting = columns * (weight * (misfit < MISFIT * usual + reach * steep))[:, None]
        sums = _product(fitting, goal)
        found = start + np.linalg.solve(sums[:, :-1] + pull, sums[:, -1])
        found[2:4] = np.clip(found[2:4], -most, most)
        reach = most / 4
    return np.asarray(found, np.float32)


def _product(left: Floats, right: Floats) -> Floats:
    """left.T @ right in slices that are too small for NumPy to start threads, which would cost far more time than they
    save."""
    parts = [left[k : k + SLICE].T @ right[k : k + SLICE] for k in range(0, len(left), SLICE)]
    return np.asarray(np.sum(parts, axis=0), np.float32)
