"""The commands about the machine: doctor, hotspot, install, update and uninstall."""

import argparse
import json
import sys
from collections.abc import Callable

from table.app.common import CLOSED, config_of, folder_of, needs_output, say_line
from table.engine.errors import Closed


def doctor(parsed: argparse.Namespace) -> int:
    from table.machine.doctor.checks import examined
    from table.machine.doctor.finding import BROKEN, Patient, as_json, as_text, summary

    needs_output("The results are written to standard output")
    config = config_of(parsed)
    seen = sys.stdout.isatty() and not parsed.json
    person = seen and sys.stdin is not None and sys.stdin.isatty()
    found = []
    patient = Patient(config, folder_of(config), tell=_say_indented if person else None)
    for finding in examined(patient, begins=_say_progress if seen else lambda what: None):
        found.append(finding)
        if not parsed.json:
            say_line(as_text(finding))
    say_line(as_json(found) if parsed.json else summary(found))
    return CLOSED if any(finding.state == BROKEN for finding in found) else 0


def _say_indented(line: str) -> None:
    say_line(f"         {line}")


def _say_progress(what: str) -> None:
    print(f"...      {what}", end="\r", flush=True)  # the next line overwrites this one


def hotspot(parsed: argparse.Namespace) -> int:
    from table.machine import hotspot
    from table.ui import qr

    needs_output("The state of the Wi-Fi is written to standard output")
    state = hotspot.look()
    if parsed.wish:
        if parsed.wish == "on" and state.network and not parsed.json:
            # Print this first: an SSH session over the current Wi-Fi is about to be cut off.
            say_line(f"The table now leaves the Wi-Fi {state.network} and opens its own.")
        state = hotspot.switch(parsed.wish == "on")
    if state.trouble:
        raise Closed(hotspot.sentence(state))
    if parsed.json:
        facts = {name: getattr(state, name) for name in ("on", "name", "password", "address", "network")}
        say_line(json.dumps(facts))
    elif state.on:
        say_line("The table hotspot is on.")
        say_line(f"  name      {state.name}\n  password  {state.password}\n  address   {state.address}\n")
        if sys.stdout.encoding.lower().startswith("utf"):  # the QR code is drawn with half blocks
            for line in qr.lines(hotspot.joining(state.name, state.password), coloured=sys.stdout.isatty()):
                say_line(line)
    else:
        say_line(f"The table hotspot is off.{f' The table uses {state.network}.' if state.network else ''}")
    return 0


def install(parsed: argparse.Namespace) -> int:
    from table.machine.install import command

    return _installed(lambda: command.install(say_line, parsed.wheel, parsed.anyway, parsed.dry_run))


def update(parsed: argparse.Namespace) -> int:
    from table.machine.install import command

    return _installed(lambda: command.update(say_line, parsed.to, parsed.dry_run))


def uninstall(parsed: argparse.Namespace) -> int:
    from table.machine.install import command

    return _installed(lambda: command.uninstall(say_line, parsed.purge, parsed.dry_run))


def _installed(do: Callable[[], None]) -> int:
    needs_output("The steps are written to standard output")
    do()
    return 0
