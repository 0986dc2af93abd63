"""The best moments of a game for its players: the largest turn, the boldest lie, the number of Mexicos.

Each moment is a number, computed from the events of one game. A player's record is the maximum over all games, so no
game has to be replayed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from table.games import part

Events = Sequence[Mapping[str, Any]]
"""Events as JSON, including those for single seats."""
Moments = Counter[tuple[int, str]]
"""The number reached, by seat and kind of moment."""


def moments(game: str, events: Events) -> dict[tuple[int, str], int]:
    """The best moments of all seats, by seat and kind."""
    found: Moments = part(game, "analysis").moments(events)
    return {where: number for where, number in found.items() if number > 0}


def keep_best(found: Moments, seat: int, kind: str, number: int) -> None:
    found[seat, kind] = max(found[seat, kind], number)
