"""The process that watches: it opens the source, feeds the settling with its frames, and tells.

Its one rule: it ends when its pipe does, whatever else it is doing. A source that is gone is tried again until it is
back.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from typing import Protocol

import cv2

from vision import camera, fit, simulated
from vision.camera import Feed, Size
from vision.networks import Image
from vision.rolls import Rolls
from vision.settle import EMPTY, SETTLED, Settle
from vision.strip import Strip
from vision.tray import Calibration
from vision.worker.frames import Slots
from vision.worker.messages import (
    Beat,
    Calibrate,
    Command,
    Expect,
    Fits,
    Gone,
    Lies,
    Opened,
    Report,
    Saw,
    Show,
    Shows,
    Told,
)

AGAIN = (0.3, 0.5, 1.0, 2.0)  # seconds until a source that is gone is tried again, and again
BEAT = 0.5  # seconds between two signs of life, at most
LOOKS, BELIEVES = 2.0, 3  # seconds between two looks whether the camera was moved, and so many in a row are believed
OTHER_LIGHT = 1.8  # times as bright, or as dark, as when a camera's settings were held: it finds them anew
LEAVES = 1.0  # seconds that a source has to close when the pipe has
QUALITY = (cv2.IMWRITE_JPEG_QUALITY, 85)


def main(name: str, size: Size, memory: str, pipe: Connection, known: Calibration | None) -> None:
    """What the process runs."""
    if os.name == "posix":
        os.setsid()  # with the commands that it starts, it is one group: they end together
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C means the table, which closes the pipe
    cv2.setNumThreads(1)  # the other cores are for the screen
    commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, commands), daemon=True).start()
    slots = Slots(memory)
    try:
        Watch(name, size, slots, pipe, commands, known).run()
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        slots.close()


def _listen(pipe: Connection, commands: queue.SimpleQueue[Command | None]) -> None:
    try:
        while True:
            commands.put(pipe.recv())
    except (EOFError, OSError):
        commands.put(None)
        time.sleep(LEAVES)
        os._exit(0)  # the source hangs, or what it calls does


class Ended(Exception):
    """The pipe was closed."""


class Pipe(Protocol):
    def send(self, report: Report, /) -> None: ...


class _FitWatch:
    """Whether the pictures still fit their calibration: looks every now and then, and tells when it has changed."""

    def __init__(self, tell: Callable[[Report], None]) -> None:
        self._tell = tell
        self._told: str | None = None  # whoever listens may know of the child before
        self._calibration: Calibration | None = None
        self._misfits: list[str] = []  # since the last look that found all as it was
        self._looked = 0.0

    def begin(self, calibration: Calibration | None, misfit: str) -> None:
        """From now on by this calibration. None: there is none that is of these frames, and `misfit` says why."""
        self._calibration, self._misfits, self._looked = calibration, [], 0.0
        self._tell_change(misfit)

    def look(self, frame: Image, at: float) -> bool:
        """Whether it was time for a look."""
        if at - self._looked < LOOKS:
            return False
        self._looked = at
        if self._calibration:
            why = fit.fits(self._calibration, frame)
            self._misfits = [*self._misfits, why] if why else []
            if not why or len(self._misfits) >= BELIEVES:
                self._tell_change(why)
        return True

    def _tell_change(self, why: str) -> None:
        if why != self._told:
            self._told = why
            self._tell(Fits(why))


class Watch:
    """What the process does. A test runs it too, in its own process: it opens another source, and its clock is what the
    test says it is."""

    def __init__(
        self,
        name: str,
        size: Size,
        slots: Slots,
        pipe: Pipe,
        commands: queue.SimpleQueue[Command | None],
        known: Calibration | None,
        opened: Callable[[str, Size], Feed] = camera.opened,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened, self._size = partial(opened, name), size
        self._slots, self._pipe, self._commands = slots, pipe, commands
        self._clock = clock
        self._within: Size | None = None
        self._known = known  # as it was handed in
        self._rolls = Rolls()
        self._strip = Strip()
        self._settle = Settle()
        self._feed: Feed | None = None
        self._fits = _FitWatch(self._tell)
        self._said = 0.0  # when anything was last told

    def run(self) -> None:
        """Until the pipe is closed."""
        try:
            with closing(self.steps()) as steps:
                for pause in steps:
                    until = self._clock() + pause
                    while (left := until - self._clock()) > 0:
                        self._obey(left)
        except Ended:
            return

    def steps(self) -> Generator[float, None, None]:
        """A frame at each step, or a source that is gone; and how many seconds to wait before the next step."""
        tries = 0
        while True:
            shown = False
            try:
                self._obey()
                with closing(self._opened(self._known.size if self._known else self._size)) as feed:
                    self._feed = feed
                    for _ in self._frames(feed):
                        shown, tries = True, 0
                        yield 0.0
                if shown:
                    continue  # a film is shown again
                why = "There are no pictures in it."
            except ValueError as problem:
                why = str(problem)
            finally:
                self._feed = None
            self._tell(Gone(why))
            yield AGAIN[min(tries, len(AGAIN) - 1)]
            tries += 1

    def _frames(self, feed: Feed) -> Iterator[None]:
        """One time round for each frame."""
        self._begin()
        begun, refused, state = None, None, ""
        held: float | None = None  # how bright it was when the settings were held
        others = 0  # looks in a row that found another light
        for frame, at in feed.frames():
            self._obey()
            if begun is None:
                begun = at
                self._tell(Opened(feed.size))
            if feed.live and refused is None and at - begun >= camera.SETTLES:
                refused = tuple(feed.hold())
                self._tell(Opened(feed.size, refused))
            if self._within:
                self._tell(Shows(self._slots.put(frame, self._within)))
            seen = self._settle.see(frame, at)
            rolled = self._rolls.see(seen)
            if rolled:
                # A photo takes half as long as a read: only where somebody may have to look at it.
                photo = b"" if rolled.sure else _photo(frame)
                self._tell(Told(rolled, (frame.shape[1], frame.shape[0]), photo))
            elif seen.state != state and self._rolls.rested:
                self._tell(Saw(EMPTY if seen.state == SETTLED and self._rolls.bare else seen.state))
            lying = self._strip.see(seen, self._rolls.number is not None)
            if lying and self._rolls.number is None:
                self._tell(Lies(lying, (frame.shape[1], frame.shape[0])))
            state = seen.state
            if state in (EMPTY, SETTLED) and self._fits.look(frame, at) and refused is not None:
                light = float(frame[::8, ::8].mean()) + 1
                held = held or light
                others = others + 1 if max(light / held, held / light) > OTHER_LIGHT else 0
                if others >= BELIEVES:
                    return  # opened again
            if self._clock() - self._said >= BEAT:
                self._tell(Beat())
            yield

    def _begin(self) -> None:
        """All that was seen before says nothing of what is seen from now on."""
        known = self._known
        if isinstance(self._feed, simulated.Rendered):
            known = self._feed.calibration
            self._feed.expect(self._settle.expect, self._rolls.lifted)
        size = self._feed.size if self._feed else self._size
        misfit = "" if known else "unknown"
        if known and known.size != size:
            known, misfit = None, fit.SIZE
        self._fits.begin(known, misfit)
        self._settle = Settle(known, self._settle.expect)
        number, lifted = self._rolls.number, self._rolls.lifted
        self._rolls, self._strip = Rolls(), Strip()
        self._rolls.ask(number, lifted)

    def _obey(self, seconds: float = 0.0) -> None:
        """All that was said meanwhile; for so long, if nothing was."""
        while True:
            try:
                command = self._commands.get(timeout=seconds) if seconds > 0 else self._commands.get_nowait()
            except queue.Empty:
                return
            seconds = 0.0
            match command:
                case None:
                    raise Ended
                case Expect(number, count, lifted):
                    self._settle.expect = count
                    self._rolls.ask(number, lifted)
                    if isinstance(self._feed, simulated.Rendered):
                        self._feed.expect(count, lifted)
                case Show(within):
                    self._within = within
                case Calibrate(calibration):
                    self._known = calibration
                    if self._feed:
                        self._begin()

    def _tell(self, report: Report) -> None:
        self._pipe.send(report)
        self._said = self._clock()


def _photo(frame: Image) -> bytes:
    done, data = cv2.imencode(".jpg", frame, QUALITY)
    return data.tobytes() if done else b""
