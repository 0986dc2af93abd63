"""The commands of `dicetable records`, which print text, JSON or CSV.

Its one rule: a page is read in one transaction and shown only afterwards, because a table may be running in the same
folder.
"""

import argparse
import sqlite3
import sys
from collections.abc import Callable

from table.analysis import fairness
from table.analysis.review import as_json
from table.app import keeping, playing, written
from table.app.common import catalogue_of, needs_output, show
from table.app.keeping import asked, folder, game_page, known_as, say_json
from table.engine.asks import Over
from table.engine.errors import Refused, did_you_mean, shown
from table.games import GAMES
from table.storage.records import read
from table.storage.records.games import played, steps
from table.storage.records.pages import SOURCES, DicePage, GameList, GamePage, PlayerPage, verdicts
from table.text.narration import transcript
from table.text.records import pages
from table.text.records.blocks import Page
from table.text.records.words import in_language, numbered
from table.ui.terminal import setup
from table.ui.terminal.records import show as show_page
from table.ui.terminal.replay import watch
from table.ui.terminal.screen import Screen

TEXT_ONLY = ("rename", "merge", "delete", "export")
LAST = 5  # the overview lists this many of the latest games
MOST = 10_000  # the most games that a list shows


def records(parsed: argparse.Namespace) -> int:
    needs_output("The records are written to standard output")
    if parsed.json and parsed.csv:
        raise Refused("--json and --csv cannot be combined: choose one.")
    if parsed.page in TEXT_ONLY and (parsed.json or parsed.csv):
        raise Refused(f"{parsed.page} supports neither --json nor --csv: leave it out.")
    if parsed.csv and parsed.page not in ("players", "games", "dice"):
        raise Refused("Only players, games and dice support --csv: use --json for this page.")
    return PAGES[parsed.page](parsed)


def _show(page: Page) -> int:
    show(lambda screen: show_page(screen, page))
    return 0


def _say_rows(text: str) -> int:
    """Prints CSV, always in UTF-8, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
    return 0


def overview(parsed: argparse.Namespace) -> int:
    known, counts, last = asked(
        folder(parsed),
        lambda file: (
            read.players(file),
            {game: read.games(file, game=game, most=1).total for game in GAMES},
            read.games(file, most=LAST),
        ),
    )
    if parsed.json:
        return say_json(written.overview(known, counts, last))
    return _show(pages.overview(known, counts, last, catalogue_of(parsed)))


def players(parsed: argparse.Namespace) -> int:
    game = _game(parsed)
    known = asked(folder(parsed), read.players)
    if parsed.json:
        return say_json(written.players(known, game))
    if parsed.csv:
        return _say_rows(written.rows(written.player_rows(known, game)))
    say = catalogue_of(parsed)
    return _show(pages.board(say("records.board"), known, say, game))


def _game(parsed: argparse.Namespace) -> str | None:
    return None if parsed.game is None else setup.find_game(parsed.game).id


def player(parsed: argparse.Namespace) -> int:
    page, judged = asked(
        folder(parsed),
        lambda file: (read.player(file, known_as(file, parsed.name)), verdicts(read.dice(file))),
    )
    verdict = judged.get(("player", page.name))
    if parsed.json:
        return say_json(written.player(page, verdict, len(judged)))
    return _show(pages.player(page, verdict, len(judged), catalogue_of(parsed)))


def games(parsed: argparse.Namespace) -> int:
    if not 1 <= parsed.most <= MOST:
        raise Refused(f"--most takes a number from 1 to {MOST}, not {parsed.most}.")
    game = _game(parsed)

    def question(file: sqlite3.Connection) -> tuple[str, GameList]:
        name = known_as(file, parsed.player) if parsed.player is not None else None
        return name or "", read.games(file, game, name, parsed.after, parsed.most)

    name, found = asked(folder(parsed), question)
    if parsed.json:
        return say_json(written.games(found))
    if parsed.csv:
        return _say_rows(written.rows(written.game_rows(found)))
    return _show(pages.games(found, catalogue_of(parsed), name, game or "", parsed.after or 0))


def _page(parsed: argparse.Namespace) -> GamePage:
    """The page of one game. People see the guests' names in their own language; programs get them as stored."""
    page = game_page(parsed)
    return page if parsed.json else in_language(page, catalogue_of(parsed))


def game(parsed: argparse.Namespace) -> int:
    page = _page(parsed)
    try:
        told, why = pages.told(page), ""
    except Refused as refused:
        told, why = None, str(refused)
    if parsed.json:
        return say_json(written.game(page, told, why))
    say = catalogue_of(parsed)
    return _show(pages.game(page, told, say("refused.game_gone") if why else "", say))


def replay(parsed: argparse.Namespace) -> int:
    page = _page(parsed)
    game = played(page)
    found = steps(game)
    if parsed.json:
        return say_json(written.replay(page, found))
    assert isinstance(game.ask, Over)
    say = catalogue_of(parsed)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        watch(Screen(sys.stdin, sys.stdout, say), found, game.ask.places, say)
    else:
        keeping.show_text(transcript.text(page, say))
    return 0


def review(parsed: argparse.Namespace) -> int:
    page = _page(parsed)
    game = played(page)
    people = [seat for seat, line in enumerate(page.line.seats) if line.level is None]
    seats = playing.seats_to_review(game, parsed.seat, people)
    if not seats and not parsed.json:
        raise Refused("Only computers played this game: choose one with --seat and its name or number (from 0).")
    if not parsed.json:
        say = catalogue_of(parsed)
        playing.show_reviews(game, seats, parsed.all, say, numbered(page.line, say))
        return 0
    found = [as_json(game, each) for each in playing.reviews(game, seats)]
    return say_json({"number": page.line.number, "game": page.line.game, "reviews": found})


def dice(parsed: argparse.Namespace) -> int:
    if parsed.player is not None and parsed.source is not None:
        raise Refused("--player and --source cannot be combined: a player's dice are shown by source anyway.")
    if parsed.bias is not None and parsed.csv:
        raise Refused("--bias has no CSV form: leave out --csv, or use --json.")

    def question(file: sqlite3.Connection) -> tuple[DicePage, PlayerPage | None]:
        return read.dice(file), read.player(file, known_as(file, parsed.player)) if parsed.player is not None else None

    page, who = asked(folder(parsed), question)
    judged = verdicts(page)
    until = _until_noticed(parsed.bias, len(judged)) if parsed.bias is not None else None
    if who is not None:
        if who.name not in page.players:
            raise Refused(f"{who.name} has not rolled any dice in a finished game yet.")
        page = DicePage({}, {who.name: page.players[who.name]})
    elif parsed.source is not None:
        if parsed.source not in page.sources:
            known = list(dict.fromkeys([*SOURCES, *page.sources]))
            if parsed.source in known:
                raise Refused(f"No dice of the source {parsed.source} were rolled in a finished game yet.")
            near = did_you_mean(parsed.source, known)
            raise Refused(f"There is no source {shown(parsed.source)}.{near} The sources are {', '.join(known)}.")
        page = DicePage({parsed.source: page.sources[parsed.source]}, {})
    if parsed.json:
        bias = {} if until is None else {"bias": {"percent": parsed.bias, "rolls": until}}
        return say_json(written.dice(page, judged) | bias)
    if parsed.csv:
        return _say_rows(written.rows(written.dice_rows(page, judged)))
    by_source = who.faces if who is not None else {}
    return _show(
        pages.dice(page, judged, catalogue_of(parsed), by_source, (parsed.bias, until) if until is not None else None)
    )


def _until_noticed(percent: float, groups: int) -> int:
    """How many rolls it takes to detect a face that comes up in this percentage of rolls."""
    try:
        return fairness.needed(percent / 100 - fairness.EXPECTED, groups)
    except ValueError:
        raise Refused(
            f"--bias is how often a face comes up, in percent: a number from 0 to 100 other than 16.7, which is fair; "
            f"not {percent:g}."
        ) from None


PAGES: dict[str | None, Callable[[argparse.Namespace], int]] = {
    None: overview,
    "players": players,
    "player": player,
    "rename": keeping.rename,
    "merge": keeping.merge,
    "delete": keeping.delete,
    "games": games,
    "game": game,
    "replay": replay,
    "review": review,
    "export": keeping.export,
    "import": keeping.take_in,
    "dice": dice,
}
