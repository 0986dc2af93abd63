"""The child process: opens the source, watches its frames and reports what it sees.

Its one rule: it exits when the pipe closes, whatever it is doing. A source that is lost is reopened until it works.
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

from vision import camera, fit, own_dice, simulated
from vision.camera import Feed, Size
from vision.networks import Image
from vision.rolls import Rolled, Rolls
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
    Learn,
    Learned,
    Lies,
    Opened,
    Remember,
    Report,
    Saw,
    Show,
    Shows,
    Told,
)

AGAIN = (0.3, 0.5, 1.0, 2.0)  # seconds before each attempt to reopen a lost source
BEAT = 0.5  # seconds between reports, at most
LOOKS, TRUSTS = 2.0, 3  # seconds between checks for a moved camera, and how many checks must agree
NEW_LIGHT = 1.8  # if the brightness changes by this factor, the camera's settings are determined again
LEAVES = 1.0  # seconds allowed for closing the source, after the pipe has closed
QUALITY = (cv2.IMWRITE_JPEG_QUALITY, 85)


def main(name: str, size: Size, memory: str, pipe: Connection, known: Calibration | None) -> None:
    """Run the child process."""
    if os.name == "posix":
        os.setsid()  # puts this process and the commands it starts into one group, to be killed together
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C stops the table, which then closes the pipe
    cv2.setNumThreads(1)  # leave the other cores to the screen
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
        os._exit(0)  # this process should have ended by now, so the source or a library call is hanging


class Ended(Exception):
    """The pipe was closed."""


class Pipe(Protocol):
    def send(self, report: Report, /) -> None: ...


class _FitWatch:
    """Checks now and then whether the frames still fit the calibration, and reports when that changes."""

    def __init__(self, report: Callable[[Report], None]) -> None:
        self._report = report
        self._reported: str | None = None  # None at first, so the first result is always reported
        self._calibration: Calibration | None = None
        self._misfits: list[str] = []  # all misfits since the frames last fitted the calibration
        self._looked = 0.0

    def begin(self, calibration: Calibration | None, misfit: str) -> None:
        """Start with a new calibration. With None, no calibration fits these frames, and `misfit` says why."""
        self._calibration, self._misfits, self._looked = calibration, [], 0.0
        self._report_change(misfit)

    def look(self, frame: Image, at: float) -> bool:
        """Check the frame if a check is due. Returns whether a check was due."""
        if at - self._looked < LOOKS:
            return False
        self._looked = at
        if self._calibration:
            why = fit.fits(self._calibration, frame)
            self._misfits = [*self._misfits, why] if why else []
            if not why or len(self._misfits) >= TRUSTS:
                self._report_change(why)
        return True

    def _report_change(self, why: str) -> None:
        if why != self._reported:
            self._reported = why
            self._report(Fits(why))


class Watch:
    """The work of the child process. Tests run a Watch in their own process, with another source and their own
    clock."""

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
        self._known = known  # the calibration from the parent
        self._rolls = Rolls()
        self._strip = Strip()
        self._settle = Settle()
        self._unsure: tuple[Rolled, Image] | None = None  # the last unsure roll that was reported, and its frame
        self._feed: Feed | None = None
        self._fits = _FitWatch(self._report)
        self._reported_at = 0.0  # time of the last report

    def run(self) -> None:
        """Watch until the pipe is closed."""
        try:
            with closing(self.steps()) as steps:
                for pause in steps:
                    until = self._clock() + pause
                    while (left := until - self._clock()) > 0:
                        self._handle_commands(left)
        except Ended:
            return

    def steps(self) -> Generator[float, None, None]:
        """Each step processes one frame, or one failed attempt to open the source, and yields the seconds to wait
        before the next."""
        tries = 0
        while True:
            shown = False
            try:
                self._handle_commands()
                with closing(self._opened(self._known.size if self._known else self._size)) as feed:
                    self._feed = feed
                    for _ in self._frames(feed):
                        shown, tries = True, 0
                        yield 0.0
                if shown:
                    continue  # a film that has ended is played again
                why = "The source has no pictures."
            except ValueError as problem:
                why = str(problem)
            finally:
                self._feed = None
            self._report(Gone(why))
            yield AGAIN[min(tries, len(AGAIN) - 1)]
            tries += 1

    def _frames(self, feed: Feed) -> Iterator[None]:
        """Process the frames of an open source, one per step."""
        self._begin()
        begun, refused, state = None, None, ""
        usual: float | None = None  # brightness after the settings were fixed
        differs = 0  # checks in a row that found different light
        for frame, at in feed.frames():
            self._handle_commands()
            if begun is None:
                begun = at
                self._report(Opened(feed.size))
            if feed.live and refused is None and at - begun >= camera.SETTLES:
                refused = tuple(feed.hold())
                self._report(Opened(feed.size, refused))
            if self._within:
                self._report(Shows(self._slots.put(frame, self._within)))
            seen = self._settle.see(frame, at)
            rolled = self._rolls.see(seen)
            if rolled:
                # Making a photo takes half as long as a read, so make one only if a person might have to look at it.
                photo = b"" if rolled.sure else _photo(frame)
                self._unsure = None if rolled.sure else (rolled, frame.copy())
                self._report(Told(rolled, (frame.shape[1], frame.shape[0]), photo))
            elif seen.state != state and self._rolls.rested:
                self._report(Saw(EMPTY if seen.state == SETTLED and self._rolls.bare else seen.state))
            lying = self._strip.see(seen, self._rolls.number is not None)
            if lying and self._rolls.number is None:
                self._report(Lies(lying, (frame.shape[1], frame.shape[0])))
            state = seen.state
            if state in (EMPTY, SETTLED) and self._fits.look(frame, at) and refused is not None:
                light = float(frame[::8, ::8].mean()) + 1
                usual = usual or light
                differs = differs + 1 if max(light / usual, usual / light) > NEW_LIGHT else 0
                if differs >= TRUSTS:
                    return  # the caller reopens the source, so that the camera adjusts to the new light
            if self._clock() - self._reported_at >= BEAT:
                self._report(Beat())
            yield

    def _begin(self) -> None:
        """Start over: what was seen with another source or calibration no longer counts."""
        known = self._known
        if isinstance(self._feed, simulated.Rendered):
            known = self._feed.calibration
            self._feed.expect(self._settle.expect, self._rolls.lifted)
        size = self._feed.size if self._feed else self._size
        misfit = "" if known else "unknown"
        if known and known.size != size:
            known, misfit = None, fit.SIZE
        self._fits.begin(known, misfit)
        own, self._settle = self._settle.own, Settle(known, self._settle.expect)
        self._settle.own = own
        number, lifted = self._rolls.number, self._rolls.lifted
        self._rolls, self._strip = Rolls(), Strip()
        self._rolls.ask(number, lifted)

    def _handle_commands(self, seconds: float = 0.0) -> None:
        """Process all pending commands; if there are none, wait up to `seconds` for one."""
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
                case Remember(own):
                    self._settle.own = own
                case Learn(rolled, shown):
                    if self._unsure and self._unsure[0] == rolled:
                        self._report(Learned(own_dice.taught(self._unsure[1], rolled.reading, shown)))

    def _report(self, report: Report) -> None:
        self._pipe.send(report)
        self._reported_at = self._clock()


def _photo(frame: Image) -> bytes:
    done, data = cv2.imencode(".jpg", frame, QUALITY)
    return data.tobytes() if done else b""
