"""From a frame to a reading: where dice are and how large, then several closer looks, then the judge.

Its one rule: whatever is neither clearly a die of one value nor clearly none makes the whole reading unsure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision import sight
from vision.sight import Floats, Glimpse, Image

GLANCES = (160, 320, 640, 1120)  # long sides at which a frame is first looked at
LOOKS = ((32.0, False), (42.0, True), (56.0, False))  # how large dice are made for a closer look; mirrored or not
HINT = 0.25  # a first glance at a die scores at least this
FAINT = 0.12  # what the closer looks score less, on average, is nothing
MOST = 48  # candidates that the judge is asked about
TOO_DARK = 25  # a frame without a pixel in a hundred that is brighter shows nothing
ALIKE = 1.9  # dice whose sides differ by less than this are looked at in one scale
MOST_PIXELS = 1_500_000  # of all closer looks: what fits into a quarter of a second


@dataclass(frozen=True)
class Thresholds:
    """Chosen on rendered pictures only (see vision/bench.py)."""

    sure: float = 0.5  # of a die's trust, at least
    none: float = 0.4  # below this it is nothing
    bad: float = 0.35  # a die that must not be read
    odd: float = 0.6  # as none, for what is far smaller or larger than the clear dice
    clear: float = 0.6  # what the finder sees so clearly is never passed over, whatever the judge says


THRESHOLDS = Thresholds()


@dataclass(frozen=True)
class Box:
    """A rotated rectangle in pixels: the top face; angle in degrees."""

    centre: tuple[float, float]
    size: tuple[float, float]
    angle: float


@dataclass(frozen=True)
class Die:
    value: int
    centre: tuple[float, float]
    box: Box
    confidence: float


@dataclass(frozen=True)
class Reading:
    dice: tuple[Die, ...]
    status: str  # ok or unsure
    why: str | None = None

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(sorted(d.value for d in self.dice))


@dataclass(frozen=True)
class Candidate:
    """One place where a die may lie, with all votes about it."""

    x: float
    y: float
    side: float
    angle: float
    finder: Floats  # mean score of one to six and of bad, over all closer looks
    share: float  # of the closer looks that saw it
    judge: Floats = field(default_factory=lambda: np.zeros(8, np.float32))

    @property
    def value(self) -> int:
        return int(np.argmax(self.finder[:6] + self.judge[1:7])) + 1

    @property
    def presence(self) -> float:
        """How likely something like a die is there, whatever it shows."""
        return float(math.sqrt(max(self.finder.max(), 1e-6) * max(1 - self.judge[0], 1e-6)))

    @property
    def trust(self) -> float:
        """How sure it shows its value: both must say so."""
        v = self.value
        others = np.delete(self.finder[:6], v - 1).max()
        return float(math.sqrt(max(0.0, float(self.finder[v - 1] - others)) * float(self.judge[v])))

    @property
    def bad(self) -> float:
        return float(max(self.finder[6] * 0.5 + self.judge[7] * 0.5, 0))


def read(frame: Image, expect: int | None = None, limits: Thresholds = THRESHOLDS) -> Reading:
    """The dice in a frame (blue, green, red), and whether that is sure."""
    if np.percentile(frame[::8, ::8], 99) < TOO_DARK:
        return Reading((), "unsure", "too dark")
    return decide(candidates(frame), expect, limits)


def candidates(frame: Image) -> list[Candidate]:
    """Every place that could be a die, judged."""
    hints = glance(frame)
    groups = sizes(hints)
    plans = plan(frame, groups)
    found = apart([c for group, looks in zip(groups, plans, strict=True) for c in closer(frame, group, looks)])
    if not found:
        return []
    halves = sight.Halves(frame)
    verdicts = sight.judge([halves.upright(c.x, c.y, c.side, c.angle) for c in found])
    return [Candidate(c.x, c.y, c.side, c.angle, c.finder, c.share, v) for c, v in zip(found, verdicts, strict=True)]


def glance(frame: Image) -> list[Glimpse]:
    """A first look at several scales: roughly where and how large dice are."""
    long = max(frame.shape[:2])
    found: list[Glimpse] = []
    for length in GLANCES:
        if length > max(640, long * 1.2):
            break
        found += [g for g in sight.look(frame, length / long) if g.best >= HINT]
    # The same die at two scales: the better look counts.
    found.sort(key=lambda g: -g.best)
    kept: list[Glimpse] = []
    for g in found:
        if all(
            math.hypot(g.x - k.x, g.y - k.y) > 0.4 * max(g.side, k.side) or not 0.5 < g.side / k.side < 2 for k in kept
        ):
            kept.append(g)
    return kept


def sizes(hints: list[Glimpse]) -> list[list[Glimpse]]:
    """The hints in groups of like sides, at most three, the clearest first: each is looked at in its own scale."""
    groups: list[list[Glimpse]] = []
    for hint in sorted(hints, key=lambda h: h.side):
        if groups and hint.side < ALIKE * groups[-1][0].side:
            groups[-1].append(hint)
        else:
            groups.append([hint])
    # By cubes: twenty faint hints in a carpet must not count more than one clear die.
    weight = [sum(h.best**3 for h in g) for g in groups]
    order = sorted(range(len(groups)), key=lambda i: -weight[i])
    return [groups[i] for i in order[:3] if weight[i] > 0.12 * max(weight)]


def plan(frame: Image, groups: list[list[Glimpse]]) -> list[list[tuple[float, bool]]]:
    """The scales at which each group is looked at again, the dearest left out until it is affordable."""
    looks = [[(target / _side(group), mirrored) for target, mirrored in LOOKS] for group in groups]

    def price(i: int, scale: float) -> float:
        x0, y0, x1, y1 = _part(frame, groups[i])
        return (x1 - x0) * (y1 - y0) * scale * scale

    while sum(price(i, scale) for i, own in enumerate(looks) for scale, _ in own) > MOST_PIXELS:
        rest = [i for i, own in enumerate(looks) if len(own) > 1]
        if not rest:
            for i, own in enumerate(looks):
                most = math.sqrt(MOST_PIXELS / len(looks) / price(i, 1.0))
                looks[i] = [(min(scale, most), mirrored) for scale, mirrored in own]
            break
        looks[max(rest, key=lambda i: price(i, looks[i][-1][0]))].pop()
    return looks


def _side(group: list[Glimpse]) -> float:
    return float(np.median([h.side for h in group]))


def _part(frame: Image, group: list[Glimpse]) -> tuple[int, int, int, int]:
    """The part of the frame that has all of these, and room for one more beside them."""
    height, width = frame.shape[:2]
    margin = 2.2 * _side(group)
    x0, y0 = max(0, int(min(h.x for h in group) - margin)), max(0, int(min(h.y for h in group) - margin))
    x1, y1 = min(width, int(max(h.x for h in group) + margin)), min(height, int(max(h.y for h in group) + margin))
    return x0, y0, max(x0 + 1, x1), max(y0 + 1, y1)


def closer(frame: Image, hints: list[Glimpse], plans: list[tuple[float, bool]]) -> list[Candidate]:
    """The frame's part with these hints seen again with dice at several sizes; votes are averaged."""
    side, part = _side(hints), _part(frame, hints)
    looks = [sight.look(frame, scale, mirrored, part) for scale, mirrored in plans]
    pool = sorted((g for look in looks for g in look if 0.5 < g.side / side < 2), key=lambda g: -g.best)
    found: list[Candidate] = []
    taken: set[int] = set()
    for first in pool:
        if id(first) in taken:
            continue
        votes: list[Glimpse] = []
        for look in looks:
            near = [g for g in look if id(g) not in taken and _same(g, first)]
            if near:
                best = max(near, key=lambda g: g.best)
                votes.append(best)
                taken.update(id(g) for g in near)
        found.append(_together(votes, len(looks)))
    return found


def _same(a: Glimpse, b: Glimpse) -> bool:
    return math.hypot(a.x - b.x, a.y - b.y) < 0.4 * min(a.side, b.side) and 0.6 < a.side / b.side < 1.67


def _together(votes: list[Glimpse], looks: int) -> Candidate:
    weight = np.array([v.best for v in votes], np.float32)
    weight /= weight.sum()
    x, y = (float(sum(w * getattr(v, k) for w, v in zip(weight, votes, strict=True))) for k in ("x", "y"))
    side = math.exp(float(sum(w * math.log(v.side) for w, v in zip(weight, votes, strict=True))))
    way = sum(w * complex(math.cos(4 * v.angle), math.sin(4 * v.angle)) for w, v in zip(weight, votes, strict=True))
    scores = np.sum([v.scores for v in votes], axis=0).astype(np.float32) / looks
    return Candidate(x, y, side, float(np.angle(way)) / 4, scores, len(votes) / looks)


def apart(found: list[Candidate]) -> list[Candidate]:
    """Of candidates over each other the clearest; what is small on the face of a clear one is a pip of it."""
    kept: list[Candidate] = []
    for c in sorted(found, key=lambda c: -float(c.finder.max()) * math.sqrt(c.share)):
        if c.finder.max() < FAINT or len(kept) == MOST:
            continue
        if not any(_over(c, k) for k in kept):
            kept.append(c)
    # A clear large die may have come after its own pips.
    clear = [k for k in kept if k.finder.max() > 0.5]
    return [c for c in kept if not any(c.side < 0.5 * k.side and _over(c, k) for k in clear)]


def _over(c: Candidate, k: Candidate) -> bool:
    """Whether both cannot be dice: their middles are too close, or one is small and on the other's face."""
    dx, dy = c.x - k.x, c.y - k.y
    if math.hypot(dx, dy) < 0.5 * min(c.side, k.side) + 0.1 * max(c.side, k.side):
        return True
    u, v = dx * math.cos(k.angle) + dy * math.sin(k.angle), dy * math.cos(k.angle) - dx * math.sin(k.angle)
    return c.side < 0.5 * k.side and max(abs(u), abs(v)) < 0.6 * k.side


def decide(found: list[Candidate], expect: int | None = None, limits: Thresholds = THRESHOLDS) -> Reading:
    """What is believed of the candidates, and why not if not."""
    dice, why = [], None
    usual = [c.side for c in found if c.trust > 0.5]
    side = float(np.median(usual)) if usual else 0.0
    for c in found:
        # A carpet's loops look like small dice to a network; beside real ones they are not of their size. And two top
        # faces are never closer than a die is wide: the fainter of such a pair is a side of the other.
        odd = bool(side) and not 0.55 < c.side / side < 1.8
        odd = odd or any(
            c.trust < 0.6 * k.trust and math.hypot(c.x - k.x, c.y - k.y) < 0.88 * max(c.side, k.side) for k in found
        )
        least = max(limits.odd, limits.none) if odd else limits.none
        if c.presence < least and c.finder.max() < limits.clear:
            continue
        box = Box((c.x, c.y), (c.side, c.side), math.degrees(c.angle))
        dice.append(Die(c.value, (c.x, c.y), box, c.trust))
        at = f"{c.x:.0f},{c.y:.0f}"
        if c.bad > limits.bad:
            why = why or f"a die lies badly or is half hidden at {at}"
        elif c.trust < limits.sure:
            why = why or f"what lies at {at} is not clear"
    if why is None and expect is not None and len(dice) != expect:
        why = f"{len(dice)} of the expected {expect}"
    dice.sort(key=lambda d: (d.centre[1], d.centre[0]))
    return Reading(tuple(dice), "unsure" if why else "ok", why)


def annotate(frame: Image, reading: Reading) -> Image:
    """The frame with what was read drawn on it."""
    out = frame.copy()
    thick = max(1, max(frame.shape[:2]) // 500)
    for die in reading.dice:
        corners = cv2.boxPoints((die.box.centre, die.box.size, die.box.angle))
        colour = (0, 200, 0) if die.confidence >= THRESHOLDS.sure else (0, 0, 255)
        cv2.polylines(out, [np.round(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        at = (int(die.centre[0] + die.box.size[0] * 0.5), int(die.centre[1] - die.box.size[1] * 0.5))
        text = f"{die.value} {die.confidence:.2f}"
        cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * thick, (255, 0, 255), thick, cv2.LINE_AA)
    return out
