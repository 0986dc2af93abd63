"""What is known of a fixed camera over a fixed tray, kept in one file: where dice lie, how large they are, and what the
empty table looks like.

Its one rule: a lamp that is turned up or down is no news, and what is on the table that was not there before always is.
"""

from __future__ import annotations

import base64
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Box, Point

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point3 = tuple[float, float, float]

FORMAT, VERSION = "dicetable tray", 2
MOST_BYTES = 2_000_000  # of the file: usually it has a tenth of that
WIDEST = 320  # of the background: a die of 25 pixels in a frame twice as wide is still a dozen
LEAST = 7.0  # grey levels that are news wherever nothing flickers
FLICKER = 5.0  # times the noise, which is what a spot may differ by on top
STEEP = 0.15  # of the step between a spot and its neighbours, as nothing holds perfectly still
DARKEST = 0.5  # a shadow leaves at least this much of the table's grey levels
BROAD = 0.2  # sides that it is wide at least
BLACK = 6  # grey levels that it may take on top: how much darker black has become says little
TINT, TINGE = 0.05, 4.0  # and dims the three colours alike, within this share and so many grey levels
STEP = 5  # every so many pixels are asked how the light has changed
DIM = 20  # grey levels: darker spots say nothing about how strong the light is
FEW = 12  # spots of one band that are enough to tell
BANDS = 32  # of grey levels, each with its own change
SPAN = 128  # grey levels that a band may change by, either way
BESIDE = np.array((1.0, 2.0, 3.0, 2.0, 1.0))  # how much a band counts for those beside it
LEVELS = np.arange(256, dtype=np.float64)
MIDDLES = (np.arange(BANDS) + 0.5) * (256 / BANDS) - 0.5
HOLE = 1.2  # squares of a side: a larger hole is table
GAP = 0.15  # sides between two spots of news that are one thing
GROWN = 0.3  # sides that a die's flanks and the line under it reach beyond its top face
UNLIKE = 60.0  # steps of Lab between two colours that no lamp makes of one
SMALLEST = 8.0  # pixels of a side: smaller dice are read by nobody
HIDES = 0.3  # sides: where a circle of this radius fits, there may be a die


@dataclass(frozen=True, eq=False)
class Calibration:
    size: tuple[int, int]  # of the frames, width and height
    side: float  # the usual side of a die's top face, in the frame's pixels
    tray: tuple[Point, ...]  # corners of a polygon round the tray's floor
    keep: tuple[Point, ...] | None  # round the strip where kept dice lie
    background: Image  # the empty table
    noise: float  # how much an unchanged spot differs from frame to frame, in grey levels
    looks: tuple[Point3, ...] = ()  # Lab colours (mean of the top face) of the dice it was shown
    shade: Point3 = (1.0, 1.0, 1.0)  # how much blue, green and red a shadow takes here, against all light it takes
    hard: bool = False  # the dice that it was shown were not all clear, though nobody was in a hurry

    def part(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 of the part of the frame in which dice can lie, with a die's margin."""
        corners = np.array((*self.tray, *(self.keep or ())))
        low, high = corners.min(0) - self.side, corners.max(0) + self.side
        width, height = self.size
        x0, y0 = min(max(0, int(low[0])), width - 1), min(max(0, int(low[1])), height - 1)
        return x0, y0, max(x0 + 1, min(width, int(high[0]) + 1)), max(y0 + 1, min(height, int(high[1]) + 1))

    def inside(self, x: float, y: float) -> bool:
        """In the tray or the keep strip, or less than half a die beside it."""
        return _within(self.tray, x, y, self.side / 2) or self.kept(x, y)

    def kept(self, x: float, y: float) -> bool:
        """In the keep strip, or less than half a die beside it where that is not the tray."""
        if self.keep is None or not _within(self.keep, x, y, self.side / 2):
            return False
        return _within(self.keep, x, y, 0.0) or not _within(self.tray, x, y, 0.0)

    def check(self, frame: Image) -> None:
        if (frame.shape[1], frame.shape[0]) != self.size:
            raise ValueError(
                f"The frame is {frame.shape[1]}x{frame.shape[0]} and the calibration is for "
                f"{self.size[0]}x{self.size[1]}: set the camera to that, or calibrate it again."
            )

    def alike(self, frame: Image, box: Box) -> bool:
        """Whether what is in the box has the colour of any of the dice that were shown, in whatever light."""
        return not self.looks or any(math.dist(colour_of(frame, box), look) < UNLIKE for look in self.looks)

    def new(self, frame: Image, shades: bool = False) -> Mask:
        """What is in the tray that was not there when it was empty: 255, at the background's size. With `shades` also
        what may be a shadow only."""
        x0, y0, x1, y1 = self.bounds
        now, expected = self.lit(frame)
        b, g, r = cv2.split(cv2.absdiff(now, expected))
        most = cv2.max(cv2.max(b, g), r)
        news = cv2.bitwise_and(cv2.compare(most, self._allowed[y0:y1, x0:x1], cv2.CMP_GT), self._zone[y0:y1, x0:x1])
        side = self.side * self._scale
        # What is small and dark is a pip or the edge of a die, whatever its tint.
        dim = cv2.morphologyEx(
            cv2.bitwise_and(news, shadow(now, expected, self.shade)), cv2.MORPH_OPEN, square(side * BROAD)
        )
        out = np.zeros(self.background.shape[:2], np.uint8)
        out[y0:y1, x0:x1] = solid(np.asarray(news if shades else cv2.subtract(news, dim), np.uint8), side)
        return out

    def lit(self, frame: Image) -> tuple[Image, Image]:
        """Within `bounds`: the frame, small, and what the empty table would be in its light."""
        x0, y0, x1, y1 = self.bounds
        before, zone = self._soft[y0:y1, x0:x1], self._zone[y0:y1, x0:x1]
        now = soft(frame, self._small)[y0:y1, x0:x1]
        return now, np.asarray(cv2.LUT(before, relight(before, now, zone)), np.uint8)

    def strange(self, mask: Mask, boxes: Sequence[Box]) -> list[Point]:
        """Where something lies that is large enough to be or to hide a die, and is none of these."""
        left = mask.copy()
        k = self._scale
        for box in boxes:
            grown = tuple((s + 2 * GROWN * self.side) * k for s in box.size)
            corners = cv2.boxPoints(((box.centre[0] * k, box.centre[1] * k), grown, box.angle))
            cv2.fillConvexPoly(left, np.round(corners).astype(np.int32), 0)
        depth = cv2.distanceTransform(left, cv2.DIST_L2, 3)
        count, labels = cv2.connectedComponents(self._hides(depth))
        found = []
        for label in range(1, count):
            own = np.where(labels == label, depth, 0)
            y, x = np.unravel_index(int(own.argmax()), own.shape)
            at = ((float(x) + 0.5) / k, (float(y) + 0.5) / k)
            if self.inside(*at):
                found.append(at)
        return found

    def deep(self, mask: Mask) -> Floats:
        """Places (x, y) of the frame at which the middle of a die may be, an eighth of its side apart; and one at least
        of everything that is new, as of a black die on black there may be little to see."""
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        deep = self._hides(depth)
        count, labels = cv2.connectedComponents(mask)
        found = set(np.unique(labels[deep > 0]).tolist())
        thin = [cv2.minMaxLoc(depth, np.asarray(labels == k, np.uint8))[3] for k in range(1, count) if k not in found]
        step = max(1, int(self.side * self._scale / 8))
        y, x = np.nonzero(deep[::step, ::step])
        places = np.concatenate([np.column_stack([x, y]) * step, np.array(thin, np.int64).reshape(-1, 2)])
        return np.asarray((places + 0.5) / self._scale, np.float32)

    def _hides(self, depth: NDArray[Any]) -> Mask:
        return np.asarray(depth >= HIDES * self.side * self._scale, np.uint8)

    @property
    def _scale(self) -> float:
        """Pixels of the background a pixel of the frame."""
        return float(self.background.shape[1] / self.size[0])

    @property
    def _small(self) -> tuple[int, int]:
        return self.background.shape[1], self.background.shape[0]

    @cached_property
    def _soft(self) -> Image:
        return soft(self.background, self._small)

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """The part of the background that is looked at: x0, y0, x1, y1."""
        x, y, width, height = cv2.boundingRect(self._zone)
        return x, y, x + max(width, 1), y + max(height, 1)

    @cached_property
    def _zone(self) -> Mask:
        """The tray and the keep strip with half a die around."""
        zone = np.zeros(self.background.shape[:2], np.uint8)
        for polygon in (self.tray, self.keep or ()):
            if polygon:
                corners = np.round(np.array(polygon) * self._scale).astype(np.int32)
                cv2.fillPoly(zone, [corners], 255)
                cv2.polylines(zone, [corners], True, 255, max(1, round(self.side * self._scale)))
        return zone

    @cached_property
    def _allowed(self) -> Image:
        """What a spot may differ by: more where the table's own pattern is steep."""
        steep = cv2.morphologyEx(self._soft, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)).max(2)
        return np.asarray(np.clip(LEAST + FLICKER * self.noise + STEEP * steep.astype(np.float32), 0, 255), np.uint8)


def colour_of(frame: Image, box: Box) -> Point3:
    """The mean Lab colour of a top face, as OpenCV counts it for bytes."""
    corners = np.round(cv2.boxPoints((box.centre, box.size, box.angle))).astype(np.int32)
    x, y, width, height = cv2.boundingRect(corners)
    x, y = max(0, x), max(0, y)
    piece = frame[y : y + height, x : x + width]
    face = np.zeros(piece.shape[:2], np.uint8)
    cv2.fillConvexPoly(face, corners - np.array((x, y), np.int32), 255)
    mean = np.array([[cv2.mean(piece, face)[:3]]], np.float32).round().astype(np.uint8)
    lightness, a, b = (float(v) for v in cv2.cvtColor(mean, cv2.COLOR_BGR2Lab)[0, 0])
    return lightness, a, b


def _within(polygon: Sequence[Point], x: float, y: float, margin: float) -> bool:
    return bool(cv2.pointPolygonTest(np.array(polygon, np.float32), (x, y), True) >= -margin)


def soft(frame: Image, size: tuple[int, int]) -> Image:
    """A frame at the background's size, without its finest grain."""
    small = frame
    if frame.shape[1::-1] != size:
        small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.blur(small, (3, 3)), np.uint8)


def relight(before: Image, now: Image, zone: Mask) -> Image:
    """What the light made of each grey level of the three colours since then, as a table for cv2.LUT.

    The median of each band of levels tells: most of the tray is never covered."""
    asked = zone[::STEP, ::STEP] > 0
    old, new = before[::STEP, ::STEP][asked].astype(np.int32), now[::STEP, ::STEP][asked].astype(np.int32)
    change = np.clip(new - old, -SPAN, SPAN - 1) + SPAN
    cell = (old * BANDS // 256 + np.arange(3, dtype=np.int32) * BANDS) * 2 * SPAN + change
    counts = np.bincount(cell.ravel(), minlength=3 * BANDS * 2 * SPAN).reshape(3, BANDS, 2 * SPAN).cumsum(2)
    total = counts[:, :, -1]
    became = np.argmax(counts * 2 >= total[:, :, None], axis=2) - SPAN + MIDDLES
    table = np.empty((1, 256, 3), np.uint8)
    for c in range(3):
        weight = np.where(total[c] >= FEW, total[c], 0)
        clear = weight * (MIDDLES > DIM)
        gain = float(clear @ became[c]) / float(clear @ MIDDLES) if clear.any() else 1.0
        # Where one band is much in shadow the bands beside it help; beyond all bands, what the light did to the others.
        near = np.convolve(weight, BESIDE, "same")
        change = np.convolve(weight * (became[c] - gain * MIDDLES), BESIDE, "same") / np.maximum(near, 1)
        known = near > 0
        more = np.interp(LEVELS, MIDDLES[known], change[known]) if known.any() else 0.0
        table[0, :, c] = np.clip(gain * LEVELS + more + 0.5, 0, 255)
    return table


def shadow(now: Image, expected: Image, shade: Point3) -> Mask:
    """Where the table is as it was, only with less light."""
    grey, before = _grey(now), _grey(expected)
    less = cv2.divide(grey, before, scale=200)  # 200 is unchanged
    each = [cv2.convertScaleAbs(less, alpha=share, beta=200 * (1 - share)) for share in shade]
    b, g, r = cv2.split(cv2.absdiff(now, cv2.multiply(expected, cv2.merge(each), scale=1 / 200)))
    alike = cv2.compare(cv2.max(cv2.max(b, g), r), cv2.addWeighted(before, TINT, before, 0, TINGE), cv2.CMP_LE)
    darkest = cv2.addWeighted(before, DARKEST, before, 0, -BLACK)
    dim = cv2.bitwise_and(cv2.compare(grey, darkest, cv2.CMP_GE), cv2.inRange(less, 0, 206))
    return np.asarray(cv2.bitwise_and(alike, dim), np.uint8)


def _grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def square(width: float) -> Mask:
    return np.ones((2 * round(width / 2) + 1,) * 2, np.uint8)  # odd, or it would move things


def solid(news: Mask, side: float) -> Mask:
    """Specks away, gaps closed, and what is enclosed filled unless it is larger than dice."""
    news = np.asarray(
        cv2.morphologyEx(news, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))), np.uint8
    )
    news = np.asarray(cv2.morphologyEx(news, cv2.MORPH_CLOSE, square(side * GAP)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(news), connectivity=4)
    enclosed = np.asarray((stats[:, cv2.CC_STAT_AREA] < HOLE * side * side) * 255, np.uint8)
    enclosed[0] = 255
    return np.asarray(enclosed[labels], np.uint8)


def save(calibration: Calibration, path: Path | str) -> None:
    """In one file, written whole or not at all."""
    path = Path(path)
    done, picture = cv2.imencode(".png", calibration.background)
    if not done:
        raise ValueError("The picture of the empty table cannot be kept: calibrate again.")
    text = json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "size": calibration.size,
            "side": calibration.side,
            "tray": calibration.tray,
            "keep": calibration.keep,
            "noise": calibration.noise,
            "looks": calibration.looks,
            "shade": calibration.shade,
            "hard": calibration.hard,
            "background": base64.b64encode(picture.tobytes()).decode("ascii"),
        }
    )
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load(path: Path | str) -> Calibration:
    """As it was saved; a file that is anything else is refused with one sentence."""
    path = Path(path)
    try:
        if path.exists() and not (path.is_file() and path.stat().st_size <= MOST_BYTES):
            raise ValueError
        told = json.loads(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        raise ValueError(f"There is no calibration {path}: calibrate the tray first.") from None
    except OSError as problem:
        raise ValueError(f"The calibration {path} cannot be read: {problem.strerror or problem}.") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path} is damaged or no calibration: calibrate the tray again.") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError(f"{path} is no calibration of a tray: calibrate the tray to make one.")
    if told.get("version") != VERSION:
        raise ValueError(f"The calibration {path} is of another version of this program: calibrate the tray again.")
    try:
        return _understood(told)
    except (KeyError, TypeError, ValueError, OverflowError, cv2.error):
        raise ValueError(f"The calibration {path} is damaged: calibrate the tray again.") from None


def _understood(told: dict[str, Any]) -> Calibration:
    width, height = (int(n) for n in told["size"])
    coded = np.frombuffer(base64.b64decode(told["background"], validate=True), np.uint8)
    picture = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    side, noise = _number(told["side"]), _number(told["noise"])
    tray = _corners(told["tray"])
    keep = None if told["keep"] is None else _corners(told["keep"])
    looks = tuple((_number(a), _number(b), _number(c)) for a, b, c in told["looks"])
    blue, green, red = (_number(part) for part in told["shade"])
    hard = told["hard"]
    if picture is None or side < SMALLEST or noise < 0 or not isinstance(hard, bool):
        raise ValueError
    # The background is the frame, only smaller.
    high, wide = picture.shape[:2]
    if not (0 < wide <= min(width, WIDEST) and abs(high - wide * height / width) <= 1):
        raise ValueError
    return Calibration(
        (width, height), side, tray, keep, np.asarray(picture, np.uint8), noise, looks, (blue, green, red), hard
    )


def _number(told: Any) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float) or not np.isfinite(told):
        raise ValueError
    return float(told)


def _corners(told: Any) -> tuple[Point, ...]:
    corners = tuple((_number(x), _number(y)) for x, y in told)
    if len(corners) < 3:
        raise ValueError
    return corners
