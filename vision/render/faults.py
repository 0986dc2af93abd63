"""Unreadable dice for tests and training: cocked, stacked, half hidden, blurred.

Its one rule: ground truth is recorded for these dice as for all others, with flags that mark them as unreadable.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.render import solids
from vision.render.litter import random_solid, random_thing
from vision.render.looks import Chance, between, pick
from vision.render.placing import CUBES, about, as_turn, on_ground, yaw_of
from vision.render.scene import Camera, Die, Scene, Size, Thing

FAULTS = ("cocked", "stacked", "hidden", "blurred")


def with_fault(rng: Chance, scene: Scene, fault: str, size: Size = (640, 480)) -> Scene:
    """Make one die unreadable: cocked against another, stacked, half hidden, or blurred."""
    if not scene.dice:
        return scene
    die = scene.dice[int(rng.integers(len(scene.dice)))]
    a = between(rng, 0, 2 * math.pi)
    if fault == "blurred":
        far = between(rng, 0.25, 0.5) * pixels(scene.camera, die, size)
        return replace(scene, sensor=replace(scene.sensor, smear=(far * math.cos(a), far * math.sin(a))))
    if fault == "hidden":
        return replace(scene, things=(*scene.things, _cover(rng, die, a)))
    for _ in range(20):
        found = _misplaced(rng, scene, fault)
        if len(found.dice) == len(scene.dice):
            break
    return found


def _cover(rng: Chance, die: Die, a: float) -> Thing:
    """A thing that reaches over the die from direction `a` and covers about half of it."""
    kind = pick(rng, {"hand": 6, "card": 1, "coin": 1, "device": 1, "cup": 1, "chip": 1})
    thing = random_thing(rng, (0.0, 0.0), die.size, kind)
    # The distance from the thing's centre to its edge, relative to its size. For a hand, the edge is at its fingertips
    # (see clutter.py).
    edge = {"hand": 0.36, "card": 0.33, "device": 0.3, "cup": 0.4}.get(kind, 0.47)
    reach = thing.size * edge + die.size * between(rng, -0.15, 0.15)
    at = (die.centre[0] + math.cos(a) * reach, die.centre[1] + math.sin(a) * reach)
    return replace(thing, place=at, angle=a, above=True, height=die.size * between(rng, 1.05, 1.4))


def _misplaced(rng: Chance, scene: Scene, fault: str) -> Scene:
    """Move one die onto or against another (or a solid, if it is the only die). Dice in the way are removed."""
    i = int(rng.integers(len(scene.dice)))
    die, rest = scene.dice[i], scene.dice[:i] + scene.dice[i + 1 :]
    a = between(rng, 0, 2 * math.pi)
    j = int(rng.integers(len(rest))) if rest else -1
    other = rest[j] if rest else random_solid(rng, die.centre[:2], die.size * 0.8)
    if fault == "stacked":
        top = float(solids.placed(other, solids.outline(other.shape))[2].max())
        off = other.size * between(rng, 0, 0.22)
        new = replace(
            die, centre=(other.centre[0] + off * math.cos(a), other.centre[1] + off * math.sin(a), top + die.size / 2)
        )
    else:
        # An edge of the die stands on the table beside the other die, and a side leans on the other die's upper edge.
        lean = between(rng, math.radians(14), math.radians(38))
        turn = about((-math.sin(a), math.cos(a), 0.0), lean) @ about((0, 0, 1), a) @ CUBES[int(rng.integers(24))]
        far = other.size * 0.5 + die.size * (0.5 * math.cos(lean) - 0.1)
        at = (other.centre[0] + far * math.cos(a), other.centre[1] + far * math.sin(a), die.size)
        new = on_ground(replace(die, turn=as_turn(np.asarray(turn, np.float32)), centre=at))
        other = replace(other, turn=as_turn(np.asarray(about((0, 0, 1), a - yaw_of(other)) @ other.matrix, np.float32)))
    if not rest:
        return replace(scene, dice=(new,), solids=(*scene.solids, other))
    room = 0.75 if fault == "cocked" else 0.62
    keep = [
        d for k, d in enumerate(rest) if k != j and math.dist(d.centre[:2], new.centre[:2]) > (d.size + new.size) * room
    ]
    return replace(scene, dice=(*keep, other, new))


def pixels(camera: Camera, die: Die, size: Size) -> float:
    """The width of a die in the picture."""
    return camera.focal * max(size) * die.size / math.dist(camera.eye, die.centre)
