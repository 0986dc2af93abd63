"""A tray's lighting: good light gives no findings, and bad light gives findings that say what to change and where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import command, lighting, simulated
from vision.guide import unread
from vision.reader import read
from vision.render import finish, fixed, picture
from vision.render.scene import Array, Image, Scene, Sensor
from vision.tray import WIDEST, Calibration

pytestmark = pytest.mark.ground
SIZE = (640, 480)
TABLES = (0, 3, 5)


@cache
def table(seed: int) -> fixed.SetUp:
    return fixed.set_up(np.random.default_rng([991, seed]), SIZE)


@cache
def with_dice(seed: int) -> Scene:
    return fixed.roll(np.random.default_rng([992, seed]), table(seed), 5).scene


def light_of(setup: fixed.SetUp, scene: Scene) -> Array:
    return picture.expose(scene, SIZE, setup.ground)[0]


@cache
def empty_light(seed: int) -> Array:
    return light_of(table(seed), table(seed).stage)


@cache
def dice_light(seed: int) -> Array:
    return light_of(table(seed), with_dice(seed))


@cache
def calibrated(seed: int) -> Calibration:
    return simulated.calibration(table(seed))


def shot(setup: fixed.SetUp, light: Array, exposure: float = 1.0, sensor: Sensor | None = None, seed: int = 1) -> Image:
    return finish.develop(replace(sensor or setup.stage.sensor, seed=seed), light, setup.meter * exposure)


def film(setup: fixed.SetUp, light: Array, exposures: Sequence[float] = (1.0,) * 5) -> list[Image]:
    return [shot(setup, light, exposure, seed=k) for k, exposure in enumerate(exposures)]


def findings(seed: int, exposure: float = 1.0, sensor: Sensor | None = None) -> set[str]:
    """All findings for an empty tray and for dice in it, in the same light."""
    setup = table(seed)
    frames = [shot(setup, empty_light(seed), exposure, sensor, k) for k in range(3)]
    small = cv2.resize(frames[0], (WIDEST, SIZE[1] * WIDEST // SIZE[0]), interpolation=cv2.INTER_AREA)
    calibration = replace(calibrated(seed), background=np.asarray(small, np.uint8))
    frame = shot(setup, dice_light(seed), exposure, sensor, 9)
    found = lighting.of_empty(frames, calibration.tray)
    dice = read(frame, calibration, 5).dice or unread(calibration, frame)  # as the calibration guide does
    found += lighting.of_dice(calibration, frame, dice)
    return {finding.what for finding in found}


@pytest.mark.parametrize("seed", TABLES)
@pytest.mark.parametrize(
    ("exposure", "focus", "says"),
    [(1.0, 0.0, set()), (0.7, 0.0, set()), (1.3, 0.0, set()), (0.05, 0.0, {"dark"}), (1.0, 0.12, {"blurred"})],
    ids=["good", "dimmer", "brighter", "dark", "blurred"],
)
def test_good_light_has_no_findings_and_bad_light_is_reported(
    seed: int, exposure: float, focus: float, says: set[str]
) -> None:
    sensor = replace(table(seed).stage.sensor, defocus=focus * calibrated(seed).side) if focus else None
    found = findings(seed, exposure, sensor)
    assert found == says or (exposure < 0.1 and "dark" in found)


@pytest.mark.parametrize("seed", TABLES)
def test_the_reflection_of_a_lamp_is_located(seed: int) -> None:
    setup, calibration = table(seed), calibrated(seed)
    x, y = np.mean(calibration.tray, axis=0) + calibration.side
    down, across = np.mgrid[: SIZE[1], : SIZE[0]]
    spot = np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * (0.7 * calibration.side) ** 2)).astype(np.float32)
    light = empty_light(seed) + spot * np.float32(6 / setup.meter)
    found = [f for f in lighting.of_empty(film(setup, light), calibration.tray) if f.what == "glare"]
    assert len(found) == 1 and found[0].at and math.dist(found[0].at, (x, y)) < calibration.side / 4


@pytest.mark.parametrize("seed", [0, 5])  # not table 3, whose cloth is black
def test_a_tray_lit_from_one_side_is_reported_as_uneven_on_the_other(seed: int) -> None:
    tray = calibrated(seed).tray
    left, right = min(x for x, _ in tray), max(x for x, _ in tray)
    falls = np.clip(1 - 1.1 * (np.arange(SIZE[0]) - left) / (right - left), 0.02, 1).astype(np.float32)
    found = lighting.of_empty(film(table(seed), empty_light(seed) * falls), tray)
    assert [f.what for f in found] == ["uneven"] and found[0].at and found[0].at[0] > (left + right) / 2


def test_a_flickering_lamp_is_reported() -> None:
    flicker = film(table(TABLES[0]), empty_light(TABLES[0]), (1.0, 1.07, 0.95, 1.06, 0.93))
    assert {f.what for f in lighting.of_empty(flicker, calibrated(TABLES[0]).tray)} == {"flicker"}


def test_a_white_tray_in_too_much_light_is_overexposed() -> None:
    frames = [np.full((480, 640, 3), 254, np.uint8)] * 3
    tray = ((20.0, 20.0), (620.0, 20.0), (620.0, 460.0), (20.0, 460.0))
    assert [f.what for f in lighting.of_empty(frames, tray)] == ["burnt"]


def test_low_contrast_dice_and_small_dice_are_reported() -> None:
    calibration, frame = calibrated(TABLES[0]), shot(table(TABLES[0]), dice_light(TABLES[0]))
    dice = read(frame, calibration, 5).dice
    # With less than a tenth of its contrast, the picture still shows the dice, but they hardly differ from the tray.
    usual = np.median(frame, axis=(0, 1))
    fog = np.asarray(np.clip(190 + (frame - usual) * 0.08, 0, 255), np.uint8)
    assert "alike" in {f.what for f in lighting.of_dice(calibration, fog, dice)}
    near = [replace(die, box=replace(die.box, size=(15.0, 15.0))) for die in dice]
    assert "small" in {f.what for f in lighting.of_dice(calibration, frame, near)}


def test_calibrating_from_photos_reports_bad_light(tmp_path: Path) -> None:
    setup, rng = table(0), np.random.default_rng(4)
    x, y = (round(float(v)) for v in np.mean(calibrated(0).tray, axis=0))
    names = []
    for number in range(5):
        scene = setup.stage if number < 2 else fixed.roll(rng, setup, 5).scene
        frame = shot(setup, light_of(setup, scene), seed=number)
        cv2.circle(frame, (x, y), 14, (255, 255, 255), -1)
        names.append(str(tmp_path / f"{number}.png"))
        assert cv2.imwrite(names[-1], frame)
    _, findings = command.learn(str(tmp_path / "tray.json"), names[:2], names[2:])
    (mirrored,) = [words for words in findings if "A lamp reflects" in words]
    at = [int(number) for number in mirrored.rpartition("(")[2].rstrip(")").split(",")]
    assert math.dist(at, (x, y)) < 4


def test_every_finding_explains_what_to_change() -> None:
    for what in (lighting.DARK, lighting.BURNT, lighting.GLARE, lighting.UNEVEN, lighting.FLICKER, lighting.ALIKE):
        assert ":" in lighting.Finding(what).says
    assert lighting.Finding(lighting.SMALL).says and lighting.Finding(lighting.BLURRED).says
