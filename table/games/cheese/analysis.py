"""The chances of Pass the Cheese: that a roll scores nothing at all, and that every die of it does."""

from collections import Counter
from fractions import Fraction

from table.analysis.luck import Judged
from table.analysis.moments import Events, Moments, keep_best
from table.analysis.odds import Exact
from table.analysis.sheets import Column, Sheet
from table.engine.asks import Answer, Choose, Option, Roll, Table, View
from table.games.cheese.bots import cut_chance, mean_points, pass_chance, points_of
from table.games.cheese.rules import DICE


def odds(view: View) -> list[Exact]:
    """How often so many dice score nothing at all."""
    return [("cut", {"count": dice}, cut_chance(dice)) for dice in range(DICE, 0, -1)]


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """To cut the cheese with the next roll, and to pass it where that is worth something; while dice are kept, with
    those that would be left: of the set that is looked at, else of the smallest and of the largest."""
    offered = () if isinstance(ask, Roll) else (option,) if option else ask.options
    kept = [len(each[1]) for each in offered if isinstance(each[1], tuple)] or [0]
    counts = [view["left"] - size for size in sorted({min(kept), max(kept)}) if size < view["left"]]
    lines: list[Exact] = [("cut", {"count": count}, cut_chance(count)) for count in counts]
    if len(counts) == 1 and (view["card"] or view["options"]["pass_bonus"]):
        lines.append(("pass", {"count": counts[0]}, pass_chance(counts[0])))
    return lines


def tables(given: object) -> dict[str, Sheet]:
    """What one roll of so many dice comes to."""
    return {
        "rolls": Sheet(
            "How often nothing scores in one roll of so many dice (the cheese is cut), how often every die does, and "
            "the average points if all that scores is kept:",
            (
                Column("dice", "dice", str),
                Column("cut", "cut"),
                Column("exactly", "cut", str),
                Column("all score", "all"),
                Column("exactly", "all", str),
                Column("points", "points", _average),
            ),
            "cut",
            [
                {"dice": dice, "cut": cut_chance(dice), "all": pass_chance(dice), "points": mean_points(dice)}
                for dice in range(DICE, 0, -1)
            ],
        )
    }


def _average(points: Fraction) -> str:
    return f"{float(points):.1f}"


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """By its points."""
    return (), points_of


def moments(events: Events) -> Moments:
    """The most points that were banked in one turn, and how often all six dice scored."""
    found: Moments = Counter()
    for event in events:
        if event["event"] == "banked":
            keep_best(found, event["seat"], "turn", event["points"])
        elif event["event"] == "passed":
            found[event["seat"], "passed"] += 1
    return found
