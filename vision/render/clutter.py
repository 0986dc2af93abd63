"""Flat clutter: coins, pens, buttons, cards, keys, caps, dots, cables, hands.

Its one rule: each thing is painted flat on its own canvas, with colour and coverage; the caller places it.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.render import desk, lookalikes, prints
from vision.render.brush import DARK, Ink, Painter, box, disc, ink, sign, slab, stroke, write
from vision.render.scene import Array, Point, Thing

SIDE = 128  # side of the canvas, in pixels
# Things that are larger than dice and need a larger canvas to show fine detail, twice or four times as large.
MEDIUM = (
    "coin",
    "circuit",
    "keycap",
    "plug",
    "battery",
    "lenses",
    "outlet",
    "marker",
    "icons",
    "track",
    "remote",
    "earbuds",
)
LARGE = ("hand", "poster", "cable", "card", "sheet", "device", "keyboard", "keyring", "pen", "form")


def canvas(thing: Thing) -> Array:
    """Paint a thing: its linear colour and coverage, as an array (SIDE, SIDE, 4), or a larger array for LARGE
    things."""
    side = SIDE * (4 if thing.kind in LARGE else 2 if thing.kind in MEDIUM else 1)
    page = np.zeros((side, side, 4), np.float32)
    PAINTERS[thing.kind](page, thing, np.random.default_rng(thing.seed))
    # cv2 cannot antialias floats. Blurring colour and coverage equally avoids halos at the edges.
    return np.asarray(
        cv2.GaussianBlur(page, (0, 0), 1.5 if side > 2 * SIDE else 0.9 if side > SIDE else 0.7), np.float32
    )


def _coin(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A coin with a raised rim, a number or a head, and letters or stars around it; some are of two metals."""
    core = t.second if rng.random() < 0.25 else t.colour
    disc(page, 0, 0, 0.95, ink(t.colour, 0.55))
    disc(page, -0.01, 0.01, 0.92, ink(t.colour, 1.25))
    disc(page, 0, 0, 0.86, ink(t.colour, 0.75))
    disc(page, 0.01, -0.01, 0.84, ink(t.colour, 0.95))
    disc(page, 0, 0, 0.66, ink(core, float(rng.uniform(0.85, 1.05))))
    dark, light = ink(core, 0.5), ink(core, float(rng.uniform(1.2, 1.5)))
    if rng.random() < 0.5:
        value = str(rng.choice(("1", "2", "5", "10", "20", "50", "25", "100")))
        write(page, value, 0.02, -0.03, 0.4 / len(value) ** 0.6, dark, 2)
        write(page, value, 0, 0, 0.4 / len(value) ** 0.6, light, 2)
    else:  # a head from the side
        side = float(rng.choice((-1, 1)))
        for paint, off in ((dark, 0.03), (light, 0.0)):
            disc(page, off, 0.16 - off, 0.3, paint)
            slab(
                page,
                [(side * 0.25 + off, 0.2 - off), (side * 0.42 + off, 0.02 - off), (side * 0.25 + off, -0.1 - off)],
                paint,
            )
            slab(
                page,
                [(-0.2 + off, 0.0 - off), (0.18 + off, 0.0 - off), (0.4 + off, -0.55 - off), (-0.45 + off, -0.5 - off)],
                paint,
            )
        disc(page, -side * 0.1, 0.22, 0.2, ink(core, 1.05))
    for i in range(n := int(rng.integers(8, 20))):
        a = i * 2 * math.pi / n
        x, y = 0.75 * math.cos(a), 0.75 * math.sin(a)
        stroke(page, [(x - 0.03, y), (x + 0.03, y + 0.02)], 0.04, ink(t.colour, float(rng.choice((0.5, 1.5)))))


def _chip(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.95, ink(t.colour))
    for i in range(8):
        a = i * math.pi / 4
        stroke(
            page, [(0.8 * math.cos(a), 0.8 * math.sin(a)), (0.92 * math.cos(a), 0.92 * math.sin(a))], 0.2, ink(t.second)
        )
    disc(page, 0, 0, 0.62, ink(t.second))
    disc(page, 0, 0, 0.56, ink(t.colour, float(rng.uniform(0.8, 1.2))))


def _button(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.95, ink(t.colour, 0.75))
    disc(page, 0, 0, 0.87, ink(t.colour, 1.1))
    disc(page, 0, 0, float(rng.uniform(0.5, 0.74)), ink(t.colour, float(rng.uniform(0.75, 1.0))))
    s, r = float(rng.uniform(0.16, 0.3)), float(rng.uniform(0.08, 0.15))
    hole = ink(t.second, 0.3) if rng.random() < 0.6 else DARK
    count = int(rng.choice((2, 3, 4, 4)))
    for i in range(count):
        a = 2 * math.pi * i / count
        disc(page, s * math.cos(a), s * math.sin(a), r, hole)
    if rng.random() < 0.3:  # a button with thread in its holes
        stroke(page, [(-s, 0), (s, 0)], r * 0.9, ink(t.second, 0.8))
        if count == 4:
            stroke(page, [(0, -s), (0, s)], r * 0.9, ink(t.second, 0.8))


def _screw(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.9, ink(t.colour, 0.6))
    disc(page, 0, 0, 0.8, ink(t.colour, 1.1))
    disc(page, -0.2, -0.2, 0.35, ink(t.colour, 1.35))
    drive, w = str(rng.choice(["slot", "cross", "cross", "hex", "pin"])), float(rng.uniform(0.12, 0.22))
    if drive in ("slot", "cross"):
        stroke(page, [(-0.6, 0), (0.6, 0)], w, DARK)
    if drive == "cross":
        stroke(page, [(0, -0.6), (0, 0.6)], w, DARK)
    elif drive == "hex":
        slab(page, [(0.45 * math.cos(i * math.pi / 3), 0.45 * math.sin(i * math.pi / 3)) for i in range(6)], DARK)
    elif drive == "pin":
        disc(page, 0, 0, 0.4, DARK)


def _cap(page: Array, t: Thing, rng: np.random.Generator) -> None:
    for i in range(21):
        a = i * 2 * math.pi / 21
        disc(page, 0.84 * math.cos(a), 0.84 * math.sin(a), 0.12, ink(t.colour, 0.5 + 0.5 * (i % 2)))
    disc(page, 0, 0, 0.84, ink(t.colour))
    disc(page, 0, 0, 0.6, ink(t.second))
    stroke(page, [(-0.35, 0.1), (0, -0.2), (0.35, 0.1)], 0.14, ink(t.colour, float(rng.uniform(0.3, 1.5))))


def _ruler(page: Array, t: Thing, rng: np.random.Generator) -> None:
    w = float(rng.uniform(0.1, 0.16))
    box(page, 0, 0, 0.95, w, ink(t.colour))
    for i in range(40):
        x = -0.92 + i * 0.046
        stroke(page, [(x, -w), (x, -w + (0.1 if i % 5 == 0 else 0.05))], 0.012, (0.02, 0.02, 0.02, 1))


def _card(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A playing card with rows of suit symbols, which look more like a die's face than any other print."""
    box(page, 0, 0, 0.66, 0.93, ink((0.75, 0.78, 0.8)), 0.08)
    red = ink(t.second if rng.random() < 0.5 else (0.02, 0.02, 0.5))
    count = int(rng.integers(1, 11))
    columns = [(-0.3, 0.3)[i % 2] for i in range(count)]
    rows = np.linspace(-0.6, 0.6, max(1, (count + 1) // 2))
    suit = int(rng.integers(0, 4))
    for i in range(count):
        x, y = (0.0, 0.0) if count == 1 or (count % 2 and i == count - 1) else (columns[i], float(rows[i // 2]))
        _suit(page, x, y, 0.13, red, suit)
    for x, y in ((-0.54, -0.78), (0.54, 0.78)):
        _suit(page, x, y, 0.07, red, suit)


def _suit(page: Array, x: float, y: float, r: float, paint: Ink, suit: int) -> None:
    if suit == 0:
        slab(page, [(x, y - r), (x + r * 0.75, y), (x, y + r), (x - r * 0.75, y)], paint)
        return
    lobes = {1: ((-0.5, -0.3), (0.5, -0.3)), 2: ((-0.5, 0.3), (0.5, 0.3)), 3: ((-0.5, 0.2), (0.5, 0.2), (0.0, -0.5))}[
        suit
    ]
    for a, b in lobes:
        disc(page, x + a * r, y + b * r, r * 0.55, paint)
    slab(page, [(x - r * 0.9, y), (x + r * 0.9, y), (x, y + (r if suit == 1 else -r))], paint)
    if suit > 1:
        stroke(page, [(x, y), (x, y + r)], r * 0.3, paint)


def _group(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Loose dots in rows, rings or at random: pips without a die."""
    r = float(rng.uniform(0.06, 0.16))
    count = int(rng.integers(1, 10))
    way = rng.random()
    for i in range(count):
        if way < 0.4:
            x, y = (float(a) for a in rng.uniform(-0.8, 0.8, 2))
        elif way < 0.7:
            x, y = -0.7 + 0.7 * (i % 3), -0.7 + 0.7 * (i // 3)
        else:
            a = 2 * math.pi * i / count
            x, y = 0.7 * math.cos(a), 0.7 * math.sin(a)
        disc(page, x, y, r, ink(t.colour), 0.04 if rng.random() < 0.2 else 0.0)


def _token(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A flat square or polygonal tile with a symbol that is not a pip pattern."""
    n = int(rng.choice((3, 4, 4, 5, 6, 6, 8)))
    turn = float(rng.uniform(0, 6))
    ring = [(math.cos(turn + i * 2 * math.pi / n), math.sin(turn + i * 2 * math.pi / n)) for i in range(n)]
    slab(page, [(x * 0.93, y * 0.93) for x, y in ring], ink(t.colour, 0.7))
    slab(page, [(x * 0.84, y * 0.84) for x, y in ring], ink(t.colour))
    sign(page, str(rng.choice(list("12345678AXKQ?+=&"))), 0.55, ink(t.second))


def _sheet(page: Array, t: Thing, rng: np.random.Generator) -> None:
    box(page, 0, 0, 0.7, 0.93, ink(t.colour))
    y = -0.8
    while y < 0.8:
        x = -0.6
        while x < 0.45:
            w = float(rng.uniform(0.05, 0.25))
            stroke(page, [(x, y), (min(x + w, 0.6), y)], 0.02, ink(t.second, float(rng.uniform(0.5, 3))))
            x += w + 0.06
        y += 0.07


def _device(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A phone, the corner of a laptop, or a box."""
    w = float(rng.uniform(0.4, 0.95))
    box(page, 0, 0, w, 0.95, ink(t.colour, 0.7), 0.1)
    box(page, 0, 0, w - 0.03, 0.92, ink(t.colour), 0.08)
    if rng.random() < 0.6:
        box(page, 0, 0, w - 0.1, 0.82, ink(t.second, 0.6), 0.02)
    if rng.random() < 0.4:
        for i in range(int(rng.integers(1, 4))):
            disc(page, -w + 0.2, -0.75 + i * 0.2, 0.08, DARK)


def _cup(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.8, ink(t.colour))
    disc(page, 0, 0, 0.7, ink(t.colour, 0.5))
    disc(page, 0.04, 0.04, 0.62, ink(t.second, 0.6))
    stroke(page, [(0.75, -0.15), (0.97, -0.1), (0.97, 0.1), (0.75, 0.15)], 0.08, ink(t.colour))


def _meeple(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, -0.5, 0.3, ink(t.colour))
    slab(
        page,
        [
            (-0.85, -0.05),
            (-0.2, -0.35),
            (0.2, -0.35),
            (0.85, -0.05),
            (0.4, 0.15),
            (0.6, 0.9),
            (0.1, 0.9),
            (0, 0.6),
            (-0.1, 0.9),
            (-0.6, 0.9),
            (-0.4, 0.15),
        ],
        ink(t.colour),
    )


def _cable(page: Array, t: Thing, rng: np.random.Generator) -> None:
    xs = np.linspace(-1, 1, 40)
    a, b, c = rng.uniform(-0.5, 0.5, 3)
    points = [(float(x), float(a * math.sin(2.1 * x + c * 5) + b * math.cos(3.7 * x))) for x in xs]
    w = float(rng.uniform(0.03, 0.06))
    stroke(page, points, w, ink(t.colour, 0.7))
    stroke(page, [(x, y - w * 0.2) for x, y in points], w * 0.4, ink(t.colour, 1.6))
    if rng.random() < 0.6:
        i = int(rng.integers(8, 32))
        _ferrite(page, points[i], points[i + 1], t, rng)


def _ferrite(page: Array, at: Point, ahead: Point, t: Thing, rng: np.random.Generator) -> None:
    """A ferrite core or plug on a cable: a dark block as large as a die, with a few notches placed like pips."""
    far = math.dist(at, ahead)
    ux, uy = (ahead[0] - at[0]) / far, (ahead[1] - at[1]) / far
    half, wide = float(rng.uniform(0.06, 0.16)), float(rng.uniform(0.05, 0.09))

    def spot(u: float, v: float) -> Point:
        return at[0] + ux * u * half - uy * v * wide, at[1] + uy * u * half + ux * v * wide

    slab(page, [spot(u, v) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))], ink(t.colour, 0.7))
    slab(page, [spot(u, v) for u, v in ((-0.9, -0.55), (0.9, -0.55), (0.9, 0.35), (-0.9, 0.35))], ink(t.colour, 1.3))
    notch = DARK if rng.random() < 0.6 else ink(t.second, 0.6)
    for _ in range(int(rng.integers(0, 4))):
        x, y = spot(float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.5, 0.5)))
        if rng.random() < 0.5:
            disc(page, x, y, wide * float(rng.uniform(0.1, 0.25)), notch)
        else:
            stroke(
                page,
                [(x - uy * wide * 0.3, y + ux * wide * 0.3), (x + uy * wide * 0.3, y - ux * wide * 0.3)],
                0.02,
                notch,
            )


def _hand(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A hand reaching in from the right: arm, palm, fingers, nails. The fingertips are near the point (-0.8, 0) of the
    canvas."""
    skin, dark = t.colour, (t.colour[0] * 0.55, t.colour[1] * 0.6, t.colour[2] * 0.7)
    nail = (skin[0] * 1.3, skin[1] * 1.15, skin[2] * 1.05)
    sleeve = rng.random() < 0.5

    def at(x: float, y: float) -> tuple[float, float]:
        return -0.6 + x * 0.4, y * 0.4

    spread, edge = float(rng.uniform(0.6, 1.2)), 0.012
    fingers = []
    for i in range(4):
        a = (i - 1.5) * 0.22 * spread
        y0, reach = (i - 1.5) * 0.23, (0.75, 0.9, 0.85, 0.65)[i] + float(rng.uniform(-0.1, 0.05))
        fingers.append((at(0.4, y0), at(0.25 - reach * math.cos(a), y0 + reach * math.sin(a)), 0.09))
    fingers.append((at(0.55, 0.3), at(0.0, 0.75), 0.1))
    for root, tip, width in fingers:
        stroke(page, [root, tip], width + edge, ink(dark))
    slab(page, [at(0.2, -0.44), at(1, -0.3), (1, -0.17), (1, 0.17), at(1, 0.36), at(0.2, 0.48)], ink(dark))
    slab(page, [at(0.22, -0.4), at(1, -0.26), (1, -0.155), (1, 0.155), at(1, 0.32), at(0.22, 0.44)], ink(skin))
    for root, tip, width in fingers:
        stroke(page, [root, tip], width, ink(skin))
        stroke(page, [tip, (tip[0] * 0.96 + root[0] * 0.04, tip[1] * 0.96 + root[1] * 0.04)], width * 0.55, ink(nail))
    if sleeve:
        slab(page, [(0.1, -0.2), (1, -0.26), (1, 0.26), (0.1, 0.2)], ink(t.second))


PAINTERS: dict[str, Painter] = {
    "coin": _coin,
    "chip": _chip,
    "button": _button,
    "screw": _screw,
    "cap": _cap,
    "ruler": _ruler,
    "card": _card,
    "group": _group,
    "token": _token,
    "sheet": _sheet,
    "device": _device,
    "cup": _cup,
    "meeple": _meeple,
    "cable": _cable,
    "hand": _hand,
    **lookalikes.PAINTERS,
    **desk.PAINTERS,
    **prints.PAINTERS,
}
