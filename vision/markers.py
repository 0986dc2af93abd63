"""Printed markers that show where the tray and the strip for kept dice are, and the sheet to print them from.

Its one rule: each marker may be rotated in any way. The outline joins one corner of each marker, chosen so that the
area inside is as small as possible.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import Image
from vision.reading import Point

TRAY, KEEP = (0, 1, 2, 3), (4, 5, 6, 7)  # marker numbers
DOTS = 8  # pixels per millimetre on the sheet
PAGE = (210, 297)  # A4, in millimetres
SIDE, MARGIN = 30, 7  # side of a marker, and width of the white border around it, in millimetres
FOOT = 6  # height of the label below the border, in millimetres
ACROSS, DOWN = 94, 54  # millimetres from one marker to the next
INK = 0
FONT = cv2.FONT_HERSHEY_SIMPLEX
POINTS = 72 / 25.4  # PDF points per millimetre

Outline = tuple[Point, ...]


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def found(frame: Image) -> tuple[Outline | None, Outline | None]:
    """The outlines of the tray and of the strip, or None for those without markers. Raises ValueError if only some
    markers are visible."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, numbers, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(grey)
    seen: dict[int, NDArray[Any]] = {}
    for number, own in zip([] if numbers is None else numbers.ravel(), corners, strict=True):
        if int(number) in seen and int(number) in (*TRAY, *KEEP):
            raise ValueError("A marker is seen twice: use the markers of one sheet only.")
        seen[int(number)] = own[0]
    return _round(seen, TRAY, "tray"), _round(seen, KEEP, "kept dice")


def _round(seen: Mapping[int, NDArray[Any]], wanted: Sequence[int], what: str) -> Outline | None:
    here = [seen[n] for n in wanted if n in seen]
    if len(here) < 2:  # a single match might be some other print that looks like a marker
        return None
    if len(here) < len(wanted):
        lost = ", ".join(str(wanted.index(n) + 1) for n in wanted if n not in seen)
        raise ValueError(
            f"Marker {lost} for the {what} is not visible: lay all four flat and in good light, or remove all."
        )
    middle = np.mean([corners.mean(0) for corners in here], axis=0)
    around = sorted(here, key=lambda corners: math.atan2(*(corners.mean(0) - middle)[::-1]))
    # Do not take the corners closest to the centre: in a long strip, the closest corner of a marker may be an outer
    # one.
    inner = min(product(*around), key=lambda spots: _area(np.array(spots)))
    return tuple((float(x), float(y)) for x, y in inner)


def _area(spots: NDArray[Any]) -> float:
    following = np.roll(spots, -1, axis=0)
    return float((spots[:, 0] * following[:, 1] - following[:, 0] * spots[:, 1]).sum() / 2)


def sheet() -> Image:
    """The page to print: four markers for the tray, four for the strip, and instructions."""
    page = np.full((PAGE[1] * DOTS, PAGE[0] * DOTS), 255, np.uint8)
    rows = (
        (30, "Tray", ": lay one just outside each corner, flat and uncovered.", TRAY),
        (160, "Kept dice", " (optional): one at each corner of a strip beside the tray.", KEEP),
    )
    _write(page, "Dice table markers. Print at 100 percent, cut along the lines.", 15, 18, 5.0)
    for top, what, words, numbers in rows:
        _write(page, what + words, 15, top, 4.2)
        for place, number in enumerate(numbers):
            left, high = 15 + (place % 2) * ACROSS, top + 6 + (place // 2) * DOWN
            _cut_out(page, number, left, high, f"{what} {place + 1}")
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8)


def _cut_out(page: Image, number: int, left: float, top: float, label: str) -> None:
    """Draw a marker with its border, its label and the line to cut along."""
    marker = cv2.aruco.generateImageMarker(_dictionary(), number, SIDE * DOTS)
    x, y = round((left + MARGIN) * DOTS), round((top + MARGIN) * DOTS)
    page[y : y + SIDE * DOTS, x : x + SIDE * DOTS] = marker
    ends = (
        (round(left * DOTS), round(top * DOTS)),
        (
            round((left + SIDE + 2 * MARGIN) * DOTS),
            round((top + SIDE + 2 * MARGIN + FOOT) * DOTS),
        ),
    )
    cv2.rectangle(page, *ends, 190, 2)
    _write(page, label, left + MARGIN, top + SIDE + 2 * MARGIN + FOOT - 2, 4.2)


def _write(page: Image, words: str, left: float, base: float, high: float) -> None:
    scale = high * DOTS / cv2.getTextSize("8", FONT, 1.0, 1)[0][1] * 0.7
    at = (round(left * DOTS), round(base * DOTS))
    cv2.putText(page, words, at, FONT, scale, INK, max(2, round(high * DOTS / 10)), cv2.LINE_AA)


def pdf(picture: Image) -> bytes:
    """A PDF with one A4 page, filled by the picture."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    high, wide = grey.shape
    width, height = (f"{side * POINTS:.2f}" for side in PAGE)
    drawn = f"q {width} 0 0 {height} 0 0 cm /Page Do Q".encode()
    image = zlib.compress(grey.tobytes(), 9)
    about = f"/Type /XObject /Subtype /Image /Width {wide} /Height {high} /ColorSpace /DeviceGray /BitsPerComponent 8"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R "
        "/Resources << /XObject << /Page 5 0 R >> >> >>".encode(),
        f"<< /Length {len(drawn)} >>\nstream\n".encode() + drawn + b"\nendstream",
        f"<< {about} /Filter /FlateDecode /Length {len(image)} >>\nstream\n".encode() + image + b"\nendstream",
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(parts) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return bytes(out) + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode()
