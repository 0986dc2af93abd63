"""Dice rolled into calibrated trays, filmed and read: a small part of `python -m tests.soak.rolls`.

It makes a few rolls in each of several trays, because readings vary more between trays than between rolls. Then: which
dice of a film count as rolled, if the tray never came to rest without dice.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from tests.soak import rolls
from tests.soak.rolls import Outcome, judged, line_of, missed, names, play, tray_of
from vision import simulated
from vision.reading import OK, UNSURE, Box, Die, Reading
from vision.render import FAULTS, fixed, placing
from vision.render.scene import Image, Scene
from vision.rolls import Rolled, Rolls
from vision.settle import EMPTY, MOVING, SETTLED, Seen, Settle

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


def die(value: int, x: float) -> Die:
    return Die(value, (x, 50.0), Box((x, 50.0), (40.0, 40.0), 0.0), 0.99)


def asked(*dice: Die) -> Rolls:
    """These dice lie in the tray, and a roll is requested."""
    rolls = Rolls()
    rolls.see(Seen(EMPTY, None, True))
    land(rolls, *dice)
    rolls.ask(1)
    return rolls


def land(rolls: Rolls, *dice: Die, taken: tuple[Die, ...] = ()) -> Rolled | None:
    """Something moves, and then these dice lie in the tray. `taken` were taken while it moved."""
    rolls.see(Seen(MOVING, None, True))
    return rolls.see(Seen(SETTLED, Reading(dice, OK), True, taken=taken))


def test_a_single_die_that_was_seen_to_be_taken_may_land_close_by_with_the_same_value() -> None:
    assert (told := land(asked(die(3, 100)), die(3, 130), taken=(die(3, 100),))) and told.sure
    assert (told := land(asked(die(3, 100)), die(3, 100), taken=(die(3, 100),))) and told.sure
    assert (told := land(asked(die(3, 100)), die(3, 130))) and not told.sure, "it may have been pushed"


def test_dice_that_were_seen_to_be_taken_may_have_the_same_values() -> None:
    before = die(3, 100), die(4, 200)
    assert (told := land(asked(*before), die(4, 120), die(3, 300), taken=before)) and told.sure
    assert (told := land(asked(*before), die(4, 120), die(3, 300))) and not told.sure


def test_a_die_that_was_not_taken_is_uncertain_wherever_it_lies() -> None:
    before = die(3, 100), die(4, 200)
    told = land(asked(*before), die(4, 200), die(3, 300), taken=before[:1])
    assert told and [one.value for one in told.stayed] == [4]
    told = land(asked(*before), die(4, 240), die(3, 300), taken=before[:1])
    assert told and not told.sure, "the die that was not taken was pushed"


def test_dice_are_taken_one_after_the_other() -> None:
    before = die(3, 100), die(4, 200)
    rolls = asked(*before)
    assert land(rolls, before[1], taken=before[:1]) is None, "one die is in the hand"
    told = land(rolls, die(4, 240), die(3, 300), taken=before[1:])
    assert told and told.sure


@pytest.mark.parametrize("beside", [(), (replace(die(5, 20), kept=True),)], ids=["nothing", "a kept die"])
def test_dice_that_were_taken_are_remembered_while_no_loose_die_is_seen(beside: tuple[Die, ...]) -> None:
    before = die(3, 100), die(4, 200)
    rolls = Rolls()
    rolls.see(Seen(EMPTY, None, True))
    land(rolls, *before)
    rolls.ask(1, lifted=True)
    rolls.see(Seen(MOVING, None, True))
    unsure = Reading(beside, UNSURE, "blurred")
    assert rolls.see(Seen(SETTLED, unsure, True, taken=before)) is None, "a cup stands on the table"
    told = land(rolls, die(4, 120), die(3, 300))
    assert told and told.sure


FAST = 25  # frames per second


def told_at_end(films: Iterator[tuple[bool, Iterator[Image]]], table: fixed.SetUp) -> Rolled | None:
    """The roll that is told after the request. Films after the request are marked with True."""
    settle, rolls, number = Settle(simulated.calibration(table)), Rolls(), 0
    told = None
    for requested, frames in films:
        if requested and rolls.number is None:
            rolls.ask(1)
        for frame in frames:
            told = rolls.see(settle.see(frame, number / FAST)) or told
            number += 1
    return told


@cache
def one_die() -> tuple[fixed.SetUp, Scene, Scene]:
    """A table, and a die in it before and after a throw, close by and with the same value."""
    rng = np.random.default_rng(21)
    table = fixed.set_up(rng, (320, 240))
    before = fixed.roll(rng, table, 1).scene
    one = before.dice[0]
    for way in np.linspace(0, 2 * np.pi, 12):
        x, y = (float(part) for part in 0.8 * one.size * np.array([np.cos(way), np.sin(way)]))
        moved = replace(one, centre=(one.centre[0] + x, one.centre[1] + y, one.centre[2]))
        after = replace(before, dice=(moved,))
        if placing.in_tray(table.floor, moved) and all(fixed.legible(table, after)):
            return table, before, after
    raise AssertionError("the die has no room")


def thrown(between: Iterator[Image]) -> Rolled | None:
    """The die lies in the tray, `between` is shown after the request, and then it lies close by."""
    rng = np.random.default_rng(3)
    table, before, after = one_die()

    def films() -> Iterator[tuple[bool, Iterator[Image]]]:
        yield False, islice(fixed.lying(rng, table, table.stage), 20)
        yield False, islice(fixed.lying(rng, table, before), 20)
        yield True, between
        yield True, islice(fixed.lying(rng, table, after), 20)

    return told_at_end(films(), table)


def test_a_die_that_is_taken_and_thrown_at_once_is_rolled() -> None:
    rng = np.random.default_rng(4)
    table, before, after = one_die()

    def taken() -> Iterator[Image]:
        yield from fixed.taking(rng, table, before)
        yield from islice(fixed.lying(rng, table, table.stage), 3)
        yield from fixed.flying(rng, table, after, 5)

    told = thrown(taken())
    assert told and told.sure and told.reading.values == tuple(sorted(one.value for one in after.dice))


def test_a_die_that_is_pushed_is_not_rolled() -> None:
    rng = np.random.default_rng(5)
    table, before, after = one_die()

    def pushed() -> Iterator[Image]:
        (x, y, z), (to_x, to_y, _) = before.dice[0].centre, after.dice[0].centre
        for part in np.linspace(0, 1, 8):
            there = replace(before.dice[0], centre=(x + float(part) * (to_x - x), y + float(part) * (to_y - y), z))
            yield next(fixed.lying(rng, table, replace(before, dice=(there,))))

    told = thrown(pushed())
    assert told is None or not told.sure


def test_a_die_that_a_hand_moves_without_leaving_is_not_rolled() -> None:
    rng = np.random.default_rng(6)
    table, before, after = one_die()
    told = thrown(fixed.taking(rng, table, before, left=after.dice))
    assert told is None or not told.sure
