"""How the events of a game are shown on the screen: the pace of each event, and the table after it.

Only public information is used, so hidden dice change neither a picture nor a pause.
"""

from collections.abc import Mapping
from typing import Any

from table.engine.asks import Event, View
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace

DEMO: Mapping[str, Any] = {}
"""Options for a short game, for demo mode."""

PACES: Mapping[str, Pace] = {}
"""The pace of particular events, whatever their facts. Checked before `pace`."""

# The events that the engine tells: rolls, choices and draws, who starts, and who is out. Every other event belongs to
# a single game, which sets its pace.
USUAL = {
    "rolled": Pace(0.9, 0.35, "shake", "land"),
    "shaken": Pace(0.7, 0.1, "shake", "land"),
    "chose": Pace(0.4, 0.3, "take"),
    "drew": Pace(0.9, 0.7, "turn"),
    "begins": Pace(0.5, 0.7, "turn"),
    "out": Pace(0.6, 1.0, "bad"),
}
ANY = Pace(0.6, 1.4, "turn")
LYING = Pace(0.4, 0.8, "reveal")  # real dice: people saw them roll, or a real cup was lifted, so no dice tumble
NEXT_CUP = Pace(0.3, 0.0, "shake")  # the next of several cups in a row
ONE_DIE = Pace(0.6, 0.2, "shake", "land")


def shown(event: Event, news: News) -> tuple[str, Facts]:
    """The kind of beat for an event, and its facts. A roll is "rolled", or "shaken" if it is hidden."""
    return event.kind, dict(event.facts)


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    """The public table just after the beat. `table` is the table before the beat, with the rolled dice already in it.

    Here `news.after` is the table as it was when the rules reported this event. For rolls, choices and draws, which the
    rules do not report, it is the table after all events of the answer. After a drawn order, the rules may already have
    changed that table, so the beat shows the table as it was at the first event from the rules."""
    match kind:
        case "rolled" | "shaken" | "chose":
            return table
        case "drew" if facts["kind"] != "order":
            return table
        case "drew":
            return next((event.table for event in news.events if event.table), news.after)
    return news.after


def pace(kind: str, facts: Facts, news: News) -> Pace | None:
    """How long the event is shown; None if it has no beat of its own."""
    if kind == "rolled" and not facts["places"]:
        return LYING
    if kind == "shaken" and any(None in hand for hand in news.before["dice"]):
        return NEXT_CUP
    return USUAL.get(kind, ANY)


def short_for_one(kind: str, facts: Facts, news: News) -> Pace | None:
    """A `pace` for games in which a single die only decides who starts or who loses."""
    if kind == "rolled" and facts["places"] and len(facts["dice"]) == 1:
        return ONE_DIE
    return pace(kind, facts, news)
