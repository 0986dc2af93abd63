"""The list of games: emblem, summary, number of players and duration."""

from table.engine.asks import Game
from table.games import BROKEN, GAMES
from table.session.lineup import usual
from table.text import game_texts
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.players import Players


def games(context: KioskContext) -> Scene:
    def entry(game: Game) -> Entry:
        say = context.say
        seats, minutes = game_texts.seats(game.id, say), game_texts.minutes(game.id, say)
        row = Row(
            game_texts.name(game.id, say),
            f"{seats}\n{say('choose.minutes', minutes=minutes) if minutes else ''}",
            game_texts.summary(game.id, say),
            lambda size: emblem(game.id, size),
        )
        return Entry(row, lambda _: Players(context, usual(context.history.last, game, context.say)))

    def entries() -> list[Entry]:
        found = [entry(game) for game in GAMES.values()]
        for name, why in BROKEN.items():
            found.append(Entry(Row(name, help=context.say("choose.broken", why=why), lit=False), lambda _: None))
        if context.history.unfinished:
            found.append(Entry(Row(context.say("go_on.title")), take_up))
        return found

    def take_up(_: float) -> Scene:
        from table.ui.kiosk.scenes.go_on import go_on

        return go_on(context)

    return Listing(
        context, lambda: Heading(context.say("choose.title")), entries, lambda now: Attract(context, now), height=64
    )
