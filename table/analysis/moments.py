"""The best moments of a game, for whoever played it: the largest turn, the boldest lie, the Mexicos in one game.

Its one rule: each is a number that can be beaten, counted from what was told. So the best of all games of a player is
the largest of them, and nothing has to be played again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Moments = dict[tuple[int, str], int]
"""By seat and kind."""


def moments(game: str, events: Sequence[Mapping[str, Any]]) -> Moments:
    """Of each seat that had one. Events are as JSON tells them, also those that only some might hear then."""
    found: Counter[tuple[int, str]] = Counter()
    FIND[game](events, found)
    return {where: number for where, number in found.items() if number > 0}


def _mexico(events: Sequence[Mapping[str, Any]], found: Counter[tuple[int, str]]) -> None:
    """How many Mexicos one threw in a game."""
    for event in events:
        if event["event"] == "mexico":
            found[event["seat"], "mexicos"] += 1


def _bluff(events: Sequence[Mapping[str, Any]], found: Counter[tuple[int, str]]) -> None:
    """The lie that was furthest from the dice and believed, and the highest claim that was called and true."""
    hidden: dict[int, int] = {}
    for event in events:
        if event["event"] == "cup":  # what lies under it nobody told
            hidden.pop(event["seat"], None)
        elif event["event"] == "rolled" and None not in event["dice"]:
            hidden[event["seat"]] = sum(event["dice"])
        elif event["event"] == "called" and event["hit"]:
            _best(found, (event["claimant"], "true_claim"), event["claim"])
        elif event["event"] == "scored" and not event["called"] and event["claimant"] in hidden:
            _best(found, (event["claimant"], "lie"), event["claim"] - hidden[event["claimant"]])


def _pocoloco(events: Sequence[Mapping[str, Any]], found: Counter[tuple[int, str]]) -> None:
    """How often one won a round with 4-5-6, and the most chips that somebody got rid of at once."""
    for event in events:
        if event["event"] == "chips":
            if event["each"] == POCO:
                found[event["winner"], "poco"] += 1
            for seat, given in enumerate(event["given"]):
                _best(found, (seat, "chips"), given)


def _cheese(events: Sequence[Mapping[str, Any]], found: Counter[tuple[int, str]]) -> None:
    """The most points that were banked in one turn, and how often all six dice scored."""
    for event in events:
        if event["event"] == "banked":
            _best(found, (event["seat"], "turn"), event["points"])
        elif event["event"] == "passed":
            found[event["seat"], "passed"] += 1


def _cacho(events: Sequence[Mapping[str, Any]], found: Counter[tuple[int, str]]) -> None:
    """How often one was right: with a calza, and with a doubt."""
    for event in events:
        number = event["bid"][0] if event["event"] in ("calza", "dudo") else 0
        if event["event"] == "calza" and event["count"] == number:
            found[event["seat"], "calza"] += 1
        elif event["event"] == "dudo" and event["count"] < number:
            found[event["seat"], "dudo"] += 1


def _best(found: Counter[tuple[int, str]], where: tuple[int, str], number: int) -> None:
    found[where] = max(found[where], number)


POCO = 4  # chips that each of the others is rid of, by 4-5-6
FIND = {"mexico": _mexico, "bluff": _bluff, "pocoloco": _pocoloco, "cheese": _cheese, "cacho": _cacho}
