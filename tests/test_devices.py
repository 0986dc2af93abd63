"""Dice sources answer each ask, and buttons on mock pins report presses and releases."""

import queue
import random
import sys
import threading
import warnings
from collections import Counter
from dataclasses import replace

import pytest

from table import config
from table.config import sections
from table.devices import SOURCES, make
from table.devices.buttons import open_buttons
from table.devices.simulated import SimulatedDice
from table.devices.typed import TypedDice
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import DeviceLost, DiceRead, Pressed, Released

WHY = "gpiozero is not installed: make test installs it"
SETTINGS = config.DEFAULT.buttons
ROLL, END, ROLL_LAMP, END_LAMP = SETTINGS.roll_pin, SETTINGS.end_pin, SETTINGS.roll_lamp, SETTINGS.end_lamp


# Dice


def test_exactly_the_sources_known_to_the_config_can_be_made():
    assert tuple(SOURCES) == sections.SOURCES
    for name in SOURCES:
        source = make(name, lambda message: None)
        assert source.name == name
        source.close()


def test_an_unknown_source_is_refused_with_the_nearest_name():
    with pytest.raises(Refused) as caught:
        make("type", lambda message: None)
    assert (
        str(caught.value)
        == 'There is no dice source "type". Did you mean typed? Available: simulated, typed, camera, edice.'
    )


def test_simulated_dice_answer_at_once_with_the_requested_number():
    posted = []
    source = SimulatedDice(posted.append)
    for ticket, count in enumerate(range(1, 9)):
        source.ask(ticket, Roll(0, count, hidden=True))
        read = posted.pop()
        assert (read.source, read.ticket, len(read.dice), read.confidence) == ("simulated", ticket, count, 1.0)
        assert set(read.dice) <= {1, 2, 3, 4, 5, 6}
    source.cancel()
    source.close()
    assert posted == []


def test_simulated_dice_are_fair_and_repeatable_with_a_seed():
    posted = []
    for _ in range(2):
        SimulatedDice(posted.append, random.Random(7)).ask(1, Roll(0, 6000))
    assert posted[0] == posted[1]
    counts = Counter(posted[0].dice)
    assert all(900 < counts[face] < 1100 for face in range(1, 7))


def test_typed_dice_are_posted_when_entered():
    posted = []
    source = TypedDice(posted.append)
    source.ask(5, Roll(1, 3))
    assert posted == []
    source.enter([6, 1, 6])
    assert posted == [DiceRead("typed", 5, (6, 1, 6))]


@pytest.mark.parametrize(
    "dice", [(), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), (1, 2, True), (1, 2, 3.0), ("1", "2", "3")]
)
def test_invalid_typed_dice_are_refused_and_can_be_entered_again(dice):
    posted = []
    source = TypedDice(posted.append)
    source.ask(5, Roll(1, 3))
    with pytest.raises(Refused, match=r"^Enter 3 dice, from 1 to 6 each\.$"):
        source.enter(dice)
    source.enter((1, 2, 3))
    assert [read.dice for read in posted] == [(1, 2, 3)]


def test_typed_dice_are_accepted_once_and_never_after_a_cancel():
    posted = []
    source = TypedDice(posted.append)
    for end in (source.cancel, source.close, lambda: source.enter((4,))):
        source.ask(1, Roll(0, 1))
        end()
        with pytest.raises(Refused, match="No roll is needed now"):
            source.enter((3,))
    assert posted == [DiceRead("typed", 1, (4,))]


def test_a_new_ask_replaces_the_previous_one():
    posted = []
    source = TypedDice(posted.append)
    source.ask(1, Roll(0, 5))
    source.ask(2, Roll(0, 1))
    source.enter((2,))
    assert posted == [DiceRead("typed", 2, (2,))]


# Buttons


class Bench:
    """Buttons on mock pins with a manual clock, and the messages they post."""

    def __init__(self, factory, settings=SETTINGS):
        self.factory, self.now, self.posted = factory, 100.0, []
        self.buttons = None
        self.settings = settings

    def open(self):
        self.buttons = open_buttons(
            self.settings, self.posted.append, lambda: self.now, timer=False, factory=self.factory
        )
        return self

    def set(self, pin, down):
        getattr(self.factory.pin(pin), "drive_low" if down == self.settings.pull_up else "drive_high")()

    def after(self, milliseconds):
        self.now += milliseconds / 1000
        self.buttons.due(self.now)

    def events(self):
        return [
            (type(message).__name__, message.button, round((message.at - 100) * 1000, 3)) for message in self.posted
        ]


@pytest.fixture
def factory():
    pytest.importorskip("gpiozero", reason=WHY)
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    yield factory
    factory.close()


@pytest.fixture
def bench(factory):
    bench = Bench(factory).open()
    yield bench
    bench.buttons.close()


@pytest.mark.ground
def test_presses_and_releases_are_posted_once_they_are_stable(bench):
    bench.set(ROLL, True)
    bench.after(2)
    assert bench.posted == []
    bench.after(2)
    assert bench.events() == [("Pressed", "roll", 3)]
    bench.after(96)
    bench.set(ROLL, False)
    bench.after(50)
    assert bench.events() == [("Pressed", "roll", 3), ("Released", "roll", 103)]


@pytest.mark.ground
def test_bouncing_is_one_press(bench):
    for gap, down in [(0, True), (1, False), (1, True), (4, False), (1, True), (2, False), (2, True)]:
        bench.after(gap)
        bench.set(END, down)
    bench.after(500)
    assert bench.events() == [("Pressed", "end", 5)]


@pytest.mark.ground
def test_simultaneous_presses_are_both_posted(bench):
    bench.set(ROLL, True)
    bench.set(END, True)
    bench.after(10)
    bench.set(END, False)
    bench.after(1)
    bench.set(ROLL, False)
    bench.after(200)
    assert bench.events() == [
        ("Pressed", "roll", 3),
        ("Pressed", "end", 3),
        ("Released", "end", 38),
        ("Released", "roll", 39),
    ]


@pytest.mark.ground
def test_late_messages_are_posted_in_the_order_of_events(bench):
    bench.set(END, True)
    bench.now += 0.002
    bench.set(ROLL, True)
    bench.after(100)
    assert bench.events() == [("Pressed", "end", 3), ("Pressed", "roll", 5)]


@pytest.mark.ground
def test_a_button_stuck_at_the_start_posts_nothing_until_released(factory):
    class Stuck(type(factory.pin(ROLL))):
        def _set_pull(self, value):
            super()._set_pull(value)
            self.drive_low()

    factory.pins.clear()
    factory.pin(ROLL, pin_class=Stuck)
    bench = Bench(factory).open()
    bench.after(5000)
    bench.set(ROLL, False)
    bench.after(100)
    assert bench.posted == []
    bench.set(ROLL, True)
    bench.after(100)
    bench.buttons.close()
    assert bench.events() == [("Pressed", "roll", 5103), ("Released", "roll", 5200)]


@pytest.mark.ground
def test_buttons_wired_to_3v3_work_with_pull_up_off(factory):
    bench = Bench(factory, replace(SETTINGS, pull_up=False)).open()
    assert factory.pin(ROLL).pull == "down"
    bench.set(ROLL, True)
    bench.after(10)
    bench.buttons.close()
    assert bench.events()[0] == ("Pressed", "roll", 3)


@pytest.mark.ground
def test_a_missed_edge_is_detected_later(bench):
    pin = bench.factory.pin(ROLL)
    pin._change_state(False)  # down, without an edge event
    bench.after(1000)
    bench.after(1000)
    pin._change_state(True)
    bench.after(1000)
    bench.after(1000)
    assert bench.events() == [("Pressed", "roll", 1003), ("Released", "roll", 3003)]


@pytest.mark.ground
def test_a_glitch_whose_end_was_missed_is_not_a_press(bench):
    bench.set(ROLL, True)
    bench.factory.pin(ROLL)._change_state(True)
    bench.after(4)
    bench.after(1000)
    assert bench.posted == []


@pytest.mark.ground
def test_lamps_show_what_can_be_pressed(bench):
    lamps = [bench.factory.pin(ROLL_LAMP), bench.factory.pin(END_LAMP)]
    assert [lamp.state for lamp in lamps] == [False, False]
    for lit in ([True, False], [True, True], [False, True], [False, False]):
        bench.buttons.lamps(*lit)
        assert [lamp.state for lamp in lamps] == lit
    bench.buttons.lamps(roll=True, end=True)
    bench.buttons.close()
    bench.buttons.lamps(roll=True, end=True)
    assert [lamp.function for lamp in lamps] == ["input", "input"]


@pytest.mark.ground
@pytest.mark.parametrize("failing", ["button", "lamp"])
def test_failing_pins_are_reported_once_and_leave_no_button_pressed(bench, monkeypatch, failing):
    bench.set(ROLL, True)
    bench.after(50)

    def gone(*_):
        raise OSError("pigpio: connection lost")

    pin = type(bench.factory.pin(ROLL))
    monkeypatch.setattr(pin, "_get_state" if failing == "button" else "_set_state", gone)
    for _ in range(3):
        bench.after(1000)
        bench.buttons.lamps(roll=True, end=True)
    monkeypatch.undo()
    bench.set(ROLL, False)
    bench.after(1000)
    bench.buttons.close()
    assert bench.posted[0] == Pressed("roll", 100.003)
    assert isinstance(bench.posted[1], Released)
    why = "The buttons' pins have stopped responding (pigpio: connection lost)."
    assert bench.posted[2:] == [DeviceLost("buttons", why)]


@pytest.mark.ground
def test_failing_pins_post_no_release_for_a_press_that_was_never_posted(bench, monkeypatch):
    bench.set(ROLL, True)
    pin = bench.factory.pin(END)
    monkeypatch.setattr(pin, "_get_state", lambda: 1 / 0)
    bench.after(50)
    assert [type(message) for message in bench.posted] == [DeviceLost]


@pytest.mark.ground
def test_closing_releases_the_pins_and_posts_nothing_more(bench):
    bench.set(END, True)
    bench.after(10)
    bench.buttons.close()
    bench.buttons.close()
    assert bench.events() == [("Pressed", "end", 3), ("Released", "end", 10)]
    bench.set(END, False)
    bench.after(100)
    assert len(bench.posted) == 2
    again = Bench(bench.factory).open()
    again.set(END, True)
    again.after(10)
    again.buttons.close()
    assert again.events()[0] == ("Pressed", "end", 3)


@pytest.mark.ground
@pytest.mark.parametrize(
    ("pin", "what"),
    [
        (ROLL, "Pin 17 cannot be the Roll button"),
        (END, "Pin 27 cannot be the End button"),
        (ROLL_LAMP, "Pin 22 cannot be the lamp of the Roll button"),
        (END_LAMP, "Pin 23 cannot be the lamp of the End button"),
    ],
)
def test_a_pin_in_use_is_refused_and_the_others_are_released(factory, pin, what):
    import gpiozero

    with gpiozero.LED(pin, pin_factory=factory), pytest.raises(Refused) as caught:
        Bench(factory).open()
    assert str(caught.value).startswith(f"{what} (pin GPIO{pin} is already in use by ")
    Bench(factory).open().buttons.close()


@pytest.fixture
def gpiozero(monkeypatch):
    """gpiozero as on a machine without the libraries for real pins, and with no pin factory set."""
    gpiozero = pytest.importorskip("gpiozero", reason=WHY)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    for library in ("lgpio", "RPi", "pigpio", "gpiozero.pins.native"):
        monkeypatch.setitem(sys.modules, library, None)
    return gpiozero


@pytest.mark.ground
@pytest.mark.parametrize(
    ("wanted", "why"), [("", "Unable to load any default pin factory"), ("lgpio", "import of lgpio")]
)
def test_missing_pins_give_one_sentence_and_no_warning(gpiozero, wanted, why):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(Refused) as caught:
            open_buttons(replace(SETTINGS, pin_factory=wanted), lambda message: None)
    assert str(caught.value).startswith(f"There are no GPIO pins for buttons here ({why}")
    assert str(caught.value).endswith(").") and "\n" not in str(caught.value)
    assert warned == []


@pytest.mark.ground
@pytest.mark.parametrize("by", ["config", "environment"])
def test_the_pin_factory_comes_from_config_or_environment_and_is_closed_at_the_end(gpiozero, monkeypatch, by):
    if by == "environment":
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    settings = replace(SETTINGS, pin_factory="mock" if by == "config" else "")
    for _ in range(2):
        buttons = open_buttons(settings, lambda message: None, timer=False)
        assert len(buttons.factory.pins) == 4
        buttons.close()
        assert len(buttons.factory.pins) == 0
        assert gpiozero.Device.pin_factory is None


def test_missing_gpiozero_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(Refused, match="The buttons need gpiozero, which is not installed"):
        open_buttons(SETTINGS, lambda message: None)


@pytest.mark.ground
def test_the_timer_thread_posts_presses_and_ends_on_close(factory):
    before = set(threading.enumerate())
    posted = queue.SimpleQueue()
    buttons = open_buttons(SETTINGS, posted.put, factory=factory)
    try:
        factory.pin(ROLL).drive_low()
        assert posted.get(timeout=60).button == "roll"
        factory.pin(END).drive_low()
        factory.pin(ROLL).drive_high()
        last = [posted.get(timeout=60), posted.get(timeout=60)]
        assert {(type(message), message.button) for message in last} == {(Pressed, "end"), (Released, "roll")}
    finally:
        buttons.close()
    assert posted.get(timeout=60).button == "end"
    assert posted.empty()
    assert set(threading.enumerate()) <= before


@pytest.mark.ground
def test_failing_pins_are_noticed_without_a_press(factory, monkeypatch):
    posted = queue.SimpleQueue()
    buttons = open_buttons(SETTINGS, posted.put, factory=factory)
    try:

        def gone(pin):
            raise OSError

        monkeypatch.setattr(type(factory.pin(ROLL)), "_get_state", gone)
        lost = posted.get(timeout=60)
    finally:
        monkeypatch.undo()
        buttons.close()
    assert lost == DeviceLost("buttons", "The buttons' pins have stopped responding (OSError).")


@pytest.mark.ground
def test_hanging_pins_do_not_block_the_caller(factory, monkeypatch):
    asked, let_go = threading.Event(), threading.Event()
    answered = []

    def hanging(pin):
        asked.set()
        answered.append(let_go.wait(60))
        return True

    buttons = open_buttons(SETTINGS, lambda message: None, factory=factory)
    monkeypatch.setattr(type(factory.pin(ROLL)), "_get_state", hanging)
    assert asked.wait(60)
    buttons.lamps(roll=True, end=False)
    buttons.close()
    assert answered == [], "close waited for the pins"
    let_go.set()
    monkeypatch.undo()
    buttons._thread.join(60)
    buttons.close()
    assert [factory.pin(pin).function for pin in (ROLL_LAMP, END_LAMP)] == ["input", "input"]
