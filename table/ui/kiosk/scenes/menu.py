"""The table menu, over whatever was there: rules, odds, records, sound and light, leaving, and turning the table off.

Its one rule: nothing that loses a game happens without a second press.
"""

from collections.abc import Callable

from table.ui.kiosk.context import Desk
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.calibration import Calibration
from table.ui.kiosk.scenes.game import to_match
from table.ui.kiosk.scenes.hotspot import OwnWifi
from table.ui.kiosk.scenes.join import Join
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.odds import odds
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.scenes.pairing import pairing
from table.ui.kiosk.scenes.pin import Pin, guarded
from table.ui.kiosk.scenes.records import records
from table.ui.kiosk.scenes.replay import Replay
from table.ui.kiosk.scenes.review import Reviewing, reviewable
from table.ui.kiosk.scenes.rules import rules
from table.ui.kiosk.scenes.settings import adjustments, settings
from table.ui.kiosk.scenes.waiting import Waiting

OVERLAYS = (Calibration, Join, OwnWifi, Paging, Pin, Replay, Reviewing, Waiting)
"""Screens that lie over others, as the menu does. Lists say so themselves."""


def menu(desk: Desk, under: Scene) -> Scene:
    """The menu over that scene; the scene itself if it lies over another one already, as the menu does."""
    if isinstance(under, OVERLAYS) or (isinstance(under, Listing) and under.overlay):
        return under
    match = desk.hall.match

    def heading() -> Heading:
        game = match.game.id if match else ""
        name = desk.say(f"game.{game}.name") if game else ""
        return Heading(desk.say("menu.title"), name, mark=(lambda size: emblem(game, size)) if game else None)

    def ends(ending: str) -> Callable[[float], Scene]:
        return lambda _: end(desk, ending, listing)

    def entries() -> list[Entry]:
        say = desk.say
        found = [Entry(Row(say("menu.back")), lambda _: under)]
        if match:
            game = match.game.id
            if reviewable(match):
                found.append(Entry(Row(say("review.open")), lambda _: Reviewing(desk, match, under)))
            if match.winners and desk.reader:
                found.append(Entry(Row(say("records.screen.this_game")), lambda now: to_match(desk, match, under, now)))
            found.append(Entry(Row(say("menu.rules")), lambda _: rules(desk, game, listing)))
            found.append(Entry(Row(say("menu.odds")), lambda _: odds(desk, match.referee.view(None), listing)))
            if desk.hall.source == "edice":
                found.append(Entry(Row(say("menu.pairing")), lambda _: pairing(desk, listing)))
            found.append(Entry(Row(say("menu.leave")), lambda _: leave(desk, listing)))
        if desk.port:
            gone = desk.room.gone()
            detail = desk.say("join.gone", count=len(gone)) if gone else desk.room.code
            found.insert(1, Entry(Row(say("menu.phones"), detail), lambda _: Join(desk, listing)))
        if desk.reader:
            found.append(Entry(Row(say("records.title")), lambda _: records(desk, listing)))
        found += adjustments(desk)
        to_settings = guarded(desk, lambda _: settings(desk, listing), listing)
        found.append(Entry(Row(say("menu.settings")), to_settings))
        for ending in ("restart", "shut_down"):
            found.append(Entry(Row(say(f"menu.{ending}")), ends(ending)))
        found.append(Entry(Row(say("menu.exit")), guarded(desk, ends("exit"), listing)))
        return found

    # Its entries are asked for while it is made, and lead back to it later.
    listing: Scene = under
    listing = Listing(desk, heading, entries, lambda _: under, overlay=True)
    return listing


def leave(desk: Desk, under: Scene) -> Scene:
    """Asks whether the game is put aside, or given up for good."""

    def aside(now: float) -> Scene:
        desk.set_aside()
        return Attract(desk, now)

    def entries() -> list[Entry]:
        say = desk.say
        return [
            Entry(Row(say("confirm.stay")), lambda _: under),
            Entry(Row(say("confirm.put_aside")), aside),
            Entry(Row(say("confirm.give_up")), lambda _: give_up(desk, under)),
        ]

    return Listing(desk, lambda: question(desk, "confirm.leave"), entries, lambda _: under, overlay=True)


def give_up(desk: Desk, under: Scene) -> Scene:
    def gone(now: float) -> Scene:
        if desk.hall.match:
            desk.forget_unfinished(desk.hall.match.id)
        desk.hall.leave()
        return Attract(desk, now)

    return confirm(desk, "confirm.give_up_sure", gone, under)


def end(desk: Desk, ending: str, under: Scene) -> Scene:
    def do(now: float) -> Scene:
        if ending == "shut_down" or (ending == "restart" and desk.service):
            return switched(desk, ending, under)
        desk.ending = ending
        return under

    lost = desk.hall.match is not None and desk.keeps_nothing
    return confirm(desk, "confirm.lost" if lost else f"confirm.{ending}", do, under)


def switched(desk: Desk, wish: str, under: Scene) -> Scene:
    """The machine is asked for that; this stands there until it goes dark, or says why it does not."""
    desk.refused = None
    desk.power(wish)

    def heading() -> Heading:
        refused = desk.refused
        said = desk.say(f"power.refused.{wish}", why=refused.why) if refused else desk.say(f"power.{wish}")
        return Heading(desk.say("menu.title"), note=said)

    def entries() -> list[Entry]:
        return [Entry(Row(desk.say("cap.back")), lambda _: under)]

    return Listing(desk, heading, entries, lambda _: under, overlay=True)


def confirm(desk: Desk, asked: str, yes: Callable[[float], Scene], under: Scene) -> Scene:
    """No stands first: whoever presses twice without reading loses nothing."""

    def entries() -> list[Entry]:
        return [Entry(Row(desk.say("confirm.no")), lambda _: under), Entry(Row(desk.say("confirm.yes")), yes)]

    return Listing(desk, lambda: question(desk, asked), entries, lambda _: under, overlay=True)


def question(desk: Desk, key: str) -> Heading:
    """Words above the answers; in the head stands the game that they are about."""
    match = desk.hall.match
    if match is None:
        return Heading(desk.say("menu.title"), note=desk.say(key))
    game = match.game.id
    return Heading(desk.say(f"game.{game}.name"), note=desk.say(key), mark=lambda size: emblem(game, size))
