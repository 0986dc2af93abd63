"""All who are known here, whoever played last first; each leads to their page."""

from table.kiosk.desk import Desk
from table.kiosk.scenes import Scene
from table.kiosk.scenes.listing import Heading, Listing
from table.kiosk.scenes.naming import known
from table.kiosk.scenes.player import to_player


def people(desk: Desk, under: Scene) -> Scene:
    def take(name: str, now: float) -> Scene:
        return to_player(desk, name, listing, now)

    def heading() -> Heading:
        return Heading(desk.say("records.players"), note="" if desk.players else desk.say("records.none"))

    listing = Listing(desk, heading, lambda: known(desk, take, under), lambda _: under, overlay=True)
    return listing
