"""The name, summary and options of a game in words. What a game has no text for is said in the words of its rules."""

from collections.abc import Mapping
from typing import Any

from table.games import GAMES
from table.text.catalogue import Catalogue, readable


def name(game: str, say: Catalogue) -> str:
    """Also of a game that was played here once and is not installed any more."""
    fallback = GAMES[game].name if game in GAMES else readable(game)
    return say.get(f"{game}.name", fallback)


def summary(game: str, say: Catalogue) -> str:
    return say.get(f"{game}.summary", GAMES[game].summary)


def seats(game: str, say: Catalogue) -> str:
    """For how many it is: "2 to 10 players"."""
    least, most = GAMES[game].seats
    return say("choose.seats_exactly", count=most) if least == most else say("choose.seats", least=least, most=most)


def minutes(game: str, say: Catalogue) -> str:
    """How long a game takes, such as "5 to 15"; empty if nobody knows."""
    return say.get(f"{game}.minutes", "")


def level_name(level: str, say: Catalogue, game: str = "") -> str:
    """What computers of that level are called: by the game's own text if it has one."""
    return say.get(f"{game}.level.{level}.name", say.get(f"level.{level}.name", level))


def level_help(level: str, say: Catalogue, game: str) -> str:
    return say.get(f"{game}.level.{level}.help", say.get(f"level.{level}.help", ""))


def option_name(game: str, option: str, say: Catalogue) -> str:
    return say.get(f"{game}.option.{option}.name", readable(option))


def option_help(game: str, option: Mapping[str, Any], say: Catalogue) -> str:
    """`option` is as `table.engine.options.describe` gives it."""
    return say.get(f"{game}.option.{option['name']}.help", str(option["help"]))


def option_value(game: str, option: str, value: str, say: Catalogue) -> str:
    """A word that the option can be set to."""
    return say.get(f"{game}.option.{option}.{value}", readable(value))
