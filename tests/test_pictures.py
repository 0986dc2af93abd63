"""Every public screen beside a small picture of it that was looked at and found good.

The comparison is blind to how a font or a shape is smoothed, and sees a panel that has moved, a die that is missing or
a colour that has changed. `make pictures` writes the pictures anew after a screen was changed on purpose: look at them
before you commit them. What only one player may see is never kept as a picture.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
numpy = pytest.importorskip("numpy", reason="pictures are compared with it")

from pygame import Rect, Surface  # noqa: E402

from table.kiosk import dice  # noqa: E402
from table.kiosk.style import ORANGE, TEAL  # noqa: E402
from tests import visit  # noqa: E402
from tests.gallery import LONGEST, NAMES, SCREENS  # noqa: E402
from tests.small_png import fewer_shades, png  # noqa: E402

FOLDER = Path(__file__).parent / "pictures"
WIDTH = 180  # pixels of a kept picture
STEPS = 16  # between two shades of a kept picture: it takes a third of the space
WINDOW = 7  # pixels of a kept picture: about a small die
MOST_ALL_OVER, MOST_ANYWHERE = 3.0, 55.0  # of 255; other versions of SDL and its fonts make 1.5 and 40


class Variant(NamedTuple):
    mark: str  # in the file's name
    size: tuple[int, int]
    language: str = "en"
    large_text: bool = False
    names: tuple[str, ...] = NAMES


USUAL = Variant("", (800, 480))
OTHERS = (
    Variant("es-720", (1280, 720), "es"),
    Variant("large-1080", (1920, 1080), large_text=True),
    Variant("longest-480", (800, 480), "es", large_text=True, names=LONGEST),
)
IN_OTHERS = (
    "attract-cheese",
    "games",
    "players-five",
    "players-ten-people",
    "keyboard-letter",
    "options-cacho-changed",
    "mexico-ten",
    "bluff-believe",
    "bluff-ten",
    "pocoloco-ten",
    "pocoloco-chips",
    "cheese-roll-or-bank",
    "cacho-raise",
    "cacho-full-challenge",
    "result-cheese",
    "rules-mexico",
    "odds-cacho",
    "menu",
    "calibration-edge-corner",
    "calibration-light",
    "hotspot-on",
    "go-on",
    "journal-readonly",
)
PICTURES = [(name, USUAL) for name, screen in SCREENS.items() if not screen.private]
PICTURES += [(name, variant) for variant in OTHERS for name in IN_OTHERS]


@pytest.mark.parametrize(("name", "variant"), PICTURES, ids=[f"{name}.{v.mark}".rstrip(".") for name, v in PICTURES])
def test_a_screen_looks_as_it_did(name: str, variant: Variant, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if request.config.getoption("--rewrite-pictures"):
        rewrite(name, variant)
    kept = files(name, variant)
    assert kept, f"There is no picture of {name}. Run `make pictures`, look at it, and commit it."
    seen = list(drawn(name, variant))
    assert len(seen) == len(kept), f"{name} has {len(seen)} pages, and there are pictures of {len(kept)}."
    for page, (surface, file) in enumerate(zip(seen, kept, strict=True), 1):
        picture = pygame.image.load(file)
        found = difference(small(surface), picture)
        if found.too_much:
            path = tmp_path / f"{file.stem}.side-by-side.png"
            pygame.image.save(side_by_side(surface, picture, found.where), path)
            raise AssertionError(f"{name}, page {page}, no longer looks as in {file.name}: {found}. See {path}")


def test_every_picture_is_of_a_public_screen() -> None:
    expected = {file.name for name, variant in PICTURES for file in files(name, variant)}
    assert {file.name for file in FOLDER.iterdir()} == expected
    assert not [file.name for file in FOLDER.iterdir() if SCREENS[file.name.partition(".")[0]].private]


def test_the_pictures_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 1_800_000


class TestTheComparison:
    """It has to notice what a person would."""

    @pytest.fixture
    def board(self) -> Surface:
        return next(drawn("cheese-keep", USUAL))

    def test_finds_no_difference_where_there_is_none(self, board: Surface) -> None:
        assert not seen_against(board, board).too_much

    def test_forgives_another_smoothing(self, board: Surface) -> None:
        again = pygame.transform.smoothscale(pygame.transform.smoothscale(board, (640, 384)), board.get_size())
        assert not seen_against(again, board).too_much

    def test_notices_a_moved_panel(self, board: Surface) -> None:
        moved = board.copy()
        left = Rect(0, 46, 240, 200)
        moved.blit(board, left.move(0, 16), left)
        assert seen_against(moved, board).too_much

    def test_notices_a_missing_die(self, board: Surface) -> None:
        with_die = board.copy()
        with_die.blit(dice.die(3, 30), (380, 250))
        assert seen_against(board, with_die).too_much

    def test_notices_a_changed_colour(self, board: Surface) -> None:
        changed = board.copy()
        for x in range(10, 360):
            for y in range(420, 470):
                if sum(abs(a - b) for a, b in zip(board.get_at((x, y))[:3], TEAL, strict=True)) < 60:
                    changed.set_at((x, y), ORANGE)
        assert seen_against(changed, board).too_much


# pictures


def drawn(name: str, variant: Variant) -> Iterator[Surface]:
    screen = SCREENS[name]
    there = screen.visit(variant.language, variant.names)
    with there.table:
        for canvas in visit.pages(there, screen, variant.size, variant.large_text):
            yield canvas.surface


def files(name: str, variant: Variant) -> list[Path]:
    """Of each page of it, in order."""
    stem = f"{name}.{variant.mark}" if variant.mark else name
    pages = sorted(FOLDER.glob(f"{stem}.page*.png"), key=lambda file: int(file.stem.rpartition("page")[2]))
    return pages if SCREENS[name].pages else [file for file in (FOLDER / f"{stem}.png",) if file.exists()]


def rewrite(name: str, variant: Variant) -> None:
    FOLDER.mkdir(exist_ok=True)
    for file in files(name, variant):
        file.unlink()
    stem = f"{name}.{variant.mark}" if variant.mark else name
    for page, surface in enumerate(drawn(name, variant), 1):
        ending = f".page{page}.png" if SCREENS[name].pages else ".png"
        (FOLDER / f"{stem}{ending}").write_bytes(png(fewer_shades(small(surface), STEPS)))


def small(surface: Surface) -> Surface:
    width, height = surface.get_size()
    return pygame.transform.smoothscale(surface, (WIDTH, round(WIDTH * height / width)))


# comparing


class Difference(NamedTuple):
    all_over: float
    most: float
    where: Rect  # in the small picture

    @property
    def too_much(self) -> bool:
        return self.all_over > MOST_ALL_OVER or self.most > MOST_ANYWHERE

    def __str__(self) -> str:
        x, y = (round(at * 800 / WIDTH) for at in self.where.center)
        return f"{self.all_over:.1f} all over, {self.most:.1f} around {x},{y} (of 800 across)"


def seen_against(seen: Surface, good: Surface) -> Difference:
    return difference(small(seen), fewer_shades(small(good), STEPS))


def difference(seen: Surface, kept: Surface) -> Difference:
    """How far apart they are: on average, and in the window where it is worst.

    Another version of a font draws a line a little shorter or longer: what is the same a pixel further is the same.
    """
    if seen.get_size() != kept.get_size():
        return Difference(255.0, 255.0, kept.get_rect())
    one, other = (blurred(pygame.surfarray.array3d(surface).astype(float), WINDOW) for surface in (seen, kept))
    width, height = other.shape[0] - 2, other.shape[1] - 2
    still = other[1:-1, 1:-1]
    shifted = (one[x : x + width, y : y + height] for x in range(3) for y in range(3))
    nearest = numpy.min([abs(moved - still).max(axis=2) for moved in shifted], axis=0)
    away = (nearest - STEPS / 2).clip(min=0)
    x, y = numpy.unravel_index(away.argmax(), away.shape)
    return Difference(float(away.mean()), float(away.max()), Rect(int(x) + 1, int(y) + 1, WINDOW, WINDOW))


def blurred(shades: Any, width: int) -> Any:
    """The mean of each square of that width."""
    for axis in (0, 1):
        sums = numpy.cumsum(numpy.insert(shades, 0, 0, axis=axis), axis=axis)
        length = sums.shape[axis]
        ends, starts = (numpy.take(sums, range(*cut), axis=axis) for cut in ((width, length), (0, length - width)))
        shades = (ends - starts) / width
    return shades


def side_by_side(seen: Surface, kept: Surface, where: Rect) -> Surface:
    """What is kept on the left, what was drawn on the right, and where they differ most."""
    width, height = seen.get_size()
    sheet = Surface((2 * width + 8, height))
    sheet.fill((255, 0, 255))
    sheet.blit(pygame.transform.scale(kept, (width, height)), (0, 0))
    sheet.blit(seen, (width + 8, 0))
    k = width / WIDTH
    for left in (0, width + 8):
        frame = Rect(left + round(where.x * k), round(where.y * k), round(where.width * k), round(where.height * k))
        pygame.draw.rect(sheet, (255, 0, 255), frame, 3)
    return sheet
