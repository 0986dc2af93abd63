"""Real dice under a camera: people throw, and the table reads what lies there.

Its one rule: what is not surely all the dice that were asked for, thrown since then, is no roll; it is shown with its
reason, and people throw again or say what it is. The camera is watched in a process of its own (vision.apart).
"""

from __future__ import annotations

import hashlib
import math
import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.devices.calibrating import Calibrating
from table.devices.source import Camera, DiceSource
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import (
    CameraFits,
    CameraHolds,
    CameraLies,
    CameraSaw,
    CameraShows,
    Correction,
    DeviceFound,
    DeviceLost,
    DiceRead,
    Post,
    SeenDie,
    Troubled,
)

if TYPE_CHECKING:  # OpenCV takes long to be there, and only a table with a camera needs it
    from vision.reading import Die, Reading
    from vision.tray import Calibration
    from vision.worker import CameraProcess, Lies, Picture, Report, Told

SIMULATED = "simulated-camera"
LARGEST = (1920, 1080)  # of the pictures by which it is calibrated
UNSEEN = 60  # pictures that nobody has taken: no more of them are wanted
LATE = 6.0  # seconds: a camera that is away for longer is lost, a shorter while is only a line on the screen
LEAVES = 2.0  # seconds that an eye has to close, or a library to be loaded, at the end
NO_OPENCV = "Reading dice needs OpenCV: install it with pip install opencv-python-headless."
BROKEN_OPENCV = "OpenCV cannot be loaded: install it anew with pip install --force-reinstall opencv-python-headless."
NO_MEMORY = "There is no room for the camera's pictures: close other programs, or start this computer again."


class CameraDice(DiceSource):
    name = "camera"
    reads_cups = True

    def __init__(
        self,
        post: Post,
        source: str = "camera:0",
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder` is where calibrations are kept; without one, nothing is known of the tray."""
        self.source = source
        self.watches = source != SIMULATED  # the simulated one throws itself, when somebody presses
        self.camera: Camera = self
        self.calibrating = self._calibrating if self.watches else None
        self.watched: Callable[..., CameraProcess] | None = None  # by what, if not by the eye in its own process
        self._post, self._folder, self._clock = post, folder, clock
        self._lock = threading.Lock()  # over all below: the main thread asks, the eye's thread tells
        self._opening: threading.Thread | None = None
        self._eye: CameraProcess | None = None
        self._leaving: list[threading.Thread] = []  # that still close an eye, or find out that none is wanted
        self._within: tuple[int, int] | None = None
        self._asked: tuple[int, Roll] | None = None
        self._number: int | None = None  # under which the eye was asked
        self._lifted = False  # what is asked for comes from under a cup
        self._unsure: Told | None = None  # what people may correct
        self._strip: tuple[int, ...] = ()  # what lay there when dice were last read
        self._lies: tuple[CameraLies, Lies] | None = None  # since then, as last told
        self._thrown: Lies | None = None  # the answer to the next ask
        self._away: float | None = None  # since when there are no pictures
        self._state = ""
        self._unseen = 0  # pictures, since somebody took one

    # As a source of dice

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        """`lifted`: they come from under a cup, and are not mistaken for those that somebody else has shown before."""
        self.open()
        with self._lock:
            thrown, self._thrown = self._thrown, None
            self._asked, self._unsure, self._lifted = (ticket, roll), None, lifted
            if thrown and len(_loose(thrown.lying.reading)) == roll.count:
                self._answer(thrown.lying.reading, thrown.size)
                return
            self._expect()
            self._say(self._state)

    def count(self, lies: CameraLies) -> bool:
        """Whether the dice that were thrown without an ask still lie there: they are the answer to the next one."""
        with self._lock:
            self._thrown = self._lies[1] if self._lies and self._lies[0] is lies and lies.thrown else None
            return self._thrown is not None

    def enter(self, dice: Iterable[int]) -> None:
        """What people say that it is, where the camera is not sure."""
        with self._lock:
            entered = tuple(dice)
            if self._asked is None:
                return  # it was sure a moment before, and what it read is on its way
            if len(entered) != self._asked[1].count or not set(entered) <= set(range(1, 7)):
                raise Refused("Throw the dice again, or say what each of them shows.")
            told, ticket = self._unsure, self._asked[0]
            correction = None
            self._remember(told.rolled.reading if told else None)
            if told:
                read = _loose(told.rolled.reading)
                correction = Correction(_values(read), told.rolled.reading.why or "", told.photo)
            self._disarm()
        self._post(DiceRead(self.name, ticket, entered, correction=correction))

    def cancel(self) -> None:
        self.show(None)
        with self._lock:
            self._thrown = None
            self._disarm()

    def close(self) -> None:
        self.rest()
        for thread in self._leaving:
            thread.join(LEAVES)

    # As a camera

    def open(self) -> None:
        """Begins to watch, in threads and a process of its own."""
        with self._lock:
            if self._opening is None:
                self._opening = threading.Thread(target=self._open, name="camera", daemon=True)
                self._opening.start()

    def rest(self) -> None:
        """Nobody wants it for now: it is closed, in a thread of its own, until it is opened again."""
        with self._lock:
            eye, self._eye = self._eye, None
            opening, self._opening = self._opening, None
            self._away, self._state = None, ""
        self._leaving = [thread for thread in self._leaving if thread.is_alive()]
        if opening and opening.is_alive():
            self._leaving.append(opening)
        if eye:
            self._leaving.append(threading.Thread(target=eye.close, name="camera closes", daemon=True))
            self._leaving[-1].start()

    def show(self, within: tuple[int, int] | None) -> None:
        """Pictures are wanted, no larger than that; `CameraShows` is posted with each. None: nobody looks."""
        with self._lock:
            self._within = within
            if self._eye:
                self._eye.show(within)

    def picture(self, after: int = 0) -> Picture | None:
        """The newest one, if it is newer than that."""
        self._unseen, eye = 0, self._eye
        return eye.picture(after) if eye else None

    def _calibrating(self) -> Calibrating:
        """A guide to what is to be known of the tray: it looks through this camera."""
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
        """What is known of the tray from now on, and, if it can be kept, at the next start."""
        from vision import tray

        if eye := self._eye:
            eye.calibrate(calibration)
        path = self.calibration_path
        if path and calibration:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                tray.save(calibration, path)
            except OSError as why:
                self._post(Troubled("calibration", str(why)))

    @property
    def calibration_path(self) -> Path | None:
        return self._folder / "cameras" / f"{_file_name(self.source)}.json" if self._folder else None

    # In threads of its own

    def _open(self) -> None:
        try:
            from vision import tray
            from vision.worker import CameraProcess
        except ImportError as why:
            self._not_opened(NO_OPENCV if isinstance(why, ModuleNotFoundError) else f"{BROKEN_OPENCV} ({why})")
            return
        known, path = None, self.calibration_path
        with suppress(ValueError, OSError):  # a file that is damaged is as good as none: the tray is asked for
            known = tray.load(path) if path and path.exists() else None
        try:
            eye = (self.watched or CameraProcess)(self.source, self._hear, known)
        except OSError as why:
            self._not_opened(f"{NO_MEMORY} ({why})")
            return
        with self._lock:
            if self._opening is not threading.current_thread():  # nobody wants it any more
                eye.close()
                return
            self._eye = eye
            self._eye.show(self._within)
            self._expect()
            self._eye.start()

    def _not_opened(self, why: str) -> None:
        """Until somebody asks again."""
        with self._lock:
            if self._opening is threading.current_thread():
                self._opening = None
        self._post(DeviceLost(self.name, why))

    def _hear(self, report: Report) -> None:
        from vision.worker import Fits, Gone, Lies, Opened, Saw, Shows, Told

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
                    self._post(DeviceFound(self.name))
                if refused is not None:
                    self._post(CameraHolds(refused))
            case Gone(why):
                now = self._clock()
                with self._lock:
                    self._away = self._away or now
                    late = now - self._away >= LATE
                    self._say("restarting")
                if late:
                    self._post(DeviceLost(self.name, why))
            case Saw(state):
                with self._lock:
                    self._say(state)
            case Told():
                self._tell(report)
            case Lies():
                self._tell_lying(report)

    def _tell(self, told: Told) -> None:
        """Dice were thrown: all that were asked for, or something to be said about them."""
        with self._lock:
            if self._asked is None or told.rolled.number != self._number:
                return  # of a roll that nobody waits for any more
            ticket, roll = self._asked
            reading, stayed = told.rolled.reading, told.rolled.stayed
            self._state = "settled"
            if told.rolled.sure and len(_loose(reading)) == roll.count:
                self._answer(reading, told.size)
            else:
                self._unsure = told
                self._post(_saw(ticket, "unsure", roll.count, reading, told.size, stayed))

    def _tell_lying(self, lies: Lies) -> None:
        """Nobody is asked to throw, and somebody sets dice aside, or throws the rest."""
        reading = lies.lying.reading
        with self._lock:
            self._thrown = None  # whatever was to count has been moved
            if self._asked is None:
                sure = reading.status == "ok"
                told = CameraLies(_kept(reading), self._strip, _values(_loose(reading)), lies.lying.thrown, sure)
                self._lies = (told, lies)
                self._post(told)

    # With the lock held

    def _answer(self, reading: Reading, size: tuple[int, int]) -> None:
        assert self._asked is not None
        ticket, roll = self._asked
        dice = _loose(reading)
        self._remember(reading)
        self._disarm()
        self._post(_saw(ticket, "read", roll.count, reading, size))
        self._post(DiceRead(self.name, ticket, _values(dice), min(die.confidence for die in dice)))

    def _remember(self, reading: Reading | None) -> None:
        """What lies in the strip now was not set aside from the dice that were thrown now."""
        self._strip, self._lies = _kept(reading) if reading else (), None

    def _expect(self) -> None:
        if self._eye and self._asked:
            self._number = self._eye.expect(self._asked[1].count, self._lifted)

    def _disarm(self) -> None:
        if self._eye and self._asked:
            self._eye.stop_expecting()
        self._asked = self._number = self._unsure = None

    def _say(self, state: str) -> None:
        self._state = state
        if self._asked:
            self._post(CameraSaw(self._asked[0], state, self._asked[1].count))


def _loose(reading: Reading) -> tuple[Die, ...]:
    return tuple(die for die in reading.dice if not die.kept)


def _kept(reading: Reading) -> tuple[int, ...]:
    return _values(die for die in reading.dice if die.kept)


def _values(dice: Iterable[Die]) -> tuple[int, ...]:
    return tuple(die.value for die in dice)


def _saw(
    ticket: int, state: str, count: int, reading: Reading, size: tuple[int, int], stayed: tuple[Die, ...] = ()
) -> CameraSaw:
    """With what is seen, in shares of the picture: how large that is shown is not the camera's concern."""
    dice = tuple(SeenDie(die.value, _corners(die.box, size), die.sure and die not in stayed) for die in _loose(reading))
    doubts = [doubt.what for doubt in reading.doubts] + ["stayed"] * bool(stayed)
    centres = {die.centre for die in reading.dice}
    places = [doubt.at for doubt in reading.doubts if doubt.at and doubt.at not in centres]
    shares = tuple((x / size[0], y / size[1]) for x, y in places)
    return CameraSaw(ticket, state, count, dice, tuple(dict.fromkeys(doubts)), shares)


def _corners(box: Any, size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    a = math.radians(box.angle)
    c, s = math.cos(a) / 2, math.sin(a) / 2
    (x, y), (w, h) = box.centre, box.size
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(((x + u * w * c - v * h * s) / size[0], (y + u * w * s + v * h * c) / size[1]) for u, v in ways)


def _file_name(source: str) -> str:
    """Of a source: no two have the same, whatever stands in them."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", source).strip("-")[:40]
    return plain if plain == source else f"{plain}-{hashlib.sha256(source.encode('utf-8', 'replace')).hexdigest()[:8]}"
