"""What the commands share: exit statuses, a line said, the config that a command goes by, and being told to end."""

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

CLOSED = 1  # exit statuses, as shells and other commands use them
INTERRUPTED = 130
TERMINATED = 143


def end_when_told() -> None:
    """By an exception, so that whoever has the terminal puts it back as it was."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def end_at_once() -> None:
    """Until the table listens itself there is nothing to put back, and an exception can get lost in an import."""
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
    """In the language that was asked for, or in the config's."""
    from table.text.catalogue import Catalogue

    return Catalogue(parsed.language or config_of(parsed).screen.language)


def say_line(line: str) -> None:
    """What the output has no letters for is a question mark: by then the thing is done, and must not seem to fail."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(line.encode(encoding, "replace").decode(encoding), flush=True)  # whoever reads along a pipe waits for each


def needs_output(sentence: str) -> None:
    """`sentence` says what would be written to the output."""
    if sys.stdout is None:
        raise Closed(f"{sentence}, and that is closed.")


def write_new(path: str | Path, text: str) -> None:
    """All of it or nothing, and over nothing."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                os.unlink(path)
                raise
    except FileExistsError:
        raise Refused(f"{path} exists already and was left as it is: name another file.") from None
    except OSError as why:
        raise Refused(f"{path} cannot be written ({why.strerror}): name another file.") from None


def show(draw: "Callable[[Screen], None]") -> None:
    """What is drawn, as a whole: so nobody who reads only the head of it is told that a terminal was closed."""
    from table.ui.terminal.figures import Page
    from table.ui.terminal.screen import Screen

    page = Page()
    draw(Screen(sys.stdin or page, page))
    say_line(page.text)
