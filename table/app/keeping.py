"""The commands that change, export, import, back up and restore the records.

Its one rule: no data is lost by accident. A change that cannot be undone is confirmed first, existing files are not
overwritten, and each command says in a sentence what it did.
"""

import argparse
import json
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from table.app.common import CLOSED, catalogue_of, config_of, folder_of, say_line, show, write_new
from table.app.playing import saved_game
from table.engine.errors import Refused, did_you_mean, shown
from table.engine.names import clean
from table.storage.journal import files
from table.storage.journal.entries import Entry
from table.storage.journal.trouble import Trouble
from table.storage.records import backup as backups
from table.storage.records import games, names, read
from table.storage.records.pages import GamePage
from table.text.narration import transcript
from table.ui.terminal import figures
from table.ui.terminal.screen import Screen

Found = TypeVar("Found")


def folder(parsed: argparse.Namespace) -> Path:
    return folder_of(config_of(parsed))


def asked(where: Path, question: Callable[[sqlite3.Connection], Found]) -> Found:
    """Runs a query on the records in this folder. Read errors become Refused."""
    try:
        with read.opened(where) as file:
            return question(file)
    except Refused:
        raise
    except (sqlite3.Error, OSError, ValueError, zlib.error) as why:
        raise Refused(f"The records in {where} cannot be read ({why}): check your permissions and the disk.") from None


def say_json(value: Any) -> int:
    say_line(json.dumps(value))
    return 0


def known_as(file: sqlite3.Connection, typed: str) -> str:
    """The player's name, ignoring case. Raises Refused if there is no such player, or if several names differ only in
    case."""
    names = [one.name for one in read.players(file)]
    if typed in names:
        return typed
    alike = [name for name in names if name.casefold() == clean(typed).casefold()]
    if not alike:
        raise Refused(f"No one called {shown(typed)} has played here.{did_you_mean(typed, names)}")
    if len(alike) > 1:
        raise Refused(f"{' and '.join(sorted(alike))} have played here: type the name in exactly that case.")
    return alike[0]


def game_page(parsed: argparse.Namespace) -> GamePage:
    return asked(folder(parsed), lambda file: read.game(file, parsed.number))


# Names


def rename(parsed: argparse.Namespace) -> int:
    where = folder(parsed)
    entry = asked(where, lambda file: names.renamed(file, known_as(file, parsed.old), parsed.new))
    _change(where, [entry])
    say_line(f"{entry.old} is now called {entry.new}, in all recorded games.")
    return 0


def merge(parsed: argparse.Namespace) -> int:
    where = folder(parsed)
    entry = asked(where, lambda file: names.merged(file, known_as(file, parsed.name), known_as(file, parsed.into)))
    if not _sure(parsed, f"Merge {entry.old} into {entry.new}, with all games? This cannot be undone."):
        return CLOSED
    _change(where, [entry])
    say_line(f"{entry.old} and {entry.new} are now one player: {entry.new}.")
    return 0


def delete(parsed: argparse.Namespace) -> int:
    where = folder(parsed)
    entry = asked(where, lambda file: names.forgotten(file, known_as(file, parsed.name)))
    if not _sure(parsed, f"Delete {entry.name}? The games stay, without the name. This cannot be undone."):
        return CLOSED
    _change(where, [entry])
    say_line(f"{entry.name} was deleted. The games are still there, without the name.")
    return 0


def _sure(parsed: argparse.Namespace, question: str) -> bool:
    if parsed.yes:
        return True
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stdout.isatty():
        raise Refused("This cannot be undone, and there is no terminal to confirm it: add --yes to do it.")
    if Screen(sys.stdin, sys.stdout).ask(f"{question} (y: yes; Enter: no)").casefold() in ("y", "yes"):
        return True
    say_line("Nothing was changed.")
    return False


def _change(where: Path, entries: Sequence[Entry]) -> None:
    try:
        names.change(where, entries)
    except (sqlite3.Error, OSError) as why:
        raise Refused(f"The records in {where} cannot be changed ({why}): check your permissions.") from None


# Export and import


def export(parsed: argparse.Namespace) -> int:
    page = game_page(parsed)
    text = transcript.text(page, catalogue_of(parsed)) if parsed.text else json.dumps({"load": games.exported(page)})
    if parsed.file not in (None, "-"):
        write_new(Path(parsed.file), f"{text}\n")
        say_line(f"Game {page.line.number} is in {parsed.file}.")
    elif parsed.text:
        show_text(text)
    else:
        say_line(text)
    return 0


def show_text(text: str) -> None:
    """Prints lines of any length: wrapped in a terminal, unchanged in a file or pipe."""

    def draw(screen: Screen) -> None:
        for line in text.split("\n"):
            if screen.watched:
                screen.say(line, indent="    ")
            else:
                screen.line(line)

    show(draw)


def take_in(parsed: argparse.Namespace) -> int:
    where = folder(parsed)
    if not where.is_dir() or files.ours(where) is None:
        _begin(where)
    taken: list[dict[str, Any]] = []
    here: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    began = time.monotonic()
    try:
        for done, name in enumerate(parsed.files):
            if len(parsed.files) > 1:
                figures.progress(done, len(parsed.files), time.monotonic() - began)
            try:
                new, number = _take_in(where, name)
                (taken if new else here).append({"file": name, "number": number})
            except Refused as why:
                refused.append({"file": name, "error": str(why)})
    finally:
        figures.wipe_progress()
    if parsed.json:
        say_json({"taken": taken, "here": here, "refused": refused})
    else:
        _tell_taken_in(parsed.files, taken, here, refused)
    return CLOSED if refused else 0


def _begin(where: Path) -> None:
    """Creates the records in a folder that has none yet."""
    try:
        files.ready(where, files.Brake())
    except (sqlite3.Error, OSError, Trouble) as why:
        raise Refused(f"Records cannot be created in {where} ({why}): check your permissions.") from None


def _take_in(where: Path, name: str) -> tuple[bool, int]:
    """Imports a game. Returns whether the game was new here, and its number. Each game is imported in its own
    transaction, so that a running table never waits for long."""
    entries = games.taken_in(saved_game(name))
    match = entries[0].match  # type: ignore[union-attr]  # the first entry is Began
    number = asked(where, lambda file: _number(file, match))
    if number is None:
        _change(where, entries)
    return number is None, number or asked(where, lambda file: _number(file, match)) or 0


def _number(file: sqlite3.Connection, match: str) -> int | None:
    """The number of a finished game, or None if it is not recorded here. Raises Refused if it is recorded but not
    finished."""
    row = file.execute("SELECT ended IS NULL FROM matches WHERE id = ? AND answers IS NULL", (match,)).fetchone()
    if row:
        here = "is still being played here: finish it, or give it up" if row[0] else "was given up here"
        raise Refused(f"This game {here}.")
    with suppress(Refused):
        return read.number_of(file, match)
    return None


def _tell_taken_in(
    files: Sequence[str],
    taken: Sequence[dict[str, Any]],
    here: Sequence[dict[str, Any]],
    refused: Sequence[dict[str, Any]],
) -> None:
    for each in refused:
        what = "Standard input" if each["file"] == "-" else each["file"]
        told = each["error"] if each["error"].startswith(what) else f"{what}: {each['error']}"
        print(f"dicetable: {told}", file=sys.stderr)
    if len(files) == 1:
        for each in taken:
            say_line(f"{each['file']} was imported as game {each['number']}.")
        for each in here:
            say_line(f"{each['file']} is already here, as game {each['number']}.")
        return
    told = f"{len(taken)} of {len(files)} games were imported"
    told += f", as numbers {taken[0]['number']} to {taken[-1]['number']}." if len(taken) > 1 else "."
    told += f" Already here: {len(here)}." if here else ""
    told += f" Failed: {len(refused)}." if refused else ""
    say_line(told)


# Backups


def backup(parsed: argparse.Namespace) -> int:
    where, into = folder(parsed), _named(parsed.into, parsed.force)
    _check_not_own_file(where, into)
    with figures.busy(f"Writing {into}"):
        size = backups.backup(where, into, parsed.force)
    finished = _finished(into)
    if parsed.json:
        return say_json({"file": str(into), "bytes": size, "finished": finished})
    say_line(f"{into} holds all records: {_games(finished)}, {size / 1e6:.1f} MB.")
    return 0


def restore(parsed: argparse.Namespace) -> int:
    where, source = folder(parsed), Path(parsed.source).expanduser()
    _check_not_own_file(where, source)
    with figures.busy(f"Restoring {source}"):
        before = backups.restore(where, source)
    finished = asked(where, lambda file: read.games(file, most=1).total)
    if parsed.json:
        return say_json({"file": str(source), "finished": finished, "before": str(before) if before else None})
    aside = f" The previous records are in {before}." if before else ""
    say_line(f"Restored {source}: {_games(finished)}.{aside}")
    return 0


def _named(typed: str, force: bool) -> Path:
    """The file to write. If `typed` is a folder, the file is named after today's date, with a number if that name is
    taken."""
    into = Path(typed).expanduser()
    if not into.is_dir():
        missing = into if typed.endswith(("/", os.sep)) else into.parent
        if not missing.is_dir():
            raise Refused(f"There is no folder {missing}: create it, or name another one.")
        return into
    day = time.strftime("dicetable-%Y-%m-%d")
    names = (f"{day}.db" if number == 1 else f"{day}-{number}.db" for number in count(1))
    return next(path for path in (into / name for name in names) if force or not path.exists())


def _check_not_own_file(where: Path, path: Path) -> None:
    """Refuses to write to or restore from the table's own files: the database, its log and index, and its copy."""
    own = files.ours(where.resolve()) if where.is_dir() else None
    if own is None:
        return
    if path.resolve() in (own, files.log_of(own), own.with_name(f"{own.name}-shm"), files.older(own)):
        raise Refused(f"{path} is one of the table's own files: name another file.")


def _finished(path: Path) -> int:
    with closing(files.reading(path, alone=True)) as file:
        return read.games(file, most=1).total


def _games(count: int) -> str:
    return "1 finished game" if count == 1 else f"{count} finished games"
