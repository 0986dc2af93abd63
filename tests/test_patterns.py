"""Pip patterns on upright faces, tested on faces that OpenCV draws independently of the patterns."""

import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV reads dice")

import numpy as np  # noqa: E402

from vision import patterns  # noqa: E402
from vision.networks import AROUND, FACE, Image  # noqa: E402

PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
Colour = tuple[int, int, int]
IVORY, INK = (220, 240, 245), (30, 25, 20)


def face(value: int, body: Colour = IVORY, ink: Colour = INK, spread: float = 0.5, moved: int = 0) -> Image:
    """An upright crop with one die in the middle, on a table of another colour."""
    fine = 8
    crop = np.full((AROUND * fine, AROUND * fine, 3), (60, 90, 40), np.uint8)
    middle, half = AROUND * fine // 2 + moved * fine, round(FACE * fine / 2)
    cv2.rectangle(crop, (middle - half, middle - half), (middle + half, middle + half), body, -1)
    for x, y in PLACES[value]:
        at = (round(middle + x * spread * half), round(middle + y * spread * half))
        cv2.circle(crop, at, round(0.18 * half), ink, -1, cv2.LINE_AA)
    return np.asarray(cv2.resize(crop, (AROUND, AROUND), interpolation=cv2.INTER_AREA), np.uint8)


def best(crop: Image) -> int:
    return int(patterns.fits([crop])[0].argmax()) + 1


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_fits_the_pattern_of_its_value(value: int) -> None:
    for turned in range(4):
        assert best(np.rot90(face(value), turned)) == value
    assert best(face(value, INK, IVORY)) == value, "light pips on a dark die"
    assert best(face(value, moved=1)) == value, "off by a pixel"


@pytest.mark.parametrize("value", range(1, 7))
def test_pips_may_differ_from_the_die_only_in_colour(value: int) -> None:
    red, green = (40, 40, 180), (40, 127, 40)
    assert best(face(value, red, green)) == value


@pytest.mark.parametrize("value", [2, 3])
def test_pips_may_be_close_together(value: int) -> None:
    assert best(face(value, spread=0.3 if value == 2 else 0.38)) == value


def test_a_bare_face_fits_nothing() -> None:
    bare = np.full((AROUND, AROUND, 3), 128, np.uint8)
    assert patterns.fits([bare]).max() < 0.1
    assert patterns.fits([]).shape == (0, 6)
