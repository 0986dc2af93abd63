"""The best moments of a game, for whoever played it: the largest turn, the boldest lie, the Mexicos in one game.

Its one rule: each is a number that can be beaten, counted from what was told. So the best of all games of a player is
the largest of them, and nothing has to be played again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from table.games import part

Events = Sequence[Mapping[str, Any]]
"""As JSON tells them, also those that only some might hear then."""
Moments = Counter[tuple[int, str]]
"""By seat and kind."""


def moments(game: str, events: Events) -> dict[tuple[int, str], int]:
    """Of each seat that had one."""
    found: Moments = part(game, "analysis").moments(events)
    return {where: number for where, number in found.items() if number > 0}


def keep_best(found: Moments, seat: int, kind: str, number: int) -> None:
    found[seat, kind] = max(found[seat, kind], number)
