"""Random conditions: the light, and the properties of the camera.

Its one rule: as in looks.py, all randomness comes from the generator that is passed in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.render.light import unit
from vision.render.looks import Chance, between, hsv, pick
from vision.render.scene import Colour, Die, Lamp, Panel, Scene, Sensor, Vec

Quad = tuple[float, float, float, float]


def lamps(rng: Chance, reach: float, unseen: bool = False, eye: Vec | None = None) -> tuple[tuple[Lamp, ...], Colour]:
    """Random lamps and ambient light, warm or cold. `reach` is half the side of the picture in millimetres.

    Greenish tubes, pink bulbs and rows of spotlights do not occur in training, only with `unseen`. With `eye`, the
    camera's position, a lamp can stand where the top faces of dice reflect it into the camera."""
    if unseen:
        tints = [
            hsv(between(rng, 0.22, 0.38), between(rng, 0.06, 0.2), 1.0),
            hsv(between(rng, 0.84, 0.95), between(rng, 0.04, 0.16), 1.0),
        ]
        count = int(rng.integers(1, 5))
    else:
        tints = [
            hsv(between(rng, 0.05, 0.13), between(rng, 0.05, 0.35), 1.0),
            hsv(between(rng, 0.53, 0.65), between(rng, 0.0, 0.2), 1.0),
            (1.0, 1.0, 1.0),
        ]
        count = 1 if rng.random() < 0.6 else 2
    dim = rng.random() < 0.1
    if dim and not unseen:  # warm, dim light, as from a candle or an old bulb
        tints = [hsv(between(rng, 0.04, 0.1), between(rng, 0.35, 0.7), 1.0)]
    found = []
    soft = rng.random()
    around, height = between(rng, 0, 6.28), between(rng, 0.42, 1.5)
    for i in range(count):
        tint = tints[int(rng.integers(len(tints)))]
        power = between(rng, 0.15, 1.4) * (1.0 if i == 0 else 0.5) * (0.3 if dim else 1.0)
        if count <= 2:
            around, height = between(rng, 0, 6.28), between(rng, 0.42, 1.5)
        else:  # a row of spotlights
            height, around = max(0.42, height - 0.15), around + between(rng, 0.15, 0.5)
        way = unit((math.cos(around) * math.cos(height), math.sin(around) * math.cos(height), math.sin(height)))
        size = math.exp(between(rng, -4.6, -2.2)) if soft < 0.45 else between(rng, 0.1, 0.6)
        if eye and i == 0 and rng.random() < 0.14:
            far = math.hypot(*eye)
            way = unit((-eye[0] / far + rng.normal(0, 0.12), -eye[1] / far + rng.normal(0, 0.12), eye[2] / far))
            power, size = between(rng, 1.0, 3.0), between(rng, 0.02, 0.25)
        found.append(Lamp(way, (tint[0] * power, tint[1] * power, tint[2] * power), size, *_part(rng, reach)))
    tint, level = tints[int(rng.integers(len(tints)))], between(rng, 0.08, 0.7) * (0.25 if dim else 1.0)
    return tuple(found), (tint[0] * level, tint[1] * level, tint[2] * level)


def _part(rng: Chance, reach: float) -> tuple[Quad | None, tuple[Quad, ...]]:
    """The part of the table that a lamp lights: all of it, a pool of light, or all but the shadow of an obstacle."""
    pool = None
    if rng.random() < 0.25:
        pool = (
            between(rng, -reach, reach),
            between(rng, -reach, reach),
            reach * between(rng, 0.6, 2.5),
            between(rng, 0.05, 0.6),
        )
    edges: tuple[Quad, ...] = ()
    if rng.random() < 0.16:
        edges = tuple(
            (math.cos(a), math.sin(a), between(rng, -0.9, 0.3) * reach, reach * between(rng, 0.01, 0.25))
            for a in rng.uniform(0, 6.28, int(rng.integers(1, 3)))
        )
    return pool, edges


def panels(rng: Chance, scene: Scene, odd: bool = False) -> tuple[Panel, ...]:
    """Lamps and windows that polished dice reflect. Some of these panels are placed so that the camera sees their
    reflection in the top face of a die."""
    level = [a + sum(lamp.colour[c] for lamp in scene.lamps) * 0.7 for c, a in enumerate(scene.ambient)]
    power = math.exp(between(rng, math.log(14), math.log(60)))
    colour = (level[0] * power, level[1] * power, level[2] * power)
    ways = [_mirrored_in(rng, scene.camera.eye, scene.dice) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(int(rng.integers(0, 3))):  # panels that only rounded edges and pips reflect
        around, height = between(rng, 0, 6.28), between(rng, 0.3, 1.3)
        ways.append((math.cos(around) * math.cos(height), math.sin(around) * math.cos(height), math.sin(height)))
    kinds = {"strip": 4.0, "box": 3.0, "window": 2.0, "ring": 1.0}
    kind = pick(rng, kinds | {"spot": 3.0} if odd else kinds)
    turn = between(rng, 0, 3.14)
    return tuple(_panel(rng, kind, way, turn, colour) for way in ways)


def _mirrored_in(rng: Chance, eye: Vec, dice: Sequence[Die]) -> Vec:
    """Roughly the direction in which the top face of a random die reflects the camera's line of sight."""
    at = dice[int(rng.integers(len(dice)))].centre
    far = math.dist(at, eye)
    x, y, z = ((a - b) / far for a, b in zip(at, eye, strict=True))
    return unit((x + rng.normal(0, 0.06), y + rng.normal(0, 0.06), -z))


def _panel(rng: Chance, kind: str, towards: Vec, turn: float, colour: Colour) -> Panel:
    flat = math.hypot(towards[0], towards[1])
    x, y = (towards[0] / flat, towards[1] / flat) if flat > 1e-6 else (1.0, 0.0)
    c, s = math.cos(turn), math.sin(turn)
    # Start with the horizontal and upright directions as seen from the table, then rotate them.
    along = unit((-y * c - x * towards[2] * s, x * c - y * towards[2] * s, flat * s))
    if kind == "spot":  # a bare bulb: a ring without a hole, about as large as a pip
        r = between(rng, 0.008, 0.035)
        return Panel("ring", towards, along, (r, r), colour)
    half = {
        "strip": (between(rng, 0.1, 0.7), between(rng, 0.008, 0.03)),
        "box": (between(rng, 0.025, 0.07), between(rng, 0.015, 0.045)),
        "window": (between(rng, 0.035, 0.085), between(rng, 0.03, 0.06)),
        "ring": (between(rng, 0.06, 0.2), between(rng, 0.008, 0.025)),
    }[kind]
    return Panel(kind, towards, along, half, colour)


def sensor(rng: Chance, die_px: float) -> Sensor:
    cheap = rng.random()
    blur = between(rng, 0.3, 0.8) if rng.random() < 0.6 else between(rng, 0.6, max(0.9, min(die_px, 68) * 0.035))
    smear = (0.0, 0.0)
    if rng.random() < 0.1:
        a, far = between(rng, 0, 6.28), between(rng, 0.5, die_px * 0.1)
        smear = (math.cos(a) * far, math.sin(a) * far)
    b = between(rng, -0.18, 0.18)
    vignette = between(rng, 0, 0.5) if rng.random() < 0.5 else 0.0
    return Sensor(
        exposure=math.exp(rng.normal(0.1, 0.33)) * (between(rng, 1.4, 2.4) if rng.random() < 0.08 else 1.0),
        auto=between(rng, 0.3, 0.9),
        balance=(1 - b, 1 + between(rng, -0.04, 0.04), 1 + b),
        gamma=between(rng, 1.9, 2.5),
        contrast=between(rng, -0.1, 0.6),
        saturation=between(rng, 0.6, 1.3),
        haze=between(rng, 0, 0.12) if rng.random() < 0.25 else 0.0,
        vignette=between(rng, 0.5, 0.9) if rng.random() < 0.1 else vignette,
        defocus=blur,
        smear=smear,
        shift=between(rng, -1.2, 1.2) if rng.random() < 0.25 else 0.0,
        shrink=between(rng, 0.6, 1.0) if cheap < 0.2 and die_px > 35 else 1.0,
        sharpen=between(rng, 0.2, 1.6) if rng.random() < 0.4 else 0.0,
        shot=between(rng, 0, 0.05) ** 1.3,
        read=between(rng, 0, 0.015),
        grain=float(rng.choice((0.0, 0.0, 0.5, 0.8))),
        jpeg=0 if rng.random() < 0.15 else int(rng.integers(45, 97)),
        seed=int(rng.integers(1 << 30)),
    )
