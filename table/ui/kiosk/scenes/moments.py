"""The best moments of a player; taking one opens the game that it was in."""

from functools import partial

from table.storage.records.pages import Moment, PlayerPage
from table.text import game_texts
from table.text.narration import recorded
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.game import to_game
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def moments(context: KioskContext, page: PlayerPage, under: Scene) -> Scene:
    """In the order of the games, each game's best first."""

    def entry(best: Moment) -> Entry:
        row = Row(
            recorded.moment(best, context.say),
            help=game_texts.name(best.game, context.say),
            mark=partial(emblem, best.game),
        )
        return Entry(row, lambda now: to_game(context, best.number, listing, now))

    heading = lambda: Heading(context.say("records.moments"), mark=partial(avatar, page.name))  # noqa: E731
    listing = Listing(
        context, heading, lambda: [entry(best) for best in page.moments], lambda _: under, height=TALL, overlay=True
    )
    return listing
