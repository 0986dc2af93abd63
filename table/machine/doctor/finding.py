"""Findings as text and JSON, and the table to check.

Its one rule: a finding that is not ok says what to do about it, on its own line.
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
BEFORE = 21  # width of the columns before the text: the state and the subject
SERVICE = "dicetable.service"
END_THE_TABLE = "To check it, stop the table first, in its menu or with sudo systemctl stop dicetable."


@dataclass(frozen=True)
class Finding:
    what: str
    state: str
    said: str
    fix: str = ""


@dataclass(frozen=True)
class Patient:
    """The table to check, with its settings and its machine."""

    config: Config
    folder: Path  # the folder with the table's records
    tell: Callable[[str], None] | None = None  # prints instructions at the terminal; None if nobody is there
    root: Path = Path("/")  # the root of the file system; tests use another folder
    clock: Callable[[], float] = time.monotonic

    @cached_property
    def process(self) -> str | None:
        """The process id of the table running in this folder, or as this machine's service. None if none is running."""
        found = running(self.folder)
        if found is None:
            service = asked("systemctl", "show", "--property=MainPID", "--value", SERVICE)
            found = service if service.isdigit() and service != "0" else None
        return found

    @cached_property
    def settings(self) -> Settings:
        """The settings with which the table starts: the config, overridden by what was chosen at the table."""
        return Settings.of(self.config).with_kept(files.settings(self.folder))

    @property
    def is_running(self) -> bool:
        return self.process is not None

    @cached_property
    def pi(self) -> str:
        """The model of this Raspberry Pi; "" on another machine."""
        model = self.text("proc/device-tree/model")
        return model if "Raspberry Pi" in model else ""

    def text(self, path: str) -> str:
        """The content of a system file, or ""."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip(" \n\0")
        except OSError:
            return ""


asked = partial(commands.asked, seconds=5.0)
"""The output of a system command; "" if it is missing or fails."""


def join(group: str) -> str:
    """How to add the user to a group."""
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
        return "Everything is fine."
    well = f"{broken} broken" if broken else "Nothing is broken"
    return f"{well}, {warnings} warning{'s' * (warnings != 1)}. docs/doctor.md explains each line."


def as_json(findings: Sequence[Finding]) -> str:
    worst = max((one.state for one in findings), key=(OK, WARNING, BROKEN).index, default=OK)
    return json.dumps({"dicetable": __version__, "state": worst, "findings": [asdict(one) for one in findings]})
