"""Ray tracing of dice and other solids.

Its one rule: the geometry is exact, and computed in the solid's own frame, where half its size is 1. Colours are
computed in shading.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import camera as lens
from vision.render.scene import Array, Camera, Die, Shape, Size

STEPS = 5  # steps of ray marching at rounded edges; flat sides are intersected exactly
CORNERS = np.array(list(product((-1, 1), repeat=3)), np.float32)[:, None, :]
ROUNDING = np.array([np.array(w) / np.linalg.norm(w) for w in product((0.0, 0.4, 1.0), repeat=3) if any(w)], np.float32)
CREASE = 0.06  # rounding of the edges where a ball cuts the box


@dataclass
class Patch:
    """The visible part of one solid, on a grid `fine` times finer than the pixels."""

    die: Die
    left: int
    top: int
    width: int  # in pixels of the picture
    height: int
    fine: int
    cover: Array  # (height, width): coverage of each pixel, ignoring solids in front
    distance: Array  # (height * fine, width * fine): length of each ray up to the solid; infinite if it misses
    index: NDArray[np.intp]  # flat indices of the points that were hit; the arrays below are for these points
    rays: Array
    point: Array
    normal: Array
    exit: Array
    footprint: float  # size of a fine pixel on the solid, relative to half the solid's size


@cache
def polyhedron(name: str) -> tuple[Array, Array]:
    """The faces of a polyhedron: outward normals (n, 3) and their distances from the centre."""
    g = (1 + 5**0.5) / 2
    corners = {
        "d4": [(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)],
        "d8": list(product((-1, 1), repeat=3)),
        "d10": [(math.cos(k * math.pi / 5), math.sin(k * math.pi / 5), 0.95 * (-1) ** k) for k in range(10)],
        "d12": [v for a, b in product((-1, 1), (-g, g)) for v in ((0, a, b), (a, b, 0), (b, 0, a))],
        "d20": [
            *product((-1, 1), repeat=3),
            *(v for a, b in product((-1 / g, 1 / g), (-g, g)) for v in ((0, a, b), (a, b, 0), (b, 0, a))),
        ],
    }[name]
    normals = np.array(corners, np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals.astype(np.float32), np.full(len(normals), 0.4 if name == "d4" else 0.75, np.float32)


@cache
def facets(name: str) -> tuple[Array, Array]:
    """Two axes along each face of a polyhedron, right-handed as seen from outside, in units of the face's size."""
    ways, _ = polyhedron(name)
    size = {"d4": 0.55, "d8": 0.5, "d10": 0.42, "d12": 0.44, "d20": 0.29}[name]
    across = np.cross(np.array((0.31, 0.17, 0.93)), ways)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return (across / size).astype(np.float32), (np.cross(ways, across) / size).astype(np.float32)


@lru_cache(maxsize=256)
def outline(shape: Shape) -> Array:
    """Points (3, n) whose convex hull approximates the solid, for bounding boxes, shadows and table contact."""
    half, r = np.array(shape.half), min(shape.radius, *shape.half)
    if shape.planes:
        normals, out = polyhedron(shape.planes)
        grid = np.random.default_rng(0).standard_normal((600, 3))
        grid /= np.linalg.norm(grid, axis=1, keepdims=True)
        reach = np.min(np.where(grid @ normals.T > 1e-6, out / np.maximum(grid @ normals.T, 1e-6), 9), axis=1)
        return np.ascontiguousarray((grid * reach[:, None]).T, np.float32)
    if shape.ball < 2:
        return _cut_outline(shape)
    return np.ascontiguousarray((CORNERS * ((half - r) + ROUNDING * r)).reshape(-1, 3).T, np.float32)


def _cut_outline(shape: Shape) -> Array:
    """Points on the ball between the sides, and on the circles where the sides cut it."""
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    height = np.linspace(-1, 1, 15)[:, None]
    flat = np.sqrt(np.maximum(0, 1 - height**2))
    ball = np.stack([flat * np.cos(turn), flat * np.sin(turn), height + 0 * turn], -1).reshape(-1, 3) * shape.ball
    points = [ball[np.abs(ball).max(1) <= 1]]
    if shape.ball > 1:
        ring = (
            np.stack([np.cos(turn), np.sin(turn), 1 / (shape.ball**2 - 1) ** 0.5 + 0 * turn], -1)
            * (shape.ball**2 - 1) ** 0.5
        )
        ring[:, :2] = np.clip(ring[:, :2], -1, 1)
        points += [np.roll(ring * (1, 1, side), axis, axis=1) for side in (-1, 1) for axis in range(3)]
    return np.ascontiguousarray(np.concatenate(points).T, np.float32)


def placed(die: Die, points: Array) -> Array:
    """Convert points from the solid's own frame to world coordinates."""
    return np.asarray(die.matrix @ points * (die.size / 2) + np.array(die.centre, np.float32)[:, None], np.float32)


def slabs(shape: Shape, origin: Array, rays: Array) -> tuple[Array, Array]:
    """Where each ray enters and leaves the solid, as if its edges were sharp."""
    half = np.array(shape.half, np.float32)[:, None]
    inverse = 1 / np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    a = (-half - origin) * inverse
    b = (half - origin) * inverse
    near, far = np.minimum(a, b).max(0), np.maximum(a, b).min(0)
    if shape.planes:
        for normal, out in zip(*polyhedron(shape.planes), strict=True):
            along = normal @ rays
            t = (out - normal @ origin) / np.where(np.abs(along) < 1e-6, np.float32(1e-6), along)
            near = np.where(along < 0, np.maximum(near, t), near)
            far = np.where(along > 0, np.minimum(far, t), far)
    if shape.ball < 2:
        b1 = (rays * origin).sum(0)
        room = b1 * b1 - (origin * origin).sum(0) + np.float32(shape.ball**2)
        root = np.sqrt(np.maximum(room, 0))
        near = np.where(room > 0, np.maximum(near, -b1 - root), np.inf)
        far = np.where(room > 0, np.minimum(far, -b1 + root), -np.inf)
    return np.asarray(near, np.float32), np.asarray(far, np.float32)


def depth(shape: Shape, point: Array) -> Array:
    """The distance of each point from the surface of the rounded solid; negative inside."""
    r = min(shape.radius, *shape.half)
    q = np.abs(point) - (np.array(shape.half, np.float32)[:, None] - r)
    outside = np.maximum(q, 0)
    d = np.sqrt((outside * outside).sum(0)) + np.minimum(q.max(0), 0) - r
    if shape.ball < 2:
        ball = np.sqrt((point * point).sum(0)) - shape.ball
        mix = np.clip(0.5 + 0.5 * (ball - d) / CREASE, 0, 1)
        d = d * (1 - mix) + ball * mix + CREASE * mix * (1 - mix)
    return np.asarray(d, np.float32)


def normals(shape: Shape, point: Array) -> Array:
    if shape.planes:
        ways, out = polyhedron(shape.planes)
        return np.ascontiguousarray(ways[np.argmax(ways @ point - out[:, None], axis=0)].T)
    r = min(shape.radius, *shape.half)
    q = np.abs(point) - (np.array(shape.half, np.float32)[:, None] - max(r, 0.01))
    n = np.maximum(q, 0) * np.sign(point)
    n /= np.sqrt((n * n).sum(0)) + 1e-9
    if shape.ball < 2:
        reach = np.sqrt((point * point).sum(0))
        flat = np.abs(point / np.array(shape.half, np.float32)[:, None]).max(0) - 1
        mix = np.clip(0.5 + 0.5 * (reach - shape.ball - flat) / CREASE, 0, 1)
        n = n * (1 - mix) + point / reach * mix
        n /= np.sqrt((n * n).sum(0)) + 1e-9
    return np.asarray(n, np.float32)


def reach(camera: Camera, size: Size, die: Die) -> tuple[Array, tuple[int, int, int, int]] | None:
    """The outline in the picture and its bounding box, which can extend beyond the picture; None if not visible."""
    seen = lens.project(camera, size, placed(die, outline(die.shape)))
    left, top = (int(np.floor(a.min())) - 1 for a in seen)
    right, bottom = (int(np.ceil(a.max())) + 2 for a in seen)
    if right < 1 or bottom < 1 or left > size[0] - 2 or top > size[1] - 2 or right - left > 3 * max(size):
        return None
    return seen, (left, top, right, bottom)


def meet(camera: Camera, size: Size, die: Die, fine: int) -> Patch | None:
    """Trace one solid; None if it is outside the picture."""
    found = reach(camera, size, die)
    if found is None:
        return None
    seen, (left, top, right, bottom) = found
    width, height = right - left, bottom - top
    # All solids are convex, so the hull of the outline is their silhouette, to a sixteenth of a pixel.
    mask = np.zeros((height, width), np.uint8)
    hull = cv2.convexHull(np.ascontiguousarray(seen.T - (left, top), np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cover = mask.astype(np.float32) * np.float32(1 / 255)
    step = 1 / fine
    xs = np.arange(width * fine, dtype=np.float32) * step + (left - 0.5 + step / 2)
    ys = np.arange(height * fine, dtype=np.float32) * step + (top - 0.5 + step / 2)
    wide = mask if fine == 1 else cv2.resize(mask, (width * fine, height * fine), interpolation=cv2.INTER_NEAREST)
    index = np.flatnonzero(wide)
    half = die.size / 2
    turn = die.matrix.T
    world = lens.rays(camera, size, xs[index % (width * fine)], ys[index // (width * fine)])
    own = turn @ world
    origin = (turn @ (np.array(camera.eye, np.float32) - np.array(die.centre, np.float32)) / half)[:, None]
    t, far = slabs(die.shape, origin, own)
    met = np.flatnonzero(t < far)
    if len(met) < len(index):
        index, t, far = index[met], t[met], far[met]
        # `take` is four times as fast as own[:, met].
        own, world = own.take(met, axis=1), world.take(met, axis=1)
    point = origin + own * t
    if not die.shape.planes:
        _march(die.shape, origin, own, t, point)
    distance = np.full(width * height * fine * fine, np.inf, np.float32)
    distance[index] = t * half
    eye = float(np.linalg.norm(np.array(camera.eye) - np.array(die.centre)))
    footprint = eye / (camera.focal * max(size)) / half / fine
    return Patch(
        die,
        left,
        top,
        width,
        height,
        fine,
        cover,
        distance.reshape(height * fine, width * fine),
        index,
        world,
        point,
        normals(die.shape, point),
        origin + own * far,
        footprint,
    )


def _march(shape: Shape, origin: Array, own: Array, t: Array, point: Array) -> None:
    """Move each point along its ray, in place, from the surface of the sharp-edged solid to that of the rounded one. A
    ray that just misses keeps its nearest point, and the pixel's coverage decides how much that point counts."""
    off = depth(shape, point)
    moving = np.flatnonzero(off > 2e-3)
    if not len(moving):
        return
    way, at, d = own.take(moving, axis=1), t[moving], off[moving]
    best, best_d = at, d
    for _ in range(STEPS):
        at = at + d
        d = depth(shape, origin + way * at)
        nearer = d < best_d
        best, best_d = np.where(nearer, at, best), np.where(nearer, d, best_d)
    t[moving] = best
    point[:, moving] = origin + way * best


def part(patch: Patch, keep: NDArray[np.bool_]) -> None:
    """Drop the points that are not in `keep`."""
    if keep.all():
        return
    kept = np.flatnonzero(keep)
    patch.index = patch.index[kept]
    patch.rays, patch.point = patch.rays.take(kept, axis=1), patch.point.take(kept, axis=1)
    patch.normal, patch.exit = patch.normal.take(kept, axis=1), patch.exit.take(kept, axis=1)


def in_view(patches: list[Patch]) -> list[Array]:
    """For each patch, the part of its coverage that no other patch hides."""
    left_over = [p.cover.copy() for p in patches]
    for i, a in enumerate(patches):
        for j in range(i + 1, len(patches)):
            b = patches[j]
            left, right = max(a.left, b.left), min(a.left + a.width, b.left + b.width)
            top, bottom = max(a.top, b.top), min(a.top + a.height, b.top + b.height)
            if left >= right or top >= bottom:
                continue
            at = [(np.s_[top - p.top : bottom - p.top, left - p.left : right - p.left], p) for p in (a, b)]
            if not (at[0][1].cover[at[0][0]] * at[1][1].cover[at[1][0]]).any():
                continue
            f = a.fine
            fine = [
                p.distance[(top - p.top) * f : (bottom - p.top) * f, (left - p.left) * f : (right - p.left) * f]
                for p in (a, b)
            ]
            both = np.isfinite(fine[0]) & np.isfinite(fine[1])
            if both.any():
                behind = float((fine[0][both] - fine[1][both]).mean()) > 0
            else:
                behind = float(fine[0].min(initial=1e9)) > float(fine[1].min(initial=1e9))
            hid, front = (0, 1) if behind else (1, 0)
            left_over[i if hid == 0 else j][at[hid][0]] *= 1 - at[front][1].cover[at[front][0]]
    return left_over


def coarse(colours: Array, patch: Patch) -> Array:
    """Colours (3, n) of the points as pixels (height, width, 3); edge pixels without points take their neighbours'."""
    field = np.zeros((patch.distance.size, 4), np.float32)
    field[patch.index, :3] = colours.T
    field[patch.index, 3] = 1
    page = field.reshape(*patch.distance.shape, 4)
    if patch.fine > 1:
        page = np.asarray(cv2.resize(page, (patch.width, patch.height), interpolation=cv2.INTER_AREA), np.float32)
    wide = cv2.blur(page, (3, 3), borderType=cv2.BORDER_CONSTANT)
    bare = page[..., 3] <= 0
    page[bare] = wide[bare]
    return np.asarray(page[..., :3] / np.maximum(page[..., 3:], 1e-4), np.float32)
