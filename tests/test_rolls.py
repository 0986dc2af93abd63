"""Dice rolled into calibrated trays, filmed and read: a small part of `python -m tests.soak.rolls`.

It makes a few rolls in each of several trays, because readings vary more between trays than between rolls.
"""

from functools import cache

import pytest

from tests.soak import rolls
from tests.soak.rolls import Outcome, judged, line_of, missed, names, play, tray_of
from vision.reading import Box, Die, Reading
from vision.render import FAULTS

pytestmark = pytest.mark.ground
TRAYS = 3
CLEAR, FAULTY = 4, 2  # rolls per tray, without and with a fault; together they have every fault


@cache
def played(number: int) -> list[Outcome]:
    there = names(number, TRAYS * rolls.ROLLS, TRAYS * rolls.FAULTY)
    return play([*there[:CLEAR], *there[rolls.ROLLS :][:FAULTY]])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(TRAYS))
def test_no_roll_is_read_wrong_and_sure(number: int) -> None:
    assert len(played(number)) == CLEAR + FAULTY
    assert [line_of(o) for o in played(number) if o.verdict == "wrong"] == []


def test_most_rolls_are_read() -> None:
    """The soak test requires nearly all of a thousand; this one only notices a large regression."""
    clear = [o for number in range(TRAYS) for o in played(number) if o.name[0] != "f"]
    unsure = [line_of(o) for o in clear if o.verdict == "unsure"]
    assert len(clear) == TRAYS * CLEAR
    assert len(unsure) <= 0.4 * len(clear), "\n".join(unsure)


def test_the_rolls_include_every_fault() -> None:
    assert {o.fault for number in range(TRAYS) for o in played(number)} == {None, *FAULTS}


def test_every_roll_has_one_tray_and_is_played_once() -> None:
    every = [(tray_of(name), name) for number in range(3) for name in names(number, 45, 14)]
    assert [name for _, name in every if name[0] != "f"] == [str(n) for n in range(45)]
    assert [name for _, name in every if name[0] == "f"] == [f"f{n}" for n in range(14)]
    assert all(name in names(number, 45, 14) for number, name in every)


def reading(status: str, *values: int) -> Reading:
    dice = tuple(Die(v, (40.0 * k, 10.0), Box((40.0 * k, 10.0), (30, 30), 0), 0.9) for k, v in enumerate(values))
    return Reading(dice, status, None if status == "ok" else "blurred")


def test_a_sure_reading_that_differs_from_the_roll_is_wrong() -> None:
    assert judged(reading("ok", 5, 2), (2, 5), False) == "exact"
    assert judged(reading("ok", 5, 2), (2, 5), True) == "wrong", "read before the dice lay still"
    assert judged(reading("ok", 5), (2, 5), False) == "wrong"
    assert judged(reading("ok", 5, 3), (2, 5), False) == "wrong"
    assert judged(reading("unsure", 5, 3), (2, 5), False) == "unsure"
    assert judged(None, (2, 5), False) == "unsure"


def outcomes(exact: int, wrong: int = 0, unsure: int = 0, prefix: str = "") -> list[Outcome]:
    verdicts = ["exact"] * exact + ["wrong"] * wrong + ["unsure"] * unsure
    return [Outcome(f"{prefix}{n}", 0, None, (1,), verdict, (1,), None) for n, verdict in enumerate(verdicts)]


def test_the_target_is_199_of_200_exact_and_none_wrong_even_among_the_faulty_rolls() -> None:
    assert missed(outcomes(199, unsure=1) + outcomes(0, unsure=60, prefix="f")) == []
    assert len(missed(outcomes(198, unsure=2))) == 1
    assert len(missed(outcomes(199, wrong=1))) == 1
    assert len(missed(outcomes(200) + outcomes(50, wrong=1, prefix="f"))) == 1
