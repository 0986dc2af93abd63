"""Whether dice are fair: the evidence in the faces they showed, and how many rolls it takes to notice a bias.

Fair dice are called unfair at fewer than 1 table in 100, no matter which numbers people look at, or how often.

An ordinary significance test would be wrong here. The counts are checked after every game, and if you check fair dice a
hundred times, you will see a "1 in 100" sooner or later. Checking six faces, several sources and all players has the
same effect. So the test is a bet against the dice. It starts at 1. The rolls so far predict a
probability for each face, and each rolled die multiplies the bet by six times the predicted probability of its face. No
bet is expected to win against fair dice. So the chance that a bet ever reaches 100 is below 1 in 100 over all checks
together (Ville's inequality), no matter when anyone looks or why people stopped rolling. Seven such bets share the
stake: one on each face, and one on all of them together. Their mean is also such a bet, so testing six faces needs no
further correction. If several groups are shown together, the bet against each group is divided by the number of groups.

Groups must be defined before their dice are seen. Dice that are read only because of what they showed, such as those
under a real cup that is lifted after a call, are not a fair sample, and no test can correct that.
"""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import TypeVar

FACES = 6
EXPECTED = 1 / FACES
"""The expected share of each face."""
UNFAIR = 100.0
"""Dice whose bet reaches this value are called unfair: a false alarm at fewer than 1 fair table in 100."""
ODD = 20.0
"""Dice whose bet reaches this value are called odd (worth watching): a false alarm at fewer than 1 fair table in 20."""
NEVER = 1e9
"""The largest value to report."""
TWICE = EXPECTED
"""The bias of a face that comes up twice as often as it should. With too few rolls to notice even that, nothing can be
said in favour of the dice either."""
LEAST_BIAS = 0.001
"""No table ever notices a smaller bias: it would take about five million rolls."""
POWER = 0.8
"""The probability of noticing a bias within the number of rolls that `needed` returns."""
BAND = 0.99
"""The probability that a fair face is within a chart's normal range. It is high because six faces are shown at once."""
SUPPOSED = 100.0
"""The weight of the prior, in rolls. With this weight, the bets expect a bias of about 0.04. Halving or doubling it
changes the number of rolls needed to notice such a bias, or a smaller one, by 5% at most."""

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a set of dice. `suspect` is the one face that justifies the level by itself, or 0 if there is
    none."""

    counts: tuple[int, ...]
    level: str  # "few", "fair", "odd" or "unfair"
    one_in: float  # at most one in this many tables with fair dice ever looks this biased
    suspect: int
    often: bool  # true: the suspect face comes up too often; false: too rarely

    @property
    def throws(self) -> int:
        """The number of rolled dice."""
        return sum(self.counts)


def judged(groups: Mapping[K, Sequence[int]]) -> dict[K, Verdict]:
    """The verdict on each group, from its counts of the faces 1 to 6. Include all groups that are shown together, even
    those without rolls: the more groups there are, the more likely one is to look odd by chance. Adding a group later
    makes the evidence against all others weaker."""
    return {name: _verdict(tuple(counts), len(groups)) for name, counts in groups.items()}


def _verdict(counts: tuple[int, ...], groups: int) -> Verdict:
    if len(counts) != FACES or min(counts) < 0:
        raise ValueError(f"Fairness needs six counts, one per face and none below 0, not {counts}.")
    bets = _bets(counts)
    one_in = _one_in(_mean(bets), groups)
    level = _level(one_in)
    strongest = max(range(FACES), key=bets.__getitem__)
    # A face is named only if the bet on it, without the other bets, reaches the level.
    named = level != "fair" and _level(_one_in(bets[strongest] - log(len(bets)), groups)) == level
    if level == "fair" and sum(counts) < needed(TWICE, groups):
        level = "few"
    often = named and counts[strongest] > sum(counts) * EXPECTED
    return Verdict(counts, level, one_in, strongest + 1 if named else 0, often)


def _one_in(bet: float, groups: int) -> float:
    """Divides the bet, whose logarithm is given, by the number of groups. The result is limited to 1 to NEVER."""
    share = bet - log(groups)
    return NEVER if share >= log(NEVER) else max(1.0, exp(share))


def _level(one_in: float) -> str:
    return "unfair" if one_in >= UNFAIR else "odd" if one_in >= ODD else "fair"


def _bets(counts: Sequence[float]) -> list[float]:
    """The logarithms of the bets: on the faces 1 to 6, and on all of them together."""
    throws = sum(counts)
    each, others = SUPPOSED / FACES, SUPPOSED * (FACES - 1) / FACES
    all_rolled = _grown(SUPPOSED, throws)
    on_faces = [
        _grown(each, count) + _grown(others, throws - count) - all_rolled - _fair(count, throws) for count in counts
    ]
    return [*on_faces, sum(_grown(each, count) for count in counts) - all_rolled + throws * log(FACES)]


def _grown(before: float, count: float) -> float:
    """The logarithm of before * (before + 1) * ..., with `count` factors."""
    return lgamma(before + count) - lgamma(before)


def _fair(count: float, throws: float) -> float:
    """The logarithm of the probability that fair dice show one face in `count` particular rolls and in no others."""
    return count * log(EXPECTED) + (throws - count) * log(1 - EXPECTED)


def _mean(logarithms: Sequence[float]) -> float:
    most = max(logarithms)
    return most + log(sum(exp(each - most) for each in logarithms) / len(logarithms))


@cache
def needed(bias: float, groups: int = 1) -> int:
    """The number of rolls after which biased dice are called unfair 8 times in 10. One face has the probability
    1/6 + bias, and the others are equally likely."""
    chance = EXPECTED + bias
    if not 0 <= chance <= 1 or abs(bias) < LEAST_BIAS:
        raise ValueError(f"A bias must be from {LEAST_BIAS} to 5/6, or from -{LEAST_BIAS} to -1/6, not {bias}.")
    enough = 1
    while not _noticed(enough, chance, groups):
        enough *= 2
    least = enough // 2 + 1
    return least + bisect_left(range(least, enough), True, key=lambda throws: _noticed(throws, chance, groups))


def still_needed(throws: int, bias: float, groups: int = 1) -> int:
    return max(0, needed(bias, groups) - throws)


def _noticed(throws: int, chance: float, groups: int) -> bool:
    """Whether this many rolls are enough to notice the bias 8 times in 10."""
    count = _quantile(throws, chance, 1 - POWER if chance > EXPECTED else POWER)
    others = (throws - count) / (FACES - 1)
    return _mean(_bets([count] + [others] * (FACES - 1))) >= log(UNFAIR * groups)


def band(throws: int) -> tuple[float, float]:
    """The range that a fair face's share falls into 99 times in 100."""
    if not throws:
        return 0.0, 1.0
    low, high = (_quantile(throws, EXPECTED, side) for side in ((1 - BAND) / 2, (1 + BAND) / 2))
    # Continuity correction: a count covers half a unit on each side.
    return max(0.0, (low - 0.5) / throws), min(1.0, (high + 0.5) / throws)


def _quantile(throws: int, chance: float, below: float) -> float:
    """The count that a face stays below with probability `below`: from the normal distribution, corrected for skew."""
    away = NormalDist().inv_cdf(below)
    skew = (away**2 - 1) * (1 - 2 * chance) / 6
    spread = sqrt(throws * chance * (1 - chance))
    return min(max(throws * chance + away * spread + (skew if spread else 0), 0), throws)
