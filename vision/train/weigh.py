"""Fits the rules of vision/weigh.py: what the networks' votes are worth, on pictures that they did not learn from.

Its one rule: rendered pictures only, and a wrong reading weighs as much as ten that are exact.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import decide, reader, weigh
from vision.render import FAULTS, Truth, draw, random_scene
from vision.render.legible import legible
from vision.train.crops import HIDDEN, SEEN
from vision.train.pictures import bar
from vision.weigh import Candidate, Weights

SIZES = ((640, 480), (480, 640), (640, 640), (800, 600), (1280, 720))
SURE, NONE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97), (0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
WRONG_COSTS = 10  # as much as so many exact ones gain
RARE = (
    0.03  # how much a picture with a die that must not be read counts: there are far more of them here than at tables
)
GOOD, BAD, UNCLEAR = "good", "bad", "unclear"  # to be read, not to be read, nobody's fault either way
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A picture as the networks saw it, and what they should have seen."""

    found: list[Candidate]
    trust: list[float]  # what each candidate deserves: 0, 1, or nan if nobody's fault
    presence: list[float]
    state: str  # bad if any die is; unclear if no die is bad and any unclear
    values: tuple[int, ...]


def case(seed: int, i: int, unseen: bool = False) -> Case:
    """Picture i of the seed: an eighth without dice, a quarter with a die that must not be read."""
    rng = np.random.default_rng((seed, i))
    size = SIZES[i % len(SIZES)]
    fault = FAULTS[i // 4 % len(FAULTS)] if i % 4 == 0 else None
    dice, clutter = (0, 1.0) if i % 8 == 3 else (None, 0.6)
    scene = random_scene(rng, size, dice, (25, 160), clutter, fault, unseen=unseen)
    picture = draw(scene, size)
    smear = math.hypot(*scene.sensor.smear)
    clear = legible(scene, size)
    both = [(t, _state(t, smear, c)) for t, c in zip(picture.truth, clear, strict=True) if t.top_visible > 0.1]
    seen, states = [t for t, _ in both], [s for _, s in both]
    found = reader.candidates(picture.image)
    deserved = [_deserved(c, seen, states) for c in found]
    whole = next((s for s in (BAD, UNCLEAR) if s in states), GOOD)
    return Case(found, [d[0] for d in deserved], [d[1] for d in deserved], whole, tuple(sorted(t.value for t in seen)))


def _side(t: Truth) -> float:
    return max(1.0, math.sqrt(cv2.contourArea(np.array(t.corners, np.float32))))


def _state(t: Truth, smear: float, clear: bool) -> str:
    part = smear / _side(t)
    if t.cocked or t.stacked or t.top_visible < HIDDEN or part > 0.3:
        return BAD
    return UNCLEAR if t.top_visible < SEEN or part > 0.17 or not clear else GOOD


def _deserved(c: Candidate, seen: Sequence[Truth], states: Sequence[str]) -> tuple[float, float]:
    """Trust and presence: both 0 for what is no top face at all, a side of a die or a pip of it included."""
    for t, state in zip(seen, states, strict=True):
        if math.dist(t.centre, (c.x, c.y)) < 0.35 * _side(t) and 0.6 < c.side / _side(t) < 1.6:
            if state == UNCLEAR:
                return math.nan, math.nan
            return float(state == GOOD and c.value == t.value), 1.0
    return 0.0, 0.0


def _some(share: tuple[int, int, int, int], done: Any, box: Any) -> None:
    cv2.setNumThreads(1)
    seed, first, last, step = share
    out = []
    for i in range(first, last, step):
        out.append((i, case(seed, i)))
        done.value += 1
    box.put(out)


def cases(seed: int, count: int, hands: int = 2) -> list[Case]:
    context = multiprocessing.get_context("spawn")
    box, counts = context.Queue(), [context.Value("i", 0) for _ in range(hands)]
    workers = [
        context.Process(target=_some, args=((seed, k, count, hands), counts[k], box), daemon=True) for k in range(hands)
    ]
    for worker in workers:
        worker.start()
    start, found = time.monotonic(), dict[int, Case]()
    while len(found) < count:
        bar("weighing", sum(c.value for c in counts), count, start)
        if not box.empty():
            found.update(box.get())
        elif any(worker.exitcode for worker in workers):
            raise RuntimeError("A process that reads pictures failed; what it said is above.")
        time.sleep(0.5)
    bar("weighing", count, count, start, "\n")
    return [found[i] for i in range(count)]


def logistic(rows: Floats, want: Floats, steps: int = 30) -> tuple[float, ...]:
    """The rule that says best whether a row is wanted, by Newton's steps, held back a little."""
    rule = np.zeros(rows.shape[1])
    hold = np.eye(rows.shape[1]) * 0.5
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(rows @ rule)))
        slope = rows.T @ (p - want) + hold @ rule
        bend = (rows * (p * (1 - p))[:, None]).T @ rows + hold
        rule -= np.linalg.solve(bend, slope)
    return tuple(round(float(v), 4) for v in rule)


def fit(found: Sequence[Case], seen: str) -> Weights:
    rows = np.concatenate([weigh.features(c.found) for c in found])
    rules = []
    for want in (np.array([v for c in found for v in c.trust]), np.array([v for c in found for v in c.presence])):
        known = ~np.isnan(want)
        rules.append(logistic(rows[known], want[known]))
    rule = Weights(rules[0], rules[1], 0.5, 0.5, seen)
    return max((replace(rule, sure=s, none=n) for s, n in product(SURE, NONE)), key=lambda w: _worth(found, w))


def _worth(found: Sequence[Case], by: Weights) -> float:
    usual, rare = (score([c for c in found if (c.state == BAD) == bad], by) for bad in (False, True))
    return usual["exact"] - WRONG_COSTS * (usual["wrong"] + RARE * rare["wrong"])


def score(found: Sequence[Case], by: Weights) -> Counter[str]:
    """Exact, wrong and unsure pictures, as the reader would decide."""
    count: Counter[str] = Counter()
    for one in found:
        if one.state == UNCLEAR:
            continue
        sure, doubtful = decide.parted(one.found, None, None, by)
        right = one.state == GOOD and tuple(sorted(c.value for c, _ in sure)) == one.values
        count["all"] += 1
        count["unsure" if doubtful else "exact" if right else "wrong"] += 1
    return count
