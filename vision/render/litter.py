"""Random clutter: which things and solids lie around, their sizes relative to dice, and their places.

Its one rule: nothing here is a die or intersects one.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.render import camera as lens
from vision.render import makers, materials, solids
from vision.render.looks import Chance, any_colour, between, hsv, hue, pick
from vision.render.pips import SIGNS
from vision.render.placing import about, as_turn, on_ground
from vision.render.scene import Array, Die, Layout, Point, Scene, Shape, Size, Thing

BLANK = Layout((0, 0, 0, 0, 0, 0))

THINGS = {
    "coin": 7,
    "chip": 3,
    "button": 7,
    "screw": 5,
    "cap": 3,
    "pen": 9,
    "ruler": 1,
    "card": 5,
    "keyboard": 9,
    "keycap": 5,
    "keyring": 6,
    "marker": 3,
    "plug": 6,
    "battery": 4,
    "cell": 3,
    "lenses": 4,
    "earbuds": 2,
    "outlet": 4,
    "form": 5,
    "icons": 2,
    "track": 3,
    "group": 7,
    "token": 6,
    "sheet": 2,
    "device": 4,
    "cup": 2,
    "meeple": 3,
    "cable": 5,
    "plate": 4,
    "blister": 3,
    "bug": 3,
    "peas": 7,
    "bead": 3,
    "remote": 3,
    "cracker": 3,
    "tile": 5,
    "socket": 3,
    "circuit": 3,
    "poster": 8,
}

SPAN = {
    "coin": (1.0, 1.8),
    "chip": (1.8, 2.8),
    "button": (0.6, 1.4),
    "screw": (0.3, 0.8),
    "cap": (1.3, 2.0),
    "pen": (5, 10),
    "ruler": (7, 14),
    "card": (4, 6),
    "keyboard": (3, 8),
    "keycap": (0.7, 1.4),
    "keyring": (4, 8),
    "marker": (4, 8),
    "plug": (2.2, 5),
    "battery": (2, 4),
    "cell": (0.5, 1.5),
    "lenses": (1.5, 5),
    "earbuds": (2.5, 4.5),
    "outlet": (1.5, 5),
    "form": (5, 14),
    "icons": (2, 6),
    "track": (3, 9),
    "group": (0.7, 3),
    "token": (0.8, 1.8),
    "sheet": (6, 14),
    "device": (5, 12),
    "cup": (4, 6),
    "meeple": (0.8, 1.6),
    "cable": (8, 20),
    "plate": (2, 8),
    "blister": (3, 6),
    "bug": (0.8, 1.8),
    "peas": (2, 7),
    "bead": (0.4, 1.2),
    "remote": (6, 12),
    "cracker": (1.2, 3.2),
    "tile": (0.8, 1.4),
    "socket": (1.0, 2.5),
    "circuit": (3, 9),
    "poster": (8, 40),
}


SOLIDS = {
    "cube": 4,
    "letter": 6,
    "number": 7,
    "domino": 9,
    "poly": 7,
    "marble": 2,
    "brick": 2,
    "tower": 2,
    "studs": 4,
    "key": 3,
}


def random_thing(rng: Chance, at: Point, die: float, kind: str = "") -> Thing:
    kind = kind or pick(rng, THINGS)
    low, high = SPAN.get(kind, (1.0, 1.0))
    colour, second = any_colour(rng), any_colour(rng)
    height = die * between(rng, 0.03, 0.3)
    if kind in ("coin", "screw"):
        colour = hue(rng, pick(rng, {"silver": 2, "gold": 2, "brown": 1}))
    elif kind in ("cable", "keyboard", "keycap", "plug", "lenses") and rng.random() < 0.8:
        dark = rng.random() < 0.6
        colour, second = hue(rng, "black" if dark else "white"), hue(rng, "white" if dark else "black")
        k = 0.0 if kind == "cable" or not dark else between(rng, 0.012, 0.06)  # black plastic is grey in the light
        colour = (colour[0] + k, colour[1] + k, colour[2] + k)
    elif kind in ("pen", "marker", "battery") and rng.random() < 0.6:
        colour = hue(rng, pick(rng, {"black": 3, "blue": 2, "red": 1, "white": 1, "gold": 1, "green": 1}))
    elif kind == "earbuds" and rng.random() < 0.7:
        colour = hue(rng, pick(rng, {"white": 2, "black": 1}))
    elif kind in ("form", "icons"):
        colour, second, height = hue(rng, "white"), hue(rng, pick(rng, {"black": 4, "blue": 1, "red": 1})), 0.1
    elif kind == "circuit":
        colour = hue(rng, pick(rng, {"green": 5, "blue": 2, "black": 1, "red": 1}))
    elif kind == "track":
        height = 0.2
    elif kind == "group":
        height = 0.0
        colour = hue(rng, pick(rng, {"black": 4, "white": 3, "red": 1, "blue": 1}))
    elif kind == "sheet":
        colour, second, height = hue(rng, "white"), hsv(0, 0, 0.2), 0.1
    elif kind == "button" and rng.random() < 0.4:
        colour = hue(rng, pick(rng, {"white": 2, "black": 1, "cream": 1}))
    elif kind == "plate":
        colour = hue(rng, pick(rng, {"silver": 2, "white": 2, "black": 2, "brown": 1, "green": 1}))
    elif kind == "bug":
        colour = hue(rng, pick(rng, {"red": 4, "yellow": 1, "orange": 1}))
    elif kind == "cracker":
        colour = hue(rng, pick(rng, {"cream": 2, "gold": 2, "brown": 1, "white": 1}))
    elif kind == "tile":
        colour, second = hue(rng, pick(rng, {"cream": 3, "white": 2, "brown": 1})), hue(rng, "black")
    elif kind == "poster":
        height = 0.1
        if rng.random() < 0.4:
            colour, second = hue(rng, "white"), hue(rng, "black")
    elif kind == "remote":
        colour, second = hue(rng, pick(rng, {"black": 3, "grey": 1, "white": 1})), hue(rng, "grey")
    elif kind == "hand":
        k = between(rng, 0.0, 1.0)  # from dark to light skin
        colour = hsv(between(rng, 0.03, 0.08), between(rng, 0.6, 0.72) - 0.3 * k, 0.32 + 0.6 * k)
        height = die * between(rng, 1.3, 2.5)
        # Sized like a real hand, independently of the dice: a finger is about 16 mm wide.
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


def numbered(rng: Chance, scene: Scene) -> Scene:
    """The scene with numbers instead of pips on most of its dice, so that these need not be read."""
    marked = [rng.random() < 0.7 for _ in scene.dice]
    marks = numbers(rng, _letters(rng))
    solids = [replace(die, layout=marks) for die, mark in zip(scene.dice, marked, strict=True) if mark]
    dice = [die for die, mark in zip(scene.dice, marked, strict=True) if not mark]
    return replace(scene, dice=tuple(dice), solids=(*scene.solids, *solids))


def numbers(rng: Chance, letters: tuple[int, int]) -> Layout:
    """The marks of a die with the numbers from 1 to 6."""
    first = SIGNS.index("1")
    a, b, c, d, e, f = (200 + first + int(i) for i in rng.permutation(6))
    return Layout((a, b, c, d, e, f), turns=makers.turns(rng), letters=letters)


def _letters(rng: Chance) -> tuple[int, int]:
    return int(rng.choice((0, 0, 2, 3, 4))), int(rng.integers(7, 23))


def random_solid(rng: Chance, at: Point, die: float, kind: str = "") -> Die:
    """A solid that is not a die with pips: a blank cube, a die with numbers, letters, words or symbols, a domino, a
    polyhedron, a marble, a brick or a key."""
    kind = kind or pick(rng, SOLIDS)
    stuff = materials.material(rng)
    form, marks, length = Shape(radius=between(rng, 0.02, 0.3)), BLANK, die * between(rng, 0.5, 1.4)
    turn = about((0, 0, 1), between(rng, 0, 6.28))
    letters = _letters(rng)
    if kind == "number":
        form, marks, length = makers.shape(rng), numbers(rng, letters), die * between(rng, 0.8, 1.2)
    elif kind == "letter":
        signs = [int(i) for i in rng.integers(0, len(SIGNS), 6)]
        if rng.random() < 0.4:  # a die with the same few words or symbols
            signs = [len(SIGNS) - 1 - int(i) for i in rng.integers(0, 14, 6)]
        a, b, c, d, e, f = (200 + i for i in signs)
        marks = Layout((a, b, c, d, e, f), turns=makers.turns(rng), letters=letters)
        form = makers.shape(rng)
    elif kind == "studs":
        across, down = int(rng.integers(1, 5)), int(rng.integers(1, 3))
        longer = max(across, down)
        form = Shape((across / longer, down / longer, between(rng, 0.35, 1.2) / longer), 0.02)
        marks, length = (
            Layout((0, 0, 0, 0, 300 + 10 * across + down, 0), 0.6 / longer),
            die * longer * between(rng, 0.5, 0.9),
        )
        paint = hue(rng, pick(rng, {"red": 2, "yellow": 2, "blue": 2, "white": 2, "black": 1, "green": 1, "grey": 1}))
        stuff = replace(
            stuff,
            colour=paint,
            vein="",
            clear=0.0,
            metal=0.0,
            pips=(paint,) * 6,
            drilled=-0.9,
            ring=0.2,
            ring_colour=(paint[0] * 0.5, paint[1] * 0.5, paint[2] * 0.5),
        )
    elif kind == "domino":
        length = die * between(rng, 1.4, 3.2)
        form = Shape((1.0, 0.5, between(rng, 0.15, 0.25)), between(rng, 0.02, 0.08))
        a, b = (int(v) for v in rng.integers(0, 7, 2))
        up = 100 + 10 * a + b if rng.random() < 0.85 else 0
        marks = Layout(
            (0, 0, 0, 0, up, 0),
            pip=between(rng, 0.12, 0.22),
            spread=between(rng, 0.45, 0.6),
            seed=int(rng.integers(1 << 30)),
        )
        if rng.random() < 0.6:  # the usual dominoes: light with black pips, or black with white pips
            body, dot = ("black", "white") if rng.random() < 0.5 else (str(rng.choice(["cream", "white"])), "black")
            stuff = replace(stuff, colour=hue(rng, body), vein="", clear=0.0, metal=0.0, pips=(hue(rng, dot),) * 6)
    elif kind == "poly":
        form = Shape((2.0, 2.0, 2.0), 0.0, planes=pick(rng, {"d4": 1, "d8": 2, "d10": 3, "d12": 2, "d20": 4}))
        normals, _ = solids.polyhedron(form.planes)
        down = normals[int(rng.integers(len(normals)))]
        turn = turn @ _bring(down, np.array((0, 0, -1.0), np.float32))
        length = die * between(rng, 0.9, 1.6)
        if form.planes != "d4":
            a = 400 + len(normals)
            marks = Layout((a, a, a, a, a, a), letters=letters, seed=int(rng.integers(1 << 30)))
            stuff = replace(stuff, drilled=0.0)
    elif kind == "marble":
        form = Shape(radius=0.0, ball=0.98)
    elif kind == "brick":
        form = Shape((1.0, between(rng, 0.3, 0.9), between(rng, 0.2, 0.7)), between(rng, 0.02, 0.2))
        length = die * between(rng, 1, 3)
    elif kind == "tower":  # a bottle or box that stands, and throws its shadow over dice
        form = Shape((between(rng, 0.2, 0.5), between(rng, 0.2, 0.5), 1.0), between(rng, 0.02, 0.2))
        length = die * between(rng, 1.5, 4)
    elif kind == "key":
        form, length = Shape((1.0, 1.0, between(rng, 0.3, 0.5)), 0.2), die * between(rng, 0.8, 1.2)
        marks = Layout((0, 0, 0, 0, 200 + int(rng.integers(0, len(SIGNS))), 0))
        stuff = replace(stuff, vein="", clear=0.0, metal=0.0, drilled=0.0)
    return on_ground(Die((at[0], at[1], length), length, as_turn(turn), form, marks, stuff))


def _bring(a: Array, b: Array) -> Array:
    """A rotation that turns direction `a` into direction `b`."""
    axis = np.cross(a, b)
    n = float(np.linalg.norm(axis))
    if n < 1e-5:
        return np.eye(3, dtype=np.float32) if float(a @ b) > 0 else about((1, 0, 0), math.pi)
    return about((float(axis[0]), float(axis[1]), float(axis[2])), math.atan2(n, float(a @ b)))


def litter(rng: Chance, scene: Scene, size: Size, die: float) -> Scene:
    """Scatter things and solids on the table, but not on dice. Sometimes a hand reaches in over the dice."""
    things: list[Thing] = []
    blocks: list[Die] = []
    for _ in range(int(rng.integers(1, 7) if scene.dice else rng.integers(2, 9))):
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
    if scene.dice and rng.random() < 0.15:  # printed paper under dice
        die_at = scene.dice[int(rng.integers(len(scene.dice)))].centre
        paper = pick(rng, {"form": 5, "sheet": 2, "poster": 2, "track": 1})
        things.append(random_thing(rng, (die_at[0] + die * rng.normal(), die_at[1] + die * rng.normal()), die, paper))
    # Flat things can lie under dice, but tall ones cannot.
    things = [
        t
        for t in things
        if t.height < 0.35 * die or all(math.dist(t.place, d.centre[:2]) > t.size * 0.5 + d.size for d in scene.dice)
    ]
    things.sort(key=lambda t: -t.size)
    if rng.random() < (0.05 if scene.dice else 0.12):
        things.append(reaching_in(rng, scene, size, die))
    return replace(scene, things=(*scene.things, *things), solids=(*scene.solids, *blocks))


def reaching_in(rng: Chance, scene: Scene, size: Size, die: float) -> Thing:
    """A hand that reaches in from the edge of the picture, above everything else."""
    a = between(rng, 0, 2 * math.pi)
    rim = np.array([[0.5 + 0.5 * math.cos(a)], [0.5 + 0.5 * math.sin(a)]], np.float32) * np.array([size], np.float32).T
    edge, middle = (
        lens.on_table(scene.camera, size, np.asarray(p[0], np.float32), np.asarray(p[1], np.float32))[:, 0]
        for p in (rim, np.array([[size[0] / 2], [size[1] / 2]], np.float32))
    )
    out = math.atan2(float(edge[1] - middle[1]), float(edge[0] - middle[0])) + between(rng, -0.6, 0.6)
    hand = random_thing(rng, (0.0, 0.0), die, "hand")
    # The fingertips are 0.4 of the hand's size from its centre, and reach up to a third of the way to the middle.
    reach = 0.4 * hand.size - between(rng, -0.05, 0.35) * math.dist(edge, middle)
    at = (float(edge[0]) + math.cos(out) * reach, float(edge[1]) + math.sin(out) * reach)
    return replace(hand, place=at, angle=out, above=True)
