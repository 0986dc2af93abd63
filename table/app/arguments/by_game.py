"""The arguments of `dicetable odds` and `dicetable arena`, which depend on each game's odds tables and levels.

Building them imports parts of the games, so it is done only when one of these two commands is used.
"""

import argparse
from typing import Any

from table.analysis.sheets import parameters, tabled
from table.app.arguments.line import whole
from table.games import GAMES, bots

TYPED: dict[str, dict[str, Any]] = {
    "boolean": {"action": "store_true"},
    "integer": {"type": whole, "metavar": "N"},
    "string": {"metavar": "WORD"},
}
"""The argparse settings for each type of parameter."""


def add_odds(odds: argparse.ArgumentParser) -> None:
    games = tabled()
    examples = games[:2]
    known: dict[str, tuple[str, list[str]]] = {}
    for game in games:
        typed = ""
        for each in parameters(game):
            name, kind = each["name"], each["type"]
            example = "" if kind == "boolean" else f" {each['default']}"
            typed += f" --{name}{example}"
            known.setdefault(name, (kind, []))[1].append(f"{game}: {each['help']}")
        examples += [game + typed] if typed else []
    odds.add_argument("game", metavar="GAME", help=f"one of {', '.join(games)}")
    for name, (kind, helps) in known.items():
        help = " ".join(helps).replace("%", "%%")  # argparse formats help with %
        odds.add_argument(f"--{name}", dest=f"--{name}", default=argparse.SUPPRESS, help=help, **TYPED[kind])
    odds.add_argument("--json", action="store_true", help="print one line of JSON")
    odds.epilog = (
        "\n".join(("Examples:", *(f"  dicetable odds {example}" for example in examples)))
        + '\n\nWith --json the odds are exact fractions, such as "1/18".'
    )


def add_arena(arena: argparse.ArgumentParser) -> None:
    known = dict.fromkeys(level for game in GAMES for level in bots.levels(game))
    arena.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    arena.add_argument("levels", nargs="+", metavar="LEVEL", help="the level of the computer in each seat; two or more")
    game = next(iter(GAMES))
    best, second = bots.levels(game)[:-3:-1]
    arena.epilog = (
        "Examples:\n"
        f"  dicetable arena {game} {bots.usual(game)} random\n"
        f"  dicetable arena {game} {best} {second} --games 20000 --seed 7 --json\n\n"
        f"The levels are {', '.join(known)}. The same seed gives the same result."
    )


ADD = {"odds": add_odds, "arena": add_arena}


def given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The parameters given on the command line."""
    return {name.removeprefix("--"): value for name, value in vars(parsed).items() if name.startswith("--")}
