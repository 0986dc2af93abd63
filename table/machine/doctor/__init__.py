"""The doctor: looks at all that a table is made of and says of each whether it is well, and if not, what to do.

Its one rule: whatever is missing, held by somebody else or broken is a finding in words; nothing stops the round, and
nothing is left changed.

    finding.py   what is found, and who is looked at
    games.py     games that cannot be imported
    pins.py      buttons and lamps
    camera.py    the camera: pictures, focus, light, calibration
    edice.py     electronic dice
    show.py      screen and sound
    machine.py   disk, clock, power
    network.py   an address, and the port for phones
    house.py     the broker through which the house is told
    league.py    the database that several tables share
    checks.py    all of it in order, each within its time
    report.py    findings in words, and as JSON
"""

from table.machine.doctor.checks import CHECKS, Check, examined
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient
from table.machine.doctor.report import as_json, as_text, summary

__all__ = [
    "BROKEN",
    "CHECKS",
    "OK",
    "WARNING",
    "Check",
    "Finding",
    "Patient",
    "as_json",
    "as_text",
    "examined",
    "summary",
]
