"""Gestures on the two buttons, at times set by the test."""

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
    """Press the buttons, and return the gestures with their times. "roll 0.0 0.3" presses Roll at 0.0 and releases it
    at 0.3; "end 1.0" presses End and never releases it."""
    gestures = Gestures()
    gestures.looking = looking
    moves = []
    for edge in edges:
        button, *times = edge.split()
        moves += [(float(at), move, button) for at, move in zip(times, (gestures.down, gestures.up), strict=False)]
    found = []
    for at, move, button in sorted(moves, key=lambda move: move[0]):
        found += poll_until(gestures, at)
        move(button, at)
        found += poll_until(gestures, at)
    return found + poll_until(gestures, max(at for at, *_ in moves) if until is None else until)


def poll_until(gestures, end):
    found = []
    while gestures.next_due is not None and gestures.next_due <= end:
        at = gestures.next_due
        found += [(round(at, 3), gesture) for gesture in gestures.due(at)]
    return found + [(round(end, 3), gesture) for gesture in gestures.due(end)]


def gestures_of(*edges, **more):
    return [gesture for _, gesture in play(*edges, **more)]


def test_roll_is_reported_once_the_press_cannot_become_a_chord():
    assert play("roll 1.0 1.3") == [(1.0 + CHORD, ROLL)]


def test_a_press_of_roll_shorter_than_a_chord_is_reported_at_the_release():
    assert play("roll 1.0 1.02") == [(1.02, ROLL)]


def test_holding_roll_repeats():
    first = round(RUN_AFTER, 3)
    second, third = round(RUN_AFTER + RUN_EVERY, 3), round(RUN_AFTER + 2 * RUN_EVERY, 3)
    assert play("roll 0.0 0.8") == [(CHORD, ROLL), (first, Run("roll")), (second, Run("roll")), (third, Run("roll"))]


def test_end_is_reported_at_the_release():
    assert play("end 1.0 1.4") == [(1.4, END)]


def test_holding_end_for_a_second_means_back_once_and_is_not_a_tap():
    assert play("end 1.0 4.0") == [(1.0 + BACK_AFTER, Held("end"))]


def test_holding_both_opens_the_menu_once_and_does_nothing_else():
    assert play("roll 1.0 3.0", "end 1.02 3.1", until=9) == [(round(1.02 + BOTH_AFTER, 3), Both())]


def test_a_short_press_of_both_means_nothing():
    assert gestures_of("roll 1.0 1.2", "end 1.0 1.3", until=9) == []
    assert gestures_of("end 1.0 1.2", "roll 1.01 1.3", until=9) == []
    assert gestures_of("roll 1.0 1.01", "end 1.0 1.01", until=9) == []


def test_after_the_menu_gesture_both_buttons_are_ignored_until_both_are_released():
    held = ("roll 0.0 5.0", "end 0.0 1.0")
    assert gestures_of(*held, "end 1.5 1.6", "end 2.0 3.5", until=5) == [Both()]
    assert gestures_of(*held, "end 5.5 5.6", until=6) == [Both(), END]


def test_holding_both_opens_the_menu_even_if_one_was_pressed_later():
    assert gestures_of("roll 0.0 2.0", "end 0.3 2.0") == [ROLL, Both()]
    assert gestures_of("end 0.0 2.0", "roll 0.3 2.0") == [Both()]


def test_overlapping_taps_count_one_after_the_other():
    assert gestures_of("roll 0.0 0.2", "end 0.15 0.3") == [ROLL, END]
    assert gestures_of("end 0.0 0.2", "roll 0.15 0.3") == [END, ROLL]
    assert gestures_of("roll 0.0 2.0", "end 1.0 1.1") == [ROLL, *[Run("roll")] * 4, END]


def test_an_incomplete_chord_means_nothing():
    assert gestures_of("end 0.0 0.5", "roll 0.1 0.4") == []
    assert gestures_of("end 0.0 0.5", "roll 0.1 0.2") == []
    assert gestures_of("roll 0.0 0.5", f"end 0.1 {0.1 + ROLL_OVER + 0.1}") == [ROLL]


def test_holding_roll_starts_and_ends_a_private_look():
    assert play("roll 1.0 4.0", looking=True) == [(1.0 + CHORD, Look(True)), (4.0, Look(False))]


def test_a_chord_starts_no_look_and_a_look_ends_before_the_menu_opens():
    assert gestures_of("roll 0.0 2.0", "end 0.0 2.0", looking=True) == [Both()]
    assert gestures_of("roll 0.0 2.0", "end 0.5 2.0", looking=True) == [Look(True), Look(False), Both()]


def test_a_look_ends_when_the_screen_no_longer_offers_one():
    gestures = Gestures()
    gestures.looking = True
    gestures.down("roll", 0.0)
    assert gestures.due(0.5) == [Look(True)]
    gestures.looking = False
    assert gestures.due(0.6) == [Look(False)]
    gestures.up("roll", 3.0)
    assert gestures.due(3.0) == []


def test_a_look_has_a_time_limit():
    assert play("roll 0.0", until=99, looking=True) == [(CHORD, Look(True)), (LONGEST_LOOK, Look(False))]


def test_a_stuck_roll_button_repeats_for_a_while_and_then_counts_as_released():
    found = play("roll 0.0", "end 20.0 20.5", "end 21.0 23.0", until=60)
    runs = [at for at, gesture in found if gesture == Run("roll")]
    assert runs[0] >= RUN_AFTER and runs[-1] <= STUCK_AFTER
    assert found[len(runs) + 1 :] == [(20.5, END), (22.0, Held("end"))]


def test_a_stuck_end_button_does_not_affect_roll():
    assert gestures_of("end 0.0", "roll 20.0 20.2", until=60) == [Held("end"), ROLL]


def test_a_stuck_button_works_again_after_its_release():
    assert gestures_of("end 0.0 30.0", "end 31.0 31.1", until=60) == [Held("end"), END]


def test_two_stuck_buttons_open_the_menu_once():
    assert gestures_of("roll 0.0", "end 0.0", until=99) == [Both()]


def test_contact_bounce_counts_as_one_press():
    chatter = ["roll 0.0 0.004", "roll 0.006 0.009", "roll 0.015 0.02", "roll 0.03 0.3"]
    assert gestures_of(*chatter, until=9) == [ROLL]
    assert gestures_of("end 0.0 0.3", "end 0.305 0.31", "end 0.32 0.33", until=9) == [END]


def test_unpaired_presses_and_releases_are_ignored():
    gestures = Gestures()
    gestures.up("end", 0.0)
    gestures.up("roll", 0.0)
    assert gestures.due(1.0) == [] and gestures.next_due is None
    gestures.down("end", 1.0)
    gestures.down("end", 1.2)
    gestures.up("end", 1.3)
    assert gestures.due(1.3) == [END]


def test_a_dropped_press_means_nothing():
    gestures = Gestures()
    gestures.down("end", 0.0)
    gestures.drop("end", 0.3)
    gestures.down("roll", 1.0)
    gestures.drop("roll", 1.0 + SOON)
    assert gestures.due(9.0) == []


def test_a_button_held_since_an_earlier_screen_can_only_open_the_menu():
    gestures = Gestures()
    gestures.down("roll", 0.0)
    assert gestures.due(0.1) == [ROLL]
    gestures.screen_changed(0.1)
    assert gestures.due(2.0) == []
    gestures.down("end", 2.0)
    assert gestures.due(3.0) == [Both()]


def test_after_a_delay_repeats_continue_at_the_usual_rate():
    gestures = Gestures()
    gestures.down("roll", 0.0)
    assert gestures.due(3.0) == [ROLL, Run("roll")]
    assert gestures.due(3.01) == []
    assert gestures.due(3.0 + RUN_EVERY) == [Run("roll")]


def test_late_events_keep_their_own_times():
    gestures = Gestures()
    gestures.down("end", 0.0)
    gestures.up("end", 0.3)
    assert gestures.due(5.0) == [END]


def test_a_clock_that_goes_backwards_is_treated_as_standing_still():
    gestures = Gestures()
    gestures.down("end", 5.0)
    gestures.up("end", 4.0)
    assert gestures.due(3.0) == [END]


# Properties of any sequence of presses

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["down", "up", "drop", "look", "no look", "screen", "wait"]),
        st.sampled_from(["roll", "end"]),
        st.one_of(st.sampled_from([0.0, 0.01, CHORD, 0.1, 0.25, 0.7, 1.1, 9.0, 31.0]), st.floats(0, 2)),
    ),
    max_size=60,
)


def run(steps):
    """Runs the steps; returns the gestures with their times, the presses and releases, and the recognizer."""
    gestures, now = Gestures(), 0.0
    found, edges = [], []
    for what, button, pause in steps:
        now += pause
        found += poll_until(gestures, now)
        match what:
            case "down" | "up" | "drop":
                getattr(gestures, what)(button, now)
                edges.append((now, what == "down", button))
            case "look" | "no look":
                gestures.looking = what == "look"
            case "screen":
                gestures.screen_changed(now)
        found += poll_until(gestures, now)
    return found + poll_until(gestures, now + 100), edges, gestures


@given(STEPS)
def test_taps_never_outnumber_presses(steps):
    found, edges, _ = run(steps)
    for button in ("roll", "end"):
        for at, _ in found:
            taps = sum(gesture == Tap(button) and when <= at for when, gesture in found)
            presses = sum(down and name == button and when <= at + SOON for when, down, name in edges)
            assert taps <= presses


@given(STEPS)
def test_looks_start_and_end_alternately(steps):
    looks = [gesture.on for _, gesture in run(steps)[0] if isinstance(gesture, Look)]
    assert looks == [True, False] * (len(looks) // 2)


@given(STEPS)
def test_gestures_stop_when_nothing_happens(steps):
    _, _, gestures = run(steps)
    assert gestures.next_due is None
    assert gestures.due(10**6) == []


@given(STEPS)
def test_after_the_menu_gesture_nothing_is_reported_until_a_release(steps):
    found, edges, _ = run(steps)
    for (at, gesture), (after, _) in pairwise(found):
        if gesture == Both():
            released = any(at - SOON <= when <= after + SOON for when, down, _ in edges if not down)
            # Two stuck buttons count as released and can trigger gestures again.
            assert released or after >= at - BOTH_AFTER + STUCK_AFTER - ROLL_OVER


@given(STEPS)
def test_the_polling_rate_affects_only_the_number_of_repeats(steps):
    often, _, _ = run(steps)
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
def test_any_amount_of_contact_bounce_counts_as_one_press(pauses, button):
    gestures, now = Gestures(), 0.0
    for index, pause in enumerate(pauses):
        (gestures.up if index % 2 else gestures.down)(button, now)
        now += pause
    gestures.up(button, now)
    assert gestures.due(now + 1) == [Tap(button)]
