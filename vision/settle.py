"""From a stream of frames: dice fly, lie still, a hand is in view; and one reading of what lies there.

Its one rule: nothing is read while anything moves, and no reading is sure that two frames apart in time do not share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import reader
from vision.networks import Floats, Image
from vision.reading import OK, UNSURE, Die, Doubt, Reading

if TYPE_CHECKING:
    from vision.tray import Calibration

EMPTY, MOVING, HAND, STILL, SETTLED = "empty", "moving", "hand", "still", "settled"
SMALL = 160  # pixels, about, of the long side of the grey picture that is watched
QUIET = 0.15  # seconds without motion before the first read, and from one read to the next
PATIENCE = 1.0  # seconds of reads that do not agree, before that is what is said
USED_TO = 3.0  # seconds after which what came in and lies still is no hand: nobody holds one that still
TRACKING = 2.0  # seconds in which the picture of what lies still follows the light
FAINT = 2.5  # grey levels that a codec alone may change
NOISES = 3.5  # times what most of the picture changes by from frame to frame, on top of that
FEWEST = 5  # small pixels that have to change; the corner of one die is more
BLINK = 0.06  # all light that changes by more than this from frame to frame is no drift
LARGE = 0.04  # of the frame: what reaches its edge and is larger is a hand
MANY_DICE = 3.0  # dice: what reaches the tray's edge and is larger is a hand
BESIDE = 0.4  # of a die: this far out the tray's edge is drawn, so that dice which lean on it do not reach over it
ALONG = 0.02  # of the frame's edge, at least, lies under a hand
WAVERS = "it reads differently from frame to frame"
IN_THE_WAY = "a hand or something else that is large is in view"
EVERYWHERE = 0.6  # of the edge: what touches more of it is no hand, but another light or a bumped camera


@dataclass(frozen=True)
class Seen:
    state: str  # "empty" | "moving" | "hand" | "still" | "settled"
    reading: Reading | None  # once, with the first "settled" frame after something moved
    changed: bool  # the state is another than a frame before, or there is a reading


class Settle:
    """Fed with frames and their times in seconds; `expect`, the dice thrown, may be set anew before each roll."""

    def __init__(self, calibration: Calibration | None = None, expect: int | None = None) -> None:
        self.expect = expect
        self._calibration = calibration
        self._state = ""
        self._noise = 1.0  # what most of the small picture changes by from frame to frame, in grey levels
        self._last: Floats | None = None
        self._still: Floats | None = None  # the picture that nothing has left since
        self._table: Floats | None = None  # as it lay before anything came: what a hand is seen against
        self._since = self._at = 0.0
        self._hand = False
        self._surely = False  # whether a hand was looked for in the tray
        self._reads: list[tuple[float, Reading]] = []
        self._edge = edge_of(calibration) if calibration else None

    def see(self, frame: Image, at: float) -> Seen:
        small = shrink(frame)
        if self._last is None or self._last.shape != small.shape:
            self._last = self._still = self._table = small
            self._state, moved = "", True  # nothing is known of it, so it has to lie still like any other
        else:
            moved = self._moved(small, at)
        before, self._last, self._at = self._at, small, at
        if moved:
            self._still, self._since = small, at
            self._reads = []
            self._hand, self._surely = self._comes_in(small), False
            return self._say(HAND if self._hand else MOVING)
        if self._state in (EMPTY, SETTLED):
            self._follow(small, at - before)
            return self._say(self._state)
        due = at - (self._reads[-1][0] if self._reads else self._since) >= QUIET
        if due and self._edge is not None and not self._surely:
            self._hand, self._surely = self._hand or self._lies_over(frame, self._edge), True
        if self._hand and at - self._since < USED_TO:
            return self._say(HAND)
        return self._read(frame, at) if due else self._say(STILL)

    def _moved(self, small: Floats, at: float) -> bool:
        assert self._last is not None and self._still is not None
        light, change = difference(small, self._last)
        if change.any():  # a camera or a codec may send the same frame twice: that says nothing about noise
            self._noise += 0.2 * (min(float(np.median(change)), 2 * self._noise + 0.5) - self._noise)
        return (
            at < self._at
            or abs(light - 1) > BLINK
            or self._spots(change).sum() >= FEWEST
            or self._spots(difference(small, self._still)[1]).sum() >= FEWEST
        )

    def _follow(self, small: Floats, seconds: float) -> None:
        """What lies still follows the light, but only once it is read: before, it must not follow a die that creeps."""
        assert self._still is not None
        share = np.float32(1 - math.exp(-seconds / TRACKING))
        self._still = self._table = self._still + (small - self._still) * share

    def _spots(self, change: Floats) -> Image:
        """Where the change is more than noise: 0 or 1."""
        return np.asarray(change > FAINT + NOISES * self._noise, np.uint8)

    def _comes_in(self, small: Floats) -> bool:
        """Whether something large reaches over the edge of the frame, against how the table last lay still."""
        assert self._table is not None
        spots = self._spots(difference(small, self._table)[1])
        edge = np.ones_like(spots)
        edge[1:-1, 1:-1] = 0
        return reaches(spots, edge, LARGE * spots.size, ALONG * edge.sum())

    def _lies_over(self, frame: Image, edge: Image) -> bool:
        """Whether something large lies over the edge of the tray; a better look, too dear for frames that move."""
        assert self._calibration is not None
        side = self._calibration.side * edge.shape[1] / self._calibration.size[0]
        return reaches(self._calibration.new(frame), edge, MANY_DICE * side**2, side)

    def _read(self, frame: Image, at: float) -> Seen:
        """One more read of what lies still."""
        self._reads.append((at, look(frame, self._calibration, self.expect)))
        reading = verdict(self._reads)
        if reading is None:
            return self._say(STILL)
        # Nobody knows what is under a hand, unless all dice that were thrown lie beside it.
        if self._hand and reading.status == OK and (self.expect is None or not reading.dice):
            reading = replace(reading, status=UNSURE, why=IN_THE_WAY, doubts=(Doubt("hand"),))
        return self._say(SETTLED, reading) if reading.dice or reading.status != OK else self._say(EMPTY)

    def _say(self, state: str, reading: Reading | None = None) -> Seen:
        changed = state != self._state or reading is not None
        if changed and state in (EMPTY, SETTLED):
            self._still = self._last  # not the first that was still enough: that may have been almost in motion
        self._state = state
        return Seen(state, reading, changed)


def shrink(frame: Image) -> Floats:
    """The small grey picture: means of whole squares of pixels, which is fast and takes the noise away."""
    step = max(1, round(max(frame.shape[:2]) / SMALL))
    height, width = max(1, frame.shape[0] // step), max(1, frame.shape[1] // step)
    rows = 2 if step > 3 else 1  # every other row is enough, and costs half
    small = cv2.resize(frame[: height * step : rows, : width * step], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def difference(now: Floats, before: Floats) -> tuple[float, Floats]:
    """How much brighter all is, and by how many grey levels each pixel and those around it differ beyond that."""
    light = float(np.median((now[::2, ::2] + 1) / (before[::2, ::2] + 1)))
    return light, np.asarray(cv2.blur(cv2.absdiff(now, before * np.float32(light)), (3, 3)), np.float32)


def edge_of(calibration: Calibration) -> Image:
    """A line round the tray and the keep strip at the background's size; where they leave the frame, the frame's."""
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
    """Whether a piece of the spots is large and lies over the edge for some length, but not all around."""
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(spots)
    for i in range(1, count):
        if stats[i, cv2.CC_STAT_AREA] >= large:
            met = np.count_nonzero((pieces == i) & (edge > 0))
            if along <= met <= EVERYWHERE * np.count_nonzero(edge):
                return True
    return False


def look(frame: Image, calibration: Calibration | None, expect: int | None) -> Reading:
    """One read. A tray with nothing but kept dice is no fault, however many are expected: nobody has thrown yet."""
    reading = reader.read(frame, calibration, expect)
    if expect and all(die.kept for die in reading.dice):
        nothing = look(frame, calibration, None)
        return nothing if all(die.kept for die in nothing.dice) else reading
    return reading


def verdict(reads: Sequence[tuple[float, Reading]]) -> Reading | None:
    """What the last reads have in common, or a doubt if that takes too long; nothing while it is worth to read on.

    Two reads are enough, but three where any two that were sure of themselves have been at odds."""
    sure = [reading for _, reading in reads if reading.status == OK]
    enough = 2 if all(agree(a, b) for a, b in pairwise(sure)) else 3
    last = [reading for _, reading in reads[-enough:]]
    if len(last) == enough and all(r.status == OK for r in last) and all(agree(a, b) for a, b in pairwise(last)):
        return last[-1]
    if len(reads) < 3 or reads[-1][0] - reads[0][0] < PATIENCE:
        return None
    unsure = [reading for _, reading in reads if reading.status != OK]
    wavers = (Doubt("wavers"),)
    told = unsure[-1] if unsure else replace(last[-1], status=UNSURE, why=WAVERS, doubts=wavers)
    # Whoever corrects it is asked about these as well.
    steady = (replace(die, sure=die.sure and all(bears_out(r, die) for _, r in reads)) for die in told.dice)
    return replace(told, dice=tuple(steady))


def bears_out(reading: Reading, die: Die) -> bool:
    """Whether it has no other value at the place of that die and, if it was sure of all, has that die."""
    values = {k.value for k in reading.dice if k.sure and near(k, die)}
    return values == {die.value} or (not values and reading.status != OK)


def near(one: Die, other: Die) -> bool:
    """Within a third of a die."""
    return math.dist(one.centre, other.centre) < sum(other.box.size) / 6


def agree(one: Reading, other: Reading) -> bool:
    """Whether both show the same dice, each with its value at its place."""
    left = list(other.dice)
    for die in one.dice:
        for k in left:
            if k.value == die.value and near(k, die):
                left.remove(k)
                break
        else:
            return False
    return not left
