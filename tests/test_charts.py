"""Charts on the table's screen: comparisons with reviewed pictures, and properties that every chart must have.

After changing a chart on purpose, `pytest tests/test_charts.py --rewrite-pictures` rewrites the pictures in
tests/charts. Look at them before you commit them.
"""

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
numpy = pytest.importorskip("numpy", reason="pictures are compared with it")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from pygame import Rect  # noqa: E402

from table.text.catalogue import Catalogue  # noqa: E402
from table.text.numbers import percent  # noqa: E402
from table.text.records.blocks import Bar, Block, Chances, Faces, Row, Rows, Series  # noqa: E402
from table.ui.kiosk import charts, frame, plot, records  # noqa: E402
from table.ui.kiosk.canvas import Canvas, Look  # noqa: E402
from table.ui.kiosk.layout import columns, inset, rows  # noqa: E402
from table.ui.kiosk.style import BAD, GOLD, NIGHT, SKY, Colour  # noqa: E402
from tests import compared  # noqa: E402
from tests.test_texts import faults_of  # noqa: E402
from tests.visit import Watched  # noqa: E402

FOLDER = Path(__file__).parent / "charts"
SAY = Catalogue()
NAMES = ("Ann", "Bo", "Dot", "Pip", "Maximiliano", "Cleo", "Inés", "Uwe", "Zoë", "Quentin")

Draw = Callable[[Canvas, Catalogue], None]


class Variant(NamedTuple):
    mark: str  # stands for this variant in the picture's file name
    size: tuple[int, int]
    language: str = "en"
    large_text: bool = False


VARIANTS = (
    Variant("480", (800, 480)),
    Variant("es-720", (1280, 720), "es"),
    Variant("large-1080", (1920, 1080), "es", large_text=True),
    Variant("large-480", (800, 480), "es", large_text=True),
)


# Pictured charts


def panels(canvas: Canvas, *across: int) -> list[Rect]:
    """Draw panels as on a page, and return the space inside them. `across` has the number of panels in each row."""
    canvas.background()
    gap, found = canvas.px(10), []
    for row, count in zip(rows(frame.room(canvas), len(across), gap), across, strict=True):
        for box in columns(row, count, gap):
            canvas.panel(box, NIGHT, 14, alpha=150)
            found.append(inset(box, canvas.px(12), canvas.px(10)))
    return found


def faces(counts: tuple[int, ...], band: tuple[float, float] = (0, 0), suspect: int = 0, say: Catalogue = SAY) -> Faces:
    shown = tuple(percent(count / max(1, sum(counts)), say, 1) for count in counts)
    return Faces("", counts, shown, band, suspect=suspect)


def chances(start: float, points: list[tuple[float, float, bool]], result: float, say: Catalogue = SAY) -> Chances:
    return Chances(start, tuple(points), result, tuple(percent(share, say) for share in (1, 0.5, 0)), "")


def dice_page(canvas: Canvas, say: Catalogue) -> None:
    fair, loaded, new, worn = panels(canvas, 3, 1)
    charts.faces(canvas, fair, faces((201, 187, 213, 195, 204, 200), (0.139, 0.195), say=say), say)
    charts.faces(canvas, loaded, faces((1610, 1588, 1632, 1655, 1601, 2914), (0.157, 0.177), suspect=6, say=say), say)
    charts.faces(canvas, new, faces((0, 0, 0, 0, 0, 0), say=say), say)
    charts.faces(
        canvas,
        worn,
        faces((1_234_567, 1_190_001, 1_250_000, 1_201_234, 1_222_222, 998_001), (0.165, 0.168), 6, say),
        say,
    )


def few_rolls(canvas: Canvas, say: Catalogue) -> None:
    one, few, large = panels(canvas, 2, 1)
    charts.faces(canvas, one, faces((0, 0, 7, 0, 0, 0), say=say), say)
    charts.faces(canvas, few, faces((4, 1, 0, 2, 8, 5), (0.0, 0.4), say=say), say)
    charts.faces(canvas, large, faces((12_345, 12_001, 6_003, 12_120, 12_222, 11_999), (0.159, 0.175), 3, say), say)


def in_records(canvas: Canvas, rect: Rect, *blocks: Block) -> None:
    """Draw blocks as the pages of the records do."""
    records.draw(canvas, rect, list(records.pieces(canvas, rect.width, blocks, SAY)))


def row(label: str, part: float, of: float = 1.0, theirs: float = 0.0) -> Row:
    return Row(label, (f"{part:.0%}",), bar=Bar(part, of, theirs))


def bar_page(canvas: Canvas, say: Catalogue) -> None:
    left, right, low = panels(canvas, 2, 1)
    in_records(canvas, left, Rows(tuple(row(name, (1 - at / 7) / 2, 1 - at / 9) for at, name in enumerate(NAMES[:6]))))
    in_records(canvas, right, Rows((row("Mexico", 0.5), row("Cacho", 0.31), row("Bluff", 0.02))))
    met = tuple(row(name, share, 1.0, 0.7 - share) for name, share in zip(NAMES, (0.5, 0.0, 0.7), strict=False))
    in_records(canvas, low, Rows((*met, row("At least three of a kind", 1.0), row("Nothing that scores", 0.0))))


def game(decisions: int) -> tuple[float, list[tuple[float, float, bool]]]:
    """A made-up, reproducible game with this many decisions."""
    chance, points, luck = 0.4, [], random.Random(decisions)
    for _ in range(decisions):
        before = min(0.97, max(0.06, chance + luck.gauss(0, 0.09)))
        slip = luck.random() < 0.2
        chance = max(0.02, before - luck.uniform(0.01, 0.12)) if slip else before
        points.append((before, chance, slip))
    return 0.4, points


def chance_page(canvas: Canvas, say: Catalogue) -> None:
    two, some, many = panels(canvas, 2, 1)
    charts.chances(canvas, two, chances(0.5, [(0.7, 0.55, True), (0.8, 0.8, False)], 1.0, say))
    charts.chances(canvas, some, chances(*game(24), 0.0, say))
    charts.chances(canvas, many, chances(*game(500), 1.0, say))


def standing(seats: int, rounds: int) -> Series:
    found, luck = [], random.Random(seats * rounds)
    for _ in range(seats):
        points, values = 0, []
        for _ in range(rounds):
            points += 50 * luck.randrange(12)
            values.append(float(points))
        found.append(tuple(values))
    return Series(NAMES[:seats], tuple(found), "")


def standing_page(canvas: Canvas, say: Catalogue) -> None:
    two, lives, ten = panels(canvas, 2, 1)
    charts.line(canvas, two, standing(2, 40), say)
    out = (3, 2, 2, 1, 0, None, None, None)
    values = ((3, 3, 3, 2, 2, 2, 2, 1), out, (3, 3, 2, 2, 2, 1, 1, 1))
    charts.line(canvas, lives, Series(("Ann", "Bo", "Dot"), values, ""), say)
    charts.line(canvas, ten, standing(10, 12), say)


def ten_seats(canvas: Canvas, say: Catalogue) -> None:
    (whole,) = panels(canvas, 1)
    charts.line(canvas, whole, standing(10, 25), say)


def dot_page(canvas: Canvas, say: Catalogue) -> None:
    (whole,) = panels(canvas, 1)
    for line, games in zip(rows(whole, 3), (5, 12, 60), strict=True):
        charts.dots(canvas, line, [place % 3 != 1 for place in range(games)])


SHEETS: dict[str, Draw] = {
    "faces": dice_page,
    "faces-few": few_rolls,
    "bars": bar_page,
    "chances": chance_page,
    "line": standing_page,
    "line-ten": ten_seats,
    "dots": dot_page,
}


# Comparison with the pictures


@pytest.fixture(autouse=True, scope="module")
def no_window() -> Iterator[None]:
    before = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.set_mode((8, 8))  # older pygame versions convert pictures only with a display
    yield
    pygame.quit()
    if before is None:
        del os.environ["SDL_VIDEODRIVER"]
    else:
        os.environ["SDL_VIDEODRIVER"] = before


PICTURES = [(name, variant) for name in SHEETS for variant in VARIANTS]
each_picture = pytest.mark.parametrize(
    ("name", "variant"), PICTURES, ids=[f"{name}.{variant.mark}" for name, variant in PICTURES]
)


def drawn(name: str, variant: Variant) -> Watched:
    canvas = Watched(pygame.Surface(variant.size, 0, 32), Look(variant.large_text))
    SHEETS[name](canvas, Catalogue(variant.language))
    return canvas


@each_picture
def test_every_chart_matches_its_picture(
    name: str, variant: Variant, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    file = FOLDER / f"{name}.{variant.mark}.png"
    surface = drawn(name, variant).surface
    if request.config.getoption("--rewrite-pictures"):
        compared.keep(surface, file)
    assert file.exists(), f"There is no {file.name}. Run this with --rewrite-pictures, look at it, and commit it."
    compared.hold(surface, file, tmp_path)


def test_every_picture_belongs_to_a_chart_and_all_are_small() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {f"{name}.{variant.mark}.png" for name, variant in PICTURES}
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 250_000


@each_picture
def test_every_text_is_complete_legible_and_clear_of_the_others(name: str, variant: Variant) -> None:
    found = list(faults_of(drawn(name, variant), moving=False))
    assert not found, "\n".join(["", *found])


# Properties of every chart

AROUND: Colour = (255, 0, 255)
shares = st.floats(0, 1)
wide, high = st.integers(120, 700), st.integers(70, 400)
words = st.text(max_size=30)
luck = st.tuples(shares, shares, st.booleans())
standings = st.lists(st.tuples(words, st.lists(st.none() | st.floats(-1e6, 1e6), max_size=60)), max_size=10)
bands = st.just((0.0, 0.0)) | st.tuples(st.floats(0, 0.16), st.floats(0.17, 1))
charts_drawn = st.one_of(
    st.tuples(
        st.just(charts.faces),
        st.builds(faces, st.tuples(*[st.integers(0, 10**7)] * 6), bands, st.integers(0, 6)),
        st.just(SAY),
    ),
    st.tuples(
        st.just(in_records),
        st.builds(Rows, st.lists(st.builds(row, words, shares, st.floats(0.01, 1)), min_size=1, max_size=9).map(tuple)),
    ),
    st.tuples(st.just(charts.chances), st.builds(chances, shares, st.lists(luck, max_size=300), shares)),
    st.tuples(
        st.just(charts.line),
        standings.map(lambda found: Series(tuple(name for name, _ in found), tuple(tuple(x) for _, x in found), "")),
        st.just(SAY),
    ),
    st.tuples(st.just(charts.dots), st.lists(st.booleans(), max_size=80)),
)


@given(chart=charts_drawn, width=wide, height=high, unit=st.sampled_from([1, 2]), large=st.booleans())
def test_nothing_is_drawn_outside_the_rectangle(
    chart: tuple[Callable[..., None], object], width: int, height: int, unit: int, large: bool
) -> None:
    canvas = Canvas(pygame.Surface((800 * unit, 480 * unit), 0, 32), Look(large))
    rect = Rect(40, 30, width * unit, height * unit)
    canvas.surface.fill(AROUND)
    chart[0](canvas, rect, *chart[1:])
    canvas.surface.fill(AROUND, rect)
    outside = (pygame.surfarray.array3d(canvas.surface) != AROUND).any(axis=2)
    assert not outside.any(), numpy.argwhere(outside)[[0, -1]]
    assert all(rect.contains(text.drawn) for text in canvas.texts if text.drawn.width)


def blank(width: int = 800, height: int = 480) -> Canvas:
    return Canvas(pygame.Surface((width, height), 0, 32))


def rows_of(canvas: Canvas, colour: Colour, x: int) -> list[int]:
    """The rows in which the pixel of column `x` has this colour."""
    return [y for y in range(canvas.area.height) if canvas.surface.get_at((x, y))[:3] == colour]


def columns_of(canvas: Canvas, colour: Colour, y: int) -> list[int]:
    return [x for x in range(canvas.area.width) if canvas.surface.get_at((x, y))[:3] == colour]


def runs(places: list[int]) -> int:
    """The number of runs of consecutive places."""
    return bool(places) + sum(b - a > 1 for a, b in pairwise(places))


# Faces


def heights(counts: tuple[int, ...], suspect: int = 0) -> list[int]:
    canvas, rect = blank(), Rect(20, 20, 240, 400)
    charts.faces(canvas, rect, faces(counts, suspect=suspect), SAY)
    found = []
    for face, cell in enumerate(columns(rect, 6, canvas.px(3)), 1):
        there = rows_of(canvas, BAD if face == suspect else GOLD, cell.centerx)
        found.append(max(there) - min(there) + 1 if there else 0)
    return found


def test_columns_are_proportional_to_the_counts() -> None:
    one, two, three, *_ = heights((100, 200, 300, 100, 100, 100))
    assert two == pytest.approx(2 * one, abs=1) and three == pytest.approx(3 * one, abs=1)


def test_a_face_never_rolled_has_no_column() -> None:
    assert heights((0, 0, 9, 0, 0, 0))[:2] == [0, 0] and heights((0,) * 6) == [0] * 6


def test_a_face_rolled_once_in_millions_has_a_column_and_is_not_labelled_zero() -> None:
    assert heights((1, *[10**6] * 5))[0] == 1
    canvas = blank()
    charts.faces(canvas, Rect(20, 20, 600, 300), faces((1, *[10**6] * 5)), SAY)
    assert [text.text for text in canvas.texts][:2] == ["<0.1%", "20.0%"]


def test_a_suspect_face_is_marked_by_more_than_its_colour() -> None:
    for counts in ((10, 10, 10, 10, 10, 30), (30, 30, 30, 30, 30, 5)):
        plain, marked = blank(), blank()
        rect = Rect(20, 20, 240, 400)
        charts.faces(plain, rect, faces(counts), SAY)
        charts.faces(marked, rect, faces(counts, suspect=6), SAY)
        x = columns(rect, 6, plain.px(3))[5].centerx
        mark, column = (range(min(ys), max(ys) + 1) for ys in split(rows_of(marked, BAD, x - 4)))
        assert mark[-1] < column[0] and len(mark) > 5


def split(places: list[int]) -> list[list[int]]:
    """Split the places into two lists, at the widest gap."""
    cut = max(range(1, len(places)), key=lambda at: places[at] - places[at - 1])
    return [places[:cut], places[cut:]]


def test_the_band_is_centred_on_one_sixth() -> None:
    canvas, rect = blank(), Rect(20, 20, 240, 400)
    canvas.surface.fill((0, 0, 0))
    charts.faces(canvas, rect, faces((0,) * 6, (0.1, 0.2)), SAY)
    shaded = [
        y for y in range(480) if canvas.surface.get_at((25, y))[2] > 60 and canvas.surface.get_at((25, y))[0] < 60
    ]
    line = [y for y in range(480) if min(canvas.surface.get_at((25, y))[:3]) > 200]
    assert max(shaded) - line[0] == pytest.approx(2 * (line[0] - min(shaded)), abs=3)


def test_percentages_have_tenths_where_there_is_room() -> None:
    for width, said in ((240, "17%"), (600, "16.7%")):
        canvas = blank()
        charts.faces(canvas, Rect(20, 20, width, 300), faces((50,) * 6), SAY)
        assert canvas.texts[0].text == said


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "10.0k"),
        (99_949, "99.9k"),
        (99_950, "100k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (1_234_567, "1.2M"),
        (123_456_789, "123M"),
    ],
)
def test_large_counts_are_abbreviated(count: int, shown: str) -> None:
    assert plot.short(count, SAY) == shown


# Bars


def lengths(*shares: float) -> list[int]:
    found = []
    for share in shares:
        canvas, rect = blank(), Rect(20, 20, 500, 30)
        in_records(canvas, rect, Rows((Row("Ann", ("1",), bar=Bar(share)),)))
        found.append(len(columns_of(canvas, GOLD, rect.centery)))
    return found


def test_bars_are_proportional_to_their_shares() -> None:
    none, little, half, whole = lengths(0.0, 0.01, 0.5, 1.0)
    assert none == 0 and little == round(whole * 0.01) and half == pytest.approx(whole / 2, abs=1)


# Chances to win


def marks(points: list[tuple[float, float, bool]]) -> int:
    canvas, rect = blank(), Rect(20, 20, 600, 300)
    charts.chances(canvas, rect, chances(0.5, points, 1.0))
    return runs(columns_of(canvas, BAD, rect.bottom - canvas.px(6)))


def test_every_slip_has_a_mark_below_the_line() -> None:
    assert marks([]) == marks([(0.6, 0.6, False)]) == 0
    assert marks([(0.6, 0.5, True), (0.7, 0.7, False), (0.7, 0.6, True)]) == 2


def test_marks_of_a_long_game_do_not_overlap() -> None:
    assert 20 < marks([(0.5, 0.4, place % 7 == 0) for place in range(600)]) <= 600 // 7 + 1


@given(points=st.lists(st.tuples(shares, shares, st.booleans()), max_size=200), most=st.integers(1, 60))
def test_a_long_game_is_thinned_out_but_keeps_its_costliest_slip(
    points: list[tuple[float, float, bool]], most: int
) -> None:
    told = list(charts._told(points, most))
    assert len(told) <= most and told == sorted(set(told))
    assert len(points) > most or told == list(range(len(points)))
    costliest = max((before - after for before, after, slip in points if slip), default=None)
    assert costliest is None or costliest in [points[place][0] - points[place][1] for place in told if points[place][2]]


def test_of_overlapping_points_the_costliest_slip_or_else_the_last_one_is_kept() -> None:
    quiet, cheap, dear = (0.5, 0.5, False), (0.9, 0.8, True), (0.5, 0.2, True)
    assert list(charts._told([cheap, dear, cheap, quiet, quiet, quiet, quiet, quiet], 2)) == [1, 7]


# Standings


def test_the_sixth_seat_has_the_colour_of_the_first_with_a_dashed_line() -> None:
    pieces = []
    for seat in (0, 5):
        canvas, rect = blank(), Rect(20, 20, 500, 300)
        charts.line(
            canvas,
            rect,
            Series(tuple(map(str, range(6))), tuple((float(each == seat),) * 2 for each in range(6)), ""),
            SAY,
        )
        pieces.append(max(runs(columns_of(canvas, GOLD, y)) for y in range(20, 100)))
    assert pieces[0] < 4 and pieces[1] > 20


def test_names_are_ordered_from_the_highest_value_to_the_lowest() -> None:
    canvas = blank()
    series = Series(("Ann", "Bo", "Dot"), ((0, 1), (0, 3), (0, 2)), "")
    charts.line(canvas, Rect(20, 20, 500, 300), series, SAY)
    there = {text.text: text.drawn.centery for text in canvas.texts}
    assert there["Bo"] < there["Dot"] < there["Ann"]


def test_a_series_without_values_has_no_name() -> None:
    canvas = blank()
    charts.line(canvas, Rect(20, 20, 500, 300), Series(("Ann", "Bo"), ((0, 1), (None, None)), ""), SAY)
    assert "Bo" not in [text.text for text in canvas.texts]


def test_ten_seats_can_be_told_apart_without_colours() -> None:
    shapes = set()
    for seat in range(10):
        canvas = blank(40, 40)
        canvas.blit(charts._seat(seat, 30), topleft=(5, 5))
        bright = pygame.surfarray.array3d(canvas.surface).max(axis=2) > 100
        shapes.add(bright.tobytes())
    assert len(shapes) == 10


@given(wanted=st.lists(st.floats(0, 300), max_size=12).map(sorted))
def test_names_keep_their_order_and_do_not_overlap(wanted: list[float]) -> None:
    found = plot.apart(wanted, 20, 10, 290)
    assert len(found) == len(wanted)
    assert all(10 - 1e-6 <= place <= 290 + 1e-6 for place in found)
    assert all(b - a >= 20 - 1e-6 for a, b in pairwise(found))


def test_names_stay_in_place_if_far_enough_apart_and_otherwise_spread_evenly() -> None:
    assert plot.apart([50, 100, 250], 20, 0, 300) == [50, 100, 250]
    assert plot.apart([100, 100], 20, 0, 300) == [90, 110]


figures = partial(st.floats, allow_subnormal=False)  # subnormal numbers are closer to 0 than any score


@given(low=figures(-1e6, 0), high=figures(0, 1e6), most=st.integers(1, 6), whole=st.booleans())
def test_grid_levels_are_few_ascending_and_start_at_or_below_the_lowest_value(
    low: float, high: float, most: int, whole: bool
) -> None:
    found = plot.levels(low, high, most, whole)
    assert 1 <= len(found) <= most + 2 and found[0] <= low
    assert all(a < b for a, b in pairwise(found)) and all(each <= max(high, found[0]) for each in found)
    assert not whole or all(each.is_integer() for each in found)


# Games and rivals


def test_won_games_are_filled_dots_and_lost_ones_are_empty() -> None:
    canvas, rect = blank(), Rect(20, 20, 200, 24)
    charts.dots(canvas, rect, [True, False])
    assert canvas.surface.get_at((rect.x + 12, rect.centery))[:3] == GOLD
    assert canvas.surface.get_at((rect.x + 36, rect.centery))[:3] == (0, 0, 0)


def test_only_the_latest_of_many_games_are_shown() -> None:
    canvas, rect = blank(), Rect(20, 20, 200, 24)
    charts.dots(canvas, rect, [True] * 100 + [False] * 14)
    assert columns_of(canvas, GOLD, rect.centery) == []


def test_the_bar_of_two_rivals_has_a_part_for_each() -> None:
    for share in (0.0, 0.25, 1.0):
        canvas = blank()
        records._bar(canvas, Rect(20, 20, 400, 18), Bar(share, 1.0, 1 - share))
        ours, theirs = (len(columns_of(canvas, colour, 29)) for colour in (GOLD, SKY))
        assert ours == pytest.approx(400 * share, abs=1) and ours + theirs == pytest.approx(400, abs=1)
