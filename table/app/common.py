"""Shared by all commands: exit statuses, printing, loading the config, and handling SIGTERM."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.config import paths
from table.engine.errors import Closed, Refused

if TYPE_CHECKING:
    from table.config import Config
    from table.text.catalogue import Catalogue
    from table.ui.terminal.screen import Screen

CLOSED = 1  # exit statuses, as usual for shells and commands
INTERRUPTED = 130
TERMINATED = 143


def end_when_told() -> None:
    """On SIGTERM, raise an exception, so that the terminal is restored on the way out."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def end_at_once() -> None:
    """On SIGTERM, die immediately. Used while starting: there is nothing to restore yet, and an exception could be
    swallowed by an import."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def config_of(parsed: argparse.Namespace) -> "Config":
    from table import config
    from table.config.values import parse_size

    found = config.load(Path(parsed.config) if getattr(parsed, "config", None) else paths.config())
    if getattr(parsed, "window", None):
        found = replace(found, screen=replace(found.screen, window=parse_size(parsed.window)))
    return found


def folder_of(config: "Config") -> Path:
    return Path(config.journal.folder).expanduser() if config.journal.folder else paths.records()


def catalogue_of(parsed: argparse.Namespace) -> "Catalogue":
    """The texts in the language that --language names, or else the config."""
    from table.text.catalogue import Catalogue

    return Catalogue(parsed.language or config_of(parsed).screen.language)


def say_line(line: str) -> None:
    """Prints a line. Characters that the output's encoding lacks become question marks: the command has already done
    its work, and must not appear to fail."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(line.encode(encoding, "replace").decode(encoding), flush=True)  # a program may read the lines as they arrive


def needs_output(sentence: str) -> None:
    """Raises Closed if there is no standard output. The error message begins with `sentence`, which says what
    the command writes to standard output."""
    if sys.stdout is None:
        raise Closed(f"{sentence}, which is closed.")


def write_new(path: str | Path, text: str) -> None:
    """Writes the file completely or not at all, and never overwrites a file."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                os.unlink(path)
                raise
    except FileExistsError:
        raise Refused(f"{path} already exists and was not changed: name another file.") from None
    except OSError as why:
        raise Refused(f"{path} cannot be written ({why.strerror}): name another file.") from None


def show(draw: "Callable[[Screen], None]") -> None:
    """Prints everything that `draw` draws, in one go. If the reader closes the pipe early (`| head`), this
    causes an ordinary broken pipe, not an error about a closed terminal."""
    from table.ui.terminal.figures import Page
    from table.ui.terminal.screen import Screen

    page = Page()
    draw(Screen(sys.stdin or page, page))
    say_line(page.text)
