"""Pictures without dice for `make bench-vision`: tables, trays, objects, patterns, and parts of photos.

Its one rule: the same seed gives the same pictures, and none of them shows a die or part of one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import cv2
import numpy as np

from vision.networks import Image
from vision.render import draw, random_scene, random_stage
from vision.render.litter import THINGS, random_solid, random_thing
from vision.render.looks import surface
from vision.render.scene import Scene
from vision.render.tables import PATTERNS

SEED = 2026
SIZE = (640, 480)
DIE, PX = 16.0, (40.0, 120.0)  # the size that dice would have, which sets the scale of objects and textures
CROPS, COUNT = 100, 300
HELD = "nell/059.jpg"  # a die in a hand has no box in this photo
TRIES, LEAST = 300, 0.25  # attempts to find a part without dice, and its minimum size relative to the photo's sides
LINES = ("Seven wonders", "o o o . : : o o", "1 2 3 4 5 6", "...", "8 B 8 % @ 0 O", "** * **", "total 12.50")


def pictures(photos: Path | None) -> Iterator[tuple[str, str, Image]]:
    """The kind, name and image of each picture: 200 pictures, and another 100 cut from photos if there are any."""
    for kind, scenes in (("tables", _tables()), ("trays", _trays()), ("clutter", _clutter()), ("objects", _objects())):
        for i, scene in enumerate(scenes):
            yield kind, f"{kind}-{i}", draw(scene, SIZE).image
    for i, image in enumerate(_drawn()):
        yield "patterns", f"patterns-{i}", image
    if photos:
        yield from _crops(photos)


def _bare(rng: np.random.Generator) -> Scene:
    """A camera, lights and an empty table."""
    scene = random_scene(rng, SIZE, dice=0, die_px=PX, unseen=True)
    return replace(scene, things=(), solids=(), tray=None, regions=())


def _tables() -> Iterator[Scene]:
    for i, kind in enumerate(islice(cycle(PATTERNS), 40)):
        rng = np.random.default_rng((SEED, 1, i))
        yield replace(_bare(rng), table=surface(rng, DIE, DIE / 50, kind=kind))


def _trays() -> Iterator[Scene]:
    for i in range(40):
        yield random_stage(np.random.default_rng((SEED, 2, i)), SIZE, DIE, unseen=True)


def _clutter() -> Iterator[Scene]:
    for i in range(40):
        yield random_scene(np.random.default_rng((SEED, 3, i)), SIZE, dice=0, die_px=PX, clutter=1.0, unseen=True)


def _objects() -> Iterator[Scene]:
    """Scenes with one thing in the middle: first objects of each kind, then solids such as dominoes and blank cubes."""
    for i, kind in enumerate((*islice(cycle(THINGS), 32), *[""] * 8)):
        rng = np.random.default_rng((SEED, 4, i))
        scene = _bare(rng)
        if kind:
            yield replace(scene, things=(random_thing(rng, (0.0, 0.0), DIE, kind),))
        else:
            yield replace(scene, solids=(random_solid(rng, (0.0, 0.0), DIE),))


def _drawn() -> Iterator[Image]:
    """Images like those of a broken or covered camera (a plain colour, noise, gradients), and images of text."""
    width, height = SIZE
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    for i in range(40):
        rng = np.random.default_rng((SEED, 5, i))
        first, second = rng.integers(40, 256, 3), rng.integers(0, 256, 3)
        picture = np.full((height, width, 3), first, np.float64)
        if i % 4 == 1:
            coarse = rng.normal(0, 40, (height >> (i // 4 % 5), width >> (i // 4 % 5), 3))
            picture += cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)
        elif i % 4 == 2:
            turn = rng.uniform(0, 2 * np.pi)
            share = x * np.cos(turn) + y * np.sin(turn) if i % 8 == 2 else np.hypot(x - 0.5, y - 0.5)
            picture += np.clip(share, 0, 1)[..., None] * (second - first)
        image = np.clip(picture, 0, 255).astype(np.uint8)
        if i % 4 == 3:
            _write(image, rng, tuple(int(v) for v in second))
        yield image


def _write(picture: Image, rng: np.random.Generator, ink: tuple[int, ...]) -> None:
    size = rng.uniform(0.5, 2.5)
    for line in range(int(picture.shape[0] / (32 * size)) + 1):
        at = (int(rng.integers(-40, 40)), int((line + 1) * 32 * size))
        text = " ".join(LINES[int(k)] for k in rng.integers(len(LINES), size=6))
        cv2.putText(picture, text, at, int(rng.integers(4)), size, ink, int(1 + 2 * size), cv2.LINE_AA)


def _crops(home: Path) -> Iterator[tuple[str, str, Image]]:
    rng = np.random.default_rng((SEED, 6))
    with (home / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["boxes"] and row["file"] != HELD]
    boxes = {row["file"]: json.loads(row["boxes"]) for row in rows}
    # Keep the photos in which every die has a box.
    rows = [row for row in rows if len(boxes[row["file"]]) == len(row["faces"].split("-"))]
    # Some boxes enclose only the pips, and an ace has just one. So assume that any die could be as large as the largest
    # box in its folder.
    reach: dict[str, float] = {}
    for name, found in boxes.items():
        folder = name.split("/")[0]
        reach[folder] = max(reach.get(folder, 0.0), *(max(box[2:4]) for box in found))
    left = CROPS
    for row in (rows[int(k)] for k in rng.permutation(len(rows))):
        image = cv2.imread(str(home / row["file"]))
        if image is None or not left:
            continue
        piece = free_part(np.asarray(image, np.uint8), boxes[row["file"]], reach[row["file"].split("/")[0]], rng)
        if piece is not None:
            left -= 1
            yield "crops", "crop-" + row["file"].replace("/", "-").rpartition(".")[0], piece


def free_part(image: Image, boxes: list[list[float]], reach: float, rng: np.random.Generator) -> Image | None:
    """The largest of TRIES random parts that is clear of all dice, or None."""
    height, width = image.shape[:2]
    best = (0, 0, 0, 0)
    for _ in range(TRIES):
        w, h = int(rng.uniform(LEAST, 0.9) * width), int(rng.uniform(LEAST, 0.9) * height)
        x, y = int(rng.integers(width - w)), int(rng.integers(height - h))
        clear = all(
            bx - reach > x + w or bx + bw + reach < x or by - reach > y + h or by + bh + reach < y
            for bx, by, bw, bh, *_ in boxes
        )
        if clear and w * h > best[2] * best[3]:
            best = (x, y, w, h)
    x, y, w, h = best
    return np.ascontiguousarray(image[y : y + h, x : x + w]) if w else None
