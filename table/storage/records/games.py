"""A finished game: played again up to any step, with every hand open; exported, and taken in from elsewhere.

Its one rule: hands are opened here and nowhere else, and only of a game that is over.
"""

import time
import uuid
from collections.abc import Mapping
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
"""What the referee does not need of a game, and the records do: beside the game in the same saved value."""
GIVEN_BY = (*SOURCES, "corrected", "choice", "computer", "table", "unknown")
"""Where an answer came from: dice, dice that somebody had to correct, people, computers, a draw; or nobody told."""


def played(page: GamePage) -> Referee:
    """The game as it ended; Refused says why it cannot be played again."""
    saved = _saved(page)
    game = games.load(saved)
    if not isinstance(game.ask, Over):
        raise Refused(
            f"This game was over by version {saved['rules']} of the rules of {game.game.name} and is not by version "
            f"{game.game.version}, so it cannot be played again."
        )
    return game


def _saved(page: GamePage) -> Mapping[str, Any]:
    if page.saved is None:
        raise Refused("How this game went is no longer kept: there was no room for it. Who won it is.")
    return page.saved


def steps(game: Referee) -> list[News]:
    """What happened, an answer after the other, with the table before and after it as it really was."""
    if not isinstance(game.ask, Over):
        raise Refused("This game is not over, so its hands stay closed.")
    again = Referee(game.game, game.players, game.options, game.seed)
    before = _open(again)
    found = [News(-1, None, None, public(again.opening), before, before)] if again.opening else []
    for number, (ask, answer) in enumerate(game.history):
        events = again.answer(answer)
        after = _open(again)
        found.append(News(number, ask, answer, public(events), before, after))
        before = after
    return found


def _open(game: Referee) -> View:
    """The public view, with all dice that their own seats know, and as `shown` those that lay open. What lies under a
    real cup nobody knows."""
    hands = [game.view(seat)["dice"][seat] for seat in range(len(game.players))]
    public = game.view(None)
    return public | {"dice": hands, "shown": public["dice"]}


def exported(page: GamePage) -> dict[str, Any]:
    """A saved value that the referee loads, and that another table takes in as it was played here."""
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
    """The entries of a finished game from elsewhere. With no word about it, all seats are people's and it ended now."""
    game = games.load(saved)
    if not isinstance(game.ask, Over):
        raise Refused("This game is not over: only finished games are taken in.")
    about = _about(saved.get("about"), game, saved["digest"])
    match = about["match"]
    entries: list[Entry] = [
        Began(
            match=match,
            game=game.game.id,
            rules=saved["rules"],
            players=[
                "" if seat in about["guests"] and not saved["players"][seat] else name
                for seat, name in enumerate(game.players)
            ],  # whoever was forgotten there has no name here either
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
        match = uuid.uuid5(uuid.NAMESPACE_OID, digest).hex  # the same game is the same match, however often it comes
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
        raise Refused("What this game says about itself is damaged: use another copy.")
    strange = {*about["levels"]} - {None, *bots.levels(game.game.id)} | {*about["sources"]} - {*GIVEN_BY}
    if strange:
        raise Refused(
            f"This game says {shown(min(strange))}, which this dicetable does not know: is there a newer one?"
        )
    return dict(about)
