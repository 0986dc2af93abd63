"""The table's camera: opened in a thread, watched in its own process (vision.worker), and closed again.

Its one rule: the main thread never waits for the camera, except in `close`, when the table ends.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.devices.calibrating import Calibrating
from table.session.messages import (
    CameraFits,
    CameraHolds,
    CameraShows,
    DeviceFound,
    DeviceLost,
    Post,
    Troubled,
)

if TYPE_CHECKING:  # OpenCV is slow to import, and only a table with a camera needs it
    from vision.own_dice import Face
    from vision.tray import Calibration
    from vision.worker import CameraProcess, Picture, Report

NAME = "camera"
LARGEST = (1920, 1080)  # maximum size of the pictures for a calibration, in pixels
UNSEEN = 60  # if this many pictures in a row are not fetched, no more are made
LATE = 6.0  # seconds before a missing camera is reported as lost; a shorter gap is only mentioned on the screen
LEAVES = 2.0  # seconds to wait at the end for the process to close or a library to load
NO_OPENCV = "Reading dice needs OpenCV. Install it with pip install opencv-python-headless."
BROKEN_OPENCV = "OpenCV cannot be loaded. Reinstall it with pip install --force-reinstall opencv-python-headless."
NO_MEMORY = "Not enough memory for the camera's pictures. Close other programs or restart this computer."


class _Outage:
    """The time since the camera stopped sending pictures."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None

    def late(self) -> bool:
        """Notes the start of an outage, unless one has already begun. Returns whether it has lasted too long."""
        now = self._clock()
        self._since = self._since or now
        return now - self._since >= LATE

    def end(self) -> bool:
        """Ends the outage. Returns whether there was one."""
        since, self._since = self._since, None
        return since is not None


class _Pictures:
    """The requested size of pictures (None if none are wanted), and whether anyone still fetches them."""

    def __init__(self) -> None:
        self.within: tuple[int, int] | None = None
        self._unseen = 0  # pictures since the last one was fetched

    def made(self) -> bool:
        """Counts a picture. Returns whether pictures are still being fetched."""
        self._unseen += 1
        return self._unseen <= UNSEEN

    def fetched(self) -> None:
        self._unseen = 0


class CameraFeed:
    def __init__(
        self,
        post: Post,
        source: str,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        opened: Callable[[], None] = lambda: None,
        hear: Callable[[Report], None] = lambda report: None,
    ) -> None:
        """`opened` is called before the process starts, and `hear` with each report. Both run in other threads."""
        self.source = source
        self.path = calibration_path(source, folder)
        self.watched: Callable[..., CameraProcess] | None = None  # replaces CameraProcess in tests
        self.process: CameraProcess | None = None
        self._post, self._opened, self._told = post, opened, hear
        self._lock = threading.Lock()  # guards what both the main thread and the opening thread change
        self._opening: threading.Thread | None = None
        self._leaving: list[threading.Thread] = []  # closing a process, or still opening an unwanted one
        self._pictures = _Pictures()
        self._outage = _Outage(clock)

    def open(self) -> None:
        """Starts watching, in its own threads and process."""
        with self._lock:
            if self._opening is None:
                self._opening = threading.Thread(target=self._open, name="camera", daemon=True)
                self._opening.start()

    def rest(self) -> None:
        """Closes the camera in a separate thread; `open` starts it again."""
        with self._lock:
            process, self.process = self.process, None
            opening, self._opening = self._opening, None
            self._outage.end()
        self._leaving = [thread for thread in self._leaving if thread.is_alive()]
        if opening and opening.is_alive():
            self._leaving.append(opening)
        if process:
            self._leaving.append(threading.Thread(target=process.close, name="camera closes", daemon=True))
            self._leaving[-1].start()

    def close(self) -> None:
        self.rest()
        for thread in self._leaving:
            thread.join(LEAVES)

    def show(self, within: tuple[int, int] | None) -> None:
        """Requests pictures of at most this size; `CameraShows` is posted with each picture. None stops the
        pictures."""
        with self._lock:
            self._pictures.within = within
            if self.process:
                self.process.show(within)

    def picture(self, after: int = 0) -> Picture | None:
        """The newest picture, if its number is higher than `after`."""
        self._pictures.fetched()
        process = self.process
        return process.picture(after) if process else None

    def calibrating(self, take: Callable[[Calibration, tuple[Face, ...]], None]) -> Calibrating:
        """Starts a guided calibration with this camera's pictures. `take` receives its result."""
        self.open()
        last = 0

        def newest() -> Any:
            nonlocal last
            self.show(LARGEST)
            found = self.picture(last)
            last = found.number if found else last
            return found.frame if found else None

        return Calibrating(newest, take)

    def calibrate(self, calibration: Calibration | None) -> None:
        """Uses this calibration from now on, and saves it for the next start."""
        from vision import tray

        if process := self.process:
            process.calibrate(calibration)
        if self.path and calibration:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                tray.save(calibration, self.path)
            except OSError as why:
                self._post(Troubled("calibration", str(why)))

    # In its own threads

    def _open(self) -> None:
        try:
            from vision import tray
            from vision.worker import CameraProcess
        except ImportError as why:
            self._not_opened(NO_OPENCV if isinstance(why, ModuleNotFoundError) else f"{BROKEN_OPENCV} ({why})")
            return
        known = None
        with suppress(ValueError, OSError):  # a damaged file counts as no calibration, so people calibrate again
            known = tray.load(self.path) if self.path and self.path.exists() else None
        try:
            process = (self.watched or CameraProcess)(self.source, self._hear, known)
        except OSError as why:
            self._not_opened(f"{NO_MEMORY} ({why})")
            return
        with self._lock:
            if self._opening is not threading.current_thread():  # no longer wanted
                process.close()
                return
            self.process = process
            process.show(self._pictures.within)
            self._opened()
            process.start()

    def _not_opened(self, why: str) -> None:
        """Reports why the camera could not be opened. Another attempt can be made."""
        with self._lock:
            if self._opening is threading.current_thread():
                self._opening = None
        self._post(DeviceLost(NAME, why))

    def _hear(self, report: Report) -> None:
        from vision.worker import Fits, Gone, Opened, Shows

        match report:
            case Shows(number):
                if not self._pictures.made():
                    self.show(None)
                self._post(CameraShows(number))
            case Fits(why):
                self._post(CameraFits(why))
            case Opened(_, refused):
                with self._lock:
                    lost = self._outage.end()
                if lost:
                    self._post(DeviceFound(NAME))
                if refused is not None:
                    self._post(CameraHolds(refused))
            case Gone(why):
                with self._lock:
                    late = self._outage.late()
                self._told(report)
                if late:
                    self._post(DeviceLost(NAME, why))
            case _:
                self._told(report)


def calibration_path(source: str, folder: Path | None) -> Path | None:
    """The file with this camera's calibration; None without a folder."""
    return folder / "cameras" / f"{_file_name(source)}.json" if folder else None


def _file_name(source: str) -> str:
    """A unique file name for any source name."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", source).strip("-")[:40]
    return plain if plain == source else f"{plain}-{hashlib.sha256(source.encode('utf-8', 'replace')).hexdigest()[:8]}"
