"""The camera as a source of dice: rendered dice roll in front of it, and the source posts what it sees.

Here the frames are read in this process, with the test's clock (see tests/near_camera.py). A camera with a process of
its own, which crashes, is tested in test_camera_table.py.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads dice")

from table.devices import aside  # noqa: E402
from table.devices.camera import SIMULATED, CameraDice  # noqa: E402
from table.devices.camera_feed import LATE  # noqa: E402
from table.engine.asks import Roll  # noqa: E402
from table.engine.errors import Refused  # noqa: E402
from table.session.messages import (  # noqa: E402
    CameraFits,
    CameraHolds,
    CameraSaw,
    CameraShows,
    Correction,
    DeviceFound,
    DeviceLost,
    DiceRead,
)
from tests.near_camera import Near, NearCamera, near_simulated  # noqa: E402
from tests.standin import known  # noqa: E402
from vision.networks import LOOK  # noqa: E402
from vision.own_dice import TURNS, Face  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Reading  # noqa: E402
from vision.worker import Rolled, Told, frames  # noqa: E402

STEP = 0.1  # seconds from one frame to the next
LONGEST = 60.0  # seconds to wait for an expected message, by the test's clock
Kind = TypeVar("Kind")


class Watched:
    """A camera source with the test's clock, and the messages it posts."""

    def __init__(self, near: Near, source: str, folder: Path | None = None) -> None:
        self.near = near
        self.posted: list[Any] = []
        self._taken = 0  # how many of the posted messages `next` has returned or skipped
        self.dice = CameraDice(self.posted.append, source, folder, clock=lambda: near.now)
        self.dice.camera.watched = near.watched

    def all(self, kind: type[Kind]) -> list[Kind]:
        return [message for message in self.posted if isinstance(message, kind)]

    def run(self, seconds: float) -> None:
        until = self.near.now + seconds
        while self.near.now < until:
            self._step()

    def _step(self) -> None:
        if self.dice.camera._opening:
            self.dice.camera._opening.join()
        self.near.step(STEP)

    def next(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _: True) -> Kind:
        until = self.near.now + LONGEST
        while self.near.now < until:
            while self._taken < len(self.posted):
                message = self.posted[self._taken]
                self._taken += 1
                if isinstance(message, kind) and fits(message):
                    return message
            self._step()
        raise AssertionError(f"no {kind.__name__} came")

    def state(self, state: str) -> CameraSaw:
        return self.next(CameraSaw, lambda saw: saw.state == state)


@pytest.fixture
def simulated() -> Iterator[Watched]:
    found = Watched(near_simulated(), SIMULATED)
    yield found
    found.dice.close()


@pytest.fixture
def tray(tmp_path: Path) -> NearCamera:
    """The tray with rendered dice under the camera `csi`."""
    return NearCamera(tmp_path)


@pytest.fixture
def csi(tray: NearCamera, tmp_path: Path) -> Iterator[Watched]:
    found = Watched(tray.near, "csi", tmp_path)
    yield found
    found.dice.close()


def test_requested_dice_are_rolled_shown_and_read(simulated: Watched) -> None:
    simulated.dice.camera.show((320, 240))
    simulated.dice.ask(7, Roll(0, 3))
    assert simulated.next(CameraFits) == CameraFits(""), "the simulated camera is calibrated"
    simulated.next(CameraShows)
    simulated.state("moving")
    saw = simulated.state("read")
    assert (saw.ticket, saw.count, len(saw.dice)) == (7, 3, 3)
    assert all(0 < x < 1 and 0 < y < 1 for die in saw.dice for x, y in die.corners)
    read = simulated.next(DiceRead)
    assert (read.source, read.ticket, read.dice) == ("camera", 7, tuple(die.value for die in saw.dice))
    assert read.correction is None and 0.5 < read.confidence <= 1
    picture = simulated.dice.camera.picture()
    assert picture and picture.frame.shape == (240, 320, 3)


def test_the_simulated_tray_is_empty_before_each_cup_is_lifted(simulated: Watched) -> None:
    for ticket in (1, 2):
        simulated.dice.ask(ticket, Roll(ticket, 2), lifted=True)
        read = simulated.next(DiceRead)
        assert (read.ticket, len(read.dice), read.correction) == (ticket, 2, None)


def test_a_cancelled_roll_is_not_posted(simulated: Watched) -> None:
    simulated.dice.ask(1, Roll(0, 2))
    simulated.state("moving")
    simulated.dice.cancel()
    simulated.run(5.0)
    assert not simulated.all(DiceRead)
    simulated.dice.ask(2, Roll(0, 4))
    read = simulated.next(DiceRead)
    assert (read.ticket, len(read.dice)) == (2, 4)


def test_a_late_reading_does_not_answer_the_next_ask(csi: Watched) -> None:
    csi.dice.ask(1, Roll(0, 1))
    csi.state("empty")
    csi.dice.cancel()
    csi.dice.ask(2, Roll(0, 1))
    die = Die(3, (320.0, 240.0), Box((320.0, 240.0), (40.0, 40.0), 0.0), 0.99)
    assert csi.near.eye
    for number in (1, 2):
        assert not csi.all(DiceRead)
        csi.near.eye.send(Told(Rolled(number, Reading((die,), OK)), (640, 480), b""))
    (read,) = csi.all(DiceRead)
    assert (read.ticket, read.dice) == (2, (3,))


def test_a_missing_camera_is_reported_and_found_again_by_itself(csi: Watched, tray: NearCamera) -> None:
    tray.pull()
    csi.dice.ask(1, Roll(0, 2))
    csi.state("restarting")
    assert "camera" in csi.next(DeviceLost).why
    tray.put_back()
    assert csi.next(DeviceFound).device == "camera"
    csi.state("empty")
    rolled = tray.throw(2)
    assert tuple(sorted(csi.next(DiceRead).dice)) == rolled


def test_a_camera_unplugged_for_a_moment_is_not_reported(csi: Watched, tray: NearCamera) -> None:
    csi.dice.ask(1, Roll(0, 2))
    csi.state("empty")
    tray.pull()
    csi.state("restarting")
    csi.run(LATE - 2.0)
    tray.put_back()
    csi.state("empty")
    csi.run(2 * LATE)
    assert not csi.all(DeviceLost)


def test_settings_that_cannot_be_fixed_are_reported(csi: Watched) -> None:
    csi.dice.open()
    assert csi.next(CameraHolds).refused == ("focus",)


def test_a_missing_die_is_reported_and_people_can_enter_it(csi: Watched, tray: NearCamera) -> None:
    csi.dice.ask(9, Roll(0, 5))
    csi.state("empty")
    rolled = tray.throw(4)
    saw = csi.state("unsure")
    assert saw.doubts[0] == "few" and tuple(sorted(die.value for die in saw.dice)) == rolled
    with pytest.raises(Refused):
        csi.dice.enter(rolled)
    values = tuple(die.value for die in saw.dice)
    csi.dice.enter((*values, 6), (*saw.dice, None))
    read = csi.next(DiceRead)
    assert (read.ticket, read.dice) == (9, (*values, 6))
    assert read.correction and read.correction.read == values and len(read.correction.sure) == 4
    assert read.correction.photo[:2] == b"\xff\xd8" and "4 of the expected 5" in read.correction.why


def unsure(csi: Watched, *dice: Die) -> CameraSaw:
    """Report an unsure reading of these dice to a table that waits for two."""
    csi.dice.ask(1, Roll(0, 2))
    csi.run(STEP)
    assert csi.near.eye
    reading = Reading(dice, UNSURE, "a die is tilted")
    csi.near.eye.send(Told(Rolled(csi.near.eye._asks, reading), (640, 480), b"photo"))
    return csi.state("unsure")


def lying(value: int, x: float, sure: bool) -> Die:
    return Die(value, (x, 200.0), Box((x, 200.0), (40.0, 40.0), 0.0), 0.99, sure)


def test_confirming_and_correcting_record_what_each_die_was_read_as_and_whether_that_was_sure(csi: Watched) -> None:
    saw = unsure(csi, lying(5, 100.0, True), lying(2, 300.0, False))
    csi.dice.enter((5, 2), saw.dice)
    read = csi.next(DiceRead)
    assert read.confirmed and read.correction == Correction((5, 2), (True, False), "a die is tilted", b"photo")
    saw = unsure(csi, lying(5, 100.0, True), lying(2, 300.0, False))
    csi.dice.enter((3, 2), saw.dice)
    read = csi.next(DiceRead)
    assert not read.confirmed and read.dice == (3, 2)
    assert read.correction == Correction((5, 2), (True, False), "a die is tilted", b"photo")


def test_each_entered_value_belongs_to_the_die_at_its_place_even_if_a_later_reading_has_another_order(
    csi: Watched,
) -> None:
    saw = unsure(csi, lying(5, 100.0, True), lying(2, 300.0, False))
    later = Reading((lying(2, 303.0, False), lying(5, 98.0, True)), UNSURE)
    assert csi.near.eye
    csi.near.eye.send(Told(Rolled(1, later), (640, 480), b""))
    csi.dice.enter((5, 3), saw.dice)
    assert csi.near.eye.taught == [((98.0, 200.0, 5), (303.0, 200.0, 3))]


def test_dice_that_have_moved_or_were_not_seen_are_not_paired_with_a_value(csi: Watched) -> None:
    saw = unsure(csi, lying(5, 100.0, True))
    assert csi.near.eye
    csi.dice.enter((5, 6), (*saw.dice, None))
    assert csi.near.eye.taught == [((100.0, 200.0, 5),)]
    saw = unsure(csi, lying(5, 100.0, True))
    csi.near.eye.send(Told(Rolled(2, Reading((lying(5, 400.0, True),), UNSURE)), (640, 480), b""))
    csi.dice.enter((5, 6), (*saw.dice, None))
    assert len(csi.near.eye.taught) == 1


def test_a_die_at_the_place_of_another_one_does_not_get_its_value(csi: Watched) -> None:
    saw = unsure(csi, lying(5, 100.0, True), lying(2, 300.0, False))
    assert csi.near.eye
    again = Reading((lying(2, 100.0, False), lying(5, 300.0, True)), UNSURE)
    csi.near.eye.send(Told(Rolled(1, again), (640, 480), b""))
    csi.dice.enter((5, 2), saw.dice)
    assert csi.near.eye.taught == []


def test_what_people_confirm_is_learned_kept_and_forgotten(csi: Watched, tray: NearCamera, tmp_path: Path) -> None:
    csi.dice.ask(1, Roll(0, 5))
    csi.state("empty")
    tray.throw(4)
    saw = csi.state("unsure")
    values = tuple(die.value for die in saw.dice)
    csi.dice.enter((*values, 6), (*saw.dice, None))
    csi.run(1.0)
    assert csi.dice.own_dice.count == 4
    saved()
    assert csi.near.eye
    restarted = CameraDice(lambda _: None, "csi", tmp_path)
    restarted.own_dice.open()
    saved()
    assert restarted.own_dice.count == 4
    csi.dice.own_dice.begin_with(())
    saved()
    assert csi.dice.own_dice.count == 0
    forgotten = CameraDice(lambda _: None, "csi", tmp_path)
    forgotten.own_dice.open()
    saved()
    assert forgotten.own_dice.count == 0


def saved() -> None:
    """Wait until the threads that read and write what was learned are done."""
    for thread in threading.enumerate():
        if thread.name == aside.NAME:
            thread.join()


def test_a_new_calibration_forgets_the_dice_and_learns_those_that_it_showed(csi: Watched, tray: NearCamera) -> None:
    csi.dice.open()
    csi.run(STEP)
    csi.dice.own_dice.learn(tuple(face(value) for value in (1, 2, 3)))
    csi.dice._calibrated(known(2), (face(6),))
    saved()
    assert csi.dice.own_dice.count == 1
    csi.run(STEP)
    assert csi.near.eye and [one.value for one in csi.near.eye.remembers.faces] == [6]


def face(value: int) -> Face:
    looks = np.zeros((TURNS, LOOK), np.float16)
    looks[:, value] = 1
    return Face(value, False, looks)


def test_dice_nudged_after_the_reading_change_nothing(csi: Watched, tray: NearCamera) -> None:
    csi.dice.ask(1, Roll(0, 2))
    csi.state("empty")
    rolled = tray.throw(2)
    assert tuple(sorted(csi.next(DiceRead).dice)) == rolled
    tray.nudge()
    csi.run(5.0)
    csi.dice.ask(2, Roll(0, 2))
    csi.run(5.0)
    assert len(csi.all(DiceRead)) == 1, "nobody has rolled since"
    rolled = tray.throw(2)
    assert tuple(sorted(csi.next(DiceRead).dice)) == rolled


def test_a_resting_camera_is_closed_and_opened_again_when_needed(simulated: Watched) -> None:
    simulated.dice.ask(1, Roll(0, 1))
    simulated.next(DiceRead)
    first = simulated.near.eye
    simulated.dice.cancel()
    simulated.dice.rest()
    for thread in simulated.dice.camera._leaving:
        thread.join()
    assert first and first.closed
    simulated.dice.ask(2, Roll(0, 2))
    assert len(simulated.next(DiceRead).dice) == 2
    assert simulated.near.eye is not first


def test_missing_shared_memory_is_reported_and_retried(simulated: Watched, monkeypatch: Any) -> None:

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as full:
        full.setattr(frames, "SharedMemory", refuse)
        simulated.dice.ask(1, Roll(0, 1))
        assert "No space left" in simulated.next(DeviceLost).why
    simulated.dice.ask(2, Roll(0, 1))
    assert simulated.next(DiceRead).ticket == 2


def test_a_damaged_calibration_counts_as_unknown_without_losing_the_camera(csi: Watched) -> None:
    assert csi.dice.camera.path and csi.dice.camera.path.exists()
    csi.dice.camera.path.write_text("{")
    csi.dice.ask(1, Roll(0, 2))
    told = csi.next(object, lambda told: isinstance(told, CameraFits | DeviceLost))
    assert told == CameraFits("unknown")


def test_every_camera_keeps_its_own_calibration(tmp_path: Path) -> None:
    from vision import tray

    one, other = (CameraDice(lambda _: None, source, tmp_path) for source in ("camera:0", "camera-0"))
    one.camera.calibrate(known(2))
    assert one.camera.path and other.camera.path
    assert tray.load(one.camera.path).side == known(2).side
    assert not other.camera.path.exists()
