"""Which game: each with its picture, its rules in a line, for how many, and how long it takes."""

from table.kiosk.desk import Desk
from table.kiosk.lists import Row
from table.kiosk.pieces import emblem
from table.kiosk.scenes import Scene
from table.kiosk.scenes.attract import Attract
from table.kiosk.scenes.listing import Entry, Heading, Listing
from table.kiosk.scenes.players import Players
from table.party import usual
from table.rules import GAMES
from table.rules.vocabulary import Game


def games(desk: Desk) -> Scene:
    def entry(game: Game) -> Entry:
        say = desk.say
        seats = say("choose.seats", least=game.seats[0], most=game.seats[1])
        minutes = say("choose.minutes", minutes=say(f"game.{game.id}.minutes"))
        row = Row(
            say(f"game.{game.id}.name"),
            f"{seats}\n{minutes}",
            say(f"game.{game.id}.summary"),
            lambda size: emblem(game.id, size),
        )
        return Entry(row, lambda _: Players(desk, usual(desk.last, game, desk.say)))

    def entries() -> list[Entry]:
        found = [entry(game) for game in GAMES.values()]
        if desk.unfinished:
            found.append(Entry(Row(desk.say("go_on.title")), take_up))
        return found

    def take_up(_: float) -> Scene:
        from table.kiosk.scenes.go_on import go_on

        return go_on(desk)

    return Listing(desk, lambda: Heading(desk.say("choose.title")), entries, lambda now: Attract(desk, now), height=64)
