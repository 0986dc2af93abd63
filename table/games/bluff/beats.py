"""How the events of Bluff are shown."""

from collections.abc import Sequence

from table.engine.asks import Event, View
from table.games.default import beats as default
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace, with_dice, with_value

DEMO = {"rounds": 2}
PACES = {"tied": Pace(0.6, 1.6, "turn"), "cup": Pace(0.4, 0.4, "turn")}
SCORED = Pace(1.0, 1.4, "good")


def shown(event: Event, news: News) -> tuple[str, Facts]:
    facts = dict(event.facts)
    if event.kind == "scored":  # scores never fall below 0, so a seat can lose less than the event says
        seats = facts["claimant"], facts["caller"]
        facts["gains"] = [news.after["standing"][seat] - news.before["standing"][seat] for seat in seats]
    return event.kind, facts


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    now = news.after
    match kind:
        case "drew" if facts["kind"] == "order" and now["turn"] is None:
            return _new_circle(now, facts["drawn"])  # the leader has not been drawn yet
        case "drew" if now["circle"] != table["circle"]:
            return _new_circle(now, now["circle"])  # the leader has been drawn, but no one has rolled yet
        case "cup":
            return now
        case "called":
            return with_dice(table, facts["claimant"], facts["dice"])
        case "chose":
            match facts["option"]:
                case ("claim", claim):
                    return {**table, "claim": claim, "claims": with_value(table["claims"], facts["seat"], claim)}
                case "immunity":
                    return {**table, "cards": now["cards"]}
    return default.after(table, kind, facts, news)


def _new_circle(after: View, drawn: Sequence[int]) -> View:
    seats = len(after["players"])
    nobody = dict.fromkeys(("leader", "claimant", "caller", "claim"))
    return {**after, **nobody, "circle": list(drawn), "claims": [None] * seats, "dice": [[] for _ in range(seats)]}


def pace(kind: str, facts: Facts, news: News) -> Pace | None:
    match kind:
        case "shaken" if any(news.before["claims"]):
            return default.USUAL[kind]
        case "called":
            return Pace(0.8, 1.2, "reveal")
        case "scored" if not facts["called"]:
            return Pace(0.8, 0.8, "good")
        case "scored" if facts["gains"][0] <= 0:
            return SCORED._replace(sound="bad" if any(facts["gains"]) else None)
        case "scored":
            return SCORED
    return default.pace(kind, facts, news)
