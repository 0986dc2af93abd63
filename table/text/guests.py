"""The names of guests: a word and a number, in the table's language. "Guest 1" is "Invitado 1" in Spanish."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from table.text.catalogue import Catalogue, languages

MOST = 12  # more seats than any game has


def guest_name(number: int, say: Catalogue) -> str:
    return say("players.guest_numbered", number=number)


def in_language(names: Sequence[str], guests: Collection[int], say: Catalogue) -> tuple[str, ...]:
    """The names by seat, with the guests' names in this language. A guest never gets a name that another seat has."""
    found = list(names)
    for seat in sorted(guests):
        number = _numbers().get(names[seat])
        name = guest_name(number, say) if number else names[seat]
        if name not in found:
            found[seat] = name
    return tuple(found)


@cache
def _numbers() -> Mapping[str, int]:
    """All names that guests can have, in all languages, with the guest's number."""
    return MappingProxyType(
        {guest_name(number, Catalogue(code)): number for code in languages() for number in range(1, MOST + 1)}
    )
