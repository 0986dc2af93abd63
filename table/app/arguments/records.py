"""The arguments of `dicetable records`, `backup` and `restore`."""

import argparse
from typing import TYPE_CHECKING

from table.app.arguments.line import OneLine, game_number, language_option, percent, whole
from table.games import GAMES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[OneLine]

GAME = f"one of {', '.join(GAMES)}"
PAGES = {
    "players": "list all players, with games and wins",
    "player": "show one player: results by game, streaks, rivals, best moments, dice",
    "rename": "rename a player",
    "merge": "merge two players into one",
    "delete": "delete a player's name; the games stay",
    "games": "list the finished games, newest first",
    "game": "show one game: the result, the standings and everyone's luck",
    "replay": "replay a game step by step, with all hands open",
    "review": "review a game: each decision and what it cost, with luck separate from skill",
    "export": "write a game as JSON for dicetable referee, or as text",
    "import": "add games from files",
    "dice": "show how often each face came up, and whether the dice are fair",
}
"""The pages of the records, with their help."""


def add(commands: "Commands") -> None:
    records = commands.add_parser(
        "records",
        help="show and edit the table's records: players, games and dice",
        description="Show and edit the table's records: players and wins, every finished game, and the face of every "
        "die. This also works while a table is running.",
        epilog="Examples:\n"
        "  dicetable records\n"
        "  dicetable records player Ann\n"
        "  dicetable records games --game cacho --most 10\n"
        "  dicetable records replay 12\n"
        "  dicetable records dice --json\n"
        "  dicetable records --language es\n\n"
        "Each page has its own --help. The exit status is 0, 1 if something was not done, or 2 if the request was "
        "wrong. docs/records.md explains the figures.",
    )
    records.set_defaults(page=None, json=False, csv=False, config=None)
    records.add_argument("--json", action="store_true", help="print one line of JSON")
    records.add_argument("--csv", action="store_true", help=argparse.SUPPRESS)  # refused later, with a clearer error
    records.add_argument("--config", metavar="FILE", help="use the records folder that this TOML file names")
    language_option(records)
    pages = records.add_subparsers(dest="page", metavar="PAGE")
    for name, help in PAGES.items():
        page = pages.add_parser(
            name,
            help=help,
            description=DESCRIBED[name],
            epilog="Examples:\n" + "\n".join(f"  {example}" for example in EXAMPLES[name]),
        )
        page.set_defaults(said_by=page)
        # The default is suppressed, so that it does not override an option given before the page's name.
        page.add_argument(
            "--config",
            metavar="FILE",
            default=argparse.SUPPRESS,
            help="use the records folder that this TOML file names",
        )
        if name not in ("rename", "merge", "delete", "import"):
            language_option(page, argparse.SUPPRESS)
        if name in ("players", "games", "dice"):
            page.add_argument("--csv", action="store_true", default=argparse.SUPPRESS, help="print CSV, in UTF-8")
        elif name in ("player", "game", "replay", "review"):
            page.add_argument("--csv", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if name not in ("rename", "merge", "delete", "export"):
            page.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one line of JSON")
    _add_what_each_takes(pages)
    _add_backups(commands)


def _add_what_each_takes(pages: "Commands") -> None:
    page = pages.choices
    for name in ("players", "games"):
        page[name].add_argument("--game", metavar="GAME", help=f"only this game: {GAME}")
    page["player"].add_argument("name", metavar="NAME", help="a name from dicetable records players")
    page["rename"].add_argument("old", metavar="OLD", help="the current name")
    page["rename"].add_argument("new", metavar="NEW", help="the new name")
    page["merge"].add_argument("name", metavar="NAME", help="the player to merge, whose name is removed")
    page["merge"].add_argument("into", metavar="INTO", help="the player who gets all the games")
    page["delete"].add_argument("name", metavar="NAME", help="the player to delete")
    for name in ("merge", "delete"):
        page[name].add_argument("--yes", action="store_true", help="do it without asking")
    page["games"].add_argument("--player", metavar="NAME", help="only games with this player")
    page["games"].add_argument(
        "--most", type=whole, default=20, metavar="N", help="list at most this many games (default: %(default)s)"
    )
    page["games"].add_argument(
        "--after", type=game_number, metavar="NUMBER", help="continue the list after this game, with older ones"
    )
    for name in ("game", "replay", "review", "export"):
        page[name].add_argument(
            "number", type=game_number, metavar="NUMBER", help="the game's number in dicetable records games"
        )
    page["review"].add_argument("--seat", metavar="NAME|N", help="review only this player, or this seat (from 0)")
    page["review"].add_argument("--all", action="store_true", help="show every decision, not only the worst mistakes")
    page["export"].add_argument(
        "file", nargs="?", metavar="FILE", help="the file to write, or - for standard output (the default)"
    )
    page["export"].add_argument("--text", action="store_true", help="write readable text instead of JSON")
    page["import"].add_argument(
        "files", nargs="+", metavar="FILE", help="a saved or exported game, or - for standard input"
    )
    page["dice"].add_argument("--player", metavar="NAME", help="only the dice that this player rolled")
    page["dice"].add_argument(
        "--source", metavar="SOURCE", help="only dice of this source: camera, edice, typed or simulated"
    )
    page["dice"].add_argument(
        "--bias",
        type=percent,
        metavar="PERCENT",
        help="also show how many rolls it takes to detect a face that comes up this often",
    )


DESCRIBED = {
    "players": "List everyone who has played here, with the games that they finished and won. Guests and computers "
    "are not recorded.",
    "player": "Show one player: games and wins by game, streaks, recent games, their most frequent rivals and who "
    "won, their best moments with the game's number, and the faces of their dice.",
    "rename": "Rename a player, in every recorded game.",
    "merge": "Merge two names that belong to one person: all games of NAME become games of INTO. Only a backup can "
    "undo this, so it asks first. It refuses if both have played in the same game.",
    "delete": "Delete a player: the name is removed from the records and from their copy. The games stay, without "
    "the name. Only a backup can undo this, so it asks first.",
    "games": "List the finished games, newest first, with the number that the other commands take.",
    "game": "Show one game: who won, the standings after each round, and how lucky each player's rolls were.",
    "replay": "Replay a game step by step, with all hands open. In a terminal, Enter goes forward, b goes back and q "
    "quits; otherwise all steps are printed.",
    "review": "Review how people played a game: each decision, what a perfect player would have done, and what the "
    "difference cost in chance of winning. The effect of the dice and of the other players is shown separately. If "
    "the game is not solved with these options, the chances are estimates, and the review says so.",
    "export": "Write a game as one line of JSON, for dicetable referee, dicetable review, or dicetable records "
    "import on another table. With --text, write it as sentences. Both include the dice that were hidden.",
    "import": "Add finished games, from dicetable records export or dicetable play --save. Players with the same name "
    "are the same person. A game that is already recorded is not added again. The exit status is 1 if a file could "
    "not be imported; the other files are still imported.",
    "dice": "Show how often each face came up, by source and by player, whether that fits fair dice, and how many "
    "rolls it takes to detect unfair ones.",
}
EXAMPLES = {
    "players": ("dicetable records players", "dicetable records players --game cacho --csv"),
    "player": ("dicetable records player Ann", "dicetable records player Ann --json"),
    "rename": ("dicetable records rename Ann Anna",),
    "merge": ("dicetable records merge Annie Ann", "dicetable records merge Annie Ann --yes"),
    "delete": ("dicetable records delete Ann", "dicetable records delete Ann --yes"),
    "games": (
        "dicetable records games",
        "dicetable records games --player Ann --game mexico",
        "dicetable records games --most 100 --after 400 --csv",
    ),
    "game": ("dicetable records game 12", "dicetable records game 12 --json"),
    "replay": ("dicetable records replay 12", "dicetable records replay 12 | less"),
    "review": (
        "dicetable records review 12",
        "dicetable records review 12 --all",
        "dicetable records review 12 --seat Ann --json",
    ),
    "export": (
        "dicetable records export 12 game.json",
        "dicetable records export 12 --text | less",
        "dicetable records export 12 | dicetable referee",
    ),
    "import": ("dicetable records import game.json", "dicetable records import evening/*.json"),
    "dice": ("dicetable records dice", "dicetable records dice --player Ann", "dicetable records dice --bias 18"),
}


def _add_backups(commands: "Commands") -> None:
    backup = commands.add_parser(
        "backup",
        help="copy all records into one file, even during a game",
        description="Copy all records into one file: players, games, dice and settings. The copy is consistent, even "
        "if a game is being played. In a folder, the file is named after today's date.",
        epilog="Examples:\n  dicetable backup table.db\n  dicetable backup /media/stick\n"
        "  dicetable backup /media/stick/table.db --force --json",
    )
    backup.add_argument("into", metavar="FILE|FOLDER", help="where to write the backup")
    backup.add_argument("--force", action="store_true", help="overwrite an existing file")
    restore = commands.add_parser(
        "restore",
        help="restore all records from a backup",
        description="Replace all records with those of a backup. The current records are set aside in a file whose "
        "name is printed. A game in progress continues, and counts towards the restored records.",
        epilog="Examples:\n  dicetable restore table.db\n  dicetable restore /media/stick/dicetable-2026-11-17.db",
    )
    restore.add_argument("source", metavar="FILE", help="a file written by dicetable backup")
    for command in (backup, restore):
        command.add_argument("--config", metavar="FILE", help="use the records folder that this TOML file names")
        command.add_argument("--json", action="store_true", help="print one line of JSON")
