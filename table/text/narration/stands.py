"""How everybody stands, and how a game ended. Its one rule: a number never stands without what it counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from table.engine.asks import View
from table.engine.places import Places
from table.games import part
from table.text.catalogue import Catalogue


@dataclass(frozen=True)
class Line:
    """One player in the standings."""

    seat: int
    place: int  # those who share one have the same, and the next is as much further
    name: str
    figure: str

    @property
    def won(self) -> bool:
        return self.place == 1


@dataclass(frozen=True)
class Result:
    """Who won, in a sentence, and how everybody stood, from the first place to the last."""

    sentence: str
    lines: tuple[Line, ...]


def standing(view: View, seat: int, say: Catalogue) -> str:
    """2 lives, 34 points, 6 chips, 3 dice; nothing of a seat that has no number."""
    said: str = part(view["game"], "words").standing(view, seat, say)
    return said


def counted(game: str, figure: int, say: Catalogue) -> str:
    """A standing with the unit of its game, if that has one, and is still installed."""
    return say.get(f"{game}.unit", str(figure), count=figure)


def result(view: View, places: Places, say: Catalogue) -> Result:
    words, lines = part(view["game"], "words"), list[Line]()
    for seats in places:
        place = len(lines) + 1
        lines += [Line(seat, place, view["players"][seat], words.final(view, seat, say)) for seat in seats]
    return Result(words.result(view, places[0], say), tuple(lines))


# What lies before a seat, and in the middle


def order(view: View) -> Sequence[int]:
    """The seats as they follow each other: those that play this round, then the others."""
    first: Sequence[int] = part(view["game"], "words").order(view)
    return [*first, *(seat for seat in range(len(view["players"])) if seat not in first)]


def out(view: View, seat: int) -> bool:
    """Whether the seat plays no more."""
    found: bool = part(view["game"], "words").out(view, seat)
    return found


def kept(view: View, seat: int) -> Sequence[int]:
    """The dice that the seat has set aside."""
    dice: Sequence[int] = part(view["game"], "words").kept(view, seat)
    return dice


def note(view: View, seat: int, say: Catalogue) -> str:
    """What the seat has said or reached in this round."""
    said: str = part(view["game"], "words").note(view, seat, say)
    return said


def marks(view: View, seat: int, say: Catalogue) -> list[str]:
    """What else the seat has: a card, games won before."""
    found: list[str] = part(view["game"], "words").marks(view, seat, say)
    return found


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    """What there is to know of the table, each a label and a value."""
    found: list[tuple[str, str]] = part(view["game"], "words").facts(view, say)
    return found
