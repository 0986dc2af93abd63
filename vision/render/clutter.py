"""Things that are no dice: coins, pens, buttons, cards, keys, caps, dots, cables, hands.

Its one rule: a thing is painted flat on a canvas of its own, colour and cover; where it lies is the caller's.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from vision.render.scene import Array, Colour, Thing

SIDE = 128  # of the canvas
Painter = Callable[[Array, Thing, np.random.Generator], None]


def canvas(thing: Thing) -> Array:
    """(SIDE, SIDE, 4): linear colour and cover."""
    side = 4 * SIDE if thing.kind == "hand" else SIDE  # with its arm it is as large as the picture
    page = np.zeros((side, side, 4), np.float32)
    PAINTERS[thing.kind](page, thing, np.random.default_rng(thing.seed))
    # cv2 draws floats without smooth edges; colour and cover are blurred alike, so edges stay free of a halo.
    return np.asarray(cv2.GaussianBlur(page, (0, 0), 1.5 if side > SIDE else 0.7), np.float32)


def _c(colour: Colour, light: float = 1.0) -> tuple[float, float, float, float]:
    return colour[0] * light, colour[1] * light, colour[2] * light, 1.0


def _p(page: Array, x: float, y: float) -> tuple[int, int]:
    """A place of the canvas, -1 to 1 each way."""
    return round((x * 0.5 + 0.5) * len(page) * 16), round((y * 0.5 + 0.5) * len(page) * 16)


def disc(
    page: Array, x: float, y: float, r: float, colour: tuple[float, float, float, float], line: float = 0.0
) -> None:
    thick = -1 if not line else max(1, round(line * len(page) / 2))
    cv2.circle(
        page,
        _p(page, x, y),
        round(r * len(page) * 8),
        colour,
        thick,
        cv2.LINE_8,
        4,
    )


def slab(page: Array, points: list[tuple[float, float]], colour: tuple[float, float, float, float]) -> None:
    cv2.fillPoly(page, [np.array([_p(page, *p) for p in points], np.int32)], colour, cv2.LINE_8, 4)


def box(
    page: Array, x: float, y: float, w: float, h: float, colour: tuple[float, float, float, float], r: float = 0.0
) -> None:
    """A rectangle by its centre and half sides, corners rounded by r."""
    if r <= 0:
        slab(page, [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)], colour)
        return
    box(page, x, y, w - r, h, colour)
    box(page, x, y, w, h - r, colour)
    for a in (-1, 1):
        for b in (-1, 1):
            disc(page, x + a * (w - r), y + b * (h - r), r, colour)


def stroke(
    page: Array, points: list[tuple[float, float]], width: float, colour: tuple[float, float, float, float]
) -> None:
    cv2.polylines(
        page,
        [np.array([_p(page, *p) for p in points], np.int32)],
        False,
        colour,
        max(1, round(width * len(page) / 2)),
        cv2.LINE_8,
        4,
    )


def _coin(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.95, _c(t.colour, 0.8))
    disc(page, 0, 0, 0.88, _c(t.colour, 1.15))
    disc(page, 0, 0, 0.8, _c(t.second if rng.random() < 0.3 else t.colour, 0.95))
    face = [
        (math.cos(a) * r, math.sin(a) * r)
        for a, r in zip(np.linspace(0, 6.28, 12), rng.uniform(0.2, 0.55, 12), strict=True)
    ]
    slab(page, face, _c(t.colour, float(rng.uniform(0.6, 1.3))))
    for _ in range(int(rng.integers(0, 8))):
        a = rng.uniform(0, 6.28)
        disc(page, 0.68 * math.cos(a), 0.68 * math.sin(a), 0.05, _c(t.colour, 0.6))


def _chip(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.95, _c(t.colour))
    for i in range(8):
        a = i * math.pi / 4
        stroke(
            page, [(0.8 * math.cos(a), 0.8 * math.sin(a)), (0.92 * math.cos(a), 0.92 * math.sin(a))], 0.2, _c(t.second)
        )
    disc(page, 0, 0, 0.62, _c(t.second))
    disc(page, 0, 0, 0.56, _c(t.colour, float(rng.uniform(0.8, 1.2))))


def _button(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.95, _c(t.colour, 0.85))
    disc(page, 0, 0, 0.85, _c(t.colour, 1.1))
    disc(page, 0, 0, 0.66, _c(t.colour, 0.9))
    s = float(rng.uniform(0.16, 0.26))
    for x, y in ((-s, -s), (s, s), (-s, s), (s, -s))[: int(rng.choice((2, 4)))]:
        disc(page, x, y, float(rng.uniform(0.08, 0.14)), _c(t.second, 0.3))


def _screw(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.9, _c(t.colour, 0.6))
    disc(page, 0, 0, 0.8, _c(t.colour, 1.1))
    stroke(page, [(-0.55, 0), (0.55, 0)], 0.16, (0.01, 0.01, 0.01, 1))
    if rng.random() < 0.6:
        stroke(page, [(0, -0.55), (0, 0.55)], 0.16, (0.01, 0.01, 0.01, 1))


def _cap(page: Array, t: Thing, rng: np.random.Generator) -> None:
    for i in range(21):
        a = i * 2 * math.pi / 21
        disc(page, 0.84 * math.cos(a), 0.84 * math.sin(a), 0.12, _c(t.colour, 0.5 + 0.5 * (i % 2)))
    disc(page, 0, 0, 0.84, _c(t.colour))
    disc(page, 0, 0, 0.6, _c(t.second))
    stroke(page, [(-0.35, 0.1), (0, -0.2), (0.35, 0.1)], 0.14, _c(t.colour, float(rng.uniform(0.3, 1.5))))


def _pen(page: Array, t: Thing, rng: np.random.Generator) -> None:
    w = float(rng.uniform(0.035, 0.07))
    box(page, 0.05, 0, 0.85, w, _c(t.colour), w * 0.8)
    box(page, 0.05, -w * 0.4, 0.8, w * 0.15, _c(t.colour, 1.6))
    slab(page, [(-0.78, -w), (-0.95, 0), (-0.78, w)], _c(t.second))
    box(page, 0.55, 0, 0.3, w, _c(t.second), w * 0.5)


def _ruler(page: Array, t: Thing, rng: np.random.Generator) -> None:
    w = float(rng.uniform(0.1, 0.16))
    box(page, 0, 0, 0.95, w, _c(t.colour))
    for i in range(40):
        x = -0.92 + i * 0.046
        stroke(page, [(x, -w), (x, -w + (0.1 if i % 5 == 0 else 0.05))], 0.012, (0.02, 0.02, 0.02, 1))


def _card(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A playing card with its suit marks in rows: the likest thing to a die's face that is printed."""
    box(page, 0, 0, 0.66, 0.93, _c((0.75, 0.78, 0.8)), 0.08)
    ink = _c(t.second if rng.random() < 0.5 else (0.02, 0.02, 0.5))
    count = int(rng.integers(1, 11))
    columns = [(-0.3, 0.3)[i % 2] for i in range(count)]
    rows = np.linspace(-0.6, 0.6, max(1, (count + 1) // 2))
    suit = int(rng.integers(0, 4))
    for i in range(count):
        x, y = (0.0, 0.0) if count == 1 or (count % 2 and i == count - 1) else (columns[i], float(rows[i // 2]))
        _suit(page, x, y, 0.13, ink, suit)
    for x, y in ((-0.54, -0.78), (0.54, 0.78)):
        _suit(page, x, y, 0.07, ink, suit)


def _suit(page: Array, x: float, y: float, r: float, ink: tuple[float, float, float, float], suit: int) -> None:
    if suit == 0:
        slab(page, [(x, y - r), (x + r * 0.75, y), (x, y + r), (x - r * 0.75, y)], ink)
        return
    lobes = {1: ((-0.5, -0.3), (0.5, -0.3)), 2: ((-0.5, 0.3), (0.5, 0.3)), 3: ((-0.5, 0.2), (0.5, 0.2), (0.0, -0.5))}[
        suit
    ]
    for a, b in lobes:
        disc(page, x + a * r, y + b * r, r * 0.55, ink)
    slab(page, [(x - r * 0.9, y), (x + r * 0.9, y), (x, y + (r if suit == 1 else -r))], ink)
    if suit > 1:
        stroke(page, [(x, y), (x, y + r)], r * 0.3, ink)


def _keys(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A piece of a keyboard."""
    box(page, 0, 0, 0.97, 0.97, _c(t.colour, 0.5), 0.05)
    n = int(rng.integers(3, 6))
    w = 0.93 / n
    for i in range(n):
        for j in range(n):
            x, y = (i + 0.5) * 2 * w - 0.93, (j + 0.5) * 2 * w - 0.93
            box(page, x, y, w * 0.88, w * 0.88, _c(t.colour, 0.8), w * 0.2)
            box(page, x, y - w * 0.06, w * 0.7, w * 0.7, _c(t.colour, 1.2), w * 0.2)
            glyph = rng.uniform(-0.35, 0.35, (3, 2)) * w
            stroke(page, [(x + float(a), y + float(b)) for a, b in glyph], w * 0.09, _c(t.second))


def _group(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Loose dots, in rows, rings or by chance: pips that belong to no die."""
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
        disc(page, x, y, r, _c(t.colour), 0.04 if rng.random() < 0.2 else 0.0)


def _token(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A flat square or many-cornered tile with a sign that is no pip pattern."""
    n = int(rng.choice((3, 4, 4, 5, 6, 6, 8)))
    turn = float(rng.uniform(0, 6))
    ring = [(math.cos(turn + i * 2 * math.pi / n), math.sin(turn + i * 2 * math.pi / n)) for i in range(n)]
    slab(page, [(x * 0.93, y * 0.93) for x, y in ring], _c(t.colour, 0.7))
    slab(page, [(x * 0.84, y * 0.84) for x, y in ring], _c(t.colour))
    sign = str(rng.choice(list("12345678AXKQ?+=&")))
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.putText(
        mask, sign, (round(SIDE * 0.34), round(SIDE * 0.66)), cv2.FONT_HERSHEY_SIMPLEX, 1.7, 255, 4, cv2.LINE_AA
    )
    ink = (mask.astype(np.float32) / 255)[..., None]
    page[:] = page * (1 - ink) + np.array(_c(t.second), np.float32) * ink


def _sheet(page: Array, t: Thing, rng: np.random.Generator) -> None:
    box(page, 0, 0, 0.7, 0.93, _c(t.colour))
    y = -0.8
    while y < 0.8:
        x = -0.6
        while x < 0.45:
            w = float(rng.uniform(0.05, 0.25))
            stroke(page, [(x, y), (min(x + w, 0.6), y)], 0.02, _c(t.second, float(rng.uniform(0.5, 3))))
            x += w + 0.06
        y += 0.07


def _device(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A telephone, the corner of a laptop, a box."""
    w = float(rng.uniform(0.4, 0.95))
    box(page, 0, 0, w, 0.95, _c(t.colour, 0.7), 0.1)
    box(page, 0, 0, w - 0.03, 0.92, _c(t.colour), 0.08)
    if rng.random() < 0.6:
        box(page, 0, 0, w - 0.1, 0.82, _c(t.second, 0.6), 0.02)
    if rng.random() < 0.4:
        for i in range(int(rng.integers(1, 4))):
            disc(page, -w + 0.2, -0.75 + i * 0.2, 0.08, (0.01, 0.01, 0.01, 1))


def _cup(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, 0, 0.8, _c(t.colour))
    disc(page, 0, 0, 0.7, _c(t.colour, 0.5))
    disc(page, 0.04, 0.04, 0.62, _c(t.second, 0.6))
    stroke(page, [(0.75, -0.15), (0.97, -0.1), (0.97, 0.1), (0.75, 0.15)], 0.08, _c(t.colour))


def _meeple(page: Array, t: Thing, rng: np.random.Generator) -> None:
    disc(page, 0, -0.5, 0.3, _c(t.colour))
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
        _c(t.colour),
    )


def _cable(page: Array, t: Thing, rng: np.random.Generator) -> None:
    xs = np.linspace(-1, 1, 40)
    a, b, c = rng.uniform(-0.5, 0.5, 3)
    points = [(float(x), float(a * math.sin(2.1 * x + c * 5) + b * math.cos(3.7 * x))) for x in xs]
    w = float(rng.uniform(0.03, 0.06))
    stroke(page, points, w, _c(t.colour, 0.7))
    stroke(page, [(x, y - w * 0.2) for x, y in points], w * 0.4, _c(t.colour, 1.6))
    if rng.random() < 0.5:
        x, y = points[int(rng.integers(8, 32))]
        box(page, x, y, 0.12, 0.08, _c(t.colour, 0.8), 0.03)


def _hand(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A hand that reaches in from the right: arm, palm, fingers, nails. The finger tips are about at -0.8, 0."""
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
        stroke(page, [root, tip], width + edge, _c(dark))
    slab(page, [at(0.2, -0.44), at(1, -0.3), (1, -0.17), (1, 0.17), at(1, 0.36), at(0.2, 0.48)], _c(dark))
    slab(page, [at(0.22, -0.4), at(1, -0.26), (1, -0.155), (1, 0.155), at(1, 0.32), at(0.22, 0.44)], _c(skin))
    for root, tip, width in fingers:
        stroke(page, [root, tip], width, _c(skin))
        stroke(page, [tip, (tip[0] * 0.96 + root[0] * 0.04, tip[1] * 0.96 + root[1] * 0.04)], width * 0.55, _c(nail))
    if sleeve:
        slab(page, [(0.1, -0.2), (1, -0.26), (1, 0.26), (0.1, 0.2)], _c(t.second))


PAINTERS: dict[str, Painter] = {
    "coin": _coin,
    "chip": _chip,
    "button": _button,
    "screw": _screw,
    "cap": _cap,
    "pen": _pen,
    "ruler": _ruler,
    "card": _card,
    "keys": _keys,
    "group": _group,
    "token": _token,
    "sheet": _sheet,
    "device": _device,
    "cup": _cup,
    "meeple": _meeple,
    "cable": _cable,
    "hand": _hand,
}
