"""Calibrates a fixed camera over a fixed tray, from frames of the empty tray and frames with dice in it.

Its one rule: if these frames are not enough, the error message says which frames are needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import markers
from vision.reader import read
from vision.reading import Die, Point
from vision.tray import WIDEST, Calibration, Image, Point3, colour_of, soft

Floats = NDArray[np.float32]

FEWEST = 3  # minimum number of dice from which their size can be determined
LIKE = (0.6, 1.6)  # range of sizes in one set of dice, relative to the median
SURELY = 0.95  # confidence from which something in the empty tray must be a die: a reflection can look like an ace
MOVED = 0.25  # how much of the empty tray may change while it is filmed, as a share of a die's face
SEGMENTS, EACH = 12, 6  # pieces of an outline, and samples per piece
CLEAR = 4.0  # grey levels per pixel at which a piece of an edge is fully clear
BUSY = 3.0  # on a busy background, a tray's edge must be this many times as clear as the median outline
FOUND = 0.5  # minimum average clarity around a tray's outline
SMALLEST = 0.15  # minimum share of the picture that a tray's outline encloses
RIM = 0.28  # greatest width of a rim with its shadow, as a share of half the tray's width
FLOOR = 0.45  # greatest distance at which edges are sought inside the outline, as a share of half the tray's width
# The arguments `blur` and `clear` of `Slopes`. The last pair aligns outlines exactly.
BLURS = ((4.0, CLEAR), (2.5, CLEAR), (1.2, CLEAR), (1.2, 4 * CLEAR))
STEPS = ((0, 4.0), (0, 2.0), (1, 2.0), (1, 1.0), (2, 2.0), (2, 1.0), (3, 1.0), (3, 0.5))
CLIMBERS = 6  # number of outlines that are refined


def calibrate(
    empty: Sequence[Image],
    thrown: Sequence[Image] = (),
    keep: Sequence[Point] | None = None,
    tray: Sequence[Point] | None = None,
) -> Calibration:
    """Calibrates from frames of the empty tray and frames with dice in it. `keep` is the outline of the strip for
    kept dice. Without `tray`, both outlines are taken from printed markers, if there are any."""
    if len(empty) < 2:
        raise ValueError("At least two frames of the empty tray are needed: film it for a second without dice.")
    if not thrown:
        raise ValueError("The size of the dice is not known yet: film some dice in the tray as well.")
    if len({frame.shape for frame in (*empty, *thrown)}) > 1:
        raise ValueError("The frames differ in size: film all of them with the same camera and settings.")
    if keep is not None and len(keep) < 3:
        raise ValueError("The strip for kept dice needs at least three corners.")
    height, width = empty[0].shape[:2]
    if tray is None:
        tray, marked_keep = markers.found(empty[0])
        keep = keep or marked_keep
    seen = [_clear(frame) for frame in thrown]
    every = [die for dice in seen for die in dice]
    side = float(np.median([_side(d) for d in every])) if every else 0.0
    every = [d for d in every if LIKE[0] < _side(d) / side < LIKE[1]]
    first = bare(empty, whole(width, height), keep, max(side, 8.0))
    every = [d for dice, frame in zip(seen, thrown, strict=True) for d in _fresh(first, frame, dice) if d in every]
    if len(every) < FEWEST:
        raise ValueError(
            f"Only {len(every)} of the {FEWEST} dice needed were clearly seen: "
            "use more dice, spread them out, and add light."
        )
    side = float(np.median([_side(d) for d in every]))
    outline = _outline(tray) if tray else _tray(every, first)
    known = replace(first, side=side, tray=outline, looks=_looks(seen, thrown, every))
    known = replace(known, shade=_shade(known, thrown, seen))
    _must_be_empty(known, empty)
    return replace(known, hard=_hard(known, thrown))


def _hard(known: Calibration, thrown: Sequence[Image]) -> bool:
    """Whether these frames are hard to read: more than one in sixteen of their dice is unsure."""
    dice = [die for frame in thrown for die in read(frame, known).dice]
    return sum(not die.sure for die in dice) * 16 > len(dice)


def bare(empty: Sequence[Image], tray: Sequence[Point], keep: Sequence[Point] | None, side: float) -> Calibration:
    """A first calibration from the empty tray alone, with an assumed size of dice."""
    height, width = empty[0].shape[:2]
    strip = None if keep is None else _outline(keep)
    return Calibration((width, height), side, _outline(tray), strip, middle(empty), _noise(empty))


def _outline(corners: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def whole(width: int, height: int) -> tuple[Point, ...]:
    """The frame minus a margin: the area for dice if there is no tray."""
    m = 0.02 * min(width, height)
    return (m, m), (width - m, m), (width - m, height - m), (m, height - m)


def middle(empty: Sequence[Image]) -> Image:
    """The median of the frames, scaled down."""
    height, width = empty[0].shape[:2]
    size = (min(width, WIDEST), round(height * min(1.0, WIDEST / width)))
    few = empty[:: -(-len(empty) // 15)]
    small = [cv2.resize(f, size, interpolation=cv2.INTER_AREA) if width > WIDEST else f for f in few]
    return np.asarray(np.round(np.median(small, axis=0)), np.uint8)


def _noise(empty: Sequence[Image]) -> float:
    """The mean difference between consecutive frames, which hardly changes if the light drifts slowly."""
    height, width = empty[0].shape[:2]
    size = (min(width, WIDEST), round(height * min(1.0, WIDEST / width)))
    small = [soft(f, size).astype(np.int16) for f in empty[:15]]
    return float(np.mean([np.abs(b - a).mean() for a, b in pairwise(small)]))


def _side(die: Die) -> float:
    return math.sqrt(die.box.size[0] * die.box.size[1])


def _clear(frame: Image, least: float = 0.0) -> list[Die]:
    return [d for d in read(frame).dice if d.sure and d.confidence >= least]


def _fresh(known: Calibration, frame: Image, dice: Sequence[Die]) -> list[Die]:
    """The dice that lie where the picture differs from the empty tray."""
    mask = known.new(frame)
    k = mask.shape[1] / known.size[0]
    reach = max(1, round(known.side * k / 3))
    found = []
    for die in dice:
        x, y = round(die.centre[0] * k), round(die.centre[1] * k)
        if mask[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].mean() > 0.4 * 255:
            found.append(die)
    return found


def _looks(seen: Sequence[Sequence[Die]], thrown: Sequence[Image], every: Sequence[Die]) -> tuple[Point3, ...]:
    """The colours of the top faces, without near duplicates."""
    looks: list[Point3] = []
    for dice, frame in zip(seen, thrown, strict=True):
        for die in dice:
            if die not in every:
                continue
            lab = colour_of(frame, die.box)
            if all(math.dist(lab, other) > 12 for other in looks):
                looks.append(lab)
    return tuple(looks)


def _shade(known: Calibration, thrown: Sequence[Image], seen: Sequence[Sequence[Die]]) -> Point3:
    """How much shadows darken each channel. With lamps of different colours, shadows are bluish or yellowish."""
    x0, y0, x1, y1 = known.bounds
    k = known.background.shape[1] / known.size[0]
    found = [np.zeros((0, 3))]
    for frame, dice in zip(thrown, seen, strict=True):
        now, expected = (part.astype(np.float32) for part in known.lit(frame))
        around = np.zeros(known.background.shape[:2], np.uint8)
        for colour, grown in ((1, 3.0), (0, 1.9)):  # a ring close to the dice, without the dice themselves
            for die in dice:
                x, y = die.centre
                cv2.circle(around, (round(x * k), round(y * k)), round(grown * known.side * k / 2), colour, -1)
        ratio = (now + 1) / (expected + 1)
        less = 1 - (now.mean(2) + 1) / (expected.mean(2) + 1)
        darker = (less > 0.12) & (less < 0.6) & (ratio.max(2) < 1) & (expected.min(2) > 24)
        spots = darker & (around[y0:y1, x0:x1] > 0)
        found.append((1 - ratio[spots]) / less[spots][:, None])
    every = np.concatenate(found)
    if not len(every):
        return 1.0, 1.0, 1.0
    believed = len(every) / (len(every) + 100)
    b, g, r = (float(v) for v in 1 + believed * np.clip(np.median(every, axis=0) - 1, -0.6, 0.6))
    return b, g, r


def _must_be_empty(known: Calibration, empty: Sequence[Image]) -> None:
    k = known.background.shape[1] / known.size[0]
    for frame in empty:
        if np.count_nonzero(known.new(frame)) > MOVED * (known.side * k) ** 2:
            raise ValueError("Something moved while the empty tray was filmed: film it again, touching nothing.")
    # A die must be seen in the first and the last frame, because a stain can look like a die in one of them.
    in_first, in_last = (
        [d for d in _clear(f, SURELY) if known.inside(*d.centre) and LIKE[0] < _side(d) / known.side < LIKE[1]]
        for f in (empty[0], empty[-1])
    )
    for die in in_first:
        if any(math.dist(die.centre, other.centre) < known.side / 2 for other in in_last):
            x, y = die.centre
            raise ValueError(f"There is a die in the empty tray at {x:.0f},{y:.0f}: remove all dice and film it again.")


def _tray(dice: Sequence[Die], known: Calibration) -> tuple[Point, ...]:
    """The outline of the tray's floor, or the whole frame if no tray is found or dice lie outside it."""
    outline = seen_tray(known.background, known.size)
    if outline is not None:
        found = replace(known, tray=outline)
        if np.mean([found.inside(*d.centre) for d in dice]) > 0.9:
            return found.tray
    return whole(*known.size)


def seen_tray(background: Image, size: tuple[int, int]) -> tuple[Point, ...] | None:
    """The outline of the tray's floor, scaled to a frame of that size; None if no tray is found."""
    outline, k = edge(background), size[0] / background.shape[1]
    return outline and tuple((x * k, y * k) for x, y in outline)


# Finding the tray's edge: try ovals and quadrangles all over the picture, and refine the clearest ones step by step.


class Slopes:
    """The gradients of each colour channel, on which outlines are scored."""

    def __init__(self, picture: Image, blur: float, clear: float = CLEAR) -> None:
        self.clear = clear
        lab = cv2.cvtColor(cv2.medianBlur(picture, 5), cv2.COLOR_BGR2Lab).astype(np.float32)
        lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), blur), np.float32)
        # A wider blur makes slopes less steep. Scale them up again, so that only the height of an edge counts.
        scale = blur * math.sqrt(2 * math.pi) / 8 / 4
        self.across = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 1, 0), np.float32) * np.float32(scale)
        self.down = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 0, 1), np.float32) * np.float32(scale)
        self.height, self.width = picture.shape[:2]

    def score(self, outlines: Floats) -> Floats:
        """How clear the edge along each outline is, from 0 to 1. An even step all around scores best. The closed
        outlines are an array of the shape (m, n, 2)."""
        clear, seen = self.pieces(outlines)
        share = seen.mean(1)
        mean = (np.minimum(clear, 1) * seen).sum(1) / np.maximum(seen.sum(1), 1)
        # Pieces outside the picture are ignored, but more than half must be inside.
        return np.asarray(np.where(share > 0.55, mean - 0.25 * (1 - share), 0), np.float32)

    def half(self, outlines: Floats) -> Floats:
        """The clarity that at least half of the visible pieces reach. A few clear pieces, such as those at screws, do
        not raise it."""
        clear, seen = self.pieces(outlines)
        ranked = np.sort(np.where(seen, np.minimum(clear, 1), 2), axis=1)
        return np.asarray(ranked[np.arange(len(ranked)), np.maximum(seen.sum(1) // 2 - 1, 0)] % 2, np.float32)

    def pieces(self, outlines: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """How clear each piece of the outlines is, and whether it is in the picture."""
        ways = np.roll(outlines, -1, axis=1) - np.roll(outlines, 1, axis=1)
        u, v = ways[..., 0], ways[..., 1]
        x, y = np.rint(outlines[..., 0]).astype(np.int32), np.rint(outlines[..., 1]).astype(np.int32)
        inside = (x >= 2) & (x < self.width - 2) & (y >= 2) & (y < self.height - 2)
        at = np.where(inside, y * self.width + x, 0)
        weight = inside / np.maximum(np.sqrt(u * u + v * v), 1e-6)
        across, down = self.across.reshape(-1, 3)[at], self.down.reshape(-1, 3)[at]
        step = across * (v * weight)[..., None] - down * (u * weight)[..., None]
        # For these short axes einsum is several times faster than sum and norm.
        pieces = np.einsum("mnec->mnc", step.reshape(len(outlines), SEGMENTS, EACH, 3))
        there = np.einsum("mne->mn", inside.reshape(len(outlines), SEGMENTS, EACH).astype(np.int32))
        clear = np.sqrt(np.einsum("mnc,mnc->mn", pieces, pieces)) / np.maximum(there, 1) / self.clear
        return np.asarray(clear, np.float32), there >= EACH / 2


def ovals(shapes: Floats) -> Floats:
    """Outlines of ovals (m, 5): centre, half axes, angle."""
    t = np.linspace(0, 2 * np.pi, SEGMENTS * EACH, endpoint=False, dtype=np.float32)
    x, y, a, b, turn = (shapes[:, i, None] for i in range(5))
    u, v = a * np.cos(t), b * np.sin(t)
    x, y = x + u * np.cos(turn) - v * np.sin(turn), y + u * np.sin(turn) + v * np.cos(turn)
    return np.asarray(np.stack([x, y], axis=2), np.float32)


def quadrangles(shapes: Floats) -> Floats:
    """Outlines of quadrangles (m, 8), given by their corners; pieces begin and end at the corners."""
    corners = shapes.reshape(-1, 4, 2)
    each = SEGMENTS * EACH // 4
    t = ((np.arange(each, dtype=np.float32) + 0.5) / each)[None, None, :, None]
    lines = corners[:, :, None] * (1 - t) + np.roll(corners, -1, axis=1)[:, :, None] * t
    return np.asarray(lines.reshape(len(corners), SEGMENTS * EACH, 2), np.float32)


def _grid(*axes: Sequence[float] | NDArray[np.float64]) -> Floats:
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(axes)).astype(np.float32)


def _rough_ovals(width: int, height: int) -> Floats:
    short = min(width, height)
    middles = [np.linspace(0.36, 0.64, 8) * n for n in (width, height)]
    round_ = _grid(*middles, np.linspace(0.25, 0.56, 22) * short, [1.0], [0.0])
    flat = _grid(*middles, np.linspace(0.25, 0.7, 22) * short, [0.92, 0.84, 0.76], np.arange(4) * math.pi / 4)
    shapes = np.concatenate([round_, flat])
    shapes[:, 3] *= shapes[:, 2]
    return shapes


def _rough_quadrangles(width: int, height: int) -> Floats:
    short = min(width, height)
    middles = [np.linspace(0.4, 0.6, 5) * n for n in (width, height)]
    boxes = _grid(*middles, np.linspace(0.25, 0.7, 14) * short, np.linspace(0.55, 1.0, 5), np.arange(18) * math.pi / 18)
    x, y, a, turn = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 4]
    b = a * boxes[:, 3]
    corners = []
    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corners += [x + u * a * np.cos(turn) - v * b * np.sin(turn), y + u * a * np.sin(turn) + v * b * np.cos(turn)]
    return np.stack(corners, axis=1).astype(np.float32)


def edge(background: Image) -> tuple[Point, ...] | None:
    """The outline of the tray's floor, in the background's pixels; None if no tray is found."""
    height, width = background.shape[:2]
    # On marble or carpet every outline crosses many edges, so the tray's edge must be clearer there.
    bare, seen = Slopes(background, BLURS[0][0]).pieces(_trace(_rough_ovals(width, height)[::23]))
    busy = max(1.0, BUSY * float(np.median(bare[seen]))) if seen.any() else 1.0
    slopes = [Slopes(background, blur, clear * busy) for blur, clear in BLURS]
    found: list[tuple[float, Floats]] = []
    for shapes in (_rough_ovals(width, height), _rough_quadrangles(width, height)):
        # Score the outlines in parts, because scoring all at once would need too much memory.
        parts = np.array_split(shapes, 16)
        scores = np.concatenate([slopes[0].score(_trace(part)) for part in parts])
        clearest = shapes[np.argsort(-scores, kind="stable")[:400]]
        found += [_climb(slopes, shape, STEPS) for shape in _apart(clearest, 0.04 * width)]
    clear = slopes[2].score(np.concatenate([_trace(shape[None]) for _, shape in found]))
    if clear.max() < FOUND:
        return None
    # Prefer outlines that are clear all around and exactly on the steepest line. A square around a disc is neither.
    shape = _inner(slopes, found[int(np.argmax(clear + 2 * np.array([score for score, _ in found])))][1])
    corners = ovals(shape[None])[0, :: SEGMENTS * EACH // 24] if len(shape) == 5 else shape.reshape(4, 2)
    if cv2.contourArea(np.ascontiguousarray(corners, np.float32)) < SMALLEST * width * height:
        return None
    return tuple((float(x), float(y)) for x, y in corners)


def _trace(shapes: Floats) -> Floats:
    return ovals(shapes) if shapes.shape[1] == 5 else quadrangles(shapes)


def _apart(shapes: Floats, apart: float) -> list[Floats]:
    """The first few shapes that clearly differ from each other."""
    chosen: list[tuple[Floats, Floats]] = []
    for shape, outline in zip(shapes, _trace(shapes), strict=True):
        if all(np.abs(outline - other).max() > apart for _, other in chosen):
            chosen.append((shape, outline))
        if len(chosen) == CLIMBERS:
            break
    return [shape for shape, _ in chosen]


def _climb(slopes: Sequence[Slopes], shape: Floats, steps: Sequence[tuple[int, float]]) -> tuple[float, Floats]:
    """Improve an outline: move, stretch and turn it in ever smaller steps while it gets clearer."""
    unit = np.eye(len(shape), dtype=np.float32)
    if len(shape) == 5:
        unit[4, 4] = 0.02
    smaller = _inset(shape, 1.0)[None] - shape
    if len(shape) == 8:
        # To move a whole side, move both its corners.
        unit = np.concatenate([unit, unit + np.roll(unit, 2, axis=1)])
    ways = np.concatenate([unit, -unit, smaller, -smaller])
    for level, step in steps:
        score = float(slopes[level].score(_trace(shape[None]))[0])
        for _ in range(40):
            tries = np.asarray(shape + ways * step, np.float32)
            scores = slopes[level].score(_trace(tries))
            if scores.max() <= score + 1e-4:
                break
            score, shape = float(scores.max()), tries[int(scores.argmax())]
    return score, shape


def _inset(shape: Floats, by: float) -> Floats:
    """The shape with all sides moved inwards by this much."""
    if len(shape) == 5:
        return np.asarray(shape - np.array((0, 0, by, by, 0), np.float32), np.float32)
    corners = shape.reshape(4, 2)
    on, back = np.roll(corners, -1, axis=0) - corners, np.roll(corners, 1, axis=0) - corners
    on, back = (v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-6) for v in (on, back))
    sine = np.maximum(np.abs(on[:, 0] * back[:, 1] - on[:, 1] * back[:, 0]), 0.2)
    return np.asarray((corners + by * (on + back) / sine[:, None]).ravel(), np.float32)


def _inner(slopes: Sequence[Slopes], shape: Floats) -> Floats:
    """The innermost of a rim's nested edges, provided that it stands out from the edges on the floor."""
    reach = float(np.ptp(_trace(shape[None])[0], axis=0).min()) / 2
    # Wide lenses and oblique views shift a rim's edges relative to each other, so search around each position.
    insets = [_inset(shape, float(far)) + _shifts(len(shape)) for far in np.arange(FLOOR * reach, 0, -1)]
    seen = slopes[2].half(_trace(np.concatenate(insets))).reshape(len(insets), -1)
    scores = seen.max(1)
    for i in range(int((FLOOR - RIM) * reach), len(insets)):
        if scores[i] > 2 * scores[: i - 4].max() + 0.08:
            best = i + int(scores[i : i + 4].argmax())
            return _climb(slopes, insets[best][int(seen[best].argmax())], STEPS[-4:])[1]
    return shape


def _shifts(length: int) -> Floats:
    moves = _grid((-1.5, 0, 1.5), (-1.5, 0, 1.5))
    return np.pad(moves, ((0, 0), (0, 3))) if length == 5 else np.tile(moves, 4)
