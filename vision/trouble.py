"""Explains why a frame or a die cannot be read: darkness, blur, glare, or a hand in view.

Its one rule: it only explains readings that are unsure anyway, and gives no reason rather than a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.networks import FACE, SIDE, Floats, Halves, Image, near
from vision.reading import Box, Point

SMALL = 96  # width to which the frame is scaled for checks of the whole picture
DARKEST = 40.0  # minimum brightness of the brightest thousandth of a frame

# Pixels at the border of a die's crop that are ignored. The crop is SIDE pixels wide, and the top face in it FACE
# pixels.
MARGIN = 6
SLOPE = 0.25  # the steepest edges of a sharp die rise by at least this share of their height per pixel
FAINT = 10.0  # minimum contrast of an edge, in grey levels
FEW = 8  # minimum number of edge pixels
ACROSS = np.array(((-0.5, 0.0, 0.5),), np.float32)
ASLANT = np.diag(np.array((-0.5, 0.0, 0.5), np.float32) * 2**-0.5)
# For each of four directions: a kernel that measures the slope, the pixels that give the height of an edge, and a
# factor. The factor makes up for the fact that most edges are horizontal or vertical and look less steep along the
# diagonals.
WAYS = (
    (ACROSS, np.ones((1, 9), np.uint8), 1.0),
    (ACROSS.T.copy(), np.ones((9, 1), np.uint8), 1.0),
    (ASLANT, np.eye(7, dtype=np.uint8), 1.2),
    (ASLANT[:, ::-1].copy(), np.eye(7, dtype=np.uint8)[:, ::-1].copy(), 1.2),
)

CLIPPED = 222  # minimum level of every channel of an over-exposed pixel
ABOVE = 55  # an over-exposed pixel is this much brighter than the face's median, so a well-lit white die is not glare
SPOT = 0.014  # minimum share of the face that glare covers
ACE = 0.15  # a spot that covers more than this share of the face is glare: even the pip of a one is hardly larger

HAND = (0.03, 0.5)  # minimum and maximum share of the picture that a hand with its arm covers
MOSTLY = 0.7  # minimum share of all skin-coloured pixels that belongs to the hand
ROUND = 0.35  # maximum share of the picture's border that a hand covers; a table covers more
WHOLE = 0.95  # minimum share of the area inside its outline that a hand fills
GAP, GAPS = 2.5, (2, 6)  # minimum depth in pixels of a gap between fingers, and the minimum and maximum number of gaps
EDGE = 30  # minimum contrast between a hand and the background, in grey levels


def dark(frame: Image) -> bool:
    """Whether nothing in the frame is bright enough to be read. A lit die in a black tray is bright enough."""
    levels = _small(frame).ravel()
    bright = levels.size * 999 // 1000
    return bool(np.partition(levels, bright)[bright] < DARKEST)  # faster than np.percentile


def unsharp(frame: Image, side: float) -> bool:
    """Whether even the sharpest edges in the frame are too blurred for dice of this side to be read. Returns False if
    the frame has no edges."""
    k = min(1.0, FACE / side)
    grey = cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.6), np.float32)
    # A tray may have edges in one direction only, so the direction with the steepest edges counts.
    steep = [s for s in (_steepest(soft, *way) for way in WAYS) if s is not None]
    return bool(steep) and max(steep) < SLOPE


def blurred(halves: Halves, box: Box) -> bool:
    """Whether the die is too blurred to be read, because of motion or bad focus."""
    return _blurred(_upright(halves, box))


def glare(frame: Image, box: Box) -> Point | None:
    """The centre of an over-exposed spot that hides part of this top face, if there is one."""
    return _glare(_upright(Halves(frame), box), box)


def hand(frame: Image) -> Point | None:
    """The centre of a hand or arm, if one is in the picture. A hand is recognized by its smooth skin and its complex
    shape."""
    small = np.asarray(cv2.GaussianBlur(_small(frame), (0, 0), 0.8), np.uint8)
    bare = np.asarray(cv2.morphologyEx(skin(small), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    together = cv2.morphologyEx(bare, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))  # joins the fingers of one hand
    count, labels, stats, middles = cv2.connectedComponentsWithStats(together, connectivity=4)
    if count == 1:
        return None
    largest = int(np.argmax(stats[1:, cv2.CC_STAT_AREA])) + 1
    shape = np.asarray((labels == largest) & (bare > 0), np.uint8)
    area, edge = cv2.countNonZero(shape), np.concatenate((shape[0], shape[-1], shape[:, 0], shape[:, -1]))
    # A skin-coloured table, mat or pattern covers most of the picture, is in many parts, or follows the picture's
    # border.
    if not HAND[0] * shape.size < area < HAND[1] * shape.size or area < MOSTLY * cv2.countNonZero(bare):
        return None
    if not 3 <= edge.sum() < ROUND * edge.size or not _limbed(shape) or _fades(small, shape):
        return None
    scale = frame.shape[1] / small.shape[1]
    return float(middles[largest][0]) * scale, float(middles[largest][1]) * scale


def explain(frame: Image, unclear: Sequence[Box]) -> list[str | None]:
    """The most likely reason why each of these dice cannot be read, or None."""
    if not unclear:
        return []
    if hand(frame):
        return ["a hand in view"] * len(unclear)
    halves = Halves(frame)
    return [_explained(_upright(halves, box), box) for box in unclear]


def _explained(crop: Image, box: Box) -> str | None:
    at = f"{box.centre[0]:.0f},{box.centre[1]:.0f}"
    if _blurred(crop):
        return f"blurred at {at}"
    return f"glare on the die at {at}" if _glare(crop, box) else None


def _small(frame: Image) -> Image:
    """The frame scaled to a width of SMALL, which is fast and reduces noise. Narrower frames keep their size."""
    width = min(SMALL, frame.shape[1])
    size = width, max(1, round(frame.shape[0] * width / frame.shape[1]))
    step = max(1, frame.shape[1] // (2 * SMALL))
    return np.asarray(cv2.resize(frame[::step, ::step], size, interpolation=cv2.INTER_AREA), np.uint8)


def _upright(halves: Halves, box: Box) -> Image:
    return near(halves.upright(*box.centre, math.sqrt(max(1.0, box.size[0] * box.size[1])), math.radians(box.angle)))


def _blurred(crop: Image) -> bool:
    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 0.6), np.float32)
    steep = [s for s in (_steepest(grey, *way) for way in WAYS) if s is not None]
    # Edges along the direction of motion stay sharp, so the direction with the least steepness counts.
    return bool(steep) and min(steep) * min(1.0, 0.6 + _roundness(grey)) < SLOPE


def _steepest(grey: Floats, step: Floats, line: Image, even: float) -> float | None:
    """How steep the sharpest edges in one direction are: the share of their height by which they rise per pixel."""
    inner = slice(MARGIN, -MARGIN)
    rise = np.abs(cv2.filter2D(grey, -1, step))[inner, inner]
    height = (cv2.dilate(grey, line) - cv2.erode(grey, line))[inner, inner]
    edges = height >= max(FAINT, 0.5 * float(height.max()))
    slopes = rise[edges] / height[edges]
    if slopes.size < FEW:
        return None
    high = slopes.size * 19 // 20
    return even * float(np.partition(slopes, high)[high])


def _roundness(grey: Floats) -> float:
    """1 if the face has equal detail in all directions, 0 if it is all streaks."""
    inner = slice((SIDE - int(FACE)) // 2, (SIDE + int(FACE)) // 2)
    dx, dy = (cv2.Sobel(grey, -1, *way, ksize=3)[inner, inner] for way in ((1, 0), (0, 1)))
    a, b, c = float((dx * dx).sum()), float((dx * dy).sum()), float((dy * dy).sum())
    apart = math.hypot(a - c, 2 * b)
    return (a + c - apart) / (a + c + apart + 1)


def _glare(crop: Image, box: Box) -> Point | None:
    inner = slice((SIDE - int(FACE)) // 2, (SIDE + int(FACE)) // 2)
    least = np.asarray(crop[inner, inner].min(2), np.uint8)
    clipped = np.asarray(least >= max(CLIPPED, float(np.median(least)) + ABOVE), np.uint8)
    # Half a turn maps a pip pattern onto itself, but not the reflection of a lamp. Dilate, because the box may be a
    # bit off.
    pips = cv2.dilate(clipped[::-1, ::-1].copy(), np.ones((3, 3), np.uint8))
    odd = np.asarray((clipped > 0) & (pips == 0))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(clipped, connectivity=4)
    for k in range(1, count):
        w, h, area = (int(v) for v in stats[k][2:])
        lone = int(odd[labels == k].sum()) > SPOT * odd.size
        large = area > max(ACE * odd.size, 0.6 * math.pi / 4 * max(w, h) ** 2)
        if lone or large:
            scale, a = math.sqrt(max(1.0, box.size[0] * box.size[1])) / FACE, math.radians(box.angle)
            u, v = ((float(m) - (FACE - 1) / 2) * scale for m in middles[k])
            return (
                box.centre[0] + u * math.cos(a) - v * math.sin(a),
                box.centre[1] + u * math.sin(a) + v * math.cos(a),
            )
    return None


def skin(image: Image) -> Image:
    """1 where the picture is smooth and has the colour of skin, light or dark."""
    hue, saturation, value = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2HSV))
    warm = ((hue <= 19) | (hue >= 172)) & (saturation >= 32) & (saturation <= 190) & (value >= 40)
    rough = cv2.morphologyEx(value, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(warm & (rough < 14 + value // 8), np.uint8)


def _limbed(shape: Image) -> bool:
    """Whether the shape has a few deep gaps, like those between fingers, and no holes. Sheets, discs and lace are ruled
    out."""
    shape = np.asarray(cv2.copyMakeBorder(shape, 1, 1, 1, 1, cv2.BORDER_CONSTANT), np.uint8)
    outline = max(cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    if cv2.countNonZero(shape) < WHOLE * (cv2.contourArea(outline) + len(outline) / 2):
        return False
    hull = np.zeros_like(shape)
    cv2.fillConvexPoly(hull, cv2.convexHull(cv2.findNonZero(shape)), 1)
    depth = cv2.distanceTransform(hull, cv2.DIST_L2, 3)
    count, labels = cv2.connectedComponents(hull & (1 - shape), connectivity=4)
    gaps = [depth[labels == k] for k in range(1, count)]
    # Gaps between fingers are narrow: a triangle with the same area and depth would be less than 2.5 times as wide as
    # it is deep.
    return GAPS[0] <= sum(bool(GAP < g.max() > math.sqrt(g.size / 1.25)) for g in gaps) <= GAPS[1]


def _fades(image: Image, shape: Image) -> bool:
    """Whether the shape has no sharp edges, so that it must be a patch of light on the table and not an object above
    it."""
    rim = cv2.dilate(shape, np.ones((5, 5), np.uint8)) - cv2.erode(shape, np.ones((3, 3), np.uint8))
    rim[0], rim[-1], rim[:, 0], rim[:, -1] = 0, 0, 0, 0
    steps = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)).max(2)
    return bool(np.percentile(steps[rim > 0], 25) < EDGE)
