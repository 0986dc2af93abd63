"""A dice source is gone: try again, or go on with other dice. Nothing is lost meanwhile."""

from functools import partial

from table.devices import SOURCES
from table.ui.kiosk.context import Desk
from table.ui.kiosk.lists import Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing


def trouble(desk: Desk, under: Scene) -> Scene:
    lost = desk.hall.lost
    assert lost is not None

    def heading() -> Heading:
        say = desk.say
        device = say(f"device.{lost.device}")  # of e-dice that are there all the same, more may be wrong
        word = "device.waits" if lost.device == "edice" else "device.lost"
        return Heading(say(word, device=device), note=f"{desk.why(lost)} {say('device.what_now')}")

    def retry(_: float) -> Scene:
        desk.hall.retry()
        return under

    def use(source: str, now: float) -> Scene:
        desk.hall.use(source)
        return under

    def entries() -> list[Entry]:
        others = [source for source in SOURCES if source != lost.device]
        return [
            Entry(Row(desk.say("device.retry")), retry),
            *(Entry(Row(desk.say(f"device.use_{source}")), partial(use, source)) for source in others),
        ]

    return Listing(desk, heading, entries, retry, overlay=True)
