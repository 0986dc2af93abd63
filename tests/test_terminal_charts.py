"""Charts in a terminal, compared exactly, at three window widths and with encodings that lack their characters."""

import io
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.text.catalogue import Catalogue
from table.text.numbers import percent
from table.ui.terminal import charts, draw
from table.ui.terminal.screen import Screen

LOADED = (1610, 1588, 1632, 1655, 1601, 2914)
STANDING = [
    ("Ann", [0.0, 500.0, 1200.0, 2500.0, 9900.0]),
    ("猫", [0.0, 50.0, None, None, None, None]),
    ("Bo", [0.0, 0.0, 3000.0, 6000.0, 8000.0, 10000.0]),
]
CLIMB = [(0.25 + place / 80 - (0.2 if place % 13 == 5 else 0), place % 13 == 5) for place in range(40)]

AXIS = ("100%", "50%", "0%")

Draw = Callable[[Screen], None]


def faces(screen: Screen, counts: Sequence[int], band: tuple[float, float] | None, suspect: int = 0) -> None:
    shares = [percent(count / max(1, sum(counts)), Catalogue(), 1) for count in counts]
    charts.faces(screen, counts, shares, band, suspect)


def shown(chart: Draw, columns: int, encoding: str = "utf-8") -> list[str]:
    """The lines of a chart in a window of this width, on an output with this encoding."""
    written = io.TextIOWrapper(io.BytesIO(), encoding, newline="\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        chart(Screen(io.StringIO(), written))
    written.flush()
    return written.buffer.getvalue().decode(encoding).splitlines()


DRAWN: dict[str, Draw] = {
    "faces": lambda screen: faces(screen, LOADED, (0.157, 0.177), suspect=6),
    "chances": lambda screen: charts.chances(screen, 0.25, CLIMB, 1.0, AXIS),
    "series": lambda screen: charts.series(screen, STANDING),
    "long series": lambda screen: charts.series(
        screen, [("Ann", [float(each) for each in range(200)]), ("Maximiliano the Second", [199.0] * 50)]
    ),
}

TEXTS = {
    ("faces", 40): """\
                               1/6
  1  1610  14.6%  ━━━━━━━━━━━━ ─│
  2  1588  14.4%  ━━━━━━━━━━━━ ─│
  3  1632  14.8%  ━━━━━━━━━━━━ ─│
  4  1655  15.0%  ━━━━━━━━━━━━ ─│
  5  1601  14.6%  ━━━━━━━━━━━━ ─│
▸ 6  2914  26.5%  ━━━━━━━━━━━━━━│━━━━━━━""",
    ("faces", 80): """\
                                    1/6
  1  1610  14.6%  ━━━━━━━━━━━━━━━━━ ─│
  2  1588  14.4%  ━━━━━━━━━━━━━━━━  ─│
  3  1632  14.8%  ━━━━━━━━━━━━━━━━━ ─│
  4  1655  15.0%  ━━━━━━━━━━━━━━━━━ ─│
  5  1601  14.6%  ━━━━━━━━━━━━━━━━  ─│
▸ 6  2914  26.5%  ━━━━━━━━━━━━━━━━━━━│━━━━━━━━━━""",
    ("chances", 40): """\
 100%│                                █
     │                                █
     │                           ▄▄▄▄██
     │                   ▄▄▄▄██ ███████
  50%│           ▄▄▄▄ █████████▄███████
     │   ▄▄ ▄████████ █████████████████
     │█████ ███████████████████████████
     │█████████████████████████████████
   0%╰─────────────────────────────────
           ▾         ▾         ▾""",
    ("chances", 80): """\
 100%│                                         █
     │                                         █
     │                                  ▄▄▄▄▄███
     │                        ▄▄▄▄▄███ █████████
  50%│              ▄▄▄▄▄ ████████████▄█████████
     │    ▄▄ ▄▄██████████ ██████████████████████
     │██████ ███████████████████████████████████
     │██████████████████████████████████████████
   0%╰──────────────────────────────────────────
            ▾            ▾            ▾""",
    ("series", 40): """\
Ann  ▁▁▂▃█·   9900
猫   ▁▁····     50
Bo   ▁▁▃▆▇█  10000""",
    ("series", 80): """\
Ann  ▁▁▂▃█·   9900
猫   ▁▁····     50
Bo   ▁▁▃▆▇█  10000""",
    ("long series", 40): """\
Ann           ▁▂▂▂▂▃▃▃▅▅▅▅▆▆▆▇▇▇▇██  199
Maximiliano…  █████················  199""",
    ("long series", 80): """\
Ann                     ▁▁▁▁▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▃▃▅▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▇▇▇▇▇▇▇▇█████  199
Maximiliano the Second  █████████████······································  199""",
}


@pytest.mark.parametrize(("name", "columns"), TEXTS)
def test_a_chart_is_drawn_exactly(name: str, columns: int) -> None:
    assert "\n".join(shown(DRAWN[name], columns)) == TEXTS[name, columns]


@pytest.mark.parametrize("name", DRAWN)
def test_charts_do_not_grow_beyond_the_width_of_a_page(name: str) -> None:
    """Longer lines would be hard to read."""
    assert "\n".join(shown(DRAWN[name], 120)) == TEXTS[name, 80]


@pytest.mark.parametrize("name", DRAWN)
def test_charts_use_plain_signs_where_the_encoding_lacks_others(name: str) -> None:
    plain, fine = (shown(DRAWN[name], 60, encoding) for encoding in ("ascii", "utf-8"))
    assert len(plain) == len(fine) and "\n".join(plain).replace("?", "").isascii()
    assert "\n".join(plain).count("?") == "\n".join(fine).count("猫")


def test_each_step_has_its_own_plain_sign() -> None:
    plain = charts.STEPS.translate(draw.ASCII)
    assert plain.isascii() and len(set(plain)) == len(charts.STEPS) == len(plain)


def test_a_die_that_was_never_rolled_has_no_share() -> None:
    assert shown(lambda screen: faces(screen, (0,) * 6, None), 40)[1] == "  1  0  -                          │"


def test_a_face_that_was_never_rolled_has_no_bar() -> None:
    lines = shown(lambda screen: faces(screen, (7, 0, 0, 0, 0, 0), None), 80)
    assert [line.count("━") for line in lines[1:]] == [29, 0, 0, 0, 0, 0]  # one of the 29 is the line at one sixth


def test_a_face_twice_as_frequent_has_a_bar_twice_as_long() -> None:
    lines = shown(lambda screen: faces(screen, (100, 200, 100, 200, 200, 200), None), 80)
    first, second = (len(line.partition("%  ")[2].replace(" ", "").rstrip("│")) for line in lines[1:3])
    assert second == 2 * first


def test_a_suspect_face_has_an_arrow() -> None:
    lines = shown(lambda screen: faces(screen, LOADED, None, suspect=6), 80)
    assert [line.startswith("▸") for line in lines] == [False] * 6 + [True]


def test_the_last_games_are_a_row_of_marks_with_the_oldest_on_the_left() -> None:
    assert charts.dots([False, True, True, False], 10) == "○●●○"
    assert charts.dots([False, True, True, False], 2) == "●○"
    assert charts.dots([], 10) == charts.dots([True], 0) == ""


def test_nothing_is_drawn_without_any_value() -> None:
    assert shown(lambda screen: charts.series(screen, [("Ann", [None, None]), ("Bo", [])]), 80) == []


def test_a_column_of_several_decisions_is_marked_if_one_of_them_was_a_mistake() -> None:
    points = [(0.4, True), (0.5, False)] * 33
    assert shown(lambda screen: charts.chances(screen, 0.5, points, 1.0, AXIS), 40)[-1].count("▾") == 33


def test_a_game_without_mistakes_has_no_line_of_marks() -> None:
    lines = shown(lambda screen: charts.chances(screen, 0.5, [(0.6, False)], 1.0, AXIS), 80)
    assert lines[-1] == "   0%╰─────────"


chances = st.floats(0, 1)


@given(
    columns=st.integers(40, 130),
    counts=st.lists(st.integers(0, 10**7), min_size=6, max_size=6),
    band=st.none() | st.tuples(st.floats(0, 0.16), st.floats(0.17, 1)),
    points=st.lists(st.tuples(chances, st.booleans()), max_size=300),
    values=st.lists(st.lists(st.none() | st.integers(-(10**5), 10**5).map(float), max_size=120), max_size=10),
    name=st.text(st.characters(categories=("L", "So")), min_size=1, max_size=40),
)
def test_no_line_is_wider_than_the_window(
    columns: int,
    counts: list[int],
    band: tuple[float, float] | None,
    points: list[tuple[float, bool]],
    values: list[list[float | None]],
    name: str,
) -> None:
    def everything(screen: Screen) -> None:
        faces(screen, counts, band, suspect=3)
        charts.chances(screen, 0.5, points, 0.0, AXIS)
        charts.series(screen, [(name, each) for each in values])

    for line in shown(everything, columns):
        assert draw.width_of(line) <= columns, line
