"""Augmented crops of the rendered pictures: rotated, scaled, recoloured, degraded.

Its one rule: all randomness comes from the generator that is passed in, so the same seed gives the same crops.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.pictures import SIDE, Pictures

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Chance = np.random.Generator

CROP = 128
CELL = 8
LEAST, MOST = 19.0, 72.0  # sides, in pixels, of the top faces that must be found
HUGE = 105.0  # dice smaller than LEAST or larger than MOST need not be found; dice larger than HUGE must not be found
SEEN, HIDDEN = 0.85, 0.6  # visible share of a top face: from SEEN on it can be read, below HIDDEN it cannot
OPEN, OBLIQUE = 0.6, 0.5  # width of a top face relative to its length: from OPEN on it can be read, below OBLIQUE not


def spoil(rng: Chance, image: Image) -> Image:
    """Change colours and light; add blur, noise and compression."""
    table = np.empty((256, 1, 3), np.float32)
    ramp = np.linspace(0, 1, 256, dtype=np.float32)
    gamma, gain, lift = math.exp(rng.normal(0, 0.22)), math.exp(rng.normal(0, 0.16)), rng.normal(0, 0.03)
    for c in range(3):
        table[:, 0, c] = (ramp ** (gamma * math.exp(rng.normal(0, 0.05)))) * gain * math.exp(rng.normal(0, 0.09)) + lift
    image = np.asarray(cv2.LUT(image, np.clip(table * 255, 0, 255).astype(np.uint8)), np.uint8)
    kind = rng.random()
    if kind < 0.12:  # mix the channels, for colours that the renderer does not produce
        mix = np.eye(3, dtype=np.float32) * 0.5 + rng.dirichlet((1.0, 1.0, 1.0), 3).astype(np.float32) * 0.5
        image = np.asarray(cv2.transform(image, mix[rng.permutation(3)] if rng.random() < 0.5 else mix), np.uint8)
    elif kind < 0.18:
        image = np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    elif kind < 0.21:
        image = np.asarray(255 - image, np.uint8)
    if rng.random() < 0.15:
        image = _mottled(rng, image)
    kind = rng.random()
    if kind < 0.18:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    elif kind < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(cv2.addWeighted(image, 1 + (a := rng.uniform(0.2, 1.0)), soft, -a, 0), np.uint8)
    if rng.random() < 0.3:
        noise = rng.standard_normal(image.shape, np.float32) * rng.uniform(1, 9)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        ok, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))))
        if ok:
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def coarse(rng: Chance, image: Image) -> Image:
    """The image as if it had been smaller in the photo, where compression blurs the colour of small pips too."""
    k, height, width = rng.uniform(0.45, 0.95), *image.shape[:2]
    small = np.asarray(cv2.resize(image, (round(width * k), round(height * k)), interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.6:
        ok, data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))))
        if ok:
            small = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    way = cv2.INTER_CUBIC if rng.random() < 0.3 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (width, height), interpolation=way), np.uint8)


def _mottled(rng: Chance, image: Image) -> Image:
    """Add stains, soft or hard-edged, so that the network learns to rely on the shape of pips despite marbling."""
    height, width = image.shape[:2]
    fine = math.exp(rng.uniform(math.log(0.02), math.log(0.12)))  # stains per pixel
    few = max(2, round(fine * width)), max(2, round(fine * height * math.exp(rng.normal(0, 0.4))))
    field = cv2.resize(rng.standard_normal(few[::-1], np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:
        field = np.tanh(field * 6)
    tint = rng.normal(0, 1, 3).astype(np.float32)
    tint *= np.float32(rng.uniform(0.08, 0.4)) / np.abs(tint).max()
    return np.clip(image * (1 + field[:, :, None] * tint), 0, 255).astype(np.uint8)


def finder_piece(rng: Chance, store: Pictures, i: int) -> tuple[Image, Floats]:
    """A crop of a picture for the finder, and its target for each cell (see `aims`)."""
    truth = np.array(store.truth[i])
    truth = truth[truth[:, 0] > 0]
    sides = sides_of(truth)
    scale = math.exp(rng.normal(0, 0.2))
    at = rng.uniform(0.15, 0.85, 2) * SIDE
    if len(truth) and sides.min() < 90:
        near = int(rng.integers(len(truth)))
        scale = float(np.clip(math.exp(rng.uniform(math.log(20), math.log(68))) / sides[near], 0.62, 2.2))
        if rng.random() < 0.7:
            at = truth[near, 1:3] + rng.uniform(-0.45, 0.45, 2) * CROP / scale
    quarter = int(rng.integers(4)) * math.pi / 2 + (rng.normal(0, 0.1) if rng.random() < 0.3 else 0.0)
    a, b = math.cos(quarter) * scale, math.sin(quarter) * scale
    turn = np.array(((a, -b), (b, a)))
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    # Keep as much of the crop as possible inside the picture.
    reach = min(SIDE / 2, CROP / 2 / scale)
    at = np.clip(at, reach, SIDE - reach)
    move = np.column_stack([turn, CROP / 2 - turn @ at]).astype(np.float32)
    smooth = cv2.INTER_CUBIC if scale > 1.2 and rng.random() < 0.5 else cv2.INTER_LINEAR
    image = store.images[i]
    if scale < 0.75 and rng.random() < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 / scale), np.uint8)
    fill = tuple(float(v) for v in rng.uniform(0, 255, 3))
    piece = np.asarray(cv2.warpAffine(image, move, (CROP, CROP), flags=smooth, borderValue=fill), np.uint8)
    if len(truth):
        points = truth[:, 1:11].reshape(-1, 5, 2) @ move[:, :2].T + move[:, 2]
        truth = truth.copy()
        truth[:, 1:11] = points.reshape(len(truth), 10)
        truth[:, 11] *= _inside(points[:, 1:])
    return spoil(rng, piece), aims(truth)


def aims(truth: Floats) -> Floats:
    """The finder's target, an array (20, n, n): 7 heatmaps, a weight for each of them, log size (1), offset (2), angle
    (2), and a weight for the last five maps.

    A readable die is a peak on the heatmap of its value, an unreadable one a peak on the last heatmap.
    """
    n = CROP // CELL
    out = np.zeros((20, n, n), np.float32)
    out[7:14] = 1
    ys, xs = np.mgrid[:n, :n].astype(np.float32) + 0.5
    for row, side in zip(truth, sides_of(truth), strict=True):
        x, y = row[1] / CELL, row[2] / CELL
        far = (xs - x) ** 2 + (ys - y) ** 2
        cells = side / CELL
        near = far < (0.75 * cells) ** 2
        if side > HUGE:
            continue
        # A die smeared by more than 0.17 of its side may be unreadable; one smeared by more than 0.3 certainly is.
        bad = row[12] > 0 or row[11] < HIDDEN or row[13] > 0.3
        doubtful = side < LEAST or side > MOST or (not bad and row[11] < SEEN) or 0.17 < row[13] <= 0.3
        if doubtful or (bad and row[11] < 0.12):
            out[7:14, near] = 0
            continue
        if not (0 <= x < n and 0 <= y < n):
            continue
        peak = np.exp(-far / (2 * max(0.55, 0.13 * cells) ** 2))
        cell = int(y), int(x)
        peak[cell] = 1
        which = 6 if bad else int(row[0]) - 1
        out[which] = np.maximum(out[which], peak)
        if bad:  # do not punish the finder if it also reads the value
            out[7 + int(row[0]) - 1, near] = 0
        angle = angle_of(row)
        out[14:19, cell[0], cell[1]] = (
            math.log(side / 32),
            x - int(x) - 0.5,
            y - int(y) - 0.5,
            math.cos(4 * angle),
            math.sin(4 * angle),
        )
        out[19, cell[0], cell[1]] = 0.3 if bad else 1.0
    return out


def sides_of(truth: Floats) -> Floats:
    """The side of each top face: the square root of its area."""
    c = truth[:, 3:11].reshape(-1, 4, 2)
    d, e = c[:, 2] - c[:, 0], c[:, 3] - c[:, 1]
    return np.asarray(np.sqrt(np.abs(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]) / 2), np.float32)


def openness(corners: Floats) -> float:
    """The width of a top face relative to its length, which the camera's tilt reduces."""
    across = np.column_stack([corners[1] - corners[0], corners[3] - corners[0]])
    long, wide = np.linalg.svd(across, compute_uv=False)
    return float(wide / max(long, 1e-6))


def _inside(corners: Floats) -> Floats:
    """The share of each face that lies inside the crop, sampled on a grid."""
    a = np.linspace(0.05, 0.95, 7, dtype=np.float32)
    u, v = (m.ravel()[None, :, None] for m in np.meshgrid(a, a))
    c = corners[:, :, None, :]
    points = (c[:, 0] * (1 - u) + c[:, 1] * u) * (1 - v) + (c[:, 3] * (1 - u) + c[:, 2] * u) * v
    return np.asarray(((points >= 0) & (points < CROP)).all(2).mean(1), np.float32)


def angle_of(row: Floats) -> float:
    """The angle of a face's edges within a quarter turn. Perspective skews the edges, so both pairs are averaged."""
    c = row[3:11].reshape(4, 2)
    d = np.stack([c[1] - c[0], c[2] - c[1], c[2] - c[3], c[3] - c[0]])
    way = d[:, 0] + 1j * d[:, 1]
    total = complex((way**4 / (np.abs(way) ** 3 + 1e-6)).sum())
    return math.atan2(total.imag, total.real) / 4
