"""The final order: the winners, then the others by standing, then the eliminated seats, starting with the last one
out."""

from collections.abc import Sequence
from typing import Any

Places = tuple[tuple[int, ...], ...]
"""The seats from first to last. Seats that share a place are in one tuple."""


def places(winners: Sequence[int], standing: Sequence[Any], out: Sequence[int], fewest_first: bool = False) -> Places:
    """`out` lists the eliminated seats in the order in which they went out. Other losers are ordered by standing."""
    levels: dict[tuple[bool, int], list[int]] = {}
    for seat, figure in enumerate(standing):
        if seat not in winners:
            points = figure or 0
            behind = (True, -out.index(seat)) if seat in out else (False, points if fewest_first else -points)
            levels.setdefault(behind, []).append(seat)
    return tuple(winners), *(tuple(levels[behind]) for behind in sorted(levels))
