"""Parts that the boards share: the players' plates around the table, and the dice in the middle.

Colour is never the only signal: the current player has a frame and a pointer, players who are out have a word. A plate
has three layouts: tall, card and strip. Game-specific contents go in `Plate.extras`.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import pi, sin

from pygame import Rect, Surface

from table.engine.asks import View
from table.ui.kiosk import dice, layout, pieces
from table.ui.kiosk import text as writing
from table.ui.kiosk.boards import Stage
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_bottom, cut_left, cut_right, cut_top, inset, rows
from table.ui.kiosk.paint import Sheet, shelved
from table.ui.kiosk.show import Moment
from table.ui.kiosk.style import (
    BRASS,
    BRASS_DARK,
    DARK,
    FELT,
    FELT_LIGHT,
    GOLD,
    INK,
    INK_FAINT,
    INK_SOFT,
    NIGHT,
    Align,
    Colour,
    mixed,
)

TALL, CARD = 170, 80  # units; minimum heights of a tall plate and of a card; a lower plate is a strip
# In units. A name that would have to be smaller than the first size is shortened and drawn at the second.
SMALLEST_NAME, SHORT_NAME = 11, 13
NOTHING = "–"  # placeholder for a missing figure

Point = tuple[float, float]


@dataclass(frozen=True)
class Plate:
    """The parts of a drawn plate."""

    rect: Rect
    face: Rect  # the player's picture
    figure: Rect  # the player's standing
    extras: Rect  # free for game-specific contents
    align: Align  # alignment of the extras, towards the free side


def around(canvas: Canvas, area: Rect, view: View) -> tuple[list[Rect], Rect]:
    """Plates for one to ten seats, clockwise from the top left and all of one size, and the middle between them.

    With an odd number of seats, the spare place shows the game's emblem.
    """
    seats = len(view["players"])
    down = (seats + 1) // 2
    gap = canvas.px(8 if down < 4 else 5)
    width = round(area.width * (0.25 if down == 1 else 0.27))
    left, rest = cut_left(area, width, canvas.px(12))
    if seats == 1:
        return [left], rest
    right, middle = cut_right(rest, width, canvas.px(12))
    clockwise = rows(left, down, gap)[:1] + rows(right, down, gap) + rows(left, down, gap)[:0:-1]
    if seats % 2:
        spare = clockwise.pop(down + 1)
        canvas.panel(spare, NIGHT, 10, alpha=60)
        size = min(spare.height * 3 // 4, canvas.px(90))
        canvas.blit(pieces.emblem(view["game"], size), center=spare.center, alpha=150)
    return clockwise, middle


def plate(
    canvas: Canvas,
    rect: Rect,
    view: View,
    seat: int,
    stage: Stage,
    figure: str,
    *,
    unit: str = "",
    out: bool = False,
    badge: str = "",
    icon: Callable[[int], Surface] | None = None,
    extras: float = 26,
) -> Plate:
    """A player's plate: picture, name and standing.

    `unit` is the word for the figure, shown if there is room. `badge` is a rank shown on the picture. `icon` draws
    what is counted. `extras` is the height in units that tall plates reserve for game-specific contents.
    """
    plays = view["turn"] == seat and not out
    _ground(canvas, rect, plays, out)
    name = view["players"][seat]
    ink = INK_FAINT if out else INK
    computer = seat in stage.computers
    word = stage.say("board.out") if out else figure
    high = rect.height / canvas.unit
    pad = canvas.px(9 if high >= CARD else 3)
    inner = inset(rect, pad)
    if high >= TALL:
        face, rest = cut_top(inner, min(canvas.px(76), inner.height * 32 // 100), canvas.px(2))
        _face(canvas, face, name, computer, out, badge)
        below, rest = cut_bottom(rest, canvas.px(extras), canvas.px(6))
        title, rest = cut_top(rest, rest.height * 38 // 100)
        written(canvas, title, name, 21, ink, "center")
        if unit and not out:
            words, rest = cut_bottom(rest, canvas.px(22))
            canvas.text(unit, words, 16, INK_SOFT)
        _figure(canvas, rest, word, 46, plays, out, icon, "center")
        return Plate(rect, face, rest, below, "center")
    if high >= CARD:
        top, rest = cut_top(inner, inner.height * 52 // 100, canvas.px(2))
        face, title = cut_left(top, top.height, canvas.px(8))
        _face(canvas, face, name, computer, out, badge)
        written(canvas, title, name, 19, ink)
        box, below = cut_right(rest, rest.width * 42 // 100, canvas.px(6))
        if unit and not out and rest.height >= canvas.px(52):
            words, box = cut_bottom(box, canvas.px(20))
            canvas.text(unit, words, 15, INK_SOFT, align="right")
        _figure(canvas, box, word, 34, plays, out, icon, "right")
        return Plate(rect, face, box, below, "left")
    face, rest = cut_left(inner, min(inner.height, canvas.px(44)), canvas.px(6))
    _face(canvas, face, name, computer, out, badge)
    rest.width -= canvas.px(5)
    wanted = canvas.text_width(word, 26, "display") + canvas.px(24 if icon else 4)
    box, rest = cut_right(rest, max(rest.width * 28 // 100, min(wanted, rest.width * 42 // 100)), canvas.px(4))
    title, below = cut_top(rest, rest.height // 2)
    written(canvas, title, name, 16, ink)
    _figure(canvas, box, word, 26, plays, out, icon, "right")
    return Plate(rect, face, box, below, "left")


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


def _figure(
    canvas: Canvas,
    rect: Rect,
    word: str,
    size: float,
    plays: bool,
    out: bool,
    icon: Callable[[int], Surface] | None,
    align: Align,
) -> None:
    if out:
        canvas.text(word, rect, max(16, size * 0.55), INK_SOFT, "display", align)
        return
    if icon:
        side = min(rect.height, canvas.px(size * 0.7))
        wide = min(rect.width - side, canvas.text_width(word, size, "display")) + canvas.px(4)
        x = rect.right - wide - side if align == "right" else rect.centerx - (wide + side) // 2
        canvas.blit(icon(side), center=(x + side // 2, rect.centery))
        rect = Rect(x + side, rect.y, min(wide, rect.right - x - side), rect.height)
        align = "right"
    canvas.text(
        word, rect, size, INK_FAINT if word == NOTHING else GOLD if plays else INK, "display", align, shrink=0.45
    )


def _ground(canvas: Canvas, rect: Rect, plays: bool, out: bool) -> None:
    if not plays:
        canvas.panel(rect, NIGHT, 10, alpha=90 if out else 150)
        return
    canvas.panel(rect, mixed(NIGHT, FELT, 0.6), 10, border=BRASS, width=3)
    right = rect.centerx < canvas.area.centerx
    size = canvas.px(18)
    x = rect.right + canvas.px(5) if right else rect.left - canvas.px(5)
    canvas.blit(_pointer(size, right), center=(x, rect.centery))


@shelved
def _pointer(size: int, right: bool) -> Surface:
    """A brass arrowhead from a plate to the middle of the table."""
    sheet = Sheet(size)
    for edge, paint in ((0.0, DARK), (9.0, BRASS)):
        tip, back = 96 - 1.5 * edge, 22 + edge * 0.8
        shape = [(back, 8 + 1.4 * edge), (tip, 50.0), (back, 92 - 1.4 * edge)]
        sheet.polygon([(x if right else 100 - x, y) for x, y in shape], paint)
    return sheet.surface


def _face(canvas: Canvas, rect: Rect, name: str, computer: bool, out: bool, badge: str) -> None:
    size = min(rect.size)
    canvas.blit(pieces.avatar(name, size, computer, out), center=rect.center)
    if badge:
        side = max(canvas.px(19), size * 2 // 5)
        mark = Rect(rect.centerx - size // 2 - canvas.px(3), rect.centery - size // 2 - canvas.px(3), side, side)
        canvas.circle(mark.center, side / 2, DARK)
        canvas.circle(mark.center, side / 2 - canvas.px(1.5), BRASS)
        canvas.text(badge, mark, 15, DARK, "bold", shrink=0.7)


def glow(canvas: Canvas, rect: Rect, stage: Stage, seat: int, *kinds: str) -> None:
    """A glow behind the player's plate during moments of these kinds. A moment without a seat lights all plates."""
    moment = showing(stage, *kinds)
    if moment is None or moment.facts.get("seat", seat) != seat:
        return
    strength = sin(moment.t * pi)
    around = rect.inflate(canvas.px(10 * strength), canvas.px(10 * strength))
    canvas.panel(around, GOLD, 14, alpha=round(230 * strength))
    canvas.panel(rect, mixed(NIGHT, FELT, 0.4), 10, alpha=round(255 * min(1.0, 3 * strength)))


# the middle of the table


def well(canvas: Canvas, rect: Rect) -> Rect:
    """The middle of the table, sunk into the felt. Returns the free area."""
    canvas.panel(rect, NIGHT, 14, border=BRASS_DARK, alpha=110, width=1.5)
    return inset(rect, canvas.px(10), canvas.px(8))


def hand(
    canvas: Canvas,
    rect: Rect,
    faces: Sequence[int | None],
    stage: Stage,
    seat: int | None,
    *,
    places: int,
    most: float = 96,
    gone: Container[int] = (),
    dim: bool = False,
) -> list[Rect]:
    """A seat's large dice: tumbling during their roll, raised if the current entry would keep them.

    `places` is the maximum number of dice. Empty places, and places whose die is `gone`, are hollows in the felt.
    Returns the rectangle of each place.
    """
    in_two = min(rect.width / max(1, -(-places // 2)), rect.height / 2)
    down = 2 if places > 3 and in_two > 1.15 * rect.width / places else 1
    across = max(1, -(-places // down))
    room = min(rect.width / across, rect.height / down)
    size = min(canvas.px(most), round(room * 0.84))
    step = min(round(size * 1.22), rect.width // across)
    found = []
    for place in range(places):
        row, column = divmod(place, across)
        in_row = min(across, places - row * across)
        x = rect.centerx + round((column - (in_row - 1) / 2) * step)
        y = rect.centery + round((row - (down - 1) / 2) * min(step, rect.height // down))
        box = layout.around((x, y), size, size)
        found.append(box)
        if place >= len(faces) or place in gone:
            hollow(canvas, box)
    flying = showing_of(stage, seat, "rolled")
    for place, (box, value) in enumerate(zip(found, faces, strict=False)):
        if place in gone:
            continue
        if flying and value is not None and place in flying.facts["places"]:
            flight = partial(_tumble, box=box, value=value, turn=flying.turn, place=place)
            if stage.flights is None:
                flight(canvas, flying.t)
            else:
                stage.flights.append(flight)
            continue
        marked = place in (stage.marks or ()) and not flying
        canvas.blit(
            dice.die(value, size, lit=marked, dim=dim), center=box.move(0, -canvas.px(6) if marked else 0).center
        )
        if stage.marks is not None:
            canvas.spot(f"die:{place}", box.inflate(canvas.px(6), canvas.px(10)))
    return found


def _tumble(canvas: Canvas, t: float, *, box: Rect, value: int, turn: int, place: int) -> None:
    """A die in the air. The dice land one after another."""
    own = min(1.0, t / (0.75 + 0.05 * min(place, 5)))
    x, y = dice.flight(own, turn + place)
    at = box.centerx + x * box.width * 0.6, box.centery + y * box.height * 0.6
    canvas.blit(dice.tumbling(value, box.width, own, turn + place), center=at)


def hollow(canvas: Canvas, box: Rect) -> None:
    """An empty place for a die."""
    side = centred(box, box.width * 9 // 10, box.height * 9 // 10)
    canvas.panel(side, NIGHT, 0.2 * box.width / canvas.unit, border=FELT_LIGHT, alpha=120, width=1.5)


def small_dice(
    canvas: Canvas, rect: Rect, faces: Sequence[int | None], align: Align = "left", most: float = 30
) -> None:
    """Dice in a row, as large as the height allows."""
    if not faces:
        return
    size = min(rect.height, canvas.px(most), round(rect.width / len(faces) / 1.12))
    step = round(size * 1.12)
    x = {"left": rect.x, "center": rect.centerx - step * len(faces) // 2, "right": rect.right - step * len(faces)}[
        align
    ]
    for i, value in enumerate(faces):
        canvas.blit(dice.die(value, size), center=(x + step * i + step / 2, rect.centery))


def rolls(canvas: Canvas, rect: Rect, stage: Stage, made: int, limit: int) -> None:
    """The rolls of a turn: one mark for each allowed roll, filled when used, and the same in words."""
    size = canvas.px(15)
    step = canvas.px(21)
    marks, words = cut_left(rect, step * limit, canvas.px(4))
    for i in range(limit):
        box = Rect(marks.x + i * step, rect.centery - size // 2, size, size)
        if i < made:
            canvas.panel(box, BRASS, 4)
        else:
            canvas.panel(box, NIGHT, 4, border=INK_FAINT, width=1.5)
    canvas.text(stage.say("board.rolls", made=made, count=limit), words, 17, INK_SOFT, align="left")


def labelled(
    canvas: Canvas, rect: Rect, label: str, figure: str, colour: Colour, like: tuple[str, str] = ("", "")
) -> Rect:
    """A label and its figure side by side. Returns the rectangle of the figure.

    `like` is the label and figure of a neighbour: both get the same space and text size.
    """
    canvas.panel(rect, NIGHT, 10, alpha=130)
    inner = inset(rect, canvas.px(9), canvas.px(2))
    longest = max(canvas.text_width(word, 16) for word in (label, like[0]))
    words, rest = cut_left(inner, min(inner.width * 48 // 100, longest + canvas.px(2)), canvas.px(4))
    canvas.text(label, words, 16, INK_SOFT, align="left", lines=2, shrink=0.7)
    size = min(46.0, rect.height / canvas.unit * 0.64)
    pixels = canvas.text_px(size)
    size *= min(writing.fit(text, "display", pixels, rest.size, 1, 0.35).size for text in (figure, like[1])) / pixels
    canvas.text(figure, rest, size, INK_FAINT if figure == NOTHING else colour, "display", "right", shrink=0.9)
    return rest


def corner(face: Rect, right: bool = False) -> tuple[int, int]:
    """The position of a mark on a player's picture: top left or top right."""
    side = min(face.size)
    return face.centerx + (side if right else -side) * 2 // 5, face.centery - side * 2 // 5


def bar(canvas: Canvas, rect: Rect, part: float, more: float = 0.0) -> None:
    """A progress bar. `more` outlines the progress at stake."""
    canvas.panel(rect, NIGHT, 6, border=INK_FAINT, width=1)
    inner = inset(rect, canvas.px(2))
    done = round(inner.width * max(0.0, min(1.0, part)))
    both = round(inner.width * max(0.0, min(1.0, part + more)))
    if both > done:
        canvas.panel(Rect(inner.x, inner.y, both, inner.height), NIGHT, 4, border=GOLD, width=1.5)
    if done:
        canvas.panel(Rect(inner.x, inner.y, done, inner.height), BRASS, 4)


# movement


def eased(t: float) -> float:
    """The progress, eased in and out."""
    return t * t * (3 - 2 * t)


def between(a: Point, b: Point, t: float, height: float = 0.0) -> Point:
    """A point on the way from a to b, along an arc that is `height` pixels high."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t - sin(t * pi) * height


def showing(stage: Stage, *kinds: str) -> Moment | None:
    """The current moment if it is one of these kinds and still moving."""
    moment = stage.moment
    return moment if moment and moment.kind in kinds and moment.t < 1 else None


def showing_of(stage: Stage, seat: int | None, *kinds: str) -> Moment | None:
    """Like `showing`, but only if the moment belongs to this seat."""
    moment = showing(stage, *kinds)
    return moment if moment and moment.facts["seat"] == seat else None
