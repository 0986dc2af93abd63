"""Records pages for phones: their blocks as JSON.

Its one rule: it reads finished games only, so a page never contains a running game's hidden dice.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from table.engine.errors import Refused
from table.games import GAMES
from table.storage.journal.entries import Forgotten, Renamed
from table.storage.records import names, read
from table.storage.records.pages import verdicts
from table.text.catalogue import Catalogue
from table.text.records import pages, words
from table.text.records.blocks import Block, Link, Page
from table.ui.phone.replayed import Asked, Json, finished, replay, reviewing

TABS = ("board", "players", "games", "dice")
PEOPLE, LINES = 100, 20  # players and games per page
GROUPS = 20  # maximum number of players whose dice are shown; those with the most rolls are selected


def question(asked: Asked, say: Catalogue) -> read.Question[Json]:
    """The question that the reader of the records has to answer for a page. An answer with "thinking" is not the whole
    page: ask again for the rest."""
    if asked.page == "review":
        page = reviewing(asked, say)
    elif asked.page in PAGES:
        make = PAGES[asked.page]
        page = lambda connection: make(connection, asked, say)  # noqa: E731
    else:
        raise Refused("refused.not_offered")
    return lambda connection: as_json(page(connection))


def change(word: str, name: str, to: str) -> read.Question[Renamed | Forgotten]:
    """The question that the reader of the records has to answer to rename, merge or delete a player. The answer is a
    journal entry; if the change is refused, the reason is a catalogue key."""

    def asked(connection: sqlite3.Connection) -> Renamed | Forgotten:
        try:
            match word:
                case "rename_player":
                    return names.renamed(connection, name, to)
                case "merge_player":
                    return names.merged(connection, name, to)
            return names.forgotten(connection, name)
        except Refused:
            raise Refused(f"refused.no_{word}") from None

    return asked


def as_json(value: Any) -> Any:
    """A page or a part of one. Empty fields are omitted; `is` names the type of a block."""
    if isinstance(value, Link):
        return {"page": value.page, "name": value.name or value.game, "number": value.number, "at": value.at}
    if isinstance(value, tuple):
        return [as_json(each) for each in value]
    if not is_dataclass(value):
        return round(value, 4) if isinstance(value, float) else value
    kind = {"is": type(value).__name__.lower()} if isinstance(value, get_args(Block)) else {}
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return kind | {
        key: as_json(each) for key, each in found.items() if each not in ("", (), None) and each is not False
    }


def _board(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    """`asked.name` is a game's id, or empty for all games."""
    if asked.name and asked.name not in GAMES:
        raise Refused("refused.not_offered")
    own = read.players(connection)
    label, everybody = words.board(asked.league, own, say)
    known = {player.name for player in own}
    return _tabbed(pages.board(label, everybody, say, asked.name or None, known, asked.number, PEOPLE), say)


def _players(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    return _tabbed(pages.players(read.players(connection), say, asked.number, PEOPLE), say)


def _player(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    try:
        page = read.player(connection, asked.name)
    except Refused:
        raise Refused("refused.no_player") from None
    judged = verdicts(read.dice(connection))
    return pages.player(page, judged.get(("player", page.name)), len(judged), say)


def _games(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    """The finished games before number `asked.number`; with `asked.name`, only games of this player."""
    found = read.games(connection, player=asked.name or None, after=asked.number or None, most=LINES)
    page = pages.games(found, say, asked.name, after=asked.number)
    return page if asked.name else _tabbed(page, say)


def _game(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    page = words.in_language(finished(connection, asked), say)
    try:
        return pages.game(page, pages.told(page), "", say)
    except Refused:
        return pages.game(page, None, say("refused.game_gone"), say)


def _dice(connection: sqlite3.Connection, asked: Asked, say: Catalogue) -> Page:
    page = read.dice(connection)
    return _tabbed(pages.dice(page, verdicts(page), say, most=GROUPS), say)


def _tabbed(page: Page, say: Catalogue) -> Page:
    return replace(page, tabs=tuple((say(f"records.{each}"), Link(each)) for each in TABS))


PAGES: dict[str, Callable[[sqlite3.Connection, Asked, Catalogue], Page | Json]] = {
    "board": _board,
    "players": _players,
    "player": _player,
    "games": _games,
    "game": _game,
    "replay": replay,
    "dice": _dice,
}
