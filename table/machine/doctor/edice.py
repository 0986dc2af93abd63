"""The electronic dice: every port at which one may be, whether it may be opened, and what it says to our hello.

Its one rule: it is asked by the driver that the table uses, and nothing is rolled.
"""

import time
from collections.abc import Iterator
from contextlib import closing

from table.devices.edice import EDice
from table.devices.ports import Heard
from table.machine.doctor.finding import BROKEN, END_THE_TABLE, OK, WARNING, Finding, Patient, join

LONGEST = 10.0  # seconds until all is said: far more than a board that says nothing is given
GLANCE = 0.02  # seconds between two looks at what was heard
COPY = "Copy the firmware of this table to the board (firmware/README.md)."
REPLUG = "Unplug it and plug it in again."
TROUBLES = {
    "unplugged": ("Nothing is plugged in there.", "Plug it in, or name its port in the config; empty finds it."),
    "silent": ("It says nothing.", f"Is it an e-dice? {COPY}"),
    "stalled": ("It does not answer any more.", REPLUG),
    "foreign": ("It talks, but is no e-dice.", f"Name the right port below [dice] in the config. If it is one: {COPY}"),
    "version": ("It speaks another version.", COPY),
    "flood": ("It talks without end.", REPLUG),
    "rebooted": ("It started again while it was asked.", "Look at its cable and its power."),
    "entropy": ("Its randomness is stuck, so that it rolls nothing.", "Use another board."),
    "busy": ("Another program uses this port.", "Close it: a terminal, an editor for MicroPython, another table."),
    "": ("It did not answer in time.", REPLUG),
}


def edice(patient: Patient) -> Iterator[Finding]:
    wanted = patient.settings.source == EDice.name
    bad = BROKEN if wanted else WARNING
    with closing(EDice(lambda _: None, patient.config.dice.edice)) as driver:
        driver.open()
        heard = _heard(driver)
    if heard is None:
        yield Finding("e-dice", bad, "Looking for ports takes too long.", "Start this machine again.")
        return
    if "" in heard:
        yield Finding("e-dice", bad, "pyserial is not installed.", "Install it with pip install pyserial.")
        return
    for port, said in sorted(heard.items()):
        yield _of_port(patient, port, said, bad)
    if not heard:
        others = _other_ports()
        hint = (
            f" At {', '.join(others)} is something else; an e-dice there has to be named in the config."
            if others
            else ""
        )
        absent = f"None is plugged in.{hint}"
        yield Finding(
            "e-dice",
            bad if wanted else OK,
            absent,
            "Plug one in; dicetable edice pretends to be one." if wanted else "",
        )


def _heard(driver: EDice) -> dict[str, Heard] | None:
    """By port, as soon as all is said, or it is too late. None: it is not even known which ports there are."""
    until = time.monotonic() + LONGEST
    if not driver.looked.wait(LONGEST):
        return None
    while True:
        heard = driver.heard
        if all(said.id or said.trouble for said in heard.values()) or time.monotonic() > until:
            return heard
        time.sleep(GLANCE)


def _of_port(patient: Patient, port: str, said: Heard, bad: str) -> Finding:
    if said.id and not said.trouble:
        dice = f"{said.dice} dice" if said.dice > 1 else "one die"
        return Finding("e-dice", OK, f"{port}: {said.id} with {dice} says hello.")
    if said.trouble == "denied":
        return Finding("e-dice", bad, f"{port}: This port may not be opened.", join("dialout"))
    if said.trouble == "busy" and patient.is_running:
        return Finding("e-dice", WARNING, f"{port}: The table is running and has the e-dice.", END_THE_TABLE)
    words, fix = TROUBLES[said.trouble]
    return Finding("e-dice", bad, f"{port}: {words}", fix)


def _other_ports() -> list[str]:
    from serial.tools import list_ports  # type: ignore[import-untyped]

    return sorted(port.device for port in list_ports.comports() if port.vid is not None)
