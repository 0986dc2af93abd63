"""The logic of the e-dice firmware, with the clock and the entropy controlled by the test."""

import random
import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

from firmware import die, wire

README = Path(__file__).parent.parent / "firmware" / "README.md"


def chance(seed=1):
    return random.Random(seed).randbytes


class Bench:
    """Dice with a manual clock, and a table that sends them messages."""

    def __init__(self, dice=5, entropy=None, name="e66141c41b2a4f28"):
        self.die = die.Die(name, dice, entropy or chance())
        self.now, self.sent, self.down, self.lines = 0, 0, False, wire.Lines()

    def raw(self, data):
        return self.lines.feed(self.die.turn(self.now, data, self.down))

    def say(self, verb, *fields, number=None):
        self.sent = self.sent + 1 if number is None else number
        return self.raw(wire.encode(verb, self.sent, *fields))

    def boot(self):
        return f"boot={self.die.boot}"

    def roll(self, ask, count=2, *more):
        return self.say("roll", self.boot(), f"ask={ask}", f"count={count}", *more)

    def after(self, milliseconds):
        self.now += milliseconds
        return self.raw(b"")

    def press(self, milliseconds=50):
        self.down = True
        said = self.raw(b"") + self.after(milliseconds)
        self.down = False
        return said + self.raw(b"") + self.after(50)


def verbs(said):
    return [verb for verb, _, _ in said]


def test_a_hello_identifies_the_device():
    bench = Bench(dice=4)
    (greeting,) = bench.lines.feed(bench.die.greeting())
    (answer,) = bench.say("hello", "v=1", "table=5be0aa01")
    expected = {"boot": bench.die.boot, "v": "1", "id": "e66141c41b2a4f28", "dice": "4"}
    assert greeting == ("hello", 1, {**expected, "table": "-"})
    assert answer == ("hello", 2, {**expected, "table": "5be0aa01"})


def test_every_boot_has_a_different_id():
    assert len({Bench(entropy=chance(seed)).die.boot for seed in range(200)}) == 200


def test_a_roll_is_reported_as_rolling_and_then_as_rolled():
    bench = Bench()
    assert verbs(bench.roll("a1", 3)) == ["rolling"]
    assert bench.after(die.TUMBLING - 1) == []
    ((verb, _, fields),) = bench.after(1)
    assert (verb, fields["ask"], len(fields["dice"])) == ("rolled", "a1", 3)
    assert [int(top) + int(under) for top, under in zip(fields["dice"], fields["under"], strict=True)] == [7] * 3
    assert [str(one) for one in bench.die.rolled] == list(fields["dice"])


def test_a_repeated_ask_returns_the_same_roll():
    bench = Bench()
    bench.roll("a1", 5)
    assert verbs(bench.roll("a1", 5)) == ["rolling"]
    ((_, first, fields),) = bench.after(die.TUMBLING)
    for _ in range(20):
        ((verb, number, again),) = bench.roll("a1", 5)
        assert (verb, again) == ("rolled", fields) and number > first
        bench.after(1000)


def test_a_very_late_ask_gets_its_old_roll_and_changes_no_other():
    bench, rolled = Bench(), {}
    for ask in ("a1", "a2", "a3", "a4", "a5"):
        bench.roll(ask, 4)
        ((_, _, rolled[ask]),) = bench.after(die.TUMBLING)
    assert [fields for _, _, fields in bench.roll("a2", 4)] == [rolled["a2"]]
    assert [str(one) for one in bench.die.rolled] == list(rolled["a5"]["dice"])
    assert [fields for _, _, fields in bench.roll("a5", 4)] == [rolled["a5"]]


def test_a_duplicate_or_late_message_changes_nothing():
    bench = Bench()
    bench.say("hello", "v=1", "table=t1")
    old = wire.encode("roll", bench.sent + 1, bench.boot(), "ask=a1", "count=2")
    bench.raw(old)
    bench.after(die.TUMBLING)
    bench.sent += 1
    bench.roll("a2")
    assert bench.raw(old) == []
    ((_, _, fields),) = bench.after(die.TUMBLING)
    assert fields["ask"] == "a2"


def test_a_new_table_starts_its_own_numbering():
    bench = Bench()
    bench.say("hello", "v=1", "table=t1", number=500)
    bench.say("hello", "v=1", "table=t2", number=1)
    assert verbs(bench.say("ping", bench.boot())) == ["pong"]
    assert bench.say(
        "hello", "v=1", "table=t2", number=1
    )  # a late hello from the same table does not reset the numbering
    assert bench.say("ping", bench.boot(), number=2) == []


def test_a_message_for_another_boot_is_refused():
    bench = Bench()
    ((verb, _, fields),) = bench.say("roll", "boot=00000000", "ask=a1", "count=2")
    assert (verb, fields["what"]) == ("error", "boot")
    assert bench.after(5000) == []


@pytest.mark.parametrize(
    ("fields", "what"),
    [(("ask=a", "count=6"), "count"), (("ask=a", "count=0"), "count"), (("ask=a",), "count"), (("count=2",), "count")],
)
def test_an_impossible_roll_or_unknown_verb_is_an_error(fields, what):
    bench = Bench(dice=5)
    ((verb, _, said),) = bench.say("roll", bench.boot(), *fields)
    assert (verb, said["what"], said["re"]) == ("error", what, "1")
    assert verbs(bench.say("sing", bench.boot())) == ["error"]


def test_a_press_is_reported_and_without_a_table_it_rolls_all_dice():
    bench = Bench(dice=3)
    assert verbs(bench.press()) == ["pressed", "rolling"]
    ((verb, _, fields),) = bench.after(die.TUMBLING)
    assert (verb, fields["ask"], len(fields["dice"])) == ("rolled", "-", 3)
    bench.say("hello", "v=1", "table=t1")
    assert verbs(bench.press()) == ["pressed"]
    assert bench.after(2000) == []
    bench.after(die.ALONE)
    assert verbs(bench.press()) == ["pressed", "rolling"]


def test_a_short_glitch_is_not_a_press():
    bench = Bench()
    bench.down = True
    bench.raw(b"")
    bench.now += 5
    bench.down = False
    assert bench.raw(b"") + bench.after(100) == []


def test_the_faces_have_the_right_pips_in_symmetric_places():
    assert [len(pips) for pips in die.PIPS] == [0, 1, 2, 3, 4, 5, 6]
    assert all(6 - led in pips for pips in die.PIPS for led in pips)  # each face looks the same after half a turn


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_leds_show_the_roll(dice):
    bench = Bench(dice)
    bench.say("lamps", bench.boot(), "lit=0", "colour=ff8000")
    assert bench.die.lamp is False
    assert bench.die.lights(0) == [die.DARK] * 7 * dice
    bench.roll("a1", dice)
    assert any(bench.die.lights(0)) and bench.die.lights(0) != bench.die.lights(100)
    bench.after(die.TUMBLING)
    lights = bench.die.lights(bench.now)
    lit = [sum(led == (255, 128, 0) for led in lights[7 * at : 7 * at + 7]) for at in range(dice)]
    assert lit == bench.die.rolled


def test_hidden_dice_are_lit_only_while_the_button_is_held():
    bench = Bench()
    bench.roll("a1", 2, "hidden=1")
    bench.after(die.TUMBLING)
    dark = [die.DARK] * 35
    assert bench.die.lights(bench.now) == dark
    bench.down = True
    bench.raw(b"")
    bench.after(die.FIRM)
    assert bench.die.lights(bench.now) != dark
    bench.down = False
    bench.raw(b"")
    bench.after(die.FIRM)
    assert bench.die.lights(bench.now) == dark


def test_the_numbers_are_fair():
    rolled = Counter(die.Fair(chance(3)).roll(60_000))
    assert set(rolled) == {1, 2, 3, 4, 5, 6}
    assert (
        sum((count - 10_000) ** 2 / 10_000 for count in rolled.values()) < 20.5
    )  # 99.9% of fair samples are below this


def test_bytes_that_would_favour_low_faces_are_skipped():
    blocks = iter([bytes(range(240, 256)), bytes(range(5, 21))])
    assert die.Fair(lambda _: next(blocks)).roll(14) == [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 6, 1]


def counting():
    state = [0]

    def entropy(count):
        state[0] += count
        return bytes(at & 255 for at in range(state[0] - count, state[0]))

    return entropy


STUCK = {
    "zeros": bytes,
    "ones": lambda count: b"\xff" * count,
    "one byte": lambda count: b"\xa5" * count,
    "a short cycle": lambda count: (b"\x13\x9c\x42\xe7" * count)[:count],
    "counting": counting(),
    "nothing": lambda count: b"",
    "a stuck bit": lambda count, source=chance(5): bytes(byte | 16 for byte in source(count)),  # noqa: B008
    "a biased bit": lambda count, source=chance(6): bytes(byte | source(1)[0] & 2 for byte in source(count)),  # noqa: B008
    "too few values": lambda count, source=chance(7): bytes(byte % 32 * 8 + byte % 8 for byte in source(count)),  # noqa: B008
}


@pytest.mark.parametrize("name", STUCK)
def test_with_a_stuck_entropy_source_it_refuses_to_roll_and_reports_it(name):
    bench = Bench(entropy=STUCK[name]) if name != "nothing" else None
    if bench is None:
        with pytest.raises(die.Stuck):
            die.test(STUCK[name])
        return
    assert bench.die.broken
    assert verbs(bench.say("hello", "v=1", "table=t1")) == ["hello"]
    ((verb, _, fields),) = bench.roll("a1")
    assert (verb, fields["what"]) == ("error", "entropy")
    assert bench.press() and bench.after(5000) == []
    assert bench.die.lights(0)[3] == die.RED


def test_a_good_entropy_source_passes():
    for seed in range(300):
        die.test(chance(seed))


def test_an_entropy_source_that_gets_stuck_later_makes_no_roll():
    good, stuck = chance(), []
    bench = Bench(entropy=lambda count: b"\x07" * count if stuck else good(count))
    stuck.append(True)
    bench.roll("a1", 5)
    ((verb, _, fields),) = bench.after(die.TUMBLING)
    assert (verb, fields["what"]) == ("error", "entropy")
    assert verbs(bench.roll("a3")) == ["error"]


def test_noise_and_floods_change_nothing():
    bench, noise = Bench(), chance(9)
    for _ in range(200):
        assert bench.raw(noise(500)) == []
    assert bench.raw(b"\n") == []
    assert verbs(bench.roll("a1")) == ["rolling"]


def test_the_drawing_and_the_page_show_the_firmwares_pins():
    docs = README.parent.parent / "docs"
    drawing = runpy.run_path(str(docs / "wiring.py"))
    page = (docs / "edice.md").read_text(encoding="utf-8")
    for what, name in (("data", "LEDS_PIN"), ("button", "BUTTON_PIN"), ("lamp", "LAMP_PIN")):
        number = drawing["gpio"](name)
        assert f"| {what} | GP{number} ({drawing['AT'][number]}) |" in page


def test_the_dialogue_in_the_readme_is_correct():
    """Lines with > are sent to dice with known entropy, lines with < are their complete reply, and ... lets time
    pass."""
    talk = re.search(r"```talk\n(.*?)```", README.read_text(encoding="utf-8"), re.S)[1]
    bench = Bench(dice=5, entropy=chance(2026))
    said = bench.die.greeting()
    for line in talk.splitlines():
        if line.startswith("> "):
            assert said == b"", line
            said = bench.die.turn(bench.now, line[2:].encode() + b"\n", False)
        elif line.startswith("< "):
            first, _, said = said.partition(b"\n")
            assert first.decode() == line[2:]
        elif line.startswith("... its button"):
            bench.die.turn(bench.now, b"", True)
            bench.now += die.FIRM
            said = bench.die.turn(bench.now, b"", True)
            bench.die.turn(bench.now, b"", False)
        else:
            assert line.startswith("..."), line
            bench.now += die.TUMBLING
            said = bench.die.turn(bench.now, b"", False)
    assert said == b""
