"""Computer players for a game that has none of its own."""

from collections.abc import Mapping
from typing import Any


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Whether `perfect` is perfect there."""
    return False
