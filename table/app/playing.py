"""The commands about games: playing one in the terminal, how it was played, what computers make of it, the referee."""

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

LARGEST = 8 * 1024 * 1024  # characters: a saved game of 300,000 answers


def play(parsed: argparse.Namespace) -> int:
    from table.ui import terminal

    save = Path(parsed.save) if parsed.save else None
    terminal.play(parsed.game, parsed.seat, parsed.option, parsed.seed, save, catalogue_of(parsed))
    return 0


def review(parsed: argparse.Namespace) -> int:
    from table import games
    from table.analysis import review

    needs_output("How it was played would be written to the output")
    game = games.load(saved_game(parsed.saved))
    seats = seats_to_review(game, parsed.seat, range(len(game.players)))
    if not parsed.json:
        show_reviews(game, seats, parsed.all, catalogue_of(parsed))
        return 0
    for found in reviews(game, seats):
        say_line(json.dumps(review.as_json(game, found)))
    return 0


def seats_to_review(game: "Referee", typed: str | None, mostly: Sequence[int]) -> Sequence[int]:
    """The one whose number or name was typed, or those that mostly are of interest."""
    if typed is None:
        return mostly
    try:
        seat = int(typed)
    except ValueError:
        named = [at for at, name in enumerate(game.players) if name.casefold() == typed.strip().casefold()]
        if not named:
            near = did_you_mean(typed, game.players)
            raise Refused(f"Nobody called {shown(typed)} is in that game.{near}") from None
        return named
    if not 0 <= seat < len(game.players):
        raise Refused(f"There is no seat {seat} in that game: the seats are 0 to {len(game.players) - 1}.")
    return [seat]


def show_reviews(game: "Referee", seats: Sequence[int], every: bool, say: "Catalogue", detail: str = "") -> None:
    """Below the name of the game, of one seat after the other; `every` decision, or the dearest slips."""
    from table.text import game_texts
    from table.text.records.blocks import Page
    from table.ui.terminal import records

    title = Page(game_texts.name(game.game.id, say), (), detail)
    show(partial(records.show, page=title))
    for found in reviews(game, seats):
        show(partial(records.show_review, game=game, found=found, say=say, every=every))


def reviews(game: "Referee", seats: Sequence[int]) -> "Iterator[Review]":
    """Of one seat after the other. Each decision takes a moment to judge, so there is a bar for whoever looks."""
    from table.analysis import review
    from table.ui.terminal import figures

    wanted = sum(review.decides(ask, seat) for seat in seats for ask, _ in game.history)
    began, done = time.monotonic(), 0
    for seat in seats:
        found = []
        try:
            for decision in review.decisions(game, seat):
                found.append(decision)
                done += 1
                figures.progress(done, wanted, time.monotonic() - began)
        finally:
            figures.wipe_progress()
        yield review.concluded(game, seat, tuple(found))


def saved_game(name: str) -> object:
    """What a file, or the input, holds: a saved value, or the line that it came in or is loaded by."""
    what = "The input" if name == "-" else name
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
        raise Refused(f"{what} cannot be read ({why.strerror}): name a saved game.") from None
    except (ValueError, RecursionError):
        pass
    raise Refused(f"{what} is no saved game: dicetable play --save and dicetable records export write one.")


def arena(parsed: argparse.Namespace) -> int:
    from table.analysis import arena
    from table.games import bots
    from table.ui.terminal import figures, setup

    needs_output("Who wins would be written to the output")
    game = setup.find_game(parsed.game)
    options = setup.parse_options(parsed.option, game, arena.seat_names(len(parsed.levels)))
    seed = secrets.randbits(32) if parsed.seed is None else parsed.seed
    contest = arena.contest(game, parsed.levels, options, parsed.games, seed)
    if "perfect" in parsed.levels:
        bots.prepare(game.id)  # what is missing is said before anybody plays
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

    needs_output("The chances would be written to the output")
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
        raise Closed("The referee reads requests from its input and writes to its output, and one of them is closed.")
    if sys.stdin.isatty():
        print('One JSON request a line; Ctrl-D ends. Start with {"games": true}.', file=sys.stderr)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
