"""The current odds: all of a game's odds, those that matter for the current ask, and those of a single seat.

Odds are computed from a view. From a public view they reveal no hidden dice. Odds from a seat's private view (`own`)
may be shown only to that seat.
"""

from fractions import Fraction
from typing import NamedTuple

from table.engine.asks import Ask, Choose, Option, Over, Roll, View
from table.games import own_part, part


class Odds(NamedTuple):
    """One line of odds: an event, described by a word and facts, and its probability."""

    what: str
    facts: dict[str, int]
    chance: float


Exact = tuple[str, dict[str, int], Fraction | int]
"""Like `Odds`, but with an exact probability, as a game's `analysis` returns it."""


def has_odds(game: str) -> bool:
    """Whether the game can show odds at all."""
    return hasattr(own_part(game, "analysis"), "odds")


def odds(view: View) -> list[Odds]:
    """All odds of the game at this moment."""
    return _rounded(part(view["game"], "analysis").odds(view))


def now(view: View, ask: Ask | Over, option: Option | None = None) -> list[Odds]:
    """The one or two lines that matter for the current ask or, if `option` is highlighted, for that option."""
    asked = isinstance(ask, (Roll, Choose))
    return _rounded(part(view["game"], "analysis").now(view, ask, option)) if asked else []


def own(view: View) -> list[Odds]:
    """The odds that take the seat's own hidden dice into account."""
    return _rounded(part(view["game"], "analysis").own(view))


def _rounded(lines: list[Exact]) -> list[Odds]:
    return [Odds(what, facts, float(chance)) for what, facts, chance in lines]
