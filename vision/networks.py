"""Runs the two networks: the finder on a picture at a given scale, the judge on single dice turned upright.

Its one rule: it reports what was seen and how clearly; other modules decide what to believe.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

CELL = 8  # pixels per cell of the finder
MAPS = 7  # score maps of the finder: one for each face, and one for unreadable dice
SIDE, FACE = 48, 28.0  # width of the judge's input, and of the top face in it, in pixels
AROUND = 2 * SIDE  # width of the crop with the surroundings, which is scaled down to SIDE for the judge's second input
LOOK = 96  # numbers with which the judge describes the look of a face
NOTHING, COCKED, STACKED, HIDDEN = 0, 7, 8, 9  # the judge's classes besides one to six
TILE, MARGIN = 96, 0.7  # size of a tile in pixels, and the margin that a die needs within it, in die widths
FAINTEST = 0.08  # peaks with a lower score are dropped


@dataclass(frozen=True)
class Glimpse:
    """A possible die that the finder saw in one look, in pixels of the frame."""

    x: float
    y: float
    side: float
    angle: float  # angle of the face's edges in radians, from -pi/4 to pi/4
    scores: tuple[float, ...]  # scores of one to six, and of an unreadable die

    @property
    def best(self) -> float:
        return max(self.scores)


def look(
    net: Any, frame: Image, scale: float, mirrored: bool = False, part: tuple[int, int, int, int] | None = None
) -> list[Glimpse]:
    """Everything the finder sees in a part (x0, y0, x1, y1) of the frame at this scale."""
    x0, y0, x1, y1 = part or (0, 0, frame.shape[1], frame.shape[0])
    width, height = max(8, round((x1 - x0) * scale)), max(8, round((y1 - y0) * scale))
    piece = _resized(frame[y0:y1, x0:x1], width, height)
    if mirrored:
        piece = piece[:, ::-1]
    wide, high = -(-width // 32) * 32, -(-height // 32) * 32
    padded = cv2.copyMakeBorder(piece, 0, high - height, 0, wide - width, cv2.BORDER_REPLICATE)
    net.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
    maps = np.asarray(net.forward()[0], np.float32)
    return _glimpses(maps, (width, height), mirrored, (x0, y0, x1, y1), 0)


def look_at(net: Any, frame: Image, corners: list[tuple[int, int]], side: float, target: float) -> list[Glimpse]:
    """Like `look`, but for several tiles in one batch (see `tiles`). The tiles are scaled so that dice with this side
    become `target` pixels wide."""
    if not corners:
        return []
    span = round(TILE * side / target)
    parts = [(x, y, x + span, y + span) for x, y in corners]
    pieces = [_resized(_cut(frame, part), TILE, TILE) for part in parts]
    net.setInput(cv2.dnn.blobFromImages(pieces, 1 / 255))
    seen = np.asarray(net.forward(), np.float32)
    edge = 0.8 * MARGIN * target
    found = [
        g for maps, part in zip(seen, parts, strict=True) for g in _glimpses(maps, (TILE, TILE), False, part, edge)
    ]
    height, width = frame.shape[:2]
    return [g for g in found if 0 <= g.x < width and 0 <= g.y < height]


def tiles(places: Floats, span: float, margin: float) -> Iterator[tuple[int, int]]:
    """Cover all places with squares of this span, and yield the top left corner of each square. Each place lies in at
    least one square, at a distance of at least `margin` from the square's edge."""
    inner = span - 2 * margin
    left = places[np.lexsort((places[:, 0], places[:, 1]))]
    while len(left):
        band = left[left[:, 1] < left[0, 1] + inner]
        own = band[band[:, 0] < band[:, 0].min() + inner]
        low, high = own.min(0), own.max(0)
        x, y = (low + high - span) / 2
        yield round(float(x)), round(float(y))
        left = left[((left < low) | (left > high)).any(1)]


def _cut(frame: Image, part: tuple[int, int, int, int]) -> Image:
    """A part of the frame. Outside the frame, the pixels of the frame's border are repeated."""
    x0, y0, x1, y1 = part
    height, width = frame.shape[:2]
    inside = frame[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
    beyond = (max(0, -y0), max(0, y1 - height), max(0, -x0), max(0, x1 - width))
    return np.asarray(cv2.copyMakeBorder(inside, *beyond, cv2.BORDER_REPLICATE), np.uint8) if any(beyond) else inside


def _resized(piece: Image, width: int, height: int) -> Image:
    if piece.shape[1::-1] == (width, height):
        return piece
    way = cv2.INTER_AREA if width < piece.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(piece, (width, height), interpolation=way), np.uint8)


def _glimpses(
    maps: Floats, size: tuple[int, int], mirrored: bool, part: tuple[int, int, int, int], edge: float
) -> list[Glimpse]:
    """The peaks of a look, in frame coordinates. Peaks near the edge of a tile are left to the neighbouring tile."""
    x0, y0, x1, y1 = part
    width, height = size
    back_x, back_y = (x1 - x0) / width, (y1 - y0) / height
    out = []
    for x, y, side, angle, *scores in peaks(maps):
        if not (edge <= x < width - edge and edge <= y < height - edge):
            continue
        across = width - x if mirrored else x
        turned = -angle if mirrored else angle
        out.append(
            Glimpse(x0 + across * back_x, y0 + y * back_y, side * math.sqrt(back_x * back_y), turned, tuple(scores))
        )
    return out


def peaks(maps: Floats) -> list[list[float]]:
    """Every peak of the finder's maps, as x, y, side, angle and seven scores. Lengths are in pixels of the finder's
    input."""
    heat = 1 / (1 + np.exp(-maps[:MAPS]))
    best = heat.max(0)
    around = cv2.dilate(best, np.ones((3, 3), np.uint8))
    out = []
    for r, c in zip(*np.nonzero((best >= around) & (best > FAINTEST)), strict=True):
        size, dx, dy, cos4, sin4 = (float(v) for v in maps[MAPS:, r, c])
        x, y = (c + 0.5 + min(1.0, max(-1.0, dx))) * CELL, (r + 0.5 + min(1.0, max(-1.0, dy))) * CELL
        side = 32 * math.exp(min(1.5, max(-1.5, size)))
        out.append([x, y, side, math.atan2(sin4, cos4) / 4, *(float(v) for v in heat[:, r, c])])
    return out


class Halves:
    """A frame at full size, half size, quarter size and so on. Each die is cut out of the size that suits it best, to
    avoid aliasing."""

    def __init__(self, frame: Image) -> None:
        self.levels = [frame]

    def upright(self, x: float, y: float, side: float, angle: float) -> Image:
        """The judge's input for one die: the top face upright and FACE pixels wide, with its surroundings."""
        level = 0
        while side / 2**level > 1.7 * FACE and min(self.levels[level].shape[:2]) > 1 and level < 5:
            level += 1
            if level == len(self.levels):
                half = self.levels[-1]
                self.levels.append(
                    np.asarray(cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
                )
        shrunk = 2.0**-level
        k = FACE / (side * shrunk)
        c, s = math.cos(angle) * k, math.sin(angle) * k
        px, py = x * shrunk - 0.5, y * shrunk - 0.5
        half_side = AROUND / 2 - 0.5
        move = np.array(((c, s, half_side - c * px - s * py), (-s, c, half_side + s * px - c * py)), np.float32)
        return np.asarray(
            cv2.warpAffine(
                self.levels[level], move, (AROUND, AROUND), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )


class Votes(NamedTuple):
    """What the judge says about some crops."""

    among: Floats  # (n, 10) logits of all classes, judged with the surroundings
    alone: Floats  # the same without the surroundings
    look: Floats  # (n, LOOK) a description of each face's look, without the surroundings


def near(crop: Image) -> Image:
    """The middle of an upright crop: the die itself, SIDE pixels wide."""
    edge = (AROUND - SIDE) // 2
    return crop[edge:-edge, edge:-edge]


def near_and_around(crop: Image, blind: bool = False) -> tuple[Image, Image]:
    """The judge's two inputs: the middle of the crop, and the whole crop at half size (grey if `blind`)."""
    die = near(crop)
    around = np.full_like(die, 128) if blind else cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return die, np.asarray(around, np.uint8)


def judge(net: Any, crops: list[Image], turns: Sequence[int] = (0,)) -> Votes:
    """Judge each crop twice per turn: with its surroundings, and mirrored without them. The surroundings help a lot,
    but real tables differ from the rendered tables in training. The results of all turns are averaged."""
    turned = [[np.rot90(crop, turn) for crop in crops] for turn in turns]
    views = [near_and_around(crop) for some in turned for crop in some]
    views += [near_and_around(crop[:, ::-1], blind=True) for some in turned for crop in some]
    net.setInput(np.concatenate([cv2.dnn.blobFromImages(half, 1 / 255) for half in zip(*views, strict=True)], axis=1))
    said, look = (np.asarray(part, np.float32) for part in net.forward(["found", "face"]))
    among, alone = said.reshape(2, len(turns), len(crops), -1).mean(1)
    return Votes(among, alone, look.reshape(2, len(turns), len(crops), -1)[1].mean(0))


def chances(logits: Floats) -> Floats:
    """The probabilities of all classes."""
    out = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(out / out.sum(-1, keepdims=True), np.float32)
