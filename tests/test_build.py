"""The pages for builders: pictures match the sources, measurements are correct, and quotes are exact."""

import re
import runpy
from pathlib import Path

import pytest

from table.config import DEFAULT
from table.text.catalogue import texts

DOCS = Path(__file__).parent.parent / "docs"
BUILD = (DOCS / "build.md").read_text(encoding="utf-8")
PROSE = " ".join(BUILD.split())  # without line breaks


@pytest.fixture(scope="module")
def drawing():
    return runpy.run_path(str(DOCS / "wiring.py"))


def test_every_picture_matches_make_wiring(drawing):
    for name, draw in drawing["PICTURES"].items():
        assert (DOCS / name).read_text(encoding="utf-8") == draw(), f"{name} is out of date: run make wiring"


def test_text_and_picture_show_the_pins_of_the_config(drawing):
    pins, picture = DEFAULT.buttons, (DOCS / "buttons.svg").read_text(encoding="utf-8")
    for what, number in (
        ("Roll, contact", pins.roll_pin),
        ("Roll, lamp", pins.roll_lamp),
        ("End, contact", pins.end_pin),
        ("End, lamp", pins.end_lamp),
    ):
        place = drawing["HEADER"][number]
        assert f"| {what} | {place} (GPIO {number}) |" in BUILD
        assert f">pin {place}, GPIO {number}<" in picture
    for what in ("ROLL_GROUND", "END_GROUND"):
        assert drawing[what] in drawing["GROUNDS"]
        assert f"| {drawing[what]} (GND) |" in BUILD


def test_the_header_has_every_pin_once(drawing):
    """28 GPIOs, 8 grounds, and 4 power pins: 1 and 17 (3.3 V), 2 and 4 (5 V)."""
    places = [*drawing["HEADER"].values(), *drawing["GROUNDS"], 1, 17, 2, 4]
    assert sorted(places) == list(range(1, 41))
    assert sorted(drawing["HEADER"]) == list(range(28))


def test_the_picture_shows_the_whole_tray_with_large_enough_dice(drawing):
    floor, wall, thick, ledge, seen, pixels = (
        drawing[name] for name in ("FLOOR", "WALL", "THICK", "LEDGE", "SEEN", "PIXELS")
    )
    assert 1.6 * pixels[0] / seen[0] >= 40
    assert f"{1.6 * pixels[0] / seen[0]:.0f} pixels wide" in PROSE
    assert f"{floor[0]} cm by {floor[1]} cm" in PROSE and f"{wall} cm high and {thick} cm thick" in PROSE
    assert f"at most {seen[0]} cm of the floor" in PROSE and f"{ledge} cm wide" in PROSE
    for angle in (50, 78):
        high = drawing["height"](angle)
        nearer = high / (high - wall)  # the top of the walls looks larger by this factor
        assert nearer * (floor[0] + 2 * thick + ledge) < seen[0]
        assert nearer * (floor[1] + 2 * thick) < seen[0] * pixels[1] / pixels[0]


def test_the_cameras_heights_are_right(drawing):
    found = re.findall(r"^\| (\d+)° \| (\d+) cm \|$", BUILD, re.M)
    assert len(found) >= 5
    for angle, high in found:
        assert round(drawing["height"](int(angle))) == int(high)


@pytest.mark.ground
def test_markers_at_half_their_size_are_found():
    cv2 = pytest.importorskip("cv2", reason="opencv-python-headless is not installed: make test installs it")
    numpy = pytest.importorskip("numpy")
    from vision import markers

    side = round(markers.SIDE / 2 * 1280 / 500)  # 15 mm in pixels
    frame = numpy.full((720, 1280, 3), (180, 200, 215), numpy.uint8)
    for number, (x, y) in enumerate(((200, 100), (200, 560), (1040, 100), (1040, 560))):
        frame[y - 8 : y + side + 8, x - 8 : x + side + 8] = 255
        mark = cv2.aruco.generateImageMarker(markers._dictionary(), number, side)
        frame[y : y + side, x : x + side] = mark[:, :, None]
    assert markers.found(cv2.GaussianBlur(frame, (0, 0), 1.2))[0] is not None


def test_the_texts_that_the_page_quotes_exist():
    said = {text for text in texts("en").values() if isinstance(text, str)}
    quoted = set(re.findall(r'"([^"]+)"', re.sub(r"```.*?```|`.*?`", "", PROSE)))
    assert quoted and quoted <= said


@pytest.mark.parametrize("name", ["build.md", "edice.md", "reading.md", "table.md"])
def test_the_pictures_of_a_page_exist(name):
    page = (DOCS / name).read_text(encoding="utf-8")
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page))


# Messages on the screen

SECTIONS = ("trouble", "edice", "camera", "aside", "lighting", "calibration.waits", "hotspot.trouble", "power.refused")
"""Sections of the catalogue whose texts people may want to look up."""
ALSO = (
    "device.lost", "device.why", "device.no_buttons", "settings.camera_unheld", "calibration.no_picture",
    "calibration.how.whole", "play.fault_rules", "play.fault_dice", "play.no_set", "cheese.no_set",
    "cheese.idle", "go_on.cannot", "confirm.lost",
)  # fmt: skip
"""More texts that people may want to look up."""
ALL_IS_WELL = {
    "camera.empty", "camera.moving", "camera.still", "camera.read", "camera.lift_empty",
    "calibration.waits.refused",
}  # fmt: skip
"""Texts in these sections that report no problem, or only frame another message."""


def rows(page: str, head: str) -> list[str]:
    """The first cell of each row in all tables with this heading."""
    tables = re.findall(rf"^\| {head} \|.*\n\|[ |-]+\n((?:\|.*\n)+)", page, re.M)
    return [line.split("|")[1].strip() for table in tables for line in table.splitlines()]


def as_written(text: str) -> str:
    return re.sub(r"\{\w+\}", "…", text)


def test_the_page_lists_exactly_the_messages_that_people_may_look_up():
    keys = [key for key in texts("en") if key.rpartition(".")[0] in SECTIONS or key in ALSO]
    wanted = {}
    for key in keys:
        text = texts("en")[key]
        wanted[as_written(text if isinstance(text, str) else text["other"])] = key
    wanted = {text: key for text, key in wanted.items() if key not in ALL_IS_WELL}
    written = rows((DOCS / "troubleshooting.md").read_text(encoding="utf-8"), "the screen says")
    assert len(written) == len(set(written))
    assert {key for text, key in wanted.items() if text not in written} == set(), "these are missing"
    assert set(written) - set(wanted) == set(), "the screen does not say these"


def test_quoted_device_messages_exist_in_the_source():
    sources = [*(DOCS.parent / "table" / "devices").rglob("*.py"), *(DOCS.parent / "vision").rglob("*.py")]
    code = " ".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = rows((DOCS / "troubleshooting.md").read_text(encoding="utf-8"), "reason")
    assert len(quoted) >= 10
    for sentence in quoted:
        assert all(part.strip() in code for part in re.split(r"…|rpicam-vid|\.$", sentence)), sentence
