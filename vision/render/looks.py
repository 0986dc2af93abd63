"""Random looks: the materials of dice, and the surfaces they lie on.

Its one rule: all randomness comes from the generator that is passed in, and results are realistic, not just possible.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterable, Mapping

import numpy as np

from vision.render.scene import Colour, Material, Table
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


def material(rng: Chance, unseen: bool = False) -> Material:
    kind = pick(
        rng,
        {"glitter": 1, "jade": 1, "bone": 1}
        if unseen
        else {
            "plain": 42,
            "marble": 13,
            "pearl": 7,
            "speckle": 9,
            "clear": 12,
            "gem": 9,
            "faint": 6,
            "wood": 5,
            "metal": 4,
            "swirl": 11,
            "dusk": 9,
        },
    )
    name = pick(
        rng,
        {
            "white": 30,
            "cream": 9,
            "black": 11,
            "red": 11,
            "blue": 9,
            "green": 8,
            "yellow": 6,
            "orange": 4,
            "purple": 5,
            "pink": 3,
            "grey": 2,
            "brown": 2,
            "teal": 3,
        },
    )
    if kind == "wood":
        name = pick(rng, {"brown": 2, "gold": 1, "cream": 1})
    elif kind == "metal":
        name = pick(rng, {"silver": 3, "gold": 2, "grey": 2, "brown": 1, "blue": 0.5, "red": 0.5})
    elif kind == "bone":
        name = "cream"
    elif kind == "jade":
        name = pick(rng, {"green": 2, "teal": 1})
    elif kind == "gem":
        name = pick(rng, {"red": 3, "blue": 2, "green": 2, "purple": 2, "black": 1, "brown": 1})
    elif kind == "faint":
        name = pick(rng, {a: 1 for a, _ in FAINT})
    elif kind == "dusk":
        name = pick(rng, {"smoke": 5, "black": 2, "umber": 2, "steel": 4})
    base = hue(rng, name)
    if kind == "gem":
        k = between(rng, 0.08, 0.5)
        base = (base[0] * k + 0.003, base[1] * k + 0.003, base[2] * k + 0.003)
    vein, scale, mix, second = "", (0.2, 0.2, 0.2), 0.0, base
    clear, metal = 0.0, 0.0
    gloss, rough = between(rng, 0.1, 1.0), between(rng, 0.03, 0.3)
    if kind in ("marble", "swirl", "jade"):
        vein, mix = pick(rng, {"cloud": 1, "ridge": 1, "blotch": 1}), between(rng, 0.3, 1)
        second = hue(rng, pick(rng, {"white": 2, "black": 3, "red": 1, "blue": 1, "green": 1, "purple": 1, "gold": 1}))
        s = between(rng, 0.08, 0.25)
        scale = (s, s * between(rng, 0.5, 2), s)
        if kind == "swirl":
            vein, mix = pick(rng, {"cloud": 2, "ridge": 1}), 1.0
    elif kind == "pearl":
        k = between(rng, 0.5, 1.6)
        vein, mix, second = "cloud", 0.8, (base[0] * k, base[1] * k, base[2] * k)
        gloss, rough, metal = between(rng, 0.7, 1.0), between(rng, 0.08, 0.25), between(rng, 0.05, 0.35)
    elif kind in ("speckle", "glitter"):
        vein, mix = pick(rng, {"white": 1, "fine": 1, "chip": 1}), between(rng, 0.3, 0.9)
        second = hue(rng, pick(rng, {"white": 2, "black": 2, "gold": 1, "silver": 1}))
        s = between(rng, 0.08, 0.3)
        scale = (s, s, s)
    elif kind in ("wood", "bone"):
        k = between(rng, 0.35, 0.8) if kind == "wood" else 0.75
        vein, mix, second = (
            pick(rng, {"grain": 1, "streak": 1}),
            between(rng, 0.4, 1),
            (base[0] * k * 0.8, base[1] * k * 0.9, base[2] * k),
        )
        scale = (between(rng, 0.05, 0.15), between(rng, 0.3, 0.8), between(rng, 0.3, 0.8))
        gloss, rough = between(rng, 0, 0.4), between(rng, 0.15, 0.4)
    if kind in ("clear", "gem"):
        clear, gloss, rough = between(rng, 0.35, 0.9), between(rng, 0.5, 1), between(rng, 0.02, 0.12)
    if kind == "dusk":  # smoky or metallic dice, with a darker cloud inside
        k = between(rng, 0.1, 0.8)
        vein, mix, second = "cloud", between(rng, 0.2, 1.0), (base[0] * k, base[1] * k, base[2] * k)
        scale = (between(rng, 0.08, 0.2),) * 3
        metal = between(rng, 0.1, 0.5) if name == "steel" else 0.0
    if kind == "metal":
        metal, gloss, rough = between(rng, 0.5, 1), between(rng, 0.5, 1), between(rng, 0.05, 0.3)
    ink = inks(rng, tuple3(a * (1 - mix / 2) + b * mix / 2 for a, b in zip(base, second, strict=True)))
    if kind in ("faint", "dusk"):
        dim = DUSK[name] if kind == "dusk" else {b: 1.0 for a, b in FAINT if a == name}
        ink = _faint_ink(rng, dim, base) or ink
    told = min(_contrast(ink[1], second), _contrast(ink[1], base))
    if vein and told < 2 and kind != "dusk":  # nobody sells dice whose marbling hides the pips
        mix = min(mix, 0.2)
    ring = rng.random() < 0.07
    bulge, wear, sag = between(rng, 0.03, 0.12), between(rng, 0, 0.9) ** 2, 0.0
    if kind not in ("wood", "bone", "metal") and rng.random() < (0.75 if kind == "dusk" else 0.6):
        gloss, rough, wear = between(rng, 0.6, 1.0), between(rng, 0.003, 0.03), wear * 0.3
        bulge = between(rng, 0.05, 0.14) * (1 if rng.random() < 0.7 else -1)
        sag = between(rng, 0.0, 0.25)
    return Material(
        colour=base,
        second=second,
        vein=vein,
        vein_scale=scale,
        vein_mix=mix,
        pips=ink,
        drilled=between(rng, 0.15, 0.9) if rng.random() < 0.75 else 0.0,
        sag=sag,
        ring=between(rng, 0.15, 0.4) if ring else 0.0,
        ring_colour=hue(rng, pick(rng, {"gold": 1, "white": 1, "black": 1, "red": 1})),
        eye=unseen and bool(rng.random() < 0.2),
        gloss=gloss,
        rough=rough,
        bulge=bulge,
        clear=clear,
        metal=metal,
        wear=wear,
        seed=int(rng.integers(1 << 30)),
    )


def _contrast(a: Colour, b: Colour) -> float:
    high, low = max(bright(a), bright(b)) + 0.03, min(bright(a), bright(b)) + 0.03
    return high / low


# Body and pip colours that are sold together although they are hard to tell apart.
FAINT = (
    ("brown", "gold"),
    ("brown", "black"),
    ("grey", "silver"),
    ("grey", "black"),
    ("black", "red"),
    ("black", "grey"),
    ("blue", "black"),
    ("purple", "black"),
    ("green", "black"),
    ("red", "black"),
    ("white", "silver"),
    ("cream", "gold"),
    ("yellow", "white"),
    ("pink", "white"),
    ("orange", "red"),
)
# Dark bodies and their dim pips, weighted by how often they are sold.
DUSK: dict[str, dict[str, float]] = {
    "smoke": {"crimson": 4, "navy": 1, "ash": 1},
    "black": {"crimson": 3, "navy": 1, "ash": 1},
    "umber": {"crimson": 2, "ash": 1},
    "steel": {"crimson": 1},
}
Six = tuple[Colour, Colour, Colour, Colour, Colour, Colour]


def _faint_ink(rng: Chance, wanted: Mapping[str, float], body: Colour) -> Six | None:
    """One colour for all pips, which is hard to see on this body but still visible. Returns None if no wanted colour is
    visible."""
    for _ in range(12):
        ink = hue(rng, pick(rng, wanted))
        apart = max(abs(a**0.45 - b**0.45) for a, b in zip(ink, body, strict=True))
        if _contrast(ink, body) > 1.5 or apart > 0.25:
            return (ink,) * 6
    return None


def inks(rng: Chance, paint: Colour) -> Six:
    """Pip colours that stand out from the body: mostly black on light and white on dark."""
    body = bright(paint)
    for _ in range(20):
        if body > 0.22:
            name = pick(
                rng,
                {
                    "black": 26,
                    "red": 3,
                    "blue": 3,
                    "green": 2,
                    "brown": 1,
                    "purple": 1,
                    "white": 2 if body < 0.4 else 0,
                },
            )
        else:
            name = pick(
                rng,
                {"white": 24, "cream": 3, "gold": 4, "silver": 2, "yellow": 2, "red": 3, "blue": 1.5, "black": 1.5},
            )
        ink = hue(rng, name)
        # Accept colours that differ in brightness, or only in hue, like red on blue.
        apart = max(abs(a**0.45 - b**0.45) for a, b in zip(ink, paint, strict=True))
        if (max(bright(ink), body) + 0.03) / (min(bright(ink), body) + 0.03) > 2.2 or apart > 0.42:
            break
    else:
        ink = hsv(0, 0, 0.04) if body > 0.15 else hsv(0, 0, 0.95)
    every = [ink] * 6
    if body > 0.3 and rng.random() < 0.22:  # Asian dice: the one is red, and often the four too
        every[0] = hue(rng, "red")
        if rng.random() < 0.6:
            every[3] = every[0]
    elif body > 0.3 and rng.random() < 0.06:  # each value in its own colour
        every = [hue(rng, str(rng.choice(["black", "red", "blue", "green", "purple", "brown"]))) for _ in range(6)]
    return every[0], every[1], every[2], every[3], every[4], every[5]


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
