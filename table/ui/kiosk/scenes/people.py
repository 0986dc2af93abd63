"""All who are known here, whoever played last first; each leads to their page."""

from table.ui.kiosk.context import Desk
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Heading, Listing
from table.ui.kiosk.scenes.naming import known
from table.ui.kiosk.scenes.player import to_player


def people(desk: Desk, under: Scene) -> Scene:
    def take(name: str, now: float) -> Scene:
        return to_player(desk, name, listing, now)

    def heading() -> Heading:
        return Heading(desk.say("records.players"), note="" if desk.players else desk.say("records.none"))

    listing = Listing(desk, heading, lambda: known(desk, take, under), lambda _: under, overlay=True)
    return listing
