"""How the news of a game is shown on the kiosk: the pace of each event, and the table after it.

Its one rule: only public news counts. What lies hidden changes neither a picture nor a pause.
"""

from collections.abc import Mapping
from typing import Any

from table.engine.asks import Event, View
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace

DEMO: Mapping[str, Any] = {}
"""Options of a short game, for the table that plays by itself."""

PACES: Mapping[str, Pace] = {}
"""Of events that are not shown as usual, whatever their facts: they come before `pace`."""

# Throws, choices and draws are told by the referee; the others are words that many games use for what happens in them.
USUAL = {
    "rolled": Pace(0.9, 0.35, "shake", "land"),
    "shaken": Pace(0.7, 0.1, "shake", "land"),
    "chose": Pace(0.4, 0.3, "take"),
    "drew": Pace(0.9, 0.7, "turn"),
    "begins": Pace(0.5, 0.7, "turn"),
    "won": Pace(0.8, 1.4, "good"),
    "scored": Pace(1.0, 1.4, "good"),
    "banked": Pace(1.0, 1.0, "good"),
    "tie": Pace(0.8, 1.2, "turn"),
    "lost": Pace(0.9, 1.1, "life"),
    "out": Pace(0.6, 1.0, "bad"),
}
ANY = Pace(0.6, 1.4, "turn")
LIFTED = Pace(0.4, 0.5, "reveal")  # a real cup: nothing tumbles
NEXT_CUP = Pace(0.3, 0.0, "shake")  # shaken in a row
ONE_DIE = Pace(0.6, 0.2, "shake", "land")  # thrown for who begins, or who is lowest


def shown(event: Event, news: News) -> tuple[str, Facts]:
    """The kind of beat that an event becomes, and its facts. A throw is "rolled", or "shaken" if it is hidden."""
    return event.kind, dict(event.facts)


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    """The public table once that has happened, and before the rules went on. Thrown dice lie on it already."""
    match kind:
        case "rolled" | "shaken" | "chose":
            return table
        case "drew":
            return news.after if facts["kind"] == "order" else table
    return {**table, "dice": _revealed(table, news.after), "standing": news.after["standing"]}


def _revealed(table: View, after: View) -> list[list[int | None]]:
    """The dice as they lie, and those that were covered as they are shown now."""
    hands = zip(table["dice"], after["dice"], strict=True)
    return [now if None in hand and None not in now and len(now) == len(hand) else hand for hand, now in hands]


def pace(kind: str, facts: Facts, news: News) -> Pace | None:
    """How long it takes; None if it is not shown by itself."""
    if kind == "rolled" and not facts["places"]:
        return LIFTED
    if kind == "shaken" and any(None in hand for hand in news.before["dice"]):
        return NEXT_CUP
    return USUAL.get(kind, ANY)
