"""What is found, in words and as JSON, and the table that is looked at.

Its one rule: a finding that is not ok says what to do about it, in a line of its own.
"""

import getpass
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path

from table import __version__
from table.config import Config
from table.machine import commands
from table.storage.journal import files
from table.storage.journal.lock import running
from table.ui.kiosk.settings import Settings

OK, WARNING, BROKEN = "ok", "warning", "broken"
BEFORE = 21  # characters before what is said: the state, and what it is about
SERVICE = "dicetable.service"
END_THE_TABLE = "To look at it, end the table first: by its menu, or with sudo systemctl stop dicetable."


@dataclass(frozen=True)
class Finding:
    what: str
    state: str
    said: str
    fix: str = ""


@dataclass(frozen=True)
class Patient:
    """A table as its config and its own menu have it, on the machine that it would run on."""

    config: Config
    folder: Path  # where its games are kept
    tell: Callable[[str], None] | None = None  # to whoever sits at the terminal; None: nobody does
    root: Path = Path("/")  # of the system's files
    clock: Callable[[], float] = time.monotonic

    @cached_property
    def process(self) -> str | None:
        """Of the table that is running now, in this folder or as this machine's service; None: none is."""
        found = running(self.folder)
        if found is None:
            service = asked("systemctl", "show", "--property=MainPID", "--value", SERVICE)
            found = service if service.isdigit() and service != "0" else None
        return found

    @cached_property
    def settings(self) -> Settings:
        """As the table has them when it starts: the config's, changed by what was chosen at the table."""
        return Settings.of(self.config).with_kept(files.settings(self.folder))

    @property
    def is_running(self) -> bool:
        return self.process is not None

    @cached_property
    def pi(self) -> str:
        """Which Raspberry Pi this is; nothing if it is none."""
        model = self.text("proc/device-tree/model")
        return model if "Raspberry Pi" in model else ""

    def text(self, path: str) -> str:
        """What stands in a file of the system, if there is one."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip(" \n\0")
        except OSError:
            return ""


asked = partial(commands.asked, seconds=5.0)
"""What a command of the system says; nothing if there is none, or it fails."""


def join(group: str) -> str:
    """How somebody is let in."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):
        user = "USER"
    return f"Run sudo usermod -aG {group} {user}, and log in again."


def as_text(finding: Finding) -> str:
    line = f"{finding.state:8} {finding.what:12}{finding.said}"
    return f"{line}\n{'':{BEFORE}}{finding.fix}" if finding.fix else line


def summary(findings: Sequence[Finding]) -> str:
    broken, warnings = (sum(one.state == state for one in findings) for state in (BROKEN, WARNING))
    if not broken and not warnings:
        return "All is well."
    well = f"{broken} broken" if broken else "Nothing is broken"
    return f"{well}, {warnings} warning{'s' * (warnings != 1)}. What each line means is in docs/doctor.md."


def as_json(findings: Sequence[Finding]) -> str:
    worst = max((one.state for one in findings), key=(OK, WARNING, BROKEN).index, default=OK)
    return json.dumps({"dicetable": __version__, "state": worst, "findings": [asdict(one) for one in findings]})
