"""Tables of exact probabilities for each game (`dicetable odds`)."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from table.engine import options
from table.engine.errors import Refused
from table.games import GAMES, own_part, part

Row = dict[str, Any]
"""A row of a table: its subject, counts, and fractions."""


class Column(NamedTuple):
    head: str
    key: str  # the key of this column's value in each row
    show: Callable[[Any], str] | None = None  # turns a value into text; None for a percentage


class Sheet(NamedTuple):
    """One table and its layout as text. `bars` is the key of the column to draw as bars."""

    title: str
    columns: tuple[Column, ...]
    bars: str
    rows: Sequence[Row]


def tabled() -> list[str]:
    """The games that have tables."""
    return [game for game in GAMES if hasattr(own_part(game, "analysis"), "tables")]


def parameters(game: str) -> list[dict[str, Any]]:
    """The parameters of a game's tables, described like options of a game."""
    return options.describe(part(game, "analysis").Parameters)


def sheets(game: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Sheet]]:
    """The parameters in use, and the game's tables by name."""
    if game not in tabled():
        raise Refused(f"There are no tables of odds for {game}, only for {', '.join(tabled())}.")
    strange = sorted({*given} - {each["name"] for each in parameters(game)})
    if strange:
        named = " and ".join(f"--{name}" for name in strange)
        raise Refused(f"The odds of {game} do not depend on {named}. Leave that out.")
    analysis = part(game, "analysis")
    checked = options.check(analysis.Parameters, given, seats=0)
    return options.in_force(checked), analysis.tables(checked)


def as_json(sheets: Mapping[str, Sheet]) -> dict[str, list[Row]]:
    """The rows, with fractions as text: "1/18"."""
    return {
        name: [
            {key: str(value) if isinstance(value, Fraction) else value for key, value in row.items()}
            for row in sheet.rows
        ]
        for name, sheet in sheets.items()
    }
