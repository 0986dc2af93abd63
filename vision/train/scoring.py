"""Fits the rules of vision/scoring.py, which weigh the networks' votes, on pictures not used to train the networks.

Its one rule: a wrong reading costs as much as many exact ones gain, and all sources of pictures have equal weight.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import decide, reader, scoring
from vision.models import Rules, Skill, draft
from vision.render import FAULTS, Truth, draw, random_scene
from vision.render.legible import legible
from vision.scoring import Candidate
from vision.train.crops import HIDDEN, OBLIQUE, OPEN, SEEN, openness
from vision.train.pictures import bar

SIZES = ((640, 480), (480, 640), (640, 640), (800, 600), (1280, 720))
SURE = tuple(round(0.3 + 0.04 * k, 2) for k in range(18))  # thresholds to try
NONE = tuple(round(0.05 * k, 2) for k in range(1, 11))
BESIDE = 1.5  # sigma for smoothing the scores, in steps between thresholds
# How many exact readings one wrong reading cancels out: first normally, then for a picture with an unreadable die.
COSTS = (10.0, 0.3)
EACH, HELD_BACK = 1000.0, 5.0  # total weight of each source's candidates, and the strength of regularisation
GOOD, BAD, UNCLEAR = "good", "bad", "unclear"  # dice that must be read, must not be read, or may be read
RENDERED = "rendered"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A picture as the networks saw it, and the correct results."""

    found: list[Candidate]
    trust: list[float]  # correct trust of each candidate: 0, 1, or nan if either is acceptable
    presence: list[float]
    state: str  # the worst state of all dice in the picture: BAD, else UNCLEAR, else GOOD
    values: tuple[int, ...]
    source: str = RENDERED


def pictured(skill: Skill, seed: int, i: int) -> Case:
    """Picture i of the seed: one picture in eight has no dice, and one in four has an unreadable die."""
    rng = np.random.default_rng((seed, i))
    size = SIZES[i % len(SIZES)]
    fault = FAULTS[i // 4 % len(FAULTS)] if i % 4 == 0 else None
    dice, clutter = (0, 1.0) if i % 8 == 3 else (None, 0.6)
    scene = random_scene(rng, size, dice, (25, 160), clutter, fault)
    picture = draw(scene, size)
    smear = math.hypot(*scene.sensor.smear)
    clear = legible(scene, size)
    both = [(t, _state(t, smear, c)) for t, c in zip(picture.truth, clear, strict=True) if t.top_visible > 0.1]
    seen, states = [t for t, _ in both], [s for _, s in both]
    found = reader.candidates(picture.image, skill)
    deserved = [_deserved(c, seen, states) for c in found]
    whole = next((s for s in (BAD, UNCLEAR) if s in states), GOOD)
    values = tuple(sorted(t.value for t in seen))
    return Case(found, [d[0] for d in deserved], [d[1] for d in deserved], whole, values)


def _side(t: Truth) -> float:
    return max(1.0, math.sqrt(cv2.contourArea(np.array(t.corners, np.float32))))


def _state(t: Truth, smear: float, clear: bool) -> str:
    part, wide = smear / _side(t), openness(np.array(t.corners, np.float32))
    if t.cocked or t.stacked or t.top_visible < HIDDEN or part > 0.3 or wide < OBLIQUE:
        return BAD
    return UNCLEAR if t.top_visible < SEEN or part > 0.17 or wide < OPEN or not clear else GOOD


def _deserved(c: Candidate, seen: Sequence[Truth], states: Sequence[str]) -> tuple[float, float]:
    """The correct trust and presence of a candidate. Trust and presence are 0 for everything that is not a top face,
    such as side faces and pips."""
    for t, state in zip(seen, states, strict=True):
        if math.dist(t.centre, (c.x, c.y)) < 0.35 * _side(t) and 0.6 < c.side / _side(t) < 1.6:
            if state == UNCLEAR:
                return math.nan, math.nan
            return float(state == GOOD and c.value == t.value), 1.0
    return 0.0, 0.0


def _some(folder: Path, share: tuple[int, int, int, int], done: Any, box: Any) -> None:
    cv2.setNumThreads(1)
    skill = draft(folder)
    seed, first, last, step = share
    out = []
    for i in range(first, last, step):
        out.append((i, pictured(skill, seed, i)))
        done.value += 1
    box.put(out)


def cases(seed: int, count: int, folder: Path, hands: int = 2) -> list[Case]:
    """Read this many pictures, in several processes, with the networks in this folder."""
    context = multiprocessing.get_context("spawn")
    box, counts = context.Queue(), [context.Value("i", 0) for _ in range(hands)]
    workers = [
        context.Process(target=_some, args=(folder, (seed, k, count, hands), counts[k], box), daemon=True)
        for k in range(hands)
    ]
    for worker in workers:
        worker.start()
    start, found = time.monotonic(), dict[int, Case]()
    while len(found) < count:
        bar("weighing", sum(c.value for c in counts), count, start)
        if not box.empty():
            found.update(box.get())
        elif any(worker.exitcode for worker in workers):
            raise RuntimeError("A process that reads pictures failed: see its output above.")
        time.sleep(0.5)
    bar("weighing", count, count, start, "\n")
    return [found[i] for i in range(count)]


def logistic(rows: Floats, want: Floats, weight: Floats, steps: int = 40) -> tuple[float, ...]:
    """Logistic regression by Newton's method, with slight regularisation."""
    rule = np.zeros(rows.shape[1])
    hold = np.eye(rows.shape[1]) * HELD_BACK
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(rows @ rule)))
        slope = rows.T @ ((p - want) * weight) + hold @ rule
        bend = (rows * (p * (1 - p) * weight)[:, None]).T @ rows + hold
        rule -= np.linalg.solve(bend, slope)
    return tuple(round(float(v), 4) for v in rule)


def fit(found: Sequence[Case]) -> Rules:
    """Fit the rules for trust and presence to all cases. For the thresholds, each photograph is read with rules fitted
    without its folder, because users' tables are new to the reader too."""
    rules = _rules(found)
    sources = {c.source for c in found} - {RENDERED}
    unseen = {s: _rules([c for c in found if c.source != s]) for s in sources if len(sources) > 1}
    votes = [scoring.weighed(c.found, unseen.get(c.source, rules)) for c in found]
    good = Counter(c.source for c in found if c.state == GOOD)

    def worth(by: Rules) -> float:
        gained = dict.fromkeys(good, 0.0)
        for case, vote in zip(found, votes, strict=True):
            said = verdict(case, vote, by)
            if said == "wrong" and case.state != UNCLEAR:
                gained[case.source] -= COSTS[case.state == BAD]
            elif case.state == GOOD:
                gained[case.source] += said == "exact"
        return sum(gained[s] / good[s] for s in good)

    # Smooth the scores, because a single photo can shift the best threshold a lot.
    worths = np.array([[worth(replace(rules, sure=s, none=n)) for n in NONE] for s in SURE])
    smooth = cv2.GaussianBlur(worths, (0, 0), BESIDE, borderType=cv2.BORDER_REPLICATE)
    sure, none = np.unravel_index(int(smooth.argmax()), smooth.shape)
    return replace(rules, sure=SURE[sure], none=NONE[none])


def _rules(found: Sequence[Case]) -> Rules:
    """The two rules with default thresholds."""
    rows = np.concatenate([scoring.features(c.found) for c in found])
    sources = np.array([c.source for c in found for _ in c.found])
    rules = []
    for want in (np.array([v for c in found for v in c.trust]), np.array([v for c in found for v in c.presence])):
        known = ~np.isnan(want)
        count = Counter(sources[known])
        weight = np.array([EACH / count[source] for source in sources[known]])
        rules.append(logistic(rows[known], want[known], weight))
    return Rules(rules[0], rules[1], 0.5, 0.5)


def verdict(case: Case, votes: tuple[Floats, Floats], by: Rules) -> str:
    """The reader's result for these votes: exact, wrong or unsure."""
    sure, doubtful = decide.parted(case.found, *votes, by)
    if doubtful:
        return "unsure"
    right = tuple(sorted(c.value for c, _ in sure)) == case.values
    return "exact" if right and case.state == GOOD else "wrong"


def score(found: Sequence[Case], by: Rules) -> Counter[str]:
    """The number of exact, wrong and unsure pictures."""
    said = [verdict(c, scoring.weighed(c.found, by), by) for c in found if c.state != UNCLEAR]
    return Counter(said)
