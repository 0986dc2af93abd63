"""Luck: each roll gets the right percentile among all possible rolls, and luck evens out over many games."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from math import sqrt
from random import Random
from statistics import fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.analysis import luck
from table.engine.asks import Over, Roll
from table.games import GAMES
from table.games.cacho import analysis as cacho
from table.games.cheese.bots import points_of
from table.games.mexico import rules as mexico
from table.games.pocoloco import analysis as pocoloco_analysis
from table.games.pocoloco import rules as pocoloco
from tests.playing import examples, feed, start
from tests.test_laws import begin, games, play_on, settings_of

SHORT = {"cheese": {"goal": 2000}, "cacho": {"dice": 4}, "pocoloco": {"chips": 4}, "mexico": {"rounds": 10, "lives": 9}}
KEPT = [kept for dice in (1, 2) for kept in combinations_with_replacement(range(1, 7), dice)]
KINDS = [
    ("rank", 2, mexico.rank),
    *(("sum", dice, sum) for dice in (1, 2)),
    ("hand", 3, pocoloco.rank),
    *((f"beside {kept}", 3 - len(kept), pocoloco_analysis.beside(kept)) for kept in KEPT),
    *(("points", dice, points_of) for dice in range(1, 7)),
    *(("alike", dice, cacho.most_alike) for dice in range(1, 7)),
    *(("with aces", dice, cacho.most_with_aces) for dice in range(1, 7)),
]


def judged(game):
    """The rolls as (seat, dice, percentile), in order."""
    return [(seat, roll.dice, roll.better) for seat, roll in luck.throws(game)]


@cache
def all_rolls(dice):
    """All sorted rolls of that many dice, each with its number of permutations."""
    return Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))


@pytest.mark.parametrize(("dice", "read"), [pytest.param(*rest, id=f"{name}-{rest[0]}") for name, *rest in KINDS])
def test_over_all_rolls_the_mean_percentile_is_one_half_and_the_variance_is_as_reported(dice, read):
    ladder = luck.ladder(dice, read)
    ways = all_rolls(dice)
    found = [ladder.places[read(roll)] for roll in ways]
    assert fmean(found, ways.values()) == pytest.approx(0.5, abs=1e-12)
    squares = [(place - 0.5) ** 2 for place in found]
    assert fmean(squares, ways.values()) == pytest.approx(ladder.variance, abs=1e-12)
    assert all(0 < place < 1 for place in found)


@pytest.mark.parametrize(("dice", "read"), [(2, mexico.rank), (3, pocoloco.rank), (5, cacho.most_with_aces)])
def test_a_percentile_is_the_share_of_worse_rolls_plus_half_of_the_equal_ones(dice, read):
    values = [read(roll) for roll in product(range(1, 7), repeat=dice)]
    for value, place in luck.ladder(dice, read).places.items():
        worse, equal = (sum(map(compare, values)) for compare in (value.__gt__, value.__eq__))
        assert place == pytest.approx((worse + equal / 2) / 6**dice)


def test_in_mexico_rolls_are_judged_by_rank_and_dice_that_decide_who_begins_are_not_judged():
    game = start("mexico", rounds=1, lives=1)
    feed(game, (6,), (1,), (6, 6), "roll", (2, 1), (3, 1), "roll", (1, 3), "roll", (1, 3))
    lowest, highest, doubles = 1 / 36, 35 / 36, 1 - 2.5 / 36
    assert judged(game) == [
        (0, (6, 6), pytest.approx(doubles)),
        (0, (2, 1), pytest.approx(highest)),
        *[(1, dice, pytest.approx(lowest)) for dice in ((3, 1), (1, 3), (1, 3))],
    ]
    lucky, unlucky = luck.luck(game)
    assert (lucky.seat, lucky.throws, lucky.better) == (0, 2, pytest.approx((doubles + highest) / 2))
    assert (lucky.best.answer, lucky.best.dice, lucky.worst.answer, lucky.worst.dice) == (4, (2, 1), 2, (6, 6))
    assert (unlucky.throws, unlucky.better, unlucky.best.answer) == (3, pytest.approx(lowest), 5)
    variance = luck.ladder(2, mexico.rank).variance
    assert unlucky.deviation == pytest.approx(3 * (lowest - 0.5) / sqrt(3 * variance))
    assert unlucky.luckier_than < 0.01 and lucky.luckier_than > 0.9


def luck_of(dice, read, rolls):
    """The luck of a seat with exactly these rolls."""
    ladder = luck.ladder(dice, read)
    return luck._seat_luck(0, [luck.Throw(0, 1, roll, ladder.places[read(roll)], ladder) for roll in rolls])


@pytest.mark.parametrize(("dice", "read"), [(1, points_of), (2, mexico.rank), (2, sum), (2, cacho.most_alike)])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_luckier_than_is_the_share_of_games_with_as_many_rolls_that_were_less_lucky(dice, read, count):
    places = {value: round(place * 2 * 6**dice) for value, place in luck.ladder(dice, read).places.items()}
    ways = Counter(places[read(roll)] for roll in product(range(1, 7), repeat=dice))
    sums = Counter({0: 1})
    for _ in range(count):
        before, sums = sums, Counter()
        for (at, n), (place, way) in product(before.items(), ways.items()):
            sums[at + place] += n * way
    for rolls in Random(1).sample(list(product(product(range(1, 7), repeat=dice), repeat=count)), 6):
        own = sum(places[read(roll)] for roll in rolls)
        worse = sum(n for at, n in sums.items() if at < own) + sums[own] / 2
        assert luck_of(dice, read, rolls).luckier_than == pytest.approx(worse / 6 ** (dice * count))


@pytest.mark.parametrize(
    ("dice", "read"), [(2, mexico.rank), (1, points_of), (2, cacho.most_alike), (5, cacho.most_alike)]
)
def test_counting_and_the_normal_distribution_agree_where_the_method_changes(dice, read, monkeypatch):
    chance = Random(2)
    rolls = [tuple(chance.randrange(1, 7) for _ in range(dice)) for _ in range(luck.FEW + 1)]
    by_curve = luck_of(dice, read, rolls).luckier_than
    monkeypatch.setattr(luck, "FEW", luck.FEW + 1)
    assert luck_of(dice, read, rolls).luckier_than == pytest.approx(by_curve, abs=0.03)


@pytest.mark.parametrize(("dice", "read"), [(3, pocoloco.rank), (3, points_of), (3, cacho.most_alike)])
def test_with_three_dice_the_result_is_accurate_to_about_0_01(dice, read):
    places = luck.ladder(dice, read).places
    ways = Counter(places[read(roll)] for roll in product(range(1, 7), repeat=dice))
    for rolls in Random(3).sample(list(product(product(range(1, 7), repeat=dice), repeat=2)), 20):
        own = sum(places[read(roll)] for roll in rolls)
        sums = [(sum(pair) - own, ways[pair[0]] * ways[pair[1]]) for pair in product(ways, repeat=2)]
        worse = sum(n * (ahead < -1e-9) + n / 2 * (abs(ahead) <= 1e-9) for ahead, n in sums)
        assert luck_of(dice, read, rolls).luckier_than == pytest.approx(worse / 6 ** (2 * dice), abs=0.013)
        assert luck_of(dice, read, rolls[:1]).luckier_than == places[read(rolls[0])]


def test_in_mexico_the_die_that_costs_a_life_counts():
    game = start("mexico", 3, mode="elimination")
    feed(game, (6,), (1,), (2,), (6, 6), "end", (4, 1), (4, 1))
    assert game.ask == Roll(1, 1)
    feed(game, (6,), (1,))
    assert judged(game)[-2:] == [(1, (6,), pytest.approx(11 / 12)), (2, (1,), pytest.approx(1 / 12))]


def test_in_pocoloco_the_whole_hand_counts_with_the_dice_that_were_kept():
    game = start("pocoloco")
    feed(game, (0, 1), (4, 2, 6), ("reroll", (1,)), (5,), ("reroll", (0, 1, 2)), (3, 2, 2))
    assert [(dice, place) for _, dice, place in judged(game)[1:]] == [
        ((4, 6, 5), pytest.approx(11 / 12)),  # PoCo, the best of six results
        ((3, 2, 2), pytest.approx(1.5 / 216)),  # the worst hand, with three permutations
    ]


def test_in_cheese_a_roll_is_compared_by_points_with_rolls_of_as_many_dice():
    game = start("cheese", 1)
    feed(game, (1, 2, 2, 3, 3, 4), ("keep", (0,)), "roll", (1, 1, 1, 1, 1), ("keep", (0, 1, 2, 3)), "roll", (2,))
    (_, _, six), (_, _, five), (_, _, one) = judged(game)
    assert five == pytest.approx(1 - 0.5 / 6**5)
    assert one == pytest.approx(2 / 6)  # this 2 scores nothing, like a 3, 4 or 6
    assert 0.1 < six < 0.5


def test_in_bluff_the_sum_counts_even_in_a_tie_break():
    game = start("bluff", rules="simple", rounds=1)
    feed(game, (6, 6), ("claim", 5), "accept", (3, 4), ("claim", 5), "accept", (1, 1), (2, 1))
    assert isinstance(game.ask, Over)
    assert [place for *_, place in judged(game)] == pytest.approx([71 / 72, 0.5, 1 / 72, 2 / 36])


def test_in_cacho_aces_help_except_in_single_die_rounds():
    game = start("cacho", dice=2)
    feed(game, (6,), (1,), (1, 5), (2, 3), ("bid", (1, 5)), "dudo", (2,), (1, 5), ("bid", (3, 2)), "dudo")
    assert isinstance(game.ask, Over)
    two_alike, two_with_aces = 6 / 36, 16 / 36  # the chance of two alike, first without and then with wild aces
    assert judged(game) == [
        (0, (1, 5), pytest.approx(1 - two_with_aces / 2)),
        (1, (2, 3), pytest.approx((1 - two_with_aces) / 2)),
        (0, (1, 5), pytest.approx((1 - two_alike) / 2)),
    ]


def test_during_a_game_luck_does_not_depend_on_hidden_dice():
    found = []
    for hidden in ((1, 1), (6, 6)):
        game = start("bluff", rounds=1)
        feed(game, (0, 1), (0,), (3, 4), hidden, ("claim", 9), "accept", ("claim", 8))
        found.append(luck.luck(game))
    assert found[0] == found[1]


@pytest.mark.parametrize("called", ["call", "accept"])
def test_a_real_cup_in_bluff_is_not_judged(called):
    game = start("bluff", rules="simple", rounds=1, cups=[0])
    feed(game, ("claim", 9), called)
    if called == "call":
        feed(game, (1, 1))
    assert luck.luck(game)[0] == luck.SeatLuck(0, 0, 0.5, 0.0, 0.5, None, None)


def test_a_real_cup_in_cacho_is_judged_when_it_is_lifted():
    game = start("cacho", dice=2, cups=[0, 1])
    feed(game, (6,), (1,), ("bid", (1, 3)), "dudo", (3, 3), (2, 4))
    assert judged(game) == [
        (0, (3, 3), pytest.approx(1 - 16 / 36 / 2)),
        (1, (2, 4), pytest.approx(20 / 36 / 2)),
    ]


def test_a_single_die_in_cacho_is_not_judged():
    game = start("cacho", dice=1, cups=[0, 1])
    feed(game, (6,), (1,), ("bid", (1, 3)), "dudo", (3,), (2,))
    assert isinstance(game.ask, Over)
    assert judged(game) == []


@games
@examples(0.3)
@given(st.data())
def test_luck_is_valid_at_any_point_of_any_game(game, data):
    match = begin(game, data.draw(settings_of(game)))
    play_on(match, Random(data.draw(st.integers(0, 10**6))), most=data.draw(st.integers(0, 400)))
    found = luck.luck(match)
    assert [each.seat for each in found] == list(range(len(match.players)))
    for each in found:
        rolls = [roll for seat, roll in luck.throws(match) if seat == each.seat]
        assert each.throws == len(rolls) and 0 < each.better < 1 and 0 <= each.luckier_than <= 1
        assert each.deviation * (each.better - 0.5) >= 0
        for roll in rolls:
            ask, answer = match.history[roll.answer]
            assert isinstance(ask, Roll) and ask.seat == each.seat and roll.dice[-ask.count :] == answer
            assert each.worst.better <= roll.better <= each.best.better


@pytest.mark.parametrize("game", GAMES)
def test_over_many_games_luck_has_mean_0_and_variance_1(game, monkeypatch):
    monkeypatch.setattr(luck, "FEW", 0)  # tests only the estimate by deviation, because counting takes far longer
    deviations = []
    for seed in range(150):
        match = start(game, **SHORT.get(game, {}))
        play_on(match, Random(f"{game} {seed}"))
        deviations += [each.deviation for each in luck.luck(match) if each.throws]
    assert len(deviations) > 250
    assert fmean(deviations) == pytest.approx(0, abs=4 / sqrt(len(deviations)))
    assert pvariance(deviations) == pytest.approx(1, abs=4 * sqrt(2 / len(deviations)))
