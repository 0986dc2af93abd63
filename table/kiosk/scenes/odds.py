"""The chances of this moment that everybody may know, drawn as bars."""

from table import odds as chances
from table import tell
from table.kiosk import charts, frame
from table.kiosk.canvas import Canvas
from table.kiosk.charts import Bar
from table.kiosk.desk import Desk
from table.kiosk.layout import inset
from table.kiosk.pieces import emblem
from table.kiosk.scenes import Scene
from table.kiosk.scenes.paging import Paging
from table.kiosk.style import INK, NIGHT
from table.rules.vocabulary import View


def odds(desk: Desk, view: View, under: Scene) -> Scene:
    game, lines = view["game"], chances.odds(view)

    def draw(canvas: Canvas, _: int) -> int:
        say = desk.say
        canvas.background()
        title = f"{say('menu.odds')}: {say(f'game.{game}.name')}"
        room = frame.head(canvas, title, "", emblem(game, canvas.px(36)))
        if not lines:
            canvas.text(say("odds.none"), room, 22, INK, "bold", lines=2)
            return 1
        canvas.panel(room, NIGHT, 14, alpha=150)
        inner = inset(room, canvas.px(16), canvas.px(10))
        bars = [Bar(tell.chance(each, game, say), tell.percent(each.chance, say), each.chance) for each in lines]
        charts.bars(canvas, inner, bars)
        return 1

    return Paging(desk, draw, under)
