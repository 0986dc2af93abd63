"""How someone played, in sentences. Its one rule: a review is shown only after the game, so it can reveal dice
that were hidden."""

# mypy: disable-error-code=no-any-return

from collections.abc import Iterator

from table.analysis.review import Decision, Review
from table.engine.asks import Option, View
from table.games import part  # the functions of a part return the same types as those in table.games.default
from table.text.catalogue import Catalogue
from table.text.numbers import points

DEAREST = 5  # the most mistakes that are described one by one


def without(found: Review, name: str, say: Catalogue) -> str:
    """Why there is no review; empty if there is one."""
    if found.alone:
        return say("review.alone")
    if not found.known:
        return say("review.no_perfect")
    if not found.decisions:
        return say("review.cup" if found.cup else "review.nothing", name=name)
    return ""


def notes(found: Review, name: str, say: Catalogue) -> Iterator[str]:
    """Notes on how reliable the review is."""
    if found.cup:
        yield say("review.cup", name=name)
    if not found.solved:
        yield say("review.estimate")


def summary(found: Review, name: str, say: Catalogue) -> str:
    """A sentence such as "Ann made the best choice 9 out of 12 times"."""
    count = len(found.decisions)
    good = count - len(found.slips)
    return say("review.summary", name=name, count=count, good=good)


def balance(found: Review, say: Catalogue) -> str:
    """A line such as "Chance to win: 50% at the start, +38% from luck, 6% lost to mistakes, 82% at the end"."""
    return say(
        "review.balance" if found.over else "review.so_far",
        start=points(found.start, say),
        luck=points(found.luck, say, signed=True),
        cost=points(found.cost, say),
        result=points(found.result, say),
    )


def slip(decision: Decision, say: Catalogue) -> str:
    """A mistake in words, such as "Round 3, 54: roll again. Better: stay. Cost: 4%"."""
    return say(
        "review.slip",
        place=place(decision.view, decision.chosen, say),
        chosen=phrase(decision.view, decision.chosen, say),
        best=phrase(decision.view, decision.best, say),
        cost=points(decision.cost, say),
    )


def place(view: View, option: Option, say: Catalogue) -> str:
    """Where the decision was made: the round, and the seat's dice or what was at risk."""
    return part(view["game"], "words").place(view, option, say)


def phrase(view: View, option: Option, say: Catalogue) -> str:
    """A chosen option in a few words, as part of a sentence."""
    return part(view["game"], "words").phrase(view, option, say)
