"""Random looks: colours, and the surfaces that dice lie on.

Its one rule: all randomness comes from the generator that is passed in, and results are realistic, not just possible.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterable, Mapping

import numpy as np

from vision.render.scene import Colour, Table
from vision.render.tables import PATTERNS, UNSEEN

Chance = np.random.Generator


def between(rng: Chance, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def pick(rng: Chance, weights: Mapping[str, float]) -> str:
    p = np.array(list(weights.values()))
    return str(list(weights)[int(rng.choice(len(weights), p=p / p.sum()))])


def hsv(h: float, s: float, v: float) -> Colour:
    """Convert HSV to linear light."""
    r, g, b = colorsys.hsv_to_rgb(h % 1, min(max(s, 0), 1), min(max(v, 0), 1))
    return b**2.2, g**2.2, r**2.2


def hue(rng: Chance, name: str) -> Colour:
    """A random shade of a named colour."""
    h, s, v, dh, ds, dv = {
        "white": (0.12, 0.03, 0.93, 0.1, 0.03, 0.06),
        "cream": (0.12, 0.2, 0.88, 0.03, 0.1, 0.06),
        "black": (0.6, 0.2, 0.12, 0.4, 0.2, 0.08),
        "red": (0.99, 0.85, 0.72, 0.03, 0.12, 0.18),
        "blue": (0.61, 0.8, 0.6, 0.05, 0.18, 0.22),
        "green": (0.4, 0.75, 0.5, 0.08, 0.2, 0.2),
        "yellow": (0.14, 0.8, 0.9, 0.02, 0.15, 0.08),
        "orange": (0.055, 0.85, 0.88, 0.02, 0.12, 0.1),
        "purple": (0.78, 0.65, 0.45, 0.05, 0.2, 0.2),
        "pink": (0.93, 0.45, 0.85, 0.04, 0.2, 0.1),
        "grey": (0.6, 0.06, 0.5, 0.3, 0.06, 0.2),
        "brown": (0.07, 0.6, 0.42, 0.03, 0.15, 0.15),
        "teal": (0.5, 0.7, 0.55, 0.04, 0.2, 0.2),
        "gold": (0.12, 0.65, 0.78, 0.02, 0.1, 0.1),
        "silver": (0.6, 0.04, 0.78, 0.1, 0.03, 0.1),
        "smoke": (0.04, 0.12, 0.27, 0.06, 0.1, 0.08),
        "umber": (0.05, 0.4, 0.24, 0.03, 0.15, 0.07),
        "steel": (0.57, 0.8, 0.55, 0.03, 0.15, 0.13),
        "crimson": (0.97, 0.82, 0.62, 0.03, 0.12, 0.12),
        "navy": (0.62, 0.75, 0.5, 0.04, 0.15, 0.12),
        "ash": (0.1, 0.08, 0.5, 0.1, 0.06, 0.1),
    }[name]
    d = rng.uniform(-1, 1, 3)
    return hsv(h + dh * float(d[0]), s + ds * float(d[1]), v + dv * float(d[2]))


def tuple3(levels: Iterable[float]) -> Colour:
    b, g, r = levels
    return b, g, r


def bright(colour: Colour) -> float:
    return 0.1 * colour[0] + 0.6 * colour[1] + 0.3 * colour[2]


WEIGHTS = {
    "wood": 20,
    "planks": 5,
    "felt": 9,
    "plain": 22,
    "weave": 6,
    "tweed": 4,
    "carpet": 7,
    "ribbed": 2,
    "leather": 4,
    "stone": 4,
    "terrazzo": 3,
    "dots": 4,
    "basket": 3,
    "loops": 4,
    "checks": 3,
    "stripes": 2,
    "print": 3,
    "board": 4,
    "ruled": 3,
}
FEATURE = {
    "wood": (0.12, 0.5),
    "planks": (0.15, 0.6),
    "felt": (0.04, 0.15),
    "plain": (0.1, 0.5),
    "weave": (0.06, 0.3),
    "tweed": (0.07, 0.2),
    "carpet": (0.07, 0.22),
    "ribbed": (0.06, 0.15),
    "leather": (0.06, 0.25),
    "stone": (0.1, 0.5),
    "terrazzo": (0.15, 0.7),
    "dots": (0.15, 1.5),
    "basket": (0.1, 0.5),
    "loops": (0.1, 0.35),
    "checks": (0.2, 2.5),
    "stripes": (0.2, 2.5),
    "print": (0.12, 0.4),
    "board": (0.3, 1.0),
    "ruled": (0.3, 0.8),
    "cork": (0.1, 0.4),
    "brushed": (0.1, 0.4),
    "tiles": (2.0, 8.0),
}


def surface(rng: Chance, die: float, pixel: float, unseen: bool = False, kind: str = "") -> Table:
    """A random surface with a pattern that suits dice of this size. Features of regular patterns are at least 2.5
    pixels across."""
    kind = kind or (str(rng.choice(UNSEEN)) if unseen else pick(rng, WEIGHTS))
    assert kind in PATTERNS
    low, high = FEATURE[kind]
    scale = math.exp(between(rng, math.log(low), math.log(high))) * die
    scale = max(
        scale,
        pixel * (2.5 if kind in ("weave", "tweed", "ribbed", "dots", "checks", "stripes", "basket", "loops") else 0.8),
    )
    gloss = 0.0
    if kind in ("wood", "planks", "cork", "brushed"):
        h, s, v = between(rng, 0.03, 0.11), between(rng, 0.15, 0.75), between(rng, 0.2, 0.85)
        k = between(rng, 0.3, 0.92)
        colours: tuple[Colour, ...] = (hsv(h, s, v), hsv(h - between(rng, 0, 0.03), min(1, s * 1.15), v * k))
        gloss = between(rng, 0, 1) if rng.random() < 0.5 else 0.0
    elif kind == "felt":
        a = (
            hsv(between(rng, 0.25, 0.75), between(rng, 0.3, 0.9), between(rng, 0.15, 0.6))
            if rng.random() < 0.7
            else any_colour(rng)
        )
        colours = (a, (a[0] * 0.8, a[1] * 0.8, a[2] * 0.8))
    elif kind == "plain":
        a = (
            hsv(between(rng, 0, 1), between(rng, 0, 0.12), between(rng, 0.6, 0.98))
            if rng.random() < 0.6
            else any_colour(rng)
        )
        k = between(rng, 0.85, 1.0)
        colours = (a, (a[0] * k, a[1] * k, a[2] * k))
        gloss = between(rng, 0, 1) if rng.random() < 0.6 else 0.0
    elif kind == "basket" and rng.random() < 0.5:
        colours = (hue(rng, "black"), hue(rng, pick(rng, {"white": 3, "cream": 1})))
    elif kind in ("carpet", "ribbed", "leather", "stone", "loops"):
        a = any_colour(rng, 0.4)
        k = between(rng, 0.4, 0.95)
        colours = (a, (a[0] * k, a[1] * k, a[2] * k))
        gloss = between(rng, 0, 0.8) if kind in ("leather", "stone") else 0.0
    elif kind in ("print", "ruled"):
        colours = (
            hsv(0.12, between(rng, 0, 0.15), between(rng, 0.8, 0.98)),
            hsv(between(rng, 0, 1), 0.5, between(rng, 0.05, 0.5)),
        )
    elif kind == "terrazzo":
        h, s = between(rng, 0, 1), between(rng, 0, 0.35)
        colours = tuple(hsv(h + rng.normal(0, 0.05), s, v) for v in rng.uniform(0.15, 0.95, 5))
    else:
        colours = tuple(
            any_colour(rng)
            for _ in range(2 if kind in ("dots", "checks", "stripes", "weave", "tweed", "basket") else 5)
        )
    return Table(
        kind,
        colours,
        scale,
        between(rng, 0, 6.28),
        between(rng, 0.15, 1.0),
        gloss,
        math.exp(between(rng, -3.3, -0.9)),
        int(rng.integers(1 << 30)),
    )


def any_colour(rng: Chance, most: float = 1.0) -> Colour:
    return hsv(between(rng, 0, 1), between(rng, 0, 1) ** 1.6 * 0.85 * most, between(rng, 0.1, 0.95))
