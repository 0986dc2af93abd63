"""Reviews of games: the cost of each decision, and luck, which together explain the result."""

import json

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("numpy", reason="the perfect player needs numpy")

from table import games  # noqa: E402
from table.analysis import review  # noqa: E402
from table.engine.errors import Refused  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.text.narration import reviewed  # noqa: E402
from table.text.records.review import review as page_of  # noqa: E402
from tests.blocks import all_texts  # noqa: E402
from tests.playing import played  # noqa: E402
from tests.processes import environment, typed  # noqa: E402

SMALL: dict[str, dict[str, object]] = {"cheese": {"goal": 2000}, "cacho": {"dice": 2}, "pocoloco": {"chips": 4}}


def text_of(found: review.Review) -> list[str]:
    return all_texts(page_of(found, {found.seat: "Ann"}, Catalogue()))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_start_plus_luck_minus_mistakes_is_the_result(game, seats):
    match = played(
        game,
        ("random", "sharp", "easy")[:seats],
        3,
        **({"mode": "elimination"} if game == "mexico" else {}),
        **SMALL.get(game, {}),
    )
    for seat in range(seats):
        found = review.review(match, seat)
        assert found.result == (seat in match.ask.winners)
        steps = sum(decision.luck - decision.cost for decision in found.decisions)
        last = found.decisions[-1].win if found.decisions else found.start
        assert found.start + steps == pytest.approx(last)
        assert all(decision.cost >= 0 and 0 <= decision.win <= 1 + 1e-9 for decision in found.decisions)


@pytest.mark.parametrize(("game", "options"), [("mexico", {}), ("cheese", {"goal": 3000}), ("pocoloco", {})])
def test_the_perfect_player_loses_nothing_in_solved_games(game, options):
    match = played(game, ("perfect", "random"), 5, **options)
    found = review.review(match, 0)
    assert found.solved and found.decisions and not found.slips
    assert found.cost == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_the_random_player_loses_more_than_the_perfect_one(game):
    given = {"perfect": 0.0, "random": 0.0}
    for seed in range(4):
        match = played(game, ("perfect", "random"), seed, **SMALL.get(game, {}))
        for seat, level in enumerate(given):
            given[level] += review.review(match, seat).cost
    assert given["random"] > given["perfect"]


def test_a_decision_is_judged_by_what_the_player_could_know():
    costs = []
    for hidden in ((1, 1), (6, 6)):
        match = games.new("bluff", ["Ann", "Bo"], {"rounds": 1}, 1)
        for answer in ((0, 1), (0,), (3, 4), hidden, ("claim", 9), "accept", ("claim", 8), "call"):
            match.answer(answer)
        costs.append([decision.cost for decision in review.decisions(match, 0)])
    assert len(costs[0]) == 2 and costs[0] == costs[1]


def test_a_mistake_is_shown_with_the_better_choice():
    match = games.new("mexico", ["Ann", "House"], {"rounds": 1, "lives": 1}, 1)
    for answer in ((6,), (1,), (6, 6), "roll", (3, 1), "end", (5, 4)):
        match.answer(answer)
    found = review.review(match, 0)
    (slip, *_) = found.slips
    sentence = reviewed.slip(slip, Catalogue("en"))
    assert sentence.startswith("Round 1, 6 6: roll again. Better: stop. Cost: ")
    told = text_of(found)
    assert told[1].startswith("Ann made ") and "Better: stop" in told and "Round 1, 6 6" in told


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_decision_of_every_game_can_be_described_in_every_language(game, language):
    match = played(
        game,
        ("random", "easy", "random"),
        8,
        **({"mode": "elimination"} if game == "mexico" else {}),
        **SMALL.get(game, {}),
    )
    say = Catalogue(language)
    for decision in review.decisions(match, 0):
        assert reviewed.slip(decision, say)


def test_a_solo_game_has_no_review_and_an_unfinished_one_is_reviewed_so_far():
    match = games.new("cheese", ["Ann"], {"goal": 500}, 1)
    match.answer((2, 2, 3, 3, 4, 6))
    assert text_of(review.review(match, 0))[1] == Catalogue()("review.alone")
    match = games.new("cheese", ["Ann", "Bo"], {"goal": 500}, 1)
    assert "Ann had no choices to make." in text_of(review.review(match, 0))
    match.answer((1, 1, 3, 3, 4, 6))
    match.answer(("keep", (0,)))
    found = review.review(match, 0)
    assert not found.over and reviewed.balance(found, Catalogue()).endswith(" now.")


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_decisions_with_dice_under_a_real_cup_are_not_judged(game):
    """Only the player knew those dice."""
    options = {"cups": [0], "rounds": 1} if game == "bluff" else {"cups": [0], "dice": 2}
    match = played(game, ("random", "sharp"), 3, **options)
    found = review.review(match, 0)
    assert found.cup and all(None not in decision.view["dice"][0] for decision in found.decisions)
    assert "real cup" in " ".join(text_of(found))
    assert review.review(match, 1).decisions and not review.review(match, 1).cup


def test_only_mistakes_have_a_cost():
    """Differences that are too small for the perfect player to judge are treated as zero."""
    match = played("pocoloco", ("perfect", "sharp", "sharp", "easy"), 2, chips=5)
    for seat in range(4):
        found = review.review(match, seat)
        assert all(decision.slip == (decision.cost > 0) for decision in found.decisions)
        assert len(found.slips) == sum(decision.best != decision.chosen for decision in found.decisions)


def test_the_command_prints_text_or_json(tmp_path):
    match = played("mexico", ("random", "classic"), 6)
    saved = tmp_path / "game.json"
    saved.write_text(json.dumps({"saved": match.save()}))
    env = environment(tmp_path)
    told = typed("review", str(saved), "--seat", "0", env=env)
    assert told.returncode == 0 and "100%" in told.stdout and "best choice" in told.stdout
    lines = typed("review", str(saved), "--json", env=env).stdout.splitlines()
    both = [json.loads(line) for line in lines]
    assert [each["seat"] for each in both] == [0, 1]
    for each in both:
        assert each["start"] + each["luck"] - each["cost"] == pytest.approx(each["result"])
        assert set(each["decisions"][0]) == {"answer", "round", "chosen", "best", "win", "best_win", "cost", "luck"}


def test_an_invalid_saved_game_gets_one_line(tmp_path):
    (tmp_path / "text").write_text("Mexico!")
    (tmp_path / "list").write_text("[1, 2]")
    (tmp_path / "huge").write_text("[" * (9 * 1024 * 1024))
    for name in ("text", "list", "huge", "nothing"):
        told = typed("review", str(tmp_path / name), env=environment(tmp_path))
        assert told.returncode == 2 and len(told.stderr.splitlines()) == 1 and "Traceback" not in told.stderr
    with pytest.raises(Refused, match="seats are 0 to 1"):
        review.review(played("mexico", ("random", "random"), 1), 2)
