"""Real dice under a camera: people throw, and the table reads what lies there.

Its one rule: what is not surely all the dice that were asked for, thrown since then, is no roll; it is shown with its
reason, and people throw again or say what it is. `camera_feed` has the camera itself.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.devices.camera_feed import NAME, CameraFeed
from table.devices.source import DiceSource
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import CameraLies, CameraSaw, Correction, DiceRead, Post, SeenDie

if TYPE_CHECKING:  # OpenCV takes long to be there, and only a table with a camera needs it
    from vision.reading import Die, Reading
    from vision.worker import Lies, Report, Told

SIMULATED = "simulated-camera"


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
        """`folder` is where calibrations are kept; without one, nothing is known of the tray."""
        self.camera: CameraFeed = CameraFeed(post, source, folder, clock, self._opened, self._hear)
        self.watches = source != SIMULATED  # the simulated one throws itself, when somebody presses
        self.calibrating = self.camera.calibrating if self.watches else None
        self._post = post
        self._lock = threading.Lock()  # over all below: the main thread asks, the camera's thread tells
        self._asked: tuple[int, Roll] | None = None
        self._number: int | None = None  # under which the camera was asked
        self._lifted = False  # what is asked for comes from under a cup
        self._unsure: Told | None = None  # what people may correct
        self._strip: tuple[int, ...] = ()  # what lay there when dice were last read
        self._lies: tuple[CameraLies, Lies] | None = None  # since then, as last told
        self._thrown: Lies | None = None  # the answer to the next ask
        self._state = ""

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        """`lifted`: they come from under a cup, and are not mistaken for those that somebody else has shown before."""
        self.camera.open()
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
        self.camera.show(None)
        with self._lock:
            self._thrown = None
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
        with self._lock:
            self._expect()

    def _hear(self, report: Report) -> None:
        from vision.worker import Gone, Lies, Saw, Told

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
        if self.camera.process and self._asked:
            self._number = self.camera.process.expect(self._asked[1].count, self._lifted)

    def _disarm(self) -> None:
        if self.camera.process and self._asked:
            self.camera.process.stop_expecting()
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
