"""Computer players for a game that has none of its own."""

from collections.abc import Mapping
from typing import Any

LEVELS: tuple[str, ...] = ("search",)
"""From the weakest to the strongest, each a function (view, options) -> chances of the game's `bots` module. Below them
is `random`, and above them `perfect` where there is a perfect.py."""


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Whether `perfect` is perfect there."""
    return False
