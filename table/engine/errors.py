"""Errors whose messages tell people what is wrong, then what to do."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb
from typing import Any


class Refused(ValueError):
    """The request is not possible, and nothing has changed. The message says what would be valid."""


class Unfit(Refused):
    """A game cannot start with these seats or options. `reason` and `facts` say why, for messages in other languages:
    see terminal.unfit in assets/language."""

    def __init__(self, message: str, reason: str, **facts: Any) -> None:
        super().__init__(message)
        self.reason, self.facts = reason, facts


class RuleFailed(Refused):
    """The rules raised an exception, which is a bug in the game. Nothing has changed.

    The message names only the exception's type and place, because the exception's own text could reveal hidden dice."""

    def __init__(self, game: str, package: str, fault: Exception) -> None:
        self.what = type(fault).__name__ + raised_in(fault, package)
        super().__init__(
            f"The rules of {game} failed ({self.what}). Nothing has changed. Please tell the author of the game."
        )


class NoTable(Refused):
    """A computer player cannot play: its table of solved positions is missing or invalid, or another package's code for
    it fails."""


class Closed(Exception):
    """The program cannot continue: an output is closed, a port is in use, or a step failed."""


def raised_in(fault: BaseException, package: str) -> str:
    """Where the package's code raised the exception or called the code that did, worded as the end of a sentence:
    " in rules.py, line 12". Empty if none of the package's code was involved."""
    place = ""
    for frame, line in walk_tb(fault.__traceback__):
        if f"{frame.f_globals.get('__name__')}.".startswith(f"{package}."):
            place = f" in {Path(frame.f_code.co_filename).name}, line {line}"
    return place


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A second sentence that suggests a known word, if one is similar."""
    near = get_close_matches(word[:40], list(known), 1)  # cut, because comparing long words is slow
    return f" Did you mean {near[0]}?" if near else ""


def shown(value: Any) -> str:
    """A value as quoted in a message: JSON, shortened to 60 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"that {type(value).__name__}"
    text = text if len(text) <= 60 else text[:57] + "..."
    return text.encode("utf-8", "replace").decode()  # lone surrogates would break the output
