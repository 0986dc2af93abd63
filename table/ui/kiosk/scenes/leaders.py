"""The leaderboard, for all games or for one of them. Roll moves through the games."""

from pygame import Rect

from table.games import GAMES
from table.text import game_texts
from table.text.records.blocks import Row
from table.text.records.pages import leader_rows, no_leaders
from table.ui.kiosk import charts, frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.charts import Bar
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_left, rows
from table.ui.kiosk.picker import place_in
from table.ui.kiosk.pieces import avatar, crown, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.scenes.player import to_player
from table.ui.kiosk.style import BRASS, INK, INK_SOFT

MOST = 8  # lines

BOARDS: tuple[str | None, ...] = (None, *GAMES)  # None for all games


def leaderboard(context: KioskContext, under: Scene) -> Scene:
    def lines(page: int) -> list[Row]:
        here = {player.name for player in context.history.players}
        return leader_rows(context.board[1], context.say, BOARDS[page], here)[:MOST]

    def draw(canvas: Canvas, page: int) -> int:
        _draw(canvas, context, BOARDS[page], lines(page))
        return len(BOARDS)

    def touch(spot: str, page: int, now: float) -> Scene | None:
        place, shown = place_in("leader", spot), lines(page)
        link = shown[place].link if place is not None and place < len(shown) else None
        return to_player(context, link.name, paging, now) if link else None

    paging = Paging(context, draw, under, "records.screen.next_game", touch)
    return paging


def _draw(canvas: Canvas, context: KioskContext, game: str | None, lines: list[Row]) -> None:
    say = context.say
    detail = game_texts.name(game, say) if game else say("records.all_games")
    mark = emblem(game, canvas.px(36)) if game else crown(canvas.px(36))
    room = frame.head(canvas, context.board[0], detail, mark)
    inner = canvas.sunk(room, 16, 10)
    if not lines:
        canvas.text(no_leaders(game, say), inner, 22, INK, "bold", lines=3)
        return
    high = min(inner.height, (canvas.px(48) + canvas.px(4)) * len(lines))
    _draw_lines(canvas, Rect(inner.x, inner.y, inner.width, high), lines)


def _draw_lines(canvas: Canvas, rect: Rect, lines: list[Row]) -> None:
    beside, chart = cut_left(rect, canvas.px(78), canvas.px(10))
    for at, (line, row) in enumerate(zip(lines, rows(beside, len(lines), canvas.px(4)), strict=True)):
        place, face = cut_left(row, canvas.px(30), canvas.px(6))
        canvas.text(line.mark, place, 22, BRASS if line.mark == "1" else INK_SOFT, "display", shrink=0.5)
        side = min(face.width, face.height)
        canvas.blit(avatar(line.label, side), center=face.center)
        canvas.spot(f"leader:{at}", Rect(rect.x, row.y, rect.width, row.height))
    shares = [line.bar.part if line.bar else 0.0 for line in lines]
    most = max(shares) or 1.0
    drawn = zip(lines, shares, strict=True)
    charts.bars(canvas, chart, [Bar(line.label, line.figures[0], share / most) for line, share in drawn])
