"""Whom a player met most, and who won how often: a bar between the two of them."""

from pygame import Rect

from table.storage.records.pages import PlayerPage, Rival
from table.text.catalogue import Catalogue
from table.text.narration import recorded
from table.ui.kiosk import charts, frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top, grid, inset
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.style import INK, INK_SOFT, NIGHT


def rivals(context: KioskContext, page: PlayerPage, under: Scene) -> Scene:
    def draw(canvas: Canvas, _: int) -> int:
        rivals, name = page.rivals, page.name
        canvas.background()
        room = frame.head(canvas, name, context.say("records.rivals"), avatar(name, canvas.px(36)))
        if any(map(recorded.others_won, rivals)):
            note, room = cut_bottom(room, canvas.px(22), canvas.px(4))
            canvas.text(context.say("records.screen.rivals_rest"), note, 16, INK_SOFT)
        across = 1 if len(rivals) <= 3 else 2
        down = max(3, -(-len(rivals) // across))
        for rival, cell in zip(rivals, grid(room, across, down, canvas.px(8)), strict=False):
            _draw_rival(canvas, cell, rival, context.say)
        return 1

    return Paging(context, draw, under)


def _draw_rival(canvas: Canvas, rect: Rect, rival: Rival, say: Catalogue) -> None:
    canvas.panel(rect, NIGHT, 14, alpha=150)
    inner = inset(rect, canvas.px(12), canvas.px(7))
    face, inner = cut_left(inner, min(inner.height, canvas.px(64)), canvas.px(12))
    canvas.blit(avatar(rival.name, face.width), center=face.center)
    top, bar = cut_top(inner, inner.height * 2 // 5)
    games = say("records.screen.games", count=rival.played, number=recorded.number(rival.played))
    count, name = cut_right(top, min(canvas.text_width(games, 16), top.width // 2), canvas.px(8))
    written(canvas, name, rival.name, 20, INK, lines=1)
    canvas.text(games, count, 16, INK_SOFT, align="right")
    won, lost = say("records.screen.won", count=rival.won), say("records.screen.lost", count=rival.lost)
    decided = rival.won + rival.lost
    charts.balance(canvas, bar, rival.won / decided if decided else None, won, lost)
