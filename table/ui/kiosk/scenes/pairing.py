"""Whose e-dice is whose: take a player, press the button of an e-dice, and their hidden dice are thrown with it."""

from functools import partial

from table.ui.kiosk.context import Desk
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def pairing(desk: Desk, under: Scene) -> Scene:
    match = desk.hall.match
    assert match is not None
    people = [match.referee.players[seat] for seat in match.seating.people]

    def heading() -> Heading:
        waiting = desk.edice.pairing
        note = desk.say("pairing.press", name=waiting) if waiting else desk.say("pairing.help")
        return Heading(desk.say("pairing.title"), note=note if desk.edice_state.ready else desk.say("pairing.absent"))

    def take(name: str, now: float) -> None:
        edice = desk.edice
        if edice.pairing == name:
            edice.pair(None)
        elif name in edice.paired:
            edice.part(name)
        else:
            edice.pair(name)

    def back(now: float) -> Scene:
        desk.edice.pair(None)
        return under

    def entries() -> list[Entry]:
        say, paired, waiting = desk.say, desk.edice.paired, desk.edice.pairing
        return [
            *(
                Entry(
                    Row(
                        name,
                        say("pairing.waits")
                        if name == waiting
                        else say("pairing.own", device=paired[name][-4:].upper())
                        if name in paired
                        else say("pairing.none"),
                        mark=partial(avatar, name),
                    ),
                    partial(take, name),
                )
                for name in people
            ),
            Entry(Row(say("settings.back")), back),
        ]

    return Listing(desk, heading, entries, back, overlay=True)
