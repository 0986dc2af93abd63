"""All checks in order, each within its time.

Its one rule: a check that hangs or fails is a finding like any other, and the next one is made.
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
    seconds: float = 15.0  # for all of it
    apart: bool = True  # in a thread, which can be left behind; SDL's screen belongs to the main one


def examined(
    patient: Patient, begins: Callable[[str], None] = lambda what: None, checks: Iterable[Check] | None = None
) -> Iterator[Finding]:
    """Every finding as it comes; `begins` is told what is looked at next."""
    for check in CHECKS if checks is None else checks:
        begins(check.what)
        yield from _apart(check, patient) if check.apart else _safely(check, patient)


def _safely(check: Check, patient: Patient) -> Iterator[Finding]:
    try:
        yield from check.look(patient)
    except Exception as why:  # whatever a library comes up with, the rest is looked at
        said = f"Looking at it failed ({type(why).__name__}: {why})."
        yield Finding(check.what, BROKEN, said, "This is our mistake: tell us, with all that is printed here.")


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
            said = f"It hangs: nothing came of it in {check.seconds:.0f} seconds."
            yield Finding(check.what, BROKEN, said, "Unplug it and plug it in again, or start this machine again.")
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
    dice = f" Its dice are {chosen}, as chosen at the table; the config has {wanted}." if chosen != wanted else ""
    yield Finding("table", OK, f"dicetable {__version__}, {state}; Python {version}, {where}.{dice}")


CHECKS = (
    Check("table", _table),
    Check("games", games.games),
    Check("pins", pins.pins, seconds=20.0),
    Check("camera", camera.sight),
    Check("e-dice", edice.edice),
    Check("screen", show.screen, apart=False),
    Check("sound", show.sound),
    Check("disk", machine.disk),
    Check("clock", machine.clock),
    Check("power", machine.power),
    Check("network", network.network),
    Check("phone port", network.phones),
    Check("house", services.house),
    Check("league", services.league, seconds=30.0),
)
