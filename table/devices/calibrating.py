"""Runs the calibration guide in a thread, because finding a tray takes seconds and the screen must never wait.

Its one rule: it works only while someone watches, one turn at a time in its own thread, and applies requests in order.
So nothing has to be closed when the viewer leaves.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from table.devices.aside import in_a_thread

if TYPE_CHECKING:  # OpenCV is slow to import, so it is loaded only for the first calibration
    from vision.guide import Guide, Shown
    from vision.markers import Outline
    from vision.own_dice import Face
    from vision.tray import Calibration, Image

AWAY = 3.0  # seconds without a new picture, after which the last one counts as outdated


class Calibrating:
    """`newest` returns the newest frame (blue, green, red) or None; `take` receives the finished
    calibration, and the faces of the dice that were shown."""

    def __init__(
        self,
        newest: Callable[[], Image | None],
        take: Callable[[Calibration, tuple[Face, ...]], None],
        clock: Callable[[], float] = time.monotonic,
        aside: Callable[[Callable[[], None]], None] = in_a_thread,
    ) -> None:
        self.frame: Image | None = None  # the last frame that was examined
        self.shown: Shown | None = None  # None if there is no picture
        self._newest, self._take, self._clock, self._aside = newest, take, clock, aside
        self.guide: Guide | None = None  # created in the first turn
        self._told: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._asked = self._done = 0
        self._at = 0.0  # when the last picture arrived
        self._working = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether a request is still waiting to be carried out."""
        return self._done < self._asked

    def _tell(self, word: str, outline: Outline | None = None) -> None:
        self._asked += 1
        self._told.put((word, outline))

    def look(self) -> None:
        """Starts the next turn, unless the last one is still running. Called while someone watches."""
        if self._working.acquire(blocking=False):
            self._aside(self._turn)

    def accept(self, outline: Outline | None = None) -> None:
        self._tell("accept", outline)

    def back(self) -> None:
        self._tell("back")

    def again(self) -> None:
        """Starts over."""
        self._tell("again")

    def _turn(self) -> None:
        done = self._done
        try:
            from vision.guide import DONE, Guide

            self.guide = guide = self.guide or Guide()
            while not self._told.empty():
                word, outline = self._told.get()
                done += 1
                if word == "accept":
                    guide.accept(outline)
                elif word == "back":
                    guide.back()
                else:
                    guide = self.guide = Guide()
            frame = self._newest()
            if frame is not None and frame is not self.frame and guide.shown.step != DONE:
                guide.see(frame, self._clock())
                self.frame = frame
            if guide.calibration is not None and self.shown is not None and self.shown.step != DONE:
                self._take(guide.calibration, guide.faces())
            if frame is not None:
                self._at = self._clock()
            away = self.frame is None or self._clock() - self._at > AWAY
            self.shown = None if away else guide.shown
        except Exception as why:  # any error at all: callers that wait for this turn must continue
            self._refuse(why)
        finally:
            self._done = done
            self._working.release()

    def _refuse(self, why: Exception) -> None:
        """Shows the error in the current step until something moves or the user goes back."""
        if self.guide is not None:
            self.guide.refuse(str(why) or type(why).__name__)
            self.shown = self.guide.shown if self.frame is not None else None
