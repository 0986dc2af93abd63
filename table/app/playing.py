"""The commands about games: play, review, arena, odds and referee."""

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from table.app.common import INTERRUPTED, catalogue_of, needs_output, say_line, show
from table.engine.errors import Closed, Refused, did_you_mean, shown

if TYPE_CHECKING:
    from table.analysis.review import Review
    from table.engine.referee import Referee
    from table.text.catalogue import Catalogue

LARGEST = 8 * 1024 * 1024  # characters of a saved game, enough for 300,000 answers


def play(parsed: argparse.Namespace) -> int:
    from table.ui import terminal

    save = Path(parsed.save) if parsed.save else None
    terminal.play(parsed.game, parsed.seat, parsed.option, parsed.seed, save, catalogue_of(parsed))
    return 0


def review(parsed: argparse.Namespace) -> int:
    from table import games
    from table.analysis import review

    needs_output("The review is written to standard output")
    game = games.load(saved_game(parsed.saved))
    seats = seats_to_review(game, parsed.seat, range(len(game.players)))
    if not parsed.json:
        show_reviews(game, seats, parsed.all, catalogue_of(parsed))
        return 0
    for found in reviews(game, seats):
        say_line(json.dumps(review.as_json(game, found)))
    return 0


def seats_to_review(game: "Referee", typed: str | None, mostly: Sequence[int]) -> Sequence[int]:
    """The seats that --seat names, by number or player name. Without --seat, returns `mostly`."""
    if typed is None:
        return mostly
    try:
        seat = int(typed)
    except ValueError:
        named = [at for at, name in enumerate(game.players) if name.casefold() == typed.strip().casefold()]
        if not named:
            near = did_you_mean(typed, game.players)
            raise Refused(f"No one called {shown(typed)} is in that game.{near}") from None
        return named
    if not 0 <= seat < len(game.players):
        raise Refused(f"There is no seat {seat} in that game: its seats are 0 to {len(game.players) - 1}.")
    return [seat]


def show_reviews(game: "Referee", seats: Sequence[int], every: bool, say: "Catalogue", detail: str = "") -> None:
    """Prints the game's name, then each seat's review: with `every`, all decisions, else only the worst mistakes."""
    from table.text import game_texts
    from table.text.records.blocks import Page
    from table.ui.terminal import records

    title = Page(game_texts.name(game.game.id, say), (), detail)
    show(partial(records.show, page=title))
    for found in reviews(game, seats):
        show(partial(records.show_review, game=game, found=found, say=say, every=every))


def reviews(game: "Referee", seats: Sequence[int]) -> "Iterator[Review]":
    """Reviews one seat after the other, with a progress bar."""
    from table.analysis import review
    from table.ui.terminal import figures

    began = time.monotonic()
    try:
        for now in review.reviewing(game, seats):
            if isinstance(now, review.Review):
                figures.wipe_progress()
                yield now
            elif now.judged:
                figures.progress(now.judged, now.count, time.monotonic() - began)
    finally:
        figures.wipe_progress()


def saved_game(name: str) -> object:
    """Reads a saved game from a file, or from standard input if `name` is "-". The game may be wrapped in the
    referee's {"saved": ...} answer or {"load": ...} request."""
    what = "Standard input" if name == "-" else name
    try:
        if name == "-":
            text = sys.stdin.read(LARGEST + 1) if sys.stdin is not None else ""
        else:
            with open(name, encoding="utf-8") as file:
                text = file.read(LARGEST + 1)
        found = json.loads(text) if len(text) <= LARGEST else None
        if isinstance(found, dict) and set(found) in ({"saved"}, {"load"}):
            (found,) = found.values()
        if isinstance(found, dict) and "dicetable" in found:
            return found
    except OSError as why:
        raise Refused(f"{what} cannot be read ({why.strerror}). Give the path of a saved game.") from None
    except (ValueError, RecursionError):
        pass
    raise Refused(f"{what} is not a saved game: dicetable play --save and dicetable records export write saved games.")


def arena(parsed: argparse.Namespace) -> int:
    from table.analysis import arena
    from table.games import bots
    from table.ui.terminal import figures, setup

    needs_output("The result is written to standard output")
    game = setup.find_game(parsed.game)
    options = setup.parse_options(parsed.option, game, arena.seat_names(len(parsed.levels)))
    seed = secrets.randbits(32) if parsed.seed is None else parsed.seed
    contest = arena.contest(game, parsed.levels, options, parsed.games, seed)
    if "perfect" in parsed.levels:
        bots.prepare(game.id)  # if a solved table is missing, this fails now and not halfway through
    workers, began, status = min(arena.cores(), contest.games), time.monotonic(), 0
    won: arena.Tally = Counter()
    try:
        with closing(arena.played(contest, workers)) as playing:
            figures.progress(0, contest.games, 0)
            for won in playing:
                figures.progress(won.total(), contest.games, time.monotonic() - began)
    except KeyboardInterrupt:
        if not won:
            raise
        status = INTERRUPTED
    finally:
        figures.wipe_progress()
    seconds = time.monotonic() - began
    if parsed.json:
        say_line(json.dumps(arena.as_json(contest, won, seconds, workers)))
    else:
        say_line(figures.of_arena(contest, won, seconds, workers))
    return status


def odds(parsed: argparse.Namespace) -> int:
    from table.analysis import sheets
    from table.app.arguments.by_game import given
    from table.ui.terminal import figures, setup

    needs_output("The odds are written to standard output")
    game = setup.find_game(parsed.game).id
    counted_for, found = sheets.sheets(game, given(parsed))
    if parsed.json:
        say_line(json.dumps({"game": game, **counted_for, **sheets.as_json(found)}))
    else:
        say_line(figures.of_odds(game, found))
    return 0


def referee(_: argparse.Namespace) -> int:
    from table.ui.protocol import serve

    if sys.stdin is None or sys.stdout is None:
        raise Closed("The referee needs standard input and standard output, but one of them is closed.")
    if sys.stdin.isatty():
        print('Type one JSON request per line, such as {"games": true}. Ctrl-D ends.', file=sys.stderr)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
