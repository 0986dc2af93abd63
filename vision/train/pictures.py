"""The training pictures, rendered once and stored in files, with the ground truth about their dice.

Its one rule: picture i of a seed is always the same, whichever process renders it and in whatever order.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import draw, random_scene
from vision.render.litter import numbered

SIDE = 320  # width and height of a picture in pixels
MOST = 24  # maximum number of dice per picture whose ground truth is kept
FIELDS = 14  # value, centre x y, four corners x y, top_visible, 1 cocked or 2 stacked, motion blur relative to size
FAULTS = ("cocked", "stacked", "hidden")
EVERY = 60  # seconds between lines of progress, if they do not go to a terminal
NUMBERED = 0.12  # share of pictures in which most dice have numbers instead of pips
VALUES = (0.3, 0.15, 0.14, 0.14, 0.14, 0.13)  # weights of the values: an ace is the easiest to take for clutter
# Range of the focal length, relative to the picture's longer side: these pictures stand for parts of larger photos too,
# in which a die is seen from further away than in a small picture that it fills.
FOCAL = (0.7, 4.0)

_told: dict[str, float] = {}  # for each bar, the seconds at which its last line was written


@dataclass(frozen=True)
class Pictures:
    images: NDArray[np.uint8]  # (n, SIDE, SIDE, 3), blue green red
    truth: NDArray[np.float32]  # (n, MOST, FIELDS); a value of 0 means no die


def picture(seed: int, i: int, unseen: bool = False) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Render picture `i` of a seed, with its ground truth. Most pictures have dice of readable sizes, some of
    them close up. Other pictures have dice that are far too large or unreadable, or no dice."""
    rng = np.random.default_rng((seed, i))
    kind, size = rng.random(), (SIDE, SIDE)
    wish: dict[str, Any] = {"unseen": unseen, "focal": FOCAL, "values": VALUES, "block": 0.15, "odd": True}
    oblique = rng.random()
    if oblique < 0.25:  # the side faces show
        wish["tilt"] = math.radians(rng.uniform(25, 50))
    elif oblique < 0.31:  # the top faces cannot be read
        wish["tilt"] = math.radians(rng.uniform(55, 72))
    if kind < 0.14:  # a lone die
        scene = random_scene(rng, size, 1, (23, 72), clutter=0.4, **wish)
    elif kind < 0.41:
        scene = random_scene(rng, size, die_px=(23, 72), clutter=0.5, **wish)
    elif kind < 0.62:
        scene = random_scene(rng, size, None if rng.random() < 0.5 else 1, (70, 165), clutter=0.4, **wish)
    elif kind < 0.65:
        scene = random_scene(rng, size, die_px=(150, 300), clutter=0.3, **wish)
    elif kind < 0.87:
        scene = random_scene(rng, size, dice=0, die_px=(20, 200), clutter=1.0, **wish)
    else:
        fault = FAULTS[int(rng.integers(len(FAULTS)))]
        scene = random_scene(rng, size, die_px=(28, 80), clutter=0.4, fault=fault, **wish)
    if rng.random() < NUMBERED:
        scene = numbered(rng, scene)
    found = draw(scene, size)
    truth = np.zeros((MOST, FIELDS), np.float32)
    smear = math.hypot(*scene.sensor.smear)
    for row, die in zip(truth, found.truth, strict=False):
        corners = np.array(die.corners, np.float32)
        length = max(1.0, math.sqrt(cv2.contourArea(corners)))
        row[:3] = (die.value, *die.centre)
        row[3:11] = corners.ravel()
        row[11:] = (die.top_visible, 2 * die.stacked or die.cocked, smear / length)
    return found.image, truth


def _fill(folder: str, seed: int, first: int, last: int, done: Any, unseen: bool) -> None:
    cv2.setNumThreads(1)
    store = load(Path(folder), "r+")
    for i in range(first, last):
        if not store.images[i].any():
            store.images[i], store.truth[i] = picture(seed, i, unseen)
        done.value += 1


def load(folder: Path, mode: Any = "r") -> Pictures:
    return Pictures(np.load(folder / "images.npy", mode), np.load(folder / "truth.npy", mode))


def render(folder: Path, count: int, seed: int, resume: bool = False, hands: int = 2, unseen: bool = False) -> Pictures:
    """Render this many pictures into a folder, in several processes. With `resume`, only those that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (resume and (folder / "truth.npy").exists()):
        np.lib.format.open_memmap(folder / "images.npy", "w+", np.uint8, (count, SIDE, SIDE, 3)).flush()
        np.lib.format.open_memmap(folder / "truth.npy", "w+", np.float32, (count, MOST, FIELDS)).flush()
    cuts = [count * k // hands for k in range(hands + 1)]
    context = multiprocessing.get_context("spawn")
    counts = [context.Value("i", 0) for _ in range(hands)]
    workers = [
        context.Process(target=_fill, args=(str(folder), seed, cuts[k], cuts[k + 1], counts[k], unseen))
        for k in range(hands)
    ]
    for worker in workers:
        worker.start()
    start = time.monotonic()
    while any(worker.is_alive() for worker in workers):
        bar("pictures", sum(c.value for c in counts), count, start)
        workers[0].join(1.0 if workers[0].is_alive() else 0.0)
        time.sleep(0.5)
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("A process that renders pictures failed: see its output above.")
    bar("pictures", count, count, start, "\n")
    return load(folder)


def bar(what: str, done: float, of: float, start: float, note: str = "", first: float = 0) -> None:
    """A progress bar on a terminal; elsewhere a line now and then. `first` is how much had been done at the start."""
    end = note.endswith("\n")
    spent = time.monotonic() - start
    if not (sys.stderr.isatty() or end or spent - _told.get(what, 0.0) >= EVERY):
        return
    _told[what] = 0.0 if end else spent
    part = min(1.0, done / max(of, 1e-9))
    left = spent / (done - first) * (of - done) if done > first else 0.0
    line = f"{what:9} [{'#' * int(part * 30):30}] {part:4.0%} {spent:5.0f} s, {left:4.0f} s left {note}"
    sys.stderr.write(f"\r{line}" if sys.stderr.isatty() else line.rstrip() + "\n")
    sys.stderr.flush()
