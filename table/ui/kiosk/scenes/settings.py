"""The settings of the table: each entry shows what it is set to, and taking it goes to the next value."""

from collections.abc import Sequence
from typing import Any

from table.devices import SOURCES
from table.text.catalogue import languages
from table.ui.kiosk.context import Desk
from table.ui.kiosk.lists import Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.calibration import Calibration
from table.ui.kiosk.scenes.hotspot import OwnWifi
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing

VOLUMES = (10, 25, 40, 55, 70, 85, 100)
BRIGHTNESSES = (100, 85, 70, 55, 40)


def settings(desk: Desk, under: Scene) -> Scene:
    def entries() -> list[Entry]:
        say, now = desk.say, desk.settings
        source = desk.hall.source  # another one may stand in for the one that was set
        return [
            *adjustments(desk),
            _setting(desk, "large_text", _switch(desk, now.large_text), (False, True)),
            Entry(
                Row(say("settings.dice"), say(f"source.{source}.name"), say(f"source.{source}.help")),
                lambda _: desk.change("source", following(source, list(SOURCES))),
            ),
            *_camera(desk, listing),
            *_hotspot(desk, listing),
            Entry(Row(say("settings.back")), lambda _: under),
        ]

    if desk.hotspot:
        desk.hotspot.look()
    # Its entries are asked for while it is made, and lead back to it later.
    listing: list[Scene] = []
    listing.append(Listing(desk, lambda: Heading(desk.say("settings.title")), entries, lambda _: under, overlay=True))
    return listing[0]


def _camera(desk: Desk, listing: Sequence[Scene]) -> list[Entry]:
    """The way to its calibration, if there is a camera."""
    work = desk.calibrating
    if work is None:
        return []
    say = desk.say
    unheld = ", ".join(say(f"settings.camera_{setting.replace(' ', '_')}") for setting in desk.unheld)
    row = Row(
        say("settings.camera"),
        "",
        say("settings.camera_unheld", what=unheld) if unheld else say("settings.camera_help"),
    )
    return [Entry(row, lambda _: Calibration(desk, work(), listing[0]))]


def _hotspot(desk: Desk, listing: Sequence[Scene]) -> list[Entry]:
    """The way to the table's own Wi-Fi, if there can be one."""
    hotspot, state = desk.hotspot, desk.hotspot_state
    if hotspot is None:
        return []
    value = "" if state is None or state.trouble else _switch(desk, state.on)
    row = Row(desk.say("settings.hotspot"), value, desk.say("settings.hotspot_help"))
    return [Entry(row, lambda _: OwnWifi(desk, hotspot, listing[0]))]


def adjustments(desk: Desk) -> list[Entry]:
    """What people want to change in the middle of a game."""
    now, say = desk.settings, desk.say
    return [
        _setting(desk, "sound", _switch(desk, now.sound), (True, False)),
        _setting(desk, "volume", say("value.percent", percent=now.volume), VOLUMES),
        _setting(desk, "brightness", say("value.percent", percent=now.brightness), BRIGHTNESSES),
        _setting(desk, "language", languages()[now.language], list(languages())),
        _setting(desk, "odds", _switch(desk, now.odds), (False, True)),
    ]


def _setting(desk: Desk, name: str, value: str, values: Sequence[Any]) -> Entry:
    def change(_: float) -> None:
        desk.change(name, following(getattr(desk.settings, name), values))

    return Entry(Row(desk.say(f"settings.{name}"), value), change)


def _switch(desk: Desk, on: bool) -> str:
    return desk.say("value.on" if on else "value.off")


def following(value: Any, values: Sequence[Any]) -> Any:
    """The value after that one, round to the first; of numbers, the next that is greater."""
    if value in values:
        return values[(values.index(value) + 1) % len(values)]
    return next((one for one in values if one > value), values[0] if values else value)
