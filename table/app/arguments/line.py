"""The argument parser and its value types. Its one rule: a mistake is reported in one line, which points to
the right command's help."""

import argparse
import re
from typing import Any, NoReturn

from table.config.sections import LANGUAGES
from table.engine.errors import shown

WRONG_USE = 2  # exit status, as in argparse and most shells


class _Help(argparse.HelpFormatter):
    """Wraps text, but leaves indented lines (the examples) as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        lines = [line if line.startswith(" ") or not line else fill(line, width, indent) for line in text.splitlines()]
        return "\n".join(lines)


class WrongUse(Exception):
    """An unknown command or a wrong argument. `prog` is the command that the error is about."""

    def __init__(self, prog: str, sentence: str) -> None:
        super().__init__(sentence)
        self.prog = prog


_TAKES = re.compile(r"argument (\S+): takes")
_CHOICE = re.compile(r"argument (\S+): invalid choice: '(.+)' \(choose from (.+)\)")
_MISSING = re.compile(r"the following arguments are required: (.+)")


class OneLine(argparse.ArgumentParser):
    """An argument parser that raises `WrongUse` instead of printing its usage and exiting."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(formatter_class=_Help, **facts)

    def error(self, message: str) -> NoReturn:
        message = _TAKES.sub(r"\1 takes", message)
        if wrong := _CHOICE.fullmatch(message):
            argument, typed, known = wrong.groups()
            known = known.replace("'", "").replace(", ", " or ")
            what = argument if argument.startswith("-") else "the command"
            message = f"{what} takes {known}, not {shown(typed)}"
        elif missing := _MISSING.fullmatch(message):
            *others, last = missing[1].split(", ")
            message = f"{', '.join(others)} and {last} are missing" if others else f"{last} is missing"
        raise WrongUse(self.prog, f"{message[0].upper()}{message[1:].rstrip('.')}. Try {self.prog} --help.")


def language_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """The language of a command's output. Errors are always in English."""
    help = f"output language: {' or '.join(LANGUAGES)} (default: the config's)"
    parser.add_argument("--language", choices=LANGUAGES, metavar="CODE", default=default, help=help)


def whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, such as 7, not {shown(text)}") from None


def percent(text: str) -> float:
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a percentage, such as 18, not {shown(text)}") from None


def game_number(text: str) -> int:
    """The number of a finished game: a positive integer within SQLite's range."""
    number = whole(text)
    if not 0 < number < 1 << 62:
        raise argparse.ArgumentTypeError(f"takes the number of a game, such as 7, not {shown(text)}")
    return number
