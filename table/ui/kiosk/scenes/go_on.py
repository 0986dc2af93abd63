"""Unfinished games, set aside by choice or cut off by a power failure: resume one now or later, or discard it."""

import time
from collections.abc import Callable
from functools import partial

from table.engine.errors import Refused
from table.session.messages import Unfinished
from table.text import game_texts, guests, narration
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.games import games
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.menu import confirm
from table.ui.kiosk.scenes.play import Play

MOST_NAMES = 5  # maximum number of names shown per game


def go_on(context: KioskContext, clock: Callable[[], float] = time.time) -> Scene:
    refused: list[str] = []  # why a game could not be resumed

    def heading() -> Heading:
        return Heading(context.say("go_on.title"), note=context.say(refused[-1]) if refused else "")

    def take_up(one: Unfinished, now: float) -> Scene | None:
        try:
            context.session.go_on(one)
        except Refused as why:
            refused.append(str(why) if context.say.has(str(why)) else "go_on.cannot")
            return None
        context.history.forget(one.match)
        context.room.resumed()
        context.name_guests()  # the language may have changed since the game was left
        return Play(context, now)

    def give_up(one: Unfinished) -> Scene:
        context.session.leave(one)
        context.history.forget(one.match)
        return games(context)

    def entries() -> list[Entry]:
        found = []
        for one in context.history.unfinished:
            row = Row(name_of(one), ago(context, clock() - one.at), players(one), partial(emblem, one.saved["game"]))
            found.append(Entry(row, partial(take_up, one)))
        found.append(Entry(Row(context.say("go_on.later")), lambda _: games(context)))
        if context.history.unfinished:
            first = context.history.unfinished[0]
            row = Row(context.say("go_on.give_up"), help=f"{name_of(first)}: {players(first)}")
            found.append(
                Entry(row, lambda _: confirm(context, "confirm.give_up_sure", lambda _: give_up(first), listing))
            )
        return found

    def name_of(one: Unfinished) -> str:
        return game_texts.name(one.saved["game"], context.say)

    def players(one: Unfinished) -> str:
        called = guests.in_language(one.saved["players"], one.guests, context.say)
        names = [narration.name_of({"players": called}, seat) for seat in range(len(called))]
        return context.say.listed(names if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], "…"])

    listing = Listing(context, heading, entries, lambda now: Attract(context, now), height=58)
    return listing


def ago(context: KioskContext, seconds: float) -> str:
    for key, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= length:
            return context.say(f"go_on.{key}", count=int(seconds // length))
    return context.say("go_on.now")
