"""The order in which a game ends: the winners, then who stands best, then whoever went out, the last one first."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

Places = tuple[tuple[int, ...], ...]
"""The seats from first to last; those who share a place stand together."""


def places(winners: Sequence[int], standing: Sequence[Any], out: Sequence[int], fewest_first: bool = False) -> Places:
    """`out` are the seats that went out, in that order. Of the others who did not win the standing decides."""

    def behind_winners(seat: int) -> tuple[bool, int]:
        if seat in out:
            return True, -out.index(seat)
        figure = standing[seat] or 0
        return False, figure if fewest_first else -figure

    rest = sorted((seat for seat in range(len(standing)) if seat not in winners), key=behind_winners)
    return tuple(winners), *(tuple(level) for _, level in groupby(rest, behind_winners))
