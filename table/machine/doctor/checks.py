"""Runs all checks in order, each with a timeout.

Its one rule: a check that hangs or fails becomes a finding too, and the next check still runs.
"""

import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread

from table import __version__
from table.machine.doctor import camera, edice, games, machine, network, pins, services, show
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient


@dataclass(frozen=True)
class Check:
    what: str
    look: Callable[[Patient], Iterator[Finding]]
    seconds: float = 15.0  # timeout
    apart: bool = True  # run in a thread, so that a hang can be abandoned; SDL's screen needs the main thread


def examined(
    patient: Patient, begins: Callable[[str], None] = lambda what: None, checks: Iterable[Check] | None = None
) -> Iterator[Finding]:
    """Yields each finding as it is made. `begins` is called with the name of each check before it starts."""
    for check in CHECKS if checks is None else checks:
        begins(check.what)
        yield from _apart(check, patient) if check.apart else _safely(check, patient)


def _safely(check: Check, patient: Patient) -> Iterator[Finding]:
    try:
        yield from check.look(patient)
    except Exception as why:  # any error: the other checks must still run
        said = f"The check failed ({type(why).__name__}: {why})."
        yield Finding(check.what, BROKEN, said, "This is a bug: please report it with all of this output.")


def _apart(check: Check, patient: Patient) -> Iterator[Finding]:
    came: SimpleQueue[Finding | None] = SimpleQueue()

    def look() -> None:
        for finding in _safely(check, patient):
            came.put(finding)
        came.put(None)

    until = patient.clock() + check.seconds
    Thread(target=look, name=check.what, daemon=True).start()
    while True:
        try:
            finding = came.get(timeout=max(0.0, until - patient.clock()))
        except Empty:
            if patient.clock() < until:
                continue
            said = f"It hangs: no result within {check.seconds:.0f} seconds."
            yield Finding(check.what, BROKEN, said, "Unplug it and plug it in again, or restart this machine.")
            return
        if finding is None:
            return
        yield finding


def _table(patient: Patient) -> Iterator[Finding]:
    where = patient.pi or f"{platform.system()} on {platform.machine()}"
    state = "not running"
    if patient.is_running:
        state = f"running (process {patient.process})" if patient.process else "running"
    version = ".".join(map(str, sys.version_info[:3]))
    chosen, wanted = patient.settings.source, patient.config.dice.source
    dice = f" Its dice are {chosen}, as chosen at the table; the config says {wanted}." if chosen != wanted else ""
    yield Finding("table", OK, f"dicetable {__version__}, {state}; Python {version}, {where}.{dice}")


CHECKS = (
    Check("table", _table),
    Check("games", games.games),
    Check("pins", pins.pins, seconds=20.0),
    Check("camera", camera.check),
    Check("e-dice", edice.edice),
    Check("screen", show.screen, apart=False),
    Check("sound", show.sound),
    Check("disk", machine.disk),
    Check("clock", machine.clock),
    Check("power", machine.power),
    Check("network", network.network),
    Check("phone port", network.phones),
    Check("mqtt", services.mqtt_broker),
    Check("league", services.league, seconds=30.0),
)
