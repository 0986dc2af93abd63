"""Checks the buttons and their lamps.

Its one rule: a working pin does not prove that a button or lamp works. So if somebody is at the terminal, they are
asked to press each button and to look at each lamp.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from queue import Empty, SimpleQueue

from table.config.sections import ButtonSettings
from table.devices.buttons import NO_PINS, Buttons, open_buttons, refused_pins
from table.engine.errors import Refused
from table.machine.doctor.finding import BROKEN, END_THE_TABLE, OK, WARNING, Finding, Patient, join
from table.session.messages import DeviceLost, Message, Pressed

PRESSING = 8.0  # seconds to press both buttons
GLANCE = 0.01  # seconds between polls of the buttons
LIT = 0.6  # seconds that each lamp is lit
BOTH = ("roll", "end")
AGAIN = "Run this again; if that does not help, restart this machine."

Said = SimpleQueue[Message]


def pins(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.buttons
    if settings.enabled == "off":
        yield Finding("pins", OK, "Buttons are off in the config: keyboard, touch and mouse replace them.")
        return
    if patient.is_running:  # some libraries would open the pins again, and break them for the table
        yield Finding("pins", WARNING, "The running table is using the pins.", END_THE_TABLE)
        return
    said: Said = SimpleQueue()
    try:
        buttons = open_buttons(settings, said.put, patient.clock, timer=False)
    except Refused as why:
        yield from _none(patient, str(why)) if str(why).startswith(NO_PINS) else _refused(settings, str(why))
        return
    with closing(buttons):
        kind = type(buttons.factory).__name__.removesuffix("Factory")
        where = f"{_on(settings, BOTH)}, their lamps {_on(settings, BOTH, 'lamp')}"
        if kind == "Mock":
            yield Finding(
                "pins", WARNING, f"They are simulated: {where}.", "To use real pins, clear `pin_factory` in the config."
            )
        else:
            yield Finding("pins", OK, f"All four work, through {kind}: {where}.")
        yield _pressed(patient, buttons, said)
        yield _lit(patient, buttons, said)


def _none(patient: Patient, why: str) -> Iterator[Finding]:
    asked_for = patient.config.buttons.enabled == "on"
    if patient.pi:
        chip = patient.root / "dev/gpiochip0"
        library = "Run sudo apt install python3-lgpio, and use a venv made with --system-site-packages."
        closed = chip.exists() and not os.access(chip, os.R_OK | os.W_OK)
        yield Finding("pins", BROKEN if asked_for else WARNING, why, join("gpio") if closed else library)
    elif asked_for:
        fix = 'Write enabled = "auto" under [buttons] in the config, and use the keyboard.'
        yield Finding("pins", BROKEN, f'{why} The config says enabled = "on".', fix)
    else:
        yield Finding("pins", OK, "Not a Raspberry Pi: the keyboard replaces the buttons.")


def _refused(settings: ButtonSettings, why: str) -> Iterator[Finding]:
    """The findings if the machine has pins, but those in the config cannot be used."""
    fix = "Another program or the system (raspi-config, config.txt) may be using it. Free it, or use another pin."
    for sentence in refused_pins(settings) or [why]:
        yield Finding("pins", BROKEN, sentence, fix)


def _pressed(patient: Patient, buttons: Buttons, said: Said) -> Finding:
    settings = patient.config.buttons
    if stuck := buttons.pressed:
        fix = "Release it, or check its wires and pull_up in the config: do the buttons connect to ground, or to 3.3 V?"
        return Finding("buttons", WARNING, f"Pressed from the start: {_on(settings, stuck)}.", fix)
    if patient.tell is None:
        return Finding("buttons", OK, "Neither is pressed. To test them, run this in a terminal.")
    patient.tell(f"Press Roll, then End. You have {PRESSING:.0f} seconds.")
    missing, until = list(BOTH), patient.clock() + PRESSING
    while missing and patient.clock() < until:
        buttons.due(patient.clock())
        try:
            message = said.get(timeout=GLANCE)
        except Empty:
            continue
        if isinstance(message, DeviceLost):
            return Finding("buttons", BROKEN, message.why, AGAIN)
        if isinstance(message, Pressed) and message.button in missing:
            missing.remove(message.button)
            patient.tell(f"{message.button.capitalize()} was pressed.")
    if not missing:
        return Finding("buttons", OK, "Roll and End were pressed.")
    fix = f"If you pressed it, check its wires: one to the pin, one to {'ground' if settings.pull_up else '3.3 V'}."
    return Finding("buttons", WARNING, f"Not pressed: {_on(settings, missing)}.", fix)


def _lit(patient: Patient, buttons: Buttons, said: Said) -> Finding:
    settings = patient.config.buttons
    for name in BOTH:
        if patient.tell:
            patient.tell(
                f"The lamp of {_on(settings, [name], 'lamp')} is on now. If it is dark, reverse it or check its wires."
            )
        buttons.lamps(roll=name == "roll", end=name == "end")
        time.sleep(LIT)
        buttons.due(patient.clock())  # detects pins that have stopped working
    buttons.lamps(roll=False, end=False)
    while not said.empty():
        message = said.get()
        if isinstance(message, DeviceLost):
            return Finding("lamps", BROKEN, message.why, AGAIN)
    return Finding("lamps", OK, f"Both were turned on: {_on(settings, BOTH, 'lamp')}.")


def _on(settings: ButtonSettings, names: Iterable[str], part: str = "pin") -> str:
    return " and ".join(f"{name.capitalize()} (GPIO {getattr(settings, f'{name}_{part}')})" for name in names)
