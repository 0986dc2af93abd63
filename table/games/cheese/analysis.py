"""The odds of Pass the Cheese: how often a roll scores nothing, and how often every die scores."""

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
    """How often a roll scores nothing, by the number of dice."""
    return [("cut", {"count": dice}, cut_chance(dice)) for dice in range(DICE, 0, -1)]


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The odds that the next roll cuts the cheese and, if passing earns a bonus, that it passes the cheese. While the
    seat is choosing dice to keep, the odds are for the dice that would be left after keeping the highlighted set. If no
    set is highlighted, they are for the smallest and the largest set."""
    offered = () if isinstance(ask, Roll) else (option,) if option else ask.options
    kept = [len(each[1]) for each in offered if isinstance(each[1], tuple)] or [0]
    counts = [view["left"] - size for size in sorted({min(kept), max(kept)}) if size < view["left"]]
    lines: list[Exact] = [("cut", {"count": count}, cut_chance(count)) for count in counts]
    if len(counts) == 1 and (view["card"] or view["options"]["pass_bonus"]):
        lines.append(("pass", {"count": counts[0]}, pass_chance(counts[0])))
    return lines


def tables(given: object) -> dict[str, Sheet]:
    """The statistics of one roll, by the number of dice."""
    return {
        "rolls": Sheet(
            "One roll by the number of dice: how often nothing scores (the cheese is cut), how often every die scores, "
            "and the average points if every scoring die is kept:",
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
    """A roll is judged by its points. Dice that were kept earlier do not matter."""
    return (), points_of


def moments(events: Events) -> Moments:
    """The most points banked in one turn, and how often all six dice scored."""
    found: Moments = Counter()
    for event in events:
        if event["event"] == "banked":
            keep_best(found, event["seat"], "turn", event["points"])
        elif event["event"] == "passed":
            found[event["seat"], "passed"] += 1
    return found
