"""The laws that every game obeys with every option."""

from dataclasses import dataclass
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Draw, Game, Over, Roll
from table.engine.errors import Refused, RuleFailed
from table.engine.options import describe
from table.engine.referee import Referee
from table.games import GAMES, bots
from table.games import load as load_game
from table.games import new as new_game
from tests.playing import at_random, examples

SMALL = {"goal": 900, "chips": 4, "lives": 3, "rounds": 3, "pass_bonus": 300}  # keeps random games short
REVEALING = {"call", "dudo", "calza"}


@st.composite
def settings_of(draw, game):
    """Valid numbers of seats and options, covering every option and mode."""
    seats = draw(st.integers(game.seats[0], 5) | st.just(game.seats[1]))
    options = {}
    for option in describe(game.options):
        mode = option.get("only", {})
        if any(options.get(name, "challenge") != word for name, word in mode.items()) or draw(st.booleans()):
            continue
        match option["type"]:
            case "integer":
                options[option["name"]] = draw(
                    st.integers(option["min"], min(option["max"], SMALL.get(option["name"], option["max"])))
                )
            case "list" if option["name"] == "wins":
                options["wins"] = draw(st.lists(st.integers(0, 2), min_size=seats, max_size=seats))
            case "list":
                options[option["name"]] = draw(st.lists(st.integers(0, seats - 1), unique=True))
            case _:
                options[option["name"]] = draw(st.sampled_from(option["values"]))
    for name, small in SMALL.items():
        if any(option["name"] == name and "only" not in option for option in describe(game.options)):
            options.setdefault(name, small)
    if game.seats_with and options.get("mode", "challenge") == "challenge":
        seats = 2
    return seats, options


games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def begin(game, settings, seed=1) -> Referee:
    seats, options = settings
    return new_game(game.id, [f"P{seat}" for seat in range(seats)], options, seed)


def play_on(match: Referee, chance: Random, most: int = 10**6) -> list:
    answers = []
    while not isinstance(match.ask, Over) and len(answers) < most:
        answers.append(at_random(match, chance))
        match.answer(answers[-1])
    return answers


def observed(match: Referee, seat: int | None) -> object:
    """Everything that a seat can observe now: the ask, the seat's view and the errors for wrong answers. Also what
    the table would draw, or how a computer in that seat would choose. The computer's level varies from ask to ask."""
    errors = []
    for wrong in ("rubbish", [6, 6, 6, 6, 6, 6, 6]):
        with pytest.raises(Refused) as why:
            match.answer(wrong)
        errors.append(str(why.value))
    drawn = match.drawn() if isinstance(match.ask, Roll | Draw) else None
    if isinstance(match.ask, Choose) and match.ask.seat == seat:
        levels = bots.levels(match.game.id)
        level = levels[len(match.history) % len(levels)]
        drawn = bots.chances(level, match)
    return match.ask, match.view(seat), errors, drawn


@games
@examples(0.4)
@given(st.data())
def test_every_offered_option_is_accepted(game, data):
    match = begin(game, data.draw(settings_of(game)))
    chance = Random(data.draw(st.integers(0, 10**6)))
    play_on(match, chance, most=data.draw(st.integers(0, 60)))
    if isinstance(match.ask, Choose):
        assert match.ask.options
        assert len(set(match.ask.options)) == len(match.ask.options)
        before = match.ask, match.view(None)
        for option in chance.sample(match.ask.options, min(12, len(match.ask.options))):
            match.answer(option)
            match.undo()
            assert (match.ask, match.view(None)) == before


@games
@examples(0.4)
@given(st.data())
def test_the_same_answers_give_the_same_game(game, data):
    settings, seed = data.draw(settings_of(game)), data.draw(st.integers(0, 10**6))
    one, other = begin(game, settings), begin(game, settings)
    chance = Random(seed)
    for _ in range(80):
        assert one.ask == other.ask
        assert one.view(0) == other.view(0)
        if isinstance(one.ask, Over):
            break
        answer = at_random(one, chance)
        assert one.answer(answer) == other.answer(answer)


@games
@examples(0.4)
@given(st.data())
def test_a_saved_game_resumes_at_the_same_ask(game, data):
    match = begin(game, data.draw(settings_of(game)), seed=data.draw(st.integers()))
    play_on(match, Random(data.draw(st.integers(0, 10**6))), most=data.draw(st.integers(0, 80)))
    loaded = load_game(match.save())
    assert loaded.ask == match.ask
    assert loaded.save() == match.save()
    assert [loaded.view(seat) for seat in (None, 0)] == [match.view(seat) for seat in (None, 0)]
    if isinstance(match.ask, Choose | Over):
        return
    assert loaded.drawn() == match.drawn()


@games
@examples(0.4)
@given(st.data())
def test_every_game_ends_and_then_asks_nothing(game, data):
    match = begin(game, data.draw(settings_of(game)))
    play_on(match, Random(data.draw(st.integers(0, 10**6))), most=50_000)
    assert isinstance(match.ask, Over), "the game did not end"
    assert match.ask.winners
    assert sorted(seat for place in match.ask.places for seat in place) == list(match.table.seats)
    with pytest.raises(Refused, match="over"):
        match.answer("end")


@pytest.mark.parametrize("game", [GAMES["bluff"], GAMES["cacho"]], ids=["bluff", "cacho"])
@examples(0.4)
@given(st.data())
def test_hidden_dice_change_nothing_that_others_can_see_until_they_are_revealed(game, data):
    settings, chance = data.draw(settings_of(game)), Random(data.draw(st.integers(0, 10**6)))
    same_until = data.draw(st.integers(0, 15))  # the number of hidden rolls before the two games begin to differ
    true, other = begin(game, settings), begin(game, settings)
    owner = None  # the seat whose dice differ between the two games
    while not isinstance(true.ask, Over):
        ask = true.ask
        answer = changed = at_random(true, chance)
        if owner is None and isinstance(ask, Roll) and ask.hidden:
            same_until -= 1
            if same_until < 0:
                owner = ask.seat
                changed = (answer[0] % 6 + 1, *(chance.randint(1, 6) for _ in answer[1:]))
        if owner is not None and answer in REVEALING and (game.id == "cacho" or true.table.board.claimant == owner):
            break
        events = true.answer(answer, partial(true.view, None))
        other_events = other.answer(changed, partial(other.view, None))
        if owner is None:
            continue
        for seat in {None, *true.table.seats} - {owner}:
            assert [e for e in events if e.visible_to(seat)] == [e for e in other_events if e.visible_to(seat)]
            assert observed(true, seat) == observed(other, seat)
        if changed != answer:
            assert true.view(owner)["dice"][owner] == list(answer), "the owner sees its own dice"
            assert true.view(None)["dice"][owner] == [None] * len(answer)


@games
def test_only_bluff_and_cacho_have_hidden_rolls(game):
    match = begin(game, (2, {}))
    play_on(match, Random(3))
    hidden = any(isinstance(ask, Roll) and ask.hidden for ask, _ in match.history)
    assert hidden == (game.id in ("bluff", "cacho"))


@games
def test_a_view_is_a_copy_that_cannot_change_the_game(game):
    match = begin(game, (2, {}))
    play_on(match, Random(4), most=12)
    view, before = match.view(0), match.view(0)
    for value in view.values():
        if isinstance(value, list):
            value.append(0)
            if isinstance(value[0], list):
                value[0].append(0)
        elif isinstance(value, dict):
            value.clear()
    assert match.view(0) == before


@games
def test_a_board_never_overwrites_a_field_of_the_view(game):
    match = begin(game, (2, {}))
    own = {"game", "seat", "players", "options", "round", "standing", "turn", "dice"}
    assert not own & set(vars(match.table.board))


def failing(table, options):
    """Rules with a bug: they fail on a six, and the error message names the dice."""
    table.board = Empty()
    dice = yield Roll(0, 1, hidden=True)
    if dice == (6,):
        raise KeyError(f"the dice are {dice}")
    yield Roll(1, 1)
    return (0,)


@dataclass
class Empty:
    pass


def test_failing_rules_take_no_answer_and_report_no_dice():
    match = Referee(Game("failing", "Failing", "", (2, 2), 1, Empty, failing), ("Ann", "Bo"), Empty(), 1)
    with pytest.raises(RuleFailed, match=r"KeyError in test_laws\.py, line \d+") as why:
        match.answer([6])
    assert "the dice are" not in str(why.value)
    assert match.ask == Roll(0, 1, hidden=True)
    assert match.history == []
    match.answer([5])
    assert match.ask == Roll(1, 1)


@pytest.mark.parametrize(("winners", "standing"), [(None, [0, 1]), ((), [0, 1]), ((2,), [0, 1]), ((0,), [0, "none"])])
def test_rules_that_end_without_a_winner_or_with_an_invalid_standing_fail_too(winners, standing):
    def play(table, options):
        table.board, table.standing = Empty(), standing
        yield Roll(0, 1)
        return winners

    match = Referee(Game("failing", "Failing", "", (2, 2), 1, Empty, play), ("Ann", "Bo"), Empty(), 1)
    with pytest.raises(RuleFailed):
        match.answer([6])
    assert match.ask == Roll(0, 1) and match.history == []


def test_the_error_for_a_wrong_hidden_roll_does_not_show_the_dice():
    match = begin(GAMES["bluff"], (2, {"rules": "simple"}))
    with pytest.raises(Refused, match="list of 2 dice") as why:
        match.answer([6, 5, 4])
    assert not {"4", "5"} & set(str(why.value))
