"""All who are known here, whoever played last first; each leads to their page."""

from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Heading, Listing
from table.ui.kiosk.scenes.naming import known
from table.ui.kiosk.scenes.player import to_player


def people(context: KioskContext, under: Scene) -> Scene:
    def take(name: str, now: float) -> Scene:
        return to_player(context, name, listing, now)

    def heading() -> Heading:
        note = "" if context.history.players else context.say("records.none")
        return Heading(context.say("records.players"), note=note)

    listing = Listing(context, heading, lambda: known(context, take, under), lambda _: under, overlay=True)
    return listing
