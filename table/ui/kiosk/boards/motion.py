"""Movement on the boards: progress within an animation, and the path from one point to another."""

from math import pi, sin

from pygame import Rect

from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.paint import Point
from table.ui.kiosk.style import GOLD


def part(t: float, start: float, end: float) -> float:
    """The progress within one part of an animation."""
    return max(0.0, min(1.0, (t - start) / (end - start)))


def eased(t: float) -> float:
    """Converts progress so that a movement starts and ends slowly."""
    return t * t * (3 - 2 * t)


def between(a: Point, b: Point, t: float, height: float = 0.0) -> Point:
    """The point at progress `t` on an arc from a to b, `height` pixels high. The movement starts and ends slowly."""
    t = eased(t)
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t - sin(t * pi) * height


def shaking(canvas: Canvas, t: float, turn: int) -> Point:
    """How far a cup that is being shaken is from its final position."""
    left = 1 - part(t, 0.0, 0.8)
    wide = canvas.px(7) * left
    lift = canvas.px(9) * (1 - part(t, 0.7, 0.95)) * part(t, 0.0, 0.15)
    return wide * sin(t * 8 * pi + turn), -lift - abs(sin(t * 11 * pi)) * wide / 2


def pulse(canvas: Canvas, rect: Rect, t: float) -> None:
    """A ring that spreads from a player's picture and fades."""
    if t < 1:
        radius = min(rect.size) / 2 + canvas.px(2) + canvas.px(14) * t
        canvas.ring(rect.center, radius, GOLD, 3, alpha=round(255 * (1 - t)))
