"""Real dice under a camera: people roll, and the table reads the dice.

Its one rule: a reading counts only if it certainly shows all requested dice, all of them rolled after the request.
Any other reading is shown with its reason, and people roll again or correct it. `camera_feed` runs the camera itself.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.devices.camera_feed import NAME, CameraFeed
from table.devices.own_dice import LearnedDice
from table.devices.source import DiceSource
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import CameraLies, CameraSaw, Correction, DiceRead, Post, SeenDie

if TYPE_CHECKING:  # OpenCV is slow to import, and only a table with a camera needs it
    from vision.own_dice import Face, OwnDice
    from vision.reading import Die, Reading
    from vision.tray import Calibration
    from vision.worker import Lies, Report, Told

SIMULATED = "simulated-camera"
OWN_DICE = ".dice"  # ending of the file beside the calibration


@dataclass
class _Request:
    """A roll that the table has asked for and that has not been answered yet."""

    ticket: int
    roll: Roll
    lifted: bool  # the dice come from under a cup
    number: int | None = None  # the number of the request to the camera process
    unsure: Told | None = None  # the reading that people can correct


class CameraDice(DiceSource):
    name = NAME
    reads_cups = True

    def __init__(
        self,
        post: Post,
        source: str = "camera:0",
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder` holds the calibrations; without it there is no calibration."""
        self.camera: CameraFeed = CameraFeed(post, source, folder, clock, self._opened, self._hear)
        self.watches = source != SIMULATED  # the simulated camera rolls when someone presses
        self.calibrating = partial(self.camera.calibrating, self._calibrated) if self.watches else None
        path = self.camera.path
        self.own_dice: LearnedDice = LearnedDice(path.with_suffix(OWN_DICE) if path else None, post, self._remember_own)
        self._post = post
        self._lock = threading.Lock()  # guards all fields below: the main thread asks, the camera's thread reports
        self._asked: _Request | None = None
        self._strip: tuple[int, ...] = ()  # values in the strip for kept dice at the last reading
        self._lies: tuple[CameraLies, Lies] | None = None  # the last report of moved dice since that reading
        self._unasked: Lies | None = None  # dice rolled without an ask, which will answer the next one
        self._state = ""

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        """`lifted`: whether the dice come from under a cup. If so, the reading is sure only if the tray was
        empty before. Otherwise, the reading might show dice of an earlier player."""
        self.camera.open()
        with self._lock:
            rolled, self._unasked = self._unasked, None
            self._asked = _Request(ticket, roll, lifted)
            if rolled and len(_loose(rolled.lying.reading)) == roll.count:
                self._answer(rolled.lying.reading, rolled.size)
                return
            self._expect()
            self._say(self._state)

    def count(self, lies: CameraLies) -> bool:
        """Whether the dice rolled without an ask are still there. If so, they answer the next ask."""
        with self._lock:
            self._unasked = self._lies[1] if self._lies and self._lies[0] is lies and lies.thrown else None
            return self._unasked is not None

    def enter(self, dice: Iterable[int], seen: Sequence[SeenDie | None] = ()) -> None:
        """Accepts the values that people entered or confirmed, when the camera is unsure."""
        with self._lock:
            entered = tuple(dice)
            if self._asked is None:
                return  # the camera has just become sure, and its reading is on the way
            if len(entered) != self._asked.roll.count or not set(entered) <= set(range(1, 7)):
                raise Refused("Roll the dice again, or enter what each die shows.")
            told, ticket = self._asked.unsure, self._asked.ticket
            correction = None
            self._remember(told.rolled.reading if told else None)
            if told:
                known = [die for die in seen if die]
                read, sure = tuple(die.value for die in known), tuple(die.sure for die in known)
                correction = Correction(read, sure, told.rolled.reading.why or "", told.photo)
                if self.camera.process and (shown := _pairs(told, entered, seen)):
                    self.camera.process.learn(told.rolled, shown)
            self._disarm()
        self._post(DiceRead(self.name, ticket, entered, correction=correction))

    def cancel(self) -> None:
        self.camera.show(None)
        with self._lock:
            self._unasked = None
            self._disarm()

    def open(self) -> None:
        self.camera.open()

    def rest(self) -> None:
        self.camera.rest()
        with self._lock:
            self._state = ""

    def close(self) -> None:
        self.camera.close()

    # Called in the camera's threads

    def _opened(self) -> None:
        self.own_dice.open()
        with self._lock:
            self._expect()

    def _calibrated(self, calibration: Calibration, faces: tuple[Face, ...]) -> None:
        """A new calibration shows the dice anew, so what was learned before is forgotten: it may be about other
        dice."""
        self.camera.calibrate(calibration)
        self.own_dice.begin_with(faces)

    def _remember_own(self, own: OwnDice) -> None:
        if process := self.camera.process:
            process.remember(own)

    def _hear(self, report: Report) -> None:
        from vision.worker import Gone, Learned, Lies, Saw, Told

        match report:
            case Gone():
                with self._lock:
                    self._say("restarting")
            case Saw(state):
                with self._lock:
                    self._say(state)
            case Told():
                self._tell(report)
            case Lies():
                self._tell_lying(report)
            case Learned(faces):
                self.own_dice.learn(faces)

    def _tell(self, told: Told) -> None:
        """A roll was read: either all requested dice, or an unsure reading to show."""
        with self._lock:
            if self._asked is None or told.rolled.number != self._asked.number:
                return  # belongs to a roll that is no longer requested
            ticket, roll = self._asked.ticket, self._asked.roll
            reading, stayed = told.rolled.reading, told.rolled.stayed
            self._state = "settled"
            if told.rolled.sure and len(_loose(reading)) == roll.count:
                self._answer(reading, told.size)
            else:
                self._asked.unsure = told
                self._post(_saw(ticket, "unsure", roll.count, reading, told.size, stayed))

    def _tell_lying(self, lies: Lies) -> None:
        """Dice were moved although no roll was requested: someone is setting dice aside or rolling the rest."""
        reading = lies.lying.reading
        with self._lock:
            self._unasked = None  # the dice that would have answered the next ask have moved
            if self._asked is None:
                sure = reading.status == "ok"
                told = CameraLies(_kept(reading), self._strip, _values(_loose(reading)), lies.lying.thrown, sure)
                self._lies = (told, lies)
                self._post(told)

    # With the lock held

    def _answer(self, reading: Reading, size: tuple[int, int]) -> None:
        assert self._asked is not None
        ticket, roll = self._asked.ticket, self._asked.roll
        dice = _loose(reading)
        self._remember(reading)
        self._disarm()
        self._post(_saw(ticket, "read", roll.count, reading, size))
        self._post(DiceRead(self.name, ticket, _values(dice), min(die.confidence for die in dice)))

    def _remember(self, reading: Reading | None) -> None:
        """Notes which dice are already in the strip for kept dice, so that they do not count as set aside later."""
        self._strip, self._lies = _kept(reading) if reading else (), None

    def _expect(self) -> None:
        if self.camera.process and self._asked:
            self._asked.number = self.camera.process.expect(self._asked.roll.count, self._asked.lifted)

    def _disarm(self) -> None:
        if self.camera.process and self._asked:
            self.camera.process.stop_expecting()
        self._asked = None

    def _say(self, state: str) -> None:
        self._state = state
        if self._asked:
            self._post(CameraSaw(self._asked.ticket, state, self._asked.roll.count))


def _loose(reading: Reading) -> tuple[Die, ...]:
    return tuple(die for die in reading.dice if not die.kept)


def _kept(reading: Reading) -> tuple[int, ...]:
    return _values(die for die in reading.dice if die.kept)


def _values(dice: Iterable[Die]) -> tuple[int, ...]:
    return tuple(die.value for die in dice)


def _pairs(told: Told, values: Iterable[int], seen: Iterable[SeenDie | None]) -> tuple[tuple[float, float, int], ...]:
    """The centre of each die in the picture, and the value that it shows according to people.

    A later reading with the same values and doubts may have replaced the one that people saw, even that of another
    roll. So a die is found by its position and by the value that was read. A die that is no longer there is left
    out."""
    loose, found = _loose(told.rolled.reading), []
    for value, one in zip(values, seen, strict=False):
        if one and loose:
            x, y = (sum(corner[axis] for corner in one.corners) / len(one.corners) * told.size[axis] for axis in (0, 1))
            die = min(loose, key=lambda die: math.dist(die.centre, (x, y)))
            if die.value == one.value and math.dist(die.centre, (x, y)) < min(die.box.size) / 2:
                found.append((*die.centre, value))
    return tuple(found)


def _saw(
    ticket: int, state: str, count: int, reading: Reading, size: tuple[int, int], stayed: tuple[Die, ...] = ()
) -> CameraSaw:
    """Positions are fractions of the picture, so that they do not depend on its size on the screen."""
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
