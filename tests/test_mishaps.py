"""Mishaps at a table: early presses, lost buttons, records written by another version."""

import secrets
from dataclasses import replace

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

import pygame  # noqa: E402

from table.config import DEFAULT  # noqa: E402
from table.engine.asks import Roll  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.messages import DeviceFound, DeviceLost, NotKept, Opened, Player, Records, Troubled, Unfinished  # noqa: E402
from table.storage.journal.entries import Setting  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from table.ui.kiosk.scenes.keyboard import Keyboard  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from tests.fingers import Fingers, calm  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, BO, DOT = Seat("Ann"), Seat("Bo"), Seat("", "classic")


@pytest.fixture(autouse=True)
def fixed_seed(monkeypatch):
    """Fixes the seed of each match, which also decides how long its computers hesitate."""
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)


def test_presses_meant_for_the_last_roll_do_not_dismiss_the_result():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.sit("mexico", [ANN, DOT], {"rounds": 1})
        fingers.play(lambda: isinstance(table.scene, Result))
        assert not any(cap.lit for cap in (fingers.caps.roll, fingers.caps.end))
        fingers.press("roll")
        fingers.press("end")
        assert isinstance(table.scene, Result)
        fingers.wait(1.0)
        assert fingers.caps.roll.lit
        fingers.press("roll")
        assert isinstance(table.scene, Play)


def test_a_menu_left_open_over_a_game_of_computers_is_closed_when_idle():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.sit("mexico", [DOT, DOT])
        fingers.both()
        assert table.context.say("menu.title") in table.words
        table.run(60 * DEFAULT.screen.idle_minutes + 10, 0.5)
        assert isinstance(table.scene, Attract)


def test_a_game_of_computers_is_not_interrupted_when_idle():
    with Tabletop(pins=True) as table:
        table.sit("cacho", [DOT, DOT, DOT, DOT], {"dice": 6})
        table.context.config = replace(DEFAULT, screen=replace(DEFAULT.screen, idle_minutes=1))
        for _ in range(600):
            table.run(0.5, 0.5)
            assert isinstance(table.scene, (Play, Result))
            if isinstance(table.scene, Result):
                break
        assert table.now > 1060


def test_touching_a_menu_entry_does_not_move_the_entries():
    with Tabletop(pins=True) as table:
        table.sit("mexico", [ANN, DOT])
        table.key(pygame.K_ESCAPE)
        entries = {name: rect for name, rect in table.canvas.spots if name.startswith("entry:")}
        last = list(entries)[-1]
        table.touch(last)
        assert {name: rect for name, rect in table.canvas.spots if name.startswith("entry:")} == entries


def test_lost_buttons_are_reported_during_a_game():
    with Tabletop() as table:
        table.mailbox.post(DeviceFound("buttons"))
        table.sit("mexico", [ANN, DOT])
        message = table.context.say("device.lost", device=table.context.say("device.buttons"))
        assert message not in table.words
        table.mailbox.post(DeviceLost("buttons", "The pins do not answer."))
        table.run(0.1)
        assert message in table.words
        table.mailbox.post(DeviceFound("buttons"))
        table.run(0.1)
        assert message not in table.words


def test_a_full_disk_is_reported_on_the_first_screen_even_without_buttons():
    with Tabletop() as table:
        table.mailbox.post(DeviceLost("buttons", "There are none."))
        table.mailbox.post(Troubled("full", ""))
        table.run(0.1)
        assert table.context.say("trouble.full", detail="") in table.words


def test_the_exit_dialog_says_that_an_unsaved_game_will_be_lost():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("mexico", [ANN, DOT])
        table.mailbox.post(NotKept(9999, "full"))
        fingers.both()
        fingers.take(say("menu.exit"))
        assert say("confirm.lost") in table.words and say("confirm.exit") not in table.words


@pytest.mark.parametrize(
    "kept", [{"language": "fr"}, {"source": "abacus"}, {"volume": 900}, {"brightness": "dark"}, {"sound": 1}, {"x": 1}]
)
def test_unknown_or_invalid_settings_are_ignored(kept):
    with Tabletop() as table:
        before = table.context.settings
        table.mailbox.post(Opened(Records(settings=kept)))
        table.run(0.1)
        assert table.context.settings == before


def test_a_game_of_another_version_is_not_offered():
    with Tabletop(pins=True) as table:
        other = Unfinished("some match", {"game": "yahtzee", "players": ["Ann"]}, (None,), (), 900.0)
        table.mailbox.post(Opened(Records(unfinished=(other,))))
        table.run(0.1)
        Fingers(table).press("roll")
        assert table.context.say("choose.title") in table.words


def test_changes_made_before_the_journal_is_read_are_kept():
    with Tabletop() as table:
        table.context.history.read = False
        table.sit("mexico", [ANN, BO])
        table.context.set_aside()
        table.context.change("volume", 40)
        (aside,) = table.context.history.unfinished
        older = replace(aside, match="older")
        table.mailbox.post(Opened(Records((Player("Cy", {}, {}),), (older,), {"volume": 85, "large_text": True})))
        table.run(0.1)
        assert [one.match for one in table.context.history.unfinished] == [aside.match, "older"]
        assert (table.context.settings.volume, table.context.settings.large_text) == (40, True)


def test_a_press_waits_a_moment_for_the_journal_and_its_unfinished_games():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("mexico", [ANN, BO])
        aside = table.session.set_aside()
        table.kiosk.show(Attract(table.context, table.now), table.now)
        table.context.history.read = False
        fingers.press("roll")
        assert isinstance(table.scene, Attract)
        table.mailbox.post(Opened(Records(unfinished=(aside,))))
        fingers.wait(0.1)
        assert say("go_on.title") in table.words


def test_a_slow_journal_does_not_prevent_playing():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.context.history.read = False
        fingers.press("roll")
        fingers.wait(1.0)
        assert table.context.say("choose.title") in table.words


def test_digits_enter_real_dice_without_a_press_first():
    with Tabletop(source="typed") as table:
        table.sit("mexico", [ANN, BO])
        assert isinstance(table.session.match.referee.ask, Roll)
        table.key(pygame.K_5, "5")
        assert [answer for _, answer in table.session.match.referee.history] == [(5,)]


def test_the_decision_to_roll_real_dice_cannot_be_taken_back():
    with Tabletop(pins=True, source="typed") as table:
        fingers = Fingers(table)
        table.sit("cheese", [ANN])
        for face in "111234":
            table.key(ord(face), face)
        calm(table)
        fingers.press("end")  # keeps the scoring dice
        calm(table)
        fingers.press("roll")  # asks for the other dice, which may already have been rolled
        before = len(table.session.match.referee.history)
        fingers.hold_end()
        fingers.hold_end()
        assert len(table.session.match.referee.history) == before


def test_a_typed_name_keeps_its_capitals_and_is_cut_at_the_limit():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        fingers.press("roll")
        fingers.press("end")
        fingers.take(table.context.say("players.new"))
        assert isinstance(table.scene, Keyboard)
        for text in ("McD", "x" * 100):
            table.turn(pygame.event.Event(pygame.TEXTINPUT, text=text))
        assert table.scene.text == "McD" + "x" * 37


def test_a_known_player_is_recognized_regardless_of_case():
    with Tabletop(pins=True) as table:
        table.context.history.players = (Player("Ann", {"bluff": 5}, {"bluff": 3}),)
        table.sit("bluff", [Seat("ANN"), BO])
        assert table.session.match.referee.view(None)["options"]["wins"] == [3, 0]


@pytest.mark.parametrize("size", [(1, 1), (2, 200), (5, 40), (63, 480), (64, 48), (100, 60), (20, 500)])
def test_a_window_can_be_dragged_to_any_size(size):
    with Tabletop(size) as table:
        table.sit("cacho", [ANN, BO, DOT])
        table.run(0.2)
        assert table.kiosk.surface.get_size() == size


def test_a_touch_that_never_ends_does_not_block_the_button_forever():
    with Tabletop() as table:
        place = {name: rect.center for name, rect in table.canvas.spots}["cap:roll"]
        table.sit("cacho", [ANN, BO])
        table.turn(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place, touch=False))
        table.run(20.0)
        before = len(table.session.match.referee.history)
        table.roll(2)
        assert len(table.session.match.referee.history) > before


def test_a_setting_that_is_changed_is_kept():
    class Listening:
        def __init__(self) -> None:
            self.entries: list[object] = []

        def keep(self, entry: object) -> int:
            self.entries.append(entry)
            return len(self.entries)

    with Tabletop() as table:
        table.context.storage.journal = Listening()
        table.context.change("language", "es")
        assert table.context.storage.journal.entries == [Setting("language", "es")]
        assert table.context.say.language == "es"
