"""Turns light into an image: lens, sensor and codec.

Its one rule: it knows nothing about the scene, and all randomness comes from the sensor's seed.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.render import noise
from vision.render.scene import Array, Image, Sensor

STEPS = 4096  # number of steps of the tone curve
BRIGHTEST = 4.0  # brighter light is always white


def gain(sensor: Sensor, light: Array) -> float:
    """The gain that the camera's auto-exposure chooses for this picture."""
    mean = float(np.minimum(light[:, ::8, ::8], 2.0).mean()) + 1e-4
    return float(sensor.exposure * (0.22 / mean) ** sensor.auto)


def tone(sensor: Sensor) -> Array:
    """The tone curve, which maps light to grey levels: compress bright light so that less is clipped, then apply gamma,
    contrast and haze."""
    x = np.linspace(0, BRIGHTEST, STEPS, dtype=np.float32)
    x = x / (1 + (x / 1.15) ** 3) ** (1 / 3) / (1 / (1 + 1 / 1.15**3) ** (1 / 3)) * 0.92
    y = np.clip(x, 0, 1) ** (1 / sensor.gamma)
    s = y * y * (3 - 2 * y)
    y = y + (s - y) * sensor.contrast
    return np.asarray(np.clip(sensor.haze + (1 - sensor.haze) * y, 0, 1) * 255, np.float32)


def develop(sensor: Sensor, light: Array, fixed: float | None = None) -> Image:
    """Turn linear light (3, h, w) into an image. For film, `fixed` is a gain that was chosen earlier."""
    height, width = light.shape[1:]
    lift = gain(sensor, light) if fixed is None else fixed
    falloff: Array | np.float32 = np.float32(1)
    if sensor.vignette:
        ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None] ** 2
        xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :] ** 2
        falloff = 1 - np.float32(sensor.vignette * 0.5) * (xs + ys)
    image = np.asarray(
        cv2.merge([light[c] * (falloff * np.float32(lift * sensor.balance[c])) for c in range(3)]), np.float32
    )
    if sensor.defocus > 0.25:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sensor.defocus), np.float32)
    sx, sy = sensor.smear
    length = float(np.hypot(sx, sy))
    if length > 0.7:
        image = np.asarray(cv2.filter2D(image, -1, streak(sx, sy)), np.float32)
    if sensor.shift:
        scale = 1 + sensor.shift / max(height, width) * 2
        move = np.array([[scale, 0, (1 - scale) * width / 2], [0, scale, (1 - scale) * height / 2]], np.float32)
        image[..., 2] = cv2.warpAffine(
            np.ascontiguousarray(image[..., 2]), move, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    steps = np.clip(image * np.float32((STEPS - 1) / BRIGHTEST), 0, STEPS - 1).astype(np.uint16)
    image = np.take(tone(sensor), steps)
    if sensor.saturation != 1:
        k = (1 - sensor.saturation) / 3
        image = np.asarray(
            cv2.transform(image, np.eye(3, dtype=np.float32) * np.float32(sensor.saturation) + np.float32(k)),
            np.float32,
        )
    if sensor.shrink < 0.95:
        small = cv2.resize(image, None, fx=sensor.shrink, fy=sensor.shrink, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    if sensor.shot or sensor.read:
        image = image + _grain(sensor, height, width) * (
            np.float32(sensor.read * 255) + np.float32(sensor.shot) * np.sqrt(np.maximum(image, 0) * 255)
        )
    if sensor.sharpen:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = image + (image - soft) * np.float32(sensor.sharpen)
    out: Image = np.clip(image + np.float32(0.5), 0, 255).astype(np.uint8)
    if sensor.jpeg:
        _, coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        out = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return out


def streak(sx: float, sy: float) -> Array:
    """The kernel of motion blur."""
    n = int(np.ceil(max(abs(sx), abs(sy)))) | 1
    kernel = np.zeros((n + 2, n + 2), np.float32)
    c = (n + 1) / 2
    a = (round((c - sx / 2) * 16), round((c - sy / 2) * 16))
    b = (round((c + sx / 2) * 16), round((c + sy / 2) * 16))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-6), np.float32)


def _grain(sensor: Sensor, height: int, width: int) -> Array:
    field = noise.gaussian(sensor.grain)
    rng = np.random.default_rng(sensor.seed)
    down, across = (-(-height // 512)), (-(-width // 512))
    rows = []
    for _ in range(down):
        cut = [rng.integers(0, 512, 2) for _ in range(across)]
        rows.append(np.concatenate([field[y : y + 512, x : x + 512] for y, x in cut], axis=1))
    grain = np.concatenate(rows)[:height, :width] if down * across > 1 else rows[0][:height, :width]
    return np.asarray(grain, np.float32)
