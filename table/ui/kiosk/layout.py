"""Functions that divide rectangles. The parts are in whole pixels and never extend beyond the original rectangle."""

from collections.abc import Sequence

from pygame import Rect


def inset(rect: Rect, x: int, y: int | None = None) -> Rect:
    """The rectangle shrunk by x on the left and right, and by y (default: x) at the top and bottom."""
    y = x if y is None else y
    x, y = min(x, rect.width // 2), min(y, rect.height // 2)
    return Rect(rect.x + x, rect.y + y, rect.width - 2 * x, rect.height - 2 * y)


def split(rect: Rect, n: int, gap: int = 0, vertical: bool = False) -> list[Rect]:
    """n equal parts side by side, or one below the other. Extra pixels are spread over the parts."""
    return share(rect, [1.0] * n, gap, vertical)


def share(rect: Rect, weights: Sequence[float], gap: int = 0, vertical: bool = False) -> list[Rect]:
    """One part per weight, sized in proportion, side by side or one below the other."""
    if not weights:
        return []
    whole = rect.height if vertical else rect.width
    gap = min(gap, whole // len(weights))
    room = max(0, whole - gap * (len(weights) - 1))
    total = sum(weights)
    parts = []
    so_far = 0.0
    for i, weight in enumerate(weights):
        start = round(room * so_far / total)
        so_far += weight
        length = round(room * so_far / total) - start
        start += gap * i
        if vertical:
            parts.append(Rect(rect.x, rect.y + start, rect.width, length))
        else:
            parts.append(Rect(rect.x + start, rect.y, length, rect.height))
    return parts


def rows(rect: Rect, n: int, gap: int = 0) -> list[Rect]:
    return split(rect, n, gap, vertical=True)


def columns(rect: Rect, n: int, gap: int = 0) -> list[Rect]:
    return split(rect, n, gap)


def grid(rect: Rect, across: int, down: int, gap: int = 0) -> list[Rect]:
    """Divides the rectangle into equal cells, listed row by row."""
    return [cell for row in rows(rect, down, gap) for cell in columns(row, across, gap)]


def cut_left(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """A part of this width on the left, and the rest after the gap."""
    width = min(width, rect.width)
    rest = min(width + gap, rect.width)
    return Rect(rect.x, rect.y, width, rect.height), Rect(rect.x + rest, rect.y, rect.width - rest, rect.height)


def cut_right(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """A part of this width on the right, and the rest before the gap."""
    width = min(width, rect.width)
    rest = max(0, rect.width - width - gap)
    return Rect(rect.right - width, rect.y, width, rect.height), Rect(rect.x, rect.y, rest, rect.height)


def cut_top(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """A part of this height at the top, and the rest below the gap."""
    height = min(height, rect.height)
    rest = min(height + gap, rect.height)
    return Rect(rect.x, rect.y, rect.width, height), Rect(rect.x, rect.y + rest, rect.width, rect.height - rest)


def cut_bottom(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """A part of this height at the bottom, and the rest above the gap."""
    height = min(height, rect.height)
    rest = max(0, rect.height - height - gap)
    return Rect(rect.x, rect.bottom - height, rect.width, height), Rect(rect.x, rect.y, rect.width, rest)


def around(center: tuple[float, float], width: int, height: int) -> Rect:
    """A rectangle with its centre at this point, rounded to whole pixels."""
    rect = Rect(0, 0, width, height)
    rect.center = round(center[0]), round(center[1])
    return rect


def centred(rect: Rect, width: int, height: int) -> Rect:
    """A rectangle in the middle of another, made smaller if it would not fit."""
    width, height = min(width, rect.width), min(height, rect.height)
    return Rect(rect.x + (rect.width - width) // 2, rect.y + (rect.height - height) // 2, width, height)
