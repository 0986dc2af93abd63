"""Lamps and windows that have a shape, as polished sides of dice mirror it: bright, with hard edges, bent.

Its one rule: a panel is far away, so only the way a mirrored line goes tells whether it ends in it.
"""

from __future__ import annotations

import numpy as np

from vision.render.scene import Array, Panel

BAR = 0.09  # of a window's cross, in halves of its sides


def mirrored(panel: Panel, ways: Array, soft: Array) -> Array | None:
    """How much (0 to 1) of the panel is at the end of each of these ways (3, n); nothing if it is at none.

    `soft` is how wide an angle each way stands for."""
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
    """1 inside, 0 outside; what is narrower than the polish can show is spread out and dim."""
    return np.asarray(
        np.clip(0.5 + (np.float32(half) - off) / soft, 0, 1) * np.minimum(np.float32(2 * half) / soft, 1), np.float32
    )
