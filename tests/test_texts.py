"""The layout of every text on every screen: no text is cut off, overlaps another, leaves the screen or is too small.

The players' names are as long as possible. Only names may be shortened.
"""

from collections.abc import Iterator
from itertools import combinations

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")

from pygame import Rect  # noqa: E402

from table.engine.names import made_good  # noqa: E402
from tests import visit  # noqa: E402
from tests.gallery import LONGEST, SCREENS  # noqa: E402
from tests.visit import Watched, Written  # noqa: E402

SIZES = ((800, 480), (1280, 720), (1920, 1080))
SMALLEST = 10.0  # units
NAMES = frozenset(made_good(LONGEST))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", SCREENS)
def test_every_text_is_complete_large_enough_and_does_not_overlap(name: str, language: str) -> None:
    found = list(faults(name, language))
    assert not found, "\n".join(["", *found])


def faults(name: str, language: str) -> Iterator[str]:
    screen = SCREENS[name]
    there = screen.visit(language, LONGEST)
    with there.table:
        for size in SIZES:
            for large in (False, True):
                if size == SIZES[-1] and large != (language == "es"):
                    continue  # slow, and of the same proportions as the size before, so one text size is enough
                for page, canvas in enumerate(visit.pages(there, screen, size, large, pixels=False), 1):
                    where = f"{size[0]}x{size[1]}, {'large' if large else 'normal'} text, page {page}"
                    yield from (f"{where}: {fault}" for fault in faults_of(canvas, screen.moving))


def faults_of(canvas: Watched, moving: bool) -> Iterator[str]:
    texts = [written for written in canvas.written if written.placed.text.strip()]
    for written in texts:
        placed = written.placed
        if placed.cut and placed.text not in NAMES:
            yield f"{placed.text!r} is cut off in {placed.rect}"
        if not canvas.area.contains(placed.drawn):
            yield f"{placed.text!r} leaves the screen at {placed.drawn}"
        if written.size < round(SMALLEST * canvas.unit):
            yield f"{placed.text!r} is only {written.size / canvas.unit:.1f} units high"
    if moving:
        return  # moving dice and chips may cover texts
    for one, other in combinations(texts, 2):
        both = ink(one).clip(ink(other))
        if both.width > 1 and both.height > 1:
            yield f"{one.placed.text!r} {one.placed.drawn} and {other.placed.text!r} {other.placed.drawn} overlap"
    for placed in canvas.half_covered:
        yield f"{placed.text!r} {placed.drawn} is half covered"


def ink(written: Written) -> Rect:
    """The box of the letters, without the space above and below them."""
    return written.placed.drawn.inflate(0, -written.size // 3)
