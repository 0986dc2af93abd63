"""Random scenes: a camera above a table with some dice and many other things.

Its one rule: all randomness comes from the generator that is passed in, and a scene consists of plain values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.render import conditions, looks
from vision.render.faults import with_fault
from vision.render.litter import litter
from vision.render.looks import Chance, between, hsv, hue, pick
from vision.render.placing import random_dice
from vision.render.scene import Camera, Region, Scene, Size, Tray


def random_camera(
    rng: Chance, size: Size, die: float, px: float, tilt: float | None = None, focal: tuple[float, float] = (0.75, 2.2)
) -> Camera:
    """A camera that looks at the origin, where a die of this size is about `px` wide. Tilt 0 is straight down; `focal`
    is the range of the focal length, relative to the picture's longer side."""
    long = math.exp(between(rng, math.log(focal[0]), math.log(focal[1])))
    if tilt is None:
        way = rng.random()
        tilt = between(rng, 0, 0.2) if way < 0.36 else between(rng, 0, math.radians(45))
        if way > 0.84:  # a more oblique view than the reader has to handle
            tilt = between(rng, math.radians(32), math.radians(55))
    far = long * max(size) * die / px
    round_ = between(rng, 0, 2 * math.pi)
    eye = (far * math.sin(tilt) * math.cos(round_), far * math.sin(tilt) * math.sin(round_), far * math.cos(tilt) + die)
    wide = long < 1.1
    return Camera(
        eye,
        (0.0, 0.0, 0.0),
        between(rng, -math.pi, math.pi) if rng.random() < 0.3 else rng.normal(0, 0.08),
        long,
        between(rng, -0.18, 0.06) if wide else between(rng, -0.05, 0.05),
        between(rng, -0.02, 0.02),
    )


def random_tray(rng: Chance, reach: float, die: float, pixel: float, unseen: bool = False) -> Tray:
    round_ = bool(rng.random() < 0.5)
    a = reach * between(rng, 0.55, 1.1)
    dark = rng.random() < 0.5
    floor = looks.surface(
        rng,
        die,
        pixel,
        unseen,
        "" if unseen else pick(rng, {"felt": 4, "plain": 3, "leather": 2, "wood": 1, "weave": 1}),
    )
    if dark:
        floor = replace(floor, colours=tuple((c[0] * 0.04, c[1] * 0.04, c[2] * 0.04) for c in floor.colours), gloss=0.0)
    colour = (
        hsv(between(rng, 0, 1), 0.2, between(rng, 0.05, 0.2))
        if dark
        else hue(rng, pick(rng, {"brown": 2, "grey": 1, "black": 1, "red": 1, "white": 1}))
    )
    return Tray(
        (between(rng, -0.1, 0.1) * reach, between(rng, -0.1, 0.1) * reach),
        (a, a if round_ else a * between(rng, 0.6, 1.0)),
        round_,
        0.0 if rng.random() < 0.5 else between(rng, 0, 3),
        die * between(rng, 0.2, 0.9),
        die * between(rng, 0.5, 2.0),
        colour,
        floor,
        int(rng.integers(2, 9)) if rng.random() < 0.4 else 0,
    )


def random_scene(
    rng: Chance,
    size: Size = (640, 480),
    dice: int | None = None,
    die_px: tuple[float, float] = (25, 120),
    clutter: float = 0.5,
    fault: str | None = None,
    tilt: float | None = None,
    unseen: bool = False,
    focal: tuple[float, float] = (0.75, 2.2),
    values: Sequence[float] | None = None,
    block: float = 0.0,
    odd: bool = False,
) -> Scene:
    """A random scene. `dice` is the number of dice (fewer if there is no room), `die_px` the range of their widths,
    `clutter` the probability of clutter, and `fault` one of FAULTS. `unseen` uses looks that do not occur in
    training. `focal` is the range of the focal length. `values` are the weights of the values 1 to 6, and `block` is
    the probability that all dice lie in rows. `odd` adds dice and reflections that are rare at a table."""
    px = math.exp(between(rng, math.log(die_px[0]), math.log(die_px[1])))
    length = between(rng, 9, 25)
    camera = random_camera(rng, size, length, px, tilt, focal)
    pixel = length / px
    reach = pixel * max(size) / 2
    if dice is None:
        most = max(1, min(14, int(size[0] * size[1] / px**2 / 4)))
        dice = 0 if rng.random() < 0.08 else int(min(most, 1 + rng.geometric(0.25)))
    found, ambient = conditions.lamps(rng, reach, unseen, camera.eye)
    table = looks.surface(rng, length, pixel, unseen)
    tray = random_tray(rng, reach, length, pixel, unseen) if rng.random() < 0.2 else None
    regions = []
    if rng.random() < 0.2:
        regions.append(_region(rng, reach, length, pixel, unseen))
    scene = Scene(
        camera,
        found,
        ambient,
        table,
        tray=tray,
        regions=tuple(regions),
        sensor=conditions.sensor(rng, px),
        window=(between(rng, 0, 6.28), between(rng, 0.2, 0.95), between(rng, 0.1, 0.5), between(rng, 0.5, 4))
        if rng.random() < 0.5
        else (0, 0, 0, 0),
    )
    placed = random_dice(rng, size, camera, dice, length, unseen, tray, values, block, odd) if dice else []
    scene = replace(scene, dice=tuple(placed))
    if rng.random() < clutter or not dice:
        scene = litter(rng, scene, size, length)
    if fault:
        scene = with_fault(rng, scene, fault, size)
    if scene.dice and rng.random() < 0.5:
        scene = replace(scene, panels=conditions.panels(rng, scene, odd))
    return scene


def _region(rng: Chance, reach: float, die: float, pixel: float, unseen: bool) -> Region:
    x, y, a = between(rng, -1, 1) * reach, between(rng, -1, 1) * reach, between(rng, 0, 6.28)
    w, h = between(rng, 0.4, 2.0) * reach, between(rng, 0.4, 2.0) * reach
    c, s = math.cos(a), math.sin(a)
    corners = tuple(
        (x + u * w * c - v * h * s, y + u * w * s + v * h * c) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return Region(corners, looks.surface(rng, die, pixel, unseen), bool(rng.random() < 0.7), between(rng, 0, 2))
