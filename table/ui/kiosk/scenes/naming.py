"""Renames a player, merges two players who are the same person, or deletes a player.

Each action is checked before it runs, and people are told what happens to the games. If the operator has set a PIN,
people must enter the PIN first.
"""

import sqlite3
from collections.abc import Callable
from functools import partial

from table.engine.errors import Refused
from table.storage.journal.entries import Forgotten, Renamed
from table.storage.records import names, read
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.lists import Row
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.keyboard import Keyboard
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing, asking
from table.ui.kiosk.scenes.pin import guarded
from table.ui.kiosk.scenes.waiting import reading, refused, writing

Reopen = Callable[[str, float], Scene]
"""Opens the page of the player with that name."""


def known(context: KioskContext, take: Callable[[str, float], Scene], under: Scene, but: str = "") -> list[Entry]:
    """An entry per player, most recently active first, and an entry to go back."""
    say = context.say
    found = [
        Entry(
            Row(one.name, say("many.wins", count=sum(one.won.values())), mark=partial(avatar, one.name)),
            partial(take, one.name),
        )
        for one in context.history.players
        if one.name != but
    ]
    return [*found, Entry(Row(say("cap.back")), lambda _: under)]


def changes(context: KioskContext, name: str, under: Scene, reopen: Reopen, gone: Scene) -> list[Entry]:
    """The entries that change a player. `gone` is the scene to show when the player has been deleted.

    Seated players keep their name until the game is over or left.
    """
    say, lit = context.say, not context.room.seats.plays(name)

    def entry(word: str, then: Callable[[float], Scene]) -> Entry:
        help = say(f"records.screen.{word}_help" if lit else "records.screen.seated")
        return Entry(Row(say(f"records.screen.{word}"), help=help, lit=lit), guarded(context, then, under))

    return [
        entry("rename", lambda _: _rename(context, name, under, reopen)),
        entry("merge", lambda _: _merge(context, name, under, reopen)),
        entry("delete", lambda _: _delete(context, name, under, gone)),
    ]


def _rename(context: KioskContext, name: str, under: Scene, reopen: Reopen) -> Scene:
    def named(new: str, now: float) -> Scene:
        if new == name:
            return under
        for other in {player.name for player in context.history.players} - {name}:
            if other.casefold() == new.casefold():
                return refused(context, context.say("records.screen.taken", name=other), keyboard)
        question = partial(names.renamed, old=name, new=new)
        return reading(context, question, keep, keyboard, now, "refused.no_rename_player")

    def keep(entry: Renamed, now: float) -> Scene:
        return writing(context, entry, lambda now: reopen(entry.new, now), under, now)

    keyboard = Keyboard(context, under, named, context.say("records.screen.rename_title"), name)
    return keyboard


def _merge(context: KioskContext, name: str, under: Scene, reopen: Reopen) -> Scene:
    def chosen(into: str, now: float) -> Scene:
        question = partial(_merged, one=name, into=into)
        return reading(context, question, partial(sure, into), listing, now, "refused.no_merge_player")

    def sure(into: str, entry: Renamed | None, now: float) -> Scene:
        if entry is None:
            return refused(context, context.say("records.screen.met", name=name, other=into), listing)
        yes = lambda now: writing(context, entry, lambda now: reopen(into, now), under, now)  # noqa: E731
        return _asked(context, context.say("records.screen.merge_sure", name=name, other=into), yes, listing)

    heading = lambda: Heading(context.say("records.screen.merge_title"), mark=partial(avatar, name))  # noqa: E731
    listing = Listing(context, heading, lambda: known(context, chosen, under, name), lambda _: under, overlay=True)
    return listing


def _merged(connection: sqlite3.Connection, one: str, into: str) -> Renamed | None:
    """The entry that merges the two players; None if they have played in the same game."""
    try:
        return names.merged(connection, one, into)
    except Refused:
        if {one, into} <= {player.name for player in read.players(connection)}:
            return None
        raise


def _delete(context: KioskContext, name: str, under: Scene, gone: Scene) -> Scene:
    def check(now: float) -> Scene:
        return reading(context, partial(names.forgotten, name=name), keep, under, now, "refused.no_forget_player")

    def keep(entry: Forgotten, now: float) -> Scene:
        return writing(context, entry, lambda _: gone, under, now)

    return _asked(context, context.say("records.screen.delete_sure", name=name), check, under)


def _asked(context: KioskContext, question: str, yes: Callable[[float], Scene], under: Scene) -> Scene:
    heading = Heading(context.say("records.title"), note=question)
    return asking(context, lambda: heading, {"confirm.no": lambda _: under, "confirm.yes": yes}, under)
