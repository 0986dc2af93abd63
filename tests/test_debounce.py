"""Debouncing reports each intended press once and quickly. The patterns are edges as seen by a logic analyser."""

from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.devices.debounce import FIRM, Debounce

SETTLE = 0.025
Edges = list[tuple[float, int]]  # (milliseconds, level); level 1 is down
Changes = list[tuple[float, int]]  # (milliseconds, change); 1 is a press


def reported(edges: Edges, until: float, settle: float = SETTLE, down: bool = False, ask_every: float = 0) -> Changes:
    """All changes reported up to the time `until`. The line is polled at that time and, if `ask_every` is not 0,
    also every `ask_every` milliseconds before it."""
    line = Debounce(settle, down)
    moments = [(at, level) for at, level in edges]
    if ask_every:
        moments += [(number * ask_every, None) for number in range(ceil(until / ask_every))]
    changes = []
    for at, level in sorted(moments, key=lambda moment: moment[0]):
        changes += line.due(at / 1000) if level is None else line.edge(bool(level), at / 1000)
    changes += line.due(until / 1000)
    return [(round(change.at * 1000, 3), int(change.down)) for change in changes]


def chatter(until: int, step: int) -> Edges:
    """Alternating edges, `step` milliseconds apart."""
    return [(at, 1 - number % 2) for number, at in enumerate(range(0, until, step))]


PATTERNS: dict[str, tuple[Edges, Changes]] = {
    "clean": ([(0, 1), (120, 0)], [(3, 1), (123, 0)]),
    "5 ms of bouncing at both ends": (
        [(0, 1), (0.3, 0), (0.7, 1), (1.9, 0), (2.4, 1), (4.1, 0), (4.9, 1),
         (95, 0), (95.2, 1), (96.8, 0), (97.3, 1), (99.9, 0)],
        [(7.9, 1), (102.9, 0)],
    ),
    "18 ms of ringing": (
        [(0, 1), (3.4, 0), (4, 1), (6.2, 0), (9.5, 1), (10, 0), (14.2, 1), (15, 0), (15.4, 1), (17.2, 0), (18, 1),
         (140, 0), (143.6, 1), (144.1, 0), (148, 1), (151.7, 0), (152, 1), (157.9, 0)],
        [(3, 1), (143, 0)],
    ),
    "a slow release with scraping contacts": (
        [(0, 1), (0.2, 0), (0.4, 1), (200, 0), (204, 1), (216, 0), (221, 1), (238, 0), (239, 1), (255, 0)],
        [(3.4, 1), (203, 0)],
    ),
    "a second contact that is stable is a second press": (
        [(0, 1), (200, 0), (204, 1), (240, 0)],
        [(3, 1), (203, 0), (232, 1), (243, 0)],
    ),
    "a tap shorter than the settle time": ([(0, 1), (15, 0)], [(3, 1), (43, 0)]),
    "two taps as quick as fingers can be": (
        [(0, 1), (1, 0), (2, 1), (45, 0), (46, 1), (47, 0), (90, 1), (91, 0), (92, 1), (135, 0)],
        [(5, 1), (50, 0), (95, 1), (138, 0)],
    ),
    "glitches of up to 2 ms": ([(0, 1), (0.1, 0), (20, 1), (22, 0), (23, 1), (24.5, 0), (400, 1), (402, 0)], []),
    "mains hum in the wire": (
        [(at + part, 1 - part) for at in range(0, 2000, 10) for part in (0, 1)],
        [],
    ),
    "a press during mains hum": (
        [(0, 1), (1, 0), (10, 1), (11, 0), (20, 1), (120, 0), *((at + part, 1 - part) for at in range(130, 300, 10)
         for part in (0, 1)), (300, 1), (400, 0)],
        [(23, 1), (123, 0), (303, 1), (403, 0)],
    ),
    "endless chatter: one press that is released again": (chatter(3000, 5), [(3, 1), (500, 0)]),
    "chatter too fast for any stable level": (chatter(3000, 1), []),
    "chatter in a held button": (
        [(0, 1)] + [(1000 + at, level) for at, level in [(n, n % 2) for n in range(1000)]],
        [(3, 1), (1500, 0)],
    ),
    "stuck down": ([(0, 1)], [(3, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_gives_the_intended_presses(name):
    edges, meant = PATTERNS[name]
    assert reported(edges, until=5000) == meant


@pytest.mark.parametrize("name", PATTERNS)
def test_frequent_polling_makes_no_difference(name):
    edges, meant = PATTERNS[name]
    assert reported(edges, until=5000, ask_every=0.7) == meant


@pytest.mark.parametrize("name", PATTERNS)
def test_simultaneous_buttons_are_independent(name):
    edges, meant = PATTERNS[name]
    roll, end = Debounce(SETTLE), Debounce(SETTLE)
    changes = []
    for at, level in edges:
        changes += [("roll", c) for c in roll.edge(bool(level), at / 1000)]
        changes += [("end", c) for c in end.edge(bool(level), at / 1000)]
    for line, button in (("roll", roll), ("end", end)):
        changes += [(line, c) for c in button.due(5)]
        assert [(round(c.at * 1000, 3), int(c.down)) for name, c in changes if name == line] == meant


def test_a_button_down_at_the_start_is_ignored_until_it_has_been_up_and_stable():
    assert reported([(1000, 0)], until=5000, down=True) == []
    assert reported([(1000, 0), (1010, 1)], until=5000, down=True) == []
    assert reported([(1000, 0), (1010, 1), (1300, 0), (1400, 1), (1500, 0)], until=5000, down=True) == [
        (1403, 1),
        (1503, 0),
    ]


def test_after_chatter_a_button_works_again_once_it_has_been_up_and_stable():
    restless = chatter(1000, 5)
    assert restless[-1] == (995, 0)
    assert reported([*restless, (1015, 1)], until=5000) == [(3, 1), (500, 0)]
    assert reported([*restless, (1100, 1), (1200, 0)], until=5000) == [(3, 1), (500, 0), (1103, 1), (1203, 0)]


def test_a_change_is_reported_exactly_when_due():
    line = Debounce(SETTLE)
    assert line.next_due is None
    assert line.edge(True, 7.0) == []
    moment = line.next_due
    assert moment == 7.0 + FIRM
    assert line.due(moment - 1e-6) == []
    assert line.due(moment) == [(True, moment)]
    assert line.down


def test_a_resting_button_needs_no_polling():
    line = Debounce(SETTLE)
    line.edge(True, 0)
    line.due(1)
    assert line.next_due is None
    line.edge(False, 2)
    line.due(3)
    assert line.next_due is None


def test_a_clock_that_goes_back_is_harmless():
    line = Debounce(SETTLE)
    changes = [*line.edge(True, 5.0), *line.due(5.1), *line.edge(False, 4.0), *line.due(4.5), *line.due(6.0)]
    assert [change.down for change in changes] == [True, False]
    assert changes[0].at < changes[1].at


ANY_EDGES = st.lists(
    st.tuples(st.one_of(st.floats(0.01, 6), st.floats(6, 60), st.floats(60, 900)), st.booleans()), max_size=60
)


def timed(gaps: list[tuple[float, bool]]) -> Edges:
    at, edges = 0.0, []
    for gap, level in gaps:
        at += gap
        edges.append((at, int(level)))
    return edges


@given(ANY_EDGES, st.sampled_from([0.005, 0.025, 0.1]), st.booleans())
def test_any_edges_give_consistent_changes(gaps, settle, down):
    """Presses and releases alternate, and presses are at least the settle time apart. If the button is up at the end,
    the last change is a release. Polling more often makes no difference."""
    edges = timed(gaps)
    end = (edges[-1][0] if edges else 0) + 10_000
    changes = reported(edges, end, settle, down)
    assert [level for _, level in changes] == [1 - number % 2 for number in range(len(changes))]
    assert changes == sorted(changes, key=lambda change: change[0])
    presses = [at for at, level in changes if level]
    assert all(later - sooner >= settle * 1000 - 0.01 for sooner, later in pairwise(presses))
    last = edges[-1][1] if edges else down
    if not last:
        assert not changes or changes[-1][1] == 0
    assert reported(edges, end, settle, down, ask_every=50) == changes


@given(st.lists(st.floats(0.05, 2.9), min_size=1, max_size=60))
def test_a_series_of_glitches_is_never_a_press(gaps):
    edges = timed([(gap, number % 2 == 0) for number, gap in enumerate(gaps)])
    if edges[-1][1]:
        edges.append((edges[-1][0] + 1, 0))
    assert reported(edges, until=5000) == []


@given(
    st.lists(st.floats(0.05, 5), max_size=12).filter(lambda gaps: len(gaps) % 2 == 0 and sum(gaps) < 20),
    st.lists(st.floats(0.05, 5), max_size=12).filter(lambda gaps: len(gaps) % 2 == 0 and sum(gaps) < 20),
)
def test_a_press_that_bounces_at_both_ends_is_one_prompt_press_and_one_prompt_release(first, last):
    gaps = [(50, True), *((gap, bool(number % 2)) for number, gap in enumerate(first))]
    gaps += [(100, False), *((gap, not number % 2) for number, gap in enumerate(last))]
    edges = timed(gaps)
    changes = reported(edges, until=5000)
    assert [level for _, level in changes] == [1, 0]
    released = edges[1 + len(first)][0]
    assert 53 <= changes[0][0] <= 50 + sum(first) + 3.001
    assert released + 2.999 <= changes[1][0] <= released + sum(last) + 3.001


def test_the_time_limit_for_chatter_grows_with_the_settle_time():
    assert reported(chatter(4000, 30), until=10_000, settle=0.1) == [(3, 1), (2000, 0)]
