"""How PocoLoco is put into words."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from table.engine.asks import Choose, Draw, Event, View
from table.engine.chances import rolls, spread
from table.games.default import words as default
from table.games.pocoloco import rules
from table.games.pocoloco.rules import Rank
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.choices import Choice, Entry, values
from table.text.narration.words import name_of, names_of


def called(dice: Sequence[int], say: Catalogue) -> str:
    """The name of a hand: PoCo, three fives, Loco, 164 points."""
    chips, value = rules.rank(dice)
    match chips:
        case 4:
            return say("pocoloco.hand.poco")
        case 3:
            return say("pocoloco.hand.three", faces=say.faces(value, 3))
        case 2:
            return say("pocoloco.hand.loco")
    return say("many.points", count=value)


def tell(event: Event, news: News, say: Catalogue) -> str:
    facts, before, after = event.facts, news.before, news.after
    match event.kind:
        case "rolled":  # names the whole hand, even if only some dice were rolled
            seat = facts["seat"]
            return say("pocoloco.tell.rolled", name=name_of(before, seat), hand=called(after["dice"][seat], say))
        case "chose" if facts["option"] == "end":
            seat = facts["seat"]
            return say("pocoloco.tell.end", name=name_of(before, seat), hand=called(before["dice"][seat], say))
        case "drew" if facts["kind"] == "pick":
            return _picked(facts["drawn"][0], news, say)
        case "chips":
            names = {who: name_of(before, facts[who]) for who in ("winner", "loser")}
            hand = called(after["dice"][facts["winner"]], say)
            return say("pocoloco.tell.chips", **names, hand=hand, count=sum(facts["given"]))
    return default.tell(event, news, say)


def _picked(seat: int, news: News, say: Catalogue) -> str:
    """The sentence for a draw among tied seats. The event does not say what the seat was drawn for, but the state of
    the table does."""
    before = news.before
    assert isinstance(news.ask, Draw)
    level = [int(candidate) for candidate in news.ask.candidates]
    best = max(each for each in before["ranks"] if each is not None)
    if not any(before["standing"][candidate] for candidate in level):
        key = "tell.drawn_to_win"
    elif sorted(level) == [at for at, each in enumerate(before["ranks"]) if each == best]:
        key = "pocoloco.tell.drawn_as_best"
    else:
        key = "pocoloco.tell.drawn_as_lowest"
    return say(key, names=names_of(before, level, say), name=name_of(before, seat))


def choices(ask: Choose, public: View) -> Choice:
    """The options, best first, by the hand that they promise after one more roll."""
    choice = default.choices(ask, public)

    def best_first(entry: Entry) -> tuple[float, Any]:
        return -promise(values(choice.dice, entry.places or ())), entry.places

    return replace(choice, entries=tuple(sorted(choice.entries, key=best_first)))


@cache
def promise(kept: tuple[int, ...]) -> float:
    """How many of the 216 rolls of three dice a hand beats on average, if these dice are kept and the others rolled
    again."""
    again = rolls(3 - len(kept))
    return sum(ways * _beats(rules.rank(kept + roll)) for roll, ways in again.items()) / sum(again.values())


def _beats(mine: Rank) -> float:
    """How many of the 216 rolls of three dice this hand beats. A tie counts as half."""
    every = spread(3, rules.rank)
    return sum(ways for rank, ways in every.items() if rank < mine) + every[mine] / 2


def order(view: View) -> Sequence[int]:
    return list(view["order"])


def note(view: View, seat: int, say: Catalogue) -> str:
    return "" if view["ranks"][seat] is None else called(view["dice"][seat], say)


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    if not view["rolls"]:
        return []
    return [(say("pocoloco.fact.rolls"), say("value.of", number=view["rolls"], most=view["limit"]))]
