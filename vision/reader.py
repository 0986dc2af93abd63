"""Reads one frame: quick looks at several scales find dice and their sizes, then closer looks and the judge decide.

Its one rule: a spot that is neither clearly a die of one value nor clearly something else makes the reading unsure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from vision import decide, networks, patterns, trouble
from vision.models import Skill, shipped
from vision.networks import TILE, Floats, Glimpse, Image
from vision.reading import UNSURE, Doubt, Reading
from vision.scoring import Candidate
from vision.tray import Calibration

GLANCES = (160, 320, 640)  # lengths to which the long side is scaled for the first looks
# If these looks show no clear die, or a clear die narrower than TINY, one more look follows at this length.
CLOSE_GLANCE, TINY = 1120, 30.0
# For each closer look: the width to which dice are scaled, and whether the picture is mirrored.
LOOKS = ((32.0, False), (42.0, True), (56.0, False))
KNOWN_LOOK = 37.0  # width to which dice are scaled in the only closer look with a calibration
HINT = 0.25  # minimum score of a die in the first looks
FAINT = 0.12  # candidates with a lower average score in the closer looks are dropped
MOST = 40  # maximum number of candidates passed to the judge, not counting those that score at least HINT
CLEAR = 0.5  # a die that scores more counts as clear
TURNS = (1, 2, 3)  # quarter turns in which the judge looks again at a candidate that it doubts
SETTLED = 0.9  # the judge doubts everything to which it gives less than this probability
ALIKE = 1.9  # dice whose sides differ by less than this factor are looked at together, at the same scale
MOST_PIXELS = 1_900_000  # maximum number of pixels in all looks, for about a quarter of a second
LONGEST = 1920  # larger frames are scaled down first
MOST_TILES = 48  # maximum number of tiles in a calibrated read; with more, the whole picture must have changed
SMALLEST = 12  # no die fits into a smaller frame

Part = tuple[int, int, int, int]  # x0, y0, x1, y1


@dataclass(frozen=True)
class Look:
    """What one frame shows, before anything is decided."""

    found: list[Candidate]
    new: Image | None = None  # with a calibration: the mask of what is new in the tray
    refused: Reading | None = None  # the reading if the frame cannot be read at all


def read(
    frame: Image, calibration: Calibration | None = None, expect: int | None = None, skill: Skill | None = None
) -> Reading:
    """The dice in a frame (BGR), and whether the reading is sure. `expect` is how many dice were rolled; `skill`
    defaults to the networks shipped with the program."""
    seen = look(frame, calibration, expect, skill)
    return seen.refused or decide.reading(frame, seen.found, skill or shipped(), expect, calibration, seen.new)


def look(
    frame: Image, calibration: Calibration | None = None, expect: int | None = None, skill: Skill | None = None
) -> Look:
    """The first half of `read`: find the candidates."""
    if not isinstance(frame, np.ndarray) or frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
        raise ValueError("A frame has three channels of bytes: blue, green and red.")
    if calibration is not None:
        calibration.check(frame)
    if min(frame.shape[:2]) < SMALLEST:
        return _refused("the picture is too small to show a die", "small")
    if trouble.dark(frame):
        return _refused("too dark", "dark")
    skill = skill or shipped()
    if calibration is None:
        return Look(candidates(frame, skill))
    new = calibration.new(frame)
    found = known_candidates(frame, calibration, new, skill)
    if found is None:
        return _refused("the whole picture differs from the calibration: has the camera moved?", "different")
    if expect is not None and _dice(found, calibration) < expect:
        # A die in the floor's colour looks like a shadow, so check shadows too if dice are missing.
        more = known_candidates(frame, calibration, calibration.new(frame, shades=True), skill)
        if more and _dice(more, calibration) > _dice(found, calibration):
            found = more
    return Look(found, new)


def _refused(why: str, what: str) -> Look:
    return Look([], None, Reading((), UNSURE, why, (Doubt(what),)))


def _dice(found: list[Candidate], calibration: Calibration) -> int:
    """The number of candidates outside the keep strip that are probably dice."""
    return sum(c.judge[1:7].sum() > 0.5 and not calibration.kept(c.x, c.y) for c in found)


def candidates(frame: Image, skill: Skill) -> list[Candidate]:
    """All places that could be dice, with the judge's votes."""
    long = max(frame.shape[:2])
    if long > LONGEST:
        k = LONGEST / long
        small = np.asarray(cv2.resize(frame, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8)
        return [replace(c, x=c.x / k, y=c.y / k, side=c.side / k) for c in candidates(small, skill)]
    hints, spent = glance(frame, skill)
    groups = sizes(hints)
    parts = [_part(frame, group) for group in groups]
    plans = plan([_side(group) for group in groups], parts, MOST_PIXELS - spent)
    found = [
        c
        for group, part, looks in zip(groups, parts, plans, strict=True)
        for c in closer(frame, _side(group), part, looks, skill)
    ]
    seen = judged(frame, apart(found), skill)
    # From afar, several dice can look like the pips of one large die. If the judge rejects it, they count again.
    false = [k for k in seen if k.judge[networks.NOTHING] > 0.5 and any(_hidden_by(c, k) for c in found)]
    if not false:
        return seen
    places = {(k.x, k.y) for k in seen}
    freed = apart([c for c in found if not any((c.x, c.y) == (k.x, k.y) for k in false)])
    return seen + judged(frame, [c for c in freed if (c.x, c.y) not in places], skill)


def known_candidates(frame: Image, calibration: Calibration, new: Image, skill: Skill) -> list[Candidate] | None:
    """Find candidates with a calibrated camera. Only changed parts of the picture are searched, at the known size of
    dice. Returns None if too much has changed."""
    side = calibration.side
    tiles = networks.tiles(calibration.deep(new), side * TILE / KNOWN_LOOK, side * networks.MARGIN)
    corners = list(islice(tiles, MOST_TILES + 1))
    if len(corners) > MOST_TILES:
        return None
    found = apart(together(side, [networks.look_at(skill.finder, frame, corners, side, KNOWN_LOOK)]))
    here = judged(frame, [c for c in found if calibration.inside(c.x, c.y)], skill)
    # Drop what the judge does not see as a die, unless it has the colour of the calibrated dice. This removes screws
    # and coins.
    return [c for c in here if c.judge[networks.NOTHING] < 0.5 or calibration.alike(frame, decide.box(c))]


def judged(frame: Image, found: list[Candidate], skill: Skill) -> list[Candidate]:
    """The candidates with the judge's votes and the fits of the pip patterns. Only candidates about which the judge
    has doubts are looked at from all sides, because that takes four times as long."""
    if not found:
        return []
    halves = networks.Halves(frame)
    crops = [halves.upright(c.x, c.y, c.side, c.angle) for c in found]
    among, alone, faces = networks.judge(skill.judge, crops)
    doubted = [k for k, votes in enumerate(zip(among, alone, strict=True)) if not _settled(*votes)]
    if doubted:
        more = networks.judge(skill.judge, [crops[k] for k in doubted], TURNS)
        for mean, new in ((among, more.among), (alone, more.alone)):
            mean[doubted] = (mean[doubted] + len(TURNS) * new) / (1 + len(TURNS))
    votes = zip(found, networks.chances(among), networks.chances(alone), patterns.fits(crops), faces, strict=True)
    return [replace(c, among=among, alone=alone, fits=fits, face=face) for c, among, alone, fits, face in votes]


def _settled(among: Floats, alone: Floats) -> bool:
    """Whether the judge sees the same with and without the surroundings, and sees it clearly."""
    both = networks.chances(np.stack([among, alone]))
    return bool((both.argmax(1) == both[0].argmax()).all() and both.max(1).min() >= SETTLED)


def glance(frame: Image, skill: Skill) -> tuple[list[Glimpse], float]:
    """Look at several scales. Returns roughly where the dice are and how large they are, and how many pixels were
    processed."""
    height, width = frame.shape[:2]
    long = max(height, width)
    found: list[Glimpse] = []

    def look(length: int) -> float:
        found.extend(g for g in networks.look(skill.finder, frame, length / long) if g.best >= HINT)
        return float((length / long) ** 2 * height * width)

    spent = sum(look(length) for length in GLANCES)
    clear = [g.side * GLANCES[-1] / long for g in found if g.best > CLEAR]
    if long * 1.2 >= CLOSE_GLANCE and (not clear or min(clear) < TINY):
        spent += look(CLOSE_GLANCE)
    # If a die was found at two scales, keep the better glimpse.
    found.sort(key=lambda g: -g.best)
    kept: list[Glimpse] = []
    for g in found:
        if all(
            math.hypot(g.x - k.x, g.y - k.y) > 0.4 * max(g.side, k.side) or not 0.5 < g.side / k.side < 2 for k in kept
        ):
            kept.append(g)
    return kept, spent


def sizes(hints: list[Glimpse]) -> list[list[Glimpse]]:
    """Group the hints by size, so that one scale suits a whole group. A group without a clear hint is dropped, unless
    it is among the three strongest groups and not far weaker than the strongest one."""
    groups: list[list[Glimpse]] = []
    for hint in sorted(hints, key=lambda h: h.side):
        if groups and hint.side < ALIKE * groups[-1][0].side:
            groups[-1].append(hint)
        else:
            groups.append([hint])
    # Cubed, so that twenty faint hints in a carpet do not outweigh one clear die.
    weight = [sum(h.best**3 for h in g) for g in groups]
    order = sorted(range(len(groups)), key=lambda i: -weight[i])
    clear = [max(h.best for h in g) > CLEAR for g in groups]
    return [groups[i] for k, i in enumerate(order) if clear[i] or (k < 3 and weight[i] > 0.12 * max(weight))]


def plan(sides: list[float], parts: list[Part], most: float) -> list[list[tuple[float, bool]]]:
    """The scales of the closer looks for each group. Drops the most expensive looks until the rest fit the budget."""
    looks = [[(target / side, mirrored) for target, mirrored in LOOKS] for side in sides]
    while sum(price(parts[i], scale) for i, own in enumerate(looks) for scale, _ in own) > most:
        rest = [i for i, own in enumerate(looks) if len(own) > 1]
        if not rest:
            for i, own in enumerate(looks):
                largest = math.sqrt(most / len(looks) / price(parts[i], 1.0))
                looks[i] = [(min(scale, largest), mirrored) for scale, mirrored in own]
            break
        looks[max(rest, key=lambda i: price(parts[i], looks[i][-1][0]))].pop()
    return looks


def price(part: Part, scale: float) -> float:
    """The number of pixels that a look at this part processes."""
    x0, y0, x1, y1 = part
    return (x1 - x0) * (y1 - y0) * scale * scale


def _side(group: list[Glimpse]) -> float:
    return float(np.median([h.side for h in group]))


def _part(frame: Image, group: list[Glimpse]) -> Part:
    """The part of the frame that contains all these hints, with room for one more die on each side."""
    height, width = frame.shape[:2]
    margin = 2.2 * _side(group)
    x0, y0 = max(0, int(min(h.x for h in group) - margin)), max(0, int(min(h.y for h in group) - margin))
    x1, y1 = min(width, int(max(h.x for h in group) + margin)), min(height, int(max(h.y for h in group) + margin))
    return x0, y0, max(x0 + 1, x1), max(y0 + 1, y1)


def closer(frame: Image, side: float, part: Part, plans: list[tuple[float, bool]], skill: Skill) -> list[Candidate]:
    """The candidates in a part of the frame, from looks at several scales."""
    return together(side, [networks.look(skill.finder, frame, scale, mirrored, part) for scale, mirrored in plans])


def together(side: float, looks: list[list[Glimpse]]) -> list[Candidate]:
    """Combine the dice about this wide that several looks found, and average the looks' votes on each die."""
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
        found.append(_averaged(votes, len(looks)))
    return found


def _same(a: Glimpse, b: Glimpse) -> bool:
    return math.hypot(a.x - b.x, a.y - b.y) < 0.4 * min(a.side, b.side) and 0.6 < a.side / b.side < 1.67


def _averaged(votes: list[Glimpse], looks: int) -> Candidate:
    weight = np.array([v.best for v in votes], np.float32)
    weight /= weight.sum()
    x, y = (float(sum(w * getattr(v, k) for w, v in zip(weight, votes, strict=True))) for k in ("x", "y"))
    side = math.exp(float(sum(w * math.log(v.side) for w, v in zip(weight, votes, strict=True))))
    way = sum(w * complex(math.cos(4 * v.angle), math.sin(4 * v.angle)) for w, v in zip(weight, votes, strict=True))
    scores = np.sum([v.scores for v in votes], axis=0).astype(np.float32) / looks
    return Candidate(x, y, side, float(np.angle(way)) / 4, scores, len(votes) / looks)


def apart(found: list[Candidate]) -> list[Candidate]:
    """Keep only the best of overlapping candidates. Drop small candidates on the face of a die that was found
    with high confidence, because they are its pips."""
    kept: list[Candidate] = []
    for c in sorted(found, key=lambda c: -float(c.finder.max()) * math.sqrt(c.share)):
        if c.finder.max() < max(FAINT, HINT * (len(kept) >= MOST)):
            continue
        if not any(_over(c, k) for k in kept):
            kept.append(c)
    # The pips of a large die may have been kept before the die itself, so drop them now.
    clear = [k for k in kept if k.finder.max() > CLEAR]
    return [c for c in kept if not any(c.side < 0.5 * k.side and _over(c, k) for k in clear)]


def _hidden_by(c: Candidate, k: Candidate) -> bool:
    """Whether the first candidate is clear, but was dropped because it lies on the face of the second."""
    return bool(c.finder.max() > CLEAR) and c.side < 0.5 * k.side and _over(c, k)


def _over(c: Candidate, k: Candidate) -> bool:
    """Whether two candidates cannot both be dice, because their centres are too close, or because the first is small
    and lies on the second one's face."""
    dx, dy = c.x - k.x, c.y - k.y
    if math.hypot(dx, dy) < 0.5 * min(c.side, k.side) + 0.1 * max(c.side, k.side):
        return True
    u, v = dx * math.cos(k.angle) + dy * math.sin(k.angle), dy * math.cos(k.angle) - dx * math.sin(k.angle)
    return c.side < 0.5 * k.side and max(abs(u), abs(v)) < 0.6 * k.side
