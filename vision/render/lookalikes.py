"""Things with round marks that look like pips: holes, ladybirds, peas, beads, keys, blister packs, large print,
circuit boards.

Its one rule: as in clutter.py, things are painted flat. The marks on a square thing never form a pip pattern.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.render.brush import DARK, Painter, box, disc, ink, sign, slab, stroke, write
from vision.render.scene import Array, Thing


def _plate(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A perforated plate or pegboard, with straight or staggered rows of holes."""
    w, h = 0.95, float(rng.uniform(0.3, 0.95))
    box(page, 0, 0, w, h, ink(t.colour, 0.75), 0.06)
    box(page, 0, 0, w - 0.03, h - 0.03, ink(t.colour), 0.05)
    step = float(rng.uniform(0.16, 0.42))
    r, staggered = step * float(rng.uniform(0.18, 0.36)), rng.random() < 0.5
    hole = DARK if rng.random() < 0.7 else ink(t.second)
    for j, y in enumerate(np.arange(-h + step * 0.6, h - step * 0.4, step)):
        for x in np.arange(-w + step * (1.0 if staggered and j % 2 else 0.6), w - step * 0.4, step):
            disc(page, float(x), float(y), r, hole)
            if r > 0.05:
                disc(page, float(x) + r * 0.15, float(y) + r * 0.2, r * 0.75, ink((hole[0], hole[1], hole[2]), 0.6))


def _blister(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Pills or sweets in two or three long rows."""
    rows, across = int(rng.integers(2, 4)), int(rng.integers(4, 7))
    h = 0.95 * rows / across
    box(page, 0, 0, 0.95, h, ink((0.45, 0.45, 0.45), float(rng.uniform(0.6, 1.6))), 0.06)
    step, oval = 1.9 / across, rng.random() < 0.3
    for i in range(across):
        for j in range(rows):
            x, y = -0.95 + step * (i + 0.5), -h + 2 * h / rows * (j + 0.5)
            if oval:
                box(page, x, y, step * 0.24, step * 0.38, ink(t.colour, 0.8), step * 0.22)
            else:
                disc(page, x, y, step * 0.36, ink(t.colour, 0.75))
                disc(page, x - 0.01, y - 0.01, step * 0.3, ink(t.colour, 1.1))
            disc(page, x - step * 0.1, y - step * 0.12, step * 0.06, (1, 1, 1, 1))


def _bug(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A wooden or chocolate ladybird: a round back with a seam and dots on both sides."""
    disc(page, 0, -0.68, 0.28, DARK)
    disc(page, 0, 0, 0.82, ink(t.colour, 0.7))
    disc(page, -0.04, -0.05, 0.74, ink(t.colour))
    disc(page, -0.25, -0.3, 0.25, ink(t.colour, 1.4))
    stroke(page, [(0, -0.8), (0, 0.8)], 0.07, DARK)
    r = float(rng.uniform(0.09, 0.17))
    for _ in range(int(rng.integers(1, 4))):
        x, y = (float(a) for a in rng.uniform((0.22, -0.45), (0.52, 0.45)))
        disc(page, x, y, r, DARK)
        disc(page, -x, y, r, DARK)


def _peas(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Peas, lentils, pebbles, sweets, loose beads: round, lit from one side, at random or in a row."""
    count, r = int(rng.integers(3, 26)), float(rng.uniform(0.05, 0.13))
    spread, mixed, beads = float(rng.uniform(0.3, 0.85)), rng.random() < 0.4, rng.random() < 0.25
    bend = float(rng.uniform(-0.6, 0.6))
    row = rng.random() < 0.25
    for i in range(count):
        x, y = (float(a) for a in np.clip(rng.normal(0, spread * 0.6, 2), -0.85, 0.85))
        if row:  # in a row, like beads on a string
            x = -0.85 + 1.7 * i / count
            y = bend * math.sin(2.6 * x)
        own = float(rng.uniform(0.75, 1.2)) * r
        tone = float(rng.uniform(0.6, 1.2))
        colour = t.second if mixed and rng.random() < 0.5 else t.colour
        disc(page, x + own * 0.15, y + own * 0.2, own, ink(colour, 0.4 * tone))
        disc(page, x, y, own * 0.92, ink(colour, 0.8 * tone))
        disc(page, x - own * 0.15, y - own * 0.15, own * 0.62, ink(colour, 1.1 * tone))
        if beads:
            disc(page, x, y, own * 0.3, DARK)
        else:
            disc(page, x - own * 0.3, y - own * 0.32, own * 0.2, ink((1, 1, 1), 0.8))


def _bead(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A large bead, nut or washer: round or hexagonal, with one hole."""
    if rng.random() < 0.4:
        slab(
            page, [(0.9 * math.cos(i * math.pi / 3), 0.9 * math.sin(i * math.pi / 3)) for i in range(6)], ink(t.colour)
        )
    else:
        disc(page, 0, 0, 0.9, ink(t.colour, 0.65))
        disc(page, -0.05, -0.05, 0.8, ink(t.colour))
        disc(page, -0.25, -0.3, 0.3, ink(t.colour, 1.4))
    disc(page, 0, 0, float(rng.uniform(0.2, 0.5)), DARK if rng.random() < 0.6 else ink(t.second, 0.5))


def _remote(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A remote control or calculator: a long body with rows of round or square keys, a display or a large ring."""
    w = float(rng.uniform(0.22, 0.5))
    box(page, 0, 0, w, 0.95, ink(t.colour, 0.5), 0.1)
    box(page, -0.008, 0.008, w - 0.02, 0.93, ink(t.colour), 0.09)
    box(page, -w * 0.5, 0, w * 0.12, 0.85, ink(t.colour, 1.25))
    across = int(rng.integers(3, 5))
    step, round_, labels = 2 * (w - 0.06) / across, rng.random() < 0.6, rng.random() < 0.6
    for j in range(int(1.2 / step)):
        for i in range(across):
            x, y = -w + 0.06 + step * (i + 0.5), 0.3 - step * (j + 0.5)
            key = ink((0.05, 0.05, 0.5)) if rng.random() < 0.06 else ink(t.second)
            if round_:
                disc(page, x + 0.01, y - 0.01, step * 0.35, ink(t.colour, 0.3))
                disc(page, x, y, step * 0.32, key)
            else:
                box(page, x + 0.01, y - 0.01, step * 0.38, step * 0.32, ink(t.colour, 0.3), step * 0.1)
                box(page, x, y, step * 0.36, step * 0.3, key, step * 0.1)
            if labels:
                write(page, str((j * across + i + 1) % 10), x, y, step * 0.13, ink(t.colour, 1.5))
    kind = rng.random()
    if kind < 0.45:
        box(page, 0, 0.62, w - 0.1, 0.2, ink((0.2, 0.25, 0.22), float(rng.uniform(0.2, 1.5))), 0.02)
    elif kind < 0.85:
        disc(page, 0, 0.58, w * 0.72, ink(t.second, 0.7))
        disc(page, 0, 0.58, w * 0.34, ink(t.colour, 0.6))
        disc(page, 0, 0.58, w * 0.3, ink(t.second))
        disc(page, -w + 0.12, 0.87, 0.045, ink((0.05, 0.05, 0.5)))


def _cracker(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A square cracker with at least four rows of small holes, in a grid or staggered: too many for a die."""
    w = float(rng.uniform(0.75, 0.92))
    box(page, 0, 0, w, w, ink(t.colour, 0.75), 0.12)
    box(page, 0, 0, w - 0.05, w - 0.05, ink(t.colour), 0.1)
    n, r = int(rng.integers(4, 6)), float(rng.uniform(0.03, 0.08))
    step, staggered = 1.7 * w / n, n == 5 and rng.random() < 0.5
    for i in range(n):
        for j in range(n):
            if not staggered or (i + j) % 2 == 0:
                disc(page, (i - (n - 1) / 2) * step, (j - (n - 1) / 2) * step, r, ink(t.colour, 0.25))


def _tile(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A square tile with a letter, as in word games."""
    w = float(rng.uniform(0.75, 0.93))
    box(page, 0, 0, w, w, ink(t.colour, 0.6), 0.1)
    box(page, -0.02, -0.02, w - 0.05, w - 0.05, ink(t.colour), 0.08)
    sign(page, str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))), 0.5, ink(t.second))


def _socket(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A plug, a lid with holes, a salt shaker: a round thing with a ring of holes."""
    disc(page, 0, 0, 0.95, ink(t.colour, 0.7))
    disc(page, -0.02, -0.02, 0.88, ink(t.colour, 1.05))
    count, ring = int(rng.choice((2, 3, 5, 6, 7, 8))), float(rng.uniform(0.25, 0.6))
    r = float(rng.uniform(0.07, 0.14))
    for i in range(count):
        a = 2 * math.pi * i / count
        disc(page, ring * math.cos(a), ring * math.sin(a), r, DARK)
    if count > 5 and ring > 3 * r and rng.random() < 0.5:
        disc(page, 0, 0, r, DARK)


def _circuit(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """A circuit board: chips with legs, round capacitors, rows of pads, holes and tracks."""
    base = t.colour
    metal = (0.3, 0.38, 0.42)
    box(page, 0, 0, 0.96, 0.96, ink(base, 0.7))
    for _ in range(int(rng.integers(6, 16))):
        x, y, far = (float(v) for v in rng.uniform((-0.9, -0.9, 0.2), (0.9, 0.9, 0.8)))
        stroke(
            page,
            [(x, y), (min(x + far, 0.94), y), (min(x + far * 1.2, 0.94), min(y + far * 0.2, 0.94))],
            0.015,
            ink(base, 1.3),
        )
    for _ in range(int(rng.integers(4, 12))):
        x, y = (float(v) for v in rng.uniform(-0.75, 0.75, 2))
        kind, r = rng.random(), float(rng.uniform(0.06, 0.2))
        if kind < 0.35:  # a chip
            h = r * float(rng.uniform(0.4, 1.0))
            for k in np.linspace(-0.85, 0.85, int(rng.integers(4, 9))):
                stroke(
                    page, [(x + r * float(k), y - h * 1.25), (x + r * float(k), y + h * 1.25)], 0.022, ink(metal, 1.5)
                )
            box(page, x, y, r, h, ink((0.02, 0.02, 0.02)))
            disc(page, x - r * 0.75, y - h * 0.55, 0.022, ink((0.12, 0.12, 0.12)))
            write(page, str(rng.choice(("74HC", "555", "U12", "LM35"))), x, y, h * 0.25, ink((0.4, 0.4, 0.4)))
        elif kind < 0.6:  # a capacitor from above
            disc(page, x + 0.02, y - 0.02, r * 0.7, ink(base, 0.2))
            disc(page, x, y, r * 0.7, ink((0.03, 0.03, 0.03)))
            disc(page, x, y, r * 0.58, ink(metal, 1.5))
            stroke(page, [(x - r * 0.4, y), (x + r * 0.4, y)], 0.015, ink(metal, 0.8))
            stroke(page, [(x, y - r * 0.4), (x, y + r * 0.4)], 0.015, ink(metal, 0.8))
        else:  # pads with holes, in one or two rows
            for k in range(int(rng.integers(2, 9))):
                for row in range(1 + int(kind < 0.8)):
                    px, py = x + 0.075 * k, y + 0.075 * row
                    if px < 0.93:
                        disc(page, px, py, 0.03, ink(metal, 1.4))
                        disc(page, px, py, 0.014, DARK)


LETTERS = list("abcdefghiklmnoprstuvwABCDEGHKMNOQRSX0123456789") + list("...::;%&*@#8BoO0=+") * 2


def _poster(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Large print: a page, a box, a label. Colons, zeros and full stops look like pips."""
    box(page, 0, 0, 0.97, 0.97, ink(t.colour))
    side = len(page)
    mask = np.zeros((side, side), np.uint8)
    size, y = float(rng.uniform(0.35, 1.6)), 0
    while y < side:
        size = float(rng.uniform(0.35, 1.6)) if rng.random() < 0.25 else size
        y += int(34 * size)
        words = ("".join(rng.choice(LETTERS, int(rng.integers(1, 8)))) for _ in range(12))
        at, font, thick = (int(rng.integers(-20, 30)), y), int(rng.integers(5)), int(1 + rng.uniform(1, 3) * size)
        cv2.putText(mask, " ".join(words), at, font, size, 255, thick, cv2.LINE_AA)
    mask[: side // 64] = mask[-side // 64 :] = 0
    cover = (mask[::-1].astype(np.float32) / 255)[..., None] * page[..., 3:]
    page[:] = page * (1 - cover) + np.array(ink(t.second), np.float32) * cover


PAINTERS: dict[str, Painter] = {
    "plate": _plate,
    "blister": _blister,
    "bug": _bug,
    "peas": _peas,
    "bead": _bead,
    "remote": _remote,
    "cracker": _cracker,
    "tile": _tile,
    "socket": _socket,
    "circuit": _circuit,
    "poster": _poster,
}
