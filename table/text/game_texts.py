"""The name, summary and options of a game in words. If a game lacks a text, the words from its rules are used."""

from collections.abc import Mapping
from typing import Any

from table.games import GAMES
from table.text.catalogue import Catalogue, readable


def name(game: str, say: Catalogue) -> str:
    """The name of a game, even if it is no longer installed."""
    fallback = GAMES[game].name if game in GAMES else readable(game)
    return say.get(f"{game}.name", fallback)


def summary(game: str, say: Catalogue) -> str:
    return say.get(f"{game}.summary", GAMES[game].summary)


def seats(game: str, say: Catalogue) -> str:
    """The number of players, such as "2 to 10 players"."""
    return players(GAMES[game].seats, say)


def players(limits: tuple[int, int], say: Catalogue) -> str:
    least, most = limits
    return say("choose.seats_exactly", count=most) if least == most else say("choose.seats", least=least, most=most)


def minutes(game: str, say: Catalogue) -> str:
    """The length of a game, such as "5 to 15"; empty if unknown."""
    return say.get(f"{game}.minutes", "")


def level_name(level: str, say: Catalogue, game: str = "") -> str:
    """The name of a computer level: the game's own text, or the shared one."""
    return say.get(f"{game}.level.{level}.name", say.get(f"level.{level}.name", level))


def level_help(level: str, say: Catalogue, game: str) -> str:
    return say.get(f"{game}.level.{level}.help", say.get(f"level.{level}.help", ""))


def option_name(game: str, option: str, say: Catalogue) -> str:
    return say.get(f"{game}.option.{option}.name", readable(option))


def option_help(game: str, option: Mapping[str, Any], say: Catalogue) -> str:
    """The help text of an option. `option` is a description from `table.engine.options.describe`."""
    return say.get(f"{game}.option.{option['name']}.help", str(option["help"]))


def option_value(game: str, option: str, value: str, say: Catalogue) -> str:
    """The name of one of the option's values."""
    return say.get(f"{game}.option.{option}.{value}", readable(value))
