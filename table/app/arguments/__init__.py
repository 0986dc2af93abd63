"""What can be typed after `dicetable`: every command, its options, its help and its examples.

Its one rule: whatever is typed wrongly is one line that points to the help of the command that was meant.
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
    """Of the whole line, and of each command."""
    parser = OneLine(
        prog="dicetable",
        description="A dice table: five dice games against each other, against computers, or mixed.",
        epilog="Without a command it opens the table on the screen, and takes --window, --config, --camera,\n"
        "--edice and --simulate as dicetable table does. Examples:\n"
        "  dicetable\n"
        "  dicetable --window 1280x720\n"
        "  dicetable play mexico --seat Ann --seat computer\n"
        "  dicetable referee < game.jsonl",
    )
    parser.add_argument("--version", action="version", version=f"dicetable {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    table = commands.add_parser(
        "table",
        help="the table on the screen: two buttons, touch, mouse or keys (the same as no command)",
        description="The table on the screen, with what the config names or what is found. Without a screen it plays "
        "in the terminal.",
        epilog="Examples:\n  dicetable --window 1280x720\n  dicetable --camera simulated-camera\n"
        "  dicetable --simulate\n  dicetable --config table.toml",
    )
    demo = commands.add_parser(
        "demo",
        help="computers play all games in turn, for a shop window",
        description="Computers play all games in turn. Nothing of it is kept.",
        epilog="Examples:\n  dicetable demo\n  dicetable demo --window 1280x720\n  dicetable demo --text",
    )
    demo.add_argument("--text", action="store_true", help="one game as text, and the end")
    for opened in (table, demo):
        opened.add_argument("--window", metavar="SIZE", help="in a window of that size, such as 1280x720")
        opened.add_argument("--config", metavar="FILE", help="a TOML file; dicetable config writes one")
    table.add_argument(
        "--camera", metavar="SOURCE", help="read real dice: camera:0, csi, video:FILE, images:FOLDER, simulated-camera"
    )
    table.add_argument(
        "--edice", metavar="PORT", help="with electronic dice at that port; dicetable edice pretends to be some"
    )
    table.add_argument("--simulate", action="store_true", help="with simulated devices only")
    table.add_argument(
        "--service",
        action="store_true",
        help="as all that this machine is for, started by systemd: Restart restarts the machine",
    )

    config = commands.add_parser(
        "config",
        help="write a config with every key, its default and why one would change it",
        description="Write a config with every key, its default and why one would change it: to the file, or to the "
        "output if none is named. A file that exists is left as it is.",
        epilog="Examples:\n  dicetable config table.toml\n  dicetable config | less",
    )
    config.add_argument("file", nargs="?", metavar="FILE", help="where to write it")

    play = commands.add_parser(
        "play",
        help="play a game in this terminal; what is not said is asked for",
        description="Play a game in this terminal. What is not said here is asked for.",
        epilog="Examples:\n"
        "  dicetable play\n"
        "  dicetable play bluff --seat Ann --seat Bo --seat computer\n"
        "  dicetable play cheese --seat Ann --option goal=2000 --option cards=true\n"
        "  dicetable play mexico --seat Ana --seat computer --language es",
    )
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    play.add_argument("--terminal", action="store_true", help="in this terminal, where play always is")
    play.add_argument(
        "--seat", action="append", default=[], metavar="NAME", help="a player; computer or computer:LEVEL plays itself"
    )
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, such as rounds=3"
    )
    play.add_argument("--seed", type=whole, metavar="N", help="make the dice repeatable")
    play.add_argument("--save", metavar="FILE", help="write the game there when it is over; the next ones beside it")
    language_option(play)

    review = commands.add_parser(
        "review",
        help="how somebody played a saved game: each decision, what it cost, luck and skill apart",
        description="How somebody played: each decision of a saved game, what perfect would have done, and what the "
        "difference cost in chance to win. What the dice and the others brought is told apart. A saved game is what "
        "dicetable play --save writes, or what the referee answers to save.",
        epilog="Examples:\n"
        "  dicetable play mexico --seat Ann --seat computer --save game.json\n"
        "  dicetable review game.json\n"
        "  dicetable review game.json --seat Ann --json\n"
        "  dicetable review - < game.json",
    )
    review.add_argument("saved", metavar="SAVED", help="a saved game; - reads it from the input")
    review.add_argument("--seat", metavar="NAME|N", help="only that player, or that seat counted from 0")
    review.add_argument("--all", action="store_true", help="every decision, not only the dearest slips")
    review.add_argument("--json", action="store_true", help="one JSON object a seat and line, for programs")
    language_option(review)

    serve = commands.add_parser(
        "serve",
        help="a table without a screen: phones and browsers open rooms and play",
        description="A table without a screen. It prints its address; whoever opens that on a phone on the same "
        "network opens a room or joins one, and any browser shows the public table at /table.",
        epilog="Examples:\n  dicetable serve\n  dicetable serve --port 8080\n  dicetable serve --tls\n"
        "  dicetable serve --tls --certificate table.crt --key table.key",
    )
    serve.add_argument("--port", type=whole, metavar="P", help="the port, instead of what the config says")
    serve.add_argument("--config", metavar="FILE", help="a TOML file; dicetable config writes one")
    serve.add_argument("--tls", action="store_true", help="over HTTPS, with a certificate of its own if none is named")
    serve.add_argument("--certificate", metavar="FILE", help="for --tls: a certificate in PEM, with its chain")
    serve.add_argument("--key", metavar="FILE", help="for --tls: its key")

    commands.add_parser(
        "referee",
        help="the rules engine alone: JSON lines in, JSON lines out",
        description="The rules engine alone. It reads one JSON request a line and answers each until the input ends.",
        epilog="Examples:\n"
        """  echo '{"games": true}' | dicetable referee\n"""
        "The requests are described in docs/protocol.md.",
    )

    arena = commands.add_parser(
        "arena",
        help="computers against computers, thousands of games, and whether one is better beyond chance",
        description="Computers of these levels play against each other, on all cores, each as often in every seat. It "
        "says who won how often, between which shares the truth lies, and whether the difference is beyond chance. "
        "Ctrl-C ends it with what was played so far.",
    )
    arena.add_argument("--games", type=whole, default=1000, metavar="N", help="how many (%(default)s)")
    arena.add_argument("--seed", type=whole, metavar="S", help="make it repeatable; the one that is drawn is said")
    arena.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, such as rounds=3"
    )
    arena.add_argument("--json", action="store_true", help="as one line of JSON")

    commands.add_parser(
        "odds",
        help="the chances behind a game, exact, as a table",
        description="The chances behind a game, counted over every roll.",
    )

    records.add(commands)

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
    )
    read.add_argument("files", nargs="+", metavar="FILE", help="a photo, a folder, a film, or camera:0")
    read.add_argument("--json", action="store_true", help="one line of JSON a photo or settled roll")
    read.add_argument(
        "--annotate", metavar="OUT", help="write pictures with what was read: a folder, or a file for one"
    )
    read.add_argument("--expect", type=whole, metavar="N", help="how many dice were thrown: any other number is unsure")
    read.add_argument("--calibration", metavar="FILE", help="what dicetable calibrate learnt of a fixed camera")

    calibrate = commands.add_parser(
        "calibrate",
        help="learn a fixed camera over a fixed tray, so that its pictures are read surer and faster",
        description="Learn where a fixed camera's tray is, how it looks when it is empty, and how large dice are in "
        "it, from two or more photos of the empty tray and a few with dice thrown into it.",
        epilog="Example:\n"
        "  dicetable calibrate tray.json --empty empty1.jpg empty2.jpg --dice throw1.jpg throw2.jpg throw3.jpg\n"
        "  dicetable read --calibration tray.json --expect 5 roll.jpg",
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
    )
    watch.add_argument(
        "source", metavar="SOURCE", help="camera:0, /dev/video0, csi, video:FILE, images:FOLDER or simulated-camera"
    )
    watch.add_argument("--json", action="store_true", help="no window: a line of JSON whenever something changes")
    watch.add_argument("--size", default="1280x720", metavar="SIZE", help="that a camera is asked for (%(default)s)")
    watch.add_argument("--seconds", type=whole, metavar="N", help="end after so many seconds")
    watch.add_argument("--expect", type=whole, metavar="N", help="how many dice are thrown")
    watch.add_argument("--calibration", metavar="FILE", help="what dicetable calibrate learnt of a fixed camera")

    edice = commands.add_parser(
        "edice",
        help="pretend to be electronic dice, for a table that has none",
        description="Pretend to be electronic dice on a pty (Linux and macOS), by the logic that runs on the board. "
        "It prints the port to give to the table. Enter presses its button, Ctrl-C pulls it out.",
        epilog="Examples:\n  dicetable edice\n  dicetable edice --dice 6\n"
        "and in another terminal, with the port that it prints:\n  dicetable --edice PORT --window 1280x720",
    )
    edice.add_argument(
        "--dice", type=whole, default=6, metavar="N", help="how many dice it has, up to six (%(default)s)"
    )

    doctor = commands.add_parser(
        "doctor",
        help="look at buttons, lamps, camera, e-dice, screen, sound and the machine, and say what to fix",
        description="Look at all that a table is made of: buttons, lamps, camera, electronic dice, screen, sound, "
        "disk, clock, power and network. Each is ok, a warning or broken, with what to do about it. In a terminal it "
        "asks for the buttons to be pressed.",
        epilog="Examples:\n  dicetable doctor\n  dicetable doctor --config table.toml\n  dicetable doctor --json\n"
        "It ends with 0 if nothing is broken, 1 if something is. What each line means is in docs/doctor.md.",
    )
    doctor.add_argument("--json", action="store_true", help="one object of JSON with all findings, and nobody is asked")
    doctor.add_argument("--config", metavar="FILE", help="a TOML file, as the table takes it")

    hotspot = commands.add_parser(
        "hotspot",
        help="a Wi-Fi of the table's own, where there is none",
        description="Turn the table's own Wi-Fi on or off, or say how it stands. It is an access point that "
        "NetworkManager makes (nmcli); its password is made once and shown with a code for phones. On it stays on, "
        "over a restart too, and the table leaves any other Wi-Fi for it.",
        epilog="Examples:\n  dicetable hotspot\n  sudo dicetable hotspot on\n  sudo dicetable hotspot off\n"
        "  dicetable hotspot --json\n"
        'It ends with 0, or with 1 and a sentence if NetworkManager cannot do it: with --json, as {"error": ...}.',
    )
    hotspot.add_argument("wish", nargs="?", choices=("on", "off"), metavar="on|off", help="without it, how it stands")
    hotspot.add_argument("--json", action="store_true", help="as one line of JSON")

    install = commands.add_parser(
        "install",
        help="make this Raspberry Pi start with the table",
        description="Make a Raspberry Pi or a Debian machine start with the table. Shows what it will do, and does it. "
        "What is so already is left alone, so it can be run again at any time.",
        epilog="Examples:\n"
        "  dicetable install --dry-run\n"
        "  sudo python3 -m table install\n"
        "  sudo python3 -m table install --wheel dicetable-0.1.0-py3-none-any.whl",
    )
    install.add_argument(
        "--wheel", metavar="FILE", help="from this file, not from what this runs from (a clone, a wheel)"
    )
    install.add_argument("--anyway", action="store_true", help="on a system that it is not made for, too")
    update = commands.add_parser(
        "update",
        help="change an installed table to another version, and back by itself if that does not start",
        description="Change an installed table to another version, newer or older. If that does not start and stay up, "
        "the one before goes on.",
        epilog="Examples:\n"
        "  sudo dicetable update dicetable-0.2.0-py3-none-any.whl\n"
        "  sudo dicetable update 0.2.0\n"
        "  dicetable update 0.2.0 --dry-run",
    )
    update.add_argument("to", metavar="FILE|VERSION", help="a wheel, or a version from the package index that pip uses")
    uninstall = commands.add_parser(
        "uninstall",
        help="undo what install did; games and settings stay",
        description="Undo what dicetable install did. Games and settings stay unless --purge is said.",
        epilog="Examples:\n  dicetable uninstall --dry-run\n  sudo dicetable uninstall",
    )
    uninstall.add_argument("--purge", action="store_true", help="remove all games, the settings and the user as well")
    for changing in (install, update, uninstall):
        changing.add_argument("--dry-run", action="store_true", help="only show what would be done")
    return parser, commands.choices
