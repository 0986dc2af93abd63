"""How Pass the Cheese is put into words."""

from collections.abc import Sequence
from dataclasses import replace

from table.engine.asks import Ask, Choose, Event, Option, View
from table.games.cheese.rules import score
from table.games.default import words as default
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.choices import Choice, Entry, roll_or_end
from table.text.narration.words import faces, name_of


def card_help(card: str, say: Catalogue) -> str:
    """What a card means."""
    return say(f"cheese.card.{card}")


def tell(event: Event, news: News, say: Catalogue) -> str:
    facts, before = event.facts, news.before
    name = name_of(before, facts["seat"]) if "seat" in facts else ""
    match event.kind:
        case "rolled":
            dice, points = facts["dice"], score(facts["dice"]).total
            key = "cheese.tell.rolled" if points else "cheese.tell.rolled_nothing"
            return say(key, name=name, dice=faces(dice), points=points)
        case "chose" if facts["option"][0] == "keep":
            dice = before["dice"][facts["seat"]]
            kept = [dice[place] for place in facts["option"][1]]
            points = score(kept).total
            total = before["points"] + points
            return say("cheese.tell.keep", name=name, dice=faces(kept), points=points, total=total)
        case "drew":
            return card_help(facts["drawn"][0], say)
        case "cut":
            key = "cheese.tell.cut" if facts["points"] else "cheese.tell.cut_early"
            return say(key, name=name, points=facts["points"])
        case "passed":
            key = "cheese.tell.passed_bonus" if facts["bonus"] else "cheese.tell.passed"
            return say(key, name=name, bonus=facts["bonus"])
    return default.tell(event, news, say)


def prompt(ask: Ask, view: View, say: Catalogue) -> str:
    if isinstance(ask, Choose) and ask.options[0] == "roll":
        name = name_of(view, ask.seat)
        return say("cheese.prompt.roll", name=name, count=view["left"], points=view["points"])
    return default.prompt(ask, view, say)


def choices(ask: Choose, public: View) -> Choice:
    """Sets of dice to keep, with the most points first. Sets with equal points are listed by size, the largest
    first."""
    if ask.options[0] == "roll":
        return roll_or_end(ask, public, count=public["left"])
    choice = default.choices(ask, public)
    entries = [replace(entry, facts={**entry.facts, "points": _points(entry)}) for entry in choice.entries]
    entries.sort(key=lambda entry: (-entry.facts["points"], -entry.facts["count"], entry.places))
    return replace(choice, entries=tuple(entries))


def _points(entry: Entry) -> int:
    return score(entry.facts["dice"]).total


def why_not(dice: Sequence[int], say: Catalogue) -> str:
    idle = sorted(set(score(dice).unscored))
    return say("cheese.idle", count=len(idle), faces=say.listed([str(face) for face in idle]))


def result(view: View, winners: Sequence[int], say: Catalogue) -> str:
    if len(view["players"]) > 1:
        return default.result(view, winners, say)
    points = default.standing(view, winners[0], say)
    return say("cheese.result.solo", name=name_of(view, winners[0]), count=view["round"], points=points)


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    found = [(say(f"cheese.fact.{field}"), str(view[field])) for field in ("points", "left")]
    return found + ([(say("cheese.fact.card"), card_help(view["card"], say))] if view["card"] else [])


def place(view: View, option: Option, say: Catalogue) -> str:
    """For the choice to roll on or bank, shows the points at risk."""
    if option not in ("roll", "end"):
        return default.place(view, option, say)
    points = say("many.points", count=view["points"])
    return say("cheese.review.at_risk", place=say("review.round", round=view["round"]), points=points)


def phrase(view: View, option: Option, say: Catalogue) -> str:
    if option == "roll":
        return say("cheese.review.roll", count=view["left"])
    return default.phrase(view, option, say)
