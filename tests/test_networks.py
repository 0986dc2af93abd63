"""Running the networks on tiles: only where there may be dice, with the same results as on the whole picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV runs the networks")

from vision import models, networks  # noqa: E402
from vision.render import draw, random_scene  # noqa: E402

PLACES = st.lists(st.tuples(st.floats(0, 1280), st.floats(0, 720)), max_size=60)


@given(PLACES, st.floats(60, 300), st.floats(0.0, 0.4))
@settings(max_examples=200, deadline=None)
def test_every_place_is_in_a_tile_with_a_margin_around_it(
    places: list[tuple[float, float]], span: float, share: float
) -> None:
    margin = span * share
    corners = list(networks.tiles(np.array(places, np.float32).reshape(-1, 2), span, margin))
    for x, y in places:
        assert any(
            margin - 1 <= x - left <= span - margin + 1 and margin - 1 <= y - top <= span - margin + 1
            for left, top in corners
        )
    assert len(corners) <= len(places)


def test_a_single_die_needs_one_tile() -> None:
    xs, ys = np.meshgrid(np.arange(100, 130, 4.0), np.arange(80, 110, 4.0))
    assert len(list(networks.tiles(np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float32), 112, 29))) == 1


def test_tiles_give_the_same_dice_as_the_whole_picture() -> None:
    size, finder = (640, 480), models.shipped().finder
    scene = random_scene(np.random.default_rng(5), size, 4, (44, 46), clutter=0, tilt=0.1)
    picture = draw(scene, size)
    centres = np.array([t.centre for t in picture.truth], np.float32)
    corners = list(networks.tiles(centres, networks.TILE * 45 / 40, networks.MARGIN * 45))
    tiled = networks.look_at(finder, picture.image, corners, 45, 40)
    whole = networks.look(finder, picture.image, 40 / 45)
    for truth in picture.truth:
        for found in (tiled, whole):
            near = [g for g in found if np.hypot(g.x - truth.centre[0], g.y - truth.centre[1]) < 10]
            assert near and max(near, key=lambda g: g.best).scores.index(max(g.best for g in near)) == truth.value - 1


def test_without_candidate_places_no_tile_is_read() -> None:
    assert list(networks.tiles(np.zeros((0, 2), np.float32), 100, 20)) == []
    assert networks.look_at(models.shipped().finder, np.zeros((480, 640, 3), np.uint8), [], 40, 40) == []
