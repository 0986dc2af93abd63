"""The default computer players."""

from collections.abc import Mapping
from typing import Any

LEVELS: tuple[str, ...] = ("search",)
"""From weakest to strongest, each a function (view, options) -> probabilities in the game's `bots` module. `random` is
always below them, and `perfect` above them if there is a perfect.py."""


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Whether `perfect` is exact with these options."""
    return False
