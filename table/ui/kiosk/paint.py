"""Anti-aliased painting, and a cache of finished pictures.

Each shape is drawn large in white, scaled down, and only then coloured. As a result, edges have no dark fringe on any
background.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from math import ceil, cos, floor, pi, sin
from typing import ParamSpec

import pygame
from pygame import Rect, Surface

from table.ui.kiosk.style import Colour

FINER = 4  # oversampling factor of shapes

P = ParamSpec("P")
Point = tuple[float, float]
Paint = Colour | tuple[Colour, Colour]  # one colour, or a gradient from top to bottom


class PictureCache:
    """An LRU cache of pictures, limited by their total size in bytes."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._pictures: OrderedDict[Hashable, Surface] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pictures)

    def get(self, key: Hashable, make: Callable[[], Surface]) -> Surface:
        """Returns the cached picture for this key, creating it if necessary."""
        picture = self._pictures.get(key)
        if picture is not None:
            self._pictures.move_to_end(key)
            return picture
        picture = make()
        self._pictures[key] = picture
        self.bytes += _weight(picture)
        while self.bytes > self.most_bytes and len(self._pictures) > 1:
            _, gone = self._pictures.popitem(last=False)
            self.bytes -= _weight(gone)
        return picture


# Dice, pieces and panels. A game with ten players at 1080p and dice in the air needs about a third of this.
SPRITES = PictureCache(96 * 2**20)


def shelved(make: Callable[P, Surface]) -> Callable[P, Surface]:
    """Decorator: caches the pictures that a function returns, by its arguments."""

    @wraps(make)
    def kept(*given: P.args, **named: P.kwargs) -> Surface:
        return SPRITES.get((make, given, *named.items()), lambda: make(*given, **named))

    return kept


def _weight(picture: Surface) -> int:
    return picture.get_width() * picture.get_height() * 4 + 200


def clear(size: tuple[int, int], colour: Colour = (255, 255, 255)) -> Surface:
    """A transparent picture. If shapes drawn on it have soft edges, these fade into `colour`."""
    surface = Surface((max(1, size[0]), max(1, size[1])), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    return surface


def painted(size: tuple[int, int], paint: Paint, alpha: int = 255) -> Surface:
    """A rectangle filled with paint."""
    width, height = max(1, size[0]), max(1, size[1])
    if isinstance(paint[0], int):
        surface = Surface((width, height), pygame.SRCALPHA)
        surface.fill((*paint, alpha))
        return surface
    top, bottom = paint
    column = Surface((1, height), pygame.SRCALPHA)
    for y in range(height):
        part = y / max(1, height - 1)
        column.set_at((0, y), (*(round(a + (b - a) * part) for a, b in zip(top, bottom, strict=True)), alpha))
    return pygame.transform.scale(column, (width, height))


def blurred(surface: Surface, radius: float) -> Surface:
    """A blurred copy of the same size, made by scaling down and up."""
    width, height = surface.get_size()
    step = max(1.0, radius)
    small = (max(2, round(width / step)), max(2, round(height / step)))
    return pygame.transform.smoothscale(pygame.transform.smoothscale(surface, small), (width, height))


class Sheet:
    """A picture being painted. Coordinates are in hundredths of its width, from the top left."""

    def __init__(self, width: int, height: int | None = None) -> None:
        self.surface = clear((width, width if height is None else height))
        self.scale = width / 100
        self._clip: Surface | None = None

    # Each shape is defined by its bounding box and a function that draws it in white on an oversampled mask.

    def _shape(
        self,
        box: tuple[float, float, float, float],
        draw: Callable[[Surface, Callable[[Point], Point], float], None],
        paint: Paint,
        alpha: int,
        soft: float = 0,
    ) -> None:
        k = self.scale
        blur = soft * k
        left, top = floor(box[0] * k - 2 * blur) - 1, floor(box[1] * k - 2 * blur) - 1
        right, bottom = ceil(box[2] * k + 2 * blur) + 1, ceil(box[3] * k + 2 * blur) + 1
        finer = 1 if blur >= 2 else FINER
        size = (right - left, bottom - top)
        mask = clear((size[0] * finer, size[1] * finer))

        def place(point: Point) -> Point:
            return ((point[0] * k - left) * finer, (point[1] * k - top) * finer)

        draw(mask, place, k * finer)
        mask = blurred(mask, blur) if finer == 1 else pygame.transform.smoothscale(mask, size)
        if finer > 1 and blur:
            mask = blurred(mask, blur)
        layer = painted(size, paint, alpha)
        layer.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        if self._clip is not None:
            seen = clear(size)
            seen.blit(self._clip, (-left, -top), special_flags=pygame.BLEND_RGBA_ADD)
            layer.blit(seen, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        self.surface.blit(layer, (left, top))

    def polygon(self, points: Sequence[Point], paint: Paint, alpha: int = 255, soft: float = 0) -> None:
        def draw(mask: Surface, place: Callable[[Point], Point], _: float) -> None:
            pygame.draw.polygon(mask, (255, 255, 255, 255), [place(p) for p in points])

        xs, ys = [p[0] for p in points], [p[1] for p in points]
        self._shape((min(xs), min(ys), max(xs), max(ys)), draw, paint, alpha, soft)

    def ellipse(
        self, centre: Point, rx: float, ry: float, paint: Paint, alpha: int = 255, soft: float = 0, width: float = 0
    ) -> None:
        """An ellipse, or a ring of this width inside it."""

        def draw(mask: Surface, place: Callable[[Point], Point], k: float) -> None:
            x, y = place(centre)
            for inner, white in ((0.0, 255), (width, 0)) if width else ((0.0, 255),):
                w, h = 2 * (rx - inner) * k, 2 * (ry - inner) * k
                if w > 0 and h > 0:
                    rect = Rect(round(x - w / 2), round(y - h / 2), max(1, round(w)), max(1, round(h)))
                    pygame.draw.ellipse(mask, (255, 255, 255, white), rect)

        x, y = centre
        self._shape((x - rx, y - ry, x + rx, y + ry), draw, paint, alpha, soft)

    def circle(
        self, centre: Point, radius: float, paint: Paint, alpha: int = 255, soft: float = 0, width: float = 0
    ) -> None:
        self.ellipse(centre, radius, radius, paint, alpha, soft, width)

    def box(
        self,
        rect: tuple[float, float, float, float],
        radius: float,
        paint: Paint,
        alpha: int = 255,
        soft: float = 0,
        width: float = 0,
    ) -> None:
        """A rounded rectangle (`rect` is x, y, width, height). With `width`, only an outline of that thickness."""
        x, y, w, h = rect

        def draw(mask: Surface, place: Callable[[Point], Point], k: float) -> None:
            for inner, white in ((0.0, 255), (width, 0)) if width else ((0.0, 255),):
                left, top = place((x + inner, y + inner))
                right, bottom = place((x + w - inner, y + h - inner))
                corners = Rect(round(left), round(top), round(right) - round(left), round(bottom) - round(top))
                if corners.width > 0 and corners.height > 0:
                    corner = max(0, round((radius - inner) * k))
                    pygame.draw.rect(mask, (255, 255, 255, white), corners, border_radius=corner)

        self._shape((x, y, x + w, y + h), draw, paint, alpha, soft)

    def stroke(
        self,
        points: Sequence[Point],
        width: float,
        paint: Paint,
        alpha: int = 255,
        soft: float = 0,
        closed: bool = False,
    ) -> None:
        """A line through the points with round ends and corners."""
        half = width / 2

        def draw(mask: Surface, place: Callable[[Point], Point], k: float) -> None:
            at = [place(p) for p in points]
            white = (255, 255, 255, 255)
            for p in at:
                pygame.draw.circle(mask, white, p, half * k)
            for a, b in zip(at, [*at[1:], at[0]] if closed else at[1:], strict=False):
                if a != b:
                    pygame.draw.polygon(mask, white, thick_line(a, b, half * k))

        xs, ys = [p[0] for p in points], [p[1] for p in points]
        self._shape((min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half), draw, paint, alpha, soft)

    def picture(self, picture: Surface, centre: Point) -> None:
        """Draws another picture, centred at this point."""
        x, y = centre[0] * self.scale, centre[1] * self.scale
        self.surface.blit(picture, (round(x - picture.get_width() / 2), round(y - picture.get_height() / 2)))

    def within(self, other: "Sheet | None") -> None:
        """Clips everything painted from now on to the opaque parts of the other sheet; None ends clipping."""
        self._clip = None
        if other is not None:
            self._clip = clear(self.surface.get_size(), (0, 0, 0))
            self._clip.blit(other.surface, (0, 0))
            self._clip.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)


def thick_line(a: Point, b: Point, half: float) -> list[Point]:
    """The corners of a line between two different points, extending `half` to either side."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    x, y = (a[1] - b[1]) / length * half, (b[0] - a[0]) / length * half
    return [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (a[0] - x, a[1] - y)]


def arc(centre: Point, radius: float, start: float, end: float, steps: int = 24, squash: float = 1.0) -> list[Point]:
    """Points on an arc between two angles in degrees; 0 is right, 90 is bottom."""
    angles = (start + (end - start) * i / steps for i in range(steps + 1))
    return [(centre[0] + radius * cos(a * pi / 180), centre[1] + radius * squash * sin(a * pi / 180)) for a in angles]
