"""A page of the records as a phone is sent it: in words, with the numbers that its charts are drawn from.

Its one rule: it knows finished games alone. A game that is being played is in no page, so no die of it can be.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeVar

from table.analysis import fairness, luck
from table.analysis.fairness import Verdict
from table.engine.errors import Refused
from table.games import GAMES
from table.session.messages import Player
from table.storage.journal import Forgotten, Renamed
from table.storage.records import games, names, read
from table.storage.records.pages import GamePage, Leader, leaders, verdicts
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import recorded, transcript
from table.ui.phone.replayed import Asked, Json, finished, played, replay, reviewing

TABS = ("board", "players", "games", "dice")
PEOPLE, LINES = 100, 20  # players and games of one answer
GROUPS = 20  # players whose dice are shown, those who threw most

Some = TypeVar("Some")


def question(asked: Asked, say: Catalogue) -> read.Question[Json]:
    """What the reader is asked. An answer with "thinking" is not the last one: ask again for the rest."""
    if asked.page == "review":
        return reviewing(asked, say)
    page = PAGES.get(asked.page)
    if page is None:
        raise Refused("sight.not_offered")
    return lambda connection: page(connection, asked, say)


def change(word: str, name: str, to: str) -> read.Question[Renamed | Forgotten]:
    """The entry by which a player is renamed, merged or forgotten; refused in words that all languages have."""

    def asked(connection: sqlite3.Connection) -> Renamed | Forgotten:
        try:
            match word:
                case "rename_player":
                    return names.renamed(connection, name, to)
                case "merge_player":
                    return names.merged(connection, name, to)
            return names.forgotten(connection, name)
        except Refused:
            raise Refused(f"sight.no_{word}") from None

    return asked


# Players


def _board(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    """The name is the id of a game, or empty for all of them together."""
    if asked.name and asked.name not in GAMES:
        raise Refused("sight.not_offered")
    own = read.players(connection)
    label, everybody = recorded.board(asked.league, own, say)
    board = leaders(everybody, asked.name or None)
    known = {player.name for player in own}
    return {
        **_tabbed(say),
        "label": label,
        "games": [
            {"id": "", "label": say("records.all_games")},
            *({"id": game, "label": game_texts.name(game, say)} for game in GAMES),
        ],
        "most": max((leader.played for leader in board), default=0),
        **_part(board, asked.number, PEOPLE, lambda leader: _leader(leader, leader.name in known, say)),
        "none": say("records.none"),
    }


def _leader(leader: Leader, known: bool, say: Catalogue) -> Json:
    return {
        "place": leader.place,
        "name": leader.name,
        "known": known,  # here: there is more to see of them
        "played": leader.played,
        "won": leader.won,
        "figure": recorded.share(leader.won, leader.played, say),
    }


def _players(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    """Whoever played last comes first."""

    def line(player: Player) -> Json:
        won, count = sum(player.won.values()), sum(player.played.values())
        return {
            "name": player.name,
            "figure": recorded.share(won, count, say) if count else say("records.no_games"),
        }

    return {
        **_tabbed(say),
        **_part(read.players(connection), asked.number, PEOPLE, line),
        "none": say("records.none"),
    }


def _player(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    try:
        page = read.player(connection, asked.name)
    except Refused:
        raise Refused("sight.no_player") from None
    won, count = sum(page.won.values()), sum(page.played.values())
    judged = verdicts(read.dice(connection))
    own = judged.get(("player", page.name))
    return {
        "title": page.name,
        "figure": recorded.share(won, count, say) if count else "",
        "labels": {
            "won": say("records.won"),
            "recent": say("records.last_games"),
            "games": say("records.games"),
            "rivals": say("records.rivals"),
            "moments": say("records.moments"),
        },
        "days": recorded.days(page, say),
        "streak": recorded.streak(page, say),
        "recent": list(page.recent),
        "games": [
            {
                "label": game_texts.name(game, say),
                "played": of_it,
                "won": page.won.get(game, 0),
                "figure": recorded.share(page.won.get(game, 0), of_it, say),
            }
            for game in GAMES
            if (of_it := page.played.get(game, 0))
        ],
        "rivals": [
            {
                "name": met.name,
                "played": met.played,
                "won": met.won,
                "lost": met.lost,
                "figure": recorded.rival(met, say),
                "rest": recorded.rest(met, say),
            }
            for met in page.rivals
        ],
        "moments": [
            {
                "label": game_texts.name(best.game, say),
                "text": recorded.moment(best, say),
                "number": best.number,
            }
            for best in page.moments
        ],
        "faces": [_faces(say("records.dice"), own, len(judged), say)] if own and own.throws else [],
    }


# Games


def _games(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    """Those after that number; with a name, only theirs."""
    found = read.games(connection, player=asked.name or None, after=asked.number or None, most=LINES)
    return {
        **(_tabbed(say) if not asked.name else {"title": asked.name}),
        "label": say("records.games"),
        "total": recorded.number(found.total),
        "lines": [
            {
                "number": line.number,
                "numbered": say("records.number", number=line.number),
                "game": game_texts.name(line.game, say),
                "day": recorded.day(line.ended, say, clock=True),
                "players": recorded.players(line, say),
                "result": recorded.result(line, say),
            }
            for line in found.games
        ],
        "more": found.after or 0,
        "none": say("records.none"),
    }


def _game(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    page = finished(connection, asked)
    line = page.line
    found: Json = {
        "title": game_texts.name(line.game, say),
        "game": line.number,
        "numbered": say("records.number", number=line.number),
        "day": recorded.day(line.ended, say, clock=True),
        "result": recorded.result(line, say),
        "seats": [_seat(page, at, say) for at in range(len(line.seats))],
        "order": list(page.order),
        "options": [],
        "standings": [],
        "luck": [],
        "luck_label": say("records.luck"),
        "reviews": [],
        "replay": False,
        "gone": "",
    }
    try:
        game = played(page)
    except Refused as why:
        return found | {"gone": say(str(why))}
    assert page.saved is not None
    people = [at for at in page.order if line.seats[at].level is None and len(line.seats) > 1]
    return found | {
        "options": transcript.options(page.saved, game.players, say, unusual=True),
        "standings": transcript.standings(games.steps(game)),
        "luck": [_luck(each, recorded.who(line.seats[each.seat], each.seat, say), say) for each in luck.luck(game)],
        "reviews": [
            {"seat": at, "label": say("review.title", name=recorded.name(line.seats[at], at, say))} for at in people
        ],
        "replay": True,
    }


def _seat(page: GamePage, at: int, say: Catalogue) -> Json:
    seat = page.line.seats[at]
    return {
        "name": recorded.who(seat, at, say),
        "player": seat.name if seat.level is None and not seat.guest else "",
        "kind": "computer" if seat.level else "table",
        "figure": recorded.figure(page.line, seat, say),
        "won": seat.won,
    }


def _luck(found: luck.SeatLuck, name: str, say: Catalogue) -> Json:
    return {
        "name": name,
        "text": recorded.luck(found, name, say),
        "throws": recorded.best_throw(found, say),
        "part": round(found.luckier_than, 4) if found.throws else None,
    }


# Dice


def _dice(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Json:
    page = read.dice(connection)
    judged = verdicts(page)
    groups = len(judged)
    sources = [(recorded.source(word, say), judged["source", word]) for word in page.sources]
    players = [(name, judged["player", name]) for name in page.players]
    return {
        **_tabbed(say),
        "trap": recorded.trap(say),
        "groups": [
            {"label": say("records.by_source"), "faces": [_faces(*each, groups, say) for each in sources]},
            {
                "label": say("records.by_player"),
                "faces": [_faces(*each, groups, say) for each in recorded.ordered(players)[:GROUPS]],
            },
        ],
        "none": "" if sources else say("records.none"),
    }


def _faces(label: str, verdict: Verdict, groups: int, say: Catalogue) -> Json:
    """How often each face came up, what that says, and how many throws would say more."""
    thrown = max(1, verdict.throws)
    return {
        "label": label,
        "faces": [
            {
                "share": round(count / thrown, 4),
                "shown": say("value.percent", percent=f"{100 * count / thrown:.1f}"),
                "count": recorded.number(count),
            }
            for count in verdict.counts
        ],
        "band": [round(end, 4) for end in fairness.band(verdict.throws)],
        "level": verdict.level,
        "suspect": verdict.suspect,
        "text": recorded.fair(verdict, say),
        "needed": recorded.needed(verdict.throws, groups, say),
    }


# What they have in common


def _tabbed(say: Catalogue) -> Json:
    return {
        "title": say("records.title"),
        "tabs": [{"page": page, "label": say(f"records.{page}")} for page in TABS],
    }


def _part(every: Sequence[Some], begin: int, most: int, line: Callable[[Some], Json]) -> Json:
    """So many from there on, and where to go on, or 0."""
    begin = max(0, begin)
    end = begin + most
    return {"lines": [line(each) for each in every[begin:end]], "more": end if end < len(every) else 0}


Page = Callable[[sqlite3.Connection, Asked, Catalogue], Json]
PAGES: dict[str, Page] = {
    "board": _board,
    "players": _players,
    "player": _player,
    "games": _games,
    "game": _game,
    "replay": replay,
    "dice": _dice,
}
