"""The current public odds as bars."""

from table.analysis import odds as chances
from table.engine.asks import View
from table.text import game_texts, narration, numbers
from table.text.records.blocks import Bar, Row, Rows, Text
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import page_of


def odds(context: KioskContext, view: View, under: Scene) -> Scene:
    game, say = view["game"], context.say
    rows = [
        Row(narration.chance(each, game, say), (numbers.percent(each.chance, say),), bar=Bar(each.chance))
        for each in chances.odds(view)
    ]
    title = f"{say('menu.odds')}: {game_texts.name(game, say)}"
    blocks = (Rows(tuple(rows)) if rows else Text(say("odds.none")),)
    return page_of(context, under, lambda size: emblem(game, size), (title, blocks))
