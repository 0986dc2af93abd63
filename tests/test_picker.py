"""A list operated by two buttons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.ui.kiosk.gestures import Both, Held, Look, Moved, Run, Tap, Touched, Typed
from table.ui.kiosk.picker import Picker, dial, place_in

NEXT, TAKE, RUN = Tap("roll"), Tap("end"), Run("roll")


def shown_after(picker, *gestures):
    assert [picker.handle(gesture) for gesture in gestures] == [None] * len(gestures)
    return picker.entry


def test_roll_moves_to_the_next_entry_and_wraps_around():
    picker = Picker(["a", "b", "c"])
    assert [shown_after(picker, NEXT) for _ in range(4)] == ["b", "c", "a", "b"]


def test_end_selects_the_entry_shown():
    assert Picker(["a", "b", "c"], at=1).handle(TAKE) == "b"


def test_a_run_stops_at_the_last_entry():
    picker = Picker(["a", "b", "c"])
    assert [shown_after(picker, RUN) for _ in range(4)] == ["b", "c", "c", "c"]


def test_arrows_move_both_ways_and_wrap_around():
    picker = Picker(["a", "b", "c"])
    assert [shown_after(picker, Moved(step)) for step in (-1, -1, 1, 1)] == ["c", "b", "c", "a"]


def test_touching_an_entry_selects_and_shows_it():
    picker = Picker(["a", "b", "c"])
    assert picker.handle(Touched("entry:2")) == "c"
    assert picker.entry == "c"


@pytest.mark.parametrize("spot", ["entry:3", "entry:-1", "entry:x", "entry:", "entry", "die:1", "menu", "", "entry:²"])
def test_a_touch_elsewhere_selects_nothing(spot):
    assert shown_after(Picker(["a", "b", "c"]), Touched(spot)) == "a"


@pytest.mark.parametrize("gesture", [Held("end"), Both(), Look(True), Look(False), Typed("2")])
def test_other_gestures_change_nothing(gesture):
    assert shown_after(Picker(["a", "b", "c"]), gesture) == "a"


def test_a_digit_that_only_begins_a_number_waits_for_another():
    assert dial("", "1", [10, 12]) == ("1", None)
    assert dial("1", "2", [10, 12]) == ("12", 12)
    assert dial("1", "7", [10, 12]) == ("", None)


@pytest.mark.parametrize("text", ["", "x", "½", "²", "-1", "1.5", "\b"])
def test_anything_but_a_digit_dials_nothing(text):
    assert dial("", text, [1, 2, 15]) == ("", None)


def test_the_index_of_a_spot_is_parsed():
    assert place_in("entry", "entry:12") == 12
    assert place_in("die", "entry:12") is None


GESTURES = st.one_of(
    st.sampled_from([NEXT, TAKE, RUN, Moved(1), Moved(-1), Both(), Held("end")]),
    st.builds(Touched, st.text(max_size=3) | st.integers(0, 12).map("entry:{}".format)),
    st.builds(Typed, st.text(max_size=2)),
)


@given(st.integers(1, 12), st.lists(GESTURES, max_size=40))
def test_only_end_and_a_touch_select_and_they_select_the_entry_shown(count, gestures):
    picker = Picker(range(count))
    for gesture in gestures:
        taken = picker.handle(gesture)
        assert taken in (None, picker.entry)
        assert (taken is None) or gesture == TAKE or isinstance(gesture, Touched)
