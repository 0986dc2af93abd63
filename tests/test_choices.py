"""Choices as short lists for two buttons or touch, in all five games."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.asks import Choose, Over, Roll
from table.engine.customs import ROLL_OR_END
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.text.catalogue import Catalogue
from table.text.choices import beside, label, lists
from table.ui.kiosk.choosing import Choosing
from table.ui.kiosk.gestures import Both, Held, Moved, Run, Tap, Touched, Typed
from tests.playing import at_random, feed, start

NEXT, TAKE = Tap("roll"), Tap("end")
SAY = Catalogue("en")
MOST_ENTRIES = 15
"""The length of the longest list: the sets to keep from 1-1-1-5-5-5 in Cheese. In other games, it is at most twelve."""

# Games with the options that give the most choices and every way to raise.
TABLES = [
    ("mexico", 2, {}),
    ("mexico", 4, {"mode": "elimination"}),
    ("bluff", 4, {"rounds": 2}),
    ("bluff", 3, {"rules": "simple", "rounds": 2}),
    ("pocoloco", 3, {"chips": 4}),
    ("cheese", 2, {"goal": 1500}),
    ("cheese", 2, {"goal": 1500, "cards": True}),
    ("cacho", 3, {"dice": 3}),
    ("cacho", 10, {"dice": 6}),
    ("cacho", 10, {"dice": 6, "raise": "classic"}),
]
tables = pytest.mark.parametrize(
    ("game", "seats", "options"), TABLES, ids=["-".join(map(str, [game, *o.values()])) for game, _, o in TABLES]
)


def asks(match, chance, most):
    """Play a game at random, and yield each choice together with what everybody can see at that point."""
    for _ in range(most):
        if isinstance(match.ask, Over):
            return
        if isinstance(match.ask, Choose):
            yield match.ask, match.view(None)
        match.answer(answer_low(match, chance))


def answer_low(match, chance):
    """A random answer, but only low bids in Cacho, where high ones would end the round too soon."""
    if isinstance(match.ask, Choose) and match.view(None)["game"] == "cacho":
        return chance.choice(match.ask.options[: 1 + len(match.ask.options) // 3])
    return at_random(match, chance)


def reachable(choice):
    """Every option that Roll and End alone can reach, and the length of the longest list on the way."""
    found, longest = set(), 0
    ways = [()]
    while ways:
        way = ways.pop()
        choosing = walked(choice, way)
        longest = max(longest, len(choosing.entries))
        for steps in range(len(choosing.entries)):
            here = walked(choice, way)
            for _ in range(steps):
                assert here.handle(NEXT) is None
            option = here.handle(TAKE)
            if option is None:
                ways.append((*way, steps))
            else:
                found.add(option)
    return found, longest


def walked(choice, way):
    choosing = Choosing(choice)
    for steps in way:
        for _ in range(steps):
            choosing.handle(NEXT)
        choosing.handle(TAKE)
    return choosing


def faces_of(option, dice):
    """The faces that an option acts on. Options with the same faces are equivalent."""
    match option:
        case (("keep" | "reroll") as word, places):
            return word, tuple(sorted(dice[place] for place in places))
    return option


@tables
def test_every_option_can_be_reached_with_two_buttons_through_short_lists(game, seats, options):
    match = start(game, seats, **options)
    for ask, public in asks(match, Random(1), 60):
        choice = lists(ask, public)
        if choice.kind == "roll_or_end":
            assert Choosing(choice).handle(NEXT) == "roll" and Choosing(choice).handle(TAKE) == "end"
            assert len(ask.options) == 2
            continue
        found, longest = reachable(choice)
        dice = public["dice"][ask.seat]
        assert found <= set(ask.options)
        assert {faces_of(option, dice) for option in found} == {faces_of(option, dice) for option in ask.options}
        assert len({faces_of(option, dice) for option in found}) == len(found)
        assert longest <= (MOST_ENTRIES if game == "cheese" else 12)


@tables
def test_every_option_can_be_reached_by_touch(game, seats, options):
    match = start(game, seats, **options)
    for ask, public in asks(match, Random(2), 25):
        choice = lists(ask, public)
        taken = set()
        ways = [()]
        while ways:
            way = ways.pop()
            for place in range(len(touched(choice, way).entries)):
                option = touched(choice, way).handle(Touched(f"entry:{place}"))
                if option is None:
                    ways.append((*way, place))
                else:
                    taken.add(option)
        assert taken == ({entry.option for entry in choice.entries} if choice.kind == "dice" else set(ask.options))


def touched(choice, way):
    choosing = Choosing(choice)
    for place in way:
        choosing.handle(Touched(f"entry:{place}"))
    return choosing


@pytest.mark.parametrize(("game", "options"), [("bluff", {}), ("cacho", {}), ("cacho", {"raise": "classic"})])
@given(st.integers(0, 10**6))
def test_hidden_dice_do_not_change_the_lists(game, options, seed):
    """Two games that differ only in hidden dice offer the same lists until dice are revealed."""
    one, other = (start(game, 4, **options) for _ in range(2))
    chance, dice = Random(seed), Random(seed + 1)
    for _ in range(40):
        if one.ask != other.ask or one.view(None) != other.view(None):
            break
        if isinstance(one.ask, Choose):
            assert lists(one.ask, one.view(None)) == lists(other.ask, other.view(None))
        answer = at_random(one, chance)
        one.answer(answer)
        if isinstance(one.history[-1][0], Roll) and one.history[-1][0].hidden:
            answer = tuple(dice.choices(range(1, 7), k=len(answer)))
        other.answer(answer)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_a_list_does_not_change_when_hidden_dice_are_visible(game):
    for ask, public in asks(start(game, 2), Random(3), 40):
        in_sight = public | {"dice": [[6 for _ in hand] for hand in public["dice"]]}
        assert lists(ask, in_sight) == lists(ask, public)


# Roll or end


def test_only_the_roll_and_end_buttons_choose_roll_or_end():
    match = start("mexico")
    feed(match, (6,), (1,), (5, 4))
    choice = lists(match.ask, match.view(None))
    assert choice.kind == "roll_or_end" and choice.entries[0].facts["count"] == 2
    assert [label(entry, SAY) for entry in choice.entries] == ["Roll again", "Stop at 54"]
    for gesture in (Run("roll"), Held("end"), Both(), Moved(1), Typed("1"), Touched("menu")):
        assert Choosing(choice).handle(gesture) is None
    assert Choosing(choice).handle(Touched("entry:1")) == "end"


def test_cheese_labels_say_what_is_rolled_and_what_is_banked():
    public = start("cheese").view(None) | {"left": 2, "points": 450}
    choice = lists(Choose(0, ROLL_OR_END), public)
    assert choice.entries[0].facts["count"] == 2
    assert [label(entry, SAY) for entry in choice.entries] == ["Roll 2 dice", "Bank 450"]


# Bluff


def bluff(*answers):
    match = start("bluff", 2, rules="simple")
    for answer in answers:
        match.answer(answer)
    return Choosing(lists(match.ask, match.view(None)))


def test_claims_start_at_seven():
    choosing = bluff((3, 4))
    assert label(choosing.entries[choosing.at], SAY) == "7"
    assert choosing.handle(TAKE) == ("claim", 7)


def test_a_claim_can_be_typed():
    choosing = bluff((3, 4))
    assert choosing.handle(Typed("1")) is None and choosing.handle(Typed("2")) is None
    assert choosing.handle(TAKE) == ("claim", 12)


def test_believing_is_the_first_entry_and_names_the_claim():
    choosing = bluff((3, 4), ("claim", 9))
    assert [(entry.option, entry.facts["claim"]) for entry in choosing.entries] == [("accept", 9), ("call", 9)]
    assert [label(entry, SAY) for entry in choosing.entries] == ["Believe it", "Call the bluff"]
    assert choosing.at == 0


def test_a_single_list_has_no_way_back():
    assert not bluff((3, 4)).back()


# Cacho


def bidding(bid=None, total=20, raising="strict", single=False):
    options = cacho.replies(bid, total, raising, single) if bid else cacho.opening_bids(total, aces=True)
    return Choosing(lists(Choose(0, options), start("cacho").view(None) | {"bid": bid}))


def labels(choosing):
    """Entries as text: 3 for a count, 3x5 for a bid, or the word."""
    return [
        "x".join(str(part) for part in entry.facts.values()) if entry.number else entry.word
        for entry in choosing.entries
    ]


def test_a_bid_is_chosen_as_a_count_and_then_a_face_starting_at_the_smallest():
    choosing = bidding(total=4)
    assert labels(choosing) == ["1", "2", "3", "4"] and choosing.at == 0
    assert choosing.handle(NEXT) is None and choosing.handle(TAKE) is None
    assert labels(choosing) == ["2x1", "2x2", "2x3", "2x4", "2x5", "2x6"] and choosing.at == 0
    assert choosing.handle(NEXT) is None
    assert choosing.handle(TAKE) == ("bid", (2, 2))


def test_a_count_with_only_one_possible_face_is_listed_as_a_whole_bid():
    choosing = bidding((3, 5), total=5)
    assert labels(choosing) == ["3x6", "4x5", "5x5", "calza", "dudo"]
    assert choosing.handle(TAKE) == ("bid", (3, 6))


def test_holding_roll_stops_at_dudo_at_the_end_of_the_list():
    choosing = bidding((3, 2), total=60, raising="classic")
    for _ in range(30):
        choosing.handle(Run("roll"))
    assert choosing.handle(TAKE) == "dudo"


def test_an_arrow_back_from_the_start_goes_to_dudo():
    choosing = bidding((3, 2), total=60)
    choosing.handle(Moved(-1))
    assert choosing.handle(TAKE) == "dudo"


def test_with_no_higher_bid_only_the_challenges_are_listed():
    choosing = bidding((20, 6))
    assert choosing.choice.kind == "list"
    assert labels(choosing) == ["dudo", "calza"] and choosing.at == 0


def test_back_returns_to_the_same_count():
    choosing = bidding()
    for gesture in (NEXT, NEXT, TAKE):
        choosing.handle(gesture)
    assert labels(choosing)[0] == "3x1"
    assert choosing.back()
    assert (labels(choosing)[choosing.at], choosing.at) == ("3", 2)
    assert not choosing.back()


def test_many_counts_are_split_into_pages_linked_by_more():
    choosing = bidding((1, 2), total=25, raising="classic")
    assert labels(choosing) == [*map(str, range(1, 10)), "more", "calza", "dudo"]
    assert choosing.entries[9].facts == {"least": 10, "most": 25}
    choosing.handle(Touched("entry:9"))
    assert labels(choosing) == [*map(str, range(10, 19)), "more", "calza", "dudo"]
    choosing.handle(Touched("entry:9"))
    assert labels(choosing) == [*map(str, range(19, 26)), "calza", "dudo"]
    assert choosing.back() and choosing.back() and not choosing.back()
    assert choosing.at == 9


def test_ten_counts_are_one_list():
    assert len(bidding(total=10).entries) == 10


def test_digits_select_a_count_on_any_page_and_then_a_face():
    choosing = bidding(total=30)
    for digit in "23":
        assert choosing.handle(Typed(digit)) is None
    assert labels(choosing)[choosing.at] == "23"
    assert choosing.handle(TAKE) is None
    assert choosing.handle(Typed("5")) is None
    assert choosing.handle(TAKE) == ("bid", (23, 5))
    assert choosing.back() and choosing.handle(Typed("4")) is None
    assert labels(choosing)[choosing.at] == "4"
    assert not choosing.back()


# Dice


def keeping(*dice):
    public = start("cheese", 1).view(None) | {"dice": [list(dice)]}
    return Choosing(lists(Choose(0, cheese.keeps(dice)), public))


def kept(choosing):
    return [("".join(map(str, entry.facts["dice"])), entry.facts["points"]) for entry in choosing.entries]


def test_sets_to_keep_are_listed_best_first_and_equal_dice_once():
    choosing = keeping(5, 1, 5, 2, 3, 1)
    assert kept(choosing) == [
        ("1155", 300), ("115", 250), ("155", 200), ("11", 200), ("15", 150), ("55", 100), ("1", 100), ("5", 50),
    ]  # fmt: skip
    assert choosing.places == (0, 1, 2, 5)
    assert label(choosing.entries[0], SAY) == "Keep 4 dice: 300" and beside(choosing.entries[0], SAY) == "300"
    assert choosing.handle(TAKE) == ("keep", (0, 1, 2, 5))


def test_of_equal_dice_the_first_are_used():
    choosing = keeping(5, 1, 5, 2, 3, 1)
    assert choosing.handle(Touched("entry:7")) == ("keep", (0,))


def test_no_cheese_roll_exceeds_the_longest_list():
    assert len(keeping(1, 1, 1, 5, 5, 5).entries) == MOST_ENTRIES
    chance = Random(4)
    rolls = (chance.choices(range(1, 7), k=chance.randint(1, 6)) for _ in range(3000))
    assert max(len(keeping(*roll).entries) for roll in rolls if cheese.keeps(roll)) <= MOST_ENTRIES


def test_dice_can_be_touched_one_by_one_and_end_takes_exactly_these():
    choosing = keeping(5, 1, 5, 2, 3, 1)
    for place in (0, 1):
        assert choosing.handle(Touched(f"die:{place}")) is None
    assert choosing.places == (2, 5) and choosing.allowed
    assert kept(choosing)[choosing.at] == ("15", 150)
    assert choosing.handle(TAKE) == ("keep", (2, 5))


def test_touched_dice_that_do_not_score_cannot_be_taken():
    choosing = keeping(5, 1, 5, 2, 3, 1)
    for spot in ("die:3", "", "menu"):
        choosing.handle(Touched(spot))
    assert choosing.places == (0, 1, 2, 3, 5) and not choosing.allowed
    assert choosing.handle(TAKE) is None
    assert choosing.handle(Touched("die:3")) is None
    assert choosing.allowed and choosing.handle(TAKE) == ("keep", (0, 1, 2, 5))


def test_three_of_a_kind_can_be_touched_together_though_no_part_of_it_scores():
    choosing = keeping(2, 2, 2, 1, 3, 4)
    for place in (3, 0, 1, 2, 0, 1, 2):  # deselect all, then select the three twos
        choosing.handle(Touched(f"die:{place}"))
    assert choosing.handle(TAKE) == ("keep", (0, 1, 2))


def test_after_touching_dice_roll_moves_on_in_the_list_and_back_restores_the_entry():
    choosing = keeping(5, 1, 5, 2, 3, 1)
    choosing.handle(Touched("die:3"))
    assert choosing.back()
    assert choosing.allowed and choosing.places == (0, 1, 2, 5)
    choosing.handle(Touched("die:3"))
    assert choosing.handle(NEXT) is None
    assert choosing.allowed and choosing.at == 1


@pytest.mark.parametrize("spot", ["die:6", "die:", "die:x"])
def test_touching_a_die_that_does_not_exist_does_nothing(spot):
    choosing = keeping(5, 1, 5, 2, 3, 1)
    assert choosing.handle(Touched(spot)) is None
    assert choosing.places == (0, 1, 2, 5) and choosing.allowed


def rerolling(*dice):
    match = start("pocoloco", 2)
    match.answer(at_random(match, Random(1)))
    match.answer(dice)
    return Choosing(lists(match.ask, match.view(None)))


@pytest.mark.parametrize(
    ("dice", "best"),
    [((4, 5, 6), "end"), ((1, 1, 1), "end"), ((2, 1, 3), "end"), ((2, 1, 6), ("reroll", (0,))), ((2, 2, 3), None)],
)
def test_the_most_promising_reroll_comes_first(dice, best):
    option = rerolling(*dice).entries[0].option
    assert option == (best or ("reroll", (0, 1, 2)))


def test_rerolls_of_equal_dice_are_listed_once():
    choosing = rerolling(6, 2, 2)
    dice = [(entry.key, entry.facts["dice"]) for entry in choosing.entries]
    assert len(dice) == len(set(dice)) == 6
    assert {label(entry, SAY) for entry in choosing.entries} == {
        "Keep all", "Roll 1 die again", "Roll 2 dice again", "Roll 3 dice again",
    }  # fmt: skip
    assert {entry.places for entry in choosing.entries} == {
        (), (0,), (1,), (0, 1), (1, 2), (0, 1, 2),
    }  # fmt: skip


def test_touched_dice_are_kept_in_pocoloco_too():
    choosing = rerolling(4, 5, 6)
    assert choosing.places == (0, 1, 2)
    choosing.handle(Touched("die:1"))
    assert choosing.allowed and choosing.handle(TAKE) == ("reroll", (1,))
    for place in (0, 2):
        choosing.handle(Touched(f"die:{place}"))
    assert choosing.places == () and choosing.handle(TAKE) == ("reroll", (0, 1, 2))
