"""A player's page: wins, recent games, rivals, best moments, and links to games, dice and name changes."""

from functools import partial

from pygame import Rect

from table.storage.records import read
from table.storage.records.pages import DicePage, Moment, PlayerPage, verdicts
from table.text.records import pages, words
from table.text.records.blocks import Link, Text
from table.ui.kiosk import records
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.game import games_played, to_game
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.naming import changes
from table.ui.kiosk.scenes.paging import page_of
from table.ui.kiosk.scenes.waiting import reading

BESIDE = 52  # percent of the width for the figures


def to_player(context: KioskContext, name: str, under: Scene, now: float) -> Scene:
    return reading(
        context, partial(read.player, name=name), partial(player, context, under), under, now, "refused.no_player"
    )


def player(context: KioskContext, under: Scene, page: PlayerPage, now: float) -> Scene:
    say, name = context.say, page.name
    face = partial(avatar, name)

    def reopen(name: str, now: float) -> Scene:
        return to_player(context, name, under, now)

    def dice(found: DicePage, now: float) -> Scene:
        judged = verdicts(found)
        faces = pages.faces(name, judged["player", name], say, len(judged), Link("player", name))
        how = (Text(say("records.band")), Text(words.trap(say)))
        return page_of(context, listing, face, (say("records.dice"), (faces,)), (say("records.dice_how"), how))

    def entries() -> list[Entry]:
        played, rivals = sum(page.played.values()), Row(say("records.rivals"), lit=bool(page.rivals))
        return [
            Entry(
                Row(say("records.games"), words.number(played), lit=played > 0),
                lambda now: games_played(context, listing, now, name),
            ),
            Entry(rivals, lambda _: page_of(context, listing, face, (rivals.label, pages.rivals(page, say)))),
            Entry(Row(say("records.moments"), lit=bool(page.moments)), lambda _: moments(context, page, listing)),
            Entry(
                Row(say("records.dice"), lit=any(map(sum, page.faces.values()))),
                lambda now: reading(context, read.dice, dice, listing, now),
            ),
            *changes(context, name, listing, reopen, under),
        ]

    def aside(canvas: Canvas, rect: Rect) -> None:
        lead, *others = pages.results(page, say)
        records.panel(canvas, rect, (lead, Text(words.days(page, say), "quiet"), *others), say)

    heading = Heading(name, mark=face)
    listing = Listing(context, lambda: heading, entries, lambda _: under, overlay=True, aside=aside, beside=BESIDE)
    return listing


def moments(context: KioskContext, page: PlayerPage, under: Scene) -> Scene:
    """Best moments grouped by game, the best of each game first."""

    def entry(best: Moment) -> Entry:
        row = pages.moment(best, context.say)
        return Entry(
            Row(row.label, help=row.detail, mark=partial(emblem, best.game)),
            lambda now: to_game(context, best.number, listing, now),
        )

    heading = Heading(context.say("records.moments"), mark=partial(avatar, page.name))
    found = [entry(best) for best in page.moments]
    listing = Listing(context, lambda: heading, lambda: found, lambda _: under, height=TALL, overlay=True)
    return listing
