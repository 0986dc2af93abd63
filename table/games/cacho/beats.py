"""How the events of Cacho are shown."""

from table.engine.asks import Event, View
from table.games.cacho.rules import CHALLENGES, count
from table.games.default import beats as default
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace

DEMO = {"dice": 3}
PACES = {
    "lost": Pace(0.9, 1.1, "bad"),
    "challenged": Pace(1.5, 1.5, "reveal"),
    "regained": Pace(0.9, 1.1, "good"),
    "cup": Pace(0.4, 0.4, "turn"),
}
pace = default.short_for_one


def shown(event: Event, news: News) -> tuple[str, Facts]:
    """Dudo and calza are shown the same way, with the dice that count for the bid."""
    kind, facts = event.kind, dict(event.facts)
    if kind not in CHALLENGES:
        return kind, facts
    _, face = facts["bid"]
    wild = not news.before["single"]
    counting = [[count(face, [[die]], wild) == 1 for die in dice] for dice in facts["dice"]]
    return "challenged", {**facts, "word": kind, "counting": counting}


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    match kind:
        case "challenged":
            return {**table, "dice": [list(dice) for dice in facts["dice"]]}
        case "cup":
            return news.after
        case "chose" if facts["option"][0] == "bid":
            seat, bid = facts["seat"], list(facts["option"][1])
            return {**table, "bid": bid, "bidder": seat, "bids": [*table["bids"], [seat, bid]]}
    return default.after(table, kind, facts, news)
