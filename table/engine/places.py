"""The final order: the winners, then the others by standing, then the eliminated seats, starting with the last one
out."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

Places = tuple[tuple[int, ...], ...]
"""The seats from first to last. Seats that share a place are in one tuple."""


def places(winners: Sequence[int], standing: Sequence[Any], out: Sequence[int], fewest_first: bool = False) -> Places:
    """`out` lists the eliminated seats, first to last. The other losers are ordered by standing."""

    def behind_winners(seat: int) -> tuple[bool, int]:
        if seat in out:
            return True, -out.index(seat)
        figure = standing[seat] or 0
        return False, figure if fewest_first else -figure

    rest = sorted((seat for seat in range(len(standing)) if seat not in winners), key=behind_winners)
    return tuple(winners), *(tuple(level) for _, level in groupby(rest, behind_winners))
