"""How a line is parsed. Its one rule: whatever is typed wrongly is one line that points to the help of the command that
was meant."""

import argparse
from typing import Any, NoReturn

from table.config.sections import LANGUAGES
from table.engine.errors import shown

WRONG_USE = 2  # the exit status, as shells and other commands use it


class _Help(argparse.HelpFormatter):
    """Sentences are wrapped; examples, which are indented, stay as they are written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        lines = [line if line.startswith(" ") or not line else fill(line, width, indent) for line in text.splitlines()]
        return "\n".join(lines)


class WrongUse(Exception):
    """What was typed is no command, or none of its options: `prog` is the command that was meant."""

    def __init__(self, prog: str, sentence: str) -> None:
        super().__init__(sentence)
        self.prog = prog


class OneLine(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, for whoever catches them. Examples stay as written."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(formatter_class=_Help, **facts)

    def error(self, message: str) -> NoReturn:
        raise WrongUse(self.prog, f"{message[0].upper()}{message[1:].rstrip('.')}. Try {self.prog} --help.")


def language_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """In which language a command tells what it shows. What it refuses is said in English."""
    help = f"in which language: {' or '.join(LANGUAGES)}, instead of the config's"
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
        raise argparse.ArgumentTypeError(f"takes a number of percent, such as 18, not {shown(text)}") from None


def game_number(text: str) -> int:
    """Of a finished game, as the journal can count it."""
    number = whole(text)
    if not 0 < number < 1 << 62:
        raise argparse.ArgumentTypeError(f"takes the number of a game, such as 7, not {shown(text)}")
    return number
