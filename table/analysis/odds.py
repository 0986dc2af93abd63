"""The chances of the moment: all of a game, those that matter now, and those that one seat alone can reckon with.

Its one rule: they come from a view. From the public one they give nobody's hand away; what comes from a seat's own
(`own`) is for that seat's eyes.
"""

from fractions import Fraction
from typing import NamedTuple

from table.engine.asks import Ask, Choose, Option, Over, Roll, View
from table.games import own_part, part


class Odds(NamedTuple):
    """One line: what might happen (a word, with its facts) and how likely it is."""

    what: str
    facts: dict[str, int]
    chance: float


Exact = tuple[str, dict[str, int], Fraction | int]
"""The same as a game's `analysis` counts it."""


def has_odds(game: str) -> bool:
    """Whether the game has any, at some moment of it."""
    return hasattr(own_part(game, "analysis"), "odds")


def odds(view: View) -> list[Odds]:
    """All that a game has of them."""
    return _rounded(part(view["game"], "analysis").odds(view))


def now(view: View, ask: Ask | Over, option: Option | None = None) -> list[Odds]:
    """The one or two that whoever is asked weighs up; where that makes a difference, of the option looked at."""
    asked = isinstance(ask, (Roll, Choose))
    return _rounded(part(view["game"], "analysis").now(view, ask, option)) if asked else []


def own(view: View) -> list[Odds]:
    """What its own dice tell a seat."""
    return _rounded(part(view["game"], "analysis").own(view))


def _rounded(lines: list[Exact]) -> list[Odds]:
    return [Odds(what, facts, float(chance)) for what, facts, chance in lines]
