"""The calibration finds a tray's edge, detects new objects in any light, and refuses unusable frames."""

import json
import math
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV reads the dice")

from vision import simulated  # noqa: E402
from vision.calibrate import calibrate, edge, whole  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.reading import Box  # noqa: E402
from vision.render import (  # noqa: E402
    Scene,
    Truth,
    draw,
    finish,
    fixed,
    picture,
    random_stage,
)
from vision.render import camera as lens  # noqa: E402
from vision.render.placing import random_dice  # noqa: E402
from vision.render.solids import outline, placed  # noqa: E402
from vision.tray import Calibration, Image, Mask, Point, load, save  # noqa: E402

SIZE = (640, 480)
SMALL = (320, 240)
ROUND, SQUARE, ODD = (2014, False), (2007, False), (2005, True)


@cache
def stage(seed: int, unseen: bool) -> Scene:
    return random_stage(np.random.default_rng(seed), SIZE, unseen=unseen)


@cache
def ground(seed: int, unseen: bool) -> picture.Ground:
    """The table surface without dice."""
    return picture.lay_ground(stage(seed, unseen), SIZE)


def laid(seed: int, unseen: bool, count: int, number: int) -> Scene:
    scene, rng = stage(seed, unseen), np.random.default_rng(seed + 31 * count + number)
    return replace(scene, dice=tuple(random_dice(rng, SIZE, scene.camera, count, 16.0, unseen, scene.tray)))


def of_one_size(seed: int, unseen: bool) -> list[int]:
    """The numbers of three rolls in which all dice have the same size."""
    return list(islice((n for n in range(40) if all(d.size == 16 for d in laid(seed, unseen, 5, n).dice)), 3))


@cache
def shots(seed: int, unseen: bool, count: int, number: int, exposure: float = 1.0) -> tuple[Scene, tuple[Image, ...]]:
    """Three frames of the same dice on a stage, each with its own noise."""
    scene = laid(seed, unseen, count, number)
    lens_and_sensor = replace(scene.sensor, exposure=scene.sensor.exposure * exposure)
    light, _ = picture.expose(scene, SIZE, ground(seed, unseen))
    return scene, tuple(finish.develop(replace(lens_and_sensor, seed=s), light) for s in range(3))


def floor(scene: Scene) -> tuple[Point, ...]:
    """The ground truth of the tray: the outline of its floor in the frame."""
    tray = scene.tray
    assert tray
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    u, v = (np.cos(turns), np.sin(turns)) if tray.round else (np.array((-1, 1, 1, -1)), np.array((-1, -1, 1, 1)))
    u, v = u * tray.reach[0], v * tray.reach[1]
    c, s = math.cos(tray.angle), math.sin(tray.angle)
    places = np.stack([tray.centre[0] + u * c - v * s, tray.centre[1] + u * s + v * c, u * 0]).astype(np.float32)
    return tuple((float(x), float(y)) for x, y in lens.project(scene.camera, SIZE, places).T)


def filled(polygon: tuple[Point, ...], scale: float) -> Mask:
    area = np.zeros(SMALL[::-1], np.uint8)
    cv2.fillPoly(area, [np.round(np.array(polygon) * scale).astype(np.int32)], 255)
    return area


def covered(scene: Scene) -> Mask:
    """The ground truth of the dice: a mask of every pixel they cover."""
    area = np.zeros(SMALL[::-1], np.uint8)
    for die in scene.dice:
        seen = lens.project(scene.camera, SIZE, placed(die, outline(die.shape))).T / 2
        cv2.fillConvexPoly(area, cv2.convexHull(np.round(seen).astype(np.int32)), 255)
    return area


def overlap(a: Mask, b: Mask) -> float:
    return float(np.count_nonzero(a & b) / np.count_nonzero(a | b))


def known(seed: int, unseen: bool) -> Calibration:
    """A calibration with the true tray, so that results do not depend on the networks."""
    _, empty = shots(seed, unseen, 0, 0)
    small = [cv2.resize(f, SMALL, interpolation=cv2.INTER_AREA).astype(np.float32) for f in empty]
    background = np.round(np.mean(small, axis=0)).astype(np.uint8)
    return Calibration(SIZE, 42.0, floor(stage(seed, unseen)), None, background, 1.0)


def boxes(truth: tuple[Truth, ...]) -> list[Box]:
    return [Box(t.centre, t.top.size, t.top.angle) for t in truth]


@pytest.mark.parametrize("where", [ROUND, SQUARE, ODD], ids=str)
def test_the_trays_edge_is_found(where: tuple[int, bool]) -> None:
    found = edge(known(*where).background)
    assert found is not None
    assert len(found) == (24 if stage(*where).tray.round else 4)  # type: ignore[union-attr]
    assert overlap(filled(found, 1.0), filled(floor(stage(*where)), 0.5)) > 0.85


def test_a_table_without_a_tray_has_no_edge() -> None:
    bare = draw(replace(stage(*ROUND), tray=None), SIZE).image
    assert edge(cv2.resize(bare, SMALL, interpolation=cv2.INTER_AREA)) is None


@pytest.mark.parametrize("where", [ROUND, SQUARE], ids=str)
def test_a_calibration_needs_only_an_empty_tray_and_three_rolls(where: tuple[int, bool]) -> None:
    _, empty = shots(*where, 0, 0)
    rolls = [shots(*where, 5, n) for n in of_one_size(*where)]
    keep = ((10.0, 10.0), (100.0, 10.0), (100.0, 60.0))
    got = calibrate(empty, [frames[0] for _, frames in rolls], keep)
    truth = [t for scene, _ in rolls for t in draw(scene, SIZE).truth]
    side = float(np.median([math.sqrt(t.top.size[0] * t.top.size[1]) for t in truth]))
    assert got.side == pytest.approx(side, rel=0.1)
    assert got.size == SIZE and got.background.shape == (240, 320, 3)
    assert 0 < got.noise < 4
    assert got.looks and all(0 <= v <= 255 for look in got.looks for v in look)
    assert overlap(filled(got.tray, 0.5), filled(floor(stage(*where)), 0.5)) > 0.8
    assert all(got.inside(*t.centre) and not got.kept(*t.centre) for t in truth)
    assert got.kept(80, 20) and got.inside(80, 20) and not got.inside(630, 470)
    x0, y0, x1, y1 = got.part()
    assert (x0, y0) == (0, 0) and x1 <= 640 and y1 <= 480
    assert all(x0 < t.centre[0] < x1 and y0 < t.centre[1] < y1 for t in truth)


@pytest.mark.parametrize("where", [ROUND, SQUARE, ODD], ids=str)
@pytest.mark.parametrize("exposure", [1.0, 0.7, 1.3])
def test_in_any_light_the_new_objects_are_exactly_the_dice(where: tuple[int, bool], exposure: float) -> None:
    tray = known(*where)
    scene, (frame, *_) = shots(*where, 5, 0, exposure)
    dice, got = covered(scene), tray.new(frame)
    assert got.shape == (240, 320) and got.dtype == np.uint8 and set(np.unique(got)) <= {0, 255}
    assert np.count_nonzero(got & dice) > 0.95 * np.count_nonzero(dice)
    beside = got & ~cv2.dilate(dice, np.ones((7, 7), np.uint8))
    assert np.count_nonzero(beside) < 2.5 * 21**2
    assert cv2.distanceTransform(beside, cv2.DIST_L2, 3).max() < 0.4 * 21


@pytest.mark.parametrize("light", [(0.7, 0.7, 0.7), (0.7, 0.9, 1.1), (1.2, 1.0, 0.8)], ids=str)
def test_nothing_is_new_on_an_empty_tray_when_the_lamp_changes(light: tuple[float, float, float]) -> None:
    tray = known(*ROUND)
    _, (frame, *_) = shots(*ROUND, 0, 0)
    relit = np.clip(((frame / 255.0) ** 2.2 * light) ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
    assert np.count_nonzero(tray.new(relit)) < 0.1 * 21**2
    assert tray.strange(tray.new(relit), []) == []


@pytest.mark.parametrize("where", [ROUND, SQUARE, ODD], ids=str)
def test_only_dice_that_were_not_read_count_as_strange(where: tuple[int, bool]) -> None:
    tray = known(*where)
    scene, (frame, *_) = shots(*where, 4, 1)
    mask, truth = tray.new(frame), draw(scene, SIZE).truth
    assert tray.strange(mask, boxes(truth)) == []
    for missed in truth:
        places = tray.strange(mask, boxes(tuple(t for t in truth if t is not missed)))
        assert places and min(math.dist(p, missed.centre) for p in places) < 42


def test_objects_beside_the_tray_are_not_strange() -> None:
    tray = known(*ROUND)
    frame = shots(*ROUND, 0, 0)[1][0].copy()
    frame[:60, :60] = (0, 0, 255)
    assert tray.strange(tray.new(frame), []) == []
    frame[200:260, 300:360] = (0, 0, 255)
    assert len(tray.strange(tray.new(frame), [])) == 1


def test_new_objects_are_examined_even_if_very_little_of_them_is_visible() -> None:
    tray = replace(known(*ROUND), side=40.0)
    mask = np.zeros(tray.background.shape[:2], np.uint8)
    mask[100:130, 100:130] = 255  # a die
    mask[180:183, 60:66] = 255  # a pip of a black die on a black floor
    places = tray.deep(np.asarray(mask, np.uint8))
    grow = tray.size[0] / mask.shape[1]
    for x, y in ((115, 115), (63, 181)):
        assert any(math.dist(place, (x * grow, y * grow)) < 10 for place in places.tolist())
    assert len(tray.deep(np.zeros_like(mask))) == 0


def test_a_completely_different_picture_gives_no_reading() -> None:
    wide, high = 1920, 1080
    corners = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    known = Calibration((wide, high), 25.0, corners, None, np.full((180, 320, 3), 60, np.uint8), 0.5)
    cloth = cv2.resize(np.random.default_rng(1).integers(0, 256, (54, 96, 3), np.uint8), (wide, high))
    got = read(np.asarray(cloth, np.uint8), known, expect=3)
    assert got.dice == () and got.status == "unsure" and "has the camera moved" in str(got.why)


def test_a_die_in_the_floors_colour_is_not_mistaken_for_a_shadow() -> None:
    rng = np.random.default_rng((2, 22, 1))
    table = fixed.set_up(rng, unseen=False)
    empty = list(islice(fixed.lying(rng, table, table.stage), 4))
    known = calibrate(empty, [next(fixed.lying(rng, table, fixed.roll(rng, table, 6).scene)) for _ in range(4)])
    rolls = [fixed.roll(rng, table, 6) for _ in range(4)]  # one of the six dice is as grey as the floor
    readings = [read(next(fixed.lying(rng, table, roll.scene)), known, 6) for roll in rolls]
    assert all(got.status == "unsure" or got.values == roll.values for got, roll in zip(readings, rolls, strict=True))
    assert all(len(got.dice) == 6 for got in readings), [got.why for got in readings]


def test_unusable_frames_are_refused() -> None:
    _, empty = shots(*ROUND, 0, 0)
    with pytest.raises(ValueError, match="two frames of the empty tray"):
        calibrate(empty[:1], empty)
    with pytest.raises(ValueError, match="film some dice in the tray"):
        calibrate(empty)
    with pytest.raises(ValueError, match="differ in size"):
        calibrate(empty, [empty[0][:400]])
    with pytest.raises(ValueError, match="three corners"):
        calibrate(empty, empty, [(0, 0), (1, 1)])
    with pytest.raises(ValueError, match="Only 0 of the 3 dice"):
        calibrate(empty, empty[:1])


def test_movement_in_the_empty_tray_is_refused() -> None:
    _, empty = shots(*ROUND, 0, 0)
    rolls = [shots(*ROUND, 5, n)[1][0] for n in range(3)]
    bumped = np.roll(empty[1], 8, axis=1)
    with pytest.raises(ValueError, match="Something moved"):
        calibrate([empty[0], bumped, empty[2]], rolls)


@pytest.mark.slow
def test_a_blurred_calibration_roll_marks_the_dice_as_hard_to_read() -> None:
    table = fixed.set_up(np.random.default_rng(simulated.SEED), SIZE, unseen=False)
    rng = np.random.default_rng(3)
    empty = list(islice(fixed.lying(rng, table, table.stage), 4))
    shown = [next(fixed.lying(rng, table, fixed.roll(rng, table, 6).scene)) for _ in range(2)]
    assert not calibrate(empty, shown).hard
    smeared = np.asarray(cv2.GaussianBlur(shown[1], (0, 0), 0.1 * calibrate(empty, shown).side), np.uint8)
    assert calibrate(empty, [shown[0], smeared]).hard


def test_an_empty_tray_with_dice_in_it_is_refused() -> None:
    _, frames = shots(*ROUND, 5, 0)
    more = [shots(*ROUND, 5, n)[1][0] for n in (1, 2)]
    with pytest.raises(ValueError, match=r"die in the empty tray at \d+,\d+"):
        calibrate(frames, more)


def test_a_calibration_survives_saving_and_loading(tmp_path: Path) -> None:
    tray = replace(known(*ROUND), keep=((0.0, 0.0), (9.5, 0.0), (9.5, 30.0)), looks=((200.0, 128.0, 127.0),), hard=True)
    path = tmp_path / "tray.json"
    path.write_text("an older one")
    save(tray, path)
    got = load(path)
    assert list(tmp_path.iterdir()) == [path]
    assert np.array_equal(got.background, tray.background)
    for field in ("size", "side", "tray", "keep", "noise", "looks", "shade", "hard"):
        assert getattr(got, field) == getattr(tray, field)
    frame = shots(*ROUND, 5, 0)[1][0]
    assert np.array_equal(got.new(frame), tray.new(frame))


def test_a_file_that_cannot_be_written_leaves_no_other_files_behind(tmp_path: Path) -> None:
    (tmp_path / "tray.json").mkdir()
    with pytest.raises(OSError, match=r"tray\.json"):
        save(known(*ROUND), tmp_path / "tray.json")
    assert [p.name for p in tmp_path.iterdir()] == ["tray.json"]


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+calibrate the tray[^\n]*\.$") as refusal:
        load(path)
    return str(refusal.value)


def test_truncated_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tray.json"
    assert "There is no calibration" in refused(path)
    save(known(*ROUND), path)
    whole_file = path.read_bytes()
    for length in (0, 1, 40, len(whole_file) // 2, len(whole_file) - 1):
        path.write_bytes(whole_file[:length])
        refused(path)
    for foreign in (b"\xff\xd8\xff", b"[1, 2]", b"{}", b'{"format": "other"}', b"[" * 100_000):
        path.write_bytes(foreign)
        refused(path)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("version", 0, "another version"),
        ("side", -1, "damaged"),
        ("side", 0.01, "damaged"),
        ("side", "42", "damaged"),
        ("noise", float("nan"), "damaged"),
        ("tray", [[0, 0], [1, 1]], "damaged"),
        ("tray", [[0, 0], [1, 1], [2]], "damaged"),
        ("size", [0, 0], "damaged"),
        ("size", [1000, 200], "damaged"),
        ("background", "AAAA", "damaged"),
        ("background", "", "damaged"),
        ("looks", None, "damaged"),
        ("shade", [1, 1], "damaged"),
    ],
)
def test_a_file_with_impossible_values_is_refused(tmp_path: Path, field: str, value: object, says: str) -> None:
    path = tmp_path / "tray.json"
    save(known(*ROUND), path)
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, field: value}))
    assert says in refused(path)


def test_without_a_tray_almost_the_whole_picture_is_used() -> None:
    corners = np.array(whole(640, 480))
    assert corners.min() > 0 and (corners.max(0) < SIZE).all()
    assert filled(whole(640, 480), 0.5).mean() > 0.9 * 255
