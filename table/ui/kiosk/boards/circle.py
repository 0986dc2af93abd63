"""Players in a circle: the places around the middle of a wide table, their plates, and the arrow of play.

The circle runs clockwise from the top left, and neighbours in play are neighbours on the screen. Plates fill the
corners, which leaves the middle free for the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import pi, sin
from typing import Literal

from pygame import Rect, Surface

from table.ui.kiosk import dice, pieces
from table.ui.kiosk.boards import Stage
from table.ui.kiosk.boards.plates import Point, between, eased, showing_of, written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import around, columns, cut_bottom, cut_left, cut_right, cut_top, inset, share
from table.ui.kiosk.paint import Sheet, shelved
from table.ui.kiosk.style import (
    BAD,
    BRASS,
    DARK,
    FELT,
    GOLD,
    GOOD,
    INK,
    INK_FAINT,
    INK_SOFT,
    IVORY,
    NIGHT,
    Colour,
    mixed,
)

Side = Literal["left", "top", "right", "bottom"]

GAP = 10  # units between plates
TALL = 160  # units; a plate at least this high stacks its contents
_SHAPES = {1: (1, 0, 0), 2: (1, 0, 0), 3: (1, 1, 0), 4: (2, 0, 0), 5: (2, 1, 0), 6: (3, 0, 0), 7: (3, 1, 0)} | {
    8: (3, 1, 1),
    9: (3, 2, 1),
    10: (3, 2, 2),
}  # number of plates on each side, above and below the middle
_TURNS: dict[Side, int] = {"right": 0, "bottom": 1, "left": 2, "top": 3}
_INWARDS: dict[Side, Side] = {"left": "right", "top": "bottom", "right": "left", "bottom": "top"}


@dataclass(frozen=True)
class Place:
    rect: Rect
    side: Side  # side of the middle


@dataclass(frozen=True)
class Ring:
    """Places in the order of play, and the middle between them."""

    places: tuple[Place, ...]
    middle: Rect


@dataclass(frozen=True)
class Plate:
    """The parts of a drawn plate."""

    rect: Rect
    face: Rect  # the player's picture
    rest: Rect  # free for game-specific content
    tall: bool


def ring(canvas: Canvas, area: Rect, seats: int) -> Ring:
    """Two to ten places around the middle."""
    sides, above, below = _SHAPES[seats]
    gap = canvas.px(GAP)
    width = (area.width - 3 * gap) // 4 if above == 2 else area.width * 29 // 100
    left, rest = cut_left(area, width, gap)
    right, middle = cut_right(rest, width, gap)
    weights = (1, 1.16, 1)[:sides] if sides == 3 else (1,) * sides
    lefts, rights = share(left, weights, gap, vertical=True), share(right, weights, gap, vertical=True)
    high = lefts[0].height if sides == 3 else area.height * 32 // 100
    tops: list[Rect] = []
    bottoms: list[Rect] = []
    if above:
        strip, middle = cut_top(middle, high, gap)
        tops = columns(strip, above, gap)
    if below:
        strip, middle = cut_bottom(middle, high, gap)
        bottoms = columns(strip, below, gap)
    places = [
        Place(lefts[0], "left"),
        *(Place(rect, "top") for rect in tops),
        *(Place(rect, "right") for rect in rights),
        *(Place(rect, "bottom") for rect in reversed(bottoms)),
        *(Place(rect, "left") for rect in reversed(lefts[1:])),
    ]
    return Ring(tuple(places[:seats]), middle)


# plates


def plate(
    canvas: Canvas,
    place: Place,
    name: str,
    computer: bool,
    *,
    plays: bool = False,
    edge: Colour | None = None,
    out: bool = False,
    at: Point | None = None,
) -> Plate:
    """Background, picture and name. `plays` adds a frame and a pointer; `at` is the centre of a moving plate."""
    rect = Rect(place.rect)
    if at is not None:
        rect.center = round(at[0]), round(at[1])
    border = BRASS if plays else edge
    if at is not None:  # a moving plate passes over the others
        canvas.panel(rect, mixed(NIGHT, FELT, 0.3), 10, shadow=True)
    elif border:
        canvas.panel(rect, mixed(NIGHT, FELT, 0.6 if plays else 0.3), 10, border=border, width=3 if plays else 2)
    else:
        canvas.panel(rect, NIGHT, 10, alpha=80 if out else 150)
    if plays and at is None:
        _point_inwards(canvas, place)
    high = rect.height / canvas.unit
    tall = high >= TALL
    inner = inset(rect, canvas.px(8), canvas.px(9 if tall else 4))
    head = canvas.px(62) if tall else inner.height * (56 if high < 100 else 46) // 100
    top, rest = cut_top(inner, head, canvas.px(3))
    face, title = cut_left(top, min(top.height, canvas.px(58)), canvas.px(7))
    canvas.blit(pieces.avatar(name, min(face.size), computer, out), center=face.center, alpha=150 if out else 255)
    size = 17 if high < 100 else 20
    written(canvas, title, name, size, INK_FAINT if out else INK, lines=3)
    return Plate(rect, face, rest, tall)


def _point_inwards(canvas: Canvas, place: Place) -> None:
    rect, size = place.rect, canvas.px(20)
    middles = {"left": rect.midright, "right": rect.midleft, "top": rect.midbottom, "bottom": rect.midtop}
    x, y = middles[place.side]
    canvas.blit(_pointer(size, _INWARDS[place.side]), center=(x, y))


def sidelined(canvas: Canvas, rect: Rect, title: str, entries: Sequence[tuple[str, bool, str]]) -> None:
    """Players who are not in the circle, small and grey in a column. An entry is a name, whether it is a computer, and
    a score."""
    head, rest = cut_top(rect, canvas.px(20), canvas.px(2))
    canvas.text(title, head, 15, INK_SOFT, "bold")
    gap = canvas.px(3)
    high = min(canvas.px(40), (rest.height - gap * (len(entries) - 1)) // len(entries))
    for i, (name, computer, score) in enumerate(entries):
        row = Rect(rest.x, rest.y + i * (high + gap), rest.width, high)
        canvas.panel(row, NIGHT, 7, alpha=80)
        face, inner = cut_left(inset(row, canvas.px(4), canvas.px(1)), high - canvas.px(4), canvas.px(5))
        canvas.blit(pieces.avatar(name, min(face.size), computer, True), center=face.center, alpha=150)
        box, title_box = cut_right(inner, canvas.px(34), canvas.px(3))
        canvas.text(score, box, 16, INK_SOFT, "display", "right")
        written(canvas, title_box, name, 15, INK_SOFT)


# the arrow of play


def way(canvas: Canvas, round_: Ring, at: int, loud: bool, words: int = 0) -> None:
    """The arrow from one place to the next: a hint between two plates or, if `loud`, a large arrow.

    `words` is the width of the text at the bottom of the middle. The arrow leaves a gap for it.
    """
    a, b = round_.places[at].rect, round_.places[(at + 1) % len(round_.places)].rect
    size = canvas.px(26 if loud else 12)
    drawn = _arrow if loud else _hint
    reach = 2 * canvas.px(GAP)
    across = Rect(max(a.left, b.left), max(a.top, b.top), 0, 0)
    across.size = min(a.right, b.right) - across.x, min(a.bottom, b.bottom) - across.y
    if across.width > 0 and abs(across.height) < reach:  # one above the other
        canvas.blit(drawn(size, "bottom" if b.y > a.y else "top"), center=across.center)
    elif across.height > 0 and abs(across.width) < reach:
        canvas.blit(drawn(size, "right" if b.x > a.x else "left"), center=across.center)
    elif loud:
        _long_way(canvas, round_.middle, b.x > a.x, words)


def _long_way(canvas: Canvas, middle: Rect, rightwards: bool, words: int) -> None:
    """An arrow from one end of the middle to the other. Like the circle, it runs to the right at the top and to the
    left at the bottom."""
    size = canvas.px(26)
    line = strip(canvas, middle, "top" if rightwards else "bottom")
    y, start, end = line.centery, line.x, line.right
    half = words // 2 + canvas.px(8) if words and not rightwards else 0
    canvas.line((start, y), (line.centerx - half, y), GOLD, 3)
    canvas.line((line.centerx + half, y), (end, y), GOLD, 3)
    canvas.circle((start if rightwards else end, y), canvas.px(4), GOLD)
    head = end - size // 3 if rightwards else start + size // 3
    canvas.blit(_arrow(size, "right" if rightwards else "left"), center=(head, y))


def strip(canvas: Canvas, middle: Rect, side: Side) -> Rect:
    """The edge of the middle where an arrow can pass."""
    inner = inset(middle, canvas.px(12), canvas.px(4))
    high = canvas.px(24)
    return cut_top(inner, high)[0] if side == "top" else cut_bottom(inner, high)[0]


def _turned(points: Iterable[Point], side: Side) -> list[Point]:
    """Rotates points around the centre of a sheet, so that the sheet's right side becomes `side`."""
    turned = list(points)
    for _ in range(_TURNS[side]):
        turned = [(100 - y, x) for x, y in turned]
    return turned


@shelved
def _arrow(size: int, side: Side) -> Surface:
    sheet = Sheet(size)
    sheet.circle((50, 50), 49, DARK)
    sheet.circle((50, 50), 43, GOLD)
    sheet.stroke(_turned([(26, 50), (70, 50)], side), 12, DARK)
    sheet.stroke(_turned([(52, 28), (74, 50), (52, 72)], side), 12, DARK)
    return sheet.surface


@shelved
def _hint(size: int, side: Side) -> Surface:
    sheet = Sheet(size)
    sheet.stroke(_turned([(38, 20), (68, 50), (38, 80)], side), 16, INK_FAINT, alpha=170)
    return sheet.surface


@shelved
def _pointer(size: int, side: Side) -> Surface:
    """A brass arrowhead from a plate to the middle of the table."""
    sheet = Sheet(size)
    sheet.polygon(_turned([(26, 6), (96, 50), (26, 94)], side), DARK)
    sheet.polygon(_turned([(34, 20), (82, 50), (34, 80)], side), BRASS)
    return sheet.surface


# text and marks


def tag(
    canvas: Canvas, text: str, center: Point, size: float, colour: Colour, ink: Colour, most: tuple[int, int]
) -> None:
    """A word on a coloured label, no larger than `most` pixels."""
    width = min(most[0], canvas.text_width(text, size, "bold") + canvas.px(14))
    rect = around(center, width, min(most[1], canvas.line_height(size) + canvas.px(2)))
    canvas.panel(rect, colour, 6)
    canvas.text(text, inset(rect, canvas.px(4), 0), size, ink, "bold", shrink=0.6)


def bubble(canvas: Canvas, rect: Rect, text: str, said: bool) -> None:
    """A player's statement on ivory; earlier statements are less prominent."""
    if said:
        canvas.panel(rect, IVORY, 6)
    else:
        canvas.panel(rect, NIGHT, 6, border=INK_FAINT, width=1.5)
    canvas.text(text, rect, 20, DARK if said else INK_SOFT, "display")


def verdict(canvas: Canvas, center: Point, size: int, right: bool) -> None:
    """A tick or a cross on a disc."""
    canvas.circle(center, size / 2, DARK)
    canvas.circle(center, size / 2 - canvas.px(2), GOOD if right else BAD)
    canvas.blit(pieces.sign("tick" if right else "cross", size * 7 // 10, DARK if right else INK), center=center)


# movement


def part(t: float, start: float, end: float) -> float:
    """The progress within one part of an animation."""
    return max(0.0, min(1.0, (t - start) / (end - start)))


def seated(ring: Ring, circle: Sequence[int], dealing: float | None) -> Iterator[tuple[int, Place, Point | None]]:
    """The seats that have set out: each with its place and, if it is still moving, its position."""
    for number, (seat, place) in enumerate(zip(circle, ring.places, strict=True)):
        t = 1.0 if dealing is None else _dealt(dealing, number, len(circle))
        if t > 0:
            yield seat, place, on_the_way(ring.middle.center, place.rect.center, t) if t < 1 else None


def _dealt(t: float, number: int, of: int) -> float:
    """The progress of one place. Places arrive one after the other; each sets out before the previous one arrives."""
    step = 1 / (of + 1)
    return eased(part(t, number * step, (number + 2) * step))


def on_the_way(a: Point, b: Point, t: float, height: float = 0.0) -> Point:
    return between(a, b, eased(t), height)


def draw_cup(canvas: Canvas, center: Point, size: int, seat: int, stage: Stage, lifted: bool = False) -> None:
    """A seat's cup, being shaken or, if it is a real cup, being put down."""
    x, y = center
    if moment := showing_of(stage, seat, "shaken"):
        dx, dy = shaking(canvas, moment.t, moment.turn)
        x, y = x + dx, y + dy
    elif moment := showing_of(stage, seat, "cup"):
        y -= canvas.px(30) * (1 - part(moment.t, 0, 0.9)) ** 2
    canvas.blit(pieces.cup(size, lifted=lifted), center=(x, y))


def draw_die(
    canvas: Canvas, center: Point, value: int | None, size: int, seat: int, place: int, stage: Stage, lit: bool | None
) -> None:
    """A seat's die, in the air during its roll. `lit`: whether it counts; None before the dice are counted."""
    moment = showing_of(stage, seat, "rolled")
    if moment and value is not None and place in moment.facts["places"]:
        x, y = dice.flight(moment.t, moment.turn + place)
        picture = dice.tumbling(value, size, moment.t, moment.turn + place)
        canvas.blit(picture, center=(center[0] + x * size * 0.4, center[1] + y * size * 0.5))
    else:
        canvas.blit(dice.die(value, size, lit=lit is True, dim=lit is False), center=center)


def shaking(canvas: Canvas, t: float, turn: int) -> Point:
    """The offset of a shaken cup from its final position."""
    left = 1 - part(t, 0.0, 0.8)
    wide = canvas.px(7) * left
    lift = canvas.px(9) * (1 - part(t, 0.7, 0.95)) * part(t, 0.0, 0.15)
    return wide * sin(t * 8 * pi + turn), -lift - abs(sin(t * 11 * pi)) * wide / 2


def pulse(canvas: Canvas, rect: Rect, t: float) -> None:
    """A ring that spreads from a player's picture and fades."""
    if t < 1:
        radius = min(rect.size) / 2 + canvas.px(2) + canvas.px(14) * t
        canvas.ring(rect.center, radius, GOLD, 3, alpha=round(255 * (1 - t)))
