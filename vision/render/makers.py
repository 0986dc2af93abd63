"""Random designs of dice: how edges are cut and where the pips are.

Its one rule: as in looks.py, all randomness comes from the generator that is passed in.
"""

from __future__ import annotations

from dataclasses import replace

from vision.render.looks import Chance, between, bright, hue
from vision.render.scene import Layout, Material, Shape


def asian(rng: Chance, marks: Layout, stuff: Material) -> Material:
    """On light dice, a large pip of the one is usually red, and often the pips of the four are red too."""
    if marks.ace < 1.4 or bright(stuff.colour) < 0.3 or rng.random() < 0.25:
        return stuff
    red, pips = hue(rng, "red"), stuff.pips
    return replace(stuff, pips=(red, pips[1], pips[2], red if rng.random() < 0.6 else pips[3], pips[4], pips[5]))


def shape(rng: Chance) -> Shape:
    """A random shape, from the sharp edges of casino dice to almost a ball."""
    way = rng.random()
    if way < 0.10:
        return Shape(radius=between(rng, 0.005, 0.03))
    if way < 0.18:
        return Shape(radius=between(rng, 0.45, 0.65))
    if way < 0.26:
        return Shape(radius=0.15, ball=between(rng, 1.22, 1.34))
    radius = between(rng, 0.06, 0.5) if rng.random() < 0.75 else between(rng, 0.02, 0.12)
    if rng.random() < 0.32:
        return Shape(radius=min(radius, 0.15), ball=between(rng, 1.32, 1.5))
    return Shape(radius=radius)


def turns(rng: Chance) -> tuple[int, int, int, int, int, int]:
    a, b, c, d, e, f = (int(quarter) for quarter in rng.integers(0, 4, 6))
    return a, b, c, d, e, f


def layout(rng: Chance, about: Shape, unseen: bool = False) -> Layout:
    """Opposite sides add up to seven; everything else varies by manufacturer.

    Two designs are far more common with `unseen` than in training: twos and threes with their pips near the middle, and
    a six that is wider than the four."""
    first = [(1, 6), (2, 5), (3, 4)]
    marks = [v for pair in first for v in (pair if rng.random() < 0.5 else pair[::-1])]
    flat = 1 - (about.radius if about.ball > 2 else 0.25 if about.ball > 1.34 else 0.75) * 0.5
    spread = between(rng, 0.4, 0.62) * min(1.0, flat + 0.15)
    way = rng.random()
    pip = (
        between(rng, 0.09, 0.14)
        if way < 0.12
        else between(rng, 0.22, 0.28)
        if way < 0.24
        else between(rng, 0.13, 0.235)
    )
    pip = min(pip, spread * 0.47)
    six, close = (1.0, 1.0), 1.0
    way = rng.random()
    if unseen and way < 0.5:
        six = (between(rng, 1.06, 1.15), between(rng, 0.95, 1.05))
    elif way < 0.3:
        six = (between(rng, 0.75, 1.0), between(rng, 0.95, 1.12))
    elif way < 0.42:  # a six with its two rows close together
        six = (max(1.2 * pip / spread, between(rng, 0.5, 0.75)), between(rng, 0.95, 1.25))
    elif way < 0.55:  # a six whose pips nearly touch within each row
        six = (between(rng, 0.75, 1.0), max(2.15 * pip / spread, between(rng, 0.6, 0.8)))
    elif way < 0.67:
        six = (between(rng, 1.0, 1.15), between(rng, 0.95, 1.05))
    if unseen and rng.random() < 0.4:
        close = between(rng, 0.5, 0.62)
    elif rng.random() < 0.35:
        close = between(rng, 0.48, 0.95)
    straight = bool(rng.random() < 0.18)
    return Layout(
        marks=(marks[0], marks[1], marks[2], marks[3], marks[4], marks[5]),
        pip=pip,
        spread=spread,
        turns=turns(rng),
        straight=straight,
        close=max(close, (2.15 if straight else 1.55) * pip / spread),
        six=six,
        ace=between(rng, 1.4, min(2.8, 0.62 / pip)) if rng.random() < 0.22 else between(rng, 0.95, 1.35),
        jitter=between(rng, 0, 0.06) if rng.random() < 0.5 else 0.0,
        square=between(rng, 0.3, 0.9) if rng.random() < 0.03 else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
