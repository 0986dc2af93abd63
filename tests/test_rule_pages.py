"""The rules on the kiosk: what belongs together stays on one screen, in every game, language and text size."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")

from table.games import GAMES  # noqa: E402
from table.text import pages  # noqa: E402
from table.text.catalogue import languages  # noqa: E402
from tests import visit  # noqa: E402
from tests.gallery import NAMES, SCREENS  # noqa: E402

SIZES = ((800, 480), (1280, 720), (1920, 1080))


def drawn(game: str, language: str, size: tuple[int, int], large: bool) -> list[list[str]]:
    """The texts of each screen, line by line, without the head and the buttons."""
    screen = SCREENS[f"rules-{game}"]
    there = screen.visit(language, NAMES)
    with there.table:
        found = []
        for canvas in visit.pages(there, screen, size, large, pixels=False):
            paper = dict(canvas.spots)["page"]
            found.append([w.placed.text for w in canvas.written if paper.contains(w.placed.rect)])
        return found


def together(blocks: Sequence[pages.Block]) -> Iterator[tuple[str, ...]]:
    """The texts that have to be on one screen: a paragraph, an item, a question with its answer, a table, or
    consecutive dice."""
    for dice, group in groupby(blocks, key=lambda block: isinstance(block, pages.Dice)):
        some = list(group)
        if dice:
            yield tuple(block.caption for block in some if isinstance(block, pages.Dice))
            continue
        for block in some:
            match block:
                case pages.Paragraph(text):
                    yield (text,)
                case pages.Bullets(items) | pages.Steps(items):
                    yield from ((item,) for item in items)
                case pages.Question(text, answer):
                    yield text, answer
                case pages.Grid(rows):
                    yield tuple(cell for row in rows for cell in row)


@pytest.mark.parametrize("large", [False, True], ids=["normal", "large"])
@pytest.mark.parametrize("size", SIZES, ids=[f"{wide}x{high}" for wide, high in SIZES])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_no_screen_ends_inside_a_sentence_a_step_or_a_table(game, language, size, large):
    blocks = pages.page(game, language)
    screens = drawn(game, language, size, large)
    shown = [" ".join(lines) for lines in screens]
    for group in together(blocks):
        assert any(all(text in screen for text in group) for screen in shown), group
    headings = {block.text for block in blocks if isinstance(block, pages.Heading)}
    assert not any(lines[-1] in headings for lines in screens)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_goal_and_the_whole_turn_are_on_the_first_screen(game, language):
    _, goal, heading, turn, *_ = pages.page(game, language)
    for size in SIZES:
        for large in (False, True):
            first = " ".join(drawn(game, language, size, large)[0])
            assert all(text in first for text in (goal.text, heading.text, *turn.items))
