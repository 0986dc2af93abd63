"""Asks what to do when a dice source is gone: try again, or continue with other dice. Nothing is lost while the
question is on the screen."""

from functools import partial

from table.devices import SOURCES
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def trouble(context: KioskContext, under: Scene) -> Scene:
    lost = context.session.dice.lost
    assert lost is not None

    def heading() -> Heading:
        say = context.say
        key, device = f"{lost.device}.{lost.why}", say(f"device.{lost.device}")
        why = say(key) if say.has(key) else say("device.why", why=lost.why)
        several = context.session.dice.devices[lost.device].pairing  # if so, another device might still work
        word = "device.waits" if several else "device.lost"
        return Heading(say(word, device=device), note=f"{why} {say('device.what_now')}")

    def retry(_: float) -> Scene:
        context.session.dice.retry()
        return under

    def use(source: str, now: float) -> Scene:
        context.session.dice.use(source)
        return under

    def entries() -> list[Entry]:
        others = [source for source in SOURCES if source != lost.device]
        return [
            Entry(Row(context.say("device.retry")), retry),
            *(Entry(Row(context.say(f"device.use_{source}")), partial(use, source)) for source in others),
        ]

    return Listing(context, heading, entries, retry, overlay=True)
