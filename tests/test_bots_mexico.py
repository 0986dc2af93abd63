"""Computer players of Mexico: the exact value of each policy, computed roll by roll as fractions."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.ground
np = pytest.importorskip("numpy", reason="perfect calculates with numpy")

from table.games import bots  # noqa: E402
from table.games.mexico import bots as levels_of_mexico  # noqa: E402
from table.games.mexico import perfect as solved  # noqa: E402
from table.games.mexico.rules import MEXICO, MOST_ROLLS, RANKING, rank  # noqa: E402
from tests.playing import by_luck, feed, start, wins  # noqa: E402

PAGE = Path(__file__).parent.parent / "docs" / "players" / "mexico.md"
HALF = Fraction(1, 2)
CHOICES = ("roll", "end")


@cache
def opening(seats: int = 2, **options):
    return start("mexico", seats, **options).view(0)


class Stand(NamedTuple):
    """The state of a two-player game at the start of a round."""

    options: tuple[tuple[str, Any], ...]
    standing: tuple[int | None, ...]
    round: int = 1
    won: tuple[int, int] = (0, 0)  # rounds won by each seat


LAST_ROUND = Stand((("mode", "elimination"), ("lives", 1)), (1, 1))
"""With one life each, one round decides the game, and a tie counts half."""


@cache
def turn(level, stand, seat, limit, led=None) -> dict[tuple[int, int], Fraction]:
    """For each score and number of rolls, the chance that the seat's turn ends with both. `led` is the leader's
    score; without it, the seat itself leads."""
    scores = [None if each == seat else led for each in (0, 1)]
    view = opening(**dict(stand.options)) | {"standing": list(stand.standing), "round": stand.round, "scores": scores}
    view |= {
        "won": list(stand.won),
        "seat": seat,
        "turn": seat,
        "limit": limit,
        "leader": seat if led is None else 1 - seat,
    }
    ends: dict[tuple[int, int], Fraction] = {}
    reached = Fraction(1)
    for rolls in range(1, limit + 1):
        going_on = Fraction(0)
        for read in RANKING:
            here = reached * Fraction(1 if read % 11 == 0 else 2, 36)
            again = Fraction(0)
            if read != MEXICO and rolls < limit:
                dice = [list(divmod(read, 10)) if each == seat else [] for each in (0, 1)]
                again = Fraction(bots.policy(level, view | {"rolls": rolls, "dice": dice}, CHOICES)[0])
            ends[read, rolls] = here * (1 - again)
            going_on += here * again
        reached = going_on
    return {end: chance for end, chance in ends.items() if chance}


@cache
def outcomes(levels, stand=LAST_ROUND, leader=0) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that the leader wins, ties or loses a round, in that order. `levels` has one level for each seat."""
    won = tied = lost = Fraction(0)
    # Only `perfect` considers the state of the game.
    stands = [stand if level == "perfect" else LAST_ROUND for level in levels]
    for (led, rolls), chance in turn(levels[leader], stands[leader], leader, MOST_ROLLS).items():
        limit = MOST_ROLLS if led == MEXICO else rolls
        for (read, _), then in turn(levels[1 - leader], stands[1 - leader], 1 - leader, limit, led).items():
            mine, theirs = rank(divmod(led, 10)), rank(divmod(read, 10))
            if mine > theirs:
                won += chance * then
            elif mine == theirs:
                tied += chance * then
            else:
                lost += chance * then
    assert won + tied + lost == 1
    return won, tied, lost


def surviving(level, house, lives=3, rounds=5) -> Fraction:
    """The chance that this level survives the challenge."""

    @cache
    def chance(left, to_play, leads):
        if not left or not to_play:
            return Fraction(left > 0)
        stand = Stand((("lives", lives), ("rounds", rounds)), (left, None), rounds - to_play + 1)
        won, tied, lost = outcomes((level, house), stand, 0 if leads else 1)
        if not leads:
            won, lost = lost, won
        on = to_play - 1
        rolled_for = (chance(left, on, True) + chance(left, on, False)) / 2
        return won * chance(left, on, False) + tied * rolled_for + lost * chance(left - 1, on, True)

    return (chance(lives, rounds, True) + chance(lives, rounds, False)) / 2


def winning(level, house, lives, rounds) -> Fraction:
    """The chance that this level wins this many rounds before it runs out of lives."""

    @cache
    def chances(left, to_win):
        """The chances of winning if the level leads the next round, and if it follows. After a tie, both roll for the
        lead."""
        if not left or not to_win:
            return (Fraction(left > 0),) * 2
        stand = Stand((("lives", lives), ("rounds", rounds), ("goal", "win")), (left, None), won=(rounds - to_win, 0))
        won, tied, lost = outcomes((level, house), stand)
        house_won, house_tied, house_lost = outcomes((level, house), stand, 1)
        after_win, after_loss = chances(left, to_win - 1)[1], chances(left - 1, to_win)[0]
        leading = won * after_win + lost * after_loss
        following = house_lost * after_win + house_won * after_loss
        rolled_for = (leading + following) / (2 - tied - house_tied)
        return leading + tied * rolled_for, following + house_tied * rolled_for

    return sum(chances(lives, rounds)) / 2


@pytest.mark.parametrize(
    ("leader", "second", "value"),
    [
        ("perfect", "perfect", Fraction(8859541, 15116544)),
        ("classic", "perfect", Fraction(86980151, 161243136)),
        ("perfect", "classic", Fraction(8875129, 15116544)),
        ("classic", "classic", Fraction(87175619, 161243136)),
    ],
)
def test_the_leaders_value_of_a_round_is_the_fraction_in_the_docs(leader, second, value):
    won, tied, _ = outcomes((leader, second))
    assert won + tied / 2 == value
    assert str(value) in PAGE.read_text()


def test_the_solver_and_its_policy_give_the_same_fraction():
    even = solved.Stakes(*[Fraction(1), HALF, Fraction(0)] * 2)
    assert solved.leader_has(even) == Fraction(8859541, 15116544)


def test_each_level_survives_the_house_more_often_than_the_one_below():
    chances = [surviving(level, "classic") for level in bots.levels("mexico")]
    assert chances == sorted(set(chances))
    for level, chance in zip(bots.levels("mexico"), chances, strict=True):
        assert f"| `{level}` | {float(chance):.4f} |" in PAGE.read_text()


def test_perfect_knows_its_exact_chance_to_survive():
    view = opening(lives=2, rounds=3)
    assert bots.fair(view) == pytest.approx(float(surviving("perfect", "perfect", lives=2, rounds=3)), abs=1e-12)
    assert bots.fair(view | {"seat": 1}) == pytest.approx(1 - bots.fair(view))


@pytest.mark.parametrize(("lives", "rounds"), [(1, 1), (3, 2), (1, 3)])
def test_perfect_knows_its_exact_chance_to_win_the_rounds(lives, rounds):
    view = opening(goal="win", lives=lives, rounds=rounds)
    has = winning("perfect", "perfect", lives=lives, rounds=rounds)
    assert bots.fair(view) == pytest.approx(float(has), abs=1e-12)
    assert bots.fair(view | {"seat": 1}) == pytest.approx(1 - bots.fair(view))
    assert (has == HALF) == (lives == rounds)


@pytest.mark.parametrize("chance", [surviving, winning])
def test_against_perfect_no_challenger_does_better_than_perfect(chance):
    best = chance("perfect", "perfect", lives=1, rounds=2)
    for level in bots.levels("mexico")[:-1]:
        assert chance(level, "perfect", lives=1, rounds=2) <= best


@pytest.mark.parametrize("chance", [surviving, winning])
def test_against_perfect_no_house_does_better_than_perfect(chance):
    best = chance("perfect", "perfect", lives=2, rounds=1)
    for level in bots.levels("mexico")[:-1]:
        assert chance("perfect", level, lives=2, rounds=1) >= best


def test_perfect_values_the_game_and_not_the_round():
    """With one life and one round, a tie is as good as a win for the challenger and as bad as a loss for the house."""
    match = start("mexico", lives=1, rounds=1)
    feed(match, [1], [6], (3, 1), "roll", (6, 5), "end", (6, 5))
    assert match.ask.seat == 0
    assert bots.win(match.view(0), match.ask.options)[1] == 1
    match = start("mexico", lives=1, rounds=1)
    feed(match, [6], [1], (3, 1), "roll", (6, 6), "end", (6, 6))
    assert match.ask.seat == 1
    end, roll = (bots.win(match.view(1), match.ask.options)[at] for at in (1, 0))
    assert (end, roll) == (0, pytest.approx(2 / 36))
    assert bots.policy("perfect", match.view(1), match.ask.options) == [1, 0]


def test_a_mexico_worth_two_lives_justifies_another_roll_in_a_won_round():
    """No score is below 31, so the round is already won, but another roll may be a Mexico that takes both lives."""
    chances = {}
    for double in (True, False):
        match = start("mexico", mode="elimination", lives=2, double=double)
        feed(match, [6], [1], (4, 1), "roll", (3, 1), "end", (3, 2))
        chances[double] = bots.policy("perfect", match.view(1), match.ask.options)[0]
    assert chances == {True: 1, False: 0}


def test_perfect_still_plays_the_round_when_nothing_is_at_stake():
    match = start("mexico", lives=9, rounds=2)
    feed(match, [6], [1], (3, 1))
    assert bots.win(match.view(0), match.ask.options) == [1, 1]
    assert bots.policy("perfect", match.view(0), match.ask.options) == [1, 0]


def test_among_several_sharp_rolls_until_it_is_no_longer_lowest():
    match = start("mexico", seats=3, mode="elimination")
    feed(match, [6], [1], [1], (4, 3), "roll", (4, 1), "end", (3, 2))
    assert bots.policy("sharp", match.view(1), match.ask.options) == [1, 0]
    feed(match, "roll", (5, 1), (4, 2))
    assert bots.policy("sharp", match.view(2), match.ask.options) == [0, 1]


def test_the_chance_to_lose_a_round_is_shared_by_those_who_tie_for_lowest():
    # The last of three seats has one roll against two 41s. It loses on a 32 or 31. On a third 41, all three roll a die
    # each to decide.
    below, equal = Fraction(4, 36), Fraction(2, 36)
    above = 1 - below - equal
    held = rank((4, 1))
    assert levels_of_mexico.lowest(held, 2, 1, 1) == pytest.approx(float(above / 2 + equal / 3))


def test_lives_have_the_right_value():
    assert solved._last_alive(3, (3, 3)) == pytest.approx(1 / 3, abs=1e-3)
    assert solved._last_alive(1, (2, 2)) == pytest.approx(0.13, abs=1e-3)
    view = opening(4, mode="elimination") | {
        "seat": 1, "turn": 1, "leader": 0, "limit": 2, "rolls": 1, "scores": [61, None, None, None],
        "dice": [[6, 1], [5, 4], [], []], "standing": [3, 1, 2, 0],
    }  # fmt: skip
    roll, end = bots.win(view, CHOICES)
    assert 0 < end < roll < 1
    assert bots.policy("perfect", view, CHOICES) == [1, 0]


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize(("mine", "other"), [(1, 1), (2, 1), (1, 3), (2, 2)])
@pytest.mark.parametrize("led", [None, 62, MEXICO])
def test_the_last_two_of_three_play_exactly_like_two(double, mine, other, led):
    two = opening(mode="elimination", lives=3, double=double) | {
        "seat": 1, "turn": 1, "leader": 1 if led is None else 0, "limit": 3, "rolls": 1, "scores": [led, None],
        "dice": [[], [4, 1]], "standing": [other, mine],
    }  # fmt: skip
    three = opening(3, mode="elimination", lives=3, double=double) | {
        "seat": 2, "turn": 2, "leader": 2 if led is None else 0, "limit": 3, "rolls": 1, "scores": [led, None, None],
        "dice": [[], [], [4, 1]], "standing": [other, 0, mine],
    }  # fmt: skip
    for read in RANKING[1:]:
        two["dice"][1] = three["dice"][2] = list(divmod(read, 10))
        assert bots.win(three, CHOICES) == bots.win(two, CHOICES)
        assert bots.policy("perfect", three, CHOICES) == bots.policy("perfect", two, CHOICES)


def test_perfect_among_the_last_two_of_three_rolls_for_a_mexico_that_costs_two_lives():
    """The round is already won, but another roll may be a Mexico that takes both lives. `sharp` stops, because it only
    plays to win the round."""
    view = opening(3, mode="elimination", lives=2, double=True) | {
        "seat": 2, "turn": 2, "leader": 0, "limit": 2, "rolls": 1, "scores": [31, None, None],
        "dice": [[3, 1], [], [3, 2]], "standing": [2, 0, 2],
    }  # fmt: skip
    assert bots.policy("perfect", view, CHOICES) == [1, 0]
    assert bots.policy("sharp", view, CHOICES) == [0, 1]


def test_a_solved_race_is_a_fixed_point_of_another_round():
    table = solved._race(20)
    states = np.indices(table.shape)[:, 1:, 1:]
    assert solved.leader_has(solved._to_race(table, *states)) == pytest.approx(table[1:, 1:], abs=1e-12)


@pytest.mark.parametrize(
    ("held", "sharing", "to_come", "limit"), [(1, 1, 2, 3), (9, 1, 3, 2), (14, 2, 3, 3), (21, 1, 2, 3)]
)
def test_the_chance_to_lose_a_round_matches_playing_it_out(held, sharing, to_come, limit):
    ways = dict(zip(range(1, 22), levels_of_mexico.WAYS, strict=True))

    def losing(held: int, sharing: int, to_come: int) -> Fraction:
        """The chance of losing for one of `sharing` seats with the lowest rank, if `to_come` seats have yet to play."""
        return Fraction(1, sharing) if not to_come else next_turn(held, sharing, to_come, limit)[1]

    @cache
    def next_turn(held: int, sharing: int, to_come: int, rolls: int) -> tuple[Fraction, Fraction]:
        """The chances of losing for two seats: the next one, which has `rolls` rolls, and one that shares the lowest
        rank before that."""
        mine = theirs = Fraction(0)
        for rank_of, count in ways.items():
            after = (
                (losing(rank_of, 1, to_come - 1), Fraction(0))
                if rank_of < held
                else (losing(held, sharing + 1, to_come - 1),) * 2
                if rank_of == held
                else (Fraction(0), losing(held, sharing, to_come - 1))
            )
            if rolls > 1 and rank_of < 21:
                after = min(after, next_turn(held, sharing, to_come, rolls - 1), key=lambda each: each[0])
            mine, theirs = mine + count * after[0] / 36, theirs + count * after[1] / 36
        return mine, theirs

    assert levels_of_mexico.lowest(held, sharing, to_come, limit) == pytest.approx(
        float(losing(held, sharing, to_come))
    )


@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("classic", "easy"), ("sharp", "classic")])
def test_each_level_beats_the_one_below_head_to_head(better, worse):
    assert by_luck(wins("mexico", better, worse, 800, mode="elimination", lives=3), 800) < 0.01
