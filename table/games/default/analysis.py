"""The default analysis: no odds, no luck, no best moments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.analysis.luck import Judged
from table.analysis.moments import Events, Moments
from table.analysis.odds import Exact
from table.engine.asks import Answer, Choose, Option, Roll, Table, View


@dataclass(frozen=True)
class Parameters:
    """The parameters of a game's `tables(given)`: declared like its options, and set on the command line."""


def odds(view: View) -> list[Exact]:
    """All probabilities worth showing at this moment."""
    return []


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The one or two probabilities that matter for the current ask, and for `option` if one is highlighted."""
    return []


def own(view: View) -> list[Exact]:
    """The odds for a seat that sees its own hidden dice."""
    return []


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """How a roll is judged for the seat's luck; None if it cannot be judged."""
    return None


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """The seats whose rolls say nothing about whether the dice are fair."""
    return ()


def moments(events: Events) -> Moments:
    """The best moments of a game, counted by seat and kind."""
    return Counter()
