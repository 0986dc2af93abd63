"""Whoever plays looks through this: the newest frame, what is seen, what was thrown; and says what to look for.

Its one rule: nothing here waits for the child. A thread of its own starts it and listens, another one speaks to it; a
child that ends, hangs or grows too large is killed and started again, and is told once more what it has to look for.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from vision.camera import USUAL, Size
from vision.tray import Calibration
from vision.worker import child
from vision.worker.frames import Picture, Slots
from vision.worker.messages import Beat, Calibrate, Command, Expect, Gone, Report, Show

STARTS = 40.0  # seconds until the first sign of life: a small computer reads OpenCV from a slow card
SILENT = 8.0  # seconds without one after which it hangs; the Pi's camera is given five to deliver
MOST = 900_000_000  # bytes of memory: three times what it takes
LOOK = 1.0  # seconds between two looks at its memory
HEEDS = 0.1  # seconds until it is noticed that nobody wants it any more
PAUSES = (0.2, 1.0, 2.0, 5.0)  # seconds before it is started again, and again
WELL = 30.0  # seconds after which a start counts as a good one
ENDS = 0.5  # seconds that it has to end by itself
CRASHED = "The dice reader has stopped and is started again."
HANGS = "The camera does not answer and is started again."
NOT_STARTED = "The dice reader cannot be started and is tried again."
GREW = "The dice reader took too much memory and is started again."

Unsaid = queue.SimpleQueue[Command | None]


class _Orders:
    """The last command of each kind. The child that runs hears of each, and one that is started of all."""

    def __init__(self, calibration: Calibration | None) -> None:
        self._lock = threading.Lock()
        self._unsaid: Unsaid | None = None  # to the child that runs
        self.calibrate, self.show, self._expect = Calibrate(calibration), Show(None), Expect(None, None)

    def give(self, command: Command) -> None:
        with self._lock:
            match command:
                case Expect():
                    self._expect = command
                case Show():
                    self.show = command
                case Calibrate():
                    self.calibrate = command
            if self._unsaid:
                self._unsaid.put(command)

    def started(self, unsaid: Unsaid, told: Calibrate) -> None:
        """A child runs, which was told that much when it was started."""
        with self._lock:
            self._unsaid = unsaid
            if self.calibrate is not told:
                unsaid.put(self.calibrate)
            unsaid.put(self.show)
            unsaid.put(self._expect)

    def ended(self) -> None:
        with self._lock:
            self._unsaid = None


class CameraProcess:
    """A source that is watched in a process of its own, from `start` until `close`.

    `hear` is called from the eye's own thread with all that is told: Opened, Gone, Shows, Saw, Told, Lies and Fits.
    """

    def __init__(
        self,
        name: str,
        hear: Callable[[Report], None],
        calibration: Calibration | None = None,
        size: Size = USUAL,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._hear, self._size = name, hear, size
        self._most, self._clock = most, clock
        self._orders = _Orders(calibration)
        self._asks = 0
        self._process: BaseProcess | None = None
        self._slots = Slots()
        self._read = threading.Lock()  # over the shared memory, which must not go while it is read
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name="eye", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """Of the process that watches now."""
        return self._process.pid if self._process else None

    # What it is to look for

    def expect(self, count: int, lifted: bool = False) -> int:
        """So many dice are to be thrown from now on, or lifted from under a cup; the number that what is `Told` of them
        has."""
        self._asks += 1
        self._orders.give(Expect(self._asks, count, lifted))
        return self._asks

    def stop_expecting(self) -> None:
        self._orders.give(Expect(None, None))

    def calibrate(self, calibration: Calibration | None) -> None:
        self._orders.give(Calibrate(calibration))

    def show(self, within: Size | None) -> None:
        """Frames are wanted, made smaller to fit; a `Shows` comes with each. None: no more."""
        if self._orders.show.within != within:
            self._orders.give(Show(within))

    def picture(self, after: int = 0) -> Picture | None:
        """The newest frame, if it is newer than that one; a copy."""
        with self._read:
            return None if self._closed.is_set() else self._slots.get(after)

    def close(self) -> None:
        """Neither a process nor shared memory is left."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._thread.ident is not None:
            self._thread.join()
        with self._read:
            self._slots.close()

    # In the eye's own thread

    def _supervise(self) -> None:
        tries = 0
        while not self._closed.is_set():
            begun = self._clock()
            try:
                why = self._watch()
            except OSError as problem:  # no memory, no more processes: maybe later
                why = f"{NOT_STARTED} ({problem})"
            if self._closed.is_set():
                return
            tries = 0 if self._clock() - begun > WELL else tries
            self._hear(Gone(why))
            self._closed.wait(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def _watch(self) -> str:
        """One child from its start to its end: why it ended."""
        process, pipe, told = self._begin()
        unsaid: Unsaid = queue.SimpleQueue()
        speaker = threading.Thread(target=_speak, args=(pipe, unsaid), name="eye speaks", daemon=True)
        speaker.start()
        self._process = process
        self._orders.started(unsaid, told)
        why = self._listen(pipe)
        self._process = None
        self._orders.ended()
        unsaid.put(None)
        self._end(process, pipe, speaker)
        return why

    def _begin(self) -> tuple[BaseProcess, Connection, Calibrate]:
        """With what it knows of its tray from the start: by that it opens its source."""
        spawn = multiprocessing.get_context("spawn")  # a fork would have the screen's locks, and nobody to open them
        ours, theirs = spawn.Pipe()
        told = self._orders.calibrate
        arguments = (self._name, self._size, self._slots.name, theirs, told.calibration)
        process = spawn.Process(target=child.main, args=arguments, name="eye", daemon=True)
        process.start()
        theirs.close()
        return process, ours, told

    def _listen(self, reports: Connection) -> str:
        """Until it is lost: why."""
        begun, heard = self._clock(), None
        looked = begun - LOOK
        try:
            while not self._closed.is_set():
                now = self._clock()
                if now - looked >= LOOK:
                    looked = now
                    if self._memory() > self._most:
                        return GREW
                if not reports.poll(HEEDS):
                    if hangs(self._clock(), begun, heard):
                        return HANGS
                    continue
                report = reports.recv()
                heard = self._clock()
                if not isinstance(report, Beat):
                    self._hear(report)
            return ""
        except (EOFError, OSError):
            return CRASHED

    def _memory(self) -> int:
        """Bytes that it takes, where the system tells."""
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def _end(self, process: BaseProcess, pipe: Connection, speaker: threading.Thread) -> None:
        """Gone, with all that it started."""
        assert process.pid is not None
        if self._closed.is_set():
            speaker.join(ENDS)
            if not speaker.is_alive():  # what is in the middle of a word would go on in whatever is opened next
                pipe.close()
                process.join(ENDS)
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # its group has its number; what it started may still be there
        if process.is_alive():
            process.kill()
        process.join()
        process.close()
        speaker.join()  # nobody listens any more, so that it does not wait either
        pipe.close()


def hangs(now: float, begun: float, heard: float | None) -> bool:
    """Whether the child has been silent for too long. It was started at `begun` and last heard at `heard`; None: it was
    never heard, and may still be starting."""
    return now - begun >= STARTS if heard is None else now - heard >= SILENT


def _speak(pipe: Connection, unsaid: Unsaid) -> None:
    """In a thread of its own: a calibration is more than a pipe holds, and waits until the child has read it."""
    try:
        while (command := unsaid.get()) is not None:
            pipe.send(command)
    except OSError:
        pass  # it has ended, and the next one will be told
