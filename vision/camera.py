"""Opens sources of frames by name: a camera, the Pi's camera module, a video, a folder of pictures, or rendered dice.

Its one rule: all frames of a feed have the same size, and if a feed fails, it says why. Settings that a camera refuses
are reported.
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
RATE = 30.0  # frames per second requested from a camera
SETTLES = 2.0  # seconds a camera needs to adjust exposure, colours and focus
EACH = 1.5  # seconds that each picture of a folder is shown: long enough to be read
SIMULATED = "simulated-camera"
NAMES = f"camera:0, a device such as /dev/video0, csi, video:FILE, images:FOLDER or {SIMULATED}"
GONE = "The camera has stopped sending pictures: check its cable."
SILENT = 5.0  # seconds without a picture until a camera counts as lost; the Pi's camera takes two seconds to start
PI_COMMANDS = ("rpicam-vid", "libcamera-vid")  # the command's name since Bookworm, and its name before
WORDS = 10_000  # how many bytes of the command's messages are kept, since it prints a line per picture


class Feed(Protocol):
    size: Size
    live: bool  # whether it is a real camera, which has settings to fix and may come back after being lost

    def frames(self) -> Iterator[tuple[Image, float]]:
        """Frames with their times in seconds. Raises ValueError, with the reason, if the feed fails."""

    def hold(self) -> list[str]:
        """Fix the automatic settings at their current values. Returns those that the camera refuses or lacks."""

    def close(self) -> None: ...


def opened(name: str, size: Size = USUAL) -> Feed:
    """The feed with that name, in that size if available. Raises ValueError, with the reason, if it does not open."""
    kind, _, rest = name.partition(":")
    if name == SIMULATED:
        from vision.simulated import Rendered  # imported here, because a table with a real camera never renders

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
        # OpenCV rejects some names, and crashes on others.
        if not (name.isascii() and os.path.exists(name)):
            raise ValueError(f"There is no camera {mark.plain(name)}.")
        return Webcam(name, size)
    raise ValueError(f"There is no source {mark.plain(name)}: use {NAMES}.")


@dataclass(frozen=True)
class Setting:
    """A setting that a camera adjusts automatically. The property `automatic` switches this adjustment, with the
    values `on` and `off`. The property `value` is the setting itself."""

    name: str
    automatic: int | None
    on: float
    off: float
    value: int


SETTINGS = (
    Setting("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3.0, 1.0, cv2.CAP_PROP_EXPOSURE),  # V4L2's values
    Setting("gain", None, 0.0, 0.0, cv2.CAP_PROP_GAIN),
    Setting("white balance", cv2.CAP_PROP_AUTO_WB, 1.0, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Setting("focus", cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0, cv2.CAP_PROP_FOCUS),
)


class Webcam:
    """A camera opened by OpenCV, by number or device."""

    live = True

    def __init__(self, which: int | str, size: Size, capture: Any = None) -> None:
        self._capture = capture or _capture(which)
        if not self._capture.isOpened():
            self.close()
            raise ValueError(f"There is no camera {which}, or another program is using it.")
        # Without compression, most cameras send only a few frames per second at this size.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for wanted, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_FPS, RATE),
            (cv2.CAP_PROP_BUFFERSIZE, 1),  # always get the newest frame
        ):
            self._capture.set(wanted, value)
        # An earlier `hold` may still be in effect: cameras keep fixed settings until they are unplugged.
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
    """Fix one setting. Returns whether the camera confirms it."""
    now = capture.get(setting.value)
    if setting.automatic is not None:
        capture.set(setting.automatic, setting.off)
        if capture.get(setting.automatic) != setting.off:
            return False
    return bool(capture.set(setting.value, now)) and capture.get(setting.value) == now


# The settings of the Pi's camera: their names, their keys in the metadata, and the options that fix them.
HOLDS = (
    ("exposure", "ExposureTime", ("--shutter",)),
    ("gain", "AnalogueGain", ("--gain",)),
    ("white balance", "ColourGains", ("--awbgains",)),
    ("focus", "LensPosition", ("--autofocus-mode", "manual", "--lens-position")),
)


class PiCamera:
    """The Pi's camera module, through the system's command, which writes raw frames to a pipe. This avoids Python
    bindings that need the system's numpy instead of ours."""

    live = True

    def __init__(self, size: Size) -> None:
        command = next((found for name in PI_COMMANDS if (found := shutil.which(name))), None)
        if command is None:
            raise ValueError(f"The Pi's camera needs {PI_COMMANDS[0]}: sudo apt install rpicam-apps.")
        self.size = (max(64, size[0] // 64 * 64), max(2, size[1] // 2 * 2))  # rows are padded to multiples of 64
        self._command = command
        self._folder = tempfile.TemporaryDirectory(prefix="dicetable-")
        path = Path(self._folder.name) / "metadata"
        self._path: Path | None = path  # path of the metadata file, until it is opened
        self._metadata: IO[str] | None = None
        self._messages = b""  # the command's recent messages
        self._shown = False  # whether a picture has arrived since the start
        # The metadata file grows with every picture, so `hold` restarts the command without it.
        self._child = self._started(["--metadata", str(path), "--metadata-format", "txt"])

    def _started(self, more: Sequence[str]) -> subprocess.Popen[bytes]:
        width, height = self.size
        wanted = ("--width", str(width), "--height", str(height), "--framerate", f"{RATE:g}")
        always = ("--timeout", "0", "--nopreview", "--codec", "yuv420", "--flush", "--output", "-")
        self._messages, self._shown = b"", False
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
        """Read this many bytes, within a time limit: if the cable is pulled, the command keeps running silently."""
        pipe, data, until = self._child.stdout, bytearray(), time.monotonic() + SILENT
        assert pipe is not None
        while len(data) < count:
            there, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
            piece = pipe.read(count - len(data)) if there else b""
            if not piece:
                raise ValueError(self._why())
            data += piece
        self._read_messages()  # the command would block if nobody read its messages
        if not self._shown:
            self._check_size()
            self._shown = True
            self._open_metadata()
        return data

    def _read_messages(self) -> str:
        """Read the command's new messages, and return all recent ones."""
        errors = self._child.stderr
        assert errors is not None
        while select.select([errors], [], [], 0)[0] and (piece := errors.read(WORDS)):
            self._messages = (self._messages + piece)[-WORDS:]
        return self._messages.decode("utf-8", "replace")

    def _open_metadata(self) -> None:
        """Open the metadata file, which exists from the first picture on, and delete its name, so that nothing is left
        if the process is killed."""
        if self._path:
            with suppress(OSError):
                self._metadata = self._path.open(encoding="utf-8", errors="replace")
            self._folder.cleanup()
            self._path = None

    def _why(self) -> str:
        """An error message that says why no picture comes. If none has come since the start, it quotes the command."""
        words = self._read_messages().strip().splitlines()
        if self._shown or not words:
            return GONE
        return f"The Pi's camera sends no pictures: {mark.plain(words[-1].strip()).rstrip('.')}."

    def _check_size(self) -> None:
        """Check that the camera delivers the requested size. Only the command's messages show if it is different."""
        found = re.findall(r"(\d+)x(\d+)-YUV420", self._read_messages())
        sizes = {(int(width), int(height)) for width, height in found}
        if sizes and self.size not in sizes:
            width, height = sorted(sizes)[-1]
            raise ValueError(f"The Pi's camera does not support that size: use {width}x{height}.")

    def hold(self) -> list[str]:
        """Restart the command with the settings of the last picture, because they can only be set at the start."""
        values = _last_metadata(self._metadata.read()) if self._metadata else {}
        fixed: list[str] = []
        for _, key, option in HOLDS:
            if key in values:
                fixed += [*option, values[key]]
        self._end()
        self._child = self._started(fixed)
        return [name for name, key, _ in HOLDS if key not in values]

    def _end(self) -> None:
        self._child.terminate()
        try:
            self._child.wait(2.0)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for pipe in (self._child.stdout, self._child.stderr, self._metadata):
            if pipe:
                pipe.close()
        self._metadata = None

    def close(self) -> None:
        self._end()
        self._folder.cleanup()


def _last_metadata(text: str) -> dict[str, str]:
    """The metadata of the last complete picture. Each line is key=value, and each picture ends with an empty line."""
    pictures = text.split("\n\n")[:-1]
    lines = pictures[-1].splitlines() if pictures else []
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    # The two colour gains are written as "[ 1.9, 1.6 ]" but must be passed as "1.9,1.6".
    return {key: ",".join(re.findall(r"-?\d+(?:\.\d+)?", value)) for key, value in values.items()}


class Played:
    """A film, played once at its original speed."""

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
    """The pictures in a folder, in order of name, each shown for a moment and scaled to the size of the first one."""

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
        """Nothing to close."""


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Prefix error messages with the file name."""
    try:
        yield
    except ValueError as why:
        raise ValueError(f"{mark.plain(path)}: {why}") from None


def _fitted(frame: Image, size: Size) -> Image:
    """The whole frame scaled to that size, with grey bars to keep its aspect ratio."""
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
