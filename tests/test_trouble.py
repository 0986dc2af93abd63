"""Why a frame cannot be read: each reason is found in a picture rendered to show it, and in no clear picture."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV reads the dice")

from vision import trouble  # noqa: E402
from vision.networks import Halves, Image  # noqa: E402
from vision.reading import Box  # noqa: E402
from vision.render import Camera, Die, Lamp, Layout, Material, Scene, Sensor, Shape, Table, Thing, draw  # noqa: E402

SIZE = (320, 240)
ACE, SIX = (2, 5, 3, 4, 1, 6), (2, 5, 3, 4, 6, 1)
WHITE, BLACK, BROWN, GOLD = (0.7, 0.75, 0.75), (0.01, 0.01, 0.01), (0.02, 0.05, 0.12), (0.04, 0.14, 0.25)
FELT = Table("plain", ((0.03, 0.1, 0.03), (0.03, 0.1, 0.03)), 10.0, contrast=0.0)
WOOD = Table("wood", ((0.1, 0.25, 0.45), (0.06, 0.16, 0.32)), 20.0)
SENSOR = Sensor(auto=0.0, exposure=1.3, jpeg=80)
LIGHT = Lamp((0.3, 0.2, 0.93), (0.7, 0.7, 0.7), 0.2)


def die(marks: tuple[int, ...] = SIX, body: tuple[float, float, float] = WHITE, ink: tuple[float, ...] = BLACK) -> Die:
    """A dull 16 mm die in the middle, 48 pixels wide and turned by 20 degrees."""
    c, s = math.cos(0.35), math.sin(0.35)
    turn = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    return Die((0.0, 0.0, 8.0), 16.0, turn, Shape(), Layout(marks), Material(body, pips=(ink,) * 6, gloss=0.0))  # type: ignore[arg-type]


def scene(*dice: Die, table: Table = FELT, sensor: Sensor = SENSOR, things: tuple[Thing, ...] = ()) -> Scene:
    camera = Camera((0.0, -20.0, 128.0), (0.0, 0.0, 0.0))
    return Scene(camera, (LIGHT,), (0.35, 0.35, 0.35), table, tuple(dice), things=things, sensor=sensor)


def shot(what: Scene) -> tuple[Image, Box]:
    """The picture, and the box of the die's top face. If there is no die, the box is in the middle."""
    picture = draw(what, SIZE)
    top = picture.truth[0].top if picture.truth else None
    return picture.image, Box(top.centre, top.size, top.angle) if top else Box((160, 120), (48, 48), 0)


@cache
def clear() -> tuple[Image, Box]:
    return shot(scene(die()))


DICE = {
    "white six": die(),
    "white ace": die(ACE),
    "black six": die(SIX, BLACK, WHITE),
    "black ace": die(ACE, BLACK, WHITE),
    "gold on brown": die(SIX, BROWN, GOLD),
}


@pytest.mark.parametrize("table", [FELT, WOOD], ids=["felt", "wood"])
@pytest.mark.parametrize("name", DICE)
def test_a_clearly_legible_die_has_no_trouble(name: str, table: Table) -> None:
    for sensor in (replace(SENSOR, jpeg=40, shot=0.03, read=0.01), replace(SENSOR, shrink=0.7, defocus=0.8)):
        image, box = shot(scene(DICE[name], table=table, sensor=sensor))
        assert trouble.explain(image, [box]) == [None]


@pytest.mark.parametrize("name", DICE)
def test_a_die_out_of_focus_is_blurred(name: str) -> None:
    image, box = shot(scene(DICE[name], sensor=replace(SENSOR, defocus=5.0)))
    assert trouble.blurred(Halves(image), box)


@pytest.mark.parametrize("name", DICE)
@pytest.mark.parametrize("way", range(0, 180, 36))
def test_a_die_that_moved_by_half_its_width_in_any_direction_is_blurred(name: str, way: int) -> None:
    far, a = 24.0, math.radians(way)
    image, box = shot(scene(DICE[name], sensor=replace(SENSOR, smear=(far * math.cos(a), far * math.sin(a)))))
    assert trouble.blurred(Halves(image), box)


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.0, 4.0])
def test_blur_is_judged_relative_to_the_size_of_the_die(scale: float) -> None:
    sharp, box = clear()
    soft = cv2.GaussianBlur(sharp, (0, 0), 5)
    larger = Box((box.centre[0] * scale, box.centre[1] * scale), (box.size[0] * scale, box.size[1] * scale), box.angle)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sharp, soft = (cv2.resize(i, None, fx=scale, fy=scale, interpolation=way) for i in (sharp, soft))
    assert not trouble.blurred(Halves(sharp), larger)
    assert trouble.blurred(Halves(soft), larger)


def test_an_area_without_edges_is_not_called_blurred() -> None:
    assert not trouble.blurred(Halves(np.full((240, 320, 3), 90, np.uint8)), Box((160, 120), (40, 40), 0))


def test_a_frame_without_anything_bright_is_too_dark() -> None:
    image, _ = clear()
    night = (image * 0.1).astype(np.uint8)
    assert trouble.dark(night)
    assert not trouble.dark((image * 0.5).astype(np.uint8))


def test_one_lit_die_in_a_black_tray_is_not_too_dark() -> None:
    image = np.full((480, 640, 3), 4, np.uint8)
    cv2.rectangle(image, (300, 200), (325, 225), (110, 110, 110), -1)
    assert not trouble.dark(image)


def mirrored(body: tuple[float, float, float], ink: tuple[float, float, float]) -> Scene:
    """A polished die that reflects a lamp just off its centre."""
    polished = replace(die(SIX, body, ink), material=Material(body, pips=(ink,) * 6, gloss=1.0, rough=0.03, bulge=0.12))
    lamp = Lamp((-0.1, 0.176, 0.98), (2.5, 2.5, 2.5), 0.02)
    what = scene(polished, sensor=replace(SENSOR, exposure=1.0))
    return replace(what, lamps=(lamp,))


@pytest.mark.parametrize("body", [BLACK, (0.02, 0.02, 0.3), (0.3, 0.05, 0.02)], ids=["black", "red", "blue"])
def test_a_lamp_reflected_on_a_face_is_glare_at_that_point(body: tuple[float, float, float]) -> None:
    image, box = shot(mirrored(body, (0.3, 0.3, 0.3)))
    at = trouble.glare(image, box)
    assert at is not None
    x, y = round(at[0]), round(at[1])
    assert image[y - 1 : y + 2, x - 1 : x + 2].min() > 200
    assert math.dist(at, box.centre) < 0.5 * box.size[0]
    assert trouble.explain(image, [box]) == [f"glare on the die at {box.centre[0]:.0f},{box.centre[1]:.0f}"]


@pytest.mark.parametrize("marks", [ACE, SIX], ids=["ace", "six"])
def test_white_pips_and_a_white_die_in_bright_light_are_not_glare(marks: tuple[int, ...]) -> None:
    for body, ink in ((BLACK, (1.0, 1.0, 1.0)), ((1.0, 1.0, 1.0), BLACK)):
        image, box = shot(scene(die(marks, body, ink), sensor=replace(SENSOR, exposure=3.0)))
        assert image.max() > 240
        assert trouble.glare(image, box) is None


def reaching(colour: tuple[float, float, float]) -> Thing:
    return Thing("hand", (90.0, 0.0), 0.0, 260.0, colour, (0.4, 0.1, 0.1), 20.0, True, seed=3)


@pytest.mark.parametrize(
    "skin", [(0.35, 0.45, 0.75), (0.14, 0.2, 0.42), (0.03, 0.05, 0.11)], ids=["light", "brown", "dark"]
)
def test_a_hand_reaching_into_the_picture_is_reported(skin: tuple[float, float, float]) -> None:
    image, box = shot(scene(die(), things=(reaching(skin),)))
    at = trouble.hand(image)
    assert at is not None and at[0] > 130
    assert trouble.explain(image, [box]) == ["a hand in view"]


@pytest.mark.parametrize("kind", ["wood", "plain", "felt", "leather"])
def test_a_skin_coloured_table_is_not_a_hand(kind: str) -> None:
    table = Table(kind, ((0.2, 0.32, 0.5), (0.12, 0.2, 0.36), (0.25, 0.36, 0.5)), 20.0)
    assert trouble.hand(shot(scene(die(), table=table))[0]) is None


def test_a_skin_coloured_card_is_not_a_hand() -> None:
    image, _ = clear()
    image = image.copy()
    cv2.fillPoly(image, [np.array(((200, -5), (330, -5), (330, 150), (250, 180)), np.int32)], (110, 140, 200))
    assert trouble.hand(image) is None


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (500, 3), (17, 23)])
def test_frames_of_any_shape_and_boxes_anywhere_are_handled(shape: tuple[int, int]) -> None:
    frame = np.random.default_rng(1).integers(0, 256, (*shape, 3)).astype(np.uint8)
    for box in (Box((-20, 700), (40, 30), 33), Box((1, 1), (0, 0), 0)):
        trouble.explain(frame, [box])
        trouble.glare(frame, box)
    assert trouble.hand(frame) is None


def test_without_boxes_a_good_frame_has_no_trouble() -> None:
    assert trouble.explain(clear()[0], []) == []
