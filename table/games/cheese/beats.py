"""How the events of Pass the Cheese are shown."""

from table.engine.asks import View
from table.games.cheese.rules import score
from table.games.default import beats as default
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace, with_dice

DEMO = {"goal": 1500}
PACES = {
    "cut": Pace(1.0, 0.6, "bad"),
    "passed": Pace(1.0, 1.0, "good"),
    "banked": Pace(1.0, 1.0, "good"),
    "last_turns": Pace(0.6, 1.6, "turn"),
}


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    match kind:
        case "drew":
            return news.after
        case "chose" if facts["option"][0] == "keep":
            return _kept(table, facts["seat"], facts["option"][1])
        case "passed":
            return {**table, "points": table["points"] + facts["bonus"]}
        case "banked":
            return {**table, "points": 0, "standing": news.after["standing"]}
        case "last_turns":
            return {**table, "finisher": facts["seat"]}
    return default.after(table, kind, facts, news)


def _kept(table: View, seat: int, places: tuple[int, ...]) -> View:
    roll = table["dice"][seat]
    kept = [roll[place] for place in places]
    rest = [die for place, die in enumerate(roll) if place not in places]
    return {
        **with_dice(table, seat, rest),
        "kept": table["kept"] + kept,
        "left": len(rest),
        "points": table["points"] + score(kept).total,
    }
