"""The calibration assistant, step by step: the empty tray, its edge, the keep strip, one die, more dice.

Its one rule: it continues only when the user confirms and the picture is suitable. The old calibration stays in use
until the last step is done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from vision import calibrate, fit, lighting, markers, own_dice, trouble
from vision.lighting import Finding
from vision.markers import Outline
from vision.own_dice import Face
from vision.reader import read
from vision.reading import Box, Die
from vision.settle import HAND, MOVING, STILL, USED_TO, Settle
from vision.tray import Calibration, Image

EMPTY, EDGE, STRIP, ONE, MORE, VERDICT, DONE = "empty", "edge", "strip", "first", "more", "verdict", "done"
STEPS = (EMPTY, EDGE, STRIP, ONE, MORE, VERDICT, DONE)
FRAMES, APART = 8, 0.08  # frames of the empty tray, and the seconds between them
FEWEST = 3  # minimum number of dice in the step MORE
RIM, DEEP = 0.1, 0.2  # the keep strip's distance from the tray, and its width, relative to the tray's shorter side
GUESSED = 1 / 12  # assumed size of a die before one has been seen, relative to the picture's height

# What the guide waits for, in addition to the states in vision/settle.py. READY means that the guide can continue.
READY, DICE, NONE, MANY, FEW, UNREAD, OUTSIDE, MOVED, REFUSED = (
    "", "dice", "none", "many", "few", "unread", "outside", "moved", "refused"
)  # fmt: skip
MARKED, FOUND, WHOLE = "marked", "found", "whole"  # how the tray's edge was found


@dataclass(frozen=True)
class Shown:
    """The state of the guide, as the screen shows it."""

    step: str
    waits: str  # what the guide waits for; READY if it can continue
    detail: str = ""  # why something was refused, or how the edge was found
    tray: Outline | None = None
    keep: Outline | None = None
    dice: tuple[Die, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def ready(self) -> bool:
        return self.waits == READY


class Guide:
    """Guides the user through the calibration. Pass each frame and its time in seconds to `see`, and call `accept` or
    `back` when the user asks to continue or to go back. `shown` is the current state."""

    def __init__(self) -> None:
        self.calibration: Calibration | None = None  # None until the last step is done
        self._size: tuple[int, ...] = ()
        self._empty: deque[Image] = deque(maxlen=FRAMES)
        self._dice_frames: dict[str, tuple[Image, tuple[Die, ...]]] = {}  # accepted frames with dice, by step
        self._known: Calibration | None = None  # the calibration so far
        self.shown = Shown(EMPTY, MOVING)
        self._enter(Shown(EMPTY, MOVING))

    def _enter(self, shown: Shown) -> None:
        self.shown = shown
        self._settle = Settle(self._known if shown.step == VERDICT else None)
        self._frame: Image | None = None  # the last frame that was judged
        self._since = self._last = -1.0
        if shown.step == EMPTY:
            self._empty.clear()

    def see(self, frame: Image, at: float) -> Shown:
        if frame.shape != self._size:  # the camera or its settings have changed
            self._size = frame.shape
            self._known, self._dice_frames = None, {}
            self._enter(Shown(EMPTY, MOVING))
        if self.shown.step in (EMPTY, ONE, MORE, VERDICT):
            self._watch(frame, at)
        return self.shown

    def _watch(self, frame: Image, at: float) -> None:
        seen = self._settle.see(frame, at)
        if seen.state in (MOVING, HAND, STILL):
            self._frame = None
            if self.shown.step == EMPTY:
                self._empty.clear()
            waits = READY if self.shown.step == VERDICT else seen.state  # the calibration is complete
            self.shown = replace(self.shown, waits=waits, dice=(), detail="")
            return
        if seen.changed or self._frame is None:
            self._frame, self._since = frame, at
            self._judge(frame, seen.lies.dice if seen.lies else ())
        if self.shown.step == EMPTY and self.shown.waits == HAND and at - self._since > USED_TO:
            self.shown = replace(self.shown, waits=STILL)  # too still for a hand, so part of the table
        if self.shown.step == EMPTY and at - self._last >= APART:
            self._empty.append(frame)
            self._last = at
            if self.shown.waits == STILL and len(self._empty) == FRAMES:
                self.shown = replace(self.shown, waits=READY)

    def _judge(self, frame: Image, dice: tuple[Die, ...]) -> None:
        """Judge whether a still frame is good enough to complete this step."""
        step, waits = self.shown.step, READY
        sure = tuple(die for die in dice if die.sure)
        if step == EMPTY:
            waits = HAND if trouble.hand(frame) else DICE if sure else STILL
            self.shown = replace(self.shown, waits=waits, dice=sure)
            return
        assert self._known is not None
        here = tuple(die for die in sure if self._known.inside(*die.centre))
        findings: Sequence[Finding] = ()
        if fit.fits(self._known, frame):
            waits = MOVED
        elif step == VERDICT:
            self.shown = replace(self.shown, waits=READY, dice=here)
            return
        elif not here:
            waits = OUTSIDE if sure else UNREAD if unread(self._known, frame) else NONE
        elif step == ONE and len(here) > 1:
            waits = MANY
        elif step == MORE and len(here) < FEWEST:
            waits = FEW
        if waits != NONE:
            near = [die for die in dice if self._known.inside(*die.centre)]
            # If nothing looked like a die at all, look more closely at whatever is there.
            near = near or list(read(frame, self._known, 1).dice) or unread(self._known, frame)
            findings = lighting.of_dice(self._known, frame, near)
        self.shown = replace(self.shown, waits=waits, dice=here, findings=tuple(findings))

    def accept(self, outline: Outline | None = None) -> Shown:
        """Go to the next step if the current one is ready. `outline` is the tray's edge or the strip as the user
        corrected it."""
        shown = self.shown
        if not shown.ready:
            return shown
        try:
            self._enter(self._following(outline))
        except ValueError as why:
            self.refuse(str(why))
        return self.shown

    def refuse(self, why: str) -> None:
        """Stay at this step and show the reason until something moves or the user goes back."""
        step, self.calibration = VERDICT if self.shown.step == DONE else self.shown.step, None
        self.shown = replace(self.shown, step=step, waits=REFUSED, detail=why)

    def _following(self, outline: Outline | None) -> Shown:
        shown = self.shown
        empty = list(self._empty)
        if shown.step == EMPTY:
            tray, keep, how = found(empty)
            findings = lighting.of_empty(empty, tray)
            return Shown(EDGE, READY, how, tray, keep, findings=tuple(findings))
        if shown.step == EDGE:
            return replace(shown, step=STRIP, detail="", tray=outline or shown.tray, findings=())
        if shown.step == STRIP:
            assert shown.tray is not None
            self._known = calibrate.bare(empty, shown.tray, outline, GUESSED * len(empty[0]))
            return replace(shown, step=ONE, waits=MOVING, keep=outline)
        if shown.step == VERDICT:
            self.calibration = self._known
            return replace(shown, step=DONE)
        assert self._frame is not None and shown.tray is not None
        self._dice_frames[shown.step] = self._frame, shown.dice
        if shown.step == ONE:
            return replace(shown, step=MORE, waits=MOVING, dice=(), findings=())
        frames = [frame for frame, _ in self._dice_frames.values()]
        self._known = calibrate.calibrate(empty, frames, shown.keep, shown.tray)
        told = [*lighting.of_empty(empty, shown.tray), *lighting.of_dice(self._known, self._frame, shown.dice)]
        return replace(shown, step=VERDICT, findings=tuple(dict.fromkeys(told)))

    def faces(self) -> tuple[Face, ...]:
        """The faces of all dice that were shown. The user saw their values on the screen and accepted them."""
        return tuple(
            face
            for frame, dice in self._dice_frames.values()
            for face in own_dice.seen(frame, [(die.box, die.value, False) for die in dice])
        )

    def back(self) -> bool:
        """Go to the previous step. Returns False if there is none."""
        step = self.shown.step
        if step in (EMPTY, DONE):
            return False
        before = STEPS[STEPS.index(step) - 1]
        if before in (EDGE, STRIP):
            self._enter(replace(self.shown, step=before, waits=READY, detail="", dice=(), findings=()))
        elif before == EMPTY:
            self._enter(Shown(EMPTY, MOVING))
        else:
            self._dice_frames.pop(before, None)
            self._enter(replace(self.shown, step=before, waits=MOVING, dice=(), findings=()))
        return True


def unread(known: Calibration, frame: Image) -> list[Die]:
    """All unknown objects in the tray that are as large as a die, as dice without a value."""
    spots = known.strange(known.new(frame), [])
    return [Die(0, spot, Box(spot, (known.side, known.side), 0.0), 0.0, sure=False) for spot in spots]


def found(empty: Sequence[Image]) -> tuple[Outline, Outline | None, str]:
    """The outline of the tray, the outline of the strip if markers show it, and how the tray was found."""
    height, width = empty[0].shape[:2]
    marked, keep = _marked(empty)
    if marked:
        return marked, keep, MARKED
    outline = calibrate.seen_tray(calibrate.middle(empty), (width, height))
    return (outline, keep, FOUND) if outline else (calibrate.whole(width, height), keep, WHOLE)


def _marked(empty: Sequence[Image]) -> tuple[Outline | None, Outline | None]:
    """Find the outlines by printed markers. Every frame is tried, because noise may hide a marker in some frames."""
    for frame in empty[:-1]:
        with suppress(ValueError):
            return markers.found(frame)
    return markers.found(empty[-1])


def beside(tray: Outline, side: str, size: tuple[int, int]) -> Outline:
    """The outline of a strip for kept dice along one side (left, top, right or bottom) of the tray. The strip is
    outside the tray if there is room in the picture, otherwise inside."""
    corners = np.array(tray)
    (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
    short = min(right - left, bottom - top)
    rim, deep = RIM * short, DEEP * short
    room = {"left": left, "right": size[0] - right, "top": top, "bottom": size[1] - bottom}[side]
    near, far = (rim, min(rim + deep, room)) if room > rim + deep / 2 else (-deep, 0.0)
    if side in ("left", "right"):
        a, b = (left - far, left - near) if side == "left" else (right + near, right + far)
        return (a, top), (b, top), (b, bottom), (a, bottom)
    a, b = (top - far, top - near) if side == "top" else (bottom + near, bottom + far)
    return (left, a), (right, a), (right, b), (left, b)
