"""Fairness verdicts: few false alarms however often people look, and loaded dice found in a known number of rolls."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb, exp, lgamma, log, pi, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.analysis import fairness
from table.analysis.fairness import ODD, UNFAIR, band, judged, needed, still_needed

counted = st.one_of(st.lists(st.integers(0, most), min_size=6, max_size=6).map(tuple) for most in (3, 90, 10**8))
ONE_PERCENT = 15.086  # critical value of chi-square with five degrees of freedom at 1%


def verdict(*counts, groups=1):
    return judged({0: counts} | dict.fromkeys(range(1, groups), (0,) * 6))[0]


def roll_counts(chance, dice, weights=(1,) * 6):
    faces = chance.choices(range(6), weights, k=dice)
    return [faces.count(face) for face in range(6)]


def loaded(bias):
    """The weights of a die that rolls a six with probability 1/6 + bias."""
    return [(5 / 6 - bias) / 5] * 5 + [1 / 6 + bias]


def chi_square(counts):
    expected = sum(counts) / 6
    return sum((count - expected) ** 2 for count in counts) / expected


def at_most(share, cases):
    """An upper limit for how many of the cases occur, each with probability `share`. Chance exceeds the limit in
    fewer than one of 1,000 runs."""
    left, found = 1.0, 0
    while left > 0.001:
        left -= comb(cases, found) * share**found * (1 - share) ** (cases - found)
        found += 1
    return found


# Fair dice


def test_fair_dice_checked_again_and_again_are_called_unfair_at_fewer_than_1_table_in_100():
    chance, tables, checks = Random(1), 1000, 40
    unfair = odd = naive = 0
    for _ in range(tables):
        counts, rarest, worst = [0] * 6, 1.0, 0.0
        for _ in range(checks):
            counts = [before + more for before, more in zip(counts, roll_counts(chance, 25), strict=True)]
            rarest = max(rarest, verdict(*counts).one_in)
            worst = max(worst, chi_square(counts))
        unfair += rarest >= UNFAIR
        odd += rarest >= ODD
        naive += worst > ONE_PERCENT
    assert unfair <= at_most(1 / UNFAIR, tables)
    assert odd <= at_most(1 / ODD, tables)
    assert naive > 5 * tables / 100, "the usual test, repeated at every look, has far more false alarms"


def test_the_false_alarm_rate_holds_for_all_groups_together():
    chance, pages, groups = Random(2), 200, range(6)
    unfair = naive = 0
    for _ in range(pages):
        page, called, alone = {group: [0] * 6 for group in groups}, False, False
        for _ in range(15):
            for counts in page.values():
                counts[:] = [before + more for before, more in zip(counts, roll_counts(chance, 40), strict=True)]
            called = called or any(each.level == "unfair" for each in judged(page).values())
            alone = alone or any(chi_square(counts) > ONE_PERCENT for counts in page.values())
        unfair += called
        naive += alone
    assert unfair <= at_most(1 / UNFAIR, pages)
    assert naive > 20 * pages / 100


@pytest.mark.parametrize("dice", [1, 2, 4])
def test_no_bet_against_fair_dice_is_expected_to_win(dice):
    """Averaged over all possible rolls, a bet pays back exactly its stake of 1. So does the average of the bets."""
    rolls = [[roll.count(face) for face in range(6)] for roll in product(range(6), repeat=dice)]
    bets = [fairness._bets(counts) for counts in rolls]
    for won in (*zip(*bets, strict=True), map(fairness._mean, bets)):
        assert sum(map(exp, won)) / 6**dice == pytest.approx(1)


def test_the_bets_equal_a_die_by_die_calculation_that_learns():
    faces = Random(3).choices(range(6), loaded(0.2), k=60)
    each = fairness.SUPPOSED / 6
    six = all_faces = 1.0
    for at, face in enumerate(faces):
        seen = faces[:at].count(face)
        sixes = (each + faces[:at].count(5)) / (fairness.SUPPOSED + at)
        six *= sixes * 6 if face == 5 else (1 - sixes) * 6 / 5
        all_faces *= (each + seen) / (fairness.SUPPOSED + at) * 6
    bets = fairness._bets([faces.count(face) for face in range(6)])
    assert (exp(bets[5]), exp(bets[6])) == (pytest.approx(six), pytest.approx(all_faces))


@pytest.mark.parametrize(("rolls", "level"), [(0, "few"), (60, "few"), (180, "few"), (210, "fair"), (412, "fair")])
def test_evenly_spread_counts_are_called_fair_once_a_doubled_face_would_have_been_noticed(rolls, level):
    found = verdict(*[rolls // 6 + (face < rolls % 6) for face in range(6)])
    assert (found.throws, found.level, found.suspect, found.one_in) == (rolls, level, 0, 1.0)


# Loaded dice


@pytest.mark.parametrize(
    ("counts", "suspect", "often"),
    [((60, 60, 60, 60, 60, 140), 6, True), ((0, 60, 60, 60, 60, 60), 1, False), ((0, 0, 0, 40, 0, 0), 4, True)],
)
def test_a_biased_face_is_named(counts, suspect, often):
    found = verdict(*counts)
    assert (found.level, found.suspect, found.often) == ("unfair", suspect, often)


def test_no_face_is_named_if_none_explains_the_counts_alone():
    found = verdict(248, 248, 248, 172, 172, 172)
    assert (found.level, found.suspect, found.often) == ("unfair", 0, False)


def test_the_same_counts_are_weaker_evidence_among_more_groups():
    counts = (60, 60, 60, 60, 60, 104)
    found = [verdict(*counts, groups=groups) for groups in (1, 4, 40)]
    assert found[0].one_in == pytest.approx(4 * found[1].one_in) == pytest.approx(40 * found[2].one_in)
    assert [each.level for each in found] == ["unfair", "odd", "fair"]


def test_levels_start_at_their_thresholds():
    levels = {each.level: each.one_in for each in (verdict(60, 60, 60, 60, 60, six) for six in range(60, 120))}
    assert list(levels) == ["fair", "odd", "unfair"]
    assert 1 < levels["fair"] < ODD <= levels["odd"] < UNFAIR <= levels["unfair"]


@given(counted, st.permutations(range(6)))
def test_permuting_the_faces_permutes_the_verdict(counts, order):
    found, turned = verdict(*counts), verdict(*[counts[face] for face in order])
    assert (turned.level, turned.often) == (found.level, found.often)
    assert turned.one_in == pytest.approx(found.one_in, rel=1e-4)
    shown = {face + 1 for face in range(6) if counts[face] == counts[found.suspect - 1]} if found.suspect else {0}
    assert (order[turned.suspect - 1] + 1 if turned.suspect else 0) in shown


@given(st.dictionaries(st.text(), counted, max_size=5))
def test_any_counts_get_a_verdict(groups):
    found = judged(groups)
    assert list(found) == list(groups)
    for name, each in found.items():
        assert each.counts == groups[name] and each.throws == sum(groups[name])
        assert 1 <= each.one_in <= fairness.NEVER and 0 <= each.suspect <= 6
        assert each.level in ("few", "fair") or each.one_in >= ODD


def test_a_bet_is_exact():
    """The result is compared with integer arithmetic."""
    sixes, rolls = 20, 50
    exact = Fraction(
        prod(100 + 6 * n for n in range(sixes)) * prod(500 + 6 * n for n in range(rolls - sixes)) * 6**rolls,
        prod(600 + 6 * n for n in range(rolls)) * 5 ** (rolls - sixes),
    )
    assert fairness._bets([6, 6, 6, 6, 6, sixes])[5] == pytest.approx(log(exact), abs=1e-10)


@pytest.mark.parametrize("sixes", [10**8, 10**8 + 40_000, 10**8 + 80_000])
def test_a_bet_on_hundreds_of_millions_of_rolls_is_still_accurate(sixes):
    """The expected result is computed with Stirling's series to forty digits. Only the three terms with small
    arguments come from `lgamma`."""

    def grown(before, count):
        x = Decimal(before) + count
        stirling = (x - Decimal("0.5")) * x.ln() - x + 1 / (12 * x) + Decimal(2 * pi).ln() / 2
        return stirling - Decimal(lgamma(before))

    with localcontext(prec=40):
        others = 5 * 10**8
        fair = Decimal(6).ln() * (sixes + others) - Decimal(5).ln() * others
        exact = grown(100 / 6, sixes) + grown(500 / 6, others) - grown(100, sixes + others) + fair
    assert fairness._bets([10**8] * 5 + [sixes])[5] == pytest.approx(float(exact), abs=1e-4)


@pytest.mark.parametrize("counts", [(), (1, 2, 3, 4, 5), (1,) * 7, (1, 1, 1, 1, 1, -1)])
def test_invalid_counts_are_refused(counts):
    with pytest.raises(ValueError, match="six counts"):
        judged({"camera": counts})


# How many rolls it takes


@pytest.mark.parametrize(("bias", "groups"), [(0.05, 1), (0.1, 4), (1 / 6, 1), (0.3, 10), (-0.05, 1), (-0.1, 4)])
def test_after_the_needed_number_of_rolls_a_bias_is_noticed_eight_times_in_ten(bias, groups):
    chance, cases, enough = Random(4), 400, needed(bias, groups)
    shares = [
        sum(verdict(*roll_counts(chance, rolls, loaded(bias)), groups=groups).level == "unfair" for _ in range(cases))
        / cases
        for rolls in (enough // 2, enough, 3 * enough // 2)
    ]
    assert shares[0] < 0.5
    assert shares[1] == pytest.approx(0.8, abs=0.08)  # four standard deviations of 400 cases
    assert shares[2] > 0.9


@given(st.floats(0.002, 0.8), st.integers(1, 50))
def test_a_smaller_bias_or_more_groups_take_more_rolls(bias, groups):
    assert needed(bias, groups) <= needed(bias, groups + 1)
    assert needed(bias, groups) <= needed(bias * 0.99, groups)


def test_rolls_already_made_count_towards_the_needed_number():
    assert still_needed(0, 0.05) == needed(0.05)
    assert still_needed(400, 0.05, 4) == needed(0.05, 4) - 400
    assert still_needed(10**6, 0.05) == 0


@pytest.mark.parametrize("bias", [0, 0.0001, -0.0009, 0.9, -0.2])
def test_a_bias_that_is_impossible_or_too_small_to_notice_is_refused(bias):
    with pytest.raises(ValueError, match="A bias must be from"):
        needed(bias)


# Charts


@pytest.mark.parametrize("rolls", [1, 2, 5, 6, 20, 60, 412, 1000, 3000])
def test_a_fair_face_is_in_the_band_99_times_in_100(rolls):
    low, high = band(rolls)
    inside = sum(comb(rolls, n) * 5 ** (rolls - n) for n in range(rolls + 1) if low <= n / rolls <= high)
    assert Fraction(inside, 6**rolls) >= Fraction(985, 1000)
    if rolls >= 60:
        assert Fraction(inside, 6**rolls) <= Fraction(998, 1000)


def test_the_band_narrows_around_one_sixth_and_stays_between_0_and_1():
    bands = [band(rolls) for rolls in (0, 1, 10, 100, 10**4, 10**8)]
    assert bands[0] == (0.0, 1.0)
    assert all(0 <= low < 1 / 6 < high <= 1 for low, high in bands)
    widths = [high - low for low, high in bands]
    assert widths == sorted(widths, reverse=True) and widths[-1] < 0.001
