"""The classic computer of Bluff: mostly honest, sometimes a little more than it has, and wary of high claims."""

from collections.abc import Sequence

from table.rules.vocabulary import Option, View

HONEST = 0.7  # how often it says what it has
STEPS_UP = {1: 0.5, 2: 0.3, 3: 0.2}  # by how much it lifts a claim, when it does
MOST_LIKELY = 7
WORTH_THE_CARD = 6  # from this claim on the immunity card is played at once


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
    """Dice under a real cup are not known here, so it claims what two dice show most often."""
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
