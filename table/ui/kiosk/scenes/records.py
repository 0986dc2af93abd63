"""The records: leaderboard, players, games and dice."""

from collections.abc import Callable
from functools import partial

from pygame import Surface

from table.text.records.pages import no_leaders
from table.ui.kiosk import dice as drawn_dice
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import TALL, Row
from table.ui.kiosk.pieces import badge, crown
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.dice import dice
from table.ui.kiosk.scenes.games_played import games_played
from table.ui.kiosk.scenes.leaders import leaderboard
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.naming import known
from table.ui.kiosk.scenes.player import to_player


def records(context: KioskContext, under: Scene) -> Scene:
    def entries() -> list[Entry]:
        say = context.say

        def row(word: str, mark: Callable[[int], Surface]) -> Row:
            return Row(say(f"records.{word}"), help=say(f"records.screen.{word}_help"), mark=mark)

        return [
            Entry(row("board", crown), lambda _: leaderboard(context, listing)),
            Entry(row("players", partial(badge, "players")), lambda _: people(context, listing)),
            Entry(row("games", partial(badge, "games")), lambda now: games_played(context, listing, now)),
            Entry(row("dice", partial(drawn_dice.die, 5)), lambda now: dice(context, listing, now)),
        ]

    heading = lambda: Heading(context.say("records.title"))  # noqa: E731
    listing = Listing(context, heading, entries, lambda _: under, height=TALL, overlay=True)
    return listing


def people(context: KioskContext, under: Scene) -> Scene:
    """All known players, most recently active first. Each entry opens a player's page."""

    def take(name: str, now: float) -> Scene:
        return to_player(context, name, listing, now)

    def heading() -> Heading:
        note = "" if context.history.players else no_leaders(None, context.say)
        return Heading(context.say("records.players"), note=note)

    listing = Listing(context, heading, lambda: known(context, take, under), lambda _: under, overlay=True)
    return listing
