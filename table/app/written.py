"""The records as JSON and CSV, for other programs.

Its one rule: the keys never change. Some keys are field names of dataclasses, so these names must not change either.
docs/records.md lists all keys. Times are ISO 8601 in UTC, numbers are not rounded, and a deleted player's name is null.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from table.analysis.fairness import Verdict
from table.analysis.luck import SeatLuck, Throw
from table.engine.referee import event_to_json, to_json
from table.games import GAMES
from table.session.match import News
from table.session.messages import Player
from table.storage.records.pages import DicePage, GameLine, GameList, GamePage, PlayerPage, leaders
from table.text.narration import transcript
from table.text.records.pages import Told
from table.text.records.words import still_needed

Row = Sequence[Any]


def moment(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def overview(known: Sequence[Player], counts: Mapping[str, int], last: GameList) -> dict[str, Any]:
    return {"finished": last.total, "games": dict(counts), **players(known, None), "last": games(last)["games"]}


def players(known: Sequence[Player], game: str | None) -> dict[str, Any]:
    by_name = {player.name: player for player in known}
    board = leaders(known, game)
    return {"players": [asdict(leader) | {"by_game": _by_game(by_name[leader.name])} for leader in board]}


def _by_game(player: Player | PlayerPage) -> dict[str, dict[str, int]]:
    return {game: {"played": played, "won": player.won.get(game, 0)} for game, played in player.played.items()}


def player_rows(known: Sequence[Player], game: str | None) -> Iterable[Row]:
    """One row per player. Unless a game is named, there are columns for each game."""
    by_game = [] if game else list(GAMES)
    yield ["place", "name", "played", "won", *(f"{name}_{word}" for name in by_game for word in ("played", "won"))]
    by_name = {player.name: player for player in known}
    for leader in leaders(known, game):
        player = by_name[leader.name]
        of_each = [counts.get(name, 0) for name in by_game for counts in (player.played, player.won)]
        yield [leader.place, leader.name, leader.played, leader.won, *of_each]


def player(page: PlayerPage, verdict: Verdict | None, judged: int) -> dict[str, Any]:
    return {
        "name": page.name,
        "first": moment(page.first),
        "last": moment(page.last),
        "played": sum(page.played.values()),
        "won": sum(page.won.values()),
        "by_game": _by_game(page),
        "streak": page.streak,
        "longest": page.longest,
        "recent": list(page.recent),
        "rivals": [asdict(rival) for rival in page.rivals],
        "moments": [asdict(best) for best in page.moments],
        "faces": {source: list(counts) for source, counts in page.faces.items()},
        "fairness": None if verdict is None else fair(verdict, judged),
    }


def games(found: GameList) -> dict[str, Any]:
    return {"games": [line(each) for each in found.games], "total": found.total, "after": found.after}


def line(game: GameLine) -> dict[str, Any]:
    seats = [asdict(seat) | {"name": seat.name or None} for seat in game.seats]
    return {"number": game.number, "game": game.game, "ended": moment(game.ended), "kept": game.kept, "seats": seats}


def game_rows(found: GameList) -> Iterable[Row]:
    """One row per seat."""
    yield ["number", "game", "ended", "seat", "name", "level", "guest", "won", "standing"]
    for game in found.games:
        for at, seat in enumerate(game.seats):
            facts = (seat.name, seat.level, int(seat.guest), int(seat.won), seat.standing)
            yield [game.number, game.game, moment(game.ended), at, *facts]


def game(page: GamePage, told: Told | None, why: str) -> dict[str, Any]:
    return {
        **line(page.line),
        "match": page.match,
        "began": moment(page.began),
        "places": [list(seats) for seats in page.places] or None,
        "options": dict(page.saved["options"]) if page.saved is not None else None,
        "standings": transcript.standings(told.steps) if told else None,
        "luck": [_luck(seat) for seat in told.luck] if told else None,
        "why": why or None,
    }


def _luck(seat: SeatLuck) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "rolls": seat.throws,
        "better": seat.better,
        "deviation": seat.deviation,
        "luckier_than": seat.luckier_than,
        "best": _throw(seat.best),
        "worst": _throw(seat.worst),
    }


def _throw(throw: Throw | None) -> dict[str, Any] | None:
    if throw is None:
        return None
    return {"answer": throw.answer, "round": throw.round, "dice": list(throw.dice), "better": throw.better}


def replay(page: GamePage, steps: Sequence[News]) -> dict[str, Any]:
    """Each step, with the state of the table after it: the referee's public view, but with all hands open."""
    return {
        **line(page.line),
        "steps": [
            {
                "answer": None if news.ask is None else to_json(news.ask, news.answer),
                "events": [event_to_json(event) for event in news.events],
                "view": news.after,
            }
            for news in steps
        ],
    }


def dice(page: DicePage, verdicts: Mapping[tuple[str, str], Verdict]) -> dict[str, Any]:
    judged = len(verdicts)
    return {
        "groups": judged,
        "sources": {source: fair(verdicts["source", source], judged) for source in page.sources},
        "players": {name: fair(verdicts["player", name], judged) for name in page.players},
    }


def fair(verdict: Verdict, judged: int) -> dict[str, Any]:
    needed = [{"one_in": one_in, "rolls": left} for one_in, left in still_needed(verdict.throws, judged).items()]
    return {
        "faces": list(verdict.counts),
        "rolls": verdict.throws,
        "level": verdict.level,
        "one_in": verdict.one_in,
        "suspect": verdict.suspect or None,
        "often": verdict.often if verdict.suspect else None,
        "needed": needed,
    }


def dice_rows(page: DicePage, verdicts: Mapping[tuple[str, str], Verdict]) -> Iterable[Row]:
    yield ["by", "name", "ones", "twos", "threes", "fours", "fives", "sixes", "rolls", "level", "one_in"]
    for by, names in (("source", page.sources), ("player", page.players)):
        for name in names:
            verdict = verdicts[by, name]
            yield [by, name, *verdict.counts, verdict.throws, verdict.level, verdict.one_in]


def rows(found: Iterable[Row]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(found)
    return text.getvalue()
