"""`dicetable watch`: watches a source and shows it in a window or prints JSON lines.

Its one rule: source, motion detection and reader are the same as the table's. `dicetable watch` only shows more of the
results.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision import camera, files, mark, tray
from vision.camera import Feed, Size
from vision.command import check_expected, upright
from vision.networks import Image
from vision.reading import OK, Reading
from vision.settle import EMPTY, HAND, MOVING, SETTLED, STILL, Settle
from vision.tray import Calibration

KEPT = 5.0  # length in seconds of a film for a bug report
WORDS = {
    EMPTY: "no dice",
    MOVING: "motion",
    HAND: "a hand is in view",
    STILL: "at rest",
    SETTLED: "read",
}
LATELY = 30  # frames over which the rate is averaged
QUALITY = (cv2.IMWRITE_JPEG_QUALITY, 92)


@dataclass(frozen=True)
class Look:
    """One frame, and what is known about it."""

    frame: Image
    at: float  # seconds since the first frame
    state: str
    changed: bool
    reading: Reading | None  # the reading of the dice, once they have settled
    ms: float  # time to process this frame, including a read if one was due
    rate: float  # recent frames per second
    refused: tuple[str, ...] | None  # settings that the camera does not keep; None until the settings are fixed

    def told(self) -> str:
        """A line of text for the window."""
        held = ""
        if self.refused is not None:
            held = f"; not held: {', '.join(self.refused)}" if self.refused else "; all settings held"
        return f"{self.rate:.0f} frames per second, {self.ms:.0f} ms for this one{held}"

    def line(self) -> str:
        """A line of JSON, for programs."""
        size = (self.frame.shape[1], self.frame.shape[0])
        told: dict[str, object] = {"at": round(self.at, 2), "state": self.state}
        if self.reading:
            told |= {
                "status": self.reading.status,
                "dice": [
                    {"value": d.value, "box": upright(d.box, size), "confidence": round(d.confidence, 2)}
                    for d in self.reading.dice
                ],
                "why": self.reading.why,
            }
        refused = None if self.refused is None else list(self.refused)
        return json.dumps(told | {"ms": round(self.ms, 1), "rate": round(self.rate, 1), "refused": refused})


def looks(feed: Feed, calibration: Calibration | None = None, expect: int | None = None) -> Iterator[Look]:
    """Every frame of a feed as the table sees it. Camera settings are fixed once the camera has adjusted itself."""
    settle = Settle(calibration, expect)
    times: deque[float] = deque(maxlen=LATELY)
    begun: float | None = None
    refused: tuple[str, ...] | None = None
    for frame, at in feed.frames():
        begun = at if begun is None else begun
        times.append(time.monotonic())  # the time at which the frame arrived, not its timestamp
        if feed.live and refused is None and at - begun >= camera.SETTLES:
            refused = tuple(feed.hold())
        started = time.perf_counter()
        seen = settle.see(frame, at)
        ms = (time.perf_counter() - started) * 1000
        span = times[-1] - times[0]
        rate = (len(times) - 1) / span if span > 0 else 0.0
        yield Look(frame, at - begun, seen.state, seen.changed, seen.lies, ms, rate, refused)


def run(
    name: str,
    say: Callable[[str], None],
    size: Size,
    expect: int | None = None,
    calibration: str | None = None,
    seconds: float | None = None,
    window: Callable[[Iterator[Look]], None] | None = None,
) -> None:
    """Watch until the source ends, or for this many seconds. Raises ValueError, with a sentence, if the source cannot
    be watched."""
    check_expected(expect)
    if seconds is not None and seconds < 0:
        raise ValueError("--seconds takes the seconds to watch, at least 0.")
    known = tray.load(Path(calibration)) if calibration else None
    with closing(camera.opened(name, known.size if known else size)) as feed:
        if known and feed.size != known.size:
            raise ValueError(
                f"{mark.plain(name)} gives {feed.size[0]}x{feed.size[1]} and the calibration is for "
                f"{known.size[0]}x{known.size[1]}: calibrate it again."
            )
        seen = _until(looks(feed, known, expect), seconds)
        if window:
            window(seen)
            return
        refused: tuple[str, ...] | None = None
        for look in seen:
            if look.changed or look.refused != refused:
                refused = look.refused
                say(look.line())


def _until(seen: Iterator[Look], seconds: float | None) -> Iterator[Look]:
    for look in seen:
        yield look
        if seconds is not None and look.at >= seconds:
            return


class Recorder:
    """The last few seconds of frames, for a bug report. Kept as JPEG, because raw frames would take a gigabyte."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: deque[tuple[float, bytes]] = deque()

    def see(self, look: Look) -> None:
        done, data = cv2.imencode(".jpg", look.frame, QUALITY)
        if done:
            self._kept.append((look.at, data.tobytes()))
        while self._kept and self._kept[0][0] < look.at - KEPT:
            self._kept.popleft()

    def picture(self, look: Look) -> Path:
        """Save the frame unchanged for a bug report, and the frame with the reading beside it."""
        path = self._new(".png")
        mark.save(path, look.frame)
        if look.reading:
            mark.save(path.with_name(f"{path.stem}.read.png"), mark.mark(look.frame, look.reading))
        return path

    def film(self) -> Path:
        """Save the last few seconds. Raises OSError if the film cannot be written."""
        path = self._new(".avi")
        span = self._kept[-1][0] - self._kept[0][0] if len(self._kept) > 1 else 0.0
        rate = (len(self._kept) - 1) / span if span > 0 else camera.RATE
        written: cv2.VideoWriter | None = None
        with files.hushed():
            for _, data in self._kept:
                frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
                assert frame is not None
                if written is None:
                    size = (frame.shape[1], frame.shape[0])
                    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
                written.write(frame)
            if written:
                written.release()
        # OpenCV does not report a full disk, so count the frames in the file.
        if _frames_in(path) < len(self._kept):
            path.unlink(missing_ok=True)
            raise OSError(0, "the disk is full, or writing here is not permitted")
        return path

    def _new(self, ending: str) -> Path:
        stem = time.strftime("dicetable-%Y%m%d-%H%M%S")
        names = (f"{stem}{more}{ending}" for more in ("", *(f"-{k}" for k in range(2, 1000))))
        return next(self._folder / name for name in names if not (self._folder / name).exists())


def _frames_in(path: Path) -> int:
    try:
        with files.film(str(path)) as film:
            return sum(1 for _ in film.frames())
    except ValueError:
        return 0


def shown(look: Look, note: str = "") -> Image:
    """The frame as the window shows it: with the reading on it, and the status below."""
    page = mark.mark(look.frame, look.reading or Reading((), OK), None if look.reading else WORDS[look.state])
    words = f"{look.told()}. S: picture, V: last {KEPT:.0f} seconds, Esc: end. {note}"
    return np.asarray(np.vstack([page, mark.strip(words, page.shape[1])]), np.uint8)
