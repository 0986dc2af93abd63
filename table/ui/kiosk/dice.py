"""Pictures of dice: lying on the table, covered, and in the air.

A covered die is drawn without knowing its value. Finished pictures are cached, so drawing a die usually takes a single
blit.
"""

from math import ceil, cos, pi, sin

import pygame
from pygame import Surface

from table.ui.kiosk.paint import Point, Sheet, blurred, clear, shelved, thick_line
from table.ui.kiosk.style import BLACK, BRASS, DARK, GOLD, WHITE, Colour, mixed

Vector = tuple[float, float, float]

_IVORY: Colour = (247, 238, 218)
_PIPS: Colour = (30, 34, 40)
_LEATHER: Colour = (96, 52, 42)

_PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

_AIR = 24  # number of pictures of a die turning over, which all dice share
_SHARP = 80  # pixels; larger dice in the air are scaled up from this size
_LAND = 6  # number of pictures of a die coming to rest, for each value
_FALL = 0.72  # the fraction of a roll during which the die turns over
_ROOM = 1.6  # the size of a picture of a die in the air, relative to a die at rest


def die(value: int | None, size: int, *, lit: bool = False, dim: bool = False) -> Surface:
    """A die at rest in a square of `size` pixels that includes its shadow and marks. A die whose value is None is
    covered.

    `lit` marks a die that counts (a glow and a tick), `dim` one that does not.
    """
    return _at_rest(value, max(8, size), lit, dim)


def tumbling(value: int | None, size: int, t: float, turn: int = 0) -> Surface:
    """A die in the air, with t from 0 (just rolled) to 1 (at rest). The die is in the middle of the picture.

    `turn` varies the rotation of dice rolled together. The value is not visible until the die lands.
    """
    size = max(8, size)
    if t >= 1:
        return die(value, size)
    t = max(0.0, t)
    if t < _FALL:
        done = 1 - (1 - t / _FALL * 0.75) ** 2  # the rotation slows down
        return _air(value is None, size, (int(done * 44) + turn * 7) % _AIR)
    step = min(_LAND - 1, int((t - _FALL) / (1 - _FALL) * _LAND))
    return _landing(value, size, step, turn % 2 == 1)


def flight(t: float, turn: int = 0) -> Point:
    """How far a rolling die is from its final place, in die sizes. The die comes in from the side and bounces."""
    left = 1 - max(0.0, min(1.0, t))
    side = -1 if turn % 2 else 1
    away = left * left * (1.1 + 0.35 * (turn * 3 % 5))
    return side * away, -1.5 * left**1.3 * abs(sin(pi * (2.2 * left + 0.5 * left * (turn % 3))))


# at rest


@shelved
def _at_rest(value: int | None, size: int, lit: bool, dim: bool) -> Surface:
    sheet = Sheet(size)
    if lit:
        sheet.box((4, 3, 92, 92), 24, GOLD, alpha=255, soft=3)
        sheet.box((3, 2, 94, 94), 25, GOLD, alpha=200)
    else:
        sheet.box((9, 17, 82, 77), 20, BLACK, alpha=150, soft=3.2)
    if value is None:
        _leather(sheet)
    else:
        _ivory(sheet)
        for across, down in _PLACES[value]:
            _pip(sheet, (50 + across * 21.5, 46 + down * 20.5))
    if dim:
        sheet.surface.fill((146, 158, 156, 225), special_flags=pygame.BLEND_RGBA_MULT)
    if lit:
        _tick(sheet)
    return sheet.surface


def _ivory(sheet: Sheet) -> None:
    """A die's body, seen slightly from above: its top, and a strip of the side below it."""
    sheet.box((8, 10, 84, 83), 20, (mixed(_IVORY, BLACK, 0.14), mixed(_IVORY, (60, 36, 8), 0.5)))
    sheet.box((8, 6, 84, 80), 20, (mixed(_IVORY, WHITE, 0.9), mixed(_IVORY, (120, 90, 40), 0.22)))
    sheet.box((10.4, 8.4, 79.2, 75.2), 18.5, (mixed(_IVORY, WHITE, 0.3), mixed(_IVORY, (120, 90, 40), 0.05)))
    sheet.ellipse((38, 24), 24, 12, WHITE, alpha=110, soft=7)


def _pip(sheet: Sheet, at: Point) -> None:
    """Paints a pip as a hollow with a shaded upper wall and a bright lower edge."""
    (x, y), radius = at, 8.6
    sheet.circle((x, y + 1.5), radius, mixed(_IVORY, WHITE, 0.85))
    sheet.circle(at, radius, (mixed(_PIPS, BLACK, 0.5), mixed(_PIPS, WHITE, 0.24)))
    sheet.circle((x, y + radius * 0.14), radius * 0.76, (mixed(_PIPS, BLACK, 0.15), mixed(_PIPS, WHITE, 0.1)))


def _leather(sheet: Sheet) -> None:
    """A small leather hood, quilted and stitched."""
    hood = Sheet(sheet.surface.get_width())
    hood.box((8, 6, 84, 80), 20, _LEATHER)
    sheet.box((8, 10, 84, 83), 20, (mixed(_LEATHER, BLACK, 0.4), mixed(_LEATHER, BLACK, 0.75)))
    sheet.box((8, 6, 84, 80), 20, (mixed(_LEATHER, WHITE, 0.3), mixed(_LEATHER, BLACK, 0.4)))
    sheet.box((10, 8, 80, 76), 18.5, (mixed(_LEATHER, WHITE, 0.06), mixed(_LEATHER, BLACK, 0.3)))
    sheet.within(hood)
    for i in range(-2, 8):
        x = i * 21.5 - 3
        for a, b in (((x, 0), (x + 92, 92)), ((x + 20, 0), (x - 72, 92))):
            sheet.stroke([(a[0], a[1] - 1), (b[0], b[1] - 1)], 1.4, BLACK, alpha=80)
            sheet.stroke([(a[0], a[1] + 0.8), (b[0], b[1] + 0.8)], 1.0, WHITE, alpha=26)
    sheet.within(None)
    sheet.box((15, 12.5, 70, 67), 14, BRASS, alpha=210, width=2.2)
    sheet.circle((50, 46), 12, (mixed(BRASS, WHITE, 0.35), mixed(BRASS, BLACK, 0.4)))
    sheet.circle((50, 46), 8.6, (mixed(BRASS, BLACK, 0.3), mixed(BRASS, WHITE, 0.2)))


def _tick(sheet: Sheet) -> None:
    """A tick in the middle of the lower edge, where no face has a pip."""
    sheet.circle((50, 86.5), 13.5, DARK)
    sheet.circle((50, 86.5), 11.4, GOLD)
    sheet.stroke([(44.2, 87), (48.6, 91.4), (56, 82.2)], 4, DARK)


# in the air


@shelved
def _air(covered: bool, size: int, step: int) -> Surface:
    angle = 2 * pi * step / _AIR
    return _moving(None if covered else 1, size, _turned(angle, 2 * angle + 0.5, 0.6 + angle), 1.6)


@shelved
def _landing(value: int | None, size: int, step: int, other: bool) -> Surface:
    left = 1 - (step + 0.5) / _LAND
    side = -1 if other else 1
    return _moving(value, size, _turned(left * 0.85, side * left * 0.7, side * left * 1.1), 1 + 0.4 * left)


def _moving(top: int | None, size: int, axes: tuple[Vector, Vector, Vector], high: float) -> Surface:
    """A picture of a die in the air. A large die is painted small and then scaled up, which is faster; while it moves,
    no one sees that details are missing."""
    picture = _cube(top, min(size, _SHARP), axes, high)
    return picture if size <= _SHARP else pygame.transform.smoothscale(picture, (_side(size), _side(size)))


def _side(size: int) -> int:
    """The side length of a picture of a die in the air. The picture is larger than the die, so that the die can
    turn."""
    return ceil(size * _ROOM / 2) * 2


def _turned(x: float, y: float, z: float) -> tuple[Vector, Vector, Vector]:
    """The directions of the three axes of a die after rotating it by these angles, one per axis."""

    def turn(v: Vector) -> Vector:
        a, b, c = v
        a, b = a * cos(z) - b * sin(z), a * sin(z) + b * cos(z)
        a, c = a * cos(y) + c * sin(y), -a * sin(y) + c * cos(y)
        b, c = b * cos(x) - c * sin(x), b * sin(x) + c * cos(x)
        return a, b, c

    return turn((1, 0, 0)), turn((0, 1, 0)), turn((0, 0, 1))


def _cube(top: int | None, size: int, axes: tuple[Vector, Vector, Vector], high: float) -> Surface:
    """A die with rounded edges, seen from above: its outline, visible faces and pips."""
    side = _side(size)
    finer = 3
    body = _LEATHER if top is None else _IVORY
    edge = 0.3  # radius of the rounded edges, as a fraction of half a side
    picture = clear((side * finer, side * finer), body)
    half = size * 0.42 * finer
    middle = side * finer / 2, side * finer / 2 - size * 0.04 * finer

    def place(*parts: tuple[float, Vector]) -> Point:
        x = sum(k * v[0] for k, v in parts)
        y = sum(k * v[1] for k, v in parts)
        return middle[0] + x * half, middle[1] + y * half

    x, y, z = axes
    flat = 1 - edge
    corners = [place((a * flat, x), (b * flat, y), (c * flat, z)) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    outline = _hull(corners)
    _thick(picture, outline, edge * half, mixed(body, (70, 44, 14), 0.24))
    front = top or 1
    right, below = {1: (2, 3), 6: (2, 4), 2: (3, 1), 5: (3, 6), 3: (1, 2), 4: (1, 5)}[front]
    faces = ((z, x, y, front), (x, y, z, right), (y, x, z, below))
    for out, u, v, shows in faces:
        for sign, number in ((1, shows), (-1, 7 - shows)):
            facing = sign * out[2]
            if facing <= 0.04:
                continue
            light = max(0.0, sign * (-0.35 * out[0] - 0.6 * out[1] + 0.72 * out[2]))
            shade = mixed(
                mixed(body, (70, 44, 14), 0.32), mixed(body, WHITE, 0.12 if top is None else 0.6), min(1.0, light)
            )
            square = [place((sign, out), (a * flat, u), (b * flat, v)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            _thick(picture, square, edge * half * 0.34 * facing, shade)
            if top is None:
                mark = [place((sign, out), (0.5 * a, u), (0.5 * b, v)) for a, b in ((0, -1), (1, 0), (0, 1), (-1, 0))]
                pygame.draw.polygon(picture, mixed(BRASS, shade, 0.35), mark)
                continue
            for across, down in _PLACES[number]:
                ring = (
                    place(
                        (sign, out),
                        (0.5 * across + 0.205 * cos(i * pi / 6), u),
                        (0.5 * down + 0.205 * sin(i * pi / 6), v),
                    )
                    for i in range(12)
                )
                pygame.draw.polygon(picture, mixed(_PIPS, shade, 0.1), list(ring))
    picture = pygame.transform.smoothscale(picture, (side, side))
    sheet = Sheet(side)
    low = min(46.0, 12 + 26 * (high - 1) + 100 / _ROOM * 0.42)  # the shadow moves away as the die rises
    sheet.ellipse((50, min(84.0, 50 + low * 0.75)), 24, 15, BLACK, alpha=round(130 / high), soft=4)
    sheet.surface.blit(blurred(picture, 1.25) if high > 1.5 else picture, (0, 0))
    return sheet.surface


def _hull(points: list[Point]) -> list[Point]:
    """The convex hull of the points, in order (Andrew's monotone chain: lower half, then upper half)."""

    def half(ordered: list[Point]) -> list[Point]:
        outside: list[Point] = []
        for p in ordered:
            while len(outside) > 1 and _left_turn(outside[-2], outside[-1], p) <= 0:
                outside.pop()
            outside.append(p)
        return outside[:-1]

    ordered = sorted(points)
    return half(ordered) + half(ordered[::-1])


def _left_turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _thick(picture: Surface, corners: list[Point], radius: float, colour: Colour) -> None:
    """Draws a polygon, widened on all sides by this radius and with round corners."""
    pygame.draw.polygon(picture, colour, corners)
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        pygame.draw.circle(picture, colour, a, radius)
        if a != b:
            pygame.draw.polygon(picture, colour, thick_line(a, b, radius))
