"""Dice under the camera, as the table asks for them: rendered ones are thrown and read, and messages come."""

import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads dice")

from table import devices  # noqa: E402
from table.devices.camera import SIMULATED, CameraDice  # noqa: E402
from table.errors import Refused  # noqa: E402
from table.messages import (  # noqa: E402
    CameraFits,
    CameraHolds,
    CameraSaw,
    CameraShows,
    DeviceFound,
    DeviceLost,
    DiceRead,
)
from table.rules.vocabulary import Roll  # noqa: E402
from tests.standin import StandIn  # noqa: E402

PATIENCE = 60.0  # seconds: far more than anything here takes
Kind = TypeVar("Kind")


class Box:
    """All that a source posts."""

    def __init__(self) -> None:
        self.posted: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def next(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _: True) -> Kind:
        until = time.monotonic() + PATIENCE
        while True:
            message = self.posted.get(timeout=max(0.01, until - time.monotonic()))
            if isinstance(message, kind) and fits(message):
                return message

    def state(self, state: str) -> CameraSaw:
        return self.next(CameraSaw, lambda saw: saw.state == state)


@contextmanager
def camera(source: str = SIMULATED, folder: Path | None = None) -> Iterator[tuple[CameraDice, Box]]:
    box = Box()
    dice = CameraDice(box.posted.put, source, folder)
    try:
        yield dice, box
    finally:
        dice.close()


def test_dice_that_are_asked_for_are_thrown_read_and_shown_on_the_way() -> None:
    with camera() as (dice, box):
        dice.show((320, 240))
        dice.ask(7, Roll(0, 3))
        box.state("moving")
        saw = box.state("read")
        assert (saw.ticket, saw.count, len(saw.dice)) == (7, 3, 3)
        assert all(0 < x < 1 and 0 < y < 1 for die in saw.dice for x, y in die.corners)
        read = box.next(DiceRead)
        assert (read.source, read.ticket, read.dice) == ("camera", 7, tuple(die.value for die in saw.dice))
        assert read.correction is None and 0.5 < read.confidence <= 1
        box.next(CameraShows)
        assert dice.picture()


def test_a_cup_is_lifted_in_a_tray_that_was_seen_empty_after_the_one_before() -> None:
    with camera() as (dice, box):
        for ticket in (1, 2):
            dice.ask(ticket, Roll(ticket, 2), lifted=True)
            read = box.next(DiceRead)
            assert (read.ticket, len(read.dice), read.correction) == (ticket, 2, None)


def test_dice_that_nobody_waits_for_any_more_are_not_told() -> None:
    with camera() as (dice, box):
        dice.ask(1, Roll(0, 2))
        box.state("moving")
        dice.cancel()
        time.sleep(1.5)
        dice.ask(2, Roll(0, 4))
        read = box.next(DiceRead)
        assert (read.ticket, len(read.dice)) == (2, 4)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a command that stands in for the Pi's")
def test_a_camera_that_is_not_there_is_said_and_comes_back_by_itself(tmp_path: Path, monkeypatch: Any) -> None:
    stand_in = StandIn(tmp_path)
    monkeypatch.setenv("PATH", stand_in.path)
    monkeypatch.setattr(devices.camera, "LATE", 1.0)
    stand_in.pull()
    with camera("csi", tmp_path) as (dice, box):
        dice.ask(1, Roll(0, 2))
        box.state("restarting")
        assert "camera" in box.next(DeviceLost).why
        stand_in.put_back()
        assert box.next(DeviceFound).device == "camera"
        box.state("empty")
        thrown = stand_in.throw(2)
        assert tuple(sorted(box.next(DiceRead).dice)) == thrown


@pytest.mark.skipif(sys.platform == "win32", reason="needs a command that stands in for the Pi's")
def test_what_a_camera_goes_on_changing_by_itself_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", StandIn(tmp_path).path)
    with camera("csi", tmp_path) as (dice, box):
        dice.open()
        assert box.next(CameraHolds).refused == ("focus",)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a command that stands in for the Pi's")
def test_four_of_five_is_said_and_people_say_what_it_is(tmp_path: Path, monkeypatch: Any) -> None:
    stand_in = StandIn(tmp_path)
    monkeypatch.setenv("PATH", stand_in.path)
    with camera("csi", tmp_path) as (dice, box):
        dice.ask(9, Roll(0, 5))
        box.state("empty")
        thrown = stand_in.throw(4)
        saw = box.state("unsure")
        assert saw.doubts[0] == "few" and tuple(sorted(die.value for die in saw.dice)) == thrown
        with pytest.raises(Refused):
            dice.enter(thrown)
        dice.enter((*thrown, 6))
        read = box.next(DiceRead)
        assert (read.ticket, read.dice) == (9, (*thrown, 6))
        assert read.correction and tuple(sorted(read.correction.read)) == thrown
        assert read.correction.photo[:2] == b"\xff\xd8" and "4 of the expected 5" in read.correction.why


@pytest.mark.skipif(sys.platform == "win32", reason="needs a command that stands in for the Pi's")
def test_dice_that_are_nudged_after_the_reading_change_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    stand_in = StandIn(tmp_path)
    monkeypatch.setenv("PATH", stand_in.path)
    with camera("csi", tmp_path) as (dice, box):
        dice.ask(1, Roll(0, 2))
        box.state("empty")
        thrown = stand_in.throw(2)
        assert tuple(sorted(box.next(DiceRead).dice)) == thrown
        stand_in.nudge()
        time.sleep(1.5)
        dice.ask(2, Roll(0, 2))
        time.sleep(1.5)
        assert not any(isinstance(box.posted.get(), DiceRead) for _ in range(box.posted.qsize())), "nobody threw since"
        thrown = stand_in.throw(2)
        assert tuple(sorted(box.next(DiceRead).dice)) == thrown


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be killed so there")
def test_a_crash_in_the_middle_of_a_throw_loses_nothing() -> None:
    with camera() as (dice, box):
        dice.ask(1, Roll(0, 3))
        box.state("moving")
        eye = dice._eye
        assert eye and eye.pid
        os.kill(eye.pid, signal.SIGKILL)
        box.state("restarting")
        assert len(box.next(DiceRead).dice) == 3


def test_a_camera_that_is_not_wanted_for_a_while_is_closed_and_opened_again() -> None:
    with camera() as (dice, box):
        dice.ask(1, Roll(0, 1))
        box.next(DiceRead)
        eye = dice._eye
        dice.cancel()
        dice.rest()
        until = time.monotonic() + PATIENCE
        while eye and eye.pid and time.monotonic() < until:
            time.sleep(0.02)
        assert eye and eye.pid is None
        dice.ask(2, Roll(0, 2))
        assert len(box.next(DiceRead).dice) == 2


def test_a_camera_for_which_there_is_no_memory_is_said_and_tried_again(monkeypatch: Any) -> None:
    from vision.apart import slots

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("No space left on device")

    with camera() as (dice, box):
        with monkeypatch.context() as full:
            full.setattr(slots, "SharedMemory", refuse)
            dice.ask(1, Roll(0, 1))
            assert "No space left" in box.next(DeviceLost).why
        dice.ask(2, Roll(0, 1))
        assert box.next(DiceRead).ticket == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a command that stands in for the Pi's")
def test_a_damaged_calibration_is_asked_for_again_and_the_camera_is_not_lost(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", StandIn(tmp_path).path)
    with camera("csi", tmp_path) as (dice, box):
        assert dice.calibration_path and dice.calibration_path.exists()
        dice.calibration_path.write_text("{")
        dice.ask(1, Roll(0, 2))
        told = box.next(object, lambda told: isinstance(told, CameraFits | DeviceLost))
        assert told == CameraFits("unknown")


def test_a_calibration_is_kept_for_each_camera(tmp_path: Path) -> None:
    from vision import tray
    from vision.simulated import Rendered

    known = Rendered().calibration
    one, other = (CameraDice(lambda _: None, source, tmp_path) for source in ("camera:0", "camera-0"))
    one.calibrate(known)
    assert one.calibration_path and other.calibration_path
    assert tray.load(one.calibration_path).side == known.side
    assert not other.calibration_path.exists()
