"""Dice set aside by hand in the strip, identified only by their values."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as some

from table.ui.kiosk.keep_strip import set_aside

faces = some.integers(1, 6)
rolls = some.lists(faces, min_size=1, max_size=6)


@given(some.data())
def test_dice_moved_into_the_strip_are_identified_even_if_values_repeat(data: some.DataObject) -> None:
    dice = data.draw(rolls)
    before = data.draw(some.lists(faces, max_size=6 - len(dice)))
    moved = data.draw(some.sets(some.integers(0, len(dice) - 1)))
    strip = data.draw(some.permutations([*before, *(dice[place] for place in moved)]))
    left = data.draw(some.permutations([die for place, die in enumerate(dice) if place not in moved]))
    picked_up = data.draw(some.integers(0, len(left)))
    aside = set_aside(dice, dice, strip, before, left[picked_up:])
    assert aside.wrong is None
    assert Counter(dice[place] for place in aside.places) == Counter(dice[place] for place in moved)


@given(some.data())
def test_dice_held_over_from_an_earlier_roll_are_chosen_again(data: some.DataObject) -> None:
    dice = data.draw(some.lists(faces, min_size=3, max_size=3))
    held = data.draw(some.sets(some.integers(0, 2), max_size=2))
    thrown = [die for place, die in enumerate(dice) if place not in held]
    before = [dice[place] for place in held]
    kept = data.draw(some.sets(some.integers(0, 2)))
    aside = set_aside(dice, thrown, [dice[place] for place in kept], before)
    assert aside.wrong is None
    assert Counter(dice[place] for place in aside.places) == Counter(dice[place] for place in kept)


@given(some.data())
def test_a_turned_die_is_never_taken_for_another(data: some.DataObject) -> None:
    dice = data.draw(rolls)
    moved = data.draw(some.lists(some.integers(0, len(dice) - 1), min_size=1, unique=True))
    face = data.draw(faces.filter(lambda face: face != dice[moved[0]]))
    strip = [face, *(dice[place] for place in moved[1:])]
    loose = [die for place, die in enumerate(dice) if place not in moved]
    aside = set_aside(dice, dice, strip, (), loose)
    assert aside.wrong == "turned" or Counter(strip) + Counter(loose) == Counter(dice)


def test_impossible_moves_are_reported_with_the_dice_concerned() -> None:
    roll = (1, 3, 3, 5, 6, 6)
    assert set_aside(roll, roll, (4,), ()).wrong == "turned"
    assert set_aside(roll, roll, (4,), ()).dice == (4,)
    assert set_aside(roll, roll, (1,), (), (3, 3, 5, 5, 6)).dice == (5,), "a die in the tray was turned"
    assert set_aside((2, 3), (2, 3), (1, 1, 5, 5), (1, 1, 5)).dice == (5,), "one five more than before"
    assert set_aside((2, 3), (2, 3), (1, 2), (1, 5)) == (frozenset(), "back", (5,))
    assert set_aside((2, 3), (2, 3), (2, 3, 6), ()).wrong == "many"


def test_no_dice_are_chosen_while_the_strip_has_nothing_new() -> None:
    assert set_aside((2, 3), (2, 3), (1,), (1,), (6, 6)) == (frozenset(), None, ())
