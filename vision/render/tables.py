"""Surfaces as textures: wood, cloth, carpet, stone, print, trays.

Its one rule: a texture is a function of the point on the table, so perspective is correct automatically.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from vision.render import camera as lens
from vision.render import noise
from vision.render.scene import Array, Camera, Region, Size, Table, Tray

Pattern = Callable[[Table, Array, Array], Array]


def paint(table: Table, x: Array, y: Array) -> Array:
    """The surface's colour (3, h, w) at points of the table in millimetres."""
    c, s = np.float32(math.cos(table.angle) / table.scale), np.float32(math.sin(table.angle) / table.scale)
    shift = np.float32(table.seed % 1009 / 7)
    u, v = x * c + y * s + shift, y * c - x * s + shift * 2
    return PATTERNS[table.kind](table, u, v)


def blend(table: Table, mix: Array, second: int = 1) -> Array:
    """Blend two colours. With `mix` 0, the result is the first colour; with 1, the second colour."""
    first, last = table.colours[0], table.colours[min(second, len(table.colours) - 1)]
    mix = np.asarray(mix, np.float32)
    return np.stack([mix * np.float32(b - a) + np.float32(a) for a, b in zip(first, last, strict=True)])


def smooth(a: Array, width: float = 1.0) -> Array:
    t = np.clip(a / np.float32(width) + 0.5, 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _far(a: Array, b: Array) -> Array:
    """Like np.hypot, but without the overflow checks that make np.hypot ten times slower."""
    return np.asarray(np.sqrt(a * a + b * b), np.float32)


def tint(colour: Array, shade: Array) -> Array:
    return np.asarray(colour * shade, np.float32)


def _wood(t: Table, u: Array, v: Array) -> Array:
    warp = noise.read("cloud", u * 0.03, v * 0.004)
    rings = np.sin((u * 0.7 + warp * 7) * np.float32(2.2))
    fine = noise.read("streak", v * 0.02, u * 0.25)
    pores = noise.read("grain", v * 0.05, u * 0.4)
    mix = np.clip(0.45 + (0.25 * rings * (1 + warp) + 0.3 * fine + 0.2 * pores) * t.contrast, 0, 1)
    return blend(t, mix)


def _planks(t: Table, u: Array, v: Array) -> Array:
    board = np.floor(u / 12)
    colour = _wood(t, u + board * 31, v + board * 17)
    gap = np.abs(u / 12 - board - 0.5) * 2
    level = noise.read("white", board * 0.137, board * 0.0)
    return tint(colour, (1 + 0.25 * level) * (1 - 0.7 * smooth(gap - 0.985, 0.02)))


def _felt(t: Table, u: Array, v: Array) -> Array:
    return tint(
        blend(t, 0.5 + 0.4 * noise.read("cloud", u * 0.01, v * 0.01)),
        1 + t.contrast * 0.35 * noise.read("white", u * 0.05, v * 0.05),
    )


def _plain(t: Table, u: Array, v: Array) -> Array:
    return tint(
        blend(t, 0.5 + 0.5 * noise.read("cloud", u * 0.004, v * 0.004)),
        1 + t.contrast * 0.06 * noise.read("fine", u * 0.03, v * 0.03),
    )


def _weave(t: Table, u: Array, v: Array) -> Array:
    bend = noise.read("blotch", u * 0.02, v * 0.02) * np.float32(0.4)
    a, b = np.sin(u * 3.14159 + bend), np.sin(v * 3.14159 + bend)
    over = smooth(a * b, 0.6)
    return tint(
        blend(t, over),
        1 + t.contrast * (0.3 * np.abs(a) - 0.3 * np.abs(b) + 0.3 * noise.read("white", u * 0.04, v * 0.04)),
    )


def _tweed(t: Table, u: Array, v: Array) -> Array:
    row = np.floor(v)
    a = noise.read("white", np.floor(u * 0.7 + row * 0.5) * 0.071, row * 0.093)
    thread = np.abs(np.sin(v * 3.14159)) * np.abs(np.sin((u * 0.7 + row * 0.5) * 3.14159))
    return tint(blend(t, smooth(a, 0.7)), (0.25 + 0.75 * thread) * (1 + 0.2 * noise.read("fine", u * 0.02, v * 0.02)))


def _carpet(t: Table, u: Array, v: Array) -> Array:
    loops = noise.read("loop", u * 0.06, v * 0.06)
    mix = np.clip(0.5 + 0.5 * noise.read("blotch", u * 0.02, v * 0.02), 0, 1)
    return tint(
        blend(t, mix), 1 - t.contrast * 0.55 * loops + 0.2 * t.contrast * noise.read("white", u * 0.06, v * 0.06)
    )


def _ribbed(t: Table, u: Array, v: Array) -> Array:
    rib = np.abs(np.sin(v * 2.2 + 0.6 * noise.read("cloud", u * 0.02, v * 0.02)))
    knots = np.abs(np.sin(u * 2.2 + np.floor(v * 0.7) * 1.5))
    return tint(
        blend(t, np.clip(0.5 + noise.read("blotch", u * 0.05, v * 0.05) * 0.5, 0, 1)),
        0.5 + 0.6 * rib * (0.6 + 0.4 * knots),
    )


def _leather(t: Table, u: Array, v: Array) -> Array:
    crack = noise.read("crack", u * 0.05, v * 0.05)
    return tint(
        blend(t, 0.5 + 0.5 * noise.read("cloud", u * 0.01, v * 0.01)), 1 + t.contrast * 0.5 * np.minimum(crack, 0.2)
    )


def _stone(t: Table, u: Array, v: Array) -> Array:
    veins = noise.read("ridge", u * 0.01 + 0.05 * noise.read("cloud", u * 0.02, v * 0.02), v * 0.01)
    speck = noise.read("blotch", u * 0.05, v * 0.05)
    return blend(t, np.clip(0.3 + t.contrast * (0.6 * np.maximum(veins + 0.2, -1) + 0.35 * speck), 0, 1))


def _terrazzo(t: Table, u: Array, v: Array) -> Array:
    chip = noise.read("chip", u * 0.05, v * 0.05)
    edge = smooth(noise.read("crack", u * 0.05, v * 0.05) + 0.4, 0.3)
    pick = np.clip(np.floor((chip + 1) * 0.5 * len(t.colours)), 0, len(t.colours) - 1).astype(np.intp)
    keep = edge * (noise.read("cell", u * 0.02, v * 0.02) > -0.3)
    return np.stack(
        [
            np.float32(first) + keep * (np.array(levels, np.float32)[pick] - np.float32(first))
            for first, levels in zip(t.colours[0], zip(*t.colours, strict=True), strict=True)
        ]
    )


def _dots(t: Table, u: Array, v: Array) -> Array:
    """Dots printed on cloth or paper, in straight or staggered rows."""
    if t.seed % 2:
        u = u + np.round(v) * np.float32(0.5)
    r = _far(u - np.round(u), v - np.round(v))
    return tint(
        blend(t, 1 - smooth(r - np.float32(0.1 + 0.26 * t.contrast), 0.06)),
        1 + np.float32(0.02 * (t.seed % 7)) * noise.read("white", u * 0.3, v * 0.3),
    )


def _basket(t: Table, u: Array, v: Array) -> Array:
    """Thick woven threads in two colours, each shaded like a cylinder."""
    column, row = np.floor(u), np.floor(v)
    a, b = u - column - np.float32(0.5), v - row - np.float32(0.5)
    over = (column + row) % 2
    round_ = 1 - 3.4 * np.where(over > 0, a * a, b * b) - np.where(over > 0, b * b, a * a)
    fibre = noise.read("streak", np.where(over > 0, v, u) * 0.05, np.where(over > 0, u, v) * 0.4)
    return tint(blend(t, over), np.maximum(round_, 0.06) * (1 + 0.15 * fibre))


def _loops(t: Table, u: Array, v: Array) -> Array:
    """A carpet with rows of loops under hard light: each loop has a bright side and a dark gap."""
    v = v + noise.read("blotch", u * 0.02, v * 0.02) * np.float32(0.5)
    row = np.floor(v)
    wave = noise.read("blotch", u * 0.02, v * 0.02) * np.float32(0.6)
    column = np.floor(u + row * np.float32(0.5) + wave)
    a, b = u + row * np.float32(0.5) + wave - column - np.float32(0.5), v - row - np.float32(0.5)
    own = noise.read("white", column * np.float32(0.137), row * np.float32(0.211))
    hump = np.clip(1 - 3.2 * (a * a + b * b) + (a + b) * np.float32(0.7 * t.contrast), 0.04, 1.3)
    return tint(blend(t, smooth(own, 1.2)), hump * (1 + 0.25 * noise.read("white", u * 0.11, v * 0.11)))


def _checks(t: Table, u: Array, v: Array) -> Array:
    a, b = smooth(np.sin(u * 3.14159), 0.15), smooth(np.sin(v * 3.14159), 0.15)
    fabric = 1 + 0.1 * noise.read("white", u * 0.3, v * 0.3)
    if t.seed % 2:
        return tint(blend(t, (a + b) * 0.5), fabric)
    return tint(blend(t, a * (1 - b) + b * (1 - a)), fabric)


def _stripes(t: Table, u: Array, v: Array) -> Array:
    wide = smooth(np.sin(u * 3.14159) - np.float32(t.contrast - 0.5), 0.2)
    return tint(blend(t, wide), 1 + 0.08 * noise.read("white", u * 0.3, v * 0.3))


def _print(t: Table, u: Array, v: Array) -> Array:
    return blend(t, smooth(noise.read("writing", u * 0.06, v * 0.06) - 0.5, 0.5) * np.float32(0.9))


def _board(t: Table, u: Array, v: Array) -> Array:
    """A printed game board: hexagonal or flowing fields in several colours, with round marks and dots."""
    level: Array
    far: Array
    border: Array
    if t.seed % 3:
        q, r = (u * np.float32(0.577) - v / 3) / 2, v / 3
        a, b, c = np.round(q), np.round(-q - r), np.round(r)
        da, db, dc = np.abs(a - q), np.abs(b + q + r), np.abs(c - r)
        a = np.where((da > db) & (da > dc), -b - c, a)
        c = np.where((dc > da) & (dc >= db), -a - b, c)
        level = noise.read("white", a * np.float32(0.137), c * np.float32(0.211))
        x, y = u - (a + c / 2) * np.float32(3.464), v - c * 3
        edge = np.maximum(np.abs(x), np.abs(x) / 2 + np.abs(y) * np.float32(0.866))
        far, border = _far(x, y) / 4, smooth(edge - 1.62, 0.08)
    else:
        level = noise.read("cloud", u * 0.03, v * 0.03) * 4
        far = _far(u / 4 - np.round(u / 4), v / 4 - np.round(v / 4))
        border = np.zeros_like(u)
    level = np.asarray(level * 2 + 8, np.float32)
    pick = np.minimum((level - np.floor(level)) * len(t.colours), len(t.colours) - 1).astype(np.intp)
    colour = np.stack([np.array(levels, np.float32)[pick] for levels in zip(*t.colours, strict=True)])
    colour = tint(colour, (1 + 0.5 * t.contrast * noise.read("blotch", u * 0.06, v * 0.06)) * (1 - 0.6 * border))
    mark, dot = 1 - smooth(far - 0.14, 0.03), 1 - smooth(far - 0.045, 0.02)
    return np.asarray((colour * (1 - mark) + np.float32(0.6) * mark) * (1 - dot * 0.8), np.float32)


def _tiles(t: Table, u: Array, v: Array) -> Array:
    gap = np.maximum(np.abs(u - np.round(u)), np.abs(v - np.round(v)))
    level = noise.read("white", np.round(u) * 0.173, np.round(v) * 0.219)
    base = tint(blend(t, 0.3 + 0.3 * noise.read("blotch", u * 0.15, v * 0.15)), 1 + 0.1 * level)
    return tint(base, 1 - 0.5 * smooth(gap - 0.485, 0.02))


def _ruled(t: Table, u: Array, v: Array) -> Array:
    line = 1 - smooth(np.abs(v - np.round(v)) - 0.03, 0.04)
    if t.seed % 2:
        line = np.maximum(line, 1 - smooth(np.abs(u - np.round(u)) - 0.03, 0.04))
    return tint(blend(t, line * np.float32(t.contrast)), 1 + 0.02 * noise.read("fine", u * 0.2, v * 0.2))


def _cork(t: Table, u: Array, v: Array) -> Array:
    return blend(
        t,
        np.clip(
            0.5
            + 0.6 * noise.read("chip", u * 0.08, v * 0.08) * t.contrast
            + 0.4 * noise.read("fine", u * 0.04, v * 0.04),
            0,
            1,
        ),
    )


def _brushed(t: Table, u: Array, v: Array) -> Array:
    return tint(
        blend(t, 0.5 + 0.3 * noise.read("cloud", u * 0.01, v * 0.01)),
        1 + 0.25 * t.contrast * noise.read("streak", v * 0.02, u * 0.2),
    )


PATTERNS: dict[str, Pattern] = {
    "wood": _wood,
    "planks": _planks,
    "felt": _felt,
    "plain": _plain,
    "weave": _weave,
    "tweed": _tweed,
    "carpet": _carpet,
    "ribbed": _ribbed,
    "leather": _leather,
    "stone": _stone,
    "terrazzo": _terrazzo,
    "dots": _dots,
    "basket": _basket,
    "loops": _loops,
    "checks": _checks,
    "stripes": _stripes,
    "print": _print,
    "board": _board,
    "tiles": _tiles,
    "ruled": _ruled,
    "cork": _cork,
    "brushed": _brushed,
}
# Never used in training: soak tests use these as unfamiliar surfaces.
UNSEEN = ("cork", "brushed", "tiles")


def lay(colour: Array, region: Region, camera: Camera, size: Size, x: Array, y: Array, shade: Array) -> Array:
    """Draw a region over the table, with the thin shadow of its edge."""
    points = np.array([(*c, 0.0) for c in region.corners], np.float32).T
    seen = lens.project(camera, size, points).T
    mask = np.zeros(x.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.clip(seen, -9000, 9000) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if not region.inside:
        mask = np.asarray(255 - mask, np.uint8)
    if not mask.any():
        return colour
    keep = mask.astype(np.float32) * np.float32(1 / 255)
    if region.height:
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2 + region.height), np.float32) / 255
        shade *= 1 - 0.5 * soft * (1 - keep)
    return np.asarray(colour * (1 - keep) + paint(region.table, x, y) * keep, np.float32)


def tray_edge(tray: Tray, x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
    """For each point: the distance from the edge of the tray's floor (negative on the floor), the outward direction,
    and the tray coordinates (two arrays)."""
    c, s = np.float32(math.cos(tray.angle)), np.float32(math.sin(tray.angle))
    dx, dy = x - np.float32(tray.centre[0]), y - np.float32(tray.centre[1])
    u, v = dx * c + dy * s, dy * c - dx * s
    if tray.round:
        r = _far(u, v)
        return r - np.float32(tray.reach[0]), np.stack([dx, dy]) / (r + np.float32(1e-3)), u, v
    a, b = np.abs(u) - np.float32(tray.reach[0]), np.abs(v) - np.float32(tray.reach[1])
    flat = a > b
    ux, vx = np.sign(u) * flat, np.sign(v) * ~flat
    return np.maximum(a, b), np.stack([ux * c - vx * s, ux * s + vx * c]), u, v


def set_tray(
    colour: Array, tray: Tray, x: Array, y: Array, px: float, shade: Array, light: tuple[float, float]
) -> Array:
    """Draw the tray's floor and its slightly sloping rim; `px` is the size of a pixel in millimetres."""
    out, away, u, v = tray_edge(tray, x, y)
    inside = 1 - smooth(out, px * 1.5)
    wall = smooth(out, px * 1.5) * (1 - smooth(out - tray.rim * 0.55, px * 1.5))
    lip = smooth(out - tray.rim * 0.55, px * 1.5) * (1 - smooth(out - tray.rim, px * 1.5))
    turned = away[0] * np.float32(-light[0]) + away[1] * np.float32(-light[1])
    body = np.array(tray.colour, np.float32)[:, None, None]
    colour = colour * (1 - (inside + wall + lip)) + paint(tray.floor, x, y) * inside
    colour = colour + body * (wall * (0.6 + 0.35 * turned) + lip * (1.15 - 0.15 * turned))
    near = np.clip(1 + out / np.float32(tray.height * 0.8), 0, 1) * inside
    shade *= 1 - near * np.clip(0.25 - 0.35 * turned, 0, 0.6)
    outer = np.clip(1 - (out - tray.rim) / np.float32(tray.height * 0.6), 0, 1) * (out > tray.rim)
    shade *= 1 - 0.45 * outer
    for i in range(tray.screws):
        a = 2 * math.pi * (i + 0.3) / tray.screws
        reach = tray.reach[0] + (tray.rim * 0.5 if tray.round else -tray.rim * 1.5)
        side = tray.reach[1] + (tray.rim * 0.5 if tray.round else -tray.rim * 1.5)
        px_, py_ = math.cos(a) * reach, math.sin(a) * side
        d = _far(u - np.float32(px_), v - np.float32(py_)) - np.float32(tray.rim * 0.25)
        head = 1 - smooth(d, px)
        slot = 1 - smooth(np.abs((u - px_) * math.cos(a * 3) + (v - py_) * math.sin(a * 3)) - tray.rim * 0.05, px)
        colour = colour * (1 - head) + (np.float32(0.35) - 0.3 * slot) * head
    return np.asarray(colour, np.float32)
