"""How much to trust a candidate: two logistic regressions over the networks' votes on it and on its neighbours.

Its one rule: `make train` fits the weights and thresholds; do not change these numbers by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.models import Rules
from vision.networks import COCKED, LOOK, NOTHING, Floats

FEATURES = 31  # values that describe a candidate, not counting the constant
CLEARLY = 6.0  # weight of a match with a pip pattern, which ranges from 0 (none) to 1 (perfect)


@dataclass(frozen=True)
class Candidate:
    """A place where a die may lie, with all votes on this candidate."""

    x: float
    y: float
    side: float
    angle: float
    finder: Floats  # mean scores of one to six and of an unreadable die, over all closer looks
    share: float  # share of the closer looks that found the candidate
    among: Floats = field(default_factory=lambda: np.zeros(10, np.float32))  # the judge's votes with the surroundings
    alone: Floats = field(default_factory=lambda: np.zeros(10, np.float32))  # judge's votes without the surroundings
    fits: Floats = field(default_factory=lambda: np.zeros(6, np.float32))  # how well the pip patterns match
    face: Floats = field(default_factory=lambda: np.zeros(LOOK, np.float32))  # the face's look (see own_dice)
    told: int = 0  # the value that a person gave to a face with this look that had been misread; 0 if there is none

    @cached_property
    def judge(self) -> Floats:
        return np.asarray((self.among + self.alone) / 2, np.float32)

    @cached_property
    def value(self) -> int:
        return self.told or int(np.argmax(self.finder[:6] * 0.5 + self.judge[1:7])) + 1

    @cached_property
    def clear(self) -> float:
        """Roughly how clearly both networks see a die of this value; used to compare neighbours."""
        return float(self.finder[self.value - 1] * self.judge[self.value])

    @cached_property
    def witnesses(self) -> tuple[bool, bool, bool, bool]:
        """Which of the four witnesses agree with this value: the judge with the surroundings, the judge without them,
        the finder, and the pip pattern."""
        said = (self.among[1:7], self.alone[1:7], self.finder[:6], self.fits)
        among, alone, finder, pattern = (int(np.argmax(votes)) + 1 == self.value for votes in said)
        return among, alone, finder, pattern

    @property
    def borne_out(self) -> bool:
        """Whether both of the judge's votes, and at least one of the other two witnesses, agree with this value."""
        among, alone, finder, pattern = self.witnesses
        return among and alone and (finder or pattern)

    @property
    def bad(self) -> float:
        return float(self.judge[COCKED:].sum())


def _logit(p: float) -> float:
    p = min(0.999, max(0.001, p))
    return math.log(p / (1 - p)) / 4


def features(found: Sequence[Candidate], side: float | None = None) -> NDArray[np.float64]:
    """One row of features per candidate. `side` is the size of dice, if it is known beforehand."""
    clear = [c for c in found if c.clear > 0.35]
    if side is None and clear:
        side = math.exp(float(np.average([math.log(c.side) for c in clear], weights=[c.clear for c in clear])))
    rows = np.ones((len(found), FEATURES + 1))
    for row, c in zip(rows, found, strict=True):
        v = c.value
        others = np.delete(c.finder[:6], v - 1).max()
        row[:FEATURES] = (
            _logit(float(c.finder[v - 1])),
            _logit(float(others)),
            _logit(float(c.finder[6])),
            c.share,
            _logit(float(c.judge[v])),
            _logit(float(np.delete(c.judge[1:7], v - 1).max())),
            _logit(float(c.judge[NOTHING])),
            _logit(c.bad),
            min(1.5, abs(math.log(c.side / side))) if side else 0.3,
            _crowded(c, found),
            math.log(max(1.0, 32 / c.side)),
            *(_logit(float(p)) for p in c.judge),
            *(_logit(float(said[k])) for said in (c.among, c.alone) for k in (v, NOTHING)),
            _logit(c.clear),
            # A faint candidate without a clear die beside it is usually print or carpet. The number of dice is not
            # a feature, because training pictures show fewer dice than people roll.
            _logit(max((k.clear for k in found if k is not c), default=0.0)),
            *_neighbours(c, found),
            CLEARLY * float(c.fits[v - 1]),
            CLEARLY * float(np.delete(c.fits, v - 1).max()),
        )
    return rows


def _neighbours(c: Candidate, found: Sequence[Candidate]) -> tuple[float, float]:
    """Two features: how many other candidates are so close that they may be a side face or the other half of a domino,
    and how far away the nearest one is."""
    far = [math.hypot(c.x - k.x, c.y - k.y) / max(c.side, k.side) for k in found if k is not c]
    return sum(d < 1.1 for d in far) / 2, min(3.0, min(far, default=3.0))


def _crowded(c: Candidate, found: Sequence[Candidate]) -> float:
    """How much a clearer candidate overlaps this one. The centres of two top faces are at least a die's width apart."""
    most = 0.0
    for k in found:
        if k is not c and k.clear > c.clear:
            most = max(most, 1 - math.hypot(c.x - k.x, c.y - k.y) / (0.95 * max(c.side, k.side)))
    return most


def weighed(
    found: Sequence[Candidate], by: Rules, side: float | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The trust and the presence of each candidate."""
    rows = features(found, side)
    trust, presence = (1 / (1 + np.exp(-(rows @ np.array(rule)))) for rule in (by.trust, by.presence))
    return trust, presence
