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
SURE, AGREED = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.2, 0.3, 0.4, 0.5, 0.6)  # limits to try
NONE = (0.05, 0.1, 0.15, 0.2, 0.3)
KNOWN, GAP = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), (0.2, 0.35, 0.5, 0.65, 0.8)
BESIDE = np.array((0.25, 0.5, 0.25))  # weights of a score and its neighbours, for smoothing
MISSING = 0.1  # how often a die is missing, roughly; readings with one die more count so much
FEIGNED = 0.3  # weight of the rendered pictures when limits are chosen: their clutter is harder than real clutter
EACH, HELD_BACK = 1000.0, 5.0  # total weight of each source's candidates, and the strength of regularisation
# Dice that must be read, must not be read, or may be read; and pictures that are so hard that they need not be read.
GOOD, BAD, UNCLEAR, HARD = "good", "bad", "unclear", "hard"
COSTS = {GOOD: 10.0, BAD: 0.3, HARD: 1.0}  # how many exact readings one wrong reading cancels out
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
    votes = [(decide.supported(c.found, trust), presence) for c, (trust, presence) in zip(found, votes, strict=True)]
    rules = _best(found, votes, rules, False, sure=SURE, agreed=AGREED, none=NONE)
    return _best(found, votes, rules, True, known=KNOWN, gap=GAP)


def _best(
    found: Sequence[Case],
    votes: Sequence[tuple[Floats, Floats]],
    rules: Rules,
    counted: bool,
    **limits: Sequence[float],
) -> Rules:
    """The rules with the best values of these limits, for readings with or without a known number of dice."""
    good = Counter(c.source for c in found if c.state == GOOD)

    def worth(by: Rules) -> float:
        gained = dict.fromkeys(good, 0.0)
        for case, vote in zip(found, votes, strict=True):
            if case.source not in good or case.state == UNCLEAR:
                continue
            for expect in _expected(case, counted):
                said = verdict(case, vote, by, expect)
                if said == "wrong":
                    missing = expect is not None and expect > len(case.values)
                    gained[case.source] -= COSTS[case.state] * (MISSING if missing else 1.0)
                elif case.state == GOOD:
                    gained[case.source] += said == "exact"
        return sum(gained[s] / good[s] * (FEIGNED if s == RENDERED else 1.0) for s in good)

    worths = np.zeros([len(values) for values in limits.values()])
    for place in np.ndindex(worths.shape):
        worths[place] = worth(replace(rules, **_at(limits, place)))
    # Smooth the scores, because a single photo can shift the best threshold a lot.
    for axis in range(worths.ndim):
        worths = np.apply_along_axis(_smooth, axis, worths)
    best = np.unravel_index(int(worths.argmax()), worths.shape)
    return replace(rules, **_at(limits, best))


def _at(limits: dict[str, Sequence[float]], place: Sequence[Any]) -> dict[str, Any]:
    return {name: values[i] for (name, values), i in zip(limits.items(), place, strict=True)}


def _smooth(row: Floats) -> Floats:
    return np.convolve(np.pad(row, 1, "edge"), BESIDE, "valid")


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
    return Rules(rules[0], rules[1], 0.5, 0.5, 0.5, 0.5, 0.5)


def _expected(case: Case, counted: bool) -> tuple[int | None, ...]:
    """The numbers of dice with which to read the picture, if they are known: the right one, and one more, as if a die
    had fallen off the table."""
    count = len(case.values)
    return ((count, count + 1) if count else (1,)) if counted else (None,)


def verdict(case: Case, votes: tuple[Floats, Floats], by: Rules, expect: int | None = None) -> str:
    """The reader's result for these votes: exact, wrong or unsure. `expect` is the number of dice, if it is known."""
    sure, doubtful = decide.parted(case.found, *votes, by, expect)
    if doubtful or (expect is not None and len(sure) != expect):
        return "unsure"
    right = tuple(sorted(w.candidate.value for w in sure)) == case.values
    return "exact" if right and case.state != BAD else "wrong"


def score(found: Sequence[Case], by: Rules, counted: bool = False) -> Counter[str]:
    """The number of exact, wrong and unsure pictures."""
    cases = [c for c in found if c.state != UNCLEAR and (c.values or not counted)]
    votes = [scoring.weighed(c.found, by) for c in cases]
    return Counter(
        verdict(c, (decide.supported(c.found, trust), presence), by, len(c.values) if counted else None)
        for c, (trust, presence) in zip(cases, votes, strict=True)
    )
