"""A dice source is gone: try again, or go on with other dice. Nothing is lost meanwhile."""

from functools import partial

from table.devices import SOURCES
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def trouble(context: KioskContext, under: Scene) -> Scene:
    lost = context.session.lost
    assert lost is not None

    def heading() -> Heading:
        say = context.say
        why = say(f"edice.{lost.why}") if lost.device == "edice" else say("device.why", why=lost.why)
        device = say(f"device.{lost.device}")  # of e-dice that are there all the same, more may be wrong
        word = "device.waits" if lost.device == "edice" else "device.lost"
        return Heading(say(word, device=device), note=f"{why} {say('device.what_now')}")

    def retry(_: float) -> Scene:
        context.session.retry()
        return under

    def use(source: str, now: float) -> Scene:
        context.session.use(source)
        return under

    def entries() -> list[Entry]:
        others = [source for source in SOURCES if source != lost.device]
        return [
            Entry(Row(context.say("device.retry")), retry),
            *(Entry(Row(context.say(f"device.use_{source}")), partial(use, source)) for source in others),
        ]

    return Listing(context, heading, entries, retry, overlay=True)
