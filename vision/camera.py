"""Moving pictures by the name of where they come from: a camera, the Pi's own camera, a film, a folder of pictures, or
dice that we render ourselves.

Its one rule: a feed gives frames of one size, or ends with a sentence that says why. What a camera refuses is told.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import cv2
import numpy as np

from vision import files, folder, mark
from vision.networks import Image

Size = tuple[int, int]

USUAL: Size = (1280, 720)
RATE = 30.0  # frames a second that a camera is asked for
SETTLES = 2.0  # seconds in which a camera finds its exposure, colours and focus
EACH = 1.5  # seconds that each picture of a folder is shown: long enough to lie still and to be read
SIMULATED = "simulated-camera"
NAMES = f"camera:0, a device such as /dev/video0, csi, video:FILE, images:FOLDER or {SIMULATED}"
GONE = "The camera gives no more pictures: look at its cable."
SILENT = 5.0  # seconds without a picture after which a camera is gone; the Pi's takes two to start
PI_COMMANDS = ("rpicam-vid", "libcamera-vid")  # as they are called from Bookworm on, and before
WORDS = 10_000  # bytes of what such a command says that are remembered: it has a line for every picture


class Feed(Protocol):
    size: Size
    live: bool  # a real camera: it has settings to hold, and may come back after it was lost

    def frames(self) -> Iterator[tuple[Image, float]]:
        """Each with its time in seconds. ValueError says why there are no more, if there should be."""

    def hold(self) -> list[str]:
        """Keeps what a camera changes by itself as it is now; the settings that it refuses to hold or does not have."""

    def close(self) -> None: ...


def opened(name: str, size: Size = USUAL) -> Feed:
    """The feed of that name, of that size if it has it; ValueError says in a sentence why there is none."""
    kind, _, rest = name.partition(":")
    if name == SIMULATED:
        from vision.simulated import Rendered  # a table with a real camera never draws one

        return Rendered()
    if name == "csi":
        return PiCamera(size)
    if kind == "camera":
        if not (rest.isascii() and rest.isdigit() and len(rest) < 4):
            raise ValueError("Cameras are numbered, such as camera:0.")
        return Webcam(int(rest), size)
    if kind == "video" and rest:
        return Played(rest)
    if kind == "images" and rest:
        return Shown(rest, max(files.ENOUGH, *size))
    if name.startswith("/dev/"):
        # OpenCV cannot spell every name, and dies of some.
        if not (name.isascii() and os.path.exists(name)):
            raise ValueError(f"There is no camera {mark.plain(name)} here.")
        return Webcam(name, size)
    raise ValueError(f"There is no source {mark.plain(name)}: use {NAMES}.")


@dataclass(frozen=True)
class Setting:
    """What a camera changes by itself: the property that says whether, what turns it on and off, and what then has to
    stay."""

    name: str
    automatic: int | None
    on: float
    off: float
    value: int


SETTINGS = (
    Setting("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3.0, 1.0, cv2.CAP_PROP_EXPOSURE),  # as V4L2 counts its ways
    Setting("gain", None, 0.0, 0.0, cv2.CAP_PROP_GAIN),
    Setting("white balance", cv2.CAP_PROP_AUTO_WB, 1.0, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Setting("focus", cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0, cv2.CAP_PROP_FOCUS),
)


class Webcam:
    """A camera that OpenCV opens, by its number or its device."""

    live = True

    def __init__(self, which: int | str, size: Size, capture: Any = None) -> None:
        self._capture = capture or _capture(which)
        if not self._capture.isOpened():
            self.close()
            raise ValueError(f"There is no camera {which} here, or another program is using it.")
        # Uncompressed, most cameras give only a few pictures a second at this size.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for wanted, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_FPS, RATE),
            (cv2.CAP_PROP_BUFFERSIZE, 1),  # nobody wants to see what was a moment ago
        ):
            self._capture.set(wanted, value)
        # It remembers what it was made to hold until it is unplugged, and that was in another light.
        for setting in SETTINGS:
            if setting.automatic is not None:
                self._capture.set(setting.automatic, setting.on)
        width, height = (self._capture.get(p) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        self.size = (int(width), int(height))

    def frames(self) -> Iterator[tuple[Image, float]]:
        while True:
            try:
                with files.hushed():
                    there, frame = self._capture.read()
            except cv2.error:
                there, frame = False, None
            if not there or frame is None:
                raise ValueError(GONE)
            yield np.asarray(frame, np.uint8), time.monotonic()

    def hold(self) -> list[str]:
        return [setting.name for setting in SETTINGS if not _held(self._capture, setting)]

    def close(self) -> None:
        with files.hushed():
            self._capture.release()


def _capture(which: int | str) -> cv2.VideoCapture:
    by = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    with files.hushed():
        return cv2.VideoCapture(which, by)  # type: ignore[call-overload, no-any-return, unused-ignore]


def _held(capture: Any, setting: Setting) -> bool:
    """Whether the setting stays where it is from now on, as far as the camera tells."""
    now = capture.get(setting.value)
    if setting.automatic is not None:
        capture.set(setting.automatic, setting.off)
        if capture.get(setting.automatic) != setting.off:
            return False
    return bool(capture.set(setting.value, now)) and capture.get(setting.value) == now


# What the Pi's camera tells of a picture, and the options by which it is told the same.
HOLDS = (
    ("exposure", "ExposureTime", ("--shutter",)),
    ("gain", "AnalogueGain", ("--gain",)),
    ("white balance", "ColourGains", ("--awbgains",)),
    ("focus", "LensPosition", ("--autofocus-mode", "manual", "--lens-position")),
)


class PiCamera:
    """The Pi's own camera: its system's command writes raw pictures into a pipe. No binding, so no quarrel between the
    system's numpy and ours."""

    live = True

    def __init__(self, size: Size) -> None:
        command = next((found for name in PI_COMMANDS if (found := shutil.which(name))), None)
        if command is None:
            raise ValueError(f"The Pi's camera needs {PI_COMMANDS[0]}: sudo apt install rpicam-apps.")
        self.size = (max(64, size[0] // 64 * 64), max(2, size[1] // 2 * 2))  # rows are padded to multiples of 64
        self._command = command
        self._folder = tempfile.TemporaryDirectory(prefix="dicetable-")
        path = Path(self._folder.name) / "told"
        self._path: Path | None = path  # of what it tells, until that is open
        self._told: IO[str] | None = None
        self._said = b""  # of late
        self._shown = False  # whether there was a picture since it was started
        # What it tells grows with every picture, so it tells only until it is held.
        self._child = self._started(["--metadata", str(path), "--metadata-format", "txt"])

    def _started(self, more: Sequence[str]) -> subprocess.Popen[bytes]:
        width, height = self.size
        wanted = ("--width", str(width), "--height", str(height), "--framerate", f"{RATE:g}")
        always = ("--timeout", "0", "--nopreview", "--codec", "yuv420", "--flush", "--output", "-")
        self._said, self._shown = b"", False
        return subprocess.Popen(
            [self._command, *always, *wanted, *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )

    def frames(self) -> Iterator[tuple[Image, float]]:
        width, height = self.size
        while True:
            data = self._next(width * height * 3 // 2)
            planes = np.frombuffer(data, np.uint8).reshape(height * 3 // 2, width)
            yield np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8), time.monotonic()

    def _next(self, count: int) -> bytearray:
        """So many bytes of its output. It goes on without a word when its cable is pulled, so it is not waited for."""
        pipe, data, until = self._child.stdout, bytearray(), time.monotonic() + SILENT
        assert pipe is not None
        while len(data) < count:
            there, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
            piece = pipe.read(count - len(data)) if there else b""
            if not piece:
                raise ValueError(self._why())
            data += piece
        self._heard()  # or it would wait for whoever listens
        if not self._shown:
            self._check_size()
            self._shown = True
            self._open_told()
        return data

    def _heard(self) -> str:
        """The last of what it said so far."""
        said = self._child.stderr
        assert said is not None
        while select.select([said], [], [], 0)[0] and (piece := said.read(WORDS)):
            self._said = (self._said + piece)[-WORDS:]
        return self._said.decode("utf-8", "replace")

    def _open_told(self) -> None:
        """With its first picture the file is there. It needs no name from then on, so that nothing is left of it if all
        of this is killed."""
        if self._path:
            with suppress(OSError):
                self._told = self._path.open(encoding="utf-8", errors="replace")
            self._folder.cleanup()
            self._path = None

    def _why(self) -> str:
        """Why there is no picture: in its own last words, if there never was one."""
        words = self._heard().strip().splitlines()
        if self._shown or not words:
            return GONE
        return f"The Pi's camera gives no pictures: {mark.plain(words[-1].strip()).rstrip('.')}."

    def _check_size(self) -> None:
        """It may take another size than it was asked for, and says so only among other words."""
        said = re.findall(r"(\d+)x(\d+)-YUV420", self._heard())
        sizes = {(int(width), int(height)) for width, height in said}
        if sizes and self.size not in sizes:
            width, height = sorted(sizes)[-1]
            raise ValueError(f"The Pi's camera has no pictures of that size: ask for {width}x{height}.")

    def hold(self) -> list[str]:
        """Its settings are given when it starts, so it starts again with those of its last picture."""
        told = _last_told(self._told.read()) if self._told else {}
        fixed: list[str] = []
        for _, key, option in HOLDS:
            if key in told:
                fixed += [*option, told[key]]
        self._end()
        self._child = self._started(fixed)
        return [name for name, key, _ in HOLDS if key not in told]

    def _end(self) -> None:
        self._child.terminate()
        try:
            self._child.wait(2.0)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for open_still in (self._child.stdout, self._child.stderr, self._told):
            if open_still:
                open_still.close()
        self._told = None

    def close(self) -> None:
        self._end()
        self._folder.cleanup()


def _last_told(text: str) -> dict[str, str]:
    """Of the last picture of which all was told: lines of key=value, and an empty one after each picture."""
    pictures = text.split("\n\n")[:-1]
    lines = pictures[-1].splitlines() if pictures else []
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    # Two gains are told as "[ 1.9, 1.6 ]" and taken as "1.9,1.6".
    return {key: ",".join(re.findall(r"-?\d+(?:\.\d+)?", value)) for key, value in told.items()}


class Played:
    """A film, once, at the pace at which it was filmed."""

    live = False

    def __init__(
        self, path: str, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._path, self._kept = path, ExitStack()
        self._clock, self._sleep = clock, sleep
        with _named(path):
            self._film = self._kept.enter_context(files.film(path))
        self.size = self._film.size

    def frames(self) -> Iterator[tuple[Image, float]]:
        begun = self._clock()
        for frame, at in self._film.frames():
            self._sleep(max(0.0, begun + at - self._clock()))
            yield _fitted(frame, self.size), begun + at
        if self._film.trouble:
            raise ValueError(f"{mark.plain(self._path)}: {self._film.trouble}")

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        self._kept.close()


class Shown:
    """The pictures of a folder by name, each for a moment, within the size of the first."""

    live = False

    def __init__(
        self,
        where: str,
        enough: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._enough = enough
        self._clock, self._sleep = clock, sleep
        with _named(where):
            self._paths = folder.pictures(where)
        first = self._loaded(self._paths[0])
        self.size = (first.shape[1], first.shape[0])

    def _loaded(self, path: str) -> Image:
        with _named(path):
            return files.load(path, self._enough).frame

    def frames(self) -> Iterator[tuple[Image, float]]:
        begun = self._clock()
        for number, path in enumerate(self._paths):
            frame = _fitted(self._loaded(path), self.size)
            for k in range(round(EACH * RATE)):
                at = begun + number * EACH + k / RATE
                self._sleep(max(0.0, at - self._clock()))
                yield frame, at

    def hold(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing is held."""


@contextmanager
def _named(path: str) -> Iterator[None]:
    """What is wrong is said of this file."""
    try:
        yield
    except ValueError as why:
        raise ValueError(f"{mark.plain(path)}: {why}") from None


def _fitted(frame: Image, size: Size) -> Image:
    """All of it within that size, its shape kept, grey beside it."""
    height, width = frame.shape[:2]
    if (width, height) == size:
        return frame
    k = min(size[0] / width, size[1] / height)
    wide, high = min(size[0], round(width * k)), min(size[1], round(height * k))
    way = cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
    left, top = (size[0] - wide) // 2, (size[1] - high) // 2
    page = np.full((size[1], size[0], 3), files.GREY, np.uint8)
    page[top : top + high, left : left + wide] = cv2.resize(frame, (wide, high), interpolation=way)
    return page
