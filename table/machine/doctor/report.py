"""Findings as people read them, and as a program does.

Its one rule: a finding is one line, and what to do about it the next.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

from table import __version__
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding

BEFORE = 21  # characters before what is said: the state, and what it is about


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
