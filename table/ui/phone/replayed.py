"""One finished game on a phone: a replay with all hands visible, and a review of how someone played.

Its one rule: hidden dice are revealed only by `records.games.steps`, which refuses games that are not over.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from table.analysis import review as analysis
from table.engine.asks import Draw, Over, Roll, View
from table.engine.errors import NoTable, Refused
from table.engine.referee import Referee
from table.session.match import Match, News
from table.session.messages import League
from table.storage.records import games, read
from table.storage.records.pages import GameLine, GamePage, SeatLine
from table.text import game_texts, narration
from table.text.catalogue import Catalogue
from table.text.narration import transcript
from table.text.records.blocks import Page
from table.text.records.review import review
from table.text.records.words import in_language, name
from table.ui.phone import snapshot

STEPS = 24  # steps per answer
SLICE = 0.2  # maximum seconds of a review before other requests get their turn

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A page's request for records, and what is needed to answer the request."""

    page: str
    name: str
    number: int  # if this is the number of a game, 0 means the game just played
    at: int
    match: Match | None = None  # the game just played, if any
    league: League | None = None  # the league, if this table is in one

    @property
    def said(self) -> Json:
        """The fields that identify the request in the answer."""
        return {"page": self.page, "name": self.name, "number": self.number, "at": self.at}


def finished(connection: sqlite3.Connection, asked: Asked) -> GamePage:
    """The requested game. A game that was just played is taken from memory if it is not on disk."""
    just = None if asked.number else asked.match
    try:
        return read.game(connection, read.number_of(connection, just.id) if just else asked.number)
    except Refused:
        if just is None:
            raise Refused("refused.no_game") from None
        return _unwritten(just)


def _unwritten(match: Match) -> GamePage:
    """The match in the records' format. The match is over, so it no longer changes."""
    standing, now = match.referee.table.standing, time.time()
    seats = tuple(
        SeatLine(name, match.seating.levels[at], at in match.guests, at in match.winners, standing[at])
        for at, name in enumerate(match.referee.players)
    )
    line = GameLine(0, match.game.id, now, seats, True)
    return GamePage(line, match.id, now, match.referee.save(), (), (), match.places)


def played(page: GamePage) -> Referee:
    try:
        return games.played(page)
    except Refused:
        raise Refused("refused.game_gone") from None


# Replay


def replay(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    """The page of the replay that contains step `asked.at`, with all hands visible."""
    page = in_language(finished(connection, asked), say)
    game = played(page)
    found = games.steps(game)
    begin = min(max(0, asked.at), len(found) - 1) // STEPS * STEPS
    ended = narration.result(game.view(None), game.ask.places, say) if isinstance(game.ask, Over) else None
    return {
        "title": game_texts.name(page.line.game, say),
        "game": page.line.number,
        "count": len(found),
        "from": begin,
        "steps": [_step(news, page.line.seats, say) for news in found[begin : begin + STEPS]],
        "result": ended.sentence if ended else "",
    }


def _step(news: News, seats: Sequence[SeatLine], say: Catalogue) -> Json:
    view = _lies(news)
    acts = getattr(news.ask, "seat", None)
    laid = []
    for seat in narration.order(view):
        hidden = None in view["shown"][seat]
        one = snapshot.laid(view, seat, say) | {"turn": seat == acts, "here": True}
        one["kind"] = "computer" if seats[seat].level else "table"
        one["marks"] += [say("records.hidden_then")] if hidden else []
        laid.append(one)
    return {
        "round": narration.round_line(view, say),
        "told": transcript.sentences(news, say),
        "seats": laid,
        "facts": snapshot.facts(view, say),
    }


def _lies(news: News) -> View:
    """The table as it was when the rules reported the step's last event. If there is no such event, this is the table
    after the step; dice that were cleared at the end of a round are put back."""
    told = [event.table for event in news.events if event.table]
    if told:
        return told[-1]
    before, after, ask = news.before, news.after, news.ask
    if any(after["dice"]) or ask is None or isinstance(ask, Draw):
        return after
    dice = list(before["dice"])
    if isinstance(ask, Roll):
        dice[ask.seat] = list(news.answer)  # type: ignore[arg-type]  # the ask was a roll
    return before | {"standing": after["standing"], "dice": dice, "shown": dice}


# Review


def reviewing(asked: Asked, say: Catalogue) -> read.Question[Json | Page]:
    """Reviews the game in slices: each call continues where the last one stopped."""
    judging: Iterator[Json | Page] | None = None

    def go_on(connection: sqlite3.Connection) -> Json | Page:
        nonlocal judging
        if judging is None:
            page = in_language(finished(connection, asked), say)
            if not 0 <= asked.at < len(page.line.seats):
                raise Refused("refused.not_offered")
            judging = _judged(page, played(page), asked.at, say)
        return next(judging)

    return go_on


def _judged(page: GamePage, game: Referee, seat: int, say: Catalogue) -> Iterator[Json | Page]:
    seats = {at: name(each, at, say) for at, each in enumerate(page.line.seats) if each.level is None or at == seat}
    head = {"title": say("review.title", name=seats[seat])}
    begun = 0.0
    try:
        for now in analysis.reviewing(game, [seat]):
            if isinstance(now, analysis.Review):
                yield review(now, seats, say, page.line.number, bool(game.opening))
            elif now.judged == 0 or time.monotonic() - begun > SLICE:
                yield head | _thinking(now, say)
                begun = time.monotonic()
    except NoTable:
        raise Refused("refused.no_table") from None


def _thinking(now: analysis.Progress, say: Catalogue) -> Json:
    words = say("review.thinking", number=now.number, count=now.count)
    return {"thinking": words, "part": round(now.number / max(1, now.count), 3)}
