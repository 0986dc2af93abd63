"""The chances, on the shared screen and of `dicetable odds`, are right: counted out by hand or over every throw."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table import games
from table.analysis import odds, sheets
from table.engine.asks import Choose, Draw, Over, Roll
from table.games import GAMES
from table.games.bluff import rules as bluff
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco
from table.text import narration, numbers
from table.text.catalogue import Catalogue
from table.ui.terminal import figures
from tests.processes import COMMAND, PATIENCE, environment, typed
from tests.terminal_session import ROOT


def view_of(game, **changes):
    return {**games.new(game, ["Ann", "Bo"], seed=1).view(None), **changes}


def lines(view):
    return {(line.what, *line.facts.values()): line.chance for line in odds.odds(view)}


def test_mexico_comes_two_times_in_thirty_six_and_a_double_six_times():
    found = lines(view_of("mexico"))
    assert (found["mexico",], found["double",]) == (pytest.approx(2 / 36), pytest.approx(6 / 36))


@pytest.mark.parametrize("score", [61, 51, 41])
def test_a_mexico_score_or_better_is_as_likely_as_all_throws_say(score):
    rolls = list(product(range(1, 7), repeat=2))
    better = sum(mexico.rank(roll) >= mexico.rank(divmod(score, 10)) for roll in rolls)
    assert lines(view_of("mexico"))["score", score] == pytest.approx(better / 36)


def test_the_leaders_score_is_beaten_with_any_of_the_throws_left():
    found = lines(view_of("mexico", scores=[65, None], rolls=1, limit=3))
    once = sum(mexico.rank(roll) > mexico.rank((6, 5)) for roll in product(range(1, 7), repeat=2)) / 36
    assert found["beat", 65, 1] == pytest.approx(once)
    assert found["beat", 65, 2] == pytest.approx(1 - (1 - once) ** 2)


def test_the_sums_of_bluff_add_up_to_one():
    found = odds.odds(view_of("bluff"))
    assert sum(line.chance for line in found) == pytest.approx(1)
    assert max(found, key=lambda line: line.chance).facts == {"sum": 7}


def test_one_die_cuts_the_cheese_two_times_in_three():
    found = lines(view_of("cheese"))
    assert found["cut", 1] == pytest.approx(4 / 6)
    assert found["cut", 2] == pytest.approx(
        sum(not cheese.score(roll).reasons for roll in product(range(1, 7), repeat=2)) / 36
    )


def test_a_bid_on_wild_faces_counts_the_aces():
    found = lines(view_of("cacho", in_play=2, bid=[1, 5], single=False))
    assert found["bid", 1, 5] == pytest.approx(1 - (2 / 3) ** 2)
    found = lines(view_of("cacho", in_play=2, bid=[1, 5], single=True))
    assert found["bid", 1, 5] == pytest.approx(1 - (5 / 6) ** 2)
    assert lines(view_of("cacho", in_play=2, bid=[2, 1], single=False))["bid", 2, 1] == pytest.approx(1 / 36)


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_game_has_odds_between_0_and_1(game):
    match, chance = games.new(game, ["Ann", "Bo", "Cy"][: 2 if game == "mexico" else 3], seed=3), random.Random(3)
    for _ in range(300):
        if isinstance(match.ask, Over):
            break
        assert all(0 <= line.chance <= 1 for line in odds.odds(match.view(None)))
        options = match.ask.options if isinstance(match.ask, Choose) else ()
        for option in (None, *chance.sample(options, min(len(options), 3))):
            lines = odds.now(match.view(None), match.ask, option)
            assert len(lines) <= 2 and all(0 <= line.chance <= 1 for line in lines)
        match.answer(chance.choice(match.ask.options) if isinstance(match.ask, Choose) else match.drawn())


# The moment's, counted out over every throw.

TWO, THREE = list(product(range(1, 7), repeat=2)), list(product(range(1, 7), repeat=3))
FACES = st.integers(1, 6)
ROLL_OR_END = Choose(0, ("roll", "end"))


def now(view, ask, option=None):
    return {(line.what, *line.facts.values()): line.chance for line in odds.now(view, ask, option)}


def uncut(dice):
    return share(list(product(range(1, 7), repeat=dice)), lambda roll: cheese.score(roll).total > 0)


@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_whoever_may_bank_is_told_how_likely_the_dice_that_are_left_cut_the_cheese(left):
    view = view_of("cheese", left=left, points=500)
    assert now(view, ROLL_OR_END) == {("cut", left): float(1 - uncut(left))} == now(view, Roll(0, left))


def test_while_dice_are_kept_the_chance_is_of_those_that_would_be_left():
    roll = [1, 5, 1, 2, 2, 4]
    view, ask = view_of("cheese", dice=[roll, []]), Choose(0, cheese.keeps(roll))
    assert now(view, ask, ("keep", (0, 2))) == {("cut", 4): float(1 - uncut(4))}
    smallest_and_largest = {("cut", 5): float(1 - uncut(5)), ("cut", 3): float(1 - uncut(3))}
    assert now(view, ask) == smallest_and_largest


def test_who_would_keep_all_dice_cuts_nothing():
    view, ask = view_of("cheese", left=2, dice=[[1, 5], []]), Choose(0, cheese.keeps([1, 5]))
    assert now(view, ask, ("keep", (0, 1))) == {}
    assert now(view, ask) == {("cut", 1): pytest.approx(4 / 6)}


@pytest.mark.parametrize("worth", [{"card": "mustpass"}, {"options": {"pass_bonus": 500}}])
def test_passing_the_cheese_has_a_chance_of_its_own_where_it_is_worth_more(worth):
    view = view_of("cheese", left=2) | worth
    assert now(view, Roll(0, 2))["pass", 2] == pytest.approx(share(TWO, lambda roll: not cheese.score(roll).unscored))


@pytest.mark.parametrize("rolls", [0, 1, 2])
@pytest.mark.parametrize("score", [31, 64, 66, 21])
def test_the_best_of_a_round_of_mexico_is_beaten_within_the_rolls_left(score, rolls):
    better = [mexico.rank(roll) > mexico.rank(divmod(score, 10)) for roll in TWO]
    view = view_of("mexico", scores=[None, score], rolls=rolls, limit=3, dice=[[3, 1], []])
    assert now(view, Roll(0, 2)) == {("beats", score): float(share(list(product(better, repeat=3 - rolls)), any))}


def test_who_is_ahead_already_need_not_roll():
    view = view_of("mexico", scores=[None, 64], rolls=1, limit=3, dice=[[6, 5], [6, 4]])
    assert now(view, ROLL_OR_END) == {("beats", 64): 1}
    assert now(view, Roll(0, 2))["beats", 64] < 1, "but who rolls all the same has those dice no more"


def test_among_many_the_lowest_is_to_be_beaten_too():
    view = view_of("mexico", scores=[None, 64, 41, 66], rolls=2, limit=3, dice=[[3, 1], [], [], []])
    above = {score: share(TWO, lambda r, s=score: mexico.rank(r) > mexico.rank(divmod(s, 10))) for score in (41, 66)}
    assert now(view, ROLL_OR_END) == {("lowest", 41): float(above[41]), ("beats", 66): float(above[66])}


def test_who_leads_at_mexico_is_told_whether_the_next_roll_is_better():
    view = view_of("mexico", rolls=1, dice=[[5, 4], []])
    better = share(TWO, lambda roll: mexico.rank(roll) > mexico.rank((5, 4)))
    assert now(view, ROLL_OR_END) == {("next", 54): float(better)}
    assert now(view, Roll(0, 2)) == {}


def test_nothing_is_reckoned_with_a_single_die_for_who_begins_or_loses():
    assert now(view_of("mexico", scores=[31, 31]), Roll(0, 1)) == {}


@pytest.mark.parametrize("claim", range(1, 13))
def test_a_claim_is_true_as_often_as_two_dice_make_it(claim):
    view = view_of("bluff", claim=claim)
    assert now(view, Choose(1, bluff.CALLS)) == {("sum", claim): float(share(TWO, lambda roll: sum(roll) == claim))}
    assert now(view, Choose(0, bluff.CLAIMS)) == now(view, Choose(0, bluff.CARD)) == now(view, Roll(0, 2, True)) == {}


def hands_after(hand, again):
    return list(product(*[range(1, 7) if place in again else (die,) for place, die in enumerate(hand)]))


SETS = [again for size in (1, 2, 3) for again in combinations(range(3), size)]


def beaten(hand, rank, left):
    """By whoever throws those dice again that are best for it, and stops once that hand is beaten."""

    @cache
    def best(hand, left):
        if pocoloco.rank(hand) > rank or not left:
            return Fraction(pocoloco.rank(hand) > rank)
        return max(with_again(hand, again, left) for again in SETS)

    def with_again(hand, again, left):
        made = hands_after(hand, again)
        return sum(best(tuple(sorted(one)), left - 1) for one in made) / len(made)

    return best(tuple(sorted(hand)), left)


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize(("hand", "best"), [((2, 4, 6), (1, 1, 5)), ((4, 5, 5), (6, 6, 6)), ((1, 1, 6), (1, 6, 5))])
def test_the_best_hand_of_pocoloco_is_beaten_from_the_hand_that_lies_there(hand, best, left):
    view = view_of("pocoloco", ranks=[None, pocoloco.rank(best)], dice=[hand, best], rolls=3 - left, limit=3)
    found = now(view, Choose(0, pocoloco.REROLLS))
    assert found == {("best",): pytest.approx(float(beaten(hand, pocoloco.rank(best), left)))}


@given(hand=st.tuples(FACES, FACES, FACES), best=st.tuples(FACES, FACES, FACES), rolls=st.integers(1, 2))
def test_the_chance_at_pocoloco_is_that_of_the_best_option(hand, best, rolls):
    view = view_of("pocoloco", ranks=[None, pocoloco.rank(best)], dice=[hand, best], rolls=rolls, limit=3)
    ask = Choose(0, pocoloco.REROLLS)
    assert now(view, ask)["best",] == max(now(view, ask, option)["best",] for option in ask.options)


@pytest.mark.parametrize("again", SETS)
def test_an_option_at_pocoloco_has_the_chance_of_those_dice(again):
    hand, rank = (6, 2, 5), pocoloco.rank((1, 4, 6))
    view = view_of("pocoloco", ranks=[rank, None], dice=[[], hand], rolls=1, limit=2)
    made = hands_after(hand, again)
    found = now(view, Choose(1, pocoloco.REROLLS), ("reroll", again))
    assert found == {("best",): float(share(made, lambda one: pocoloco.rank(one) > rank))}


def test_who_begins_at_pocoloco_has_the_own_hand_to_beat():
    hand = (6, 2, 5)
    view = view_of("pocoloco", dice=[hand, []], rolls=2, limit=3)
    assert now(view, Choose(0, pocoloco.REROLLS)) == {("this",): float(beaten(hand, pocoloco.rank(hand), 1))}
    assert now(view, Roll(0, 3)) == {}


def test_before_the_first_throw_at_pocoloco_all_rolls_are_left():
    rank = pocoloco.rank((1, 4, 6))
    view = view_of("pocoloco", ranks=[rank, None], dice=[[1, 4, 6], []], rolls=1, limit=1)
    assert now(view, Roll(1, 3)) == {("best",): float(share(THREE, lambda roll: pocoloco.rank(roll) > rank))}
    assert now(view, Roll(1, 2)) == {}, "which dice stay is not in the view"


@given(
    mine=st.lists(FACES, min_size=1, max_size=4), others=st.integers(1, 4), face=FACES, single=st.booleans(),
    part=st.floats(0, 1),
)  # fmt: skip
def test_a_bid_holds_and_is_exact_as_all_throws_of_the_other_dice_say(mine, others, face, single, part):
    total = len(mine) + others
    count = 1 + round(part * (total - 1))
    view = view_of("cacho", dice=[mine, [None] * others], in_play=total, bid=[count, face], single=single)
    counts = [cacho.count(face, [mine, list(roll)], wild=not single) for roll in product(range(1, 7), repeat=others)]
    found = {line.what: line.chance for line in odds.own(view)}
    assert found == {
        "bid": float(share(counts, lambda counted: counted >= count)),
        "exact": float(share(counts, lambda counted: counted == count)),
    }


@given(count=st.integers(1, 5), face=FACES, single=st.booleans())
def test_what_everybody_may_know_of_a_bid_is_the_mean_of_what_each_hand_tells(count, face, single):
    cups = view_of("cacho", dice=[[None] * 2, [None] * 3], in_play=5, bid=[count, face], single=single)
    for_all = odds.now(cups, Choose(0, cacho.CHALLENGES))
    looks = [odds.own({**cups, "dice": [list(roll), [None] * 3]}) for roll in TWO]
    for place, line in enumerate(for_all):
        assert line.chance == pytest.approx(sum(look[place].chance for look in looks) / 36)


def test_no_bid_and_no_own_dice_are_nothing_to_reckon_with():
    bid = {"in_play": 4, "bid": [2, 5]}
    assert odds.own(view_of("cacho", dice=[[1, 5], [None] * 2], in_play=4)) == []
    assert odds.own(view_of("cacho", dice=[[None] * 2] * 2, **bid)) == [], "they lie under the seat's own real cup"
    assert odds.own(view_of("bluff", dice=[[1, 5], [None] * 2], claim=6)) == []
    assert odds.now(view_of("cacho", dice=[[None] * 2] * 2, **bid), Roll(0, 2)) == []


def test_a_draw_and_the_end_have_no_odds():
    for game in GAMES:
        assert odds.now(view_of(game), Draw("pick", (0, 1))) == odds.now(view_of(game), Over(((0,), (1,)))) == []


@given(st.floats(0, 1))
def test_a_screen_never_calls_certain_or_impossible_what_is_neither(chance):
    shown = numbers.percent(chance, Catalogue("en"))
    assert (shown == "100%") == (chance == 1) and (shown in ("0%", "0.0%")) == (chance == 0)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_every_chance_of_the_moment_has_words(game, language):
    say, chance = Catalogue(language), random.Random(2)
    match = games.new(game, ["Ann", "Bo", "Cy"], {"mode": "elimination"} if game == "mexico" else {}, seed=2)
    told = set()
    for _ in range(200):
        if isinstance(match.ask, Over):
            break
        told |= {narration.chance(line, game, say) for line in odds.now(match.view(None), match.ask)}
        match.answer(chance.choice(match.ask.options) if isinstance(match.ask, Choose) else match.drawn())
    assert told and not any("{" in words for words in told)


# What `dicetable odds` prints, counted out again roll by roll.


def tables(game, **given):
    return {name: sheet.rows for name, sheet in sheets.sheets(game, given)[1].items()}


def share(rolls, good):
    return Fraction(sum(map(good, rolls)), len(rolls))


def test_the_21_rolls_of_mexico_are_as_all_throws_say():
    rows = tables("mexico")["rolls"]
    assert [row["roll"] for row in rows] == list(mexico.RANKING)
    assert sum(row["ways"] for row in rows) == 36 and sum(row["chance"] for row in rows) == 1
    assert rows[0] == {"roll": 21, "ways": 2, "chance": Fraction(1, 18), "at_least": Fraction(1, 18)}
    for row in rows:
        rank = mexico.rank(divmod(row["roll"], 10))
        assert row["at_least"] == share(TWO, lambda roll, rank=rank: mexico.rank(roll) >= rank)


def test_a_mexico_score_is_beaten_within_three_throws_as_all_of_them_say():
    for row in tables("mexico")["beaten"]:
        better = [mexico.rank(roll) > mexico.rank(divmod(row["score"], 10)) for roll in TWO]
        assert row["in_1"] == share(better, bool)
        assert row["in_2"] == share(list(product(better, repeat=2)), any)
        assert row["in_3"] == share(list(product(better, repeat=3)), any)


def test_the_claims_of_bluff_are_true_as_often_as_all_throws_say():
    rows = tables("bluff")["claims"]
    assert [row["claim"] for row in rows] == list(range(2, 13))
    for row in rows:
        assert row["true"] == Fraction(row["ways"], 36) == share(TWO, lambda roll, row=row: sum(roll) == row["claim"])
        assert row["at_least"] == share(TWO, lambda roll, row=row: sum(roll) >= row["claim"])


def test_the_kinds_of_pocoloco_are_all_there_are():
    kinds = {row["kind"]: (row["ways"], row["at_least"]) for row in tables("pocoloco")["kinds"]}
    assert kinds == {
        "poco": (6, Fraction(1, 36)),
        "three": (6, Fraction(1, 18)),
        "loco": (6, Fraction(1, 12)),
        "points": (198, 1),
    }


@pytest.mark.parametrize("hand", [(6, 6, 6), (1, 1, 5), (6, 6, 5), (3, 2, 2)])
def test_a_hand_of_pocoloco_is_beaten_by_the_best_dice_to_throw_again(hand):
    best = pocoloco.rank(hand)

    def again(roll, where):
        """Every hand that may come of throwing those dice again."""
        faces = [range(1, 7) if place in where else (die,) for place, die in enumerate(roll)]
        return list(product(*faces))

    def twice(roll):
        if pocoloco.rank(roll) > best:
            return Fraction(1)
        sets = [where for size in (1, 2, 3) for where in combinations(range(3), size)]
        return max(share(again(roll, where), lambda made: pocoloco.rank(made) > best) for where in sets)

    (row,) = [row for row in tables("pocoloco")["beaten"] if row["hand"] == list(hand)]
    assert row["in_1"] == share(THREE, lambda roll: pocoloco.rank(roll) > best)
    assert row["in_2"] == sum(map(twice, THREE)) / 216
    assert row["in_2"] <= row["in_3"] <= 1


def test_one_roll_of_cheese_is_worth_what_all_throws_say():
    rows = tables("cheese")["rolls"]
    assert [row["dice"] for row in rows] == [6, 5, 4, 3, 2, 1]
    assert [row["cut"] for row in rows[:3]] == [Fraction(5, 162), Fraction(25, 324), Fraction(17, 108)]
    for row in rows[2:]:
        scores = [cheese.score(roll) for roll in product(range(1, 7), repeat=row["dice"])]
        assert row["cut"] == share(scores, lambda score: score.total == 0)
        assert row["all"] == share(scores, lambda score: not score.unscored)
        assert row["points"] == Fraction(sum(score.total for score in scores), len(scores))


@pytest.mark.parametrize("single", [False, True])
def test_a_bid_in_cacho_holds_as_often_as_all_throws_say(single):
    for row in tables("cacho", dice=4, single=single)["bids"]:
        for face, kind in ((5, ""), (1, "aces_")):
            counts = [cacho.count(face, [roll], wild=not single) for roll in product(range(1, 7), repeat=4)]
            assert row[f"{kind}at_least"] == share(counts, lambda count, row=row: count >= row["count"])
            assert row[f"{kind}exactly"] == share(counts, lambda count, row=row: count == row["count"])


@pytest.mark.parametrize("game", GAMES)
def test_the_command_prints_the_same_as_text_and_as_exact_fractions(game, tmp_path):
    env = environment(tmp_path)
    text, told = typed("odds", game, env=env), json.loads(typed("odds", game, "--json", env=env).stdout)
    assert (text.returncode, text.stderr) == (0, "") and text.stdout.startswith(GAMES[game].name)
    assert told["game"] == game
    for name, rows in tables(game).items():
        assert len(rows) == len(told[name]) and len(rows) < text.stdout.count("\n")
        for row, read in zip(rows, told[name], strict=True):
            assert {key: Fraction(read[key]) for key in row if isinstance(row[key], Fraction)} == {
                key: value for key, value in row.items() if isinstance(value, Fraction)
            }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("columns", [60, 200])
def test_the_tables_fit_the_window(game, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = figures.of_odds(game, sheets.sheets(game, {})[1]).splitlines()
    assert max(map(len, lines)) <= min(columns, 80)
    assert any("━━━━" in line for line in lines)


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (0, "0%"),
        (Fraction(1, 10**6), "<0.01%"),
        (Fraction(1, 18), "5.56%"),
        (1 - Fraction(1, 10**6), ">99.99%"),
        (1, "100%"),
    ],
)
def test_what_can_happen_is_never_shown_as_0_nor_as_100(chance, shown):
    assert figures.percent(chance) == shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "Did you mean cheese?"),
        ([], "GAME"),
        (["mexico", "--dice", "4"], "mexico do not depend on --dice. Leave that out"),
        (["bluff", "--single", "--dice", "4"], "bluff do not depend on --dice and --single"),
        (["cacho", "--dice", "0"], "from 1 to 60"),
        (["cacho", "--dice", "61"], "from 1 to 60"),
        (["cacho", "--dice", "ten"], "whole number"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_wrong_use_gets_one_line_and_status_2(arguments, says, tmp_path):
    done = typed("odds", *arguments, env=environment(tmp_path))
    assert says in done.stderr and done.stderr.count("\n") == 1
    assert (done.returncode, done.stdout) == (2, "")


def test_help_comes_with_examples(tmp_path):
    told = typed("odds", "--help", env=environment(tmp_path)).stdout
    assert "Examples:\n  dicetable odds mexico" in told and "dicetable odds cacho --dice 10 --single" in told


@pytest.mark.skipif(sys.platform == "win32", reason="the pipe is said to a Unix shell")
def test_whoever_reads_only_the_head_is_told_nothing():
    command = " ".join(f"'{word}'" for word in [*COMMAND, "odds", "cacho", "--dice", "60"])
    pipe = ["sh", "-c", f"{command} | head -n 1"]
    done = subprocess.run(pipe, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("Cacho\n", "")
