"""What there is to know of Bluff's dice and odds."""

from collections.abc import Mapping, Sequence
from typing import Any


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """A real cup is lifted only if its claim is called: those dice are not just any dice, and would seem unfair."""
    return tuple(options.get("cups", ()))
