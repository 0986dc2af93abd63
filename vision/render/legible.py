"""Whether a person could read a die in a picture: its pips must stand out.

Its one rule: it compares the picture with one rendered without pips, the only way to see what pips contribute.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.render.picture import draw
from vision.render.scene import Die, Image, Scene, Size, Truth

VISIBLE = 25  # minimum contrast of pips in grey levels, in at least one channel
SEEN = 0.7  # share of the pips' area that must be visible; with less, a reflection might hide one of two pips
SMALLEST = 4.0  # minimum diameter of a pip in pixels; smaller ones are lost in the die's texture


def legible(scene: Scene, size: Size) -> list[bool]:
    """For each die in the picture's ground truth, whether it is legible."""
    calm = replace(scene, sensor=replace(scene.sensor, shot=0.0, read=0.0, jpeg=0))
    drawn = draw(calm, size)
    return pips_seen(drawn.image, draw(without_pips(calm), size).image, scene.dice, drawn.truth)


def without_pips(scene: Scene) -> Scene:
    return replace(scene, dice=tuple(replace(d, layout=replace(d.layout, marks=(0,) * 6)) for d in scene.dice))


def pips_seen(
    drawn: Image, blank: Image, dice: Sequence[Die], truth: Sequence[Truth], visible: int = VISIBLE
) -> list[bool]:
    """For each top face, whether its pips are large enough and differ enough from the blank face."""
    marked = (cv2.absdiff(drawn, blank).max(2) > visible).astype(np.uint8)
    found = []
    for told in truth:
        pip = min(die.layout.pip for die in dice if die.value == told.value)
        face = np.zeros_like(marked)
        cv2.fillConvexPoly(face, np.round(told.corners).astype(np.int32), 1)
        pips = told.value * math.pi / 4 * pip**2 * float(face.sum())
        across = pip * math.sqrt(float(face.sum()))
        found.append(across >= SMALLEST and float((face & marked).sum()) > SEEN * pips)
    return found
