"""Pairing of e-dice: select a player and press the button on a set, which then rolls that player's hidden dice."""

from functools import partial

from table.devices import Pairing
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def pairing(context: KioskContext, pairs: Pairing, under: Scene) -> Scene:
    match = context.session.match
    assert match is not None
    people = [match.referee.players[seat] for seat in match.seating.people]

    def heading() -> Heading:
        say, state = context.say, context.devices.states.get(context.session.dice.source)
        note = say("pairing.press", name=pairs.waiting) if pairs.waiting else say("pairing.help")
        return Heading(say("pairing.title"), note=note if state and state.ready else say("pairing.absent"))

    def take(name: str, now: float) -> None:
        if pairs.waiting == name:
            pairs.pair(None)
        elif name in pairs.paired:
            pairs.part(name)
        else:
            pairs.pair(name)

    def back(now: float) -> Scene:
        pairs.pair(None)
        return under

    def entries() -> list[Entry]:
        say, paired = context.say, pairs.paired
        found = []
        for name in people:
            own = say("pairing.own", device=paired[name][-4:].upper()) if name in paired else say("pairing.none")
            row = Row(name, say("pairing.waits") if name == pairs.waiting else own, mark=partial(avatar, name))
            found.append(Entry(row, partial(take, name)))
        return [*found, Entry(Row(say("settings.back")), back)]

    return Listing(context, heading, entries, back, overlay=True)
