"""From candidates to a reading: which are believed, which leave a doubt, and what the doubt is in words.

Its one rule: one doubt makes the whole reading unsure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision import trouble, weigh
from vision.reading import OK, UNSURE, Box, Die, Reading
from vision.sight import COCKED, STACKED, Image
from vision.tray import Calibration
from vision.weigh import Candidate, Rules, Weights

Floats = NDArray[np.float64]

MOST_DICE = 30  # nobody throws more, and among so many small ones one is overlooked too easily
MOST_TOLD = 3  # doubts in full
FAINT_DOUBT = 0.7  # with all dice that were thrown surely read, what is less likely a die than this is none


def reading(
    frame: Image,
    found: list[Candidate],
    expect: int | None = None,
    calibration: Calibration | None = None,
    new: Image | None = None,
    weights: Weights | None = None,
) -> Reading:
    """`calibration` and `new`, what is new in the tray, come together or not at all."""
    known = weights or weigh.weights()
    by = known.photo if calibration is None or expect is None else known.tray
    side = calibration.side if calibration else None
    sure, doubtful = parted(found, *weigh.weighed(found, by, side), by, expect)
    dice = [die(c, t, True, calibration) for c, t in sure] + [die(c, t, False, calibration) for c, t in doubtful]
    doubts = [reason(frame, c) for c, _ in doubtful]
    if calibration is not None and new is not None:
        doubts += [
            f"something that is not read at {x:.0f},{y:.0f}" for x, y in calibration.strange(new, [d.box for d in dice])
        ]
    if len(sure) > MOST_DICE:
        doubts.insert(0, f"more than {MOST_DICE} dice")
    if expect is not None and len(sure) != expect:
        doubts.insert(0, f"{len(sure)} of the expected {expect}")
    dice.sort(key=lambda d: (d.centre[1], d.centre[0]))
    return Reading(tuple(dice), UNSURE if doubts else OK, _told(doubts))


def _told(doubts: list[str]) -> str | None:
    more = [f"and {len(doubts) - MOST_TOLD} more"] if len(doubts) > MOST_TOLD else []
    return "; ".join([*doubts[:MOST_TOLD], *more]) or None


def parted(
    found: Sequence[Candidate], trust: Floats, presence: Floats, by: Rules, expect: int | None = None
) -> tuple[list[tuple[Candidate, float]], list[tuple[Candidate, float]]]:
    """The candidates that are believed and those that are in doubt, each with its trust; nothing of the rest."""
    sure: list[tuple[Candidate, float]] = []
    doubtful: list[tuple[Candidate, float]] = []
    for c, t, p in zip(found, trust, presence, strict=True):
        if p >= by.none:
            (sure if t >= by.sure else doubtful).append((c, float(t)))
    if len(sure) == expect:
        likely = {id(c) for c, p in zip(found, presence, strict=True) if p >= FAINT_DOUBT}
        doubtful = [(c, t) for c, t in doubtful if id(c) in likely]
    return sure, doubtful


def die(c: Candidate, trust: float, sure: bool, calibration: Calibration | None) -> Die:
    kept = calibration is not None and calibration.kept(c.x, c.y)
    return Die(c.value, (c.x, c.y), box(c), trust, sure, kept)


def box(c: Candidate) -> Box:
    return Box((c.x, c.y), (c.side, c.side), math.degrees(c.angle))


def reason(frame: Image, c: Candidate) -> str:
    """Why this one is not believed, in words."""
    at = f"{c.x:.0f},{c.y:.0f}"
    likely = int(np.argmax(c.judge))
    if likely == COCKED:
        return f"a die standing on edge at {at}"
    if likely == STACKED:
        return f"two dice stacked at {at}"
    return trouble.explain(frame, [box(c)]) or f"the die at {at} is not clear"
