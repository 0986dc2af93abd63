"""Names and dice in sentences. Its one rule: a sentence has room for two names, however long they are."""

from collections.abc import Iterable, Sequence

from table.engine.asks import View
from table.text.catalogue import Catalogue

LONGEST_NAME = 14
MOST_NAMES = 3  # a sentence names at most this many players; for more, it gives only their number
LONGEST_NAMES = 36  # the most characters that all names in a sentence may have together
_JOINER = "\u200d"  # joins several emoji into one


def name_of(view: View, seat: int) -> str:
    """The player's name, shortened if it is too long, but never to the same text as another player's."""
    name: str = view["players"][seat]
    if len(name) <= LONGEST_NAME:
        return name
    others = [other for at, other in enumerate(view["players"]) if at != seat]
    for shorten in (_first_word, _beginning, _both_ends):
        short = shorten(name)
        if len(short) <= LONGEST_NAME and all(short != shorten(other) for other in others):
            return short
    return f"{_beginning(name)[:-3]}… {seat + 1}"


def _first_word(name: str) -> str:
    return name.partition(" ")[0] + "…"


def _beginning(name: str) -> str:
    return name[: LONGEST_NAME - 1].rstrip(f" {_JOINER}") + "…"


def _both_ends(name: str) -> str:
    return f"{name[:7].rstrip(_JOINER)}…{name[-6:].lstrip(_JOINER)}"


def names_of(view: View, seats: Sequence[int], say: Catalogue) -> str:
    """The players' names, as in "Ann, Bo and Dot", or how many they are, as in "7 players"."""
    names = [name_of(view, seat) for seat in seats]
    if len(names) > MOST_NAMES or sum(map(len, names)) > LONGEST_NAMES:
        return say("many.players", count=len(names))
    return say.listed(names)


def faces(dice: Iterable[int | None]) -> str:
    return " ".join("?" if die is None else str(die) for die in dice)
