"""Compares every public screen with a small reference picture that somebody has checked.

If you change a screen on purpose, rewrite the pictures with `make pictures`. Look at them before you commit them.
Screens that only one player may see have no pictures.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("numpy", reason="numpy compares the pictures")

from pygame import Rect, Surface  # noqa: E402

from table.ui.kiosk import dice  # noqa: E402
from table.ui.kiosk.style import ORANGE, TEAL  # noqa: E402
from tests import visit  # noqa: E402
from tests.compared import hold, keep, seen_against  # noqa: E402
from tests.gallery import LONGEST, NAMES, SCREENS  # noqa: E402

FOLDER = Path(__file__).parent / "pictures"


class Variant(NamedTuple):
    mark: str  # the ending of the file's name
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
    "ferry-two",
    "ferry-four",
    "ferry-ten",
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
    "attract-leaders",
    "records-player",
    "records-games",
    "records-luck-five",
    "records-replay-bluff",
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
    for surface, file in zip(seen, kept, strict=True):
        hold(surface, file, tmp_path)


def test_every_picture_is_of_a_public_screen() -> None:
    expected = {file.name for name, variant in PICTURES for file in files(name, variant)}
    assert {file.name for file in FOLDER.iterdir()} == expected
    assert not [file.name for file in FOLDER.iterdir() if SCREENS[file.name.partition(".")[0]].private]


def test_the_pictures_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 2_600_000


class TestTheComparison:
    """The comparison has to notice the changes that a person would."""

    @pytest.fixture
    def board(self) -> Surface:
        return next(drawn("cheese-keep", USUAL))

    def test_finds_no_difference_between_equal_pictures(self, board: Surface) -> None:
        assert not seen_against(board, board).too_much

    def test_tolerates_different_smoothing(self, board: Surface) -> None:
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


# Pictures


def drawn(name: str, variant: Variant) -> Iterator[Surface]:
    screen = SCREENS[name]
    there = screen.visit(variant.language, variant.names)
    with there.table:
        for canvas in visit.pages(there, screen, variant.size, variant.large_text):
            yield canvas.surface


def files(name: str, variant: Variant) -> list[Path]:
    """The reference pictures of a screen, one per page, in order."""
    stem = f"{name}.{variant.mark}" if variant.mark else name
    pages = sorted(FOLDER.glob(f"{stem}.page*.png"), key=lambda file: int(file.stem.rpartition("page")[2]))
    return pages if SCREENS[name].pages else [file for file in (FOLDER / f"{stem}.png",) if file.exists()]


def rewrite(name: str, variant: Variant) -> None:
    for file in files(name, variant):
        file.unlink()
    stem = f"{name}.{variant.mark}" if variant.mark else name
    for page, surface in enumerate(drawn(name, variant), 1):
        ending = f".page{page}.png" if SCREENS[name].pages else ".png"
        keep(surface, FOLDER / f"{stem}{ending}")
