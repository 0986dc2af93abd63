"""The calibration of a fixed camera over a fixed tray, in one file: where dice lie, their size, and the empty table.

Its one rule: a change in the light does not count as new, but anything that was put on the table does.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import saving
from vision.reading import Box, Point

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point3 = tuple[float, float, float]

FORMAT, VERSION = "dicetable tray", 2
MOST_BYTES = 2_000_000  # maximum size of a calibration file in bytes; a tenth is usual
WIDEST = 320  # maximum width of the background in pixels; a die 25 pixels wide in a frame 640 wide becomes 12 wide
LEAST = 7.0  # grey levels of change that count as new even without noise
FLICKER = 5.0  # this many times the noise is added to LEAST
STEEP = 0.15  # this share of the local contrast is also added to LEAST, because no camera is perfectly still
DARKEST = 0.5  # a shadow leaves at least this share of the table's brightness
BROAD = 0.2  # die widths: narrower dark areas are pips or edges, not shadows
BLACK = 6  # grey levels by which a shadow can be darker than DARKEST, because changes near black say little
TINT, TINGE = 0.05, 4.0  # each channel in a shadow may differ from an equal dimming by this share and this many levels
STEP = 5  # pixels between two samples of the change in light
DIM = 20  # grey levels: darker spots say nothing about the strength of the light
FEW = 12  # minimum number of samples in a band
BANDS = 32  # number of bands of grey levels; the change in light is determined for each band
SPAN = 128  # largest change of a band in grey levels, either way
BESIDE = np.array((1.0, 2.0, 3.0, 2.0, 1.0))  # weights of a band and its neighbours, for smoothing
LEVELS = np.arange(256, dtype=np.float64)
MIDDLES = (np.arange(BANDS) + 0.5) * (256 / BANDS) - 0.5
HOLE = 1.2  # holes larger than this many faces of a die are not filled, because the table shows through them
GAP = 0.15  # die widths: areas that are no further apart than this belong together
GROWN = 0.3  # die widths by which a die's flanks and contact shadow extend beyond its top face
UNLIKE = 60.0  # difference between two colours (in Lab) that is too large to come from the light
SMALLEST = 8.0  # pixels: smaller dice cannot be read
HIDES = 0.3  # die widths: an area that contains a circle of this radius may be, or hide, a die


@dataclass(frozen=True, eq=False)
class Calibration:
    size: tuple[int, int]  # width and height of the frames
    side: float  # the usual side of a die's top face, in the frame's pixels
    tray: tuple[Point, ...]  # corners of the tray's floor
    keep: tuple[Point, ...] | None  # corners of the strip for kept dice
    background: Image  # the empty table
    noise: float  # mean difference of an unchanged pixel from frame to frame, in grey levels
    looks: tuple[Point3, ...] = ()  # mean colours (in Lab) of the top faces of the calibrated dice
    shade: Point3 = (1.0, 1.0, 1.0)  # how strongly shadows dim blue, green and red, relative to the mean
    hard: bool = False  # whether some of the calibrated dice were hard to read

    def part(self) -> tuple[int, int, int, int]:
        """The part of the frame in which dice can lie, with a margin of one die, as x0, y0, x1, y1."""
        corners = np.array((*self.tray, *(self.keep or ())))
        low, high = corners.min(0) - self.side, corners.max(0) + self.side
        width, height = self.size
        x0, y0 = min(max(0, int(low[0])), width - 1), min(max(0, int(low[1])), height - 1)
        return x0, y0, max(x0 + 1, min(width, int(high[0]) + 1)), max(y0 + 1, min(height, int(high[1]) + 1))

    def inside(self, x: float, y: float) -> bool:
        """Whether the point is in the tray or the keep strip, or less than half a die beside them."""
        return _within(self.tray, x, y, self.side / 2) or self.kept(x, y)

    def kept(self, x: float, y: float) -> bool:
        """Whether the point is in the keep strip, or less than half a die beside it and not in the tray."""
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
        """Whether the box has the colour of one of the calibrated dice, allowing for a different light."""
        return not self.looks or any(math.dist(colour_of(frame, box), look) < UNLIKE for look in self.looks)

    def new(self, frame: Image, shades: bool = False) -> Mask:
        """A mask of what was added to the empty tray: 255 where something is new, at the background's size. With
        `shades`, the mask includes areas that may only be shadows."""
        x0, y0, x1, y1 = self.bounds
        now, expected = self.lit(frame)
        b, g, r = cv2.split(cv2.absdiff(now, expected))
        most = cv2.max(cv2.max(b, g), r)
        news = cv2.bitwise_and(cv2.compare(most, self._allowed[y0:y1, x0:x1], cv2.CMP_GT), self._zone[y0:y1, x0:x1])
        side = self.side * self._scale
        # Small dark areas are pips or a die's edge, whatever their tint: only broad ones are shadows.
        dim = cv2.morphologyEx(
            cv2.bitwise_and(news, shadow(now, expected, self.shade)), cv2.MORPH_OPEN, square(side * BROAD)
        )
        out = np.zeros(self.background.shape[:2], np.uint8)
        out[y0:y1, x0:x1] = solid(np.asarray(news if shades else cv2.subtract(news, dim), np.uint8), side)
        return out

    def lit(self, frame: Image) -> tuple[Image, Image]:
        """Within `bounds`: the scaled-down frame, and the empty table as it would look in this frame's light."""
        x0, y0, x1, y1 = self.bounds
        before, zone = self._soft[y0:y1, x0:x1], self._zone[y0:y1, x0:x1]
        now = soft(frame, self._small)[y0:y1, x0:x1]
        return now, np.asarray(cv2.LUT(before, relight(before, now, zone)), np.uint8)

    def strange(self, mask: Mask, boxes: Sequence[Box]) -> list[Point]:
        """Centres of areas outside these boxes that are large enough to be a die, or to hide one."""
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
        """Points (x, y) of the frame that may be centres of dice, an eighth of a die apart. Includes at least one
        point of every new area, because only a little of a black die may be visible on a black floor."""
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
        """Pixels of the background per pixel of the frame."""
        return float(self.background.shape[1] / self.size[0])

    @property
    def _small(self) -> tuple[int, int]:
        return self.background.shape[1], self.background.shape[0]

    @cached_property
    def _soft(self) -> Image:
        return soft(self.background, self._small)

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """The part of the background that is used: x0, y0, x1, y1."""
        x, y, width, height = cv2.boundingRect(self._zone)
        return x, y, x + max(width, 1), y + max(height, 1)

    @cached_property
    def _zone(self) -> Mask:
        """A mask of the tray and the keep strip, with a margin of half a die's width."""
        zone = np.zeros(self.background.shape[:2], np.uint8)
        for polygon in (self.tray, self.keep or ()):
            if polygon:
                corners = np.round(np.array(polygon) * self._scale).astype(np.int32)
                cv2.fillPoly(zone, [corners], 255)
                cv2.polylines(zone, [corners], True, 255, max(1, round(self.side * self._scale)))
        return zone

    @cached_property
    def _allowed(self) -> Image:
        """How much each pixel may change without counting as new. More change is allowed at edges in the table's own
        pattern."""
        steep = cv2.morphologyEx(self._soft, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)).max(2)
        return np.asarray(np.clip(LEAST + FLICKER * self.noise + STEEP * steep.astype(np.float32), 0, 255), np.uint8)


def colour_of(frame: Image, box: Box) -> Point3:
    """The mean colour of a top face, in OpenCV's 8-bit Lab."""
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
    """A frame at the background's size, slightly blurred."""
    small = frame
    if frame.shape[1::-1] != size:
        small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.blur(small, (3, 3)), np.uint8)


def relight(before: Image, now: Image, zone: Mask) -> Image:
    """How the light changed each grey level of the three channels, as a table for cv2.LUT.

    In each band of levels, the median change is used. Dice hardly affect the median, because most of the tray is never
    covered."""
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
        # Neighbours correct a band that is mostly in shadow. Levels beyond the sampled bands follow the nearest band.
        near = np.convolve(weight, BESIDE, "same")
        change = np.convolve(weight * (became[c] - gain * MIDDLES), BESIDE, "same") / np.maximum(near, 1)
        known = near > 0
        more = np.interp(LEVELS, MIDDLES[known], change[known]) if known.any() else 0.0
        table[0, :, c] = np.clip(gain * LEVELS + more + 0.5, 0, 255)
    return table


def shadow(now: Image, expected: Image, shade: Point3) -> Mask:
    """A mask of where the table is unchanged except for less light."""
    grey, before = _grey(now), _grey(expected)
    less = cv2.divide(grey, before, scale=200)  # 200 means unchanged
    each = [cv2.convertScaleAbs(less, alpha=share, beta=200 * (1 - share)) for share in shade]
    b, g, r = cv2.split(cv2.absdiff(now, cv2.multiply(expected, cv2.merge(each), scale=1 / 200)))
    alike = cv2.compare(cv2.max(cv2.max(b, g), r), cv2.addWeighted(before, TINT, before, 0, TINGE), cv2.CMP_LE)
    darkest = cv2.addWeighted(before, DARKEST, before, 0, -BLACK)
    dim = cv2.bitwise_and(cv2.compare(grey, darkest, cv2.CMP_GE), cv2.inRange(less, 0, 206))
    return np.asarray(cv2.bitwise_and(alike, dim), np.uint8)


def _grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def square(width: float) -> Mask:
    return np.ones((2 * round(width / 2) + 1,) * 2, np.uint8)  # an odd size; even kernels would shift the picture


def solid(news: Mask, side: float) -> Mask:
    """Remove specks, close gaps, and fill enclosed holes up to the size of dice."""
    news = np.asarray(
        cv2.morphologyEx(news, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))), np.uint8
    )
    news = np.asarray(cv2.morphologyEx(news, cv2.MORPH_CLOSE, square(side * GAP)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(news), connectivity=4)
    enclosed = np.asarray((stats[:, cv2.CC_STAT_AREA] < HOLE * side * side) * 255, np.uint8)
    enclosed[0] = 255
    return np.asarray(enclosed[labels], np.uint8)


def save(calibration: Calibration, path: Path | str) -> None:
    """Save the calibration to a file, atomically."""
    path = Path(path)
    done, picture = cv2.imencode(".png", calibration.background)
    if not done:
        raise ValueError("The picture of the empty table cannot be stored: calibrate again.")
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
    saving.write(path, text.encode("ascii"))


def load(path: Path | str) -> Calibration:
    """Load a saved calibration. Raises ValueError, with a sentence, if the file is missing or not valid."""
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
        raise ValueError(f"{path} is damaged or not a calibration: calibrate the tray again.") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError(f"{path} is not a calibration: calibrate the tray to create one.")
    if told.get("version") != VERSION:
        raise ValueError(f"The calibration {path} is from another version of this program: calibrate the tray again.")
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
    # The background must have the frame's aspect ratio.
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
