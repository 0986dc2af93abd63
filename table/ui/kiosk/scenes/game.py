"""The page of a finished game: who won, the course of the game by round, and links to luck, replay and review.

The result appears immediately. The thread that reads the records replays the game; the rest of the page, or the reason
why the replay failed, is added afterwards.
"""

import sqlite3
from dataclasses import dataclass, replace
from functools import partial

from pygame import Rect

from table.engine.errors import Refused
from table.session.match import Match, Seating
from table.session.messages import Found
from table.storage.records import read
from table.storage.records.pages import GameLine, GamePage
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import result
from table.text.records import pages, words
from table.text.records.blocks import Luck
from table.ui.kiosk import charts
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.charts import Series
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top, grid, inset
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar, crown, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.luck import luck_of_all
from table.ui.kiosk.scenes.replay import Frame, Replay, frames
from table.ui.kiosk.scenes.review import Reviewing, reviewable
from table.ui.kiosk.scenes.waiting import reading
from table.ui.kiosk.style import BRASS, GOLD, INK, INK_SOFT

SHORT = 20  # maximum length of a name in a sentence
BESIDE = 64  # percent of the width for the course of the game


@dataclass(frozen=True)
class Told:
    """Everything that replaying the game reveals."""

    match: Match
    standing: tuple[Series, ...]  # by seat: the standing at the start and after every round
    luck: tuple[Luck, ...]
    frames: tuple[Frame, ...]


def to_game(context: KioskContext, number: int, under: Scene, now: float) -> Scene:
    return reading(
        context, partial(read.game, number=number), partial(game, context, under), under, now, "refused.no_game"
    )


def to_match(context: KioskContext, match: Match, under: Scene, now: float) -> Scene:
    """Opens the page of a game that was just played."""

    def page(connection: sqlite3.Connection) -> GamePage:
        return read.game(connection, read.number_of(connection, match.id))

    return reading(context, page, partial(game, context, under), under, now, "refused.no_game")


def game(context: KioskContext, under: Scene, page: GamePage, now: float) -> Scene:
    told: list[Found] = []
    say = context.say
    page = words.in_language(page, say)
    line = page.line
    context.storage.ask(lambda _: tell(page, say), told.append)

    def entries() -> list[Entry]:
        found: Told | None = told[0].page if told else None
        return [
            Entry(
                Row(say("records.screen.replay"), lit=found is not None),
                lambda _: Replay(context, found.frames, listing) if found else None,
            ),
            Entry(
                Row(say("records.luck"), lit=found is not None),
                lambda _: luck_of_all(context, line, found.luck, listing) if found else None,
            ),
            Entry(
                Row(say("review.open"), lit=found is not None and reviewable(found.match)),
                lambda _: Reviewing(context, found.match, listing) if found else None,
            ),
            Entry(Row(say("cap.back")), lambda _: under),
        ]

    def heading() -> Heading:
        return Heading(game_texts.name(line.game, say), words.numbered(line, say), mark=partial(emblem, line.game))

    def aside(canvas: Canvas, rect: Rect) -> None:
        _draw(canvas, rect, page, told[0] if told else None, say)

    listing = Listing(context, heading, entries, lambda _: under, overlay=True, aside=aside, beside=BESIDE)
    return listing


def with_short_names(line: GameLine) -> GameLine:
    """Shortens very long names for use in a sentence."""
    return replace(line, seats=tuple(replace(seat, name=_short(seat.name)) for seat in line.seats))


def _short(name: str) -> str:
    return name if len(name) <= SHORT else f"{name[: SHORT - 1].rstrip(' ,.-')}…"


def tell(page: GamePage, say: Catalogue) -> Told:
    """Replays the game. Slow, so call it outside the drawing thread. Raises Refused if the game cannot be replayed."""
    try:
        told = pages.told(page)
    except Refused:
        raise Refused("refused.game_gone") from None
    levels = tuple(seat.level for seat in page.line.seats)
    guests = tuple(at for at, seat in enumerate(page.line.seats) if seat.guest)
    stood = pages.standings(page.line, told, say)
    match = Match(told.game, Seating(told.game.players, levels), guests, page.match)
    end = result(told.game.view(None), match.places, say).sentence
    return Told(
        match,
        tuple(map(Series, stood.names, stood.values)),
        pages.lucky(page.line, told, say),
        frames(told.steps, end, say, match.seating.computers),
    )


def _draw(canvas: Canvas, rect: Rect, page: GamePage, told: Found | None, say: Catalogue) -> None:
    line = page.line
    inner = canvas.sunk(rect, 16, 10)
    top, inner = cut_top(inner, canvas.px(38), canvas.px(4))
    canvas.text(words.result(with_short_names(line), say), top, 25, BRASS, "display", "left", lines=2, shrink=0.4)
    across = 2
    down = -(-len(line.seats) // across)
    seats, chart = cut_bottom(inner, canvas.px(30) * down, canvas.px(8))
    for at, cell in zip(page.order, grid(seats, across, down, canvas.px(4)), strict=False):
        _draw_seat(canvas, inset(cell, canvas.px(4), 0), line, at, say)
    if told is None:
        return
    if told.why:
        canvas.text(words.why(told.why, say), chart, 18, INK_SOFT, lines=4)
        return
    charts.line(canvas, chart, told.page.standing, say, first=0)


def _draw_seat(canvas: Canvas, rect: Rect, line: GameLine, at: int, say: Catalogue) -> None:
    seat = line.seats[at]
    face, rest = cut_left(rect, rect.height, canvas.px(6))
    canvas.blit(avatar(seat.name or "?", face.width, seat.level is not None), center=face.center)
    if seat.won:
        canvas.blit(crown(face.width * 3 // 5), center=(face.right - face.width // 6, face.y + face.width // 5))
    row = pages.seat_row(line, at, say)
    figure = "".join(row.figures)
    wide = min(canvas.text_width(figure, 16, "bold"), rest.width // 2)
    value, name = cut_right(rest, wide, canvas.px(6))
    written(canvas, name, row.label, 17, INK, lines=1)
    canvas.text(figure, value, 16, GOLD if seat.won else INK_SOFT, "bold", align="right")
