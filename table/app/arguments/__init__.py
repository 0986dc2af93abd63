"""The command line of `dicetable`: every command with its options, help and examples.

Its one rule: a mistake on the command line is reported in one line, which points to the right command's help.
"""

import argparse
from collections.abc import Mapping

from table import __version__
from table.app.arguments import records
from table.app.arguments.line import WRONG_USE, OneLine, WrongUse, language_option, whole
from table.app.arguments.records import PAGES
from table.games import GAMES

__all__ = ["PAGES", "WRONG_USE", "WrongUse", "parsers"]


def parsers() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Returns the top-level parser, and the parser of each command by name."""
    parser = OneLine(
        prog="dicetable",
        description="A dice table: five dice games, for people, computer players, or both.",
        epilog="Without a command, dicetable opens the table, with the same options.\n\n"
        "Examples:\n"
        "  dicetable\n"
        "  dicetable --window 1280x720\n"
        "  dicetable play mexico --seat Ann --seat computer\n"
        "  dicetable referee < game.jsonl",
    )
    parser.add_argument("--version", action="version", version=f"dicetable {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    table = commands.add_parser(
        "table",
        help="open the table on the screen: two buttons, touch, mouse or keyboard (the default)",
        description="Open the table on the screen, with the devices that the config names or that are found. "
        "Without a screen, play in the terminal.",
        epilog="Examples:\n  dicetable --window 1280x720\n  dicetable --camera simulated-camera\n"
        "  dicetable --simulate\n  dicetable --config table.toml",
    )
    demo = commands.add_parser(
        "demo",
        help="let computers play all games in turn, for example in a shop window",
        description="Let computers play all games in turn. Nothing is saved.",
        epilog="Examples:\n  dicetable demo\n  dicetable demo --window 1280x720\n  dicetable demo --text",
    )
    demo.add_argument("--text", action="store_true", help="play one game as text, then exit")
    for opened in (table, demo):
        opened.add_argument("--window", metavar="SIZE", help="open a window of this size, such as 1280x720")
        opened.add_argument("--config", metavar="FILE", help="use this TOML file (dicetable config writes one)")
    table.add_argument(
        "--camera",
        metavar="SOURCE",
        help="read real dice from: camera:0, csi, video:FILE, images:FOLDER or simulated-camera",
    )
    table.add_argument(
        "--edice", metavar="PORT", help="use the electronic dice on this port (dicetable edice simulates some)"
    )
    table.add_argument("--simulate", action="store_true", help="use simulated devices only")
    table.add_argument(
        "--service",
        action="store_true",
        help="run as a systemd service on a dedicated machine: Restart then restarts the machine",
    )

    config = commands.add_parser(
        "config",
        help="write a config file with every setting explained",
        description="Write a config with every key, its default and when to change it, to FILE, or to standard output. "
        "An existing file is never overwritten.",
        epilog="Examples:\n  dicetable config table.toml\n  dicetable config | less",
    )
    config.add_argument("file", nargs="?", metavar="FILE", help="the file to write (default: standard output)")

    play = commands.add_parser(
        "play",
        help="play a game in this terminal",
        description="Play a game in this terminal. It asks for everything that the command line does not specify.",
        epilog="Examples:\n"
        "  dicetable play\n"
        "  dicetable play bluff --seat Ann --seat Bo --seat computer\n"
        "  dicetable play cheese --seat Ann --option goal=2000 --option cards=true\n"
        "  dicetable play mexico --seat Ana --seat computer --language es",
    )
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    play.add_argument("--terminal", action="store_true", help=argparse.SUPPRESS)
    play.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME",
        help="add a player; computer or computer:LEVEL adds a computer player",
    )
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set a game option, such as rounds=3"
    )
    play.add_argument("--seed", type=whole, metavar="N", help="make the dice repeatable")
    play.add_argument(
        "--save", metavar="FILE", help="save the finished game in this file, and further games next to it"
    )
    language_option(play)

    review = commands.add_parser(
        "review",
        help="review a saved game: each decision and what it cost, with luck separate from skill",
        description="Review how people played a saved game: each decision, what a perfect player would have done, and "
        "what the difference cost in chance of winning. The effect of the dice and of the other players is shown "
        "separately. Saved games come from dicetable play --save, or from the referee's save request.",
        epilog="Examples:\n"
        "  dicetable play mexico --seat Ann --seat computer --save game.json\n"
        "  dicetable review game.json\n"
        "  dicetable review game.json --seat Ann --json\n"
        "  dicetable review - < game.json",
    )
    review.add_argument("saved", metavar="SAVED", help="a saved game, or - for standard input")
    review.add_argument("--seat", metavar="NAME|N", help="review only this player, or this seat (counted from 0)")
    review.add_argument("--all", action="store_true", help="show every decision, not only the worst mistakes")
    review.add_argument("--json", action="store_true", help="print one JSON object per seat, each on its own line")
    language_option(review)

    serve = commands.add_parser(
        "serve",
        help="run a table without a screen: people open rooms and play on phones and in browsers",
        description="Run a table without a screen. It prints its address: open that on a phone on the same network to "
        "open or join a room. Any browser shows the public table at /table.",
        epilog="Examples:\n  dicetable serve\n  dicetable serve --port 8080\n  dicetable serve --tls\n"
        "  dicetable serve --tls --certificate table.crt --key table.key",
    )
    serve.add_argument("--port", type=whole, metavar="P", help="listen on this port instead of the config's")
    serve.add_argument("--config", metavar="FILE", help="use this TOML file (dicetable config writes one)")
    serve.add_argument("--tls", action="store_true", help="use HTTPS, with a self-signed certificate by default")
    serve.add_argument("--certificate", metavar="FILE", help="for --tls: a PEM certificate with its chain")
    serve.add_argument("--key", metavar="FILE", help="for --tls: the private key of the certificate")

    commands.add_parser(
        "referee",
        help="run only the rules engine: JSON lines in, JSON lines out",
        description="Run only the rules engine. It reads one JSON request per line and answers each, until the input "
        "ends.",
        epilog="Examples:\n"
        """  echo '{"games": true}' | dicetable referee\n\n"""
        "The requests are described in docs/protocol.md.",
    )

    arena = commands.add_parser(
        "arena",
        help="let computers play thousands of games against each other, and see which level is better",
        description="Let computers of these levels play against each other on all cores, and each equally often in "
        "every seat. It prints how often each won, with a confidence interval, and whether the difference is "
        "significant. Ctrl-C stops and prints the result so far.",
    )
    arena.add_argument("--games", type=whole, default=1000, metavar="N", help="number of games (default: %(default)s)")
    arena.add_argument("--seed", type=whole, metavar="S", help="make it repeatable (default: random, and printed)")
    arena.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set a game option, such as rounds=3"
    )
    arena.add_argument("--json", action="store_true", help="print one line of JSON")

    commands.add_parser(
        "odds",
        help="print the exact odds of a game as a table",
        description="Print the exact odds of a game, counted over every possible roll.",
    )

    records.add(commands)

    read = commands.add_parser(
        "read",
        help="read dice from photos, folders, videos or a camera",
        description="Read the dice in photos, in all photos of a folder, in videos (each roll that settles) or from a "
        "camera. Uncertain results are marked as unsure, with the reason.",
        epilog="Examples:\n"
        "  dicetable read photo.jpg\n"
        "  dicetable read photos/ --annotate marked/\n"
        "  dicetable read --json --expect 5 *.jpg > dice.jsonl\n"
        "  dicetable read roll.mp4\n"
        "  dicetable read camera:0\n\n"
        "The exit status is 0 if everything was read, and 1 if a file could not be read. See docs/reading.md.",
    )
    read.add_argument("files", nargs="+", metavar="FILE", help="a photo, a folder, a video, or camera:0")
    read.add_argument("--json", action="store_true", help="print one line of JSON per photo or settled roll")
    read.add_argument(
        "--annotate",
        metavar="OUT",
        help="write pictures that show the result: to a folder, or to a file for a single picture",
    )
    read.add_argument(
        "--expect",
        type=whole,
        metavar="N",
        help="how many dice were rolled; if any other number is found, the result is unsure",
    )
    read.add_argument("--calibration", metavar="FILE", help="a file from dicetable calibrate, for a fixed camera")

    calibrate = commands.add_parser(
        "calibrate",
        help="calibrate a fixed camera and tray, for faster and more reliable reading",
        description="Learn where the tray is in a fixed camera's picture, how it looks when it is empty, and how large "
        "dice are in it. This takes two or more photos of the empty tray and a few of dice rolled into it.",
        epilog="Examples:\n"
        "  dicetable calibrate tray.json --empty empty1.jpg empty2.jpg --dice dice1.jpg dice2.jpg dice3.jpg\n"
        "  dicetable read --calibration tray.json --expect 5 roll.jpg",
    )
    calibrate.add_argument("into", metavar="OUT", help="the calibration file to write")
    calibrate.add_argument("--empty", nargs="+", required=True, metavar="PHOTO", help="photos of the empty tray")
    calibrate.add_argument("--dice", nargs="+", required=True, metavar="PHOTO", help="photos of dice in the tray")

    markers = commands.add_parser(
        "markers",
        help="write a sheet of markers to print, which show the camera where the tray is",
        description="Write a sheet of markers to print and cut out, as PDF and PNG. Four markers at the tray's corners "
        "show dicetable calibrate where it is; four more can mark a strip for kept dice.",
        epilog="Examples:\n  dicetable markers\n  dicetable markers ~/Desktop",
    )
    markers.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to write it (default: here)")

    watch = commands.add_parser(
        "watch",
        help="show live what the table reads from a camera or a video, and why",
        description="Show in a window what the table sees: the dice that it reads, the reasons, and the time per "
        "frame. S saves a picture for a bug report, V saves the last five seconds.",
        epilog="Examples:\n"
        "  dicetable watch camera:0\n"
        "  dicetable watch csi --size 1280x720\n"
        "  dicetable watch simulated-camera\n"
        "  dicetable watch video:roll.mp4 --json --expect 5",
    )
    watch.add_argument(
        "source", metavar="SOURCE", help="camera:0, /dev/video0, csi, video:FILE, images:FOLDER or simulated-camera"
    )
    watch.add_argument("--json", action="store_true", help="no window: print a line of JSON whenever something changes")
    watch.add_argument(
        "--size", default="1280x720", metavar="SIZE", help="the size to request from a camera (default: %(default)s)"
    )
    watch.add_argument("--seconds", type=whole, metavar="N", help="stop after this many seconds")
    watch.add_argument("--expect", type=whole, metavar="N", help="how many dice are rolled")
    watch.add_argument("--calibration", metavar="FILE", help="a file from dicetable calibrate, for a fixed camera")

    edice = commands.add_parser(
        "edice",
        help="simulate electronic dice, for a table that has none",
        description="Simulate electronic dice on a pseudo-terminal (Linux and macOS), with the same code that runs on "
        "the board. It prints the port to pass to the table. Enter presses the button; Ctrl-C unplugs the dice.",
        epilog="Examples:\n  dicetable edice\n  dicetable edice --dice 6\n\n"
        "Then, in another terminal, with the port that it prints:\n  dicetable --edice PORT --window 1280x720",
    )
    edice.add_argument(
        "--dice", type=whole, default=6, metavar="N", help="number of dice, up to six (default: %(default)s)"
    )

    doctor = commands.add_parser(
        "doctor",
        help="check buttons, lamps, camera, e-dice, screen, sound and the machine, and say what to fix",
        description="Check all parts of a table: buttons, lamps, camera, electronic dice, screen, sound, disk, clock, "
        "power and network. Each check says ok, warning or broken, and how to fix it. In a terminal it asks you to "
        "press the buttons.",
        epilog="Examples:\n  dicetable doctor\n  dicetable doctor --config table.toml\n  dicetable doctor --json\n\n"
        "The exit status is 0 if nothing is broken, 1 if something is, and 2 if the config is not valid. "
        "docs/doctor.md explains each line.",
    )
    doctor.add_argument("--json", action="store_true", help="print all results as one JSON object, and ask nothing")
    doctor.add_argument("--config", metavar="FILE", help="check the table with this TOML file")

    hotspot = commands.add_parser(
        "hotspot",
        help="turn the table hotspot on or off, for places without Wi-Fi",
        description="Turn the table hotspot on or off, or show its state. It is an access point of NetworkManager "
        "(nmcli) with a generated password, shown together with a QR code for phones. It stays on after a restart. "
        "While it is on, the table is disconnected from other Wi-Fi networks.",
        epilog="Examples:\n  dicetable hotspot\n  sudo dicetable hotspot on\n  sudo dicetable hotspot off\n"
        "  dicetable hotspot --json\n\n"
        'The exit status is 0, or 1 if NetworkManager cannot do it; --json then prints {"error": ...}.',
    )
    hotspot.add_argument("wish", nargs="?", choices=("on", "off"), metavar="on|off", help="default: show the state")
    hotspot.add_argument("--json", action="store_true", help="print one line of JSON")

    install = commands.add_parser(
        "install",
        help="install the table on this Raspberry Pi, to start when it boots",
        description="Install the table on a Raspberry Pi or a Debian machine, so that it starts at boot. It lists the "
        "steps, then carries them out. Steps that are already done are skipped, so it can be run again at any time.",
        epilog="Examples:\n"
        "  dicetable install --dry-run\n"
        "  sudo python3 -m table install\n"
        "  sudo python3 -m table install --wheel dicetable-0.1.0-py3-none-any.whl",
    )
    install.add_argument(
        "--wheel", metavar="FILE", help="install this wheel (default: the clone or wheel that this command runs from)"
    )
    install.add_argument("--anyway", action="store_true", help="install even on an unsupported system")
    update = commands.add_parser(
        "update",
        help="switch an installed table to another version, and back if that does not start",
        description="Switch an installed table to another version, newer or older. If that version does not start and "
        "keep running, the previous one is started again.",
        epilog="Examples:\n"
        "  sudo dicetable update dicetable-0.2.0-py3-none-any.whl\n"
        "  sudo dicetable update 0.2.0\n"
        "  dicetable update 0.2.0 --dry-run",
    )
    update.add_argument("to", metavar="FILE|VERSION", help="a wheel, or a version from pip's package index")
    uninstall = commands.add_parser(
        "uninstall",
        help="undo what install did, but keep games and settings",
        description="Undo what dicetable install did. Games and settings are kept, unless --purge is given.",
        epilog="Examples:\n  dicetable uninstall --dry-run\n  sudo dicetable uninstall",
    )
    uninstall.add_argument("--purge", action="store_true", help="also remove all games, the settings and the user")
    for changing in (install, update, uninstall):
        changing.add_argument("--dry-run", action="store_true", help="only show the steps, change nothing")
    return parser, commands.choices
