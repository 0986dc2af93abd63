"""The table settings. Each entry shows its value; selecting it changes to the next value."""

from collections.abc import Sequence
from typing import Any

from table.devices import SOURCES
from table.text.catalogue import languages
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.how_read import STREAK
from table.ui.kiosk.lists import Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.calibration import Calibration
from table.ui.kiosk.scenes.hotspot import HotspotScreen
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing, Take, asking

VOLUMES = (10, 25, 40, 55, 70, 85, 100)
BRIGHTNESSES = (100, 85, 70, 55, 40)


def settings(context: KioskContext, under: Scene) -> Scene:
    def entries() -> list[Entry]:
        say, now = context.say, context.settings
        source = context.session.dice.source  # might be a substitute for the configured source
        return [
            *adjustments(context),
            _setting(context, "large_text", _switch(context, now.large_text), (False, True)),
            Entry(
                Row(say("settings.dice"), say(f"source.{source}.name"), say(f"source.{source}.help")),
                lambda _: context.change("source", following(source, list(SOURCES))),
            ),
            *_camera(context, listing),
            *_own_dice(context, listing),
            *_hotspot(context, listing),
            Entry(Row(say("settings.back")), lambda _: under),
        ]

    if context.devices.hotspot:
        context.devices.hotspot.look()
    listing = Listing(context, lambda: Heading(context.say("settings.title")), entries, lambda _: under, overlay=True)
    return listing


def _camera(context: KioskContext, under: Scene) -> list[Entry]:
    """The entry for calibration, if there is a camera."""
    work = context.devices.calibrating
    if work is None:
        return []
    say = context.say
    unheld = ", ".join(say(f"settings.camera_{setting.replace(' ', '_')}") for setting in context.devices.unheld)
    unasked = context.devices.unasked
    row = Row(
        say("settings.camera"),
        say("settings.camera_unasked", count=unasked) if unasked >= STREAK else "",
        say("settings.camera_unheld", what=unheld) if unheld else say("settings.camera_help"),
    )
    return [Entry(row, lambda _: Calibration(context, work(), under))]


def _own_dice(context: KioskContext, under: Scene) -> list[Entry]:
    """The entry to forget how the dice look, if the camera has learned that."""
    own = context.devices.own_dice
    if own is None or not own.count:
        return []

    def forget(_: float) -> Scene:
        own.begin_with(())
        return under

    def heading() -> Heading:
        return Heading(context.say("settings.title"), note=context.say("settings.own_dice_sure"))

    say = context.say
    row = Row(say("settings.own_dice"), say("settings.own_dice_known", count=own.count), say("settings.own_dice_help"))
    answers: dict[str, Take] = {"confirm.no": lambda _: under, "confirm.yes": forget}
    return [Entry(row, lambda _: asking(context, heading, answers, under))]


def _hotspot(context: KioskContext, under: Scene) -> list[Entry]:
    """The entry for the table hotspot, if the machine supports it."""
    hotspot, state = context.devices.hotspot, context.devices.hotspot_state
    if hotspot is None:
        return []
    value = "" if state is None or state.trouble else _switch(context, state.on)
    row = Row(context.say("settings.hotspot"), value, context.say("settings.hotspot_help"))
    return [Entry(row, lambda _: HotspotScreen(context, hotspot, under))]


def adjustments(context: KioskContext) -> list[Entry]:
    """Settings that people want to change during a game."""
    now, say = context.settings, context.say
    return [
        _setting(context, "sound", _switch(context, now.sound), (True, False)),
        _setting(context, "volume", say("value.percent", percent=now.volume), VOLUMES),
        _setting(context, "brightness", say("value.percent", percent=now.brightness), BRIGHTNESSES),
        _setting(context, "language", languages()[now.language], list(languages())),
        _setting(context, "odds", _switch(context, now.odds), (False, True)),
    ]


def _setting(context: KioskContext, name: str, value: str, values: Sequence[Any]) -> Entry:
    def change(_: float) -> None:
        context.change(name, following(getattr(context.settings, name), values))

    return Entry(Row(context.say(f"settings.{name}"), value), change)


def _switch(context: KioskContext, on: bool) -> str:
    return context.say("value.on" if on else "value.off")


def following(value: Any, values: Sequence[Any]) -> Any:
    """The value after this one; the first follows the last. After a number that is not in the list comes the next
    greater number in the list."""
    if value in values:
        return values[(values.index(value) + 1) % len(values)]
    return next((one for one in values if one > value), values[0] if values else value)
