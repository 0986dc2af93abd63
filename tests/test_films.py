"""Films of a fixed camera in bad light: a small part of `python -m tests.soak.films`."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.soak.composed import CONDITIONS, FPS, Condition, Moment, Table, filmed, rendered, script
from tests.soak.films import Outcome, Watched, judged, lines, missed, watch
from vision.reader import read
from vision.reading import OK, Box, Die, Reading

pytestmark = pytest.mark.ground
THROWS = 2
MILDER = ("noise 1, MJPG", "flicker 3%", "sway 0.1", "sway 0.3")  # left to the soak, because the suite has worse ones
SEEDS = 40  # rendered tables to try


def clearly(one: Reading, values: tuple[int, ...]) -> bool:
    return one.status == OK and one.values == values and all(die.confidence > 0.9 for die in one.dice)


@cache
def table() -> Table:
    """A rendered table whose throws are clearly read from a single still, because these tests are about motion."""
    for seed in range(SEEDS):
        found = rendered(seed, 0, THROWS)
        rests = [(found.empty, ()), *((rest.image, rest.values) for rest in found.rests)]
        if all(clearly(read(image), values) for image, values in rests):
            return found
    raise AssertionError(f"none of {SEEDS} rendered tables is clearly read")


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition", [each for each in CONDITIONS if each.name not in MILDER], ids=lambda condition: condition.name
)
def test_each_throw_is_told_once(condition: Condition) -> None:
    film = watch(condition, table(), 1)
    assert [outcome.kind for outcome in film.outcomes] == ["once"] * THROWS
    assert film.strays == ()


def test_a_film_shows_each_throw_at_rest_and_ends_with_an_empty_table() -> None:
    condition = CONDITIONS[0]
    moments = script(np.random.default_rng(1), condition, THROWS)
    shown = list(filmed(np.random.default_rng(1), table(), condition, moments))
    assert len(shown) == len(moments)
    for throw, rest in enumerate(table().rests):
        still = [f for f, m in zip(shown, moments, strict=True) if m == Moment(throw, still=True)]
        assert len(still) > 0.5 * FPS
        assert all(np.abs(frame.astype(float) - rest.image).mean() < 3 for frame in still)
    assert np.abs(shown[-1].astype(float) - table().empty).mean() < 3


def die(value: int) -> Die:
    return Die(value, (40.0, 40.0), Box((40.0, 40.0), (30.0, 30.0), 0.0), 0.9)


def reading(status: str, *values: int) -> Reading:
    return Reading(tuple(die(value) for value in values), status)


def test_a_throw_counts_if_it_is_told_once_sure_and_right() -> None:
    assert judged([reading("ok", 2, 5)], (2, 5)) == "once"
    assert judged([], (2, 5)) == "missed"
    assert judged([reading("ok", 2, 5)] * 2, (2, 5)) == "again"
    assert judged([reading("unsure", 2, 5)], (2, 5)) == "unsure"
    assert judged([reading("unsure", 2, 4)], (2, 5)) == "unsure"
    assert judged([reading("ok", 2, 5), reading("ok", 2, 4)], (2, 5)) == "wrong"


def results(by_reader: bool = False, strays: int = 0, **kinds: int) -> Watched:
    outcomes = [Outcome("plain", "t", 0, (1,), kind, (), by_reader, 0.3) for kind, n in kinds.items() for _ in range(n)]
    return Watched(tuple(outcomes), ((1,),) * strays)


def test_the_targets_are_95_percent_none_wrong_and_none_told_again() -> None:
    assert missed([results(once=95, missed=5)]) == []
    assert len(missed([results(once=94, missed=6)])) == 2
    assert len(missed([results(once=96), results(by_reader=True, unsure=20)])) == 1, "stills are not read either"
    assert len(missed([results(once=99, wrong=1)])) == 1
    assert len(missed([results(once=99, again=1)])) == 1
    assert len(missed([results(once=100, strays=1)])) == 1


def test_the_report_counts_each_condition() -> None:
    head, plain, every, _ = lines([results(once=3, missed=1, strays=2)])
    assert head.split()[:3] == ["throws", "once", "again"]
    assert plain.split()[:7] == ["plain", "4", "3", "0", "1", "0", "0"] and every.split()[1:] == plain.split()[1:]
