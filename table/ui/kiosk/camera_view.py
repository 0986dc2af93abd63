"""A camera picture on the screen with overlays: outlines, handles, dice and numbered markers.

All positions are in pixels of the camera frame. Only this module converts them to screen pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, floor, hypot, prod, radians, sin
from typing import TYPE_CHECKING

import pygame
from pygame import Rect, Surface

from table.ui.kiosk import layout
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred
from table.ui.kiosk.outline import CORNERS, Outline, Point
from table.ui.kiosk.paint import clear
from table.ui.kiosk.style import BRASS_DARK, DARK, GOLD, INK, IVORY, NIGHT, ORANGE, SKY, Colour

if TYPE_CHECKING:
    from vision.networks import Image
    from vision.reading import Die

SHADE = 120  # darkness outside the outlines, out of 255
GRIP = 22  # how far from a handle a touch still counts, in units; large enough for a finger
CLEAR = 2.5  # units between a die and its box; a tighter box would cover the pips of small dice
AROUND = 2.0  # the side of an enlarged part of the picture, relative to the die in it
BADGE = 12  # units: the radius of the disc behind a number


@dataclass(frozen=True)
class View:
    rect: Rect  # the view's place on the screen
    size: tuple[int, int]  # the size of the camera frame

    @staticmethod
    def within(room: Rect, size: tuple[int, int]) -> View:
        """The largest view that fits, with its aspect ratio preserved."""
        k = min(room.width / size[0], room.height / size[1])
        return View(centred(room, max(1, round(size[0] * k)), max(1, round(size[1] * k))), size)

    def on_screen(self, place: Point) -> Point:
        k = self.rect.width / self.size[0]
        return self.rect.x + place[0] * k, self.rect.y + place[1] * k

    def in_frame(self, place: tuple[int, int]) -> Point:
        k = self.size[0] / self.rect.width
        return (place[0] - self.rect.x) * k, (place[1] - self.rect.y) * k

    def draw(self, canvas: Canvas, picture: Image) -> None:
        edge = canvas.px(3)
        canvas.panel(self.rect.inflate(2 * edge, 2 * edge), NIGHT, 6, border=BRASS_DARK, shadow=True)
        step = max(1, picture.shape[1] // (2 * self.rect.width))  # twice the display resolution is sharp enough
        part = picture[::step, ::step, ::-1]
        whole = pygame.image.frombuffer(part.tobytes(), (part.shape[1], part.shape[0]), "RGB")
        canvas.surface.blit(pygame.transform.smoothscale(whole, self.rect.size), self.rect)

    def shade(self, canvas: Canvas, outlines: Sequence[Outline]) -> None:
        """Darkens everything outside these outlines."""
        veil = clear(self.rect.size, NIGHT)
        veil.fill((*NIGHT, SHADE))
        for outline in outlines:
            corners = [self.on_screen(corner) for corner in outline]
            pygame.draw.polygon(veil, (*NIGHT, 0), [(x - self.rect.x, y - self.rect.y) for x, y in corners])
        canvas.surface.blit(veil, self.rect)

    def outlines(self, canvas: Canvas, tray: Outline | None, keep: Outline | None) -> None:
        for outline, colour in ((keep, SKY), (tray, GOLD)):
            if outline:
                self._round(canvas, [self.on_screen(corner) for corner in outline], colour, 3)

    def _round(self, canvas: Canvas, corners: Sequence[Point], colour: Colour, width: float) -> None:
        """A closed line, visible on any background. Round outlines need a brush, or they would look ragged."""
        brush = _curve(corners) if len(corners) > CORNERS else corners
        for ink, wide in ((DARK, width + 2), (colour, width)):
            if brush is corners:
                for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
                    canvas.line(a, b, ink, wide)
            canvas.dots(brush, max(1.0, wide * canvas.unit / 2), ink)

    def handles(self, canvas: Canvas, places: Iterable[Point], held: int | None) -> None:
        for number, place in enumerate(places):
            at = self.on_screen(place)
            wide = canvas.px(13 if number == held else 9)
            canvas.circle(at, wide + canvas.px(2), DARK)
            canvas.circle(at, wide, GOLD if number == held else IVORY)
            if number == held:
                canvas.circle(at, wide * 0.45, DARK)
            canvas.spot(f"handle:{number}", layout.around(at, canvas.px(2 * GRIP), canvas.px(2 * GRIP)))

    def dice(self, canvas: Canvas, dice: Iterable[Die]) -> None:
        """A box around each die, with its value next to it."""
        boxes, values = [], []
        for die in dice:
            (x, y), (width, height), turn = die.box.centre, die.box.size, radians(die.box.angle)
            c, s = cos(turn) / 2, sin(turn) / 2
            corners = [
                self.on_screen((x + u * width * c - v * height * s, y + u * width * s + v * height * c))
                for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            boxes.append(around(corners, canvas.px(CLEAR)))
            values.append(str(die.value))
            self._round(canvas, boxes[-1], INK, 2)
        side = 2 * canvas.px(BADGE) + canvas.px(3)
        for value, place in zip(values, labels(boxes, [(side, side)] * len(boxes), self.rect), strict=True):
            self._badge(canvas, value, place.center, IVORY)

    def point(self, canvas: Canvas, places: Iterable[tuple[int, Point]]) -> None:
        for number, place in places:
            at = self.on_screen(place)
            canvas.ring(at, canvas.px(24), ORANGE, 3)
            self.number(canvas, number, (at[0] - canvas.px(18), at[1] + canvas.px(18)))

    def number(self, canvas: Canvas, number: int, at: Point) -> None:
        self._badge(canvas, str(number), at, ORANGE)

    def _badge(self, canvas: Canvas, words: str, at: Point, colour: Colour) -> None:
        radius = canvas.px(BADGE)
        x = min(max(at[0], radius), canvas.area.width - radius)
        canvas.circle((x, at[1]), radius + canvas.px(1.5), DARK)
        canvas.circle((x, at[1]), radius, colour)
        canvas.text(words, layout.around((x, at[1]), 2 * radius, 2 * radius), 15, DARK, "bold", shrink=0.7)


def around(corners: Sequence[Point], by: float) -> list[Point]:
    """The corners of a box with each side moved outwards by this many pixels."""
    x, y = (sum(place) / len(corners) for place in zip(*corners, strict=True))
    side = max(1.0, min(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(corners)))
    k = 1 + 2 * by / side
    return [(x + (a - x) * k, y + (b - y) * k) for a, b in corners]


def labels(boxes: Sequence[Sequence[Point]], sizes: Sequence[tuple[int, int]], within: Rect) -> list[Rect]:
    """A place for the label of each box: above, below or next to it, where it covers other boxes and labels least."""
    taken = [bounds(corners) for corners in boxes]
    found: list[Rect] = []
    for box, size in zip(tuple(taken), sizes, strict=True):
        places = [Rect((0, 0), size) for _ in range(4)]
        places[0].midbottom, places[1].midtop = box.midtop, box.midbottom
        places[2].midleft, places[3].midright = box.midright, box.midleft
        inside = [place.clamp(within) for place in places]
        found.append(min(inside, key=lambda place: sum(prod(place.clip(other).size) for other in taken)))
        taken.append(found[-1])
    return found


def closeup(canvas: Canvas, picture: Surface, corners: Sequence[tuple[float, float]], place: Rect) -> None:
    """A part of the picture enlarged into this square, with a box around the corners, which are fractions of the
    picture."""
    width, height = picture.get_size()
    die = [(x * width, y * height) for x, y in corners]
    tight = bounds(die)
    side = min(max(8, round(AROUND * max(tight.size))), width, height)
    part = layout.around(tight.center, side, side).clamp(picture.get_rect())
    canvas.surface.blit(pygame.transform.smoothscale(picture.subsurface(part), place.size), place)
    k = place.width / side
    box = around([(place.x + (x - part.x) * k, place.y + (y - part.y) * k) for x, y in die], canvas.px(CLEAR))
    for a, b in zip(box, [*box[1:], box[0]], strict=True):
        canvas.line(a, b, GOLD, 3)


def bounds(corners: Sequence[Point]) -> Rect:
    left, top = (floor(min(place)) for place in zip(*corners, strict=True))
    right, bottom = (ceil(max(place)) for place in zip(*corners, strict=True))
    return Rect(left, top, right - left, bottom - top)


def _curve(corners: Sequence[Point]) -> list[Point]:
    """A smooth closed curve through all points (Catmull-Rom), about one point per pixel."""
    found = []
    for i, (x1, y1) in enumerate(corners):
        (x0, y0), (x2, y2), (x3, y3) = (corners[(i + k) % len(corners)] for k in (-1, 1, 2))
        steps = max(2, round(hypot(x2 - x1, y2 - y1)))
        for t in (k / steps for k in range(steps)):
            a, b = (2 - t) * t * t - t, (3 * t - 5) * t * t + 2
            c, d = ((4 - 3 * t) * t + 1) * t, (t - 1) * t * t
            x, y = a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3
            found.append((x / 2, y / 2))
    return found
