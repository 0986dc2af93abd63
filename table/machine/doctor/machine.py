"""The machine itself: its disk, its clock, its power.

Its one rule: what cannot be told here is said to be so, and counts as well.
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

LITTLE = 200_000_000  # bytes free: a system fills them with logs in a few weeks
WRITES, BYTES = 7, 4096  # about what an answer writes
SLOW = 0.25  # seconds for one: a game waits so long at every throw
BEHIND = 86_400  # seconds: clocks of two machines may differ by so much, in time zones too

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
UNDER_VOLTAGE, HEAT = "the voltage is too low", "it is too hot"
NOW = {0: UNDER_VOLTAGE, 1: "the processor is held back", 2: "the processor is slowed down", 3: HEAT}
SINCE = 16  # bits on: the same, at some time since it was switched on


def disk(patient: Patient) -> Iterator[Finding]:
    folder = next(one for one in (patient.folder, *patient.folder.parents) if os.path.isdir(one))
    try:
        took = _writes(folder)
        free = shutil.disk_usage(folder).free
    except OSError as why:
        yield Finding("disk", BROKEN, f"Nothing can be written to {folder} ({why.strerror}).", _fix(why, folder))
        return
    said = f"{_size(free)} free, and a write takes {took * 1000:.0f} ms, in {folder}."
    if free < LITTLE:
        yield Finding(
            "disk", WARNING, f"There is little room: {said}", "Delete what is not needed, or use a larger card."
        )
    elif took > SLOW:
        yield Finding("disk", WARNING, f"It is slow: {said}", "Use a faster card (A1 or A2), or an SSD.")
    else:
        yield Finding("disk", OK, said)


def _writes(folder: Path) -> float:
    """The seconds until the disk has confirmed what an answer writes, usually."""
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
        return "The disk is read-only; a card that fails becomes so. Start again, and replace it if it stays so."
    if why.errno in (errno.EACCES, errno.EPERM):
        with suppress(KeyError, OSError, NotImplementedError):
            return f"It belongs to the user {folder.owner()}: run this as that one, as docs/doctor.md says."
    return "Name another folder in the config, below [journal]."


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def clock(patient: Patient) -> Iterator[Finding]:
    now = time.time()
    said = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    fix = "Join a network, or set it: sudo timedatectl set-ntp true, or sudo date -s '2030-01-31 20:15'."
    if now < _latest(patient.folder) - BEHIND:
        yield Finding("clock", BROKEN, f"It says {said}, but files of this table are newer.", fix)
        return
    synchronised = asked("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if synchronised == "no":
        yield Finding("clock", WARNING, f"It says {said}, and nobody has confirmed that.", fix)
    else:
        sure = "confirmed by the network" if synchronised == "yes" else "which is plausible"
        yield Finding("clock", OK, f"It says {said}, {sure}.")


def _latest(folder: Path) -> float:
    """When this program or its records were last written."""
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
            fix = "Run sudo vcgencmd get_throttled: throttled=0x0 is well."
            yield Finding("power", WARNING, "This Raspberry Pi does not say how its power is.", fix)
        else:
            yield Finding("power", OK, "No Raspberry Pi: nothing tells how its power is.")
        return
    now = [words for bit, words in NOW.items() if bits >> bit & 1]
    before = [words for bit, words in NOW.items() if bits >> bit + SINCE & 1 and words not in now]
    said = " ".join(
        f"{when}: {', '.join(words)}." for when, words in (("Now", now), ("Since it was switched on", before)) if words
    )
    fix = "Use the power supply of this model, with its own short cable; feed lamps and LEDs from elsewhere."
    if UNDER_VOLTAGE not in now + before:
        fix = "Give it air: a heat sink, a fan, a case with holes."
    state = BROKEN if UNDER_VOLTAGE in now else WARNING
    yield Finding("power", state, said, fix) if said else Finding("power", OK, "The voltage is good, and it is cool.")
