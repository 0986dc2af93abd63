"""A player's page: wins, recent games, rivals, best moments, and links to games, dice and name changes."""

from functools import partial

from pygame import Rect

from table.storage.records import read
from table.storage.records.pages import Moment, PlayerPage
from table.text.records import blocks, pages, words
from table.ui.kiosk import charts, frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.charts import Bar
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top, grid
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.dice import players_dice
from table.ui.kiosk.scenes.game import to_game
from table.ui.kiosk.scenes.games_played import games_played
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.naming import changes
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.scenes.waiting import reading
from table.ui.kiosk.style import BRASS, INK, INK_SOFT

BESIDE = 52  # percent of the width for the figures


def to_player(context: KioskContext, name: str, under: Scene, now: float) -> Scene:
    return reading(
        context, partial(read.player, name=name), partial(player, context, under), under, now, "refused.no_player"
    )


def player(context: KioskContext, under: Scene, page: PlayerPage, now: float) -> Scene:
    def reopen(name: str, now: float) -> Scene:
        return to_player(context, name, under, now)

    def entries() -> list[Entry]:
        say, played = context.say, sum(page.played.values())
        return [
            Entry(
                Row(say("records.games"), words.number(played), lit=played > 0),
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

    aside = partial(_draw_figures, page=page, context=context)
    listing = Listing(context, heading, entries, lambda _: under, overlay=True, aside=aside, beside=BESIDE)
    return listing


def _draw_figures(canvas: Canvas, rect: Rect, page: PlayerPage, context: KioskContext) -> None:
    say = context.say
    inner = canvas.sunk(rect, 16, 12)
    top, inner = cut_top(inner, canvas.px(40))
    if not page.recent:
        canvas.text(say("records.no_games"), top, 20, INK_SOFT, align="left")
        return
    canvas.text(say("records.won_of", share=pages.share(page, say)), top, 26, BRASS, "display", "left")
    if days := words.days(page, say):
        line, inner = cut_top(inner, canvas.px(22), canvas.px(8))
        canvas.text(days, line, 16, INK_SOFT, align="left")
    dots, inner = cut_bottom(inner, canvas.px(24), canvas.px(2))
    charts.dots(canvas, dots, page.recent)
    streak, inner = cut_bottom(inner, canvas.px(40), canvas.px(10))
    canvas.text(words.streak(page, say), streak, 17, INK, align="left", lines=2, shrink=0.7)
    found = pages.by_game(page, say).rows
    lines = [Bar(row.label, row.figures[0], row.bar.part / row.bar.of) for row in found if row.bar]
    high = min(inner.height, canvas.px(40) * len(lines))
    charts.bars(canvas, Rect(inner.x, inner.y, inner.width, high), lines)


def moments(context: KioskContext, page: PlayerPage, under: Scene) -> Scene:
    """Best moments in the order of the games, the best of each game first."""

    def entry(best: Moment) -> Entry:
        row = pages.moment(best, context.say)
        return Entry(
            Row(row.label, help=row.detail, mark=partial(emblem, best.game)),
            lambda now: to_game(context, best.number, listing, now),
        )

    heading = lambda: Heading(context.say("records.moments"), mark=partial(avatar, page.name))  # noqa: E731
    listing = Listing(
        context, heading, lambda: [entry(best) for best in page.moments], lambda _: under, height=TALL, overlay=True
    )
    return listing


def rivals(context: KioskContext, page: PlayerPage, under: Scene) -> Scene:
    def draw(canvas: Canvas, _: int) -> int:
        (rows, *notes), name = pages.rivals(page, context.say), page.name
        room = frame.head(canvas, name, context.say("records.rivals"), avatar(name, canvas.px(36)))
        for told in notes:
            note, room = cut_bottom(room, canvas.px(22), canvas.px(4))
            canvas.text(told.text, note, 16, INK_SOFT)
        across = 1 if len(rows.rows) <= 3 else 2
        down = max(3, -(-len(rows.rows) // across))
        for row, cell in zip(rows.rows, grid(room, across, down, canvas.px(8)), strict=False):
            _draw_rival(canvas, cell, row)
        return 1

    return Paging(context, draw, under)


def _draw_rival(canvas: Canvas, rect: Rect, row: blocks.Row) -> None:
    inner = canvas.sunk(rect, 12, 7)
    face, inner = cut_left(inner, min(inner.height, canvas.px(64)), canvas.px(12))
    canvas.blit(avatar(row.label, face.width), center=face.center)
    top, bar = cut_top(inner, inner.height * 2 // 5)
    games, won, lost = row.figures
    count, name = cut_right(top, min(canvas.text_width(games, 16), top.width // 2), canvas.px(8))
    written(canvas, name, row.label, 20, INK, lines=1)
    canvas.text(games, count, 16, INK_SOFT, align="right")
    assert row.bar is not None
    decided = row.bar.part + row.bar.theirs
    charts.balance(canvas, bar, row.bar.part / decided if decided else None, won, lost)
