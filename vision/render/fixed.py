"""Renders stills and film of a fixed table, where one set of dice is rolled in a tray again and again.

Its one rule: expensive parts (the table, dice at rest) are rendered once; only the noise is new in every frame.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.render import finish, litter, picture, placing
from vision.render.faults import with_fault
from vision.render.legible import pips_seen, without_pips
from vision.render.motion import random_stage
from vision.render.placing import about, as_turn
from vision.render.scene import Array, Die, Image, Scene, Size, Tray, Truth

LENGTH = 16.0  # length of a die, in millimetres
INNER = 0.94  # share of the strip's length over which kept dice are laid out in a row
CLEAR = 40  # minimum contrast of pips in grey levels; nobody would play with fainter pips
TRIES = 300  # attempts to find a suitable roll before giving up
TRIALS, MOSTLY = 4, 0.9  # test rolls of all dice before a table is accepted, and the share of dice that must be legible
Chance = np.random.Generator


@dataclass(frozen=True)
class SetUp:
    stage: Scene
    size: Size
    ground: picture.Ground
    meter: float
    kit: tuple[Die, ...]  # the dice that belong to this table
    strip: float = 0.0  # width in millimetres of the strip for kept dice, on the tray's right; no dice are rolled there

    @property
    def floor(self) -> Tray:
        """The part of the tray in which dice are rolled."""
        assert self.stage.tray is not None
        return _part(self.stage.tray, -1.0, 1.0 - self.strip / self.stage.tray.reach[0])

    @property
    def beside(self) -> Tray:
        """The strip for kept dice."""
        assert self.stage.tray is not None
        return _part(self.stage.tray, 1.0 - self.strip / self.stage.tray.reach[0], 1.0)

    def truth(self, scene: Scene) -> tuple[Truth, ...]:
        return picture.expose(scene, self.size, self.ground)[1]


@dataclass(frozen=True)
class Roll:
    scene: Scene  # the scene with the dice at rest
    values: tuple[int, ...]  # values of all dice rolled, including hidden ones, in ascending order


def set_up(rng: Chance, size: Size = (640, 480), unseen: bool = True) -> SetUp:
    """A random tray, camera, light and six dice; `unseen` uses looks that do not occur in training. Tables with
    invisible pips or a dazzled camera are rejected, because nobody would play there."""
    while True:
        die_px = float(rng.uniform(0.0625, 0.125)) * min(size)
        stage = random_stage(rng, size, LENGTH, die_px, unseen)
        kit = placing.random_dice(rng, size, stage.camera, 6, LENGTH, unseen, stage.tray)
        if len(kit) < 6:
            continue
        ground = picture.lay_ground(stage, size)
        meter = finish.gain(stage.sensor, picture.light_table(stage, size, ground, ()))
        table = SetUp(stage, size, ground, meter, tuple(kit))
        trials = [replace(stage, dice=laid(rng, table, 6)) for _ in range(TRIALS)]
        if np.mean([clear for trial in trials for clear in legible(table, trial)]) > MOSTLY:
            return table


def roll(rng: Chance, table: SetUp, count: int, fault: str | None = None, kept: tuple[Die, ...] = ()) -> Roll:
    """A random roll of some of the table's dice; `kept` dice lie in the strip. Unless there is a fault, all dice
    are legible."""
    for _ in range(TRIES):
        scene = replace(table.stage, dice=laid(rng, table, count))
        if fault:
            scene = with_fault(rng, scene, fault, table.size)
        rolled = scene.dice
        scene = replace(scene, dice=(*rolled, *kept))
        if len(rolled) == count and (fault or all(legible(table, scene))):
            return Roll(scene, tuple(sorted(die.value for die in rolled)))
    raise ValueError(f"No roll of {count} dice was found in which all can be read.")


def set_aside(rng: Chance, table: SetUp, scene: Scene, places: Collection[int], turned: bool = False) -> Scene:
    """Move the dice with these indices to the strip, in a row after those already there. The dice keep their top faces
    unless `turned`."""
    strip = table.beside
    c, s = math.cos(strip.angle), math.sin(strip.angle)
    taken = sum(in_strip(table, die) for die in scene.dice)
    loose = tuple(die for place, die in enumerate(scene.dice) if place not in places)
    for _ in range(TRIES):
        moved = []
        for row, place in enumerate(sorted(places), taken):
            die = scene.dice[place]
            v = INNER * strip.reach[1] * (1 - (2 * row + 1) / len(table.kit))
            at = (strip.centre[0] - v * s, strip.centre[1] + v * c, die.centre[2])
            turn = about((0, 0, 1), float(rng.uniform(-0.3, 0.3))) @ (_over(rng) if turned else np.eye(3))
            moved.append(placing.on_ground(replace(die, centre=at, turn=as_turn(turn @ die.matrix))))
        found = replace(scene, dice=(*loose, *moved))
        if all(legible(table, found)):
            return found
    raise ValueError("No position in the strip was found in which all can be read.")


def knocked_over(rng: Chance, table: SetUp, scene: Scene) -> Scene:
    """Push the first die by up to its width, so that it tips over and shows another face."""
    die = scene.dice[0]
    for _ in range(TRIES):
        way, far = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.3, 1.0)) * die.size
        at = (die.centre[0] + far * math.cos(way), die.centre[1] + far * math.sin(way), die.centre[2])
        pushed = placing.on_ground(replace(die, centre=at, turn=as_turn(_over(rng) @ die.matrix)))
        found = replace(scene, dice=(pushed, *scene.dice[1:]))
        if placing.in_tray(table.floor, pushed) and all(legible(table, found)):
            return found
    raise ValueError("No position was found in which all can be read.")


def _over(rng: Chance) -> Array:
    """A rotation that tips a die over a random edge. Not every face is legible in this light, so callers may have to
    try again."""
    way = math.pi / 2 * int(rng.integers(4))
    return about((math.cos(way), math.sin(way), 0), math.pi / 2)


def in_strip(table: SetUp, die: Die) -> bool:
    return table.strip > 0 and not placing.in_tray(table.floor, die)


def legible(table: SetUp, scene: Scene) -> list[bool]:
    """For each die, whether both its top face and its pips are visible. The picture is compared with one rendered
    without pips."""
    clean = replace(scene, sensor=replace(scene.sensor, shot=0.0, read=0.0, jpeg=0))
    light, truth = picture.expose(clean, table.size, table.ground)
    without = picture.expose(without_pips(clean), table.size, table.ground)[0]
    if len(truth) < len(scene.dice):
        return [False]
    drawn, blank = (finish.develop(clean.sensor, one, table.meter) for one in (light, without))
    clear = pips_seen(drawn, blank, scene.dice, truth, CLEAR)
    return [told.top_visible > 0.9 and not told.cut and seen for told, seen in zip(truth, clear, strict=True)]


def laid(rng: Chance, table: SetUp, count: int) -> tuple[Die, ...]:
    """Some of the table's dice at random places in the tray, legible or not; fewer if there is no room."""
    placed: list[Die] = []
    for k in rng.permutation(len(table.kit))[:count]:
        die = table.kit[int(k)]
        for _ in range(300):
            at = _beside(rng, placed, die) if placed and rng.random() < 0.3 else _anywhere(rng, table)
            die = replace(die, centre=(at[0], at[1], die.size / 2), turn=as_turn(placing.lying(rng)))
            if placing.in_tray(table.floor, die) and all(placing.apart(die, other) >= 0 for other in placed):
                placed.append(placing.on_ground(die))
                break
    return tuple(placed)


def _anywhere(rng: Chance, table: SetUp) -> tuple[float, float]:
    assert table.stage.tray is not None
    far = max(table.stage.tray.reach) * 1.42
    x, y = rng.uniform(-far, far, 2)
    return float(x), float(y)


def _beside(rng: Chance, placed: list[Die], die: Die) -> tuple[float, float]:
    """A random place beside another die, so close that the two may touch."""
    other = placed[int(rng.integers(len(placed)))]
    a, far = rng.uniform(0, 2 * math.pi), (die.size + other.size) / 2 * rng.uniform(1.0, 1.45)
    return other.centre[0] + far * math.cos(a), other.centre[1] + far * math.sin(a)


def lying(rng: Chance, table: SetUp, scene: Scene) -> Iterator[Image]:
    """Endless frames of a still scene."""
    light = picture.expose(scene, table.size, table.ground)[0]
    while True:
        yield finish.develop(replace(scene.sensor, seed=int(rng.integers(1 << 30))), light, table.meter)


def flying(rng: Chance, table: SetUp, scene: Scene, frames: int) -> Iterator[Image]:
    """Frames of the dice tumbling in from outside the picture, except those in the strip. After the last frame, the
    dice lie still."""
    far = table.stage.camera.focal * 6 * LENGTH + max(table.stage.tray.reach if table.stage.tray else (0.0,))
    ways = [(rng.uniform(0, 2 * math.pi), rng.normal(0, 1, 3), rng.uniform(3, 9)) for _ in scene.dice]
    for frame in range(frames):
        left = (1 - frame / frames) ** 2
        dice = tuple(
            die if in_strip(table, die) else _flown(die, left, far, *way)
            for die, way in zip(scene.dice, ways, strict=True)
        )
        moment = replace(scene, dice=dice, things=table.stage.things)
        yield next(lying(rng, table, moment))


def taking(rng: Chance, table: SetUp, scene: Scene, frames: int = 8, left: tuple[Die, ...] = ()) -> Iterator[Image]:
    """Frames of a hand that reaches in and takes the dice, except those in `left`."""
    goal = scene.dice[int(rng.integers(len(scene.dice)))].centre
    way = rng.uniform(0, 2 * math.pi)
    hand = replace(litter.random_thing(rng, goal[:2], LENGTH, "hand"), angle=way, above=True)
    for frame in range(frames):
        far = hand.size * (0.33 + 1.1 * abs(2 * frame / (frames - 1) - 1))
        here = replace(hand, place=(goal[0] + far * math.cos(way), goal[1] + far * math.sin(way)))
        dice = scene.dice if frame < frames / 2 else left
        yield next(lying(rng, table, replace(scene, dice=dice, things=(*table.stage.things, here))))


def _flown(die: Die, left: float, far: float, way: float, axis: Array, tumble: float) -> Die:
    x, y = die.centre[0] + left * far * math.cos(way), die.centre[1] + left * far * math.sin(way)
    turn = about((float(axis[0]), float(axis[1]), float(axis[2])), tumble * left) @ die.matrix
    return placing.on_ground(replace(die, centre=(x, y, die.centre[2]), turn=as_turn(np.asarray(turn, np.float32))))


def _part(tray: Tray, low: float, high: float) -> Tray:
    """The part of a rectangular tray from `low` to `high` across its width, which runs from -1 to 1."""
    far = (low + high) / 2 * tray.reach[0]
    centre = (tray.centre[0] + far * math.cos(tray.angle), tray.centre[1] + far * math.sin(tray.angle))
    return replace(tray, centre=centre, reach=((high - low) / 2 * tray.reach[0], tray.reach[1]))
