"""Several frames of the same dice: how their votes are added up, and when the reading is certain."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV runs the networks")

from tests.dice import kept  # noqa: E402
from vision import evidence, read  # noqa: E402
from vision.evidence import FEWEST, PATIENCE, WAVERS, Evidence  # noqa: E402
from vision.networks import Image  # noqa: E402
from vision.places import agree  # noqa: E402
from vision.reader import Look  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Doubt, Reading  # noqa: E402
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


# Real frames


@cache
def picture(status: str) -> tuple[Image, Reading]:
    """The first kept picture of several dice that is read with this status."""
    readings = ((one.image, read(one.image)) for one in kept() if len(one.values) > 1)
    return next((image, reading) for image, reading in readings if reading.status == status)


def without(image: Image, die: Die) -> Image:
    """The picture without this die."""
    covered = np.zeros(image.shape[:2], np.uint8)
    (x, y), half = die.centre, 0.75 * die.box.size[0]
    covered[max(0, round(y - half)) : round(y + half), max(0, round(x - half)) : round(x + half)] = 1
    return np.asarray(cv2.inpaint(image, covered, 5, cv2.INPAINT_TELEA), np.uint8)


def test_a_clear_picture_is_certain_with_the_second_frame() -> None:
    image, expected = picture(OK)
    seen = Evidence()
    assert seen.add(image, 0.0, None) is None
    certain = seen.add(image, 0.1, None)
    assert certain and certain.status == OK and certain.values == expected.values


def test_an_unclear_picture_is_reported_only_after_a_while_with_the_reason() -> None:
    image, expected = picture(UNSURE)
    seen = Evidence()
    assert [seen.add(image, at, None) for at in (0.0, 0.4 * PATIENCE, 0.9 * PATIENCE)] == [None] * 3
    told = seen.add(image, PATIENCE, None)
    assert told and told.status == UNSURE and told.why == expected.why and told.doubts == expected.doubts


def test_an_unclear_picture_is_reported_only_after_a_few_frames_however_long_each_takes() -> None:
    image, _ = picture(UNSURE)
    seen = Evidence()
    assert [seen.add(image, 2 * PATIENCE * k, None) for k in range(FEWEST - 1)] == [None] * (FEWEST - 1)
    assert seen.add(image, 2 * PATIENCE * FEWEST, None)


def test_frames_that_contradict_each_other_are_reported_and_only_the_contradicted_die_is_unsure() -> None:
    image, clear = picture(OK)
    missing = clear.dice[-1]
    seen = Evidence()
    assert seen.add(without(image, missing), 0.0, None) is None
    assert seen.add(image, PATIENCE / 2, None) is None
    told = seen.add(image, PATIENCE, None)
    assert told and told.status == UNSURE and told.why == WAVERS and told.doubts == (Doubt("wavers"),)
    assert told.values == clear.values
    assert [die.centre for die in told.dice if not die.sure] == [pytest.approx(missing.centre, abs=5)]


def test_a_contradiction_is_settled_by_three_frames_that_agree() -> None:
    image, clear = picture(OK)
    seen = Evidence()
    assert seen.add(without(image, clear.dice[-1]), 0.0, None) is None
    told = [seen.add(image, 0.1 * k, None) for k in (1, 2, 3)]
    assert told[:2] == [None, None] and told[2] and told[2].status == OK and told[2].values == clear.values
