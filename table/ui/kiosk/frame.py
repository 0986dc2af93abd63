"""The frame around every screen: the header on top, and the rail with the two buttons and their current actions.

The two caps are in the same place on every screen and always show what the buttons do. Callers supply all text.
"""

from collections.abc import Sized
from dataclasses import dataclass

import pygame
from pygame import Rect, Surface

from table.ui.kiosk.canvas import Canvas, grain
from table.ui.kiosk.layout import cut_left, cut_right, inset
from table.ui.kiosk.paint import SPRITES, Sheet, painted, shelved
from table.ui.kiosk.style import (
    BRASS,
    BRASS_DARK,
    BUTTON_COLOURS,
    FELT_DARK,
    GOLD,
    INK,
    INK_FAINT,
    INK_SOFT,
    NIGHT,
    WOOD,
    WOOD_DARK,
    WOOD_LIGHT,
    Colour,
    mixed,
    written_on,
)

HEAD = 46  # units
RAIL = 62
MARGIN = 14


@dataclass(frozen=True)
class Cap:
    """The label of a button: what the button does now. An unlit button does nothing, but its label says what it would
    do."""

    label: str
    lit: bool = True


@dataclass(frozen=True)
class Caps:
    roll: Cap | None = None
    end: Cap | None = None


def following(label: str, entries: Sized) -> Cap | None:
    """Roll's cap in a list; None if there is only one entry, because there is nothing to move to."""
    return Cap(label) if len(entries) > 1 else None


def room(canvas: Canvas) -> Rect:
    """The area between header and rail, inside a margin."""
    top, bottom = canvas.px(HEAD), canvas.area.height - canvas.px(RAIL)
    side, air = canvas.px(MARGIN), canvas.px(8)
    return Rect(side, top + air, canvas.area.width - 2 * side, bottom - top - 2 * air)


def head(canvas: Canvas, title: str, detail: str = "", mark: Surface | None = None, trouble: str = "") -> Rect:
    """Draws the felt and the header: icon, title, and a detail on the right. Returns the area below the header, like
    `room`.

    A trouble message replaces the detail.
    """
    canvas.background()
    band = Rect(0, 0, canvas.area.width, canvas.px(HEAD))
    canvas.surface.blit(_head(band.size), band)
    inner = inset(band, canvas.px(MARGIN), canvas.px(3))
    if mark is not None:
        place = canvas.blit(mark, center=(inner.x + mark.get_width() / 2, inner.centery))
        inner = cut_left(inner, place.width, canvas.px(10))[1]
    free = inner
    beside = max(inner.width // 3, inner.width - canvas.text_width(title, 27, "display") - canvas.px(20))
    if trouble:
        free = Rect(inner.x, inner.y, inner.width - beside - canvas.px(4), inner.height)
        place = Rect(free.right + canvas.px(4), canvas.px(2), beside, band.height - canvas.px(4))
        _ribbon(canvas, trouble, place)
    elif detail:
        width = min(beside, canvas.text_width(detail, 18) + canvas.px(4))
        right, free = cut_right(inner, width, canvas.px(16))
        canvas.text(detail, right, 18, INK_SOFT, align="right", lines=2, shrink=0.7)
    canvas.text(title, free, 27, INK, "display", align="left", shrink=0.6)
    return room(canvas)


def caps(canvas: Canvas, caps: Caps) -> None:
    """Draws the rail with the two buttons and the menu symbol between them."""
    rail = Rect(0, canvas.area.height - canvas.px(RAIL), canvas.area.width, canvas.px(RAIL))
    canvas.surface.blit(SPRITES.get(("rail", rail.size), lambda: _rail(canvas.surface, rail.size)), rail)
    menu = canvas.px(44)
    air = canvas.px(10)
    high = canvas.px(48)
    top = rail.y + canvas.px(3) + (rail.height - canvas.px(3) - high) // 2
    width = (rail.width - menu - 4 * air) // 2
    style = canvas.style
    left = Rect(air, top, width, high)
    right = Rect(rail.width - air - width, top, width, high)
    _cap(canvas, "cap:roll", left, caps.roll, style.roll_word, BUTTON_COLOURS[style.roll_colour])
    _cap(canvas, "cap:end", right, caps.end, style.end_word, BUTTON_COLOURS[style.end_colour])
    sign = canvas.blit(_menu(menu), center=(rail.centerx, left.centery))
    canvas.spot("menu", sign.inflate(air, air))


def _cap(canvas: Canvas, spot: str, rect: Rect, cap: Cap | None, word: str, colour: Colour) -> None:
    lit = cap is not None and cap.lit
    canvas.surface.blit(_pill(rect.size, colour, lit), rect)
    ink = written_on(colour) if lit else INK_FAINT if cap is None else INK_SOFT
    inner = Rect(rect.x + rect.height + canvas.px(4), rect.y, rect.width - rect.height - canvas.px(18), rect.height)
    if word:
        wide = min(canvas.text_width(word, 23, "display") + canvas.px(2), inner.width * 2 // 5)
        canvas.text(word, Rect(inner.x, inner.y, wide, inner.height), 23, ink, "display", align="left")
        gap = canvas.px(10)
        x = inner.x + wide + gap
        if cap is not None and cap.label:
            bar = canvas.px(9)
            canvas.line(
                (x, inner.y + bar), (x, inner.bottom - bar), mixed(ink, colour if lit else WOOD_DARK, 0.45), 1.5
            )
        inner = Rect(x + gap, inner.y, inner.right - x - gap, inner.height)
    if cap is not None and cap.label:
        box = inset(inner, 0, canvas.px(4))
        canvas.text(cap.label, box, 18, ink, "bold", align="left", lines=2, shrink=0.6)
    canvas.spot(spot, rect)


def ribbon(canvas: Canvas, text: str, room: Rect) -> Rect:
    """Draws a warning at the top of an area, and returns the rectangle of the warning."""
    most = room.width - 2 * canvas.px(MARGIN)
    width = min(most, canvas.text_width(text, 16, "bold") + canvas.px(56))
    return _ribbon(canvas, text, Rect(room.centerx - width // 2, room.y, width, canvas.px(34)))


def _ribbon(canvas: Canvas, text: str, rect: Rect) -> Rect:
    canvas.panel(rect, NIGHT, 14, border=GOLD, shadow=True)
    side = min(rect.height, canvas.px(34))
    canvas.blit(_note(side), center=(rect.x + side / 2, rect.centery))
    inner = Rect(rect.x + side, rect.y, rect.width - side - canvas.px(12), rect.height)
    canvas.text(text, inset(inner, 0, canvas.px(2)), 16, INK, "bold", align="left", lines=3, shrink=0.5)
    return rect


@shelved
def _head(size: tuple[int, int]) -> Surface:
    """A dark gradient over the felt, with a thin brass line."""
    width, height = size
    band = Surface(size, pygame.SRCALPHA)
    for y in range(height):
        band.fill((*NIGHT, round(205 - 90 * y / height)), Rect(0, y, width, 1))
    line = max(1, height // 30)
    band.blit(_fading(width, line), (0, height - line))
    return band


def _fading(width: int, height: int) -> Surface:
    """A brass line that fades at both ends."""
    line = Surface((width, 1), pygame.SRCALPHA)
    for x in range(width):
        part = min(1.0, 3 * min(x, width - x) / width)
        line.set_at((x, 0), (*BRASS, round(200 * part)))
    return pygame.transform.scale(line, (width, max(1, height)))


def _rail(screen: Surface, size: tuple[int, int]) -> Surface:
    """A walnut bar: light from above, grain along it, a brass edge."""
    width, height = size
    rail = Surface(size, 0, screen)
    edge = max(1, height // 24)
    rail.blit(painted((width, height // 2), (WOOD_LIGHT, WOOD)), (0, 0))
    rail.blit(painted((width, height - height // 2), (WOOD, WOOD_DARK)), (0, height // 2))
    fibres = pygame.transform.smoothscale(grain(14, height), size)  # stretched noise
    for _ in range(3):
        rail.blit(fibres, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    rail.blit(painted((width, edge), (BRASS, BRASS_DARK)), (0, 0))
    rail.blit(painted((width, edge), WOOD_DARK, 120), (0, edge))
    return rail


@shelved
def _pill(size: tuple[int, int], colour: Colour, lit: bool) -> Surface:
    """A cap: a picture of the physical button on the left, with space for words next to it."""
    width, height = size
    sheet = Sheet(width, height)
    k = 100 / width  # sheet units per pixel
    h = height * k
    socket = (0.0, 0.0, 100.0, h)
    if lit:
        sheet.box(socket, h / 2, mixed(colour, FELT_DARK, 0.75))
        body = (k, 0, 100 - 2 * k, h - height * 0.06 * k)
        sheet.box(body, h / 2, (mixed(colour, (255, 255, 255), 0.22), mixed(colour, (0, 0, 0), 0.06)))
        face = (k * 2, height * 0.04 * k, 100 - 4 * k, h - height * 0.1 * k - height * 0.04 * k)
        sheet.box(face, h / 2, (mixed(colour, (255, 255, 255), 0.06), mixed(colour, (0, 0, 0), 0.04)))
    else:
        sheet.box(socket, h / 2, (mixed(WOOD_DARK, (0, 0, 0), 0.55), mixed(WOOD_DARK, (0, 0, 0), 0.3)), alpha=235)
        sheet.box(socket, h / 2, mixed(INK_FAINT, WOOD_DARK, 0.45), width=height * 0.04 * k)
    middle = (h * 0.5, h * 0.485)
    _button(sheet, middle, h * 0.36, colour, lit)
    return sheet.surface


def _button(sheet: Sheet, at: tuple[float, float], r: float, colour: Colour, lit: bool) -> None:
    """A round arcade button seen from above: a ring, and a dome with a lamp inside."""
    x, y = at
    grey = mixed(colour, (70, 70, 70), 0.0 if lit else 0.75)
    ring = (BRASS, BRASS_DARK) if lit else ((120, 112, 100), (76, 70, 64))
    sheet.circle((x, y + r * 0.1), r * 1.02, (0, 0, 0), alpha=90, soft=r * 0.12)
    sheet.circle(at, r, ring)
    sheet.circle(at, r * 0.84, mixed(grey, (0, 0, 0), 0.55))
    light = mixed(grey, (255, 255, 255), 0.55 if lit else 0.1)
    sheet.circle((x, y - r * 0.03), r * 0.74, (light, mixed(grey, (0, 0, 0), 0.1)))
    sheet.ellipse((x, y - r * 0.36), r * 0.42, r * 0.2, (255, 255, 255), alpha=150 if lit else 40, soft=r * 0.06)


@shelved
def _menu(size: int) -> Surface:
    """The menu symbol: three bars in a brass ring. Touching the symbol opens the menu, as holding both buttons does."""
    sheet = Sheet(size)
    sheet.circle((50, 52), 47, (0, 0, 0), alpha=110, soft=3)
    sheet.circle((50, 50), 46, (BRASS, BRASS_DARK))
    sheet.circle((50, 50), 41, (mixed(NIGHT, INK, 0.08), NIGHT))
    for y in (36, 50, 64):
        sheet.stroke([(34, y), (66, y)], 6.5, BRASS)
    return sheet.surface


@shelved
def _note(size: int) -> Surface:
    """A warning sign: an exclamation mark in a triangle."""
    sheet = Sheet(size)
    corners = [(50, 27), (73, 68), (27, 68)]
    sheet.stroke(corners, 9, GOLD, closed=True)
    sheet.polygon(corners, GOLD)
    sheet.stroke([(50, 40), (50, 53)], 6, NIGHT)
    sheet.circle((50, 63), 3.6, NIGHT)
    return sheet.surface
