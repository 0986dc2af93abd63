"""Places dice on a table at random.

Its one rule: dice do not intersect, and all values are equally likely unless weights are given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np

from vision.render import camera as lens
from vision.render import makers, materials, solids
from vision.render.looks import Chance, between, pick
from vision.render.scene import NORMALS, Array, Camera, Die, Layout, Material, Point, Shape, Size, Tray, Turn

Style = tuple[Shape, Layout, Material, float]  # the design of a die, and its size

# The 24 orientations of a cube on a table.
CUBES = [
    m
    for p in permutations(range(3))
    for s in product((-1, 1), repeat=3)
    if np.linalg.det(m := np.array([[s[i] if p[i] == j else 0 for j in range(3)] for i in range(3)])) > 0
]


def as_turn(m: Array) -> Turn:
    a = [float(v) for v in np.asarray(m).ravel()]
    return a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]


def about(axis: tuple[float, float, float], angle: float) -> Array:
    """The rotation around an axis by an angle."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k, np.float32)


def lying(rng: Chance, yaw: float | None = None, upwards: int | None = None) -> Array:
    """A random orientation of a cube on the table, perhaps with this side (in the order of NORMALS) upwards."""
    angle = between(rng, 0, 2 * math.pi) if yaw is None else yaw
    cubes = CUBES if upwards is None else [c for c in CUBES if int(np.argmax(NORMALS @ c[2])) == upwards]
    return np.asarray(about((0, 0, 1), angle) @ cubes[int(rng.integers(len(cubes)))], np.float32)


def _upwards(rng: Chance, layout: Layout, values: Sequence[float] | None) -> int | None:
    """The side of a die to lay upwards, if the values have weights."""
    if values is None:
        return None
    return layout.marks.index(1 + int(rng.choice(6, p=np.array(values) / sum(values))))


def apart(a: Die, b: Die) -> float:
    """The gap between two dice that lie flat: the widest gap along any of their four axes, negative if they overlap."""
    far = math.dist(a.centre[:2], b.centre[:2])
    if far > (a.size + b.size) * 0.7072:
        return far - (a.size + b.size) * 0.7072
    first, second = yaw_of(a), yaw_of(b)
    angles = np.array((first, first + math.pi / 2, second, second + math.pi / 2))
    ways = np.stack([np.cos(angles), np.sin(angles)])
    ways *= np.where((np.array(b.centre[:2]) - np.array(a.centre[:2])) @ ways >= 0, 1, -1)
    return float(((_footprint(b) @ ways).min(0) - (_footprint(a) @ ways).max(0)).max())


def _footprint(die: Die) -> Array:
    corners = solids.CORNERS[:, 0].T * np.array(die.shape.half, np.float32)[:, None]
    return np.asarray(solids.placed(die, corners)[:2].T, np.float32)


def yaw_of(die: Die) -> float:
    m = die.matrix
    side = int(np.argmax(np.abs(m[0]) + np.abs(m[1])))
    return math.atan2(float(m[1, side]), float(m[0, side]))


def on_ground(die: Die) -> Die:
    """The die moved up or down until it just touches the table."""
    low = float(solids.placed(die, solids.outline(die.shape))[2].min())
    return replace(die, centre=(die.centre[0], die.centre[1], die.centre[2] - low))


def random_dice(
    rng: Chance,
    size: Size,
    camera: Camera,
    count: int,
    die: float,
    unseen: bool,
    room: Tray | None,
    values: Sequence[float] | None = None,
    block: float = 0.0,
    odd: bool = False,
) -> list[Die]:
    """Dice at random places, some perhaps next to each other, all alike or in several designs. With the probability
    `block`, all of them lie in rows. `values` are the weights of the values, if they are not equally likely. For `odd`,
    see materials.py."""
    sets = int(pick(rng, {"1": 5, "2": 2, "9": 3}))
    styles: list[Style] = []
    for _ in range(min(sets, max(1, count))):
        form = makers.shape(rng)
        marks = makers.layout(rng, form, unseen)
        styles.append(
            (
                form,
                marks,
                makers.asian(rng, marks, materials.material(rng, unseen, odd)),
                die * (between(rng, 0.75, 1.35) if sets > 1 else 1.0),
            )
        )
    crowd = between(rng, 0, 0.8) if rng.random() < 0.5 else 0.0
    margin = -0.02 if rng.random() < 0.3 else 0.06
    found: list[Die] = []
    if block and count > 1 and rng.random() < block:
        return _rows(rng, size, camera, count, styles, values, room)
    for _ in range(count):
        form, marks, stuff, length = styles[int(rng.integers(len(styles)))]
        for _attempt in range(30):
            turn = lying(rng, None, _upwards(rng, marks, values))
            touch = bool(found) and rng.random() < crowd
            if touch:
                other = found[int(rng.integers(len(found)))]
                if rng.random() < 0.5:
                    turn = lying(rng, yaw_of(other), _upwards(rng, marks, values))
                a = (
                    between(rng, 0, 2 * math.pi)
                    if rng.random() < 0.6
                    else yaw_of(other) + math.pi / 2 * int(rng.integers(4))
                )
                way = (math.cos(a), math.sin(a))
                new = Die((0, 0, length / 2), length, as_turn(turn), form, marks, stuff)
                far = (other.size + length) / 2 * 0.9
                for _step in range(24):
                    new = replace(
                        new, centre=(other.centre[0] + way[0] * far, other.centre[1] + way[1] * far, length / 2)
                    )
                    gap = apart(other, new)
                    if gap >= 0:
                        break
                    far += max(0.01 * length, -gap * 0.7)
                far += length * between(rng, 0, 0.05)
                new = replace(new, centre=(other.centre[0] + way[0] * far, other.centre[1] + way[1] * far, length / 2))
            else:
                at = _somewhere(rng, size, camera, margin, room)
                new = Die((at[0], at[1], length / 2), length, as_turn(turn), form, marks, stuff)
            if room and not in_tray(room, new):
                continue
            if all(apart(other, new) >= 0 for other in found):
                found.append(on_ground(new))
                break
    return found


def _rows(
    rng: Chance,
    size: Size,
    camera: Camera,
    count: int,
    styles: Sequence[Style],
    values: Sequence[float] | None,
    room: Tray | None,
) -> list[Die]:
    """Dice that somebody has pushed together: in one row, or in several rows that form a block."""
    across = count if rng.random() < 0.5 else max(1, round(math.sqrt(count)))
    step = max(length for *_, length in styles) * (1 + (0.0 if rng.random() < 0.5 else between(rng, 0, 0.12)))
    yaw, slip, skew = between(rng, 0, 2 * math.pi), between(rng, 0, 0.25), between(rng, 0, 0.06)
    middle = _somewhere(rng, size, camera, 0.25, room)
    c, s = math.cos(yaw), math.sin(yaw)
    kit = []
    for k in range(count):
        form, marks, stuff, length = styles[int(rng.integers(len(styles)))]
        turn = as_turn(lying(rng, yaw + skew * rng.normal(), _upwards(rng, marks, values)))
        u = (k % across - (across - 1) / 2) * step
        v = (k // across - (count // across - 1) / 2) * step + slip * length * between(rng, -0.5, 0.5) * (
            across == count
        )
        kit.append((u, v, Die((0.0, 0.0, length / 2), length, turn, form, marks, stuff)))
    for widen in range(20):  # dice that are a little skew need more room
        wide = 1 + 0.02 * widen
        found = [
            replace(die, centre=(middle[0] + wide * (u * c - v * s), middle[1] + wide * (u * s + v * c), die.size / 2))
            for u, v, die in kit
        ]
        if all(apart(a, b) >= 0 for a, b in combinations(found, 2)):
            break
    return [on_ground(die) for die in found if not room or in_tray(room, die)]


def _somewhere(rng: Chance, size: Size, camera: Camera, margin: float, room: Tray | None) -> Point:
    """A random point in the tray, or, without a tray, on the table inside the picture."""
    if room:
        a, r = between(rng, 0, 2 * math.pi), 0.9 * room.reach[0] * math.sqrt(rng.random())
        if room.round:
            return room.centre[0] + r * math.cos(a), room.centre[1] + r * math.sin(a)
        u, v = between(rng, -1, 1) * room.reach[0], between(rng, -1, 1) * room.reach[1]
        c, s = math.cos(room.angle), math.sin(room.angle)
        return room.centre[0] + u * c - v * s, room.centre[1] + u * s + v * c
    px = rng.uniform(margin, 1 - margin, 2) * size
    at = lens.on_table(camera, size, np.array([px[0]], np.float32), np.array([px[1]], np.float32))[:, 0]
    return float(at[0]), float(at[1])


def in_tray(tray: Tray, die: Die) -> bool:
    x, y = die.centre[0] - tray.centre[0], die.centre[1] - tray.centre[1]
    far = die.size * 0.72
    if tray.round:
        return math.hypot(x, y) < tray.reach[0] - far
    c, s = math.cos(tray.angle), math.sin(tray.angle)
    return abs(x * c + y * s) < tray.reach[0] - far and abs(y * c - x * s) < tray.reach[1] - far
