"""Words of the tables of figures, in English."""

from collections.abc import Sequence

from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco

FACES = {1: "aces", 2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes"}


def listed(items: Sequence[str]) -> str:
    """Ann, Bo and Dot."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def mexico_words(score: int) -> str:
    return "Mexico (21)" if score == mexico.MEXICO else str(score)


def pocoloco_words(dice: Sequence[int]) -> str:
    chips, value = pocoloco.rank(dice)
    if chips == 3:
        return f"three {FACES[value]}"
    return {4: "PoCo", 2: "Loco", 1: many(value, "point")}[chips]
