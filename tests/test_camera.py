"""Sources of moving pictures: their names, how camera settings are fixed, and how each source ends."""

import os
import re
import sys
import tempfile
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV opens cameras and films")

from vision import camera, simulated  # noqa: E402
from vision.camera import GONE, PiCamera, Played, Shown, Webcam  # noqa: E402


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "camera:0"),
        ("camera", "camera:0"),
        ("camera:", "numbered"),
        ("camera:-1", "numbered"),
        ("camera:99", "no camera 99"),
        ("video:", "camera:0"),
        ("video:nothing.mp4", "no such file"),
        ("images:nowhere", "cannot be opened"),
        ("/dev/null", "no camera /dev/null"),
        ("/dev/\udcff", "no camera /dev/\\udcff"),
        ("/dev/video\n0", "no camera /dev/video\\n0"),
        ("web\ncam", "use camera:0"),
    ],
)
def test_an_unusable_source_is_refused_with_one_sentence(name: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as why:
        camera.opened(name)
    assert "\n" not in str(why.value)


class FakeCapture:
    """Stands in for cv2.VideoCapture. It has settings, some of which cannot be changed, and a limited number of
    pictures."""

    def __init__(self, stubborn: tuple[int, ...] = (), pictures: int = 3) -> None:
        self.held: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_FOCUS: 30.0, cv2.CAP_PROP_GAIN: 12.0}
        self.held |= {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
        self.stubborn, self.pictures, self.released = stubborn, pictures, False

    def isOpened(self) -> bool:
        return True

    def get(self, what: int) -> float:
        return self.held.get(what, 0.0)

    def set(self, what: int, value: float) -> bool:
        if what in self.stubborn:
            return False
        self.held[what] = value
        return True

    def read(self) -> tuple[bool, Any]:
        self.pictures -= 1
        return (True, np.zeros((720, 1280, 3), np.uint8)) if self.pictures >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_camera_keeps_its_automatic_settings_fixed() -> None:
    lens = FakeCapture()
    assert Webcam(0, (1280, 720), lens).hold() == []
    assert lens.held[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0 and lens.held[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert lens.held[cv2.CAP_PROP_AUTO_WB] == lens.held[cv2.CAP_PROP_AUTOFOCUS] == 0.0
    assert lens.held[cv2.CAP_PROP_FOCUS] == 30.0


def test_a_camera_left_with_fixed_settings_adjusts_itself_again() -> None:
    lens = FakeCapture()
    Webcam(0, (1280, 720), lens).hold()
    feed = Webcam(0, (1280, 720), lens)
    on = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [lens.held[what] for what in on] == [3.0, 1.0, 1.0]
    lens.held[cv2.CAP_PROP_EXPOSURE] = 20.0  # the light is different now
    assert feed.hold() == [] and lens.held[cv2.CAP_PROP_EXPOSURE] == 20.0
    assert [lens.held[what] for what in on] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("stubborn", "name"),
    [
        (cv2.CAP_PROP_AUTO_EXPOSURE, "exposure"),
        (cv2.CAP_PROP_GAIN, "gain"),
        (cv2.CAP_PROP_WB_TEMPERATURE, "white balance"),
        (cv2.CAP_PROP_AUTOFOCUS, "focus"),
    ],
)
def test_settings_that_a_camera_refuses_are_reported(stubborn: int, name: str) -> None:
    assert Webcam(0, (1280, 720), FakeCapture((stubborn,))).hold() == [name]


def test_a_camera_that_stops_raises_an_error_and_is_released() -> None:
    lens = FakeCapture(pictures=2)
    with closing(Webcam(0, (1280, 720), lens)) as feed:
        frames = feed.frames()
        assert [frame.shape for frame, _ in islice(frames, 2)] == [(720, 1280, 3)] * 2
        with pytest.raises(ValueError, match=GONE):
            next(frames)
    assert lens.released and feed.size == (1280, 720)


PI = f"""#!{sys.executable}
import os, sys, time
here = os.path.dirname(os.path.abspath(sys.argv[0]))
with open(os.path.join(here, "asked"), "a") as file:
    file.write(" ".join(sys.argv[1:]) + chr(10))
with open(os.path.join(here, "pids"), "a") as file:
    file.write(str(os.getpid()) + chr(10))
asked = dict(zip(sys.argv, sys.argv[1:]))
width, height = int(asked["--width"]), int(asked["--height"])
told = open(asked["--metadata"], "w") if "--metadata" in asked else None
pictures = int(os.environ.get("PI_PICTURES", "1000000"))
sys.stderr.write(os.environ.get("PI_WORDS", "") + chr(10))
sys.stderr.flush()
for number in range(pictures):
    if told:
        told.write("ExposureTime=9998\\nAnalogueGain=2.500000\\nColourGains=[ 1.900000, 1.600000 ]\\n\\n")
        told.flush()
    sys.stdout.buffer.write(bytes([150]) * (width * height) + bytes([90]) * (width * height // 4)
                            + bytes([200]) * (width * height // 4))
    sys.stdout.buffer.flush()
    sys.stderr.write(os.environ.get("PI_SAYS", ""))
    sys.stderr.flush()
    time.sleep(0.001)
if "PI_SILENT" in os.environ:
    time.sleep(60)
    open(os.path.join(here, "waited"), "w").close()
"""


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH with a stand-in for rpicam-vid that writes raw pictures to its output."""
    command = tmp_path / "rpicam-vid"
    command.write_text(PI, encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="the Pi runs Linux")
class TestPiCamera:
    def test_raw_pictures_become_colour_frames(self, pi: Path) -> None:
        with closing(PiCamera((640, 480))) as feed:
            frames = list(islice(feed.frames(), 3))
        assert [frame.shape for frame, _ in frames] == [(480, 640, 3)] * 3
        blue, green, red = frames[-1][0].reshape(-1, 3).mean(0)
        assert red > 230 and blue < 120 and red > green > blue
        assert all(gone(int(pid)) for pid in (pi / "pids").read_text().split()), "the command must end with the feed"

    def test_hold_restarts_the_command_with_its_current_settings(self, pi: Path) -> None:
        with closing(PiCamera((640, 480))) as feed:
            frames = feed.frames()
            next(frames)
            assert feed.hold() == ["focus"], "this camera has no movable lens and reports no focus"
            assert next(frames)[0].shape == (480, 640, 3)
        first, second = (pi / "asked").read_text().splitlines()
        assert "--shutter 9998 --gain 2.500000 --awbgains 1.900000,1.600000" in second
        assert "--metadata" in first and "--metadata" not in second, "the metadata would fill the disk"

    def test_a_message_for_every_picture_neither_fills_the_disk_nor_blocks_the_command(
        self, pi: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = pi / "temporary"
        here.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(here))
        monkeypatch.setenv("PI_SAYS", "#1 (30.00 fps) exp 33239.00 ag 2.00 dg 1.00\n" * 100)
        with closing(PiCamera((128, 96))) as feed:
            assert len(list(islice(feed.frames(), 100))) == 100
            assert not list(here.rglob("*")), "no file may remain even if everything is killed"
            assert feed.hold() == ["focus"]
            assert len(list(islice(feed.frames(), 3))) == 3

    def test_a_command_that_ends_raises_an_error(self, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PI_PICTURES", "2")
        with closing(PiCamera((640, 480))) as feed:
            frames = feed.frames()
            assert len(list(islice(frames, 2))) == 2
            with pytest.raises(ValueError, match=GONE):
                next(frames)

    def test_a_command_that_falls_silent_is_given_up(self, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PI_PICTURES", "1")
        monkeypatch.setenv("PI_SILENT", "1")
        with closing(PiCamera((640, 480))) as feed:
            frames = feed.frames()
            next(frames)
            monkeypatch.setattr(camera, "SILENT", 0.0)  # give up at once, because no more pictures arrive
            with pytest.raises(ValueError, match=GONE):
                next(frames)
        assert not (pi / "waited").exists()
        assert all(gone(int(pid)) for pid in (pi / "pids").read_text().split())

    def test_without_any_picture_the_commands_last_message_is_passed_on(
        self, pi: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PI_PICTURES", "0")
        monkeypatch.setenv("PI_WORDS", "ERROR: *** no cameras available ***")
        with closing(PiCamera((640, 480))) as feed, pytest.raises(ValueError, match="no cameras available"):
            next(feed.frames())

    def test_pictures_of_another_size_are_refused(self, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PI_WORDS", "configuring streams: (0) 1024x768-YUV420 (1) 1296x972-BGGR_PISP_COMP1")
        with closing(PiCamera((640, 480))) as feed, pytest.raises(ValueError, match="use 1024x768"):
            next(feed.frames())

    def test_a_missing_command_is_reported_in_one_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(ValueError, match="sudo apt install rpicam-apps"):
            camera.opened("csi")


class Clock:
    """A clock that advances only in `sleep`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def look(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_film_is_played_at_its_frame_rate(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (320, 240))
    for grey in range(0, 200, 20):
        film.write(np.full((240, 320, 3), grey, np.uint8))
    film.release()
    clock = Clock()
    with closing(Played(str(path), clock.look, clock.sleep)) as feed:
        frames = [(at, clock.now) for _, at in feed.frames()]
    assert feed.size == (320, 240)
    assert frames == [(pytest.approx(1000 + k / 20), pytest.approx(1000 + k / 20)) for k in range(10)]


def shown_frames(folder: Path) -> list[tuple[NDArray[np.uint8], float]]:
    """The frames shown from a folder's pictures, each with its time."""
    clock = Clock()
    with closing(Shown(str(folder), 640, clock.look, clock.sleep)) as feed:
        return [(frame, clock.now) for frame, _ in feed.frames()]


def test_pictures_in_a_folder_are_shown_in_turn(tmp_path: Path) -> None:
    for name, grey, size in (("b.png", 200, (240, 320)), ("a.png", 50, (120, 160))):
        cv2.imwrite(str(tmp_path / name), np.full((*size, 3), grey, np.uint8))
    frames = shown_frames(tmp_path)
    each = round(camera.EACH * camera.RATE)
    found = [(frame.shape[:2], int(frame.mean())) for frame, _ in frames]
    assert found == [((120, 160), 50)] * each + [((120, 160), 200)] * each
    assert [at for _, at in frames] == pytest.approx([1000 + k / camera.RATE for k in range(2 * each)])


def test_a_picture_with_another_aspect_ratio_is_not_distorted(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((240, 320, 3), np.uint8))
    upright = np.zeros((320, 240, 3), np.uint8)
    cv2.circle(upright, (120, 160), 60, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "b.png"), upright)
    last, _ = shown_frames(tmp_path)[-1]
    _, _, wide, high = cv2.boundingRect(np.asarray(last[:, :, 0] > 200, np.uint8))
    assert last.shape == (240, 320, 3)
    assert abs(wide - high) <= 1, "round things stay round"


def test_a_broken_picture_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((240, 320, 3), np.uint8))
    (tmp_path / "b.png").write_bytes(b"xx")
    with pytest.raises(ValueError, match=r"b\.png: "):
        shown_frames(tmp_path)


def test_films_and_folders_can_be_opened_by_name(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((240, 320, 3), np.uint8))
    film = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 20, (320, 240))
    film.write(np.zeros((240, 320, 3), np.uint8))
    film.release()
    for name, kind in ((f"video:{tmp_path / 'a.avi'}", Played), (f"images:{tmp_path}", Shown)):
        with closing(camera.opened(name)) as feed:
            assert isinstance(feed, kind) and feed.size == (320, 240)
            assert next(feed.frames())[0].shape == (240, 320, 3)


def test_the_simulated_camera_shows_an_empty_tray_and_then_dice() -> None:
    clock = Clock()
    with closing(simulated.Rendered(seed=1, clock=clock.look, sleep=clock.sleep)) as feed:
        frames, times = zip(*islice(feed.frames(), 22), strict=True)
    assert times == pytest.approx([1000 + k / simulated.RATE for k in range(22)])
    assert {frame.shape for frame in frames} == {(480, 640, 3)}

    def most(frame: NDArray[np.uint8]) -> float:
        """The largest difference from the first frame, after blurring to remove grain."""
        return float(cv2.blur(cv2.absdiff(frame, frames[0]), (15, 15)).max())

    assert most(frames[-1]) > 3 * most(frames[1])
