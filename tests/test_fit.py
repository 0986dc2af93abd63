"""The check that a picture fits the calibration notices a moved camera or tray, but ignores dice, hands and lamps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from vision import fit, simulated
from vision.render import finish, fixed, litter, picture, random_stage
from vision.render.scene import Image, Scene
from vision.tray import Calibration

pytestmark = pytest.mark.ground
SIZE = (640, 480)
TABLES = (1, 4, 7)


@cache
def table(seed: int) -> fixed.SetUp:
    return fixed.set_up(np.random.default_rng([991, seed]), SIZE)


@cache
def known(seed: int) -> Calibration:
    return simulated.calibration(table(seed))


@cache
def with_dice(seed: int) -> Scene:
    return fixed.roll(np.random.default_rng([994, seed]), table(seed), 5).scene


def shot(seed: int, scene: Scene, exposure: float = 1.0) -> Image:
    light = picture.expose(scene, SIZE, picture.lay_ground(scene, SIZE))[0]
    return finish.develop(replace(scene.sensor, seed=7), light, table(seed).meter * exposure)


def bumped(seed: int, pixels: float, turn: float = 0.0) -> Scene:
    """The scene after the camera has moved, so that the picture shifts by this many pixels and turns by `turn`."""
    scene, far = with_dice(seed), pixels * fixed.LENGTH / known(seed).side
    (x, y, z), (u, v, w) = scene.camera.eye, scene.camera.target
    pushed = replace(scene.camera, eye=(x + far, y + far / 2, z), target=(u + far, v + far / 2, w))
    return replace(scene, camera=replace(pushed, roll=scene.camera.roll + turn))


@pytest.mark.parametrize("seed", TABLES)
@pytest.mark.parametrize("exposure", [0.4, 1.0, 1.8])
def test_dice_and_brightness_do_not_matter(seed: int, exposure: float) -> None:
    assert fit.fits(known(seed), shot(seed, table(seed).stage, exposure)) == ""
    assert fit.fits(known(seed), shot(seed, with_dice(seed), exposure)) == ""


@pytest.mark.parametrize("seed", TABLES)
def test_a_lamp_moved_to_the_other_side_or_switched_off_does_not_matter(seed: int) -> None:
    scene = with_dice(seed)
    ways = [(lamp, (-lamp.towards[0], -lamp.towards[1], lamp.towards[2])) for lamp in scene.lamps]
    assert fit.fits(known(seed), shot(seed, replace(scene, lamps=tuple(replace(a, towards=b) for a, b in ways)))) == ""
    assert fit.fits(known(seed), shot(seed, replace(scene, lamps=scene.lamps[1:]))) == ""


@pytest.mark.parametrize("seed", TABLES)
def test_a_hand_over_the_dice_does_not_matter(seed: int) -> None:
    hand = litter.random_thing(np.random.default_rng(seed), (0.0, 0.0), fixed.LENGTH, "hand")
    over = replace(hand, above=True, angle=1.0, place=(0.18 * hand.size, 0.28 * hand.size))
    scene = with_dice(seed)
    assert fit.fits(known(seed), shot(seed, replace(scene, things=(*scene.things, over)))) == ""


def test_in_the_dark_every_picture_fits() -> None:
    assert fit.fits(known(1), np.zeros((480, 640, 3), np.uint8)) == ""


@pytest.mark.parametrize("seed", TABLES)
@pytest.mark.parametrize("pixels", [10.0, 16.0, -25.0])
def test_a_shifted_camera_is_noticed(seed: int, pixels: float) -> None:
    assert fit.fits(known(seed), shot(seed, bumped(seed, pixels))) == "moved"


def test_a_rotated_camera_over_a_square_tray_is_noticed() -> None:
    square = next(seed for seed in range(20) if not table(seed).stage.tray.round)  # type: ignore[union-attr]
    assert fit.fits(known(square), shot(square, bumped(square, 0.0, 0.06))) != ""


@pytest.mark.parametrize("seed", TABLES)
def test_another_tray_and_another_resolution_are_noticed(seed: int) -> None:
    other = random_stage(np.random.default_rng([993, seed]), SIZE, fixed.LENGTH, known(seed).side, unseen=True)
    stage = replace(table(seed).stage, tray=other.tray, table=other.table)
    assert fit.fits(known(seed), shot(seed, stage)) in ("moved", "other")
    assert fit.fits(known(seed), np.zeros((720, 1280, 3), np.uint8)) == "size"
