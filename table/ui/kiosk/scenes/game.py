"""The list of finished games, the latest first, and a page for each game: who won, how the game went, and links to
replay, luck and review.

The thread that reads the records also replays the game. The list is read in portions; the next portion is requested
when the cursor comes near the end of the list.
"""

import sqlite3
from dataclasses import dataclass, replace
from functools import partial

from pygame import Rect

from table.engine.errors import Refused
from table.session.match import Match, Seating
from table.session.messages import Found
from table.storage.records import read
from table.storage.records.pages import GameLine, GameList, GamePage
from table.text.catalogue import Catalogue
from table.text.narration import result
from table.text.records import pages, words
from table.text.records.blocks import Luck, Page
from table.ui.kiosk import records
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.paging import page_of
from table.ui.kiosk.scenes.replay import Frame, Replay, frames
from table.ui.kiosk.scenes.review import Reviewing, reviewable
from table.ui.kiosk.scenes.waiting import reading

SHORT = 20  # maximum length of a name in a sentence
BESIDE = 64  # percent of the width for the course of the game
AHEAD = 20  # the next games are requested this many entries before the end of the list
MOST_NAMES = 5  # maximum number of names shown per game
ROOMY = TALL / 0.9  # units; rows of this height also show the players


@dataclass(frozen=True)
class Told:
    """Everything that replaying the game reveals."""

    game: str
    page: Page
    match: Match | None = None
    luck: tuple[Luck, ...] = ()
    frames: tuple[Frame, ...] = ()


def to_game(context: KioskContext, number: int, under: Scene, now: float) -> Scene:
    return _to_page(context, partial(read.game, number=number), under, now)


def to_match(context: KioskContext, match: Match, under: Scene, now: float) -> Scene:
    """Opens the page of a game that was just played."""
    return _to_page(context, lambda connection: read.game(connection, read.number_of(connection, match.id)), under, now)


def _to_page(context: KioskContext, question: read.Question[GamePage], under: Scene, now: float) -> Scene:
    def asked(connection: sqlite3.Connection) -> Told:
        return tell(question(connection), say)

    say = context.say
    return reading(context, asked, partial(game, context, under), under, now, "refused.no_game")


def tell(page: GamePage, say: Catalogue) -> Told:
    """Replays the game, if that is possible. Replaying is slow, so it must not be done in the drawing thread."""
    page = words.in_language(page, say)
    try:
        told = pages.told(page)
    except Refused:
        return Told(page.line.game, pages.game(page, None, say("refused.game_gone"), say))
    levels = tuple(seat.level for seat in page.line.seats)
    guests = tuple(at for at, seat in enumerate(page.line.seats) if seat.guest)
    match = Match(told.game, Seating(told.game.players, levels), guests, page.match)
    end = result(told.game.view(None), match.places, say).sentence
    shown = frames(told.steps, end, say, match.seating.computers)
    return Told(page.line.game, pages.game(page, told, "", say), match, pages.lucky(page.line, told, say), shown)


def game(context: KioskContext, under: Scene, told: Told, now: float) -> Scene:
    say, page, match = context.say, told.page, told.match
    mark = partial(emblem, told.game)

    def entries() -> list[Entry]:
        luck = Row(say("records.luck"), lit=bool(match))
        return [
            Entry(Row(say("records.screen.replay"), lit=bool(match)), lambda _: Replay(context, told.frames, listing)),
            Entry(
                luck,
                lambda _: page_of(context, listing, mark, (luck.label, told.luck), note=say("records.screen.middle")),
            ),
            Entry(
                Row(say("review.open"), lit=match is not None and reviewable(match)),
                lambda _: Reviewing(context, match, listing) if match else None,
            ),
            Entry(Row(say("cap.back")), lambda _: under),
        ]

    def aside(canvas: Canvas, rect: Rect) -> None:
        records.panel(canvas, rect, page.blocks[:-1] if match else page.blocks, say)  # the last block has its own page

    heading = Heading(page.title, page.detail, mark=mark)
    listing = Listing(context, lambda: heading, entries, lambda _: under, overlay=True, aside=aside, beside=BESIDE)
    return listing


def _with_short_names(line: GameLine) -> GameLine:
    """Shortens very long names for use in a sentence."""
    short = {seat: f"{seat.name[: SHORT - 1].rstrip(' ,.-')}…" for seat in line.seats if len(seat.name) > SHORT}
    return replace(line, seats=tuple(replace(seat, name=short.get(seat, seat.name)) for seat in line.seats))


def games_played(context: KioskContext, under: Scene, now: float, player: str | None = None) -> Scene:
    return reading(context, partial(read.games, player=player), partial(_listed, context, under, player), under, now)


def _listed(context: KioskContext, under: Scene, player: str | None, page: GameList, now: float) -> Scene:
    found: list[Entry] = []  # each entry is created only once, because there can be many
    after: int | None = None  # where the next portion starts; None if that portion has been requested or does not exist

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
        return Heading(player or words.games(page.total, context.say), mark=partial(avatar, player) if player else None)

    add(page)
    listing = Listing(context, heading, entries, lambda _: under, height=ROOMY, overlay=True)
    return listing


def _row(line: GameLine, context: KioskContext) -> Row:
    row = pages.game_row(_with_short_names(line), context.say, MOST_NAMES)
    return Row(row.label, "\n".join(row.figures), row.detail, partial(emblem, line.game))
