"""What can be typed after `dicetable records`, `backup` and `restore`."""

import argparse
from typing import TYPE_CHECKING

from table.app.arguments.line import OneLine, game_number, language_option, percent, whole
from table.games import GAMES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[OneLine]

GAME = f"one of {', '.join(GAMES)}"
PAGES = {
    "players": "everybody who has played here, with games and wins",
    "player": "one player: by game, streaks, rivals, best moments, dice",
    "rename": "give a player another name",
    "merge": "make one player of two",
    "delete": "forget a player; the games stay, without the name",
    "games": "the finished games, the last one first",
    "game": "one game: its result, how it went, and everybody's luck",
    "replay": "a game again, step by step, with every hand open",
    "review": "how somebody played: each decision, what it cost, luck and skill apart",
    "export": "a game as JSON that dicetable referee loads, or as text",
    "import": "take in games from files",
    "dice": "how often each face came up, and whether that is fair",
}
"""What there is to see and to do in the records."""


def add(commands: "Commands") -> None:
    records = commands.add_parser(
        "records",
        help="players, games, dice and luck: all that the table has kept",
        description="All that the table has kept: who won what, every finished game, every face of every die. It can "
        "be looked at, and changed, while a table is running.",
        epilog="Examples:\n"
        "  dicetable records\n"
        "  dicetable records player Ann\n"
        "  dicetable records games --game cacho --most 10\n"
        "  dicetable records replay 12\n"
        "  dicetable records dice --json\n"
        "  dicetable records --language es\n"
        "Each page has its own --help. It ends with 0, with 1 if something was not done, and with 2 if that cannot be\n"
        "done. What the figures mean is in docs/records.md.",
    )
    records.set_defaults(page=None, json=False, csv=False, config=None)
    records.add_argument("--json", action="store_true", help="as one line of JSON")
    records.add_argument("--csv", action="store_true", help=argparse.SUPPRESS)  # refused with a sentence of its own
    records.add_argument("--config", metavar="FILE", help="a TOML file, as the table takes it: it names the folder")
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
        # Not said here, it is as it was said before the page's name.
        page.add_argument("--config", metavar="FILE", default=argparse.SUPPRESS, help="a TOML file, as the table's")
        if name not in ("rename", "merge", "delete", "import"):
            language_option(page, argparse.SUPPRESS)
        if name in ("players", "games", "dice"):
            page.add_argument("--csv", action="store_true", default=argparse.SUPPRESS, help="as rows of CSV, in UTF-8")
        elif name in ("player", "game", "replay", "review"):
            page.add_argument("--csv", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if name not in ("rename", "merge", "delete", "export"):
            page.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="as one line of JSON")
    _add_what_each_takes(pages)
    _add_backups(commands)


def _add_what_each_takes(pages: "Commands") -> None:
    page = pages.choices
    for name in ("players", "games"):
        page[name].add_argument("--game", metavar="GAME", help=f"only that game: {GAME}")
    page["player"].add_argument("name", metavar="NAME", help="as it is in dicetable records players")
    page["rename"].add_argument("old", metavar="OLD", help="the name as it is now")
    page["rename"].add_argument("new", metavar="NEW", help="the name from now on")
    page["merge"].add_argument("name", metavar="NAME", help="who is not a player of their own any more")
    page["merge"].add_argument("into", metavar="INTO", help="whose games they all are")
    page["delete"].add_argument("name", metavar="NAME", help="who is to be forgotten")
    for name in ("merge", "delete"):
        page[name].add_argument("--yes", action="store_true", help="do it without asking")
    page["games"].add_argument("--player", metavar="NAME", help="only games with that player")
    page["games"].add_argument("--most", type=whole, default=20, metavar="N", help="so many at once (%(default)s)")
    page["games"].add_argument("--after", type=game_number, metavar="NUMBER", help="those that came before that game")
    for name in ("game", "replay", "review", "export"):
        page[name].add_argument(
            "number", type=game_number, metavar="NUMBER", help="of the game, as dicetable records games has it"
        )
    page["review"].add_argument("--seat", metavar="NAME|N", help="only that player, or that seat counted from 0")
    page["review"].add_argument("--all", action="store_true", help="every decision, not only the dearest slips")
    page["export"].add_argument("file", nargs="?", metavar="FILE", help="where to write it (-: the output)")
    page["export"].add_argument("--text", action="store_true", help="as a text that people read")
    page["import"].add_argument("files", nargs="+", metavar="FILE", help="a saved or exported game; - is the input")
    page["dice"].add_argument("--player", metavar="NAME", help="only what that player threw")
    page["dice"].add_argument(
        "--source", metavar="SOURCE", help="only dice from there: camera, edice, typed, simulated"
    )
    page["dice"].add_argument(
        "--bias", type=percent, metavar="PERCENT", help="also how many throws show a face that comes up so often"
    )


DESCRIBED = {
    "players": "Everybody who has played here, with the games that they finished and won. Guests and computers are not "
    "remembered.",
    "player": "All that is known of one player: games and wins by game, streaks, the last games, whom they met most "
    "and who won, their best moments with the game's number, and the faces of their dice.",
    "rename": "Give a player another name, in every game that is kept.",
    "merge": "Make one player of two names that are one person's: all games of NAME become those of INTO. It cannot be "
    "undone but by a backup, so it asks first. Two who have met in a game are two people, and stay two.",
    "delete": "Forget a player: the name goes from everything that is kept, and from the copy beside it. The games "
    "stay, without the name. It cannot be undone but by a backup, so it asks first.",
    "games": "The finished games, the last one first, each with the number by which it is asked for.",
    "game": "One game: who won, how everybody stood round by round, and how lucky each seat's throws were.",
    "replay": "A game again, step by step, with the table as it was and every hand open. In a terminal Enter goes on, "
    "b goes back and q ends; elsewhere all steps are written.",
    "review": "How the people in a game played: each decision, what perfect would have done, and what the difference "
    "cost in chance to win. What the dice and the others brought is told apart. Where a game is not solved as it was "
    "set up, the chances are estimates, and it says so.",
    "export": "A game as one line of JSON, for dicetable referee, for dicetable review and for dicetable records "
    "import on another table; with --text as every sentence of it. It has all dice that were hidden then.",
    "import": "Take in finished games: what dicetable records export or dicetable play --save wrote. Names that are "
    "known here are the same people. A game that is here already is not taken twice. It ends with 1 if a file could "
    "not be taken in; the others are, all the same.",
    "dice": "How often each face came up, by source and by player; whether that is what fair dice do, in plain words; "
    "and how many throws it takes to notice dice that are not.",
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
        help="copy everything that is kept into one file, also while a game is played",
        description="Copy everything that is kept into one file: players, games, dice, settings. The copy is whole and "
        "of one moment, also while a game is played. In a folder it gets today's date as its name.",
        epilog="Examples:\n  dicetable backup table.db\n  dicetable backup /media/stick\n"
        "  dicetable backup /media/stick/table.db --force --json",
    )
    backup.add_argument("into", metavar="FILE|FOLDER", help="where to write it")
    backup.add_argument("--force", action="store_true", help="over a file that exists")
    restore = commands.add_parser(
        "restore",
        help="everything that is kept, from a backup",
        description="Put everything that is kept back as it was in a backup. What was there before is set aside under "
        "a name that is said. A game that is being played goes on, and counts with what was restored.",
        epilog="Examples:\n  dicetable restore table.db\n  dicetable restore /media/stick/dicetable-2026-11-17.db",
    )
    restore.add_argument("source", metavar="FILE", help="what dicetable backup wrote")
    for command in (backup, restore):
        command.add_argument("--config", metavar="FILE", help="a TOML file, as the table takes it: it names the folder")
        command.add_argument("--json", action="store_true", help="as one line of JSON")
