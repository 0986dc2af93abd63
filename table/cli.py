"""The command `dicetable`: what people type, and the only place that knows everything.

Its one rule: whatever is typed gets what it asked for or one clear line and a non-zero exit, never a traceback.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from table import __version__, places
from table.errors import Closed, Refused, did_you_mean, shown
from table.rules import GAMES

if TYPE_CHECKING:
    from table.config import Config

WRONG_USE = 2  # exit statuses, as shells and other commands use them
CLOSED = 1
INTERRUPTED = 130
TERMINATED = 143


class OneLine(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: {message[0].upper()}{message[1:].rstrip('.')}. Try {self.prog} --help.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    _end_when_told()
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


def _end_when_told() -> None:
    """By an exception, so that whoever has the terminal puts it back as it was."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def _end_at_once() -> None:
    """Until the table listens itself there is nothing to put back, and an exception can get lost in an import."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


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
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = ["table", *arguments]
    command = arguments[0]
    if command not in COMMANDS and not command.startswith("-"):
        hint = f" Did you mean play {command}?" if command in GAMES else did_you_mean(command, COMMANDS)
        raise Refused(f"There is no command {shown(command)}.{hint} The commands are {', '.join(COMMANDS)}.")
    parser, commands = _parsers()
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:  # said by the command that was meant, which tells of its own help
        commands[parsed.command].error(f"unrecognized arguments: {' '.join(map(shown, unknown))}")
    return COMMANDS[parsed.command](parsed)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, such as 7, not {shown(text)}") from None


def _parsers() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Of the whole line, and of each command."""
    parser = OneLine(
        prog="dicetable",
        description="A dice table: five dice games against each other, against computers, or mixed.",
        epilog="Without a command it opens the table on the screen, and takes --window, --config and --simulate\n"
        "as dicetable table does. Examples:\n"
        "  dicetable\n"
        "  dicetable --window 1280x720\n"
        "  dicetable play mexico --seat Ann --seat computer\n"
        "  dicetable referee < game.jsonl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dicetable {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    table = commands.add_parser(
        "table",
        help="the table on the screen: two buttons, touch, mouse or keys (the same as no command)",
        description="The table on the screen, with what the config names or what is found. Without a screen it plays "
        "in the terminal.",
        epilog="Examples:\n  dicetable --window 1280x720\n  dicetable --simulate\n  dicetable --config table.toml",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    demo = commands.add_parser(
        "demo",
        help="computers play all games in turn, for a shop window",
        description="Computers play all games in turn. Nothing of it is kept.",
        epilog="Examples:\n  dicetable demo\n  dicetable demo --window 1280x720\n  dicetable demo --text",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    demo.add_argument("--text", action="store_true", help="one game as text, and the end")
    for opened in (table, demo):
        opened.add_argument("--window", metavar="SIZE", help="in a window of that size, such as 1280x720")
        opened.add_argument("--config", metavar="FILE", help="a TOML file; dicetable config writes one")
    table.add_argument("--simulate", action="store_true", help="with simulated devices only")

    config = commands.add_parser(
        "config",
        help="write a config with every key, its default and why one would change it",
        description="Write a config with every key, its default and why one would change it: to the file, or to the "
        "output if none is named. A file that exists is left as it is.",
        epilog="Examples:\n  dicetable config table.toml\n  dicetable config | less",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    config.add_argument("file", nargs="?", metavar="FILE", help="where to write it")

    play = commands.add_parser(
        "play",
        help="play a game in this terminal; what is not said is asked for",
        description="Play a game in this terminal. What is not said here is asked for.",
        epilog="Examples:\n"
        "  dicetable play\n"
        "  dicetable play bluff --seat Ann --seat Bo --seat computer\n"
        "  dicetable play cheese --seat Ann --option goal=2000 --option cards=true",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    play.add_argument("--terminal", action="store_true", help="in this terminal, where play always is")
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

    read = commands.add_parser(
        "read",
        help="read dice from photos, folders, films or a camera",
        description="Read the dice in photos, in all photos of a folder, in films (each roll that settles) or under a "
        "camera. What is not certain is called unsure, with the reason.",
        epilog="Examples:\n"
        "  dicetable read photo.jpg\n"
        "  dicetable read photos/ --annotate marked/\n"
        "  dicetable read --json --expect 5 *.jpg > dice.jsonl\n"
        "  dicetable read roll.mp4\n"
        "  dicetable read camera:0\n"
        "It ends with 0 if everything was read, 1 if a file could not be. More is in docs/reading.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    read.add_argument("files", nargs="+", metavar="FILE", help="a photo, a folder, a film, or camera:0")
    read.add_argument("--json", action="store_true", help="one line of JSON a photo or settled roll")
    read.add_argument(
        "--annotate", metavar="OUT", help="write pictures with what was read: a folder, or a file for one"
    )
    read.add_argument(
        "--expect", type=_whole, metavar="N", help="how many dice were thrown: any other number is unsure"
    )
    read.add_argument("--calibration", metavar="FILE", help="what dicetable calibrate learnt of a fixed camera")

    calibrate = commands.add_parser(
        "calibrate",
        help="learn a fixed camera over a fixed tray, so that its pictures are read surer and faster",
        description="Learn where a fixed camera's tray is, how it looks when it is empty, and how large dice are in "
        "it, from two or more photos of the empty tray and a few with dice thrown into it.",
        epilog="Example:\n"
        "  dicetable calibrate tray.json --empty empty1.jpg empty2.jpg --dice throw1.jpg throw2.jpg throw3.jpg\n"
        "  dicetable read --calibration tray.json --expect 5 roll.jpg",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    calibrate.add_argument("into", metavar="OUT", help="the file that is written")
    calibrate.add_argument("--empty", nargs="+", required=True, metavar="PHOTO", help="of the empty tray")
    calibrate.add_argument("--dice", nargs="+", required=True, metavar="PHOTO", help="of dice in the tray")

    markers = commands.add_parser(
        "markers",
        help="write a sheet of markers that show a camera where the tray is",
        description="Write a sheet of markers to print and cut out, as PDF and as PNG. Four of them beside the tray's "
        "corners show dicetable calibrate where it is; four more, a strip for kept dice.",
        epilog="Examples:\n  dicetable markers\n  dicetable markers ~/Desktop",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    markers.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to write it (here)")

    watch = commands.add_parser(
        "watch",
        help="watch a camera or a film as the table does, with what is read and why",
        description="Watch a source as the table does, in a window: the dice that are read, the reasons, and how long "
        "each frame takes. S saves a picture for a bug report, V the last five seconds.",
        epilog="Examples:\n"
        "  dicetable watch camera:0\n"
        "  dicetable watch csi --size 1280x720\n"
        "  dicetable watch simulated-camera\n"
        "  dicetable watch video:roll.mp4 --json --expect 5",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    watch.add_argument(
        "source", metavar="SOURCE", help="camera:0, /dev/video0, csi, video:FILE, images:FOLDER or simulated-camera"
    )
    watch.add_argument("--json", action="store_true", help="no window: a line of JSON whenever something changes")
    watch.add_argument("--size", default="1280x720", metavar="SIZE", help="that a camera is asked for (%(default)s)")
    watch.add_argument("--seconds", type=_whole, metavar="N", help="end after so many seconds")
    watch.add_argument("--expect", type=_whole, metavar="N", help="how many dice are thrown")
    watch.add_argument("--calibration", metavar="FILE", help="what dicetable calibrate learnt of a fixed camera")
    return parser, commands.choices


def _table(parsed: argparse.Namespace) -> int:
    """The table on the screen; without one, in the terminal; with neither, a demo as text."""
    _end_at_once()
    config = _config(parsed)
    start = _kiosk()
    try:
        ending = start.play(config, _folder(config), simulate=parsed.simulate)
    except start.NoScreen as why:
        return _without_screen(str(why))
    return _end(ending)


def _demo(parsed: argparse.Namespace) -> int:
    if parsed.text:
        return _text_demo()
    _end_at_once()
    config = _config(parsed)
    start = _kiosk()
    try:
        start.play(config, _folder(config), demo=True)
    except start.NoScreen:
        return _text_demo()
    return 0


def _kiosk() -> ModuleType:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets whoever imports it
    from table.kiosk import start

    return start


def _config(parsed: argparse.Namespace) -> "Config":
    from table import config

    found = config.load(Path(parsed.config) if parsed.config else None)
    if parsed.window:
        found = replace(found, screen=replace(found.screen, window=config.parse_size(parsed.window)))
    return found


def _folder(config: "Config") -> Path:
    return Path(config.journal.folder).expanduser() if config.journal.folder else places.records()


def _without_screen(why: str) -> int:
    _end_when_told()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty():
        from table import terminal

        print(f"There is no screen here ({why}), so the table is in this terminal.", file=sys.stderr)
        terminal.play(None, [], [], None)
        return 0
    print(f"dicetable: There is no screen here ({why}) and no terminal, so computers play a game.", file=sys.stderr)
    return _text_demo()


def _text_demo() -> int:
    from table import terminal

    terminal.demo()
    print("For a table on a screen run dicetable where there is one; in a terminal, dicetable play.")
    return 0


def _end(ending: str) -> int:
    """What was wished for at the table, once everything is closed."""
    if ending == "restart":
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "table", *sys.argv[1:]])
    if ending == "shut_down":
        try:
            subprocess.run(["systemctl", "poweroff"], check=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            raise Refused("This machine could not be shut down from here: shut it down as usual.") from None
    return 0


def _write_config(parsed: argparse.Namespace) -> int:
    from table import config

    if parsed.file is None:
        print(config.commented(), end="")
        return 0
    try:
        with open(parsed.file, "x", encoding="utf-8") as file:
            file.write(config.commented())
    except FileExistsError:
        raise Refused(f"{parsed.file} exists already and was left as it is: name another file.") from None
    except OSError as why:
        raise Refused(f"{parsed.file} cannot be written ({why.strerror}): name another file.") from None
    print(f"Wrote {parsed.file}. Start the table with: dicetable --config {parsed.file}")
    return 0


def _referee(_: argparse.Namespace) -> int:
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


def _reading() -> ModuleType:
    _end_at_once()
    try:
        from vision import command
    except ModuleNotFoundError as why:
        if why.name not in ("cv2", "numpy"):
            raise
        raise Refused("Reading dice needs OpenCV: install it with pip install opencv-python-headless.") from None
    _end_when_told()
    if sys.stdout is None:
        raise Closed("What is read is written to the output, and that is closed.")
    return command


def _read(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        good = command.run(parsed.files, parsed.json, parsed.annotate, parsed.expect, parsed.calibration)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:  # of the reader's own files
        raise Closed(str(why)) from None
    return 0 if good else CLOSED


def _calibrate(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        found = command.learn(parsed.into, parsed.empty, parsed.dice)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:
        raise Closed(str(why)) from None
    print(f"{parsed.into}: a tray seen in {found.size[0]}x{found.size[1]}, with dice {found.side:.0f} pixels wide.")
    return 0


def _markers(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        written = command.write_markers(parsed.folder)
    except ValueError as why:
        raise Refused(str(why)) from None
    print(f"Wrote {' and '.join(written)}: print one of them.")
    return 0


def _watch(parsed: argparse.Namespace) -> int:
    from table.config import parse_size

    size = parse_size(parsed.size, "A camera's picture")
    _reading()
    from vision import watch

    show = None
    if not parsed.json:
        from vision import window

        show = window.show
    try:
        watch.run(parsed.source, _say_line, size, parsed.expect, parsed.calibration, parsed.seconds, show)
    except ValueError as why:
        raise Closed(str(why)) from None
    except FileNotFoundError as why:  # of the reader's own files
        raise Closed(str(why)) from None
    return 0


def _say_line(line: str) -> None:
    print(line, flush=True)  # whoever reads along a pipe waits for each


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "table": _table,
    "demo": _demo,
    "config": _write_config,
    "play": _play,
    "referee": _referee,
    "read": _read,
    "calibrate": _calibrate,
    "markers": _markers,
    "watch": _watch,
}
