"""The link to one board of e-dice, without a port: which messages are accepted, ignored and repeated."""

import sys
import tracemalloc

import pytest

from firmware import wire
from table.devices import link
from table.devices.link import ASKS, FLOOD, GREETS, PATIENCE, PINGS, Asked, Link, Rolled
from tests.soak.lines import hostile

ROLLED = {"boot": "b1", "dice": "35", "ask": "a1", "under": "42"}


class Bench:
    """A link with a manual clock, and a device that sends whatever the test wants."""

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


def test_a_requested_roll_is_accepted_once():
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
def test_a_roll_that_does_not_match_the_request_or_is_inconsistent_is_ignored(change):
    bench = asking()
    bench.say("rolled", **ROLLED | change)
    assert bench.link.rolled is None


@pytest.mark.parametrize("missing", ROLLED)
def test_a_roll_with_a_missing_field_is_ignored(missing):
    bench = asking()
    bench.say("rolled", **{key: value for key, value in ROLLED.items() if key != missing})
    assert bench.link.rolled is None


@pytest.mark.parametrize("verb", ["rolling", "hello", "pressed", "pong", "error"])
def test_only_rolled_messages_deliver_a_roll(verb):
    bench = asking()
    bench.say(verb, **ROLLED)
    assert bench.link.rolled is None


def test_duplicate_and_outdated_lines_are_ignored():
    bench = asking()
    bench.say("pressed", number=7, boot="b1")
    bench.say("pressed", number=7, boot="b1")
    bench.say("pressed", number=6, boot="b1")
    bench.say("rolled", number=5, **ROLLED)
    assert (bench.link.presses, bench.link.rolled) == (1, None)


def test_an_unanswered_request_is_repeated_with_the_same_id():
    bench = asking()
    first = bench.sent()
    again = bench.after(ASKS)
    assert [fields for _, _, fields in first] == [{"boot": "b1", "ask": "a1", "count": "2"}]
    assert again == [("roll", first[0][2])]
    bench.say("rolled", **ROLLED)
    assert ("roll", first[0][2]) not in bench.after(ASKS)


def test_a_device_is_greeted_until_it_answers_and_then_pinged():
    bench = Bench(greeted=False)
    first = bench.sent()
    assert [verb for verb, _, _ in first] == ["hello"]
    assert bench.after(GREETS) == [("hello", first[0][2])]
    assert [verb for verb, _ in Bench().after(PINGS)] == ["ping"]


def test_a_hello_to_another_table_is_ignored():
    bench = Bench(greeted=False)
    bench.say("hello", boot="b1", v="1", table="another", id="x1", dice="5")
    assert not bench.link.ready


def test_after_a_reboot_during_a_roll_the_request_is_repeated_with_the_same_id():
    bench = asking()
    bench.sent()
    bench.say("hello", number=1, boot="b2", v="1", table="-", id="x1", dice="5")
    ((verb, _, fields),) = bench.sent()
    assert verb == "hello"
    bench.say("hello", number=2, boot="b2", v="1", table=fields["table"], id="x1", dice="5")
    assert [fields["ask"] for verb, _, fields in bench.sent() if verb == "roll"] == ["a1"]
    bench.say("rolled", **ROLLED | {"boot": "b2"})
    assert bench.link.rolled == Rolled("a1", (3, 5))


def test_a_device_that_sends_nothing_valid_is_given_up():
    bench = Bench()
    bench.after(PATIENCE - 0.1)
    bench.say("pong", number=1, boot="b1")
    bench.after(0.2)
    assert (bench.link.trouble, bench.link.over) == ("stalled", True)


def test_a_flood_ends_the_link_and_uses_little_memory():
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
    """The number of executed lines of the link's own code. Other code may run too, such as a Hypothesis hook."""
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


def test_every_byte_of_a_flood_costs_the_same():
    """The screen may be waiting for the lock that is held during this work."""
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


def test_half_the_data_rate_of_a_flood_is_accepted():
    link = Link(0.0)
    for at in range(4 * FLOOD):
        link.hear(b"x", 2 * at / FLOOD)
    assert link.trouble == ""


def test_lamps_are_sent_when_they_change_and_with_every_ping():
    bench = Bench()
    bench.link.light(True, "ff8000")
    bench.link.light(True, "ff8000")
    lamps = ("lamps", {"boot": "b1", "lit": "1", "colour": "ff8000"})
    assert [(verb, fields) for verb, _, fields in bench.sent()] == [lamps]
    assert bench.after(PINGS)[1] == lamps


@pytest.mark.parametrize("seed", [1, 2])
def test_thousands_of_hostile_lines_cause_no_wrong_roll(seed):
    counts, wrong = hostile(10_000, seed)
    assert wrong == []
    assert counts["lines"] >= 10_000 and counts["damaged"] > 4000 and counts["rolls"] > 500
