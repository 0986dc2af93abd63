"""Games with dice under a camera: sure readings are accepted, others are corrected with two buttons, and the camera may
be unplugged. This is a short version of `python -m tests.soak.camera`. Most tests read the frames in this process, with
the test's clock.
"""

import sqlite3
import sys
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for rpicam-vid needs Linux or macOS"),
]
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("cv2", reason="OpenCV reads dice")

from pygame import Rect  # noqa: E402

from table.session.lineup import Seat  # noqa: E402
from table.session.messages import CameraSaw, SeenDie  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.ui.kiosk.camera_overlay import GRAVEST, CameraOverlay  # noqa: E402
from table.ui.kiosk.camera_view import labels  # noqa: E402
from table.ui.kiosk.entry import Entering  # noqa: E402
from table.ui.kiosk.gestures import END, ROLL, Tap  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from tests import visit  # noqa: E402
from tests.evening import Evening  # noqa: E402
from tests.gallery import NAMES, SCREENS  # noqa: E402
from tests.soak import camera  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from vision.reading import DOUBTS  # noqa: E402


def test_no_wrong_roll_is_accepted_whatever_happens_to_the_dice(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=3) as evening:
        camera.play(evening, 300, enough=8)
    assert not evening.wrong and evening.rolls.total() >= 8


def test_unplugging_and_replugging_a_camera_loses_nothing(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=3) as evening:
        camera.pulls(evening, 3)
    assert not evening.wrong and evening.rolls["pulled"] == 3


def test_a_camera_in_its_own_process_survives_a_crash_and_unplugging(tmp_path: Path) -> None:
    """End to end: a real camera command, a separate process that watches it, and the table's own loop and clock."""
    with camera.Real(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked, "an ask")
        evening.throw(6, "crash")
        while not evening.asked:
            evening.go_on()
        evening.pull()
    assert not evening.wrong


def test_a_die_can_be_corrected_with_two_buttons_and_the_journal_records_player_and_photo(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        rolled = evening.dice.throw(5)
        evening.until(lambda: evening.state == "unsure", "a doubt")
        evening.turn()
        assert any("5 of 6" in words for words in evening.table.words)
        assert any(words == "Roll again" for words in evening.table.words)
        evening.press(ROLL)  # the first press moves from "roll again" to a one, the second to a two
        evening.press(ROLL)
        evening.press(END)
        evening.until(lambda: evening.history, "the dice")
        ask, dice = evening.history[0]
        assert tuple(sorted(dice)) == tuple(sorted((*rolled, 2)))
        evening.dice.nudge()
        evening.run(1.0)
        assert evening.history[0] == (ask, dice)
        who = evening.table.session.match.referee.players[ask.seat]  # type: ignore[union-attr]
    with closing(sqlite3.connect(tmp_path / "table.db")) as records:
        assert records.execute("SELECT source FROM answers").fetchall()[0] == ("corrected",)
        [(found, why, photo)] = records.execute("SELECT who, why, photo FROM corrections").fetchall()
    assert found == who and "5 of the expected 6" in why and photo[:2] == b"\xff\xd8"


def test_every_doubt_has_a_sentence_and_offers_to_roll_again() -> None:
    assert {*GRAVEST, "unclear"} == {*DOUBTS, "stayed"}
    for language in languages():
        words = [Catalogue(language)(f"camera.doubt_{doubt}", seen=2, count=3) for doubt in (*GRAVEST, "unclear")]
        assert len(set(words)) == len(words)
    sure = tuple(SeenDie(value, ((0.1, 0.1),) * 4, True) for value in (1, 2, 3))
    for dice, doubt in ((sure, "strange"), ((*sure, *sure), "many"), ((), "dark")):
        correcting = Entering(3, CameraSaw(1, "unsure", 3, dice, (doubt,)))
        assert correcting.handle(Tap(END)) == "again"


def test_no_question_remains_about_dice_that_were_taken_away(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(5)
        evening.until(lambda: evening.state == "unsure", "a doubt")
        evening.dice.take()
        evening.until(lambda: evening.state == "empty", "an empty tray")
        evening.turn()
        assert not any("5 of 6" in words for words in evening.table.words)
        assert any("Roll the dice into the tray" in words for words in evening.table.words)
        evening.press(END)
        evening.run(0.5)
        assert not evening.history
        rolled = evening.dice.throw(6)
        evening.until(lambda: evening.history, "the dice")
        assert tuple(sorted(evening.history[0][1])) == rolled


@pytest.mark.parametrize("doubt", ["edge", "unclear", "stacked", "glare"])
def test_surplus_objects_are_not_offered_for_entry_if_all_dice_are_read(doubt: str) -> None:
    dice = tuple(SeenDie(value, ((0.1, 0.1),) * 4, value < 4) for value in (1, 2, 3, 4))
    with Tabletop(source="typed") as table:
        overlay = CameraOverlay(table.context)
        overlay._hear(CameraSaw(1, "unsure", 3, dice, (doubt,)), table.now)
        assert overlay.words() == table.context.say("camera.doubt_strange")
        overlay._hear(CameraSaw(2, "unsure", 4, dice, (doubt,)), table.now)
        assert overlay.words() == table.context.say(f"camera.doubt_{doubt}")


@pytest.mark.parametrize(("state", "rests"), [("restarting", True), ("moving", False)])
def test_an_idle_table_rests_if_its_camera_is_missing_but_not_while_dice_move(state: str, rests: bool) -> None:
    with Tabletop(source="typed") as table:
        table.sit("mexico", [Seat("Ann"), Seat("Bo")])
        for _ in range(60 * table.context.config.screen.idle_minutes // 2 + 5):
            table.mailbox.post(CameraSaw(1, state, 2))
            table.run(2.0, step=1.0)
        assert isinstance(table.scene, Attract) == rests


def test_roll_again_ignores_the_dice_of_the_earlier_roll(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=2) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(4)
        evening.until(lambda: evening.state == "unsure", "a doubt")
        evening.turn()
        evening.press(END)  # "roll again" is preselected for an unreadable roll
        evening.run(1.0)
        assert not evening.history and evening.asked == 6
        rolled = evening.dice.throw(6)
        evening.until(lambda: evening.history, "the dice")
        assert tuple(sorted(evening.history[0][1])) == rolled


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)])
def test_boxes_and_values_do_not_cover_the_dice_in_the_picture(size: tuple[int, int]) -> None:
    pictures = []
    for name in ("camera-rolling", "camera-read"):
        there = SCREENS[name].visit("en", NAMES)
        with there.table:
            pictures.append(pygame.surfarray.array3d(visit.draw(there, size).surface))
    dice = (pictures[0] == (240, 236, 225)).all(axis=2)  # the pretend camera shows dice in this colour
    assert dice.sum() > 5 * 24**2 and (pictures[1][dice] == (240, 236, 225)).all()


def test_values_stay_within_the_picture_and_do_not_cover_other_dice_or_values() -> None:
    picture = Rect(10, 10, 400, 300)
    boxes = [
        [(x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40)] for x, y in ((12, 10), (12, 52), (368, 268), (54, 52))
    ]
    places = labels(boxes, [(24, 24)] * 4, picture)
    taken = [*(Rect(*box[0], 40, 40) for box in boxes), *places]
    assert all(picture.contains(place) for place in places)
    assert not [(a, b) for a, b in combinations(taken, 2) if a.colliderect(b)]


def test_the_roll_button_has_no_label_if_the_dice_can_only_be_rolled_again() -> None:
    for name, more in (("camera-many", False), ("camera-few", True)):
        there = SCREENS[name].visit("en", NAMES)
        with there.table:
            caps = there.scene.caps(there.table.now)
        assert (caps.roll is not None) == more and caps.end is not None and caps.end.lit
