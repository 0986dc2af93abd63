"""How everybody stands, and how a game ended. Its one rule: a number never stands without what it counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from table.engine.asks import View
from table.engine.places import Places
from table.text.catalogue import Catalogue
from table.text.narration.words import name_of, names_of

UNITS = {"mexico": "lives", "bluff": "points", "pocoloco": "chips", "cheese": "points", "cacho": "dice"}


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
    """2 lives, 34 points, 6 chips, 3 dice; the house of Mexico's challenge has no lives to lose."""
    figure = view["standing"][seat]
    if figure is not None:
        return say(f"many.{UNITS[view['game']]}", count=figure)
    return say("mexico.standing.house")


def result(view: View, places: Places, say: Catalogue) -> Result:
    lines: list[Line] = []
    for seats in places:
        place = len(lines) + 1
        lines += [Line(seat, place, view["players"][seat], _final(view, seat, say)) for seat in seats]
    return Result(_sentence(view, places[0], say), tuple(lines))


def _final(view: View, seat: int, say: Catalogue) -> str:
    """In Mexico's challenge, the rounds that each has won: the house has no lives."""
    if view["game"] == "mexico" and view["options"]["mode"] == "challenge":
        return say("mexico.standing.won", count=view["won"][seat])
    return standing(view, seat, say)


def _sentence(view: View, winners: Sequence[int], say: Catalogue) -> str:
    winner, options = winners[0], view["options"]
    name, names = name_of(view, winner), names_of(view, winners, say)
    figure = view["standing"][winner]
    match view["game"]:
        case "mexico" if options["mode"] == "elimination":
            return say("mexico.result.last", name=name)
        case "mexico" if figure is None:
            return say("mexico.result.house", name=name, loser=name_of(view, 1 - winner))
        case "mexico" if options["goal"] == "win":
            return say("mexico.result.rounds", name=name, won=view["won"][winner], lost=view["won"][1 - winner])
        case "mexico":
            return say("mexico.result.survived", name=name, count=options["rounds"])
        case "pocoloco":
            return say("pocoloco.result.chips", name=name)
        case "cacho":
            return say("cacho.result.dice", name=name, dice=say("many.dice", count=figure))
        case "cheese" if len(view["players"]) == 1:
            return say("cheese.result.solo", name=name, count=view["round"], points=say("many.points", count=figure))
    return say("result.points", names=names, count=len(winners), points=say("many.points", count=figure))
