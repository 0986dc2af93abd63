"""The computers of Bluff that go by a rule of thumb or by plain odds.

Dice under a real cup are not known here: a level then takes them for 7, which two dice show most often.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from table.engine.asks import Option, View
from table.engine.chances import spread

LEVELS = ("easy", "classic", "sharp")

WAYS = spread(2, sum)  # of 36

HONEST = 0.7  # how often it says what it has
STEPS_UP = {1: 0.5, 2: 0.3, 3: 0.2}  # by how much it lifts a claim, when it does
MOST_LIKELY = 7
WORTH_THE_CARD = 6  # from this claim on the immunity card is played at once

TRUTHFUL = 0.5  # how often easy says what it has; else it dreams of these
DREAMS = (10, 11, 12)
SUSPICIOUS = 10  # easy believes anything less, but for a whim
DOUBT = 0.3
WHIM = 0.1
FORGETS = 0.5  # how often easy does not think of its card

SAFE = 6  # what an uncalled bluff is worth at best, when both play the plain odds
BLUFFS = {claim: ways * (claim * 3 // 2) / (3 * claim) for claim, ways in WAYS.items() if claim > SAFE}
"""So many, beside the ways to have it, that a call of that claim wins as much as it loses."""
SAFE_TRUTHS = 36 - sum(WAYS[claim] + BLUFFS[claim] for claim in BLUFFS)  # of those who have 6; the rest bluffs too


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Two seats who roll just before they claim. Who has rolled already calls by its own dice too, and what that tells
    the other is not read: so the full rules are solved claim by claim, and not quite as a whole."""
    return seats == 2 and options["rules"] == "simple"


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Honest, with dreams of high claims that are often caught; believes nearly all that it is told."""
    if "call" in options:
        calling = DOUBT if view["claim"] >= SUSPICIOUS else WHIM
        return [calling if option == "call" else 1 - calling for option in options]
    if "immunity" in options:
        return [FORGETS if option == "concede" else 1 - FORGETS for option in options]
    dreams = {claim: (1 - TRUTHFUL) / len(DREAMS) for claim in DREAMS}
    return _claims(options, _have(view), TRUTHFUL, dreams)


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """The odds of a claim played for points, far from zero: nobody can win points from it, bluffing or calling."""
    if "call" in options:
        claim = view["claim"]
        calling = 1.0 if claim == 1 else max(0.0, (1 - SAFE / claim) / 3)
        return [calling if option == "call" else 1 - calling for option in options]
    if "immunity" in options:
        return [float(option == "immunity") for option in options]
    have = _have(view)
    truth = 1.0 if have > SAFE else SAFE_TRUTHS / WAYS[SAFE] if have == SAFE else 0.0
    bluffs = {claim: (1 - truth) * count / sum(BLUFFS.values()) for claim, count in BLUFFS.items()}
    return _claims(options, have, truth, bluffs)


def _have(view: View) -> int:
    dice = view["dice"][view["seat"]]
    return MOST_LIKELY if None in dice else sum(dice)


def _claims(options: Sequence[Option], have: int, truth: float, bluffs: Mapping[int, float]) -> list[float]:
    chances: dict[Option, float] = {("claim", claim): chance for claim, chance in bluffs.items()}
    chances["claim", have] = chances.get(("claim", have), 0.0) + truth
    return [chances.get(option, 0.0) for option in options]


def classic(view: View, options: Sequence[Option]) -> list[float]:
    if "call" in options:
        calling = _call(view)
        return [calling if option == "call" else 1 - calling for option in options]
    if "immunity" in options:
        play = view["claim"] >= WORTH_THE_CARD or view["round"] >= view["last_round"]
        return [float((option == "immunity") == play) for option in options]
    claims = _claim(view)
    return [claims.get(option, 0.0) for option in options]


def _claim(view: View) -> dict[Option, float]:
    dice = view["dice"][view["seat"]]
    if None in dice:
        return {("claim", MOST_LIKELY): 1.0}
    have = sum(dice)
    lifts = {have + step: chance for step, chance in STEPS_UP.items() if have + step <= 12}
    honest = HONEST if lifts else 1.0
    chances: dict[Option, float] = {("claim", have): honest}
    for claim, chance in lifts.items():
        chances["claim", claim] = (1 - honest) * chance / sum(lifts.values())
    return chances


def _call(view: View) -> float:
    """Two dice never show 1. From 7 on, the higher the claim the likelier the call; with nothing to lose, twice so."""
    claim: int = view["claim"]
    if claim == 1:
        return 1.0
    chance = max(0.0, (claim - 6) * 0.06)
    return min(1.0, chance * 2 if view["standing"][view["seat"]] == 0 else chance)
