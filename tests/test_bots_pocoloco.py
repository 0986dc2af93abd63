"""Computer players of PocoLoco: the tables follow from the rules, and the levels are in the right order."""

from random import Random

import pytest

pytestmark = pytest.mark.ground
np = pytest.importorskip("numpy", reason="perfect calculates with numpy")

from table.engine.asks import Choose, Over  # noqa: E402
from table.games import bots  # noqa: E402
from table.games.pocoloco import perfect, solve  # noqa: E402
from table.games.pocoloco.rules import MOST_ROLLS, REROLLS, Rank, rank  # noqa: E402
from table.games.tables import load  # noqa: E402
from tests.playing import by_luck, feed, start, wins  # noqa: E402


def option(*places):
    return REROLLS.index(("reroll", places))


@pytest.mark.parametrize("chips", [1, 2, 5, 10, 20])
def test_the_shipped_chances_of_two_match_a_fresh_build(chips):
    assert perfect.chance_of(chips) == pytest.approx(solve.chance(chips), abs=1e-9)


@pytest.mark.parametrize("chips", [43, 100])
def test_the_shipped_chances_of_two_are_a_fixed_point_of_another_round(chips):
    """Solving the game afresh for these numbers of chips would take too long, but one more optimal round must not
    change the chances."""
    chance = perfect.chance_of(chips)
    some = np.array([0, 1, 5, chips - 1, chips, 2 * chips - 3, 2 * chips - 2])
    stakes = perfect.stakes_of(chance)
    first, mirrored = (
        perfect.turn(perfect.first_ends(perfect.turn([perfect.second_ends(stakes[at])[..., None]] * MOST_ROLLS)))[0]
        for at in (some, 2 * chips - 2 - some)
    )
    assert chance[some + 1] == pytest.approx((first + 1 - mirrored)[:, 0] / 2, abs=1e-9)


@pytest.mark.parametrize("seats", [3, 6])
def test_the_shipped_tables_of_more_seats_match_a_fresh_build(seats):
    assert load("pocoloco")[f"among{seats}"] == pytest.approx(solve.among(seats), abs=solve.GRAIN)


def test_there_is_a_table_for_every_number_of_chips_and_seats():
    for chips in range(1, 101):
        chance = perfect.chance_of(chips)
        assert len(chance) == 2 * chips + 1
        assert (chance[0], chance[chips], chance[-1]) == (1, pytest.approx(0.5), 0)
    for seats in range(3, 11):
        assert load("pocoloco")[f"among{seats}"].shape[0] == seats - 1


def test_both_solvers_agree_on_a_round_of_two():
    """One solver maximizes the chance of winning a two-player game. The other counts chips, for any number of seats."""
    each = np.arange(1, 5)
    stakes = 0.5 + np.concatenate([each, -each])[None] / 100  # both players' chances add up to one
    second = perfect.turn([perfect.second_ends(stakes)[..., None]] * MOST_ROLLS)
    as_game = (perfect.turn(perfect.first_ends(second))[0][0, 0] - 0.5) * 100
    nobody = [np.array(each) for each in perfect.NOBODY]
    as_chips = perfect.turn([perfect.after_turn(then, *nobody) for then in solve.among(2)[0]])[0][0]
    assert as_game == pytest.approx(as_chips)


def test_chips_paid_among_several_add_up_to_zero():
    """Chips only change hands, so the balances of the last seat, the lowest seats and the safe seats add up to zero."""
    seats = 5
    table = load("pocoloco")[f"among{seats}"][0]  # one seat still to roll
    kind, lowest, sharing = (np.array(each) for each in (0, 7, 2))
    ends = perfect.after_turn(perfect.no_more_turns(seats), kind, lowest, sharing)
    for limit in range(1, MOST_ROLLS + 1):
        own, lost, safe = perfect.turn([ends] * limit)[0]
        assert own + 2 * lost + 2 * safe == pytest.approx(0, abs=1e-9)
        assert table[limit - 1][kind, lowest, sharing] == pytest.approx([lost, safe], abs=solve.GRAIN)


def test_a_die_is_rerolled_where_that_cannot_hurt():
    """With 1-1-5 against 1-1-6 and one roll left, the player is already lowest, so it should reroll the five."""
    match = start("pocoloco")
    feed(match, (0, 1), (1, 1, 6), ("reroll", (0,)), (1,), "end", (5, 1, 1))
    for level in ("sharp", "perfect"):
        chances = bots.policy(level, match.view(1), match.ask.options)
        assert chances[0] == 0
    win = bots.win(match.view(1), match.ask.options)
    assert max(win) == win[option(0)]
    assert bots.policy("perfect", match.view(1), match.ask.options)[option(0)] == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_the_last_seat_tries_for_more_if_it_cannot_become_the_lowest(seats):
    match = start("pocoloco", seats=seats)
    turns = [(2, 2, 4), ("reroll", (2,)), (3,), "end"] + [(5, 5, 4), ("reroll", (2,)), (4,)] * (seats - 2)
    feed(match, tuple(range(seats)), *turns, (1, 6, 1))
    for level in ("sharp", "perfect"):
        assert bots.policy(level, match.view(seats - 1), match.ask.options)[option(1)] == 1, level


def test_no_die_is_rerolled_without_benefit():
    match = start("pocoloco")
    feed(match, (0, 1), (6, 6, 4), ("reroll", (2,)), (3,), "end", (1, 6, 4))
    for level in ("sharp", "perfect"):
        assert bots.policy(level, match.view(1), match.ask.options)[0] == 1, level


def test_with_one_chip_each_the_round_decides_the_game():
    match = start("pocoloco", chips=1)
    feed(match, (0, 1), (2, 2, 3), ("reroll", (0,)), (2,), "end", (2, 2, 4))
    assert bots.win(match.view(1), match.ask.options)[0] == 1
    assert bots.fair(match.view(0)) == 0.5


def test_perfect_prefers_the_option_with_the_best_chance():
    chance = Random(4)
    for seats in (2, 3, 7):
        match = start("pocoloco", seats=seats, chips=3)
        while not isinstance(ask := match.ask, Over):
            if isinstance(ask, Choose):
                view = match.view(ask.seat)
                win, chances = bots.win(view, ask.options), bots.policy("perfect", view, ask.options)
                assert all(0 <= each <= 1 for each in win)
                assert win[chances.index(1)] == pytest.approx(max(win), abs=1e-8)
                match.answer(bots.choose("easy", match, chance))
            else:
                match.answer(match.drawn(chance))


def test_easy_undervalues_ones():
    match = start("pocoloco")
    feed(match, (0, 1), (1, 5, 2))
    chances = bots.policy("easy", match.view(0), match.ask.options)
    assert chances[option(0, 2)] == 0.75
    assert chances[option(1, 2)] == 0.25
    assert rank((1, 5, 2)) == Rank(1, 107)


@pytest.mark.parametrize(
    ("better", "worse"), [("easy", "random"), ("classic", "easy"), ("sharp", "classic"), ("perfect", "classic")]
)
def test_each_level_beats_the_one_below(better, worse):
    assert by_luck(wins("pocoloco", better, worse, 100), 100) < 0.01
