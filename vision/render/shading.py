"""The colour of a solid's visible surface: paint, pips, lamps, shadows, gloss, and light passing through.

Its one rule: only visible points are computed, as arrays of colours (3, n) in linear light.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.render import noise, panels, pips
from vision.render.light import level
from vision.render.scene import Array, Colour, Die, Material, Scene, Vec
from vision.render.solids import CREASE, Patch, facets, polyhedron, slabs

# For each pair of opposite sides, the two axes along them.
ACROSS = ((1, 2), (2, 0), (0, 1))
REFRACTION = np.float32(1.49)  # of acrylic and similar plastics
SAG_REACH = 0.1  # width of the slope around a drilled pip, in half sizes


def column(colour: Colour) -> Array:
    return np.array(colour, np.float32)[:, None]


def sides(die: Die, point: Array) -> tuple[Array, Array, Array]:
    """The side that each point is on, and the point's position on that side (-1 to 1)."""
    if die.shape.planes:
        ways, out = polyhedron(die.shape.planes)
        which = np.argmax(ways @ point - out[:, None], axis=0)
        u, v = ((axes[which].T * point).sum(0) for axes in facets(die.shape.planes))
        return which.astype(np.float32), u, v
    flat = point / np.array(die.shape.half, np.float32)[:, None]
    x, y, z = np.abs(flat)
    on_x = (x >= y) & (x >= z)
    on_y = ~on_x & (y >= z)
    out = np.where(on_x, flat[0], np.where(on_y, flat[1], flat[2]))
    side = np.where(on_x, np.float32(0), np.where(on_y, np.float32(2), np.float32(4))) + (out < 0)
    u = np.where(on_x, flat[1], np.where(on_y, flat[2], flat[0]))
    v = np.where(on_x, flat[2], np.where(on_y, flat[0], flat[1]))
    return side.astype(np.float32), u, v


def skin(material: Material, point: Array) -> Array:
    """The body's colour without pips."""
    colour = column(material.colour)
    if material.vein:
        s = np.array(material.vein_scale, np.float32)
        o = np.float32((material.seed % 97) / 97)
        # Sample along a slanted plane through the die, so that the pattern continues across edges.
        x = point[0] * s[0] + point[2] * (s[2] * 0.61) + o
        y = point[1] * s[1] + point[2] * (s[2] * 0.79) + 2 * o
        if material.vein == "halves":
            a = np.float32(material.seed % 628 / 100)
            along = point[0] * np.cos(a) + point[1] * np.sin(a) + point[2] * np.float32(0.4)
            mix = np.clip(0.5 + 3 * (along + np.float32(0.35) * noise.read("cloud", x, y)), 0, 1)
        else:
            mix = np.clip(0.5 + noise.read(material.vein, x, y) * 0.7, 0, 1)
        mix = mix * np.float32(material.vein_mix)
        return np.asarray(colour + (column(material.second) - colour) * mix, np.float32)
    return np.repeat(colour, point.shape[1], axis=1)


def _fifth(a: Array) -> Array:
    square = a * a
    return square * square * a


def shade(scene: Scene, patch: Patch, others: Sequence[Die], ground: Array) -> Array:
    """Colours (3, n) of the patch's points. `ground` is the colour of the lit table around the solid."""
    die, m = patch.die, patch.die.material
    point, n = patch.point, patch.normal
    paint = skin(m, point)
    side, u, v = sides(die, point)
    if m.bulge and not die.shape.planes:
        n = n + point * np.float32(m.bulge)
    if m.wear:
        rub = noise.read("blotch", u * 0.3 + side * 0.37, v * 0.3)
        paint = paint * (1 + np.float32(0.35 * m.wear) * rub)
        n = n + np.float32(0.12 * m.wear) * noise.read("cloud", u * 0.2 + side * 0.21, v * 0.2)
    matte = np.zeros(len(u), np.float32)
    mirrors = bool(scene.panels) and m.gloss > 0
    bend = _bend(die, patch.normal) if mirrors else matte
    if any(die.layout.marks):
        far, dx, dy = pips.look_up(die.layout, side, u, v)
        soft = np.float32(max(patch.footprint * 1.2, 0.015))
        if m.wear:
            far = far + np.float32(0.05 * m.wear) * rub
        ink = np.clip(0.5 - far / soft, 0, 1)
        if m.eye:
            deep = far / np.float32(die.layout.pip)
            edge = np.float32(soft / die.layout.pip)
            ink = ink * (1 - np.clip(0.5 - (deep + 0.35) / edge, 0, 1) * np.clip(0.5 + (deep + 0.65) / edge, 0, 1))
        if m.hollow:
            ink = ink * np.clip(0.5 + (far + np.float32(m.hollow * die.layout.pip)) / soft, 0, 1)
        if m.faded:
            gone = noise.read("blotch", u * 0.45 + side * 0.29, v * 0.45) + np.float32(2 * m.faded - 1)
            ink = ink * (1 - np.float32(0.85) * np.clip(0.5 + 3 * gone, 0, 1))
        palette = np.array(
            [m.pips[(mark - 1) if 1 <= mark <= 6 else 0] for mark, _ in pips.every(die.layout)], np.float32
        )
        own = palette[side.astype(np.intp)].T
        if m.wear > 0.4:
            ink = ink * np.clip(1.15 - m.wear * 0.5 * (1 + rub), 0.3, 1)
        if m.ring:
            width = np.float32(m.ring * die.layout.pip)
            around = np.clip(0.5 - (far - width) / soft, 0, 1) * (1 - ink)
            paint = paint + (column(m.ring_colour) - paint) * around
        paint = paint + (own - paint) * ink
        if m.drilled:
            dent = ink * np.float32(m.drilled)
            slope = dent
            if mirrors:
                bend = bend + dent * np.float32(1 / die.layout.pip)
            if mirrors and m.sag:
                sinks = (1 - ink) * np.float32(m.sag) * np.exp(np.minimum(far, 1) * np.float32(-1 / SAG_REACH))
                slope = dent + sinks
                bend = bend + sinks * np.float32(1 / SAG_REACH)
            axis = (side // 2).astype(np.intp)
            row = np.arange(len(u))
            n = n.copy()
            n[np.array([a for a, _ in ACROSS])[axis], row] -= slope * np.clip(dx, -1, 1)
            n[np.array([b for _, b in ACROSS])[axis], row] -= slope * np.clip(dy, -1, 1)
            # Less ambient light gets into a dent.
            paint = paint * (1 - 0.25 * dent)
        matte = ink * np.float32(0.6 if m.drilled else 0.2)
    n = die.matrix @ n
    n /= np.sqrt((n * n).sum(0))
    place = die.matrix @ point * np.float32(die.size / 2) + column(die.centre)
    look = patch.rays
    ambient = column(scene.ambient)
    facing = np.maximum(-(n * look).sum(0), 0)
    mirror = look + 2 * facing * n
    high = np.clip(place[2] / np.float32(die.size), 0, 1)
    open_ = 0.55 + 0.45 * np.minimum(high * 1.6, 1)
    up = 0.5 + 0.5 * n[2]
    for other in others:
        open_ = open_ * _crowd(other, place, n)
    bounce = ground * np.float32(0.8)
    light = (ambient * up + bounce * (1 - up)) * open_
    fresnel = np.float32(0.04) + np.float32(0.96) * _fifth(1 - facing) * np.float32(0.5 + 0.5 * m.gloss)
    polish = np.float32(m.gloss) * (1 - matte)
    sky = np.clip(mirror[2] * 0.9 + 0.35, 0, 1)
    shine = (ambient * (sky * 1.1) + bounce * (1 - sky)) * open_
    if scene.window[3] > 0:
        shine = shine + ambient * (_window(scene, mirror) * np.float32(scene.window[3]))
    through = np.float32(0.0)
    for lamp in scene.lamps:
        way = column(lamp.towards)
        colour = column(lamp.colour)
        wrap = np.float32(min(0.5, lamp.size * 0.7))
        lit = np.maximum((n * way).sum(0) + wrap, 0) / (1 + wrap)
        ground_x = place[0] - place[2] * np.float32(lamp.towards[0] / lamp.towards[2])
        ground_y = place[1] - place[2] * np.float32(lamp.towards[1] / lamp.towards[2])
        arrives = level(lamp, ground_x, ground_y)
        free = np.ones(len(u), np.float32) if arrives is None else arrives
        for other in others:
            if not _may_hide(other, die, lamp.towards, lamp.size):
                continue
            free = free * _unhidden(other, place, n, way, lamp.size)
        light = light + colour * (lit * free)
        spread = np.float32(lamp.size**2 * 0.5 + m.rough**2)
        glint = np.exp(np.maximum(((mirror * way).sum(0) - 1) / spread, -30)) * np.float32(
            min(20.0, 0.2 / float(spread))
        )
        shine = shine + colour * (glint * free)
        if m.clear:
            through = through + colour * np.float32(0.9) * np.maximum(0.3 - (die.matrix @ point * way).sum(0), 0)
    flash = shine
    if mirrors:
        # The rougher or more curved the surface, the wider the part of the room that one pixel reflects.
        wide = bend * np.float32(1.3 * patch.footprint) + np.float32(0.006 + 0.5 * m.rough + 8 * m.rough**2)
        for panel in scene.panels:
            seen = panels.mirrored(panel, mirror, wide)
            if seen is not None:
                flash = flash + column(panel.colour) * seen
    body = paint * light
    if m.clear:
        body = _clear(patch, m, body, paint, light, through, ground, matte)
    if m.metal:
        body = body * np.float32(1 - 0.75 * m.metal)
        return np.asarray(body + shine * paint * np.float32(m.metal) + flash * fresnel * polish, np.float32)
    return np.asarray(body + flash * fresnel * polish, np.float32)


def _clear(
    patch: Patch,
    m: Material,
    body: Array,
    paint: Array,
    light: Array,
    through: Array | np.float32,
    ground: Array,
    matte: Array,
) -> Array:
    """The light that passes through a solid: the table behind it, the pips of its hidden sides, and a glow opposite the
    lamp."""
    die = patch.die
    inside = np.float32(0.8) * ground * column(m.colour) ** 0.6 + column(m.colour) ** 0.7 * through
    if any(die.layout.marks) and m.far_pips and not die.shape.planes:
        inside = _far_pips(patch, m, inside, light)
    deep = np.sqrt(((patch.exit - patch.point) ** 2).sum(0))
    inside = inside * np.exp(deep * np.float32(-0.25))
    share = np.float32(m.clear) * (1 - matte / 0.6 if m.drilled else 1 - matte / 0.2)
    return np.asarray(body * (1 - share) + (inside + body * np.float32(0.25)) * share, np.float32)


def _far_pips(patch: Patch, m: Material, inside: Array, light: Array) -> Array:
    """The light inside a clear die with the pips of its hidden sides: those that the refracted ray meets first, and
    behind the walls, which reflect the ray, those of the side that it meets next."""
    die = patch.die
    half = np.array(die.shape.half, np.float32)[:, None]
    own = die.matrix.T @ patch.rays
    steep = np.clip(-(own * patch.normal).sum(0), 0, 1)
    way = own / REFRACTION + (steep / REFRACTION - np.sqrt(1 - (1 - steep * steep) / REFRACTION**2)) * patch.normal
    at = np.clip(patch.point, -half, half)
    palette = np.array([m.pips[mark - 1 if 1 <= mark <= 6 else 0] for mark, _ in pips.every(die.layout)], np.float32)
    # Light from a far pip passes through the coloured body.
    palette = palette * (np.array(m.colour, np.float32) ** 0.4 * 0.7 + 0.15)
    level = light.mean()
    free = np.float32(m.far_pips)
    for _ in range(2):
        steps = (half * np.sign(way) - at) / np.where(np.abs(way) < 1e-5, np.float32(1e-5), way)
        which = np.argmin(steps, axis=0)
        at = at + way * steps.min(0)
        side, u, v = sides(die, at)
        far, _, _ = pips.look_up(die.layout, side, u, v)
        spot = np.clip(0.5 - far / np.float32(m.murk), 0, 1) * free
        inside = inside + (palette[side.astype(np.intp)].T * level - inside) * spot
        free = (free - spot) * np.float32(0.7)
        row = np.arange(len(which))
        way[which, row] *= -1
    return np.asarray(inside, np.float32)


def _bend(die: Die, normal: Array) -> Array:
    """How curved the surface is at each point, small on faces and large at edges: the angle by which the normal turns
    per half size."""
    edge = CREASE if die.shape.ball < 2 else max(die.shape.radius, 0.01)
    flat = np.abs(normal).max(0) > 0.999
    return np.where(flat, np.float32(abs(die.material.bulge)), np.float32(1 / edge))


def _window(scene: Scene, mirror: Array) -> Array:
    """A bright rectangle in the room, reflected by glossy things."""
    angle, height, width, _ = scene.window
    across = np.arctan2(mirror[1], mirror[0]) - np.float32(angle)
    across = np.abs((across + np.pi) % (2 * np.pi) - np.pi)
    rise = np.abs(mirror[2] - np.float32(height))
    return np.asarray(np.clip((width - across) * 8, 0, 1) * np.clip((0.18 - rise) * 12, 0, 1), np.float32)


def _crowd(other: Die, place: Array, n: Array) -> Array:
    """How much of the ambient light a nearby solid lets through."""
    way = column(other.centre) - place
    far = np.sqrt((way * way).sum(0))
    near = np.clip(1.1 - far / np.float32(other.size * 1.1), 0, 1)
    return np.asarray(1 - 0.5 * near * np.clip((n * way).sum(0) / far + 0.3, 0, 1), np.float32)


def _may_hide(other: Die, die: Die, towards: Vec, size: float) -> bool:
    """Whether another solid could stand between this one and the lamp: a quick check before the slow `_unhidden`."""
    far = [b - a for a, b in zip(die.centre, other.centre, strict=True)]
    reach = 0.87 * (die.size + other.size)
    along = far[0] * towards[0] + far[1] * towards[1] + far[2] * towards[2]
    aside = math.sqrt(max(0.0, far[0] ** 2 + far[1] ** 2 + far[2] ** 2 - along**2))
    return along > -0.3 * reach and aside < reach + max(along, 0) * size


def _unhidden(other: Die, place: Array, n: Array, way: Array, size: float) -> Array:
    """For each point, 1 if the other solid does not hide the lamp, 0 if it does, and values in between in the soft edge
    of the shadow."""
    half = other.size / 2
    turn = other.matrix.T
    origin = turn @ (place + n * np.float32(0.02 * half) - column(other.centre)) / np.float32(half)
    near, far = slabs(other.shape, origin, np.repeat(turn @ way, place.shape[1], axis=1))
    soft = np.float32(0.15 + 2.0 * size)
    length = np.where(far > 0.02, far - np.maximum(near, 0), 0)
    return np.asarray(1 - np.clip(length / soft, 0, 1), np.float32)
