"""From candidates to a reading: which are believed, which leave a doubt, and what the doubt is in words.

Its one rule: one doubt makes the whole reading unsure.
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

MOST_DICE = 30  # nobody throws more, and among so many small ones one is overlooked too easily
MOST_TOLD = 3  # doubts in full
UNANIMOUS = 0.6  # trust that is enough where all four witnesses read the same value
BEYOND_DOUBT = 0.9  # trust that it takes where the pattern contradicts, or where dice are hard to read
FAINT_DOUBT = 0.7  # with all dice that were thrown surely read, what is less likely a die than this is none


def reading(
    frame: Image,
    found: list[Candidate],
    skill: Skill,
    expect: int | None = None,
    calibration: Calibration | None = None,
    new: Image | None = None,
) -> Reading:
    """`calibration` and `new`, what is new in the tray, come together or not at all. Kept dice are read as well, but
    they are none of those that are expected."""
    # Trays have no rules of their own: fitted on rendered trays, they believed too much of dice unlike any of these.
    by = skill.rules
    side = calibration.side if calibration else None
    trust, presence = scoring.weighed(found, by, side)
    trust = heard(frame, found, trust, by, calibration.hard) if calibration else unless_contradicted(found, trust)
    sure, doubtful = parted(found, trust, presence, by, expect, calibration)
    dice = [die(c, t, True, calibration) for c, t in sure] + [die(c, t, False, calibration) for c, t in doubtful]
    doubts = _reasons(frame, [c for c, _ in doubtful])
    if calibration is not None and new is not None:
        strange = calibration.strange(new, [d.box for d in dice])
        doubts += [(Doubt("strange", (x, y)), f"something that is not read at {x:.0f},{y:.0f}") for x, y in strange]
    if len(sure) > MOST_DICE:
        doubts.insert(0, (Doubt("many"), f"more than {MOST_DICE} dice"))
    loose = sum(d.sure and not d.kept for d in dice)
    if expect is not None and loose != expect:
        doubts.insert(0, (Doubt("few" if loose < expect else "many"), f"{loose} of the expected {expect}"))
    dice.sort(key=lambda d: (d.centre[1], d.centre[0]))
    words, kinds = [words for _, words in doubts], tuple(doubt for doubt, _ in doubts)
    return Reading(tuple(dice), UNSURE if doubts else OK, _told(words), kinds)


def unless_contradicted(found: Sequence[Candidate], trust: Floats) -> Floats:
    """Trust in any picture: what the pattern of pips contradicts, as a toy brick with studs, has to be beyond doubt."""
    return np.where(np.array([c.witnesses[-1] for c in found], bool) | (trust >= BEYOND_DOUBT), trust, 0.0)


def heard(frame: Image, found: Sequence[Candidate], trust: Floats, by: Rules, hard: bool = False) -> Floats:
    """Trust under a calibrated camera, where a game is played by it: that something lies there is known, so that what
    counts is the value. Who contradicts is heard, and whom nobody contradicts is believed sooner, but for a blur. Of
    dice that are hard to read only what is beyond doubt is believed."""

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
    """The candidates that are believed and those that are in doubt, each with its trust; nothing of the rest."""
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
    """Why each of these is not believed, as a word and in words."""
    # Reasons are dear, and more than these are only counted.
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
