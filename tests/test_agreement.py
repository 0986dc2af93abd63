"""Several reads of the same dice: when they agree, and what is reported if they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.agreement import agree, verdict
from vision.reading import Box, Die, Reading

pytestmark = pytest.mark.ground


def reading(*dice: tuple[int, float, float]) -> Reading:
    return Reading(tuple(Die(v, (x, y), Box((x, y), (30, 30), 0), 0.9) for v, x, y in dice), "ok")


def test_readings_agree_if_every_die_has_the_same_value_and_place() -> None:
    one = reading((3, 50, 50), (3, 90, 50), (6, 200, 100))
    assert agree(one, reading((6, 205, 100), (3, 92, 50), (3, 50, 51)))
    assert not agree(one, reading((3, 50, 50), (3, 90, 50), (5, 200, 100)))
    assert not agree(one, reading((3, 50, 50), (3, 90, 50), (6, 211, 100)))
    assert not agree(one, reading((3, 50, 50), (6, 200, 100)))
    assert not agree(reading((3, 50, 50), (6, 200, 100)), one)
    assert agree(reading(), reading())


def test_a_verdict_takes_two_agreeing_reads_or_three_after_a_disagreement() -> None:
    three, four = reading((3, 50, 50)), reading((4, 50, 50))
    unsure = replace(three, status="unsure", why="blurred")

    def after(*reads: Reading) -> Reading | None:
        return verdict([(0.2 * k, r) for k, r in enumerate(reads)])

    assert after(three) is None and after(three, unsure) is None
    assert after(three, three) == three == after(unsure, three, three)
    assert after(four, three, three) is None and after(four, unsure, three, three) is None
    assert after(four, three, three, three) == three
    assert after(unsure, three, unsure, three, unsure) is None
    assert after(unsure, three, unsure, three, unsure, three) == unsure
    doubt = after(three, four, three, four, three, four)
    assert doubt is not None and doubt.status == "unsure" and doubt.why


def test_only_the_die_that_reads_differently_between_frames_is_in_doubt() -> None:
    beside = ((6, 200, 100), (2, 300, 100))
    three, four = reading((3, 50, 50), *beside), reading((4, 50, 50), *beside)
    unread = replace(four, status="unsure", dice=(*four.dice[:2], replace(four.dice[2], sure=False)))

    def doubtful(*reads: Reading) -> list[int]:
        told = verdict([(0.2 * k, r) for k, r in enumerate(reads)])
        assert told is not None and told.status == "unsure"
        return [die.value for die in told.dice if not die.sure]

    assert doubtful(three, four, three, four, three, four) == [4]
    assert doubtful(three, four, three, unread, three, unread) == [4, 2]
    assert doubtful(unread, unread, unread, unread, unread, unread) == [2]
    assert doubtful(three, reading(*beside), three, reading(*beside), three, reading(*beside)) == []
    assert doubtful(three, reading(*beside), three, reading(*beside), reading(*beside), three) == [3]
