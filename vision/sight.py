"""The two networks at work: the finder over a picture at some scale, the judge on one die turned upright.

Its one rule: it says what was seen and how clearly; whether that is believed is decided elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

CELL = 8  # pixels of a finder's cell
MAPS = 7  # six faces and the dice that must not be read
SIDE, FACE = 48, 28.0  # the judge's picture, and how large the top face is in it
NOTHING, COCKED, STACKED, HIDDEN = 0, 7, 8, 9  # what the judge says besides one to six
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


def asset(name: str) -> str:
    """Beside the code in a clone, inside the package in a wheel."""
    home = Path(__file__).resolve().parent.parent
    for folder in (home / "assets" / "vision", home / "table" / "assets" / "vision"):
        if (folder / name).is_file():
            return str(folder / name)
    raise FileNotFoundError(f"The reader's {name} is missing: `make train` makes it.")


@cache
def _net(name: str) -> Any:
    return cv2.dnn.readNetFromONNX(asset(name))


def look(
    frame: Image, scale: float, mirrored: bool = False, part: tuple[int, int, int, int] | None = None
) -> list[Glimpse]:
    """All that the finder sees in a part (x0, y0, x1, y1) of the frame, seen at this scale."""
    x0, y0, x1, y1 = part or (0, 0, frame.shape[1], frame.shape[0])
    piece = frame[y0:y1, x0:x1]
    width, height = max(8, round((x1 - x0) * scale)), max(8, round((y1 - y0) * scale))
    if (width, height) != (x1 - x0, y1 - y0):
        piece = np.asarray(
            cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR),
            np.uint8,
        )
    if mirrored:
        piece = piece[:, ::-1]
    wide, high = -(-width // 32) * 32, -(-height // 32) * 32
    padded = cv2.copyMakeBorder(piece, 0, high - height, 0, wide - width, cv2.BORDER_REPLICATE)
    net = _net("finder.onnx")
    net.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
    found = peaks(np.asarray(net.forward()[0], np.float32))
    back_x, back_y = (x1 - x0) / width, (y1 - y0) / height
    out = []
    for x, y, side, angle, *scores in found:
        if x >= width or y >= height:
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
        """The judge's picture of one die: its top face level and FACE pixels wide, a little of what is around."""
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
        half_side = SIDE / 2 - 0.5
        move = np.array(((c, s, half_side - c * px - s * py), (-s, c, half_side + s * px - c * py)), np.float32)
        return np.asarray(
            cv2.warpAffine(
                self.levels[level], move, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )


def judge(crops: list[Image]) -> Floats:
    """How likely a crop is nothing, one to six, or a die that must not be read: (n, 10); seen twice, once mirrored."""
    both = [c for crop in crops for c in (crop, np.ascontiguousarray(crop[::-1].transpose(1, 0, 2)))]
    net = _net("judge.onnx")
    net.setInput(cv2.dnn.blobFromImages(both, 1 / 255))
    out = np.asarray(net.forward(), np.float32)
    out = np.exp(out - out.max(1, keepdims=True))
    out /= out.sum(1, keepdims=True)
    return np.asarray(out.reshape(len(crops), 2, -1).mean(1), np.float32)
