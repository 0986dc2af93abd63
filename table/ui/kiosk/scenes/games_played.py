"""Finished games, the latest first: game, date, players and winner. Each entry opens its page.

Games are read one page at a time. The next page is requested when the cursor comes near the end.
"""

from functools import partial

from table.session.messages import Found
from table.storage.records import read
from table.storage.records.pages import GameLine, GameList
from table.text.records.pages import game_row
from table.text.records.words import games
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.game import to_game, with_short_names
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.waiting import reading

AHEAD = 20  # entries before the end at which the next page is requested
MOST_NAMES = 5  # names per game
ROOMY = TALL / 0.9  # units; rows of this height also show the players


def games_played(context: KioskContext, under: Scene, now: float, player: str | None = None) -> Scene:
    return reading(context, partial(read.games, player=player), partial(_listed, context, under, player), under, now)


def _listed(context: KioskContext, under: Scene, player: str | None, page: GameList, now: float) -> Scene:
    found: list[Entry] = []  # each entry is created only once, because there can be many
    after: int | None = None  # start of the next page; None if it is already requested or there is none

    def add(more: GameList) -> None:
        nonlocal after
        found.extend(Entry(_row(line, context), partial(_take, line.number)) for line in more.games)
        after = more.after

    def _take(number: int, now: float) -> Scene:
        return to_game(context, number, listing, now)

    def came(answer: Found) -> None:
        if isinstance(answer.page, GameList):
            add(answer.page)

    def entries() -> list[Entry]:
        nonlocal after
        if after is not None and listing.at > len(found) - AHEAD:
            wanted, after = after, None
            context.storage.ask(partial(read.games, player=player, after=wanted), came)
        return found or [Entry(Row(context.say("cap.back")), lambda _: under)]

    def heading() -> Heading:
        if not found:
            return Heading(
                context.say("records.games"), note=context.say("records.no_games" if player else "records.none")
            )
        return Heading(player or games(page.total, context.say), mark=partial(avatar, player) if player else None)

    add(page)
    listing = Listing(context, heading, entries, lambda _: under, height=ROOMY, overlay=True)
    return listing


def _row(line: GameLine, context: KioskContext) -> Row:
    row = game_row(with_short_names(line), context.say, MOST_NAMES)
    return Row(row.label, "\n".join(row.figures), row.detail, partial(emblem, line.game))
