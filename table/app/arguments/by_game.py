"""What can be typed after `dicetable odds` and `dicetable arena`, by the tables and levels that the games have.

Parts of the games are imported to know it, so this is done only for somebody who types that command.
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
"""How a parameter of each type is typed."""


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
        help = " ".join(helps).replace("%", "%%")  # which argparse would fill in
        odds.add_argument(f"--{name}", dest=f"--{name}", default=argparse.SUPPRESS, help=help, **TYPED[kind])
    odds.add_argument("--json", action="store_true", help="as one line of JSON")
    odds.epilog = (
        "\n".join(("Examples:", *(f"  dicetable odds {example}" for example in examples)))
        + '\nWith --json the chances are exact fractions, such as "1/18".'
    )


def add_arena(arena: argparse.ArgumentParser) -> None:
    known = dict.fromkeys(level for game in GAMES for level in bots.levels(game))
    arena.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    arena.add_argument("levels", nargs="+", metavar="LEVEL", help="a computer for each seat, two or more")
    game = next(iter(GAMES))
    best, second = bots.levels(game)[:-3:-1]
    arena.epilog = (
        "Examples:\n"
        f"  dicetable arena {game} {bots.usual(game)} random\n"
        f"  dicetable arena {game} {best} {second} --games 20000 --seed 7 --json\n"
        f"The levels are {', '.join(known)}. The same seed gives the same wins again."
    )


ADD = {"odds": add_odds, "arena": add_arena}


def given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The parameters that were typed."""
    return {name.removeprefix("--"): value for name, value in vars(parsed).items() if name.startswith("--")}
