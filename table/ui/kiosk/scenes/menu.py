"""The table menu over any scene: rules, odds, records, sound and display, leaving the game, and turning the table off.

Anything that loses a game needs a second press.
"""

from collections.abc import Callable

from table.analysis.odds import has_odds
from table.text import game_texts
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.game import to_match
from table.ui.kiosk.scenes.join import Join
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing, Take, asking
from table.ui.kiosk.scenes.odds import odds
from table.ui.kiosk.scenes.pairing import pairing
from table.ui.kiosk.scenes.pin import guarded
from table.ui.kiosk.scenes.records import records
from table.ui.kiosk.scenes.review import Reviewing, reviewable
from table.ui.kiosk.scenes.rules import rules
from table.ui.kiosk.scenes.settings import adjustments, settings


def menu(context: KioskContext, under: Scene) -> Scene:
    """Returns the menu over the scene, or the scene itself if it is already an overlay."""
    if under.overlay:
        return under
    match = context.session.match

    def heading() -> Heading:
        game = match.game.id if match else ""
        name = game_texts.name(game, context.say) if game else ""
        return Heading(context.say("menu.title"), name, mark=(lambda size: emblem(game, size)) if game else None)

    def ends(ending: str) -> Callable[[float], Scene]:
        return lambda _: end(context, ending, listing)

    def entries() -> list[Entry]:
        say = context.say
        found = [Entry(Row(say("menu.back")), lambda _: under)]
        if match:
            game = match.game.id
            if reviewable(match):
                found.append(Entry(Row(say("review.open")), lambda _: Reviewing(context, match, under)))
            if match.winners and context.storage.reader:
                found.append(
                    Entry(Row(say("records.screen.this_game")), lambda now: to_match(context, match, under, now))
                )
            found.append(Entry(Row(say("menu.rules")), lambda _: rules(context, game, listing)))
            if has_odds(game):
                found.append(Entry(Row(say("menu.odds")), lambda _: odds(context, match.referee.view(None), listing)))
            if pairs := context.session.dice.device.pairing:
                found.append(Entry(Row(say("menu.pairing")), lambda _: pairing(context, pairs, listing)))
            found.append(Entry(Row(say("menu.leave")), lambda _: leave(context, listing)))
        if context.phones:
            gone = context.room.seats.gone()
            detail = context.say("join.gone", count=len(gone)) if gone else context.room.code
            found.insert(1, Entry(Row(say("menu.phones"), detail), lambda _: Join(context, listing)))
        if context.storage.reader:
            found.append(Entry(Row(say("records.title")), lambda _: records(context, listing)))
        found += adjustments(context)
        to_settings = guarded(context, lambda _: settings(context, listing), listing)
        found.append(Entry(Row(say("menu.settings")), to_settings))
        for ending in ("restart", "shut_down"):
            found.append(Entry(Row(say(f"menu.{ending}")), ends(ending)))
        found.append(Entry(Row(say("menu.exit")), guarded(context, ends("exit"), listing)))
        return found

    listing = Listing(context, heading, entries, lambda _: under, overlay=True)
    return listing


def leave(context: KioskContext, under: Scene) -> Scene:
    """Asks whether to set the game aside or to give it up for good."""

    def aside(now: float) -> Scene:
        context.set_aside()
        return Attract(context, now)

    answers: dict[str, Take] = {
        "confirm.stay": lambda _: under,
        "confirm.put_aside": aside,
        "confirm.give_up": lambda _: give_up(context, under),
    }
    return asking(context, lambda: question(context, "confirm.leave"), answers, under)


def give_up(context: KioskContext, under: Scene) -> Scene:
    def gone(now: float) -> Scene:
        if context.session.match:
            context.history.forget(context.session.match.id)
        context.session.leave()
        return Attract(context, now)

    return confirm(context, "confirm.give_up_sure", gone, under)


def end(context: KioskContext, ending: str, under: Scene) -> Scene:
    def do(now: float) -> Scene:
        if ending == "shut_down" or (ending == "restart" and context.run.service):
            return switched(context, ending, under)
        context.run.ending = ending
        return under

    lost = context.session.match is not None and context.storage.loses
    return confirm(context, "confirm.lost" if lost else f"confirm.{ending}", do, under)


def switched(context: KioskContext, wish: str, under: Scene) -> Scene:
    """Asks the machine to restart or shut down, and shows a message until the screen goes dark or the request fails."""
    context.run.refused = None
    context.run.power(wish)

    def heading() -> Heading:
        refused = context.run.refused
        said = context.say(f"power.refused.{wish}", why=refused.why) if refused else context.say(f"power.{wish}")
        return Heading(context.say("menu.title"), note=said)

    return asking(context, heading, {"cap.back": lambda _: under}, under)


def confirm(context: KioskContext, asked: str, yes: Callable[[float], Scene], under: Scene) -> Scene:
    answers: dict[str, Take] = {"confirm.no": lambda _: under, "confirm.yes": yes}
    return asking(context, lambda: question(context, asked), answers, under)


def question(context: KioskContext, key: str) -> Heading:
    """The text above the answers, with the current game in the header."""
    match = context.session.match
    if match is None:
        return Heading(context.say("menu.title"), note=context.say(key))
    game = match.game.id
    return Heading(game_texts.name(game, context.say), note=context.say(key), mark=lambda size: emblem(game, size))
