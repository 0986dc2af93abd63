"""Notices which dice are taken from the table while things move.

Theory. A picture of the bare table is put together from still pictures: everything but the dice. While things move, an
old die either lies where it lay (its place has not changed), or has gone (its place is bare), or is hidden. A die that
is pushed stays in view, alone or under a hand. So in a moment in which no old die is hidden and the table is bare apart
from the old dice that still lie where they lay, the others are not on the table, and whatever comes later was thrown.

Its one rule: in doubt, no die was taken. A moment counts only if every old die can be told from the bare table, and if
two frames in a row show the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import Change, Small, compare
from vision.networks import Image
from vision.reading import OK, Die, Reading

if TYPE_CHECKING:
    from vision.tray import Calibration

DIFFERENT = 8.0  # grey levels by which something differs from the bare table
AROUND = 1.6  # die widths: the side of the area that a die covers with its flanks and shadow
FEWEST = 3  # pixels of the small picture that show something
ENOUGH = 0.25  # share of a die's area that must differ from the bare table, so that its absence can be seen
MARGIN = 1.0  # die widths at the frame's edge where a hand may wait, if the tray is not known
OTHER = 0.1  # share of the table that may differ from the earlier bare table before that is out of date

Dice = tuple[Die, ...]


class Pickup:
    """Pass each picture that has come to rest to `rest`, and each picture with motion to `see`."""

    def __init__(self, calibration: Calibration | None) -> None:
        self._calibration = calibration
        self._bare: Small | None = None
        self._known: Image | None = None  # 1 where the bare table has been seen
        self._dice: Dice = ()  # the dice at rest
        self._shown = False  # whether all of them stand out from the bare table
        self._last: Dice | None = None  # what the previous frame with motion showed
        self._taken: set[Die] = set()  # the old dice that were seen to be taken since

    def rest(self, picture: Small, reading: Reading) -> Dice:
        """The picture is at rest, with these dice. Returns the old dice that were seen to be taken during the motion
        before."""
        taken, self._taken, self._last = tuple(die for die in self._dice if die in self._taken), set(), None
        self._dice = reading.dice
        if reading.status == OK:  # an unread die must not become part of the table
            self._learn(picture, reading.dice)
        self._shown = self._stand_out(picture)
        return taken

    def see(self, picture: Small, since_rest: Change) -> None:
        """Something moves; `since_rest` is the change since the picture at rest."""
        remain = self._remaining(picture, since_rest)
        if remain is not None and remain == self._last:
            self._taken |= {die for die in self._dice if die not in remain}
        self._last = remain

    def _learn(self, picture: Small, dice: Dice) -> None:
        covered = np.zeros(picture.grey.shape, np.uint8)
        for die in dice:
            covered |= area(picture, die)
        bare, known = picture.grey.copy(), 1 - covered
        if self._bare is not None and self._known is not None and self._bare.grey.shape == picture.grey.shape:
            change = compare(picture, self._bare)
            elsewhere = known & self._known
            other = change.spots(DIFFERENT) & self._known
            if (other & elsewhere).sum() < OTHER * elsewhere.sum():
                bare = np.where(with_shadows(covered, other), change.expected, bare)
                known = known | self._known
        self._bare = Small(np.asarray(bare, np.float32), picture.colour, picture.step)
        self._known = np.asarray(known, np.uint8)

    def _stand_out(self, picture: Small) -> bool:
        if self._bare is None or self._known is None or self._bare.grey.shape != picture.grey.shape:
            return False
        other = compare(picture, self._bare).spots(DIFFERENT)
        areas = [area(picture, die, 1.0) for die in self._dice]
        return all(
            not (one & (1 - self._known)).any() and (one & other).sum() >= max(FEWEST, ENOUGH * one.sum())
            for one in areas
        )

    def _remaining(self, picture: Small, since_rest: Change) -> Dice | None:
        """The old dice that lie where they lay, if the table is bare apart from them; otherwise None."""
        if not self._dice or not self._shown or self._bare is None or self._known is None:
            return None
        changed = since_rest.spots(DIFFERENT)
        areas = [area(picture, die) for die in self._dice]
        stays = [int((one & changed).sum()) < FEWEST for one in areas]
        if all(stays):
            return self._dice
        other = compare(picture, self._bare).spots(DIFFERENT)
        other[self._known == 0] = 1
        away = self._in_play(picture)
        for one in areas:
            away |= one  # a place has to be bare even at the edge of the frame
        for one in (one for one, stay in zip(areas, stays, strict=True) if stay):
            away &= 1 - one
        if int((other & away).sum()) >= FEWEST:
            return None
        return tuple(die for die, stay in zip(self._dice, stays, strict=True) if stay)

    def _in_play(self, picture: Small) -> Image:
        """A mask of where dice can lie: the tray and its strip, or else the picture without its edge."""
        height, width = picture.grey.shape
        zone = np.zeros((height, width), np.uint8)
        if self._calibration:
            for polygon in (self._calibration.tray, self._calibration.keep or ()):
                if polygon:
                    cv2.fillPoly(zone, [np.round(np.array(polygon) / picture.step).astype(np.int32)], 1)
            return zone
        side = max(max(die.box.size) for die in self._dice) / picture.step
        edge = math.ceil(MARGIN * side)
        zone[edge : height - edge, edge : width - edge] = 1
        return zone


def with_shadows(covered: Image, other: Image) -> Image:
    """The areas of the dice, and whatever else differs from the bare table and touches them: their shadows."""
    _, pieces = cv2.connectedComponents(covered | other)
    return np.asarray(np.isin(pieces, np.unique(pieces[covered > 0])), np.uint8)


def area(picture: Small, die: Die, around: float = AROUND) -> Image:
    """A mask of the area that a die covers in the small picture."""
    mask = np.zeros(picture.grey.shape, np.uint8)
    centre = tuple(part / picture.step - 0.5 for part in die.centre)
    size = tuple(max(2.0, around * part / picture.step) for part in die.box.size)
    corners = cv2.boxPoints((centre, size, die.box.angle))
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return mask
