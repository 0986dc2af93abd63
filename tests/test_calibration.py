"""Calibrating a camera at the table with two buttons, by dragging or with printed markers, and then reading dice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice, repeat
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
cv2 = pytest.importorskip("cv2", reason="OpenCV reads the dice")

from table.config import DEFAULT  # noqa: E402
from table.devices import aside  # noqa: E402
from table.devices.calibrating import AWAY, Calibrating  # noqa: E402
from table.devices.camera_feed import calibration_path  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.messages import CameraLies  # noqa: E402
from table.ui.kiosk.gestures import END, Held  # noqa: E402
from table.ui.kiosk.outline import dragged, grown, handles, moved  # noqa: E402
from table.ui.kiosk.scenes.calibration import Calibration as Screen  # noqa: E402
from table.ui.kiosk.scenes.settings import settings  # noqa: E402
from tests.filmed import Filmed, at_edge  # noqa: E402
from tests.fingers import Fingers  # noqa: E402
from tests.near_camera import Near  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_markers import off, photographed  # noqa: E402
from vision import (  # noqa: E402
    camera,
    fit,
    markers,
    simulated,
)
from vision.guide import beside  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.render import fixed, litter  # noqa: E402
from vision.render.scene import Image  # noqa: E402

SIZE = (640, 480)
PATIENCE = 60.0  # seconds before a test is considered hung


class Sitting:
    """A player at a table with a rendered camera, two physical buttons and the settings menu open."""

    def __init__(self, film: Filmed) -> None:
        self.film = film
        self.table = Tabletop(pins=True)
        self.table.context.devices.calibrating = lambda: film.work
        self.table.kiosk.show(settings(self.table.context, self.table.scene), self.table.now)
        self.table.turn()
        self.fingers = Fingers(self.table)

    @property
    def step(self) -> str:
        assert self.film.work.shown is not None
        return self.film.work.shown.step

    def open(self) -> None:
        self.fingers.take("Camera")
        assert isinstance(self.table.scene, Screen)

    def until_lit(self) -> None:
        """Wait until the End button is lit."""
        for _ in range(80):
            caps = self.fingers.caps
            if caps.end is not None and caps.end.lit:
                return
            self.fingers.wait(0.05)
        raise AssertionError(f"End was never lit: {self.table.words}")

    def until_shown(self, words: str) -> None:
        for _ in range(80):
            if any(words in text for text in self.table.words):
                return
            self.fingers.wait(0.05)
        raise AssertionError(f"{words!r} never appeared: {self.table.words}")

    def end(self, then: str) -> None:
        self.until_lit()
        self.fingers.press("end")
        self.fingers.wait(0.1)
        assert not isinstance(self.table.scene, Screen) or self.step == then, self.table.words


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    found = Sitting(Filmed())
    with found.table:
        yield found


@pytest.fixture
def edge() -> Iterator[Sitting]:
    """The step after the empty tray was seen: the screen asks whether the edge is right."""
    found = Sitting(at_edge())
    with found.table:
        found.open()
        assert found.step == "edge"
        yield found


def reads(film: Filmed, rolls: int = 3) -> int:
    """The number of rolls read correctly with the new calibration. A misread roll fails the test."""
    (known,), right = film.taken, 0
    for _ in range(rolls):
        roll = fixed.roll(film.rng, film.table, 5)
        got = read(next(fixed.lying(film.rng, film.table, roll.scene)), known, 5)
        assert got.status != "ok" or got.values == roll.values
        right += got.status == "ok"
    return right


@pytest.mark.slow
def test_two_buttons_are_enough_to_calibrate_and_read_dice(sitting: Sitting) -> None:
    sitting.open()
    sitting.end("edge")
    sitting.fingers.take("That's right")
    sitting.fingers.take("On the right")
    sitting.fingers.take("Smaller")
    sitting.fingers.take("That's right")
    assert sitting.step == "first"
    chosen = sitting.film.work.shown
    one = sitting.film.throw(1)
    sitting.end("more")
    more = sitting.film.throw(5)
    shown = sorted((*one.values, *more.values))
    sitting.end("verdict")
    sitting.end("done")
    assert not isinstance(sitting.table.scene, Screen)
    (known,) = sitting.film.taken
    truth = simulated.calibration(sitting.film.table)
    assert (known.tray, known.keep) == (chosen.tray, chosen.keep)
    assert sorted(face.value for face in sitting.film.faces) == shown, "the dice are learned"
    assert abs(known.side / truth.side - 1) < 0.15
    assert known.keep is not None and min(x for x, _ in known.keep) > np.mean(known.tray, axis=0)[0]
    assert reads(sitting.film) >= 2
    assert fit.fits(known, next(sitting.film._frames)) == ""


def test_the_edge_can_be_corrected_point_by_point_with_buttons(edge: Sitting) -> None:
    before = edge.film.work.shown.tray
    assert before is not None
    edge.fingers.take("Next point")
    for _ in range(3):
        edge.fingers.take("Move up")
    edge.fingers.take("That's right")
    after = edge.film.work.shown.tray
    assert after is not None and len(after) == len(before)
    there, was = handles(after), handles(before)
    still = [k for k in range(len(was)) if np.allclose(there[k], was[k], atol=0.01)]
    assert 0 not in still or len(before) > 4


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_the_edge_can_be_corrected_by_dragging_a_handle(edge: Sitting, by: str) -> None:
    table = edge.table
    table.turn()
    spots = dict(table.canvas.spots)
    before = handles(edge.film.work.shown.tray)
    x, y = spots["handle:0"].center
    to = (x - 21, y - 9)
    if by == "mouse":
        table.turn(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y), touch=False))
        table.turn(pygame.event.Event(pygame.MOUSEMOTION, pos=(x - 10, y), rel=(0, 0), buttons=(1, 0, 0), touch=False))
        table.turn(pygame.event.Event(pygame.MOUSEMOTION, pos=to, rel=(0, 0), buttons=(1, 0, 0), touch=False))
        table.turn(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=to, touch=False))
    else:
        w, h = table.canvas.area.size
        for kind, (u, v) in ((pygame.FINGERDOWN, (x, y)), (pygame.FINGERMOTION, to), (pygame.FINGERUP, to)):
            facts = {"x": u / w, "y": v / h, "dx": 0, "dy": 0, "touch_id": 1, "finger_id": 0, "pressure": 1.0}
            table.turn(pygame.event.Event(kind, **facts))
    edge.fingers.take("That's right")
    after = handles(edge.film.work.shown.tray)
    k = SIZE[0] / table.scene._view.rect.width
    assert after[0][0] == pytest.approx(before[0][0] - 21 * k, abs=2 * k)
    assert after[2] == pytest.approx(before[2], abs=0.01)


def test_four_printed_markers_define_the_edge() -> None:
    around = ((70.0, 60.0), (570.0, 60.0), (570.0, 420.0), (70.0, 420.0))
    film = Filmed(lens=lambda frame: photographed(frame, markers.TRAY, around))
    found = Sitting(film)
    with found.table:
        found.open()
        found.end("edge")
        assert "The printed markers show the edge." in found.table.words
        found.fingers.take("That's right")
        found.fingers.take("No special place")
        assert found.step == "first"
    assert off(film.work.shown.tray, around) < 2.0 and film.work.shown.keep is None


def test_a_tray_with_dice_or_a_hand_in_it_does_not_count_as_empty(sitting: Sitting) -> None:
    film = sitting.film
    film.throw(3)
    sitting.open()
    sitting.until_shown("There are still dice in the tray.")
    sitting.fingers.press("end")
    assert sitting.step == "empty"
    film.show(film.table.stage)
    sitting.until_lit()
    hand = litter.random_thing(np.random.default_rng(3), (0.0, 0.0), fixed.LENGTH, "hand")
    over = replace(hand, above=True, angle=1.0, place=(0.18 * hand.size, 0.28 * hand.size))
    film.show(replace(film.table.stage, things=(*film.table.stage.things, over)))
    sitting.fingers.wait(0.2)
    assert not sitting.fingers.caps.end.lit


def test_a_background_mistaken_for_a_hand_is_accepted_after_a_wait() -> None:
    film = Filmed(17)
    film.look()
    assert film.work.shown is not None and film.work.shown.waits in ("", "hand")
    film.look()
    assert film.work.shown.ready


def test_holding_end_goes_back_step_by_step_and_leaves_without_changes(edge: Sitting) -> None:
    edge.fingers.take("That's right")
    edge.fingers.take("On the left")
    edge.fingers.hold_end()
    assert edge.step == "strip" and "No special place" in edge.table.words
    edge.fingers.hold_end()
    assert edge.step == "edge"
    edge.fingers.hold_end()
    assert edge.step == "empty"
    edge.fingers.hold_end()
    assert not isinstance(edge.table.scene, Screen) and not edge.film.taken


def test_going_back_to_the_strip_keeps_the_earlier_choice(edge: Sitting) -> None:
    edge.fingers.take("That's right")
    edge.fingers.take("On the left")
    edge.fingers.hold_end()
    assert edge.fingers.shown == "On the left"
    edge.fingers.hold_end()
    edge.fingers.wait(0.1)
    assert edge.step == "edge"
    edge.fingers.take("That's right")
    assert edge.fingers.shown == "On the left"
    edge.fingers.take("On the left")
    edge.fingers.take("Larger")
    edge.fingers.take("That's right")
    chosen = edge.film.work.shown.keep
    assert edge.step == "first" and chosen is not None
    edge.fingers.hold_end()
    edge.fingers.wait(0.1)
    assert edge.step == "strip" and edge.table.scene._outline == chosen
    edge.fingers.take("No strip")
    assert edge.fingers.shown == "No special place"


def test_a_camera_moved_during_calibration_is_noticed(edge: Sitting) -> None:
    edge.fingers.take("That's right")
    edge.fingers.take("No special place")
    pushed = [np.roll(frame, (16, 22), (0, 1)) for frame in islice(edge.film._frames, 4)]
    edge.film._frames = cycle(pushed)
    edge.until_shown("has moved")


def test_a_blurred_die_is_rejected_with_advice_on_the_screen(edge: Sitting) -> None:
    film = edge.film
    soft = simulated.calibration(film.table).side * 0.12
    film.lens = lambda frame: cv2.GaussianBlur(frame, (0, 0), soft)
    edge.fingers.take("That's right")
    edge.fingers.take("No special place")
    film.throw(1)
    edge.until_shown("Blurred: focus the camera, or clean its lens.")
    assert not edge.fingers.caps.end.lit


def test_a_camera_without_pictures_is_reported() -> None:
    found = Sitting(Filmed())
    with found.table:
        found.film.work._newest = lambda: None
        found.open()
        found.fingers.wait(0.3)
        assert "No picture from the camera yet." in found.table.words
        found.fingers.press("end")
        found.fingers.hold_end()
        assert not isinstance(found.table.scene, Screen)


def test_an_error_during_calibration_is_shown_and_the_screen_can_be_left(sitting: Sitting) -> None:
    def broken(frame: object, at: float) -> None:
        raise OverflowError("This frame is broken.")

    sitting.open()
    sitting.until_lit()
    guide = sitting.film.work.guide
    assert guide is not None
    guide.see = broken  # type: ignore[method-assign, assignment]
    sitting.fingers.wait(0.3)
    assert "This frame is broken." in sitting.table.words and not sitting.film.work.busy
    sitting.fingers.hold_end()
    assert not isinstance(sitting.table.scene, Screen)


def test_the_screen_can_be_left_during_a_long_computation(sitting: Sitting) -> None:
    sitting.open()
    sitting.until_lit()
    sitting.film.work._aside = lambda _: None  # the computation never finishes
    sitting.fingers.press("end")
    assert sitting.film.work.busy
    sitting.fingers.hold_end()
    assert not isinstance(sitting.table.scene, Screen) and not sitting.film.taken


def test_a_camera_unplugged_during_calibration_is_reported_until_it_is_back(edge: Sitting) -> None:
    film = edge.film
    frames = film._frames
    film._frames = repeat(None)
    edge.fingers.wait(0.1)
    assert "Is this the edge of the tray?" in edge.table.words, "a short interruption must not be reported"
    film.now += 2 * AWAY
    edge.fingers.wait(0.1)
    assert "No picture from the camera yet." in edge.table.words
    film._frames = frames
    edge.fingers.wait(0.3)
    assert "Is this the edge of the tray?" in edge.table.words


def test_dice_are_not_awaited_while_the_camera_is_being_calibrated_during_a_game() -> None:
    film = Filmed()
    config = replace(DEFAULT, dice=replace(DEFAULT.dice, source="camera", camera="csi"))
    with Tabletop(config=config) as table:
        table.context.session.dice.devices["camera"].camera.watched = Near(
            camera.opened
        ).watched  # an open camera that never sees anything
        table.sit("cheese", [Seat("Ann"), Seat("Bo")])
        table.until(lambda: table.session.dice.awaited)
        before = table.session.dice.awaited
        play = table.scene
        table.kiosk.show(Screen(table.context, film.work, play), table.now)
        table.run(0.2)
        assert table.session.dice.awaited is None
        table.context.devices.lies = CameraLies((), (), (1, 1, 1, 1, 1, 1), True)
        table.kiosk.show(table.scene.handle(Held(END), table.now), table.now)
        assert table.scene is play and table.context.devices.lies is None
        assert table.session.dice.awaited and table.session.dice.awaited is not before


def test_the_screen_never_waits_for_the_guide() -> None:
    """The guide runs in its own thread, which waits for a picture in this test. Meanwhile `look` returns at once, a
    second `look` does not start the guide again, and a request to go back one step is carried out later.
    """
    film = at_edge()
    before = threading.enumerate()  # an earlier test's thread may still be running
    asked, gives = threading.Semaphore(0), threading.Event()

    def newest() -> Image | None:
        asked.release()
        assert gives.wait(PATIENCE)
        return film.newest()

    def turns() -> list[threading.Thread]:
        return [one for one in threading.enumerate() if one.name == aside.NAME and one not in before]

    work = Calibrating(newest, film.take, lambda: film.now)
    work.guide = film.work.guide
    work.look()
    assert asked.acquire(timeout=PATIENCE)
    work.back()
    work.look()
    assert work.busy and work.shown is None
    (turn,) = turns()
    gives.set()
    turn.join()
    assert work.shown is not None and work.shown.step == "edge" and work.busy
    assert not asked.acquire(blocking=False), "one turn at a time"
    work.look()
    assert asked.acquire(timeout=PATIENCE)
    for turn in turns():
        turn.join()
    assert work.shown.step == "empty" and not work.busy


def test_every_camera_has_its_own_calibration_file(tmp_path: Path) -> None:
    names = ("camera:0", "camera:1", "/dev/video0", "/dev/v4l/by-id/usb-A_B", "csi", "video:a/b.avi", "video:a_b.avi")
    files = [calibration_path(name, tmp_path) for name in names]
    assert len(set(files)) == len(names) and all(file and file.parent == tmp_path / "cameras" for file in files)


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize(
    "tray", [(200.0, 120.0, 440.0, 360.0), (4.0, 4.0, 636.0, 476.0)], ids=["small tray", "tray fills the picture"]
)
def test_the_strip_is_beside_or_inside_the_tray_and_within_the_picture(
    side: str, tray: tuple[float, float, float, float]
) -> None:
    left, top, right, bottom = tray
    strip = beside(((left, top), (right, top), (right, bottom), (left, bottom)), side, SIZE)
    (x, y), wide = np.mean(strip, axis=0), np.ptp(strip, axis=0)
    assert all(0 <= u <= SIZE[0] and 0 <= v <= SIZE[1] for u, v in strip)
    assert {"left": x < 320, "right": x > 320, "top": y < 240, "bottom": y > 240}[side]
    assert wide.min() > 0.09 * min(right - left, bottom - top)


def test_outlines_stay_within_the_picture_and_round_ones_stay_round() -> None:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc = tuple((320 + 200 * float(np.cos(t)), 240 + 200 * float(np.sin(t))) for t in turns)
    assert handles(disc)[0] == pytest.approx((120, 240)) and len(handles(disc)) == 4
    wider = dragged(disc, 0, (60.0, 0.0), SIZE)
    assert handles(wider)[0] == pytest.approx((60, 240)) and handles(wider)[2] == pytest.approx((520, 240))
    assert dragged(disc, 0, (900.0, 0.0), SIZE) != disc and handles(dragged(disc, 0, (900.0, 0.0), SIZE))[0][0] < 520
    gone = moved(disc, None, (-500.0, 0.0), SIZE)
    assert min(x for x, _ in gone) == pytest.approx(0) and max(x for x, _ in gone) == pytest.approx(400)
    for x, y in grown(disc, None, 300.0, SIZE):
        assert 0 <= x <= 640 and 0 <= y <= 480
