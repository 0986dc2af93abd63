"""Guests have a number instead of a name, and are named in the table's language."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")

from table.devices.pairs import Pairs  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.session.lineup import Lineup, Seat, guest, in_language  # noqa: E402
from table.storage.records import read  # noqa: E402
from table.text import guests  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.text.narration import transcript  # noqa: E402
from table.text.records import pages, words  # noqa: E402
from table.ui.kiosk.scenes.go_on import go_on  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.players import Players  # noqa: E402
from table.ui.kiosk.scenes.replay import Replay  # noqa: E402
from table.ui.phone.snapshot import Snapshot  # noqa: E402
from tests import past_games  # noqa: E402
from tests.fingers import Fingers  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, GUEST = Seat("Ann"), Seat("Guest 1", guest=True)
ENGLISH, SPANISH = Catalogue("en"), Catalogue("es")


def test_guests_in_the_line_up_follow_the_language():
    with Tabletop(pins=True) as table:
        table.kiosk.show(Players(table.context, Lineup(GAMES["mexico"], (ANN, GUEST))), table.now)
        table.turn()
        assert "Guest 1" in table.words
        table.context.change("language", "es")
        Fingers(table).press("roll")  # redraws the screen
        assert "Invitado 1" in table.words and "Guest 1" not in table.words
        assert table.scene.lineup.seats == (ANN, Seat("Invitado 1", guest=True))


def test_guests_follow_the_language_during_a_game_and_in_the_next():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.sit("mexico", [ANN, GUEST], {"rounds": 1})
        fingers.press("roll")
        fingers.play(lambda: len(table.session.match.referee.history) > 1)
        table.context.change("language", "es")
        fingers.wait(0.2)
        match = table.session.match
        assert match.referee.players == match.seating.names == ("Ann", "Invitado 1") and match.guests == (1,)
        assert not any("Guest" in words for words in table.words)
        assert table.context.history.last.seats[1].name == "Invitado 1"
        for language in (ENGLISH, SPANISH):  # phones show the screen's name for a guest, whatever language they use
            sent = str(Snapshot(table.context.room, "").state(None, language, 1))
            assert "Invitado 1" in sent and "Guest" not in sent
        table.context.change("language", "en")
        assert table.session.match.referee.players == ("Ann", "Guest 1")


def test_a_game_resumed_in_another_language_renames_its_guests(tmp_path: Path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        table.sit("mexico", [ANN, GUEST])
        Fingers(table).press("roll")
    with Tabletop(pins=True, folder=tmp_path, language="es") as table:
        fingers = Fingers(table)
        fingers.wait(0.5)
        table.kiosk.show(go_on(table.context), table.now)
        fingers.wait(0.2)
        assert any("Invitado 1" in words for words in table.words)
        fingers.press("end")
        fingers.wait(0.2)
        assert isinstance(table.scene, Play)
        assert table.session.match.referee.players == ("Ann", "Invitado 1")
        assert table.context.room.lobby.lineup.seats[1].name == "Invitado 1"


def test_typed_names_are_kept_and_not_reused_for_guests():
    typed = Lineup(GAMES["mexico"], (Seat("Guest 2"), GUEST, Seat("Invitado 1")))
    assert [seat.name for seat in in_language(typed, SPANISH).seats] == ["Guest 2", "Guest 1", "Invitado 1"]
    assert guests.in_language(["Guest 3", "Zoe"], [0, 1], SPANISH) == ("Invitado 3", "Zoe")
    assert guest((GUEST,), ENGLISH).name == "Guest 2"


def test_a_finished_game_names_its_guests_in_the_readers_language(tmp_path: Path):
    past_games.filled(tmp_path, 3)
    with read.opened(tmp_path) as connection:
        page = read.game(connection, 3)
    seats = [seat.name for seat in page.line.seats]
    assert seats[-1] == "Guest 1"
    for say, called in ((ENGLISH, "Guest 1"), (SPANISH, "Invitado 1")):
        names = [*seats[:-1], called]
        told = pages.told(words.in_language(page, say))
        assert list(told.game.players) == list(told.steps[-1].after["players"]) == names
        assert called in transcript.text(page, say)
        assert called in pages.game_row(page.line, say).detail
    assert "Guest 1" not in transcript.text(page, SPANISH)


def test_a_finished_game_with_a_guest_opens_in_the_other_language(tmp_path: Path):
    past_games.filled(tmp_path, 3)
    with Tabletop(pins=True, folder=tmp_path, language="es") as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        fingers.take(say("records.screen.games_help"))
        fingers.press("end")  # the newest game comes first
        table.until(lambda: "Invitado 1" in " ".join(table.words))
        assert say("refused.game_gone") not in table.words
        fingers.take(say("records.screen.replay"))
        assert isinstance(table.scene, Replay) and "Invitado 1" in table.scene._frames[0].view["players"]


def test_an_e_dice_stays_with_its_guest():
    pairs = Pairs()
    pairs.sit(["Ann", "Guest 1"])
    pairs.waiting = "Guest 1"
    pairs.press("a")
    pairs.rename({"Ann": "Ann", "Guest 1": "Invitado 1"})
    assert pairs.own(1) == "a" and pairs.owner("a") == "Invitado 1"
