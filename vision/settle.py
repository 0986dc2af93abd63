"""Watches a stream of frames for motion and hands, and reads the dice once after they have come to rest.

Its one rule: nothing is read during motion, and a reading is sure only if at least two frames agree on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.agreement import look, verdict
from vision.networks import Floats, Image
from vision.reading import OK, UNSURE, Doubt, Reading

if TYPE_CHECKING:
    from vision.tray import Calibration

EMPTY, MOVING, HAND, STILL, SETTLED = "empty", "moving", "hand", "still", "settled"
SMALL = 160  # approximate length in pixels of the long side of the grey picture used to detect motion
QUIET = 0.15  # seconds without motion before the first read, and between reads
USED_TO = 3.0  # seconds until something motionless no longer counts as a hand
TRACKING = 2.0  # time constant in seconds for the reference picture to follow changes in the light
FAINT = 2.5  # grey levels of change that a codec may cause
NOISES = 3.5  # changes up to FAINT plus this many times the median change between frames are noise
FEWEST = 5  # changed pixels of the small picture that count as motion; even the corner of one moving die changes more
BLINK = 0.06  # larger relative changes in overall brightness between frames count as motion
LARGE = 0.04  # anything larger than this share of the frame that reaches the frame's edge is a hand
MANY_DICE = 3.0  # anything larger than this many faces of a die that reaches the tray's edge is a hand
BESIDE = 0.4  # die widths by which the tray's edge is moved outwards, so that dice leaning on the rim do not cross it
ALONG = 0.02  # minimum share of the frame's edge that a hand covers
IN_THE_WAY = "a hand or another large object is in view"
EVERYWHERE = 0.6  # share of the edge; a change that covers more is not a hand, but new light or a moved camera


@dataclass(frozen=True)
class Seen:
    state: str  # "empty" | "moving" | "hand" | "still" | "settled"
    reading: Reading | None  # set once, with the first "settled" frame after motion
    changed: bool  # the state differs from the previous frame's, or there is a reading


class Settle:
    """Notices when the dice have come to rest, and reads them. Pass each frame and its time in seconds to `see`. Before
    each roll, set `expect` to the number of dice."""

    def __init__(self, calibration: Calibration | None = None, expect: int | None = None) -> None:
        self.expect = expect
        self._calibration = calibration
        self._state = ""
        self._noise = 1.0  # median change of the small picture from frame to frame, in grey levels
        self._last: Floats | None = None
        self._still: Floats | None = None  # the reference picture, compared with frames to detect motion
        self._table: Floats | None = None  # the table before anything moved, compared with frames to detect hands
        self._since = self._at = 0.0
        self._hand = False
        self._checked_tray = False  # whether the tray was already checked for a hand
        self._reads: list[tuple[float, Reading]] = []
        self._edge = edge_of(calibration) if calibration else None

    def see(self, frame: Image, at: float) -> Seen:
        small = shrink(frame)
        if self._last is None or self._last.shape != small.shape:
            self._last = self._still = self._table = small
            self._state, moved = "", True  # the first frame counts as motion, so the picture has to come to rest first
        else:
            moved = self._moved(small, at)
        before, self._last, self._at = self._at, small, at
        if moved:
            self._still, self._since = small, at
            self._reads = []
            self._hand, self._checked_tray = self._comes_in(small), False
            return self._enter(HAND if self._hand else MOVING)
        if self._state in (EMPTY, SETTLED):
            self._follow(small, at - before)
            return self._enter(self._state)
        due = at - (self._reads[-1][0] if self._reads else self._since) >= QUIET
        if due and self._edge is not None and not self._checked_tray:
            self._hand, self._checked_tray = self._hand or self._lies_over(frame, self._edge), True
        if self._hand and at - self._since < USED_TO:
            return self._enter(HAND)
        return self._read(frame, at) if due else self._enter(STILL)

    def _moved(self, small: Floats, at: float) -> bool:
        assert self._last is not None and self._still is not None
        light, change = difference(small, self._last)
        if change.any():  # identical frames, repeated by a camera or codec, say nothing about noise
            self._noise += 0.2 * (min(float(np.median(change)), 2 * self._noise + 0.5) - self._noise)
        return (
            at < self._at
            or abs(light - 1) > BLINK
            or self._spots(change).sum() >= FEWEST
            or self._spots(difference(small, self._still)[1]).sum() >= FEWEST
        )

    def _follow(self, small: Floats, seconds: float) -> None:
        """Let the reference picture follow the light. Before the first read the reference must not change, because it
        could follow a slowly moving die."""
        assert self._still is not None
        share = np.float32(1 - math.exp(-seconds / TRACKING))
        self._still = self._table = self._still + (small - self._still) * share

    def _spots(self, change: Floats) -> Image:
        """A mask: 1 where the change exceeds the noise, else 0."""
        return np.asarray(change > FAINT + NOISES * self._noise, np.uint8)

    def _comes_in(self, small: Floats) -> bool:
        """Whether something large that was not there when the table was last at rest reaches over the edge of the
        frame."""
        assert self._table is not None
        spots = self._spots(difference(small, self._table)[1])
        edge = np.ones_like(spots)
        edge[1:-1, 1:-1] = 0
        return reaches(spots, edge, LARGE * spots.size, ALONG * edge.sum())

    def _lies_over(self, frame: Image, edge: Image) -> bool:
        """Whether something large lies over the edge of the tray. More precise than `_comes_in`, but too slow for every
        moving frame."""
        assert self._calibration is not None
        side = self._calibration.side * edge.shape[1] / self._calibration.size[0]
        return reaches(self._calibration.new(frame), edge, MANY_DICE * side**2, side)

    def _read(self, frame: Image, at: float) -> Seen:
        """Read the dice once more."""
        self._reads.append((at, look(frame, self._calibration, self.expect)))
        reading = verdict(self._reads)
        if reading is None:
            return self._enter(STILL)
        # A hand may hide dice, unless all the dice rolled are visible beside it.
        if self._hand and reading.status == OK and (self.expect is None or not reading.dice):
            reading = replace(reading, status=UNSURE, why=IN_THE_WAY, doubts=(Doubt("hand"),))
        return self._enter(SETTLED, reading) if reading.dice or reading.status != OK else self._enter(EMPTY)

    def _enter(self, state: str, reading: Reading | None = None) -> Seen:
        changed = state != self._state or reading is not None
        if changed and state in (EMPTY, SETTLED):
            self._still = self._last  # the first still frame may have caught the end of the motion
        self._state = state
        return Seen(state, reading, changed)


def shrink(frame: Image) -> Floats:
    """A small grey copy of the frame. Averaging blocks of pixels is fast and reduces noise."""
    step = max(1, round(max(frame.shape[:2]) / SMALL))
    height, width = max(1, frame.shape[0] // step), max(1, frame.shape[1] // step)
    rows = 2 if step > 3 else 1  # every other row is enough and halves the cost
    small = cv2.resize(frame[: height * step : rows, : width * step], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def difference(now: Floats, before: Floats) -> tuple[float, Floats]:
    """The overall change in brightness as a factor, and what else has changed at each pixel, in grey levels (3x3
    mean)."""
    light = float(np.median((now[::2, ::2] + 1) / (before[::2, ::2] + 1)))
    return light, np.asarray(cv2.blur(cv2.absdiff(now, before * np.float32(light)), (3, 3)), np.float32)


def edge_of(calibration: Calibration) -> Image:
    """The outlines of the tray and the keep strip, drawn at the background's size and clipped to the frame."""
    height, width = calibration.background.shape[:2]
    scale = width / calibration.size[0]
    zone = np.zeros((height, width), np.uint8)
    for polygon in (calibration.tray, calibration.keep):
        if polygon:
            corners = np.round(np.array(polygon) * scale).astype(np.int32)
            cv2.fillPoly(zone, [corners], 1)
            cv2.polylines(zone, [corners], True, 1, max(1, round(2 * BESIDE * calibration.side * scale)))
    inner = cv2.erode(zone, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(zone - inner, np.uint8)


def reaches(spots: Image, edge: Image, large: float, along: float) -> bool:
    """Whether a connected area is large and covers some of the edge, but not most of it."""
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(spots)
    for i in range(1, count):
        if stats[i, cv2.CC_STAT_AREA] >= large:
            met = np.count_nonzero((pieces == i) & (edge > 0))
            if along <= met <= EVERYWHERE * np.count_nonzero(edge):
                return True
    return False
