"""The e-dice driver's decisions, tested with in-memory serial lines, a manual clock and the real firmware code."""

import random

import pytest

from firmware import wire
from table.devices.boards import GRACE, LONGEST, Boards
from table.devices.link import PATIENCE
from table.devices.ports import LONG_REST
from table.engine.asks import Roll
from table.session.messages import DeviceFound, DeviceLost, DiceRead, SourcePaired, SourcePressed, SourceState
from tests.edice import Firmware, Hub, Scripted
from tests.soak.lines import Hostile

noise = random.Random(1).randbytes


@pytest.fixture
def hub():
    return Hub()


def trouble(word):
    return lambda message: isinstance(message, SourceState) and message.trouble == word


def lost(message):
    return isinstance(message, DeviceLost)


def pressed(message):
    return isinstance(message, SourcePressed)


def of_kind(kind, messages):
    return [message for message in messages if isinstance(message, kind)]


def without_rolled(data):
    """A line that drops every `rolled` message."""
    return b"".join(line for line in data.splitlines(True) if not line.startswith(b"rolled"))


def test_a_roll_returns_the_requested_number_of_dice_as_they_fell(hub):
    line, source = hub.line(), hub.edice()
    for ticket, count in enumerate(range(1, 7)):
        source.ask(ticket, Roll(0, count))
        dice = hub.dice(ticket)
        assert len(dice) == count
        assert list(dice) == line.device.die.rolled


def test_two_asks_for_the_same_number_of_dice_are_two_rolls(hub):
    line, source = hub.line(), hub.edice()
    for ticket in range(3):
        source.ask(ticket, Roll(0, 5))
        hub.dice(ticket)
    assert len(line.device.rolled) == 3


def test_a_cancelled_roll_is_not_posted_but_is_returned_when_asked_for_again(hub):
    line, source = hub.line(), hub.edice()
    roll = Roll(0, 6)
    source.ask(1, roll)
    hub.until(lambda: line.device.rolls)
    source.cancel()
    hub.until(lambda: line.device.rolled)
    hub.run(1)
    assert of_kind(DiceRead, hub.posted) == []
    source.ask(2, roll)
    assert hub.dice(2) == tuple(*line.device.rolled.values())


def test_a_roll_asked_for_again_before_it_fell_is_not_the_previous_roll(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 6))
    hub.dice(1)
    roll = Roll(0, 6)
    source.ask(2, roll)
    source.cancel()
    source.ask(3, roll)
    assert list(hub.dice(3)) == line.device.die.rolled
    assert len(line.device.rolled) == 2


def test_a_button_press_is_posted(hub):
    line, source = hub.line(), hub.edice()
    source.open()
    hub.ready(1)
    hub.press(line)
    assert hub.wait(pressed).player is None


def test_dice_plugged_in_after_the_ask_still_roll(hub):
    line, source = hub.line(in_it=False), hub.edice()
    source.ask(1, Roll(0, 2))
    assert hub.wait(lost) == DeviceLost("edice", "absent")
    hub.put_back(line)
    hub.wait(lambda message: message == DeviceFound("edice"))
    assert len(hub.dice(1)) == 2


def test_dice_unplugged_briefly_during_a_roll_finish_it_without_an_error(hub):
    line, source = hub.line(), hub.edice()
    hub.ready(1)
    for ticket in range(1, 4):
        source.ask(ticket, Roll(0, 3))
        hub.run(0.2 * ticket)
        assert line.device.rolls
        hub.pull(line)
        hub.run(0.5)
        hub.put_back(line)
        assert list(hub.dice(ticket)) == line.device.die.rolled
    assert of_kind(DeviceLost, hub.posted) == []


def test_dice_unplugged_for_longer_are_reported_and_get_the_full_time_when_they_return(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 2))
    hub.until(lambda: line.device.rolls)
    hub.pull(line)
    assert hub.wait(lost).why == "unplugged"
    hub.run(2 * LONGEST)
    hub.put_back(line)
    hub.wait(lambda message: message == DeviceFound("edice"))
    assert list(hub.dice(1)) == line.device.die.rolled
    assert of_kind(DeviceLost, hub.new) == []


def test_a_line_that_hangs_and_recovers_delivers_the_dice_rolled_meanwhile(hub):
    """The board did not restart, so the dice on its LEDs are valid."""
    swallowed = []

    def up(data):
        if b"rolled" in data and len(swallowed) < 3:
            swallowed.append(data)
            return b""
        return data

    line, source = hub.line(up=up), hub.edice()
    source.ask(1, Roll(0, 6))
    assert list(hub.dice(1)) == line.device.die.rolled
    assert len(swallowed) == 3 and len(line.device.rolled) == 1


def test_an_answer_that_arrives_while_the_table_asks_again_is_not_rolled_again(hub):
    """When the dice are back, the table asks again, even though their earlier answer may already be on its way."""
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 1))
    hub.dice(1)
    line.up = lambda data: b""
    roll = Roll(0, 6)
    source.ask(2, roll)
    hub.wait(lost)
    line.up = bytes
    fell = hub.dice(2)
    source.cancel()
    source.ask(3, roll)
    assert hub.dice(3) == fell
    assert len(line.device.rolled) == 2


def test_a_hostile_line_never_changes_a_roll(hub):
    chance = random.Random(4)
    ways = [Hostile(chance), Hostile(chance)]
    up, down = (lambda data, way=way: way.carry(data, hub.ms) for way in ways)
    line, source = hub.line(up=up, down=down), hub.edice()
    for ticket in range(8):
        source.ask(ticket, Roll(0, 5))
        ask = source.boards._standing.asked.ask
        assert hub.dice(ticket) == line.rolled[ask]
    assert sum(way.carried.total() - way.carried["good"] for way in ways) > 20


def test_dice_that_reboot_during_a_roll_are_reported_and_roll_again(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 4))
    hub.until(lambda: line.device.rolls)
    line.device.boot(hub.ms)
    hub.wait(trouble("rebooted"))
    assert list(hub.dice(1)) == line.device.die.rolled
    hub.wait(trouble(""))


def test_dice_switched_off_and_on_during_a_roll_are_reported(hub):
    """The port of a restarting board disappears for a moment."""
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 4))
    hub.until(lambda: line.device.rolls)
    hub.pull(line)
    hub.put_back(line)
    hub.wait(trouble("rebooted"))
    assert list(hub.dice(1)) == line.device.die.rolled
    hub.wait(trouble(""))


def test_a_board_that_accepts_no_data_is_reported_and_rolls_once_it_recovers(hub):
    line, source = hub.line(), hub.edice()
    line.stuck = True
    source.ask(1, Roll(0, 2))
    hub.wait(trouble("silent"))
    assert hub.wait(lost).why == "silent"
    line.stuck = False
    assert list(hub.dice(1)) == line.device.die.rolled
    line.stuck = True
    source.ask(2, Roll(0, 2))
    hub.wait(trouble("stalled"))
    hub.wait(lost)
    line.stuck = False
    assert list(hub.dice(2)) == line.device.die.rolled


def test_an_earlier_reboot_is_not_the_reason_given_for_the_next_roll(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 4))
    hub.until(lambda: line.device.rolls)
    line.device.boot(hub.ms)
    hub.wait(trouble("rebooted"))
    hub.dice(1)
    hub.pull(line)
    hub.wait(lambda message: isinstance(message, SourceState) and not message.ready)
    source.ask(2, Roll(0, 4))
    assert hub.wait(lost).why == "absent"


def test_the_report_of_a_reboot_is_withdrawn_when_its_roll_is_cancelled(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 4))
    hub.until(lambda: line.device.rolls)
    line.device.boot(hub.ms)
    hub.wait(trouble("rebooted"))
    source.cancel()
    hub.wait(trouble(""))
    assert of_kind(DiceRead, hub.posted) == []


def test_dice_that_hang_are_reported_and_roll_once_they_recover(hub):
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 2))
    hub.dice(1)
    line.silent = True
    source.ask(2, Roll(0, 2))
    hub.wait(trouble("stalled"))
    assert hub.wait(lost).why == "stalled"
    line.silent = False
    assert list(hub.dice(2)) == line.device.die.rolled


def test_dice_that_answer_but_never_roll_are_reported_once_and_a_late_roll_is_accepted(hub):
    line, source = hub.line(up=without_rolled), hub.edice()
    source.ask(1, Roll(0, 2))
    assert hub.wait(lost) == DeviceLost("edice", "idle")
    hub.run(3 * LONGEST)  # the driver keeps reconnecting and asking
    assert hub.new == []  # nothing is posted, so the screen that offers other sources stays open
    line.up = bytes
    assert list(hub.dice(1)) == line.device.die.rolled


def test_asking_again_after_dice_failed_to_roll_can_use_other_dice(hub):
    idle, other = hub.line("a", Firmware(name="a")), hub.line("z", Firmware(name="z"))
    idle.up = without_rolled
    source = hub.edice()
    hub.ready(2)
    roll = Roll(0, 2)
    source.ask(1, roll)
    assert hub.wait(lost).why == "idle"
    hub.press(other)
    source.cancel()
    source.ask(2, roll)
    assert list(hub.dice(2)) == other.device.die.rolled


def test_dice_that_reboot_in_every_roll_are_reported_as_lost_only_once(hub):
    """This happens when the LEDs draw more current than the USB cable supplies."""
    line, source = hub.line(), hub.edice()
    source.ask(1, Roll(0, 2))
    until = hub.now + 2 * LONGEST
    while hub.now < until:
        hub.step()
        if line.device.rolls:
            hub.pull(line)
            hub.put_back(line)
    assert of_kind(DeviceLost | DeviceFound, hub.posted) == [DeviceLost("edice", "rebooted")]


def hello(**fields):
    """A device that changes these fields in every answer to a hello."""
    lines = wire.Lines()

    def says(data):
        said = b""
        for verb, number, told in lines.feed(data):
            if verb == "hello":
                answer = {"boot": "1", "v": "1", "table": told["table"], "id": "x", "dice": "5", **fields}
                said += wire.encode("hello", number, *(f"{key}={value}" for key, value in answer.items()))
        return said

    return says


@pytest.mark.parametrize(
    ("says", "word"),
    [
        (lambda data: b"x" * 4000, "flood"),
        (lambda data: wire.encode("ping", 1) * 200, "flood"),
        (lambda data: b"", "silent"),
        (lambda data: b"start\nok T:20.1\n" if data else b"", "foreign"),
        (lambda data: noise(40) if data else b"", "foreign"),
        (lambda data: data, "foreign"),  # the port echoes what it receives
        (hello(v="2"), "version"),
        (hello(dice="9"), "foreign"),
    ],
    ids=["flood", "flood of lines", "silent", "a printer", "noise", "echo", "version", "nonsense"],
)
def test_devices_that_are_not_usable_e_dice_are_reported_with_the_reason(hub, says, word):
    hub.line(device=Scripted(says))
    hub.edice().ask(1, Roll(0, 2))
    hub.wait(trouble(word))
    assert hub.wait(lost).why == word


def test_several_silent_devices_do_not_make_the_table_wait_for_each_in_turn(hub):
    lines = [hub.line(name, Scripted(lambda data: b""), in_it=False) for name in "abcd"]
    hub.edice().ask(1, Roll(0, 2))
    for line in lines:
        hub.put_back(line)
        hub.run(2.5)  # a device has more time than this to identify itself
    assert of_kind(DeviceLost, hub.posted) == []
    assert hub.wait(lost).why == "silent"


def test_a_stuck_entropy_source_is_reported(hub):
    hub.line(device=Firmware(entropy=bytes))
    hub.edice().ask(1, Roll(0, 2))
    hub.wait(trouble("entropy"))
    assert hub.wait(lost).why == "entropy"


def test_the_number_of_ready_dice_is_posted_when_it_changes(hub):
    one, two = hub.line("one", Firmware(name="one")), hub.line("two", Firmware(name="two"), in_it=False)
    hub.edice().open()
    hub.wait(lambda message: message == SourceState("edice", ready=1))
    hub.put_back(two)
    hub.wait(lambda message: message == SourceState("edice", ready=2))
    hub.pull(one)
    hub.pull(two)
    hub.wait(lambda message: message == SourceState("edice", ready=0))


def test_too_few_dice_are_reported(hub):
    hub.line(device=Firmware(dice=2))
    hub.edice().ask(1, Roll(0, 5))
    assert hub.wait(lost).why == "few"


def test_a_flooding_device_does_not_disturb_a_good_one(hub):
    hub.line("bad", Scripted(lambda data: noise(4000)))
    line, source = hub.line("good"), hub.edice()
    for ticket in range(4):
        source.ask(ticket, Roll(0, 3))
        assert list(hub.dice(ticket)) == line.device.die.rolled


def test_the_dice_whose_button_was_pressed_roll(hub):
    lines = {name: hub.line(name, Firmware(name=name)) for name in ("one", "two", "three")}
    source = hub.edice()
    hub.ready(3)
    for ticket, name in enumerate(["two", "three", "one", "two"]):
        hub.press(lines[name])
        assert hub.wait(pressed).device == name
        source.ask(ticket, Roll(0, 5))
        assert list(hub.dice(ticket)) == lines[name].device.die.rolled


def test_dice_plugged_in_while_others_roll_do_not_take_over_the_roll(hub):
    rolls, comes = hub.line("rolls", Firmware(name="z")), hub.line("comes", Firmware(name="a"), in_it=False)
    source = hub.edice()
    hub.ready(1)
    source.ask(1, Roll(0, 6))
    hub.put_back(comes)
    hub.ready(2)
    assert rolls.device.rolls
    assert list(hub.dice(1)) == rolls.device.die.rolled
    assert comes.device.rolled == {}


def test_of_two_boards_with_the_same_id_the_rolling_one_keeps_the_roll(hub):
    """All boards of some cheap models have the same id."""
    comes, rolls = hub.line("comes", Firmware(name="x")), hub.line("rolls", Firmware(name="x"))
    comes.silent = True
    source = hub.edice()
    source.ask(1, Roll(0, 6))
    hub.until(lambda: rolls.device.rolls)
    comes.silent = False
    assert list(hub.dice(1)) == rolls.device.die.rolled
    assert comes.device.rolled == {} and not any(map(trouble("rebooted"), hub.posted))


def test_a_roll_waits_briefly_for_unplugged_dice_and_then_goes_to_others(hub):
    asked, other = hub.line("asked", Firmware(name="a")), hub.line("other", Firmware(name="z"))
    source = hub.edice()
    hub.ready(2)

    def pulled(ticket):
        source.ask(ticket, Roll(0, 6))
        hub.until(lambda: asked.device.rolls)
        hub.pull(asked)

    pulled(1)
    hub.run(GRACE / 2)
    hub.put_back(asked)
    assert list(hub.dice(1)) == asked.device.die.rolled
    assert other.device.rolled == {}
    pulled(2)
    assert list(hub.dice(2)) == other.device.die.rolled
    assert of_kind(DeviceLost, hub.posted) == []


def test_a_roll_waits_for_dice_that_reboot_late_without_losing_their_port(hub):
    asked, other = hub.line("asked", Firmware(name="a"), up=without_rolled), hub.line("other", Firmware(name="z"))
    source = hub.edice()
    hub.ready(2)
    source.ask(1, Roll(0, 6))
    hub.run(2 * GRACE)
    assert asked.device.rolled and of_kind(DiceRead, hub.posted) == []
    asked.up = bytes
    asked.device.boot(hub.ms)
    assert list(hub.dice(1)) == asked.device.die.rolled
    assert other.device.rolled == {} and not other.device.rolls


def pair(hub, source, name, player):
    hub.until(lambda: name in source.heard and source.heard[name].id)
    source.pair(player)
    hub.press(hub.lines[name])
    return hub.wait(lambda message: isinstance(message, SourcePaired))


def test_a_hidden_roll_goes_to_the_seats_own_dice_and_stays_dark(hub):
    lines = {name: hub.line(name, Firmware(name=name)) for name in ("one", "two")}
    source = hub.edice()
    source.sit(["Ann", "Bo"])
    assert not source.private(0) and not source.private(1)
    assert pair(hub, source, "two", "Ann") == SourcePaired("edice", "Ann", "two")
    assert source.private(0) and not source.private(1)
    source.ask(1, Roll(0, 5, hidden=True))
    die = lines["two"].device.die
    assert list(hub.dice(1)) == die.rolled
    assert not any(map(any, die.lights(hub.ms)))
    source.ask(2, Roll(1, 5))
    assert list(hub.dice(2)) == lines["one"].device.die.rolled  # Bo has no dice of his own, and Ann's are reserved


def test_pairing_survives_a_change_of_seats_and_dice_have_only_one_owner(hub):
    hub.line("one", Firmware(name="one"))
    source = hub.edice()
    source.sit(["Ann", "Bo"])
    pair(hub, source, "one", "Ann")
    source.sit(["Bo", "Cleo", "Ann"])
    assert [source.private(seat) for seat in range(3)] == [False, False, True]
    pair(hub, source, "one", "Bo")
    assert source.paired == {"Bo": "one"}
    hub.press(hub.lines["one"])
    assert hub.wait(pressed) == SourcePressed("edice", "one", "Bo")
    source.part("Bo")
    assert source.paired == {}


def two_boards_with_one_id(hub):
    lines = [hub.line(name, Firmware(name="x")) for name in ("one", "two")]
    source = hub.edice()
    hub.ready(2)
    return lines, source


def test_of_two_boards_with_the_same_id_the_pressed_one_rolls_exactly_once(hub):
    lines, source = two_boards_with_one_id(hub)
    for ticket, line in enumerate([*lines, *lines]):
        hub.press(line)
        hub.wait(pressed)
        source.ask(ticket, Roll(0, 6))
        assert list(hub.dice(ticket)) == line.device.die.rolled
    assert [len(line.device.rolled) for line in lines] == [2, 2]


def test_the_pressed_board_still_rolls_after_another_with_its_id_is_plugged_in(hub):
    hub.line("other", Firmware(name="a"))
    one, two = hub.line("one", Firmware(name="x")), hub.line("two", Firmware(name="x"), in_it=False)
    source = hub.edice()
    hub.ready(2)
    hub.press(one)
    hub.wait(pressed)
    hub.put_back(two)
    hub.ready(3)
    source.ask(1, Roll(0, 6))
    assert list(hub.dice(1)) == one.device.die.rolled


def test_two_boards_with_the_same_id_can_have_different_owners(hub):
    one, two = hub.line("one", Firmware(name="x")), hub.line("two", Firmware(name="x"), in_it=False)
    source = hub.edice()
    source.sit(["Ann", "Bo"])
    pair(hub, source, "one", "Ann")
    hub.put_back(two)
    pair(hub, source, "two", "Bo")
    for ticket, (seat, line) in enumerate([(0, one), (1, two), (0, one)]):
        assert source.private(seat)
        source.ask(ticket, Roll(seat, 6, hidden=True))
        assert list(hub.dice(ticket)) == line.device.die.rolled


def test_two_boards_with_the_same_id_must_be_paired_again_after_both_were_switched_off(hub):
    lines, source = two_boards_with_one_id(hub)
    source.sit(["Ann", "Bo"])
    pair(hub, source, "one", "Ann")
    pair(hub, source, "two", "Bo")
    for line in lines:
        hub.pull(line)
    hub.put_back(lines[1])
    source.ask(1, Roll(0, 6, hidden=True))
    assert hub.wait(lost).why == "twin"
    assert lines[1].device.rolled == {}
    hub.put_back(lines[0])
    pair(hub, source, "one", "Ann")
    assert list(hub.dice(1)) == lines[0].device.die.rolled


def test_of_two_boards_with_the_same_id_an_unplugged_one_that_kept_power_finishes_its_roll(hub):
    """The dice are valid even though they fell while the cable was out. The other board does not roll."""
    (one, two), source = two_boards_with_one_id(hub)
    source.ask(1, Roll(0, 6))
    hub.until(lambda: one.device.rolls or two.device.rolls)
    asked, other = (one, two) if one.device.rolls else (two, one)
    asked.device.boot = lambda now: b""  # the board keeps power, so it does not restart
    hub.pull(asked)
    hub.put_back(asked)
    assert list(hub.dice(1)) == asked.device.die.rolled
    assert (len(asked.device.rolled), len(other.device.rolled)) == (1, 0)


def test_a_hidden_roll_waits_for_the_seats_own_dice(hub):
    one, two = hub.line("one", Firmware(name="one")), hub.line("two", Firmware(name="two"))
    source = hub.edice()
    source.sit(["Ann"])
    hub.ready(2)
    pair(hub, source, "one", "Ann")
    hub.pull(one)
    source.ask(1, Roll(0, 2, hidden=True))
    assert hub.wait(lost).why == "own"
    assert two.device.rolled == {}
    hub.put_back(one)
    assert list(hub.dice(1)) == one.device.die.rolled


def test_the_reason_why_the_seats_own_dice_do_not_roll_is_reported_despite_other_devices(hub):
    own = hub.line("own", Firmware(2, "own"))
    hub.line("other")
    hub.line("printer", Scripted(lambda data: b"ok\n" * 9))
    source = hub.edice()
    source.sit(["Ann"])
    hub.wait(trouble("foreign"))
    pair(hub, source, "own", "Ann")
    source.ask(1, Roll(0, 5, hidden=True))
    assert hub.wait(lost).why == "few"
    hub.pull(own)
    source.ask(2, Roll(0, 2, hidden=True))
    assert hub.wait(lost).why == "own"


def test_lamps_are_lit_where_a_press_would_roll(hub):
    line, source = hub.line(), hub.edice()
    hub.ready(1)
    for seat, lit in [(0, True), (None, False), (3, True)]:
        source.light(seat)
        hub.until(lambda lit=lit: line.device.die.lamp is lit)


def test_lamps_are_correct_after_replugging_and_after_unpairing(hub):
    class NoLamp(Firmware):
        """A board normally lights its lamp at start; here only the table sets it."""

        def boot(self, now):
            said = super().boot(now)
            self.die.lamp = None
            return said

    lines = [hub.line(name, NoLamp(name=name)) for name in ("anns", "anybodys")]
    source = hub.edice()
    source.sit(["Ann", "Bo"])
    pair(hub, source, "anns", "Ann")

    def become(*lit):
        hub.until(lambda: [line.device.die.lamp for line in lines] == list(lit))

    for seat in (0, 1):
        source.light(seat)
        become(seat == 0, seat == 1)
        for line in lines:
            hub.pull(line)
            line.device.die.lamp = None
            hub.put_back(line)
        become(seat == 0, seat == 1)
    source.part("Ann")
    become(True, True)


def test_all_lamps_are_lit_while_a_player_pairs_dice(hub):
    lines = [hub.line(name, Firmware(name=name)) for name in ("one", "two")]
    source = hub.edice()
    hub.ready(2)
    for player, lit in [(None, False), ("Ann", True), (None, False)]:
        source.pair(player)
        hub.until(lambda lit=lit: [line.device.die.lamp for line in lines] == [lit, lit])


def test_silence_is_reported_only_for_ports_named_in_the_config():
    posted = []
    for named in (False, True):
        boards = Boards(posted.append, named)
        assert boards.look(["a"], 0.0) == ["a"]
        boards.opened("a", 0.0)
        boards.hear("a", b"", PATIENCE)
        assert boards.over("a")
        boards.closed("a", "", PATIENCE)
        assert posted == ([SourceState("edice", "a", "silent")] if named else [])


def test_the_wait_before_a_port_is_retried_depends_on_what_went_wrong():
    for why, rest in [("unplugged", 0.0), ("busy", LONG_REST)]:
        boards = Boards([].append, named=True)
        boards.look(["a"], 0.0)
        assert boards.look(["a"], 1.0) == []  # the port is already being opened
        boards.closed("a", why, 1.0)
        if rest:
            assert boards.look(["a"], 0.99 + rest) == []
        assert boards.look(["a"], 1.0 + rest) == ["a"]
