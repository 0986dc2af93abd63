"""The command `dicetable`: what people type, and the only place that knows everything.

Its one rule: whatever is typed gets what it asked for or one clear line and a non-zero exit, never a traceback.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from table import __version__
from table.errors import Closed, Refused, did_you_mean, shown
from table.rules import GAMES

WRONG_USE = 2  # exit statuses, as shells and other commands use them
CLOSED = 1
INTERRUPTED = 130
TERMINATED = 143


class OneLine(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: {message[0].upper()}{message[1:].rstrip('.')}. Try {self.prog} --help.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    # Ends by an exception, so that whoever has the terminal puts it back as it was.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except Refused as why:
        return _complain(str(why), WRONG_USE)
    except Closed as why:
        return _complain(str(why), CLOSED)
    except KeyboardInterrupt:
        return _complain("", INTERRUPTED)
    except BrokenPipeError:
        return CLOSED  # whoever was reading has gone, and knows
    except OSError as why:
        return _complain(f"Reading or writing failed, so it ends here: {why.strerror}.", CLOSED)
    finally:
        _let_go_of_output()


def _complain(sentence: str, status: int) -> int:
    print(f"dicetable: {sentence}" if sentence else "", file=sys.stderr)
    return status


def _let_go_of_output() -> None:
    """What could not be written must not fail once more when Python ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    known = ("play", "referee")
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = ["play", *arguments]
    command = arguments[0]
    if command not in known and not command.startswith("-"):
        hint = f" Did you mean play {command}?" if command in GAMES else did_you_mean(command, known)
        raise Refused(f"There is no command {shown(command)}.{hint} The commands are {', '.join(known)}.")
    parsed = _parser().parse_args(arguments)
    return _referee() if parsed.command == "referee" else _play(parsed)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, such as 7, not {shown(text)}") from None


def _parser() -> argparse.ArgumentParser:
    parser = OneLine(
        prog="dicetable",
        description="A dice table: five dice games against each other, against computers, or mixed.",
        epilog="Without a command it plays. Examples:\n"
        "  dicetable\n"
        "  dicetable play mexico --seat Ann --seat computer\n"
        "  dicetable referee < game.jsonl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dicetable {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    play = commands.add_parser(
        "play",
        help="play a game; what is not said is asked for",
        description="Play a game. What is not said here is asked for.",
        epilog="Examples:\n"
        "  dicetable play\n"
        "  dicetable play bluff --seat Ann --seat Bo --seat computer\n"
        "  dicetable play cheese --seat Ann --option goal=2000 --option cards=true",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    play.add_argument("--terminal", action="store_true", help="in this terminal (the only table there is so far)")
    play.add_argument(
        "--seat", action="append", default=[], metavar="NAME", help="a player; computer or computer:LEVEL plays itself"
    )
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, such as rounds=3"
    )
    play.add_argument("--seed", type=_whole, metavar="N", help="make the dice repeatable")

    commands.add_parser(
        "referee",
        help="the rules engine alone: JSON lines in, JSON lines out",
        description="The rules engine alone. It reads one JSON request a line and answers each until the input ends.",
        epilog="Examples:\n"
        """  echo '{"games": true}' | dicetable referee\n"""
        "The requests are described in docs/protocol.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _referee() -> int:
    from table.protocol import serve

    if sys.stdin is None or sys.stdout is None:
        raise Closed("The referee reads requests from its input and writes to its output, and one of them is closed.")
    if sys.stdin.isatty():
        print('One JSON request a line; Ctrl-D ends. Start with {"games": true}.', file=sys.stderr)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def _play(parsed: argparse.Namespace) -> int:
    from table import terminal

    terminal.play(parsed.game, parsed.seat, parsed.option, parsed.seed)
    return 0
