"""Replay, export and import of finished games.

Its one rule: hidden hands are revealed only here, and only for games that are over.
"""

import time
import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Over, View
from table.engine.errors import Refused, shown
from table.engine.referee import Referee
from table.games import bots
from table.session.match import News, public
from table.storage.journal.entries import Answered, Began, Entry, finished
from table.storage.records.pages import SOURCES, GamePage

ABOUT = {"match": str, "began": float, "ended": float, "levels": list, "guests": list, "sources": list}
"""Additional data in an exported game, which the records need and the referee ignores."""
GIVEN_BY = (*SOURCES, "confirmed", "corrected", "choice", "computer", "table", "unknown")
"""All sources of answers: sources of dice, the camera's dice confirmed or corrected, people's choices, computers, the
table's draws, unknown."""


def played(page: GamePage) -> Referee:
    """The game in its final state, with the guests' names from the page. Raises Refused if it cannot be replayed."""
    saved = _saved(page)
    game = games.load(saved)
    seats = zip(page.line.seats, game.players, strict=True)
    game.players = tuple(seat.name if seat.guest and seat.name else player for seat, player in seats)
    if not isinstance(game.ask, Over):
        raise Refused(
            f"This game ended under version {saved['rules']} of the rules of {game.game.name}, but not under version "
            f"{game.game.version}, so it cannot be replayed."
        )
    return game


def _saved(page: GamePage) -> Mapping[str, Any]:
    if page.saved is None:
        raise Refused("The moves of this game are no longer kept, to save disk space: only the result is left.")
    return page.saved


def steps(game: Referee) -> list[News]:
    """Each answer with its events, and with the views before and after it, in which all hands are open."""
    if not isinstance(game.ask, Over):
        raise Refused("This game is not over, so its hands stay closed.")
    again = Referee(game.game, game.players, game.options, game.seed)
    before = _open(again)
    found = [News(-1, None, None, public(again.opening), before, before)] if again.opening else []
    for number, (ask, answer) in enumerate(game.history):
        events = again.answer(answer, partial(_open, again))
        after = _open(again)
        found.append(News(number, ask, answer, public(events), before, after))
        before = after
    return found


def _open(game: Referee) -> View:
    """The public view with every seat's own dice in `dice`, and the dice that everybody could see in `shown`. Dice
    under a real cup stay unknown."""
    hands = [game.view(seat)["dice"][seat] for seat in range(len(game.players))]
    public = game.view(None)
    return public | {"dice": hands, "shown": public["dice"]}


def exported(page: GamePage) -> dict[str, Any]:
    """A saved game that the referee can load. It has all the details that another table needs to import it."""
    saved = _saved(page)
    about = {
        "match": page.match,
        "began": page.began,
        "ended": page.line.ended,
        "levels": [seat.level for seat in page.line.seats],
        "guests": [at for at, seat in enumerate(page.line.seats) if seat.guest],
        "sources": list(page.sources),
    }
    return referee.with_about(saved, about)


def taken_in(saved: Any) -> list[Entry]:
    """The entries for importing a finished game. Without "about" data, all players are assumed to be people, and the
    game is assumed to have ended just now."""
    game = games.load(saved)
    if not isinstance(game.ask, Over):
        raise Refused("This game is not over: only finished games can be imported.")
    about = _about(saved.get("about"), game, saved["digest"])
    match = about["match"]
    entries: list[Entry] = [
        Began(
            match=match,
            game=game.game.id,
            rules=saved["rules"],
            # Players who were deleted at the other table stay nameless here.
            players=[
                "" if seat in about["guests"] and not saved["players"][seat] else name
                for seat, name in enumerate(game.players)
            ],
            levels=about["levels"],
            guests=about["guests"],
            options=saved["options"],
            seed=game.seed,
            at=about["began"],
        )
    ]
    for number, (asked, answer) in enumerate(zip(saved["asks"], saved["answers"], strict=True)):
        entries.append(Answered(match, number, asked, answer, about["sources"][number]))
    return [*entries, finished(match, game, about["ended"])]


def _about(about: Any, game: Referee, digest: str) -> Mapping[str, Any]:
    seats, answers, now = len(game.players), len(game.history), time.time()
    if about is None:
        match = uuid.uuid5(uuid.NAMESPACE_OID, digest).hex  # the same id at every import of this game
        sources = ["unknown"] * answers
        return {"match": match, "began": now, "ended": now, "levels": [None] * seats, "guests": [], "sources": sources}
    right = (
        isinstance(about, dict)
        and set(about) == set(ABOUT)
        and all(type(about[key]) is kind for key, kind in ABOUT.items())
        and 0 < len(about["match"]) <= 64
        and about["match"].isascii()
        and about["match"].isprintable()
        and 0 <= about["began"] <= about["ended"] < 1e11
        and len(about["levels"]) == seats
        and all(level is None or type(level) is str for level in about["levels"])
        and all(type(seat) is int and 0 <= seat < seats for seat in about["guests"])
        and len(about["sources"]) == answers
        and all(type(source) is str for source in about["sources"])
    )
    if not right:
        raise Refused('The "about" data of this game is damaged: use another copy.')
    strange = {*about["levels"]} - {None, *bots.levels(game.game.id)} | {*about["sources"]} - {*GIVEN_BY}
    if strange:
        raise Refused(f"This game contains {shown(min(strange))}, unknown to this dicetable: update dicetable.")
    return dict(about)
