"""The parent's side of the worker: starts and restarts the child process, sends it commands and receives its reports.

Its one rule: callers never wait for the child. One thread starts the child and listens to it, another one sends
commands. A child that crashes, hangs or uses too much memory is killed and restarted, and gets the latest commands
again.
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
from vision.own_dice import NOTHING_LEARNED, OwnDice
from vision.rolls import Rolled
from vision.tray import Calibration
from vision.worker import child
from vision.worker.frames import Picture, Slots
from vision.worker.messages import Beat, Calibrate, Command, Expect, Gone, Learn, Remember, Report, Show

STARTS = 40.0  # maximum seconds until the first report; loading OpenCV from a slow SD card takes a while
SILENT = 8.0  # seconds without a report until the child counts as hung; a Pi camera may need five for a frame
MOST = 900_000_000  # maximum bytes of memory that the child may use: three times the usual amount
LOOK = 1.0  # seconds between memory checks
POLL = 0.1  # seconds until `close` is noticed, at most
PAUSES = (0.2, 1.0, 2.0, 5.0)  # seconds before each restart
STABLE = 30.0  # seconds a child must run before the pauses start from the shortest again
EXITS = 0.5  # seconds the child has to exit by itself
CRASHED = "The dice reader has stopped and is being restarted."
HANGS = "The camera does not respond and is being restarted."
NOT_STARTED = "The dice reader cannot be started. Trying again."
GREW = "The dice reader used too much memory and is being restarted."

CommandQueue = queue.SimpleQueue[Command | None]


class _Orders:
    """The latest command of each kind. The running child gets each new command; a restarted child gets the latest ones
    again."""

    def __init__(self, calibration: Calibration | None) -> None:
        self._lock = threading.Lock()
        self._queue: CommandQueue | None = None  # the queue to the running child
        self.calibrate, self.show, self._expect = Calibrate(calibration), Show(None), Expect(None, None)
        self._remember = Remember(NOTHING_LEARNED)

    def give(self, command: Command) -> None:
        with self._lock:
            match command:
                case Expect():
                    self._expect = command
                case Show():
                    self.show = command
                case Calibrate():
                    self.calibrate = command
                case Remember():
                    self._remember = command
                # A new child cannot obey Learn, because it has not seen the dice.
            if self._queue:
                self._queue.put(command)

    def started(self, commands: CommandQueue, given: Calibrate) -> None:
        """Send a new child the current commands, except a calibration that it was already started with (`given`)."""
        with self._lock:
            self._queue = commands
            if self.calibrate is not given:
                commands.put(self.calibrate)
            commands.put(self._remember)
            commands.put(self.show)
            commands.put(self._expect)

    def ended(self) -> None:
        with self._lock:
            self._queue = None


class CameraProcess:
    """Watches a source in a separate process, from `start` until `close`.

    `hear` is called from the supervising thread with every report (all but `Beat`).
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
        self._name, self._report, self._size = name, hear, size
        self._most, self._clock = most, clock
        self._orders = _Orders(calibration)
        self._asks = 0
        self._process: BaseProcess | None = None
        self._slots = Slots()
        self._read = threading.Lock()  # keeps the shared memory from being closed during a read
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name="camera process", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The process ID of the running child."""
        return self._process.pid if self._process else None

    # Commands

    def expect(self, count: int, lifted: bool = False) -> int:
        """Wait for this many dice to be rolled, or uncovered if `lifted`. Returns the number of this request. The
        `Told` for this roll carries the same number."""
        self._asks += 1
        self._orders.give(Expect(self._asks, count, lifted))
        return self._asks

    def stop_expecting(self) -> None:
        self._orders.give(Expect(None, None))

    def calibrate(self, calibration: Calibration | None) -> None:
        self._orders.give(Calibrate(calibration))

    def remember(self, own: OwnDice) -> None:
        """Use what has been learned about the table's own dice."""
        self._orders.give(Remember(own))

    def learn(self, rolled: Rolled, shown: tuple[tuple[float, float, int], ...]) -> None:
        """Learn from what people said about an unsure roll (see `Learn`). The answer is a `Learned`."""
        self._orders.give(Learn(rolled, shown))

    def show(self, within: Size | None) -> None:
        """Request frames scaled to fit this size, each announced by a `Shows`. With None, no more frames are sent."""
        if self._orders.show.within != within:
            self._orders.give(Show(within))

    def picture(self, after: int = 0) -> Picture | None:
        """A copy of the newest frame, if its number is greater than `after`."""
        with self._read:
            return None if self._closed.is_set() else self._slots.get(after)

    def close(self) -> None:
        """Stop the child and free the shared memory."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._thread.ident is not None:
            self._thread.join()
        with self._read:
            self._slots.close()

    # The supervising thread

    def _supervise(self) -> None:
        tries = 0
        while not self._closed.is_set():
            begun = self._clock()
            try:
                why = self._watch()
            except OSError as problem:  # out of memory or processes: a later attempt might work
                why = f"{NOT_STARTED} ({problem})"
            if self._closed.is_set():
                return
            tries = 0 if self._clock() - begun > STABLE else tries
            self._report(Gone(why))
            self._closed.wait(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def _watch(self) -> str:
        """Run one child from start to end. Returns why the child ended."""
        process, pipe, given = self._begin()
        commands: CommandQueue = queue.SimpleQueue()
        sender = threading.Thread(target=_send_commands, args=(pipe, commands), name="camera commands", daemon=True)
        sender.start()
        self._process = process
        self._orders.started(commands, given)
        why = self._listen(pipe)
        self._process = None
        self._orders.ended()
        commands.put(None)
        self._end(process, pipe, sender)
        return why

    def _begin(self) -> tuple[BaseProcess, Connection, Calibrate]:
        """Start a child. The child gets the calibration at the start, because it determines the size of the frames."""
        spawn = multiprocessing.get_context("spawn")  # a fork would inherit locks held by the screen's threads
        ours, theirs = spawn.Pipe()
        given = self._orders.calibrate
        arguments = (self._name, self._size, self._slots.name, theirs, given.calibration)
        process = spawn.Process(target=child.main, args=arguments, name="camera process", daemon=True)
        process.start()
        theirs.close()
        return process, ours, given

    def _listen(self, reports: Connection) -> str:
        """Handle reports until the child is lost or `close` is called. Returns why the child was lost."""
        begun, heard = self._clock(), None
        looked = begun - LOOK
        try:
            while not self._closed.is_set():
                now = self._clock()
                if now - looked >= LOOK:
                    looked = now
                    if self._memory() > self._most:
                        return GREW
                if not reports.poll(POLL):
                    if hangs(self._clock(), begun, heard):
                        return HANGS
                    continue
                report = reports.recv()
                heard = self._clock()
                if not isinstance(report, Beat):
                    self._report(report)
            return ""
        except (EOFError, OSError):
            return CRASHED

    def _memory(self) -> int:
        """The child's memory in bytes, or 0 if the system does not report it."""
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def _end(self, process: BaseProcess, pipe: Connection, sender: threading.Thread) -> None:
        """End the child and every process it started."""
        assert process.pid is not None
        if self._closed.is_set():
            sender.join(EXITS)
            if not sender.is_alive():  # closing the pipe during a send could write the rest to a reused file descriptor
                pipe.close()
                process.join(EXITS)
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # also kills commands that the child started
        if process.is_alive():
            process.kill()
        process.join()
        process.close()
        sender.join()  # cannot block: the thread's send fails now that the reading end is closed
        pipe.close()


def hangs(now: float, begun: float, heard: float | None) -> bool:
    """Whether the child has been silent for too long. `begun` is when the child was started. `heard` is when the child
    last reported, or None if there has been no report yet, so that the child may still be starting."""
    return now - begun >= STARTS if heard is None else now - heard >= SILENT


def _send_commands(pipe: Connection, commands: CommandQueue) -> None:
    """Send commands to the child, in a thread of its own. A calibration is larger than a pipe's buffer, so sending one
    blocks until the child reads it."""
    try:
        while (command := commands.get()) is not None:
            pipe.send(command)
    except OSError:
        pass  # the child has ended; the next one gets all commands
