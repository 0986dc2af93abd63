"""Lamps and windows with a shape, as reflected by polished faces of dice: bright and distorted, with hard edges.

Its one rule: panels are far away, so only the direction of a reflected ray decides whether it hits one.
"""

from __future__ import annotations

import numpy as np

from vision.render.scene import Array, Panel

BAR = 0.09  # width of the bars of a window's cross, relative to the window


def mirrored(panel: Panel, ways: Array, soft: Array) -> Array | None:
    """How much of the panel (0 to 1) is seen along each of these directions (3, n); None if it is seen nowhere.

    `soft` is the angle that each direction covers."""
    towards = np.array(panel.towards, np.float32)
    long = np.array(panel.along, np.float32)
    reach = np.minimum(np.float32(np.hypot(*panel.half)) + soft, np.float32(1.4))
    close = np.flatnonzero(towards @ ways > 1 - reach * reach * np.float32(0.5))
    if not len(close):
        return None
    near, soft = ways.take(close, axis=1), soft[close]
    ahead = towards @ near
    x, y = np.abs(long @ near / ahead), np.abs(np.cross(towards, long) @ near / ahead)
    wide, high = panel.half
    if panel.kind == "ring":
        part = _within(np.abs(np.hypot(x, y) - (wide - high)), high, soft)
    else:
        part = _within(x, wide, soft) * _within(y, high, soft)
        if panel.kind == "window":
            part *= (1 - _within(x, wide * BAR, soft)) * (1 - _within(y, high * BAR, soft))
    out = np.zeros(ways.shape[1], np.float32)
    out[close] = part
    return out


def _within(off: Array, half: float, soft: Array) -> Array:
    """1 where `off` is less than `half`, 0 where `off` is more, with an edge of the width `soft`. A panel that is
    narrower than `soft` is spread out and dimmed."""
    return np.asarray(
        np.clip(0.5 + (np.float32(half) - off) / soft, 0, 1) * np.minimum(np.float32(2 * half) / soft, 1), np.float32
    )
