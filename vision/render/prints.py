"""Printed things: forms and tables on paper, drawings of die faces, game boards.

Its one rule: as in clutter.py, things are painted flat. A printed die face has neither shadow nor side faces.
"""

from __future__ import annotations

import numpy as np

from vision.render.brush import DARK, Painter, box, disc, ink, stroke, write
from vision.render.scene import Array, Thing

WHITE = ink((0.85, 0.87, 0.88))
WORDS = (
    "Name",
    "Total",
    "Date",
    "No",
    "Si",
    "Yes",
    "Item",
    "12.50",
    "Sum",
    "3 x",
    "0.85",
    "Price",
    "Mail",
    "A.B.",
    "x",
)


def _form(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Printed paper: a form or table with lines, words, numbers, boxes to tick, and paragraphs."""
    box(page, 0, 0, 0.96, 0.96, ink(t.colour))
    y, dark, size = 0.88, ink(t.second), rng.uniform(0.02, 0.045)
    font = int(rng.choice((0, 2, 3, 4)))
    while y > -0.88:
        kind = rng.random()
        if kind < 0.4:  # a table
            rows, across = int(rng.integers(2, 5)), int(rng.integers(2, 6))
            high, line = size * rng.uniform(2.8, 4.5), rng.uniform(0.004, 0.012)
            bottom = max(-0.9, y - rows * high)
            xs = [-0.85, *sorted(rng.uniform(-0.7, 0.7, across - 1)), 0.85]
            for j in range(rows + 1):
                if y - j * high >= bottom - 1e-6:
                    stroke(page, [(-0.85, y - j * high), (0.85, y - j * high)], line, dark)
                    for x in xs[:-1] if j < rows and y - (j + 1) * high >= bottom - 1e-6 else ():
                        word = str(rng.choice(WORDS))
                        if rng.random() < 0.75:
                            write(
                                page,
                                word,
                                float(x) + size * 0.9 * len(word) * 0.6,
                                y - (j + 0.5) * high,
                                size,
                                dark,
                                font,
                            )
            for x in xs:
                stroke(page, [(float(x), y), (float(x), bottom)], line, dark)
            y = bottom - size * 3
        elif kind < 0.8:  # lines of text
            for _ in range(int(rng.integers(1, 5))):
                words = " ".join(str(w) for w in rng.choice(WORDS, int(rng.integers(3, 8))))
                write(page, words, rng.uniform(-0.15, 0.05), y - size, size, dark, font)
                y -= size * 2.8
        else:  # boxes to tick, or a row of bullets
            for k in range(int(rng.integers(1, 4))):
                if rng.random() < 0.6:
                    box(page, -0.7 + 0.5 * k, y - size, size * 1.1, size * 1.1, dark)
                    box(page, -0.7 + 0.5 * k, y - size, size * 0.9, size * 0.9, ink(t.colour))
                else:
                    disc(page, -0.7 + 0.5 * k, y - size, size * 0.6, dark)
                write(page, str(rng.choice(WORDS)), -0.5 + 0.5 * k, y - size, size, dark, font)
            y -= size * 3.5


def _icons(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Drawings of die faces, printed in a row or grid: outlined or filled squares, without depth or shadow."""
    box(page, 0, 0, 0.97, 0.97, ink(t.colour))
    n = int(rng.integers(2, 5))
    pitch, filled = 1.84 / n, rng.random() < 0.25
    back, front = (ink(t.second), ink(t.colour)) if filled else (ink(t.colour), ink(t.second))
    half, line = pitch * rng.uniform(0.3, 0.42), rng.uniform(0.04, 0.12)
    r = half * rng.uniform(0.0, 0.35)
    for j in range(n):
        for i in range(n):
            x, y = -0.92 + (i + 0.5) * pitch, -0.92 + (j + 0.5) * pitch
            if rng.random() < 0.15:
                write(page, str(rng.choice(WORDS)), x, y, half * 0.3, ink(t.second))
                continue
            box(page, x, y, half, half, ink(t.second), r)
            if not filled:
                box(page, x, y, half * (1 - line), half * (1 - line), back, r * (1 - line))
            value, s = int(rng.integers(1, 7)), half * 0.52
            spots = [(0.0, 0.0)] * (value % 2) + [(-s, -s), (s, s)] * (value > 1) + [(-s, s), (s, -s)] * (value > 3)
            for u, v in spots + [(-s, 0.0), (s, 0.0)] * (value == 6):
                disc(page, x + u, y + v, half * 0.17, front)


def _track(page: Array, t: Thing, rng: np.random.Generator) -> None:
    """Part of a game board: rows of rings and discs in two colours, and lines between them."""
    box(page, 0, 0, 0.97, 0.97, ink(t.colour))
    n = int(rng.integers(3, 8))
    pitch, r = 1.84 / n, 0.92 / n * rng.uniform(0.5, 0.85)
    rim, plain = rng.uniform(0.06, 0.25), rng.random() < 0.4
    row = int(rng.integers(n))
    for j in range(n):
        for i in range(n):
            if plain or j == row or i == row or rng.random() < 0.15:
                x, y = -0.92 + (i + 0.5) * pitch, -0.92 + (j + 0.5) * pitch
                disc(page, x, y, r, DARK)
                disc(page, x, y, r * (1 - rim), ink(t.second) if rng.random() < 0.4 else WHITE)


PAINTERS: dict[str, Painter] = {
    "form": _form,
    "icons": _icons,
    "track": _track,
}
