"""Odds on the kiosk during play: a setting turns them on, and only the owner of hidden dice sees odds that use them."""

import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

from table.analysis import odds  # noqa: E402
from table.engine.asks import Choose  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.text import narration, numbers  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from tests.fingers import QUICK, Fingers, Loaded, calm  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, BO, CY = Seat("Ann"), Seat("Bo"), Seat("Cy")
DOT = Seat("", "random")


def words_of(table, lines):
    """The texts of these lines on the screen, each followed by its percentage."""
    say, game = table.context.say, table.session.match.game.id
    return [text for line in lines for text in (narration.chance(line, game, say), numbers.percent(line.chance, say))]


def public_odds(table, option=None):
    referee = table.session.match.referee
    return words_of(table, odds.now(referee.view(None), referee.ask, option))


def private_odds(table, seat):
    return words_of(table, odds.own(table.session.match.referee.view(seat)))


def shown(table, private):
    return [placed.text for placed in table.canvas.texts if placed.private == private]


def play_to_choice(fingers, seat=None):
    """Plays until this seat (any seat if None) must answer a bid."""
    table = fingers.table
    for _ in range(200):
        calm(table)
        match = table.session.match.referee
        if isinstance(match.ask, Choose) and match.view(None)["bid"] and seat in (None, match.ask.seat):
            return
        fingers.go_on()
    raise AssertionError("no one had to answer a bid")


def test_odds_can_be_turned_on_in_the_menu_with_two_buttons_and_the_setting_is_kept(tmp_path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        Loaded(table, (1, 5, 2, 3, 3, 4))
        table.sit("cheese", [ANN, BO])
        fingers.throw()
        assert public_odds(table, ("keep", (0, 1)))[0] not in table.words, "odds are off by default"
        fingers.both()
        fingers.set(say("settings.odds"), say("value.on"))
        fingers.hold_end()
        assert isinstance(table.scene, Play)
        assert set(public_odds(table, ("keep", (0, 1)))) <= set(shown(table, private=False))
    with Tabletop(folder=tmp_path) as table:
        assert table.context.settings.odds


def test_odds_can_be_turned_on_and_off_by_keyboard():
    with Tabletop() as table:
        for wanted in (True, False):
            table.key(pygame.K_ESCAPE)
            entries = [row.row.label for row in table.scene._entries()]
            table.roll(entries.index(table.context.say("settings.odds")))
            table.end()
            assert table.context.settings.odds is wanted
            table.key(pygame.K_ESCAPE)


def test_when_choosing_dice_to_keep_the_odds_follow_the_cursor():
    with Tabletop(pins=True, odds=True) as table:
        fingers = Fingers(table)
        Loaded(table, (1, 5, 2, 3, 3, 4))
        table.sit("cheese", [ANN, BO])
        fingers.throw()
        seen = []
        for _ in range(3):
            choosing = table.scene._decision.choosing
            words = set(public_odds(table, choosing.entries[choosing.at].option))
            assert words <= set(table.words)
            seen.append(words)
            fingers.press("roll")
        assert seen[0] != seen[1] == seen[2], "keep two dice, then either one"


def test_odds_are_hidden_during_animations_and_computers_turns():
    with Tabletop(pins=True, odds=True) as table:
        fingers = Fingers(table)
        table.sit("cheese", [ANN, DOT])
        for _ in range(30):
            if table.session.turn == "table" or not table.scene._show.done(table.now):
                assert not [text for text in table.words if text.endswith("%")]
            fingers.go_on()


def test_only_a_private_look_shows_odds_that_use_the_players_own_dice():
    with Tabletop(pins=True, odds=True) as table:
        fingers = Fingers(table)
        table.sit("cacho", [ANN, BO, CY])
        play_to_choice(fingers)
        seat = table.session.match.referee.ask.seat
        assert table.scene.wants_look
        assert not [text for text in table.words if text.endswith("%")], "no odds before someone looks"
        table.pin("roll").drive_low()
        fingers.wait(0.5)
        own = private_odds(table, seat)
        assert set(own) <= set(shown(table, private=True)) and not set(own) & set(shown(table, private=False))
        table.pin("roll").drive_high()
        fingers.wait(4 * QUICK)
        assert not set(own) & set(table.words)
        fingers.press("end")
        assert set(public_odds(table)) <= set(shown(table, private=False)) and not shown(table, private=True)


def test_with_the_setting_off_a_look_shows_only_the_dice():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.sit("cacho", [ANN, BO, CY])
        play_to_choice(fingers)
        table.pin("roll").drive_low()
        fingers.wait(0.5)
        assert len(shown(table, private=True)) == 1


def test_a_person_playing_against_computers_only_sees_odds_that_use_their_own_dice():
    with Tabletop(pins=True, odds=True) as table:
        fingers = Fingers(table)
        table.sit("cacho", [ANN, DOT, DOT])
        play_to_choice(fingers, 0)
        assert set(private_odds(table, 0)) <= set(shown(table, private=True))
        assert not [text for text in shown(table, private=False) if text.endswith("%")]


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (1920, 1080)])
def test_odds_do_not_move_or_change_the_board(size):
    with Tabletop(size, pins=True) as table:
        fingers = Fingers(table)
        table.sit("mexico", [ANN, BO, CY])
        fingers.play(lambda: table.session.turn == "person" and any(table.session.match.referee.view(None)["scores"]))
        calm(table)
        board = dict(table.canvas.spots)["dice"]
        before = table.kiosk.surface.subsurface(board).copy()
        table.context.change("odds", True)
        table.turn(pygame.event.Event(pygame.VIDEOEXPOSE))  # nothing else forces a redraw
        assert [text for text in table.words if text.endswith("%")]
        boxes = [placed.rect for placed in table.canvas.texts if placed.text.endswith("%")]
        assert all(box.top >= board.bottom for box in boxes) and dict(table.canvas.spots)["dice"] == board
        after = table.kiosk.surface.subsurface(board).copy()
        assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(after, "RGB")
