"""Computer players of Bluff: the equilibrium of claim and call, the shipped tables, and the order of the levels."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.ground
np = pytest.importorskip("numpy", reason="numpy holds the tables")

from table import games  # noqa: E402
from table.engine.asks import Choose, Over  # noqa: E402
from table.games import bots  # noqa: E402
from table.games.bluff import claims, perfect, solve  # noqa: E402
from table.games.bluff.claims import WAYS  # noqa: E402
from table.games.bluff.perfect import FAR, LOW, SCALE, table_after  # noqa: E402
from tests.playing import by_luck, feed, start, wins  # noqa: E402


def as_fractions(numbers: Any) -> Any:
    """The numbers as fractions, in an array of the same shape."""
    flat = [Fraction(number) for number in np.asarray(numbers).ravel().tolist()]
    exact = np.empty(len(flat), dtype=object)
    exact[:] = flat
    return exact.reshape(np.shape(numbers))


# One claim and its call


def test_with_scores_far_from_zero_claims_from_seven_up_are_called_with_the_exact_equilibrium_chance():
    found = claims.settle(*map(as_fractions, claims.plain_stakes()))
    for claim in range(7, 13):
        assert found.call[claim - 1, 0] == (1 - Fraction(6, claim)) / 3
    assert not any(found.call[1:6, 0]) and found.call[0, 0] == 1
    assert found.bluff == 6
    assert found.value == Fraction(103771, 12474)


def test_sharp_plays_exactly_the_equilibrium():
    found = claims.settle(*claims.plain_stakes())
    spoken = claims.spoken(claims.mix(found))
    for first in range(1, 7):
        for second in range(1, 7):
            match = start("bluff", rules="simple")
            feed(match, (first, second))
            assert bots.policy("sharp", match.view(0), match.ask.options) == pytest.approx(spoken[first + second - 1])
    for claim in range(1, 13):
        match = start("bluff", rules="simple")
        feed(match, (2, 3), ("claim", claim))
        assert bots.policy("sharp", match.view(1), match.ask.options)[1] == pytest.approx(found.call[claim - 1, 0])


def gap(accepted: Any, hit: Any, missed: Any) -> Fraction:
    """The gap between both sides' best responses. It is zero if each strategy is optimal against the other."""
    found = claims.settle(accepted, hit, missed)
    honest, bluffs = claims.mix(found)
    assert sum(honest) + sum(bluffs) == 36
    assert all(0 <= some <= ways for some, ways in zip(honest, WAYS, strict=True)) and all(some >= 0 for some in bluffs)
    truths = claims.average(accepted + found.call * (hit - accepted))
    lies = claims.average(accepted + found.call * (missed - accepted))
    most = sum(WAYS[have] * max(truths[have], *np.delete(lies, have)) for have in range(12))
    believed, called = (honest + bluffs)[:, None] * accepted, honest[:, None] * hit + bluffs[:, None] * missed
    least = claims.average(np.minimum(believed, called)).sum()
    return Fraction(most - least) / 36


few = st.integers(0, 9)


@given(st.lists(st.tuples(few, few, few), min_size=12, max_size=12))
def test_neither_side_can_improve_at_any_stakes(drawn):
    accepted = as_fractions([[some] for some, _, _ in drawn])
    hit = accepted + as_fractions([[more] for _, more, _ in drawn])
    missed = accepted - as_fractions([[less] for _, _, less in drawn])
    assert gap(accepted, hit, missed) == 0


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_neither_side_can_improve_if_the_caller_uses_its_own_dice(chance):
    accepted, hit, missed = (
        as_fractions([[chance.randint(0, 9) for _ in range(12)] for _ in range(12)]) for _ in range(3)
    )
    assert gap(accepted, hit + 9, missed - 9) == 0  # now a miss is always worth less than a hit


def test_a_bluff_on_the_sum_that_was_rolled_is_shifted_to_other_sums():
    honest, bluffs = np.zeros(12), np.zeros(12)
    honest[6:] = WAYS[6:]
    honest[6] = 4
    bluffs[6], bluffs[11] = 9, 36 - honest.sum() - 9
    spoken = claims.spoken(claims.Mix(honest, bluffs))
    assert spoken[1:].sum(1) == pytest.approx(1)
    assert spoken[6, 6] == pytest.approx(4 / 6)
    assert WAYS @ spoken == pytest.approx(honest + bluffs)


# The tables


def test_a_tie_after_five_elimination_rounds_counts_half_and_earlier_ties_follow_from_the_next_round():
    shipped = [table_after("wins", 0, left) for left in range(6)]
    assert (shipped[0][..., FAR, 0] == 0.5).all()
    before = solve.won_round(shipped[3], True)
    assert abs(before - shipped[4])[..., FAR, 0].max() < 3 / SCALE


@pytest.mark.parametrize(("kind", "rounds"), [("simple", 1), ("simple", 12), ("simple", 20), ("draw", 1), ("wins", 2)])
def test_each_shipped_table_follows_from_the_next(kind, rounds):
    play = {"simple": solve.simple_round, "draw": solve.drawn_round, "wins": solve.won_round}[kind]
    before = play(table_after(kind, rounds - 1, -1), rounds == 1)
    assert abs(before - table_after(kind, rounds, -1)).max() < 3 / SCALE


def test_a_table_survives_packing_and_unpacking():
    table = np.random.default_rng(3).random((2, 5, 7))
    assert abs(perfect.unpacked(solve.packed(table)) - table).max() <= 0.5 / SCALE


def test_above_the_limit_of_the_tables_only_the_difference_counts():
    for rounds in (1, 5, 20):
        table = table_after("draw", rounds, -1)[0, 0, :, FAR - 60 : FAR + 61, 0]
        assert abs(table[LOW] - table[LOW - 6]).max() < 0.001


def test_the_immunity_card_is_worthless_in_the_last_round_and_worth_more_with_more_rounds_left():
    worth = [table_after("draw", rounds, -1)[1, 0, LOW, FAR, 0] - 0.5 for rounds in range(1, 21)]
    assert worth[0] == 0
    assert worth == sorted(worth)
    assert worth[4] == pytest.approx(0.0380, abs=5e-5)


# At the table


def last_claim(own: int, other: int, claim: int | None = None, dice: tuple[int, int] = (1, 2)) -> Any:
    """A simple game at its last claim, with these scores. If `claim` is given, that claim has been made."""
    match = start("bluff", rules="simple", rounds=1)
    feed(match, (6, 6), ("claim", 12), "accept", dice)
    match.table.standing = [other, own]
    if claim:
        feed(match, ("claim", claim))
    return match


def chances(match: Any, level: str = "perfect") -> dict[Any, float]:
    found = bots.policy(level, match.view(match.ask.seat), match.ask.options)
    return dict(zip(match.ask.options, found, strict=True))


def test_the_last_claim_is_called_exactly_if_it_would_win():
    for claim in range(2, 13):
        assert chances(last_claim(30, 38, claim))["call"] == (claim >= 8)
    for claim in range(2, 13):
        assert chances(last_claim(38, 30, claim))["call"] == 0


def test_a_player_behind_at_the_last_claim_bluffs_if_the_truth_would_lose():
    assert sum(chance for (_, claim), chance in chances(last_claim(30, 38)).items() if claim >= 8) == pytest.approx(1)
    assert chances(last_claim(30, 38, dice=(6, 5)))["claim", 11] == 1


def test_perfect_bluffs_more_with_nothing_to_lose_and_less_when_ahead():
    def bluffs(own: int, other: int) -> float:
        solved = perfect.claim_between_two("draw", False, 4, -1, False, own, other, False, False)
        return float(solved.mix.bluffs.sum())

    assert bluffs(0, 24) > 25 > 15 > bluffs(24, 24) > 5 > bluffs(40, 0)


def test_in_the_last_round_the_first_caller_considers_its_own_dice():
    def calls(dice: tuple[int, int]) -> float:
        match = start("bluff", rounds=1)
        feed(match, [0, 1], [0], (3, 4), dice, ("claim", 8))
        return chances(match)["call"]

    assert calls((1, 1)) == 1
    assert calls((6, 6)) == 0


@pytest.mark.parametrize("claim", range(2, 13))
def test_a_caller_that_cannot_see_its_own_dice_takes_the_best_option(claim):
    match = start("bluff", rounds=1, cups=[1])
    feed(match, [0, 1], [0], (3, 4), ("claim", claim))
    wins = bots.win(match.view(1), match.ask.options)
    found = bots.policy("perfect", match.view(1), match.ask.options)
    assert found == [float(win == max(wins)) for win in wins]


def test_a_call_that_does_not_depend_on_dice_has_the_same_chance_with_a_cup():
    called = {}
    for cups in ([], [1]):
        match = start("bluff", rounds=3, cups=cups)
        feed(match, [0, 1], [0], (3, 4), *[(2, 6)] * (not cups), ("claim", 9))
        called[len(cups)] = chances(match)["call"]
    assert 0 < called[0] == called[1] < 1


@pytest.mark.parametrize("options", [{}, {"rules": "simple"}, {"rounds": 12, "wins": [2, 5]}, {"immunity": False}])
def test_between_two_players_perfect_chooses_only_what_wins_most(options):
    for seed in range(6):
        match = games.new("bluff", ["A", "B"], options, seed)
        while not isinstance(ask := match.ask, Over):
            if isinstance(ask, Choose):
                view = match.view(ask.seat)
                wins, found = bots.win(view, ask.options), bots.policy("perfect", view, ask.options)
                assert all(max(wins) - win < 1e-6 for win, each in zip(wins, found, strict=True) if each > 1e-6)
                match.answer(match.chance("bot").choices(ask.options, found)[0])
            else:
                match.answer(match.drawn())


@pytest.mark.parametrize("options", [{}, {"rules": "simple", "rounds": 1}, {"wins": [0, 3]}, {"immunity": False}])
def test_the_chances_of_two_players_add_up_to_one_at_the_start(options):
    match = start("bluff", **options)
    first, second = (bots.fair(match.view(seat)) for seat in (0, 1))
    assert first + second == pytest.approx(1)
    if options.get("rules") == "simple":
        assert first == pytest.approx(0.5773, abs=1e-4)
    else:
        assert (first == 0.5) is ("wins" not in options)


def test_only_the_simple_game_for_two_is_solved():
    assert bots.solved("bluff", {"rules": "simple"}, 2)
    assert not bots.solved("bluff", {"rules": "simple"}, 3)
    assert not bots.solved("bluff", {"rules": "full"}, 2)


@pytest.mark.parametrize("level", ["easy", "sharp"])
def test_dice_under_a_cup_are_assumed_to_be_the_likeliest_sum(level):
    match = start("bluff", rules="simple", cups=[0])
    assert chances(match, level)["claim", 7] >= 0.5


# The order of the levels


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [("easy", "random", 200), ("classic", "easy", 400), ("sharp", "classic", 200), ("perfect", "classic", 120)],
)
def test_each_level_beats_those_below(better, worse, games):
    assert by_luck(wins("bluff", better, worse, games), games) < 0.01


def test_perfect_is_not_worse_than_sharp():
    # `perfect` wins only 57 games in 100 against `sharp`, so proving that it is better would take thousands of games.
    # See docs/players/bluff.md.
    assert by_luck(wins("bluff", "perfect", "sharp", 100), 100) < 0.99


def test_among_three_perfect_wins_at_least_its_share():
    assert wins("bluff", "perfect", "sharp", 90, seats=3) >= 30
