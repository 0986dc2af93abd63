"""What is heard: the files are what our own code makes of nothing, and a table without audio is silent and no more."""

import ast
import importlib.util
import os
import subprocess
import sys
import threading
import wave
from array import array
from pathlib import Path

import pygame
import pytest

from table.config import paths
from table.ui import kiosk
from table.ui.kiosk.sounds import Sounds

pytestmark = pytest.mark.ground

FOLDER = paths.assets() / "sounds"
NAMES = {"tick", "take", "back", "turn", "refuse", "shake", "land", "chip", "life", "good", "bad", "reveal"}
NAMES |= {"mexico", "win"}
FILES = sorted(FOLDER.glob("*.wav"))
# The longest that each may last, in seconds; what answers a press is short.
LONGEST = {"tick": 0.1, "take": 0.5, "back": 0.5, "refuse": 0.4, "chip": 0.3, "mexico": 2.0, "win": 2.5}


def maker():
    spec = importlib.util.spec_from_file_location("make", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(path):
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        heard = array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        heard.byteswap()
    return heard


def test_every_sound_is_there_and_none_is_left_over():
    assert {path.stem.rstrip("123") for path in FILES} == NAMES
    assert {path.stem for path in FILES} == set(maker().SOUNDS)
    assert sum(path.stat().st_size for path in FILES) < 700_000


def test_the_sounds_are_made_again_bit_for_bit(tmp_path):
    make = maker()
    for name in make.SOUNDS:
        assert make.write(name, tmp_path).read_bytes() == (FOLDER / f"{name}.wav").read_bytes(), name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sound_goes_from_silence_to_silence_and_is_never_cut_at_its_loudest(path):
    heard = samples(path)
    assert heard[0] == heard[-1] == 0
    assert max(map(abs, heard[-60:])) < 60, "it would end with a click"
    assert 0.2 * 32767 < max(map(abs, heard)) < 0.9 * 32767
    assert abs(sum(heard) / len(heard)) < 0.01 * 32767
    assert 0.02 < len(heard) / 22050 < LONGEST.get(path.stem, 1.5)


@pytest.mark.parametrize("name", ["tick", "take", "back", "refuse", "chip", "land1", "land2", "land3"])
def test_what_answers_a_press_or_a_landing_die_is_heard_at_once(name):
    heard = samples(FOLDER / f"{name}.wav")
    assert max(map(abs, heard[: 22050 // 50])) > 0.4 * max(map(abs, heard))


def test_the_takes_of_a_landing_differ():
    assert len({path.read_bytes() for path in FOLDER.glob("land*.wav")}) == 3


def test_every_sound_that_the_source_plays_is_there():
    played = set()
    for path in Path(kiosk.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="play"), args=[ast.Constant(value=str(name))]):
                    played.add(name)
                case ast.Call(func=ast.Attribute(attr="play"), args=[ast.IfExp(body=body, orelse=other)]):
                    played |= {body.value, other.value}
    assert played <= NAMES


def alone(code, driver, tmp_path):
    """What a process of its own says: SDL takes the driver from the environment, once. The disk one writes a file."""
    heard = str(tmp_path / "heard")
    silent = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": driver, "SDL_DISKAUDIOFILE": heard}
    lines = ["import pygame, time", "from pathlib import Path", "from table.ui.kiosk.sounds import Sounds"]
    lines += [f"folder, heard = Path({str(FOLDER)!r}), Path({heard!r})", code]
    environment = {**os.environ, **silent, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    # Plain pygame asks for it, and can do without.
    warnings = ["-W", "error", "-W", "ignore:pkg_resources is deprecated"]
    command = [sys.executable, *warnings, "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


HEARD = """
sounds = Sounds(folder, on=True, volume=100)
until = time.monotonic() + 60
while time.monotonic() < until and not (heard.exists() and any(heard.read_bytes())):
    sounds.play("win")
    time.sleep(0.05)
sounds.close(60)
print("heard" if any(heard.read_bytes()) else "silence", pygame.mixer.get_init())
"""


def test_a_sound_is_heard_and_the_device_is_given_back(tmp_path):
    try_out = "try: pygame.mixer.init()\nexcept pygame.error: print('none')\nelse: pygame.mixer.quit()"
    if alone(try_out, "disk", tmp_path) == ["none"]:
        pytest.skip("this SDL cannot write what it plays to a file")
    (tmp_path / "heard").unlink()
    assert alone(HEARD, "disk", tmp_path) == ["heard", "None"]


def test_switched_off_no_device_is_opened(tmp_path):
    code = "sounds = Sounds(folder, on=False)\nsounds.play('win')\nsounds.set(True, 0)\nsounds.play('win')\n"
    assert alone(f"{code}sounds.close(60)\nprint(heard.exists())", "disk", tmp_path) == ["False"]


@pytest.mark.parametrize("driver", ["dummy", "there is no such driver"])
def test_everything_can_be_called_with_a_device_and_without(tmp_path, driver):
    code = f"for name in {sorted(NAMES)}: sounds.play(name)\n"
    code = f"sounds = Sounds(folder)\n{code}sounds.set(False, 50)\n{code}sounds.set(True, 50)\n{code}"
    assert alone(f"{code}sounds.close(60)\nsounds.close(60)\nprint('quiet')", driver, tmp_path) == ["quiet"]


def test_a_device_that_hangs_keeps_nobody_waiting(monkeypatch):
    asked, let_go = threading.Event(), threading.Event()

    def hanging(*_):
        asked.set()
        assert let_go.wait(60)
        raise pygame.error("no such device")

    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")  # else, without a sound card, none would be opened
    monkeypatch.setattr(pygame.mixer, "init", hanging)
    sounds = Sounds(FOLDER)
    assert asked.wait(60)
    sounds.play("win")
    sounds.set(True, 10)
    sounds.close(0.01)
    let_go.set()
    sounds.close(60)


def test_a_sound_that_there_is_not_is_our_mistake():
    sounds = Sounds(FOLDER, on=False)
    with pytest.raises(KeyError):
        sounds.play("moo")
    sounds.close(60)
