"""The newest frame, in memory shared by two processes.

Its one rule: never return a torn frame. Frames are written to three slots in turn. The reader copies the newest slot
and discards the copy if the slot's number changed meanwhile.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import Image

SLOTS = 3
LARGEST = (1920, 1080)  # larger frames are scaled down; smaller ones leave part of a slot unused, which takes no memory
EACH = LARGEST[0] * LARGEST[1] * 3
FACTS = 4  # facts per slot: the frame's number (0 during writing), the number again, width, height
HEAD = 8 * (1 + SLOTS * FACTS)


@dataclass(frozen=True, eq=False)
class Picture:
    number: int  # number of the frame, counted across all child processes
    frame: Image  # BGR, a copy


class Slots:
    """Shared memory for frames. Without a name, new memory is created; with a name, existing memory is opened."""

    def __init__(self, name: str | None = None) -> None:
        self._memory = SharedMemory(name, create=name is None, size=HEAD + SLOTS * EACH)
        self._facts: NDArray[np.int64] = np.ndarray((1 + SLOTS * FACTS,), np.int64, self._memory.buf)
        self._fence = threading.Lock()
        self._made = name is None
        if self._made:
            self._facts[:] = 0

    @property
    def name(self) -> str:
        return self._memory.name

    @property
    def newest(self) -> int:
        """The number of the newest frame; 0 if there is none yet."""
        return int(self._facts[0])

    def put(self, frame: Image, within: tuple[int, int] = LARGEST) -> int:
        frame = fitted(frame, (min(within[0], LARGEST[0]), min(within[1], LARGEST[1])))
        number = self.newest + 1
        facts, pixels = self._slot(number, frame.shape[1], frame.shape[0])
        facts[0] = 0
        self._settle()
        pixels[:] = frame
        facts[1:] = number, frame.shape[1], frame.shape[0]
        self._settle()
        facts[0] = number
        self._settle()
        self._facts[0] = number
        return number

    def get(self, after: int = 0) -> Picture | None:
        """A copy of the newest frame, if its number is greater than `after`."""
        number = self.newest
        if number <= after:
            return None
        at = 1 + number % SLOTS * FACTS
        width, height = int(self._facts[at + 2]), int(self._facts[at + 3])
        if not (0 < width * height * 3 <= EACH):
            return None
        facts, pixels = self._slot(number, width, height)
        frame = pixels.copy()
        self._settle()
        whole = facts[0] == facts[1] == number and (facts[2], facts[3]) == (width, height)
        return Picture(number, frame) if whole else None

    def _slot(self, number: int, width: int, height: int) -> tuple[NDArray[np.int64], Image]:
        k = number % SLOTS
        facts = self._facts[1 + k * FACTS : 1 + (k + 1) * FACTS]
        return facts, np.ndarray((height, width, 3), np.uint8, self._memory.buf, HEAD + k * EACH)

    def _settle(self) -> None:
        """A memory barrier: taking a lock keeps the processor from writing the number before the pixels."""
        with self._fence:
            pass

    def close(self) -> None:
        """Close the memory. The side that created the memory also deletes it."""
        del self._facts
        self._memory.close()
        if self._made:
            self._memory.unlink()


def fitted(frame: Image, within: tuple[int, int]) -> Image:
    """The frame, scaled down if necessary with its aspect ratio kept."""
    height, width = frame.shape[:2]
    k = min(within[0] / width, within[1] / height)
    if k >= 1:
        return frame
    size = (max(1, round(width * k)), max(1, round(height * k)))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
