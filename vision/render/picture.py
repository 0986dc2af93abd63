"""Renders a scene, with the ground truth about its dice.

Its one rule: the light of table, things and solids stays linear; only finish.py converts it to bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import camera as lens
from vision.render import clutter, finish, light, shading, solids, tables
from vision.render.scene import (
    COCKED_FROM,
    NORMALS,
    Array,
    Box,
    Camera,
    Die,
    Picture,
    Point,
    Scene,
    Size,
    Thing,
    Truth,
)
from vision.render.solids import Patch

MOST_RAYS = 18_000  # each pixel gets 2 x 2 rays if this total is not exceeded, otherwise only one ray


@dataclass
class Ground:
    """The table without dice: its paint, the point each pixel shows, and the light on it. For film, the ground is
    computed only once."""

    paint: Array  # colours (3, h, w)
    x: Array
    y: Array
    shade: Array  # share of ambient light that surrounding objects let through
    lamps: list[Array | None]
    glare: Array | None


def draw(scene: Scene, size: Size = (640, 480)) -> Picture:
    """Render a scene. Returns the ground truth of every die that is at least partly visible."""
    ground = lay_ground(scene, size)
    shot, truth = expose(scene, size, ground)
    return Picture(finish.develop(scene.sensor, shot), truth)


def lay_ground(scene: Scene, size: Size) -> Ground:
    width, height = size
    x, y = lens.table_maps(scene.camera, size)
    shade = np.ones((height, width), np.float32)
    paint = tables.paint(scene.table, x, y)
    for region in scene.regions:
        paint = tables.lay(paint, region, scene.camera, size, x, y, shade)
    if scene.tray:
        lamp = scene.lamps[0].towards if scene.lamps else (0.0, 0.0, 1.0)
        px = float(abs(x[height // 2, width // 2] - x[height // 2, width // 2 - 1])) + 1e-3
        px = max(px, float(abs(y[height // 2, width // 2] - y[height // 2 - 1, width // 2])))
        paint = tables.set_tray(paint, scene.tray, x, y, px, shade, (lamp[0], lamp[1]))
    for thing in scene.things:
        if not thing.above:
            _put(paint, shade, scene, size, thing)
    lamps = [light.level(lamp, x, y) for lamp in scene.lamps]
    glare = _glare(scene, x, y)
    if glare is not None and scene.tray:
        glare *= tables.tray_edge(scene.tray, x, y)[0] > scene.tray.rim
    return Ground(paint, x, y, shade, lamps, glare)


def expose(scene: Scene, size: Size, ground: Ground) -> tuple[Array, tuple[Truth, ...]]:
    """The light (3, h, w) that reaches the sensor, and the ground truth."""
    every = (*scene.dice, *scene.solids)
    fine = _fineness(scene.camera, size, every)
    met = [solids.meet(scene.camera, size, die, fine) for die in every]
    patches = [p for p in met if p is not None]
    shot = light_table(scene, size, ground, every)
    views = iter(solids.in_view(patches))
    left_over = [None if p is None else next(views) for p in met]
    _lay_solids(
        scene, shot, [(p, v) for p, v in zip(met, left_over, strict=True) if p is not None and v is not None], every
    )
    hidden: Array | None = None
    for thing in scene.things:
        if thing.above:
            hidden = _lay_above(shot, scene, size, thing, hidden)
    truth = []
    for die, patch, view in zip(every, met, left_over, strict=True):
        if die.is_die and patch is not None and view is not None:
            found = tell(scene, size, die, patch, view, hidden)
            if found:
                truth.append(found)
    return shot, tuple(truth)


def light_table(scene: Scene, size: Size, ground: Ground, every: Sequence[Die]) -> Array:
    """The table under ambient light and lamps, with the shadows of solids."""
    around = ground.shade.copy()
    for die in every:
        light.contact(around, scene.camera, size, die, 0.75)
    frees = []
    for lamp, arrives in zip(scene.lamps, ground.lamps, strict=True):
        free = ground.shade * np.float32(lamp.towards[2])
        light.cast(free, scene.camera, size, every, lamp)
        if arrives is not None:
            free *= arrives
        frees.append(free)
    mirror: Array | None = None
    if scene.table.gloss and every:
        mirror = np.ones_like(around)
        for die in every:
            light.mirrored(scene.camera, size, die, mirror, 0.2 * scene.table.gloss)
    shot = np.empty_like(ground.paint)
    tone = np.mean([d.material.colour for d in every], axis=0) if every else np.zeros(3)
    # One plane at a time: numpy is several times slower on interleaved channels.
    for c in range(3):
        total = around * np.float32(scene.ambient[c])
        for lamp, free in zip(scene.lamps, frees, strict=True):
            total += free * np.float32(lamp.colour[c])
        total *= ground.paint[c]
        if mirror is not None:
            total = total * mirror + (1 - mirror) * np.float32(tone[c] * scene.ambient[c])
        if ground.glare is not None:
            total += ground.glare[c]
        shot[c] = total
    return shot


def _glare(scene: Scene, x: Array, y: Array) -> Array | None:
    """Reflections of lamps in a glossy table."""
    if not scene.table.gloss or not scene.lamps:
        return None
    eye = scene.camera.eye
    way = np.stack([x - np.float32(eye[0]), y - np.float32(eye[1]), np.full_like(x, eye[2])])
    way /= np.sqrt((way * way).sum(0))
    out = np.zeros((3, *x.shape), np.float32)
    rough = scene.table.rough
    if scene.table.kind in ("wood", "planks", "brushed"):
        rough = max(rough, 0.16)
        # The grain breaks the reflection into streaks.
        grain = tables.paint(scene.table, x, y)[1]
        way[2] += (grain - grain.mean()) / (grain.std() + 1e-3) * np.float32(0.025)
    for lamp in scene.lamps:
        spread = lamp.size**2 * 0.5 + rough**2
        to = lamp.towards
        near = way[0] * np.float32(to[0]) + way[1] * np.float32(to[1]) + way[2] * np.float32(to[2]) - 1
        spot = np.exp(np.maximum(near / np.float32(spread), -30)) * np.float32(
            scene.table.gloss * min(0.45, 0.012 / spread)
        )
        for c in range(3):
            out[c] += spot * np.float32(lamp.colour[c])
    return out


def _fineness(camera: Camera, size: Size, every: Sequence[Die]) -> int:
    area = 0
    for die in every:
        found = solids.reach(camera, size, die)
        if found:
            left, top, right, bottom = found[1]
            area += (right - left) * (bottom - top)
    return 2 if area * 4 <= MOST_RAYS else 1


def _lay_solids(scene: Scene, shot: Array, seen: Sequence[tuple[Patch, Array]], every: Sequence[Die]) -> None:
    """Draw all solids: first remove what they cover, then add the visible part of each."""
    height, width = shot.shape[1:]
    drawn = []
    for patch, view in seen:
        f = patch.fine
        x0, y0 = max(patch.left, 0), max(patch.top, 0)
        x1, y1 = min(patch.left + patch.width, width), min(patch.top + patch.height, height)
        own = np.s_[y0 - patch.top : y1 - patch.top, x0 - patch.left : x1 - patch.left]
        wanted = np.zeros(view.shape, np.uint8)
        wanted[own] = view[own] > 0
        if not wanted.any():
            continue
        if f > 1:
            wanted = np.asarray(cv2.resize(wanted, None, fx=f, fy=f, interpolation=cv2.INTER_NEAREST), np.uint8)
        around = shot[:, y0:y1:4, x0:x1:4].reshape(3, -1).mean(1)[:, None]
        solids.part(patch, wanted.ravel()[patch.index] > 0)
        if not len(patch.index):
            continue
        die = patch.die
        others = [o for o in every if o is not die and math.dist(o.centre, die.centre) < 1.1 * (o.size + die.size)]
        colour = solids.coarse(shading.shade(scene, patch, others, around), patch)[own]
        drawn.append((np.s_[y0:y1, x0:x1], colour * view[own][..., None], patch.cover[own]))
    for at, _, cover in drawn:
        shot[(slice(None), *at)] *= 1 - cover
    for at, colour, _ in drawn:
        shot[(slice(None), *at)] += colour.transpose(2, 0, 1)


def _warp(
    scene: Scene,
    size: Size,
    thing: Thing,
    lift: float,
    page: NDArray[Any],
    box: tuple[int, int, int, int],
    soft: float = 0.0,
) -> Array:
    """Warp a thing's canvas into the part `box` of the picture, as seen at the height `lift` above the table, and blur
    it by `soft` pixels."""
    c, s = math.cos(thing.angle) * thing.size / 2, math.sin(thing.angle) * thing.size / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    world = np.array(
        [(thing.place[0] + a * c - b * s, thing.place[1] + a * s + b * c, lift) for a, b in corners], np.float32
    )
    seen = lens.project(scene.camera, size, world.T).T.astype(np.float32) - np.array(box[:2], np.float32)
    side = page.shape[0]
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    across = float(np.linalg.norm(seen[1] - seen[0]))
    if across < side * 0.7:  # downscale first, because warping alone would alias
        k = max(0.3, across / side)
        page = np.asarray(cv2.resize(page, None, fx=k, fy=k, interpolation=cv2.INTER_AREA))
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * page.shape[0] - 0.5
    move = cv2.getPerspectiveTransform(square, np.asarray(seen, np.float32))
    seen_page = cv2.warpPerspective(page, move, (box[2] - box[0], box[3] - box[1]))
    if soft:
        seen_page = cv2.GaussianBlur(seen_page, (0, 0), soft)
    return np.asarray(seen_page, np.float32)


def _window(scene: Scene, size: Size, thing: Thing, margin: int) -> tuple[int, int, int, int] | None:
    """The part of the picture that a thing and its shadow can cover. Warping the whole picture would be too slow."""
    reach = thing.size * 0.75 + thing.height * 2
    ring = np.array(
        [
            (thing.place[0] + a * reach, thing.place[1] + b * reach, h)
            for a in (-1, 1)
            for b in (-1, 1)
            for h in (0.0, thing.height)
        ],
        np.float32,
    ).T
    seen = lens.project(scene.camera, size, ring)
    if float(np.abs(seen).max()) > 20 * max(size):  # the thing reaches behind the camera
        return None
    x0, y0 = max(0, int(seen[0].min()) - margin), max(0, int(seen[1].min()) - margin)
    x1, y1 = min(size[0], int(seen[0].max()) + margin), min(size[1], int(seen[1].max()) + margin)
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _put(paint: Array, shade: Array, scene: Scene, size: Size, thing: Thing) -> None:
    """Draw a flat thing on the table, with its shadow."""
    box = _window(scene, size, thing, 8)
    if box is None:
        return
    cut = np.s_[box[1] : box[3], box[0] : box[2]]
    page = clutter.canvas(thing)
    seen = _warp(scene, size, thing, thing.height, page, box)
    if thing.height > 0.3 and scene.lamps:
        way = scene.lamps[0].towards
        slide = thing.height * 0.8 / max(way[2], 0.3)
        under = replace(thing, place=(thing.place[0] - way[0] * slide, thing.place[1] - way[1] * slide))
        cover = (page[..., 3] * 255).astype(np.uint8)  # bytes blur several times faster, and suffice for a shadow
        dark = _warp(scene, size, under, 0.0, cover, box, 1.2 + min(8.0, scene.lamps[0].size * 6))
        shade[cut] *= 1 - np.float32(0.55 / 255) * dark * (1 - seen[..., 3])
    free = 1 - seen[..., 3]
    for c in range(3):
        plane = paint[c][cut]
        plane *= free
        plane += seen[..., c]


def _spread(scene: Scene, size: Size, thing: Thing, lift: float, page: Array) -> Array:
    """Like _warp, but finds the point of the canvas for each pixel. Projecting the canvas would fail for an arm that
    reaches behind the camera."""
    x, y = lens.table_maps(scene.camera, size, lift)
    side = page.shape[0]
    c, s = (np.float32(f(thing.angle) * side / thing.size) for f in (math.cos, math.sin))
    dx, dy = x - np.float32(thing.place[0]), y - np.float32(thing.place[1])
    u, v = dx * c + dy * s + np.float32(side / 2 - 0.5), dy * c - dx * s + np.float32(side / 2 - 0.5)
    return np.asarray(cv2.remap(page, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.float32)


def _lay_above(shot: Array, scene: Scene, size: Size, thing: Thing, hidden: Array | None) -> Array:
    """Draw a hand or an object over the dice. Returns a mask from 0 (visible) to 1 (hidden)."""
    page = clutter.canvas(thing)
    if thing.kind == "hand":
        # A soft relief makes the hand look rounded.
        small = cv2.resize(page[..., 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        relief = cv2.resize(cv2.GaussianBlur(small, (0, 0), len(small) / 40), (len(page), len(page)))
        side = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=5) * 0.06 + cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=5) * 0.09
        page[..., :3] *= np.clip(0.9 + side, 0.45, 1.3)[..., None]
    seen = _spread(scene, size, thing, thing.height, page)
    way = scene.lamps[0].towards if scene.lamps else (0.3, 0.3, 0.9)
    slide = thing.height * 0.9 / max(way[2], 0.3)
    under = replace(thing, place=(thing.place[0] - way[0] * slide, thing.place[1] - way[1] * slide))
    dark = cv2.GaussianBlur(_spread(scene, size, under, 0.0, np.ascontiguousarray(page[..., 3])), (0, 0), 5)
    free = (1 - 0.5 * dark) * (1 - seen[..., 3])
    for c in range(3):
        level = scene.ambient[c] + sum(lamp.colour[c] * lamp.towards[2] for lamp in scene.lamps)
        shot[c] *= free
        shot[c] += seen[..., c] * np.float32(level)
    cover = seen[..., 3]
    return cover if hidden is None else np.maximum(hidden, cover)


def tell(scene: Scene, size: Size, die: Die, patch: Patch, view: Array, hidden: Array | None) -> Truth | None:
    """The ground truth of a die, or None if it is not visible."""
    width, height = size
    side = die.top_side
    x0, y0 = max(patch.left, 0), max(patch.top, 0)
    x1, y1 = min(patch.left + patch.width, width), min(patch.top + patch.height, height)
    inner = view[y0 - patch.top : y1 - patch.top, x0 - patch.left : x1 - patch.left]
    if not inner.size or inner.sum() < 0.5:
        return None
    if hidden is not None:
        inner = inner * (1 - hidden[y0:y1, x0:x1])
    corners = top_corners(scene.camera, size, die)
    face = np.zeros((patch.height, patch.width), np.uint8)
    cv2.fillConvexPoly(face, np.round((corners - (patch.left, patch.top)) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inner_face = face[y0 - patch.top : y1 - patch.top, x0 - patch.left : x1 - patch.left]
    outline = lens.project(scene.camera, size, solids.placed(die, solids.outline(die.shape))).T.astype(np.float32)
    cut = bool(outline.min() < -0.5 or outline[:, 0].max() > width - 0.5 or outline[:, 1].max() > height - 0.5)
    low = float(solids.placed(die, solids.outline(die.shape))[2].min())
    centre = lens.project(scene.camera, size, solids.placed(die, (NORMALS[side] * die.shape.half[side // 2])[:, None]))[
        :, 0
    ]
    c: list[Point] = [(float(a), float(b)) for a, b in corners]
    return Truth(
        value=die.value,
        centre=(float(centre[0]), float(centre[1])),
        top=_box(corners),
        whole=_box(outline),
        corners=(c[0], c[1], c[2], c[3]),
        visible=min(1.0, float(inner.sum()) / max(1.0, float(patch.cover.sum()))),
        top_visible=min(1.0, float((inner * inner_face).sum()) / max(1.0, float(face.sum()))),
        cocked=die.lean > COCKED_FROM,
        stacked=low > 0.2 * die.size,
        cut=cut,
    )


def top_corners(camera: Camera, size: Size, die: Die) -> Array:
    """The corners (4, 2) of the top face in the picture, ignoring rounded edges."""
    side = die.top_side
    a, b = shading.ACROSS[side // 2]
    half = die.shape.half
    points = np.repeat((NORMALS[side] * half[side // 2])[:, None], 4, axis=1)
    points[a] = np.array((-1, 1, 1, -1)) * half[a]
    points[b] = np.array((-1, -1, 1, 1)) * half[b]
    return np.asarray(lens.project(camera, size, solids.placed(die, points)).T, np.float32)


def _box(points: Array) -> Box:
    (x, y), (w, h), angle = cv2.minAreaRect(np.ascontiguousarray(points, np.float32))
    return Box((float(x), float(y)), (float(w), float(h)), float(angle))
