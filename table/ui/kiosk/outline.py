"""Outlines that people correct by dragging a handle or in small steps.

An outline with few corners has one handle per corner. A round outline has four handles (left, top, right and bottom)
and stays round.
"""

from math import hypot

Point = tuple[float, float]
Outline = tuple[Point, ...]

CORNERS = 8  # an outline with more corners is round


def handles(outline: Outline) -> list[Point]:
    if len(outline) <= CORNERS:
        return list(outline)
    left, top, right, bottom = box(outline)
    x, y = (left + right) / 2, (top + bottom) / 2
    return [(left, y), (x, top), (right, y), (x, bottom)]


def box(outline: Outline) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def moved(outline: Outline, handle: int | None, by: Point, size: tuple[int, int]) -> Outline:
    """The outline after moving one handle or, with None, the whole outline, but never beyond the edges of a picture of
    this size."""
    if handle is None:
        left, top, right, bottom = box(outline)
        dx = min(max(by[0], -left), size[0] - right) if right - left <= size[0] else 0.0
        dy = min(max(by[1], -top), size[1] - bottom) if bottom - top <= size[1] else 0.0
        return tuple((x + dx, y + dy) for x, y in outline)
    x, y = handles(outline)[handle]
    return dragged(outline, handle, (x + by[0], y + by[1]), size)


def dragged(outline: Outline, handle: int, to: Point, size: tuple[int, int]) -> Outline:
    """The outline after moving one handle to this point."""
    to = min(max(to[0], 0.0), float(size[0])), min(max(to[1], 0.0), float(size[1]))
    if len(outline) <= CORNERS:
        return (*outline[:handle], to, *outline[handle + 1 :])
    left, top, right, bottom = box(outline)
    least = 0.05 * min(size)
    ends = [left, top, right, bottom]
    ends[handle] = to[handle % 2]
    if handle < 2:
        ends[handle] = min(ends[handle], ends[handle + 2] - least)
    else:
        ends[handle] = max(ends[handle], ends[handle - 2] + least)
    across, down = (ends[2] - ends[0]) / (right - left), (ends[3] - ends[1]) / (bottom - top)
    return tuple((ends[0] + (x - left) * across, ends[1] + (y - top) * down) for x, y in outline)


def grown(outline: Outline, handle: int | None, by: float, size: tuple[int, int]) -> Outline:
    """The outline with one handle, or every corner, moved this far away from the middle (negative: towards it)."""
    left, top, right, bottom = box(outline)
    x, y = (left + right) / 2, (top + bottom) / 2
    if handle is not None:
        u, v = handles(outline)[handle]
        far = max(1.0, hypot(u - x, v - y))
        return dragged(outline, handle, (u + by * (u - x) / far, v + by * (v - y) / far), size)
    k = 1 + by / max(1.0, min(right - left, bottom - top) / 2)
    spread = [(x + (u - x) * k, y + (v - y) * k) for u, v in outline]
    return tuple((min(max(u, 0.0), float(size[0])), min(max(v, 0.0), float(size[1]))) for u, v in spread)
