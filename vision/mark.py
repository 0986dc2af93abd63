"""Draws a reading on its frame: a box around each top face, its value and confidence, and the result below.

Its one rule: the marks are readable on any background and at any size, and cover no pips if there is room beside the
dice.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from vision import saving
from vision.networks import Floats, Image
from vision.reading import OK, Box, Die, Reading

Colour = tuple[int, int, int]
Area = tuple[int, int, int, int]  # left, top, right, bottom

DARK, LIGHT = (28, 28, 28), (255, 255, 255)
SURE, DOUBT, POOR = (110, 215, 70), (40, 190, 255), (80, 80, 255)  # green, yellow, red (as BGR)
FONT = cv2.FONT_HERSHEY_DUPLEX
CLEAR_SIDE, CLEAR_LENGTH = 48, 640  # in pixels; pictures with smaller dice or a shorter long side are enlarged
LONGEST = 2400  # maximum length of an enlarged picture's long side, in pixels


@dataclass(frozen=True)
class Pen:
    text: int  # height of a label's digits, in pixels
    line: int

    @property
    def pad(self) -> int:
        return max(2, self.text // 3)


def mark(frame: Image, reading: Reading, words: str | None = None) -> Image:
    """A copy of the frame, with the reading drawn on the copy. Small frames are enlarged. The strip below the picture
    shows `words`, or the result if `words` is empty."""
    times = _times(frame, reading)
    height, width = frame.shape[0] * times, frame.shape[1] * times
    shown = (
        frame.copy()
        if times == 1
        else np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    )
    side = _side(reading) * times
    pen = Pen(
        text=round(min(max(13.0, 0.24 * side), 0.03 * max(height, width) + 8)), line=max(2, round(min(side, 400) / 40))
    )
    corners = [points_of(d.box) * times for d in reading.dice]
    for die, points in zip(reading.dice, corners, strict=True):
        outline = [np.round(points).astype(np.int32)]
        # Draw a dark line under the bright one, so that one of the two stands out on any background.
        cv2.polylines(shown, outline, True, DARK, 2 * pen.line + 1, cv2.LINE_AA)
        cv2.polylines(shown, outline, True, _colour(reading, die), pen.line, cv2.LINE_AA)
    taken = [_around(points) for points in corners]
    for die, around in zip(reading.dice, list(taken), strict=True):
        taken.append(_label(shown, die, around, taken, pen, _colour(reading, die)))
    return np.asarray(np.vstack((shown, strip(words, width) if words else _line(reading, width))), np.uint8)


def points_of(box: Box) -> Floats:
    """The four corners of a box."""
    return np.asarray(cv2.boxPoints((box.centre, box.size, box.angle)), np.float32)


def result(reading: Reading) -> str:
    """The reading as text."""
    values = " ".join(str(value) for value in reading.values)
    if reading.status != OK:
        return f"unsure: {reading.why}" + (f" (seen: {values})" if values else "")
    if len(reading.dice) < 2:
        return values or "no dice"
    return f"{values} (sum {sum(reading.values)})"


def _times(frame: Image, reading: Reading) -> int:
    length = max(frame.shape[:2])
    for times in (1, 2, 3, 4):
        small = length * times < CLEAR_LENGTH or (reading.dice and _side(reading) * times < CLEAR_SIDE)
        if not small or length * (times + 1) > LONGEST:
            return times
    return 4


def _side(reading: Reading) -> float:
    return float(np.median([sum(d.box.size) / 2 for d in reading.dice])) if reading.dice else 0.0


def _colour(reading: Reading, die: Die) -> Colour:
    if reading.status == OK:
        return SURE
    return DOUBT if die.sure else POOR


def _around(points: Floats) -> Area:
    left, top = np.floor(points.min(0))
    right, bottom = np.ceil(points.max(0))
    return int(left), int(top), int(right), int(bottom)


def _label(shown: Image, die: Die, around: Area, taken: list[Area], pen: Pen, colour: Colour) -> Area:
    """Draw the value large and the confidence small, on a dark plate that covers as little as possible."""
    value, sure = str(die.value), f"{int(100 * die.confidence)}%"
    large, small = pen.text, max(11, round(0.75 * pen.text))
    wide = _wide(value, large) + pen.pad + _wide(sure, small) + 2 * pen.pad
    high = large + 2 * pen.pad
    left, top, right, bottom = area = _place(shown, around, taken, wide, high)
    cv2.rectangle(shown, (left, top), (right - 1, bottom - 1), DARK, cv2.FILLED)
    cv2.rectangle(shown, (left, top), (right - 1, bottom - 1), colour, max(1, pen.line // 2))
    _write(shown, value, (left + pen.pad, bottom - pen.pad), large, LIGHT)
    _write(shown, sure, (left + 2 * pen.pad + _wide(value, large), bottom - pen.pad), small, colour)
    return area


def _place(shown: Image, around: Area, taken: list[Area], wide: int, high: int) -> Area:
    """Where to put a label beside a box: inside the picture, where it covers the least of other boxes and labels."""
    left, top, right, bottom = around
    beside = (left - wide - 2, left, (left + right - wide) // 2, right - wide, right + 2)
    above = (top - high - 2, top, (top + bottom - high) // 2, bottom - high, bottom + 2)
    best: tuple[int, Area] | None = None
    # Try above and below before the sides, because these are the usual positions and should win ties.
    for y, x in sorted(product((0, 4, 1, 2, 3), (2, 1, 3, 0, 4)), key=lambda p: (0, 4, 1, 2, 3).index(p[0])):
        x0 = min(max(0, beside[x]), max(0, shown.shape[1] - wide))
        y0 = min(max(0, above[y]), max(0, shown.shape[0] - high))
        area = (x0, y0, x0 + wide, y0 + high)
        cost = sum(_common(area, other) for other in taken)
        if best is None or cost < best[0]:
            best = cost, area
    assert best is not None
    return best[1]


def _common(a: Area, b: Area) -> int:
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))


def _line(reading: Reading, width: int) -> Image:
    """The strip below the picture, with the result."""
    return strip(result(reading), width, SURE if reading.status == OK else DOUBT)


def strip(words: str, width: int, colour: Colour = LIGHT) -> Image:
    """Text on a dark strip, wrapped to the width."""
    text = min(max(13, width // 50), 48)
    rows: list[str] = []
    for word in words.split():
        if rows and _wide(f"{rows[-1]} {word}", text) < width - 2 * text:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    step = 2 * text
    page = np.full((step * len(rows) + text // 2, width, 3), DARK, np.uint8)
    for row, line in enumerate(rows):
        _write(page, line, (text, step * (row + 1) - text // 4), text, colour)
    return page


def _scale(high: int) -> float:
    """The font scale for digits of this height."""
    return high / cv2.getTextSize("8", FONT, 1.0, 1)[0][1]


def _weight(high: int) -> int:
    return max(1, round(high / 12))


def _wide(text: str, high: int) -> int:
    return cv2.getTextSize(text, FONT, _scale(high), _weight(high))[0][0]


def _write(page: Image, text: str, at: tuple[int, int], high: int, colour: Colour) -> None:
    cv2.putText(page, text, at, FONT, _scale(high), colour, _weight(high), cv2.LINE_AA)


def save(path: Path, picture: Image) -> None:
    """Save a picture atomically. Raises OSError if the picture cannot be saved."""
    worked, data = cv2.imencode(path.suffix.lower(), picture)
    if not worked:
        raise OSError(0, "it cannot be encoded")
    saving.write(path, data.tobytes())


def plain(name: str) -> str:
    """The file name, with escape codes for line breaks and other characters that cannot be displayed."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in name)
