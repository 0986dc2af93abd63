"""The computer players of Bluff that follow rules of thumb or plain odds.

These players do not know dice under a real cup, and assume that the dice make 7, the most likely sum.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from table.engine.asks import Option, View
from table.engine.chances import spread

LEVELS = ("easy", "classic", "sharp")

WAYS = spread(2, sum)  # how many of the 36 rolls make each sum

HONEST = 0.7  # the probability that classic claims its real sum
STEPS_UP = {1: 0.5, 2: 0.3, 3: 0.2}  # how far classic's false claims exceed its sum, and how often
MOST_LIKELY = 7
WORTH_THE_CARD = 6  # at this claim or a higher one, classic always plays its immunity card

TRUTHFUL = 0.5  # the probability that easy claims its real sum; otherwise it claims one of DREAMS
DREAMS = (10, 11, 12)
SUSPICIOUS = 10  # easy believes lower claims, except on a whim
DOUBT = 0.3
WHIM = 0.1
FORGETS = 0.5  # the probability that easy forgets its card

SAFE = 6  # the highest claim that sharp accepts for sure, and the points that a bluff gains against sharp
BLUFFS = {claim: ways * (claim * 3 // 2) / (3 * claim) for claim, ways in WAYS.items() if claim > SAFE}
"""For each claim, how many of the 36 rolls must be bluffs so that a call wins as much as it loses."""
# Of the 5 rolls that total 6, how many `sharp` claims truthfully.
SAFE_TRUTHS = 36 - sum(WAYS[claim] + BLUFFS[claim] for claim in BLUFFS)


def solved(options: Mapping[str, Any], seats: int) -> bool:
    """Whether the solution of the game is exact: only for two seats with the simple rules, where each seat rolls just
    before its claim. With the full rules, the first caller has already rolled and can use its own dice. What the call
    reveals about these dice is ignored, so the solution is only nearly exact."""
    return seats == 2 and options["rules"] == "simple"


def easy(view: View, options: Sequence[Option]) -> list[float]:
    """Claims its real sum half the time, and 10 or more otherwise. Believes nearly everything."""
    if "call" in options:
        calling = DOUBT if view["claim"] >= SUSPICIOUS else WHIM
        return [calling if option == "call" else 1 - calling for option in options]
    if "immunity" in options:
        return [FORGETS if option == "concede" else 1 - FORGETS for option in options]
    dreams = {claim: (1 - TRUTHFUL) / len(DREAMS) for claim in DREAMS}
    return _claims(options, _have(view), TRUTHFUL, dreams)


def sharp(view: View, options: Sequence[Option]) -> list[float]:
    """Tries to gain points with each claim and call, as if all scores were far from zero. On average, neither bluffing
    nor calling wins points against it."""
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
    """The probability that classic calls. It always calls 1, which two dice never make. From 7 on, it calls higher
    claims more often, and twice as often if it has no points."""
    claim: int = view["claim"]
    if claim == 1:
        return 1.0
    chance = max(0.0, (claim - 6) * 0.06)
    return min(1.0, chance * 2 if view["standing"][view["seat"]] == 0 else chance)
