"""Renders film: dice are rolled into a tray and come to rest, then a hand takes them.

Its one rule: only frames without motion or hands have ground truth. The places where the dice come to rest are chosen
first, then their flights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.render import chance, conditions, faults, finish, litter, looks, picture, placing, solids
from vision.render.looks import Chance, between
from vision.render.placing import about, as_turn
from vision.render.scene import Array, Die, Image, Scene, Size, Thing, Truth

Frame = tuple[Image, tuple[Truth, ...] | None]
SMEARS = 3  # number of moments that are averaged into one frame, for motion blur
TUMBLES_UNTIL = 0.8  # share of its path along which a die tumbles; after that it only slides and spins


@dataclass(frozen=True)
class Flight:
    die: Die  # the die at rest
    start: tuple[float, float]
    begins: int
    lasts: int
    height: float
    bounces: float
    axis: tuple[float, float, float]
    tumble: float
    spin: float


def random_stage(
    rng: Chance, size: Size = (640, 480), die: float = 16.0, die_px: float = 42.0, unseen: bool = False
) -> Scene:
    """A tray under a fixed camera, without dice, as in a real installation."""
    camera = chance.random_camera(rng, size, die, die_px, between(rng, 0, 0.3))
    camera = replace(camera, roll=float(rng.normal(0, 0.05)), focal=camera.focal)
    pixel = die / die_px
    reach = pixel * min(size) / 2
    lamps, ambient = conditions.lamps(rng, reach, unseen)
    # In a real installation the whole tray is lit.
    lamps = tuple(replace(lamp, pool=None, edges=()) for lamp in lamps)
    ambient = (ambient[0] + 0.2, ambient[1] + 0.2, ambient[2] + 0.2)
    tray = chance.random_tray(rng, reach, die, pixel, unseen)
    wide = reach * between(rng, 0.78, 0.92)
    tray = replace(
        tray,
        centre=(0.0, 0.0),
        reach=(wide, wide if tray.round else wide * between(rng, 0.8, 1.0)),
        angle=0.0 if tray.round else -camera.roll,
    )
    sensor = replace(
        conditions.sensor(rng, die_px),
        smear=(0.0, 0.0),
        shrink=1.0,
        defocus=between(rng, 0.4, 0.8),
        jpeg=int(rng.integers(75, 96)),
    )
    return Scene(camera, lamps, ambient, looks.surface(rng, die, pixel, unseen), tray=tray, sensor=sensor)


def throw(
    rng: Chance,
    stage: Scene,
    count: int,
    size: Size = (640, 480),
    die: float = 16.0,
    fault: str | None = None,
    ending: str = "still",
    still: int = 12,
    unseen: bool = False,
) -> Iterator[Frame]:
    """Frames of one roll. `ending` is "still" (the last frames show the dice), "take" (a hand takes all dice) or "move"
    (a hand pushes one die, and all lie still again). The truth is None during motion and while a hand is in view."""
    dice = placing.random_dice(rng, size, stage.camera, count, die, unseen, stage.tray)
    final = replace(stage, dice=tuple(dice))
    if fault:
        final = faults.with_fault(rng, final, fault, size)
    ground = picture.lay_ground(stage, size)
    meter = finish.gain(stage.sensor, picture.light_table(stage, size, ground, ()))

    def shoot(*scenes: Scene, known: bool) -> Frame:
        light: Array | None = None
        truth: tuple[Truth, ...] = ()
        for scene in scenes:
            one, truth = picture.expose(scene, size, ground)
            light = one if light is None else light + one
        assert light is not None
        sensor = replace(scenes[-1].sensor, seed=int(rng.integers(1 << 30)))
        return finish.develop(sensor, light / np.float32(len(scenes)), meter), truth if known else None

    for _ in range(3):
        yield shoot(stage, known=True)
    flights = [_flight(rng, d, stage) for d in final.dice]
    film = max((f.begins + f.lasts for f in flights), default=0)
    shown = replace(final, things=stage.things)
    for frame in range(film):
        moments = [frame - 0.5 + (k + 0.5) / SMEARS for k in range(SMEARS)]
        yield shoot(
            *(replace(shown, dice=tuple(_at(f, m) for f in flights if m >= f.begins)) for m in moments), known=False
        )
    for _ in range(still):
        yield shoot(final, known=True)
    if ending == "still":
        return
    yield from _hand(rng, stage, final, size, shoot, ending, still)


def _flight(rng: Chance, die: Die, stage: Scene) -> Flight:
    a = between(rng, 0, 2 * math.pi)
    far = (stage.tray.reach[0] if stage.tray else 8 * die.size) * between(rng, 1.6, 2.2)
    away = between(rng, 0, 2 * math.pi)
    return Flight(
        die,
        (die.centre[0] + far * math.cos(a), die.centre[1] + far * math.sin(a)),
        int(rng.integers(0, 6)),
        int(rng.integers(16, 30)),
        die.size * between(rng, 1.0, 3.0),
        between(rng, 1.5, 4.0),
        (math.cos(away), math.sin(away), between(rng, -0.3, 0.3)),
        between(rng, 4, 16),
        between(rng, -3, 3),
    )


def _at(flight: Flight, moment: float) -> Die:
    """The die at a moment of its flight, or at rest after the flight."""
    s = min(1.0, max(0.0, (moment - flight.begins) / flight.lasts))
    if s >= 1:
        return flight.die
    left = (1 - s) ** 2.2
    die = flight.die
    tumble = max(0.0, 1 - s / TUMBLES_UNTIL)
    turn = about((0, 0, 1), flight.spin * left) @ about(flight.axis, flight.tumble * tumble**1.5) @ die.matrix
    x = die.centre[0] + (flight.start[0] - die.centre[0]) * left
    y = die.centre[1] + (flight.start[1] - die.centre[1]) * left
    moved = replace(die, centre=(x, y, die.centre[2]), turn=as_turn(np.asarray(turn, np.float32)))
    rest = float(solids.placed(die, solids.outline(die.shape))[2].min())
    lift = rest * s + flight.height * (1 - s) ** 1.5 * abs(math.cos(math.pi * flight.bounces * s)) * (s < TUMBLES_UNTIL)
    grounded = placing.on_ground(moved)
    return replace(grounded, centre=(x, y, grounded.centre[2] + lift))


def _hand(
    rng: Chance, stage: Scene, final: Scene, size: Size, shoot: object, ending: str, still: int
) -> Iterator[Frame]:
    """A hand reaches in, takes all dice or pushes one, and leaves."""
    assert callable(shoot)
    lying = final.dice
    goal = (0.0, 0.0)
    if lying:
        pushed = lying[int(rng.integers(len(lying)))]
        goal = pushed.centre[:2]
    length = lying[0].size if lying else 16.0
    a = between(rng, 0, 2 * math.pi)
    way = (math.cos(a), math.sin(a))
    hand: Thing = replace(litter.random_thing(rng, goal, length, "hand"), angle=a, above=True)
    push = (0.0, 0.0)
    if ending == "move" and lying:
        b = between(rng, 0, 2 * math.pi)
        push = (math.cos(b) * length * 1.2, math.sin(b) * length * 1.2)
    steps = 10
    moved = final.dice
    for k in range(2 * steps):
        back = abs(k - steps) / steps
        share = min(1.0, max(0.0, (k - steps + 3) / 6))
        if lying and ending == "move":
            new = replace(
                pushed,
                centre=(pushed.centre[0] + push[0] * share, pushed.centre[1] + push[1] * share, pushed.centre[2]),
            )
            others = tuple(d for d in lying if d is not pushed)
            if all(placing.apart(new, d) > 0 for d in others):
                moved = (*others, new)
        elif k >= steps:
            moved = ()
        far = 0.33 * hand.size + back * 1.1 * hand.size
        here = replace(hand, place=(goal[0] + push[0] * share + way[0] * far, goal[1] + push[1] * share + way[1] * far))
        yield shoot(replace(stage, dice=moved, solids=final.solids, things=(*stage.things, here)), known=False)
    for _ in range(still):
        yield shoot(replace(stage, dice=moved, solids=final.solids if moved else stage.solids), known=True)
