"""Drawing of lists: rows for menus, and a horizontal strip for choices in a game.

The entry that End would select is always visible and clearly marked. A bar or arrows show that there are more entries.
Every entry can be touched ("entry:3").
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pygame import Rect, Surface

from table.ui.kiosk import dice as drawn_dice
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.layout import rows as lines_of
from table.ui.kiosk.paint import Sheet, shelved
from table.ui.kiosk.style import BRASS, DARK, DARK_SOFT, FELT, GOLD, INK, INK_SOFT, IVORY, NIGHT, Colour

ROW = 46  # units
TALL = 64  # a row this tall has room for help below its name
TALLEST = 72
BAR = 6
DIE = 30


@dataclass(frozen=True)
class Row:
    """One line of a menu: its name, value and help. If rows are low, only the one at the cursor shows its help."""

    label: str
    value: str = ""  # can take several lines if rows are tall
    help: str = ""
    mark: Callable[[int], Surface] | None = None  # draws the icon at a given size, in pixels
    lit: bool = True  # an unlit row can be read but not selected


@dataclass(frozen=True)
class Item:
    """One entry of a strip: words, or dice and a word."""

    label: str
    dice: tuple[int, ...] = ()
    words_first: bool = False


def window(count: int, at: int, fits: int) -> range:
    """The visible entries: as many as fit, always including the one at the cursor."""
    if count <= fits:
        return range(count)
    first = max(0, min(at - fits // 2, count - fits))
    return range(first, first + fits)


def scrolled(count: int, shown: range, step: int) -> int:
    """The cursor position that scrolls the list by `step` entries, within its bounds."""
    first = max(0, min(shown.start + step, count - len(shown)))
    return min(first + len(shown) // 2, count - 1)


def row_scale(canvas: Canvas) -> float:
    """How much taller rows are with large text."""
    return 1.15 if canvas.style.large_text else 1.0


def rows(canvas: Canvas, rect: Rect, entries: Sequence[Row], at: int, height: float = ROW) -> range:
    """Draws rows as tall as the space allows. Returns the indices of the visible rows.

    If space is short, only the row at the cursor shows its help.
    """
    scale = row_scale(canvas)
    gap = canvas.px(6)
    low, tall, most = canvas.px(height * scale * 0.9), canvas.px(TALL * scale), canvas.px(TALLEST * scale)
    room = rect.height + gap
    alike = room // len(entries) - gap >= tall or not any(entry.help for entry in entries)
    more = 0 if alike or not entries[at].help else max(0, tall - low)  # extra height of the row at the cursor
    shown = window(len(entries), at, max(1, (room - more) // (low + gap)))
    high = min(most, (room - more) // len(shown) - gap)
    top = rect.y + (room - more - len(shown) * (high + gap)) // 2
    wide = rect.width
    if len(shown) < len(entries):
        wide -= canvas.px(BAR + 8)
        _bar(canvas, Rect(rect.right - canvas.px(BAR), rect.y, canvas.px(BAR), rect.height), shown, len(entries))
    for index in shown:
        box = Rect(rect.x, top, wide, high + (more if index == at else 0))
        _row(canvas, box, entries[index], index == at, tall)
        canvas.spot(f"entry:{index}", box)
        top = box.bottom + gap
    return shown


def _bar(canvas: Canvas, rect: Rect, shown: range, count: int) -> None:
    """A scroll bar that shows the visible part of the list."""
    canvas.panel(rect, NIGHT, BAR / 2, alpha=150)
    start, stop = rect.height * shown.start // count, rect.height * shown.stop // count
    canvas.panel(Rect(rect.x, rect.y + start, rect.width, stop - start), BRASS, BAR / 2)


def _row(canvas: Canvas, box: Rect, row: Row, at_it: bool, tall: int) -> None:
    ground, ink, soft = (IVORY, DARK, DARK_SOFT) if at_it else (NIGHT, INK, INK_SOFT)
    canvas.panel(box, ground, 12, border=GOLD if at_it else None, alpha=255 if at_it else 150, shadow=at_it, width=3)
    if at_it:
        size = canvas.px(16)
        canvas.blit(pointer(size, "right", DARK), center=(box.x + canvas.px(15), box.centery))
    inner = inset(box, canvas.px(14), canvas.px(3))
    inner = Rect(inner.x + canvas.px(14), inner.y, inner.width - canvas.px(14), inner.height)
    if row.mark is not None:
        side = min(inner.height, canvas.px(56))
        place, inner = cut_left(inner, side, canvas.px(12))
        canvas.blit(row.mark(side), center=place.center)
    if row.value:
        parts = row.value.split("\n")
        size = 20 if len(parts) == 1 else 16
        wide = max(canvas.text_width(part, size, "bold") for part in parts) + canvas.px(4)
        value, inner = cut_right(inner, min(wide, inner.width // 2), canvas.px(14))
        if len(parts) > 1:
            value = centred(value, value.width, canvas.line_height(size) * len(parts) + canvas.px(4))
        for part, line in zip(parts, lines_of(value, len(parts)), strict=True):
            canvas.text(part, line, size, ink, "bold", align="right", lines=1 if len(parts) > 1 else 2, shrink=0.6)
    colour = ink if row.lit else soft
    if row.help and box.height >= tall:
        top, low = cut_top(inner, inner.height * 9 // 20)
        canvas.text(row.label, top, 22, colour, "bold", align="left", valign="bottom", shrink=0.6)
        canvas.text(row.help, low, 16, soft, align="left", lines=2, shrink=0.65)
    else:
        canvas.text(row.label, inner, 22, colour, "bold", align="left", lines=2, shrink=0.6)


def strip(canvas: Canvas, rect: Rect, items: Sequence[Item], at: int, alike: bool = True) -> None:
    """Entries side by side, as many as fit around the one at the cursor. `alike`: they all get the same width, which
    looks calmer. Otherwise, more of them fit if only a few are long."""
    gap, side = canvas.px(6), canvas.px(18)
    widths = [_wide(canvas, item) for item in items]
    widths = [max(widths)] * len(items) if alike else widths
    across = rect.width - 2 * side
    windows = (window(len(items), at, fits) for fits in range(len(items), 0, -1))
    shown = next(some for some in windows if len(some) == 1 or _length(widths, some, gap) <= across)
    more = min((across - _length(widths, shown, gap)) // len(shown), canvas.px(40))
    left = rect.x + side + (across - _length(widths, shown, gap) - more * len(shown)) // 2
    for index in shown:
        box = Rect(left, rect.y, widths[index] + more, rect.height)
        _item(canvas, box, items[index], index == at)
        canvas.spot(f"entry:{index}", box)
        left = box.right + gap
    _more(canvas, rect, shown, len(items))


def _length(widths: Sequence[int], shown: range, gap: int) -> int:
    return sum(widths[index] + gap for index in shown) - gap


def entered(
    canvas: Canvas, rect: Rect, dice: Sequence[int | None], next_one: int | None, items: Sequence[Item], at: int
) -> None:
    """The dice known so far, with a circle for each other one, and beside them the choices for the next die. Its place
    among the dice is marked. Known dice can be touched ("entered:0")."""
    size = canvas.px(34)
    step = size + canvas.px(4)
    tray = Rect(rect.x, rect.y, step * len(dice) + canvas.px(16), rect.height)
    canvas.panel(tray, NIGHT, 12, alpha=200)
    for place, die in enumerate(dice):
        center = (tray.x + canvas.px(8) + step * (place + 0.5), tray.centery)
        if die is not None:
            canvas.blit(drawn_dice.die(die, size), center=center)
            canvas.spot(f"entered:{place}", Rect(round(center[0] - step / 2), tray.y, step, tray.height))
        else:
            canvas.ring(center, size * 0.4, GOLD if place == next_one else INK_SOFT, 3 if place == next_one else 2)
        if place == next_one:
            canvas.panel(
                Rect(round(center[0]) - size // 4, tray.bottom - canvas.px(7), size // 2, canvas.px(3)), GOLD, 1
            )
    strip(canvas, cut_left(rect, tray.width, canvas.px(8))[1], items, at, alike=False)


def _wide(canvas: Canvas, item: Item) -> int:
    words = canvas.text_width(item.label, 21, "bold") if item.label else 0
    return min(words, canvas.px(230)) + len(item.dice) * canvas.px(DIE + 3) + canvas.px(30)


def _item(canvas: Canvas, box: Rect, item: Item, at_it: bool) -> None:
    ground = IVORY if at_it else NIGHT
    edge = GOLD if at_it else None
    canvas.panel(box, ground, 10, border=edge, alpha=255 if at_it else 170, shadow=at_it, width=3)
    inner = inset(box, canvas.px(8), canvas.px(2))
    size = canvas.px(DIE)
    step = size + canvas.px(3)
    words = min(canvas.text_width(item.label, 21, "bold") + canvas.px(2), inner.width - len(item.dice) * step)
    space = canvas.px(6) if item.dice and item.label else 0
    left = inner.x + (inner.width - words - space - len(item.dice) * step) // 2
    after = left + space + len(item.dice) * step
    if item.words_first:
        left, after = left + words + space, left
    if item.dice and at_it:  # for contrast, because dice and the current entry are both ivory
        tray = Rect(left, 0, len(item.dice) * step, size + canvas.px(8))
        tray.centery = inner.centery
        canvas.panel(tray.inflate(canvas.px(6), 0), FELT, 8)
    for place, die in enumerate(item.dice):
        canvas.blit(drawn_dice.die(die, size), center=(left + (place + 0.5) * step, inner.centery))
    if item.label:
        label = Rect(after, inner.y, words, inner.height)
        canvas.text(item.label, label, 21, DARK if at_it else INK, "bold", lines=2, shrink=0.55)


def _more(canvas: Canvas, rect: Rect, shown: range, count: int) -> None:
    """Arrows where the strip continues."""
    size = canvas.px(16)
    if shown.start > 0:
        canvas.blit(pointer(size, "left", BRASS), center=(rect.x + canvas.px(6), rect.centery))
    if shown.stop < count:
        canvas.blit(pointer(size, "right", BRASS), center=(rect.right - canvas.px(6), rect.centery))


@shelved
def pointer(size: int, towards: Literal["left", "right"], colour: Colour) -> Surface:
    """A small arrowhead with round corners."""
    sheet = Sheet(size)
    shape = [(x if towards == "right" else 100 - x, y) for x, y in ((32, 22), (74, 50), (32, 78))]
    sheet.polygon(shape, colour)
    sheet.stroke(shape, 14, colour, closed=True)
    return sheet.surface
