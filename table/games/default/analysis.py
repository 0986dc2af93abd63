"""The analysis of a game that has none of its own: no odds, no luck, no best moments."""

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
    """What `tables(given)` of a game depends on: fields as those of its options, and options of the command line."""


def odds(view: View) -> list[Exact]:
    """All chances of the moment that are worth a line."""
    return []


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The one or two that whoever is asked weighs up, for the option that is looked at if there is one."""
    return []


def own(view: View) -> list[Exact]:
    """What its own hidden dice tell a seat."""
    return []


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """What makes a roll a good one, for the luck of a seat; None if it cannot be said."""
    return None


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """The seats whose dice say nothing about whether dice are fair."""
    return ()


def moments(events: Events) -> Moments:
    """What was best in a game, by seat and kind."""
    return Counter()
