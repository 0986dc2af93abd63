"""A game with only a rules file on the kiosk: its emblem, events, rule page, demo, and entry in the list of games.
The pictures include its board."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")

from table.engine.asks import Event  # noqa: E402
from table.engine.options import check  # noqa: E402
from table.games import BROKEN, GAMES, new, part  # noqa: E402
from table.session.lineup import Lineup, Seat  # noqa: E402
from table.session.match import News  # noqa: E402
from table.text.catalogue import languages  # noqa: E402
from table.text.pages import Bullets, Heading, Paragraph, page  # noqa: E402
from table.ui.kiosk import demo, text  # noqa: E402
from table.ui.kiosk.pieces import emblem  # noqa: E402
from table.ui.kiosk.scenes.games import games as list_of_games  # noqa: E402
from table.ui.kiosk.scenes.options import options  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.rules import rules  # noqa: E402
from tests import homegame  # noqa: E402
from tests.homemade import RULES, homemade  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402


@pytest.fixture(autouse=True)
def ferry() -> Iterator[None]:
    with homegame.registered():
        yield


def pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGBA")


def test_games_without_an_emblem_get_unique_permanent_ones():
    text.get_ready()
    pictures = {game: pixels(emblem(game, 64)) for game in ("ferry", "farkle", "pig", *GAMES)}
    assert len(set(pictures.values())) == len(pictures)
    assert pixels(emblem("gone", 64)) == pixels(emblem("gone", 64)), "a game that is no longer installed has one, too"


def test_an_emblem_imports_no_board():
    code = (
        "import sys, pygame; pygame.font.init()\n"
        "from table.games import GAMES\n"
        "from table.ui.kiosk.pieces import emblem\n"
        "for game in GAMES: emblem(game, 64)\n"
        "sys.exit([name for name in sys.modules if name.endswith('.board')] or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def news_of(match, answer) -> News:
    before, ask = match.view(None), match.ask
    events = tuple(event for event in match.answer(answer) if event.visible_to(None))
    return News(len(match.history), ask, answer, events, before, match.view(None))


def test_a_standing_changes_with_the_event_that_reports_it():
    match, game = new("ferry", ["Ann", "Bo"]), part("ferry", "beats")
    match.answer((4, 5, 6))
    news = news_of(match, "end")
    table = news.before
    for event, standing in zip(news.events, ([0, 0], [15, 0]), strict=True):
        kind, facts = game.shown(event, news)
        table = game.after(table, kind, facts, news)
        assert table["standing"] == standing, event.kind
    assert table["dice"] == [[4, 5, 6], []]


def test_revealed_dice_are_shown_with_the_event_that_reveals_them():
    match, game = new("ferry", ["Ann", "Bo"], {"secret": True}), part("ferry", "beats")
    match.answer((4, 5, 6))
    news = news_of(match, "end")
    event = news.events[1]
    assert event.kind == "landed" and news.before["dice"] == [[None] * 3, []]
    assert game.after(news.before, event.kind, event.facts, news)["dice"] == [[4, 5, 6], []]


def test_an_unknown_event_is_shown_long_enough_to_be_read():
    match, game = new("ferry", ["Ann", "Bo"]), part("ferry", "beats")
    news = news_of(match, (1, 2, 3))
    assert [event.kind for event in news.events] == ["rolled", "sunk"]
    assert game.shown(Event("sunk", {"seat": 0}), news) == ("sunk", {"seat": 0})
    pace = game.pace("sunk", {"seat": 0}, news)
    assert pace.seconds + pace.rest >= 1.5 and pace.sound


def test_a_demo_fills_a_few_seats_and_uses_the_demo_options():
    with Tabletop() as table:
        for _ in GAMES:
            scene = demo.next_game(table.context, table.now)
            game, match = table.context.history.last.game, scene.match
            assert len(match.seating.levels) <= demo.MOST_SEATS and not match.seating.people
            assert match.referee.options == check(game.options, part(game.id, "beats").DEMO, len(match.seating.levels))
        assert game.id == "ferry" and len(match.seating.levels) == demo.MOST_SEATS


@pytest.mark.parametrize("language", languages())
def test_its_rule_page_lists_its_summary_seats_and_options(language):
    title, summary, seats, heading, options = page("ferry", language)
    assert (title, summary) == (Heading("Ferry", 1), Paragraph(GAMES["ferry"].summary))
    assert isinstance(seats, Paragraph) and "10" in seats.text and heading.level == 2
    assert options == Bullets(
        (
            "Dice: Dice in each roll.",
            "Goal: Points that win.",
            "Secret: Dice are rolled under a cup, and shown when their player stops.",
        )
    )


def test_for_the_terminal_the_rule_page_shows_what_to_type():
    assert page("ferry", typed=True)[-1].items[0] == "Dice (dice=3): Dice in each roll."


def test_its_rule_page_can_be_shown_on_the_screen():
    with Tabletop() as table:
        table.kiosk.show(rules(table.context, "ferry", table.scene), table.now)
        table.turn()
        assert {"Ferry", GAMES["ferry"].summary, "1 to 10 players"} <= set(table.words)


def test_the_list_of_games_has_it_without_an_unknown_duration():
    with Tabletop() as table:
        entries = {entry.row.label: entry.row for entry in list_of_games(table.context)._entries()}
        assert entries["Ferry"].value == "1 to 10 players\n"
        assert entries["Ferry"].help == GAMES["ferry"].summary


def test_the_list_of_games_shows_a_broken_game_with_the_reason(monkeypatch):
    monkeypatch.setitem(BROKEN, "yacht", "ModuleNotFoundError: No module named 'sails'")
    with Tabletop() as table:
        (last,) = [entry for entry in list_of_games(table.context)._entries() if not entry.row.lit]
        assert last.row.label == "yacht" and "No module named 'sails'" in last.row.help
        assert last.take(table.now) is None


@pytest.fixture
def fails_at_the_start(tmp_path: Path) -> Iterator[None]:
    """Pig, with rules that fail before they ask for anything."""
    with homemade(tmp_path, {"rules.py": RULES.replace("board = table.board = Board()", "0 / 0")}):
        yield


def test_rules_that_fail_at_the_start_are_named_on_the_screen_and_the_line_on_stderr(fails_at_the_start, capsys):
    with Tabletop() as table:
        lineup = Lineup(GAMES["pig"], (Seat("Ann"), Seat("", "random")))
        table.kiosk.show(options(table.context, lineup, table.scene), table.now)
        table.turn()
        table.end(2)
        assert "The rules of this game failed." in " ".join(table.words)
        assert table.session.match is None
        line = 1 + RULES.splitlines().index("    board = table.board = Board()")
        assert capsys.readouterr().err == f"pig: rules: ZeroDivisionError in rules.py, line {line}\n", "said once"


def test_a_demo_skips_a_game_whose_rules_fail_at_the_start(fails_at_the_start):
    with Tabletop() as table:
        table.context.history.last = Lineup(GAMES["ferry"])  # Pig would follow
        scene = demo.next_game(table.context, table.now)
        assert isinstance(scene, Play) and table.session.match.game.id == next(iter(GAMES))
