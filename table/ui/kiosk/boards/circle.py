"""What boards with a circle of players share: the arrow of play, cups and their dice, and what players say."""

from collections.abc import Sequence

from pygame import Rect

from table.engine.asks import View
from table.ui.kiosk import dice, pieces
from table.ui.kiosk.boards import Stage, parts
from table.ui.kiosk.boards.motion import part, shaking
from table.ui.kiosk.boards.plates import GAP, Ring, written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.paint import Point
from table.ui.kiosk.pieces.arrows import hint, onward
from table.ui.kiosk.style import BAD, DARK, GOLD, GOOD, INK, INK_FAINT, INK_SOFT, IVORY, NIGHT


def sidelined(canvas: Canvas, rect: Rect, title: str, view: View, seats: Sequence[int], stage: Stage) -> None:
    """Players who are not in the circle, small and grey in a column with their scores."""
    head, rest = cut_top(rect, canvas.px(20), canvas.px(2))
    canvas.text(title, head, 15, INK_SOFT, "bold")
    gap = canvas.px(3)
    high = min(canvas.px(40), (rest.height - gap * (len(seats) - 1)) // len(seats))
    for i, seat in enumerate(seats):
        name, row = view["players"][seat], Rect(rest.x, rest.y + i * (high + gap), rest.width, high)
        canvas.panel(row, NIGHT, 7, alpha=80)
        face, inner = cut_left(inset(row, canvas.px(4), canvas.px(1)), high - canvas.px(4), canvas.px(5))
        picture = pieces.avatar(name, min(face.size), seat in stage.computers, True)
        canvas.blit(picture, center=face.center, alpha=150)
        box, title_box = cut_right(inner, canvas.px(34), canvas.px(3))
        canvas.text(str(view["standing"][seat]), box, 16, INK_SOFT, "display", "right")
        written(canvas, title_box, name, 15, INK_SOFT)


# the arrow of play


def way(canvas: Canvas, ring: Ring, at: int, loud: bool = False, words: int = 0) -> None:
    """Draws an arrow from one place to the next: a small one between two plates or, if `loud`, a large one.

    `words` is the width of the text along the bottom of the middle area. The arrow leaves a gap for that text.
    """
    a, b = ring.places[at].rect, ring.places[(at + 1) % len(ring.places)].rect
    arrow, size = (onward, canvas.px(26)) if loud else (hint, canvas.px(12))
    reach = 2 * canvas.px(GAP)
    across = Rect(max(a.left, b.left), max(a.top, b.top), 0, 0)
    across.size = min(a.right, b.right) - across.x, min(a.bottom, b.bottom) - across.y
    if across.width > 0 and abs(across.height) < reach:  # the two plates are one above the other
        canvas.blit(arrow(size, "bottom" if b.y > a.y else "top"), center=across.center)
    elif across.height > 0 and abs(across.width) < reach:
        canvas.blit(arrow(size, "right" if b.x > a.x else "left"), center=across.center)
    elif loud:
        _long_way(canvas, ring.middle, b.x > a.x, words)


def _long_way(canvas: Canvas, middle: Rect, rightwards: bool, words: int) -> None:
    """An arrow across the area in the middle of the circle, from one side to the other. Like the order of play, it
    runs to the right at the top and to the left at the bottom."""
    size = canvas.px(26)
    line = strip(canvas, middle, top=rightwards)
    y, start, end = line.centery, line.x, line.right
    half = words // 2 + canvas.px(8) if words and not rightwards else 0
    canvas.line((start, y), (line.centerx - half, y), GOLD, 3)
    canvas.line((line.centerx + half, y), (end, y), GOLD, 3)
    canvas.circle((start if rightwards else end, y), canvas.px(4), GOLD)
    head = end - size // 3 if rightwards else start + size // 3
    canvas.blit(onward(size, "right" if rightwards else "left"), center=(head, y))


def strip(canvas: Canvas, middle: Rect, top: bool) -> Rect:
    """A strip along the top or bottom of the middle area, high enough for an arrow."""
    cut = cut_top if top else cut_bottom
    return cut(inset(middle, canvas.px(12), canvas.px(4)), canvas.px(24))[0]


# cups, dice and words


def draw_cup(canvas: Canvas, center: Point, size: int, seat: int, stage: Stage, lifted: bool = False) -> None:
    """A seat's cup: at rest, being shaken or, if it is a real cup, being put down."""
    x, y = center
    if moment := stage.showing_of(seat, "shaken"):
        dx, dy = shaking(canvas, moment.t, moment.turn)
        x, y = x + dx, y + dy
    elif moment := stage.showing_of(seat, "cup"):
        y -= canvas.px(30) * (1 - part(moment.t, 0, 0.9)) ** 2
    canvas.blit(pieces.cup(size, lifted=lifted), center=(x, y))


def draw_die(
    canvas: Canvas, center: Point, value: int | None, size: int, seat: int, place: int, stage: Stage, lit: bool | None
) -> None:
    """A seat's die, in the air during its roll. `lit`: whether the die counts; None before the dice are counted."""
    moment = stage.showing_of(seat, "rolled")
    if moment and value is not None and place in moment.facts["places"]:
        parts.tumble(canvas, center, value, size, moment.t, moment.turn + place, (0.4, 0.5))
    else:
        canvas.blit(dice.die(value, size, lit=lit is True, dim=lit is False), center=center)


def bubble(canvas: Canvas, rect: Rect, text: str, said: bool) -> None:
    """A player's statement: the current one (`said`) on ivory, an earlier one on a dark panel."""
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
