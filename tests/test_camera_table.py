"""Games with dice under a camera: sure readings are accepted, others are corrected with two buttons, and the camera may
be unplugged. This is a short version of `python -m tests.soak.camera`. Most tests read the frames in this process, with
the test's clock.
"""

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations, groupby
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
from table.session.match import News  # noqa: E402
from table.session.messages import CameraSaw, SeenDie  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.ui.kiosk.camera_overlay import ASKS, GRAVEST, CameraOverlay  # noqa: E402
from table.ui.kiosk.camera_view import labels  # noqa: E402
from table.ui.kiosk.entry import AGAIN, OTHER, Entering  # noqa: E402
from table.ui.kiosk.gestures import END, ROLL, Gesture, Tap, Touched, Typed  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from tests import visit  # noqa: E402
from tests.evening import Evening  # noqa: E402
from tests.gallery import NAMES, SCREENS  # noqa: E402
from tests.soak import camera  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from vision.reading import DOUBTS, UNSURE, Box, Die, Reading  # noqa: E402
from vision.worker import Rolled, Told  # noqa: E402


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
        evening.run(ASKS)
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
    for dice, doubt in (((*sure, *sure), "many"), ((), "dark")):
        correcting = Entering(3, CameraSaw(1, "unsure", 3, dice, (doubt,)))
        assert correcting.handle(Tap(END)) == "again"
    correcting = Entering(3, CameraSaw(1, "unsure", 3, sure, ("strange",)))
    assert correcting.handle(Tap(END)) is None
    assert correcting.handle(Typed("1")) is None and correcting.picker.entries[-1] == AGAIN


def seen(*values: int, unsure: Sequence[int] = ()) -> Entering:
    """A reading of these dice, whose count is right; the camera is unsure of the dice at these places."""
    dice = (SeenDie(value, ((place / 9, 0.1),) * 4, place not in unsure) for place, value in enumerate(values))
    return Entering(len(values), CameraSaw(1, "unsure", len(values), tuple(dice)))


def test_one_press_of_roll_confirms_all_values_as_shown() -> None:
    question = seen(6, 2, 5, unsure=[1])
    assert question.confirming and [die.value for die in question.asked] == [2]
    assert question.handle(Tap(ROLL)) == "done" and question.values == (6, 2, 5)


def test_only_doubtful_dice_have_to_be_entered() -> None:
    question = seen(6, 2, 5, 1, unsure=[1, 3])
    assert question.handle(Tap(END)) is None and question.values == (6, None, 5, None)
    assert question.die and question.die.value == 2
    assert question.handle(Tap(ROLL)) is None  # moves from two to three
    assert question.handle(Tap(END)) is None and question.values == (6, 3, 5, None)
    assert question.handle(Tap(END)) == "done" and question.values == (6, 3, 5, 1)


@pytest.mark.parametrize(("button", "values"), [(ROLL, (6, 2, 5)), (END, (6, 2, 4))])
def test_a_die_that_the_camera_is_sure_of_is_changed_only_after_another_question(
    button: str, values: tuple[int, ...]
) -> None:
    question = seen(6, 2, 5, unsure=[1])
    question.handle(Touched("die:2"))
    assert question.handle(Typed("4")) is None and question.change == 4 and not question.listed
    question.handle(Tap(button))
    assert question.change is None and question.die and question.die.value == 2
    assert question.handle(Tap(END)) == "done" and question.values == values


def test_buttons_reach_a_die_that_the_camera_is_sure_of() -> None:
    question = seen(6, 2, unsure=[1])
    question.handle(Tap(END))
    while question.picker.entry != OTHER:
        question.handle(Tap(ROLL))
    question.handle(Tap(END))
    assert question.die and question.die.value == 6 and OTHER not in question.picker.entries
    question.handle(Tap(END))  # the cursor is at the six that the camera read
    assert question.handle(Tap(END)) == "done" and question.values == (6, 2)


def test_back_undoes_each_step_up_to_the_question_whether_all_is_right() -> None:
    question = seen(6, 2, 5, unsure=[0, 1])
    question.handle(Tap(END))
    question.handle(Tap(END))
    question.handle(Touched("die:2"))
    question.handle(Typed("1"))
    assert question.change == 1
    assert question.back() and question.change is None and question.values == (6, None, 5)
    assert question.back() and question.values == (None, None, 5)
    assert question.back() and question.confirming and question.asked[0].value == 6
    assert not question.back()


def test_a_press_just_before_the_question_appears_does_not_answer_it(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(5)
        evening.until(lambda: evening.state == "unsure", "a doubt")
        evening.turn()
        question = evening.table.scene._overlay.correcting
        before = question.picker.at
        evening.press(ROLL)
        assert question.picker.at == before
        evening.run(ASKS)
        evening.press(ROLL)
        assert question.picker.at != before


@pytest.mark.parametrize(
    ("gestures", "source", "taken"),
    [
        ((Tap(ROLL),), "confirmed", (1, 2, 3, 4, 5, 6)),
        ((Tap(END), Typed("1")), "corrected", (1, 2, 3, 4, 5, 1)),
        ((Touched("die:1"), Typed("5"), Tap(END), Tap(END)), "corrected", (1, 5, 3, 4, 5, 6)),
    ],
)
def test_the_record_says_what_was_read_what_counts_and_whether_the_camera_was_sure(
    tmp_path: Path, gestures: Sequence[Gesture], source: str, taken: tuple[int, ...]
) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        unsure_of_the_six(evening)
        evening.run(ASKS)
        evening.table.kiosk._do(gestures, evening.table.now)
        evening.until(lambda: evening.history, "the dice")
        assert evening.history[0][1] == taken
    with closing(sqlite3.connect(tmp_path / "table.db")) as records:
        assert records.execute("SELECT source FROM answers").fetchall() == [(source,)]
        [(read, counts, sure)] = records.execute("SELECT read, taken, sure FROM corrections").fetchall()
    assert json.loads(read) == [1, 2, 3, 4, 5, 6] and json.loads(sure) == [True] * 5 + [False]
    assert tuple(json.loads(counts)) == taken


def test_the_picture_says_for_a_moment_how_the_dice_were_read_and_goes_away_at_a_press(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(6)
        evening.until(lambda: evening.history, "the dice")
        evening.turn()
        assert "Read by the camera" in evening.table.words
        evening.press(ROLL)
        evening.turn()
        assert "Read by the camera" not in evening.table.words
        assert evening.table.session.turn == "person", "the press only ended what was shown"


@pytest.mark.parametrize(("gestures", "words"), [((Tap(ROLL),), "Confirmed by"), ((Typed("1"),), "Corrected by")])
def test_the_picture_says_who_confirmed_or_corrected_the_dice(
    tmp_path: Path, gestures: Sequence[Gesture], words: str
) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        unsure_of_the_six(evening)
        evening.run(ASKS)
        evening.table.kiosk._do(gestures, evening.table.now)
        evening.until(lambda: evening.history, "the dice")
        evening.turn()
        ask, _ = evening.history[0]
        who = evening.table.session.match.referee.players[ask.seat]  # type: ignore[union-attr]
        assert f"{words} {who}" in evening.table.words


def test_rolls_read_without_asking_are_counted_across_restarts_until_the_camera_asks(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.table.context.count_unasked(11)
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(6)
        evening.until(lambda: evening.history, "the dice")
        evening.turn()
        assert "12 in a row without asking" in evening.table.words
    with Tabletop(source="typed", folder=tmp_path) as table:
        assert table.context.devices.unasked == 12
        table.sit("mexico", [Seat("Ann"), Seat("Bo")])
        table.scene._overlay._hear(CameraSaw(1, "unsure", 1), table.now)
        assert table.context.devices.unasked == 0


def test_the_picture_goes_away_when_the_game_goes_on(tmp_path: Path) -> None:
    with Evening(tmp_path, seed=1) as evening:
        evening.sit("cheese")
        evening.until(lambda: evening.asked and evening.state == "empty", "an ask")
        evening.dice.throw(6)
        evening.until(lambda: evening.history, "the dice")
        overlay, match = evening.table.scene._overlay, evening.table.session.match
        assert match and overlay.active(evening.table.now)
        view = match.referee.view(None)
        overlay.follow([News(1, match.referee.ask, None, (), view, view)], match)
        assert not overlay.active(evening.table.now)


def unsure_of_the_six(evening: Evening) -> None:
    """Report a reading of the six faces to a table that waits for six dice."""
    eye = evening._near.eye
    assert eye
    dice = tuple(
        Die(value, (90.0 * value, 200.0), Box((90.0 * value, 200.0), (40.0, 40.0), 0.0), 0.9, value < 6)
        for value in range(1, 7)
    )
    eye.send(Told(Rolled(eye._asks, Reading(dice, UNSURE, "a die is tilted")), (640, 480), b"jpeg"))
    evening.turn()


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
        evening.run(ASKS)
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


@pytest.mark.parametrize(("size", "least"), [((800, 480), 120), ((1280, 720), 180)])
def test_the_die_in_question_is_enlarged_and_every_die_can_be_touched(size: tuple[int, int], least: int) -> None:
    widest = {}
    for name in ("camera-read", "camera-on-edge", "camera-few"):
        there = SCREENS[name].visit("en", NAMES)
        with there.table:
            canvas = visit.draw(there, size)
        white = abs(pygame.surfarray.array3d(canvas.surface).astype(int) - (240, 236, 225)).max(axis=2) <= 3
        widest[name] = max(sum(1 for _ in run) for row in white.T for lit, run in groupby(row) if lit)
        touched = {spot for spot, _ in canvas.spots if spot.startswith("die:")}
        assert touched == {"camera-read": set(), "camera-few": {"die:0", "die:1"}}.get(
            name, {"die:0", "die:1", "die:2"}
        )
    assert widest["camera-read"] < least / 2 and widest["camera-few"] < least / 2, "nothing is enlarged there"
    assert widest["camera-on-edge"] > least


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
