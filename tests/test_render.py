"""The renderer: what it reports as the truth about a picture matches the picture."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.render import (
    FAULTS,
    Die,
    Lamp,
    Layout,
    Material,
    Panel,
    Scene,
    Sensor,
    Shape,
    Truth,
    camera,
    clutter,
    draw,
    litter,
    looks,
    makers,
    materials,
    picture,
    pips,
    placing,
    random_scene,
    random_stage,
    solids,
    throw,
)
from vision.render.scene import UPRIGHT, Box
from vision.train import pictures

pytestmark = pytest.mark.ground
SIZE = (200, 160)


def scenes(count: int, **wishes: object) -> list[Scene]:
    return [random_scene(np.random.default_rng([4, i]), SIZE, **wishes) for i in range(count)]  # type: ignore[arg-type]


def inside(box: Box, point: tuple[float, float], slack: float = 1.0) -> bool:
    corners = cv2.boxPoints((box.centre, (box.size[0] + 2 * slack, box.size[1] + 2 * slack), box.angle))
    return cv2.pointPolygonTest(corners, point, False) >= 0


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (draw(random_scene(np.random.default_rng(5), SIZE), SIZE) for _ in range(2))
    assert first.image.tobytes() == second.image.tobytes()
    assert first.truth == second.truth
    assert first.image.shape == (160, 200, 3) and first.image.dtype == np.uint8


def test_another_seed_gives_another_picture() -> None:
    first, second = (draw(random_scene(np.random.default_rng(s), SIZE), SIZE) for s in (1, 2))
    assert first.image.tobytes() != second.image.tobytes()


def test_a_scene_without_dice_has_an_empty_truth() -> None:
    for scene in scenes(5, dice=0):
        assert draw(scene, SIZE).truth == ()


def test_opposite_sides_sum_to_seven_and_dice_are_left_or_right_handed() -> None:
    rng = np.random.default_rng(3)
    hands = set()
    for _ in range(60):
        marks = makers.layout(rng, makers.shape(rng)).marks
        assert [marks[i] + marks[i + 1] for i in (0, 2, 4)] == [7, 7, 7]
        hands.add(sum(marks[i] < 4 for i in (0, 2, 4)) % 2)
    assert hands == {0, 1}


def test_every_value_is_equally_likely() -> None:
    rng = np.random.default_rng(8)
    values = Counter(
        die.value for _ in range(200) for die in random_scene(rng, (320, 320), dice=6, die_px=(25, 35), clutter=0).dice
    )
    total = sum(values.values())
    assert sorted(values) == [1, 2, 3, 4, 5, 6] and total > 900
    assert all(abs(n - total / 6) < 5 * math.sqrt(total / 6) for n in values.values())


def test_weights_make_values_more_or_less_likely() -> None:
    rng = np.random.default_rng(8)
    wish = {"dice": 6, "die_px": (25, 35), "clutter": 0, "values": (3, 1, 0, 1, 1, 1)}
    values = Counter(die.value for _ in range(40) for die in random_scene(rng, (320, 320), **wish).dice)  # type: ignore[arg-type]
    assert values[3] == 0 and values[1] > 2 * max(values[2], values[6])


def test_dice_in_rows_lie_close_together_and_do_not_overlap() -> None:
    for i in range(12):
        scene = random_scene(np.random.default_rng([6, i]), SIZE, 6, (18, 20), clutter=0, block=1.0)
        dice = [d for d in scene.dice if not scene.tray]
        gaps = [[placing.apart(a, b) for b in dice if a is not b] for a in dice]
        assert all(-1e-3 <= min(row) < 0.5 * scene.dice[0].size for row in gaps)


def test_points_are_projected_as_opencv_does() -> None:
    for scene in scenes(20, dice=2):
        turn, shift = camera.pose(scene.camera)
        lens = np.array([scene.camera.k1, scene.camera.k2, 0, 0])
        for die in scene.dice:
            corners = solids.placed(
                die, np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32).T
            )
            seen = cv2.projectPoints(
                corners.T.astype(np.float64), cv2.Rodrigues(turn.astype(np.float64))[0], shift.astype(np.float64),
                camera.intrinsics(scene.camera, SIZE).astype(np.float64), lens,
            )[0]  # fmt: skip
            assert np.allclose(camera.project(scene.camera, SIZE, corners).T, seen.reshape(-1, 2), atol=0.02)


def test_mapping_a_pixel_to_the_table_inverts_the_projection() -> None:
    for scene in scenes(10):
        xs, ys = np.array([3, 100, 190], np.float32), np.array([150, 80, 4], np.float32)
        flat = camera.on_table(scene.camera, SIZE, xs, ys)
        back = camera.project(scene.camera, SIZE, np.vstack([flat, np.zeros((1, 3), np.float32)]))
        assert np.allclose(back, [xs, ys], atol=0.1)


def test_boxes_enclose_the_top_face_and_its_pips() -> None:
    seen = 0
    for scene in scenes(25, die_px=(25, 60)):
        for die in scene.dice:
            truth = truth_of(scene, die)
            if truth is None:
                continue
            seen += 1
            assert inside(truth.top, truth.centre) and inside(truth.whole, truth.centre)
            assert all(inside(truth.whole, corner, 0.1 * max(truth.whole.size) + 2) for corner in truth.corners)
            assert truth.value == die.value
    assert seen > 25


def truth_of(scene: Scene, die: Die) -> Truth | None:
    alone = replace(scene, dice=(die,), solids=(), things=())
    found = picture.expose(alone, SIZE, picture.lay_ground(alone, SIZE))[1]
    return found[0] if found else None


def test_the_top_face_has_as_many_dark_spots_as_its_value() -> None:
    """End to end: counts the pips of a plain white die, seen from above, as connected dark areas."""
    rng = np.random.default_rng(2)
    size = (160, 160)
    for value in range(1, 7):
        scene = random_scene(rng, size, dice=1, die_px=(90, 91), clutter=0, tilt=0.0)
        white = Material((0.8, 0.8, 0.8), gloss=0.0, drilled=0.0)
        shape = replace(scene.dice[0].shape, radius=0.1, ball=9.0) if scene.dice else Shape(radius=0.1)
        marks = makers.layout(rng, shape)
        turn = next(
            t
            for t in placing.CUBES
            if marks.marks[Die((0, 0, 0), 1, placing.as_turn(t), shape, marks, white).top_side] == value
        )
        die = placing.on_ground(
            Die((0, 0, 5), 16.0, placing.as_turn(turn), shape, replace(marks, ace=1.0, square=0.0), white)
        )
        eye = replace(scene.camera, eye=(0.0, 0.0, 16 * scene.camera.focal * 160 / 90), k1=0.0, k2=0.0)
        lamp = Lamp((0.0, 0.0, 1.0), (0.7, 0.7, 0.7))
        table = replace(scene.table, kind="plain", gloss=0.0, colours=((0.5, 0.5, 0.5),) * 2)
        clean = replace(scene, camera=eye, lamps=(lamp,), ambient=(0.3, 0.3, 0.3), table=table, tray=None, regions=(),
                        sensor=Sensor(shot=0, read=0, auto=0), dice=(die,), window=(0, 0, 0, 0))  # fmt: skip
        shot = draw(clean, size)
        assert [t.value for t in shot.truth] == [value]
        mask = np.zeros((160, 160), np.uint8)
        cv2.fillConvexPoly(
            mask,
            np.round(np.array(shot.truth[0].corners) * 0.94 + np.array(shot.truth[0].centre) * 0.06).astype(np.int32),
            1,
        )
        dark = ((cv2.cvtColor(shot.image, cv2.COLOR_BGR2GRAY) < 90) & (mask > 0)).astype(np.uint8)
        assert cv2.connectedComponents(dark)[0] - 1 == value


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_shows_in_the_truth(fault: str) -> None:
    found = 0
    for i in range(6):
        scene = random_scene(
            np.random.default_rng([9, i]), SIZE, dice=2, die_px=(30, 40), clutter=0, fault=fault, tilt=0.2
        )
        truth = draw(scene, SIZE).truth
        if fault == "cocked":
            found += any(t.cocked for t in truth)
        elif fault == "stacked":
            found += any(t.stacked for t in truth)
        elif fault == "hidden":
            found += any(t.visible < 0.85 for t in truth)
        else:
            found += math.hypot(*scene.sensor.smear) > 5
    assert found >= 4


def test_flat_dice_are_neither_cocked_nor_stacked_nor_overlapping() -> None:
    for scene in scenes(15, dice=5, die_px=(25, 35), clutter=0):
        for i, die in enumerate(scene.dice):
            assert die.lean < 1e-2
            assert float(solids.placed(die, solids.outline(die.shape))[2].min()) == pytest.approx(0, abs=1e-3)
            assert all(placing.apart(die, other) >= -1e-3 for other in scene.dice[i + 1 :])


def test_the_nearer_of_two_dice_hides_the_other() -> None:
    scene = random_scene(np.random.default_rng(1), SIZE, dice=1, die_px=(40, 41), clutter=0, tilt=0.0)
    die = placing.on_ground(replace(scene.dice[0], centre=(0.0, 0.0, 0.0)))
    above = replace(die, centre=(die.size * 0.1, 0.0, die.centre[2] + die.size))
    scene = replace(scene, dice=(die, above), tray=None, camera=replace(scene.camera, eye=(0.0, 0.0, 15 * die.size)))
    truth = draw(scene, SIZE).truth
    assert truth[1].visible == pytest.approx(1.0, abs=0.01) and truth[1].stacked
    assert truth[0].visible < 0.4 and not truth[0].stacked


def test_a_roll_ends_at_rest_with_the_truth_of_its_last_frame() -> None:
    rng = np.random.default_rng(6)
    stage = random_stage(rng, SIZE, die_px=18)
    film = list(throw(rng, stage, 2, SIZE, still=4))
    truths = [truth for _, truth in film]
    assert truths[:3] == [(), (), ()]
    assert None in truths and len(film) > 15
    assert truths[-1] and truths[-4:] == [truths[-1]] * 4
    last, before = (frame.astype(np.int16) for frame, _ in film[-2:])
    moving = film[len(film) // 2][0].astype(np.int16)
    assert np.abs(last - before).mean() < np.abs(last - moving).mean()


def test_a_hand_takes_the_dice_and_leaves_an_empty_tray() -> None:
    rng = np.random.default_rng(7)
    film = list(throw(rng, random_stage(rng, SIZE, die_px=18), 2, SIZE, ending="take", still=2))
    assert film[-1][1] == () and film[-3][1] is None


def test_the_same_seed_gives_the_same_film() -> None:
    def first_frames() -> list[bytes]:
        rng = np.random.default_rng(2)
        frames = throw(rng, random_stage(rng, SIZE, die_px=18), 1, SIZE)
        return [next(frames)[0].tobytes() for _ in range(6)]

    assert first_frames() == first_frames()


def test_all_litter_is_visible_and_is_not_a_die() -> None:
    for kind in litter.THINGS:
        rng = np.random.default_rng([3, *kind.encode()])
        page = clutter.canvas(litter.random_thing(rng, (0.0, 0.0), 16.0, kind))
        assert page[..., 3].max() > 0.9 and page[..., 3].mean() > 0.01, kind
    rng = np.random.default_rng(3)
    found = [litter.random_solid(rng, (0.0, 0.0), 16.0) for _ in range(120)]
    assert not any(solid.is_die for solid in found)
    assert {mark // 100 for solid in found for mark in solid.layout.marks} == {0, 1, 2, 3, 4}


def test_letters_on_a_cube_are_not_mirrored() -> None:
    rng = np.random.default_rng(5)
    bare = replace(scenes(1, dice=0, clutter=0, tilt=0.0)[0], things=(), solids=(), tray=None, regions=())
    above = replace(bare.camera, eye=(0.0, 0.0, 60.0), target=(0.0, 0.0, 0.0), roll=0.0, k1=0.0, k2=0.0, focal=1.2)
    cube = replace(litter.random_solid(rng, (0.0, 0.0), 16.0), shape=Shape(radius=0.05), size=16.0)
    for mark in (200 + pips.SIGNS.index(letter) for letter in "FL"):
        marked = placing.on_ground(
            replace(
                cube, turn=UPRIGHT, layout=Layout((0, 0, 0, 0, mark, 0)), material=Material((0.8, 0.8, 0.8), gloss=0)
            )
        )
        lit = replace(
            bare,
            camera=above,
            solids=(marked,),
            lamps=(),
            ambient=(0.6, 0.6, 0.6),
            window=(0, 0, 0, 0),
            sensor=Sensor(),
        )
        dark = cv2.cvtColor(draw(lit, SIZE).image, cv2.COLOR_BGR2GRAY)[55:105, 75:125] < 60
        # An F or L has its stem on the left.
        assert dark[:, :25].sum() > 1.5 * dark[:, 25:].sum() > 0


def test_a_hand_at_the_border_hides_dice_in_the_truth() -> None:
    scene = random_scene(np.random.default_rng(2), SIZE, dice=6, die_px=(30, 31), clutter=0, tilt=0.1)
    hand = litter.reaching_in(np.random.default_rng(1), scene, SIZE, 16.0)
    assert hand.kind == "hand" and hand.above
    onto = replace(hand, place=(0.0, 0.0))
    before, after = (draw(replace(scene, things=t), SIZE).truth for t in ((), (onto,)))
    assert sum(t.visible for t in after) < sum(t.visible for t in before) - 0.5


def test_unseen_scenes_have_looks_that_training_never_has() -> None:
    seen, other = scenes(150), scenes(150, unseen=True)

    def lights(found: list[Scene]) -> set[str]:
        greenish = any(la.colour[1] > 1.02 * max(la.colour[0], la.colour[2]) for s in found for la in s.lamps)
        return {name for name, there in (("green", greenish), ("row", any(len(s.lamps) > 2 for s in found))) if there}

    assert lights(seen) == set() and lights(other) == {"green", "row"}
    assert not {s.table.kind for s in seen} & {s.table.kind for s in other}
    dice, held = ([d for s in found for d in s.dice] for found in (seen, other))
    assert any(d.material.eye for d in held) and not any(d.material.eye for d in dice)
    rare, often = (float(np.mean([d.layout.six[0] > 1.05 for d in found])) for found in (dice, held))
    assert often > 3 * rare, "a style that is rare in training"


def test_polished_faces_reflect_a_lamp_sharply_and_each_bulge_distorts_it_differently() -> None:
    scene = random_scene(np.random.default_rng(2), SIZE, dice=1, die_px=(60, 61), clutter=0, tilt=0.0)
    strip = Panel("strip", (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.3, 0.02), (40.0, 40.0, 40.0))

    def shown(**polish: float) -> np.ndarray:
        stuff = Material((0.1, 0.02, 0.1), pips=((0.7, 0.7, 0.7),) * 6, gloss=1.0, **polish)  # type: ignore[arg-type]
        die = placing.on_ground(replace(scene.dice[0], centre=(0.0, 0.0, 0.0), turn=UPRIGHT, material=stuff))
        above = replace(scene.camera, eye=(0.0, 0.0, 20 * die.size), focal=3.0, k1=0.0, k2=0.0)
        lit = replace(scene, camera=above, dice=(die,), lamps=(), ambient=(0.5,) * 3, window=(0, 0, 0, 0), tray=None)
        with_, without = (
            picture.expose(s, SIZE, picture.lay_ground(s, SIZE))[0]
            for s in (replace(lit, panels=(strip,)), replace(lit, panels=()))
        )
        face = np.zeros(SIZE[::-1], np.uint8)
        cv2.fillConvexPoly(face, np.round(picture.top_corners(above, SIZE, die)).astype(np.int32), 1)
        return np.asarray((with_ - without).min(0)[face > 0])

    polished, rough = shown(rough=0.01, bulge=0.1), shown(rough=0.25, bulge=0.1)
    assert 0.03 < float((polished > 0.5).mean()) < 0.3
    assert float(rough.max()) < 0.5 * float(polished.max())
    assert not np.array_equal(polished, shown(rough=0.01, bulge=-0.06, sag=0.2))


def test_sharp_reflections_are_common_and_some_dice_are_dark_with_dim_pips() -> None:
    found = scenes(150)
    assert 0.35 < sum(bool(s.panels) for s in found) / sum(bool(s.dice) for s in found) < 0.65
    assert not any(s.panels for s in found if not s.dice)
    stuff = [materials.material(np.random.default_rng([8, i])) for i in range(600)]
    dusky = [m for m in stuff if max(looks.bright(m.colour), looks.bright(m.pips[1])) < 0.2]
    assert 0.05 < len(dusky) / len(stuff) < 0.2


def test_the_pips_of_the_hidden_side_shine_through_a_clear_die_only() -> None:
    scene = random_scene(np.random.default_rng(2), SIZE, dice=1, die_px=(60, 61), clutter=0, tilt=0.0)

    def face(below: int, clear: float) -> np.ndarray:
        stuff = Material((0.05, 0.05, 0.5), pips=((0.8,) * 3,) * 6, gloss=0.0, clear=clear, far_pips=0.8, murk=0.1)
        marks = Layout((0, 0, 0, 0, 1, below))
        die = placing.on_ground(
            replace(scene.dice[0], centre=(0.0, 0.0, 0.0), turn=UPRIGHT, material=stuff, layout=marks)
        )
        above = replace(scene.camera, eye=(0.0, 0.0, 20 * die.size), focal=4.0, k1=0.0, k2=0.0)
        lit = replace(scene, camera=above, dice=(die,), tray=None, regions=(), panels=())
        shown = picture.expose(lit, SIZE, picture.lay_ground(lit, SIZE))[0]
        corners = picture.top_corners(above, SIZE, die)
        (left, top), (right, bottom) = corners.min(0).astype(int), corners.max(0).astype(int)
        return shown[:, top:bottom, left:right]

    assert np.array_equal(face(6, 0.0), face(0, 0.0))
    change = face(6, 0.8) - face(0, 0.8)
    assert float((change.max(0) > 0.02).mean()) > 0.05
    middle = change[
        :,
        change.shape[1] * 15 // 32 : -change.shape[1] * 15 // 32,
        change.shape[2] * 15 // 32 : -change.shape[2] * 15 // 32,
    ]
    assert float(np.abs(middle).max()) < 0.01, "the top face's own pip hides what is below"


def test_the_faces_of_a_polyhedron_carry_different_numbers() -> None:
    for name, count in (("d8", 8), ("d10", 10), ("d12", 12), ("d20", 20)):
        ways, _ = solids.polyhedron(name)
        assert len(ways) == count
        numbers = pips.every(Layout((400 + count,) * 6))
        assert sorted(pips.SIGNS[mark - 200] for mark, _ in numbers) == sorted(str(1 + i) for i in range(count))
        across, up = solids.facets(name)
        turned = np.cross(across, up)
        assert np.allclose(turned / np.linalg.norm(turned, axis=1, keepdims=True), ways, atol=1e-5)


def test_pictures_to_train_on_have_lone_dice_and_many_aces() -> None:
    found = [pictures.picture(3, i)[1] for i in range(60)]
    counts = [int((truth[:, 0] > 0).sum()) for truth in found]
    values = Counter(int(row[0]) for truth in found for row in truth if row[0])
    assert sum(n == 1 for n in counts) > 8 and sum(n == 0 for n in counts) > 8
    assert values[1] > 1.3 * max(values[v] for v in range(2, 7))
