"""Bluff's chances: how often two dice make the sum that is claimed."""

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
    """That a claim is true, for somebody who goes by the dice alone. Its own dice tell a seat nothing: those of whoever
    claims are others."""
    asked = isinstance(ask, Choose) and ask.options[0] == "accept"
    return [("sum", {"sum": view["claim"]}, makes(view["claim"]))] if asked else []


def tables(given: object) -> dict[str, Sheet]:
    """How often a claim is true, of whoever claims without having looked; and how often the dice are worth it."""
    ways = spread(2, sum)
    return {
        "claims": Sheet(
            "How often two dice that nobody has seen make the sum that is claimed, and that or more (1 is never true):",
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
    """By the sum. Dice under a real cup are known only if somebody calls, which depends on what was claimed of them."""
    under_cup = None in table.hands.seen_by(ask.seat)[ask.seat]
    return None if under_cup else ((), sum)


def left_out(options: Mapping[str, Any]) -> Sequence[int]:
    """A real cup is lifted only if its claim is called: those dice are not just any dice, and would seem unfair."""
    return tuple(options.get("cups", ()))


def moments(events: Events) -> Moments:
    """The lie that was furthest from the dice and believed, and the highest claim that was called and true."""
    found: Moments = Counter()
    hidden: dict[int, int] = {}
    for event in events:
        if event["event"] == "cup":  # what lies under it nobody told
            hidden.pop(event["seat"], None)
        elif event["event"] == "rolled" and None not in event["dice"]:
            hidden[event["seat"]] = sum(event["dice"])
        elif event["event"] == "called" and event["hit"]:
            keep_best(found, event["claimant"], "true_claim", event["claim"])
        elif event["event"] == "scored" and not event["called"] and event["claimant"] in hidden:
            keep_best(found, event["claimant"], "lie", event["claim"] - hidden[event["claimant"]])
    return found
