"""What the table has learned about its dice: kept in a file, whatever happens to the disk, and forgotten on request."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads dice")
pytest.importorskip("pygame", reason="pygame draws the table")

from table.devices.own_dice import LearnedDice  # noqa: E402
from table.session.messages import Troubled  # noqa: E402
from tests.fingers import Fingers  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from vision.networks import LOOK  # noqa: E402
from vision.own_dice import TURNS, Face, OwnDice  # noqa: E402


def face(value: int) -> Face:
    looks = np.zeros((TURNS, LOOK), np.float16)
    looks[:, value] = 1
    return Face(value, False, looks)


class Learned:
    """Learned dice, with the posted messages and the values given to the camera. `later` holds the threads' work."""

    def __init__(self, path: Path | None, wait: bool = False) -> None:
        self.posted: list[Any] = []
        self.given: list[OwnDice] = []
        self.later: list[Callable[[], None]] = []
        aside = self.later.append if wait else lambda work: work()
        self.dice = LearnedDice(path, self.posted.append, self.given.append, aside)


def test_what_was_learned_is_given_to_the_camera_and_found_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "cameras" / "csi.dice"
    first = Learned(path)
    first.dice.open()
    first.dice.learn((face(2),))
    first.dice.learn((face(5), face(6)))
    assert [len(own.faces) for own in first.given] == [0, 1, 3]
    second = Learned(path)
    assert second.dice.count == 0
    second.dice.open()
    assert second.dice.count == 3 and [one.value for one in second.given[0].faces] == [2, 5, 6]


def test_a_camera_that_is_opened_again_gets_what_is_remembered(tmp_path: Path) -> None:
    learned = Learned(None)
    learned.dice.open()
    learned.dice.learn((face(2),))
    learned.dice.open()
    assert learned.given[-1].faces[0].value == 2


def test_a_camera_that_is_opened_never_gets_an_older_value_after_a_newer_one() -> None:
    reached, go_on = threading.Event(), threading.Event()
    given: list[int] = []

    def changed(own: OwnDice) -> None:
        if reopened.is_alive() and threading.current_thread() is reopened:
            reached.set()
            go_on.wait(5)
        given.append(len(own.faces))

    dice = LearnedDice(None, lambda _: None, changed, lambda work: work())
    reopened = threading.Thread(target=dice.open, daemon=True)
    dice.learn((face(2),))
    reopened.start()
    assert reached.wait(5)
    learning = threading.Thread(target=dice.learn, args=((face(3),),), daemon=True)
    learning.start()
    learning.join(0.2)
    go_on.set()
    reopened.join(5)
    learning.join(5)
    assert given == [0, 1, 1, 2]


def test_forgetting_leaves_nothing_even_if_the_file_is_read_or_written_later(tmp_path: Path) -> None:
    path = tmp_path / "csi.dice"
    Learned(path).dice.learn((face(3),))
    learned = Learned(path, wait=True)
    learned.dice.open()
    learned.dice.begin_with()
    for work in learned.later:
        work()
    assert learned.dice.count == 0 and not any(own.faces for own in learned.given)
    again = Learned(path)
    again.dice.open()
    assert again.dice.count == 0


def test_dice_learned_before_the_file_was_read_are_added_to_it(tmp_path: Path) -> None:
    path = tmp_path / "csi.dice"
    Learned(path).dice.learn((face(3),))
    learned = Learned(path, wait=True)
    learned.dice.open()
    learned.dice.learn((face(4),))
    for work in learned.later:
        work()
    assert [one.value for one in learned.given[-1].faces] == [3, 4]


def test_the_newest_value_is_saved_even_if_the_threads_come_in_another_order(tmp_path: Path) -> None:
    path = tmp_path / "csi.dice"
    learned = Learned(path, wait=True)
    learned.dice.learn((face(1),))
    learned.dice.learn((face(2),))
    for work in reversed(learned.later):
        work()
    again = Learned(path)
    again.dice.open()
    assert again.dice.count == 2


def test_a_file_that_cannot_be_written_is_reported_and_the_dice_are_remembered_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "cameras").write_text("a file, not a folder")
    learned = Learned(tmp_path / "cameras" / "csi.dice")
    learned.dice.learn((face(1),))
    (troubled,) = learned.posted
    assert isinstance(troubled, Troubled) and troubled.trouble == "own_dice" and troubled.detail
    assert learned.dice.count == 1


def test_people_can_make_the_table_learn_its_dice_again_but_not_by_accident() -> None:
    learned = Learned(None)
    learned.dice.learn((face(1), face(2)))
    with Tabletop(pins=True) as table:
        say, fingers = table.context.say, Fingers(table)
        table.context.devices.own_dice = learned.dice
        fingers.both()
        fingers.take(say("menu.settings"))
        fingers.find(say("settings.own_dice"))
        assert say("settings.own_dice_known", count=2) in table.words
        fingers.take(say("settings.own_dice"))
        fingers.press("end")
        assert learned.dice.count == 2, "the first answer is no"
        fingers.take(say("settings.own_dice"))
        fingers.take(say("confirm.yes"))
        assert learned.dice.count == 0 and learned.given[-1].faces == ()
        assert say("settings.title") in table.words and say("settings.own_dice") not in table.words
