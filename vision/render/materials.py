"""Random materials of dice: body, marbling, gloss, and the colours of pips.

Its one rule: all randomness comes from the generator that is passed in, and results are realistic, not just possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vision.render.looks import Chance, between, bright, hsv, hue, pick, tuple3
from vision.render.scene import Colour, Material

KINDS = {
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
}
ODD = {"casino": 10, "halves": 6}


def material(rng: Chance, unseen: bool = False, odd: bool = False) -> Material:
    """A random material. With `odd`, some dice are of kinds that are rare at a table but must be read too: with the far
    side shining through, of two colours, with worn or hollow pips, or pips of several colours."""
    kind = pick(
        rng,
        {"glitter": 1, "jade": 1, "bone": 1} if unseen else KINDS | ODD if odd else KINDS,
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
    elif kind == "casino":
        name = pick(
            rng, {"red": 5, "blue": 2, "green": 2, "purple": 2, "orange": 1, "yellow": 1, "white": 1, "teal": 1}
        )
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
    elif kind == "halves":  # two colours that meet in the middle of the die
        vein, mix, scale = "halves", 1.0, (between(rng, 0.05, 0.2),) * 3
        second = hue(rng, pick(rng, {"white": 2, "black": 1, "red": 1, "blue": 2, "green": 1, "purple": 2, "gold": 1}))
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
    elif kind == "casino":  # the pips of the hidden sides shine through
        clear, gloss, rough = between(rng, 0.6, 0.92), between(rng, 0.5, 1), between(rng, 0.01, 0.1)
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
    stuff = Material(
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
        far_pips=0.3 + 0.3 * clear if clear else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
    return _odd(rng, stuff, kind) if odd and not unseen else stuff


def _odd(rng: Chance, stuff: Material, kind: str) -> Material:
    """The material with rarer kinds of pips."""
    if kind == "casino":
        stuff = replace(stuff, far_pips=between(rng, 0.6, 1.0), murk=between(rng, 0.03, 0.2))
    elif stuff.clear:
        stuff = replace(stuff, far_pips=between(rng, 0.2, 0.9), murk=between(rng, 0.05, 0.45))
    way = rng.random()
    if way < 0.08:
        stuff = replace(stuff, faded=between(rng, 0.15, 0.6))
    elif way < 0.12:
        stuff = replace(stuff, hollow=between(rng, 0.3, 0.6))
    elif way < 0.18 and bright(stuff.colour) > 0.3:
        stuff = replace(stuff, pips=_each_its_own(rng))
    return stuff


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
    elif body > 0.3 and rng.random() < 0.06:
        return _each_its_own(rng)
    return every[0], every[1], every[2], every[3], every[4], every[5]


def _each_its_own(rng: Chance) -> Six:
    """A dark colour for each value."""
    a, b, c, d, e, f = (
        hue(rng, str(rng.choice(["black", "red", "blue", "green", "purple", "brown"]))) for _ in range(6)
    )
    return a, b, c, d, e, f
