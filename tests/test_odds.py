"""The odds on the shared screen and in `dicetable odds`, checked by hand or by enumerating every roll."""

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


def test_a_mexico_is_two_rolls_in_36_and_a_double_is_six():
    found = lines(view_of("mexico"))
    assert (found["mexico",], found["double",]) == (pytest.approx(2 / 36), pytest.approx(6 / 36))


@pytest.mark.parametrize("score", [61, 51, 41])
def test_the_chance_of_a_mexico_score_or_better_matches_all_rolls(score):
    rolls = list(product(range(1, 7), repeat=2))
    better = sum(mexico.rank(roll) >= mexico.rank(divmod(score, 10)) for roll in rolls)
    assert lines(view_of("mexico"))["score", score] == pytest.approx(better / 36)


def test_the_leaders_score_can_be_beaten_with_any_remaining_roll():
    found = lines(view_of("mexico", scores=[65, None], rolls=1, limit=3))
    once = sum(mexico.rank(roll) > mexico.rank((6, 5)) for roll in product(range(1, 7), repeat=2)) / 36
    assert found["beat", 65, 1] == pytest.approx(once)
    assert found["beat", 65, 2] == pytest.approx(1 - (1 - once) ** 2)


def test_the_sums_of_bluff_add_up_to_one():
    found = odds.odds(view_of("bluff"))
    assert sum(line.chance for line in found) == pytest.approx(1)
    assert max(found, key=lambda line: line.chance).facts == {"sum": 7}


def test_one_die_cuts_the_cheese_with_chance_two_thirds():
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
def test_at_every_ask_of_a_game_the_odds_are_between_0_and_1(game):
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


# Odds for the current ask, checked by enumerating every roll

TWO, THREE = list(product(range(1, 7), repeat=2)), list(product(range(1, 7), repeat=3))
FACES = st.integers(1, 6)
ROLL_OR_END = Choose(0, ("roll", "end"))


def now(view, ask, option=None):
    return {(line.what, *line.facts.values()): line.chance for line in odds.now(view, ask, option)}


def uncut(dice):
    return share(list(product(range(1, 7), repeat=dice)), lambda roll: cheese.score(roll).total > 0)


@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_a_player_who_may_bank_sees_the_chance_that_the_next_roll_cuts_the_cheese(left):
    view = view_of("cheese", left=left, points=500)
    assert now(view, ROLL_OR_END) == {("cut", left): float(1 - uncut(left))} == now(view, Roll(0, left))


def test_when_choosing_dice_to_keep_the_chance_is_for_the_remaining_dice():
    roll = [1, 5, 1, 2, 2, 4]
    view, ask = view_of("cheese", dice=[roll, []]), Choose(0, cheese.keeps(roll))
    assert now(view, ask, ("keep", (0, 2))) == {("cut", 4): float(1 - uncut(4))}
    smallest_and_largest = {("cut", 5): float(1 - uncut(5)), ("cut", 3): float(1 - uncut(3))}
    assert now(view, ask) == smallest_and_largest


def test_keeping_all_dice_has_no_chance_to_cut_the_cheese():
    view, ask = view_of("cheese", left=2, dice=[[1, 5], []]), Choose(0, cheese.keeps([1, 5]))
    assert now(view, ask, ("keep", (0, 1))) == {}
    assert now(view, ask) == {("cut", 1): pytest.approx(4 / 6)}


@pytest.mark.parametrize("worth", [{"card": "mustpass"}, {"options": {"pass_bonus": 500}}])
def test_the_chance_to_pass_the_cheese_is_shown_when_passing_is_worth_extra(worth):
    view = view_of("cheese", left=2) | worth
    assert now(view, Roll(0, 2))["pass", 2] == pytest.approx(share(TWO, lambda roll: not cheese.score(roll).unscored))


@pytest.mark.parametrize("rolls", [0, 1, 2])
@pytest.mark.parametrize("score", [31, 64, 66, 21])
def test_the_chance_to_beat_the_best_mexico_score_counts_all_remaining_rolls(score, rolls):
    better = [mexico.rank(roll) > mexico.rank(divmod(score, 10)) for roll in TWO]
    view = view_of("mexico", scores=[None, score], rolls=rolls, limit=3, dice=[[3, 1], []])
    assert now(view, Roll(0, 2)) == {("beats", score): float(share(list(product(better, repeat=3 - rolls)), any))}


def test_a_player_who_is_already_ahead_beats_the_score_without_rolling():
    view = view_of("mexico", scores=[None, 64], rolls=1, limit=3, dice=[[6, 5], [6, 4]])
    assert now(view, ROLL_OR_END) == {("beats", 64): 1}
    assert now(view, Roll(0, 2))["beats", 64] < 1, "rolling again gives up the dice that are ahead"


def test_with_several_players_the_lowest_score_is_shown_too():
    view = view_of("mexico", scores=[None, 64, 41, 66], rolls=2, limit=3, dice=[[3, 1], [], [], []])
    above = {score: share(TWO, lambda r, s=score: mexico.rank(r) > mexico.rank(divmod(s, 10))) for score in (41, 66)}
    assert now(view, ROLL_OR_END) == {("lowest", 41): float(above[41]), ("beats", 66): float(above[66])}


def test_the_leader_at_mexico_sees_the_chance_that_the_next_roll_is_better():
    view = view_of("mexico", rolls=1, dice=[[5, 4], []])
    better = share(TWO, lambda roll: mexico.rank(roll) > mexico.rank((5, 4)))
    assert now(view, ROLL_OR_END) == {("next", 54): float(better)}
    assert now(view, Roll(0, 2)) == {}


def test_a_single_die_that_decides_who_begins_or_loses_has_no_odds():
    assert now(view_of("mexico", scores=[31, 31]), Roll(0, 1)) == {}


@pytest.mark.parametrize("claim", range(1, 13))
def test_a_claim_is_as_likely_as_its_sum_with_two_dice(claim):
    view = view_of("bluff", claim=claim)
    assert now(view, Choose(1, bluff.CALLS)) == {("sum", claim): float(share(TWO, lambda roll: sum(roll) == claim))}
    assert now(view, Choose(0, bluff.CLAIMS)) == now(view, Choose(0, bluff.CARD)) == now(view, Roll(0, 2, True)) == {}


def hands_after(hand, again):
    return list(product(*[range(1, 7) if place in again else (die,) for place, die in enumerate(hand)]))


SETS = [again for size in (1, 2, 3) for again in combinations(range(3), size)]


def beaten(hand, rank, left):
    """The chance to beat that rank within `left` rerolls, if the player always rerolls the best choice of dice."""

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
def test_the_chance_to_beat_the_best_pocoloco_hand_starts_from_the_current_hand(hand, best, left):
    view = view_of("pocoloco", ranks=[None, pocoloco.rank(best)], dice=[hand, best], rolls=3 - left, limit=3)
    found = now(view, Choose(0, pocoloco.REROLLS))
    assert found == {("best",): pytest.approx(float(beaten(hand, pocoloco.rank(best), left)))}


@given(hand=st.tuples(FACES, FACES, FACES), best=st.tuples(FACES, FACES, FACES), rolls=st.integers(1, 2))
def test_the_chance_at_pocoloco_assumes_the_best_option(hand, best, rolls):
    view = view_of("pocoloco", ranks=[None, pocoloco.rank(best)], dice=[hand, best], rolls=rolls, limit=3)
    ask = Choose(0, pocoloco.REROLLS)
    assert now(view, ask)["best",] == max(now(view, ask, option)["best",] for option in ask.options)


@pytest.mark.parametrize("again", SETS)
def test_a_pocoloco_option_has_the_chance_of_rerolling_those_dice(again):
    hand, rank = (6, 2, 5), pocoloco.rank((1, 4, 6))
    view = view_of("pocoloco", ranks=[rank, None], dice=[[], hand], rolls=1, limit=2)
    made = hands_after(hand, again)
    found = now(view, Choose(1, pocoloco.REROLLS), ("reroll", again))
    assert found == {("best",): float(share(made, lambda one: pocoloco.rank(one) > rank))}


def test_the_first_player_at_pocoloco_sees_the_chance_to_beat_their_own_hand():
    hand = (6, 2, 5)
    view = view_of("pocoloco", dice=[hand, []], rolls=2, limit=3)
    assert now(view, Choose(0, pocoloco.REROLLS)) == {("this",): float(beaten(hand, pocoloco.rank(hand), 1))}
    assert now(view, Roll(0, 3)) == {}


def test_before_the_first_roll_at_pocoloco_all_rolls_are_counted():
    rank = pocoloco.rank((1, 4, 6))
    view = view_of("pocoloco", ranks=[rank, None], dice=[[1, 4, 6], []], rolls=1, limit=1)
    assert now(view, Roll(1, 3)) == {("best",): float(share(THREE, lambda roll: pocoloco.rank(roll) > rank))}
    assert now(view, Roll(1, 2)) == {}, "the view does not say which dice are rerolled"


@given(
    mine=st.lists(FACES, min_size=1, max_size=4), others=st.integers(1, 4), face=FACES, single=st.booleans(),
    part=st.floats(0, 1),
)  # fmt: skip
def test_a_bid_is_true_or_exact_as_often_as_all_rolls_of_the_other_dice_say(mine, others, face, single, part):
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
def test_the_public_odds_of_a_bid_are_the_mean_over_all_hands(count, face, single):
    cups = view_of("cacho", dice=[[None] * 2, [None] * 3], in_play=5, bid=[count, face], single=single)
    for_all = odds.now(cups, Choose(0, cacho.CHALLENGES))
    private = [odds.own({**cups, "dice": [list(roll), [None] * 3]}) for roll in TWO]
    for place, line in enumerate(for_all):
        assert line.chance == pytest.approx(sum(lines[place].chance for lines in private) / 36)


def test_without_a_bid_or_own_dice_there_are_no_odds():
    bid = {"in_play": 4, "bid": [2, 5]}
    assert odds.own(view_of("cacho", dice=[[1, 5], [None] * 2], in_play=4)) == []
    assert odds.own(view_of("cacho", dice=[[None] * 2] * 2, **bid)) == [], "the seat's dice are under a real cup"
    assert odds.own(view_of("bluff", dice=[[1, 5], [None] * 2], claim=6)) == []
    assert odds.now(view_of("cacho", dice=[[None] * 2] * 2, **bid), Roll(0, 2)) == []


def test_a_draw_and_the_end_have_no_odds():
    for game in GAMES:
        assert odds.now(view_of(game), Draw("pick", (0, 1))) == odds.now(view_of(game), Over(((0,), (1,)))) == []


@given(st.floats(0, 1))
def test_the_screen_shows_0_or_100_percent_only_for_impossible_or_certain(chance):
    shown = numbers.percent(chance, Catalogue("en"))
    assert (shown == "100%") == (chance == 1) and (shown in ("0%", "0.0%")) == (chance == 0)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_all_odds_for_the_current_ask_have_words(game, language):
    say, chance = Catalogue(language), random.Random(2)
    match = games.new(game, ["Ann", "Bo", "Cy"], {"mode": "elimination"} if game == "mexico" else {}, seed=2)
    told = set()
    for _ in range(200):
        if isinstance(match.ask, Over):
            break
        told |= {narration.chance(line, game, say) for line in odds.now(match.view(None), match.ask)}
        match.answer(chance.choice(match.ask.options) if isinstance(match.ask, Choose) else match.drawn())
    assert told and not any("{" in words for words in told)


# The tables of `dicetable odds`, checked by enumerating every roll


def tables(game, **given):
    return {name: sheet.rows for name, sheet in sheets.sheets(game, given)[1].items()}


def share(rolls, good):
    return Fraction(sum(map(good, rolls)), len(rolls))


def test_the_table_of_mexico_rolls_matches_all_rolls():
    rows = tables("mexico")["rolls"]
    assert [row["roll"] for row in rows] == list(mexico.RANKING)
    assert sum(row["ways"] for row in rows) == 36 and sum(row["chance"] for row in rows) == 1
    assert rows[0] == {"roll": 21, "ways": 2, "chance": Fraction(1, 18), "at_least": Fraction(1, 18)}
    for row in rows:
        rank = mexico.rank(divmod(row["roll"], 10))
        assert row["at_least"] == share(TWO, lambda roll, rank=rank: mexico.rank(roll) >= rank)


def test_the_table_of_beaten_mexico_scores_matches_all_rolls():
    for row in tables("mexico")["beaten"]:
        better = [mexico.rank(roll) > mexico.rank(divmod(row["score"], 10)) for roll in TWO]
        assert row["in_1"] == share(better, bool)
        assert row["in_2"] == share(list(product(better, repeat=2)), any)
        assert row["in_3"] == share(list(product(better, repeat=3)), any)


def test_the_table_of_bluff_claims_matches_all_rolls():
    rows = tables("bluff")["claims"]
    assert [row["claim"] for row in rows] == list(range(2, 13))
    for row in rows:
        assert row["true"] == Fraction(row["ways"], 36) == share(TWO, lambda roll, row=row: sum(roll) == row["claim"])
        assert row["at_least"] == share(TWO, lambda roll, row=row: sum(roll) >= row["claim"])


def test_the_table_of_pocoloco_hands_has_every_kind():
    kinds = {row["kind"]: (row["ways"], row["at_least"]) for row in tables("pocoloco")["kinds"]}
    assert kinds == {
        "poco": (6, Fraction(1, 36)),
        "three": (6, Fraction(1, 18)),
        "loco": (6, Fraction(1, 12)),
        "points": (198, 1),
    }


@pytest.mark.parametrize("hand", [(6, 6, 6), (1, 1, 5), (6, 6, 5), (3, 2, 2)])
def test_the_table_of_beaten_pocoloco_hands_assumes_the_best_rerolls(hand):
    best = pocoloco.rank(hand)

    def again(roll, where):
        """Every hand that can result from rolling those dice again."""
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


def test_the_table_of_cheese_rolls_matches_all_rolls():
    rows = tables("cheese")["rolls"]
    assert [row["dice"] for row in rows] == [6, 5, 4, 3, 2, 1]
    assert [row["cut"] for row in rows[:3]] == [Fraction(5, 162), Fraction(25, 324), Fraction(17, 108)]
    for row in rows[2:]:
        scores = [cheese.score(roll) for roll in product(range(1, 7), repeat=row["dice"])]
        assert row["cut"] == share(scores, lambda score: score.total == 0)
        assert row["all"] == share(scores, lambda score: not score.unscored)
        assert row["points"] == Fraction(sum(score.total for score in scores), len(scores))


@pytest.mark.parametrize("single", [False, True])
def test_the_table_of_cacho_bids_matches_all_rolls(single):
    for row in tables("cacho", dice=4, single=single)["bids"]:
        for face, kind in ((5, ""), (1, "aces_")):
            counts = [cacho.count(face, [roll], wild=not single) for roll in product(range(1, 7), repeat=4)]
            assert row[f"{kind}at_least"] == share(counts, lambda count, row=row: count >= row["count"])
            assert row[f"{kind}exactly"] == share(counts, lambda count, row=row: count == row["count"])


@pytest.mark.parametrize("game", GAMES)
def test_the_command_prints_the_same_tables_as_text_and_as_exact_fractions(game, tmp_path):
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
def test_a_possible_result_is_never_shown_as_0_or_100_percent(chance, shown):
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


def test_the_help_has_examples(tmp_path):
    told = typed("odds", "--help", env=environment(tmp_path)).stdout
    assert "Examples:\n  dicetable odds mexico" in told and "dicetable odds cacho --dice 10 --single" in told


@pytest.mark.skipif(sys.platform == "win32", reason="needs a Unix shell")
def test_a_closed_pipe_ends_the_output_without_an_error():
    command = " ".join(f"'{word}'" for word in [*COMMAND, "odds", "cacho", "--dice", "60"])
    pipe = ["sh", "-c", f"{command} | head -n 1"]
    done = subprocess.run(pipe, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("Cacho\n", "")
