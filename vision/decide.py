"""Turns candidates into a reading: decides which dice to believe, and puts every doubt into words.

Its one rule: a single doubt makes the whole reading unsure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision import scoring, trouble
from vision.models import Rules, Skill
from vision.networks import COCKED, STACKED, Image
from vision.reading import OK, UNSURE, Box, Die, Doubt, Reading
from vision.scoring import Candidate
from vision.tray import Calibration

Floats = NDArray[np.float64]

MOST_DICE = 30  # maximum number of dice in a sure reading; among more, one small die is easily missed
MOST_TOLD = 3  # number of doubts that are described; any further doubts are only counted
UNANIMOUS = 0.6  # trust that suffices if all four witnesses agree on the value
BEYOND_DOUBT = 0.9  # trust required if the pip pattern disagrees, or if the dice are hard to read
FAINT_DOUBT = 0.7  # once all expected dice are sure, candidates that are less likely to be dice are ignored


def reading(
    frame: Image,
    found: list[Candidate],
    skill: Skill,
    expect: int | None = None,
    calibration: Calibration | None = None,
    new: Image | None = None,
) -> Reading:
    """Turn candidates into a reading. With a `calibration`, also pass `new`, the mask of what is new in the tray. Kept
    dice are read too, but do not count towards `expect`."""
    # The same rules apply with and without a calibration, because rules fitted to rendered trays trusted unfamiliar
    # dice too much.
    by = skill.rules
    side = calibration.side if calibration else None
    trust, presence = scoring.weighed(found, by, side)
    trust = heard(frame, found, trust, by, calibration.hard) if calibration else unless_contradicted(found, trust)
    sure, doubtful = parted(found, trust, presence, by, expect, calibration)
    dice = [die(c, t, True, calibration) for c, t in sure] + [die(c, t, False, calibration) for c, t in doubtful]
    doubts = _reasons(frame, [c for c, _ in doubtful])
    if calibration is not None and new is not None:
        strange = calibration.strange(new, [d.box for d in dice])
        doubts += [(Doubt("strange", (x, y)), f"an unknown object at {x:.0f},{y:.0f}") for x, y in strange]
    if len(sure) > MOST_DICE:
        doubts.insert(0, (Doubt("many"), f"more than {MOST_DICE} dice"))
    loose = sum(d.sure and not d.kept for d in dice)
    if expect is not None and loose != expect:
        doubts.insert(0, (Doubt("few" if loose < expect else "many"), f"{loose} of the expected {expect}"))
    dice.sort(key=lambda d: (d.centre[1], d.centre[0]))
    words, kinds = [words for _, words in doubts], tuple(doubt for doubt, _ in doubts)
    return Reading(tuple(dice), UNSURE if doubts else OK, _told(words), kinds)


def unless_contradicted(found: Sequence[Candidate], trust: Floats) -> Floats:
    """Without a calibration, give no trust to candidates whose pip pattern disagrees with their value, as on a toy
    brick, unless their trust is very high."""
    return np.where(np.array([c.witnesses[-1] for c in found], bool) | (trust >= BEYOND_DOUBT), trust, 0.0)


def heard(frame: Image, found: Sequence[Candidate], trust: Floats, by: Rules, hard: bool = False) -> Floats:
    """The trust with a calibration: the change in the picture proves that each candidate is an object, so only its
    value is in question. A value that the witnesses do not support gets no trust. If all four witnesses agree, less
    trust is enough, unless the die is blurred. Dice that are hard to read need all four witnesses and very high
    trust."""

    def one(c: Candidate, own: float) -> float:
        if hard:
            return own if all(c.witnesses) and own >= BEYOND_DOUBT else 0.0
        if not c.borne_out:
            return 0.0
        sooner = UNANIMOUS <= own < by.sure and all(c.witnesses) and not trouble.blurred(frame, box(c))
        return by.sure if sooner else own

    return np.array([one(c, float(own)) for c, own in zip(found, trust, strict=True)])


def _told(doubts: list[str]) -> str | None:
    more = [f"and {len(doubts) - MOST_TOLD} more"] if len(doubts) > MOST_TOLD else []
    return "; ".join([*doubts[:MOST_TOLD], *more]) or None


def parted(
    found: Sequence[Candidate],
    trust: Floats,
    presence: Floats,
    by: Rules,
    expect: int | None = None,
    calibration: Calibration | None = None,
) -> tuple[list[tuple[Candidate, float]], list[tuple[Candidate, float]]]:
    """Split the candidates into those that are believed and those that are in doubt, each with its trust. Drop the
    rest."""
    sure: list[tuple[Candidate, float]] = []
    doubtful: list[tuple[Candidate, float]] = []
    for c, t, p in zip(found, trust, presence, strict=True):
        if p >= by.none:
            (sure if t >= by.sure else doubtful).append((c, float(t)))
    if sum(not _kept(c, calibration) for c, _ in sure) == expect:
        likely = {id(c) for c, p in zip(found, presence, strict=True) if p >= FAINT_DOUBT}
        doubtful = [(c, t) for c, t in doubtful if id(c) in likely]
    return sure, doubtful


def die(c: Candidate, trust: float, sure: bool, calibration: Calibration | None) -> Die:
    return Die(c.value, (c.x, c.y), box(c), trust, sure, _kept(c, calibration))


def _kept(c: Candidate, calibration: Calibration | None) -> bool:
    return calibration is not None and calibration.kept(c.x, c.y)


def box(c: Candidate) -> Box:
    return Box((c.x, c.y), (c.side, c.side), math.degrees(c.angle))


def _reasons(frame: Image, doubtful: list[Candidate]) -> list[tuple[Doubt, str]]:
    """For each doubtful candidate, the reason not to believe it: as a `Doubt`, and in words."""
    # Finding a reason is slow, so only the first few get one.
    told: list[str | None] = trouble.explain(frame, [box(c) for c in doubtful[:MOST_TOLD]])
    told += [None] * (len(doubtful) - len(told))
    return [_reason(c, words) for c, words in zip(doubtful, told, strict=True)]


def _reason(c: Candidate, told: str | None) -> tuple[Doubt, str]:
    at, likely = f"{c.x:.0f},{c.y:.0f}", int(np.argmax(c.judge))
    if likely == COCKED:
        return Doubt("edge", (c.x, c.y)), f"a die standing on edge at {at}"
    if likely == STACKED:
        return Doubt("stacked", (c.x, c.y)), f"two dice stacked at {at}"
    kind = next((kind for kind in ("hand", "blurred", "glare") if told and kind in told), "unclear")
    return Doubt(kind, (c.x, c.y)), told or f"the die at {at} is not clear"
