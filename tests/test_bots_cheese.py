"""Computer players of Pass the Cheese: exact values of a turn and of the race, and the order of the levels."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

pytestmark = pytest.mark.ground
np = pytest.importorskip("numpy", reason="numpy holds the tables")

from table.engine.asks import Choose, Over  # noqa: E402
from table.games import bots  # noqa: E402
from table.games.cheese import bots as cheese  # noqa: E402
from table.games.cheese import perfect, solve  # noqa: E402
from table.games.cheese.rules import CARD_BONUS, DECK, keeps, score  # noqa: E402
from table.games.tables import load  # noqa: E402
from tests.playing import at_random, by_luck, feed, start, wins  # noqa: E402

STEP = solve.STEP


def no_progress(share: float) -> None:
    """Ignore the progress."""


# The turn


def test_a_turn_played_for_points_has_the_exact_expected_value():
    best = cheese.turn(Fraction, Fraction, Fraction(0))
    assert best.roll(0, 6) == Fraction(4343133196525, 9795520512)
    assert cheese.points_alone(0, must_pass=False) == pytest.approx(443.37952140, abs=1e-8)


@pytest.mark.parametrize(
    ("dice", "chance"),
    [(1, (2, 3)), (2, (4, 9)), (3, (5, 18)), (4, (17, 108)), (5, (25, 324)), (6, (5, 162))],
)
def test_the_chance_of_a_cut_for_each_number_of_dice(dice, chance):
    cuts = sum(count for count, ways in cheese.throws(dice) if not ways)
    assert Fraction(cuts, 6**dice) == Fraction(*chance)
    assert sum(count for count, _ in cheese.throws(dice)) == 6**dice


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_the_solver_keeps_exactly_what_the_rules_allow(dice):
    found: Counter[tuple] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        most: dict[int, int] = {}
        for _, places in keeps(roll):
            most[len(places)] = max(most.get(len(places), 0), score([roll[place] for place in places]).total)
        found[tuple((points, kept) for kept, points in sorted(most.items()))] += 1
    assert {ways: count for count, ways in cheese.throws(dice)} == found


def test_a_turn_played_for_points_rolls_on_up_to_these_limits():
    best = cheese.turn(Fraction, Fraction, Fraction(0))
    rolls_on = {
        dice: max((points for points in range(50, 1300, 50) if best.roll(points, dice) > points), default=0)
        for dice in range(1, 6)
    }
    assert rolls_on == {1: 0, 2: 100, 3: 300, 4: 850, 5: 1250}


@pytest.mark.parametrize(
    ("level", "points"), [("random", 188.92783), ("easy", 310.01415), ("classic", 403.87704), ("sharp", 443.37952)]
)
def test_each_level_averages_more_points_a_turn_than_the_one_below(level, points):
    view = start("cheese", goal=100_000).view(0)

    def average(so_far: int, dice: int) -> float:
        """The points that this level banks on average, over every roll and choice."""
        return sum(kept(so_far, tuple(sorted(roll))) for roll in product(range(1, 7), repeat=dice)) / 6**dice

    @cache
    def kept(so_far: int, roll: tuple[int, ...]) -> float:
        if not (options := keeps(roll)):
            return 0
        chances = bots.policy(level, {**view, "points": so_far, "left": len(roll), "dice": [roll, ()]}, options)
        return sum(
            chance * after(so_far + score([roll[place] for place in places]).total, len(roll) - len(places))
            for (_, places), chance in zip(options, chances, strict=True)
            if chance
        )

    @cache
    def after(so_far: int, left: int) -> float:
        if not left:
            return so_far
        roll, end = bots.policy(level, {**view, "points": so_far, "left": left}, ("roll", "end"))
        return (roll * average(so_far, left) if roll else 0) + end * so_far

    assert average(0, 6) == pytest.approx(points, abs=1e-5)


# The race of two


def test_the_shipped_tables_match_a_fresh_build():
    for name, replies in (("plain", np.zeros(1)), ("last_turn", solve.last_turns())):
        built = solve.race(replies, no_progress, 8)
        assert np.abs(load("cheese")[name][:9, :9] - built).max() < 1e-7


@pytest.mark.parametrize("last_turn", [False, True])
def test_every_chance_in_the_tables_follows_from_the_best_turn(last_turn):
    chance = Random(8)
    table = load("cheese")["last_turn" if last_turn else "plain"]
    for _ in range(150):
        mine, other = chance.randint(1, 200), chance.randint(1, 200)
        begun = start("cheese", goal=10_000, last_turn=last_turn).view(0)
        begun["standing"] = [10_000 - mine * STEP, 10_000 - other * STEP]
        assert perfect.win({**begun, "left": 6}, ["roll", "end"])[0] == pytest.approx(1 - table[other, mine], abs=2e-7)


def test_the_solver_and_the_players_value_turns_equally():
    chance = np.random.default_rng(8)
    bank = np.sort(chance.random((solve.BIGGEST + 1, 3)), axis=0)
    cut = chance.random(3) / 2
    for place in range(3):
        ends = bank[:, place].tolist()
        alone = cheese.turn(
            lambda points, ends=ends: ends[points // STEP], lambda points, ends=ends: ends[points // STEP], cut[place]
        )
        assert solve.turns(bank, cut)[place] == pytest.approx(alone.roll(0, 6), abs=1e-14)


def test_being_nearer_to_the_goal_is_never_worse():
    chances = load("cheese")["plain"][1:, 1:]
    assert (np.diff(chances, axis=0) <= 0).all()
    assert (np.diff(chances, axis=1) >= 0).all()


def test_goals_are_rounded_up_to_whole_steps():
    fair = {goal: perfect.fair(start("cheese", goal=goal).view(0)) for goal in (4960, 5000, 5010)}
    assert fair[4960] == fair[5000] > fair[5010]


@pytest.mark.parametrize(("goal", "first"), [(1000, 0.625267), (2000, 0.591985), (5000, 0.557568), (10_000, 0.540489)])
def test_the_first_player_has_the_advantage(goal, first):
    match = start("cheese", goal=goal)
    assert perfect.fair(match.view(0)) == pytest.approx(first, abs=1e-6)
    assert perfect.fair(match.view(0)) + perfect.fair(match.view(1)) == pytest.approx(1)


Ends = Callable[[Any, Any], Any]
"""What ending a turn is worth, given the steps that the player and the opponent still need. One row for each gain."""


def by_points(mine: Any, other: Any) -> Any:
    return np.minimum(np.arange(solve.BIGGEST + 1)[:, None], mine).astype(float)


def by_the_table(mine: Any, other: Any) -> Any:
    left = mine - np.arange(solve.BIGGEST + 1)[:, None]
    return np.where(left > 0, load("cheese")["plain"][np.maximum(left, 0), other], 1.0)


def followed(thought: Any, bank: Any) -> Any:
    """The true value of each turn for a player who relies on the estimates in `thought`. Row 0 of each table stands
    for a cut."""
    ends = np.stack([thought, bank])
    kept = {0: ends}
    for dice in range(1, 7):
        gains = solve.most_kept(6 - dice) + 1
        worth = np.zeros((2, gains, bank.shape[1]))
        for count, ways in cheese.throws(dice):
            after = [kept[dice - used][:, points // STEP :][:, :gains] for points, used in ways] or [ends[:, :1]]
            best = after[0]
            for other in after[1:]:
                best = np.where(other[0] > best[0], other, best)
            worth += count * best
        worth /= 6**dice
        kept[dice] = np.where(ends[0, :gains] >= worth[0], ends[:, :gains], worth)
    return worth[1, 0]


def duel(one: Ends, two: Ends, farthest: int) -> float:
    """The exact chance that `one` beats `two`, if each starts half the time."""
    chances = np.zeros((2, farthest + 1, farthest + 1))  # [player to move, steps it needs, steps the other needs]
    for distance in range(2, 2 * farthest + 1):
        mine = np.arange(max(1, distance - farthest), min(farthest, distance - 1) + 1)
        other = distance - mine
        left = mine - np.arange(solve.BIGGEST + 1)[:, None]
        without, cuts = [], []
        for seat, ends in enumerate((one, two)):
            bank = 1 - np.where(left > 0, chances[1 - seat][other, np.maximum(left, 0)], 0.0)
            bank = np.hstack([bank, bank])
            bank[0] = np.repeat((0, 1), len(mine))
            lost, won = np.split(followed(np.tile(ends(mine, other), 2), bank), 2)
            without.append(lost)
            cuts.append(won - lost)
        for seat in (0, 1):  # after a cut the opponent plays from the same scores; after two cuts the position repeats
            turned = 1 - (without[1 - seat] + cuts[1 - seat])[::-1]
            here = (without[seat] + cuts[seat] * turned) / (1 - cuts[seat] * cuts[1 - seat][::-1])
            chances[seat, mine, other] = here
    return float(chances[0, -1, -1] + 1 - chances[1, -1, -1]) / 2


def test_perfect_beats_sharp_by_exact_calculation():
    assert duel(by_the_table, by_points, 20) == pytest.approx(0.528596, abs=1e-6)
    assert duel(by_the_table, by_the_table, 5) == pytest.approx(0.5)


# The order of the levels, and their decisions


@pytest.mark.parametrize("options", [{}, {"cards": True}, {"last_turn": True}, {"pass_bonus": 500}])
def test_easy_beats_random_and_loses_to_classic(options):
    # A bonus makes the levels more evenly matched, so it takes more games to tell them apart.
    games = 200 if "cards" in options or "pass_bonus" in options else 100
    assert by_luck(wins("cheese", "easy", "random", 40, **options), 40) < 0.01
    assert by_luck(wins("cheese", "classic", "easy", games, **options), games) < 0.01


def test_sharp_beats_classic():
    assert by_luck(wins("cheese", "sharp", "classic", 300), 300) < 0.01


@pytest.mark.parametrize(
    ("options", "seats", "exact"),
    [
        ({}, 2, True),
        ({"goal": 10_000}, 2, True),
        ({"goal": 10_001}, 2, False),
        ({}, 3, False),
        ({}, 1, False),
        ({"cards": True}, 2, False),
        ({"pass_bonus": 50}, 2, False),
        ({"last_turn": True}, 2, False),
    ],
)
def test_perfect_knows_where_it_is_exact(options, seats, exact):
    assert bots.solved("cheese", start("cheese", seats, **options).view(0)["options"], seats) is exact


@pytest.mark.parametrize("level", ["easy", "sharp", "perfect"])
def test_every_level_banks_a_win_and_rolls_on_when_it_must(level):
    match = start("cheese", goal=500)
    feed(match, (5, 5, 5, 2, 3, 4), ("keep", (0, 1, 2)))
    assert bots.policy(level, match.view(0), match.ask.options) == [0, 1]
    match = start("cheese", goal=500, last_turn=True)
    feed(match, (5, 5, 5, 2, 3, 4), ("keep", (0, 1, 2)), "end", (1, 2, 2, 3, 3, 4), ("keep", (0,)))
    assert bots.policy(level, match.view(1), match.ask.options) == [1, 0]


@pytest.mark.parametrize("level", ["sharp", "perfect"])
def test_in_the_last_turn_a_tie_is_not_enough_if_the_odds_of_a_win_are_good(level):
    match = start("cheese", goal=500, last_turn=True)
    feed(match, (1, 1, 1, 2, 3, 4), ("keep", (0, 1, 2)), "end", (1, 1, 1, 2, 3, 3), ("keep", (0, 1, 2)))
    # Rolling wins 13 times in 18, and stopping only ties, which is worth half a win.
    assert bots.policy(level, match.view(1), match.ask.options) == [1, 0]


@pytest.mark.parametrize("pass_bonus", [0, 1, 500])
def test_the_estimate_of_the_others_last_turns_matches_their_best_play(pass_bonus):
    for behind in (0, 1, 49, 50, 51, 450, 500, 1003, 1500, 1501, 2000, 2001, 2501):
        plain = cheese.to_the_top(behind, pass_bonus, False).roll(0, 6)
        assert perfect._overtakes(behind, pass_bonus, False) == pytest.approx(plain, abs=1e-12)
    each = {card: cheese.to_the_top(700, pass_bonus + CARD_BONUS[card], card == "mustpass").roll(0, 6) for card in DECK}
    drawn = sum(count * each[card] for card, count in DECK.items()) / sum(DECK.values())
    assert perfect._overtakes(700, pass_bonus, True) == pytest.approx(drawn, abs=1e-12)


def test_a_last_turn_is_computed_once_for_each_card_and_never_if_out_of_reach():
    perfect._last_turn.cache_clear()
    assert perfect._overtakes(3002, 1, True) == 0
    assert perfect._last_turn.cache_info().misses == 0
    for behind in range(3002):
        assert 0 < perfect._overtakes(behind, 1, True) < 1
    assert perfect._last_turn.cache_info().misses == len(DECK)


def test_a_player_far_behind_risks_more_than_one_far_ahead():
    match = start("cheese", goal=5000)
    feed(match, (3, 3, 3, 2, 2, 4), ("keep", (0, 1, 2)))
    rolls = {}
    for mine, other in ((0, 4800), (4000, 0)):
        rolls[mine] = bots.policy("perfect", {**match.view(0), "standing": [mine, other]}, match.ask.options)[0]
    assert rolls == {0: 1, 4000: 0}


def test_perfect_takes_the_option_with_the_best_chance_under_all_game_options():
    for seed in range(30):
        chance = Random(seed)
        options = {
            "goal": chance.choice([500, 2010, 5000, 30_000]),
            "pass_bonus": chance.choice([0, 0, 130, 5000]),
            "cards": chance.random() < 0.5,
            "last_turn": chance.random() < 0.5,
        }
        match = start("cheese", chance.randint(1, 10), **options)
        begin = [perfect.fair(match.view(seat)) for seat in range(len(match.view(0)["players"]))]
        assert sum(begin) == pytest.approx(1) and begin == sorted(begin, reverse=True)
        for _ in range(60):
            if isinstance(match.ask, Choose):
                view = match.view(match.ask.seat)
                won = bots.win(view, match.ask.options)
                assert all(0 <= each <= 1 + 1e-12 for each in won)
                chosen = bots.policy("perfect", view, match.ask.options).index(1)
                assert won[chosen] == max(won)
            if isinstance(match.ask, Over):
                break
            match.answer(at_random(match, chance))


def test_the_chances_of_all_seats_add_up_to_one_where_the_race_is_solved():
    match = start("cheese", goal=2000)
    feed(match, (1, 5, 2, 2, 3, 4), ("keep", (0, 1)))
    after_end = bots.win(match.view(0), match.ask.options)[1]
    feed(match, "end")
    begun = {**match.view(1), "left": 6, "points": 0}
    assert after_end + bots.win(begun, ["roll", "end"])[0] == pytest.approx(1, abs=2e-7)
