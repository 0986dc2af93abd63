"""A camera watched in the test's own process: frames arrive when the test says so, by the test's clock.

The code that opens the source, watches and reads is the same as in the vision process. Only the process itself, its
pipe and its shared memory are left out; test_worker.py tests those.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.standin import SIZE, Dice
from vision import simulated
from vision.camera import GONE, Feed
from vision.networks import Image as Frame
from vision.own_dice import NOTHING_LEARNED, OwnDice
from vision.render.scene import Image
from vision.rolls import Rolled
from vision.tray import Calibration
from vision.worker.child import Watch
from vision.worker.frames import Picture, Slots
from vision.worker.messages import Beat, Calibrate, Command, Expect, Learn, Remember, Report, Show


class Near:
    """Has the test's clock, and runs the camera's `Watch` by it. Pass the method `watched` to a CameraDice."""

    def __init__(self, opened: Callable[[str, tuple[int, int]], Feed]) -> None:
        self.now = 1000.0
        self.eye: NearEye | None = None
        self._opened = opened

    def step(self, seconds: float) -> None:
        """Advance the clock and let the `Watch` do one step."""
        self.now += seconds
        if self.eye:
            self.eye.step()

    def watched(self, source: str, hear: Callable[[Report], None], known: Calibration | None) -> NearEye:
        self.eye = NearEye(source, hear, known, self._opened, lambda: self.now)
        return self.eye


class NearCamera(Dice):
    """The dice and the camera over them."""

    live, size = True, SIZE

    def __init__(self, folder: Path, seed: int = simulated.SEED) -> None:
        self.near = Near(self.opened)
        self._pulled = False
        self._frames: list[Image] = []
        self._number = 0
        super().__init__(folder, seed)

    def pull(self) -> None:
        self._pulled = True

    def put_back(self) -> None:
        self._pulled = False

    def show(self, frames: list[Image]) -> None:
        self._frames, self._number = frames, 0

    # The camera as a `Feed`

    def opened(self, name: str, size: tuple[int, int]) -> NearCamera:
        if self._pulled:
            raise ValueError("The Pi's camera sends no pictures: no cameras available.")
        return self

    def frames(self) -> Iterator[tuple[Frame, float]]:
        while not self._pulled:
            yield self._frames[self._number], self.near.now
            last = self._number + 1 == len(self._frames)
            self._number = max(0, len(self._frames) - self.still) if last else self._number + 1
        raise ValueError(GONE)

    def hold(self) -> list[str]:
        return ["focus"]

    def close(self) -> None:
        """Do nothing: there are no resources to free."""


def near_simulated() -> Near:
    """The simulated camera, which rolls by itself, running on the test's clock."""

    def opened(name: str, size: tuple[int, int]) -> simulated.Rendered:
        # No need to sleep: each step of the test's clock is longer than a frame.
        return simulated.Rendered(clock=lambda: near.now, sleep=lambda seconds: None)

    near = Near(opened)
    return near


class NearEye:
    """Replaces `vision.worker.CameraProcess`, but runs its `Watch` in this process."""

    def __init__(
        self,
        source: str,
        hear: Callable[[Report], None],
        known: Calibration | None,
        opened: Callable[[str, tuple[int, int]], Feed],
        clock: Callable[[], float],
    ) -> None:
        self._hear, self._clock = hear, clock
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._slots = Slots()
        self._steps = Watch(source, SIZE, self._slots, self, self._commands, known, opened, clock).steps()
        self._due = 0.0
        self._asks = 0
        self.remembers = NOTHING_LEARNED
        self.taught: list[tuple[tuple[float, float, int], ...]] = []  # what people said about unsure rolls
        self._closing = threading.Lock()  # `close` is called from another thread
        self.closed = False

    def send(self, report: Report) -> None:
        if not isinstance(report, Beat):
            self._hear(report)

    def step(self) -> None:
        with self._closing:
            if not self.closed and self._clock() >= self._due:
                self._due = self._clock() + next(self._steps)

    def start(self) -> None:
        """Do nothing: only `step` runs the `Watch`."""

    def expect(self, count: int, lifted: bool = False) -> int:
        self._asks += 1
        self._commands.put(Expect(self._asks, count, lifted))
        return self._asks

    def stop_expecting(self) -> None:
        self._commands.put(Expect(None, None))

    def calibrate(self, calibration: Calibration | None) -> None:
        self._commands.put(Calibrate(calibration))

    def remember(self, own: OwnDice) -> None:
        self.remembers = own
        self._commands.put(Remember(own))

    def learn(self, rolled: Rolled, shown: tuple[tuple[float, float, int], ...]) -> None:
        self.taught.append(shown)
        self._commands.put(Learn(rolled, shown))

    def show(self, within: tuple[int, int] | None) -> None:
        self._commands.put(Show(within))

    def picture(self, after: int = 0) -> Picture | None:
        return None if self.closed else self._slots.get(after)

    def close(self) -> None:
        with self._closing:
            if not self.closed:
                self.closed = True
                self._steps.close()
                self._slots.close()
