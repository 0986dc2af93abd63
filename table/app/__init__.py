"""The command `dicetable`, and the only package that imports all the others.

Its one rule: a command either works, or prints one clear line and exits with a non-zero status. It never prints a
traceback.

Each command imports what it needs when it runs, so that `dicetable odds` need not load pygame.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence

from table.app import dice, machine, opening, playing
from table.app.arguments import PAGES, WRONG_USE, WrongUse, parsers
from table.app.common import CLOSED, INTERRUPTED, end_when_told
from table.engine.errors import Closed, Refused, did_you_mean, shown
from table.games import GAMES


def main(arguments: Sequence[str] | None = None) -> int:
    end_when_told()
    typed = sys.argv[1:] if arguments is None else list(arguments)
    complain = _complain_as_json if "--json" in typed else _complain
    try:
        return _run(typed)
    except WrongUse as why:
        return complain(str(why), WRONG_USE, why.prog)
    except Refused as why:
        return complain(str(why), WRONG_USE)
    except Closed as why:
        return complain(str(why), CLOSED)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return CLOSED  # the reader closed the pipe, so an error message would be noise
    except OSError as why:
        return complain(f"Reading or writing failed: {why.strerror}.", CLOSED)
    finally:
        _let_go_of_output()


def _complain(sentence: str, status: int, prog: str = "dicetable") -> int:
    print(f"{prog}: {sentence}", file=sys.stderr)
    return status


def _complain_as_json(sentence: str, status: int, prog: str = "dicetable") -> int:
    """Prints the error as JSON on standard output, where a program expects the result."""
    try:
        if sys.stdout is not None:
            print(json.dumps({"error": sentence}), flush=True)
            return status
    except OSError:  # standard output cannot be written to
        pass
    return _complain(sentence, status, prog)


def _let_go_of_output() -> None:
    """Flushes standard output now, so that a broken pipe does not cause another error when Python exits."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = ["table", *arguments]
    command = arguments[0]
    if command not in COMMANDS and not command.startswith("-"):
        hint = f" Did you mean play {command}?" if command in GAMES else did_you_mean(command, COMMANDS)
        raise Refused(f"There is no command {shown(command)}.{hint} The commands are {', '.join(COMMANDS)}.")
    if command == "records" and len(arguments) > 1 and not arguments[1].startswith("-") and arguments[1] not in PAGES:
        hint = did_you_mean(arguments[1], PAGES)
        raise Refused(f"The records have no page {shown(arguments[1])}.{hint} The pages are {', '.join(PAGES)}.")
    parser, commands = parsers()
    if command in ("odds", "arena"):
        from table.app.arguments import by_game

        by_game.ADD[command](commands[command])
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:  # the subcommand's parser reports this, so that the error points to the subcommand's own --help
        meant = getattr(parsed, "said_by", commands[parsed.command])
        meant.error(f"unrecognized arguments: {' '.join(map(shown, unknown))}")
    return COMMANDS[parsed.command](parsed)


def _records(parsed: argparse.Namespace) -> int:
    from table.app import records

    return records.records(parsed)


def _backup(parsed: argparse.Namespace) -> int:
    from table.app import keeping

    return keeping.backup(parsed)


def _restore(parsed: argparse.Namespace) -> int:
    from table.app import keeping

    return keeping.restore(parsed)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "table": opening.table,
    "demo": opening.demo,
    "config": opening.write_config,
    "play": playing.play,
    "review": playing.review,
    "serve": opening.serve,
    "referee": playing.referee,
    "arena": playing.arena,
    "odds": playing.odds,
    "records": _records,
    "backup": _backup,
    "restore": _restore,
    "read": dice.read,
    "calibrate": dice.calibrate,
    "markers": dice.markers,
    "watch": dice.watch,
    "edice": dice.edice,
    "doctor": machine.doctor,
    "hotspot": machine.hotspot,
    "install": machine.install,
    "update": machine.update,
    "uninstall": machine.uninstall,
}
