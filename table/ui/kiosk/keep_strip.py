"""Which of the dice on the table were set aside by hand, from the values that lie in the strip for kept dice.

Its one rule: dice that show the same are the same. What lies there that cannot be is said, and never guessed.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

Wrong = Literal["many", "back", "turned"]
"""More dice lie there than belong to the turn; one that was kept before is gone; one shows what nobody threw."""


class Aside(NamedTuple):
    """The places of the dice that were set aside, or what is wrong and which dice that is about."""

    places: frozenset[int] = frozenset()
    wrong: Wrong | None = None
    dice: tuple[int, ...] = ()


def set_aside(
    dice: Sequence[int], thrown: Sequence[int], strip: Sequence[int], before: Sequence[int], loose: Sequence[int] = ()
) -> Aside:
    """`dice` lie on the table, of which `thrown` were thrown last; `strip` lies in the strip now and `before` lay there
    when they were thrown; `loose` are those in the tray, if they still lie as they fell."""
    others = Counter(before) - (Counter(dice) - Counter(thrown))  # kept in earlier throws, no longer to choose from
    gone = others - Counter(strip)
    if gone:
        return Aside(wrong="back", dice=tuple(sorted(gone.elements())))
    mine = Counter(strip) - others
    if not mine:
        return Aside()  # whatever was done to the loose ones, nobody has begun to choose with them
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
