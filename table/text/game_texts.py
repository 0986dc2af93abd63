"""The name, summary and options of a game in words. What a game has no text for is said in the words of its rules."""

from collections.abc import Mapping
from typing import Any

from table.games import GAMES
from table.text.catalogue import Catalogue


def name(game: str, say: Catalogue) -> str:
    """Also of a game that was played here once and is not installed any more."""
    fallback = GAMES[game].name if game in GAMES else game.replace("_", " ").capitalize()
    return say(f"{game}.name") if say.has(f"{game}.name") else fallback


def summary(game: str, say: Catalogue) -> str:
    return say(f"{game}.summary") if say.has(f"{game}.summary") else GAMES[game].summary


def seats(game: str, say: Catalogue) -> str:
    """For how many it is: "2 to 10 players"."""
    least, most = GAMES[game].seats
    return say("choose.seats_exactly", count=most) if least == most else say("choose.seats", least=least, most=most)


def minutes(game: str, say: Catalogue) -> str:
    """How long a game takes, such as "5 to 15"; empty if nobody knows."""
    return say(f"{game}.minutes") if say.has(f"{game}.minutes") else ""


def level_name(level: str, say: Catalogue, game: str = "") -> str:
    """What computers of that level are called: by the game's own text if it has one."""
    found = [key for key in (f"{game}.level.{level}.name", f"level.{level}.name") if say.has(key)]
    return say(found[0]) if found else level


def level_help(level: str, say: Catalogue, game: str) -> str:
    found = [key for key in (f"{game}.level.{level}.help", f"level.{level}.help") if say.has(key)]
    return say(found[0]) if found else ""


def option_name(game: str, option: str, say: Catalogue) -> str:
    key = f"{game}.option.{option}.name"
    return say(key) if say.has(key) else option.replace("_", " ").capitalize()


def option_help(game: str, option: Mapping[str, Any], say: Catalogue) -> str:
    """`option` is as `table.engine.options.describe` gives it."""
    key = f"{game}.option.{option['name']}.help"
    return say(key) if say.has(key) else str(option["help"])


def option_value(game: str, option: str, value: str, say: Catalogue) -> str:
    """A word that the option can be set to."""
    key = f"{game}.option.{option}.{value}"
    return say(key) if say.has(key) else value.replace("_", " ").capitalize()
