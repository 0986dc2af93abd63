"""The two networks at work: the finder over a picture at some scale, the judge on one die turned upright.

Its one rule: it says what was seen and how clearly; whether that is believed is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

CELL = 8  # pixels of a finder's cell
MAPS = 7  # six faces and the dice that must not be read
SIDE, FACE = 48, 28.0  # the judge's picture, and how large the top face is in it
AROUND = (
    2 * SIDE
)  # what it is shown besides, made half as large: a side face, a domino or print is told by what is beside
NOTHING, COCKED, STACKED, HIDDEN = 0, 7, 8, 9  # what the judge says besides one to six
TILE, MARGIN = 96, 0.7  # of a small piece, in pixels; and sides of a die that what is around it needs
FAINTEST = 0.08  # peaks below this are not even remembered


@dataclass(frozen=True)
class Glimpse:
    """What one look at one scale found at one place; in the frame's pixels."""

    x: float
    y: float
    side: float
    angle: float  # of the face's edges, within an eighth of a turn
    scores: tuple[float, ...]  # of one to six, and of a die that must not be read

    @property
    def best(self) -> float:
        return max(self.scores)


def look(
    net: Any, frame: Image, scale: float, mirrored: bool = False, part: tuple[int, int, int, int] | None = None
) -> list[Glimpse]:
    """All that the finder sees in a part (x0, y0, x1, y1) of the frame, seen at this scale."""
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
    """The same in tiles only (see `tiles`), all at once, with dice of this side made as large as the target."""
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
    """Upper left corners of squares of this span, so that each place is in one and not within its margin."""
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
    """A part of the frame; beyond its border the border goes on."""
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
    """The peaks of a look as places of the frame; what is within an edge of the piece is left to its neighbours."""
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
    """x, y, side, angle and the seven scores of every peak of the finder's maps, in its own pixels."""
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
    """A frame at its own size, a half, a quarter...: what a die is cut from without losing or inventing detail."""

    def __init__(self, frame: Image) -> None:
        self.levels = [frame]

    def upright(self, x: float, y: float, side: float, angle: float) -> Image:
        """One die for the judge: its top face level and FACE pixels wide, with what is around."""
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


def near(crop: Image) -> Image:
    """The die itself, of an upright crop: SIDE pixels wide."""
    edge = (AROUND - SIDE) // 2
    return crop[edge:-edge, edge:-edge]


def near_and_around(crop: Image, blind: bool = False) -> tuple[Image, Image]:
    """What the judge looks at: the middle as it is, and all of the crop half as large, or nothing of that."""
    die = near(crop)
    around = np.full_like(die, 128) if blind else cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return die, np.asarray(around, np.uint8)


def judge(net: Any, crops: list[Image]) -> tuple[Floats, Floats]:
    """How likely a crop is nothing, one to six, or a die that must not be read, each (n, 10): seen with what is around,
    and once more, mirrored, by itself. What is around tells most, but no table is quite like those it was learnt on."""
    mirrored = [crop[::-1].transpose(1, 0, 2) for crop in crops]
    views = [near_and_around(crop) for crop in crops] + [near_and_around(crop, blind=True) for crop in mirrored]
    net.setInput(np.concatenate([cv2.dnn.blobFromImages(half, 1 / 255) for half in zip(*views, strict=True)], axis=1))
    out = np.asarray(net.forward(), np.float32)
    out = np.exp(out - out.max(1, keepdims=True))
    out /= out.sum(1, keepdims=True)
    return out[: len(crops)], out[len(crops) :]
