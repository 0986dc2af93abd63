"""Checks the machine: disk, clock and power.

Its one rule: if something cannot be measured on this system, the finding says so.
"""

import errno
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient, asked
from table.storage.journal.trouble import FULL, trouble_of

LITTLE = 200_000_000  # bytes of free space that the system's logs can use up within weeks
WRITES, BYTES = 7, 4096  # test writes, and the size of each: about what the table writes for one answer
SLOW = 0.25  # seconds per write; a game waits for a write at every roll
BEHIND = 86_400  # seconds by which clocks can differ without a finding, to allow for time zones

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
UNDER_VOLTAGE, HEAT = "the voltage is too low", "it is too hot"
NOW = {0: UNDER_VOLTAGE, 1: "the processor's speed is capped", 2: "the processor is throttled", 3: HEAT}
SINCE = 16  # bit n in NOW stands for a problem now, bit n + 16 for the same problem at any time since power-on


def disk(patient: Patient) -> Iterator[Finding]:
    folder = next(one for one in (patient.folder, *patient.folder.parents) if os.path.isdir(one))
    try:
        took = _writes(folder)
        free = shutil.disk_usage(folder).free
    except OSError as why:
        yield Finding("disk", BROKEN, f"{folder} cannot be written to ({why.strerror}).", _fix(why, folder))
        return
    if free < LITTLE:
        yield Finding(
            "disk",
            WARNING,
            f"Only {_size(free)} are free in {folder}.",
            "Delete what is not needed, or use a larger card.",
        )
    elif took > SLOW:
        yield Finding(
            "disk",
            WARNING,
            f"Writing to {folder} is slow: {took * 1000:.0f} ms.",
            "Use a faster card (A1 or A2), or an SSD.",
        )
    else:
        yield Finding("disk", OK, f"{_size(free)} free, and a write takes {took * 1000:.0f} ms, in {folder}.")


def _writes(folder: Path) -> float:
    """The median time in seconds of a test write, including the sync."""
    took = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(WRITES):
            begun = time.monotonic()
            file.write(os.urandom(BYTES))
            os.fsync(file.fileno())
            took.append(time.monotonic() - begun)
    return statistics.median(took)


def _fix(why: OSError, folder: Path) -> str:
    if trouble_of(why, folder).code == FULL:
        return "The disk is full: delete what is not needed, or use a larger card."
    if why.errno == errno.EROFS:
        return (
            "The disk is read-only, which happens when a card fails. Restart. If that does not help, replace the card."
        )
    if why.errno in (errno.EACCES, errno.EPERM):
        with suppress(KeyError, OSError, NotImplementedError):
            return f"It belongs to the user {folder.owner()}: run this as that user (see docs/doctor.md)."
    return "Name another folder in the config, under [journal]."


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def clock(patient: Patient) -> Iterator[Finding]:
    now = time.time()
    said = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    fix = "Join a network, or set the clock: sudo timedatectl set-ntp true, or sudo date -s '2030-01-31 20:15'."
    if now < _latest(patient.folder) - BEHIND:
        yield Finding("clock", BROKEN, f"It says {said}, but this table has newer files.", fix)
        return
    synchronised = asked("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if synchronised == "no":
        yield Finding("clock", WARNING, f"It says {said}, not confirmed by the network.", fix)
    else:
        sure = "confirmed by the network" if synchronised == "yes" else "which is plausible"
        yield Finding("clock", OK, f"It says {said}, {sure}.")


def _latest(folder: Path) -> float:
    """When this program or its records were last modified."""
    times = [0.0]
    for path in (Path(__file__), folder / "table.db"):
        with suppress(OSError):
            times.append(path.stat().st_mtime)
    return max(times)


def power(patient: Patient) -> Iterator[Finding]:
    said = asked("vcgencmd", "get_throttled").removeprefix("throttled=") or patient.text(THROTTLED)
    try:
        bits = int(said, 16)
    except ValueError:
        if patient.pi:
            fix = "Run sudo vcgencmd get_throttled: throttled=0x0 is good."
            yield Finding("power", WARNING, "The state of this Raspberry Pi's power is unknown.", fix)
        else:
            yield Finding("power", OK, "Not a Raspberry Pi, so its power cannot be checked.")
        return
    now = [words for bit, words in NOW.items() if bits >> bit & 1]
    before = [words for bit, words in NOW.items() if bits >> bit + SINCE & 1 and words not in now]
    said = " ".join(
        f"{when}: {', '.join(words)}." for when, words in (("Now", now), ("Since power-on", before)) if words
    )
    fix = "Use this model's power supply with a short cable, and power lamps and LEDs separately."
    if UNDER_VOLTAGE not in now + before:
        fix = "Cool it: use a heat sink, a fan or a case with holes."
    state = BROKEN if UNDER_VOLTAGE in now else WARNING
    yield Finding("power", state, said, fix) if said else Finding("power", OK, "Voltage and temperature are fine.")
