"""The drawing surface of scenes and boards: felt, panels, text, sprites, and touchable spots.

Text never leaves its box. For tests, each text is recorded with its box and whether it had to be cut. Sizes are in
units: every screen is at least 800 by 480 units. Rectangles are in pixels.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import pygame
from pygame import Rect, Surface

from table.ui.kiosk import paint
from table.ui.kiosk import text as writing
from table.ui.kiosk.layout import inset
from table.ui.kiosk.style import (
    BASE,
    FELT,
    FELT_DARK,
    FELT_LIGHT,
    INK,
    LARGER,
    NIGHT,
    Align,
    Colour,
    Face,
    Look,
    Valign,
)

Spot = tuple[str, Rect]

_SHADOW: Colour = (0, 8, 12)


@dataclass(frozen=True)
class Placed:
    """A text that was drawn: its box, the area of its lines, and whether it was cut."""

    text: str
    rect: Rect
    drawn: Rect
    cut: bool
    private: bool


class Canvas:
    """One frame being drawn. `private` is set while drawing what only one player may see."""

    def __init__(self, surface: Surface, style: Look | None = None) -> None:
        writing.get_ready()
        self.surface = surface
        self.style = style or Look()
        self.area = surface.get_rect()
        self.unit = min(self.area.width / BASE[0], self.area.height / BASE[1])
        self.private = False
        self.texts: list[Placed] = []
        self.spots: list[Spot] = []

    def px(self, units: float) -> int:
        """Converts units to pixels; a positive length gives at least one pixel."""
        return max(1, round(units * self.unit)) if units > 0 else round(units * self.unit)

    # backgrounds

    def background(self) -> None:
        """The felt, lit from above."""
        felt = paint.SPRITES.get(("felt", self.area.size, self.surface.get_bitsize()), lambda: _felt(self.surface))
        self.surface.blit(felt, self.area)

    def veil(self, brightness: float = 0.4) -> None:
        """Darkens everything drawn so far: 0 is black, 1 leaves it unchanged."""
        level = max(0, min(255, round(255 * brightness)))
        if level < 255:
            self.surface.fill((level, level, level), special_flags=pygame.BLEND_RGB_MULT)

    def panel(
        self,
        rect: Rect,
        colour: Colour,
        radius: float = 12,
        border: Colour | None = None,
        alpha: int = 255,
        *,
        width: float = 2,
        shadow: bool = False,
    ) -> None:
        """A rounded rectangle with an optional edge, `width` units wide in the colour `border`, and an optional
        shadow."""
        if rect.width < 1 or rect.height < 1:
            return
        corner = min(self.px(radius), rect.width // 2, rect.height // 2)
        if shadow:
            self._shadow(rect, corner)
        edge = self.px(width) if border else 0
        if alpha == 255:
            _panel(self.surface, rect, colour, corner, border, edge)
            return
        key = ("panel", rect.size, colour, corner, border, edge, alpha)

        def whole() -> Surface:
            picture = paint.clear(rect.size, border or colour)
            _panel(picture, picture.get_rect(), colour, corner, border, edge)
            # Cached with its transparency: SDL takes twice as long to blend a surface with both per-pixel and global
            # alpha.
            picture.fill((255, 255, 255, alpha), special_flags=pygame.BLEND_RGBA_MULT)
            return picture

        self.blit(paint.SPRITES.get(key, whole), topleft=rect.topleft)

    def sunk(self, rect: Rect, x: float, y: float) -> Rect:
        """A dark panel. Returns the area inside the margins, which are in units."""
        self.panel(rect, NIGHT, 14, alpha=150)
        return inset(rect, self.px(x), self.px(y))

    def _shadow(self, rect: Rect, corner: int) -> None:
        soft = self.px(10)
        around = rect.inflate(4 * soft, 4 * soft)

        def make() -> Surface:
            k = 8 if min(rect.size) > 80 else 2  # shadows have no detail, so they are drawn small and enlarged
            small = paint.clear((around.width // k, around.height // k), _SHADOW)
            inner = Rect(2 * soft // k, 2 * soft // k, rect.width // k, rect.height // k)
            pygame.draw.rect(small, (*_SHADOW, 120), inner, border_radius=corner // k)
            return paint.blurred(pygame.transform.smoothscale(small, around.size), soft)

        shadow = paint.SPRITES.get(("shadow", rect.size, corner, soft), make)
        self.surface.blit(shadow, around.move(0, self.px(6)))

    # text

    def text(
        self,
        text: str,
        rect: Rect,
        size: float,
        colour: Colour = INK,
        face: Face = "body",
        align: Align = "center",
        valign: Valign = "middle",
        lines: int = 1,
        shrink: float = 0.6,
    ) -> Rect:
        """Draws text within the rectangle: wrapped to at most `lines` lines, shrunk if necessary, cut with "…" as a
        last resort. Returns the area of the text."""
        pixels = self.text_px(size)
        fitted = writing.fit(text, face, pixels, (max(0, rect.width), max(0, rect.height)), lines, shrink)
        pictures = [writing.drawn(line, fitted.size, colour) for line in fitted.lines]
        high = writing.line_height(fitted.size)
        free = rect.height - high * len(pictures)
        top = rect.y + {"top": 0, "middle": free // 2, "bottom": free}[valign]
        placed = Rect({"left": rect.x, "center": rect.centerx, "right": rect.right}[align], top, 0, 0)
        for i, picture in enumerate(pictures):
            free = rect.width - picture.get_width()
            left = rect.x + {"left": 0, "center": free // 2, "right": free}[align]
            self.surface.blit(picture, (left, top + i * high))
            line = Rect(left, top + i * high, picture.get_width(), high)
            placed = line if i == 0 else placed.union(line)
        self.texts.append(Placed(text, rect.copy(), placed, fitted.cut, self.private))
        return placed

    def text_px(self, size: float) -> int:
        """The size of a text in pixels, scaled up if large text is on."""
        return max(writing.SMALLEST, round(size * self.unit * self.larger))

    @property
    def larger(self) -> float:
        """The factor by which large text increases text sizes; 1 if it is off."""
        return LARGER if self.style.large_text else 1.0

    def text_width(self, text: str, size: float, face: Face = "body") -> int:
        """The width of a text on one line at full size, in pixels."""
        return writing.width(text, face, self.text_px(size))

    def line_height(self, size: float) -> int:
        """The height of one line of text of this size, in pixels."""
        return writing.line_height(self.text_px(size))

    # pictures and shapes

    def blit(
        self,
        sprite: Surface,
        *,
        center: tuple[float, float] | None = None,
        topleft: tuple[float, float] | None = None,
        alpha: int = 255,
    ) -> Rect:
        """Draws a sprite, translucent if alpha is less than 255. Returns its rectangle."""
        place = sprite.get_rect()
        if center is not None:
            place.center = round(center[0]), round(center[1])
        elif topleft is not None:
            place.topleft = round(topleft[0]), round(topleft[1])
        if alpha >= 255:
            self.surface.blit(sprite, place)
        elif alpha > 0:
            sprite.set_alpha(alpha)  # the sprite is shared, so reset it afterwards
            self.surface.blit(sprite, place)
            sprite.set_alpha(255)
        return place

    def line(self, a: tuple[float, float], b: tuple[float, float], colour: Colour, width: float = 2) -> None:
        """A line; the width is in units."""
        if a == b:
            return
        sides = paint.thick_line(a, b, max(1.0, width * self.unit) / 2)
        pygame.draw.polygon(self.surface, colour, sides)
        if a[0] != b[0] and a[1] != b[1]:
            pygame.draw.aalines(self.surface, colour, True, sides)

    def circle(self, center: tuple[float, float], radius: float, colour: Colour, alpha: int = 255) -> None:
        """A disc; the radius is in pixels."""
        self.blit(_disc(max(1, round(radius)), 0, colour), center=center, alpha=alpha)

    def dots(self, centers: Iterable[tuple[float, float]], radius: float, colour: Colour) -> None:
        """Draws a disc at each point in one call, because a curve takes a thousand of them."""
        disc = _disc(max(1, round(radius)), 0, colour)
        x, y = (side // 2 for side in disc.get_size())
        self.surface.blits([(disc, (round(center[0]) - x, round(center[1]) - y)) for center in centers], False)

    def ring(
        self, center: tuple[float, float], radius: float, colour: Colour, width: float = 3, alpha: int = 255
    ) -> None:
        """The outline of a circle. `width` is in units and lies inside the radius, which is in pixels."""
        self.blit(_disc(max(1, round(radius)), self.px(width), colour), center=center, alpha=alpha)

    # touch

    def spot(self, name: str, rect: Rect) -> None:
        """Registers a touchable area."""
        self.spots.append((name, rect.copy()))


def _felt(screen: Surface) -> Surface:
    """The felt: a soft light from above, and a cloth grain that also hides bands between dark shades."""
    width, height = screen.get_size()
    small = Surface((48, 30))
    for x in range(48):
        for y in range(30):
            away = min(1.0, (((x - 23.5) / 30) ** 2 + ((y - 11) / 22) ** 2) ** 0.5)
            near, far, part = (FELT_LIGHT, FELT, away * 2) if away < 0.5 else (FELT, FELT_DARK, away * 2 - 1)
            small.set_at((x, y), [round(a + (b - a) * part) for a, b in zip(near, far, strict=True)])
    felt = Surface((width, height), 0, screen)
    felt.blit(pygame.transform.smoothscale(small.convert(32), (width, height)), (0, 0))
    cloth = grain(256, 256)
    for x in range(0, width, 256):
        for y in range(0, height, 256):
            felt.blit(cloth, (x, y), special_flags=pygame.BLEND_RGB_ADD)
    return felt


def grain(width: int, height: int) -> Surface:
    """Very dark noise to add to a picture; the same on every call."""
    noise = pygame.image.frombuffer(Random(7).randbytes(width * height), (width, height), "P")
    noise.set_palette([(level % 7, level % 7, level % 7) for level in range(256)])
    return noise.convert(32)


def _panel(target: Surface, rect: Rect, colour: Colour, corner: int, border: Colour | None, edge: int) -> None:
    """Draws smooth corners, and plain fills between them. At any size, this is as fast as drawing a plain rectangle."""
    if corner:
        corners = _corners(colour, corner, border, edge)
        for x, left in ((rect.x, 0), (rect.right - corner, corner)):
            for y, top in ((rect.y, 0), (rect.bottom - corner, corner)):
                target.blit(corners, (x, y), (left, top, corner, corner))
    if border and edge:
        for y in (rect.y, rect.bottom - edge):
            target.fill(border, (rect.x + corner, y, rect.width - 2 * corner, edge))
        for x in (rect.x, rect.right - edge):
            target.fill(border, (x, rect.y + corner, edge, rect.height - 2 * corner))
    # Fill each pixel only once, because filling is most of the cost of a panel.
    inner = max(corner, edge)
    target.fill(colour, (rect.x + edge, rect.y + inner, rect.width - 2 * edge, rect.height - 2 * inner))
    for y in (rect.y + edge, rect.bottom - inner):
        target.fill(colour, (rect.x + inner, y, rect.width - 2 * inner, inner - edge))


@paint.shelved
def _corners(colour: Colour, corner: int, border: Colour | None, edge: int) -> Surface:
    """A disc whose quarters are the four corners of a panel."""
    sheet = paint.Sheet(2 * corner)
    sheet.circle((50, 50), 50, border or colour)
    if border and corner > edge:
        sheet.circle((50, 50), 50 * (corner - edge) / corner, colour)
    return sheet.surface


@paint.shelved
def _disc(radius: int, width: int, colour: Colour) -> Surface:
    sheet = paint.Sheet(2 * radius + 2)
    sheet.circle((50, 50), 50 * radius / (radius + 1), colour, width=width / sheet.scale)
    return sheet.surface
