"""Building blocks of charts: readable labels, grids, round values, paths, and markers that differ in shape.

This module does not depend on what a chart shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import floor, hypot, log10
from statistics import fmean as mean
from typing import Literal

from pygame import Rect, Surface

from table.text.catalogue import Catalogue
from table.text.numbers import localized
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_left, inset
from table.ui.kiosk.paint import Sheet, shelved
from table.ui.kiosk.style import INK, INK_FAINT, INK_SOFT, NIGHT, Align, Colour, Face, mixed

LEAST = 10  # units; smaller text cannot be read across a table
SMALL = 13  # size of grid labels

Point = tuple[float, float]
Shape = Literal["disc", "square", "up", "diamond", "down", "warning"]

_OUTLINES: dict[Shape, list[Point]] = {
    "square": [(18, 18), (82, 18), (82, 82), (18, 82)],
    "up": [(50, 14), (86, 80), (14, 80)],
    "diamond": [(50, 8), (92, 50), (50, 92), (8, 50)],
    "down": [(50, 86), (86, 20), (14, 20)],
    "warning": [(50, 14), (88, 82), (12, 82)],
}


# text


def write(
    canvas: Canvas, text: str, box: Rect, size: float, colour: Colour, face: Face = "body", align: Align = "center"
) -> None:
    """Draws text at the given size or, if necessary, smaller, but never too small to read."""
    canvas.text(text, box, size, colour, face, align, shrink=min(1.0, _least(canvas) / size))


def write_row(
    canvas: Canvas, texts: Sequence[str], boxes: Sequence[Rect], size: float, colour: Colour, face: Face = "body"
) -> None:
    """Draws texts side by side at one common size, set by the longest."""
    wide = min(box.width for box in boxes) - canvas.px(3)
    while size > _least(canvas) and max(canvas.text_width(text, size, face) for text in texts) > wide:
        size -= 0.5
    for text, box in zip(texts, boxes, strict=True):
        write(canvas, text, box, size, colour, face)


def _least(canvas: Canvas) -> float:
    return LEAST / canvas.larger


def short(count: int, say: Catalogue) -> str:
    """A count in at most five characters, up to a billion: 9999, 12.3k, 1.2M."""
    if count < 10_000:
        return str(count)
    figure, sign = (count / 1000, "k") if count < 999_500 else (count / 1_000_000, "M")
    return localized(f"{figure:.1f}{sign}" if figure < 99.95 else f"{figure:.0f}{sign}", say)


# grids


def grid(canvas: Canvas, room: Rect, labels: Mapping[float, str]) -> Rect:
    """Draws horizontal lines at these fractions of the height, with labels on the left. Returns the remaining area."""
    side = max(canvas.text_width(label, SMALL) for label in labels.values())
    beside, plot = cut_left(room, side, canvas.px(6))
    for part, label in labels.items():
        y = plot.bottom - plot.height * part
        canvas.line((plot.x, y), (plot.right - 1, y), mixed(INK_FAINT, NIGHT, 0.35 if label else 0.7), 1)
        if label:
            write(canvas, label, beside_level(canvas, beside, y), SMALL, INK_SOFT, align="right")
    return inset(plot, canvas.px(7), 0)


def beside_level(canvas: Canvas, within: Rect, y: float) -> Rect:
    """The box for a small label at this height."""
    high = canvas.line_height(SMALL)
    return Rect(within.x, round(y) - high // 2, within.width, high)


def levels(low: float, high: float, most: int, whole: bool) -> list[float]:
    """Round values for the scale of a chart, from `low` or just below it up to `high`, in about `most` steps."""
    rough = max(high - low, 1e-9) / most
    unit = 10.0 ** floor(log10(rough))
    step = next(k * unit for k in (1, 2, 5, 10) if k * unit >= rough * 0.999)
    step = max(step, 1.0) if whole else step
    return [step * at for at in range(floor(low / step), max(floor(low / step), floor(high / step)) + 1)]


def apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Positions between low and high, at least `least` apart and as close as possible to the wanted positions, which
    are in ascending order.

    Positions that are too close form a block, centred on the mean of their wanted positions.
    """
    blocks: list[list[float]] = []
    for at, place in enumerate(wanted):
        blocks.append([place - at * least])
        while len(blocks) > 1 and mean(blocks[-2]) > mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    middles = [mean(block) for block in blocks for _ in block]
    most = high - least * (len(wanted) - 1)
    return [max(low, min(most, middle)) + at * least for at, middle in enumerate(middles)]


# strokes


def filled(canvas: Canvas, groove: Rect, part: float, colour: Colour, radius: float) -> None:
    """Fills this fraction of a groove, from the left. Even short bars have their true length."""
    whole = canvas.surface.get_clip()
    canvas.surface.set_clip(whole.clip(Rect(groove.topleft, (round(groove.width * part), groove.height))))
    canvas.panel(groove, colour, radius)
    canvas.surface.set_clip(whole)


def rule(canvas: Canvas, a: Point, b: Point) -> None:
    """A thin straight line that is visible on dark and light backgrounds."""
    canvas.line(a, b, NIGHT, 3)
    canvas.line(a, b, INK, 1)


def path(canvas: Canvas, points: Sequence[Point], colour: Colour, width: float, dashed: bool = False) -> None:
    """A line through the points, solid or with dashes that continue around corners."""
    if dashed:
        for a, b in _dashes(points, canvas.px(8), canvas.px(5)):
            canvas.line(a, b, colour, width)
        return
    for a, b in pairwise(points):
        canvas.line(a, b, colour, width)
    for corner in points[1:-1]:
        canvas.circle(corner, width * canvas.unit / 2, colour)


def _dashes(points: Sequence[Point], length: float, gap: float) -> Iterator[tuple[Point, Point]]:
    walked = 0.0
    for a, b in pairwise(points):
        far = hypot(b[0] - a[0], b[1] - a[1])
        begin = walked // (length + gap) * (length + gap) - walked
        while begin < far:
            start, end = max(0.0, begin), min(far, begin + length)
            if start < end:
                yield _between(a, b, start / far), _between(a, b, end / far)
            begin += length + gap
        walked += far


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


# markers


@shelved
def mark(shape: Shape, size: int, colour: Colour, hollow: bool = False) -> Surface:
    """A small marker `size` pixels wide. A hollow marker is an outline filled with the background colour."""
    sheet = Sheet(max(4, size))
    inside = NIGHT if hollow else colour
    if shape == "disc":
        sheet.circle((50, 50), 40, colour)
        sheet.circle((50, 50), 26, inside)
        return sheet.surface
    sheet.polygon(_OUTLINES[shape], inside)
    sheet.stroke(_OUTLINES[shape], 14, colour, closed=True)
    if shape == "warning":
        sheet.stroke([(50, 36), (50, 56)], 10, INK)
        sheet.circle((50, 73), 6, INK)
    return sheet.surface
