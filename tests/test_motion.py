"""Comparing two pictures: light and sway are told apart from what moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.motion import SMALL, Change, compare, shrink
from vision.networks import Image

pytestmark = pytest.mark.ground
SIZE = (640, 480)


def table(seed: int = 0) -> Image:
    """A table with a pattern all over it, and a few dice."""
    rng = np.random.default_rng(seed)
    rough = rng.uniform(70, 130, (48, 64, 3)).astype(np.float32)
    frame = cv2.resize(rough, SIZE, interpolation=cv2.INTER_CUBIC)
    for x, y in ((150, 120), (330, 260), (480, 350)):
        cv2.rectangle(frame, (x, y), (x + 40, y + 40), (225, 225, 225), -1)
        cv2.circle(frame, (x + 20, y + 20), 5, (30, 30, 30), -1)
    return np.asarray(cv2.GaussianBlur(frame, (3, 3), 0).clip(0, 255), np.uint8)


def filmed(frame: Image, sway: tuple[float, float] = (0, 0), light: float = 1.0, bands: float = 0.0) -> Image:
    """The frame as a camera sees it that has swayed, in other light, with the bands of a flickering lamp."""
    shift = np.array([[1, 0, sway[0]], [0, 1, sway[1]]], np.float32)
    moved = cv2.warpAffine(frame, shift, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    rows = 1 + bands * np.sin(np.arange(SIZE[1]) / SIZE[1] * 6 * np.pi)
    noise = np.random.default_rng(1).normal(0, 2, moved.shape)
    return np.asarray((moved * light * rows[:, None, None] + noise).clip(0, 255), np.uint8)


def changed(now: Image, before: Image) -> Change:
    return compare(shrink(now), shrink(before))


def test_the_small_picture_has_about_the_same_size_for_any_frame() -> None:
    for width, height in ((640, 480), (1280, 720), (1000, 750), (333, 77), (1, 1)):
        small = shrink(np.full((height, width, 3), 90, np.uint8)).grey
        assert np.all(small == 90) and max(small.shape) < 1.5 * SMALL


def test_a_change_of_light_is_distinguished_from_a_local_change() -> None:
    before = np.full((480, 640, 3), 100, np.uint8)
    now = np.full((480, 640, 3), 80, np.uint8)
    now[200:240, 200:240] = 120
    change = changed(now, before)
    assert change.light == pytest.approx(0.8, abs=0.01)
    assert change.amount[55, 55] > 35 and change.amount[20, 20] < 0.5


@pytest.mark.parametrize("sway", [(0.3, -0.2), (-1.0, 0.6), (1.6, 1.2)])
def test_sway_is_measured_and_is_not_motion(sway: tuple[float, float]) -> None:
    change = changed(filmed(table(), sway), filmed(table()))
    assert [4 * part for part in change.sway] == pytest.approx(sway, abs=0.3)
    assert not change.spots(5).any()


@pytest.mark.parametrize(("light", "bands"), [(0.92, 0), (1.17, 0), (1.0, 0.04), (1.05, 0.03)])
def test_flicker_and_its_bands_are_not_motion(light: float, bands: float) -> None:
    assert not changed(filmed(table(), (0.5, 0.3), light, bands), filmed(table())).spots(5).any()


@pytest.mark.parametrize("sway", [0.0, 1.0])
def test_a_die_that_moves_a_little_is_motion_even_if_the_camera_sways(sway: float) -> None:
    before = table()
    now = before.copy()
    now[255:310, 325:380] = before[255:310, 323:378]  # two pixels to the right
    spots = changed(filmed(now, (sway, 0), 1.05), filmed(before)).spots(5)
    y, x = np.nonzero(spots)
    assert len(x) >= 5 and x.min() >= 80 and x.max() <= 96 and y.min() >= 62 and y.max() <= 78


def test_a_die_that_moves_on_a_plain_table_is_not_taken_for_sway() -> None:
    plain, moved = (np.full((480, 640, 3), 60, np.uint8) for _ in range(2))
    cv2.rectangle(plain, (300, 200), (340, 240), (220, 220, 220), -1)
    cv2.rectangle(moved, (302, 200), (342, 240), (220, 220, 220), -1)
    assert changed(moved, plain).spots(5).sum() >= 5


def test_over_exposed_dice_in_flickering_light_are_not_motion() -> None:
    before = table()
    cv2.rectangle(before, (300, 100), (360, 160), (255, 255, 255), -1)
    assert not changed(filmed(before, light=1.15), filmed(before)).spots(5).any()
    assert not changed(filmed(before, light=0.92), filmed(before)).spots(5).any()


def test_the_noise_of_a_black_tray_is_not_a_change_of_light() -> None:
    dark, darker = np.full((480, 640, 3), 2, np.uint8), np.full((480, 640, 3), 1, np.uint8)
    for frame in (dark, darker):
        frame[:60] = 120
    assert changed(dark, darker).light == pytest.approx(1, abs=0.01)
