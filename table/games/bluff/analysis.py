"""The odds of Bluff: how often two dice make the claimed sum."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from table.analysis.luck import Judged
from table.analysis.moments import Events, Moments, keep_best
from table.analysis.odds import Exact
from table.analysis.sheets import Column, Sheet
from table.engine.asks import Answer, Choose, Option, Roll, Table, View
from table.engine.chances import at_least, exactly, spread

SUMS = range(2, 13)


def makes(total: int) -> Fraction:
    return exactly(total, 2, sum)


def odds(view: View) -> list[Exact]:
    """How often two dice make each sum."""
    return [("sum", {"sum": total}, makes(total)) for total in SUMS]


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The probability that a claim is true, from the dice alone. The seat's own dice do not matter, because the claim
    is about another player's dice."""
    asked = isinstance(ask, Choose) and ask.options[0] == "accept"
    return [("sum", {"sum": view["claim"]}, makes(view["claim"]))] if asked else []


def tables(given: object) -> dict[str, Sheet]:
    """How often a claim about unseen dice is true, and how often the dice make at least that sum."""
    ways = spread(2, sum)
    return {
        "claims": Sheet(
            "How often two unseen dice make the claimed sum, and at least that sum (1 is never true):",
            (
                Column("claim", "claim", str),
                Column("of 36", "ways", str),
                Column("true", "true"),
                Column("or more", "at_least"),
            ),
            "true",
            [
                {"claim": total, "ways": ways[total], "true": makes(total), "at_least": at_least(total, 2, sum)}
                for total in SUMS
            ],
        )
    }


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """A roll is judged by its sum. Dice under a real cup are not judged, because they are known only after a call, and
    calls depend on the claim."""
    under_cup = None in table.hands.seen_by(ask.seat)[ask.seat]
    return None if under_cup else ((), sum)


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """The seats with real cups. A cup is lifted only after a call, so the dice seen under it are a biased sample, which
    would make fair dice seem unfair."""
    return tuple(options.get("cups", ()))


def moments(events: Events) -> Moments:
    """The biggest lie that was believed, and the highest true claim that was called."""
    found: Moments = Counter()
    hidden: dict[int, int] = {}
    for event in events:
        if event["event"] == "cup":  # the dice under it are unknown
            hidden.pop(event["seat"], None)
        elif event["event"] == "rolled" and None not in event["dice"]:
            hidden[event["seat"]] = sum(event["dice"])
        elif event["event"] == "called" and event["hit"]:
            keep_best(found, event["claimant"], "true_claim", event["claim"])
        elif event["event"] == "scored" and not event["called"] and event["claimant"] in hidden:
            keep_best(found, event["claimant"], "lie", event["claim"] - hidden[event["claimant"]])
    return found
