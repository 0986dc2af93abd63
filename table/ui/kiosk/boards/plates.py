"""The players' plates, in rows on both sides of the table or in a circle around it.

Places run clockwise from the top left. Colour is never the only signal: the current player has a frame and a pointer,
and players who are out are marked with a word. Game-specific contents go in `Plate.rest`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pi, sin

from pygame import Rect, Surface

from table.engine.asks import View
from table.ui.kiosk import pieces
from table.ui.kiosk import text as writing
from table.ui.kiosk.boards import Stage
from table.ui.kiosk.boards.motion import between, eased, part
from table.ui.kiosk.boards.parts import NOTHING
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import around, columns, cut_bottom, cut_left, cut_right, cut_top, inset, rows, share
from table.ui.kiosk.pieces.arrows import Side, pointer
from table.ui.kiosk.style import BRASS, DARK, FELT, GOLD, INK, INK_FAINT, INK_SOFT, NIGHT, Align, Colour, mixed

TALL, CARD = 170, 80  # units: the minimum heights of a tall plate and of a card; any lower plate is a strip
TALL_IN_CIRCLE = 160  # units: an open plate of at least this height stacks its contents
# In units. A name that would have to be smaller than the first size is shortened and drawn at the second.
SMALLEST_NAME, SHORT_NAME = 11, 13
GAP = 10  # units between the plates of a circle
# For one to ten seats in a circle: the number of plates on each side, above the middle, and below it.
_SHAPES = ((1, 0, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0), (3, 0, 0), (3, 1, 0), (3, 1, 1), (3, 2, 1), (3, 2, 2))

Piece = Callable[[int], Surface]  # a picture of a given size


@dataclass(frozen=True)
class Place:
    rect: Rect
    side: Side  # the side of the middle area on which the plate is
    moving: bool = False  # whether the plate is still moving to its final position


@dataclass(frozen=True)
class Ring:
    """Places in the order of play, and the area in the middle."""

    places: tuple[Place, ...]
    middle: Rect


@dataclass(frozen=True)
class Plate:
    """The parts of a drawn plate."""

    rect: Rect
    face: Rect  # the player's picture
    rest: Rect  # free for game-specific contents
    figure: Rect  # the area of the player's standing; the same as `rest` if the game draws the standing
    tall: bool  # whether the contents are stacked

    @property
    def align(self) -> Align:
        return "center" if self.tall else "left"


# places


def in_rows(canvas: Canvas, area: Rect, view: View) -> Ring:
    """Places for one to ten seats, all of one size, on the left and right of the middle.

    With an odd number of seats, the spare place shows the game's emblem.
    """
    seats = len(view["players"])
    down = (seats + 1) // 2
    gap = canvas.px(8 if down < 4 else 5)
    width = round(area.width * (0.25 if down == 1 else 0.27))
    left, rest = cut_left(area, width, canvas.px(12))
    if seats == 1:
        return Ring((Place(left, "left"),), rest)
    right, middle = cut_right(rest, width, canvas.px(12))
    places = _clockwise(rows(left, down, gap), [], rows(right, down, gap), [])
    if seats % 2:
        spare = places.pop(down + 1).rect
        canvas.panel(spare, NIGHT, 10, alpha=60)
        size = min(spare.height * 3 // 4, canvas.px(90))
        canvas.blit(pieces.emblem(view["game"], size), center=spare.center, alpha=150)
    return Ring(tuple(places), middle)


def in_circle(canvas: Canvas, area: Rect, seats: int) -> Ring:
    """Places for two to ten seats all around the middle. They fill the corners and leave the middle free."""
    sides, above, below = _SHAPES[seats - 1]
    gap = canvas.px(GAP)
    width = (area.width - 3 * gap) // 4 if above == 2 else area.width * 29 // 100
    left, rest = cut_left(area, width, gap)
    right, middle = cut_right(rest, width, gap)
    weights = (1, 1.16, 1) if sides == 3 else (1,) * sides
    lefts, rights = share(left, weights, gap, vertical=True), share(right, weights, gap, vertical=True)
    high = lefts[0].height if sides == 3 else area.height * 32 // 100
    top, middle = cut_top(middle, high if above else 0, gap if above else 0)
    bottom, middle = cut_bottom(middle, high if below else 0, gap if below else 0)
    places = _clockwise(lefts, columns(top, above, gap), rights, columns(bottom, below, gap))
    return Ring(tuple(places[:seats]), middle)


def _clockwise(left: list[Rect], top: list[Rect], right: list[Rect], bottom: list[Rect]) -> list[Place]:
    sides: list[tuple[list[Rect], Side]] = [(left[:1], "left"), (top, "top"), (right, "right")]
    sides += [(bottom[::-1], "bottom"), (left[:0:-1], "left")]
    return [Place(rect, side) for rects, side in sides for rect in rects]


def seated(ring: Ring, order: Sequence[int], dealing: float | None) -> Iterator[tuple[int, Place]]:
    """The seats whose plates are visible, with their current places.

    While lots are drawn for the order of play, the plates move from the middle to their places, one after the other.
    Each plate starts before the previous one arrives.
    """
    step = 1 / (len(order) + 1)
    for number, (seat, place) in enumerate(zip(order, ring.places, strict=True)):
        t = 1.0 if dealing is None else eased(part(dealing, number * step, (number + 2) * step))
        if t == 1:
            yield seat, place
        elif t > 0:
            at = between(ring.middle.center, place.rect.center, t)
            yield seat, Place(around(at, *place.rect.size), place.side, True)


# plates


def plate(
    canvas: Canvas,
    place: Place,
    view: View,
    seat: int,
    stage: Stage,
    figure: str,
    *,
    unit: str = "",
    out: bool = False,
    badge: str = "",
    icon: Piece | None = None,
    reserved: float,
) -> Plate:
    """A player's plate: picture, name and standing.

    `unit` is the word that goes with the figure, shown if there is room. `badge` is a rank shown on the picture.
    `icon` draws the things that the figure counts. `reserved` is the height in units that tall plates keep for
    game-specific contents.
    """
    plays = view["turn"] == seat and not out
    _ground(canvas, place, plays, out, 18, 5)
    word = stage.say("board.out") if out else figure
    high = place.rect.height / canvas.unit
    tall = high >= TALL
    inner = inset(place.rect, canvas.px(9 if high >= CARD else 3))
    if tall:
        face, rest = cut_top(inner, min(canvas.px(76), inner.height * 32 // 100), canvas.px(2))
        rest, box = cut_bottom(rest, canvas.px(reserved), canvas.px(6))
        title, box = cut_top(box, box.height * 38 // 100)
        line, sizes = 22, (21, 16, 46)
    elif high >= CARD:
        top, rest = cut_top(inner, inner.height * 52 // 100, canvas.px(2))
        face, title = cut_left(top, top.height, canvas.px(8))
        box, rest = cut_right(rest, rest.width * 42 // 100, canvas.px(6))
        line, sizes = 20 if box.height >= canvas.px(52) else 0, (19, 15, 34)
    else:
        face, rest = cut_left(inner, min(inner.height, canvas.px(44)), canvas.px(6))
        rest.width -= canvas.px(5)
        wanted = canvas.text_width(word, 26, "display") + canvas.px(24 if icon else 4)
        box, rest = cut_right(rest, max(rest.width * 28 // 100, min(wanted, rest.width * 42 // 100)), canvas.px(4))
        title, rest = cut_top(rest, rest.height // 2)
        line, sizes = 0, (16, 0, 26)
    align: Align = "center" if tall else "right"
    name_size, unit_size, size = sizes
    _face(canvas, face, view["players"][seat], seat in stage.computers, out, badge)
    written(canvas, title, view["players"][seat], name_size, INK_FAINT if out else INK, "center" if tall else "left")
    if unit and line and not out:
        words, box = cut_bottom(box, canvas.px(line))
        canvas.text(unit, words, unit_size, INK_SOFT, align=align)
    if out:
        canvas.text(word, box, max(16, size * 0.55), INK_SOFT, "display", align)
    else:
        _figure(canvas, box, word, size, INK_FAINT if word == NOTHING else GOLD if plays else INK, align, icon)
    return Plate(place.rect, face, rest, box, tall)


def open_plate(
    canvas: Canvas, place: Place, view: View, seat: int, stage: Stage, edge: Colour | None, out: bool
) -> Plate:
    """A plate in a circle: picture and name, with the rest left to the game."""
    _ground(canvas, place, view["turn"] == seat, out, 20, 0, edge)
    high = place.rect.height / canvas.unit
    tall = high >= TALL_IN_CIRCLE
    inner = inset(place.rect, canvas.px(8), canvas.px(9 if tall else 4))
    head = canvas.px(62) if tall else inner.height * (56 if high < 100 else 46) // 100
    top, rest = cut_top(inner, head, canvas.px(3))
    face, title = cut_left(top, min(top.height, canvas.px(58)), canvas.px(7))
    _face(canvas, face, view["players"][seat], seat in stage.computers, out, alpha=150 if out else 255)
    written(canvas, title, view["players"][seat], 17 if high < 100 else 20, INK_FAINT if out else INK, lines=3)
    return Plate(place.rect, face, rest, rest, tall)


def _ground(
    canvas: Canvas, place: Place, plays: bool, out: bool, size: float, beyond: float, edge: Colour | None = None
) -> None:
    """The background of a plate. The current player's plate has a frame and a pointer towards the middle. The
    pointer is `size` units large and `beyond` units outside the edge."""
    rect = place.rect
    if place.moving:  # it passes over the other plates
        canvas.panel(rect, mixed(NIGHT, FELT, 0.3), 10, shadow=True)
    elif plays:
        canvas.panel(rect, mixed(NIGHT, FELT, 0.6), 10, border=BRASS, width=3)
        wide = rect.inflate(2 * canvas.px(beyond), 0)
        middles = {"left": wide.midright, "right": wide.midleft, "top": wide.midbottom, "bottom": wide.midtop}
        canvas.blit(pointer(canvas.px(size), place.side), center=middles[place.side])
    elif edge:
        canvas.panel(rect, mixed(NIGHT, FELT, 0.3), 10, border=edge)
    else:
        canvas.panel(rect, NIGHT, 10, alpha=90 if out else 150)


def _face(canvas: Canvas, rect: Rect, name: str, computer: bool, out: bool, badge: str = "", alpha: int = 255) -> None:
    size = min(rect.size)
    canvas.blit(pieces.avatar(name, size, computer, out), center=rect.center, alpha=alpha)
    if badge:
        side = max(canvas.px(19), size * 2 // 5)
        mark = Rect(rect.centerx - size // 2 - canvas.px(3), rect.centery - size // 2 - canvas.px(3), side, side)
        canvas.circle(mark.center, side / 2, DARK)
        canvas.circle(mark.center, side / 2 - canvas.px(1.5), BRASS)
        canvas.text(badge, mark, 15, DARK, "bold", shrink=0.7)


def _figure(
    canvas: Canvas, rect: Rect, word: str, size: float, colour: Colour, align: Align, icon: Piece | None
) -> None:
    if icon:
        side = min(rect.height, canvas.px(size * 0.7))
        wide = min(rect.width - side, canvas.text_width(word, size, "display")) + canvas.px(4)
        x = rect.right - wide - side if align == "right" else rect.centerx - (wide + side) // 2
        canvas.blit(icon(side), center=(x + side // 2, rect.centery))
        rect, align = Rect(x + side, rect.y, min(wide, rect.right - x - side), rect.height), "right"
    canvas.text(word, rect, size, colour, "display", align, shrink=0.45)


def written(
    canvas: Canvas, rect: Rect, name: str, size: float, ink: Colour, align: Align = "left", lines: int = 2
) -> None:
    """A player's name, made smaller to fit, and shortened if it would be too small to read."""
    pixels = canvas.text_px(size)
    legible = min(pixels, canvas.px(SMALLEST_NAME))
    whole = writing.fit(name, "bold", pixels, rect.size, lines, legible / pixels)
    if whole.cut or whole.size < legible:
        name, lines = shortened(name, rect.width, canvas.px(SHORT_NAME)), 1
    canvas.text(name, rect, size, ink, "bold", align, lines=lines, shrink=legible / pixels)


@lru_cache(maxsize=256)
def shortened(name: str, width: int, size: int) -> str:
    """As many letters of the name as fit in this width, with an ellipsis."""
    short = name
    for most in range(18, 3, -1):
        short = name[:most].rstrip(" ,.-\u200d") + writing.ELLIPSIS
        if writing.width(short, "bold", size) <= width:
            break
    return short


# marks


def corner(face: Rect, right: bool = False) -> tuple[int, int]:
    """The position of a mark on a player's picture: top left or top right."""
    side = min(face.size)
    return face.centerx + (side if right else -side) * 2 // 5, face.centery - side * 2 // 5


def mark(canvas: Canvas, face: Rect, piece: Piece, least: float, right: bool = False) -> None:
    """A mark on a player's picture, at least this many units large."""
    canvas.blit(piece(max(canvas.px(least), min(face.size) * 2 // 5)), center=corner(face, right))


def glow(canvas: Canvas, rect: Rect, stage: Stage, seat: int, *kinds: str) -> None:
    """A glow behind the player's plate during moments of these kinds. A moment without a seat lights all plates."""
    moment = stage.showing(*kinds)
    if moment is None or moment.facts.get("seat", seat) != seat:
        return
    strength = sin(moment.t * pi)
    outer = rect.inflate(canvas.px(10 * strength), canvas.px(10 * strength))
    canvas.panel(outer, GOLD, 14, alpha=round(230 * strength))
    canvas.panel(rect, mixed(NIGHT, FELT, 0.4), 10, alpha=round(255 * min(1.0, 3 * strength)))
