"""What can be typed after `dicetable odds`: the parameters of the games' tables. They are imported to be known, so this
is done only for somebody who types that command."""

import argparse
from typing import Any

from table.analysis.sheets import parameters, tabled
from table.app.arguments.line import whole

TYPED: dict[str, dict[str, Any]] = {
    "boolean": {"action": "store_true"},
    "integer": {"type": whole, "metavar": "N"},
    "string": {"metavar": "WORD"},
}
"""How a parameter of each type is typed."""


def add(odds: argparse.ArgumentParser) -> None:
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
        odds.add_argument(f"--{name}", dest=f"--{name}", default=argparse.SUPPRESS, help=" ".join(helps), **TYPED[kind])
    odds.add_argument("--json", action="store_true", help="as one line of JSON")
    odds.epilog = (
        "\n".join(("Examples:", *(f"  dicetable odds {example}" for example in examples)))
        + '\nWith --json the chances are exact fractions, such as "1/18".'
    )


def given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The parameters that were typed."""
    return {name.removeprefix("--"): value for name, value in vars(parsed).items() if name.startswith("--")}
