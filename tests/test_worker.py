"""The vision process: its frames and readings arrive, and it is restarted whatever happens to it."""

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from multiprocessing.shared_memory import SharedMemory
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads dice")

from tests.processes import until  # noqa: E402
from vision import simulated  # noqa: E402
from vision.fit import SIZE  # noqa: E402
from vision.networks import LOOK  # noqa: E402
from vision.own_dice import TURNS, Face, OwnDice  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Doubt, Reading  # noqa: E402
from vision.render import fixed  # noqa: E402
from vision.rolls import Rolled, Rolls  # noqa: E402
from vision.settle import EMPTY, HAND, MOVING, SETTLED, Seen  # noqa: E402
from vision.tray import Calibration  # noqa: E402
from vision.worker import CameraProcess, Fits, Gone, Learned, Opened, Saw, Told, child  # noqa: E402
from vision.worker.camera_process import CRASHED, GREW, HANGS, SILENT, STARTS, _Orders, hangs  # noqa: E402
from vision.worker.frames import LARGEST, SLOTS, Slots  # noqa: E402
from vision.worker.messages import Beat, Expect, Learn, Remember  # noqa: E402

PATIENCE = 60.0  # seconds to wait for a report
Kind = TypeVar("Kind")


def calibration(size: tuple[int, int]) -> Calibration:
    (w, h), empty = size, np.zeros((480, 640, 3), np.uint8)
    return Calibration(size, 40.0, ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h)), None, empty, 1.0)


# A real child process


class Watched:
    """A camera process whose clock stands still, so that no child is too slow. After `wait` the clock jumps far ahead
    on every read, so that a stopped child counts as hanging."""

    def __init__(self, **more: Any) -> None:
        self.heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.camera = CameraProcess("simulated-camera", self._hear, clock=self._clock, **more)
        self._now, self._stopped = 0.0, False

    def _clock(self) -> float:
        self._now += SILENT if self._stopped else 0.0
        return self._now

    def _hear(self, report: Any) -> None:
        if isinstance(report, Gone):
            self._stopped = False
        self.heard.put(report)

    def next(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _: True) -> Kind:
        while True:
            report = self.heard.get(timeout=PATIENCE)
            if isinstance(report, kind) and fits(report):
                return report

    @property
    def pid(self) -> int:
        assert self.camera.pid
        return self.camera.pid

    def stop(self) -> int:
        """Make the child hang from now on."""
        os.kill(self.pid, signal.SIGSTOP)
        return self.pid

    def wait(self) -> None:
        """Let the clock run until the hanging child is gone."""
        self._stopped = True


@contextmanager
def watched(**more: Any) -> Iterator[Watched]:
    one = Watched(**more)
    one.camera.start()
    try:
        yield one
    finally:
        one.camera.close()


def ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def freed(memory: str) -> bool:
    try:
        SharedMemory(memory).close()
    except FileNotFoundError:
        return True
    return False


def test_a_roll_after_the_ask_is_reported_and_closing_frees_everything() -> None:
    with watched() as one:
        one.camera.show((320, 200))
        number = one.camera.expect(3)
        told = one.next(Told)
        assert (told.rolled.number, len(told.rolled.reading.dice), told.rolled.sure) == (number, 3, True)
        assert told.size == (640, 480)
        picture = one.camera.picture()
        assert picture and picture.frame.shape == (200, 267, 3)
        assert one.camera.picture(after=picture.number + 1_000_000) is None
        pid, name = one.pid, one.camera._slots.name
    one.camera.close()
    assert one.camera.picture() is None
    assert sys.platform == "win32" or ended(pid)
    assert freed(name)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.slow
def test_a_child_that_crashes_during_a_roll_is_restarted_and_still_knows_the_ask() -> None:
    with watched() as one:
        number = one.camera.expect(3)
        one.next(Saw, lambda saw: saw.state == MOVING)
        first = one.pid
        os.kill(first, signal.SIGKILL)
        assert one.next(Gone).why == CRASHED
        told = one.next(Told)
        assert (told.rolled.number, len(told.rolled.reading.dice)) == (number, 3)
        assert one.pid != first


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGSTOP")
def test_a_hanging_child_does_not_block_the_table_and_the_next_child_knows_the_ask() -> None:
    known = calibration((640, 480))
    with watched() as one:
        one.next(Opened)
        first = one.stop()
        for _ in range(5):  # each is larger than a pipe's buffer, so a blocking write would wait forever
            one.camera.calibrate(known)
        number = one.camera.expect(4)
        one.wait()
        assert one.next(Gone).why == HANGS
        told = one.next(Told)
        assert (told.rolled.number, len(told.rolled.reading.dice)) == (number, 4)
        second = one.stop()
        one.camera.calibrate(known)
    assert ended(first) and ended(second)


def test_a_child_counts_as_hanging_after_too_long_a_silence_but_may_take_longer_to_start() -> None:
    assert not hangs(STARTS - 0.1, 0.0, None) and hangs(STARTS, 0.0, None)
    assert not hangs(100 + SILENT - 0.1, 0.0, 100.0) and hangs(100 + SILENT, 0.0, 100.0)
    assert SILENT < STARTS


def test_a_hang_is_measured_from_the_last_message_and_not_from_the_start() -> None:
    """The child answers every second poll, for much longer than a start may take, and then stops."""
    now, asked = 0.0, 0

    class Pipe:
        def poll(self, seconds: float) -> bool:
            nonlocal now, asked
            now, asked = now + SILENT - 1, asked + 1
            return asked % 2 == 0 and asked <= 20

        def recv(self) -> Beat:
            return Beat()

    assert CameraProcess("", lambda report: None, clock=lambda: now)._listen(cast(Any, Pipe())) == HANGS
    assert asked == 22


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux reports the memory of a process")
def test_a_child_that_uses_too_much_memory_is_ended() -> None:
    with watched(most=1) as one:
        assert one.next(Gone).why == GREW


ALONE = """
import time
from vision.worker import CameraProcess, Opened
if __name__ == "__main__":
    def hear(report):
        if isinstance(report, Opened):
            print(camera.pid, camera._slots.name, flush=True)
    camera = CameraProcess("simulated-camera", hear)
    camera.start()
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows frees shared memory by itself")
def test_nothing_is_left_after_the_table_was_killed(tmp_path: Any) -> None:
    (tmp_path / "alone.py").write_text(ALONE)
    command = [sys.executable, str(tmp_path / "alone.py")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as table:
        assert table.stdout
        said = table.stdout.readline().split()
        table.kill()
    pid, name = said
    until("the child has ended", lambda: ended(int(pid)))
    until("its memory is freed", lambda: freed(name))


# The child's work, run in this process


class Nothing:
    """A source that opens but never delivers a frame."""

    live, size = True, (640, 480)

    def frames(self) -> Iterator[Any]:
        return iter(())

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        pass


class Line(list[Any]):
    """Stands in for the sending end of a pipe, and collects the messages."""

    send = list.append


@contextmanager
def in_this_process(
    opened: Any, name: str, size: tuple[int, int], known: Calibration | None = None
) -> Iterator[tuple[Iterator[float], Line]]:
    """A watch in this process: its steps, with no delay between them, and the line that collects its reports."""
    told, slots = Line(), Slots()
    watch = child.Watch(name, size, slots, told, queue.SimpleQueue(), known, opened=opened)
    with closing(watch.steps()) as steps:
        yield steps, told
    slots.close()


def test_a_source_that_ends_without_a_picture_is_reported_and_retried_with_growing_pauses() -> None:
    with in_this_process(lambda *_: Nothing(), "csi", (640, 480)) as (steps, told):
        pauses = [next(steps) for _ in range(len(child.AGAIN) + 2)]
    assert pauses == [*child.AGAIN, child.AGAIN[-1], child.AGAIN[-1]]
    assert sum(isinstance(report, Gone) for report in told) == len(pauses)


class Lamp:
    """A camera over an empty table, where a lamp is switched on after the camera's settings are fixed."""

    live, size = True, (320, 240)
    # For each time that the camera is opened: the brightness in every 15 seconds.
    rooms: ClassVar[list[tuple[int, ...]]] = []
    held = 0

    def frames(self) -> Iterator[Any]:
        for part, level in enumerate(self.rooms.pop(0) if self.rooms else ()):
            frame = np.full((240, 320, 3), level, np.uint8)
            for k in range(75):
                yield frame, part * 15 + k / 5
        raise ValueError("over")

    def hold(self) -> list[str]:
        Lamp.held += 1
        return []

    def close(self) -> None:
        pass


def test_a_camera_adjusts_its_settings_again_only_after_a_large_change_of_light(monkeypatch: Any) -> None:
    monkeypatch.setattr(Lamp, "rooms", [(70, 100, 70, 170, 170), (120, 90, 120)])
    monkeypatch.setattr(Lamp, "held", 0)
    with in_this_process(lambda *_: Lamp(), "camera:0", Lamp.size) as (steps, told):
        while not any(isinstance(report, Gone) for report in told):
            next(steps)
    assert Lamp.held == 2 and not Lamp.rooms
    assert told[-1] == Gone("over"), "from the second opening; the first one was closed before its end"


@pytest.mark.parametrize(("known", "why"), [((640, 480), ""), ((1280, 720), SIZE), (None, "unknown")])
def test_a_new_child_reports_whether_its_pictures_fit_the_calibration(known: tuple[int, int] | None, why: str) -> None:
    with in_this_process(lambda *_: Nothing(), "csi", (640, 480), calibration(known) if known else None) as both:
        steps, told = both
        next(steps)
    assert [report.why for report in told if isinstance(report, Fits)] == [why]


# Learning the table's own dice


def face(value: int) -> Face:
    return Face(value, False, np.eye(LOOK, dtype=np.float16)[[value] * TURNS])


def test_a_new_child_is_told_what_is_remembered_and_not_what_the_last_one_was_to_learn() -> None:
    orders = _Orders(None)
    orders.give(Remember(OwnDice((face(3),))))
    orders.give(Learn(Rolled(1, Reading((), UNSURE)), ((1.0, 2.0, 3),)))
    given: queue.SimpleQueue[Any] = queue.SimpleQueue()
    orders.started(given, orders.calibrate)
    commands = [given.get_nowait() for _ in range(given.qsize())]
    assert [one.own.faces[0].value for one in commands if isinstance(one, Remember)] == [3]
    assert not any(isinstance(one, Learn) for one in commands)


class Dice:
    """A film of an empty tray, into which three dice are put."""

    live, size = False, (640, 480)

    def frames(self) -> Iterator[Any]:
        rng = np.random.default_rng(simulated.SEED)
        table = fixed.set_up(rng, unseen=False)
        scenes = [table.stage] * 8 + [fixed.roll(rng, table, 3).scene] * 50
        for number, scene in enumerate(scenes):
            yield next(fixed.lying(rng, table, scene)), number * 0.2

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_dice_whose_values_people_say_are_learned_from_the_frame_in_which_they_were_unsure() -> None:
    told, slots, commands = Line(), Slots(), queue.SimpleQueue[Any]()
    watch = child.Watch("film", (640, 480), slots, told, commands, None, opened=lambda *_: Dice())
    commands.put(Remember(OwnDice((face(1),))))
    commands.put(Expect(1, 2))
    with closing(watch.steps()) as steps:
        while not any(isinstance(report, Told) for report in told):
            next(steps)
        unsure = next(report.rolled for report in told if isinstance(report, Told))
        one, *_, other = unsure.reading.dice
        shown = ((*one.centre, one.value), (*other.centre, other.value % 6 + 1), (1.0, 1.0, 5))
        commands.put(Learn(replace(unsure, number=2), shown))
        commands.put(Learn(unsure, shown))
        next(steps)
    slots.close()
    (learned,) = [report for report in told if isinstance(report, Learned)]
    assert [(face.value, face.corrected) for face in learned.faces] == [(one.value, False), (other.value % 6 + 1, True)]
    assert len(watch._settle.own.faces) == 1


# Frames in shared memory


def grey(level: int) -> Any:
    return np.full((360, 640, 3), level, np.uint8)


@pytest.fixture
def sides() -> Iterator[tuple[Slots, Slots]]:
    """The reader's and the writer's slots."""
    mine = Slots()
    theirs = Slots(mine.name)
    yield mine, theirs
    theirs.close()
    mine.close()


def test_the_newest_frame_is_read_once_and_large_frames_are_scaled_down(sides: tuple[Slots, Slots]) -> None:
    mine, theirs = sides
    assert mine.get() is None
    for level in range(1, 6):
        assert theirs.put(grey(level)) == level
    picture = mine.get()
    assert picture and picture.number == 5 and (picture.frame == 5).all()
    assert mine.get(after=5) is None
    assert theirs.put(np.zeros((3000, 4000, 3), np.uint8)) == 6
    picture = mine.get(after=5)
    assert picture and picture.frame.shape == (LARGEST[1], 1440, 3)


def test_the_previous_frame_is_read_while_the_next_is_being_written(
    sides: tuple[Slots, Slots], monkeypatch: Any
) -> None:
    mine, theirs = sides
    for level in range(1, SLOTS + 1):
        theirs.put(grey(level))
    seen = []
    monkeypatch.setattr(theirs, "_settle", lambda: seen.append(mine.get()))
    theirs.put(grey(SLOTS + 1))
    assert len(seen) == 3 and all(picture and (picture.frame == SLOTS).all() for picture in seen)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_frame_that_is_overwritten_while_it_is_read_is_discarded(
    sides: tuple[Slots, Slots], monkeypatch: Any, part: int
) -> None:
    """The writer wraps around to the slot being read, and stops after writing `part` parts of the new frame."""
    mine, theirs = sides
    theirs.put(grey(1))

    class Enough(Exception):
        pass

    def write() -> None:
        for level in range(2, SLOTS + 1):
            theirs.put(grey(level))
        parts = iter(range(part))

        def go_on() -> None:
            if next(parts, None) is None:
                raise Enough

        monkeypatch.setattr(theirs, "_settle", go_on)
        with pytest.raises(Enough):
            theirs.put(grey(SLOTS + 1))

    monkeypatch.setattr(mine, "_settle", write)
    assert mine.get() is None


# Which readings are rolls


def die(value: int, x: float, kept: bool = False) -> Die:
    return Die(value, (x, 50.0), Box((x, 50.0), (40.0, 40.0), 0.0), 0.99, kept=kept)


def after(rolls: Rolls, *dice: Die, by: str = MOVING) -> Rolled | None:
    """Something moves, and then these dice are in the tray."""
    assert rolls.see(Seen(by, None, True)) is None
    if not dice:
        return rolls.see(Seen(EMPTY, None, True))
    return rolls.see(Seen(SETTLED, Reading(dice, OK), True))


def unsure_reading(rolls: Rolls, doubt: str, *dice: Die) -> Rolled | None:
    assert rolls.see(Seen(MOVING, None, True)) is None
    return rolls.see(Seen(SETTLED, Reading(dice, UNSURE, doubt, (Doubt(doubt),)), True))


def empty_tray() -> Rolls:
    rolls = Rolls()
    assert after(rolls) is None
    return rolls


def test_dice_that_land_after_the_ask_are_a_roll_and_earlier_ones_are_not() -> None:
    rolls = empty_tray()
    assert after(rolls, die(3, 100)) is None, "there was no ask"
    rolls.ask(1)
    assert rolls.see(Seen(SETTLED, Reading((die(3, 100),), OK), True)) is None, "nothing moved"
    told = after(rolls, die(5, 200))
    assert told and (told.number, told.sure) == (1, True)


def test_a_single_die_that_was_knocked_over_is_uncertain() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100))
    rolls.ask(1)
    told = after(rolls, die(5, 150))
    assert told and not told.sure and len(told.stayed) == 1
    assert after(rolls) is None, "the die was picked up"
    told = after(rolls, die(2, 140))
    assert told and told.sure


def test_dice_that_were_all_pushed_a_little_are_uncertain_until_others_land() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 110), die(4, 210))
    assert told and not told.sure and len(told.stayed) == 2
    assert after(rolls, die(3, 110), die(4, 210), by=HAND) is None
    told = after(rolls, die(3, 10), die(5, 210))
    assert told and told.sure


def test_the_same_values_are_a_roll_if_the_tray_was_seen_without_dice() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    assert after(rolls) is None
    told = after(rolls, die(3, 120), die(4, 210))
    assert told and told.sure


@pytest.mark.parametrize("asked", ["before", "in the dark"])
@pytest.mark.parametrize("doubt", ["dark", "different", "hand"])
def test_dice_that_were_out_of_sight_for_a_while_are_not_a_roll(asked: str, doubt: str) -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    if asked == "before":
        rolls.ask(1)
    told = unsure_reading(rolls, doubt)
    assert told is None or not told.sure
    if asked == "in the dark":
        rolls.ask(1)
    assert after(rolls, die(3, 100), die(4, 200)) is None


def test_dice_that_appear_after_darkness_in_an_unknown_tray_are_uncertain() -> None:
    rolls = Rolls()
    rolls.ask(1)
    assert unsure_reading(rolls, "dark") is None
    told = after(rolls, die(3, 100))
    assert told and not told.sure
    told = after(rolls, die(4, 200))
    assert told and told.sure


def test_dice_that_had_settled_before_the_ask_are_not_a_roll() -> None:
    rolls = empty_tray()
    rolls.see(Seen(MOVING, None, True))
    rolls.ask(1)
    assert rolls.see(Seen(SETTLED, Reading((die(3, 100),), OK), True)) is None
    assert after(rolls, die(3, 100), by=HAND) is None
    told = after(rolls, die(3, 120))
    assert told and not told.sure


def test_a_die_on_edge_that_falls_flat_is_uncertain() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100))
    unsure_reading(rolls, "edge", replace(die(2, 100), sure=False))
    rolls.ask(1)
    told = after(rolls, die(5, 120))
    assert told and not told.sure


@pytest.mark.parametrize("by", [MOVING, HAND])
def test_a_hand_passing_over_the_dice_is_not_a_roll(by: str) -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    assert after(rolls, die(3, 101), die(4, 199), by=by) is None
    assert after(rolls, die(4, 199), by=by) is None, "one die was picked up, and the other did not move"


def test_a_die_that_did_not_move_is_uncertain() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(4, 300))
    assert told and not told.sure and [d.value for d in told.stayed] == [3]


def test_pushing_all_dice_does_not_make_unmoved_dice_part_of_the_roll() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200), die(6, 300))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(4, 200), die(5, 400))
    assert told and not told.sure
    told = after(rolls, die(3, 130), die(4, 230), die(5, 430))
    assert told and not told.sure, "the tray was pushed"
    told = after(rolls, die(1, 130), die(1, 230), die(2, 430))
    assert told and told.sure, "all of them were rolled"


def test_a_die_that_did_not_move_can_be_rolled_separately() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100), die(5, 400))
    assert told and [d.value for d in told.stayed] == [3]
    told = unsure_reading(rolls, "few", die(5, 400))
    assert told and not told.sure, "the other die was picked up"
    told = after(rolls, die(6, 50), die(5, 400))
    assert told and told.sure


def test_kept_dice_may_stay() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100, kept=True), die(4, 200))
    rolls.ask(1)
    told = after(rolls, die(3, 100, kept=True), die(5, 300))
    assert told and told.sure


def test_dice_seen_first_by_a_camera_are_not_a_roll() -> None:
    rolls = Rolls()
    rolls.ask(1)
    assert after(rolls, die(3, 100)) is None
    assert after(rolls, die(3, 100)) is None
    assert after(rolls, die(5, 140))
