"""Projects points on the table into the picture, and traces the ray of each pixel back to the table.

Its one rule: it uses OpenCV's camera model (pinhole with k1 and k2), with the centre of the first pixel at 0, 0.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.render.scene import Array, Camera, Size


@lru_cache(maxsize=16)
def pose(camera: Camera) -> tuple[Array, Array]:
    """The rotation and the shift from world to camera coordinates, in which x is right, y is down and z is forward."""
    eye = np.array(camera.eye, np.float64)
    forward = np.array(camera.target, np.float64) - eye
    forward /= np.linalg.norm(forward)
    # If the camera looks straight down, let the table's y axis point up in the picture.
    up = np.array((0.0, 1.0, 0.0)) if abs(forward[2]) > 0.9999 else np.array((0.0, 0.0, 1.0))
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = math.cos(camera.roll), math.sin(camera.roll)
    rows = np.stack([c * right + s * down, c * down - s * right, forward])
    return rows.astype(np.float32), (-rows @ eye).astype(np.float32)


def intrinsics(camera: Camera, size: Size) -> Array:
    f = camera.focal * max(size)
    return np.array([[f, 0, (size[0] - 1) / 2], [0, f, (size[1] - 1) / 2], [0, 0, 1]], np.float32)


def project(camera: Camera, size: Size, points: Array) -> Array:
    """Project points (3, n) of the world to pixels (2, n)."""
    turn, shift = pose(camera)
    seen = turn @ points + shift[:, None]
    x, y = seen[:2] / np.maximum(seen[2], 1e-3)
    r2 = x * x + y * y
    bend = 1 + r2 * (camera.k1 + camera.k2 * r2)
    k = intrinsics(camera, size)
    return np.stack([x * bend * k[0, 0] + k[0, 2], y * bend * k[1, 1] + k[1, 2]])


def rays(camera: Camera, size: Size, xs: Array, ys: Array) -> Array:
    """The directions in which these pixels look, as unit vectors (3, n) in world coordinates."""
    k = intrinsics(camera, size)
    x0 = (xs - k[0, 2]) / k[0, 0]
    y0 = (ys - k[1, 2]) / k[1, 1]
    x, y = x0, y0
    if camera.k1 or camera.k2:
        for _ in range(3):
            r2 = x * x + y * y
            bend = 1 / (1 + r2 * (camera.k1 + camera.k2 * r2))
            x, y = x0 * bend, y0 * bend
    length = 1 / np.sqrt(x * x + y * y + 1)
    turn, _ = pose(camera)
    own = np.empty((3, len(x)), np.float32)
    np.multiply(x, length, out=own[0])
    np.multiply(y, length, out=own[1])
    own[2] = length
    return np.asarray(turn.T @ own, np.float32)


GRID = 8  # distance in pixels between computed points; all other points are interpolated


def table_maps(camera: Camera, size: Size, lift: float = 0.0) -> tuple[Array, Array]:
    """Maps of x and y: for every pixel, the point that it shows on the table, or on a plane `lift` above the table."""
    width, height = size
    across, down = -(-width // GRID) + 2, -(-height // GRID) + 2
    xs, ys = np.meshgrid(*(np.arange(n, dtype=np.float32) * GRID + (GRID / 2 - 0.5 - GRID) for n in (across, down)))
    flat = on_table(camera, size, xs.ravel(), ys.ravel(), lift)
    wide = [cv2.resize(a.reshape(down, across), None, fx=GRID, fy=GRID, interpolation=cv2.INTER_LINEAR) for a in flat]
    x, y = (np.ascontiguousarray(a[GRID : GRID + height, GRID : GRID + width]) for a in wide)
    return x, y


def on_table(camera: Camera, size: Size, xs: Array, ys: Array, height: float = 0.0) -> Array:
    """The points (2, n) that these pixels show on the table, or on a plane `height` above the table."""
    line = rays(camera, size, xs, ys)
    far = (height - camera.eye[2]) / np.minimum(line[2], -0.02)
    return np.asarray(np.stack([camera.eye[0] + line[0] * far, camera.eye[1] + line[1] * far]), np.float32)
