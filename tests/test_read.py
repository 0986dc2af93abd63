"""The reader: no dice is a reading too, whatever the frame is like, and fewer than were thrown are never sure."""

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV reads the dice")

from vision.reader import Reading, read  # noqa: E402
from vision.render import draw, random_scene  # noqa: E402


@pytest.mark.parametrize("shade", [40, 128, 255])
def test_a_table_without_dice_is_read_as_empty(shade: int) -> None:
    assert read(np.full((360, 480, 3), shade, np.uint8)) == Reading((), "ok", None)


def test_a_covered_lens_is_too_dark_to_say_that_the_table_is_empty() -> None:
    assert read(np.full((360, 480, 3), 5, np.uint8)) == Reading((), "unsure", "too dark")


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (500, 3), (17, 23)])
def test_a_frame_of_any_shape_has_a_reading(shape: tuple[int, int]) -> None:
    assert read(np.full((*shape, 3), 90, np.uint8)).dice == ()


def test_fewer_dice_than_were_thrown_are_never_sure() -> None:
    got = read(np.full((360, 480, 3), 128, np.uint8), expect=2)
    assert got.status == "unsure" and got.why


def test_the_same_frame_is_always_read_the_same() -> None:
    image = draw(random_scene(np.random.default_rng(4), (480, 360), dice=3), (480, 360)).image
    assert read(image) == read(image.copy())
