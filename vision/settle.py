"""Watches a stream of frames for motion and hands, and reads the dice once after they have come to rest.

Its one rule: nothing is read during motion, and dice that have not changed are not reported again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from vision import hands, motion, trouble
from vision.evidence import Evidence
from vision.motion import Change, Small
from vision.networks import Image
from vision.own_dice import NOTHING_LEARNED
from vision.pickup import Pickup
from vision.places import agree, unmoved
from vision.reading import OK, UNSURE, Die, Doubt, Reading

if TYPE_CHECKING:
    from vision.tray import Calibration

EMPTY, MOVING, HAND, STILL, SETTLED = "empty", "moving", "hand", "still", "settled"
QUIET = 0.15  # seconds without motion before the first read, and between reads
# Seconds without motion until something that was put into the picture no longer counts as a hand: first what has the
# colour of skin, then any other object.
USED_TO, USED_TO_OBJECT = 3.0, 0.5
TRACKING = 2.0  # time constant in seconds for the reference picture to follow changes in the light
FAINT = 2.5  # grey levels of change that a codec may cause
NOISES = 3.5  # changes up to FAINT plus this many times the median change are noise
FEWEST = 5  # changed pixels of the small picture that count as motion; even the corner of one moving die changes more
LAMP = 1.3  # a larger change in overall brightness is a lamp that was switched, and counts as motion; flicker is less
IN_THE_WAY = "a hand or another large object is in view"


@dataclass(frozen=True)
class Seen:
    state: str  # "empty" | "moving" | "hand" | "still" | "settled"
    reading: Reading | None  # set once, with the first "settled" frame after the dice have changed
    changed: bool  # the state differs from the previous frame's, or there is a reading
    lies: Reading | None = field(default=None, compare=False)  # what lies on the table, with every "settled" frame
    # With the first "settled" frame: the dice of before that were seen to be taken from the table during the motion.
    taken: tuple[Die, ...] = field(default=(), compare=False)

    @property
    def at_rest(self) -> Reading | None:
        """What lies on the table, set once whenever the picture comes to rest, even if the dice are the same."""
        return self.reading or (self.lies if self.changed else None)


@dataclass(frozen=True)
class Reported:
    """The last reading that was reported, and the picture in which it was made."""

    reading: Reading
    expect: int | None
    picture: Small


class Settle:
    """Notices when the dice have come to rest, and reads them. Pass each frame and its time in seconds to `see`. Before
    each roll, set `expect` to the number of dice. `own` is what has been learned about the table's own dice."""

    def __init__(self, calibration: Calibration | None = None, expect: int | None = None) -> None:
        self.expect = expect
        self.own = NOTHING_LEARNED
        self._calibration = calibration
        self._state = ""
        self._noise = 1.0  # median change of the small picture since the reference picture, in grey levels
        self._still: Small | None = None  # the reference picture, compared with frames to detect motion
        self._table: Small | None = None  # the table when it was last at rest, compared with frames to detect hands
        self._since = self._at = 0.0
        self._entered = hands.NOTHING
        self._checked = False  # whether the slower checks for a hand were made since the last motion
        self._evidence = Evidence(calibration)
        self._reported: Reported | None = None
        self._lies: Reading | None = None
        self._pickup = Pickup(calibration)
        self._edge = hands.edge_of(calibration) if calibration else None

    def see(self, frame: Image, at: float) -> Seen:
        small = motion.shrink(frame)
        if self._still is None or self._still.grey.shape != small.grey.shape:
            # The first frame counts as motion, so the picture has to come to rest first. Whether there is a hand in it
            # is not known.
            self._still, self._table, self._state, moved = small, None, "", True
        else:
            moved = self._moved(small, at)
        if at < self._at:  # the clock was set back, or a film begins again
            self._reported = None
        before, self._at = self._at, at
        if moved:
            self._still, self._since = small, at
            self._evidence.clear()
            self._checked = False
            self._entered = self._find_entered(small)
            return self._enter(HAND if self._entered in (hands.HAND, hands.OBJECT) else MOVING)
        if self._state in (EMPTY, SETTLED):
            self._follow(small, at - before)
            return self._enter(self._state)
        last = self._evidence.last
        due = at - (self._since if last is None else last) >= QUIET
        if due and not self._checked:
            self._check(frame, small)
        if self._waits(at - self._since):
            return self._enter(STILL if self._table is None and self._edge is None else HAND)
        return self._read(frame, small, at) if due else self._enter(STILL)

    def _moved(self, small: Small, at: float) -> bool:
        assert self._still is not None
        change = motion.compare(small, self._still)
        moved = at < self._at or self._differs(change)
        if change.amount.any():  # identical frames, repeated by a camera or codec, say nothing about noise
            self._noise += 0.2 * (min(float(np.median(change.amount)), 2 * self._noise + 0.5) - self._noise)
        return moved

    def _differs(self, change: Change) -> bool:
        lamp = not 1 / LAMP < change.light < LAMP
        return lamp or int(change.spots(FAINT + NOISES * self._noise).sum()) >= FEWEST

    def _follow(self, small: Small, seconds: float) -> None:
        """Let the reference picture follow the light. Before the first read the reference must not change, because it
        could follow a slowly moving die."""
        assert self._still is not None
        self._still = self._table = self._still.mixed(small, 1 - math.exp(-seconds / TRACKING))

    def _find_entered(self, small: Small) -> str:
        """What has come into the picture. If the whole picture is new, the table is not known any more."""
        if self._table is None:
            return hands.NOTHING
        change = motion.compare(small, self._table)
        self._pickup.see(small, change)
        found = hands.entered(small, self._table, change)
        if found == hands.WHOLE:
            self._table, self._pickup = None, Pickup(self._calibration)
        return found

    def _check(self, frame: Image, small: Small) -> None:
        """Look for hands more thoroughly than there is time for in every moving frame."""
        self._checked = True
        self._entered = self._find_entered(small)
        if self._edge is not None and self._calibration is not None:
            over = hands.over_edge(frame, self._calibration, self._edge)
            self._entered = hands.HAND if over else self._entered
        elif self._table is None and trouble.hand(frame):
            self._entered = hands.HAND

    def _waits(self, rested: float) -> bool:
        """Whether to wait until a hand leaves, or until it is clear that what came in is not a hand."""
        if self._entered == hands.OBJECT and rested >= USED_TO_OBJECT:
            self._entered = hands.NOTHING
        return rested < {hands.HAND: USED_TO, hands.OBJECT: USED_TO_OBJECT}.get(self._entered, 0.0)

    def _read(self, frame: Image, small: Small, at: float) -> Seen:
        """Read the dice once more."""
        reading = self._evidence.add(frame, at, self.expect, self.own)
        if reading is None:
            return self._enter(STILL)
        # A hand may hide dice, unless all the dice rolled are visible beside it.
        if self._entered == hands.HAND and reading.status == OK and (self.expect is None or not reading.dice):
            reading = replace(reading, status=UNSURE, why=IN_THE_WAY, doubts=(Doubt("hand"),))
        if not reading.dice and reading.status == OK:
            self._still, self._reported = small, None
            self._pickup.rest(small, reading)
            return self._enter(EMPTY)
        news = not self._known(reading, small)
        self._still = small  # the first still frame may have caught the end of the motion
        if news:
            self._lies, self._reported = reading, Reported(reading, self.expect, small)
        assert self._lies is not None
        taken = self._pickup.rest(small, self._lies)
        return replace(self._enter(SETTLED, reading if news else None), taken=taken)

    def _known(self, reading: Reading, small: Small) -> bool:
        """Whether the dice are those that were reported last, and have not moved. Readings waver, so where the picture
        is the same, it counts more than the reading."""
        last = self._reported
        if last is None or last.expect != self.expect or not reading.dice or not last.reading.dice:
            return False
        if last.reading.status == reading.status and unmoved(last.reading.dice, reading.dice):
            return True
        if self._differs(motion.compare(small, last.picture)):
            return False
        return reading.status != OK or (last.reading.status == OK and agree(reading, last.reading))

    def _enter(self, state: str, reading: Reading | None = None) -> Seen:
        changed = state != self._state or reading is not None
        if changed and state in (EMPTY, SETTLED):
            self._table = self._still
        self._state = state
        return Seen(state, reading, changed, self._lies if state == SETTLED else None)
