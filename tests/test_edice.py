"""The driver of the e-dice, with real pyserial on real ptys, and the firmware's logic at the other end."""

import errno
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from firmware import die as firmware
from firmware import wire
from firmware.die import TUMBLING
from table import pretend
from table.devices import boards, link
from table.devices import edice as driver
from table.devices.edice import EDice
from table.errors import Refused
from table.messages import DeviceFound, DeviceLost, DiceRead, EDicePaired, EDicePressed, EDiceState
from table.rules.vocabulary import Roll
from tests.edice import Cable, Firmware, Listener, Scripted
from tests.soak.lines import Hostile

pytestmark = pytest.mark.ground
pytest.importorskip("serial", reason="pyserial is not installed: make test installs it")


@pytest.fixture
def heard():
    return Listener()


@pytest.fixture
def plug(tmp_path):
    """Plugs things in, and takes them out at the end."""
    cables = []

    def plug(name="edice", device=None, **how):
        cables.append(Cable(tmp_path / name, device or Firmware(), **how))
        return cables[-1]

    yield plug
    for cable in cables:
        cable.pull()


@pytest.fixture
def edice(heard, tmp_path):
    made = []

    def edice(*names):
        made.append(EDice(heard, ",".join(str(tmp_path / name) for name in names or ("edice",))))
        return made[-1]

    yield edice
    for source in made:
        source.close()


@pytest.fixture(autouse=True)
def haste(monkeypatch):
    """What a table does after a while, it does after a shorter one here: these tests would do little but wait."""
    for name, seconds in {"GREETS": 0.15, "ASKS": 0.15, "PINGS": 0.4, "PATIENCE": 1.2}.items():
        monkeypatch.setattr(link, name, seconds)
    rest = {"stalled": 0.3, "unplugged": 0.0}
    for name, seconds in {"LONGEST": 2.0, "LONG_REST": 1.0, "REST": rest}.items():
        monkeypatch.setattr(boards, name, seconds)
    monkeypatch.setattr(driver, "LOOK", 0.1)
    monkeypatch.setattr(firmware, "TUMBLING", 200)


@pytest.fixture
def tumble(monkeypatch):
    """Dice tumble for as long as they do, so that something can happen to them meanwhile."""
    monkeypatch.setattr(firmware, "TUMBLING", TUMBLING)


@pytest.fixture
def impatience(monkeypatch):
    """Dice that are away are missed at once."""
    monkeypatch.setattr(boards, "GRACE", 0.5)


def until(done, seconds=20):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def trouble(word):
    return lambda message: isinstance(message, EDiceState) and message.trouble == word


def test_a_roll_that_is_asked_for_comes_with_as_many_dice_and_just_as_they_fell(plug, edice, heard):
    cable, source = plug(), edice()
    for ticket, count in enumerate(range(1, 7)):
        source.ask(ticket, Roll(0, count))
        dice = heard.dice(ticket)
        assert len(dice) == count
        assert list(dice) == cable.device.die.rolled


def test_two_asks_for_as_many_dice_are_two_rolls(plug, edice, heard):
    cable, source = plug(), edice()
    for ticket in range(3):
        source.ask(ticket, Roll(0, 5))
        heard.dice(ticket)
    assert len(cable.device.rolled) == 3


def test_a_roll_that_was_cancelled_is_not_posted_and_asked_for_again_it_is_the_same(plug, edice, heard, tumble):
    cable, source = plug(), edice()
    roll = Roll(0, 6)
    source.ask(1, roll)
    deadline = time.monotonic() + 20
    while not cable.device.rolled and time.monotonic() < deadline:
        if cable.device.die._ask:
            source.cancel()
        time.sleep(0.01)
    time.sleep(0.3)
    assert not [message for message in heard.posted if isinstance(message, DiceRead)]
    source.ask(2, roll)
    assert heard.dice(2) == tuple(*cable.device.rolled.values())


def test_a_roll_that_is_asked_for_again_before_it_fell_is_not_the_one_before_it(plug, edice, heard, tumble):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 6))
    heard.dice(1)
    roll = Roll(0, 6)
    source.ask(2, roll)
    source.cancel()
    source.ask(3, roll)
    assert list(heard.dice(3)) == cable.device.die.rolled
    assert len(cable.device.rolled) == 2


def test_its_button_is_said(plug, edice, heard):
    cable, source = plug(), edice()
    source.open()
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    cable.press()
    assert heard.wait(lambda message: isinstance(message, EDicePressed)).player is None


def test_dice_that_come_late_roll_when_they_come(plug, edice, heard, impatience):
    cable, source = plug(in_it=False), edice()
    source.ask(1, Roll(0, 2))
    lost = heard.wait(lambda message: isinstance(message, DeviceLost))
    assert lost == DeviceLost("edice", "absent")
    cable.put_back()
    heard.wait(lambda message: message == DeviceFound("edice"))
    assert len(heard.dice(1)) == 2


def test_pulled_in_the_middle_of_a_roll_and_put_back_it_rolls_and_nobody_is_troubled(plug, edice, heard, tumble):
    cable, source = plug(), edice()
    source.ask(0, Roll(0, 1))
    heard.dice(0)
    for ticket in range(1, 4):
        source.ask(ticket, Roll(0, 3))
        time.sleep(0.1 * ticket)
        cable.pull()
        cable.put_back()
        assert list(heard.dice(ticket)) == cable.device.die.rolled
    assert not [message for message in heard.posted if isinstance(message, DeviceLost)]


def test_a_line_that_hangs_and_comes_back_brings_the_dice_that_fell_meanwhile(plug, edice, heard, tumble):
    """The board has not restarted: what it showed to everybody is what counts."""
    lost = []

    def up(data):
        if b"rolled" in data and len(lost) < 3:
            lost.append(data)
            return b""
        return data

    cable, source = plug(up=up), edice()
    source.ask(1, Roll(0, 6))
    assert list(heard.dice(1)) == cable.device.die.rolled
    assert len(lost) == 3 and len(cable.device.rolled) == 1


def test_an_answer_that_crosses_the_news_that_they_are_back_is_not_rolled_again(plug, edice, heard):
    """The table asks once more when it hears that they are back, and the dice that fell may be on their way already."""
    lost = threading.Event()
    cable, source = plug(up=lambda data: b"" if lost.is_set() else data), edice()
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    lost.set()
    roll = Roll(0, 6)
    source.ask(2, roll)
    heard.wait(lambda message: isinstance(message, DeviceLost))
    lost.clear()
    fell = heard.dice(2)
    source.cancel()
    source.ask(3, roll)
    assert heard.dice(3) == fell
    assert len(cable.device.rolled) == 2


def test_over_a_hostile_line_every_roll_that_comes_is_the_one_that_fell(plug, edice, heard, tumble):
    chance = random.Random(4)
    lines = [Hostile(chance), Hostile(chance)]
    up, down = (lambda data, line=line: line.carry(data, time.monotonic_ns() // 1_000_000) for line in lines)
    cable, source = plug(up=up, down=down), edice()
    for ticket in range(8):
        source.ask(ticket, Roll(0, 5))
        ask = source.boards._standing.asked.ask
        assert heard.dice(ticket, 60) == cable.rolled[ask]
    assert sum(line.carried.total() - line.carried["good"] for line in lines) > 20


def test_one_that_reboots_in_the_middle_of_a_roll_is_said_and_rolls_again(plug, edice, heard, tumble):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 4))
    until(lambda: cable.device.die._ask)
    cable.device.boot()
    heard.wait(trouble("rebooted"))
    assert list(heard.dice(1)) == cable.device.die.rolled
    heard.wait(trouble(""))


def test_one_that_was_switched_off_and_on_in_the_middle_of_a_roll_is_said(plug, edice, heard, tumble):
    """A board that restarts is not there for a moment: its port goes, and comes again."""
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 4))
    until(lambda: cable.device.die._done_at >= 0)
    cable.pull()
    cable.put_back()
    heard.wait(trouble("rebooted"))
    assert list(heard.dice(1)) == cable.device.die.rolled
    heard.wait(trouble(""))


def test_one_that_takes_nothing_any_more_is_there_all_the_same(plug, edice, heard, impatience):
    cable = plug()
    cable.silent = True
    line = os.open(cable.port, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    with suppress(BlockingIOError):
        while True:
            os.write(line, b"x")
    edice().ask(1, Roll(0, 2))
    heard.wait(trouble("silent"))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "silent"
    cable.silent = False
    os.close(line)
    assert list(heard.dice(1)) == cable.device.die.rolled


def test_that_one_restarted_is_not_said_of_a_roll_that_nobody_waits_for(plug, edice, heard, tumble):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 4))
    until(lambda: cable.device.die._done_at >= 0)
    cable.device.boot()
    heard.wait(trouble("rebooted"))
    source.cancel()
    heard.wait(trouble(""), 5)


def test_one_that_hangs_is_said_and_goes_on_when_it_wakes(plug, edice, heard, impatience):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 2))
    heard.dice(1)
    cable.silent = True
    source.ask(2, Roll(0, 2))
    heard.wait(trouble("stalled"))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "stalled"
    cable.silent = False
    assert list(heard.dice(2)) == cable.device.die.rolled


def test_one_that_answers_and_never_rolls_is_said_once_and_its_roll_is_taken_if_it_comes_at_last(
    plug, edice, heard, haste
):
    def without(data):
        return b"".join(line for line in data.splitlines(True) if not line.startswith(b"rolled"))

    cable, source = plug(up=without), edice()
    source.ask(1, Roll(0, 2))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)) == DeviceLost("edice", "idle")
    time.sleep(0.6)  # in which it is looked for and asked again and again
    assert heard.posted == []  # the screen that offers other dice stays
    cable.up = bytes
    assert list(heard.dice(1)) == cable.device.die.rolled


def test_one_that_reboots_in_every_roll_is_said_once_and_other_dice_are_offered(plug, edice, heard, tumble):
    """As one does whose LEDs take more than its cable gives."""
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 2))

    def lost():
        return [message for message in heard.posted if isinstance(message, DeviceLost | DeviceFound)]

    deadline = time.monotonic() + 30
    while not lost() and time.monotonic() < deadline:
        if cable.device.die._done_at >= 0:
            cable.pull()
            cable.device.boot()
            cable.put_back()
        time.sleep(0.01)
    time.sleep(0.6)
    assert lost() == [DeviceLost("edice", "rebooted")]


def hello(**fields):
    """A device that answers every hello with these fields."""
    lines = wire.Lines()

    def says(data):
        said = b""
        for verb, number, told in lines.feed(data):
            if verb == "hello":
                all_of_it = {"boot": "1", "v": "1", "table": told["table"], "id": "x", "dice": "5", **fields}
                said += wire.encode("hello", number, *(f"{key}={value}" for key, value in all_of_it.items()))
        return said

    return says


@pytest.mark.parametrize(
    ("says", "word"),
    [
        (lambda data: b"x" * 4000, "flood"),
        (lambda data: wire.encode("ping", 1) * 200, "flood"),
        (lambda data: b"", "silent"),
        (lambda data: b"start\nok T:20.1\n" if data else b"", "foreign"),
        (lambda data: os.urandom(40) if data else b"", "foreign"),
        (lambda data: data, "foreign"),  # a cable with a bend in it: we hear ourselves
        (hello(v="2"), "version"),
        (hello(dice="9"), "foreign"),
    ],
    ids=["flood", "flood of lines", "silent", "a printer", "noise", "echo", "version", "nonsense"],
)
def test_what_is_no_e_dice_is_said_in_a_word_and_rolls_nothing(plug, edice, heard, says, word, impatience):
    plug(device=Scripted(says))
    edice().ask(1, Roll(0, 2))
    heard.wait(trouble(word))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == word


def test_many_that_are_none_do_not_keep_the_table_waiting_for_each_in_turn(plug, edice, heard, impatience, monkeypatch):
    monkeypatch.setattr(link, "PATIENCE", 0.6)
    ports = [plug(name, Scripted(lambda data: b""), in_it=False) for name in "abcd"]
    edice(*"abcd").ask(1, Roll(0, 2))
    for port in ports:
        port.put_back()
        time.sleep(0.5)  # less than a port has to say what it is
    assert heard.wait(lambda message: isinstance(message, DeviceLost), 10).why == "silent"


def test_a_stuck_source_of_chance_is_said(plug, edice, heard, impatience):
    plug(device=Firmware(entropy=bytes))
    edice().ask(1, Roll(0, 2))
    heard.wait(trouble("entropy"))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "entropy"


def test_how_many_can_roll_is_said_when_it_changes(plug, edice, heard):
    one, two = plug("one", Firmware(name="one")), plug("two", Firmware(name="two"), in_it=False)
    edice("one", "two").open()
    heard.wait(lambda message: message == EDiceState(ready=1))
    two.put_back()
    heard.wait(lambda message: message == EDiceState(ready=2))
    one.pull()
    two.pull()
    heard.wait(lambda message: message == EDiceState(ready=0))


def test_too_few_dice_are_said(plug, edice, heard, impatience):
    plug(device=Firmware(dice=2))
    edice().ask(1, Roll(0, 5))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "few"


def test_a_flood_beside_a_good_one_does_it_no_harm(plug, edice, heard):
    plug("bad", Scripted(lambda data: os.urandom(4000)))
    cable, source = plug("good"), edice("bad", "good")
    for ticket in range(4):
        source.ask(ticket, Roll(0, 3))
        assert list(heard.dice(ticket, 10)) == cable.device.die.rolled


def test_the_one_whose_button_was_pressed_throws(plug, edice, heard):
    cables = {name: plug(name, Firmware(name=name)) for name in ("one", "two", "three")}
    source = edice(*cables)
    source.open()
    for ticket, name in enumerate(["two", "three", "one", "two"]):
        deadline = time.monotonic() + 20
        while not any(isinstance(message, EDicePressed) for message in heard.posted) and time.monotonic() < deadline:
            cables[name].press()
            time.sleep(0.1)
        assert heard.wait(lambda message: isinstance(message, EDicePressed)).device == name
        source.ask(ticket, Roll(0, 5))
        dice = heard.dice(ticket)
        assert list(dice) == cables[name].device.die.rolled
        heard.posted.clear()


def test_dice_that_are_plugged_in_while_others_roll_do_not_take_the_roll(plug, edice, heard, tumble):
    rolls, comes = plug("rolls", Firmware(name="z")), plug("comes", Firmware(name="a"), in_it=False)
    source = edice("rolls", "comes")
    source.ask(0, Roll(0, 1))
    heard.dice(0)
    source.ask(1, Roll(0, 6))
    comes.put_back()
    assert list(heard.dice(1)) == rolls.device.die.rolled
    assert comes.device.rolled == {}


def test_of_two_with_one_id_the_one_that_rolls_keeps_the_roll(plug, edice, heard, tumble):
    """Cheap boards are made with the same id."""
    comes, rolls = plug("comes", Firmware(name="x")), plug("rolls", Firmware(name="x"))
    comes.silent = True
    source = edice("comes", "rolls")
    source.ask(1, Roll(0, 6))
    until(lambda: rolls.device.die._done_at >= 0)
    comes.silent = False
    assert list(heard.dice(1)) == rolls.device.die.rolled
    assert comes.device.rolled == {} and not [message for message in heard.posted if trouble("rebooted")(message)]


def test_a_roll_waits_a_moment_for_the_dice_that_were_asked_and_goes_to_others_then(
    plug, edice, heard, tumble, monkeypatch
):
    monkeypatch.setattr(boards, "GRACE", 1.2)
    asked, other = plug("asked", Firmware(name="a")), plug("other", Firmware(name="z"))
    source = edice("asked", "other")
    source.open()
    until(lambda: [link.ready for link in source.boards._links.values()] == [True, True])

    def pulled(ticket):
        source.ask(ticket, Roll(0, 6))
        until(lambda: asked.device.die._done_at >= 0)
        asked.pull()

    pulled(1)
    asked.put_back()
    assert list(heard.dice(1)) == asked.device.die.rolled
    assert other.device.rolled == {}
    pulled(2)
    assert list(heard.dice(2)) == other.device.die.rolled
    assert not [message for message in heard.posted if isinstance(message, DeviceLost)]


def pair(source, heard, cable, player):
    source.pair(player)
    deadline = time.monotonic() + 20
    while source.pairing and time.monotonic() < deadline:
        cable.press()
        time.sleep(0.1)
    return heard.wait(lambda message: isinstance(message, EDicePaired))


def test_a_hidden_roll_goes_to_the_seats_own_and_shows_nothing(plug, edice, heard):
    cables = {name: plug(name, Firmware(name=name)) for name in ("one", "two")}
    source = edice(*cables)
    source.sit(["Ann", "Bo"])
    assert not source.private(0) and not source.private(1)
    assert pair(source, heard, cables["two"], "Ann") == EDicePaired("Ann", "two")
    assert source.private(0) and not source.private(1)
    source.ask(1, Roll(0, 5, hidden=True))
    die = cables["two"].device.die
    assert list(heard.dice(1)) == die.rolled
    assert not any(map(any, die.lights(10**12)))
    source.ask(2, Roll(1, 5))
    assert list(heard.dice(2)) == cables["one"].device.die.rolled  # Bo has none, and Ann's is not anybody's


def test_a_pair_holds_when_people_change_seats_and_an_e_dice_has_one_owner(plug, edice, heard):
    cable, source = plug(device=Firmware(name="one")), edice()
    source.sit(["Ann", "Bo"])
    pair(source, heard, cable, "Ann")
    source.sit(["Bo", "Cleo", "Ann"])
    assert [source.private(seat) for seat in range(3)] == [False, False, True]
    pair(source, heard, cable, "Bo")
    assert source.paired == {"Bo": "one"}
    source.part("Bo")
    assert source.paired == {}


def two_with_one_id(plug, edice):
    cables = [plug(name, Firmware(name="x")) for name in ("one", "two")]
    source = edice("one", "two")
    source.open()
    until(lambda: [link.ready for link in source.boards._links.values()] == [True, True])
    return cables, source


def test_of_two_with_one_id_the_one_whose_button_was_pressed_throws_and_each_roll_is_made_once(plug, edice, heard):
    cables, source = two_with_one_id(plug, edice)
    for ticket, cable in enumerate([*cables, *cables]):
        cable.press()
        heard.wait(lambda message: isinstance(message, EDicePressed))
        source.ask(ticket, Roll(0, 6))
        assert list(heard.dice(ticket)) == cable.device.die.rolled
    assert [len(cable.device.rolled) for cable in cables] == [2, 2]


def test_of_two_with_one_id_each_has_an_owner_of_its_own_who_alone_sees_what_is_hidden(plug, edice, heard):
    one, two = plug("one", Firmware(name="x")), plug("two", Firmware(name="x"), in_it=False)
    source = edice("one", "two")
    source.sit(["Ann", "Bo"])
    pair(source, heard, one, "Ann")
    two.put_back()
    pair(source, heard, two, "Bo")
    for ticket, (seat, cable) in enumerate([(0, one), (1, two), (0, one)]):
        assert source.private(seat)
        source.ask(ticket, Roll(seat, 6, hidden=True))
        assert list(heard.dice(ticket)) == cable.device.die.rolled


def test_of_two_with_one_id_none_is_taken_for_the_other_after_both_were_switched_off(plug, edice, heard, impatience):
    cables, source = two_with_one_id(plug, edice)
    source.sit(["Ann", "Bo"])
    for cable, player in zip(cables, ["Ann", "Bo"], strict=True):
        pair(source, heard, cable, player)
    for cable in cables:
        cable.pull()
    cables[1].put_back()
    source.ask(1, Roll(0, 6, hidden=True))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "twin"
    assert cables[1].device.rolled == {}
    cables[0].put_back()
    pair(source, heard, cables[0], "Ann")
    assert list(heard.dice(1)) == cables[0].device.die.rolled


def test_of_two_with_one_id_the_one_that_was_asked_is_waited_for_if_it_kept_its_power(plug, edice, heard, tumble):
    """The dice that fell while its cable was out are the roll, and the other throws none."""
    (one, two), source = two_with_one_id(plug, edice)
    source.ask(1, Roll(0, 6))
    until(lambda: one.device.die._done_at >= 0 or two.device.die._done_at >= 0)
    asked, other = (one, two) if one.device.die._done_at >= 0 else (two, one)
    asked.device.boot = bytes  # it goes on as it was
    asked.pull()
    asked.put_back()
    assert list(heard.dice(1)) == asked.device.die.rolled
    assert (len(asked.device.rolled), len(other.device.rolled)) == (1, 0)


def test_a_hidden_roll_waits_for_the_seats_own_and_goes_to_no_other(plug, edice, heard, impatience):
    one, two = plug("one", Firmware(name="one")), plug("two", Firmware(name="two"))
    source = edice("one", "two")
    source.sit(["Ann"])
    pair(source, heard, one, "Ann")
    one.pull()
    source.ask(1, Roll(0, 2, hidden=True))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "own"
    assert two.device.rolled == {}
    one.put_back()
    assert list(heard.dice(1)) == one.device.die.rolled


def test_why_the_seats_own_does_not_roll_is_said_whatever_else_is_plugged_in(plug, edice, heard, impatience):
    own, _, _ = plug("own", Firmware(2, "own")), plug("other"), plug("printer", Scripted(lambda data: b"ok\n" * 9))
    source = edice("own", "other", "printer")
    source.sit(["Ann"])
    pair(source, heard, own, "Ann")
    until(lambda: source.boards._state.trouble == "foreign")
    source.ask(1, Roll(0, 5, hidden=True))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "few"
    own.pull()
    source.ask(2, Roll(0, 2, hidden=True))
    assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "own"


def test_lamps_are_lit_where_a_press_would_throw(plug, edice, heard):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    for seat, lit in [(0, True), (None, False), (3, True)]:
        source.light(seat)
        until(lambda lit=lit: cable.device.die.lamp is lit)


def test_lamps_are_right_after_a_cable_was_pulled_and_after_a_pair_was_parted(plug, edice, heard):
    class Untold(Firmware):
        """A lamp is lit when the board starts: only what the table says counts here."""

        def boot(self):
            said = super().boot()
            self.die.lamp = None
            return said

    cables = [plug(name, Untold(name=name)) for name in ("anns", "anybodys")]
    source = edice("anns", "anybodys")
    source.sit(["Ann", "Bo"])
    pair(source, heard, cables[0], "Ann")

    def become(*lit):
        until(lambda: [cable.device.die.lamp for cable in cables] == list(lit))

    for seat in (0, 1):
        source.light(seat)
        become(seat == 0, seat == 1)
        for cable in cables:
            cable.pull()
            cable.device.die.lamp = None
            cable.put_back()
        become(seat == 0, seat == 1)
    source.part("Ann")
    become(True, True)


def test_two_tables_do_not_share_a_port(plug, edice, heard, tmp_path):
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    others = Listener()
    second = EDice(others, cable.port)
    second.ask(1, Roll(0, 1))
    others.wait(trouble("busy"))
    second.close()
    source.ask(2, Roll(0, 1))
    heard.dice(2)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ((errno.EACCES, "could not open port"), "denied"),
        (("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)",), "busy"),  # on Windows
    ],
)
def test_a_port_that_may_not_be_opened_is_said(edice, heard, monkeypatch, said, word):
    import serial

    def refused(*_, **__):
        raise serial.SerialException(*said)

    monkeypatch.setattr(serial, "Serial", refused)
    edice().ask(1, Roll(0, 1))
    heard.wait(trouble(word))


def test_they_are_found_by_their_usb_id_among_all_ports(plug, heard, monkeypatch, impatience):
    from serial.tools import list_ports

    cable = plug()
    printer = plug("printer", Scripted(lambda data: pytest.fail("nobody asked the printer anything") if data else b""))
    ports = [SimpleNamespace(device=printer.port, vid=0x1A86), SimpleNamespace(device="/dev/ttyS0", vid=None)]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    source = EDice(heard)
    try:
        source.ask(1, Roll(0, 2))
        heard.wait(lambda message: isinstance(message, DeviceLost))
        ports.append(SimpleNamespace(device=cable.port, vid=0x2E8A))
        assert list(heard.dice(1)) == cable.device.die.rolled
    finally:
        source.close()


def test_a_device_that_goes_in_the_middle_of_a_look_does_not_end_the_looking(plug, heard, monkeypatch):
    """pyserial reads what the system says of each port, one file after the other, and trips over one that is gone."""
    from serial.tools import list_ports

    cable, looks = plug(), []

    def comports():
        looks.append(len(looks))
        if len(looks) == 2:
            raise TypeError("int() can't convert non-string with explicit base")
        return [SimpleNamespace(device=cable.port, vid=0x2E8A)] if len(looks) > 2 else []

    monkeypatch.setattr(list_ports, "comports", comports)
    source = EDice(heard)
    try:
        source.ask(1, Roll(0, 2))
        assert list(heard.dice(1)) == cable.device.die.rolled
    finally:
        source.close()


def test_closing_leaves_no_thread_and_no_port_behind(plug, heard):
    before = set(threading.enumerate())
    cable = plug()
    source = EDice(heard, cable.port)
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    source.close()
    assert {thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("edice")} == set()
    again = EDice(heard, cable.port)
    again.ask(2, Roll(0, 1))
    heard.dice(2)
    again.close()


def test_nobody_wakes_a_port_that_is_being_closed(plug, edice, heard, monkeypatch):
    """To wake is to write to a file by its number, which is another file's as soon as this one is closed."""
    import serial

    woken = []

    class Watched(serial.Serial):
        def close(self):
            woken.append(self.port in source._wakes)
            super().close()

    monkeypatch.setattr(serial, "Serial", Watched)
    cable, source = plug(), edice()
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    cable.pull()
    until(lambda: not source.boards._links)
    assert woken and not any(woken)


def test_without_pyserial_that_is_said(heard, monkeypatch):
    monkeypatch.setitem(sys.modules, "serial.tools", None)
    source = EDice(heard)
    for ticket in range(2):
        source.ask(ticket, Roll(0, 1))
        assert heard.wait(lambda message: isinstance(message, DeviceLost)) == DeviceLost("edice", "pyserial")
    source.close()


@pytest.fixture
def pretends(tmp_path, monkeypatch):
    """Runs `dicetable edice` as a person does, as often as wanted."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    begun = []

    def pretends():
        command, pipe = [sys.executable, "-m", "table", "edice", "--dice", "4"], subprocess.PIPE
        begun.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"))
        return begun[-1], re.search(r"--edice (\S+)$", begun[-1].stdout.readline())[1]

    late = threading.Timer(60, lambda: [process.kill() for process in begun])
    late.start()
    yield pretends
    late.cancel()
    for process in begun:
        process.kill()
        process.communicate()


def enter(process):
    process.stdin.write("\n")
    process.stdin.flush()


def test_the_command_gives_anybody_a_pretend_e_dice(pretends, heard, impatience):
    """The port that it prints, a roll, a press of Enter, hidden dice, Ctrl-C that pulls it out, and put back again."""
    process, port = pretends()
    source = EDice(heard, port)
    try:
        source.ask(1, Roll(0, 4))
        dice = heard.dice(1)
        assert process.stdout.readline() == "Enter presses its button; Ctrl-C pulls it out.\n"
        assert process.stdout.readline() == f"It shows {' '.join(map(str, dice))}.\n"
        enter(process)
        heard.wait(lambda message: isinstance(message, EDicePressed))
        source.sit(["Ann"])
        source.pair("Ann")
        enter(process)
        heard.wait(lambda message: isinstance(message, EDicePaired))
        source.ask(2, Roll(0, 4, hidden=True))
        dice = heard.dice(2)
        assert "stays dark" in process.stdout.readline()  # as a real one, until its button is held
        enter(process)
        assert process.stdout.readline() == f"It shows {' '.join(map(str, dice))}.\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read().strip() == ""
        source.ask(3, Roll(0, 4, hidden=True))
        assert heard.wait(lambda message: isinstance(message, DeviceLost)).why == "absent"
        assert pretends()[1] == port
        heard.dice(3)  # the same one again, and still Ann's
    finally:
        source.close()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_name_of_a_pretend_e_dice_goes_with_it(pretends, ending):
    """The system gives the pty's own name to whatever is opened next: a table would greet somebody's terminal."""
    process, port = pretends()
    assert os.path.exists(port)
    process.send_signal(ending)
    process.wait(20)
    assert not os.path.lexists(port)


def test_several_pretend_e_dice_have_names_and_ids_of_their_own_and_one_that_was_killed_leaves_no_trace(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "dicetable"
    folder.mkdir()
    (folder / "edice").symlink_to("/nowhere")  # of one that was killed
    one, two = pretend.Pretend(2), pretend.Pretend(2)
    assert [one.port, two.port] == [str(folder / "edice"), str(folder / "edice-2")]
    assert one.die.greeting().split()[5] != two.die.greeting().split()[5]
    one.close()
    again = pretend.Pretend(2)
    assert again.port == str(folder / "edice") and os.path.exists(again.port)
    two.close()
    again.close()
    assert [path for path in folder.iterdir() if path.suffix != ".lock"] == []


def test_where_there_is_no_pty_the_command_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pty", None)
    with pytest.raises(Refused, match="only Linux and macOS have"):
        pretend.run(5, print)


@pytest.mark.parametrize("dice", [0, 7, -1])
def test_a_pretend_e_dice_has_as_many_dice_as_a_real_one(dice):
    with pytest.raises(Refused, match="from 1 to 6 dice"):
        pretend.run(dice, print)
