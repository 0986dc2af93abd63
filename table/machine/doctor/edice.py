"""Checks the electronic dice: each possible port, whether it can be opened, and what answers there.

Its one rule: it uses the same driver as the table, and rolls nothing.
"""

import time
from collections.abc import Iterator
from contextlib import closing

from table.devices.edice import EDice
from table.devices.ports import Heard
from table.machine.doctor.finding import BROKEN, END_THE_TABLE, OK, WARNING, Finding, Patient, join

LONGEST = 10.0  # seconds for all ports; the driver gives up on a silent board much earlier
GLANCE = 0.02  # seconds between checks for answers
COPY = "Copy this table's firmware to the board (firmware/README.md)."
REPLUG = "Unplug it and plug it in again."
TROUBLES = {
    "unplugged": (
        "Nothing is plugged in.",
        "Plug it in, or correct its port in the config (empty: detect it).",
    ),
    "silent": ("It sends nothing.", f"Does it have the e-dice firmware? {COPY}"),
    "stalled": ("It stopped answering.", REPLUG),
    "foreign": (
        "It is not a set of e-dice.",
        f"Name the right port under [dice] in the config. If these are your e-dice: {COPY}",
    ),
    "version": ("It uses a different version of the protocol.", COPY),
    "flood": ("It sends data nonstop.", REPLUG),
    "rebooted": ("It restarted during the check.", "Check its cable and its power supply."),
    "entropy": ("Its random number generator is stuck, so it does not roll.", "Use another board."),
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
        yield Finding("e-dice", bad, "Listing the ports takes too long.", "Restart this machine.")
        return
    if "" in heard:
        yield Finding("e-dice", bad, "pyserial is not installed.", "Install it with pip install pyserial.")
        return
    for port, said in sorted(heard.items()):
        yield _of_port(patient, port, said, bad)
    if not heard:
        others = _other_ports()
        hint = (
            f" Another device is on {', '.join(others)}; if these are your e-dice, name their port in the config."
            if others
            else ""
        )
        absent = f"None are plugged in.{hint}"
        yield Finding(
            "e-dice",
            bad if wanted else OK,
            absent,
            "Plug them in, or simulate them with dicetable edice." if wanted else "",
        )


def _heard(driver: EDice) -> dict[str, Heard] | None:
    """What each port answered, once all have answered or time is up. None if not even the list of ports is known."""
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
        return Finding("e-dice", OK, f"{port}: {said.id} with {dice} answers.")
    if said.trouble == "denied":
        return Finding("e-dice", bad, f"{port}: This user is not allowed to open the port.", join("dialout"))
    if said.trouble == "busy" and patient.is_running:
        return Finding("e-dice", WARNING, f"{port}: The running table is using it.", END_THE_TABLE)
    words, fix = TROUBLES[said.trouble]
    return Finding("e-dice", bad, f"{port}: {words}", fix)


def _other_ports() -> list[str]:
    from serial.tools import list_ports  # type: ignore[import-untyped]

    return sorted(port.device for port in list_ports.comports() if port.vid is not None)
