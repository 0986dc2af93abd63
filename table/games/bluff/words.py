"""How Bluff is put into words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from table.engine.asks import Choose, Draw, Event, View
from table.games.default import words as default
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.choices import Choice
from table.text.narration.words import name_of, names_of

NEUTRAL_CLAIM = 7


def tell(event: Event, news: News, say: Catalogue) -> str:
    facts = event.facts
    match event.kind:
        case "drew":
            return _drew(facts, news, say)
        case "called":
            key = "bluff.tell.hit" if facts["hit"] else "bluff.tell.missed"
            claimant = name_of(news.before, facts["claimant"])
            return say(key, name=claimant, claim=facts["claim"], sum=sum(facts["dice"]))
        case "scored":
            return _scored(facts, news, say)
    return default.tell(event, news, say)


def _drew(facts: dict[str, Any], news: News, say: Catalogue) -> str:
    before, after, drawn = news.before, news.after, facts["drawn"]
    if facts["kind"] == "pick":
        assert isinstance(news.ask, Draw)
        names = names_of(before, [int(seat) for seat in news.ask.candidates], say)
        key = "tell.drawn_to_win" if after["turn"] is None else "bluff.tell.drawn_to_lead"
        return say(key, names=names, name=name_of(before, drawn[0]))
    if after["turn"] is None:  # the leader has not been drawn yet
        return say("bluff.tell.circle")
    return say("bluff.tell.circle_led", name=name_of(after, after["leader"]))


def _scored(facts: dict[str, Any], news: News, say: Catalogue) -> str:
    """For example "Bo claimed 9 but had 4: Ann takes 9 and Bo loses 9"."""
    before, after, claim = news.before, news.after, facts["claim"]
    claimant, caller = facts["claimant"], facts["caller"]
    if not any(facts["gains"]):
        return say("bluff.tell.immune")
    changes = []
    for seat, meant in zip((claimant, caller), facts["gains"], strict=True):
        changed, name = after["standing"][seat] - before["standing"][seat], name_of(before, seat)
        if changed:
            key = "bluff.tell.takes" if changed > 0 else "bluff.tell.loses"
            changes.append(say(key, name=name, points=abs(changed)))
        elif meant:
            changes.append(say("bluff.tell.nothing_to_lose", name=name))
    if facts["gains"][0] < 0:
        changes.reverse()  # the seat that gains points comes first
    if not facts["called"]:
        what = say("bluff.tell.believed", name=name_of(before, caller), claim=claim)
    elif facts["gains"][0] > 0:
        what = say("bluff.tell.hit_scored", name=name_of(before, claimant), claim=claim)
    else:
        shown = sum(_shown_dice(claimant, news))
        what = say("bluff.tell.missed", name=name_of(before, claimant), claim=claim, sum=shown)
    return say("bluff.tell.scored", what=what, changes=say.listed(changes))


def _shown_dice(claimant: int, news: News) -> Sequence[int]:
    """The dice of the claimant, whose claim was called. They were revealed just now or, if the claimant then had to
    decide about the immunity card, before that choice."""
    for event in news.events:
        if event.kind == "called":
            return list(event.facts["dice"])
    return list(news.before["dice"][claimant])


def told_by_another(event: Event, news: News) -> bool:
    """Whether the sentence for the "scored" event already says that the claim was called or believed."""
    said = event.kind == "called" or (event.kind == "chose" and event.facts["option"] == "accept")
    return said and any(other.kind == "scored" for other in news.events)


def choices(ask: Choose, public: View) -> Choice:
    claim = "claim", NEUTRAL_CLAIM
    start = ask.options.index(claim) if claim in ask.options else 0
    return replace(default.choices(ask, public), start=start)


def round_line(view: View, say: Catalogue) -> str:
    number, rounds = view["round"], view["options"]["rounds"]
    if number > rounds:
        return say("bluff.round.playing_off", round=number)
    return say("round.of", round=number, rounds=rounds)


def order(view: View) -> Sequence[int]:
    return list(view["circle"])


def note(view: View, seat: int, say: Catalogue) -> str:
    claim = view["claims"][seat] if view["claims"] else None
    return "" if claim is None else say("bluff.choice.claim", claim=claim)


def marks(view: View, seat: int, say: Catalogue) -> list[str]:
    wins = view["options"]["wins"][seat]
    found = [say("bluff.mark.card")] if view["cards"][seat] else []
    return found + ([say("many.wins", count=wins)] if wins else [])


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    return [] if view["claim"] is None else [(say("bluff.fact.claim"), str(view["claim"]))]
