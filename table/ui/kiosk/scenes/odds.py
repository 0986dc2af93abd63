"""The current public odds as bars."""

from table.analysis import odds as chances
from table.engine.asks import View
from table.text import game_texts, narration, numbers
from table.ui.kiosk import charts, frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.charts import Bar
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.style import INK


def odds(context: KioskContext, view: View, under: Scene) -> Scene:
    game, lines = view["game"], chances.odds(view)

    def draw(canvas: Canvas, _: int) -> int:
        say = context.say
        title = f"{say('menu.odds')}: {game_texts.name(game, say)}"
        room = frame.head(canvas, title, "", emblem(game, canvas.px(36)))
        if not lines:
            canvas.text(say("odds.none"), room, 22, INK, "bold", lines=2)
            return 1
        inner = canvas.sunk(room, 16, 10)
        bars = [
            Bar(narration.chance(each, game, say), numbers.percent(each.chance, say), each.chance) for each in lines
        ]
        charts.bars(canvas, inner, bars)
        return 1

    return Paging(context, draw, under)
