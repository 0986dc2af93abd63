"""`dicetable watch`: it shows a camera source as JSON lines or in a window, and saves what it saw for a bug report."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV opens films")

from tests.dice import Kept, kept  # noqa: E402
from tests.processes import environment, typed  # noqa: E402
from tests.terminal_session import ROOT  # noqa: E402
from vision import Reading, camera, read, watch  # noqa: E402
from vision.settle import EMPTY, STILL  # noqa: E402


@pytest.fixture(scope="module")
def clear() -> Kept:
    """A picture of several dice, all of which are read with certainty."""
    return next(k for k in kept() if 1 < len(k.values) < 6 and read(k.image).status == "ok")


@pytest.fixture
def shown(clear: Kept, tmp_path: Path) -> str:
    """The name of a source: a folder with only the picture `clear`."""
    (tmp_path / "pictures").mkdir()
    shutil.copyfile(Path(__file__).parent / "dice" / clear.name, tmp_path / "pictures" / clear.name)
    return f"images:{tmp_path / 'pictures'}"


def run(*arguments: str, cwd: Path | None = None, **more: str) -> "subprocess.CompletedProcess[str]":
    path = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "table", "watch", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=cwd or ROOT,
        timeout=60,
        env={**os.environ, **path, **more},
    )


def test_each_change_is_a_line_of_json(
    shown: str, clear: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "EACH", 0.8)  # long enough to find the dice still and read them
    done = typed("watch", shown, "--json", "--expect", str(len(clear.values)), env=environment(tmp_path))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and not done.stderr
    assert [line["state"] for line in lines] == ["moving", "still", "settled"]
    assert sorted(die["value"] for die in lines[-1]["dice"]) == list(clear.values)
    assert lines[-1]["status"] == "ok" and lines[-1]["why"] is None
    assert all(line["ms"] >= 0 and line["refused"] is None for line in lines), "a folder has no camera settings"


def test_the_command_ends_after_the_given_seconds(shown: str, tmp_path: Path) -> None:
    done = typed("watch", shown, "--json", "--seconds", "0", env=environment(tmp_path))
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere", "--json"], "camera:0"),
        (["camera:99", "--json"], "no camera 99"),
        (["video:README.md", "--json"], "video"),
        (["simulated-camera", "--json", "--calibration", "README.md"], "calibrat"),
        (["simulated-camera", "--json", "--size", "large"], "A camera's picture has a size such as 1280x720"),
        (["simulated-camera", "--json", "--expect", "-3"], "--expect takes"),
        (["simulated-camera", "--json", "--seconds", "-1"], "--seconds takes"),
    ],
)
def test_a_source_that_cannot_be_watched_is_reported_in_one_line(
    arguments: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    env = environment(tmp_path)
    done = typed("watch", *arguments, env=env)
    assert done.returncode in (1, 2) and not done.stderr
    assert says in json.loads(done.stdout)["error"]
    plain = typed("watch", *(word for word in arguments if word != "--json"), env=env)
    assert plain.returncode == done.returncode and not plain.stdout
    assert says in plain.stderr and len(plain.stderr.splitlines()) == 1
    assert capfd.readouterr() == ("", ""), "OpenCV writes to stderr directly"


def test_the_window_shows_the_source_and_closes_at_its_end(shown: str, tmp_path: Path) -> None:
    done = run(shown, cwd=tmp_path, SDL_VIDEODRIVER="dummy")
    assert (done.returncode, done.stderr) == (0, "")


KEYS = """
from tests.test_watch import look
from vision import window
import pygame

def seen():
    for at, key in ((0.0, None), (0.1, pygame.K_s), (0.2, pygame.K_v), (0.3, pygame.K_ESCAPE)):
        if key:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        yield look(at, 200)
        surface = pygame.display.get_surface()
        print(surface.get_at(surface.get_rect().center)[:3])

window.show(seen())
"""


def test_keys_save_the_picture_and_close_the_window(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", KEYS], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines() == ["(200, 200, 200)"] * 3, "nothing is drawn after Escape"
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".avi", ".png"]


def test_without_a_screen_there_is_a_one_line_message(shown: str) -> None:
    done = run(shown, SDL_VIDEODRIVER="nothing")
    assert done.returncode == 1
    assert "--json" in done.stderr and len(done.stderr.splitlines()) == 1


class Stubborn:
    """A camera that can fix all its settings except the focus."""

    live, size = True, (64, 48)

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.now = 0.0

    def frames(self) -> Iterator[tuple[NDArray[np.uint8], float]]:
        for k in range(100):
            self.now = k / 30
            yield np.full((48, 64, 3), 90, np.uint8), self.now

    def hold(self) -> list[str]:
        self.asked.append(self.now)
        return ["focus"]

    def close(self) -> None: ...


def test_a_cameras_settings_are_fixed_once_it_has_settled_and_refusals_are_reported() -> None:
    feed = Stubborn()
    seen = list(watch.looks(feed))
    assert len(feed.asked) == 1 and feed.asked[0] == pytest.approx(camera.SETTLES, abs=0.05)
    assert seen[0].refused is None and seen[-1].refused == ("focus",)
    assert seen[-1].told().endswith("not held: focus")


def look(at: float, grey: int) -> watch.Look:
    return watch.Look(np.full((240, 320, 3), grey, np.uint8), at, STILL, False, None, 1.0, 30.0, None)


def test_the_last_seconds_are_saved_as_a_film(tmp_path: Path) -> None:
    recorder = watch.Recorder(tmp_path)
    for k in range(160):  # eight seconds, of which the last five are saved
        recorder.see(look(k / 20, k))
    first, second = recorder.film(), recorder.film()
    assert first != second
    film = cv2.VideoCapture(str(first))
    greys = []
    while (read_one := film.read())[0]:
        greys.append(int(read_one[1].mean()))
    assert film.get(cv2.CAP_PROP_FPS) == pytest.approx(20, abs=0.5)
    assert len(greys) == 101 and greys[0] == pytest.approx(59, abs=2) and greys[-1] == pytest.approx(159, abs=2)


def test_a_picture_is_saved_both_unchanged_and_marked(clear: Kept, tmp_path: Path) -> None:
    seen = watch.Look(clear.image, 1.0, "settled", True, read(clear.image), 1.0, 30.0, None)
    path = watch.Recorder(tmp_path).picture(seen)
    assert (cv2.imread(str(path)) == clear.image).all()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no resource limits")
def test_a_film_that_does_not_fit_on_the_disk_is_an_error(tmp_path: Path) -> None:
    """A limit on the file size simulates a full disk."""
    code = (
        "import resource, sys; from pathlib import Path; from tests.test_watch import look; from vision import watch\n"
        "recorder = watch.Recorder(Path(sys.argv[1]))\n"
        "for k in range(60): recorder.see(look(k / 20, k))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
        "try: recorder.film()\n"
        "except OSError as why: print(why.strerror)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert "the disk is full" in done.stdout and not done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", [(1280, 960), (320, 240)])
def test_the_picture_keeps_its_size_when_a_reading_appears(clear: Kept, size: tuple[int, int]) -> None:
    image = np.asarray(cv2.resize(clear.image, size), np.uint8)
    settled = watch.Look(image, 1.0, "settled", True, Reading((), "ok"), 1.0, 30.0, None)
    empty = watch.Look(image, 1.0, EMPTY, True, None, 1.0, 30.0, None)
    assert watch.shown(settled).shape == watch.shown(empty).shape
