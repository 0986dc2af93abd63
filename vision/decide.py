"""Turns candidates into a reading: decides which dice to believe, and puts every doubt into words.

Its one rule: a single doubt makes the whole reading unsure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import starmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision import own_dice, scoring, trouble
from vision.models import Rules, Skill
from vision.networks import COCKED, NOTHING, STACKED, Halves, Image
from vision.own_dice import NOTHING_LEARNED, OwnDice
from vision.reading import OK, UNSURE, Box, Die, Doubt, Reading
from vision.scoring import Candidate
from vision.tray import Calibration

Floats = NDArray[np.float64]

MOST_DICE = 30  # maximum number of dice in a sure reading; among more, one small die is easily missed
MOST_TOLD = 3  # number of doubts that are described; any further doubts are only counted
BEYOND_DOUBT = 0.9  # trust required if the pip pattern disagrees, or if the dice are hard to read
PRESENT = 0.5  # minimum presence of a die that is believed because others are, or because its face was recognized
# A die whose face was recognized as one of the table's own is sure only if it certainly is a die, lying flat and open.
ABSENT, FAULTY = 0.5, 0.3  # the judge's votes for nothing at all, and for a cocked, stacked or hidden die, are below
FAINT_DOUBT = 0.7  # once all expected dice are sure, candidates that are less likely to be dice are ignored


class Weighed(NamedTuple):
    candidate: Candidate
    trust: float
    presence: float
    kept: bool  # whether it lies in the strip for kept dice


def reading(
    frame: Image,
    found: list[Candidate],
    skill: Skill,
    expect: int | None = None,
    calibration: Calibration | None = None,
    new: Image | None = None,
    own: OwnDice = NOTHING_LEARNED,
) -> Reading:
    """Turn candidates into a reading. With a `calibration`, also pass `new`, the mask of what is new in the tray. Kept
    dice are read too, but do not count towards `expect`."""
    # The same rules apply with and without a calibration, because rules fitted to rendered trays trusted unfamiliar
    # dice too much.
    by = skill.rules
    trust, presence = scoring.weighed(found, by, calibration.side if calibration else None)
    read = supported(found, trust, calibration)
    kept = [calibration is not None and calibration.kept(c.x, c.y) for c in found]
    found = own_dice.corrected(found, own)
    trust = recognized(found, read, presence, by, own)
    trust = np.where(_blurred(frame, found, read, trust, by), 0.0, trust)
    sure, doubtful = parted(found, trust, presence, by, expect, kept)
    dice = [die(w, True) for w in sure] + [die(w, False) for w in _possible(sure, doubtful, expect)]
    doubts = _reasons(frame, [w.candidate for w in doubtful])
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


def supported(found: Sequence[Candidate], trust: Floats, calibration: Calibration | None = None) -> Floats:
    """No trust for values that the witnesses contradict.

    Without a calibration, that is a pip pattern that disagrees, as on a toy brick, unless the trust is very high. With
    a calibration, the change in the picture proves that each candidate is an object, so only its value is in question:
    both of the judge's looks and one more witness must agree. Dice that are hard to read need all four witnesses or
    very high trust."""

    def enough(c: Candidate, own: float) -> bool:
        if calibration is None:
            return c.witnesses[-1] or own >= BEYOND_DOUBT
        return c.borne_out and (not calibration.hard or all(c.witnesses) or own >= BEYOND_DOUBT)

    return np.array([own if enough(c, own) else 0.0 for c, own in zip(found, trust.tolist(), strict=True)])


def recognized(found: Sequence[Candidate], trust: Floats, presence: Floats, by: Rules, own: OwnDice) -> Floats:
    """The trust after the table's own dice have voted: a face that people confirmed with the same value makes a die
    sure, and one that they confirmed with another value puts it in doubt. Neither makes something else a die."""

    def voted(c: Candidate, trusted: float, present: float) -> float:
        vote = own.vote(c.face)
        if vote is None:
            return trusted
        if vote.value != c.value:
            return 0.0
        if present >= PRESENT and c.judge[NOTHING] < ABSENT and c.bad < FAULTY:
            return max(trusted, by.sure)
        return 0.0 if c.told else trusted  # what is trusted is the reader's value

    return np.array([voted(*each) for each in zip(found, trust.tolist(), presence.tolist(), strict=True)])


def _blurred(frame: Image, found: Sequence[Candidate], read: Floats, trust: Floats, by: Rules) -> list[bool]:
    """Which candidates are blurred. Only those are examined that owe it to the agreement of all witnesses or to a
    recognized face if they become sure."""
    halves = Halves(frame)

    def one(c: Candidate, before: float, after: float) -> bool:
        faint = by.known <= after < by.sure and all(c.witnesses)
        return (faint or after > before) and trouble.blurred(halves, box(c))

    return [one(*each) for each in zip(found, read.tolist(), trust.tolist(), strict=True)]


def _told(doubts: list[str]) -> str | None:
    more = [f"and {len(doubts) - MOST_TOLD} more"] if len(doubts) > MOST_TOLD else []
    return "; ".join([*doubts[:MOST_TOLD], *more]) or None


def parted(
    found: Sequence[Candidate],
    trust: Floats,
    presence: Floats,
    by: Rules,
    expect: int | None = None,
    kept: Sequence[bool] | None = None,
) -> tuple[list[Weighed], list[Weighed]]:
    """Split the candidates into those that are believed and those that are in doubt. Drop the rest."""
    aside = kept or [False] * len(found)
    every = list(starmap(Weighed, zip(found, trust.tolist(), presence.tolist(), aside, strict=True)))
    likely = [w for w in every if w.presence >= by.none]
    sure = [w for w in likely if _clear(w, by)]
    doubtful = [w for w in likely if not _clear(w, by)]
    if not expect:
        return sure, doubtful
    loose = sorted((w for w in every if not w.kept), key=lambda w: -w.trust)
    if _stand_out(loose[:expect], loose[expect:], by, expect):
        return [w for w in sure if w.kept] + loose[:expect], [w for w in doubtful if w.kept]
    # If some dice are missing, the best of the dropped candidates may be the missing ones, and people can look at them.
    missing = expect - sum(not w.kept for w in likely)
    dropped = [w for w in loose if w.presence < by.none] if sure else []
    return sure, doubtful + dropped[: max(0, missing)]


def _clear(w: Weighed, by: Rules) -> bool:
    return w.trust >= by.sure or (w.trust >= by.agreed and all(w.candidate.witnesses))


def _stand_out(best: Sequence[Weighed], rest: Sequence[Weighed], by: Rules, expect: int) -> bool:
    """Whether the best candidates must be the expected dice: they are probably dice and clearly better than the rest,
    and the witnesses agree on their values."""
    if len(best) < expect:
        return False
    weakest = best[-1].trust
    agreed = all(w.presence >= PRESENT and (w.trust >= by.sure or all(w.candidate.witnesses)) for w in best)
    apart = all(w.trust <= by.gap * weakest and w.presence < FAINT_DOUBT for w in rest)
    return agreed and apart and weakest >= by.known


def _possible(sure: Sequence[Weighed], doubtful: Sequence[Weighed], expect: int | None) -> list[Weighed]:
    """The doubtful candidates that may be dice. If the number of dice is known, these are the best, and the others must
    be something else."""
    if expect is None:
        return list(doubtful)
    room = max(0, expect - sum(not w.kept for w in sure))
    loose = sorted((w for w in doubtful if not w.kept), key=lambda w: -w.trust)
    return [w for w in doubtful if w.kept] + loose[:room]


def die(w: Weighed, sure: bool) -> Die:
    c = w.candidate
    return Die(c.value, (c.x, c.y), box(c), w.trust, sure, w.kept)


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
