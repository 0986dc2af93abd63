"""Several frames of the same dice: how their votes are added up, and when the reading is certain."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV runs the networks")

from vision import evidence  # noqa: E402
from vision.places import agree  # noqa: E402
from vision.reader import Look  # noqa: E402
from vision.reading import Box, Die, Reading  # noqa: E402
from vision.scoring import Candidate  # noqa: E402


def reading(*dice: tuple[int, float, float]) -> Reading:
    return Reading(tuple(Die(v, (x, y), Box((x, y), (30, 30), 0), 0.9) for v, x, y in dice), "ok")


def candidate(value: int, x: float, chance: float = 0.9) -> Candidate:
    finder, judge = np.full(7, 0.01, np.float32), np.full(10, (1 - chance) / 9, np.float32)
    finder[value - 1] = judge[value] = chance
    return Candidate(x, 50.0, 30.0, 0.0, finder, 1.0, judge, judge)


def test_readings_agree_if_every_die_has_the_same_value_and_place() -> None:
    one = reading((3, 50, 50), (3, 90, 50), (6, 200, 100))
    assert agree(one, reading((6, 205, 100), (3, 92, 50), (3, 50, 51)))
    assert not agree(one, reading((3, 50, 50), (3, 90, 50), (5, 200, 100)))
    assert not agree(one, reading((3, 50, 50), (3, 90, 50), (6, 211, 100)))
    assert not agree(one, reading((3, 50, 50), (6, 200, 100)))
    assert not agree(reading((3, 50, 50), (6, 200, 100)), one)
    assert agree(reading(), reading())


def test_looks_at_a_die_are_averaged_and_a_look_that_misses_it_counts_against_it() -> None:
    seen, faint, beside = candidate(5, 50), candidate(5, 54, 0.5), candidate(2, 90)
    both = evidence.together([[seen, beside], [faint], [beside]])
    assert [c.value for c in both] == [5, 2]
    five, two = both
    assert five.finder[4] == pytest.approx((0.9 + 0.5) / 3) and five.share == pytest.approx(2 / 3)
    assert 0.5 < five.among[5] < 0.9 and five.among.sum() == pytest.approx(1)
    assert two.finder[1] == pytest.approx(0.6)


def test_a_value_is_certain_after_two_looks_or_after_three_if_an_earlier_one_differed() -> None:
    three, four, nothing = Look([candidate(3, 50)]), Look([candidate(4, 50)]), Look([])
    dice = reading((3, 50, 50)).dice
    assert not evidence.certain(dice, [three])
    assert evidence.certain(dice, [three, three])
    assert not evidence.certain(dice, [four, three, three])
    assert evidence.certain(dice, [four, three, three, three])
    assert not evidence.certain(dice, [three, three, nothing])
