"""How the kiosk shows a game that has only a rules file: emblem, events, rules, demo, and entry in the list of games.

The board of such a game has reference pictures (see tests/test_pictures.py).
"""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")

from table.engine.asks import Choose, Event, Over  # noqa: E402
from table.engine.options import check  # noqa: E402
from table.games import BROKEN, DEFECTS, GAMES, new, part  # noqa: E402
from table.session.lineup import Lineup, Seat  # noqa: E402
from table.session.match import Match, News, named  # noqa: E402
from table.storage.records import games  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.text.pages import Bullets, Heading, Paragraph, page  # noqa: E402
from table.ui.kiosk import demo, text  # noqa: E402
from table.ui.kiosk.pieces import emblem  # noqa: E402
from table.ui.kiosk.scenes.games import games as list_of_games  # noqa: E402
from table.ui.kiosk.scenes.options import options  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.replay import frames  # noqa: E402
from table.ui.kiosk.scenes.rules import rules  # noqa: E402
from table.ui.kiosk.show import Show, beats  # noqa: E402
from table.ui.phone.replayed import _lies  # noqa: E402
from tests import homegame  # noqa: E402
from tests.homemade import RULES, homemade  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_add_a_game import EXTRA  # noqa: E402


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


@pytest.mark.parametrize(
    ("size", "own", "defects"),
    [
        (65, '"""Nothing."""', set()),
        (66, "COLOUR = 3", set()),
        (67, "def colour(game):\n    return 0 / 0", {"colour"}),
        (68, "def colour(game):\n    return 'red'", {"colour"}),
        (69, "def colour(game):\n    return 1, 2", {"colour"}),
        (70, "def draw(sheet, game):\n    raise SystemExit", {"draw"}),
        (71, "def draw(sheet):\n    pass", {"draw"}),
        (72, "1 / 0", {""}),
    ],
)
def test_a_faulty_emblem_is_replaced_by_the_default_and_reported(tmp_path, size, own, defects):
    text.get_ready()
    (tmp_path / "plain").mkdir()
    with homemade(tmp_path / "plain"):
        usual = pixels(emblem.__wrapped__("pig", size))
    with homemade(tmp_path, {"emblem.py": own}):
        assert pixels(emblem.__wrapped__("pig", size)) == usual
        assert {where.removeprefix("pig: emblem").removeprefix(".") for where in DEFECTS} == defects


def test_an_emblem_of_another_package_can_set_the_colour_the_drawing_or_both(tmp_path):
    text.get_ready()
    colour, draw = "def colour(game):\n    return 300, -20, 0\n", "def draw(sheet, game):\n    pass\n"
    seen = set()
    for number, own in enumerate(("", colour, draw, colour + draw, EXTRA["dicetable_pig/emblem.py"])):
        (tmp_path / str(number)).mkdir()
        with homemade(tmp_path / str(number), {"emblem.py": own}):
            seen.add(pixels(emblem.__wrapped__("pig", 64)))
            assert not DEFECTS
    assert len(seen) == 5


def test_drawing_an_emblem_imports_no_board():
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
    events = tuple(event for event in match.answer(answer, partial(match.view, None)) if event.visible_to(None))
    return News(len(match.history), ask, answer, events, before, match.view(None))


def test_a_standing_changes_with_the_event_that_reports_it():
    match = new("ferry", ["Ann", "Bo"])
    match.answer((4, 5, 6))
    news = news_of(match, "end")
    for beat, standing in zip(beats(news, Catalogue()), ([0, 0], [15, 0]), strict=True):
        assert beat.view["standing"] == standing, beat.kind
    assert beat.view["dice"] == [[4, 5, 6], []]


def test_revealed_dice_are_shown_with_the_event_that_reveals_them():
    match = new("ferry", ["Ann", "Bo"], {"secret": True})
    match.answer((4, 5, 6))
    news = news_of(match, "end")
    landed = beats(news, Catalogue())[1]
    assert landed.kind == "landed" and news.before["dice"] == [[None] * 3, []]
    assert landed.view["dice"] == [[4, 5, 6], []]


def test_an_unknown_event_is_shown_long_enough_to_be_read():
    match, game = new("ferry", ["Ann", "Bo"]), part("ferry", "beats")
    news = news_of(match, (1, 2, 3))
    assert [event.kind for event in news.events] == ["rolled", "sunk"]
    assert game.shown(Event("sunk", {"seat": 0}), news) == ("sunk", {"seat": 0})
    pace = game.pace("sunk", {"seat": 0}, news)
    assert pace.seconds + pace.rest >= 1.5 and pace.sound


@pytest.mark.parametrize("event", ["cup", "won", "scored", "banked", "tie", "lost"])
def test_an_event_has_the_usual_pace_even_if_another_game_has_one_of_the_same_name(event):
    match, game = new("ferry", ["Ann", "Bo"]), part("ferry", "beats")
    news = news_of(match, (1, 2, 3))
    assert game.pace(event, {"seat": 0}, news) == game.pace("sunk", {"seat": 0}, news)


def test_a_demo_fills_a_few_seats_and_uses_the_demo_options():
    with Tabletop() as table:
        for _ in GAMES:
            scene = demo.next_game(table.context, table.now)
            game, match = table.context.history.last.game, scene.match
            assert len(match.seating.levels) <= demo.MOST_SEATS and not match.seating.people
            assert match.referee.options == check(game.options, part(game.id, "beats").DEMO, len(match.seating.levels))
        assert game.id == "ferry" and len(match.seating.levels) == demo.MOST_SEATS


@pytest.mark.parametrize("language", languages())
def test_the_rule_page_lists_the_games_summary_seats_and_options(language):
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


def test_the_rule_page_can_be_shown_on_the_screen():
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
        assert "This game has a bug." in " ".join(table.words)
        assert table.session.match is None
        line = 1 + RULES.splitlines().index("    board = table.board = Board()")
        assert capsys.readouterr().err == f"pig: rules: ZeroDivisionError in rules.py, line {line}\n", "said once"


def test_a_demo_skips_a_game_whose_rules_fail_at_the_start(fails_at_the_start):
    with Tabletop() as table:
        table.context.history.last = Lineup(GAMES["ferry"])  # the last game played, so Pig would be next
        scene = demo.next_game(table.context, table.now)
        assert isinstance(scene, Play) and table.session.match.game.id == next(iter(GAMES))


@pytest.fixture
def fails_at_each_roll(tmp_path: Path) -> Iterator[None]:
    with homemade(tmp_path, {"rules.py": RULES.replace("board.thrown = list(dice)", "0 / 0")}):
        yield


def test_rules_that_fail_at_a_computers_turn_wait_for_a_press(fails_at_each_roll, capsys):
    def failures() -> int:
        return capsys.readouterr().err.count("The rules of Pig failed (ZeroDivisionError in rules.py")

    with Tabletop() as table:
        table.sit("pig", (Seat("", "random"), Seat("", "random")))
        say, session = table.context.say, table.session
        table.until(lambda: session.stuck)
        history = list(session.match.referee.history)
        table.run(60, step=0.5)
        assert failures() == 1 and say("play.fault_rules") in table.words and say("play.try_again") in table.words
        table.roll()
        table.until(lambda: session.stuck)
        assert failures() == 1 and session.match.referee.history == history
        table.run(60 * (table.context.config.screen.idle_minutes + 1), step=1.0)
        assert session.match is None, "an untouched table rests"
        (aside,) = table.context.history.unfinished
        assert len(aside.saved["answers"]) == len(history) and failures() == 0


def test_a_demo_continues_with_the_next_game_after_rules_that_fail(fails_at_each_roll):
    with Tabletop() as table:
        table.context.run.demo = True
        table.context.history.last = Lineup(GAMES["ferry"])  # the last game played, so Pig is next
        table.kiosk.show(demo.next_game(table.context, table.now), table.now)
        assert table.session.match.game.id == "pig"
        table.until(lambda: table.session.match.game.id != "pig", step=0.25)
        assert isinstance(table.scene, Play) and not table.session.stuck


HAUL = '''
"""Two dice: the higher one is set aside, the lower one is the cargo. The board is cleared before each turn."""

from dataclasses import dataclass, field

from table.engine.asks import Game, Roll


@dataclass(frozen=True)
class Options:
    pass


@dataclass
class Board:
    kept: list[int] = field(default_factory=list)
    cargo: int = 0


def play(table, options):
    board = table.board = Board()
    table.standing = [0, 0]
    while True:
        cargo = []
        for seat in table.seats:
            board.kept, board.cargo = [], 0
            table.hands.lay(seat, ())
            low, high = sorted((yield Roll(seat, 2)))
            board.kept = [high]
            table.hands.lay(seat, [low])
            table.tell("crew", seat=seat, die=high)
            board.cargo = low
            table.tell("loaded", seat=seat, weight=low)
            cargo.append(low)
        table.standing[0] += cargo[0]
        table.standing[1] += cargo[1]
        table.tell("landed", weights=cargo)
        if max(table.standing) > 20:
            return (table.standing.index(max(table.standing)),)
        table.round += 1


GAME = Game("pig", "Haul", "The lower die counts.", (2, 2), 2, Options, play)
'''


@pytest.fixture
def haul(tmp_path: Path) -> Iterator[None]:
    with homemade(tmp_path, {"rules.py": HAUL}):
        yield


def test_the_board_is_shown_as_it_was_when_the_rules_told_the_event(haul):
    seen: dict[str, tuple[str, list[int], list[int]]] = {}
    with Tabletop() as table:
        table.sit("pig", (Seat("Ann"), Seat("Bo")))
        for _ in range(2):
            table.roll()
            while not table.scene._show.done(table.now):
                shown = table.scene._show.at(table.now)
                if shown.moment.kind != "rolled":
                    cargo = table.words[table.words.index("Cargo") + 1]
                    assert table.words.count("Round 1") == 1, "the next round begins after all events of this one"
                    seen[shown.caption] = cargo, shown.view["kept"], shown.view["standing"]
                table.run(0.1)
        (_, ann), (_, bo) = table.session.match.referee.history
    landed = [min(ann), min(bo)]
    assert seen == {
        f"Ann: crew, die {max(ann)}": ("0", [max(ann)], [0, 0]),
        f"Ann: loaded, weight {min(ann)}": (str(min(ann)), [max(ann)], [0, 0]),
        f"Bo: crew, die {max(bo)}": ("0", [max(bo)], [0, 0]),
        f"Bo: loaded, weight {min(bo)}": (str(min(bo)), [max(bo)], [0, 0]),
        f"Landed, weights {min(ann)} {min(bo)}": (str(min(bo)), [max(bo)], landed),
    }


def test_a_replay_shows_the_board_at_each_event_and_at_the_last_event_of_a_step(haul):
    game = new("pig", ["Ann", "Bo"])
    while not isinstance(game.ask, Over):
        game.answer(game.drawn())
    steps = games.steps(game)
    for number, news in enumerate(steps):
        low, high = sorted(news.answer)
        view = _lies(news)
        assert (view["cargo"], view["kept"], view["dice"][news.ask.seat]) == (low, [high], [low])
        assert view["round"] == 1 + number // 2
    shown = [frame for frame in frames(steps, "", Catalogue(), frozenset()) if frame.moment]
    loaded = [frame for frame in shown if frame.moment.kind == "loaded"]
    assert [frame.view["cargo"] for frame in loaded] == [min(news.answer) for news in steps]
    assert all(len(frame.view["kept"]) == 1 for frame in shown if frame.moment.kind != "rolled")


SILENT = """
from dataclasses import dataclass
from table.engine.asks import Choose, Game, Roll

@dataclass(frozen=True)
class Options:
    pass

@dataclass
class Board:
    won: int = 0

def play(table, options):
    board = table.board = Board()
    table.standing = [0]
    while board.won < 3:
        hand = list((yield Roll(0, 2)))
        table.hands.lay(0, hand)
        choice = yield Choose(0, ("end", ("reroll", (0,)), ("reroll", (1,))))
        if choice != "end":
            _, (place,) = choice
            (hand[place],) = yield Roll(0, 1)
            table.hands.lay(0, hand)
        board.won += 1
        table.hands.clear()
    return (0,)

GAME = Game("pig", "Silent", "It tells no events.", (1, 1), 1, Options, play)
"""


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[None]:
    with homemade(tmp_path, {"rules.py": SILENT}):
        yield


def test_dice_chosen_for_a_reroll_roll_at_once_and_where_they_were(silent):
    game = new("pig", ["Ann"])
    show = Show(Catalogue(), game.view(None))
    show.add([news_of(game, answer) for answer in ((4, 4), ("reroll", (1,)))], 0)
    assert Match(game, named(["Ann"], [None])).thrown_already(game.ask)
    show.skip(0)
    show.add([news_of(game, (4,))], 0)
    assert show.at(0).moment.facts == {"seat": 0, "dice": [4], "places": [1]}


def test_a_step_of_a_replay_without_events_shows_the_board_before_it(silent):
    game = new("pig", ["Ann"])
    while not isinstance(game.ask, Over):
        game.answer("end" if isinstance(game.ask, Choose) else (4, 5))
    lies = [_lies(news) for news in games.steps(game)]
    assert [(view["won"], view["dice"]) for view in lies] == [(turn // 2, [[4, 5]]) for turn in range(6)]


BARE = """
from dataclasses import dataclass
from table.engine.asks import Game, Roll

@dataclass(frozen=True)
class Options:
    pass

def play(table, options):
    table.standing = [0, 0]
    for seat in table.seats:
        dice = yield Roll(seat, 1)
        table.standing[seat] = sum(dice)
        table.tell("rolled_up", seat=seat)
    return (table.standing.index(max(table.standing)),)

GAME = Game("pig", "Bare", "The higher die wins.", (2, 2), 1, Options, play)
"""


def test_a_game_without_a_board_is_played_too(tmp_path):
    with homemade(tmp_path, {"rules.py": BARE}), Tabletop() as table:
        table.sit("pig", (Seat("", "random"), Seat("", "random")))
        table.until(lambda: table.session.turn == "over", step=0.25)
        assert "Bare" in table.words
