"""The chances, on the shared screen and of `dicetable odds`, are right: counted out by hand or over every throw."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product

import pytest

from table import chances, odds, referee
from table.rules import GAMES, cacho, cheese, mexico, pocoloco
from table.rules.vocabulary import Choose, Over
from table.terminal import figures
from tests.sitting import ROOT
from tests.test_cli import COMMAND, run


def view_of(game, **changes):
    return {**referee.new(game, ["Ann", "Bo"], seed=1).view(None), **changes}


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
    match, chance = referee.new(game, ["Ann", "Bo", "Cy"][: 2 if game == "mexico" else 3], seed=3), random.Random(3)
    for _ in range(300):
        if isinstance(match.ask, Over):
            break
        assert all(0 <= line.chance <= 1 for line in odds.odds(match.view(None)))
        match.answer(chance.choice(match.ask.options) if isinstance(match.ask, Choose) else match.drawn())


# What `dicetable odds` prints, counted out again roll by roll.

TWO, THREE = list(product(range(1, 7), repeat=2)), list(product(range(1, 7), repeat=3))


def tables(game, dice=None, single=False):
    return chances.tables(game, dice, single)[1]


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
    for row in tables("cacho", 4, single)["bids"]:
        for face, kind in ((5, ""), (1, "aces_")):
            counts = [cacho.count(face, [roll], wild=not single) for roll in product(range(1, 7), repeat=4)]
            assert row[f"{kind}at_least"] == share(counts, lambda count, row=row: count >= row["count"])
            assert row[f"{kind}exactly"] == share(counts, lambda count, row=row: count == row["count"])


@pytest.mark.parametrize("game", GAMES)
def test_the_command_prints_the_same_as_text_and_as_exact_fractions(game):
    text, told = run("odds", game), json.loads(run("odds", game, "--json").stdout)
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
    given, found = chances.tables(game, None, False)
    lines = figures.of_odds(game, given, found).splitlines()
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
        (["mexico", "--dice", "4"], "leave them out for mexico"),
        (["bluff", "--single"], "leave them out for bluff"),
        (["cacho", "--dice", "0"], "From 1 to 60 dice"),
        (["cacho", "--dice", "61"], "From 1 to 60 dice"),
        (["cacho", "--dice", "ten"], "whole number"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_wrong_use_gets_one_line_and_status_2(arguments, says):
    done = run("odds", *arguments)
    assert says in done.stderr and done.stderr.count("\n") == 1
    assert (done.returncode, done.stdout) == (2, "")


def test_help_comes_with_examples():
    assert "Examples:\n  dicetable odds mexico" in run("odds", "--help").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the pipe is said to a Unix shell")
def test_whoever_reads_only_the_head_is_told_nothing():
    command = " ".join(f"'{word}'" for word in [*COMMAND, "odds", "cacho", "--dice", "60"])
    done = subprocess.run(["sh", "-c", f"{command} | head -n 1"], capture_output=True, text=True, cwd=ROOT, timeout=30)
    assert (done.stdout, done.stderr) == ("Cacho\n", "")
