"""What two buttons mean, by a clock that the test sets."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from table.ui.kiosk.gestures import (
    BACK_AFTER,
    BOTH_AFTER,
    CHATTER,
    CHORD,
    LONGEST_LOOK,
    ROLL_OVER,
    RUN_AFTER,
    RUN_EVERY,
    STUCK_AFTER,
    Both,
    Gestures,
    Held,
    Look,
    Run,
    Tap,
)

ROLL, END = Tap("roll"), Tap("end")
SOON = 0.001


def play(*edges, until=None, looking=False):
    """What comes of edges like "roll 0.0 0.3" (down and up) or "end 1.0" (down for good), looked at whenever it is due:
    the gestures with their times, to the millisecond."""
    gestures = Gestures()
    gestures.looking = looking
    moves = []
    for edge in edges:
        button, *times = edge.split()
        moves += [(float(at), move, button) for at, move in zip(times, (gestures.down, gestures.up), strict=False)]
    told = []
    for at, move, button in sorted(moves, key=lambda move: move[0]):
        told += look_until(gestures, at)
        move(button, at)
        told += look_until(gestures, at)
    return told + look_until(gestures, max(at for at, *_ in moves) if until is None else until)


def look_until(gestures, end):
    told = []
    while gestures.next_due is not None and gestures.next_due <= end:
        at = gestures.next_due
        told += [(round(at, 3), gesture) for gesture in gestures.due(at)]
    return told + [(round(end, 3), gesture) for gesture in gestures.due(end)]


def meant(*edges, **more):
    return [gesture for _, gesture in play(*edges, **more)]


def test_roll_is_told_at_the_press_as_soon_as_it_can_be_no_chord():
    assert play("roll 1.0 1.3") == [(1.0 + CHORD, ROLL)]


def test_a_press_of_roll_shorter_than_a_chord_is_told_when_it_comes_up():
    assert play("roll 1.0 1.02") == [(1.02, ROLL)]


def test_roll_held_runs():
    first = round(RUN_AFTER, 3)
    second, third = round(RUN_AFTER + RUN_EVERY, 3), round(RUN_AFTER + 2 * RUN_EVERY, 3)
    assert play("roll 0.0 0.8") == [(CHORD, ROLL), (first, Run("roll")), (second, Run("roll")), (third, Run("roll"))]


def test_end_is_told_at_the_release():
    assert play("end 1.0 1.4") == [(1.4, END)]


def test_end_held_for_a_second_is_back_once_and_no_tap():
    assert play("end 1.0 4.0") == [(1.0 + BACK_AFTER, Held("end"))]


def test_both_held_are_the_menu_once_and_nothing_else():
    assert play("roll 1.0 3.0", "end 1.02 3.1", until=9) == [(round(1.02 + BOTH_AFTER, 3), Both())]


def test_both_at_the_same_instant_and_soon_up_mean_nothing():
    assert meant("roll 1.0 1.2", "end 1.0 1.3", until=9) == []
    assert meant("end 1.0 1.2", "roll 1.01 1.3", until=9) == []
    assert meant("roll 1.0 1.01", "end 1.0 1.01", until=9) == []


def test_after_both_neither_means_anything_until_both_are_up():
    held = ("roll 0.0 5.0", "end 0.0 1.0")
    assert meant(*held, "end 1.5 1.6", "end 2.0 3.5", until=5) == [Both()]
    assert meant(*held, "end 5.5 5.6", until=6) == [Both(), END]


def test_both_are_the_menu_even_if_they_come_one_after_the_other():
    assert meant("roll 0.0 2.0", "end 0.3 2.0") == [ROLL, Both()]
    assert meant("end 0.0 2.0", "roll 0.3 2.0") == [Both()]


def test_fast_fingers_that_overlap_mean_one_button_after_the_other():
    assert meant("roll 0.0 0.2", "end 0.15 0.3") == [ROLL, END]
    assert meant("end 0.0 0.2", "roll 0.15 0.3") == [END, ROLL]
    assert meant("roll 0.0 2.0", "end 1.0 1.1") == [ROLL, *[Run("roll")] * 4, END]


def test_half_a_chord_is_nothing():
    assert meant("end 0.0 0.5", "roll 0.1 0.4") == []
    assert meant("end 0.0 0.5", "roll 0.1 0.2") == []
    assert meant("roll 0.0 0.5", f"end 0.1 {0.1 + ROLL_OVER + 0.1}") == [ROLL]


def test_roll_held_where_there_is_a_private_look_shows_and_hides():
    assert play("roll 1.0 4.0", looking=True) == [(1.0 + CHORD, Look(True)), (4.0, Look(False))]


def test_a_chord_shows_nothing_and_a_look_ends_before_the_menu_comes():
    assert meant("roll 0.0 2.0", "end 0.0 2.0", looking=True) == [Both()]
    assert meant("roll 0.0 2.0", "end 0.5 2.0", looking=True) == [Look(True), Look(False), Both()]


def test_a_look_ends_when_the_screen_no_longer_has_one():
    gestures = Gestures()
    gestures.looking = True
    gestures.down("roll", 0.0)
    assert gestures.due(0.5) == [Look(True)]
    gestures.looking = False
    assert gestures.due(0.6) == [Look(False)]
    gestures.up("roll", 3.0)
    assert gestures.due(3.0) == []


def test_a_look_does_not_last_for_ever():
    assert play("roll 0.0", until=99, looking=True) == [(CHORD, Look(True)), (LONGEST_LOOK, Look(False))]


def test_a_roll_that_sticks_runs_for_a_while_and_is_then_as_good_as_up():
    told = play("roll 0.0", "end 20.0 20.5", "end 21.0 23.0", until=60)
    runs = [at for at, gesture in told if gesture == Run("roll")]
    assert runs[0] >= RUN_AFTER and runs[-1] <= STUCK_AFTER
    assert told[len(runs) + 1 :] == [(20.5, END), (22.0, Held("end"))]


def test_an_end_that_sticks_leaves_roll_as_it_was():
    assert meant("end 0.0", "roll 20.0 20.2", until=60) == [Held("end"), ROLL]


def test_a_button_that_stuck_works_again_once_it_came_up():
    assert meant("end 0.0 30.0", "end 31.0 31.1", until=60) == [Held("end"), END]


def test_both_sticking_are_the_menu_once():
    assert meant("roll 0.0", "end 0.0", until=99) == [Both()]


def test_a_button_that_chatters_is_one_press():
    chatter = ["roll 0.0 0.004", "roll 0.006 0.009", "roll 0.015 0.02", "roll 0.03 0.3"]
    assert meant(*chatter, until=9) == [ROLL]
    assert meant("end 0.0 0.3", "end 0.305 0.31", "end 0.32 0.33", until=9) == [END]


def test_a_release_without_a_press_and_a_press_without_a_release_do_no_harm():
    gestures = Gestures()
    gestures.up("end", 0.0)
    gestures.up("roll", 0.0)
    assert gestures.due(1.0) == [] and gestures.next_due is None
    gestures.down("end", 1.0)
    gestures.down("end", 1.2)
    gestures.up("end", 1.3)
    assert gestures.due(1.3) == [END]


def test_a_press_that_is_dropped_means_nothing():
    gestures = Gestures()
    gestures.down("end", 0.0)
    gestures.drop("end", 0.3)
    gestures.down("roll", 1.0)
    gestures.drop("roll", 1.0 + SOON)
    assert gestures.due(9.0) == []


def test_what_was_pressed_on_another_screen_means_nothing_on_this_one_but_the_menu():
    gestures = Gestures()
    gestures.down("roll", 0.0)
    assert gestures.due(0.1) == [ROLL]
    gestures.screen_changed(0.1)
    assert gestures.due(2.0) == []
    gestures.down("end", 2.0)
    assert gestures.due(3.0) == [Both()]


def test_after_a_hiccup_a_run_goes_on_at_its_pace():
    gestures = Gestures()
    gestures.down("roll", 0.0)
    assert gestures.due(3.0) == [ROLL, Run("roll")]
    assert gestures.due(3.01) == []
    assert gestures.due(3.0 + RUN_EVERY) == [Run("roll")]


def test_a_press_and_release_that_come_late_keep_their_own_times():
    gestures = Gestures()
    gestures.down("end", 0.0)
    gestures.up("end", 0.3)
    assert gestures.due(5.0) == [END]


def test_time_that_goes_backwards_stands_still():
    gestures = Gestures()
    gestures.down("end", 5.0)
    gestures.up("end", 4.0)
    assert gestures.due(3.0) == [END]


# Whatever happens to the buttons

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["down", "up", "drop", "look", "no look", "screen", "wait"]),
        st.sampled_from(["roll", "end"]),
        st.one_of(st.sampled_from([0.0, 0.01, CHORD, 0.1, 0.25, 0.7, 1.1, 9.0, 31.0]), st.floats(0, 2)),
    ),
    max_size=60,
)


def anything(steps):
    """The gestures of any steps at all, each with its time, and the presses and releases as they were made."""
    gestures, now = Gestures(), 0.0
    told, edges = [], []
    for what, button, pause in steps:
        now += pause
        told += look_until(gestures, now)
        match what:
            case "down" | "up" | "drop":
                getattr(gestures, what)(button, now)
                edges.append((now, what == "down", button))
            case "look" | "no look":
                gestures.looking = what == "look"
            case "screen":
                gestures.screen_changed(now)
        told += look_until(gestures, now)
    return told + look_until(gestures, now + 100), edges, gestures


@given(STEPS)
def test_there_are_never_more_taps_than_presses(steps):
    told, edges, _ = anything(steps)
    for button in ("roll", "end"):
        for at, _ in told:
            taps = sum(gesture == Tap(button) and when <= at for when, gesture in told)
            presses = sum(down and name == button and when <= at + SOON for when, down, name in edges)
            assert taps <= presses


@given(STEPS)
def test_a_look_begins_and_ends_in_turn(steps):
    looks = [gesture.on for _, gesture in anything(steps)[0] if isinstance(gesture, Look)]
    assert looks == [True, False] * (len(looks) // 2)


@given(STEPS)
def test_nothing_is_told_for_ever(steps):
    _, _, gestures = anything(steps)
    assert gestures.next_due is None
    assert gestures.due(10**6) == []


@given(STEPS)
def test_after_both_nothing_is_told_before_a_button_came_up(steps):
    told, edges, _ = anything(steps)
    for (at, gesture), (after, _) in pairwise(told):
        if gesture == Both():
            released = any(at - SOON <= when <= after + SOON for when, down, _ in edges if not down)
            # Two that stick count as up, and then either may mean something again.
            assert released or after >= at - BOTH_AFTER + STUCK_AFTER - ROLL_OVER


@given(STEPS)
def test_how_often_one_looks_changes_nothing_but_how_far_a_run_got(steps):
    often, _, _ = anything(steps)
    gestures, now, seldom = Gestures(), 0.0, []
    for what, button, wait in steps:
        now += wait
        match what:
            case "down" | "up" | "drop":
                getattr(gestures, what)(button, now)
            case "look" | "no look":
                seldom += gestures.due(now)
                gestures.looking = what == "look"
                seldom += gestures.due(now)
            case "screen":
                gestures.screen_changed(now)
    seldom += gestures.due(now + 100)
    assert [g for g in seldom if g != Run("roll")] == [g for _, g in often if g != Run("roll")]


@given(st.lists(st.floats(0.0001, CHATTER - SOON), min_size=1, max_size=40), st.sampled_from(["roll", "end"]))
def test_however_long_a_button_chatters_it_is_one_press(pauses, button):
    gestures, now = Gestures(), 0.0
    for index, pause in enumerate(pauses):
        (gestures.up if index % 2 else gestures.down)(button, now)
        now += pause
    gestures.up(button, now)
    assert gestures.due(now + 1) == [Tap(button)]
