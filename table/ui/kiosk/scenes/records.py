"""The records: leaderboard, players, games and dice."""

from collections.abc import Callable
from functools import partial

from pygame import Surface

from table.games import GAMES
from table.storage.records import read
from table.storage.records.pages import DicePage, verdicts
from table.text import game_texts
from table.text.records import blocks, pages
from table.ui.kiosk import dice as drawn_dice
from table.ui.kiosk import frame
from table.ui.kiosk import records as drawn
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.picker import place_in
from table.ui.kiosk.pieces import badge, crown, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.game import games_played
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.naming import known
from table.ui.kiosk.scenes.paging import Paging, page_of
from table.ui.kiosk.scenes.player import to_player
from table.ui.kiosk.scenes.waiting import reading

MOST_LEADERS = 8
MOST_PLAYERS = 12  # maximum number of players on the page about dice; every player's own page shows their dice too

DIE = partial(drawn_dice.die, 5)


def records(context: KioskContext, under: Scene) -> Scene:
    def entries() -> list[Entry]:
        say = context.say

        def row(word: str, mark: Callable[[int], Surface]) -> Row:
            return Row(say(f"records.{word}"), help=say(f"records.screen.{word}_help"), mark=mark)

        return [
            Entry(row("board", crown), lambda _: leaderboard(context, listing)),
            Entry(row("players", partial(badge, "players")), lambda _: people(context, listing)),
            Entry(row("games", partial(badge, "games")), lambda now: games_played(context, listing, now)),
            Entry(row("dice", DIE), lambda now: dice(context, listing, now)),
        ]

    heading = lambda: Heading(context.say("records.title"))  # noqa: E731
    listing = Listing(context, heading, entries, lambda _: under, height=TALL, overlay=True)
    return listing


def people(context: KioskContext, under: Scene) -> Scene:
    """All known players, most recently active first. Each entry opens a player's page."""

    def take(name: str, now: float) -> Scene:
        return to_player(context, name, listing, now)

    def heading() -> Heading:
        note = "" if context.history.players else pages.no_leaders(None, context.say)
        return Heading(context.say("records.players"), note=note)

    listing = Listing(context, heading, lambda: known(context, take, under), lambda _: under, overlay=True)
    return listing


def leaderboard(context: KioskContext, under: Scene) -> Scene:
    """The leaderboard for all games, then for each of them. Roll moves through the games."""
    boards = (None, *GAMES)

    def rows(at: int) -> list[blocks.Row]:
        here = {player.name for player in context.history.players}
        return pages.leader_rows(context.board[1], context.say, boards[at], here)[:MOST_LEADERS]

    def draw(canvas: Canvas, at: int) -> int:
        game, say, found = boards[at], context.say, rows(at)
        detail = game_texts.name(game, say) if game else say("records.all_games")
        room = frame.head(canvas, context.board[0], detail, (partial(emblem, game) if game else crown)(canvas.px(36)))
        block = blocks.Rows(tuple(found)) if found else blocks.Text(pages.no_leaders(game, say))
        drawn.panel(canvas, room, (block,), say)
        return len(boards)

    def touch(spot: str, at: int, now: float) -> Scene | None:
        place, found = place_in("row", spot), rows(at)
        link = found[place].link if place is not None and place < len(found) else None
        return to_player(context, link.name, paging, now) if link else None

    paging = Paging(context, draw, under, "records.screen.next_game", touch)
    return paging


def dice(context: KioskContext, under: Scene, now: float) -> Scene:
    return reading(context, read.dice, partial(all_dice, context, under), under, now)


def all_dice(context: KioskContext, under: Scene, found: DicePage, now: float) -> Scene:
    page = pages.dice(found, verdicts(found), context.say, most=MOST_PLAYERS)
    parts = [(part.title, part.blocks) for part in page.blocks if isinstance(part, blocks.Section)]
    own = [block for block in page.blocks if not isinstance(block, blocks.Section)]
    return page_of(context, under, DIE, *([(page.title, own)] if own else []), *parts)
