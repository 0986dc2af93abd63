"""Printed markers: the sheet can be printed, and with markers in any rotation a camera finds the tray and the strip."""

import re
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV finds the markers")

from tests.terminal_session import ROOT  # noqa: E402
from tests.test_calibrate import ROUND, of_one_size, shots  # noqa: E402
from vision import command, markers  # noqa: E402
from vision.calibrate import calibrate  # noqa: E402

Image = NDArray[np.uint8]
SIZE = (640, 480)
Corners = tuple[tuple[float, float], ...]
TRAY: Corners = ((160.0, 90.0), (500.0, 90.0), (500.0, 300.0), (160.0, 300.0))  # in order around the tray
STRIP: Corners = ((200.0, 400.0), (460.0, 400.0), (460.0, 425.0), (200.0, 425.0))
TABLE = np.full((480, 640, 3), 110, np.uint8)


@cache
def sheet_part(number: int) -> Image:
    page = markers.sheet()
    detector = cv2.aruco.ArucoDetector(markers._dictionary())
    corners, numbers, _ = detector.detectMarkers(page)
    where = corners[list(numbers.ravel()).index(number)][0]
    left, top = (int(v) - 40 for v in where.min(0))
    right, bottom = (int(v) + 40 for v in where.max(0))
    return np.ascontiguousarray(page[top:bottom, left:right])


def photographed(frame: Image, numbers: tuple[int, ...], corners: Corners) -> Image:
    """Cuts markers out of the sheet, and places one at each corner, each rotated differently."""
    out = frame.copy()
    middle = np.mean(corners, axis=0)
    for place, (number, corner) in enumerate(zip(numbers, corners, strict=True)):
        piece = cv2.resize(np.rot90(sheet_part(number), place), (52, 52), interpolation=cv2.INTER_AREA)
        edge = 52 * 40 / (80 + markers.SIDE * markers.DOTS)
        x = corner[0] - edge if corner[0] > middle[0] else corner[0] - 52 + edge
        y = corner[1] - edge if corner[1] > middle[1] else corner[1] - 52 + edge
        out[round(y) : round(y) + 52, round(x) : round(x) + 52] = piece
    return out


def off(found: markers.Outline | None, corners: Corners) -> float:
    """How far the worst corner is from its true position, in pixels."""
    assert found is not None and len(found) == len(corners)
    return max(min(float(np.hypot(x - u, y - v)) for x, y in found) for u, v in corners)


def test_without_markers_nothing_is_found() -> None:
    assert markers.found(TABLE) == (None, None)


@pytest.mark.parametrize("lean", [0.0, 0.0004, 0.0008])
def test_tray_and_strip_are_found_by_the_printed_markers(lean: float) -> None:
    """The tray is seen from above or at an angle."""
    frame = photographed(photographed(TABLE, markers.TRAY, TRAY), markers.KEEP, STRIP)
    away = np.array(((1, 0.05, -10), (0.02, 1, -8), (0, lean, 1)), np.float64)
    seen = np.asarray(cv2.warpPerspective(frame, away, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    where = [
        cv2.perspectiveTransform(np.array([corners], np.float32), away.astype(np.float32))[0]
        for corners in (TRAY, STRIP)
    ]
    tray, keep = markers.found(seen)
    assert off(tray, tuple(map(tuple, where[0]))) < 2.0
    assert off(keep, tuple(map(tuple, where[1]))) < 2.0


def test_a_covered_marker_is_reported_by_its_number() -> None:
    frame = photographed(TABLE, (0, 1, 3), (TRAY[0], TRAY[1], TRAY[3]))
    with pytest.raises(ValueError, match="Marker 3 for the tray is not visible"):
        markers.found(frame)


def test_a_single_marker_is_ignored() -> None:
    assert markers.found(photographed(TABLE, (2,), TRAY[2:3])) == (None, None)


def test_two_sheets_at_once_are_refused() -> None:
    frame = photographed(photographed(TABLE, markers.TRAY, TRAY), (0,), STRIP[:1])
    with pytest.raises(ValueError, match="seen twice"):
        markers.found(frame)


def test_a_calibration_uses_the_markers_as_the_tray() -> None:
    around: Corners = ((70.0, 55.0), (570.0, 55.0), (570.0, 425.0), (70.0, 425.0))
    empty = [photographed(frame, markers.TRAY, around) for frame in shots(*ROUND, 0, 0)[1]]
    rolls = [photographed(shots(*ROUND, 5, n)[1][0], markers.TRAY, around) for n in of_one_size(*ROUND)]
    found = calibrate(empty, rolls)
    assert off(found.tray, around) < 2.0


def test_each_part_to_cut_out_has_its_label_and_a_white_margin() -> None:
    page = cv2.cvtColor(markers.sheet(), cv2.COLOR_BGR2GRAY)
    lines, _ = cv2.findContours((page == 190).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    parts = [part for part in map(cv2.boundingRect, lines) if part[2] > markers.SIDE * markers.DOTS]
    assert len(parts) == 8
    inked, white = page < 128, markers.MARGIN * markers.DOTS - 2  # two pixels are cutting line
    for x, y, wide, high in parts:
        foot = y + high - markers.FOOT * markers.DOTS
        assert inked[foot : y + high, x : x + wide].any(), "the part has its label"
        down, across = np.nonzero(inked[y:foot, x : x + wide])
        assert min(down.min(), across.min(), foot - y - 1 - down.max(), wide - 1 - across.max()) >= white
        inked[y : y + high, x : x + wide] = False
    for _, y, _, high in parts:
        assert not inked[y : y + high].any(), "nothing of a marker is outside the parts"


def test_the_sheet_is_an_a4_page_in_both_formats(tmp_path: Path) -> None:
    pdf, png = (Path(path) for path in command.write_markers(str(tmp_path)))
    picture = cv2.imread(str(png), cv2.IMREAD_GRAYSCALE)
    data = pdf.read_bytes()
    assert data.startswith(b"%PDF-1.") and data.rstrip().endswith(b"%%EOF")
    assert b"/MediaBox [0 0 595.28 841.89]" in data
    image = re.search(rb"/FlateDecode /Length (\d+) >>\nstream\n", data)
    assert image
    raw = zlib.decompress(data[image.end() : image.end() + int(image[1])])
    assert raw == picture.tobytes()
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), 1):
        assert data[int(place) :].startswith(f"{number} 0 obj".encode()), (
            "an offset in the cross-reference table is wrong"
        )


@pytest.mark.skipif(sys.platform == "win32", reason="needs ulimit")
def test_a_full_disk_leaves_no_partial_files(tmp_path: Path) -> None:
    command_line = [sys.executable, "-m", "table", "markers", str(tmp_path)]
    full = subprocess.run(
        ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *command_line],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert full.returncode == 2 and "cannot be written" in full.stderr and len(full.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())
    assert subprocess.run(command_line, capture_output=True, cwd=ROOT, timeout=60).returncode == 0


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    assert command.write_markers(str(tmp_path)) == command.write_markers(str(tmp_path))
    (tmp_path / "dicetable-markers.pdf").write_bytes(b"a letter")
    with pytest.raises(ValueError, match="move it away"):
        command.write_markers(str(tmp_path))
    with pytest.raises(ValueError, match="choose another folder"):
        command.write_markers(str(tmp_path / "nowhere"))
    assert (tmp_path / "dicetable-markers.pdf").read_bytes() == b"a letter"
