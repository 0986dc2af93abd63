"""The page of a player: how often they won, at what, and lately; the way to rivals, moments, games, dice and name."""

from functools import partial

from pygame import Rect

from table.games import GAMES
from table.storage.records import read
from table.storage.records.pages import PlayerPage
from table.text import game_texts
from table.text.narration import recorded
from table.ui.kiosk import charts
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.charts import Bar
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_bottom, cut_top, inset
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.dice import players_dice
from table.ui.kiosk.scenes.games_played import games_played
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.moments import moments
from table.ui.kiosk.scenes.naming import changes
from table.ui.kiosk.scenes.rivals import rivals
from table.ui.kiosk.scenes.waiting import reading
from table.ui.kiosk.style import BRASS, INK, INK_SOFT, NIGHT

BESIDE = 52  # of a hundred parts of the width: the figures


def to_player(context: KioskContext, name: str, under: Scene, now: float) -> Scene:
    return reading(
        context, partial(read.player, name=name), partial(player, context, under), under, now, "sight.no_player"
    )


def player(context: KioskContext, under: Scene, page: PlayerPage, now: float) -> Scene:
    def reopen(name: str, now: float) -> Scene:
        return to_player(context, name, under, now)

    def entries() -> list[Entry]:
        say, played = context.say, sum(page.played.values())
        return [
            Entry(
                Row(say("records.games"), recorded.number(played), lit=played > 0),
                lambda now: games_played(context, listing, now, page.name),
            ),
            Entry(Row(say("records.rivals"), lit=bool(page.rivals)), lambda _: rivals(context, page, listing)),
            Entry(Row(say("records.moments"), lit=bool(page.moments)), lambda _: moments(context, page, listing)),
            Entry(
                Row(say("records.dice"), lit=any(map(sum, page.faces.values()))),
                lambda now: players_dice(context, page.name, listing, now),
            ),
            *changes(context, page.name, listing, reopen, under),
        ]

    def heading() -> Heading:
        return Heading(page.name, mark=partial(avatar, page.name))

    def aside(canvas: Canvas, rect: Rect) -> None:
        _draw_figures(canvas, rect, page, context)

    # Its entries are asked for while it is made, and lead back to it later.
    listing: Scene = under
    listing = Listing(context, heading, entries, lambda _: under, overlay=True, aside=aside, beside=BESIDE)
    return listing


def _draw_figures(canvas: Canvas, rect: Rect, page: PlayerPage, context: KioskContext) -> None:
    say = context.say
    canvas.panel(rect, NIGHT, 14, alpha=150)
    inner = inset(rect, canvas.px(16), canvas.px(12))
    played, won = sum(page.played.values()), sum(page.won.values())
    top, inner = cut_top(inner, canvas.px(40))
    if not played:
        canvas.text(say("records.no_games"), top, 20, INK_SOFT, align="left")
        return
    canvas.text(say("records.screen.won_of", share=recorded.share(won, played, say)), top, 26, BRASS, "display", "left")
    if days := recorded.days(page, say):
        line, inner = cut_top(inner, canvas.px(22), canvas.px(8))
        when = days[0] if len(days) == 1 else say("records.screen.days", first=days[0], last=days[1])
        canvas.text(when, line, 16, INK_SOFT, align="left")
    dots, inner = cut_bottom(inner, canvas.px(24), canvas.px(2))
    charts.dots(canvas, dots, page.recent)
    words, inner = cut_bottom(inner, canvas.px(40), canvas.px(10))
    canvas.text(recorded.streak(page, say), words, 17, INK, align="left", lines=2, shrink=0.7)
    games = [game for game in GAMES if page.played.get(game)]
    high = min(inner.height, canvas.px(40) * len(games))
    _draw_games(canvas, Rect(inner.x, inner.y, inner.width, high), page, games, context)


def _draw_games(canvas: Canvas, rect: Rect, page: PlayerPage, games: list[str], context: KioskContext) -> None:
    """The share of games won, by game."""
    lines = []
    for game in games:
        won, played = page.won.get(game, 0), page.played[game]
        figure = context.say("records.screen.of", won=recorded.number(won), played=recorded.number(played))
        lines.append(Bar(game_texts.name(game, context.say), figure, won / played))
    charts.bars(canvas, rect, lines)
