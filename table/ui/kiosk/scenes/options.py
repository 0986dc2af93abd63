"""The options of a game with their values and help. Start is the first entry, so no one has to read the options.

Only playable combinations are offered.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pygame import Rect

from table.engine import options as game_options
from table.engine.errors import Refused
from table.engine.options import PER_SEAT, SEATS
from table.session.lineup import Lineup, estimates, offered, shown
from table.text import game_texts
from table.text.refusals import sentence
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_bottom, cut_top, inset
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.play import Play
from table.ui.kiosk.scenes.settings import following
from table.ui.kiosk.style import INK_SOFT, NIGHT


def options(context: KioskContext, lineup: Lineup, under: Scene) -> Scene:
    source = context.session.dice.devices[context.settings.source]
    if source.entered or source.watches:  # real dice need real cups
        cups = dict.fromkeys(game_options.named(lineup.game.options, SEATS), True)
        lineup = replace(lineup, options={**cups, **lineup.options})
    context.room.lobby.lineup = lineup
    chosen = [lineup]
    refused: list[str] = []

    def heading() -> Heading:
        game = lineup.game.id
        title = context.say("options.title", game=game_texts.name(game, context.say))
        note = context.say("level.unsolved") if estimates(chosen[-1]) else ""
        return Heading(title, note=refused[-1] if refused else note, mark=lambda size: emblem(game, size))

    def start(now: float) -> Scene | None:
        seats = context.room.lobby.lineup.seats  # more people might have joined
        try:
            context.sit_down(replace(chosen[-1], seats=seats))
        except Refused as why:
            refused.append(sentence(why, context.say))
            return None
        return Play(context, now)

    def choose(wanted: Mapping[str, Any], now: float) -> None:
        chosen.append(replace(chosen[-1], options=wanted))
        lobby = context.room.lobby
        lobby.lineup = replace(lobby.lineup, options=wanted)  # keeps the options when people go back to the seats

    def entries() -> list[Entry]:
        found = [Entry(Row(context.say("options.start")), start)]
        played = chosen[-1].in_force()
        for option in game_options.describe(lineup.game.options):
            name = option["name"]
            if option.get("of") == PER_SEAT or name not in played:
                continue
            values = offered(option, chosen[-1])
            row = Row(
                game_texts.option_name(lineup.game.id, name, context.say),
                shown(lineup.game, option, played[name], context.say),
                game_texts.option_help(lineup.game.id, option, context.say),
                lit=len(values) > 1,
            )
            value = bool(played[name]) if option.get("of") == SEATS else played[name]
            to = following(value, values)
            found.append(Entry(row, partial(choose, {**chosen[-1].options, name: to})))
        if chosen[-1].options:
            found.append(Entry(Row(context.say("options.reset")), partial(choose, {})))
        return found

    aside = partial(_draw_lineup, context=context, lineup=lineup)
    return Listing(context, heading, entries, lambda _: under, aside=aside)


def _draw_lineup(canvas: Canvas, rect: Rect, context: KioskContext, lineup: Lineup) -> None:
    """Draws the game and its players."""
    canvas.panel(rect, NIGHT, 14, alpha=140)
    inner = inset(rect, canvas.px(14), canvas.px(12))
    names = lineup.names()
    across = 5 if len(names) > 5 else max(3, len(names))
    size = min(canvas.px(44), inner.width // across - canvas.px(4))
    step = size + canvas.px(4)
    down = -(-len(names) // across)
    faces, inner = cut_bottom(inner, step * down, canvas.px(8))
    for place, name in enumerate(names):
        row, column = divmod(place, across)
        in_row = min(across, len(names) - row * across)
        center = faces.centerx + (column - (in_row - 1) / 2) * step, faces.y + (row + 0.5) * step
        canvas.blit(avatar(name, size, lineup.seats[place].level is not None), center=center)
    picture, words = cut_top(inner, inner.height * 11 // 20, canvas.px(6))
    side = min(picture.height, picture.width, canvas.px(130))
    canvas.blit(emblem(lineup.game.id, side), center=picture.center)
    canvas.text(game_texts.summary(lineup.game.id, context.say), words, 18, INK_SOFT, lines=5, shrink=0.7)
