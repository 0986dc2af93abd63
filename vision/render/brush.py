"""Draws discs, boxes, polygons, lines, letters and words on the canvas of a thing (see clutter.py).

Its one rule: coordinates run from -1 to 1 across the canvas at any resolution. Colours are linear light plus coverage.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.render.scene import Array, Colour, Thing

Ink = tuple[float, float, float, float]
Painter = Callable[[Array, Thing, np.random.Generator], None]
DARK: Ink = (0.01, 0.01, 0.01, 1.0)


def ink(colour: Colour, light: float = 1.0) -> Ink:
    return colour[0] * light, colour[1] * light, colour[2] * light, 1.0


def _place(page: Array, x: float, y: float) -> tuple[int, int]:
    """Canvas coordinates (-1 to 1) as fixed-point pixels."""
    return round((x * 0.5 + 0.5) * len(page) * 16), round((y * 0.5 + 0.5) * len(page) * 16)


def disc(page: Array, x: float, y: float, r: float, colour: Ink, line: float = 0.0) -> None:
    thick = -1 if not line else max(1, round(line * len(page) / 2))
    cv2.circle(
        page,
        _place(page, x, y),
        round(r * len(page) * 8),
        colour,
        thick,
        cv2.LINE_8,
        4,
    )


def slab(page: Array, points: list[tuple[float, float]], colour: Ink) -> None:
    cv2.fillPoly(page, [np.array([_place(page, *p) for p in points], np.int32)], colour, cv2.LINE_8, 4)


def box(page: Array, x: float, y: float, w: float, h: float, colour: Ink, r: float = 0.0) -> None:
    """Draw a rectangle, given its centre and half of each side, with corners rounded by r."""
    if r <= 0:
        slab(page, [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)], colour)
        return
    box(page, x, y, w - r, h, colour)
    box(page, x, y, w, h - r, colour)
    for a in (-1, 1):
        for b in (-1, 1):
            disc(page, x + a * (w - r), y + b * (h - r), r, colour)


def stroke(page: Array, points: list[tuple[float, float]], width: float, colour: Ink) -> None:
    cv2.polylines(
        page,
        [np.array([_place(page, *p) for p in points], np.int32)],
        False,
        colour,
        max(1, round(width * len(page) / 2)),
        cv2.LINE_8,
        4,
    )


def sign(page: Array, letter: str, half: float, colour: Ink) -> None:
    """Draw a letter in the middle of the canvas; `half` is half its height."""
    side = len(page)
    size = half * side / 22
    (w, h), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, size, 4)
    mask = np.zeros((side, side), np.uint8)
    cv2.putText(mask, letter, ((side - w) // 2, (side + h) // 2), cv2.FONT_HERSHEY_SIMPLEX, size, 255, 4, cv2.LINE_AA)
    cover = (mask[::-1].astype(np.float32) / 255)[..., None]  # flipped, because y points up on the table
    page[:] = page * (1 - cover) + np.array(colour, np.float32) * cover


def write(page: Array, text: str, x: float, y: float, half: float, colour: Ink, font: int = 0) -> None:
    """Write a text around a point of the canvas, as far as it fits; `half` is half the height of its capitals."""
    side = len(page)
    size = half * side / 21  # capitals are 21 pixels high at size 1, and `half * side` pixels are wanted
    thick = max(1, round(size * 2.2))
    (w, h), low = cv2.getTextSize(text, font, size, thick)
    pad = thick + 1
    mask = np.zeros((h + low + 2 * pad, w + 2 * pad), np.uint8)
    cv2.putText(mask, text, (pad, h + pad), font, size, 255, thick, cv2.LINE_AA)
    mask = mask[::-1]  # flipped, because y points up on the table
    left, top = (round((a * 0.5 + 0.5) * side - n / 2) for a, n in ((x, mask.shape[1]), (y, mask.shape[0])))
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], side), min(top + mask.shape[0], side)
    if x0 >= x1 or y0 >= y1:
        return
    cover = (mask[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32) / 255)[..., None]
    part = page[y0:y1, x0:x1]
    part[:] = part * (1 - cover * part[..., 3:]) + np.array(colour, np.float32) * cover * part[..., 3:]
