"""Training of the judge: the value of one upright die, or why it is not a readable die.

Its one rule: half of its crops are what the finder took for dice, rightly or wrongly.
"""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from vision import networks
from vision.networks import NOTHING, Halves
from vision.train.crops import HIDDEN, OBLIQUE, OPEN, SEEN, Chance, angle_of, coarse, openness, sides_of, spoil
from vision.train.learn import Batch
from vision.train.nets import Judge
from vision.train.pictures import Pictures, bar, load

Floats = NDArray[np.float32]
UNCLEAR = -1  # a label of spots that are not used for training
COARSE = 0.35  # share of crops that are made coarser, because many photos show dice only 20 pixels wide
BLIND = 0.5  # share of crops without surroundings, because real tables differ from the rendered ones
MINED, SCALES = 20_000, (1.0, 0.7, 1.4)  # pictures to run the finder on, and the scales, which take turns


def label(row: Floats) -> int:
    """The judge's target for a die: its value, why it cannot be read, or UNCLEAR."""
    wide = openness(row[3:11].reshape(4, 2))
    if row[12] > 0 or row[11] < HIDDEN or row[13] > 0.3 or wide < OBLIQUE:
        if row[11] < 0.12:
            return UNCLEAR
        return (networks.HIDDEN, networks.COCKED, networks.STACKED)[int(row[12])]
    return UNCLEAR if row[11] < SEEN or row[13] > 0.17 or wide < OPEN else int(row[0])


def spots(store: Pictures) -> Floats:
    """Every die in the pictures: picture, x, y, side, angle, label."""
    out = []
    for i, truth in enumerate(store.truth):
        rows = np.array(truth[truth[:, 0] > 0])
        for row, side in zip(rows, sides_of(rows), strict=True):
            if label(row) != UNCLEAR and side > 16:
                out.append((i, row[1], row[2], side, angle_of(row), label(row)))
    return np.array(out, np.float32)


def mine(store: Pictures, finder: Any, count: int = MINED, least: float = 0.1) -> Floats:
    """Everything that the finder takes for a die in `count` pictures, with the correct label."""
    out: list[tuple[float, ...]] = []
    count = min(count, len(store.images))
    start = time.monotonic()
    for i in range(count):
        rows = np.array(store.truth[i][store.truth[i][:, 0] > 0])
        sides = sides_of(rows)
        seen = networks.look(finder, np.asarray(store.images[i]), SCALES[i % len(SCALES)])
        places = [(g.x, g.y, g.side, g.angle) for g in seen if g.best >= least]
        out += [(i, *place, _deserved(rows, sides, *place[:3])) for place in places]
        if i % 50 == 49 or i + 1 == count:
            bar("mining", i + 1, count, start, "\n" * (i + 1 == count))
    found = np.array(out, np.float32).reshape(-1, 6)
    return found[found[:, 5] != UNCLEAR]


def _deserved(rows: Floats, sides: Floats, x: float, y: float, side: float) -> int:
    for row, true in zip(rows, sides, strict=True):
        far = math.hypot(row[1] - x, row[2] - y)
        if far < 0.3 * true and 0.66 < side / true < 1.5:
            return label(row)
        if far < 0.45 * true and 0.5 < side / true < 2:
            return UNCLEAR
    return NOTHING


def piece(rng: Chance, store: Pictures, spot: Floats, own: bool) -> tuple[NDArray[np.uint8], int]:
    """A crop near a spot, with position errors like the finder's. Some crops miss a real die on purpose, so that the
    judge learns what is not a die."""
    i, x, y, side, angle, what = (float(v) for v in spot)
    told = int(what)
    sure = 0.04 if own else 0.07
    if not own and told in range(1, 7) and rng.random() < 0.22:
        told = NOTHING
        a, kind = rng.uniform(0, 2 * math.pi), rng.random()
        if kind < 0.6:  # beside the die: its side face, or the gap between two dice
            far = side * rng.uniform(0.55, 1.2)
        else:  # one of the die's pips
            far = side * rng.uniform(0.0, 0.4)
            side *= rng.uniform(0.15, 0.4)
        x, y = x + far * math.cos(a), y + far * math.sin(a)
        angle = rng.uniform(0, 2 * math.pi)
    x, y = x + rng.normal(0, sure) * side, y + rng.normal(0, sure) * side
    side *= math.exp(rng.normal(0, 0.09))
    angle += int(rng.integers(4)) * math.pi / 2 + rng.normal(0, 0.08)
    crop = Halves(np.asarray(store.images[int(i)])).upright(x, y, side, angle)
    if rng.random() < 0.5:
        crop = np.ascontiguousarray(crop[:, ::-1])
    if rng.random() < COARSE:
        crop = coarse(rng, crop)
    return np.dstack(networks.near_and_around(spoil(rng, crop), rng.random() < BLIND)), told


@dataclass
class JudgeLesson:
    folder: Path  # folder of the pictures
    true: Floats  # every die in the pictures
    seen: Floats  # what the finder took for dice
    name: str = "judge"
    batch: int = 96
    peak: float = 6e-3
    decay: float = 0.02

    @cached_property
    def store(self) -> Pictures:
        return load(self.folder)

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """Cumulative weights for drawing from `seen`: half for NOTHING, which is most common, half for the others."""
        nothing = self.seen[:, 5] == NOTHING
        return np.cumsum(np.where(nothing, 0.5 / max(1, nothing.sum()), 0.5 / max(1, (~nothing).sum())))

    def net(self) -> nn.Module:
        return Judge()

    def make(self, rng: Chance, count: int) -> Batch:
        crops = []
        for k in range(count):
            own = k % 2 == 0 and len(self.seen) > 0  # a barely trained finder might find nothing
            if own:
                spot = self.seen[min(len(self.seen) - 1, int(np.searchsorted(self.reach, rng.random())))]
            else:
                spot = self.true[int(rng.integers(len(self.true)))]
            crops.append(piece(rng, self.store, spot, own))
        return np.stack([c[0] for c in crops]), np.array([c[1] for c in crops], np.int64)

    def loss(self, out: Any, aim: Any) -> tuple[Any, tuple[float, float]]:
        said, _ = out
        loss = nn.functional.cross_entropy(said, aim, label_smoothing=0.02)
        return loss, (float(loss.detach()), float((said.argmax(1) == aim).float().mean()))
