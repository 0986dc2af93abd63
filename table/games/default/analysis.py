"""What there is to know of any game's dice and odds, where it says nothing of them itself."""

from collections.abc import Mapping, Sequence
from typing import Any


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """The seats whose dice say nothing about whether dice are fair."""
    return ()
