"""How lucky everyone was in a game: one bar each, and a sentence about the current seat. Roll moves to the next seat.

The middle of a bar is the expected result, the right side is good luck, the left side bad luck. The ends are the
extremes of luck.
"""

from collections.abc import Sequence

from pygame import Rect

from table.storage.records.pages import GameLine, SeatLine
from table.text import game_texts
from table.text.records.blocks import Luck
from table.ui.kiosk import frame, plot
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import centred, cut_bottom, cut_left, cut_top, grid, inset
from table.ui.kiosk.picker import place_in
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.style import FELT_LIGHT, GOLD, INK, INK_SOFT, NIGHT, SKY


def luck_of_all(context: KioskContext, line: GameLine, found: Sequence[Luck], under: Scene) -> Scene:
    """Pages through the seats; the page number is the current seat."""

    def draw(canvas: Canvas, marked: int) -> int:
        say = context.say
        title = f"{say('records.luck')}: {game_texts.name(line.game, say)}"
        room = frame.head(canvas, title, say("records.screen.middle"), emblem(line.game, canvas.px(36)))
        words, room = cut_bottom(room, canvas.px(104), canvas.px(8))
        across = 1 if len(found) <= 3 else 2
        cells = grid(room, across, max(2, -(-len(found) // across)), canvas.px(6))
        for at, (cell, luck, seat) in enumerate(zip(cells, found, line.seats, strict=False)):
            _panel(canvas, cell, at == marked)
            canvas.spot(f"seat:{at}", cell)
            _draw_seat(canvas, cell, seat, luck)
        _draw_words(canvas, words, found[marked])
        return len(found)

    return Paging(context, draw, under, "cap.next", lambda spot, *_: place_in("seat", spot))


def _panel(canvas: Canvas, rect: Rect, lit: bool) -> None:
    if lit:
        canvas.panel(rect, FELT_LIGHT, 12, border=GOLD, width=3)
    else:
        canvas.panel(rect, NIGHT, 12, alpha=150)


def _draw_seat(canvas: Canvas, rect: Rect, seat: SeatLine, luck: Luck) -> None:
    inner = inset(rect, canvas.px(12), canvas.px(5))
    face, inner = cut_left(inner, min(inner.height, canvas.px(46)), canvas.px(12))
    canvas.blit(avatar(seat.name or "?", face.width, seat.level is not None), center=face.center)
    inner = centred(inner, inner.width, canvas.px(62))
    name, bar = cut_top(inner, inner.height // 2)
    written(canvas, name, luck.name, 19, INK, lines=1)
    groove = centred(bar, bar.width, min(bar.height * 2 // 3, canvas.px(18)))
    canvas.panel(groove, NIGHT, 9, border=INK_SOFT, width=1)
    middle, end = groove.centerx, groove.x + round(groove.width * (0.5 if luck.part is None else luck.part))
    filled = Rect(min(middle, end), groove.y, abs(end - middle), groove.height)
    canvas.panel(filled, GOLD if end > middle else SKY, 3)
    plot.rule(canvas, (middle, groove.y - canvas.px(3)), (middle, groove.bottom + canvas.px(3)))


def _draw_words(canvas: Canvas, rect: Rect, luck: Luck) -> None:
    inner = canvas.sunk(rect, 16, 8)
    low, inner = cut_bottom(inner, canvas.px(26) if luck.detail else 0)
    canvas.text(luck.text, inner, 19, INK, "bold", "left", lines=2, shrink=0.6)
    if luck.detail:
        canvas.text(luck.detail, low, 17, INK_SOFT, align="left", shrink=0.6)
