"""How the events of Mexico are shown."""

from table.engine.asks import View
from table.games.default import beats as default
from table.games.mexico.rules import MEXICO, score
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace, with_value

DEMO = {"rounds": 3}
PACES = {
    "mexico": Pace(1.2, 0.4, "fanfare"),
    "won": Pace(0.8, 1.4, "good"),
    "tie": Pace(0.8, 1.2, "turn"),
    "lost": Pace(0.9, 1.1, "life"),
}
pace = default.short_for_one


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    match kind:
        case "rolled" if len(facts["dice"]) == 2:
            read, rolls = score(facts["dice"]), table["rolls"] + 1
            ended = read == MEXICO or rolls == table["limit"]
            scores = with_value(table["scores"], facts["seat"], read) if ended else table["scores"]
            return {**table, "rolls": rolls, "scores": scores}
        case "chose" if facts["option"] == "end":
            read = score(table["dice"][facts["seat"]])
            return {**table, "scores": with_value(table["scores"], facts["seat"], read)}
        case "won":
            return {**table, "won": news.after["won"]}
        case "begins" | "mexico" | "tie":  # lives change with the event "lost"
            return table
    return default.after(table, kind, facts, news)
