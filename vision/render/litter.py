"""Chance clutter: which things and solids lie about, how large they are against dice, and where.

Its one rule: nothing here is a die or stands in one.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.render import camera as lens
from vision.render import looks, solids
from vision.render.looks import Chance, any_colour, between, hsv, hue, pick
from vision.render.placing import about, as_turn, on_ground
from vision.render.scene import Array, Die, Layout, Point, Scene, Shape, Size, Thing

BLANK = Layout((0, 0, 0, 0, 0, 0))

THINGS = {
    "coin": 8,
    "chip": 3,
    "button": 5,
    "screw": 5,
    "cap": 3,
    "pen": 5,
    "ruler": 1,
    "card": 5,
    "keys": 4,
    "group": 7,
    "token": 6,
    "sheet": 3,
    "device": 4,
    "cup": 2,
    "meeple": 3,
    "cable": 5,
}

SPAN = {
    "coin": (1.0, 1.8),
    "chip": (1.8, 2.8),
    "button": (0.6, 1.4),
    "screw": (0.3, 0.8),
    "cap": (1.3, 2.0),
    "pen": (6, 10),
    "ruler": (7, 14),
    "card": (4, 6),
    "keys": (4, 9),
    "group": (0.7, 3),
    "token": (0.8, 1.8),
    "sheet": (6, 14),
    "device": (5, 12),
    "cup": (4, 6),
    "meeple": (0.8, 1.6),
    "cable": (8, 20),
}


def random_thing(rng: Chance, at: Point, die: float, kind: str = "") -> Thing:
    kind = kind or pick(rng, THINGS)
    low, high = SPAN.get(kind, (1.0, 1.0))
    colour, second = any_colour(rng), any_colour(rng)
    height = die * between(rng, 0.03, 0.3)
    if kind in ("coin", "screw"):
        colour = hue(rng, pick(rng, {"silver": 2, "gold": 2, "brown": 1}))
    elif kind in ("cable", "keys") and rng.random() < 0.6:
        colour, second = hue(rng, "black"), hue(rng, "white")
    elif kind == "group":
        height = 0.0
        colour = hue(rng, pick(rng, {"black": 4, "white": 3, "red": 1, "blue": 1}))
    elif kind == "sheet":
        colour, second, height = hue(rng, "white"), hsv(0, 0, 0.2), 0.1
    elif kind == "hand":
        k = between(rng, 0.25, 1.0)
        colour = hsv(between(rng, 0.03, 0.08), between(rng, 0.3, 0.6), 0.55 + 0.4 * k)
        height = die * between(rng, 1.3, 2.5)
        # Of a person, whatever the dice are like: a finger is about 16 mm wide.
        return Thing(kind, at, 0.0, between(rng, 300, 400), colour, second, height, False, int(rng.integers(1 << 30)))
    elif kind == "cup":
        height = die * 2.0
    return Thing(
        kind,
        at,
        between(rng, 0, 2 * math.pi),
        die * between(rng, low, high),
        colour,
        second,
        height,
        False,
        int(rng.integers(1 << 30)),
    )


def random_solid(rng: Chance, at: Point, die: float) -> Die:
    """What stands on a table and is no die: blank cubes, dominoes, polyhedra, marbles, bricks, numbered cubes."""
    kind = pick(rng, {"cube": 4, "domino": 4, "poly": 4, "marble": 2, "brick": 3, "key": 2})
    stuff = looks.material(rng)
    form, marks, length = Shape(radius=between(rng, 0.02, 0.3)), BLANK, die * between(rng, 0.5, 1.4)
    turn = about((0, 0, 1), between(rng, 0, 6.28))
    if kind == "domino":
        length = die * between(rng, 2.0, 3.2)
        form = Shape((1.0, 0.5, between(rng, 0.15, 0.25)), between(rng, 0.02, 0.08))
        a, b = (int(v) for v in rng.integers(0, 7, 2))
        up = 100 + 10 * a + b if rng.random() < 0.85 else 0
        marks = Layout(
            (0, 0, 0, 0, up, 0),
            pip=between(rng, 0.12, 0.18),
            spread=between(rng, 0.45, 0.6),
            seed=int(rng.integers(1 << 30)),
        )
    elif kind == "poly":
        form = Shape((2.0, 2.0, 2.0), 0.0, planes=pick(rng, {"d4": 1, "d8": 2, "d12": 2, "d20": 3}))
        normals, _ = solids.polyhedron(form.planes)
        down = normals[int(rng.integers(len(normals)))]
        turn = turn @ _bring(down, np.array((0, 0, -1.0), np.float32))
        length = die * between(rng, 0.9, 1.6)
    elif kind == "marble":
        form = Shape(radius=0.0, ball=0.98)
    elif kind == "brick":
        form = Shape((1.0, between(rng, 0.3, 0.9), between(rng, 0.2, 0.7)), between(rng, 0.02, 0.2))
        length = die * between(rng, 1, 3)
    elif kind == "key":
        form, length = Shape((1.0, 1.0, between(rng, 0.3, 0.5)), 0.2), die * between(rng, 0.8, 1.2)
    return on_ground(Die((at[0], at[1], length), length, as_turn(turn), form, marks, stuff))


def _bring(a: Array, b: Array) -> Array:
    """A rotation that takes one direction to another."""
    axis = np.cross(a, b)
    n = float(np.linalg.norm(axis))
    if n < 1e-5:
        return np.eye(3, dtype=np.float32) if float(a @ b) > 0 else about((1, 0, 0), math.pi)
    return about((float(axis[0]), float(axis[1]), float(axis[2])), math.atan2(n, float(a @ b)))


def litter(rng: Chance, scene: Scene, size: Size, die: float) -> Scene:
    """Things and solids about the table, none on a die; sometimes one reaches over a die's edge as cables do."""
    things: list[Thing] = []
    blocks: list[Die] = []
    for _ in range(int(rng.integers(1, 7))):
        px = rng.uniform(-0.05, 1.05, 2) * size
        spot = lens.on_table(scene.camera, size, np.array([px[0]], np.float32), np.array([px[1]], np.float32))[:, 0]
        at = (float(spot[0]), float(spot[1]))
        if rng.random() < 0.35:
            solid = random_solid(rng, at, die)
            far = solid.size * 0.75
            if all(math.dist(at, o.centre[:2]) > far + o.size * 0.75 for o in (*scene.dice, *blocks)):
                blocks.append(solid)
        else:
            things.append(random_thing(rng, at, die))
    # Flat ones may lie under dice; what stands up may not.
    things = [
        t
        for t in things
        if t.height < 0.35 * die or all(math.dist(t.place, d.centre[:2]) > t.size * 0.5 + d.size for d in scene.dice)
    ]
    things.sort(key=lambda t: -t.size)
    return replace(scene, things=(*scene.things, *things), solids=(*scene.solids, *blocks))
