"""A camera as the table has it: opened in a thread, watched in a process of its own (vision.worker), closed again.

Its one rule: the main thread never waits for it, except in `close`, when the table ends.
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

if TYPE_CHECKING:  # OpenCV takes long to be there, and only a table with a camera needs it
    from vision.tray import Calibration
    from vision.worker import CameraProcess, Picture, Report

NAME = "camera"
LARGEST = (1920, 1080)  # pixels of the pictures for a calibration
UNSEEN = 60  # pictures in a row that nobody took: then no more are made
LATE = 6.0  # seconds: a camera that is away for longer is lost, a shorter while is only a line on the screen
LEAVES = 2.0  # seconds to wait at the end for the process to close, or a library to load
NO_OPENCV = "Reading dice needs OpenCV: install it with pip install opencv-python-headless."
BROKEN_OPENCV = "OpenCV cannot be loaded: install it anew with pip install --force-reinstall opencv-python-headless."
NO_MEMORY = "There is no room for the camera's pictures: close other programs, or start this computer again."


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
        """`opened` is called before its process starts, and `hear` with all that is seen, both in other threads."""
        self.source = source
        self.path = calibration_path(source, folder)
        self.watched: Callable[..., CameraProcess] | None = None  # made instead of a CameraProcess
        self.process: CameraProcess | None = None
        self._post, self._clock, self._opened, self._told = post, clock, opened, hear
        self._lock = threading.Lock()  # over what both the main thread and the opening thread change
        self._opening: threading.Thread | None = None
        self._leaving: list[threading.Thread] = []  # that still close a process, or open one that is no longer wanted
        self._within: tuple[int, int] | None = None
        self._unseen = 0  # pictures, since somebody took one
        self._away: float | None = None  # since when there are no pictures

    def open(self) -> None:
        """Begins to watch, in threads and a process of its own."""
        with self._lock:
            if self._opening is None:
                self._opening = threading.Thread(target=self._open, name="camera", daemon=True)
                self._opening.start()

    def rest(self) -> None:
        """Closes it, in a thread of its own; `open` starts it again."""
        with self._lock:
            process, self.process = self.process, None
            opening, self._opening = self._opening, None
            self._away = None
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
        """Pictures are wanted, no larger than that; `CameraShows` is posted with each. None: nobody looks."""
        with self._lock:
            self._within = within
            if self.process:
                self.process.show(within)

    def picture(self, after: int = 0) -> Picture | None:
        """The newest one, if it is newer than that."""
        self._unseen, process = 0, self.process
        return process.picture(after) if process else None

    def calibrating(self) -> Calibrating:
        """A calibration that takes its pictures from this camera."""
        self.open()
        last = 0

        def newest() -> Any:
            nonlocal last
            self.show(LARGEST)
            found = self.picture(last)
            last = found.number if found else last
            return found.frame if found else None

        return Calibrating(newest, self.calibrate)

    def calibrate(self, calibration: Calibration | None) -> None:
        """Uses this calibration from now on, and keeps it for the next start."""
        from vision import tray

        if process := self.process:
            process.calibrate(calibration)
        if self.path and calibration:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                tray.save(calibration, self.path)
            except OSError as why:
                self._post(Troubled("calibration", str(why)))

    # In threads of its own

    def _open(self) -> None:
        try:
            from vision import tray
            from vision.worker import CameraProcess
        except ImportError as why:
            self._not_opened(NO_OPENCV if isinstance(why, ModuleNotFoundError) else f"{BROKEN_OPENCV} ({why})")
            return
        known = None
        with suppress(ValueError, OSError):  # a damaged file counts as none: people calibrate again
            known = tray.load(self.path) if self.path and self.path.exists() else None
        try:
            process = (self.watched or CameraProcess)(self.source, self._hear, known)
        except OSError as why:
            self._not_opened(f"{NO_MEMORY} ({why})")
            return
        with self._lock:
            if self._opening is not threading.current_thread():  # nobody wants it any more
                process.close()
                return
            self.process = process
            process.show(self._within)
            self._opened()
            process.start()

    def _not_opened(self, why: str) -> None:
        """Says why; it may be opened again."""
        with self._lock:
            if self._opening is threading.current_thread():
                self._opening = None
        self._post(DeviceLost(NAME, why))

    def _hear(self, report: Report) -> None:
        from vision.worker import Fits, Gone, Opened, Shows

        match report:
            case Shows(number):
                self._unseen += 1
                if self._unseen > UNSEEN:
                    self.show(None)
                self._post(CameraShows(number))
            case Fits(why):
                self._post(CameraFits(why))
            case Opened(_, refused):
                with self._lock:
                    lost, self._away = self._away is not None, None
                if lost:
                    self._post(DeviceFound(NAME))
                if refused is not None:
                    self._post(CameraHolds(refused))
            case Gone(why):
                now = self._clock()
                with self._lock:
                    self._away = self._away or now
                    late = now - self._away >= LATE
                self._told(report)
                if late:
                    self._post(DeviceLost(NAME, why))
            case _:
                self._told(report)


def calibration_path(source: str, folder: Path | None) -> Path | None:
    """The file that keeps this camera's calibration; None without a folder."""
    return folder / "cameras" / f"{_file_name(source)}.json" if folder else None


def _file_name(source: str) -> str:
    """A file name for the source, different for each, whatever characters it has."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", source).strip("-")[:40]
    return plain if plain == source else f"{plain}-{hashlib.sha256(source.encode('utf-8', 'replace')).hexdigest()[:8]}"
