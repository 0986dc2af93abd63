"""Noise for textures: seamless tiles, generated once.

Its one rule: the tiles are the same in every process; each picture samples them at other places and scales.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.render.scene import Array

TILE = 256
SHARP = ("chip",)  # tiles with unordered levels, which must not be interpolated


@cache
def tile(name: str) -> Array:
    """A tile with mean 0 and values of about -1 to 1, padded at two edges for interpolation."""
    rng = np.random.default_rng([7, *name.encode()])
    return _padded(_MAKERS[name](rng))


@cache
def gaussian(blur: float = 0.0) -> Array:
    """A large field of unit Gaussian noise for sensors; sampling it is faster than generating new noise."""
    field = np.random.default_rng(11).standard_normal((1024, 1024, 3), dtype=np.float32)
    if blur:
        field = np.asarray(cv2.GaussianBlur(field, (0, 0), blur), np.float32)
        field /= field.std()
    return field


def read(name: str, x: Array, y: Array) -> Array:
    """The tile's values at these coordinates (1 is one tile), wrapping around. The result has the shape of x."""
    u = (x - np.floor(x)) * np.float32(TILE)
    v = (y - np.floor(y)) * np.float32(TILE)
    if name in SHARP and x.ndim == 2:
        return np.asarray(cv2.remap(tile(name), u, v, cv2.INTER_NEAREST), np.float32)
    if x.ndim == 1:
        return remap_row(tile(name), u, v)
    return np.asarray(cv2.remap(tile(name), u, v, cv2.INTER_LINEAR), np.float32)


def remap_row(page: Array, u: Array, v: Array) -> Array:
    """cv2.remap for one row of points. Long rows are split, because cv2.remap accepts fewer than 32768 points per
    row."""
    if len(u) < 32000:
        out = cv2.remap(page, u[None], v[None], cv2.INTER_LINEAR)[0]
    else:
        pad = (-len(u)) % 1024
        u, v = (np.pad(a, (0, pad)).reshape(-1, 1024) for a in (u, v))
        out = cv2.remap(page, u, v, cv2.INTER_LINEAR).reshape(-1, *page.shape[2:])[: u.size - pad]
    return np.asarray(out, np.float32)


def _padded(field: Array) -> Array:
    field = field - field.mean()
    field /= np.percentile(np.abs(field), 98) + 1e-9
    return np.ascontiguousarray(np.pad(np.clip(field, -1.5, 1.5), ((0, 2), (0, 2)), mode="wrap"), np.float32)


def _filtered(rng: np.random.Generator, power: float, low: float = 1.0, stretch: float = 1.0) -> Array:
    """Noise with a power-law spectrum above the frequency `low`. Such noise is periodic because it is made in Fourier
    space, so the tile is seamless."""
    spectrum = np.fft.rfft2(rng.standard_normal((TILE, TILE)))
    fy = np.fft.fftfreq(TILE)[:, None] * TILE
    fx = np.fft.rfftfreq(TILE)[None, :] * TILE * stretch
    radius = np.hypot(fx, fy)
    gain = np.where(radius < 0.5, 0, np.maximum(radius, low) ** -power)
    return np.asarray(np.fft.irfft2(spectrum * gain, (TILE, TILE)), np.float32)


def _cells(rng: np.random.Generator, count: int, second: bool) -> Array:
    """Distance to the nearest of random points; or, with `second`, how much farther away the second-nearest is."""
    points = rng.random((count, 2)) * TILE
    ys, xs = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    best = np.full((TILE, TILE), 1e9, np.float32)
    next_best = best.copy()
    for px, py in points:
        dx = np.abs(xs - px)
        dy = np.abs(ys - py)
        d = np.hypot(np.minimum(dx, TILE - dx), np.minimum(dy, TILE - dy)).astype(np.float32)
        next_best = np.minimum(next_best, np.maximum(best, d))
        best = np.minimum(best, d)
    return next_best - best if second else best


def _patches(rng: np.random.Generator, count: int) -> Array:
    """Cells with one random level each: chips of stone, fields of a board."""
    points = rng.random((count, 2)) * TILE
    levels = rng.random(count).astype(np.float32)
    ys, xs = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    best = np.full((TILE, TILE), 1e9, np.float32)
    out = np.zeros((TILE, TILE), np.float32)
    for (px, py), level in zip(points, levels, strict=True):
        dx = np.abs(xs - px)
        dy = np.abs(ys - py)
        d = np.hypot(np.minimum(dx, TILE - dx), np.minimum(dy, TILE - dy)).astype(np.float32)
        out = np.where(d < best, level, out)
        best = np.minimum(best, d)
    return out


def _ridges(rng: np.random.Generator) -> Array:
    field = _filtered(rng, 1.6)
    return np.asarray(-np.abs(field / field.std()), np.float32)


def _writing(rng: np.random.Generator) -> Array:
    """Rows of short strokes, which look like print from a distance."""
    page = np.zeros((TILE, TILE), np.uint8)
    for row in range(8, TILE - 8, 16):
        x = 4 + int(rng.integers(0, 20))
        while x < TILE - 20:
            for _ in range(int(rng.integers(2, 8))):
                a, b = rng.integers(0, 9, 2), rng.integers(0, 9, 2)
                cv2.line(
                    page,
                    (x + int(a[0]) // 2, row + int(a[1])),
                    (x + int(b[0]) // 2, row + int(b[1])),
                    255,
                    1,
                    cv2.LINE_AA,
                )
                cv2.line(page, (x, row), (x, row + 8), 255, 1, cv2.LINE_AA)
                x += 6
                if x > TILE - 14:
                    break
            x += 6
    return page.astype(np.float32)


_MAKERS = {
    "white": lambda rng: cv2.GaussianBlur(rng.standard_normal((TILE, TILE)).astype(np.float32), (0, 0), 0.7),
    "fine": lambda rng: _filtered(rng, 1.0, 30.0),
    "cloud": lambda rng: _filtered(rng, 2.0),
    "blotch": lambda rng: _filtered(rng, 1.5, 4.0),
    "grain": lambda rng: _filtered(rng, 1.3, 3.0, 14.0),
    "streak": lambda rng: _filtered(rng, 1.0, 6.0, 40.0),
    "ridge": _ridges,
    "cell": lambda rng: _cells(rng, 260, False),
    "crack": lambda rng: _cells(rng, 160, True),
    "loop": lambda rng: _cells(rng, 700, False),
    "chip": lambda rng: _patches(rng, 300),
    "writing": _writing,
}
