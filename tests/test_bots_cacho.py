"""Computer players of Cacho: odds, conclusions from bids, solved rounds, and the order of the levels."""

from random import Random

import pytest

pytestmark = pytest.mark.ground
np = pytest.importorskip("numpy", reason="numpy does perfect's arithmetic")

from table import games  # noqa: E402
from table.engine import referee  # noqa: E402
from table.engine.asks import Choose, Over  # noqa: E402
from table.games import bots  # noqa: E402
from table.games.cacho import solve, tables  # noqa: E402
from table.games.cacho.belief import belief, spread  # noqa: E402
from table.games.cacho.bots import PATIENCE, holds  # noqa: E402
from table.games.cacho.tables import ROUNDS, SMALL, Round  # noqa: E402
from table.games.tables import load  # noqa: E402
from tests.bench.cacho import play, round_score  # noqa: E402
from tests.playing import by_luck, feed, start, wins  # noqa: E402

LIMIT = 0.001


def chances(level: str, match: referee.Referee) -> dict:
    return dict(zip(match.ask.options, bots.policy(level, match.view(match.ask.seat), match.ask.options), strict=True))


def likeliest(level: str, match: referee.Referee):
    found = chances(level, match)
    return max(found, key=found.get)


# Odds


def test_sharp_doubts_a_bid_that_is_likelier_false_than_its_best_raise_is_true():
    for bid in [(n, face) for n in range(1, 7) for face in range(1, 7)]:
        match = start("cacho", dice=3)
        feed(match, [6], [1], (2, 3, 4), (5, 5, 1), ("bid", bid))
        view = match.view(1)
        raises = [holds(view, option[1]) for option in match.ask.options if isinstance(option, tuple)]
        chosen = likeliest("sharp", match)
        if chosen == "dudo":
            assert 1 - holds(view, bid) > max(raises, default=0)
        elif chosen != "calza":
            assert holds(view, chosen[1]) == max(raises) >= 1 - holds(view, bid)


def test_sharp_calls_calza_if_an_exact_bid_is_likeliest():
    match = start("cacho", dice=2)
    feed(match, [6], [1], (3, 4), (4, 4), ("bid", (4, 6)), "dudo")
    feed(match, (5, 5), (2,), ("bid", (1, 2)))  # a single-die round, in which `sharp` holds a two itself
    assert chances("sharp", match)["calza"] == 1


def test_easy_sometimes_forgets_that_aces_are_wild():
    match = start("cacho")
    feed(match, [6], [1], (1, 1, 4, 4, 6), (2, 3, 4, 5, 6))
    found = chances("easy", match)
    assert found["bid", (1, 4)] > found["bid", (1, 1)] > 0


# Conclusions from bids


def test_a_bid_on_fours_makes_fours_likelier():
    match = start("cacho")
    feed(match, [6], [1], (2, 2, 3, 5, 6), (2, 3, 3, 5, 6), ("bid", (3, 4)))
    view = match.view(1)
    expected = {face: spread(view, 0, belief(view, 0), face) @ np.arange(6) for face in (3, 4)}
    assert expected[4] > 5 / 3 > expected[3]


@pytest.mark.parametrize("raising", ["strict", "classic"])
def test_perfect_plays_at_the_largest_table_and_with_cups(raising):
    levels = ["perfect"] * 10
    match = games.new("cacho", levels, {"dice": 6, "raise": raising, "cups": [0, 3]}, 1)
    play(levels, match, Random(1), rounds=2)
    assert match.table.round == 3


def test_perfect_beats_plain_odds_in_rounds_of_five_dice_against_five():
    rounds = 240
    assert sum(round_score(number, {}) for number in range(rounds)) / rounds > 0.55


# Solved rounds


def shipped(rules: Round, seat: int):
    """The tree of a round in which this seat plays by its table and the other may do whatever the rules allow."""
    most = solve.limits(rules, seat)
    tree = solve.grow(rules, most)
    strategy = solve.zeros(tree, rules)
    for depth in range(seat, len(tree), 2):
        level = tree[depth]
        raises = np.split(strategy[depth].bid, level.first[1:]) if len(level.raisable) else []
        below = dict(zip(level.raisable.tolist(), raises, strict=True))
        for place, history in enumerate(level.bids):
            table = tables.chances(rules, history)
            if table is None:
                continue
            calls = 2 if depth else 0
            strategy[depth].call[:calls, place] = table[len(table) - calls :]
            bids = table[: len(table) - calls]
            if place in below:
                below[place][:] = bids
            else:
                assert not bids.any()
    return tree, solve.normalised(tree, strategy)


@pytest.mark.parametrize(
    "rules",
    [rules for rules in ROUNDS if rules.dice in SMALL and (rules.raising == "strict" or sum(rules.dice) == 2)]
    + [Round((1, 2), (False, True), False, "classic", False), Round((2, 1), (True, False), False, "classic", False)],
    ids=str,
)
def test_no_strategy_gains_more_than_a_thousandth_against_a_solved_round(rules):
    gains = 0.0
    for seat in (0, 1):
        tree, strategy = shipped(rules, seat)
        gains += solve.best_response(tree, rules, strategy, 1 - seat)
    assert 0 <= gains + 1e-9 < 2 * LIMIT
    assert gains / 2 == pytest.approx(load("cacho")["exploitability"][ROUNDS[rules]], abs=1e-6)


def test_every_shipped_round_states_its_exploitability():
    kept = load("cacho")
    assert len(kept["exploitability"]) == len(ROUNDS)
    assert kept["exploitability"].max() < LIMIT


@pytest.mark.parametrize("dice", [(1, 1), (2, 1)])
def test_the_shipped_rounds_match_a_fresh_build(dice):
    rules = Round(dice, (False, False), True, "strict", True)
    tree, strategy = solve.solve(rules, (solve.FREE, solve.FREE))
    kept = load("cacho")
    for seat in (0, 1):
        for number, row in solve.kept(tree, rules, strategy, seat).items():
            at = np.searchsorted(kept["keys"], number)
            assert kept["keys"][at] == number
            parts = kept["chances"][kept["starts"][at] : kept["starts"][at + 1]].astype(int)
            assert np.abs(parts - row.ravel()).max() < 8


def test_options_mixed_in_a_solved_round_have_equal_value():
    match = start("cacho", dice=1, single="once")
    feed(match, [6], [1], (4,), (5,))
    found, worth = chances("perfect", match), bots.win(match.view(0), match.ask.options)
    mixed = [value for option, value in zip(found, worth, strict=True) if found[option] > 0.05]
    assert max(worth) - min(mixed) < 0.01


# Whole games


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_the_whole_game_is_never_solved(dice):
    assert not bots.solved("cacho", start("cacho", dice=dice).view(None)["options"], 2)


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_before_the_first_roll_all_seats_have_the_same_chance(seats):
    assert bots.fair(start("cacho", seats).view(0)) == 1 / seats


def test_more_dice_win_more_often():
    win = load("cacho")["win"]
    for first in (0, 1):
        assert (np.diff(win[1:, 1:, first], axis=0) > 0).all()
        assert (np.diff(win[1:, 1:, first], axis=1) < 0).all()


@pytest.mark.parametrize("options", [{}, {"raise": "classic"}, {"dice": 2}, {"dice": 1, "calza_miss": "nothing"}])
def test_the_option_that_perfect_prefers_wins_most(options):
    chance = Random(3)
    for seed in range(6):
        match = games.new("cacho", ["A", "B"], options, seed)
        while not isinstance(match.ask, Over) and len(match.history) < 40:
            if isinstance(match.ask, Choose):
                view = match.view(match.ask.seat)
                worth = bots.win(view, match.ask.options)
                found = bots.policy("perfect", view, match.ask.options)
                assert all(-1e-9 <= value <= 1 + 1e-9 for value in worth)
                assert worth[found.index(max(found))] > max(worth) - 0.02
                match.answer(bots.choose("classic", match, chance))
            else:
                match.answer(match.drawn())


def test_two_perfect_players_always_finish_a_game():
    match = games.new("cacho", ["A", "B"], {"dice": 1, "calza_miss": "nothing"}, 1)
    play(["perfect", "perfect"], match, Random(1), rounds=PATIENCE * 4)
    assert isinstance(match.ask, Over)


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [("easy", "random", 30), ("classic", "easy", 100), ("sharp", "classic", 200), ("perfect", "sharp", 40)],
)
def test_each_level_beats_the_one_below_it(better, worse, games):
    assert by_luck(wins("cacho", better, worse, games), games) < 0.01
