"""Drawing on the screen: texts stay in their boxes, and dice show their values only after they have landed."""

import os
from collections.abc import Iterator

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")

from hypothesis import example, given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from pygame import Rect  # noqa: E402

from table.games.bluff.pieces import shield  # noqa: E402
from table.games.cheese.pieces import cheese  # noqa: E402
from table.games.mexico.pieces import heart  # noqa: E402
from table.ui.kiosk import dice, frame, pieces, text  # noqa: E402
from table.ui.kiosk.canvas import Canvas, Look  # noqa: E402
from table.ui.kiosk.inputs import spot_at  # noqa: E402
from table.ui.kiosk.layout import cut_left, inset, share, split  # noqa: E402
from table.ui.kiosk.paint import PictureCache, clear  # noqa: E402

STRANGE = "Ñandú 🐱 猫 👨‍👩‍👧 🇪🇸 Żółw ệ カナ \u202e\u0000\t‱ 한 ש \ufe0f\U0001f3fd\U0010ffff"


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


def blank(width: int = 800, height: int = 480, **look: bool) -> Canvas:
    return Canvas(pygame.Surface((width, height)), Look(**look))


def pixels(picture: "pygame.Surface") -> bytes:
    return bytes(pygame.image.tobytes(picture, "RGBA"))


@given(
    written=st.text(max_size=60),
    width=st.integers(0, 400),
    height=st.integers(0, 120),
    size=st.integers(10, 60),
    lines=st.integers(1, 4),
    large=st.booleans(),
)
@example(STRANGE, 300, 80, 20, 3, True)
@example("\xad", 0, 8, 10, 1, False)
@example("Donaudampfschifffahrtsgesellschaft", 60, 40, 26, 1, False)
def test_a_text_never_leaves_its_box(written: str, width: int, height: int, size: int, lines: int, large: bool) -> None:
    canvas = blank(600, 300, large_text=large)
    box = Rect(90, 80, width, height)
    canvas.surface.fill((0, 0, 0))
    for face in ("body", "display"):
        canvas.text(written, box, size, face=face, lines=lines)  # type: ignore[arg-type]
    assert all(placed.drawn.size == (0, 0) or box.contains(placed.drawn) for placed in canvas.texts)
    canvas.surface.fill((0, 0, 0), box)
    assert pygame.mask.from_threshold(canvas.surface, (0, 0, 0), (1, 1, 1, 255)).count() == 600 * 300


def test_a_text_is_wrapped_between_words() -> None:
    fitted = text.fit("one two three four", "body", 20, (100, 200), lines=4)
    assert len(fitted.lines) == 2 and fitted.size == 20 and not fitted.cut
    assert ["".join(p.text for p in line.letters) for line in fitted.lines] == ["one two", "three four"]


def test_the_lines_of_a_text_have_similar_lengths() -> None:
    wide = text.width("Ann takes nine chips and the", "bold", 20)
    fitted = text.fit("Ann takes nine chips and the card", "bold", 20, (wide, 200), lines=2)
    assert ["".join(p.text for p in line.letters) for line in fitted.lines] == ["Ann takes nine", "chips and the card"]


def test_a_long_word_is_broken_at_its_hyphen() -> None:
    wide = text.width("Maximiliana-Gua", "body", 20)
    assert text.wrapped("Maximiliana-Guadalupe", "body", 20, wide) == ["Maximiliana-", "Guadalupe"]


def test_a_text_becomes_smaller_before_it_is_cut() -> None:
    wide = text.width("Pass the Cheese", "display", 40)
    fitted = text.fit("Pass the Cheese", "display", 40, (wide * 3 // 4, 60))
    assert fitted.size < 40 and not fitted.cut


def test_a_text_that_does_not_fit_ends_in_an_ellipsis_and_is_marked_as_cut() -> None:
    canvas = blank()
    canvas.text("A sentence that is much too long for its box", Rect(10, 10, 90, 24), 18)
    canvas.private = True
    canvas.text("short", Rect(10, 50, 90, 24), 18)
    long, short = canvas.texts
    assert long.cut and not long.private
    assert not short.cut and short.private
    fitted = text.fit(long.text, "body", 18, (90, 24))
    assert fitted.lines[0].letters[-1].text == text.ELLIPSIS


def test_large_text_is_larger_and_still_inside_its_box() -> None:
    box = Rect(0, 0, 400, 80)
    plain, large = (blank(large_text=large).text("Ann", box, 20) for large in (False, True))
    assert large.height > plain.height and box.contains(large)


@pytest.mark.parametrize(
    ("character", "shown", "badge"),
    [
        ("é", "é", False),
        ("ℌ", "H", False),
        ("🐱", "cat", True),
        ("🔥", "fire", True),
        ("❤️", "heart", True),
        ("🇪🇸", "ES", True),
        ("👨‍👩‍👧", "man", True),
        ("👍🏽", "thumbs", True),
        ("カ", "Ka", False),
        ("猫", "732b", True),
    ],
)
def test_characters_missing_from_the_fonts_have_a_readable_replacement(character: str, shown: str, badge: bool) -> None:
    text.get_ready()
    (piece,) = text.letters(character, "display")
    assert (piece.text, piece.badge) == (shown, badge)
    assert text.width(character, "display", 20) > 0


def test_fonts_still_work_after_pygame_restarts() -> None:
    blank().text("before", Rect(0, 0, 200, 40), 21)
    pygame.quit()
    pygame.display.set_mode((8, 8))
    assert blank().text("after", Rect(0, 0, 200, 40), 21).width > 0


def test_every_die_looks_different() -> None:
    assert len({pixels(dice.die(value, 60)) for value in (None, 1, 2, 3, 4, 5, 6)}) == 7
    marked = [dice.die(4, 60), dice.die(4, 60, lit=True), dice.die(4, 60, dim=True)]
    assert len({pixels(picture) for picture in marked}) == 3


@pytest.mark.parametrize("value", [1, 6, None])
def test_a_tumbling_die_lands_on_the_die(value: int | None) -> None:
    assert dice.tumbling(value, 60, 1.0, 3) is dice.die(value, 60)
    assert pixels(dice.tumbling(value, 60, 0.3, 3)) != pixels(dice.tumbling(value, 60, 0.5, 3))
    assert dice.flight(1.0, 3) == (0, 0)


def test_a_tumbling_die_does_not_reveal_its_value() -> None:
    for t in (0.0, 0.2, 0.4, 0.6, 0.7):
        assert len({pixels(dice.tumbling(value, 60, t, 5)) for value in range(1, 7)}) == 1


def test_a_cache_of_pictures_never_exceeds_its_limit() -> None:
    cache = PictureCache(50_000)
    for i in range(100):
        cache.get(i, lambda: clear((30, 30)))
        assert cache.bytes <= 50_000
    kept = cache.get(99, lambda: clear((30, 30)))
    assert cache.get(99, lambda: clear((30, 30))) is kept
    assert 1 < len(cache) < 20


def test_pieces_with_different_meanings_differ_even_without_colours() -> None:
    pairs = [
        (heart(40), heart(40, full=False)),
        (shield(60), shield(60, used=True)),
        (pieces.cup(60), pieces.cup(60, lifted=True)),
        (cheese(60), cheese(60, cut=True)),
        (pieces.avatar("Ann", 40), pieces.avatar("Ann", 40, computer=True)),
        (pieces.avatar("Ann", 40), pieces.avatar("Ann", 40, out=True)),
    ]
    for one, other in pairs:
        grey = [pygame.transform.grayscale(picture) for picture in (one, other)]
        assert pixels(grey[0]) != pixels(grey[1])


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (1920, 1080), (480, 800)])
def test_the_frame_leaves_room_between_head_and_caps(size: tuple[int, int]) -> None:
    canvas = blank(*size)
    canvas.background()
    room = frame.head(canvas, "Pass the Cheese", "Ann rolls", pieces.emblem("cheese", canvas.px(36)))
    frame.caps(canvas, frame.Caps(frame.Cap("Roll"), frame.Cap("Bank 350", lit=False)))
    spots = dict(canvas.spots)
    assert list(spots) == ["cap:roll", "cap:end", "menu"]
    assert room == frame.room(canvas) and canvas.area.contains(room)
    assert all(canvas.area.contains(spot) and not spot.colliderect(room) for spot in spots.values())
    assert not any(placed.cut for placed in canvas.texts)
    assert all(spot_at(rect.center, canvas) == name for name, rect in spots.items())


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 12), st.integers(0, 40), st.booleans())
def test_parts_of_a_rectangle_stay_inside_it(width: int, height: int, n: int, gap: int, vertical: bool) -> None:
    rect = Rect(7, 9, width, height)
    parts = [*split(rect, n, gap, vertical), *share(rect, [2.5, 1], gap, vertical), inset(rect, gap)]
    parts += cut_left(rect, 3 * n, gap)
    for part in parts:
        assert part.clip(rect).size == part.size or 0 in part.size
