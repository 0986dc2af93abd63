"""Works out which dice were kept by hand, from the values in the strip for kept dice.

Dice with the same value are interchangeable. If the dice in the strip cannot be right, the result says why.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

Wrong = Literal["many", "back", "turned"]
""""many": the strip holds more dice than belong to the turn; "back": a die kept earlier is gone; "turned": a die shows
a value that was not rolled."""


class Aside(NamedTuple):
    """The places of the kept dice or, if the dice in the strip cannot be right, the problem and the dice concerned."""

    places: frozenset[int] = frozenset()
    wrong: Wrong | None = None
    dice: tuple[int, ...] = ()


def set_aside(
    dice: Sequence[int], thrown: Sequence[int], strip: Sequence[int], before: Sequence[int], loose: Sequence[int] = ()
) -> Aside:
    """Compares the strip with the dice on the table.

    `dice` are all the dice on the table, and `thrown` are those that were rolled last. `strip` are the dice in the
    strip now, and `before` are the dice that were in the strip when dice were last read. `loose` are the dice in the
    rest of the tray, or empty if those have been rolled again.
    """
    others = Counter(before) - (Counter(dice) - Counter(thrown))  # dice kept in earlier rolls can no longer be selected
    gone = others - Counter(strip)
    if gone:
        return Aside(wrong="back", dice=tuple(sorted(gone.elements())))
    mine = Counter(strip) - others
    if not mine:
        return Aside()  # no die was moved to the strip, so ignore changes in the tray
    if mine.total() > len(dice):
        return Aside(wrong="many")
    unknown = (mine - Counter(dice)) or (Counter(loose) - (Counter(dice) - mine))
    if unknown:
        return Aside(wrong="turned", dice=tuple(sorted(unknown.elements())))
    places = []
    for place, die in enumerate(dice):
        if mine[die] > 0:
            mine[die] -= 1
            places.append(place)
    return Aside(frozenset(places))
