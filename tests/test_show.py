"""How the kiosk animates news, beat by beat: the dice as rolled, no hidden dice, and the table at that moment."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table import games as known_games
from table.engine.asks import Over, Roll
from table.games import GAMES
from table.text.catalogue import Catalogue
from table.ui.kiosk.show import Beat, Pace, Show, beats
from tests.homemade import homemade
from tests.playing import at_random
from tests.test_laws import REVEALING, begin, games, settings_of
from tests.test_narration import news_of, sit

SAY = Catalogue("en")
SOUNDS = {"shake", "land", "take", "chip", "life", "good", "bad", "fanfare", "reveal", "win", "turn", None}
FACTS = {
    "rolled": {"seat", "dice", "places"},
    "shaken": {"seat", "count"},
    "chose": {"seat", "option"},
    "drew": {"kind", "drawn"},
    "begins": {"seat"},
    "mexico": {"seat"},
    "won": {"seat", "scores"},
    "tie": {"score"},
    "lost": {"seat", "left"},
    "out": {"seat"},
    "called": {"claimant", "caller", "claim", "dice", "hit"},
    "scored": {"claimant", "caller", "claim", "called", "gains"},
    "tied": {"seats"},
    "void": {"seats"},
    "chips": {"winner", "loser", "each", "given"},
    "cut": {"seat", "points"},
    "passed": {"seat", "bonus"},
    "banked": {"seat", "points", "total"},
    "last_turns": {"seat", "points"},
    "challenged": {"seat", "bidder", "bid", "count", "dice", "counting", "word"},
    "regained": {"seat", "left"},
    "cup": {"seat", "count"},
}

OWN_FACTS = {("mexico", "lost"): {"seat", "lives", "left"}}


def played(match, *answers, computers=()) -> list[Beat]:
    """Give the answers, and return the beats that animate the last one."""
    news = [news_of(match, answer) for answer in answers][-1]
    return beats(news, SAY, computers)


def kinds(found) -> list[str]:
    return [beat.kind for beat in found]


@games
@settings(max_examples=25)
@given(st.data())
def test_a_whole_game_is_shown_as_it_was_played(game, data):
    match = begin(game, data.draw(settings_of(game)))
    chance = Random(data.draw(st.integers(0, 10**6)))
    computers = data.draw(st.sampled_from([(), (0,), range(10)]))
    show, now = Show(SAY, match.view(None), computers), 0.0
    for _ in range(400):
        if isinstance(match.ask, Over):
            break
        news = news_of(match, at_random(match, chance))
        for beat in beats(news, SAY, computers):
            assert beat.facts.keys() == OWN_FACTS.get((game.id, beat.kind), FACTS[beat.kind])
            assert beat.view.keys() == news.after.keys()
            assert {beat.pace.sound, beat.pace.landing} <= SOUNDS
            assert beat.pace.seconds > 0 and beat.pace.rest >= 0 and beat.pace.total <= 3.2
        show.add([news], now)
        rolled = [event for event in news.events if event.kind == "rolled" and None not in event.facts["dice"]]
        for event in rolled:
            seat, dice, moment = event.facts["seat"], event.facts["dice"], show.at(now).moment
            assert moment is not None and moment.kind == "rolled"
            hand = show.at(now).view["dice"][seat]
            assert [hand[place] for place in moment.facts["places"] or range(len(dice))] == list(dice)
            for place in set(range(len(hand))) - set(moment.facts["places"] or range(len(dice))):
                assert hand[place] == news.before["dice"][seat][place]
        while not show.done(now):
            wake = show.wake(now)
            assert wake is not None
            now = max(wake, now + 0.05)
        assert show.at(now).view == news.after
        assert show.at(now).moment is None


@pytest.mark.parametrize("rolled", ["real", "camera", "confirmed", "corrected"])
def test_dice_that_people_saw_rolling_do_not_tumble_on_the_screen(rolled):
    news = news_of(sit("mexico"), (5,))
    (lying, *_), (thrown, *_) = (beats(one, SAY) for one in (news._replace(rolled=rolled), news))
    assert (lying.kind, lying.facts["places"], thrown.facts["places"]) == ("rolled", [], [0])
    assert (lying.view, lying.caption) == (thrown.view, thrown.caption)
    assert "shake" in thrown.pace and "shake" not in lying.pace


@pytest.mark.parametrize("game", [GAMES["bluff"], GAMES["cacho"]], ids=["bluff", "cacho"])
@given(st.data())
def test_hidden_dice_do_not_affect_the_screen_until_they_are_revealed(game, data):
    chosen, chance = data.draw(settings_of(game)), Random(data.draw(st.integers(0, 10**6)))
    one, other = begin(game, chosen), begin(game, chosen)
    while not isinstance(one.ask, Over):
        answer = changed = at_random(one, chance)
        if isinstance(one.ask, Roll) and one.ask.hidden:
            changed = tuple(die % 6 + 1 for die in answer)
        if answer in REVEALING:
            break
        news, other_news = news_of(one, answer), news_of(other, changed)
        assert beats(news, SAY, (0,)) == beats(other_news, SAY, (0,))


def test_the_last_roll_of_a_round_is_still_shown_when_the_next_has_begun():
    match = sit("mexico")
    found = played(match, (5,), (2,), (6, 6), "end", (3, 1))
    assert kinds(found) == ["rolled", "won"]
    assert match.view(None)["dice"] == [[], []]
    for beat in found:
        assert beat.view["dice"] == [[6, 6], [3, 1]]
        assert beat.view["scores"] == [66, 31]
        assert (beat.view["rolls"], beat.view["round"]) == (1, 1)
    assert [beat.view["won"] for beat in found] == [[0, 0], [1, 0]]


def test_a_lost_life_disappears_in_the_beat_that_announces_it():
    match = sit("mexico")
    found = played(match, (5,), (2,), (3, 1), "end", (6, 6))
    assert kinds(found) == ["rolled", "won", "lost"]
    assert [beat.view["standing"] for beat in found] == [[3, None], [3, None], [2, None]]
    assert found[-1].facts == {"seat": 0, "lives": 1, "left": 2}


def test_only_the_chosen_dice_are_rerolled():
    match = sit("pocoloco")
    show = Show(SAY, match.view(None))
    show.add([news_of(match, answer) for answer in ((0, 1), (4, 4, 2), ("reroll", (1, 2)))], 0)
    show.skip(0)
    show.add([news_of(match, (4, 6))], 0)  # the second die shows 4 again
    moment = show.at(0).moment
    assert moment is not None and moment.facts == {"seat": 0, "dice": [4, 6], "places": [1, 2]}
    assert show.at(0).view["dice"][0] == [4, 4, 6]
    assert show.at(0).view["rolls"] == 2


def test_without_the_earlier_roll_the_rolled_places_are_derived_from_the_hand():
    match = sit("pocoloco")
    (beat,) = played(match, (0, 1), (1, 4, 2), ("reroll", (1, 2)), (4, 6))
    assert beat.facts["places"] == [1, 2]


SORTED = """
from dataclasses import dataclass
from table.engine.asks import Game, Roll
from table.engine.customs import roll_or_end

@dataclass(frozen=True)
class Options:
    pass

def play(table, options):
    table.board = Options()
    first = yield Roll(0, 3)
    table.hands.lay(0, sorted(first))
    yield roll_or_end(0)
    again = yield Roll(0, 2)
    table.hands.lay(0, sorted((max(first), *again)))
    yield roll_or_end(0)
    return (0,)

GAME = Game("pig", "Pig", "Sorted.", (1, 1), 3, Options, play)
"""


def test_dice_reordered_by_the_rules_are_all_shown_and_the_rolled_ones_tumble(tmp_path):
    with homemade(tmp_path, {"rules.py": SORTED}):
        (beat,) = played(known_games.new("pig", ("Ann",)), (2, 6, 2), "roll", (5, 1))
    assert beat.view["dice"] == [[1, 5, 6]]
    assert beat.facts["places"] == [1, 0]


DRAWN = """
from dataclasses import dataclass, field

from table.engine.asks import Choose, Draw, Game


@dataclass(frozen=True)
class Options:
    pass


@dataclass
class Board:
    circle: list[int] = field(default_factory=list)


def play(table, options):
    board = table.board = Board()
    table.standing = [0, 0]
    board.circle = list((yield Draw("order", (0, 1))))
    table.tell("begins", seat=board.circle[0])
    for seat in board.circle:
        table.standing[seat] += 1
        table.tell("banked", seat=seat, points=1)
    yield Choose(0, ("end",))
    return (0,)


GAME = Game("pig", "Pig", "Drawn.", (2, 2), 1, Options, play)
"""


def test_a_drawn_order_is_shown_without_what_happens_after_it(tmp_path):
    with homemade(tmp_path, {"rules.py": DRAWN}):
        found = played(known_games.new("pig", ("Ann", "Bo")), (1, 0))
    assert kinds(found) == ["drew", "begins", "banked", "banked"]
    assert [beat.view["circle"] for beat in found] == [[1, 0]] * 4
    assert [beat.view["standing"] for beat in found] == [[0, 0], [0, 0], [0, 1], [1, 1]]


def test_a_challenge_shows_every_die_and_which_dice_count():
    match = sit("cacho", dice=3)
    found = played(match, (6,), (1,), (5, 5, 1), (2, 5, 3), ("bid", (3, 5)), "dudo")
    assert kinds(found) == ["chose", "challenged", "lost"]
    challenged = found[1]
    assert challenged.view["dice"] == challenged.facts["dice"] == [[5, 5, 1], [2, 5, 3]]
    assert challenged.facts["counting"] == [[True, True, True], [False, True, False]]
    assert challenged.facts["word"] == "dudo"
    assert 2.5 <= challenged.pace.total <= 3.5
    assert found[2].view["dice"] == [[5, 5, 1], [2, 5, 3]]
    assert found[2].view["standing"] == [3, 2]


def test_aces_count_only_as_aces_where_they_are_not_wild():
    match = sit("cacho", dice=1)
    found = played(match, (6,), (1,), (5,), (1,), ("bid", (1, 5)), "dudo")
    assert match.view(None)["single"]
    assert found[1].facts["counting"] == [[True], [False]]


def test_a_called_bluff_shows_the_dice_and_then_the_change_of_score():
    match = sit("bluff", rules="simple")
    found = played(match, (1, 3), ("claim", 9), "call")
    assert kinds(found) == ["chose", "called", "scored"]
    assert [beat.view["dice"][0] for beat in found] == [[None, None], [1, 3], [1, 3]]
    assert found[2].facts["gains"] == [0, 9]
    assert [beat.view["standing"] for beat in found] == [[0, 0], [0, 0], [0, 9]]


def test_a_new_circle_is_shown_before_its_leader_is_drawn():
    match = sit("bluff", 3)
    (beat,) = played(match, (2, 0, 1))
    assert beat.kind == "drew" and beat.view["circle"] == [2, 0, 1] and beat.view["leader"] is None
    assert beat.view["dice"] == [[], [], []]


def test_chips_move_while_the_dice_are_still_shown():
    match = sit("pocoloco")
    found = played(match, (0, 1), (5, 5, 5), "end", (2, 2, 3))
    assert kinds(found) == ["rolled", "chips"]
    assert found[0].view["ranks"] == [[3, 5], [1, 7]]
    assert found[1].view["dice"] == [[5, 5, 5], [2, 2, 3]]
    assert [beat.view["standing"] for beat in found] == [[10, 10], [7, 13]]


def test_kept_dice_stay_in_place_while_they_are_picked_out():
    match = sit("cheese", pass_bonus=300)
    found = played(match, (1, 5, 2, 2, 2, 5), ("keep", (0, 1, 2, 3, 4, 5)))
    assert kinds(found) == ["chose", "passed", "banked"]
    assert [beat.view["dice"][0] for beat in found] == [[1, 5, 2, 2, 2, 5], [], []]
    assert [beat.view["points"] for beat in found] == [0, 700, 0]
    assert [beat.view["kept"] for beat in found[1:]] == [[1, 5, 2, 2, 2, 5]] * 2
    assert [beat.view["standing"][0] for beat in found] == [0, 0, 700]


def test_a_cut_cheese_still_shows_what_was_at_risk():
    match = sit("cheese")
    found = played(match, (1, 5, 2, 3, 4, 4), ("keep", (0,)), "roll", (2, 3, 4, 6, 2))
    assert kinds(found) == ["rolled", "cut"]
    assert found[1].view["points"] == found[1].facts["points"] == 100
    assert found[1].view["dice"][0] == [2, 3, 4, 6, 2]


def test_shaking_several_cups_in_a_row_is_quick():
    match = sit("cacho", 3)
    first = played(match, (6,), (1,), (2,), (1, 2, 3, 4, 5))
    second = played(match, (1, 2, 3, 4, 5))
    assert kinds(first) == kinds(second) == ["shaken"]
    assert second[0].pace.total < first[0].pace.total / 2
    assert second[0].view["dice"] == [[None] * 5, [None] * 5, []]


def test_a_lifted_cup_does_not_tumble():
    match = sit("bluff", rules="simple", cups=(0,))
    found = played(match, ("claim", 9), "call", (4, 5))
    assert kinds(found) == ["rolled", "called", "scored"]
    assert found[0].facts["places"] == []
    assert found[0].view["dice"][0] == [4, 5]


def test_a_computers_choice_is_shown_longer_than_a_persons():
    match = sit("mexico")
    assert played(match, (5,), (2,), (6, 5), "roll") == []
    match.undo()
    (computers,) = played(match, "roll", computers={0})
    assert computers.pace.total == pytest.approx(0.7)
    match = sit("mexico")
    (own,) = played(match, (5,), (2,), (6, 5), "end")
    assert own.pace.total < 0.2


def test_a_bid_is_shown_as_soon_as_it_is_made():
    match = sit("cacho")
    (beat,) = played(match, (6,), (1,), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), ("bid", (3, 5)), computers={0})
    assert (beat.view["bid"], beat.view["bidder"], beat.view["bids"]) == ([3, 5], 0, [[0, [3, 5]]])
    assert beat.view == match.view(None) | {"turn": 0}


def ready(*answers):
    match = sit("mexico")
    show = Show(SAY, match.view(None))
    return match, show, [news_of(match, answer) for answer in answers]


def test_beats_follow_one_another_and_the_last_caption_stays():
    match, show, news = ready((5,), (2,))
    assert show.done(10) and show.wake(10) is None and show.at(10).caption == ""
    show.add(news, 10)
    first = show.at(10.3)
    assert first.moment is not None and first.moment.t == pytest.approx(0.5) and first.moment.turn == 0
    assert first.caption == "Ann rolled a 5"
    assert show.wake(10.3) == 10.3
    assert show.wake(10.7) == pytest.approx(10.8), "nothing moves during the rest of a beat"
    rest = show.at(10.7).moment
    assert rest is not None and rest.t == 1
    second = show.at(10.9)
    assert second.moment is not None and second.moment.turn == 1 and second.view["dice"] == [[5], [2]]
    assert not show.done(12.7)
    assert show.done(12.9)
    assert show.at(12.9).caption == "Ann starts"
    assert show.at(12.9).view == match.view(None)


def test_any_press_skips_the_current_animation():
    match, show, news = ready((5,), (2,))
    show.add(news, 10)
    show.skip(10.1)
    assert show.done(10.1) and show.wake(10.1) is None and show.take_sounds(20) == []
    assert show.at(10.1).caption == "Ann starts"
    assert show.at(10.1).view == match.view(None)
    show.add([news_of(match, (6, 5))], 11)
    shown = show.at(11)
    assert shown.moment is not None and shown.moment.t == 0 and shown.moment.turn == 3


def test_a_beat_without_motion_shows_its_final_state_at_once(monkeypatch):
    from table.games.default import beats as default

    monkeypatch.setattr(default, "ONE_DIE", Pace(0.0, 1.0))
    _, show, news = ready((5,))
    show.add(news, 10)
    moment = show.at(10).moment
    assert moment is not None and moment.kind == "rolled" and moment.t == 1


def test_sounds_are_played_once_and_on_time():
    _, show, news = ready((5,), (2,))
    show.add(news[:1], 10)
    assert show.take_sounds(10) == ["shake"]
    assert show.take_sounds(10.5) == []
    assert show.take_sounds(10.7) == ["land"]
    assert show.take_sounds(30) == []


def test_taking_back_an_answer_restores_the_table():
    match, show, news = ready((5,), (2,), (6, 5))
    show.add(news, 10)
    match.undo()
    show.stand(match.view(None))
    assert show.done(10)
    assert show.at(10).view == match.view(None)
    assert show.at(10).caption == ""
