"""Finds hands and other large objects that reach into the picture, or over the edge of a calibrated tray.

Its one rule: a hand has to differ clearly from the table that was seen before it. Shadows and noise do not, and the
place that something has left shows only the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import trouble
from vision.motion import Change, Small, brightness
from vision.networks import Floats, Image

if TYPE_CHECKING:
    from vision.tray import Calibration

CLEAR = 15.0  # grey levels by which a hand differs from the table; shadows and auto exposure cause less
LARGE = 0.04  # anything larger than this share of the frame that reaches the frame's edge is a hand
MANY_DICE = 3.0  # anything larger than this many faces of a die that reaches the tray's edge is a hand
BESIDE = 0.4  # die widths by which the tray's edge is moved outwards, so that dice leaning on the rim do not cross it
ALONG = 0.02  # minimum share of the frame's edge that a hand covers
EVERYWHERE = 0.6  # share of the edge; a change that covers more is not a hand, but new light or a moved camera
# Hands are large, so every other pixel of the small picture is enough.
COARSE = np.s_[::2, ::2]
GAP = 3  # width in such pixels of gaps that do not part a hand
VANISHED = 0.6  # an outline has vanished if its contrast is below this share of what it was
SKIN = 0.25  # share of an area that is skin-coloured if it is a hand with an arm

NOTHING, WHOLE, OBJECT, HAND = "nothing", "whole", "object", "hand"  # what `entered` finds


def entered(now: Small, table: Small, change: Change) -> str:
    """What has come into the picture since the table was last at rest: a hand, another large object, a whole new
    picture, or nothing. `change` is what has changed since then."""
    colour, before = (np.ascontiguousarray(picture.colour[COARSE]) for picture in (now, table))
    spots = differing(colour, before, change.expected[COARSE] / (table.grey[COARSE] + 1), change.slack[COARSE])
    edge = np.ones_like(spots)
    edge[1:-1, 1:-1] = 0
    kinds = set()
    for piece, met in reaching(spots, edge, LARGE * spots.size, ALONG * edge.sum()):
        if met > EVERYWHERE * np.count_nonzero(edge):
            return WHOLE
        if not uncovered(colour, before, piece):
            kinds.add(HAND if trouble.skin(colour)[piece > 0].mean() > SKIN else OBJECT)
    return HAND if HAND in kinds else OBJECT if kinds else NOTHING


def differing(now: Image, table: Image, light: Floats, slack: Floats) -> Image:
    """A mask: 1 where the colour is clearly not the table's, else 0. `light` is the change in light at each pixel."""
    lit, colour = table * light[:, :, None], now.astype(np.float32)
    # The white balance may have changed.
    lit *= [brightness(colour[COARSE][:, :, k], lit[COARSE][:, :, k]) for k in range(3)]
    far = cv2.absdiff(lit, colour).max(2)
    spots = np.asarray(cv2.blur(far, (3, 3)) > CLEAR + slack, np.uint8)
    return np.asarray(cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8)), np.uint8)


def uncovered(now: Image, before: Image, piece: Image) -> bool:
    """Whether something has left this area: its outline was an edge in the earlier picture, and is none now."""
    whole = np.asarray(cv2.copyMakeBorder(piece, 1, 1, 1, 1, cv2.BORDER_REPLICATE), np.uint8)
    outline = cv2.morphologyEx(whole, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[1:-1, 1:-1] > 0

    def edge(picture: Image) -> float:
        return float(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[outline].mean())

    return bool(outline.any()) and edge(now) < VANISHED * edge(before)


def over_edge(frame: Image, calibration: Calibration, edge: Image) -> bool:
    """Whether something large lies over the edge of the tray, which `edge_of` draws. More precise than `entered`, but
    too slow for every moving frame."""
    side = calibration.side * edge.shape[1] / calibration.size[0]
    pieces = reaching(calibration.new(frame), edge, MANY_DICE * side**2, side)
    return any(met <= EVERYWHERE * np.count_nonzero(edge) for _, met in pieces)


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


def reaching(spots: Image, edge: Image, large: float, along: float) -> Iterator[tuple[Image, int]]:
    """The connected areas that are large and cover some of the edge, each with the pixels of the edge that it
    covers."""
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(spots)
    for i in range(1, count):
        if stats[i, cv2.CC_STAT_AREA] >= large:
            piece = np.asarray(pieces == i, np.uint8)
            met = int(np.count_nonzero(piece & (edge > 0)))
            if met >= along:
                yield piece, met
