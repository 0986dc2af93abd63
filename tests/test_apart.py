"""Vision in a process of its own: frames and readings arrive, and whatever happens to the process, they come again."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from multiprocessing.shared_memory import SharedMemory
from typing import Any, ClassVar, TypeVar

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads dice")

from vision import simulated  # noqa: E402
from vision.apart import (  # noqa: E402
    Eye,
    Fits,
    Gone,
    Opened,
    Saw,
    Told,
    child,
)
from vision.apart.eye import CRASHED, GREW, HANGS  # noqa: E402
from vision.apart.slots import LARGEST, Slots  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Doubt, Reading  # noqa: E402
from vision.rolls import Rolled, Rolls  # noqa: E402
from vision.settle import EMPTY, HAND, MOVING, SETTLED, Seen  # noqa: E402

PATIENCE = 60.0  # seconds: far more than anything here takes
Kind = TypeVar("Kind")


class Watched:
    def __init__(self, **more: Any) -> None:
        self.heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.eye = Eye("simulated-camera", self.heard.put, **more)

    def next(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _: True) -> Kind:
        until = time.monotonic() + PATIENCE
        while True:
            report = self.heard.get(timeout=max(0.01, until - time.monotonic()))
            if isinstance(report, kind) and fits(report):
                return report


@contextmanager
def watched(**more: Any) -> Iterator[Watched]:
    one = Watched(**more)
    one.eye.start()
    try:
        yield one
    finally:
        one.eye.close()


def ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def gone_soon(pid: int) -> bool:
    until = time.monotonic() + 10
    while not ended(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return ended(pid)


def test_what_is_thrown_after_the_ask_is_told_and_the_frames_are_there() -> None:
    with watched() as one:
        one.eye.show((320, 200))
        number = one.eye.expect(3)
        told = one.next(Told)
        assert (told.rolled.number, len(told.rolled.reading.dice), told.rolled.sure) == (number, 3, True)
        assert told.size == (640, 480)
        picture = one.eye.picture()
        assert picture and picture.frame.shape == (200, 267, 3)
        assert one.eye.picture(after=picture.number + 1000) is None


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped or looked into there")
def test_a_child_that_is_killed_or_hangs_is_started_again_and_still_knows_what_was_asked() -> None:
    with watched(silent=2.0) as one:
        one.next(Saw, lambda saw: saw.state == EMPTY)
        first = one.eye.pid
        assert first
        os.kill(first, signal.SIGKILL)
        assert one.next(Gone).why == CRASHED
        one.next(Opened)
        number = one.eye.expect(2)
        assert one.next(Told).rolled.number == number
        second = one.eye.pid
        assert second and second != first
        os.kill(second, signal.SIGSTOP)
        number = one.eye.expect(4)
        assert one.next(Gone).why == HANGS
        told = one.next(Told)
        assert (told.rolled.number, len(told.rolled.reading.dice)) == (number, 4)
        assert ended(second)


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped there")
def test_a_child_that_hangs_while_it_is_calibrated_keeps_nobody_waiting() -> None:
    known = simulated.Rendered().calibration
    with watched(silent=2.0) as one:
        one.next(Opened)
        first = one.eye.pid
        assert first
        os.kill(first, signal.SIGSTOP)
        begun = time.monotonic()
        for _ in range(5):  # more than a pipe holds
            one.eye.calibrate(known)
        number = one.eye.expect(2)
        assert time.monotonic() - begun < 1
        assert one.next(Gone).why == HANGS
        assert one.next(Told).rolled.number == number
        second = one.eye.pid
        assert second
        os.kill(second, signal.SIGSTOP)
        one.eye.calibrate(known)
    assert ended(first) and ended(second)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells how large a process is")
def test_a_child_that_grows_too_large_is_ended() -> None:
    with watched(most=30_000_000) as one:
        assert one.next(Gone).why == GREW


class Nothing:
    """A source that opens and ends without a frame."""

    live, size = True, (640, 480)

    def frames(self) -> Iterator[Any]:
        return iter(())

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        pass


class Line(list[Any]):
    """A pipe's end that keeps what is said on it."""

    send = list.append


@contextmanager
def in_this_process(opened: Any, name: str, size: tuple[int, int]) -> Iterator[tuple[Iterator[float], Line]]:
    """The steps of the watching, and what it tells: nothing waits between two steps."""
    told, slots = Line(), Slots()
    watch = child.Watch(name, size, slots, told, queue.SimpleQueue(), None, opened=opened)
    with closing(watch.steps()) as steps:
        yield steps, told
    slots.close()


def test_a_source_that_ends_without_a_picture_is_said_and_not_opened_over_and_over() -> None:
    with in_this_process(lambda *_: Nothing(), "csi", (640, 480)) as (steps, told):
        pauses = [next(steps) for _ in range(len(child.AGAIN) + 2)]
    assert pauses == [*child.AGAIN, child.AGAIN[-1], child.AGAIN[-1]]
    assert sum(isinstance(report, Gone) for report in told) == len(pauses)


class Lamp:
    """A camera over a table that lies empty; a lamp is switched on once, some time after the settings were held."""

    live, size = True, (320, 240)
    rooms: ClassVar[list[tuple[int, ...]]] = []  # how bright each quarter of a minute is, by the opening
    held = 0

    def frames(self) -> Iterator[Any]:
        for part, level in enumerate(self.rooms.pop(0) if self.rooms else ()):
            frame = np.full((240, 320, 3), level, np.uint8)
            for k in range(150):
                yield frame, part * 15 + k / 10
        raise ValueError("over")

    def hold(self) -> list[str]:
        Lamp.held += 1
        return []

    def close(self) -> None:
        pass


def test_a_camera_finds_its_settings_anew_in_another_light_and_a_little_more_is_none(monkeypatch: Any) -> None:
    monkeypatch.setattr(Lamp, "rooms", [(70, 100, 70, 170, 170), (120, 90, 120)])
    monkeypatch.setattr(Lamp, "held", 0)
    with in_this_process(lambda *_: Lamp(), "camera:0", Lamp.size) as (steps, told):
        while not any(isinstance(report, Gone) for report in told):
            next(steps)
    assert Lamp.held == 2 and not Lamp.rooms
    assert told[-1] == Gone("over"), "of the second time: the first was left before"


def test_a_new_child_tells_that_all_fits_again() -> None:
    with watched() as one:
        assert one.next(Fits).why == ""


def test_nothing_is_left_after_the_end() -> None:
    one = Watched()
    one.eye.start()
    one.next(Opened)
    pid, name = one.eye.pid, one.eye._slots.name
    assert pid
    one.eye.close()
    one.eye.close()
    assert one.eye.picture() is None
    assert sys.platform == "win32" or ended(pid)
    with pytest.raises(FileNotFoundError):
        SharedMemory(name)


ALONE = """
import sys, time
from vision.apart import Eye, Opened
if __name__ == "__main__":
    def hear(report):
        if isinstance(report, Opened):
            print(eye.pid, eye._slots.name, flush=True)
    eye = Eye("simulated-camera", hear)
    eye.start()
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory is let go by the system there")
def test_nothing_is_left_after_the_table_was_killed(tmp_path: Any) -> None:
    (tmp_path / "alone.py").write_text(ALONE)
    command = [sys.executable, str(tmp_path / "alone.py")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as table:
        assert table.stdout
        pid, name = table.stdout.readline().split()
        table.kill()
    assert gone_soon(int(pid))
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            SharedMemory(name).close()
        except FileNotFoundError:
            return
        time.sleep(0.05)
    raise AssertionError("the shared memory is still there")


def test_a_frame_is_never_torn() -> None:
    mine = Slots()
    theirs = Slots(mine.name)
    enough, put = threading.Event(), 0

    def write() -> None:
        nonlocal put
        while not enough.is_set() and put < 20_000:
            put = theirs.put(np.full((360, 640, 3), put % 251, np.uint8))

    writer = threading.Thread(target=write)
    writer.start()
    seen, last = 0, 0
    while seen < 50 and writer.is_alive():
        picture = mine.get(last)
        if picture:
            assert picture.number > last
            assert (picture.frame == picture.frame[0, 0, 0]).all()
            seen, last = seen + 1, picture.number
    enough.set()
    writer.join()
    assert seen == 50
    assert mine.put(np.zeros((3000, 4000, 3), np.uint8)) == put + 1
    picture = mine.get()
    assert picture and picture.frame.shape == (LARGEST[1], 1440, 3)
    del picture
    theirs.close()
    mine.close()


# Which readings are rolls


def die(value: int, x: float, kept: bool = False) -> Die:
    return Die(value, (x, 50.0), Box((x, 50.0), (40.0, 40.0), 0.0), 0.99, kept=kept)


def after(rolls: Rolls, *dice: Die, by: str = MOVING) -> Rolled | None:
    """Something moves, and then these lie there."""
    assert rolls.see(Seen(by, None, True)) is None
    if not dice:
        return rolls.see(Seen(EMPTY, None, True))
    return rolls.see(Seen(SETTLED, Reading(dice, OK), True))


def unsurely(rolls: Rolls, doubt: str, *dice: Die) -> Rolled | None:
    assert rolls.see(Seen(MOVING, None, True)) is None
    return rolls.see(Seen(SETTLED, Reading(dice, UNSURE, doubt, (Doubt(doubt),)), True))


def rested() -> Rolls:
    rolls = Rolls()
    assert after(rolls) is None
    return rolls


def test_dice_that_fall_after_the_ask_are_a_roll_and_those_that_lay_there_are_not() -> None:
    rolls = rested()
    assert after(rolls, die(3, 100)) is None, "nobody asked"
    rolls.ask(1)
    assert rolls.see(Seen(SETTLED, Reading((die(3, 100),), OK), True)) is None, "nothing moved"
    told = after(rolls, die(5, 200))
    assert told and (told.number, told.sure) == (1, True)


def test_a_single_die_that_was_knocked_over_leaves_a_doubt() -> None:
    rolls = rested()
    after(rolls, die(3, 100))
    rolls.ask(1)
    told = after(rolls, die(5, 150))
    assert told and not told.sure and len(told.stayed) == 1
    assert after(rolls) is None, "it was taken up"
    told = after(rolls, die(2, 140))
    assert told and told.sure


def test_dice_that_were_all_pushed_a_little_leave_a_doubt_until_others_fall() -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 110), die(4, 210))
    assert told and not told.sure and len(told.stayed) == 2
    assert after(rolls, die(3, 110), die(4, 210), by=HAND) is None
    told = after(rolls, die(3, 10), die(5, 210))
    assert told and told.sure


def test_the_same_values_are_a_roll_if_the_tray_was_seen_without_dice() -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    assert after(rolls) is None
    told = after(rolls, die(3, 120), die(4, 210))
    assert told and told.sure


@pytest.mark.parametrize("asked", ["before", "in the dark"])
@pytest.mark.parametrize("doubt", ["dark", "different", "hand"])
def test_dice_that_could_not_be_seen_for_a_while_were_not_thrown(asked: str, doubt: str) -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    if asked == "before":
        rolls.ask(1)
    told = unsurely(rolls, doubt)
    assert told is None or not told.sure
    if asked == "in the dark":
        rolls.ask(1)
    assert after(rolls, die(3, 100), die(4, 200)) is None


def test_dice_that_come_to_light_when_nothing_was_known_of_the_tray_leave_a_doubt() -> None:
    rolls = Rolls()
    rolls.ask(1)
    assert unsurely(rolls, "dark") is None
    told = after(rolls, die(3, 100))
    assert told and not told.sure
    told = after(rolls, die(4, 200))
    assert told and told.sure


def test_dice_that_lay_still_at_the_ask_and_were_read_after_it_are_no_roll() -> None:
    rolls = rested()
    rolls.see(Seen(MOVING, None, True))
    rolls.ask(1)
    assert rolls.see(Seen(SETTLED, Reading((die(3, 100),), OK), True)) is None
    assert after(rolls, die(3, 100), by=HAND) is None
    told = after(rolls, die(3, 120))
    assert told and not told.sure


def test_a_die_on_edge_that_falls_flat_leaves_a_doubt() -> None:
    rolls = rested()
    after(rolls, die(3, 100))
    unsurely(rolls, "edge", replace(die(2, 100), sure=False))
    rolls.ask(1)
    told = after(rolls, die(5, 120))
    assert told and not told.sure


@pytest.mark.parametrize("by", [MOVING, HAND])
def test_a_hand_that_passes_over_dice_throws_none(by: str) -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    assert after(rolls, die(3, 101), die(4, 199), by=by) is None
    assert after(rolls, die(4, 199), by=by) is None, "one was taken, and the other lies where it lay"


def test_a_die_that_stayed_among_others_leaves_a_doubt() -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(4, 300))
    assert told and not told.sure and [d.value for d in told.stayed] == [3]


def test_dice_that_stayed_were_not_thrown_for_being_pushed_together_with_those_that_were() -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200), die(6, 300))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(4, 200), die(5, 400))
    assert told and not told.sure
    told = after(rolls, die(3, 130), die(4, 230), die(5, 430))
    assert told and not told.sure, "somebody has pushed the tray"
    told = after(rolls, die(1, 130), die(1, 230), die(2, 430))
    assert told and told.sure, "all of them were thrown"


def test_a_die_that_stayed_may_be_thrown_by_itself_then() -> None:
    rolls = rested()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(5, 400))
    assert told and [d.value for d in told.stayed] == [3]
    told = unsurely(rolls, "few", die(5, 400))
    assert told and not told.sure, "it was taken"
    told = after(rolls, die(6, 50), die(5, 400))
    assert told and told.sure


def test_kept_dice_may_stay() -> None:
    rolls = rested()
    after(rolls, die(3, 100, kept=True), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100, kept=True), die(5, 300))
    assert told and told.sure


def test_what_a_camera_sees_first_was_not_thrown() -> None:
    rolls = Rolls()
    rolls.ask(1)
    assert after(rolls, die(3, 100)) is None
    assert after(rolls, die(3, 100)) is None
    assert after(rolls, die(5, 140))
