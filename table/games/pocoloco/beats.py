"""How the events of PocoLoco are shown."""

from table.engine.asks import View
from table.games.default import beats as default
from table.games.pocoloco.rules import rank
from table.session.match import News
from table.ui.kiosk.show import Facts, Pace, with_value

DEMO = {"chips": 3}
PACES = {"chips": Pace(1.4, 1.2, "chip")}


def after(table: View, kind: str, facts: Facts, news: News) -> View:
    if kind == "rolled":
        rolls = table["rolls"] + 1 if news.before["dice"][facts["seat"]] else 1
        table = {**table, "rolls": rolls}
        return _ranked(table, facts["seat"]) if rolls == table["limit"] else table
    if kind == "chose" and facts["option"] == "end":
        return _ranked(table, facts["seat"])
    return default.after(table, kind, facts, news)


def _ranked(table: View, seat: int) -> View:
    return {**table, "ranks": with_value(table["ranks"], seat, list(rank(table["dice"][seat])))}
