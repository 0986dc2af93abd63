"""Whether dice are fair: what the faces that they showed say against them, and how many throws it takes to notice.

Its one rule: fair dice are called unfair at fewer than 1 table in 100, however often and at whatever one looks.

A test that is right once is wrong here: the counts are looked at after every game, and whoever looks at fair dice a
hundred times meets a "1 in 100" sooner or later. Looking at six faces, several sources and all players does the same.
So dice are judged by a bet against them. It starts at 1; each thrown die multiplies it by how likely that face was for
somebody who learns from the throws so far, over one sixth. Nobody can expect to win from fair dice, so with them the
bet ever reaches 100 in fewer than 1 case in 100, over all looks together (Ville's inequality): no matter when one
looks, or why one stopped throwing. Seven such bets, one on each face and one on all of them together, share the stake:
their mean is again such a bet, and six faces cost no further allowance. Where several groups are shown together each
gets an equal share of the allowance, so its bet is divided by their number.

What a group is has to be settled before its dice are seen. Dice that are only read because of what they showed, as
those under a real cup that is lifted when somebody doubts, are no fair sample, and no test can make them one.
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
"""The share of each face."""
UNFAIR = 100.0
"""So rare with fair dice, 1 in so many, that they are called unfair: one table in 100 may meet a false alarm;"""
ODD = 20.0
"""and so rare that it is worth watching, but would happen at one fair table in 20."""
NEVER = 1e9
"""Nobody needs to tell what is rarer than that apart."""
TWICE = EXPECTED
"""The bias of a face that comes up twice as often as it should: with fewer throws than would show even that, there is
nothing to say for the dice either."""
LEAST_BIAS = 0.001
"""Smaller than that no table ever notices: it would take some five million throws."""
POWER = 0.8
"""How surely a bias is to be noticed after the throws that are said to be needed."""
BAND = 0.99
"""How surely a fair face lies within what a chart shows as normal: wide, as six of them are looked at together."""
SUPPOSED = 100.0
"""The bets suppose a bias of about four in a hundred (a prior worth so many throws). Half or twice of it changes the
throws that are needed to notice one of that size, or a smaller one, by a twentieth at most."""

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Verdict:
    """What there is to say of some dice. A face is suspect if it alone bears the level; 0: none is, or all together."""

    counts: tuple[int, ...]
    level: str  # "few", "fair", "odd" or "unfair"
    one_in: float  # at most one fair table in so many ever comes to look like this: 1 and more
    suspect: int  # the face
    often: bool  # it comes up too often, not too seldom

    @property
    def throws(self) -> int:
        """Dice that were thrown."""
        return sum(self.counts)


def judged(groups: Mapping[K, Sequence[int]]) -> dict[K, Verdict]:
    """The dice of each group, by how often each face came up, from 1 to 6. All groups that are shown together belong
    in here, also those without throws: the more are looked at, the more one of them will look odd by chance. A group
    that joins later takes its share from all."""
    return {name: _verdict(tuple(counts), len(groups)) for name, counts in groups.items()}


def _verdict(counts: tuple[int, ...], groups: int) -> Verdict:
    if len(counts) != FACES or min(counts) < 0:
        raise ValueError(f"Six counts are judged, one a face and none below 0, not {counts}.")
    bets = _bets(counts)
    one_in = _one_in(_mean(bets), groups)
    level = _level(one_in)
    strongest = max(range(FACES), key=bets.__getitem__)
    # To name a face is a claim of its own: its share of the stake has to have won as much by itself.
    named = level != "fair" and _level(_one_in(bets[strongest] - log(len(bets)), groups)) == level
    if level == "fair" and sum(counts) < needed(TWICE, groups):
        level = "few"
    often = named and counts[strongest] > sum(counts) * EXPECTED
    return Verdict(counts, level, one_in, strongest + 1 if named else 0, often)


def _one_in(bet: float, groups: int) -> float:
    """What a bet is worth among so many groups."""
    share = bet - log(groups)
    return NEVER if share >= log(NEVER) else max(1.0, exp(share))


def _level(one_in: float) -> str:
    return "unfair" if one_in >= UNFAIR else "odd" if one_in >= ODD else "fair"


def _bets(counts: Sequence[float]) -> list[float]:
    """The logarithm of what each bet has come to: on the faces from 1 to 6, and on all of them together."""
    throws = sum(counts)
    each, others = SUPPOSED / FACES, SUPPOSED * (FACES - 1) / FACES
    all_thrown = _grown(SUPPOSED, throws)
    on_faces = [
        _grown(each, count) + _grown(others, throws - count) - all_thrown - _fair(count, throws) for count in counts
    ]
    return [*on_faces, sum(_grown(each, count) for count in counts) - all_thrown + throws * log(FACES)]


def _grown(before: float, count: float) -> float:
    """The logarithm of before * (before + 1) * ..., so many factors."""
    return lgamma(before + count) - lgamma(before)


def _fair(count: float, throws: float) -> float:
    """The logarithm of how likely fair dice show one face in just these of the throws."""
    return count * log(EXPECTED) + (throws - count) * log(1 - EXPECTED)


def _mean(logarithms: Sequence[float]) -> float:
    most = max(logarithms)
    return most + log(sum(exp(each - most) for each in logarithms) / len(logarithms))


@cache
def needed(bias: float, groups: int = 1) -> int:
    """How many dice have to be thrown until one face that comes up with a chance of 1/6 + bias, while the others share
    the rest, is noticed: 8 times in 10 the dice are called unfair by then."""
    chance = EXPECTED + bias
    if not 0 <= chance <= 1 or abs(bias) < LEAST_BIAS:
        raise ValueError(f"A bias is from {LEAST_BIAS} to 5/6, or from -{LEAST_BIAS} to -1/6, not {bias}.")
    enough = 1
    while not _noticed(enough, chance, groups):
        enough *= 2
    least = enough // 2 + 1
    return least + bisect_left(range(least, enough), True, key=lambda throws: _noticed(throws, chance, groups))


def still_needed(throws: int, bias: float, groups: int = 1) -> int:
    return max(0, needed(bias, groups) - throws)


def _noticed(throws: int, chance: float, groups: int) -> bool:
    """Whether so many throws are enough, with a bias that shows no more than it does 8 times in 10."""
    count = _quantile(throws, chance, 1 - POWER if chance > EXPECTED else POWER)
    others = (throws - count) / (FACES - 1)
    return _mean(_bets([count] + [others] * (FACES - 1))) >= log(UNFAIR * groups)


def band(throws: int) -> tuple[float, float]:
    """The shares between which a fair face lies 99 times in 100."""
    if not throws:
        return 0.0, 1.0
    low, high = (_quantile(throws, EXPECTED, side) for side in ((1 - BAND) / 2, (1 + BAND) / 2))
    # A count is a whole number and fills its place up to the halves beside it.
    return max(0.0, (low - 0.5) / throws), min(1.0, (high + 0.5) / throws)


def _quantile(throws: int, chance: float, below: float) -> float:
    """The count of a face that stays under it in so large a part of cases: the bell curve, put right for its skew."""
    away = NormalDist().inv_cdf(below)
    skew = (away**2 - 1) * (1 - 2 * chance) / 6
    spread = sqrt(throws * chance * (1 - chance))
    return min(max(throws * chance + away * spread + (skew if spread else 0), 0), throws)
