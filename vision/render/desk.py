"""What lies on desks: keyboards, keys on a ring, pens, plugs, batteries, lenses of phones, power sockets.

Its one rule: as in clutter.py, things are painted flat. Each looks like itself at the size of a die, too.
"""

from __future__ import annotations

import math

import numpy as np

from vision.render.brush import DARK, Ink, Painter, box, disc, ink, slab, stroke, write
from vision.render.scene import Array, Colour, Point, Thing

WHITE: Ink = (0.85, 0.87, 0.88, 1.0)
STEEL: Colour = (0.42, 0.42, 0.42)
BRASS: Colour = (0.12, 0.32, 0.48)
LEGENDS = (*"QWERTYUIOPASDFGHJKLZXCVBNM1234567890", "F5", "F12", "Esc", "Tab", "Alt", "Fn", ";:", ",<", ".>", "=+", "")


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _mix(a: Colour, b: Colour, k: float) -> Colour:
    return (a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k, a[2] + (b[2] - a[2]) * k)


def _rod(page: Array, x0: float, x1: float, y: float, w: float, colour: Colour, gloss: float = 1.0) -> None:
    """A rod along x, lit from one side: bands from dark to light and back, with a narrow highlight."""
    for low, high, light in (
        (-1.0, 1.0, 0.35),
        (-0.92, 0.72, 0.7),
        (-0.8, 0.45, 1.0),
        (-0.62, 0.05, 1.25),
    ):
        box(page, (x0 + x1) / 2, y + w * (low + high) / 2, (x1 - x0) / 2, w * (high - low) / 2, ink(colour, light))
    shine = ink(_mix(colour, (1.0, 1.0, 1.0), 0.55 * gloss), 1.1)
    box(page, (x0 + x1) / 2, y - w * 0.38, (x1 - x0) / 2, w * 0.08, shine)


def _keyboard(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A block of a keyboard: staggered rows of keycaps with legends, some of them wide."""
    box(page, 0, 0, 0.98, 0.98, ink(t.colour, _between(rng, 0.1, 0.4)), 0.03)
    rows = int(rng.integers(2, 6))
    pitch = 1.92 / rows
    gap, high, round_ = _between(rng, 0.03, 0.09), _between(rng, 0.0, 0.16), _between(rng, 0.05, 0.2)
    font, scale, corner = int(rng.choice((0, 0, 2, 3))), _between(rng, 0.14, 0.3), rng.random() < 0.4
    plain = rng.random() < 0.12
    for j in range(rows):
        y = -0.96 + (j + 0.5) * pitch
        x = -0.96 - pitch * (0.0, 0.25, 0.5, 0.75)[j % 4] * float(rng.random() < 0.8)
        while x < 0.96:
            wide = pitch * (1.0 if rng.random() < 0.88 else _between(rng, 1.25, 3.5))
            left, right = max(x, -0.96), min(x + wide, 0.96)
            x += wide
            if right - left < 0.3 * pitch:
                continue
            mid, half = (left + right) / 2, (right - left) / 2 - gap * pitch / 2
            tone = t.second if rng.random() < 0.04 else t.colour
            r = round_ * pitch / 2
            box(page, mid, y, half, pitch * (0.5 - gap / 2), ink(tone, 0.55), r)
            inset = high * pitch
            top = half - inset * 0.7, pitch * (0.5 - gap / 2) - inset * 0.8
            box(page, mid, y + inset * 0.3, top[0], top[1], ink(tone, 1.0), r)
            box(page, mid, y + inset * 0.3, top[0] * 0.8, top[1] * 0.8, ink(tone, 1.06), r)
            if not plain and wide < 1.2 * pitch:
                legend, size = str(rng.choice(LEGENDS)), pitch * scale
                at = (mid - top[0] * 0.4, y + top[1] * 0.3) if corner else (mid, y + inset * 0.3)
                write(page, legend, at[0], at[1], size / (1 + 0.5 * (len(legend) > 1)), ink(t.second), font)
    if rng.random() < 0.3:  # a ball of light, as from a lamp above glossy keys
        x, y = _between(rng, -0.6, 0.6), _between(rng, -0.6, 0.6)
        stroke(page, [(x - 0.1, y), (x + 0.1, y + 0.02)], 0.03, ink(_mix(t.colour, (1, 1, 1), 0.5)))


def _keycap(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """One loose or single key of a keyboard, square, with a legend or a symbol."""
    r, rise = _between(rng, 0.08, 0.3), _between(rng, 0.08, 0.24)
    box(page, 0, 0, 0.93, 0.93, ink(t.colour, 0.5), r)
    box(page, 0, rise * 0.3, 0.93 - rise, 0.93 - rise, ink(t.colour), r)
    box(page, 0, rise * 0.3, 0.8 - rise, 0.82 - rise, ink(t.colour, 1.08), r * 0.8)
    if rng.random() < 0.9:
        legend = str(rng.choice(LEGENDS))
        x, y = (-0.3, 0.3) if rng.random() < 0.4 else (0.0, rise * 0.3)
        write(page, legend, x, y, _between(rng, 0.22, 0.4) / (1 + 0.5 * (len(legend) > 1)), ink(t.second))
    if rng.random() < 0.2:  # a lamp, or the bump of a home key
        box(page, 0.0, -0.45, 0.14, 0.03, ink(t.second, 0.8))


def _key(page: Array, at: Point, a: float, long: float, rng: np.random.Generator, paint: Colour, t: Thing) -> None:
    """A key from its ring at `at` in direction `a`: a bow, perhaps of coloured plastic, and a blade with teeth."""
    c, s = math.cos(a), math.sin(a)

    def spot(u: float, v: float) -> Point:
        return at[0] + long * (u * c - v * s), at[1] + long * (u * s + v * c)

    w = _between(rng, 0.055, 0.08)
    teeth = [(u, w * _between(rng, 0.2, 1.0)) for u in np.linspace(0.5, 0.93, int(rng.integers(5, 9)))]
    blade = [
        spot(0.3, -w),
        spot(0.95, -w),
        spot(1.0, 0.0),
        *(spot(float(u), v) for u, v in reversed(teeth)),
        spot(0.45, w),
    ]
    slab(page, [(x + 0.012, y - 0.016) for x, y in blade], ink(paint, 0.25))
    slab(page, blade, ink(paint, 1.0))
    stroke(page, [spot(0.32, -w * 0.45), spot(0.94, -w * 0.45)], 0.012, ink(paint, 0.45))
    stroke(page, [spot(0.32, -w * 0.75), spot(0.93, -w * 0.75)], 0.01, ink(paint, 1.9))
    plastic = rng.random() < 0.35
    bow = t.colour if plastic else paint
    x, y = spot(0.18, 0)
    r = long * _between(rng, 0.17, 0.22)
    if rng.random() < 0.5:
        disc(page, x + 0.012, y - 0.016, r, ink(bow, 0.3))
        disc(page, x, y, r, ink(bow))
        disc(page, x, y, r * 0.82, ink(bow, 1.15))
    else:
        n = int(rng.choice((4, 6, 8)))
        ring = [
            (math.cos(a + (i + 0.5) * 2 * math.pi / n), math.sin(a + (i + 0.5) * 2 * math.pi / n)) for i in range(n)
        ]
        slab(page, [(x + 0.012 + r * 1.1 * u, y - 0.016 + r * 1.1 * v) for u, v in ring], ink(bow, 0.3))
        slab(page, [(x + r * 1.1 * u, y + r * 1.1 * v) for u, v in ring], ink(bow))
        slab(page, [(x + r * 0.9 * u, y + r * 0.9 * v) for u, v in ring], ink(bow, 1.15))
    if rng.random() < 0.5:
        write(page, str(rng.choice(("ABUS", "YALE", "CISA", "EVVA", "24"))), x, y, r * 0.2, ink(bow, 0.5))
    hole = spot(0.07, 0)
    disc(page, hole[0], hole[1], r * 0.3, DARK)
    disc(page, hole[0], hole[1] - r * 0.06, r * 0.24, ink(t.second, 0.3))


def _keyring(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A bunch of metal keys on a ring."""
    ring, first = (_between(rng, -0.3, 0.3), _between(rng, -0.3, 0.3)), _between(rng, 0, 6.28)
    r = _between(rng, 0.13, 0.2)
    for k in range(int(rng.integers(2, 6))):
        a = first + k * _between(rng, 0.3, 1.1)
        paint = _mix(STEEL if rng.random() < 0.65 else BRASS, (0.9, 0.9, 0.9), _between(rng, 0, 0.3))
        at = (ring[0] + r * 0.7 * math.cos(a), ring[1] + r * 0.7 * math.sin(a))
        _key(page, at, a, _between(rng, 0.5, 0.68), rng, paint, t)
    disc(page, ring[0], ring[1], r, ink(STEEL, 0.4), 0.045)
    disc(page, ring[0], ring[1], r + 0.005, ink(STEEL, 1.6), 0.015)


def _pen(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A ballpoint pen or a felt pen with its tip, grip, clip and round end."""
    w = _between(rng, 0.04, 0.075)
    clear = rng.random() < 0.3
    metal = _mix(STEEL if rng.random() < 0.6 else BRASS, (1, 1, 1), _between(rng, 0, 0.3))
    _rod(page, -0.6, 0.85, 0, w, _mix(t.colour, (0.6, 0.6, 0.6), 0.7) if clear else t.colour)
    if clear:  # the refill shows through
        box(page, 0.0, w * 0.1, 0.75, w * 0.35, ink(t.second, 0.5))
    tip = [(-0.6, -w), (-0.88, -w * 0.25), (-0.88, w * 0.25), (-0.6, w)]
    slab(page, tip, ink(metal if rng.random() < 0.6 else t.second, 0.6))
    slab(page, [(-0.6, -w * 0.7), (-0.88, -w * 0.2), (-0.88, 0.0), (-0.6, 0.0)], ink(metal, 1.3))
    slab(page, [(-0.88, -w * 0.2), (-0.96, 0), (-0.88, w * 0.2)], ink(metal))
    if rng.random() < 0.6:  # a rubber grip with grooves
        _rod(page, -0.58, -0.2, 0, w * 1.08, _mix(t.second, (0, 0, 0), 0.4), 0.2)
        for x in np.arange(-0.55, -0.22, _between(rng, 0.03, 0.06)):
            stroke(page, [(float(x), -w), (float(x), w)], 0.01, ink(t.second, 0.25))
    if rng.random() < 0.5:
        _rod(page, 0.3, 0.33, 0, w * 1.1, metal)
    end = rng.random()
    if end < 0.6:  # a push button
        _rod(page, 0.85, 0.95, 0, w * 0.55, metal if end < 0.3 else t.second)
    else:
        disc(page, 0.85, 0, w, ink(t.second, 0.7))
        disc(page, 0.85, -w * 0.2, w * 0.7, ink(t.second, 1.2))
    if rng.random() < 0.8:  # the clip, and its shadow
        box(page, 0.6, w * 0.2, 0.24, w * 0.3, ink(t.colour, 0.2))
        box(page, 0.6, 0, 0.24, w * 0.26, ink(metal if end < 0.5 else t.second), w * 0.2)
        box(page, 0.6, -w * 0.08, 0.22, w * 0.07, ink(metal, 1.8))
        disc(page, 0.4, 0, w * 0.36, ink(metal, 0.9))
        disc(page, 0.4, -w * 0.1, w * 0.2, ink(metal, 1.7))


def _marker(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A thick marker, a glue stick or a lipstick: a body with a label, a cap and a flat or round end."""
    w = _between(rng, 0.12, 0.22)
    _rod(page, -0.35, 0.9, 0, w, _mix(t.second, (0.8, 0.8, 0.8), 0.5))
    box(page, 0.35, 0, 0.35, w * 0.98, ink(t.colour, 0.9))
    box(page, 0.35, -w * 0.35, 0.35, w * 0.25, ink(t.colour, 1.25))
    write(page, str(rng.choice(("MARKER", "M 301", "edge", "0.7", "PRO 90"))), 0.32, 0, w * 0.28, WHITE)
    _rod(page, -0.92, -0.3, 0, w * 1.04, t.colour)
    for x in np.linspace(-0.88, -0.5, int(rng.integers(2, 7))) if rng.random() < 0.5 else ():
        stroke(page, [(float(x), -w), (float(x), w)], 0.012, ink(t.colour, 0.4))
    if rng.random() < 0.6:
        box(page, -0.55, -w * 0.1, 0.27, w * 0.16, ink(t.colour, 1.5), w * 0.1)
    disc(page, 0.88, 0, w * _between(rng, 0.5, 0.98), ink(t.colour, 0.7))


def _plug(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A USB, audio or network plug on its cable."""
    bend = _between(rng, -0.6, 0.6)
    way = [(x, bend * max(0.0, x - 0.1) ** 2) for x in (float(v) for v in np.linspace(0.05, 1.0, 16))]
    stroke(page, way, 0.11, ink(t.colour, 0.5))
    stroke(page, [(x, y - 0.015) for x, y in way], 0.06, ink(t.colour, 1.1))
    kind, w = str(rng.choice(("a", "a", "c", "jack", "net"))), _between(rng, 0.14, 0.2)
    box(page, -0.1, 0, 0.3, w * 1.15, ink(t.colour, 0.5), 0.05)
    box(page, -0.1, -0.01, 0.29, w, ink(t.colour), 0.05)
    box(page, -0.1, -w * 0.5, 0.26, w * 0.12, ink(_mix(t.colour, (1, 1, 1), 0.3)))
    for x in np.linspace(0.2, 0.32, 3):
        stroke(page, [(float(x), -w * 0.5), (float(x), w * 0.5)], 0.02, ink(t.colour, 0.6))
    if kind == "a":  # a metal sleeve with two square holes
        box(page, -0.62, 0, 0.24, w * 0.86, ink(STEEL, 0.6))
        box(page, -0.62, -w * 0.05, 0.23, w * 0.76, ink(STEEL, _between(rng, 1.1, 1.9)))
        box(page, -0.62, -w * 0.55, 0.23, w * 0.12, ink(STEEL, 2.2))
        hole, far = w * _between(rng, 0.16, 0.24), w * _between(rng, 0.36, 0.48)
        for y in (-far, far):
            box(page, -0.65, y, hole, hole, DARK)
        stroke(page, [(-0.45, 0.0), (-0.84, 0.0)], 0.008, ink(STEEL, 0.5))
    elif kind == "c":
        box(page, -0.52, 0, 0.15, w * 0.55, ink(STEEL, 0.7), 0.05)
        box(page, -0.52, -w * 0.1, 0.14, w * 0.4, ink(STEEL, 1.7), 0.04)
    elif kind == "jack":
        metal = BRASS if rng.random() < 0.5 else STEEL
        _rod(page, -0.88, -0.38, 0, w * 0.32, metal)
        for x in (-0.5, -0.64, -0.77):
            stroke(page, [(x, -w * 0.32), (x, w * 0.32)], 0.022, DARK)
        disc(page, -0.88, 0, w * 0.3, ink(metal, 1.1))
    else:  # a clear network plug with its row of contacts
        box(page, -0.6, 0, 0.24, w * 1.05, ink((0.5, 0.5, 0.5)))
        for k in range(8):
            y = w * (k - 3.5) * 0.23
            stroke(page, [(-0.8, y), (-0.58, y)], 0.014, ink(BRASS, 1.4))
    if rng.random() < 0.4:
        disc(page, -0.1, 0, w * 0.3, ink(t.second, 1.2), 0.03)
        stroke(page, [(-0.2, 0.0), (0.02, 0.0)], 0.03, ink(t.second, 1.2))


def _battery(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A round battery from the side: label, stripes, and the contact at its end."""
    w = _between(rng, 0.24, 0.32)
    _rod(page, -0.9, 0.84, 0, w, STEEL)
    _rod(page, 0.84, 0.94, 0, w * 0.38, STEEL)
    _rod(page, -0.84, 0.8, 0, w, t.colour)
    part = _between(rng, 0.2, 0.6)
    _rod(page, 0.8 - part, 0.8, 0, w, t.second)
    stroke(page, [(0.8 - part, -w), (0.8 - part, w)], 0.025, WHITE)
    write(page, str(rng.choice(("VOLTA", "ALKALINE", "AA 1.5V", "POWER", "LR6"))), -0.25, -w * 0.1, w * 0.34, WHITE)
    write(page, "+", 0.66, 0, w * 0.3, WHITE)


def _cell(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A coin cell, or a battery or pen seen end-on: metal rings, perhaps with a contact in the middle."""
    metal = _mix(STEEL, t.colour, 0.1)
    disc(page, 0, 0, 0.95, ink(metal if rng.random() < 0.5 else t.colour, 0.45))
    disc(page, -0.02, -0.02, 0.88, ink(metal, 1.2))
    disc(page, 0, 0, _between(rng, 0.74, 0.84), ink(metal, 0.95))
    slab(page, [(-0.2, -0.7), (0.15, -0.72), (0.45, 0.6), (0.1, 0.74)], ink(metal, 1.35))
    if rng.random() < 0.5:
        write(page, "+", 0, 0.4, 0.16, ink(metal, 0.4))
        write(page, "CR2032", 0, 0.02, 0.13, ink(metal, 0.45))
        write(page, "3V", 0, -0.36, 0.13, ink(metal, 0.45))
    else:
        r = _between(rng, 0.22, 0.42)
        disc(page, 0, 0, r + 0.14, ink(t.second, 0.4))
        disc(page, 0, 0, r, ink(metal, 0.55))
        disc(page, -0.02, -0.02, r * 0.86, ink(metal, 1.4))


def _lens(page: Array, x: float, y: float, r: float, t: Thing, rng: np.random.Generator) -> None:
    disc(page, x, y, r, ink(STEEL, 0.8))
    disc(page, x, y, r * 0.9, ink((0.03, 0.03, 0.03)))
    disc(page, x, y, r * 0.62, ink((0.05, 0.03, 0.02)))
    disc(page, x, y, r * 0.4, ink((0.12, 0.05, 0.04)))
    disc(page, x - r * 0.2, y - r * 0.24, r * 0.14, WHITE)
    disc(page, x + r * 0.25, y + r * 0.2, r * 0.09, ink((0.5, 0.3, 0.2)))


def _lenses(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """The back of a phone around its cameras: two to four lenses and a flash on a raised square or bar."""
    box(page, 0, 0, 0.97, 0.97, ink(t.colour, 0.95), 0.3 if rng.random() < 0.6 else 0.0)
    count, r = int(rng.integers(2, 5)), _between(rng, 0.16, 0.24)
    s = r + _between(rng, 0.05, 0.1)
    bar = count < 4 and rng.random() < 0.4
    x0, y0 = (-0.4, 0.0) if bar else (-0.28, -0.28)
    spots = [(0.0, -s * 2), (0.0, 0.0), (0.0, s * 2)][:count] if bar else [(-s, -s), (s, s), (-s, s), (s, -s)][:count]
    w, h = (s * 1.1, s * 3.1) if bar else (s * 2.1, s * 2.1)
    y0 += s if bar and count == 2 else 0.0
    box(page, x0 + 0.02, y0 - 0.02, w, h, ink(t.colour, 0.4), 0.14)
    box(page, x0, y0, w, h, ink(t.colour, _between(rng, 0.8, 1.3)), 0.14)
    y0 -= s if bar and count == 2 else 0.0
    for x, y in spots:
        _lens(page, x0 + x, y0 + y, r, t, rng)
    if count == 3 and not bar:
        disc(page, x0 + s, y0 - s, r * 0.4, ink((0.5, 0.75, 0.85)))
    elif rng.random() < 0.6:
        disc(page, x0 + w + 0.14, y0, r * 0.35, ink((0.5, 0.75, 0.85)))


def _earbuds(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """The case of earbuds: a rounded pebble with a seam and a small lamp."""
    h = _between(rng, 0.62, 0.8)
    box(page, 0, 0, 0.95, h, ink(t.colour, 0.6), h * 0.55)
    box(page, 0, -0.03, 0.9, h - 0.06, ink(t.colour, 0.95), h * 0.5)
    box(page, 0, -0.2, 0.75, h * 0.45, ink(t.colour, 1.08), h * 0.4)
    stroke(page, [(-0.94, h * 0.25), (0.94, h * 0.25)], 0.022, ink(t.colour, 0.35))
    disc(page, 0, -h * 0.05, 0.035, ink(t.second, 1.3))
    if rng.random() < 0.4:
        disc(page, 0, -h * 0.5, 0.1, ink(t.colour, 0.7), 0.02)


def _outlet(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A power socket in its plate, of one of three kinds."""
    body = _mix(t.colour, (0.85, 0.87, 0.88), 0.8) if rng.random() < 0.8 else t.colour
    twice = rng.random() < 0.3
    box(page, 0, 0, 0.95, 0.5 if twice else 0.95, ink(body, 0.6), 0.06)
    box(page, -0.01, -0.01, 0.92, 0.47 if twice else 0.92, ink(body), 0.05)
    kind, k = str(rng.choice(("round", "slots", "three"))), 0.48 if twice else 0.95
    for x in (-0.46, 0.46) if twice else (0.0,):
        if kind == "round":
            disc(page, x, 0, 0.78 * k, ink(body, 0.55))
            disc(page, x - 0.01, 0.03 * k, 0.73 * k, ink(body, 0.85))
            for y in (-0.36 * k, 0.36 * k):
                disc(page, x + y, 0, 0.11 * k, DARK)
            for y in (-0.7 * k, 0.7 * k):
                box(page, x, y, 0.13 * k, 0.07 * k, ink(STEEL, 1.4))
        elif kind == "slots":
            box(page, x, 0, 0.6 * k, 0.6 * k, ink(body, 0.8), 0.2 * k)
            box(page, x - 0.22 * k, 0.15 * k, 0.05 * k, 0.18 * k, DARK)
            box(page, x + 0.22 * k, 0.15 * k, 0.05 * k, 0.22 * k, DARK)
            disc(page, x, -0.3 * k, 0.11 * k, DARK)
        else:
            box(page, x, 0.3 * k, 0.06 * k, 0.14 * k, DARK)
            for side in (-0.33 * k, 0.33 * k):
                box(page, x + side, -0.2 * k, 0.13 * k, 0.055 * k, DARK)
    if rng.random() < 0.4:
        for x in (-0.86, 0.86):
            disc(page, x, 0, 0.04, ink(STEEL, 0.8))


PAINTERS: dict[str, Painter] = {
    "keyboard": _keyboard,
    "keycap": _keycap,
    "keyring": _keyring,
    "pen": _pen,
    "marker": _marker,
    "plug": _plug,
    "battery": _battery,
    "cell": _cell,
    "lenses": _lenses,
    "earbuds": _earbuds,
    "outlet": _outlet,
}
