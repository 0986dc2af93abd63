"""The services that a config may name: the broker through which the house is told, and the database of a league.

Its one rule: it looks whether the table would be let in; nothing is told, and nothing is written.
"""

from collections.abc import Iterator

from table.config.addresses import database_where, parse_broker
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.storage import league as leagues
from table.storage import mqtt

ANSWER = 10.0  # seconds that a broker has
SAID = {
    "missing": "The package that talks to {kind} is missing.",
    "refused": "{there} refuses the table ({detail}).",
    "newer": "{there} is of a newer version.",
    "away": "{there} cannot be reached ({detail}).",
}
FIXES = {
    ("house", "missing"): 'Install it with pip install "dicetable[mqtt]".',
    ("house", "refused"): "Look at the user and password in address, in [mqtt] of the config.",
    ("house", "away"): "Is it running, and is this its name and port? A number such as 192.168.1.10 needs no name to "
    "be found.",
    ("league", "missing"): 'Install it with pip install "dicetable[league]".',
    ("league", "refused"): "Look at address in [league] of the config, and at what docs/league.md has the server do.",
    ("league", "newer"): "Update this table.",
    ("league", "away"): "Is it running, and is this its name and port? Games are kept here until it is back.",
}


def house(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.mqtt
    if settings.address:
        there = f"The broker {parse_broker(settings.address).where}"
        yield _answered("house", "brokers", there, *mqtt.answers(settings, ANSWER))
    else:
        yield Finding("house", OK, "The config names no broker, so no house is told of the table.")


def league(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.league
    if settings.address:
        there = f"The league {database_where(settings.address)}"
        yield _answered("league", "PostgreSQL", there, *leagues.answers(settings))
    else:
        yield Finding("league", OK, "The config names no league, so games stay at this table.")


def _answered(what: str, kind: str, there: str, trouble: str, detail: str) -> Finding:
    if not trouble:
        return Finding(what, OK, f"{there} answers.")
    said = SAID[trouble].format(kind=kind, there=there, detail=detail)
    return Finding(what, BROKEN, said, FIXES[what, trouble])
