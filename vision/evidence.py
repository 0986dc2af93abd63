"""Collects what several frames show of the same dice at rest, until the reading is certain.

Its one rule: a reading is sure only if at least two frames agree on every value, and all frames together leave no
doubt. Votes are averaged over the frames, because noise and small changes in the light cause other errors in each
frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision import decide, own_dice, reader
from vision.models import shipped
from vision.networks import Floats, Image
from vision.own_dice import NOTHING_LEARNED, OwnDice
from vision.reader import Look
from vision.reading import OK, UNSURE, Die, Doubt, Reading
from vision.scoring import Candidate

if TYPE_CHECKING:
    from vision.tray import Calibration

PATIENCE = 1.0  # seconds for which a reading may stay unsure before it is reported as unsure
FEWEST = 3  # frames before a reading is reported as unsure, if reading one frame takes very long
LATEST = 8  # frames that count, because dice or light may have changed since the first ones
WAVERS = "the reading changes from frame to frame"


class Evidence:
    """The frames of dice at rest. Pass each frame to `add`."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._looks: list[tuple[float, Look]] = []

    @property
    def last(self) -> float | None:
        """When the last frame was added."""
        return self._looks[-1][0] if self._looks else None

    def clear(self) -> None:
        self._looks = []

    def add(self, frame: Image, at: float, expect: int | None, own: OwnDice = NOTHING_LEARNED) -> Reading | None:
        """The reading, or None while it is not certain yet. After PATIENCE, it is reported even if it is unsure.

        The table's own dice vote only if the camera is calibrated or the number of dice is known. Otherwise, other
        things may lie there as well."""
        if self._calibration is None and expect is None:
            own = NOTHING_LEARNED
        self._looks.append((at, reader.look(frame, self._calibration, expect)))
        looks = [look for _, look in self._looks[-LATEST:]]
        late = len(looks) >= FEWEST and at - self._looks[0][0] >= PATIENCE
        if refused := looks[-1].refused:
            return refused if late else None
        usable = [look for look in looks if not look.refused]
        reading = concluded(frame, usable, self._calibration, expect, own)
        usable = [replace(look, found=own_dice.corrected(look.found, own)) for look in usable]
        if reading.status == OK and certain(reading.dice, usable):
            return reading
        if not late:
            return None
        # Dice that single frames contradict are marked unsure too, so that people who correct the reading check them.
        steady = tuple(replace(die, sure=die.sure and all(shows(look, die) for look in usable)) for die in reading.dice)
        if reading.status == OK:
            return Reading(steady, UNSURE, WAVERS, (Doubt("wavers"),))
        return replace(reading, dice=steady)


def concluded(
    frame: Image,
    looks: Sequence[Look],
    calibration: Calibration | None,
    expect: int | None,
    own: OwnDice = NOTHING_LEARNED,
) -> Reading:
    """The reading of all looks together; `frame` is the frame of the last one. Before a roll, there may be only kept
    dice: this is not reported as too few dice."""
    found, new = together([look.found for look in looks]), looks[-1].new
    reading = decide.reading(frame, found, shipped(), expect, calibration, new, own)
    if expect and all(die.kept for die in reading.dice):
        nothing = decide.reading(frame, found, shipped(), None, calibration, new, own)
        return nothing if all(die.kept for die in nothing.dice) else reading
    return reading


def certain(dice: Sequence[Die], looks: Sequence[Look]) -> bool:
    """Whether the last two looks show each die with its value, or the last three if an earlier one did not."""
    shown = [all(shows(look, die) for die in dice) for look in looks]
    enough = 2 if all(shown) else 3
    return len(shown) >= enough and all(shown[-enough:])


def shows(look: Look, die: Die) -> bool:
    """Whether the look shows this value at the die's place."""
    here = [c for c in look.found if math.dist((c.x, c.y), die.centre) < sum(die.box.size) / 6]
    return bool(here) and max(here, key=lambda c: c.clear).value == die.value


def together(looks: Sequence[list[Candidate]]) -> list[Candidate]:
    """The candidates of several looks at the same dice, with their votes averaged."""
    if len(looks) == 1:
        return looks[0]
    groups: list[list[Candidate]] = []
    for look in looks:
        left = list(groups)
        for c in look:
            near = [g for g in left if math.dist((g[-1].x, g[-1].y), (c.x, c.y)) < (g[-1].side + c.side) / 6]
            if near:
                group = min(near, key=lambda g: math.dist((g[-1].x, g[-1].y), (c.x, c.y)))
                group.append(c)
                left.remove(group)
            else:
                groups.append([c])
    return [_averaged(group, len(looks)) for group in groups]


def _averaged(group: Sequence[Candidate], looks: int) -> Candidate:
    """One candidate with the mean of the votes. A look that did not show it counts against it."""
    return replace(
        group[-1],
        finder=np.asarray(sum(c.finder for c in group) / looks, np.float32),
        share=sum(c.share for c in group) / looks,
        among=_mean([c.among for c in group]),
        alone=_mean([c.alone for c in group]),
        fits=np.asarray(np.mean([c.fits for c in group], axis=0), np.float32),
        face=np.asarray(np.mean([c.face for c in group], axis=0), np.float32),
    )


def _mean(chances: Sequence[Floats]) -> Floats:
    """The geometric mean of probabilities: the mean of the logits behind them."""
    mean = np.exp(np.mean(np.log(np.maximum(chances, 1e-6)), axis=0))
    return np.asarray(mean / mean.sum(), np.float32)
