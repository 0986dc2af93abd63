"""What is said on the line of an e-dice, without the line: what is taken, what is passed over, what is said again."""

import sys
import tracemalloc

import pytest

from firmware import wire
from table.devices import link
from table.devices.link import ASKS, FLOOD, GREETS, PATIENCE, PINGS, Asked, Link, Rolled
from tests.soak.lines import hostile

ROLLED = {"boot": "b1", "dice": "35", "ask": "a1", "under": "42"}


class Bench:
    """A link under a clock that is moved by hand, and a device that says what the test wants."""

    def __init__(self, greeted=True):
        self.now, self.number, self.lines = 100.0, 0, wire.Lines()
        self.link = Link(self.now)
        if greeted:
            ((_, _, fields),) = self.sent()
            self.say("hello", boot="b1", v="1", table=fields["table"], id="x1", dice="5")
            assert self.link.ready

    def say(self, verb, number=None, **fields):
        self.number = self.number + 1 if number is None else number
        line = wire.encode(verb, self.number, *(f"{key}={value}" for key, value in fields.items()))
        self.link.hear(line, self.now)

    def sent(self):
        return self.lines.feed(self.link.line.take_unsent())

    def after(self, seconds):
        self.now += seconds
        self.link.due(self.now)
        return [(verb, fields) for verb, _, fields in self.sent()]


def asking():
    bench = Bench()
    bench.link.ask(Asked("a1", 2, False), bench.now)
    return bench


def test_the_roll_that_was_asked_for_is_taken_once():
    bench = asking()
    bench.say("rolling", boot="b1", ask="a1")
    assert bench.link.rolled is None
    bench.say("rolled", **ROLLED)
    assert bench.link.rolled == Rolled("a1", (3, 5))
    bench.link.rolled = None
    bench.say("rolled", **ROLLED)
    assert bench.link.rolled is None


@pytest.mark.parametrize(
    "change",
    [
        {"boot": "b2"},
        {"ask": "a2"},
        {"dice": "355", "under": "422"},
        {"dice": "3", "under": "4"},
        {"under": "43"},
        {"under": "4"},
        {"dice": "36"},
        {"dice": "07", "under": "70"},
        {"dice": "ab", "under": "ab"},
    ],
    ids=str,
)
def test_a_roll_of_another_boot_or_ask_or_number_or_that_contradicts_itself_is_none(change):
    bench = asking()
    bench.say("rolled", **ROLLED | change)
    assert bench.link.rolled is None


@pytest.mark.parametrize("missing", ROLLED)
def test_a_roll_that_leaves_something_out_is_none(missing):
    bench = asking()
    bench.say("rolled", **{key: value for key, value in ROLLED.items() if key != missing})
    assert bench.link.rolled is None


@pytest.mark.parametrize("verb", ["rolling", "hello", "pressed", "pong", "error"])
def test_only_rolled_is_a_roll_whatever_else_a_line_says(verb):
    bench = asking()
    bench.say(verb, **ROLLED)
    assert bench.link.rolled is None


def test_a_line_that_was_overtaken_or_comes_twice_is_passed_over():
    bench = asking()
    bench.say("pressed", number=7, boot="b1")
    bench.say("pressed", number=7, boot="b1")
    bench.say("pressed", number=6, boot="b1")
    bench.say("rolled", number=5, **ROLLED)
    assert (bench.link.presses, bench.link.rolled) == (1, None)


def test_what_is_not_answered_is_asked_again_under_the_same_word():
    bench = asking()
    first = bench.sent()
    again = bench.after(ASKS)
    assert [fields for _, _, fields in first] == [{"boot": "b1", "ask": "a1", "count": "2"}]
    assert again == [("roll", first[0][2])]
    bench.say("rolled", **ROLLED)
    assert ("roll", first[0][2]) not in bench.after(ASKS)


def test_it_is_greeted_until_it_answers_and_pinged_from_then_on():
    bench = Bench(greeted=False)
    first = bench.sent()
    assert [verb for verb, _, _ in first] == ["hello"]
    assert bench.after(GREETS) == [("hello", first[0][2])]
    assert [verb for verb, _ in Bench().after(PINGS)] == ["ping"]


def test_a_hello_to_somebody_else_is_not_for_us():
    bench = Bench(greeted=False)
    bench.say("hello", boot="b1", v="1", table="another", id="x1", dice="5")
    assert not bench.link.ready


def test_another_boot_in_the_middle_of_a_roll_is_greeted_and_asked_under_the_same_word():
    bench = asking()
    bench.sent()
    bench.say("hello", number=1, boot="b2", v="1", table="-", id="x1", dice="5")
    ((verb, _, fields),) = bench.sent()
    assert verb == "hello"
    bench.say("hello", number=2, boot="b2", v="1", table=fields["table"], id="x1", dice="5")
    assert [fields["ask"] for verb, _, fields in bench.sent() if verb == "roll"] == ["a1"]
    bench.say("rolled", **ROLLED | {"boot": "b2"})
    assert bench.link.rolled == Rolled("a1", (3, 5))


def test_silence_is_an_end_and_lines_that_are_passed_over_are_silence():
    bench = Bench()
    bench.after(PATIENCE - 0.1)
    bench.say("pong", number=1, boot="b1")
    bench.after(0.2)
    assert (bench.link.trouble, bench.link.over) == ("stalled", True)


def test_a_flood_is_an_end_and_takes_no_memory():
    bench = Bench()
    tracemalloc.start()
    for _ in range(500):
        bench.link.hear(b"x" * 4096, bench.now)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert bench.link.trouble == "flood" and most < 20 * FLOOD and held < 2 * FLOOD
    bench.say("rolled", **ROLLED)
    assert bench.link.rolled is None


def lines_run(work):
    """How many lines of the link's code run. Other code may run too, such as hypothesis's garbage collection hook."""
    count, ours = 0, {link.__file__, wire.__file__}

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace if frame.f_code.co_filename in ours else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_each_byte_of_a_flood_costs_the_same():
    """The work is done under a lock that the screen may wait for."""
    flooded = Link(0.0)

    def single(begin, end):
        for at in range(begin, end):
            flooded.hear(b"x", at / FLOOD)

    single(0, 200)
    early = lines_run(lambda: single(200, 300))
    single(300, FLOOD - 100)
    assert lines_run(lambda: single(FLOOD - 100, FLOOD)) == early and flooded.trouble == ""
    flooded.hear(b"x", 1.0)
    assert flooded.trouble == "flood"


def test_half_as_many_bytes_a_second_are_no_flood():
    link = Link(0.0)
    for at in range(4 * FLOOD):
        link.hear(b"x", 2 * at / FLOOD)
    assert link.trouble == ""


def test_lamps_are_said_when_they_change_and_with_every_ping():
    bench = Bench()
    bench.link.light(True, "ff8000")
    bench.link.light(True, "ff8000")
    lamps = ("lamps", {"boot": "b1", "lit": "1", "colour": "ff8000"})
    assert [(verb, fields) for verb, _, fields in bench.sent()] == [lamps]
    assert bench.after(PINGS)[1] == lamps


@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_thousand_hostile_lines_make_not_one_wrong_roll(seed):
    counts, wrong = hostile(10_000, seed)
    assert wrong == []
    assert counts["lines"] >= 10_000 and counts["damaged"] > 4000 and counts["rolls"] > 500
